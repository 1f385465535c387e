package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"bu/daemon/wire"
	"bu/run/script"
)

// M is a JSON object.
type M = map[string]any

// Error is what helpers panic with; helpers/native.go tells models about it.
type Error struct {
	Code, Message string
	Data          M
}

func (e *Error) Error() string { return e.Code + ": " + e.Message }

// browser is the snippet's way to the daemon. Nothing is dialled, and no daemon
// started, before the first call.
type browser struct {
	name, tab string        // BU_NAME and BU_TAB
	snippet   string        // told to those who wait for this run
	limit     time.Duration // BU_TIMEOUT
	allow     wire.Hosts    // BU_ALLOW

	meeting sync.Mutex // held while the first caller greets the daemon
	met     bool

	recording *recording
	progress  progress
	expired   *time.Timer // fires at the end of BU_TIMEOUT
	began     time.Time
	interrupt chan os.Signal
	heeds     sync.Once

	mu    sync.Mutex
	end   time.Time    // of BU_TIMEOUT
	idle  []*wire.Conn // a call has a connection to itself
	event int          // see seen
	key   string       // lets this run through while a person drives for it
}

func newBrowser(name, tab, snippet string, limit time.Duration) *browser {
	return &browser{name: name, tab: tab, snippet: snippet, limit: limit, began: time.Now(), end: time.Now().Add(limit), expired: time.NewTimer(limit), interrupt: make(chan os.Signal, 1)}
}

// left is what remains of BU_TIMEOUT.
func (b *browser) left() time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	return time.Until(b.end)
}

// natives are the names that run puts in the place of helpers/native.go.
func (b *browser) natives(dir string) map[string]any {
	return map[string]any{
		"Error": (*Error)(nil),
		"call":  b.call,
		"other": b.other,
		"try":   try,
		"seen":  b.seen,
		"asset": func(name string) string { return asset(dir, name) },

		"progress": b.progress.set,
		"untimed":  b.untimed,
		"record":   b.recording.set,
	}
}

// built is what runs compiled: those names, in place of what native.go declares.
func (b *browser) built(dir string) *script.Built {
	natives, text, err := b.natives(dir), map[string]string{}, error(nil)
	file, err := os.ReadFile(filepath.Join(dir, mark))
	if err == nil {
		text[mark] = string(file)
	}
	return &script.Built{
		Path:  "bu/helpers",
		Text:  func() map[string]string { return text },
		Value: func(name string) any { return natives[name] },
	}
}

// call sends a request line and gives the answer; goroutines may call at once.
func (b *browser) call(req M) M {
	start := req["start"] != false
	if start && req["meta"] != "drive" { // a person who takes the wheel waits for no run
		b.greet()
	}
	conn, err := b.dial(start)
	if err == nil {
		var answer M
		answer, err = b.watched(req, func() (M, error) { return b.exchange(conn, req) })
		if err == nil {
			return answer
		}
	}
	panic(failure(err))
}

// greet asks for the caller's session before the first call: the answer waits
// until the daemon has a browser, and what it tells holds for the whole run.
func (b *browser) greet() {
	b.meeting.Lock()
	defer b.meeting.Unlock()
	if b.met {
		return
	}
	if b.driver() == "" {
		if err := b.takeTurn(); err != nil {
			panic(failure(err))
		}
	}
	for try := 0; !b.met; try++ {
		conn, err := b.dial(true)
		if err != nil {
			panic(failure(err))
		}
		stop := b.explain()
		hello, err := b.exchange(conn, M{"meta": "session", "browser": wire.Address(os.Getenv), "began": b.began.UnixMicro()})
		stop()
		var lost *wire.Error
		var e *Error
		if try < 3 && (errors.As(err, &lost) || errors.As(err, &e) && e.Code == "daemon_ended") {
			b.drop()
			continue // it was ending when we came, and asking its successor is harmless
		}
		if errors.As(err, &e) && e.Code != "no_browser" {
			err, hello = nil, e.Data // a closed or a crashed tab, say, is for the call itself to meet
		}
		if err != nil {
			panic(failure(err))
		}
		b.met = true
		b.seen(int(number(hello["seq"])))
	}
}

