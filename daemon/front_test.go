//go:build linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// xdotool gives what it says on the window's screen.
func (w *window) xdotool(args ...string) string {
	w.t.Helper()
	cmd := exec.Command("xdotool", args...)
	cmd.Env = append(os.Environ(), "DISPLAY="+w.display)
	out, _ := cmd.Output()
	return strings.TrimSpace(string(out))
}

// Field case 52: what a page of the agents' opens does not stay in front of the person.
func TestFront(t *testing.T) {
	w := newScreen(t)
	profile := filepath.Join(w.home, "profile")
	w.open(profile, "data:text/html,<title>mine</title><a id=a target=_blank href=about:blank>a</a>")
	p := daemonOf(t, newName(t), "BU_CDP_WS="+w.address(profile))
	pages := site(t, map[string]string{"/": `<title>agent</title>
<a id=blank target=_blank href=/new>a</a><p><a id=opener target=_blank rel=opener href=/new>a</a>
<p><button id=open onclick="window.open('/new')">b</button><p><button id=sized onclick="window.open('/new', '', 'width=300,height=200')">b</button>
<p><button id=later onclick="setTimeout(() => window.open('/new', '', 'popup'), 300)">b</button><p><button id=focus onclick="window.open('/new').focus()">b</button>`,
		"/new": "<title>new</title>"})
	x := M{"tab": "x"}
	p.visit(pages.URL+"/", x)
	mine := p.tabOf("data:")
	person := M{"session_id": p.cdp("Target.attachToTarget", M{"targetId": mine, "flatten": true})["sessionId"]}
	front := func() bool {
		return p.js(`document.visibilityState == "visible" && document.hasFocus()`, person) == true && strings.HasPrefix(w.xdotool("getwindowfocus", "getwindowname"), "mine")
	}
	p.cdp("Target.activateTarget", M{"targetId": mine})
	w.until("the person's tab is in front", front)
	opened := func(how string, act func(), on M) {
		t.Helper()
		seq := p.meta("session", on)["seq"]
		act()
		told := list(p.meta("events", on, M{"since": seq, "methods": []string{"Target.targetCreated"}, "timeout_ms": 10000}), "events")
		if len(told) == 0 {
			t.Fatalf("%s: no new tab is told", how)
		}
		time.Sleep(500 * time.Millisecond) // it may come late
		if !front() {
			t.Errorf("%s: the person's tab is not in front", how)
		}
	}
	click := func(id string, on M) func() {
		return func() {
			at := p.js(`JSON.stringify(document.getElementById("`+id+`").getBoundingClientRect())`, on)
			var x, y float64
			fmt.Sscanf(fmt.Sprint(at), `{"x":%f,"y":%f`, &x, &y)
			for _, kind := range []string{"mousePressed", "mouseReleased"} {
				p.cdp("Input.dispatchMouseEvent", M{"type": kind, "x": x + 3, "y": y + 3, "button": "left", "clickCount": 1}, on)
			}
		}
	}
	for _, id := range []string{"blank", "opener", "open", "sized", "later", "focus"} {
		opened("a click on #"+id, click(id, x), x)
	}
	for _, script := range []string{`open("/new")`, `open("/new", "", "width=300,height=200")`, `document.getElementById("blank").click()`} {
		opened(script, func() { p.cdp("Runtime.evaluate", M{"expression": script, "userGesture": true}, x) }, x)
	}

	// The question whether to leave a page.
	p.js(`onbeforeunload = e => e.preventDefault(); 1`, x)
	click("blank", x)()
	wantCode(t, p.call(merge(M{"method": "Page.navigate", "params": M{"url": pages.URL + "/new"}}, x)), "dialog_open")
	w.until("the person's tab is to be seen behind a question", func() bool { return p.js("document.visibilityState", person) == "visible" })
	p.cdp("Page.handleJavaScriptDialog", M{"accept": false}, x)
	w.until("the person's tab is in front after a question", front)

	// Of two windows the one that the person looks at.
	w.open(profile, "--new-window", "data:text/html,<title>second</title>")
	w.until("there is a second window", func() bool { return strings.HasPrefix(w.xdotool("getwindowfocus", "getwindowname"), "second") })
	y := M{"tab": "y"}
	p.visit(pages.URL+"/", y) // in there
	p.cdp("Target.activateTarget", M{"targetId": mine})
	w.until("the first window is in front", front)
	for _, id := range []string{"open", "sized"} {
		opened("in the second window, a click on #"+id, click(id, y), y)
	}

	// What the person's own page opens stays where it is.
	click("a", person)()
	w.until("the page that the person opened is in front", func() bool { return p.js("document.visibilityState", person) == "hidden" })
	time.Sleep(time.Second)
	if p.js("document.visibilityState", person) != "hidden" {
		t.Error("the person's own new page went behind")
	}
}
