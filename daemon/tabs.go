package main

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"time"

	"bu/daemon/wire"
)

// target is what CDP calls one: a page, a frame of another site, a worker.
type target struct {
	id, kind, url, opener string

	owner   *label // whose tab it is; nil: the user's
	dialog  *dialog
	crashed bool
	loading bool
	gone    bool
	closing bool // by its owner
}

// session is a target that this connection is attached to.
type session struct {
	id      string
	target  *target
	label   *label // who attached; nil: the daemon, or unknown
	mending chan struct{}
}

// label is one caller's share of the browser: BU_TAB, "" for those without.
type label struct {
	name    string
	target  *target // its current tab; nil before its first use
	session string  // the current tab's; "" while detached
	url     string  // the current tab's last address
	ring    *ring
	turn    chan struct{} // of one: held while its tab is made or attached
	notices []func() string
	driver  *driver
	allow   []string
}

// info is CDP's TargetInfo.
type info struct {
	TargetID, Type, Title, URL, OpenerID string
	Attached                             bool
}

func errClosed(t *target) *fail {
	return &fail{"tab_closed", "the tab was closed (" + t.url + "): open another with newTab(url), or take one of listTabs() with switchTab(id)", map[string]any{"target_id": t.id}}
}

func errCrashed(t *target) *fail {
	return &fail{"tab_crashed", "the tab crashed (" + t.url + "): navigate() or cdp(\"Page.reload\") starts it again", map[string]any{"target_id": t.id}}
}