// drop lets go of a daemon that ends, once it has: its socket and its lock are free then.
func (b *browser) drop() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, conn := range b.idle {
		conn.SetReadDeadline(time.Now().Add(3 * time.Second))
		conn.Read(make([]byte, 1))
		conn.Close()
	}
	b.idle = nil
}

// takeTurn waits for the earlier runs on this tab, unless the person has it.
func (b *browser) takeTurn() (err error) {
	defer b.progress.during("waiting for another run on this tab")()
	what, _, _ := strings.Cut(strings.TrimSpace(b.snippet), "\n")
	b.untimed(func() {
		err = turn(b.name, b.tab, fmt.Sprintf("%.80s", what), b.mayWait)
	})
	return err
}

// mayWait says who is waited for, after 2 s, and ends the wait if it is a person.
func (b *browser) mayWait(waited time.Duration, who string) error {
	if waited == 2*turnCheck {
		b.progress.say("run: waiting for another run on this tab,", who)
	}
	conn, err := b.dial(false)
	if err != nil {
		return nil
	}
	// Not session: that would take the notices of the run that is at work.
	status, _ := b.exchange(conn, M{"meta": "status"})
	if message, is := status["user_driving"].(string); is {
		return &Error{Code: "user_driving", Message: "the user has this tab: " + message + ". Try again when they are done"}
	}
	return nil
}

// untimed runs f with the clock of BU_TIMEOUT stopped.
func (b *browser) untimed(f func()) {
	left := b.left()
	b.setEnd(24 * time.Hour)
	defer b.setEnd(left)
	f()
}

func (b *browser) setEnd(left time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.end = time.Now().Add(left)
	b.expired.Reset(left)
}

func (b *browser) driver() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.key
}

// dial takes a connection that is free, or makes one; start says whether a
// daemon may be started for it.
func (b *browser) dial(start bool) (*wire.Conn, error) {
	b.heed()
	b.mu.Lock()
	if n := len(b.idle); n > 0 {
		conn := b.idle[n-1]
		b.idle = b.idle[:n-1]
		b.mu.Unlock()
		return conn, nil
	}
	b.mu.Unlock()
	conn, err := wire.Dial(context.Background(), b.name)
	if !errors.Is(err, wire.ErrNoDaemon) {
		return conn, err
	}
	if !start {
		return nil, &Error{Code: "no_daemon", Message: "no daemon runs for BU_NAME " + b.name + "; the next call that needs the browser starts one"}
	}
	if err := startDaemon(b.name, nil); err != nil {
		return nil, err
	}
	return wire.Dial(context.Background(), b.name)
}

// exchange sends one request on conn and waits for its answer. A request that
// was lost on the way is not sent again: nobody knows whether it took effect.
func (b *browser) exchange(conn *wire.Conn, req M) (M, error) {
	line, limit, err := b.encode(req)
	if err != nil {
		return nil, err
	}
	// The daemon answers in time by itself; this is for one that is frozen.
	ctx, cancel := context.WithTimeoutCause(context.Background(), limit+5*time.Second,
		&Error{Code: "timeout", Message: "the daemon does not answer; see its process and log, or killDaemon()"})
	defer cancel()
	defer b.progress.during(describe(req))()
	answer, err := ask(ctx, conn, line)
	var e *Error
	if err == nil || errors.As(err, &e) && e.Data != nil { // the line is whole, so the connection is good
		b.mu.Lock()
		b.idle = append(b.idle, conn) // open until we end, and so is what the daemon ties to it
		if req["meta"] == "drive" && err == nil {
			b.key, _ = answer["key"].(string)
		}
		b.mu.Unlock()
	}
	told := answer
	if e != nil {
		told = e.Data
	}
	notices, _ := told["notices"].([]any) // each is handed out once, to whichever session call comes first
	for _, n := range notices {
		b.progress.say("notice:", n)
	}
	return answer, err
}

