package helpers_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"bu/daemon/testchrome"
)

// The helpers are tested as a model uses them: interpreted, by the real bin/run,
// through a real daemon, on a real Chromium. One browser and one daemon serve the
// whole package; open gives a test a tab of its own.
var world struct {
	sync.Once
	chrome *testchrome.Chrome
	bin    string
	name   string // BU_NAME
	folder string // BU_HELPERS
	site   *httptest.Server
	pages  sync.Map // path → HTML, see html
	downs  []func()

	together chan func() // what /together waits for
}

// lasting is a testing.TB whose cleanups run at the end of the package.
type lasting struct{ testing.TB }

func (lasting) Cleanup(f func()) { world.downs = append(world.downs, f) }

func TestMain(m *testing.M) {
	code := m.Run()
	for i := len(world.downs) - 1; i >= 0; i-- {
		world.downs[i]()
	}
	testchrome.Clean()
	if world.name != "" {
		left, _ := filepath.Glob("/tmp/bu-" + world.name + "*")
		for _, f := range left {
			os.Remove(f)
		}
	}
	os.Exit(code)
}

func start(t testing.TB) {
	t.Helper()
	world.Do(func() {
		world.bin = testchrome.Build(t)
		world.together = make(chan func(), 1)
		world.name = fmt.Sprintf("c-helpers-%d", os.Getpid())
		world.folder = testchrome.Root() + "/helpers"
		if os.Getenv("BU_TEST_HELPERS") == "interpreted" {
			world.folder = touched(t)
			lasting{t}.Cleanup(func() { os.RemoveAll(world.folder) })
		}
		world.site = httptest.NewUnstartedServer(site()) // its handlers read world.site
		world.site.Start()
		world.chrome = testchrome.Start(lasting{t})
		lasting{t}.Cleanup(world.site.CloseClientConnections)
		lasting{t}.Cleanup(func() { invoke("killDaemon()").Run() })
	})
	if world.chrome == nil {
		t.Fatal("an earlier test could not start the browser")
	}
}

