package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"bu/daemon/testchrome"
	"bu/daemon/wire"
)

// The test binary is the daemon too, when it is asked to be: with whatever it was
// built with, the race detector above all.
func TestMain(m *testing.M) {
	if os.Getenv("BU_TEST_DAEMON") != "" {
		main()
	}
	code := m.Run()
	if shared.chrome != nil {
		shared.chrome.Close()
	}
	testchrome.Clean()
	os.Exit(code)
}

var shared struct {
	sync.Once
	chrome *testchrome.Chrome
	err    error
}

// browser is the one Chromium of the package's tests.
func browser(t testing.TB) *testchrome.Chrome {
	t.Helper()
	path := testchrome.Find(t)
	shared.Do(func() { shared.chrome, shared.err = testchrome.New(path) })
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	return shared.chrome
}

type M = map[string]any

// proc is a daemon of a test.
type proc struct {
	t     testing.TB
	name  string
	cmd   *exec.Cmd
	ended chan struct{}
	errs  output
}

// output is what a process has written so far.
type output struct {
	mu   sync.Mutex
	text strings.Builder
}

func (s *output) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(b)
}

func (s *output) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

var nameCount atomic.Int64

// newName is a BU_NAME that no other test has, its files gone with the test.
func newName(t testing.TB) string {
	t.Helper()
	name := fmt.Sprintf("t-%d-%d", os.Getpid(), nameCount.Add(1))
	p, err := wire.PathsOf(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		left, _ := filepath.Glob(strings.TrimSuffix(p.Sock, "sock") + "*")
		for _, f := range left {
			os.Remove(f)
		}
	})
	return name
}

// daemonOf starts a daemon called name, on the shared browser unless env says
// otherwise, and waits until it serves.
func daemonOf(t testing.TB, name string, env ...string) *proc {
	t.Helper()
	p := launch(t, name, env...)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if err := wire.Await(ctx, name); err != nil {
		t.Fatalf("daemon does not serve: %v; %s", err, p.log())
	}
	return p
}

func launch(t testing.TB, name string, env ...string) *proc {
	t.Helper()
	p := &proc{t: t, name: name, ended: make(chan struct{})}
	p.cmd = exec.Command(os.Args[0])
	p.cmd.Env = append(os.Environ(), "BU_TEST_DAEMON=1", "BU_NAME="+name, "BU_CDP_WS=", "BU_CDP_URL=", "HOME=/nonexistent")
	if len(env) == 0 {
		env = []string{"BU_CDP_WS=" + browser(t).WS}
	}
	p.cmd.Env = append(p.cmd.Env, env...)
	p.cmd.Stderr = &p.errs
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { p.cmd.Wait(); close(p.ended) }()
	t.Cleanup(func() {
		p.cmd.Process.Signal(syscall.SIGTERM)
		p.wait()
		if strings.Contains(p.errs.String(), "DATA RACE") {
			t.Errorf("%s", p.errs.String())
		}
	})
	return p
}

// wait waits for the daemon's end and gives its exit code.
func (p *proc) wait() int {
	select {
	case <-p.ended:
	case <-time.After(20 * time.Second):
		p.cmd.Process.Signal(syscall.SIGQUIT)
		<-p.ended
		p.t.Errorf("the daemon did not end: %s", p.errs.String())
	}
	return p.cmd.ProcessState.ExitCode()
}

func (p *proc) log() string {
	paths, _ := wire.PathsOf(p.name)
	b, _ := os.ReadFile(paths.Log)
	return string(b)
}

// call sends a request on a connection of its own; the answer whole, errors too.
func (p *proc) call(req M) M {
	p.t.Helper()
	m, err := p.try(req, 40*time.Second)
	if err != nil {
		p.t.Fatalf("%v: %v; log: %s%s", req, err, p.log(), p.errs.String())
	}
	return m
}

func (p *proc) try(req M, limit time.Duration) (M, error) {
	ctx, cancel := context.WithTimeoutCause(context.Background(), limit, errors.New("the test's patience ended"))
	defer cancel()
	c, err := wire.Dial(ctx, p.name)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	b, _ := json.Marshal(req)
	line, err := c.CallLine(ctx, b)
	if err != nil {
		return nil, err
	}
	var m M
	err = json.Unmarshal(line, &m)
	return m, err
}

// cdp is call for a command that must succeed.
func (p *proc) cdp(method string, params M, more ...M) M {
	p.t.Helper()
	req := M{"method": method, "params": params}
	for _, m := range more {
		for k, v := range m {
			req[k] = v
		}
	}
	m := p.call(req)
	r, ok := m["result"].(M)
	if !ok {
		p.t.Fatalf("%s: %v", method, m)
	}
	return r
}

// js evaluates in the caller's tab and gives the value.
func (p *proc) js(expr string, more ...M) any {
	p.t.Helper()
	r := p.cdp("Runtime.evaluate", M{"expression": expr, "returnByValue": true, "awaitPromise": true}, more...)
	v, _ := r["result"].(M)
	return v["value"]
}

// peek is js for a page that may be on its way: nil where js would fail.
func (p *proc) peek(expr string, more ...M) any {
	p.t.Helper()
	r, _ := p.call(merge(append([]M{{"method": "Runtime.evaluate", "params": M{"expression": expr, "returnByValue": true}}}, more...)...))["result"].(M)
	v, _ := r["result"].(M)
	return v["value"]
}

func (p *proc) meta(meta string, more ...M) M {
	p.t.Helper()
	req := M{"meta": meta}
	for _, m := range more {
		for k, v := range m {
			req[k] = v
		}
	}
	return p.call(req)
}

// visit navigates and waits for the load.
func (p *proc) visit(url string, more ...M) {
	p.t.Helper()
	seq := p.meta("session", more...)["seq"]
	p.cdp("Page.navigate", M{"url": url}, more...)
	opt := M{"since": seq, "methods": []string{"Page.loadEventFired"}, "timeout_ms": 20000}
	for _, m := range more {
		for k, v := range m {
			opt[k] = v
		}
	}
	if e := p.meta("events", opt); len(list(e, "events")) == 0 {
		p.t.Fatalf("%s did not load: %v", url, e)
	}
}

// tabOf gives the target id of the page whose address begins like that.
func (p *proc) tabOf(url string) (id string) {
	for _, i := range list(p.cdp("Target.getTargets", nil), "targetInfos") {
		if i := i.(M); i["type"] == "page" && strings.HasPrefix(i["url"].(string), url) {
			id = i["targetId"].(string)
		}
	}
	return id
}

// tab gives what the browser says of a tab.
func (p *proc) tab(id string) M {
	for _, i := range list(p.cdp("Target.getTargets", nil), "targetInfos") {
		if i := i.(M); i["targetId"] == id {
			return i
		}
	}
	return nil
}

func list(m M, key string) []any { l, _ := m[key].([]any); return l }

// site serves pages by path.
func site(t testing.TB, pages map[string]string) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, pages[r.URL.Path])
	}))
	t.Cleanup(s.Close)
	return s
}

// until waits for a condition.
func until(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("waited in vain until ", what)
		}
	}
}

func wantCode(t testing.TB, m M, code string) {
	t.Helper()
	if m["code"] != code || m["error"] == "" {
		t.Errorf("got %v, want code %s", m, code)
	}
}
