package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"bu/daemon/testchrome"
)

func answers(t *testing.T, r *bufio.Reader, n int) (all []M) {
	t.Helper()
	for range n {
		b, err := r.ReadBytes('\n')
		if err != nil {
			t.Fatalf("after %d answers: %v", len(all), err)
		}
		var m M
		if err := json.Unmarshal(b, &m); err != nil {
			t.Fatal(err)
		}
		all = append(all, m)
	}
	return all
}

// Requests that come in one write are answered in their order, whatever they are.
func TestPipelined(t *testing.T) {
	p := daemonOf(t, newName(t))
	p.js("1")
	eval := func(expr string) string {
		return fmt.Sprintf(`{"method":"Runtime.evaluate","params":{"expression":%q,"returnByValue":true,"awaitPromise":true}}`, expr) + "\n"
	}
	value := func(m M) any {
		r, _ := m["result"].(M)
		v, _ := r["result"].(M)
		return v["value"]
	}
	t.Run("of all kinds", func(t *testing.T) {
		c := dial(t, p.name)
		io.WriteString(c, eval("new Promise(r => setTimeout(r, 300, 1))")+eval("2")+`{"meta":"status"}`+"\n"+eval("3")+"\n\nnonsense\n"+
			`{"method":"Browser.getVersion"}`+"\n"+eval("4")+strings.Replace(eval("5"), `{"method"`, `{"tab":"o","method"`, 1)+eval("6"))
		got := answers(t, bufio.NewReader(c), 9)
		for i, want := range map[int]any{0: 1.0, 1: 2.0, 3: 3.0, 6: 4.0, 7: 5.0, 8: 6.0} {
			if value(got[i]) != want {
				t.Errorf("answer %d: %v, want %v", i, got[i], want)
			}
		}
		if got[2]["pid"] == nil || got[4]["code"] != "bad_request" || got[5]["result"] == nil {
			t.Errorf("got %v", got)
		}
	})
	t.Run("the second is under way while the first waits for it", func(t *testing.T) {
		c := dial(t, p.name)
		io.WriteString(c, eval("new Promise(r => window.go = r)")+eval("go('gone'), 'sent'"))
		if got := answers(t, bufio.NewReader(c), 2); value(got[0]) != "gone" || value(got[1]) != "sent" {
			t.Errorf("got %v", got)
		}
	})
	t.Run("what comes while the first is watched for a hang-up is kept", func(t *testing.T) {
		c := dial(t, p.name)
		r := bufio.NewReader(c)
		for range 5 {
			io.WriteString(c, eval("new Promise(r => setTimeout(r, 150, 'slow'))"))
			time.Sleep(60 * time.Millisecond) // the watch looks by now
			io.WriteString(c, eval("'a'")+eval("'b'"))
			if got := answers(t, r, 3); value(got[0]) != "slow" || value(got[1]) != "a" || value(got[2]) != "b" {
				t.Fatalf("got %v", got)
			}
		}
	})
	t.Run("a click in one write", func(t *testing.T) {
		p.visit("data:text/html,<button style='position:fixed;inset:0' onclick='window.n = (window.n || 0) + 1'>")
		c := dial(t, p.name)
		mouse := `{"method":"Input.dispatchMouseEvent","params":{"type":"%s","x":50,"y":50,"button":"left","clickCount":1}}` + "\n"
		fmt.Fprintf(c, mouse+mouse, "mousePressed", "mouseReleased")
		for _, m := range answers(t, bufio.NewReader(c), 2) {
			if m["result"] == nil {
				t.Errorf("got %v", m)
			}
		}
		if n := p.js("n"); n != 1.0 {
			t.Errorf("%v clicks", n)
		}
	})
	t.Run("an HTTP request behind a good line", func(t *testing.T) {
		c := dial(t, p.name)
		io.WriteString(c, eval("1")+"POST / HTTP/1.1\r\nHost: x\r\n\r\n"+eval("window.evil = 1"))
		got := answers(t, bufio.NewReader(c), 2)
		if value(got[0]) != 1.0 || got[1]["code"] != "bad_request" || p.js("window.evil") != nil {
			t.Errorf("got %v", got)
		}
	})
}

