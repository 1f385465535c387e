package main

import (
	"fmt"
	"strings"
	"testing"
)

func TestLabels(t *testing.T) {
	p := daemonOf(t, newName(t))
	a, b := M{"tab": "a"}, M{"tab": "b"}
	p.js("window.mine = 'a'", a)
	p.js("window.mine = 'b'", b)
	ta, tb := p.meta("session", a), p.meta("session", b)
	if p.js("window.mine", a) != "a" || p.js("window.mine", b) != "b" || p.js("window.mine") != nil {
		t.Error("the labels share a tab")
	}
	if len(list(p.meta("status"), "tabs")) != 3 {
		t.Errorf("got %v", p.meta("status"))
	}
	t.Run("no label reaches into another's tab", func(t *testing.T) {
		for _, req := range []M{
			{"method": "Target.closeTarget", "params": M{"targetId": tb["target_id"]}},
			{"method": "Target.attachToTarget", "params": M{"targetId": tb["target_id"], "flatten": true}},
			{"method": "Runtime.evaluate", "params": M{"expression": "1"}, "session_id": tb["session_id"]},
			{"meta": "set_session", "session_id": tb["session_id"]},
		} {
			for _, label := range []string{"a", ""} {
				req["tab"] = label
				m := p.call(req)
				if wantCode(t, m, "not_allowed"); m["owner"] != "b" {
					t.Errorf("%v: %v", req, m)
				}
			}
		}
		if v := p.cdp("Runtime.evaluate", M{"expression": "window.mine"}, M{"session_id": tb["session_id"], "force": true, "tab": "a"}); !strings.Contains(fmt.Sprint(v), "b") {
			t.Errorf("forced: %v", v)
		}
	})
	t.Run("nor sees its events", func(t *testing.T) {
		for _, l := range []M{a, b, {}} {
			p.meta("drain_events", l)
		}
		p.js("console.log('of b')", b)
		m := p.meta("events", b, M{"since": 0, "methods": []string{"Runtime.consoleAPICalled"}, "timeout_ms": 10000})
		if len(list(m, "events")) != 1 {
			t.Errorf("got %v", m)
		}
		for _, l := range []M{a, {}} {
			if m := p.meta("events", l, M{"since": 0}); strings.Contains(fmt.Sprint(m), "of b") {
				t.Errorf("%v got %v", l, m)
			}
		}
	})
	t.Run("a download is its label's", func(t *testing.T) {
		s := site(t, map[string]string{"/": "<a id=d download=f.txt href=/file>"})
		p.visit(s.URL+"/", b)
		seq := p.meta("session", b)["seq"]
		p.cdp("Runtime.evaluate", M{"expression": "d.click()", "userGesture": true}, b)
		done := func(l M) bool {
			return strings.Contains(fmt.Sprint(p.meta("events", l, M{"since": seq, "methods": []string{"Browser.downloadProgress"}})), "state:")
		}
		until(t, "b hears of it", func() bool { return done(b) })
		if done(a) || done(M{}) {
			t.Error("others hear of it")
		}
	})
	t.Run("what the page opens is its label's, and told", func(t *testing.T) {
		p.cdp("Runtime.evaluate", M{"expression": "void window.open('data:text/html,popup')", "userGesture": true}, b)
		var id string
		until(t, "the tab is b's", func() bool {
			for _, l := range list(p.meta("status"), "tabs") {
				if m := l.(M); m["label"] == "b" && m["target_id"] != tb["target_id"] {
					id = m["target_id"].(string)
				}
			}
			return id != ""
		})
		if n := p.notices(b); !strings.Contains(n, id) || p.notices(a) != "<nil>" {
			t.Errorf("notices %s", n)
		}
		wantCode(t, p.call(M{"method": "Target.closeTarget", "params": M{"targetId": id}, "tab": "a"}), "not_allowed")
		p.cdp("Target.closeTarget", M{"targetId": id}, b)
		until(t, "it is closed", func() bool { return !strings.Contains(fmt.Sprint(p.meta("status")["tabs"]), id) })
		if n := p.notices(b); n != "<nil>" {
			t.Errorf("b closed it itself: %s", n)
		}
	})
	t.Run("a session that comes in a label's place leaves no double events", func(t *testing.T) {
		for range 3 {
			s := p.cdp("Target.attachToTarget", M{"targetId": ta["target_id"], "flatten": true}, a)["sessionId"]
			p.meta("set_session", a, M{"session_id": s})
		}
		until(t, "each comes once", func() bool {
			p.meta("drain_events", a)
			seq := p.meta("session", a)["seq"]
			p.js("console.log('once')", a)
			p.js("1", a)
			return len(list(p.meta("events", a, M{"since": seq, "methods": []string{"Runtime.consoleAPICalled"}}), "events")) == 1
		})
	})
	t.Run("all use one tab that is made once", func(t *testing.T) {
		ids := make(chan any, 10)
		for range 10 {
			go func() { ids <- p.meta("session", M{"tab": "crowd"})["target_id"] }()
		}
		first := <-ids
		for range 9 {
			if id := <-ids; id != first {
				t.Errorf("%v and %v", first, id)
			}
		}
	})
}

// Field case 25: two names, and two labels of one of them, on one browser.
func TestNobodyMeets(t *testing.T) {
	s := site(t, map[string]string{"/1": "<title>1</title>", "/2": "<title>2</title>", "/3": "<title>3</title>"})
	p, q := daemonOf(t, newName(t)), daemonOf(t, newName(t))
	done := make(chan string, 3)
	for i, who := range []struct {
		p   *proc
		opt M
	}{{p, M{"tab": "a"}}, {p, M{"tab": "b"}}, {q, M{}}} {
		go func() {
			mine := fmt.Sprint(i + 1)
			for n := range 20 {
				who.p.visit(fmt.Sprintf("%s/%s?%d", s.URL, mine, n), who.opt)
				if got := who.p.js("document.title + location.search", who.opt); got != fmt.Sprintf("%s?%d", mine, n) {
					done <- fmt.Sprintf("%s, visit %d: got %v", mine, n, got)
					return
				}
				e := fmt.Sprint(who.p.meta("drain_events", who.opt)["events"])
				for _, other := range []string{"1", "2", "3"} {
					if other != mine && strings.Contains(e, s.URL+"/"+other) {
						done <- mine + " saw events of " + other
						return
					}
				}
			}
			done <- ""
		}()
	}
	for range 3 {
		if err := <-done; err != "" {
			t.Error(err)
		}
	}
}
