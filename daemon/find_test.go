package main

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"bu/daemon/testchrome"
	"bu/daemon/wire"
)

var devtools, noHome, writePort, deadPort = testchrome.DevTools, testchrome.NoHome, testchrome.WritePort, testchrome.DeadPort

// gate stands before a real Chromium and treats its clients as Chrome 144's toggle
// does: 404 to everything but a WebSocket, and that held until the user has clicked.
type gate struct {
	port   string
	opens  atomic.Int32  // handshakes begun
	click  chan struct{} // closed: Allow
	origin atomic.Value  // the Origin header of a handshake
	query  atomic.Value  // its query
	path   atomic.Value
	status int // of the answer to a handshake, if not 0
}

func newGate(t *testing.T, c *testchrome.Chrome) *gate {
	t.Helper()
	g := &gate{click: make(chan struct{})}
	chrome := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.Out.URL, _ = url.Parse(strings.Replace(c.WS, "ws:", "http:", 1))
		r.Out.Host = c.Address
	}}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Upgrade") == "" {
			http.NotFound(w, r)
			return
		}
		g.opens.Add(1)
		g.origin.Store(r.Header.Get("Origin"))
		g.query.Store(r.URL.RawQuery)
		g.path.Store(r.URL.Path)
		select {
		case <-g.click:
		case <-r.Context().Done():
			return
		}
		if g.status != 0 {
			w.WriteHeader(g.status)
			return
		}
		chrome.ServeHTTP(w, r)
	}))
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	_, g.port, _ = net.SplitHostPort(s.Listener.Addr().String())
	return g
}

// alone is noHome for tests that call run: Go builds it with the caches of the old home.
func alone(t *testing.T) (home string) {
	testchrome.Build(t)
	return noHome(t)
}

// ran is what one call of bin/run came to.
type ran struct {
	out, errs string
	code      int
	took      time.Duration
}

// runs calls bin/run with the daemon called name. The environment says where to look;
// what it says on standard error goes to also too, if that is not nil.
func runs(t *testing.T, name, snippet string, also io.Writer, env ...string) ran {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := exec.Command(filepath.Join(testchrome.Build(t), "run"), snippet)
	cmd.Dir = testchrome.Root()
	cmd.Env = append(append(os.Environ(), "BU_NAME="+name, "BU_HELPERS="+testchrome.Root()+"/helpers"), env...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if also != nil {
		cmd.Stderr = io.MultiWriter(&errs, also)
	}
	cmd.WaitDelay = time.Second
	began := time.Now()
	err := cmd.Run()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stopDaemon(t, name) })
	return ran{strings.TrimSpace(out.String()), errs.String(), cmd.ProcessState.ExitCode(), time.Since(began)}
}

// stopDaemon ends the daemon that a run started, and waits until it is gone.
func stopDaemon(t *testing.T, name string) {
	p := &proc{t: t, name: name}
	if _, err := p.try(M{"meta": "shutdown"}, 20*time.Second); err == nil {
		until(t, "the daemon "+name+" has ended", func() bool { _, err := p.try(M{"meta": "status"}, time.Second); return err != nil })
	}
}

// Field case 4: the handshake is held for 20 s while two runs start. One connection
// in all, both succeed, and the user is told to click.
func TestStalledHandshake(t *testing.T) {
	g := newGate(t, browser(t))
	home := alone(t)
	writePort(t, filepath.Join(home, ".config", "google-chrome"), g.port+"\n/devtools/browser/x", 0)
	name := newName(t)
	time.AfterFunc(20*time.Second, func() { close(g.click) })
	var all sync.WaitGroup
	var told atomic.Int32
	for i := range 2 {
		all.Go(func() {
			r := runs(t, name, fmt.Sprintf(`js("20+%d")`, i), nil)
			if r.code != 0 || r.out != fmt.Sprint(20+i) {
				t.Errorf("run %d: exit %d, %q, %s", i, r.code, r.out, r.errs)
			}
			if strings.Contains(r.errs, "click Allow") {
				told.Add(1) // the other one may wait for the first, which has the tab
			}
		})
	}
	all.Wait()
	if told.Load() == 0 {
		t.Error("nobody was told to click Allow")
	}
	if n := g.opens.Load(); n != 1 {
		t.Errorf("%d handshakes, want one", n)
	}
	if o := g.origin.Load(); o != "" { // field case 11: Chrome answers 403 to any
		t.Errorf("an Origin header was sent: %q", o)
	}
	if p := g.path.Load(); p != "/devtools/browser/x" { // field case 2
		t.Errorf("path %q, want the one of the file", p)
	}
}

