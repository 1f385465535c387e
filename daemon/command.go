package main

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"bu/daemon/wire"
)

// command passes one CDP command on: to the browser, to the session that the caller
// names, or to the caller's current tab.
func (d *daemon) command(ctx context.Context, c *client, req *wire.Request) (json.RawMessage, error) {
	if err := d.wait(ctx); err != nil {
		return nil, err
	}
	l, err := d.labelled(req.Tab)
	if err != nil {
		return nil, err
	}
	if err := d.permit(l, req); err != nil {
		return nil, err
	}
	if strings.HasPrefix(req.Method, "Target.") || strings.HasPrefix(req.Method, "Browser.") {
		return d.toBrowser(ctx, l, req)
	}
	if req.SessionID != "" {
		d.mu.Lock()
		s := d.sessions[req.SessionID]
		d.mu.Unlock()
		if s == nil { // perhaps one that the browser knows all the same
			return d.chrome.call(ctx, &call{method: req.Method, session: req.SessionID}, req.Params)
		}
		if err := d.mayUse(l, s.target, req); err != nil {
			return nil, err
		}
		return d.toSession(ctx, s.target, s.id, req)
	}
	t, session, err := d.current(ctx, l)
	if err != nil {
		return nil, err
	}
	result, err := d.toSession(ctx, t, session, req)
	var cdp *cdpError
	if !errors.As(err, &cdp) || cdp.Code != staleSession {
		return result, err
	}
	// The browser ran nothing: once more, on a new session of the same tab, whatever
	// the label's current tab may be by now.
	if session, err = d.renew(ctx, l, t, session); err != nil {
		return nil, err
	}
	return d.toSession(ctx, t, session, req)
}

// renew attaches to t again after its session went stale.
func (d *daemon) renew(ctx context.Context, l *label, t *target, stale string) (string, error) {
	d.mu.Lock()
	if s := d.sessions[stale]; s != nil {
		d.detachedLocked(s)
	}
	same := l.target == t
	gone := t.gone
	d.mu.Unlock()
	if gone {
		return "", errClosed(t)
	}
	if same {
		now, session, err := d.current(ctx, l)
		if err != nil || now == t {
			return session, err
		}
	}
	return d.attachTo(ctx, t, l)
}

func (d *daemon) toSession(ctx context.Context, t *target, session string, req *wire.Request) (json.RawMessage, error) {
	d.mu.Lock()
	err := d.blockedLocked(t, req.Method)
	d.mu.Unlock()
	if err != nil {
		return nil, err
	}
	return d.chrome.call(ctx, &call{method: req.Method, session: session, target: t}, req.Params)
}

// blockedLocked says why a command cannot be done on a page as it is.
func (d *daemon) blockedLocked(t *target, method string) error {
	switch {
	case t.gone:
		return errClosed(t)
	case t.crashed && method != "Page.navigate" && method != "Page.reload":
		return errCrashed(t)
	case t.dialog != nil && hangs(method):
		return errDialog(t.dialog, method+" was not sent")
	}
	return nil
}

// toBrowser passes on what concerns the browser as a whole, and keeps account of the
// tabs and sessions that it makes for the caller.
func (d *daemon) toBrowser(ctx context.Context, l *label, req *wire.Request) (json.RawMessage, error) {
	k := &call{method: req.Method}
	var p struct {
		TargetID string
		Discover bool
	}
	json.Unmarshal(req.Params, &p)
	d.mu.Lock()
	t := d.targets[p.TargetID]
	d.mu.Unlock()
	switch req.Method {
	case "Target.createTarget":
		k.hook = d.opened(l, nil)
	case "Target.attachToTarget":
		if err := d.mayUse(l, t, req); err != nil {
			return nil, err
		}
		k.hook = d.attached(p.TargetID, l)
	case "Target.closeTarget":
		if err := d.mayUse(l, t, req); err != nil {
			return nil, err
		}
		if t != nil {
			d.mu.Lock()
			t.closing = t.owner == l
			d.mu.Unlock()
		}
	case "Target.setDiscoverTargets":
		if !p.Discover { // the daemon lives on these events
			return json.RawMessage("{}"), nil
		}
	}
	return d.chrome.call(ctx, k, req.Params)
}

// mayUse refuses what would reach into another label's tab.
func (d *daemon) mayUse(l *label, t *target, req *wire.Request) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if t == nil || t.owner == nil || t.owner == l || req.Force {
		return nil
	}
	return &fail{"not_allowed", req.Method + ": tab " + t.id + " belongs to " + t.owner.title() + "; open one of your own with newTab(), or force it", map[string]any{"owner": t.owner.name}}
}

func (l *label) title() string {
	if l.name == "" {
		return "callers without BU_TAB"
	}
	return "BU_TAB=" + l.name
}
