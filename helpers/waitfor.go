package helpers

import (
	"fmt"
	"regexp"
	"strings"
)

// waitFor waits until the page is as you say, and returns at once then:
//
//	waitFor("#panel[aria-hidden='false']")   a selector or uid: is there and can be seen
//	waitFor("#spinner", "hidden")            or: "attached", "gone" (from the page), "visible"
//	waitFor("text=Order placed")             a text can be read on the page
//	waitFor("window.app.ready")              JavaScript, a function too, is true
//	waitFor("e12", "gone", 30)               for 30 s instead of 10
//
// It lives through navigations, and looks into frames. Panics timeout, saying what was
// there instead.
func waitFor(what string, how ...any) {
	what, state, seconds := waitArgs(what, how)
	end, instead := after(seconds), ""
	for ok := false; !ok; {
		ok, instead = waitOnce(what, state, max(left(end), 0))
		if !ok && left(end) <= 0 {
			panic(&Error{Code: "timeout", Message: fmt.Sprintf("waitFor(%q): not %s after %v s; %s", what, state, seconds, instead)})
		}
	}
}

// waitArgs reads what to wait for, its state, and the seconds.
func waitArgs(what string, how []any) (thing, state string, seconds float64) {
	thing, isText := strings.CutPrefix(what, "text=")
	state, seconds = "visible", 10
	if isText {
		state = "text"
	} else if !isUID(what) && scriptLike.MatchString(what) {
		state = "js"
	}
	for _, h := range how {
		if word, is := h.(string); is {
			state = word
		} else {
			seconds = as[float64](h)
		}
	}
	return thing, state, seconds
}

// scriptLike are the beginnings and parts that JavaScript has and selectors have not.
var scriptLike = regexp.MustCompile(`^\s*(window|document|globalThis|self|location|navigator|history|localStorage|sessionStorage|performance)\s*[.\[]` +
	`|^\s*(!|\(\)|async\b|function\b|return\b|typeof\b|await\b)|=>|===?|!==?|&&|\|\||\w\(\)`)

// waitOnce waits in the document that is there now; when that goes away under it, ok is
// false before the time is over.
func waitOnce(what, state string, seconds float64) (ok bool, instead string) {
	var got any
	look := waitHere
	if state == "js" {
		look = waitJS
	}
	err := try(func() { got = look(what, state, seconds) })
	if err != nil && err.Code != "cdp_error" && err.Code != "timeout" {
		panic(err)
	}
	if err != nil {
		wait(0.01)
		return false, "the page does not answer: " + err.Message
	}
	return get(got, "ok") == true, fmt.Sprint(get(got, "instead"))
}

// waitHere looks, and only then waits, in a tab that draws. What the page itself has not
// may be in a frame of another origin, or come to be: those are looked into twice a second.
func waitHere(what, state string, seconds float64) (got any) {
	w := pageWorld()
	if isUID(what) && state != "text" {
		w = holderOf(w, what)
	}
	got = inWorldFor(w, seconds+5, "wait", what, state, 0)
	elsewhere, _ := get(got, "frames").(float64)
	if elsewhere > 0 && w["parent"] == nil {
		w, seconds = holderOf(w, what, state), min(seconds, 0.5)
		got = inWorldFor(w, seconds+5, "wait", what, state, 0)
	}
	defer leave(w)
	if get(got, "ok") != true && seconds > 0 {
		drawn(func() { got = inWorldFor(w, seconds+5, "wait", what, state, seconds*1000) })
	}
	return got
}

// waitJS waits in the page's own world, where its variables are.
func waitJS(expr, _ string, seconds float64) any {
	body := "const v = (" + expr + "\n); return typeof v === 'function' ? v() : v"
	if regexp.MustCompile(`^\s*return\b`).MatchString(expr) {
		body = expr
	}
	script := fmt.Sprintf("(%s)(async () => { %s }, %v)", asset("condition.js"), body, seconds*1000)
	answer := cdp("Runtime.evaluate", M{"expression": script, "returnByValue": true, "awaitPromise": true}, M{"timeout": seconds + 5})
	if bad := answer["exceptionDetails"]; bad != nil {
		panic(&Error{Code: "javascript_error", Message: fmt.Sprintf("waitFor(%q): %v", expr, get(bad, "exception", "description"))})
	}
	return get(answer, "result", "value")
}