// touched is a copy of the helpers in which each function has been edited, so that all of
// them are interpreted: BU_TEST_HELPERS=interpreted go test ./helpers.
func touched(t testing.TB) string {
	dir, err := os.MkdirTemp("", "bu-touched-")
	if err == nil {
		err = os.CopyFS(dir, os.DirFS(testchrome.Root()+"/helpers"))
	}
	files, _ := filepath.Glob(dir + "/*.go")
	for _, f := range files {
		text, _ := os.ReadFile(f)
		if !strings.HasSuffix(f, "_test.go") && !bytes.HasPrefix(text, []byte("// Code generated")) && err == nil {
			err = os.WriteFile(f, regexp.MustCompile(`(?m)^func .*$`).ReplaceAll(text, []byte("$0 // touched")), 0o600)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// invoke is one call of bin/run, as a shell would make it. In the snippet SITE
// stands for the test server's address, OTHER for the same server under another
// site's name (whose iframes get a process of their own).
func invoke(snippet string, env ...string) *exec.Cmd {
	cmd := exec.Command(world.bin+"/run", expand(snippet))
	cmd.WaitDelay = time.Second // a daemon that it started may hold stderr
	cmd.Dir = testchrome.Root()
	cmd.Env = append(os.Environ(), "HOME="+world.chrome.Home, "BU_NAME="+world.name, "BU_HELPERS="+world.folder)
	cmd.Env = append(cmd.Env, env...)
	return cmd
}

func expand(s string) string {
	if world.site == nil {
		return s
	}
	other := strings.Replace(world.site.URL, "127.0.0.1", "localhost", 1)
	return strings.NewReplacer("SITE", world.site.URL, "OTHER", other).Replace(s)
}

// run runs a snippet and gives what it printed (less the last newline) and its exit code.
func run(t testing.TB, snippet string, env ...string) (stdout, stderr string, code int) {
	t.Helper()
	start(t)
	cmd := invoke(snippet, env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Start()
	if err == nil {
		defer time.AfterFunc(2*time.Minute, func() { cmd.Process.Kill() }).Stop()
		err = cmd.Wait()
	}
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatalf("run: %v\n%s", err, errs.String())
	}
	return strings.TrimSuffix(out.String(), "\n"), errs.String(), cmd.ProcessState.ExitCode()
}

// out runs a snippet that must succeed and gives what it printed.
func out(t testing.TB, snippet string, env ...string) string {
	t.Helper()
	stdout, stderr, code := run(t, snippet, env...)
	if code != 0 {
		t.Fatalf("exit %d\n%s\nstdout: %s\nstderr: %s", code, snippet, stdout, stderr)
	}
	return stdout
}

// want runs a snippet that must succeed and print exactly this.
func want(t testing.TB, snippet, printed string) {
	t.Helper()
	if got := out(t, snippet); got != expand(printed) {
		t.Errorf("%s\nprinted %s\nwant    %s", snippet, got, expand(printed))
	}
}

// fails runs a snippet that must end with this error code, its message holding all
// the words; it gives the message.
func fails(t testing.TB, snippet, code string, words ...string) string {
	t.Helper()
	stdout, stderr, exit := run(t, snippet)
	if exit != 1 || !strings.Contains(stderr, code+": ") {
		t.Fatalf("%s\nexit %d, want 1 and %s\nstdout: %s\nstderr: %s", snippet, exit, code, stdout, stderr)
	}
	for _, w := range words {
		if !strings.Contains(stderr, expand(w)) {
			t.Errorf("%s\nstderr lacks %q: %s", snippet, expand(w), stderr)
		}
	}
	return stderr
}

// open gives the test a new tab at the address (of html, or a path of the test
// site) until it ends.
func open(t testing.TB, path string) {
	t.Helper()
	start(t)
	id := out(t, fmt.Sprintf("id := newTab(%q); waitForLoad(60); id", world.site.URL+path))
	t.Cleanup(func() { run(t, fmt.Sprintf("try(func() { cdp(`Target.closeTarget`, M{`targetId`: %q}) })", id)) })
}

// html puts a page with this body on the test site and gives its path.
func html(body string) string {
	n := 0
	world.pages.Range(func(any, any) bool { n++; return true })
	path := fmt.Sprintf("/page/%d", n)
	if !strings.Contains(body, "<title>") {
		body = fmt.Sprintf("<title>page %d</title>%s", n, body)
	}
	world.pages.Store(path, "<!doctype html><meta charset=utf-8>"+body)
	return path
}

// site serves testdata and the odd behaviours that tests need of a server.
func site() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServer(http.Dir(testchrome.Root()+"/helpers/testdata")))
	mux.HandleFunc("/page/", func(w http.ResponseWriter, r *http.Request) {
		page, ok := world.pages.Load(r.URL.Path)
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, expand(page.(string)))
	})
	mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) { // ?ms= then a page
		sleep(r, r.FormValue("ms"))
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<!doctype html><title>slow</title><h1>slow</h1>")
	})
	mux.HandleFunc("/slow.css", func(w http.ResponseWriter, r *http.Request) { // holds up the load event
		sleep(r, r.FormValue("ms"))
		w.Header().Set("Content-Type", "text/css")
	})
	mux.HandleFunc("/together", func(w http.ResponseWriter, r *http.Request) {
		wait := <-world.together
		world.together <- wait
		wait()
		io.WriteString(w, "all are here")
	})
	mux.HandleFunc("/hang", func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	mux.HandleFunc("/json", func(w http.ResponseWriter, r *http.Request) { // ?ms= then JSON
		sleep(r, r.FormValue("ms"))
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"q":%q}`, r.FormValue("q"))
	})
	mux.HandleFunc("/stream", func(w http.ResponseWriter, r *http.Request) { // an EventSource, for ever
		w.Header().Set("Content-Type", "text/event-stream")
		for i := 0; ; i++ {
			fmt.Fprintf(w, "data: %d\n\n", i)
			w.(http.Flusher).Flush()
			if !sleep(r, "100") {
				return
			}
		}
	})
	mux.HandleFunc("/download", func(w http.ResponseWriter, r *http.Request) { // ?name=&size=&ms= before the end
		size, _ := strconv.Atoi(r.FormValue("size"))
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Content-Disposition", "attachment; filename="+strconv.Quote(r.FormValue("name")))
		w.Header().Set("Content-Length", strconv.Itoa(size))
		w.Write(make([]byte, size/2))
		w.(http.Flusher).Flush()
		sleep(r, r.FormValue("ms"))
		w.Write(make([]byte, size-size/2))
	})
	mux.HandleFunc("/status", func(w http.ResponseWriter, r *http.Request) { // ?code=
		code, _ := strconv.Atoi(r.FormValue("code"))
		w.WriteHeader(code)
		if code != http.StatusNoContent {
			io.WriteString(w, "status "+r.FormValue("code"))
		}
	})
	mux.HandleFunc("/redirect", func(w http.ResponseWriter, r *http.Request) { // ?to=
		http.Redirect(w, r, r.FormValue("to"), http.StatusFound)
	})
	mux.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) { // a page with the form's values, then the headers
		r.ParseForm()
		w.Header().Set("Content-Type", "text/plain")
		fmt.Fprintf(w, "%s %s\n", r.Method, must(url.QueryUnescape(r.Form.Encode())))
		r.Header.Write(w)
	})
	return mux
}

func must(s string, err error) string {
	if err != nil {
		return err.Error()
	}
	return s
}

// sleep waits while the client does, and says whether it still does.
func sleep(r *http.Request, ms string) bool {
	n, _ := strconv.Atoi(ms)
	select {
	case <-r.Context().Done():
		return false
	case <-time.After(time.Duration(n) * time.Millisecond):
		return true
	}
}
