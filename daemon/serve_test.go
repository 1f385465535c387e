package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"bu/daemon/wire"

	"github.com/gorilla/websocket"
)

func dial(t testing.TB, name string) net.Conn {
	t.Helper()
	c, err := wire.Dial(context.Background(), name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	c.SetDeadline(time.Now().Add(5 * time.Minute))
	return c.Conn
}

func exchange(t testing.TB, c net.Conn, r *bufio.Reader, line string) M {
	t.Helper()
	if _, err := io.WriteString(c, line+"\n"); err != nil {
		t.Fatal(err)
	}
	b, err := r.ReadBytes('\n')
	if err != nil {
		t.Fatalf("%.80q: %v", line, err)
	}
	var m M
	if err := json.Unmarshal(b, &m); err != nil {
		t.Fatalf("%.80q: no JSON line: %.200q", line, b)
	}
	return m
}

func TestProtocol(t *testing.T) {
	p := daemonOf(t, newName(t))
	t.Run("many pairs on one connection, bad lines among them", func(t *testing.T) {
		c := dial(t, p.name)
		r := bufio.NewReader(c)
		for _, bad := range []string{`{`, `nonsense`, `[]`, `"x"`, `{}`, `{"meta":"nope"}`, `{"meta":"status","method":"X.y"}`,
			`{"method":"Runtime.evaluate","params":[1]}`, `{"method":7}`, `{"meta":"set_session"}`, `{"meta":"session","tab":"../x"}`} {
			m := exchange(t, c, r, bad)
			if s, _ := m["error"].(string); s == "" || m["code"] == nil || strings.Contains(s, "\n") {
				t.Errorf("%s: got %v", bad, m)
			}
			if m := exchange(t, c, r, `{"method":"Runtime.evaluate","params":{"expression":"6*7","returnByValue":true}}`); fmt.Sprint(m["result"]) != "map[result:map[description:42 type:number value:42]]" {
				t.Errorf("after %s: got %v", bad, m)
			}
		}
	})
	t.Run("HTTP is refused", func(t *testing.T) {
		c := dial(t, p.name)
		r := bufio.NewReader(c)
		wantCode(t, exchange(t, c, r, "POST / HTTP/1.1\r\nHost: x\r\n\r\n{\"meta\":\"shutdown\"}"), "bad_request")
		if b, err := r.ReadByte(); err == nil {
			t.Errorf("the connection stays open: %q", b)
		}
	})
	t.Run("a client that shuts its sending side down is answered", func(t *testing.T) {
		c := dial(t, p.name)
		io.WriteString(c, `{"method":"Runtime.evaluate","params":{"expression":"new Promise(r=>setTimeout(r,300,5))","awaitPromise":true}}`) // no line break either
		bare := c
		if behind, ok := c.(interface{ NetConn() net.Conn }); ok {
			bare = behind.NetConn()
		}
		bare.(*net.UnixConn).CloseWrite()
		if b, err := io.ReadAll(c); err != nil || !strings.Contains(string(b), `"value":5`) {
			t.Errorf("got %q, %v", b, err)
		}
	})
	t.Run("params null, and ids as numbers, are as good as absent", func(t *testing.T) {
		if m := p.call(M{"method": "Page.getNavigationHistory", "params": nil, "id": 7}); m["result"] == nil {
			t.Errorf("got %v", m)
		}
	})
	t.Run("a time limit may be any number", func(t *testing.T) {
		c := dial(t, p.name)
		r := bufio.NewReader(c)
		for _, ms := range []string{"1500.5", "2e4", "1e300"} {
			m := exchange(t, c, r, `{"method":"Runtime.evaluate","params":{"expression":"6*7"},"timeout_ms":`+ms+`}`)
			if m["result"] == nil {
				t.Errorf("%s: got %v", ms, m)
			}
		}
		wantCode(t, exchange(t, c, r, `{"method":"Runtime.evaluate","params":{"expression":"6*7"},"timeout_ms":-1}`), "timeout")
	})
	t.Run("a command without params names what it misses", func(t *testing.T) {
		if m := p.call(M{"method": "Page.navigate"}); !strings.Contains(fmt.Sprint(m["error"]), "url") {
			t.Errorf("got %v", m)
		}
	})
	t.Run("the browser's own errors keep their code and data", func(t *testing.T) {
		m := p.call(M{"method": "Page.navigate", "params": M{"url": 7}})
		wantCode(t, m, "cdp_error")
		if c, _ := m["cdp"].(M); c["code"] != -32602.0 || !strings.Contains(fmt.Sprint(m["error"]), "url") {
			t.Errorf("got %v", m)
		}
	})
}

func TestLongLines(t *testing.T) {
	p := daemonOf(t, newName(t))
	const n = 8 << 20
	m := p.call(M{"method": "Runtime.evaluate", "params": M{"expression": "'" + strings.Repeat("x", n) + "'.length", "returnByValue": true}})
	if got := fmt.Sprint(m["result"]); !strings.Contains(got, fmt.Sprint(float64(n))) {
		t.Errorf("a request of %d bytes: %.300v", n, m)
	}
	if s, _ := p.js(fmt.Sprintf("'é\\n'.repeat(%d)", n/3)).(string); len(s) != n/3*3 {
		t.Errorf("a result of %d bytes came as %d", n, len(s))
	}
}

// Real Chromium needs half a minute for what the daemon passes on in one second.
func TestHundredMegabytes(t *testing.T) {
	n := 100 << 20
	if raceEnabled { // which makes every byte cost tenfold
		n = 20 << 20
	}
	big := bytes.Repeat([]byte("x"), n)
	f := newFake(t)
	f.mu.Lock()
	f.raw = func(c *fakeConn, b []byte) bool { // decoding what is as long as this takes a while
		if !bytes.Contains(b[:min(len(b), 100)], []byte("Test.echo")) {
			return false
		}
		id := regexp.MustCompile(`"id":(\d+)`).FindSubmatch(b[:100])[1]
		at := bytes.Index(b, []byte(`"params":`)) + len(`"params":`)
		c.WriteMessage(websocket.TextMessage, slices.Concat([]byte(`{"id":`), id, []byte(`,"result":`), b[at:]))
		return true
	}
	f.mu.Unlock()
	p := daemonOf(t, newName(t), "BU_CDP_WS="+f.url)
	c := dial(t, p.name)
	go c.Write(slices.Concat([]byte(`{"method":"Test.echo","timeout_ms":250000,"params":{"big":"`), big, []byte("\"}}\n")))
	line, err := bufio.NewReaderSize(c, 1<<20).ReadBytes('\n')
	if want := slices.Concat([]byte(`{"result":{"big":"`), big, []byte(`"},"seq":`)); err != nil || !bytes.HasPrefix(line, want) || len(line) > len(want)+20 {
		t.Fatalf("%v; %d bytes for %d: %.100q", err, len(line), len(want), line)
	}
	if !raceEnabled {
		until(t, "the memory is given back", func() bool { return rss(t, p.cmd.Process.Pid) < 100<<20 })
	}
}

// The memory that the contract allows: 30 MB, with 500 events held, after 16 MB passed.
func TestMemory(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector takes more than the daemon")
	}
	p := daemonOf(t, newName(t))
	p.js("for (let i = 0; i < 600; i++) console.log('an event of ordinary length '.repeat(20), i)")
	until(t, "500 events are held", func() bool { return p.meta("status")["events"].(M)["held"] == 500.0 })
	for range 3 {
		p.js("'x'.repeat(16e6)")
	}
	until(t, "the memory is given back", func() bool { return rss(t, p.cmd.Process.Pid) < 20<<20 })
}

