package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"bu/daemon/cdp"
	"bu/daemon/wire"
)

// stage is a model with a label x that drives tab T by session S, a frame F in it with a
// session SF, and a tab U of nobody.
func stage() *model {
	m := newModel(nil)
	m.phase = ready
	for _, e := range []cdp.Event{
		said("", "Target.targetCreated", obj{"targetInfo": obj{"targetId": "T", "type": "page", "url": "http://t/"}}),
		said("", "Target.targetCreated", obj{"targetInfo": obj{"targetId": "U", "type": "page", "url": "http://u/"}}),
		said("", "Target.targetCreated", obj{"targetInfo": obj{"targetId": "F", "type": "iframe", "url": "http://f/", "parentId": "T"}}),
		said("", "Target.attachedToTarget", obj{"sessionId": "S", "targetInfo": obj{"targetId": "T", "type": "page"}}),
		said("", "Target.attachedToTarget", obj{"sessionId": "SF", "targetInfo": obj{"targetId": "F", "type": "iframe"}}),
	} {
		m.apply(e)
	}
	var fx effects
	m.seat(m.label("x"), m.sessions["S"], &fx)
	return &m
}

func said(session, method string, params obj) cdp.Event {
	raw, _ := json.Marshal(params)
	return cdp.Event{Method: method, Session: session, Params: raw}
}

// made is the event of a world that a run made in a frame.
func made(frame, unique string) cdp.Event {
	return said("S", "Runtime.executionContextCreated", obj{"context": obj{"id": 7, "uniqueId": unique, "name": "bu", "auxData": obj{"frameId": frame, "type": "isolated"}}})
}