// labelled gives the label called name, made at its first use.
func (d *daemon) labelled(name string) (*label, error) {
	if name != "" && wire.CheckName(name) != nil {
		return nil, failf("bad_request", "tab %.80q: use 1 to 64 letters, digits, _ and -", name)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.labelLocked(name), nil
}

func (d *daemon) labelLocked(name string) *label {
	l := d.labels[name]
	if l == nil {
		l = &label{name: name, ring: &ring{}, turn: make(chan struct{}, 1)}
		d.labels[name] = l
	}
	return l
}

// targetLocked gives the target with that id, made known if need be.
func (d *daemon) targetLocked(id string) *target {
	t := d.targets[id]
	if t == nil {
		t = &target{id: id, kind: "page"}
		d.targets[id] = t
	}
	return t
}

// takeFirst attaches to the tab that callers without a label drive.
func (d *daemon) takeFirst() error {
	l, err := d.labelled("")
	if err != nil {
		return err
	}
	_, _, err = d.current(d.ctx, l)
	return err
}

// current gives the label's tab and a session on it, making either if need be.
func (d *daemon) current(ctx context.Context, l *label) (*target, string, error) {
	d.mu.Lock()
	t, session := l.target, l.session
	d.mu.Unlock()
	if t != nil && session != "" {
		return t, session, nil
	}
	type got struct {
		t       *target
		session string
		err     error
	}
	done := make(chan got, 1)
	go func() { // goes on when the caller leaves: a tab made for nobody would stay behind
		t, session, err := d.settleTab(l)
		done <- got{t, session, err}
	}()
	select {
	case g := <-done:
		return g.t, g.session, g.err
	case <-ctx.Done():
		return nil, "", context.Cause(ctx)
	}
}

// settleTab opens or attaches the label's tab, one at a time for each label.
func (d *daemon) settleTab(l *label) (*target, string, error) {
	l.turn <- struct{}{}
	defer func() { <-l.turn }()
	ctx, cancel := context.WithTimeoutCause(d.ctx, 20*time.Second, errDeadline)
	defer cancel()
	d.mu.Lock()
	t, session := l.target, l.session
	gone := t != nil && t.gone
	d.mu.Unlock()
	switch {
	case gone:
		return t, "", errClosed(t)
	case session != "":
		return t, session, nil
	case t != nil:
		session, err := d.attachTo(ctx, t, l)
		if err != nil {
			return t, "", err
		}
		d.enable(ctx, session)
		d.become(l, t, session)
		return t, session, nil
	}
	t, session, err := d.firstTab(ctx, l)
	if err != nil {
		return nil, "", err
	}
	d.become(l, t, session)
	d.save()
	return t, session, nil
}

// firstTab gives a label its first tab: the first real page for callers without a
// label, else a tab of its own in the background.
func (d *daemon) firstTab(ctx context.Context, l *label) (*target, string, error) {
	if l.name == "" && !(d.name != "default" && d.browser.Local()) {
		var all struct{ TargetInfos []info }
		if err := d.ask(ctx, "", "Target.getTargets", nil, &all); err != nil {
			return nil, "", err
		}
		misses := 0
		for _, i := range all.TargetInfos {
			if !realPage(i) || d.claimed(i.TargetID) || misses >= 3 {
				continue
			}
			d.mu.Lock()
			t := d.targetLocked(i.TargetID)
			t.url = i.URL
			d.mu.Unlock()
			session, err := d.attachTo(ctx, t, l)
			if err == nil && d.enable(ctx, session) {
				return t, session, nil
			}
			misses++ // asleep, in a loop, behind a dialog: not ours to wake
			if err == nil {
				d.ask(ctx, "", "Target.detachFromTarget", map[string]any{"sessionId": session}, nil)
			}
		}
	}
	return d.openTab(ctx, l, "about:blank")
}

// openTab makes a tab in the background, attached and ready.
func (d *daemon) openTab(ctx context.Context, l *label, url string) (*target, string, error) {
	raw, _ := json.Marshal(map[string]any{"url": url, "background": true})
	var t *target
	_, err := d.chrome.call(ctx, &call{method: "Target.createTarget", hook: d.opened(l, &t)}, raw)
	if err != nil {
		return nil, "", err
	}
	session, err := d.attachTo(ctx, t, l)
	if err != nil {
		return nil, "", err
	}
	d.enable(ctx, session)
	return t, session, nil
}

// opened takes the result of Target.createTarget: the new tab is the label's.
func (d *daemon) opened(l *label, out **target) func(json.RawMessage) {
	return func(result json.RawMessage) {
		var r struct{ TargetID string }
		json.Unmarshal(result, &r)
		d.mu.Lock()
		defer d.mu.Unlock()
		t := d.targetLocked(r.TargetID)
		t.owner = l
		if out != nil {
			*out = t
		}
	}
}

// attachTo makes a session on t for l.
func (d *daemon) attachTo(ctx context.Context, t *target, l *label) (string, error) {
	raw, _ := json.Marshal(map[string]any{"targetId": t.id, "flatten": true})
	result, err := d.chrome.call(ctx, &call{method: "Target.attachToTarget", hook: d.attached(t.id, l)}, raw)
	var cdp *cdpError
	if errors.As(err, &cdp) && !d.exists(ctx, t.id) {
		d.mu.Lock()
		t.gone = true
		d.mu.Unlock()
		return "", errClosed(t)
	}
	if err != nil {
		return "", err
	}
	var r struct{ SessionID string }
	err = json.Unmarshal(result, &r)
	return r.SessionID, err
}

// attached takes the result of Target.attachToTarget: the session is the label's.
func (d *daemon) attached(targetID string, l *label) func(json.RawMessage) {
	return func(result json.RawMessage) {
		var r struct{ SessionID string }
		json.Unmarshal(result, &r)
		d.mu.Lock()
		defer d.mu.Unlock()
		s := d.sessions[r.SessionID]
		if s == nil {
			s = &session{id: r.SessionID, target: d.targetLocked(targetID)}
			d.sessions[s.id] = s
		}
		s.label = l
	}
}

func (d *daemon) exists(ctx context.Context, id string) bool {
	var all struct{ TargetInfos []info }
	if d.ask(ctx, "", "Target.getTargets", nil, &all) != nil {
		return true
	}
	for _, i := range all.TargetInfos {
		if i.TargetID == id {
			return true
		}
	}
	return false
}

// answersIn is how long a page may take to answer before it counts as asleep.
const answersIn = 3 * time.Second

// enable turns on the domains whose events callers expect, at once, and says whether
// the page took all of them in time. One that is busy takes them later.
func (d *daemon) enable(ctx context.Context, session string) bool {
	ctx, cancel := context.WithTimeout(ctx, answersIn)
	defer cancel()
	domains := []string{"Page", "DOM", "Runtime", "Network"}
	errs := make([]error, len(domains))
	var wg sync.WaitGroup
	for i, domain := range domains {
		wg.Go(func() { errs[i] = d.ask(ctx, session, domain+".enable", nil, nil) })
	}
	wg.Wait()
	return errors.Join(errs...) == nil
}

// become makes t the current tab of l.
func (d *daemon) become(l *label, t *target, session string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	l.target, l.session, l.url = t, session, t.url
	if t.owner == nil {
		t.owner = l
	}
	if s := d.sessions[session]; s == nil { // it closed in the meantime
		l.session = ""
	} else {
		s.label = l
	}
}

// realPage leaves out what looks like a page to CDP and is a part of the browser.
func realPage(i info) bool {
	if i.Type != "page" {
		return false
	}
	for _, p := range []string{"chrome:", "chrome-untrusted:", "chrome-search:", "chrome-extension:", "devtools:", "edge:", "brave:", "vivaldi:", "opera:", "arc:"} {
		if strings.HasPrefix(i.URL, p) {
			return false
		}
	}
	return true
}
