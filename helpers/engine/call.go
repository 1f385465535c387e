// Package engine is the machinery below package helpers: the worlds, frames and sessions
// of the page, the order of its events, what an act caused, pictures. A helper calls it
// and owns nothing of that: what is attached here is let go of here.
//
// The page side is js/ beside this file: see (reading), do (acting), ui (what is shown).
// It is read afresh by each run; the Go side is compiled into bin/run by make build.
package engine

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"
)

// M is a JSON object. Results are plain JSON values: M, []any, string, float64, bool, nil.
type M = map[string]any

// Error is what a helper panics with. Code is one of SKILL.md's, Message says what
// failed and what to do next, Data is whatever else a caller may want ("dialog", …).
type Error struct {
	Code, Message string
	Data          M
}

func (e *Error) Error() string { return e.Code + ": " + e.Message }

// Host is what bin/run supplies.
type Host struct {
	// Send sends requests to the daemon, in order and without waiting between them, and
	// gives an answer for each. It adds the caller's tab and starts a daemon when there is
	// none ("start": false in a request makes that the error no_daemon instead).
	Send func(requests ...M) []Answer
	// Hello is the daemon's answer to the greeting of this run, which it sends if need be.
	Hello func() M
	// Other sends a request to the daemon of another BU_NAME; with env, variables by name,
	// it first starts that daemon with those added to its environment.
	Other    func(name string, request M, env ...M) M
	Asset    func(names ...string) [][]byte // the texts of files of js/
	Untimed  func(f func())                 // runs f with BU_TIMEOUT's clock stopped
	Progress func(what string)              // shows a person at a terminal what takes long; "" ends it
	Record   func(folder string) string     // starts a recording, "" ends it; gives its page
	Recorder func() Recorder                // of the recording that is on, else nil
	Picture  func(path string)              // called with the path of each picture that was saved
	Within   func(address string) error     // why BU_ALLOW, this run's or its daemon's, keeps from an address
	Sites    string                         // the folder of notes on sites
	Forget   func()                         // forgets the browser and tabs of a daemon that is dead
}

// Answer is the daemon's to one request.
type Answer struct {
	M   M
	Err *Error
}

var host Host

// Bind gives the engine its host. bin/run does so before a snippet runs.
func Bind(h Host) { host = h }

// run is what one run knows of its tab.
var run struct {
	sync.Mutex
	seq      int  // of the newest event that an answer reported
	told     int  // answers that did
	cursor   int  // see Events
	begun    bool // cursor is set
	target   string
	session  string
	worlds   map[string]*world // by frame
	world    any               // of the greeting, see earlier
	greeted  int               // its seq
	headless bool              // no window is there for anybody, see outcome
	acted    int               // the newest event that the last act knew about
	captures []string          // sessions that hold the tab's dialogs for the run
	noted    map[string]bool   // notes whose names were printed already
}

// Call sends one request line to the daemon and gives its answer. Safe for goroutines.
func Call(request M) M {
	answer := send(request)[0]
	if answer.Err != nil {
		panic(answer.Err)
	}
	return answer.M
}

func send(requests ...M) []Answer {
	answers := host.Send(requests...)
	run.Lock()
	defer run.Unlock()
	for _, a := range answers {
		if seq, is := a.M["seq"].(float64); is {
			run.seq, run.told = max(run.seq, int(seq)), run.told+1
		}
	}
	return answers
}

// CDP calls a method in the current tab (Target.* and Browser.*: in the browser) and gives
// its result. options: {timeout: seconds, session: id, force, tied, undo}.
func CDP(method string, params, options M) M {
	if strings.HasPrefix(method, "Runtime.") && (options["session"] == nil || options["session"] == "") {
		defer watchPreview()()
	}
	return M(object(Call(request(method, params, options))["result"]))
}

func request(method string, params, options M) M {
	req := M{"method": method}
	if params != nil {
		req["params"] = params
	}
	if id := options["session"]; id != nil && id != "" {
		req["session_id"] = id
	}
	if options["timeout"] != nil {
		req["timeout_ms"] = int(max(0, number(options["timeout"])*1000))
	}
	for _, k := range []string{"force", "tied", "undo", "spare"} {
		if options[k] != nil {
			req[k] = options[k]
		}
	}
	return req
}

// Other is Host's.
func Other(name string, request M, env ...M) M { return host.Other(name, request, env...) }

// Untimed is Host's.
func Untimed(f func()) { host.Untimed(f) }

// Progress is Host's.
func Progress(what string) { host.Progress(what) }

// Record is Host's.
func Record(folder string) string { return host.Record(folder) }

// Within is Host's: a *Error of code not_allowed, or nil.
func Within(address string) error { return host.Within(address) }

// Asset is Host's.
func Asset(name string) string { return string(host.Asset(name)[0]) }

// Try runs f and gives the *Error that it panicked with, nil if it did not. A run-time
// panic becomes code "panic".
func Try(f func()) (err *Error) {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case *Error:
			err = v
		default:
			err = &Error{Code: "panic", Message: fmt.Sprint(v)}
		}
	}()
	f()
	return nil
}

// Fail panics with an *Error.
func Fail(code, format string, a ...any) {
	panic(&Error{Code: code, Message: fmt.Sprintf(format, a...)})
}

// object, list, text and number read a JSON value, and give the empty one for any other.
func object(v any) M { m, _ := v.(M); return m }

func list(v any) []any { l, _ := v.([]any); return l }

func text(v any) string { s, _ := v.(string); return s }

func number(v any) float64 {
	switch n := v.(type) {
	case float64:
		return n
	case int:
		return float64(n)
	}
	return 0
}

// at walks down objects by their keys.
func at(v any, path ...string) any {
	for _, p := range path {
		v = object(v)[p]
	}
	return v
}

// after is the time some seconds from now; left is how many are left until it.
func after(seconds float64) time.Time { return time.Now().Add(time.Duration(seconds * 1e9)) }

func left(end time.Time) float64 { return time.Until(end).Seconds() }

// Pattern is a regular expression that is compiled when it is first used, and not by every
// run that starts: each lives for milliseconds.
func Pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