// What each event changes, and what it asks to be done, without a browser.
func TestApply(t *testing.T) {
	opens := said("S", "Page.javascriptDialogOpening", obj{"type": "confirm", "message": "sure?"})
	inFrame := said("SF", "Page.javascriptDialogOpening", obj{"type": "alert", "message": "x"})
	popup := said("", "Target.targetCreated", obj{"targetInfo": obj{"targetId": "P", "type": "page", "url": "http://p/", "openerId": "T"}})
	for name, c := range map[string]struct {
		before func(*model)
		events []cdp.Event
		ends   map[string]string // codes with which calls end, by "method session"
		to     string            // whose event the last is; "-": it is not kept
		then   func(*model, effects) bool
	}{
		"a dialog ends what needs the page": {events: []cdp.Event{opens}, to: "x",
			ends: map[string]string{"Runtime.evaluate S": "dialog_open", "Runtime.evaluate SF": "dialog_open"},
			then: func(m *model, fx effects) bool { return m.targets["T"].dialog.Message == "sure?" && fx.save }},
		"a frame's dialog is its page's": {events: []cdp.Event{inFrame}, to: "x",
			ends: map[string]string{"Runtime.evaluate S": "dialog_open", "Runtime.evaluate SF": "dialog_open"},
			then: func(m *model, _ effects) bool { return m.targets["T"].dialog != nil && m.targets["F"].dialog == nil }},
		"the world that a run made is the next one's": {events: []cdp.Event{made("T", "u1")}, to: "x",
			then: func(m *model, _ effects) bool {
				w := m.sessions["S"].world
				return w != nil && w.ID == 7 && w.Unique == "u1"
			}},
		"a world in a frame is not": {events: []cdp.Event{made("F", "u1")}, to: "x",
			then: func(m *model, _ effects) bool { return m.sessions["S"].world == nil }},
		"another world's end is not its end": {events: []cdp.Event{made("T", "u1"), said("S", "Runtime.executionContextDestroyed", obj{"executionContextUniqueId": "u2"})}, to: "x",
			then: func(m *model, _ effects) bool { return m.sessions["S"].world != nil }},
		"a world ends": {events: []cdp.Event{made("T", "u1"), said("S", "Runtime.executionContextDestroyed", obj{"executionContextUniqueId": "u1"})}, to: "x",
			then: func(m *model, _ effects) bool { return m.sessions["S"].world == nil }},
		"all worlds end with their document": {events: []cdp.Event{made("T", "u1"), said("S", "Runtime.executionContextsCleared", nil)}, to: "x",
			then: func(m *model, _ effects) bool { return m.sessions["S"].world == nil }},
		"a dialog that is over": {events: []cdp.Event{opens, said("S", "Page.javascriptDialogClosed", nil)}, to: "x",
			then: func(m *model, fx effects) bool { return m.targets["T"].dialog == nil && fx.save }},
		"a closed tab ends its calls, and the label has none": {events: []cdp.Event{said("", "Target.targetDestroyed", obj{"targetId": "T"})}, to: "x",
			ends: map[string]string{"Runtime.evaluate S": "tab_closed", "Page.stopLoading S": "tab_closed", "Runtime.evaluate SF": "tab_closed"},
			then: func(m *model, fx effects) bool {
				l := m.label("x")
				return l.phase == closed && l.session() == nil && m.sessions["S"] == nil && m.targets["T"] == nil && len(l.notices) == 1 && fx.save
			}},
		"one that its owner closes is no news": {before: func(m *model) { m.targets["T"].closing = true }, to: "x",
			events: []cdp.Event{said("", "Target.targetDestroyed", obj{"targetId": "T"})},
			ends:   map[string]string{"Runtime.evaluate S": "tab_closed", "Page.stopLoading S": "tab_closed", "Runtime.evaluate SF": "tab_closed"},
			then:   func(m *model, _ effects) bool { return len(m.label("x").notices) == 0 }},
		"a tab of nobody closes": {events: []cdp.Event{said("", "Target.targetDestroyed", obj{"targetId": "U"})}, to: "",
			ends: map[string]string{"Runtime.evaluate U": "tab_closed"},
			then: func(m *model, fx effects) bool { return !fx.save && m.label("x").phase == driving }},
		"a crash": {events: []cdp.Event{said("", "Target.targetCrashed", obj{"targetId": "T"})}, to: "x",
			ends: map[string]string{"Runtime.evaluate S": "tab_crashed", "Page.stopLoading S": "tab_crashed", "Runtime.evaluate SF": "tab_crashed"},
			then: func(m *model, _ effects) bool { return m.targets["T"].crashed && m.label("x").phase == driving }},
		"after a crash a new document": {events: []cdp.Event{said("", "Target.targetCrashed", obj{"targetId": "T"}), said("S", "Page.frameNavigated", obj{"frame": obj{"id": "T", "url": "http://n/", "urlFragment": "#f"}})}, to: "x",
			then: func(m *model, fx effects) bool {
				return !m.targets["T"].crashed && m.targets["T"].url == "http://n/#f" && fx.save
			}},
		"a detached session leaves the tab the label's": {events: []cdp.Event{said("", "Target.detachedFromTarget", obj{"sessionId": "S"})}, to: "x",
			ends: map[string]string{"Runtime.evaluate S": "tab_closed", "Page.stopLoading S": "tab_closed"},
			then: func(m *model, _ effects) bool { return m.label("x").phase == driving && m.label("x").session() == nil }},
		"what a tab opens is its label's": {events: []cdp.Event{popup}, to: "x",
			then: func(m *model, _ effects) bool {
				return m.targets["P"].owner == m.label("x") && len(m.label("x").notices) == 1
			}},
		"what a tab opens by a click with Control is its label's": {to: "", events: []cdp.Event{
			said("S", "Page.frameRequestedNavigation", obj{"frameId": "T", "url": "http://n/", "disposition": "newTab"}),
			said("", "Target.targetCreated", obj{"targetInfo": obj{"targetId": "P", "type": "page"}}),
			said("", "Target.targetCreated", obj{"targetInfo": obj{"targetId": "Q", "type": "page"}})},
			then: func(m *model, _ effects) bool {
				return m.targets["P"].owner == m.label("x") && m.targets["P"].opener == "T" && m.targets["Q"].owner == nil
			}},
		"a tab that the daemon has a page open is nobody's": {to: "", before: func(m *model) { m.sprouts["about:blank#s"] = make(chan string, 2) }, events: []cdp.Event{
			said("S", "Page.frameRequestedNavigation", obj{"frameId": "T", "url": "about:blank#s", "disposition": "newTab"}),
			said("", "Target.targetCreated", obj{"targetInfo": obj{"targetId": "P", "type": "page", "url": "about:blank#s"}}),
			said("", "Target.targetCreated", obj{"targetInfo": obj{"targetId": "Q", "type": "page"}})},
			then: func(m *model, _ effects) bool { return m.targets["P"].owner == nil && m.targets["Q"].owner == nil }},
		"its guard hears of that": {before: guardT, to: "x", events: []cdp.Event{
			said("G", "Page.frameRequestedNavigation", obj{"frameId": "T", "url": "http://n/", "disposition": "newTab"}),
			said("", "Target.attachedToTarget", obj{"sessionId": "SP", "targetInfo": obj{"targetId": "P", "type": "page"}})},
			then: func(m *model, _ effects) bool { return m.targets["P"].owner == m.label("x") }},
		"a tab that the person opens then is theirs": {to: "", events: []cdp.Event{
			said("S", "Page.frameRequestedNavigation", obj{"frameId": "T", "url": "http://n/", "disposition": "newTab"}),
			said("", "Target.targetCreated", obj{"targetInfo": obj{"targetId": "P", "type": "page", "url": "chrome://newtab/"}})},
			then: func(m *model, _ effects) bool { return m.targets["P"].owner == nil }},
		"what nobody's tab opens is nobody's": {events: []cdp.Event{said("", "Target.targetCreated", obj{"targetInfo": obj{"targetId": "P", "type": "page", "openerId": "U"}})}, to: "",
			then: func(m *model, _ effects) bool { return m.targets["P"].owner == nil }},
		"a tab that was there before is no event": {before: func(m *model) { m.phase = meeting }, events: []cdp.Event{popup}, to: "-"},
		"a new tab that Chrome holds": {before: func(m *model) { m.holding = true }, to: "-",
			events: []cdp.Event{said("", "Target.attachedToTarget", obj{"sessionId": "SP", "targetInfo": obj{"targetId": "P", "type": "page"}})},
			then:   func(m *model, fx effects) bool { return fx.held != nil && fx.held == m.sessions["SP"] }},
		"one that we attach to ourselves is not held": {before: func(m *model) { m.holding = true; m.expected["U"] = 1 }, to: "",
			events: []cdp.Event{said("", "Target.attachedToTarget", obj{"sessionId": "SU", "targetInfo": obj{"targetId": "U", "type": "page"}})},
			then:   func(_ *model, fx effects) bool { return fx.held == nil }},
		"a download is its page's label's, to its end": {to: "x", events: []cdp.Event{
			said("", "Browser.downloadWillBegin", obj{"frameId": "T", "guid": "g"}), said("", "Browser.downloadProgress", obj{"guid": "g", "state": "completed"})},
			then: func(m *model, _ effects) bool { return len(m.downloads) == 0 }},
		"a guard's events are nobody's": {before: guardT, events: []cdp.Event{said("G", "Fetch.requestPaused", obj{"requestId": "r", "request": obj{"url": "http://ok/"}})}, to: "-",
			then: func(_ *model, fx effects) bool { return *fx.paused == paused{"G", "r", true} }},
		"what a guard keeps from happening is told once": {before: guardT, to: "-", events: []cdp.Event{
			said("G", "Fetch.requestPaused", obj{"requestId": "q", "request": obj{"url": "http://no/1"}}), said("G", "Fetch.requestPaused", obj{"requestId": "r", "request": obj{"url": "http://no/2"}})},
			then: func(m *model, fx effects) bool { return !fx.paused.ok && len(m.label("x").notices) == 1 }},
		"a frame of a guarded page is held": {before: guardT, to: "-", events: []cdp.Event{said("G", "Target.attachedToTarget", obj{"sessionId": "GF", "targetInfo": obj{"targetId": "F", "type": "iframe"}})},
			then: func(m *model, fx effects) bool { return fx.child == m.sessions["GF"] && fx.child.role == ofGuard }},
		"a visit ends: the person's tab is theirs again": {before: func(m *model) {
			l := m.label("v")
			l.allow = wire.Hosts{"u"}
			m.join("V", "U", l, ofCaller)
			m.join("GU", "U", nil, ofGuard).guard = m.putUp(m.targets["U"], l)
		}, events: []cdp.Event{said("", "Target.detachedFromTarget", obj{"sessionId": "V"})}, to: "v",
			ends: map[string]string{},
			then: func(m *model, fx effects) bool {
				return m.targets["U"].guard == nil && slices.Equal(fx.detach, []*session{m.sessions["GU"]})
			}},
		"no JSON object": {events: []cdp.Event{{Method: "Target.targetCreated", Params: json.RawMessage("7")}}, to: ""},
	} {
		t.Run(name, func(t *testing.T) {
			m := stage()
			if c.before != nil {
				c.before(m)
			}
			var fx effects
			calls := []*cdp.Call{{Method: "Runtime.evaluate", Session: "S", For: m.targets["T"]}, {Method: "Page.stopLoading", Session: "S", For: m.targets["T"]},
				{Method: "Runtime.evaluate", Session: "SF", For: m.targets["F"]}, {Method: "Runtime.evaluate", Session: "U", For: m.targets["U"]}}
			for _, e := range c.events {
				fx = m.apply(e)
			}
			got := map[string]string{}
			for _, k := range calls {
				for _, end := range fx.ended {
					if err := end.of(k, true); err != nil && got[k.Method+" "+k.Session] == "" {
						got[k.Method+" "+k.Session] = err.(*fail).code
					}
				}
			}
			if fmt.Sprint(got) != fmt.Sprint(c.ends) {
				t.Errorf("calls end with %v, want %v", got, c.ends)
			}
			to := "-"
			if fx.keep && fx.to != nil {
				to = fx.to.name
			}
			if to != c.to {
				t.Errorf("kept for %q, want %q", to, c.to)
			}
			if c.then != nil && !c.then(m, fx) {
				t.Errorf("the model or its effects are not as they should be: %+v", fx)
			}
		})
	}
}

