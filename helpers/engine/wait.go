package engine

import (
	"cmp"
	"fmt"
	"strings"
	"time"
)

// wait.go: waiting for the page, on observers and events.

// WaitFor waits until a target is "visible", "attached", "hidden" or "gone", a text can be
// read ("text", or text=… that is visible) or no longer ("no text"), or JavaScript is true
// ("js"). It survives navigations and looks into frames. It panics timeout, saying what
// was there instead.
func WaitFor(what, state string, seconds float64) {
	end, instead, asked := after(seconds), "", what
	if text, is := strings.CutPrefix(what, "text="); is {
		what = text
		if s := textStates[state]; s != "" {
			state = s
		}
	}
	for ok := false; !ok; {
		ok, instead = waitOnce(what, state, max(left(end), 0))
		if instead == isScript {
			state = "js"
			compiles(what)
			continue
		}
		if !ok && left(end) <= 0 {
			Fail("timeout", "waitFor(%q): %s after %v s; %s", asked, cmp.Or(unmet[state], "not "+state), seconds, instead)
		}
	}
}

// textStates are what the states of elements mean for a text.
var textStates = map[string]string{"visible": "text", "attached": "text", "hidden": "no text", "gone": "no text"}

// unmet are states that did not come, where "not" before their name would not say it.
var unmet = map[string]string{"text": "no such text", "no text": "not gone", "js": "not true"}

// isScript says that a target is not a selector, and so is taken as JavaScript.
const isScript = "script"

// waitOnce waits in the document that is there now; when that goes away under it, ok is
// false before the time is over.
func waitOnce(what, state string, seconds float64) (ok bool, instead string) {
	var got any
	look := waitHere
	if state == "js" {
		look = waitJS
	}
	err := Try(func() { got = heldUp(func() any { return look(what, state, seconds) }) })
	if err != nil && (err.Code != errGone && err.Code != "timeout" || err.Data["permission"] != nil) {
		panic(err)
	}
	if err != nil {
		forget(kept(target()))
		time.Sleep(10 * time.Millisecond)
		return false, "the page does not answer: " + err.Message
	}
	if at(got, "script") == true {
		return false, isScript
	}
	return at(got, "ok") == true, fmt.Sprint(at(got, "instead"))
}

// waitHere looks once, and only if that fails waits, in a tab that draws. What is not in the
// page itself may be in a frame of another origin: those are looked into twice a second.
func waitHere(what, state string, seconds float64) (got any) {
	w := page()
	if IsUID(what) && !strings.HasSuffix(state, "text") {
		w = w.has(what)
	}
	got = w.opening(func() M { return object(w.askFor(seconds+5, "wait", what, state, 0)) })
	if number(at(got, "frames")) > 0 && w.parent == nil {
		w, seconds = w.has(what, state), min(seconds, 0.5)
		if w.parent != nil {
			got = w.askFor(seconds+5, "wait", what, state, 0)
		}
	}
	if at(got, "ok") != true && seconds > 0 {
		Drawn(func(string) { got = w.askFor(seconds+5, "wait", what, state, seconds*1000) })
	}
	return got
}

// compiles panics with bad_request if what is not a selector is not JavaScript either.
func compiles(what string) {
	script := "(async () => (" + what + "\n))"
	answer := CDP("Runtime.compileScript", M{"expression": script, "sourceURL": "", "persistScript": false}, M{"spare": true})
	if bad := answer["exceptionDetails"]; bad != nil {
		Fail("bad_request", "waitFor(%q): this is not a uid, text=…, a CSS selector or JavaScript: %v", what, at(bad, "exception", "description"))
	}
}

var returns = Pattern(`^\s*return\b`)

// waitJS waits in the page's own world, where its variables are.
func waitJS(expr, _ string, seconds float64) any {
	body := "const v = (" + expr + "\n); return typeof v === 'function' ? v() : v"
	if returns().MatchString(expr) {
		body = expr
	}
	script := fmt.Sprintf("(%s)(async () => { %s }, %v)", Asset("ui/condition.js"), body, seconds*1000)
	answer := CDP("Runtime.evaluate", M{"expression": script, "returnByValue": true, "awaitPromise": true}, M{"timeout": seconds + 5})
	if bad := answer["exceptionDetails"]; bad != nil {
		Fail("javascript_error", "waitFor(%q): %v", expr, at(bad, "exception", "description"))
	}
	return at(answer, "result", "value")
}

