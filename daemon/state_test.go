package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bu/daemon/testchrome"
	"bu/daemon/wire"
)

func (p *proc) kill() {
	p.cmd.Process.Kill()
	<-p.ended
}

// notices of the label's session answer.
func (p *proc) notices(more ...M) string { return fmt.Sprint(p.meta("session", more...)["notices"]) }

// Field case 46: kill -9 the daemon; the next one is on the same tabs of the same
// browser, labels and all, and gives no uid twice.
func TestKilledDaemon(t *testing.T) {
	name := newName(t)
	x := M{"tab": "x"}
	p := daemonOf(t, name)
	p.js("window.mine = 'default'")
	p.js("window.mine = 'x'", x)
	target := p.meta("session")["target_id"]
	base := p.meta("uids", M{"count": 4096})["base"].(float64)
	p.kill()
	p = daemonOf(t, name)
	if got := p.js("window.mine"); got != "default" {
		t.Errorf("got %v", got)
	}
	if got := p.js("window.mine", x); got != "x" {
		t.Errorf("got %v", got)
	}
	if m := p.meta("session"); m["target_id"] != target || m["notices"] != nil {
		t.Errorf("got %v, was on %v", m, target)
	}
	if next := p.meta("uids", M{"count": 10})["base"].(float64); next < base+4096 {
		t.Errorf("uids %v to %v, then from %v", base, base+4095, next)
	}
	// What was closed while no daemon ran is told, and nothing takes its place.
	id := p.meta("session", x)["target_id"]
	p.kill()
	q := daemonOf(t, newName(t))
	q.cdp("Target.closeTarget", M{"targetId": id}, M{"force": true})
	p = daemonOf(t, name)
	m := p.call(M{"method": "Runtime.evaluate", "params": M{"expression": "1"}, "tab": "x"})
	wantCode(t, m, "tab_closed")
	m = p.meta("session", x)
	if wantCode(t, m, "tab_closed"); !strings.Contains(fmt.Sprint(m["notices"]), "closed") {
		t.Errorf("got %v", m)
	}
}

func TestUIDs(t *testing.T) {
	p := daemonOf(t, newName(t))
	take := func(more M) float64 { return p.meta("uids", more)["base"].(float64) }
	a := take(M{"count": 100})
	take(M{"base": a, "used": 30})
	b := take(M{"count": 100})
	if a < 1 || b != a+30 {
		t.Errorf("%v used 30, then %v", a, b)
	}
	c := take(M{"count": 100})
	take(M{"base": b, "used": 0}) // somebody reserved since
	if d := take(M{"count": 1}); d < c+100 {
		t.Errorf("%v of 100, then %v", c, d)
	}
	wantCode(t, p.meta("uids"), "bad_request")
}

// Field case 10, and a restarted browser: another port, the same profile, the tabs
// at their last address.
func TestRestartedChrome(t *testing.T) {
	s := site(t, map[string]string{"/a": "<title>a</title>", "/b": "<title>b</title>"})
	c := testchrome.Start(t)
	name, x := newName(t), M{"tab": "x"}
	p := daemonOf(t, name, "HOME="+c.Home)
	p.visit(s.URL + "/a")
	p.visit(s.URL+"/b", x)
	until(t, "the addresses are kept", func() bool {
		st, _ := readState("/tmp/bu-" + name + ".state")
		return len(st.Tabs) == 2 && strings.HasSuffix(st.Tabs[0].URL, "/a") && strings.HasSuffix(st.Tabs[1].URL, "/b")
	})
	for range 2 { // also when nobody used x in between
		c.Kill()
		p.wait()
		p = daemonOf(t, name, "HOME="+c.Home)
		m := p.call(M{"method": "Runtime.evaluate", "params": M{"expression": "1"}})
		if wantCode(t, m, "no_browser"); !strings.Contains(fmt.Sprint(m["error"]), "killDaemon()") {
			t.Errorf("got %v", m)
		}
		p.wait()
		c.Launch(t)
		p = daemonOf(t, name, "HOME="+c.Home)
		if n := p.notices(); !strings.Contains(n, "restarted") || !strings.Contains(n, "/a") {
			t.Errorf("notices: %v", n)
		}
		if n := p.notices(); n != "<nil>" {
			t.Errorf("told twice: %v", n)
		}
		until(t, "a is there again", func() bool { return p.peek("document.title") == "a" })
	}
	until(t, "b is there again", func() bool { return p.peek("document.title", x) == "b" })
	if n := p.notices(x); !strings.Contains(n, "restarted") || !strings.Contains(n, "/b") {
		t.Errorf("notices: %v", n)
	}
	// Another browser that runs is no substitute; after shutdown it is as good as any.
	c.Kill()
	p.wait()
	other := testchrome.Start(t)
	profile := filepath.Join(c.Home, ".config", "google-chrome")
	os.MkdirAll(profile, 0o700)
	b, _ := os.ReadFile(filepath.Join(other.Profile, "DevToolsActivePort"))
	os.WriteFile(filepath.Join(profile, "DevToolsActivePort"), b, 0o600)
	p = daemonOf(t, name, "HOME="+c.Home)
	wantCode(t, p.call(M{"method": "Page.reload"}), "no_browser")
	p.wait()
	until(t, "the browser is forgotten", func() bool { // a daemon without one ends by itself, perhaps before it is asked to
		p = daemonOf(t, name, "HOME="+c.Home)
		m, err := p.try(M{"meta": "shutdown"}, 10*time.Second)
		p.wait()
		return err == nil && m["ok"] == true
	})
	p = daemonOf(t, name, "HOME="+c.Home)
	if p.js("1") != 1.0 || p.meta("status")["browser"].(M)["address"] != other.Address {
		t.Errorf("got %v", p.meta("status"))
	}
}