// Field case 1, with the daemon: the file's UUID is dead, /json/version names another.
func TestDeadUUID(t *testing.T) {
	c := browser(t)
	home := noHome(t)
	_, port, _ := net.SplitHostPort(c.Address)
	writePort(t, filepath.Join(home, ".config", "chromium"), port+"\n/devtools/browser/00000000-dead-0000-0000-000000000000", 0)
	p := daemonOf(t, newName(t), "HOME="+home)
	if v := p.js("6*7"); v != 42.0 {
		t.Errorf("got %v; log: %s", v, p.log())
	}
}

// Cancel, and every other refusal: exit 3 with the reason and what to do, one
// handshake, and no daemon left behind that would refuse the next run too.
func TestRefusedHandshake(t *testing.T) {
	for _, c := range []struct {
		status int
		says   string
	}{
		{403, `was answered with Cancel when it asked "Allow remote debugging?": run again and click Allow`},
		{404, "restarted"},
		{500, "IP address"},
		{502, "502 Bad Gateway"},
	} {
		g := newGate(t, browser(t))
		g.status = c.status
		close(g.click)
		writePort(t, filepath.Join(alone(t), ".config", "google-chrome"), g.port+"\n/devtools/browser/x", 0)
		r := runs(t, newName(t), `js("1")`, nil)
		if r.code != 3 || !strings.Contains(r.errs, c.says) || g.opens.Load() != 1 {
			t.Errorf("%d: exit %d after %d handshakes, want 3 after 1 with %q: %s", c.status, r.code, g.opens.Load(), c.says, r.errs)
		}
	}
}

// No Chrome, or one that has exited (field case 3): exit 3 within 3 s, says where it
// looked and what to do.
func TestRunWithoutBrowser(t *testing.T) {
	home := alone(t)
	r := runs(t, newName(t), `pageInfo()`, nil)
	if r.code != 3 || r.took > 3*time.Second || !strings.Contains(r.errs, "~/.config/chromium") || !strings.Contains(r.errs, "chrome://inspect/#remote-debugging") {
		t.Errorf("exit %d after %v: %s", r.code, r.took, r.errs)
	}
	writePort(t, filepath.Join(home, ".config", "chromium"), deadPort(t)+"\n/devtools/browser/x", 0)
	r = runs(t, newName(t), `pageInfo()`, nil)
	if r.code != 3 || r.took > 3*time.Second || !strings.Contains(r.errs, "is not running") {
		t.Errorf("exit %d after %v: %s", r.code, r.took, r.errs)
	}
}

// Field case 10: Chrome is killed and starts on another port. The next run works, and
// one daemon serves.
func TestRestartOnAnotherPort(t *testing.T) {
	alone(t)
	c := testchrome.Start(t)
	t.Setenv("HOME", c.Home)
	name := newName(t)
	if r := runs(t, name, `js("1")`, nil); r.code != 0 {
		t.Fatalf("exit %d: %s", r.code, r.errs)
	}
	first := &proc{t: t, name: name}
	pid := first.meta("status")["pid"]
	was := c.Address
	c.Kill()
	until(t, "the daemon has noticed", func() bool { _, err := first.try(M{"meta": "status"}, time.Second); return err != nil })
	if r := runs(t, name, `js("1")`, nil); r.code != 3 || !strings.Contains(r.errs, "this daemon drove Chromium") {
		t.Errorf("without Chrome: exit %d: %s", r.code, r.errs)
	}
	c.Launch(t)
	if c.Address == was {
		t.Skip("the system gave the same port again")
	}
	if r := runs(t, name, `js("2")`, nil); r.code != 0 || r.out != "2" {
		t.Errorf("after the restart: exit %d, %q: %s", r.code, r.out, r.errs)
	}
	if now := first.meta("status"); now["pid"] == pid {
		t.Errorf("the old daemon serves: %v", now)
	}
	until(t, "the old daemon has ended", func() bool {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%.0f/stat", pid))
		return err != nil || strings.Contains(string(stat), ") Z ") // init has not asked for it yet
	})
}