// WaitLoaded waits until the page has loaded (its load event is over), also the one that the
// act before is still on the way to.
func WaitLoaded(seconds float64) {
	for end := after(seconds); ; {
		here := Now()
		var state any
		err := Settle(max(left(end), 0.1))
		if err == nil {
			err = Try(func() {
				got := CDP("Runtime.evaluate", M{"expression": "document.readyState"}, M{"session": here["session_id"], "spare": true})
				state = at(got, "result", "value")
			})
		}
		switch {
		case err == nil && state == "complete":
			return
		case err != nil && err.Code != "timeout":
			panic(err)
		case err != nil || left(end) <= 0:
			if state == nil {
				state = "no document yet"
			}
			Fail("timeout", "the page has not loaded after %v s (%v): %v; waitFor what you need of it", seconds, state, url(here["target_id"]))
		}
		since(int(number(here["seq"])), left(end), "Page.loadEventFired", "Page.frameStoppedLoading", "Page.frameNavigated", "Page.javascriptDialogOpening")
	}
}

func url(target any) any {
	return at(CDP("Target.getTargetInfo", M{"targetId": target}, nil), "targetInfo", "url")
}

// WaitIdle waits until the tab has had no request under way for quiet seconds. Not counted,
// since they may never end: EventSource and WebSocket, and whatever has been under way for
// longer than old seconds (long polling).
func WaitIdle(seconds, quiet, old float64) {
	_, session := Tab()
	open, from, hidden := requests{}, 0, lostBefore()
	var found []any
	for end, span := after(seconds), 0.0; left(end) > 0; span = min(quiet, left(end)) {
		found, from = sinceIn(session, from, span, traffic...)
		for _, e := range found {
			open.note(text(at(e, "method")), object(at(e, "params")))
		}
		if len(found) == 0 && len(open.younger(old)) == 0 && span == quiet && time.Since(hidden).Seconds() >= old {
			return
		}
	}
	if len(open.younger(old)) == 0 && time.Since(hidden).Seconds() < old {
		Fail("timeout", "cannot tell after %v s whether the network is idle: the page made so many requests that some of their events were lost; waitFor what you need", seconds)
	}
	Fail("timeout", "the network is not idle after %v s; still pending: %.1000q", seconds, open.younger(old))
}

// lostBefore is a time before which requests may have begun whose events are lost: the
// daemon's memory of events is bounded, and a request that hangs has only one event.
func lostBefore() (t time.Time) {
	answer := Call(M{"meta": "events", "since": 0, "methods": traffic})
	if number(answer["dropped"]) == 0 {
		return t
	}
	for _, e := range list(answer["events"]) {
		if sent := number(at(e, "params", "wallTime")); sent > 0 {
			return wall(sent)
		}
	}
	return time.Now()
}

// wall is the time of an event, and never later than now, as the browser's clock may be ahead.
func wall(seconds float64) time.Time {
	t := time.UnixMicro(int64(seconds * 1e6))
	if t.After(time.Now()) || seconds == 0 {
		return time.Now()
	}
	return t
}

// WaitQuiet waits until the page has neither changed nor moved nor had a request under way for
// quiet seconds, in which it has drawn frames: a page on a busy machine may only be about to.
func WaitQuiet(seconds, quiet float64) {
	Drawn(func(string) {
		for end := after(seconds); ; {
			Ask("stillFor")
			WaitIdle(max(left(end), quiet+0.1), quiet, 5)
			still := Ask("stillFor")
			ms := number(at(still, "ms"))
			undrawn := number(at(still, "frames")) < 3 && ms < 1000*quiet+2000 // a window that cannot be seen may draw none
			if ms >= quiet*1000 && at(still, "moves") != true && !undrawn {
				return
			}
			if left(end) < quiet {
				Fail("timeout", "the page is not quiet after %v s: it keeps changing, most recently %v; waitFor what you need", seconds, at(still, "what"))
			}
			time.Sleep(time.Duration(max(quiet*1000-ms, 30) * 1e6))
		}
	})
}

var traffic = []string{"Network.requestWillBeSent", "Network.loadingFinished", "Network.loadingFailed", "Page.frameNavigated", "Page.frameDetached"}

// requests are those under way, by their ids.
type requests map[string]underway

type underway struct {
	url, loader, frame string
	since              time.Time
}

func (open requests) note(method string, p M) {
	id := text(p["requestId"])
	switch {
	case method == "Network.requestWillBeSent" && p["type"] != "EventSource":
		open[id] = underway{text(at(p, "request", "url")), text(p["loaderId"]), text(p["frameId"]), wall(number(p["wallTime"]))}
	case method == "Page.frameDetached": // removed, or its document has come, in a process of its own
		for id, r := range open {
			if r.frame == p["frameId"] {
				delete(open, id)
			}
		}
	case method != "Page.frameNavigated":
		delete(open, id)
	default: // requests of the frame's last document are over, whether an event said so or not
		for id, r := range open {
			if r.frame == at(p, "frame", "id") && r.loader != at(p, "frame", "loaderId") {
				delete(open, id)
			}
		}
	}
}

// younger gives the addresses of the requests that have been under way for less than some seconds.
func (open requests) younger(seconds float64) (urls []string) {
	for _, r := range open {
		if time.Since(r.since).Seconds() < seconds {
			urls = append(urls, r.url)
		}
	}
	return urls
}
