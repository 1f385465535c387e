package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"bu/daemon/wire"
	"bu/helpers/engine"
	"bu/run/record"
)

// M is a JSON object.
type M = engine.M

// Error is what helpers panic with.
type Error = engine.Error

// browser is the snippet's way to the daemon. Nothing is dialled, and no daemon
// started, before the first call.
type browser struct {
	name, tab string        // BU_NAME and BU_TAB
	dir       string        // of the helpers
	snippet   string        // told to those who wait for this run
	limit     time.Duration // BU_TIMEOUT
	allow     wire.Hosts    // BU_ALLOW
	limits    sync.Once
	hosts     wire.Hosts // those that the daemon lets this run reach, after limits

	meeting  sync.Mutex // held while the first caller greets the daemon
	met      bool
	greeting M // what the daemon answered

	recording *record.Recording
	progress  progress
	now       atomic.Value // of the script's, what says where it is
	expired   *time.Timer  // fires at the end of BU_TIMEOUT
	began     time.Time
	interrupt chan os.Signal
	gone      atomic.Bool // the parent, see parent.go
	soon      sync.Once   // begins the time until heed
	heeds     sync.Once

	mu   sync.Mutex
	end  time.Time    // of BU_TIMEOUT
	idle []*wire.Conn // a call has a connection to itself
	key  string       // lets this run through while a person drives for it
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

// send sends request lines, in order and without waiting between them, and gives their
// answers; goroutines may call at once.
func (b *browser) send(requests ...M) []engine.Answer {
	first := requests[0]
	start := first["start"] != false
	if start && first["meta"] != "drive" { // a person who takes the tab waits for no run
		b.greet()
	}
	answers, errs := make([]engine.Answer, len(requests)), make([]error, len(requests))
	b.recording.Watch(requests, func() error {
		conn, err := b.dial(start)
		if err != nil {
			for i := range errs {
				errs[i] = err
			}
		} else {
			b.exchange(conn, requests, answers, errs)
		}
		return errs[0]
	})
	for i, err := range errs {
		if err != nil {
			answers[i] = engine.Answer{Err: failure(err)}
		}
	}
	return answers
}

// hello is the daemon's answer to the greeting.
func (b *browser) hello() M {
	b.greet()
	return b.greeting
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
		edited := make(chan string, 1)
		go func() { edited <- outdated(b.dir) }() // while the daemon answers
		hello, err := b.one(conn, M{"meta": "session", "browser": wire.Address(os.Getenv), "began": b.began.UnixMicro(), "tied": true})
		stop()
		var lost *wire.Error
		var e *Error
		if try < 3 && (errors.As(err, &lost) || errors.As(err, &e) && e.Code == "daemon_ended") {
			b.drop()
			continue // it was ending when we came, and asking its successor is harmless
		}
		if errors.As(err, &e) && e.Code != "no_browser" {
			err, hello = nil, e.Data // a closed or crashed tab, say, is left to the call itself to report
		}
		if err != nil {
			panic(failure(err))
		}
		b.greeting, b.met = hello, true
		if file := <-edited; file != "" {
			b.progress.say("notice: " + file + " was edited after this program was built; the engine's Go code is compiled, so run make build")
		}
	}
}

// drop waits for the end of a daemon that is ending: its socket and its lock are free then.
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
	b.untimed(func() {
		err = turn(b.name, b.tab, fmt.Sprintf("%.80s", calls(b.snippet)), b.mayWait)
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
	status, _ := b.one(conn, M{"meta": "status"})
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
	b.soon.Do(func() { time.AfterFunc(heedAfter, b.heed) })
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

// one is exchange for one request.
func (b *browser) one(conn *wire.Conn, req M) (M, error) {
	answers, errs := make([]engine.Answer, 1), make([]error, 1)
	b.exchange(conn, []M{req}, answers, errs)
	return answers[0].M, errs[0]
}

// exchange sends requests on conn, all before the first answer is read, and puts in their
// answers or errors. A request that was lost on the way is not sent again: nobody knows
// whether it took effect.
func (b *browser) exchange(conn *wire.Conn, requests []M, answers []engine.Answer, errs []error) {
	var lines []byte
	var longest time.Duration
	for i, req := range requests {
		line, limit, err := b.encode(req)
		if err != nil {
			b.rest(conn)
			for j := range errs[i:] {
				errs[i+j] = err
			}
			return
		}
		lines, longest = append(lines, line...), max(longest, limit)
	}
	// The daemon answers in time by itself; this is for one that is frozen.
	ctx, cancel := context.WithTimeoutCause(context.Background(), longest+5*time.Second,
		&Error{Code: "timeout", Message: "the daemon does not answer; read its log, or end it with killDaemon()"})
	defer cancel()
	defer b.progress.during(describe(requests[0]))()
	raw, err := conn.Exchange(ctx, lines, len(requests))
	for i := range requests {
		if i >= len(raw) {
			errs[i] = err
			continue
		}
		answers[i].M, errs[i] = parsed(raw[i])
		b.told(requests[i], answers[i].M, errs[i])
	}
	if err == nil {
		b.rest(conn)
	}
}

// rest keeps a connection for the next call. It is open until we end, and so is what the
// daemon ties to it.
func (b *browser) rest(conn *wire.Conn) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.idle = append(b.idle, conn)
}

// told takes in what else an answer says: who drives the tab, notices.
func (b *browser) told(req, answer M, err error) {
	var e *Error
	if errors.As(err, &e) {
		answer = e.Data
	} else if req["meta"] == "drive" {
		b.mu.Lock()
		b.key, _ = answer["key"].(string)
		b.mu.Unlock()
	}
	notices, _ := answer["notices"].([]any) // each is handed out once, to whichever session call comes first
	for _, n := range notices {
		b.progress.say("notice:", n)
	}
}

// ask sends a line and reads the answer.
func ask(ctx context.Context, conn *wire.Conn, line []byte) (M, error) {
	raw, err := conn.CallLine(ctx, line)
	if err != nil {
		return nil, err
	}
	return parsed(raw)
}

// parsed reads an answer; an error that the daemon answers is an *Error with the rest of the
// answer as its Data.
func parsed(raw json.RawMessage) (M, error) {
	var answer M
	if err := json.Unmarshal(raw, &answer); err != nil {
		return nil, fmt.Errorf("the daemon's answer is not JSON: %w", err)
	}
	if msg, failed := answer["error"].(string); failed {
		code, _ := answer["code"].(string)
		delete(answer, "error")
		delete(answer, "code")
		return nil, &Error{Code: code, Message: msg, Data: answer}
	}
	return answer, nil
}

// describe is what the person reads about a call that takes long.
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

// encode makes the request line, its line break included, with the caller's tab in it and a
// deadline that ends before the run does, so that a call fails with its own reason and place.
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
	var text bytes.Buffer
	out := json.NewEncoder(&text)
	out.SetEscapeHTML(false) // else scripts, full of < and &, get longer to send and to read
	if err = out.Encode(req); err != nil {
		return nil, 0, &Error{Code: "bad_request", Message: "the params cannot be written as JSON: " + err.Error()}
	}
	return text.Bytes(), limit, nil
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
