// Package helpers is what a snippet drives the browser with: short functions over
// the Chrome DevTools Protocol, read afresh by bin/run on every call, yours to edit.
// For go vet and go test it is an ordinary package; what a model runs is this text,
// interpreted.
package helpers

// The names in this file are compiled into bin/run, which puts them in the place of
// these declarations. Everything else in this folder stands on them.

// M is a JSON object. Results are plain JSON values: M, []any, string, float64, bool, nil.
type M = map[string]any

// Error is what a helper panics with. Code is one of SKILL.md's, Message says what
// failed and what to do next, Data is whatever else a caller may want ("dialog", …).
type Error struct {
	Code, Message string
	Data          M
}

func (e *Error) Error() string { return e.Code + ": " + e.Message }

// call sends one request line to the daemon and gives its answer. It adds the
// caller's tab, starts a daemon when there is none ("start": false in the request
// makes that the error no_daemon instead), and panics *Error. Safe for goroutines.
var call func(request M) M

// try runs f and gives the *Error that it panicked with, nil if it did not. A
// run-time panic becomes code "panic".
var try func(f func()) *Error

// asset is the text of a file beside the helpers: page-side JavaScript.
var asset func(name string) string

// seen is the run's event cursor: the newest event's sequence number at the run's
// first call to the daemon, or the value last set by seen(n).
var seen func(seq ...int) int

// other sends a request to the daemon of another BU_NAME, with no tab in it. With env,
// variables by name, it first starts that daemon with those added to its environment.
// Panics *Error: no_daemon, and what the daemon answers.
var other func(name string, request M, env ...M) M
