package main

import (
	"bufio"
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestEvents(t *testing.T) {
	p := daemonOf(t, newName(t))
	p.js("1")
	t.Run("a wait ends with the event", func(t *testing.T) {
		done := make(chan M)
		seq := p.meta("session")["seq"]
		go func() {
			done <- p.call(M{"meta": "events", "since": seq, "methods": []string{"Runtime.consoleAPICalled"}, "timeout_ms": 20000})
		}()
		p.js("document.title = 'no match'; console.log('hello')")
		e := list(<-done, "events")
		if len(e) != 1 || !strings.Contains(fmt.Sprint(e), "hello") || e[0].(M)["session_id"] == nil {
			t.Errorf("got %v", e)
		}
		again := p.meta("events", M{"since": seq, "methods": []string{"Runtime.consoleAPICalled"}})
		if len(list(again, "events")) != 1 {
			t.Errorf("they are taken: %v", again)
		}
	})
	t.Run("a wait that runs out is no error", func(t *testing.T) {
		m := p.meta("events", M{"methods": []string{"No.such"}, "timeout_ms": 100})
		if m["error"] != nil || len(list(m, "events")) != 0 || m["seq"] == nil {
			t.Errorf("got %v", m)
		}
	})
	t.Run("without since: from now", func(t *testing.T) {
		if m := p.meta("events"); len(list(m, "events")) != 0 {
			t.Errorf("got %v", m)
		}
	})
	t.Run("the ring holds 500 and counts the rest", func(t *testing.T) {
		p.meta("drain_events")
		seq := p.meta("session")["seq"].(float64)
		p.js("for (let i = 0; i < 700; i++) console.log(i)")
		until(t, "all have come", func() bool { return p.meta("status")["events"].(M)["seq"].(float64) >= seq+700 })
		m := p.meta("events", M{"since": seq})
		e := list(m, "events")
		if len(e) != 500 || m["dropped"] != 200.0 || e[499].(M)["seq"] != m["seq"] {
			t.Errorf("%d events, dropped %v", len(e), m["dropped"])
		}
		if n := p.notices(); !strings.Contains(n, "200 events") {
			t.Errorf("notices: %s", n)
		}
		seq = p.meta("session")["seq"].(float64)
		p.js("for (let i = 0; i < 100; i++) console.log(i)")
		until(t, "all have come", func() bool { return p.meta("status")["events"].(M)["seq"].(float64) >= seq+100 })
		if n := p.notices(); strings.Contains(n, "dropped") { // those that made room were there to be read
			t.Errorf("notices: %s", n)
		}
		m = p.meta("drain_events")
		if len(list(m, "events")) != 500 || m["dropped"] != 300.0 {
			t.Errorf("%d events, dropped %v", len(list(m, "events")), m["dropped"])
		}
		if m = p.meta("drain_events"); len(list(m, "events")) != 0 || m["dropped"] != 0.0 {
			t.Errorf("got %v", m)
		}
	})
}

func TestDialogs(t *testing.T) {
	p := daemonOf(t, newName(t))
	at := func(kind string) M { return M{"type": kind, "x": 50, "y": 50, "button": "left", "clickCount": 1} }
	click := func() M {
		p.cdp("Input.dispatchMouseEvent", at("mousePressed"))
		return p.call(M{"method": "Input.dispatchMouseEvent", "params": at("mouseReleased")})
	}
	t.Run("a confirm that a click opens", func(t *testing.T) { // field case 17
		p.visit("data:text/html,<button style='position:fixed;inset:0' onclick='window.r = confirm(`sure?`)'>")
		start := time.Now()
		m := click()
		wantCode(t, m, "dialog_open")
		if g, _ := m["dialog"].(M); g["message"] != "sure?" || g["type"] != "confirm" || time.Since(start) > 3*time.Second {
			t.Errorf("got %v after %v", m, time.Since(start))
		}
		for _, method := range []string{"Runtime.evaluate", "DOM.getDocument", "Page.captureScreenshot", "Page.navigate", "Input.insertText", "Network.enable"} {
			m := p.call(M{"method": method, "params": M{"expression": "window.r = 7", "url": "about:blank", "text": "a"}})
			if wantCode(t, m, "dialog_open"); !strings.Contains(fmt.Sprint(m["error"]), "not sent") {
				t.Errorf("%s: %v", method, m)
			}
		}
		if g, _ := p.meta("session")["dialog"].(M); g["message"] != "sure?" {
			t.Errorf("session does not tell of it")
		}
		if g, _ := p.meta("status")["dialog"].(M); g["message"] != "sure?" {
			t.Errorf("status does not tell of it")
		}
		p.cdp("Page.getNavigationHistory", nil)
		p.cdp("Page.handleJavaScriptDialog", M{"accept": false})
		if r := p.js("window.r"); r != false {
			t.Errorf("got %v", r)
		}
		if p.meta("session")["dialog"] != nil {
			t.Error("it is still told of")
		}
	})
	t.Run("an alert at any moment ends whatever call it meets", func(t *testing.T) { // field case 42
		p.visit("data:text/html,x")
		for i := range 30 {
			p.js(fmt.Sprintf("void setTimeout(() => alert('soon'), %d)", i%10))
			for {
				m := p.call(M{"method": "Runtime.evaluate", "params": M{"expression": "1"}, "timeout_ms": 20000})
				if m["code"] == "timeout" {
					t.Fatalf("got %v", m)
				}
				if m["code"] == "dialog_open" {
					break
				}
			}
			p.cdp("Page.handleJavaScriptDialog", M{"accept": true})
		}
	})
	t.Run("beforeunload", func(t *testing.T) { // field case 18
		p.visit("data:text/html,<body style='height:500px'><script>onbeforeunload = e => e.preventDefault()</script>")
		if m := click(); m["result"] == nil {
			t.Fatalf("got %v", m)
		}
		m := p.call(M{"method": "Page.navigate", "params": M{"url": "data:text/html,next"}})
		wantCode(t, m, "dialog_open")
		if g, _ := m["dialog"].(M); g["type"] != "beforeunload" {
			t.Errorf("got %v", m)
		}
		p.cdp("Page.handleJavaScriptDialog", M{"accept": true})
		until(t, "the next page is there", func() bool { return p.peek("document.body.innerText") == "next" })
	})
	t.Run("in a frame of another site", func(t *testing.T) {
		inner := site(t, map[string]string{"/": "<script>onmessage = () => alert('from within')</script>"})
		url := strings.Replace(inner.URL, "127.0.0.1", "localhost", 1)
		outer := site(t, map[string]string{"/": "<iframe id=f src='" + url + "/'></iframe><script>onmessage = 1</script>"})
		p.visit(outer.URL + "/")
		var frame string
		for _, i := range list(p.cdp("Target.getTargets", nil), "targetInfos") {
			if strings.HasPrefix(fmt.Sprint(i.(M)["url"]), url) {
				frame = i.(M)["targetId"].(string)
			}
		}
		if frame == "" {
			t.Skip("the frame is not in a process of its own")
		}
		s := p.cdp("Target.attachToTarget", M{"targetId": frame, "flatten": true})["sessionId"]
		m := p.call(M{"method": "Runtime.evaluate", "params": M{"expression": "alert('from within')"}, "session_id": s})
		wantCode(t, m, "dialog_open")
		wantCode(t, p.call(M{"method": "Runtime.evaluate", "params": M{"expression": "1"}, "session_id": s}), "dialog_open")
		p.cdp("Page.handleJavaScriptDialog", M{"accept": true})
		p.cdp("Runtime.evaluate", M{"expression": "1"}, M{"session_id": s})
	})
}

// Field case 19: what was for a tab that is gone reaches no other.
func TestTabGone(t *testing.T) {
	p := daemonOf(t, newName(t))
	p.js("1")
	t.Run("closed", func(t *testing.T) {
		id := p.meta("session")["target_id"]
		waiting := make(chan M)
		go func() {
			waiting <- p.call(M{"method": "Runtime.evaluate", "params": M{"expression": "window.waits = true; new Promise(()=>{})", "awaitPromise": true}})
		}()
		until(t, "it waits", p.waits)
		q := daemonOf(t, newName(t))
		q.cdp("Target.closeTarget", M{"targetId": id}, M{"force": true})
		wantCode(t, <-waiting, "tab_closed")
		for range 3 {
			wantCode(t, p.call(M{"method": "Input.dispatchMouseEvent", "params": M{"type": "mousePressed", "x": 1, "y": 1}}), "tab_closed")
		}
		m := p.meta("session")
		if wantCode(t, m, "tab_closed"); m["seq"] == nil || !strings.Contains(fmt.Sprint(m["notices"]), "was closed") {
			t.Errorf("got %v", m)
		}
		id = p.cdp("Target.createTarget", M{"url": "about:blank", "background": true})["targetId"]
		s := p.cdp("Target.attachToTarget", M{"targetId": id, "flatten": true})["sessionId"]
		if m := p.meta("set_session", M{"session_id": s}); m["session_id"] != s {
			t.Fatalf("got %v", m)
		}
		if p.js("1") != 1.0 || p.meta("session")["target_id"] != id {
			t.Error("the new tab is not the current one")
		}
	})
	t.Run("crashed", func(t *testing.T) {
		waiting := make(chan M)
		go func() {
			waiting <- p.call(M{"method": "Runtime.evaluate", "params": M{"expression": "window.waits = true; new Promise(()=>{})", "awaitPromise": true}})
		}()
		until(t, "it waits", p.waits)
		wantCode(t, p.call(M{"method": "Page.crash", "timeout_ms": 20000}), "tab_crashed")
		wantCode(t, <-waiting, "tab_crashed")
		wantCode(t, p.call(M{"method": "Runtime.evaluate", "params": M{"expression": "1"}}), "tab_crashed")
		if n := p.notices(); !strings.Contains(n, "crashed") || p.meta("status")["crashed"] != true {
			t.Errorf("notices %s, status %v", n, p.meta("status"))
		}
		p.visit("data:text/html,again")
		if p.js("document.body.innerText") != "again" || p.meta("status")["crashed"] != nil {
			t.Errorf("got %v", p.meta("status"))
		}
	})
	t.Run("detached by somebody else", func(t *testing.T) {
		s := p.meta("session")
		p.cdp("Target.detachFromTarget", M{"sessionId": s["session_id"]})
		if p.js("1") != 1.0 || p.meta("session")["target_id"] != s["target_id"] {
			t.Errorf("got %v, was %v", p.meta("session"), s)
		}
		wantCode(t, p.call(M{"method": "Runtime.evaluate", "params": M{"expression": "1"}, "session_id": s["session_id"]}), "tab_closed")
	})
}

// waits says whether a call is under way that never settles: until then the page has
// not seen it. Nothing but the page itself can tell.
func (p *proc) waits() bool { return p.peek("window.waits") == true }

// Field case 47, and what counts as a page.
func TestFirstTab(t *testing.T) {
	p := daemonOf(t, newName(t))
	p.js("1")
	mine := p.meta("session")["target_id"]
	q := daemonOf(t, newName(t))
	q.cdp("Target.createTarget", M{"url": "data:text/html,the user's"})
	if now := p.meta("session")["target_id"]; now != mine || p.js("location.href") != "about:blank" {
		t.Errorf("on %v, was on %v", now, mine)
	}
	if q.meta("session")["target_id"] == mine {
		t.Error("two named daemons share a tab")
	}
	for url, want := range map[string]bool{"https://a.example/": true, "about:blank": true, "file:///x": true, "chrome://newtab/": false, "devtools://devtools/x": false,
		"chrome-extension://abc/popup.html": false, "chrome-untrusted://x/": false, "chrome://omnibox-popup.top-chrome/": false, "edge://settings": false, "chromes.example": true} {
		if got := realPage(info{Type: "page", URL: url}); got != want {
			t.Errorf("realPage(%s) = %v", url, got)
		}
	}
}

func TestDrive(t *testing.T) {
	p := daemonOf(t, newName(t))
	p.js("1")
	c := dial(t, p.name)
	r := bufio.NewReader(c)
	key, _ := exchange(t, c, r, `{"meta":"drive","message":"sign in, then press Done"}`)["key"].(string)
	if key == "" {
		t.Fatal("no key")
	}
	for _, req := range []M{{"method": "Runtime.evaluate", "params": M{"expression": "1"}}, {"meta": "session"}, {"meta": "drive", "message": "me too"}} {
		m := p.call(req)
		if wantCode(t, m, "user_driving"); !strings.Contains(fmt.Sprint(m["error"]), "sign in") {
			t.Errorf("%v: %v", req, m)
		}
		if m := p.call(M{"method": "Runtime.evaluate", "params": M{"expression": "1"}, "tab": "other"}); m["result"] == nil {
			t.Errorf("another tab: %v", m)
		}
	}
	if v := p.js("5", M{"drive": key}); v != 5.0 {
		t.Errorf("who has the key: %v", v)
	}
	c.Close()
	until(t, "the tab is free", func() bool { return p.call(M{"meta": "session"})["error"] == nil })
	p.meta("drive", M{"message": "again"}) // its connection is closed: free at once
	until(t, "the tab is free", func() bool { return p.call(M{"meta": "session"})["error"] == nil })
	c = dial(t, p.name)
	r = bufio.NewReader(c)
	key, _ = exchange(t, c, r, `{"meta":"drive","message":"once more"}`)["key"].(string)
	p.meta("drive", M{"drive": key})
	if m := p.meta("session"); m["error"] != nil {
		t.Errorf("given back: %v", m)
	}
}

// A session that a client ties to its connection ends with it, and what it had switched on;
// one that is not tied is there for other connections.
func TestTied(t *testing.T) {
	p := daemonOf(t, newName(t))
	p.js("1")
	c := dial(t, p.name)
	r := bufio.NewReader(c)
	attach := fmt.Sprintf(`{"method":"Target.attachToTarget","params":{"targetId":%q,"flatten":true}`, p.meta("session")["target_id"])
	var ids []string
	for _, more := range []string{`}`, `,"tied":true}`} {
		result, _ := exchange(t, c, r, attach+more)["result"].(M)
		id, _ := result["sessionId"].(string)
		if v := p.js("7", M{"session_id": id}); v != 7.0 {
			t.Fatalf("session %q: %v", id, v)
		}
		ids = append(ids, id)
	}
	c.Close()
	until(t, "the tied session is gone", func() bool {
		return p.call(M{"method": "Runtime.evaluate", "params": M{"expression": "1"}, "session_id": ids[1]})["code"] == "tab_closed"
	})
	if v := p.js("7", M{"session_id": ids[0]}); v != 7.0 {
		t.Errorf("the other: %v", v)
	}
}

func TestRefused(t *testing.T) {
	p := daemonOf(t, newName(t))
	for _, method := range []string{"Browser.close", "Browser.crash", "Browser.crashGpuProcess", "Target.exposeDevToolsProtocol", "SystemInfo.getInfo", "Target.sendMessageToTarget"} {
		m := p.call(M{"method": method, "params": M{}})
		if wantCode(t, m, "not_allowed"); !strings.Contains(fmt.Sprint(m["error"]), "BU_UNSAFE="+method) {
			t.Errorf("%s: %v", method, m)
		}
	}
	if !browser(t).Running() {
		t.Fatal("the browser is gone")
	}
	q := daemonOf(t, newName(t), "BU_CDP_WS="+browser(t).WS, "BU_UNSAFE=SystemInfo.*, Browser.crash")
	if m := q.call(M{"method": "SystemInfo.getInfo"}); m["code"] == "not_allowed" {
		t.Errorf("let through: %v", m)
	}
	wantCode(t, q.call(M{"method": "Browser.close"}), "not_allowed")
	b := launch(t, newName(t), "BU_UNSAFE=Page.navigate")
	if code := b.wait(); code != 2 || !strings.Contains(b.errs.String(), "Page.navigate") {
		t.Errorf("exit code %d: %s", code, &b.errs)
	}
}

func TestCallLog(t *testing.T) {
	p := daemonOf(t, newName(t))
	p.js("'S3CRET'", M{"tab": "x"})
	p.call(M{"method": "No.such"})
	calls := list(p.meta("log"), "calls")
	if len(calls) != 2 || strings.Contains(fmt.Sprint(calls), "S3CRET") {
		t.Fatalf("got %v", calls)
	}
	one, two := calls[0].(M), calls[1].(M)
	if one["method"] != "Runtime.evaluate" || one["tab"] != "x" || one["code"] != nil || one["bytes"].(float64) < 50 || one["time"] == nil {
		t.Errorf("got %v", one)
	}
	if two["method"] != "No.such" || two["code"] != "cdp_error" {
		t.Errorf("got %v", two)
	}
	for range 1100 {
		p.cdp("Browser.getVersion", nil)
	}
	if n := len(list(p.meta("log"), "calls")); n != 1000 {
		t.Errorf("%d are kept", n)
	}
	if n := len(list(p.meta("log", M{"count": 7}), "calls")); n != 7 {
		t.Errorf("%d of 7", n)
	}
}