// Field case 12: a named daemon made for one address and started again without it
// refuses, though the user's own browser is there.
func TestAddressIsNotForgotten(t *testing.T) {
	alone(t)
	own := testchrome.Start(t)
	t.Setenv("HOME", own.Home)
	name := newName(t)
	if r := runs(t, name, `js("1")`, nil, "BU_CDP_URL=http://"+browser(t).Address); r.code != 0 {
		t.Fatalf("exit %d: %s", r.code, r.errs)
	}
	p := &proc{t: t, name: name}
	kill(t, p.meta("status")["pid"])
	until(t, "the daemon is gone", func() bool { _, err := p.try(M{"meta": "status"}, time.Second); return err != nil })
	r := runs(t, name, `js("1")`, nil)
	if r.code != 3 || !strings.Contains(r.errs, browser(t).Address) || !strings.Contains(r.errs, "killDaemon()") {
		t.Errorf("exit %d: %s", r.code, r.errs)
	}
	if r := runs(t, name, `killDaemon(); js("3")`, nil); r.code != 0 || r.out != "3" {
		t.Errorf("after killDaemon(): exit %d: %s", r.code, r.errs)
	}
	if a := p.meta("status")["browser"].(M)["address"]; a != own.Address {
		t.Errorf("attached to %v, want the user's own at %s", a, own.Address)
	}
}

func kill(t *testing.T, pid any) {
	t.Helper()
	if err := exec.Command("kill", "-9", fmt.Sprintf("%.0f", pid)).Run(); err != nil {
		t.Fatal(err)
	}
}

// Field case 13: a token in an address reaches the browser and nothing else: no log,
// no state file, no status, no error.
func TestTokensStaySecret(t *testing.T) {
	const token = "t0ken-S3cret"
	c := browser(t)
	open := newGate(t, c)
	close(open.click)
	shut := newGate(t, c)
	shut.status = 403
	close(shut.click)
	version := devtools(t, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `{"Browser":"Chrome/1","webSocketDebuggerUrl":"ws://127.0.0.1:%s/devtools/browser/x?own=%s"}`, open.port, token)
	})
	for _, x := range []struct{ name, env string }{
		{"ws", "BU_CDP_WS=ws://127.0.0.1:" + open.port + "/devtools/browser/x?token=" + token},
		{"url", "BU_CDP_URL=http://127.0.0.1:" + version + "/?token=" + token},
		{"user", "BU_CDP_WS=ws://ada:" + token + "@127.0.0.1:" + open.port + "/devtools/browser/x"},
		{"refused", "BU_CDP_WS=ws://127.0.0.1:" + shut.port + "/devtools/browser/x?token=" + token},
		{"nobody", "BU_CDP_WS=wss://127.0.0.1:" + deadPort(t) + "/" + token + "?token=" + token},
		{"no such host", "BU_CDP_WS=wss://no.invalid/" + token},
		{"no address", "BU_CDP_WS=" + token + "://" + token + "\x7f"},
		{"url, nobody", "BU_CDP_URL=https://" + token + "@127.0.0.1:" + deadPort(t) + "/?token=" + token},
		{"url, no browser", "BU_CDP_URL=http://127.0.0.1:" + shut.port + "/" + token + "?" + token},
		{"url, no address", "BU_CDP_URL=" + token},
	} {
		t.Run(x.name, func(t *testing.T) {
			alone(t)
			name := newName(t)
			r := runs(t, name, `js("7")`, nil, x.env)
			works := x.name == "ws" || x.name == "url" || x.name == "user"
			if works && (r.code != 0 || r.out != "7") || !works && r.code != 3 {
				t.Errorf("exit %d, %q: %s", r.code, r.out, r.errs)
			}
			p := &proc{t: t, name: name}
			status, _ := p.try(M{"meta": "status"}, 10*time.Second)
			state, _ := p.try(M{"meta": "shutdown"}, 10*time.Second)
			told := map[string]string{"standard error": r.errs, "output": r.out, "status": fmt.Sprint(status), "shutdown": fmt.Sprint(state), "log": p.log()}
			paths, _ := wire.PathsOf(name)
			text, _ := os.ReadFile(paths.State)
			told["state"] = string(text)
			for where, text := range told {
				if strings.Contains(text, token) {
					t.Errorf("%s holds the token: %s", where, text)
				}
			}
		})
	}
}