// A thousand labels used once each are freed, and a status about one makes none.
func TestLabelsAreFreed(t *testing.T) {
	p := daemonOf(t, newName(t))
	p.js("1")
	for i := range 1000 {
		p.meta([]string{"status", "drain_events", "events"}[i%3], M{"tab": fmt.Sprint("l", i)})
	}
	for i := range 30 {
		l := M{"tab": fmt.Sprint("t", i)}
		id := p.meta("session", l)["target_id"]
		p.cdp("Target.closeTarget", M{"targetId": id}, l)
	}
	until(t, "the last is closed", func() bool { return p.meta("status", M{"tab": "t29"})["closed"] == true })
	if n := len(list(p.meta("status"), "tabs")); n > closedKept+1 {
		t.Errorf("%d are remembered", n)
	}
	wantCode(t, p.meta("session", M{"tab": "t29"}), "tab_closed") // the last ones still know it
}

// Field case 57: the wheel is the tab's; no label gets past it, force or not.
func TestWheelIsTheTabs(t *testing.T) {
	p := daemonOf(t, newName(t), "BU_CDP_WS="+browser(t).WS, "BU_IDLE=2s")
	a, b := M{"tab": "a"}, M{"tab": "b", "force": true}
	at := p.meta("session", a)
	p.js("1", b)
	c := dial(t, p.name)
	key := exchange(t, c, bufio.NewReader(c), `{"meta":"drive","message":"they pay","tab":"a"}`)["key"]
	for _, req := range []M{
		{"method": "Target.attachToTarget", "params": M{"targetId": at["target_id"], "flatten": true}},
		{"method": "Target.closeTarget", "params": M{"targetId": at["target_id"]}},
		{"method": "Target.detachFromTarget", "params": M{"sessionId": at["session_id"]}},
		{"method": "Runtime.evaluate", "params": M{"expression": "1"}, "session_id": at["session_id"]},
		{"meta": "set_session", "session_id": at["session_id"]},
	} {
		wantCode(t, p.call(merge(req, b)), "user_driving")
	}
	if v := p.js("2", b); v != 2.0 {
		t.Errorf("a tab of one's own: %v", v)
	}
	time.Sleep(3 * time.Second) // a person at the wheel is no idleness
	if v := p.js("3", a, M{"drive": key}); v != 3.0 {
		t.Errorf("got %v", v)
	}
	c.Close()
	until(t, "the tab is free", func() bool { return p.meta("session", a)["target_id"] == at["target_id"] })
	if code := p.wait(); code != 0 || !strings.Contains(p.log(), "idle") {
		t.Errorf("exit code %d: %s", code, p.log())
	}
}

// A caller that hangs up while its tab or session is made leaves neither.
func TestHangUpLeavesNothing(t *testing.T) {
	for make, undo := range map[string]string{"Target.createTarget": "Target.closeTarget", "Target.attachToTarget": "Target.detachFromTarget"} {
		t.Run(make, func(t *testing.T) {
			f := newFake(t)
			p := daemonOf(t, newName(t), "BU_CDP_WS="+f.url)
			p.cdp("Test.ping", nil)
			count := func(method string) int { return strings.Count(strings.Join(f.methods(), "\n"), method) }
			before, undone := count(make), count(undo)
			release := f.hold(make)
			c := dial(t, p.name)
			fmt.Fprintf(c, `{"method":%q,"params":{"targetId":"T2","url":"http://x/","flatten":true}}`+"\n", make)
			until(t, "it is asked for", func() bool { return count(make) > before })
			c.Close()
			time.Sleep(100 * time.Millisecond) // the daemon looks for a hang-up after 20 ms
			if count(undo) != undone {
				t.Fatal("undone before it was there")
			}
			close(release)
			until(t, "it is undone", func() bool { return count(undo) > undone })
		})
	}
}

