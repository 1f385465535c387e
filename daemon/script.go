package main

import (
	"context"
	"encoding/json"
	"sync/atomic"
	"time"

	"bu/daemon/cdp"
)

// patience is how long a page may leave a command unanswered, after its caller gave
// up, before the script that it runs is ended.
const patience = 150 * time.Millisecond

// scripted are the commands that run a script of the caller's.
var scripted = map[string]bool{"Runtime.evaluate": true, "Runtime.callFunctionOn": true, "Runtime.runScript": true}

// scriptWatch tells whether a caller's script is what keeps its page busy. The page does a
// session's commands in order, so a small one before the script, answered, says that the
// page has come to it, and one behind it, unanswered, that it has not come out of it. A
// page that is busy with a script of its own has answered neither, or both. The one behind
// goes with the script: a moment later the page may have begun something of its own.
type scriptWatch struct {
	d             *daemon
	s             *session
	ctx           context.Context
	stop          context.CancelFunc
	begun, passed atomic.Bool
	wait          result
	waiting       bool   // the script's promise is waited for: its answer does not say when it ends
	behind        result // the wait for the one behind
}

// watchScript begins a watch: nil where the command runs no script of the caller's, or the
// caller wants whatever runs to be left alone.
func (d *daemon) watchScript(s *session, r *request) *scriptWatch {
	if r.Spare || !scripted[r.Method] {
		return nil
	}
	w := &scriptWatch{d: d, s: s}
	var p struct{ AwaitPromise bool }
	json.Unmarshal(r.Params, &p)
	w.waiting = p.AwaitPromise
	w.ctx, w.stop = context.WithCancel(d.ctx)
	w.wait = w.mark(&w.begun)
	return w
}

func (w *scriptWatch) mark(reached *atomic.Bool) result {
	k := &cdp.Call{Method: "Runtime.getIsolateId", Session: w.s.id, Hook: func(json.RawMessage) { reached.Store(true) }}
	return w.d.chrome.Begin(w.ctx, k, nil)
}

// sent says that the script is on its way.
func (w *scriptWatch) sent() {
	if w != nil && w.waiting {
		w.behind = w.mark(&w.passed)
	}
}

// over ends the watch. Where the caller left before the answer its script is ended, if it
// is what runs.
func (w *scriptWatch) over(left bool) {
	switch {
	case w == nil:
	case left && w.begun.Load() && !w.passed.Load():
		w.d.mend(w.s, w)
	default:
		w.end()
	}
}

func (w *scriptWatch) end() {
	w.stop()
	w.wait()
	if w.behind != nil {
		w.behind()
	}
}

// mend ends a script that keeps its page from answering, when the caller who started it has
// gone. A page that answers is left alone: the request would end whatever script came next.
// Until it is over, later commands for the session wait, so that none of them is ended either.
func (d *daemon) mend(s *session, w *scriptWatch) {
	d.mu.Lock()
	if s.mending != nil || s.target.page().dialog != nil {
		d.mu.Unlock()
		w.end()
		return
	}
	done := make(chan struct{})
	s.mending = done
	d.mu.Unlock()
	go func() {
		defer w.end()
		ctx, cancel := context.WithTimeout(d.ctx, answersIn)
		defer cancel()
		alive := make(chan struct{})
		go func() {
			d.ask(ctx, s.id, "Runtime.evaluate", obj{"expression": "0"}, nil)
			close(alive)
		}()
		select {
		case <-alive:
		case <-time.After(patience):
			if !w.passed.Load() {
				d.ask(ctx, s.id, "Runtime.terminateExecution", nil, nil)
			}
			<-alive
		}
		d.mu.Lock()
		s.mending = nil
		d.mu.Unlock()
		close(done)
	}()
}
