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
func (d *daemon) command(ctx context.Context, req *wire.Request) (json.RawMessage, error) {
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
	if err := d.limit(ctx, l, req.Allow); err != nil {
		return nil, err
	}
	if err := d.within(l, req); err != nil {
		return nil, err
	}
	if strings.HasPrefix(req.Method, "Target.") || strings.HasPrefix(req.Method, "Browser.") {
		return d.toBrowser(ctx, l, req)
	}
	if req.SessionID != "" {
		d.mu.Lock()
		s := d.sessions[req.SessionID]
		d.mu.Unlock()
		if s == nil { // the browser has the last word on it
			s = &session{id: req.SessionID, target: &target{}}
		}
		if err := d.mayUse(l, s.target, req); err != nil {
			return nil, err
		}
		return d.toSession(ctx, l, s, req)
	}
	s, err := d.current(ctx, l)
	if err != nil {
		return nil, err
	}
	result, err := d.toSession(ctx, l, s, req)
	var cdp *cdpError
	if !errors.As(err, &cdp) || cdp.Code != staleSession {
		return result, err
	}
	// The browser ran nothing: once more, on a new session of the same tab, whatever
	// the label's current tab may be by now.
	if s, err = d.renew(ctx, l, s); err != nil {
		return nil, err
	}
	return d.toSession(ctx, l, s, req)
}

// renew attaches to the target of a stale session again.
func (d *daemon) renew(ctx context.Context, l *label, stale *session) (*session, error) {
	t := stale.target
	d.mu.Lock()
	d.detachedLocked(stale)
	current, gone := l.target == t, t.gone
	d.mu.Unlock()
	if gone {
		return nil, errClosed(t)
	}
	if current {
		if s, err := d.current(ctx, l); err != nil || s.target == t {
			return s, err
		}
	}
	return d.attachTo(ctx, t, l)
}

// toSession sends a command to a session, unless its page cannot do it now.
func (d *daemon) toSession(ctx context.Context, l *label, s *session, req *wire.Request) (json.RawMessage, error) {
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
	if err := d.guarded(ctx, s.target, l); err != nil {
		return nil, err
	}
	k := &call{method: req.Method, session: s.id, target: s.target}
	d.mu.Lock()
	err := blocked(s.target.page(), req.Method)
	if err == nil {
		err = d.chrome.register(k) // under the lock: a dialog that opens now ends it
	}
	d.mu.Unlock()
	if err != nil {
		return nil, err
	}
	result, err := d.chrome.call(ctx, k, req.Params)
	var late *lateError
	if errors.As(err, &late) && late.sent && runsScript(req.Method) {
		d.mend(s)
	}
	if err == nil {
		err = d.kept(s.target, req, result)
	}
	return result, err
}

// blocked says why a command cannot be done on a page as it is.
func blocked(t *target, method string) error {
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
		TargetID, SessionID string
		Discover            bool
	}
	json.Unmarshal(req.Params, &p)
	d.mu.Lock()
	t := d.targets[p.TargetID]
	if s := d.sessions[p.SessionID]; s != nil {
		t = s.target
	}
	d.mu.Unlock()
	switch req.Method {
	case "Target.createTarget":
		_, result, err := d.create(ctx, l, req.Params, false)
		return result, err
	case "Target.attachToTarget":
		if err := d.mayUse(l, t, req); err != nil {
			return nil, err
		}
		if t != nil {
			if err := d.guarded(ctx, t, l); err != nil {
				return nil, err
			}
		}
		defer d.expect(p.TargetID)()
		k.hook = d.attached(p.TargetID, l, nil)
	case "Target.closeTarget":
		if err := d.mayUse(l, t, req); err != nil {
			return nil, err
		}
		if t != nil {
			d.mu.Lock()
			t.closing = t.owner == l
			d.mu.Unlock()
		}
	case "Target.detachFromTarget":
		if err := d.mayUse(l, t, req); err != nil {
			return nil, err
		}
	case "Target.setDiscoverTargets":
		if !p.Discover { // the daemon lives on these events
			return json.RawMessage("{}"), nil
		}
	}
	result, err := d.chrome.call(ctx, k, req.Params)
	if refused := (*cdpError)(nil); p.TargetID != "" && errors.As(err, &refused) && d.unknown(p.TargetID) {
		return nil, &fail{"tab_closed", "no tab or frame " + p.TargetID + "; listTabs() gives the tabs that there are", map[string]any{"target_id": p.TargetID}}
	}
	return result, err
}

// unknown says whether there is no such target, any more.
func (d *daemon) unknown(id string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	t := d.targets[id]
	return t == nil || t.gone
}

// mayUse refuses what would reach into another label's tab.
func (d *daemon) mayUse(l *label, t *target, req *wire.Request) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if t == nil {
		return nil
	}
	if t = t.page(); t.owner == nil || t.owner == l || req.Force {
		return nil
	}
	return &fail{"not_allowed", req.Method + ": tab " + t.id + " belongs to " + t.owner.title() + "; open one of your own with newTab(). With \"force\" after the id, closeTab and switchTab take it all the same", map[string]any{"owner": t.owner.name}}
}

func (l *label) title() string {
	if l.name == "" {
		return "callers without BU_TAB"
	}
	return "BU_TAB=" + l.name
}
