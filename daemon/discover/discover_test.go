package discover

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bu/daemon/testchrome"
)

var devtools, noHome, writePort, deadPort = testchrome.DevTools, testchrome.NoHome, testchrome.WritePort, testchrome.DeadPort

func names(path string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `{"Browser":"Chrome/156.0.1.2","webSocketDebuggerUrl":"ws://%s%s"}`, r.Host, path)
	}
}

func wantNone(t *testing.T, err error, says ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("a browser was found")
	}
	for _, s := range says {
		if !strings.Contains(err.Error(), s) {
			t.Errorf("the error does not say %q:\n%s", s, err)
		}
	}
}

func TestProfiles(t *testing.T) {
	for _, c := range []struct {
		goos string
		env  map[string]string
		want string // KIND PATH, the path below the home
	}{
		{"linux", nil, "Chrome .config/google-chrome"},
		{"linux", nil, "Chrome .config/google-chrome-beta"},
		{"linux", nil, "Chrome .config/google-chrome-unstable"},
		{"linux", nil, "Chrome .config/google-chrome-for-testing"},
		{"linux", nil, "Chromium .config/chromium"},
		{"linux", nil, "Edge .config/microsoft-edge"},
		{"linux", nil, "Brave .config/BraveSoftware/Brave-Browser"},
		{"linux", nil, "Vivaldi .config/vivaldi"},
		{"linux", nil, "Opera .config/opera"},
		{"linux", nil, "Helium .config/net.imput.helium"},
		{"linux", nil, "Chrome .var/app/com.google.Chrome/config/google-chrome"},
		{"linux", nil, "Chromium .var/app/org.chromium.Chromium/config/chromium"},
		{"linux", nil, "Brave .var/app/com.brave.Browser/config/BraveSoftware/Brave-Browser"},
		{"linux", nil, "Chromium snap/chromium/common/chromium"},
		{"linux", map[string]string{"XDG_CONFIG_HOME": "/h/x"}, "Chromium x/chromium"},
		{"linux", map[string]string{"XDG_CONFIG_HOME": "/h/x", "CHROME_CONFIG_HOME": "/h/y"}, "Chrome y/google-chrome"},
		{"linux", map[string]string{"XDG_CONFIG_HOME": "/h/x"}, "Chrome .config/google-chrome"},
		{"linux", map[string]string{"XDG_CONFIG_HOME": "relative"}, "Chrome .config/google-chrome"},
		{"linux", map[string]string{"CHROME_USER_DATA_DIR": "/h/d"}, "Chrome d"},
		{"darwin", nil, "Chrome Library/Application Support/Google/Chrome"},
		{"darwin", nil, "Chrome Library/Application Support/Google/Chrome Canary"},
		{"darwin", nil, "Chrome Library/Application Support/Google/Chrome for Testing"},
		{"darwin", nil, "Chromium Library/Application Support/Chromium"},
		{"darwin", nil, "Edge Library/Application Support/Microsoft Edge"},
		{"darwin", nil, "Brave Library/Application Support/BraveSoftware/Brave-Browser"},
		{"darwin", nil, "Arc Library/Application Support/Arc/User Data"},
		{"darwin", nil, "Dia Library/Application Support/Dia/User Data"},
		{"darwin", nil, "Comet Library/Application Support/Comet"},
		{"darwin", nil, "Vivaldi Library/Application Support/Vivaldi"},
		{"darwin", nil, "Opera Library/Application Support/com.operasoftware.Opera"},
		{"darwin", nil, "Helium Library/Application Support/net.imput.helium"},
		{"windows", nil, "Chrome AppData/Local/Google/Chrome/User Data"},
		{"windows", nil, "Chrome AppData/Local/Google/Chrome SxS/User Data"},
		{"windows", nil, "Edge AppData/Local/Microsoft/Edge/User Data"},
		{"windows", nil, "Brave AppData/Local/BraveSoftware/Brave-Browser/User Data"},
		{"windows", nil, "Opera AppData/Roaming/Opera Software/Opera Stable"},
		{"windows", map[string]string{"LOCALAPPDATA": "/h/L"}, "Chromium L/Chromium/User Data"},
		{"windows", map[string]string{"APPDATA": "/h/R"}, "Opera R/Opera Software/Opera Stable"},
	} {
		kind, path, _ := strings.Cut(c.want, " ")
		found := slices.ContainsFunc(profiles(c.goos, "/h", func(k string) string { return c.env[k] }), func(p profile) bool {
			return p.Kind == kind && p.Dir == filepath.Join("/h", path)
		})
		if !found {
			t.Errorf("%s %v: no %s", c.goos, c.env, c.want)
		}
	}
}

