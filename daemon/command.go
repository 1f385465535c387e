package main

import (
	"context"
	"encoding/json"
	"errors"

	"bu/daemon/cdp"
)

// result is the wait for what a command gives.
type result = func() (json.RawMessage, error)

// command passes one checked command on: to the browser, to the session that the caller
// names, or to the caller's current tab.
func (d *daemon) command(ctx context.Context, r *request) (result, error) {
	if r.ofBrowser() {
		return func() (json.RawMessage, error) { return d.toBrowser(ctx, r) }, nil
	}
	if r.SessionID != "" {
		s := r.session
		if s == nil { // let the browser decide about it
			s = &session{id: r.SessionID, target: &target{}}
		}
		return d.toSession(ctx, s, r)
	}
	s, err := d.current(ctx, r.label)
	if err != nil {
		return nil, err
	}
	first, err := d.toSession(ctx, s, r)
	if err != nil {
		return nil, err
	}
	return func() (json.RawMessage, error) {
		raw, err := first()
		var refused *cdp.Error
		if !errors.As(err, &refused) || refused.Code != cdp.StaleSession {
			return raw, err
		}
		// The browser ran nothing: once more, on a new session of the same tab, whatever
		// the label's current tab may be by now.
		again, err := d.renew(ctx, r.label, s)
		if err != nil {
			return nil, err
		}
		second, err := d.toSession(ctx, again, r)
		if err != nil {
			return nil, err
		}
		return second()
	}, nil
}

// renew attaches to the target of a stale session again.
func (d *daemon) renew(ctx context.Context, l *label, stale *session) (*session, error) {
	t := stale.target
	var fx effects
	d.mu.Lock()
	d.detached(stale, &fx)
	for _, end := range fx.ended {
		d.chrome.Fail(end.of)
	}
	driven, gone, closed := l.phase == driving && l.tab == t, t.gone, errClosed(t)
	d.mu.Unlock()
	d.follow(fx)
	if gone {
		return nil, closed
	}
	if driven {
		if s, err := d.current(ctx, l); err != nil || s.target == t {
			return s, err
		}
	}
	return d.attachTo(ctx, t, l, ofCaller)
}

// toSession sends a command to a session, unless its page cannot do it now.
func (d *daemon) toSession(ctx context.Context, s *session, r *request) (wait result, err error) {
	d.mu.Lock()
	mending := s.mending
	d.mu.Unlock()
	if mending != nil {
		select {
		case <-mending:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	if err := d.guarded(ctx, s.target, r.label); err != nil {
		return nil, err
	}
	d.confinedScript(r)
	k := &cdp.Call{Method: r.Method, Session: s.id, For: s.target}
	d.mu.Lock()
	s.target.page().unused = false
	d.acts(s.target.page(), r.Method, r.Params)
	err = blocked(s.target.page(), r.Method)
	if err == nil {
		err = d.chrome.Register(k) // under the lock: a dialog that opens now ends it
	}
	d.mu.Unlock()
	if err != nil {
		return nil, err
	}
	if r.Method == "Page.close" {
		d.hush(ctx, s.target)
	}
	d.choosers(s, r)
	watch := d.watchScript(s, r)
	answer := d.chrome.Begin(ctx, k, r.Params)
	watch.sent()
	heeded := d.heed(ctx, s, k)
	return func() (json.RawMessage, error) {
		result, err := answer()
		heeded()
		var late *cdp.Late
		watch.over(errors.As(err, &late) && late.Sent)
		if err == nil && revives[r.Method] { // the event that tells it may have been for a session before
			d.mu.Lock()
			s.target.crashed = false
			d.mu.Unlock()
		}
		if err == nil {
			result, err = d.kept(s, r, result)
		}
		return result, err
	}, nil
}

// revives are the commands that start a crashed page again.
var revives = map[string]bool{"Page.navigate": true, "Page.reload": true}

// blocked says why a command cannot be done on a page as it is.
func blocked(t *target, method string) error {
	switch {
	case t.gone:
		return errClosed(t)
	case t.crashed && !revives[method]:
		return errCrashed(t)
	case t.dialog != nil && hangs(method):
		return errDialog(t.dialog, method, false)
	}
	return nil
}

// toBrowser passes on what concerns the browser as a whole, and keeps account of the
// tabs and sessions that it makes for the caller.
func (d *daemon) toBrowser(ctx context.Context, r *request) (json.RawMessage, error) {
	var p struct {
		TargetID string
		Discover bool
	}
	json.Unmarshal(r.Params, &p)
	d.mu.Lock()
	if r.tab != nil {
		r.tab.unused = false
	}
	d.mu.Unlock()
	k := &cdp.Call{Method: r.Method}
	var to *lease
	if r.Tied {
		to = r.lease
	}
	switch r.Method {
	case "Target.createTarget":
		_, result, err := d.create(ctx, r.label, r.Params, to, false)
		return result, err
	case "Target.attachToTarget":
		if r.tab != nil {
			if err := d.guarded(ctx, r.tab, r.label); err != nil {
				return nil, err
			}
		}
		defer d.expect(p.TargetID, ofCaller)()
		k.Hook = d.tied(p.TargetID, r.label, to, r.Undo)
		result, err := d.made(ctx, k, r.Params, d.detachAgain)
		if err != nil && r.tab != nil {
			d.unvisited(r.tab)
		}
		return result, d.knows(p.TargetID, err)
	case "Target.closeTarget":
		if r.tab != nil {
			d.mu.Lock()
			r.tab.closing = r.tab.owner == r.label
			d.mu.Unlock()
			d.hush(ctx, r.tab)
		}
	case "Target.setDiscoverTargets":
		if !p.Discover { // the daemon lives on these events
			return json.RawMessage("{}"), nil
		}
	}
	result, err := d.chrome.Do(ctx, k, r.Params)
	return result, d.knows(p.TargetID, err)
}

// knows explains a refusal of the browser about a target: there is none of that id, or not
// any more.
func (d *daemon) knows(id string, err error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	t := d.targets[id]
	if refused := (*cdp.Error)(nil); id == "" || !errors.As(err, &refused) || t != nil && !t.gone {
		return err
	}
	return &fail{"tab_closed", "no tab or frame " + id + "; listTabs() gives the tabs that there are", obj{"target_id": id}}
}
