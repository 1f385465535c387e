package helpers

import "strings"

// What an action caused is read from the tab's events. The answer to Input.dispatch* and
// the page's own events reach the browser over different pipes, so the answer alone says
// nothing about them; but an answer of the page's main thread comes after every event
// that it sent before. One such answer, 0.5 ms, is all that an ordinary click waits for.

// caused runs act and tells what it caused in the tab, nil for nothing: {dialog: {type,
// message, url, default}}, {navigated: url}, {newTab: target id}, {download: {url, name}},
// or several of them. It sees what the page did while it handled the act, not what a timer
// or a reply does later. A navigation is followed for up to 1 s: navigated is where it
// led, with failed: true when that is Chrome's error page, with pending: true when nothing
// has come yet.
func caused(act func()) M { return follow(act, M{}) }

// follow is caused with something known before: {going: url, or true} a navigation will
// begin, {loads: true} it is to be followed until the page has loaded.
func follow(act func(), got M) M {
	here := call(M{"meta": "session"})
	err := try(act)
	if err == nil {
		return outcome(here, got)
	}
	if err.Code != "dialog_open" || here["dialog"] != nil {
		panic(err)
	}
	return M{"dialog": err.Data["dialog"]}
}

func outcome(here, got M) M {
	session, seq, end := as[string](here["session_id"]), as[int](here["seq"]), after(1)
	var found []any
	for wait := 0.0; wait >= 0; wait = patience(got, left(end), len(found)) {
		if wait == 0 {
			handled(got, session, left(end))
		}
		found, seq = sinceIn(session, seq, wait, effects...)
		for _, e := range found {
			note(got, as[string](here["target_id"]), as[string](get(e, "method")), as[M](get(e, "params")))
		}
	}
	if url, known := got["going"].(string); known && got["navigated"] == nil && got["stopped"] == nil {
		got["navigated"], got["pending"] = url, true
	}
	return without(got, "going", "loads", "stopped", "script")
}

// handled waits until the page has handled what it got, a javascript: link too: that one
// runs as a task of its own, after the click.
func handled(got M, session string, seconds float64) {
	settle(session, seconds)
	if got["script"] == true {
		got["script"] = false
		next := M{"expression": "new Promise(r => setTimeout(r))", "awaitPromise": true}
		try(func() { cdp("Runtime.evaluate", next, M{"timeout": seconds, "session": session}) })
	}
}

// settle waits until the page's main thread has done what it was at, and any navigation
// under way has a page to show: until then Chrome holds all answers of the page back.
func settle(session string, seconds float64) *Error {
	return try(func() { cdp("Runtime.getIsolateId", nil, M{"timeout": seconds, "session": session}) })
}

// patience is how many seconds to wait for more effects, below zero for none.
func patience(got M, left float64, found int) float64 {
	if got["script"] == true && got["dialog"] == nil {
		return 0
	}
	if got["dialog"] != nil || got["going"] == nil || got["stopped"] != nil && found == 0 {
		return -1
	}
	if got["stopped"] != nil { // no page came of it: perhaps a download, told just after
		return min(left, 0.3)
	}
	return left
}

var effects = []string{"Page.javascriptDialogOpening", "Page.frameScheduledNavigation", "Page.frameRequestedNavigation",
	"Page.frameStartedNavigating", "Page.frameNavigated", "Page.navigatedWithinDocument", "Page.frameStoppedLoading",
	"Page.loadEventFired", "Page.downloadWillBegin", "Target.targetCreated"}

// note enters into got what an event says about the tab called target.
func note(got M, target, method string, p M) {
	url, _ := p["url"].(string)
	switch {
	case method == "Page.javascriptDialogOpening":
		got["dialog"] = M{"type": p["type"], "message": p["message"], "url": url, "default": p["defaultPrompt"]}
	case method == "Page.downloadWillBegin":
		got["download"] = M{"url": url, "name": p["suggestedFilename"]}
		delete(got, "going")
	case method == "Target.targetCreated" && get(p, "targetInfo", "openerId") == target:
		got["newTab"] = get(p, "targetInfo", "targetId")
	case method == "Page.frameScheduledNavigation" && strings.HasPrefix(url, "javascript:") && got["script"] == nil:
		got["script"] = true
	default:
		moved(got, target, method, p)
	}
}

// moved is note for the steps of a navigation.
func moved(got M, target, method string, p M) {
	frame, mine := as[M](or(p["frame"], M{})), p["frameId"] == target
	switch {
	case mine && (method == "Page.frameStartedNavigating" || method == "Page.frameRequestedNavigation" && p["disposition"] == "currentTab"):
		got["going"] = p["url"]
		delete(got, "stopped")
	case mine && method == "Page.navigatedWithinDocument":
		got["navigated"] = p["url"]
		delete(got, "going")
	case frame["id"] == target:
		arrived(got, frame)
	case method == "Page.loadEventFired" && got["navigated"] != nil, mine && method == "Page.frameStoppedLoading" && got["navigated"] != nil:
		delete(got, "going")
	case mine && method == "Page.frameStoppedLoading" && got["going"] != nil:
		got["stopped"] = true
	}
}

// arrived is note for the page that a navigation led to.
func arrived(got, frame M) {
	got["navigated"] = as[string](frame["url"]) + as[string](or(frame["urlFragment"], ""))
	delete(got, "failed")
	if frame["unreachableUrl"] != nil {
		got["navigated"], got["failed"] = frame["unreachableUrl"], true
	}
	if got["loads"] == nil {
		delete(got, "going")
	}
}

// or is v, or otherwise when v is nil.
func or(v, otherwise any) any {
	if v == nil {
		return otherwise
	}
	return v
}

// without is m less some keys, nil when nothing is left.
func without(m M, keys ...string) M {
	for _, k := range keys {
		delete(m, k)
	}
	if len(m) == 0 {
		return nil
	}
	return m
}