// Every profile of the three systems is found from a home of its own, by its kind.
func TestEveryProfileIsFound(t *testing.T) {
	port := devtools(t, names("/devtools/browser/here"))
	for _, goos := range []string{"linux", "darwin", "windows"} {
		root := t.TempDir()
		for i, p := range profiles(goos, "/", func(string) string { return "" }) {
			home := filepath.Join(root, fmt.Sprint(i))
			writePort(t, filepath.Join(home, p.Dir), port+"\n/devtools/browser/here\n", 0)
			found := look(t.Context(), profiles(goos, home, func(string) string { return "" }))[0]
			if b := found.browser; b.WS != "ws://127.0.0.1:"+port+"/devtools/browser/here" || b.Kind != p.Kind || b.Profile != filepath.Join(home, p.Dir) {
				t.Errorf("%s %s: found %+v (%s)", goos, p.Dir, b, found.state)
			}
		}
	}
}

// What a DevToolsActivePort and the server at its port say, and what follows.
func TestActivePort(t *testing.T) {
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
	}
	for _, c := range []struct {
		name   string
		server http.HandlerFunc
		file   string // PORT stands for the server's
		path   string // of the WebSocket, "" if none
		asks   bool
		says   string // of the error
	}{
		{name: "right", server: names("/devtools/browser/a"), file: "PORT\n/devtools/browser/a", path: "/devtools/browser/a"},
		{name: "dead UUID", server: names("/devtools/browser/b"), file: "PORT\n/devtools/browser/a", path: "/devtools/browser/b"}, // field case 1
		{name: "port alone", server: names("/devtools/browser/b"), file: "PORT\n", path: "/devtools/browser/b"},
		{name: "carriage returns", server: names("/devtools/browser/b"), file: "PORT\r\n/devtools/browser/a\r\n", path: "/devtools/browser/b"},
		{name: "toggle", server: status(404), file: "PORT\n/devtools/browser/a", path: "/devtools/browser/a", asks: true}, // field case 2
		{name: "toggle, port alone", server: status(404), file: "PORT", path: "/devtools/browser", asks: true},
		{name: "hangs up", server: func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, file: "PORT\n/devtools/browser/a", path: "/devtools/browser/a", asks: true},
		{name: "another server", server: func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "<h1>It works!</h1>") },
			file: "PORT\n/devtools/browser/a", says: "not a DevTools server"},
		{name: "no port", file: "/devtools/browser/a", says: "without a port"},
		{name: "empty", file: "", says: "without a port"},
		{name: "port 0", file: "0\n/devtools/browser/a", says: "without a port"},
		{name: "port too high", file: "70000\n/devtools/browser/a", says: "without a port"},
		{name: "another path", file: "9222\n@evil.example/", says: "no browser's path"},
		{name: "binary", file: "\x00\xff\xfe", says: "without a port"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(noHome(t), ".config", "chromium")
			port := ""
			if c.server != nil {
				port = devtools(t, c.server)
			}
			writePort(t, dir, strings.Replace(c.file, "PORT", port, 1), 0)
			b, err := Find(t.Context(), Identity{})
			if c.path == "" {
				wantNone(t, err, "Chromium (~/.config/chromium)", c.says)
				return
			}
			want := Browser{WS: "ws://127.0.0.1:" + port + c.path, Kind: "Chromium", Profile: dir, Source: filepath.Join(dir, "DevToolsActivePort"), Asks: c.asks}
			if err != nil || b != want {
				t.Errorf("got %+v, %v\nwant %+v", b, err, want)
			}
		})
	}
}

func TestNewestFirst(t *testing.T) {
	home := noHome(t)
	old, young := devtools(t, names("/devtools/browser/old")), devtools(t, names("/devtools/browser/young"))
	writePort(t, filepath.Join(home, ".config", "google-chrome"), old+"\n/devtools/browser/old", time.Hour)
	writePort(t, filepath.Join(home, ".config", "vivaldi"), young+"\n/devtools/browser/young", time.Minute)
	writePort(t, filepath.Join(home, ".config", "chromium"), deadPort(t)+"\n/devtools/browser/dead", 0)
	b, err := Find(t.Context(), Identity{})
	if err != nil || b.Kind != "Vivaldi" || !strings.HasSuffix(b.WS, young+"/devtools/browser/young") {
		t.Errorf("got %+v, %v; want the newest that lives, Vivaldi", b, err)
	}
}

