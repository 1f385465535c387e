// daemon holds the one connection to the user's running Chrome and serves it on a
// Unix socket to any number of callers. It never launches a browser.
//
// bin/run starts it. It writes "ready" and a line break to its standard output as
// soon as the socket is served, which is before it is attached; what it fails with
// goes to standard error and to /tmp/bu-<NAME>.log, and its callers are told.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"bu/daemon/cdp"
	"bu/daemon/discover"
	"bu/daemon/wire"
)

// exitBrowser is the exit code of a daemon that had no browser to attach to.
const exitBrowser = 3

func main() {
	// A call passes through four goroutines. On one processor each hands over to the next
	// without waking a thread: 0.11 ms a call instead of 0.18.
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(1)
	}
	os.Exit(run())
}

func run() int {
	rent := rentalOf(os.Getenv)
	defer func() { rent.end() }()
	name, err := wire.Name()
	if err != nil {
		fmt.Fprintln(os.Stderr, "daemon:", err)
		return 2
	}
	set, err := settingsOf(os.Getenv)
	if err != nil {
		fmt.Fprintln(os.Stderr, "daemon:", err)
		return 2
	}
	l, err := listen(name)
	if l == nil && err == nil { // another daemon was faster: that one serves, and stops what is rented
		rent = nil
		fmt.Println("ready")
		return 0
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "daemon:", err)
		return 1
	}
	if f, err := wire.OpenLog(l.Paths.Log); err == nil {
		log.SetOutput(f) // a full disk loses lines, nothing else
	} else {
		log.Printf("no log: %v", err)
	}
	d := newDaemon(name, set, l)
	d.rent = rent
	if err := wire.WriteFile(l.Paths.Pid, []byte(strconv.Itoa(os.Getpid())+"\n")); err != nil {
		log.Printf("no pid file: %v", err)
	}
	fmt.Println("ready")
	err = d.work(l)
	l.Close()
	os.Remove(l.Paths.Pid)
	if err != nil {
		log.Printf("pid %d ends: %v", os.Getpid(), err)
		fmt.Fprintln(os.Stderr, "daemon:", err)
	}
	var f *fail
	if errors.As(err, &f) && f.code == "no_browser" {
		return exitBrowser
	}
	return 0
}

// listen makes this process the daemon of that name, unless one serves already: then
// both results are nil. One that is just ending is waited for.
func listen(name string) (*wire.Listener, error) {
	for end := time.Now().Add(15 * time.Second); ; { // stopping what is rented may take ten
		l, err := wire.Listen(name)
		if !errors.Is(err, wire.ErrRunning) || time.Now().After(end) {
			return l, err
		}
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		err = wire.Await(ctx, name)
		cancel()
		if err == nil {
			return nil, nil
		}
	}
}

// settings are what the environment says, read once.
type settings struct {
	idle   time.Duration
	allow  wire.Hosts        // hosts that the agents' tabs may reach; nil: all
	unsafe map[string]string // refused methods that the user lets through
}

func settingsOf(env func(string) string) (s settings, err error) {
	s.idle = 8 * time.Hour // a restart costs the user a click on Allow
	if v := env("BU_IDLE"); v != "" {
		if n, e := strconv.ParseFloat(v, 64); e == nil {
			s.idle = time.Duration(n * float64(time.Second))
		} else if s.idle, err = time.ParseDuration(v); err != nil {
			return s, fmt.Errorf("BU_IDLE=%q: use seconds, or a duration such as 8h", v)
		}
		if s.idle <= 0 {
			return s, fmt.Errorf("BU_IDLE=%q: must be greater than zero", v)
		}
	}
	if s.allow, err = wire.ParseHosts(env("BU_ALLOW")); err != nil {
		return s, err
	}
	s.unsafe, err = unsafeOf(env("BU_UNSAFE"))
	return s, err
}

// daemon is the process. Its methods stand in the files named for the steps.
type daemon struct {
	settings
	model
	name    string
	build   string
	paths   wire.Paths
	named   string // see wire.Address
	started time.Time
	rent    *rental // the cloud browser that ends with the daemon

	ctx  context.Context // ends with the daemon
	stop context.CancelCauseFunc

	ready    chan struct{}          // closed at the phase of that name, and at failed
	failed   error                  // why; this and all below is set before ready is closed
	failedAt time.Time              // when
	stage    atomic.Pointer[string] // what attaching waits for
	was      state                  // as an earlier daemon left it
	browser  discover.Browser
	run      string // tells this run of the browser from the next
	product  string
	headless bool // nobody sees it, and it asks nobody
	chrome   *cdp.Conn

	seq   atomic.Int64 // of the newest event; the read loop alone sets it
	stood atomic.Int64 // the time of the last message before the browser was found frozen

	active int           // calls in progress, and wheels in a person's hands; model.mu guards these
	quiet  chan struct{} // closed when there are none any more, once the daemon ends
	idling *time.Timer
	uids   uids

	calls  callLog
	saving sync.Mutex // held while the state file is written
	dirty  chan struct{}
	saved  chan struct{} // closed when the saver has ended
}

func newDaemon(name string, set settings, l *wire.Listener) *daemon {
	d := &daemon{settings: set, name: name, build: wire.Build(), paths: l.Paths, named: wire.Address(os.Getenv), started: time.Now(),
		model: newModel(set.allow), ready: make(chan struct{}), dirty: make(chan struct{}, 1), saved: make(chan struct{})}
	d.ctx, d.stop = context.WithCancelCause(context.Background())
	d.remember()
	d.at("a browser to be found")
	return d
}

// work serves callers until something ends the daemon, and says what.
func (d *daemon) work(l *wire.Listener) error {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() { <-signals; d.stop(errSignal) }()
	signal.Ignore(syscall.SIGHUP, syscall.SIGPIPE)
	d.idling = time.AfterFunc(d.idle, func() { d.stop(errIdle) })
	go d.saver()
	go d.accept(l)
	go d.attach()
	<-d.ctx.Done()
	l.Close() // the next caller starts another daemon
	d.enter(ending)
	served := false
	select {
	case <-d.ready:
		served = d.failed == nil
	default:
	}
	if served {
		d.chrome.Close(context.Cause(d.ctx)) // ends every wait
	}
	d.mu.Lock()
	d.quiet = make(chan struct{})
	quiet := d.quiet
	if d.active == 0 {
		close(quiet)
	}
	d.mu.Unlock()
	select { // every waiting caller hears the cause
	case <-quiet:
	case <-time.After(time.Second):
	}
	<-d.saved
	if served {
		d.save()
	}
	return context.Cause(d.ctx)
}

// enter goes on to a phase.
func (d *daemon) enter(p phase) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.phase = max(d.phase, p)
}

// busy counts the calls in progress; the idle clock is stopped meanwhile.
func (d *daemon) busy(n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.count(n)
}

// count is busy for who holds the lock.
func (d *daemon) count(n int) {
	switch d.active += n; {
	case d.active > 0:
		d.idling.Stop()
	case d.quiet != nil:
		select {
		case <-d.quiet: // an old connection has asked once more
		default:
			close(d.quiet)
		}
	default:
		d.idling.Reset(d.idle)
	}
}

func (d *daemon) at(stage string) { d.stage.Store(&stage) }

// bigMessage is the size in bytes from which a message's memory is given back to the
// system after it has passed.
const bigMessage = 1 << 20

var freeing atomic.Bool

func freeSoon() {
	if freeing.CompareAndSwap(false, true) {
		time.AfterFunc(200*time.Millisecond, func() {
			freeing.Store(false)
			debug.FreeOSMemory()
		})
	}
}
