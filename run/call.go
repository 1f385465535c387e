package main

import (
	"context"
	"errors"
	"fmt"
	"os"
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
	greeting M           // what the daemon answered
	outdated chan string // tells of a file of the engine that was edited, once met

	recording *record.Recording
	progress  progress
	now       atomic.Value // of the script's, what says where it is
	expired   *time.Timer  // fires at the end of BU_TIMEOUT
	began     time.Time
	stdout    *os.File // the real one: what os.Stdout is may be a pipe, see output
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
	return &browser{name: name, tab: tab, snippet: snippet, limit: limit, stdout: os.Stdout, began: time.Now(), end: time.Now().Add(limit), expired: time.NewTimer(limit), interrupt: make(chan os.Signal, 1), outdated: make(chan string, 1)}
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
	start := requests[0]["start"] != false
	var sent replies
	if start && requests[0]["meta"] != "drive" { // a person who takes the tab waits for no run
		sent = b.greet(requests)
	}
	answers, errs := make([]engine.Answer, len(requests)), make([]error, len(requests))
	b.recording.Watch(requests, func() error {
		if sent != nil {
			sent(answers, errs)
		} else if conn, err := b.dial(start); err != nil {
			fill(errs, err)
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

// replies is the wait for the answers to requests that were sent.
type replies func(answers []engine.Answer, errs []error)

func fill(errs []error, err error) {
	for i := range errs {
		errs[i] = err
	}
}

// hello is the daemon's answer to the greeting.
func (b *browser) hello() M {
	b.greet(nil)
	return b.greeting
}

// greet asks for the caller's session before the first call: the answer waits
// until the daemon has a browser, and what it tells holds for the whole run. The requests of
// that call go in the same write. The daemon begins them once it has answered the greeting:
// where no answer to that comes, none of them has begun.
func (b *browser) greet(with []M) (sent replies) {
	b.meeting.Lock()
	defer b.meeting.Unlock()
	if b.met {
		return nil
	}
	if b.driver() == "" {
		if err := b.takeTurn(); err != nil {
			panic(failure(err))
		}
	}
	lines, limit, err := b.encode(with)
	if err != nil || b.recording.On() { // which looks at the page before a call
		with, lines = nil, nil
	}
	for try := 0; !b.met; try++ {
		conn, err := b.dial(true)
		if err != nil {
			panic(failure(err))
		}
		stop := b.explain()
		greeting := []M{{"meta": "session", "browser": wire.Address(os.Getenv), "began": b.began.UnixMicro(), "tied": true}}
		first, most, _ := b.encode(greeting)
		answers, errs := make([]engine.Answer, 1), make([]error, 1)
		there := b.receive(conn, append(first, lines...), most, greeting, answers, errs)
		stop()
		if sent = nil; there && len(with) > 0 {
			sent = func(answers []engine.Answer, errs []error) {
				if b.receive(conn, nil, limit, with, answers, errs) {
					b.rest(conn)
				}
			}
		} else if there {
			b.rest(conn)
		}
		hello, err := answers[0].M, errs[0]
		var lost *wire.Error
		var e *Error
		again := try < 3 && (errors.As(err, &lost) || errors.As(err, &e) && e.Code == "daemon_ended")
		if !again && errors.As(err, &e) && e.Code != "no_browser" {
			err, hello = nil, e.Data // a closed or crashed tab, say, is left to the call itself to report
		}
		if err != nil && sent != nil {
			sent(make([]engine.Answer, len(with)), make([]error, len(with)))
		}
		if again {
			b.drop()
			continue // it was ending when we came, and asking its successor is harmless
		}
		if err != nil {
			panic(failure(err))
		}
		b.greeting, b.met = hello, true
		go func() { b.outdated <- outdated(b.dir) }()
	}
	return sent
}

// greeted says whether the daemon answered the greeting; a script may still wait for that.
func (b *browser) greeted() bool {
	if !b.meeting.TryLock() {
		return false
	}
	defer b.meeting.Unlock()
	return b.met
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
	lines, limit, err := b.encode(requests)
	if err != nil {
		fill(errs, err)
	}
	if err != nil || b.receive(conn, lines, limit, requests, answers, errs) {
		b.rest(conn)
	}
}

// receive writes lines, and reads the answers to requests; false: the connection is of no
// use any more.
func (b *browser) receive(conn *wire.Conn, lines []byte, limit time.Duration, requests []M, answers []engine.Answer, errs []error) bool {
	// The daemon answers in time by itself; this is for one that is frozen.
	ctx, cancel := context.WithTimeoutCause(context.Background(), limit+5*time.Second,
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
	return err == nil
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
		if e.Code == "timeout" && b.over() { // how short its own wait was cut is no news
			e.Message = fmt.Sprintf("%s: the run's time is up (BU_TIMEOUT, %v)", describe(req), b.limit)
			if e.Data["sent"] == true {
				e.Message += "; it was sent and may still take effect"
			}
		}
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

// turnCheck is how often a run that waits for its turn looks whether a person has the tab.
const turnCheck = time.Second

// margin is how much earlier than the run its last call ends.
const margin = 100 * time.Millisecond

// over says that the limit of a call that timed out was the run's.
func (b *browser) over() bool { return b.left() < 2*margin }
