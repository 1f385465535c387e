// Package helpers is what a snippet drives the browser with: short functions over the Chrome
// DevTools Protocol, yours to edit. An edit takes effect at the next call; helpers that
// nobody has edited since make build run compiled. A function in one of your my*.go files
// here replaces the shipped helper of the same name. Sessions, frames, uids and the order of
// events are the business of package engine below.
package helpers

import (
	"encoding/json"
	"fmt"

	"bu/helpers/engine"
)

// M is a JSON object. Results are plain JSON values: M, []any, string, float64, bool, nil.
type M = engine.M

// Error is what a helper panics with: Code is one of SKILL.md's, Message says what failed
// and what to do next, Data is whatever else a caller may want ("dialog", …).
type Error = engine.Error

// cdp calls a method of the Chrome DevTools Protocol in the current tab (Target.* and
// Browser.*: in the browser) and gives its result. params[0] are the method's params;
// params[1], rarely needed, is M{"timeout": seconds (30), "session": id, "spare":
// true} (a script too short to need ending when the run ends).
// Errors: cdp_error with Chrome's text, timeout, dialog_open, tab_closed, browser_gone.
func cdp(method string, params ...M) M {
	params = append(params, nil, nil)
	return engine.CDP(method, params[0], params[1])
}

// cdpIn is cdp in the session of another target, as Target.attachToTarget gives it.
func cdpIn(session, method string, params ...M) M {
	return cdp(method, append(params, nil)[0], M{"session": session})
}

// call sends one request line to the daemon and gives its answer: {"method", "params"} or
// {"meta"}, see AGENTS.md. Safe for goroutines.
func call(request M) M { return engine.Call(request) }

// try runs f and gives the *Error that it panicked with, nil if it did not. A run-time
// panic becomes code "panic".
func try(f func()) *Error { return engine.Try(f) }

// get walks down v: strings are keys of objects, ints are places in lists (-1 is the
// last). nil when anything on the way is missing: get(r, "frame", "url").
func get(v any, path ...any) any {
	for _, p := range path {
		i, isPlace := p.(int)
		if isPlace {
			v = nth(v, i)
		} else {
			object, _ := v.(M)
			v = object[as[string](p)]
		}
	}
	return v
}

func nth(v any, i int) any {
	list, _ := v.([]any)
	if i < 0 {
		i += len(list)
	}
	if i < 0 || i >= len(list) {
		return nil
	}
	return list[i]
}

// as gives v as a T: itself when it is one, else by way of JSON, so that
// as[int](3.0), as[[]string](list) and as[MyStruct](object) work. Panics bad_value
// when it does not fit, nil included.
func as[T any](v any) T {
	t, ok := v.(T)
	if ok {
		return t
	}
	text, err := json.Marshal(v)
	if err == nil && v != nil {
		err = json.Unmarshal(text, &t)
	}
	if err != nil || v == nil {
		panic(&Error{Code: "bad_value", Message: fmt.Sprintf("as: %.200s is a %T, not a %T", fmt.Sprint(v), v, t), Data: M{"own": true}}) // the snippet's own: where it is in here says nothing
	}
	return t
}

// or gives v, or otherwise when v is nil.
func or(v, otherwise any) any {
	if v == nil {
		return otherwise
	}
	return v
}

// option gives the i-th of the trailing optional numbers, or its default.
func option(given []float64, i int, otherwise float64) float64 {
	if i < len(given) {
		return given[i]
	}
	return otherwise
}

// events gives what happened in the tab (and in the browser) since the run began, or
// since the event that waitEvent found last: [{seq, method, params}], oldest first.
// With methods, only those.
func events(methods ...string) []any { return engine.Events(methods...) }

// drainEvents takes all held events, of all tabs, out of the daemon's memory:
// [{seq, method, params, session_id}]. It holds the newest 500.
func drainEvents() []any {
	return as[[]any](call(M{"meta": "drain_events"})["events"])
}

// waitEvent waits for an event of the tab (or browser) after the run began, or after
// the one that it found last, and gives its params. So click(x, y);
// waitEvent("Page.loadEventFired") has no race. Optional, in any order: the seconds to
// wait (10) and a func(params M) bool that must say true. Panics timeout.
func waitEvent(method string, optional ...any) M {
	limit, match := 10.0, func(M) bool { return true }
	for _, o := range optional {
		f, isMatch := o.(func(M) bool)
		if isMatch {
			match = f
		} else {
			limit = as[float64](o)
		}
	}
	return engine.WaitEvent(method, limit, match)
}
