package engine

import "strings"

// events.go: the order of a tab's events. A run has a cursor: it starts at the newest event
// when the run first speaks to the daemon, and goes on to each event that WaitEvent finds.

// Events gives what happened in the tab (and in the browser) since the cursor: [{seq, method,
// params}], oldest first. With methods, only those.
func Events(methods ...string) []any {
	found, _ := since(cursor(), 0, methods...)
	return found
}

// WaitEvent waits for an event after the cursor whose params match, sets the cursor to it
// and gives its params. It panics timeout after some seconds.
func WaitEvent(method string, seconds float64, match func(params M) bool) M {
	return waitEvent(cursor(), method, seconds, match)
}

// WaitEventEver is WaitEvent for any event that the daemon still holds, of earlier runs too.
func WaitEventEver(method string, seconds float64, match func(params M) bool) M {
	return waitEvent(0, method, seconds, match)
}

func waitEvent(from int, method string, seconds float64, match func(params M) bool) M {
	for end := after(seconds); ; {
		found, newest := since(from, left(end), method)
		for _, e := range found {
			params := object(at(e, "params"))
			if match == nil || match(params) {
				run.Lock()
				run.cursor, run.begun = max(run.cursor, int(number(at(e, "seq")))), true
				run.Unlock()
				return params
			}
		}
		if from = newest; len(found) == 0 && left(end) <= 0 {
			Fail("timeout", "no %s event within %v s", method, seconds)
		}
	}
}

// Since gives the tab's (and the browser's) events after a sequence number, waiting up to
// some seconds for the first, and the number to go on from.
func Since(seq int, seconds float64, methods ...string) (found []any, newest int) {
	return since(seq, seconds, methods...)
}

func cursor() int {
	run.Lock()
	begun := run.begun
	run.Unlock()
	if !begun {
		seq := int(number(host.Hello()["seq"]))
		run.Lock()
		run.cursor, run.begun = seq, true
		run.Unlock()
	}
	run.Lock()
	defer run.Unlock()
	return run.cursor
}

func since(seq int, seconds float64, methods ...string) ([]any, int) {
	_, session := Tab()
	return sinceIn(session, seq, seconds, methods...)
}

// sinceIn is since for the tab of a session. Where no method is the browser's, other tabs
// do not end its wait.
func sinceIn(session string, seq int, seconds float64, methods ...string) (found []any, newest int) {
	return those(Call(asking(session, seq, seconds, methods)), session, seq)
}

func asking(session string, seq int, seconds float64, methods []string) M {
	ask := M{"meta": "events", "since": seq, "methods": methods, "timeout_ms": int(max(0, seconds*1000))}
	if all := strings.Join(methods, " "); session != "" && all != "" && !strings.Contains(all, "Target.") && !strings.Contains(all, "Browser.") {
		ask["session_id"] = session
	}
	return ask
}

// those are the events of an answer that are the session's or the browser's.
func those(answer M, session string, seq int) (found []any, newest int) {
	newest = seq
	for _, e := range list(answer["events"]) {
		if from := text(at(e, "session_id")); from == "" || from == session {
			found = append(found, e)
		}
		newest = max(newest, int(number(at(e, "seq"))))
	}
	return found, newest
}
