package main

import (
	"context"
	"encoding/json"
	"sync"
	"sync/atomic"
	"time"

	"bu/daemon/cdp"
)

// patience is how long a page may leave a command unanswered, after its caller gave
// up, before the script that it runs is ended.
const patience = 150 * time.Millisecond

// scripted are the commands that run a script of the caller's.
var scripted = map[string]bool{"Runtime.evaluate": true, "Runtime.callFunctionOn": true, "Runtime.runScript": true}

// stubborn is how long it may do so where a script of its own seems to be what runs.
const stubborn = 5 * time.Second

// scriptWatch tells whether a caller's script is what keeps its page busy. The page does a
// session's commands in order, so a small one before the script, answered, says that the
// page has come to it, and one behind it, unanswered, that it has not come out of it. The
// one behind goes with the script; where it still comes late, the page may have begun
// something of its own by then. So these two switch Chrome's account of the page's time on
// and off: it counts scripts of the page, not those of the protocol, and can be read while
// either runs.
type scriptWatch struct {
	d              *daemon
	s              *session
	ctx            context.Context
	stop           context.CancelFunc
	counts         bool        // a worker has no account
	before, behind result      // the two
	begun, passed  atomic.Bool // they are answered
}

// watchScript begins a watch: nil where the command runs no script of the caller's, or the
// caller wants whatever runs to be left alone.
func (d *daemon) watchScript(s *session, r *request) *scriptWatch {
	if r.Method == "Performance.enable" || r.Method == "Performance.disable" {
		s.measured.Store(r.Method == "Performance.enable")
	}
	if r.Spare || !scripted[r.Method] {
		return nil
	}
	d.mu.Lock()
	kind := s.target.kind
	d.mu.Unlock()
	w := &scriptWatch{d: d, s: s, counts: kind == "page" || kind == "iframe"}
	w.ctx, w.stop = context.WithCancel(d.ctx)
	w.before = w.mark("Performance.enable", &w.begun)
	return w
}

func (w *scriptWatch) mark(method string, reached *atomic.Bool) result {
	if !w.counts {
		method = "Runtime.getIsolateId"
	}
	k := &cdp.Call{Method: method, Session: w.s.id, Hook: func(json.RawMessage) { reached.Store(true) }}
	return sync.OnceValues(w.d.chrome.Begin(w.ctx, k, nil))
}

// sent says that the script is on its way.
func (w *scriptWatch) sent() {
	if w == nil {
		return
	}
	method := "Performance.disable"
	if w.s.measured.Load() { // a caller wants the account to go on
		method = "Performance.enable"
	}
	w.behind = w.mark(method, &w.passed)
}

// over ends the watch. Where the caller left before the answer its script is ended, if it
// is what runs, or once it is.
func (w *scriptWatch) over(left bool) {
	switch {
	case w == nil:
	case left && !w.passed.Load():
		held := false
		if w.begun.Load() {
			held, _ = w.hold()
		}
		go w.mend(held)
	default:
		w.end()
	}
}

func (w *scriptWatch) end() {
	w.stop()
	w.before()
	w.behind()
}

// own says whether a script of the page's own, or one that the caller's called by way of an
// event, is what runs.
func (w *scriptWatch) own(ctx context.Context) bool {
	var at, scripts [2]float64
	for i := range at {
		var all struct {
			Metrics []struct {
				Name  string
				Value float64
			}
		}
		short, cancel := context.WithTimeout(ctx, time.Second)
		err := w.d.ask(short, w.s.id, "Performance.getMetrics", nil, &all)
		cancel()
		if err != nil {
			return false
		}
		for _, m := range all.Metrics {
			switch m.Name {
			case "Timestamp":
				at[i] = m.Value
			case "ScriptDuration":
				scripts[i] = m.Value
			}
		}
		time.Sleep(time.Duration(1-i) * 20 * time.Millisecond)
	}
	return scripts[1]-scripts[0] > (at[1]-at[0])/2
}

// hold has later commands for the session wait, so that none of them is ended either. Where
// it does not, other tells which watch does so already; nil: a dialog is open.
func (w *scriptWatch) hold() (held bool, other chan struct{}) {
	w.d.mu.Lock()
	defer w.d.mu.Unlock()
	if w.s.mending != nil || w.s.target.page().dialog != nil {
		return false, w.s.mending
	}
	w.s.mending = make(chan struct{})
	return true, nil
}

// mend ends a script that keeps its page from answering, when the caller who started it has
// gone. A page that answers is left alone: the request would end whatever script came next.
func (w *scriptWatch) mend(held bool) {
	defer w.end()
	if !held {
		late := time.AfterFunc(defaultTimeout, w.stop)
		_, err := w.before() // for that long the page may be busy with what is its own
		late.Stop()
		if err != nil {
			return
		}
		for held, other := w.hold(); !held; held, other = w.hold() {
			if other == nil {
				return
			}
			<-other
		}
	}
	ctx, cancel := context.WithTimeout(w.d.ctx, stubborn+answersIn)
	defer cancel()
	alive := make(chan struct{})
	go func() {
		w.d.ask(ctx, w.s.id, "Runtime.evaluate", obj{"expression": "0"}, nil)
		close(alive)
	}()
	busy := func(wait time.Duration) bool {
		select {
		case <-alive:
			return false
		case <-time.After(wait):
			return !w.passed.Load()
		}
	}
	if busy(patience) && (!w.own(ctx) || busy(stubborn)) {
		w.d.ask(ctx, w.s.id, "Runtime.terminateExecution", nil, nil)
		<-alive
	}
	w.d.mu.Lock()
	close(w.s.mending)
	w.s.mending = nil
	w.d.mu.Unlock()
}