// A lock whose process is gone shows that a port's 404 is another program's.
func TestLock(t *testing.T) {
	host, _ := os.Hostname()
	for _, c := range []struct {
		lock  string
		found bool
		says  string
	}{
		{fmt.Sprintf("%s-%d", host, os.Getpid()), true, ""},
		{host + "-4194303", false, "is not running"}, // over any system's pid_max
		{"another-host-4194303", true, ""},
		{"nonsense", true, ""},
	} {
		dir := filepath.Join(noHome(t), ".config", "chromium")
		writePort(t, dir, devtools(t, http.NotFound)+"\n/devtools/browser/a", 0)
		if err := os.Symlink(c.lock, filepath.Join(dir, "SingletonLock")); err != nil {
			t.Fatal(err)
		}
		b, err := Find(t.Context(), Identity{})
		if c.found != (err == nil) || c.found != (b.WS != "") {
			t.Errorf("lock %s: got %+v, %v", c.lock, b, err)
		}
		if !c.found {
			wantNone(t, err, c.says)
		}
	}
}

// The states that a profile without a usable port can be in, and the next step.
func TestWhyNone(t *testing.T) {
	host, _ := os.Hostname()
	live, gone := fmt.Sprintf("%s-%d", host, os.Getpid()), host+"-4194303"
	for _, c := range []struct {
		name, lock string
		on, file   bool
		says, next string
	}{
		{"nothing known", "", false, false, "not running, or remote debugging is off", "Start it, open chrome://inspect/#remote-debugging"},
		{"running", live, false, false, "is running, but remote debugging is off", "In that browser, open chrome://inspect/#remote-debugging"},
		{"on, not running", "", true, false, "is not running (remote debugging is on", "Start it"},
		{"ended", gone, true, true, "is not running: its DevToolsActivePort is stale", "Start it"},
		{"switched off", live, false, true, "is running, but remote debugging is off: its DevToolsActivePort is stale", "In that browser, open"},
		{"ended, no lock", "", false, true, "is not running: its DevToolsActivePort is stale", "Start it, open"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(noHome(t), ".config", "chromium")
			os.MkdirAll(dir, 0o700)
			if c.lock != "" {
				os.Symlink(c.lock, filepath.Join(dir, "SingletonLock"))
			}
			if c.on {
				os.WriteFile(filepath.Join(dir, "Local State"), []byte(`{"devtools":{"remote_debugging":{"user-enabled":true}}}`), 0o600)
			}
			if c.file {
				writePort(t, dir, deadPort(t)+"\n/devtools/browser/a", 0)
			}
			_, err := Find(t.Context(), Identity{})
			wantNone(t, err, c.says, "Next, Chromium (~/.config/chromium): "+c.next, "no such profile: ~/.config/google-chrome", "BU_CDP_URL")
		})
	}
}

func TestNoProfileAtAll(t *testing.T) {
	noHome(t)
	_, err := Find(t.Context(), Identity{})
	wantNone(t, err, "~/.config/google-chrome", "~/.config/chromium", "~/.var/app", "~/snap", "Vivaldi", "Next: start Chrome, open chrome://inspect/#remote-debugging")
}

// Nobody answers, or the file never ends: still an error within 3 s.
func TestNothingHangs(t *testing.T) {
	home := noHome(t)
	mute, err := net.Listen("tcp", "127.0.0.1:0") // a stopped browser: the system accepts, nobody answers
	if err != nil {
		t.Fatal(err)
	}
	defer mute.Close()
	_, port, _ := net.SplitHostPort(mute.Addr().String())
	writePort(t, filepath.Join(home, ".config", "chromium"), port+"\n/devtools/browser/a", 0)
	fifo := filepath.Join(home, ".config", "vivaldi")
	os.MkdirAll(fifo, 0o700)
	makeFifo(t, filepath.Join(fifo, "DevToolsActivePort"))
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()
	_, err = Find(ctx, Identity{})
	wantNone(t, err, "does not answer on port "+port, "Vivaldi (~/.config/vivaldi) has a DevToolsActivePort that is not a file")
	if ctx.Err() != nil {
		t.Error("took over 3 s")
	}
}