func rss(t testing.TB, pid int) int {
	t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		t.Skip("no /proc here")
	}
	var size, resident int
	fmt.Sscan(string(b), &size, &resident)
	return resident * os.Getpagesize()
}

// A client that does not read, or leaves in the middle, harms nobody.
func TestBadClients(t *testing.T) {
	p := daemonOf(t, newName(t))
	for range 8 {
		c := dial(t, p.name)
		io.WriteString(c, `{"method":"Runtime.evaluate","params":{"expression":"'x'.repeat(5e6)","returnByValue":true}}`+"\n")
		d := dial(t, p.name)
		io.WriteString(d, `{"method":"Runtime.eval`)
		d.Close()
		e := dial(t, p.name)
		io.WriteString(e, `{"method":"Runtime.evaluate","params":{"expression":"new Promise(()=>{})","awaitPromise":true}}`+"\n")
		e.Close()
	}
	if v := p.js("1+1"); v != 2.0 {
		t.Errorf("got %v", v)
	}
}

func TestEndings(t *testing.T) {
	t.Run("shutdown", func(t *testing.T) {
		p := daemonOf(t, newName(t))
		p.js("1")
		if m := p.meta("shutdown"); m["ok"] != true {
			t.Errorf("got %v", m)
		}
		if code := p.wait(); code != 0 {
			t.Errorf("exit code %d", code)
		}
		paths, _ := wire.PathsOf(p.name)
		for _, f := range []string{paths.Sock, paths.Pid, paths.State} {
			if _, err := os.Lstat(f); err == nil {
				t.Errorf("%s is still there", f)
			}
		}
		if !browser(t).Running() { // field case 50
			t.Error("the browser is gone")
		}
	})
	t.Run("shutdown in the middle of calls", func(t *testing.T) {
		p := daemonOf(t, newName(t))
		p.js("1")
		answers := make(chan M, 2)
		for _, req := range []M{{"method": "Runtime.evaluate", "params": M{"expression": "window.waits = true; new Promise(() => {})", "awaitPromise": true}}, {"meta": "events", "timeout_ms": 25000}} {
			go func() {
				m, err := p.try(req, 20*time.Second)
				if err != nil {
					m = M{"error": err.Error()}
				}
				answers <- m
			}()
		}
		until(t, "one waits", p.waits)
		p.meta("shutdown")
		for range 2 {
			m := <-answers
			if wantCode(t, m, "browser_gone"); !strings.Contains(fmt.Sprint(m["error"]), "shut down") {
				t.Errorf("got %v", m)
			}
		}
		p.wait()
	})
	t.Run("left alone for BU_IDLE", func(t *testing.T) {
		p := daemonOf(t, newName(t), "BU_CDP_WS="+browser(t).WS, "BU_IDLE=500ms")
		if v := p.js("new Promise(r => setTimeout(r, 1500, 1))"); v != 1.0 { // a call in progress is not idleness
			t.Errorf("got %v", v)
		}
		if code := p.wait(); code != 0 {
			t.Errorf("exit code %d", code)
		}
	})
	t.Run("a bad BU_IDLE", func(t *testing.T) {
		p := launch(t, newName(t), "BU_IDLE=soon")
		if code := p.wait(); code != 2 || !strings.Contains(p.errs.String(), "BU_IDLE") {
			t.Errorf("exit code %d: %s", code, &p.errs)
		}
	})
	t.Run("twenty at once make one", func(t *testing.T) { // field cases 5 and 45
		name := newName(t)
		var all []*proc
		for range 20 {
			all = append(all, launch(t, name, "BU_CDP_WS="+browser(t).WS))
		}
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		if err := wire.Await(ctx, name); err != nil {
			t.Fatal(err)
		}
		pid := all[0].meta("status")["pid"]
		ended := 0
		until(t, "nineteen have left", func() bool {
			ended = 0
			for _, p := range all {
				select {
				case <-p.ended:
					if p.cmd.ProcessState.ExitCode() != 0 {
						t.Fatalf("exit code %d: %s", p.cmd.ProcessState.ExitCode(), &p.errs)
					}
					ended++
				default:
				}
			}
			return ended == 19
		})
		for range 5 {
			if now := all[0].meta("status")["pid"]; now != pid {
				t.Errorf("served by %v, then %v", pid, now)
			}
		}
	})
	t.Run("a pid file that names somebody else", func(t *testing.T) { // field case 6
		p := daemonOf(t, newName(t))
		p.js("1")
		p.cmd.Process.Kill()
		p.wait()
		sleep := launch(t, newName(t)) // any process of ours
		paths, _ := wire.PathsOf(p.name)
		wire.WriteFile(paths.Pid, fmt.Appendln(nil, sleep.cmd.Process.Pid))
		q := daemonOf(t, p.name)
		if v := q.js("1"); v != 1.0 {
			t.Errorf("got %v", v)
		}
		q.meta("shutdown")
		q.wait()
		if sleep.cmd.Process.Signal(syscall.Signal(0)) != nil {
			t.Error("the stranger was ended")
		}
	})
	t.Run("no browser", func(t *testing.T) {
		p := daemonOf(t, newName(t), "HOME="+t.TempDir())
		wantCode(t, p.call(M{"method": "Page.reload"}), "no_browser")
		if code := p.wait(); code != exitBrowser {
			t.Errorf("exit code %d", code)
		}
	})
}