// A run sends its first request behind its greeting. It does not reach the page of a caller
// who hung up before the greeting was answered.
func TestHangUpBehindAGreeting(t *testing.T) {
	f := newFake(t)
	allow := make(chan bool)
	f.set(func() { f.upgrade = func(http.ResponseWriter, *http.Request) bool { <-allow; return true } })
	p := daemonOf(t, newName(t), "BU_CDP_WS="+f.url)
	lines := `{"meta":"session"}` + "\n" + `{"method":"Test.%s"}` + "\n"
	stays, leaves := dial(t, p.name), dial(t, p.name)
	fmt.Fprintf(leaves, lines, "leaves")
	fmt.Fprintf(stays, lines, "stays")
	time.Sleep(100 * time.Millisecond) // the daemon looks for a hang-up after 20 ms
	leaves.Close()
	close(allow)
	if got := answers(t, bufio.NewReader(stays), 2); got[0]["session_id"] == nil || got[1]["result"] == nil {
		t.Errorf("got %v", got)
	}
	p.cdp("Test.ping", nil)
	if all := strings.Join(f.methods(), " "); strings.Contains(all, "Test.leaves") || !strings.Contains(all, "Test.stays") {
		t.Errorf("the browser was sent %s", all)
	}
}

// hold makes f answer a command as usual, but only when the channel is closed.
func (f *fake) hold(method string) chan bool {
	release := make(chan bool)
	f.on(method, func(c *fakeConn, m M) any {
		go func() { <-release; c.answer(m, c.usual(method, m)) }()
		return silence
	})
	return release
}

// Field case 58: a tab that the person closed stays closed when the browser is restarted;
// one that went with the browser comes back.
func TestClosedStaysClosed(t *testing.T) {
	s := site(t, map[string]string{"/a": "<title>a</title>", "/b": "<title>b</title>"})
	c := testchrome.Start(t)
	name, x := newName(t), M{"tab": "x"}
	p := daemonOf(t, name, "HOME="+c.Home)
	p.visit(s.URL + "/a?token=S3CRET#S3CRET")
	p.visit(s.URL+"/b", x)
	q := daemonOf(t, newName(t), "HOME="+c.Home)
	q.cdp("Target.closeTarget", M{"targetId": p.meta("session", x)["target_id"]}, M{"force": true})
	until(t, "it is closed", func() bool { return p.meta("session", x)["code"] == "tab_closed" })
	c.Kill()
	p.wait()
	if st, _ := readState("/tmp/bu-" + name + ".state"); len(st.Tabs) != 2 || st.Tabs[0].URL != s.URL+"/a" {
		t.Errorf("the state is %+v", st) // written at the end, without secrets
	}
	c.Launch(t)
	p = daemonOf(t, name, "HOME="+c.Home)
	until(t, "a is there again", func() bool { return p.peek("document.title") == "a" })
	if m := p.meta("session", x); m["code"] != "tab_closed" || !strings.Contains(fmt.Sprint(m["notices"]), "/b") {
		t.Errorf("got %v", m)
	}
}

// A visit under BU_ALLOW to a tab that is the person's leaves it as it was.
func TestGuardLeavesWithTheVisit(t *testing.T) {
	h := newHosts(t)
	p := daemonOf(t, newName(t))
	p.js("1")
	theirs := p.cdp("Target.createTarget", M{"url": h.allowed + "/theirs", "background": true}, M{"tab": "other"})["targetId"]
	p.call(M{"meta": "shutdown"})
	p.wait()
	p = daemonOf(t, p.name) // to which the tab is nobody's
	x := M{"tab": "x", "allow": []string{"127.0.0.1"}}
	p.js("1", x)
	reach := func(s any, more ...M) any {
		return p.js(fmt.Sprintf("fetch('%s/visit').then(r => 'reached', e => 'kept')", h.denied), append(more, M{"session_id": s})...)
	}
	s := p.cdp("Target.attachToTarget", M{"targetId": theirs, "flatten": true}, x)["sessionId"]
	if got := reach(s, x); got != "kept" {
		t.Errorf("during the visit: %v", got)
	}
	p.cdp("Target.detachFromTarget", M{"sessionId": s}, x)
	s = p.cdp("Target.attachToTarget", M{"targetId": theirs, "flatten": true}, M{"tab": "free"})["sessionId"]
	until(t, "the tab is the person's again", func() bool { return reach(s, M{"tab": "free"}) == "reached" })
}