func guardT(m *model) {
	l := m.label("x")
	l.allow = wire.Hosts{"ok"}
	m.join("G", "T", nil, ofGuard).guard = m.putUp(m.targets["T"], l)
}

// A label is one pointer to its tab: taking it leaves the other without.
func TestTake(t *testing.T) {
	m := stage()
	x, y := m.label("x"), m.label("y")
	m.take(y, m.targets["T"])
	if x.phase != closed || x.session() != nil || m.targets["T"].owner != y || len(x.notices) != 1 {
		t.Errorf("x: %+v", x)
	}
	var fx effects
	old := m.sessions["S"]
	m.seat(y, m.join("S2", "T", y, ofCaller), &fx)
	if y.session() == nil || y.session().id != "S2" || !slices.Contains(fx.detach, old) {
		t.Errorf("y: %+v; %+v", y, fx)
	}
}

// Labels without a tab are freed: at once before their first use, and but for the last few
// once theirs is closed.
func TestSweep(t *testing.T) {
	m := stage()
	for i := range 1000 {
		l := m.label(fmt.Sprint("l", i))
		if i%2 == 0 {
			l.phase, l.used = closed, time.Unix(int64(i), 0)
		}
	}
	m.label("busy").users = 1
	m.sweep()
	if _, last := m.labels["l998"]; !last || len(m.labels) != 3+closedKept || m.labels["busy"] == nil || m.labels["x"] == nil {
		t.Errorf("%d labels", len(m.labels))
	}
}

// No address in a file holds a secret.
func TestPlain(t *testing.T) {
	for address, want := range map[string]string{
		"https://ada:pw@h.example:8/p?token=1#access_token=2": "https://h.example:8/p",
		"http://h/":                   "http://h/",
		"data:text/html,secret":       "about:blank",
		"javascript:secret()":         "about:blank",
		"about:blank":                 "about:blank",
		"about:blank#secret":          "about:blank",
		"blob:https://h/secret":       "about:blank",
		"file:///home/ada/x.html?y#z": "file:///home/ada/x.html",
		"http://h/%zz?secret":         "about:blank",
		"":                            "",
	} {
		if got := plain(address); got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
}