func TestStateHoldsNoSecret(t *testing.T) { // field case 13
	c := browser(t)
	p := daemonOf(t, newName(t), "BU_CDP_WS="+c.WS+"?token=S3CRET")
	p.js("1")
	p.meta("uids", M{"count": 1})
	status, _ := json.Marshal(p.meta("status"))
	paths, _ := wire.PathsOf(p.name)
	var all bytes.Buffer
	all.Write(status)
	for _, f := range []string{paths.State, paths.Log, paths.Pid} {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Error(err)
		}
		if fi, _ := os.Stat(f); fi.Mode().Perm() != 0o600 {
			t.Errorf("%s: mode %v", f, fi.Mode())
		}
		all.Write(b)
	}
	c2 := launch(t, newName(t), "BU_CDP_WS=ws://user:S3CRET@127.0.0.1:1/S3CRET?token=S3CRET")
	m := c2.callSoon(M{"method": "Page.reload"})
	wantCode(t, m, "no_browser")
	c2.wait()
	all.WriteString(fmt.Sprint(m) + c2.log() + c2.errs.String())
	if strings.Contains(all.String(), "S3CRET") || strings.Contains(all.String(), filepath.Base(c.WS)) {
		t.Errorf("told: %s", &all)
	}
}

func (p *proc) callSoon(req M) M {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if err := wire.Await(ctx, p.name); err != nil {
		p.t.Fatal(err, p.errs.String())
	}
	return p.call(req)
}

// A log that cannot be written costs the log, nothing else; what a link in its place
// points to is left alone.
func TestNoLog(t *testing.T) {
	name := newName(t)
	paths, _ := wire.PathsOf(name)
	if err := os.Symlink("/dev/full", paths.Log); err != nil {
		t.Fatal(err)
	}
	p := daemonOf(t, name)
	if v := p.js("1"); v != 1.0 {
		t.Errorf("got %v", v)
	}
	if l, err := os.Readlink(paths.Log); l != "/dev/full" {
		t.Errorf("the link at the log's path: %q, %v", l, err)
	}
}

// Calls from many sides while the daemon is killed again and again: each is answered
// or fails with a cause, and nothing is left over. BU_SOAK=500 for longer.
func TestSoak(t *testing.T) {
	runs := 60
	fmt.Sscan(os.Getenv("BU_SOAK"), &runs)
	name := newName(t)
	p := daemonOf(t, name)
	p.js("window.n = 0")
	first := p.meta("session")["target_id"]
	pages := func() int {
		var n int
		for _, i := range list(p.cdp("Target.getTargets", nil), "targetInfos") {
			if i.(M)["type"] == "page" {
				n++
			}
		}
		return n
	}
	before := pages()
	for i := range runs {
		answers, at := make(chan error, 4), p
		for j := range 4 {
			go func() {
				m, err := at.try(M{"method": "Runtime.evaluate", "params": M{"expression": "window.n++"}, "tab": []string{"", fmt.Sprint("x", (i+1)/5)}[j%2]}, 30*time.Second)
				if err == nil && m["result"] == nil && m["code"] == nil {
					err = fmt.Errorf("neither result nor code: %v", m)
				} else if m["result"] == nil {
					err = nil // a failure with its cause
				}
				answers <- err
			}()
		}
		if i%5 == 4 { // when a label's first call opens its tab
			time.Sleep(time.Duration(rand.IntN(100)) * time.Millisecond)
			p.kill()
			p = daemonOf(t, name)
		}
		for range 4 {
			if err := <-answers; err != nil && !strings.Contains(err.Error(), "daemon") {
				t.Fatal(err)
			}
		}
	}
	if now := p.meta("session")["target_id"]; now != first {
		t.Errorf("on %v, was on %v", now, first)
	}
	if n, _ := p.js("window.n").(float64); n < 1 {
		t.Errorf("n is %v", n)
	}
	labels := runs/5 + 1
	for i := range labels {
		p.js("1", M{"tab": fmt.Sprint("x", i)})
	}
	if now := pages(); now != before+labels {
		t.Errorf("%d pages, were %d, and %d labels have one each", now, before, labels)
	}
	fds := func() int { f, _ := os.ReadDir(fmt.Sprintf("/proc/%d/fd", p.cmd.Process.Pid)); return len(f) }
	p.meta("status")
	at := fds()
	for range 50 {
		p.js("1")
	}
	until(t, "its descriptors are back", func() bool { return fds() <= at+1 })
	if files, _ := filepath.Glob("/tmp/bu-" + name + ".*"); len(files) != 5 {
		slices.Sort(files)
		t.Errorf("files: %v", files)
	}
}

// A dialog that outlives its daemon can be answered by nobody but the person: the next
// caller is told, and what to do.
func TestDialogOutlivesDaemon(t *testing.T) {
	c := testchrome.Start(t)
	name := newName(t)
	p := daemonOf(t, name, "HOME="+c.Home)
	wantCode(t, p.call(M{"method": "Runtime.evaluate", "params": M{"expression": "confirm('sure?')"}}), "dialog_open")
	until(t, "the dialog is remembered", func() bool {
		paths, _ := wire.PathsOf(name)
		s, _ := readState(paths.State)
		return len(s.Tabs) == 1 && s.Tabs[0].Dialog == "confirm"
	})
	p.cmd.Process.Kill()
	p.wait()
	p = daemonOf(t, name, "HOME="+c.Home)
	if m := p.meta("session"); !strings.Contains(fmt.Sprint(m["notices"]), "dialog (confirm)") || !strings.Contains(fmt.Sprint(m["notices"]), "newTab(url)") {
		t.Errorf("got %v", m)
	}
}
