//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const task = `new Promise(done => { const c = new MessageChannel(); c.port1.onmessage = () => done(7); c.port2.postMessage(0) })`

// elsewhere attaches another program of the protocol to a tab.
func (p *proc) elsewhere(q *proc, on M) (session M) {
	id := p.meta("session", on)["target_id"]
	return M{"session_id": q.cdp("Target.attachToTarget", M{"targetId": id, "flatten": true})["sessionId"]}
}

// Field case 80: a page that another program has stopped in a debugger.
func TestStopped(t *testing.T) {
	p, q := daemonOf(t, newName(t)), daemonOf(t, newName(t))
	x, other := M{"tab": "x"}, M{"tab": "other"}
	p.visit("data:text/html,<title>stopped</title>", x)
	p.js("1", other)
	theirs := p.elsewhere(q, x)
	stop := func() {
		q.cdp("Debugger.enable", nil, theirs)
		q.js("setTimeout(() => { debugger; window.went = (window.went || 0) + 1 }); 1", theirs)
		until(t, "the page is stopped", func() bool {
			return len(list(q.meta("events", M{"since": 0, "methods": []string{"Debugger.paused"}}), "events")) > 0
		})
		q.meta("drain_events")
	}
	stop()
	seq, began := p.meta("session", x)["seq"], time.Now()
	m := p.call(merge(M{"method": "Runtime.evaluate", "params": M{"expression": task, "awaitPromise": true}}, x))
	wantCode(t, m, "timeout")
	if s := fmt.Sprint(m["error"]); !strings.Contains(s, "stopped in a debugger") || !strings.Contains(s, "Debugger.resume") || time.Since(began) > 10*time.Second {
		t.Errorf("after %v: %v", time.Since(began), m)
	}
	if p.js(task, other) != 7.0 {
		t.Error("another tab does not work")
	}
	// Nothing of the daemon's own looking is left, or told.
	if e := p.meta("events", x, M{"since": seq, "methods": []string{"Target.attachedToTarget", "Target.detachedFromTarget", "Debugger.paused", "Debugger.scriptParsed"}}); fmt.Sprint(list(e, "events")) != "[]" {
		t.Errorf("events: %v", e)
	}
	// Who comes to it is not stopped by that.
	r := daemonOf(t, newName(t))
	id := p.meta("session", x)["target_id"]
	s := r.cdp("Target.attachToTarget", M{"targetId": id, "flatten": true})["sessionId"]
	if m := r.meta("set_session", M{"session_id": s}); m["target_id"] != id {
		t.Errorf("set_session: %v", m)
	}
	wantCode(t, r.call(M{"method": "Runtime.evaluate", "params": M{"expression": task, "awaitPromise": true}}), "timeout")
	// The way out that it tells.
	p.cdp("Debugger.enable", nil, x)
	p.cdp("Debugger.resume", nil, x)
	if p.js(task+".then(() => window.went)", x) != 1.0 {
		t.Error("it does not go on")
	}
	p.cdp("Debugger.disable", nil, x)
	q.cdp("Debugger.disable", nil, theirs)
	// A promise that takes its time is no stop, nor is a page that is busy.
	if v := p.js("new Promise(done => setTimeout(done, 4000, 5))", x); v != 5.0 {
		t.Errorf("got %v", v)
	}
	if v := p.js("for (const end = Date.now() + 4000; Date.now() < end;); 6", x); v != 6.0 {
		t.Errorf("got %v", v)
	}
}

const clickAction = `(() => { let done = false; const walk = n => { for (const e of n.querySelectorAll("*")) {
 if (e.tagName == "TR" && e.innerText.includes(%q)) for (const a of e.querySelectorAll("*")) if (!a.children.length && a.textContent.trim() == %q) { a.click(); done = true }
 if (e.shadowRoot) walk(e.shadowRoot) } }; walk(document); return done })()`

