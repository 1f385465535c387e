package main

import (
	"context"
	"errors"
	"time"
)

// A browser that is suspended (SIGSTOP, a debugger, no memory left) keeps its connection
// and answers nothing. Callers get that error within 5 s, not only at their deadline.
const (
	silentFor = 2 * time.Second // without a word from the browser, it is asked
	answering = 2 * time.Second // for any answer at all
)

var errFrozen = errors.New("the browser does not answer, not even on its port: it is suspended, or the machine is overloaded. Resume it, then run again")

// suspecting ends ctx with errFrozen when the browser is frozen. One that is only busy is not:
// its DevTools server has a thread of its own, and answers even a request for an unknown path.
// That is asked only of a local browser, found by its port: behind the address of a remote one
// may be a proxy, which answers for it.
func (d *daemon) suspecting(ctx context.Context) (context.Context, func()) {
	select {
	case <-d.ready:
	default:
		return ctx, func() {} // attaching says itself what it waits for
	}
	if d.failed != nil || d.browser.Profile == "" {
		return ctx, func() {}
	}
	quiet, grace := silentFor, answering
	if d.stood.Load() == d.chrome.Heard() { // and has sent nothing since
		quiet, grace = 100*time.Millisecond, 500*time.Millisecond
	}
	ctx, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(quiet, func() {
		every := time.NewTicker(silentFor)
		defer every.Stop()
		for ctx.Err() == nil {
			if d.silent() >= quiet && d.frozen(ctx, grace) {
				d.stood.Store(d.chrome.Heard())
				cancel(errFrozen)
			}
			select {
			case <-every.C:
			case <-ctx.Done():
			}
		}
	})
	return ctx, func() { timer.Stop(); cancel(nil) }
}

func (d *daemon) frozen(ctx context.Context, grace time.Duration) bool {
	ctx, cancel := context.WithTimeout(ctx, grace)
	defer cancel()
	asked := time.Now()
	return d.browser.Silent(ctx) && d.silent() > time.Since(asked)
}

// silent is how long ago the browser last sent anything.
func (d *daemon) silent() time.Duration { return time.Since(time.Unix(0, d.chrome.Heard())) }
