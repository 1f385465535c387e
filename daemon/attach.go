package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"bu/daemon/cdp"
	"bu/daemon/discover"
)

// allowFor is how long one handshake waits for the user to click Allow.
const allowFor = 10 * time.Minute

// pingEvery keeps a connection through a proxy alive.
const pingEvery = 2 * time.Second

// attach finds the browser, connects, and learns whose tabs are which; what has none gets
// one when it asks. It runs beside the callers, who wait on d.ready; status tells them for what.
func (d *daemon) attach() {
	err := d.connect()
	if err == nil {
		d.restore()
	}
	if err != nil {
		f := failf("no_browser", "%v", err)
		d.failed, d.failedAt = f, time.Now()
		d.enter(failed)
		log.Printf("not attached: %v", f)
		close(d.ready)
		// Whoever started at the same time should hear the cause, not cause a second try.
		time.AfterFunc(time.Second, func() { d.stop(f) })
		return
	}
	d.enter(ready)
	log.Printf("pid %d attached to %s", os.Getpid(), d.browser.Address())
	close(d.ready)
}

func (d *daemon) connect() error {
	ctx, cancel := context.WithTimeout(d.ctx, allowFor)
	defer cancel()
	b, err := discover.Find(ctx, d.was.Browser)
	if err != nil {
		return err
	}
	d.browser = b
	d.at(b.Stage())
	err = b.Open(ctx, func(ctx context.Context, address string, header http.Header) (err error) {
		d.chrome, err = cdp.Dial(ctx, address, header)
		return err
	})
	if err != nil {
		return err
	}
	d.at("its tabs")
	d.enter(meeting)
	d.chrome.Event = d.event
	d.chrome.Gone = func(err error) { d.stop(err) }
	d.chrome.Serve()
	if d.browser.Profile == "" { // an address was given: there may be a proxy on the way
		go d.chrome.KeepAlive(pingEvery)
	}
	short, cancel := context.WithTimeoutCause(d.ctx, 20*time.Second, errDeadline)
	defer cancel()
	return d.introduce(short)
}

// introduce learns which browser this is and which tabs it has.
func (d *daemon) introduce(ctx context.Context) error {
	var version struct{ Product, UserAgent string }
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
	wg.Go(func() { d.recount(ctx) })
	wg.Wait()
	if err := cmp.Or(errs[:]...); err != nil {
		return fmt.Errorf("%s accepted the connection but does not answer: %w", d.browser.Address(), err)
	}
	d.product, d.headless = version.Product, strings.Contains(version.UserAgent, "Headless")
	d.run = fingerprint(cmp.Or(contexts.DefaultBrowserContextID, d.browser.WS))
	return nil
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
	result, err := d.chrome.Do(ctx, &cdp.Call{Method: method, Session: session}, raw)
	if err == nil && out != nil {
		err = json.Unmarshal(result, out)
	}
	return err
}
