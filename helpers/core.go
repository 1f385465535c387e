package helpers

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// cdp calls a method of the Chrome DevTools Protocol in the current tab (Target.* and
// Browser.*: in the browser) and gives its result. params[0] are the method's params;
// params[1], rarely needed, is M{"timeout": seconds (30), "session": id}.
// Errors: cdp_error with Chrome's text, timeout, dialog_open, tab_closed, browser_gone.
func cdp(method string, params ...M) M {
	req := M{"method": method}
	if len(params) > 0 && params[0] != nil {
		req["params"] = params[0]
	}
	if len(params) > 1 && params[1]["session"] != nil {
		req["session_id"] = params[1]["session"]
	}
	if len(params) > 1 && params[1]["timeout"] != nil {
		req["timeout_ms"] = int(max(0, as[float64](params[1]["timeout"])*1000))
	}
	return as[M](call(req)["result"])
}

// cdpIn is cdp in the session of another target, as Target.attachToTarget gives it.
func cdpIn(session, method string, params ...M) M {
	if len(params) == 0 {
		params = []M{nil}
	}
	return cdp(method, params[0], M{"session": session})
}

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
		panic(&Error{Code: "bad_value", Message: fmt.Sprintf("as: %.200v is a %T, not a %T", v, v, t)})
	}
	return t
}

// events gives what happened in the tab (and in the browser) since the run began, or
// since the event that waitEvent found last: [{seq, method, params}], oldest first.
// With methods, only those.
func events(methods ...string) []any {
	found, _ := since(seen(), 0, methods...)
	return found
}

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
	limit, match := eventArgs(optional)
	for from, end := seen(), after(limit); ; {
		found, newest := since(from, left(end), method)
		for _, e := range found {
			params := as[M](get(e, "params"))
			if match(params) {
				seen(as[int](get(e, "seq")))
				return params
			}
		}
		if from = newest; len(found) == 0 && left(end) <= 0 {
			panic(&Error{Code: "timeout", Message: fmt.Sprintf("no %s within %v s", method, limit)})
		}
	}
}

func eventArgs(optional []any) (limit float64, match func(M) bool) {
	limit, match = 10, func(M) bool { return true }
	for _, o := range optional {
		switch o := o.(type) {
		case func(M) bool:
			match = o
		default:
			limit = as[float64](o)
		}
	}
	return limit, match
}

// since gives the current tab's and the browser's events after seq, waiting up to some
// seconds for the first, and the seq to go on from.
func since(seq int, seconds float64, methods ...string) (found []any, newest int) {
	session := as[string](call(M{"meta": "session"})["session_id"])
	return sinceIn(session, seq, seconds, methods...)
}

// sinceIn is since for the tab of a session. Where no method is the browser's, other tabs
// do not end its wait.
func sinceIn(session string, seq int, seconds float64, methods ...string) (found []any, newest int) {
	request := M{"meta": "events", "since": seq, "methods": methods, "timeout_ms": int(max(0, seconds*1000))}
	if all := strings.Join(methods, " "); session != "" && all != "" && !strings.Contains(all, "Target.") && !strings.Contains(all, "Browser.") {
		request["session_id"] = session
	}
	for _, e := range as[[]any](call(request)["events"]) {
		from, _ := get(e, "session_id").(string)
		if from == "" || from == session {
			found = append(found, e)
		}
		newest = as[int](get(e, "seq"))
	}
	return found, max(newest, seq)
}

// after is the time some seconds from now; left is how many are left until it.
func after(seconds float64) time.Time { return time.Now().Add(time.Duration(seconds * 1e9)) }

func left(end time.Time) float64 { return time.Until(end).Seconds() }

// option is the i-th of trailing optional numbers, or what it is by default.
func option(given []float64, i int, otherwise float64) float64 {
	if i < len(given) {
		return given[i]
	}
	return otherwise
}
