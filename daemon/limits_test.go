package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"bu/daemon/testchrome"
)

// Field case 55: a first page that a dialog keeps from answering is passed over, under
// BU_ALLOW too. The first page of a browser elsewhere (0.0.0.0 passes for that) is taken, whatever the daemon is called.
func TestFirstPageBehindDialog(t *testing.T) {
	h := newHosts(t)
	c := testchrome.Start(t)
	q := daemonOf(t, newName(t), "BU_CDP_WS="+c.WS)
	first := q.tabOf("about:blank")
	s := M{"session_id": q.cdp("Target.attachToTarget", M{"targetId": first, "flatten": true})["sessionId"]}
	q.cdp("Page.enable", nil, s)
	q.cdp("Page.navigate", M{"url": h.allowed + "/"}, s)
	until(t, "the page is there", func() bool { return q.peek("document.title", s) == "page" })
	q.js("setTimeout(() => alert('of the person')); 1", s)
	until(t, "the dialog is open", func() bool {
		return q.call(merge(M{"method": "Runtime.evaluate", "params": M{"expression": "1"}}, s))["code"] == "dialog_open"
	})
	g := newGate(t, c)
	close(g.click)
	for _, allow := range []string{"", "127.0.0.1"} {
		p := daemonOf(t, newName(t), "BU_CDP_WS=ws://0.0.0.0:"+g.port+"/devtools/browser/x", "BU_ALLOW="+allow)
		began := time.Now()
		m := p.meta("session")
		if m["target_id"] == nil || m["target_id"] == first || time.Since(began) > 15*time.Second {
			t.Errorf("BU_ALLOW=%q: after %v: %v", allow, time.Since(began), m)
		}
		if v := p.js("1+1"); v != 2.0 {
			t.Errorf("BU_ALLOW=%q: got %v", allow, v)
		}
		wantCode(t, q.call(merge(M{"method": "Runtime.evaluate", "params": M{"expression": "1"}}, s)), "dialog_open")
		p.cdp("Target.closeTarget", M{"targetId": m["target_id"]})
	}
	q.cdp("Page.handleJavaScriptDialog", M{"accept": true}, s)
	p := daemonOf(t, newName(t), "BU_CDP_WS=ws://0.0.0.0:"+g.port+"/devtools/browser/x")
	if m := p.meta("session"); m["target_id"] != first {
		t.Errorf("without a dialog it is not taken: %v", m)
	}
}

// Field case 62: what holds in a tab are its owner's hosts, whoever was there before.
func TestOwnersHostsHold(t *testing.T) {
	h := newHosts(t)
	p := daemonOf(t, newName(t))
	theirs := p.cdp("Target.createTarget", M{"url": h.allowed + "/theirs", "background": true}, M{"tab": "other"})["targetId"]
	p.call(M{"meta": "shutdown"})
	p.wait()
	p = daemonOf(t, p.name) // to which the tab is nobody's
	attach := func(on M) any {
		return p.cdp("Target.attachToTarget", M{"targetId": theirs, "flatten": true}, on)["sessionId"]
	}
	reach := func(on M) string {
		r := p.call(merge(M{"method": "Runtime.evaluate", "params": M{"expression": fmt.Sprintf("fetch('%s/owner').then(r => 'reached', e => 'kept')", h.denied), "awaitPromise": true, "returnByValue": true}}, on))
		return fmt.Sprint(r)
	}
	wide, narrow := M{"tab": "wide", "allow": []string{"127.0.0.1", "localhost"}}, M{"tab": "narrow", "allow": []string{"127.0.0.1"}}
	visit := merge(wide, M{"session_id": attach(wide)})
	if got := reach(visit); !strings.Contains(got, "reached") {
		t.Fatalf("wide: %s", got)
	}
	p.meta("set_session", narrow, M{"session_id": attach(narrow)})
	if got := reach(narrow); !strings.Contains(got, "kept") {
		t.Errorf("narrow, which has the tab: %s", got)
	}
	if got := reach(visit); strings.Contains(got, "reached") {
		t.Errorf("wide, in narrow's tab: %s", got)
	}
}