// The real thing: found while it runs; when it has exited, "not running" (field case 3).
func TestRealChromium(t *testing.T) {
	noHome(t)
	c := testchrome.Start(t)
	t.Setenv("HOME", c.Home)
	b, err := Find(t.Context(), Identity{})
	if err != nil || b.WS != c.WS || b.Profile != c.Profile || b.Kind != "Chromium" || b.Asks || !b.Local() {
		t.Fatalf("got %+v, %v; want %s", b, err, c.WS)
	}
	was := b.Identity()
	c.Kill()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()
	_, err = Find(ctx, Identity{})
	wantNone(t, err, "Chromium (~/.config/chromium) is not running", "Start it")
	_, err = Find(ctx, was)
	wantNone(t, err, "this daemon drove Chromium, profile "+c.Profile, "is not running", "killDaemon()")
	c.Launch(t) // on another port (field case 10)
	if b, err = Find(t.Context(), was); err != nil || b.WS != c.WS {
		t.Errorf("after a restart: %+v, %v; want %s", b, err, c.WS)
	}
}

// A daemon goes back to its browser or fails; never to another one (field cases 12, 46).
func TestSameBrowser(t *testing.T) {
	home := noHome(t)
	other := filepath.Join(home, ".config", "chromium")
	writePort(t, other, devtools(t, names("/devtools/browser/other"))+"\n/devtools/browser/other", 0)
	mine := devtools(t, names("/devtools/browser/mine"))
	gone := deadPort(t)
	profile := filepath.Join(home, ".config", "google-chrome")
	writePort(t, profile, mine+"\n/devtools/browser/mine", time.Hour)
	for _, c := range []struct {
		name  string
		was   Identity
		url   string // BU_CDP_URL
		want  string // the end of the address; "" if none
		says  string
		other string // BU_BROWSER_ID
	}{
		{name: "its profile, though older", was: Identity{"Chrome", profile, "127.0.0.1:1"}, want: "/mine"},
		{name: "its profile is gone", was: Identity{"Brave", filepath.Join(home, "none"), "127.0.0.1:1"}, says: "Brave, profile " + filepath.Join(home, "none")},
		{name: "its address, not set", was: Identity{"browser", "", "127.0.0.1:" + mine}, says: "neither is set now"},
		{name: "its address", was: Identity{"browser", "", "127.0.0.1:" + mine}, url: "http://127.0.0.1:" + mine, want: "/mine"},
		{name: "its address by another name", was: Identity{"browser", "", "127.0.0.1:" + mine}, url: "http://localhost:" + mine, want: "/mine"},
		{name: "another address while it is there", was: Identity{"browser", "", "127.0.0.1:" + mine}, url: "OTHER", says: "still there"},
		{name: "another address when it is gone", was: Identity{"browser", "", "127.0.0.1:" + gone}, url: "OTHER", want: "/other"},
		{name: "a rented one", was: Identity{"browser", "", "127.0.0.1:" + mine}, url: "OTHER", other: "b-1", want: "/other"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, _ := os.ReadFile(filepath.Join(other, "DevToolsActivePort"))
			port, _, _ := strings.Cut(string(text), "\n")
			t.Setenv("BU_CDP_URL", strings.Replace(c.url, "OTHER", "http://127.0.0.1:"+port, 1))
			t.Setenv("BU_BROWSER_ID", c.other)
			b, err := Find(t.Context(), c.was)
			if c.want == "" {
				wantNone(t, err, c.says, "killDaemon()")
			} else if err != nil || !strings.HasSuffix(b.WS, c.want) {
				t.Errorf("got %+v, %v", b, err)
			}
		})
	}
}

// FuzzPort: whatever a DevToolsActivePort holds, only a port on this machine and a
// browser's path can come out of it.
func FuzzPort(f *testing.F) {
	for _, s := range []string{"9222\n/devtools/browser/0a-b", "9222", "", "0\n/", "99999\n/x", "1\n@h/", "1\n/devtools/browser/../../x", "+1\n", "9222\n/devtools/browser/a?b#c", "\xff\n\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		port, path, err := parsePort(text)
		if err != nil {
			return
		}
		u, err := url.Parse(fmt.Sprintf("ws://127.0.0.1:%d%s", port, path))
		if err != nil || u.Host != fmt.Sprintf("127.0.0.1:%d", port) || port < 1 || port > 65535 || u.Path != path || u.RawQuery != "" || strings.Contains(path, "..") {
			t.Errorf("%q gave port %d, path %q (%v)", text, port, path, err)
		}
	})
}
