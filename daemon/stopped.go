package main

import (
	"context"
	"time"

	"bu/daemon/cdp"
)

// A page that is stopped in a debugger answers, but does nothing: no task of its own runs,
// and what waits for one waits as long as the stop. So does a page that the browser froze.
// A call that has no answer for some time asks which it is.
const (
	stuckAfter = 1500 * time.Millisecond
	promptly   = 500 * time.Millisecond // a healthy page runs a task by then
)

// heed ends the call k, made with s, when its page is found to be stopped.
func (d *daemon) heed(ctx context.Context, s *session, k *cdp.Call) (end func()) {
	d.mu.Lock()
	kind := s.target.kind
	d.mu.Unlock()
	if kind != "page" && kind != "iframe" {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	timer := time.AfterFunc(stuckAfter, func() {
		for wait := 2 * stuckAfter; ctx.Err() == nil; wait *= 2 {
			if d.stopped(ctx, s.target) {
				d.chrome.Fail(func(c *cdp.Call, sent bool) error {
					if c != k {
						return nil
					}
					return &fail{"timeout", k.Method + `: the page is stopped in a debugger (DevTools, or another program). Ask the person to let it go on there (F8), or do so: cdp("Debugger.enable"); cdp("Debugger.resume")`, obj{"sent": sent}}
				})
				return
			}
			select {
			case <-time.After(wait):
			case <-ctx.Done():
			}
		}
	})
	return func() { cancel(); timer.Stop() }
}

// stopped says whether a page is stopped in a debugger. One that is frozen is thawed. What a
// debugger's session costs the page, this one pays only if the page answers and runs no task.
func (d *daemon) stopped(ctx context.Context, t *target) bool {
	ctx, cancel := context.WithTimeout(ctx, answersIn)
	defer cancel()
	s, err := d.attachTo(ctx, t, nil, ofGuard)
	if err != nil {
		return false
	}
	defer func() { go d.detach(s) }()
	soon := func(method string, params obj) bool {
		short, cancel := context.WithTimeout(ctx, promptly)
		defer cancel()
		return d.ask(short, s.id, method, params, nil) == nil
	}
	const task = `new Promise(done => { const c = new MessageChannel(); c.port1.onmessage = done; c.port2.postMessage(0) }).then(() => 0)`
	if soon("Runtime.evaluate", obj{"expression": task, "awaitPromise": true}) || !soon("Runtime.getIsolateId", nil) {
		return false
	}
	soon("Debugger.setSkipAllPauses", obj{"skip": true}) // this session must not cause a stop
	soon("Debugger.enable", nil)
	d.mu.Lock()
	paused := s.paused
	d.mu.Unlock()
	if !paused {
		soon("Page.setWebLifecycleState", obj{"state": "active"})
	}
	return paused
}

// load loads a page that Chrome has discarded to save memory: there is none behind its tab,
// and it answers nothing until then. A screenshot tells it from a busy one: without a page
// that is an error.
func (d *daemon) load(ctx context.Context, s *session) {
	if d.unloaded(ctx, s) {
		d.ask(ctx, s.id, "Page.reload", nil, nil)
	}
}

func (d *daemon) unloaded(ctx context.Context, s *session) bool {
	ctx, cancel := context.WithTimeout(ctx, promptly)
	defer cancel()
	const internal = -32603
	err := d.ask(ctx, s.id, "Page.captureScreenshot", obj{"format": "jpeg", "quality": 1}, nil)
	refused, is := err.(*cdp.Error)
	return is && refused.Code == internal
}