// discards works chrome://discards: what the browser does to tabs to save memory.
func (p *proc) discards(title, action string) {
	p.t.Helper()
	on := M{"tab": "discards"}
	if p.meta("status", on)["url"] != "chrome://discards/" {
		p.visit("chrome://discards/", on)
	}
	until(p.t, title+" is listed", func() bool { return p.peek(fmt.Sprintf(clickAction, title, "["+action+"]"), on) == true })
}

// Tabs that the browser froze or discarded to save memory.
func TestAsleep(t *testing.T) {
	w := newScreen(t)
	profile := filepath.Join(w.home, "profile")
	os.MkdirAll(profile, 0o700)
	os.WriteFile(filepath.Join(profile, "Local State"), []byte(`{"internal_only_uis_enabled":true}`), 0o600)
	pages := site(t, map[string]string{"/frozen": "<title>frozen</title>", "/urgent": "<title>urgent</title>", "/saved": "<title>saved</title>", "/ours": "<title>ours</title>"})
	w.open(profile, "data:text/html,<title>mine</title>", pages.URL+"/frozen", pages.URL+"/urgent", pages.URL+"/saved")
	p := daemonOf(t, newName(t), "BU_CDP_WS="+w.address(profile))
	until(t, "all have loaded", func() bool {
		return p.tabOf(pages.URL+"/saved") != "" && p.tab(p.tabOf(pages.URL + "/saved"))["title"] == "saved"
	})
	p.cdp("Target.activateTarget", M{"targetId": p.tabOf("data:")})
	// One of the agents', while their daemon is away.
	name, x := newName(t), M{"tab": "x"}
	ours := daemonOf(t, name, "BU_CDP_WS="+w.address(profile))
	ours.visit(pages.URL+"/ours", x)
	until(t, "the tab is saved", func() bool { return strings.Contains(fmt.Sprint(readState("/tmp/bu-"+name+".state")), "/ours") })
	ours.kill()
	for title, action := range map[string]string{"frozen": "Freeze", "urgent": "Urgent Discard", "ours": "Urgent Discard"} {
		before := p.tabOf(pages.URL + "/" + title)
		p.discards(title, action)
		if title != "frozen" {
			until(t, title+" is discarded", func() bool { // the first click may come too early
				p.peek(fmt.Sprintf(clickAction, title, "["+action+"]"), M{"tab": "discards"})
				time.Sleep(300 * time.Millisecond)
				now := p.tabOf(pages.URL + "/" + title)
				return now != "" && now != before
			})
		}
	}
	ours = daemonOf(t, name, "BU_CDP_WS="+w.address(profile))
	// Its id is another now, and it might be the person's at the same address: it is not taken.
	asleep := ours.tabOf(pages.URL + "/ours")
	m := ours.meta("session", x)
	if wantCode(t, m, "tab_closed"); !strings.Contains(fmt.Sprint(m["notices"]), "put it to sleep") || asleep == "" {
		t.Errorf("the agents' tab, discarded without a daemon: %v", m)
	}
	if s := fmt.Sprint(ours.meta("status", x)["tabs"]); strings.Contains(s, asleep) {
		t.Errorf("a tab that may be the person's was taken: %s", s)
	}
	// They stop no attach: the browser's tabs in the order that it gives them.
	q := daemonOf(t, newName(t), "BU_CDP_WS="+w.address(profile))
	for _, title := range []string{"frozen", "urgent"} {
		on, id := M{"tab": title}, q.tabOf(pages.URL+"/"+title)
		s := q.cdp("Target.attachToTarget", M{"targetId": id, "flatten": true}, on)["sessionId"]
		if m := q.meta("set_session", on, M{"session_id": s}); m["target_id"] != id {
			t.Errorf("%s: %v", title, m)
		}
		until(t, title+" is there", func() bool { return q.peek("document.title", on) == title })
		if v := q.js(task, on); v != 7.0 {
			t.Errorf("%s: %v", title, v)
		}
	}
}