// ask sends a line and reads the answer; an error that the daemon answers is an
// *Error with the rest of the answer as its Data.
func ask(ctx context.Context, conn *wire.Conn, line []byte) (M, error) {
	raw, err := conn.CallLine(ctx, line)
	if err != nil {
		return nil, err
	}
	var answer M
	if err := json.Unmarshal(raw, &answer); err != nil {
		return nil, fmt.Errorf("the daemon's answer is no JSON: %w", err)
	}
	if msg, failed := answer["error"].(string); failed {
		code, _ := answer["code"].(string)
		delete(answer, "error")
		delete(answer, "code")
		return nil, &Error{Code: code, Message: msg, Data: answer}
	}
	return answer, nil
}

// describe is what a person is told of a call that takes long.
func describe(req M) string {
	if m, ok := req["method"].(string); ok {
		return m
	}
	switch req["meta"] {
	case "session":
		return "waiting for the browser"
	case "events":
		methods, _ := json.Marshal(req["methods"])
		return "waiting for " + strings.Join(strings.FieldsFunc(string(methods), func(r rune) bool { return strings.ContainsRune(`[]",`, r) }), ", ")
	}
	return fmt.Sprint(req["meta"])
}

// encode makes the request line, with the caller's tab in it and a deadline that
// ends before the run does, so that a call fails with its own reason and place.
func (b *browser) encode(req M) (line []byte, limit time.Duration, err error) {
	req = maps.Clone(req)
	delete(req, "start")
	if b.tab != "" {
		req["tab"] = b.tab
	}
	if b.allow != nil {
		req["allow"] = b.allow
	}
	if key := b.driver(); key != "" {
		req["drive"] = key
	}
	limit = 30 * time.Second
	ms, asked := req["timeout_ms"]
	if asked {
		limit = time.Duration(number(ms) * float64(time.Millisecond))
	}
	if left := b.left() - margin; limit > left {
		limit, asked = max(left, time.Millisecond), true
	}
	if asked && (ms != nil || req["method"] != nil) {
		req["timeout_ms"] = limit.Milliseconds()
	}
	if line, err = json.Marshal(req); err != nil {
		return nil, 0, &Error{Code: "bad_request", Message: "params that are no JSON: " + err.Error()}
	}
	return line, limit, nil
}

// turnCheck is how often a run that waits for its turn looks whether a person has the tab.
const turnCheck = time.Second

// margin is how much earlier than the run its last call ends.
const margin = 100 * time.Millisecond

// number is a JSON number, or whatever Go number a helper wrote in its place.
func number(v any) float64 {
	switch n := v.(type) {
	case float64:
		return n
	case int:
		return float64(n)
	case int64:
		return float64(n)
	}
	return 0
}

// seen is the run's event cursor, as helpers/native.go says.
func (b *browser) seen(seq ...int) int {
	if len(seq) == 0 {
		b.greet()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(seq) > 0 {
		b.event = seq[0]
	}
	return b.event
}

// failure is err as what helpers panic with.
func failure(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	var w *wire.Error
	if errors.As(err, &w) {
		return &Error{Code: w.Code, Message: w.Message}
	}
	return &Error{Code: "no_daemon", Message: err.Error()}
}

// asset reads a file beside the helpers, afresh on every call as all of them.
func asset(dir, name string) string {
	text, err := os.ReadFile(filepath.Join(dir, filepath.Base(name)))
	if err != nil {
		panic(&Error{Code: "not_found", Message: "a helper wants a file that is not there: " + err.Error()})
	}
	return string(text)
}

// try runs f and gives what it panicked with, as helpers/native.go says.
func try(f func()) (err *Error) {
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
