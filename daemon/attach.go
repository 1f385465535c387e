package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"sync"
	"time"

	"bu/daemon/wire"
)

// allowFor is how long one handshake waits for the user to click Allow.
const allowFor = 10 * time.Minute

// attach finds the browser, connects, and takes the first tab. It runs beside the
// callers, who wait on d.ready; status tells them for what.
func (d *daemon) attach() {
	err := d.connect()
	if err == nil {
		d.restore()
		err = d.takeFirst()
	}
	if err != nil {
		f := failf("no_browser", "%v", err)
		d.failed, d.ending = f, time.Now()
		log.Printf("not attached: %v", f)
		close(d.ready)
		// Whoever started at the same time should hear the cause, not cause a second try.
		time.AfterFunc(time.Second, func() { d.stop(f) })
		return
	}
	log.Printf("pid %d attached to %s", os.Getpid(), d.browser.Address())
	close(d.ready)
}

func (d *daemon) connect() error {
	ctx, cancel := context.WithTimeout(d.ctx, allowFor)
	defer cancel()
	b, err := discover(ctx, d.was.Browser)
	if err != nil {
		return err
	}
	d.browser = b
	d.at(b.stage())
	ws, err := b.open(ctx)
	if err != nil {
		return err
	}
	d.at("a tab")
	d.chrome = newChrome(ws)
	d.chrome.event = d.event
	d.chrome.onGone = func(err error) { d.stop(err) }
	d.chrome.serve()
	short, cancel := context.WithTimeoutCause(d.ctx, 20*time.Second, errDeadline)
	defer cancel()
	return d.introduce(short)
}

// introduce learns which browser this is and which tabs it has.
func (d *daemon) introduce(ctx context.Context) error {
	var version struct{ Product string }
	// The default context's id is the one thing that lasts as long as the browser's
	// process: the browser target has another id for each connection.
	var contexts struct{ DefaultBrowserContextID string }
	var errs [3]error
	var wg sync.WaitGroup
	wg.Go(func() { errs[0] = d.ask(ctx, "", "Browser.getVersion", nil, &version) })
	wg.Go(func() { errs[1] = d.ask(ctx, "", "Target.getBrowserContexts", nil, &contexts) })
	wg.Go(func() { errs[2] = d.ask(ctx, "", "Target.setDiscoverTargets", obj{"discover": true}, nil) })
	// Browser.downloadProgress alone tells where a finished download lies. "default"
	// leaves the user's own download folder as it is.
	wg.Go(func() {
		d.ask(ctx, "", "Browser.setDownloadBehavior", obj{"behavior": "default", "eventsEnabled": true}, nil)
	})
	wg.Wait()
	if err := cmp.Or(errs[:]...); err != nil {
		return fmt.Errorf("%s took the connection but does not answer: %w", d.browser.Address(), err)
	}
	d.product = version.Product
	d.run = fingerprint(cmp.Or(contexts.DefaultBrowserContextID, d.browser.WS))
	d.mu.Lock()
	d.known = true
	d.mu.Unlock()
	return nil
}

// wait holds a call back until the daemon is attached.
func (d *daemon) wait(ctx context.Context) error {
	select {
	case <-d.ready:
		if d.failed != nil { // who comes later than all who wait now may have better luck
			time.AfterFunc(100*time.Millisecond, func() { d.stop(d.failed) })
		}
		return d.failed
	case <-ctx.Done():
		select {
		case <-d.ready: // a deadline of nothing left says nothing about the browser
			return d.failed
		default:
		}
		return failf("no_browser", "not attached yet: still waiting for %s", *d.stage.Load())
	case <-d.ctx.Done():
		return context.Cause(d.ctx)
	}
}

// failedBefore says whether the caller began after attaching had failed: that is a try
// of its own, and not ours to answer.
func (d *daemon) failedBefore(req *wire.Request) bool {
	select {
	case <-d.ready:
		return d.failed != nil && req.Began > d.ending.UnixMicro()
	default:
		return false
	}
}

// obj is a JSON object.
type obj = map[string]any

// ask is a command of the daemon's own, with its result decoded into out.
func (d *daemon) ask(ctx context.Context, session, method string, params, out any) error {
	raw, err := json.Marshal(params)
	if err != nil {
		return err
	}
	if params == nil {
		raw = nil
	}
	result, err := d.chrome.call(ctx, &call{method: method, session: session}, raw)
	if err == nil && out != nil {
		err = json.Unmarshal(result, out)
	}
	return err
}
