package main

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"strings"
	"sync"
	"time"

	"bu/daemon/wire"
)

// target is what CDP calls one: a page, a frame of another site, a worker.
type target struct {
	id, kind, url string
	parent        *target // of a frame or worker: what it is in

	// Of a page:
	owner   *label  // whose tab it is; nil: the user's
	opener  string  // the target that opened it, if one did
	dialog  *dialog // open now, perhaps in one of its frames
	crashed bool
	loading bool
	gone    bool
	guard   *guard // nil: no limits
	closing bool   // by its owner
}

// page is the tab that t is, or is in.
func (t *target) page() *target {
	for t.parent != nil {
		t = t.parent
	}
	return t
}

// session is a target that this connection is attached to.
type session struct {
	id       string
	target   *target
	label    *label        // who attached; nil: unknown
	drove    bool          // was a label's current one
	tied     net.Conn      // not nil: it ends with that connection
	guard    *guard        // not nil: one of that guard's
	confined string        // … its script that limits documents
	mending  chan struct{} // not nil: closed when its page runs again
}

// label is one caller's share of the browser: BU_TAB, "" for those without.
type label struct {
	name    string
	target  *target   // its current tab; nil before its first use
	session *session  // the current tab's; nil while detached
	url     string    // the current tab's last address
	reopen  bool      // its tab was lost with a browser that was restarted
	opening *[]string // not nil: its tab is about to be made, see takeOrphan
	ring    *ring
	turn    chan struct{} // of one: held while its tab is made or attached
	notices []func() string
	driver  *driver
	allow   wire.Hosts // nil: the daemon's own limits
}

// info is CDP's TargetInfo.
type info struct {
	TargetID, Type, URL, OpenerID, ParentID string
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
	d.mu.Lock()
	d.restored = true
	d.mu.Unlock()
	_, err = d.current(d.ctx, l)
	var f *fail
	if errors.As(err, &f) && f.code == "tab_closed" {
		return nil // its callers hear of it
	}
	return err
}

// current gives the session on the label's tab, making either if need be.
func (d *daemon) current(ctx context.Context, l *label) (*session, error) {
	d.mu.Lock()
	s := l.session
	d.mu.Unlock()
	if s != nil {
		return s, nil
	}
	type settled struct {
		s   *session
		err error
	}
	done := make(chan settled, 1)
	go func() { // goes on when the caller leaves: a tab made for nobody would stay behind
		s, err := d.settle(l)
		done <- settled{s, err}
	}()
	select {
	case r := <-done:
		return r.s, r.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// settle opens or attaches the label's tab, one at a time for each label.
func (d *daemon) settle(l *label) (*session, error) {
	l.turn <- struct{}{}
	defer func() { <-l.turn }()
	ctx, cancel := context.WithTimeoutCause(d.ctx, 20*time.Second, errDeadline)
	defer cancel()
	d.mu.Lock()
	s, t, url := l.session, l.target, l.url
	gone, reopen := t != nil && t.gone, l.reopen
	d.mu.Unlock()
	var err error
	switch {
	case reopen:
		if s, err = d.openTab(ctx, l, d.allowedOr(l, url)); err == nil {
			d.mu.Lock()
			l.notice(func() string { return "the browser was restarted; your tab was opened again at " + url })
			d.mu.Unlock()
		}
	case s != nil:
		return s, nil
	case gone:
		return nil, errClosed(t)
	case t != nil:
		if err = d.guarded(ctx, t, l); err == nil {
			if s, err = d.attachTo(ctx, t, l); err == nil {
				d.enable(ctx, s)
			}
		}
	default:
		s, err = d.firstTab(ctx, l)
	}
	if err != nil {
		return nil, err
	}
	d.become(l, s)
	d.save()
	return s, nil
}

// firstTab gives a label its first tab: the first real page for callers without a
// label, else a tab of its own in the background.
func (d *daemon) firstTab(ctx context.Context, l *label) (*session, error) {
	if l.name != "" || d.name != "default" && d.browser.Local() {
		return d.openTab(ctx, l, "about:blank")
	}
	var all struct{ TargetInfos []info }
	if err := d.ask(ctx, "", "Target.getTargets", nil, &all); err != nil {
		return nil, err
	}
	d.mu.Lock()
	hosts := d.hostsLocked(l)
	d.mu.Unlock()
	misses := 0
	for _, i := range all.TargetInfos {
		if _, ok := hosts.Allow(i.URL); !ok || !realPage(i) || d.claimed(i.TargetID) {
			continue
		}
		d.mu.Lock()
		t := d.targetLocked(i.TargetID)
		t.url = i.URL
		d.mu.Unlock()
		err := d.guarded(ctx, t, l)
		if err != nil {
			return nil, err
		}
		s, err := d.attachTo(ctx, t, l)
		if err == nil && d.enable(ctx, s) {
			return s, nil
		}
		if err == nil { // asleep, in a loop, behind a dialog: not ours to wake
			go d.detach(s)
		}
		if misses++; misses == 3 { // 3 s each
			break
		}
	}
	return d.openTab(ctx, l, "about:blank")
}

// openTab makes the label's tab, in the background, attached and ready.
func (d *daemon) openTab(ctx context.Context, l *label, url string) (*session, error) {
	raw, _ := json.Marshal(obj{"url": url, "background": true})
	d.mu.Lock()
	others := []string{}
	for _, t := range d.blankLocked() {
		others = append(others, t.id)
	}
	l.opening = &others
	d.mu.Unlock()
	d.save()
	t, _, err := d.create(ctx, l, raw, true)
	if err != nil {
		d.mu.Lock()
		l.opening = nil
		d.mu.Unlock()
		return nil, err
	}
	s, err := d.attachTo(ctx, t, l)
	if err == nil {
		d.enable(ctx, s)
	}
	return s, err
}

// opened takes the result of Target.createTarget: the new tab is the label's. One that it
// is to drive is so at once, or a daemon that is killed before it is attached would leave
// it behind, and the next one would open another.
func (d *daemon) opened(l *label, out **target, current bool) func(json.RawMessage) {
	return func(result json.RawMessage) {
		var r struct{ TargetID string }
		json.Unmarshal(result, &r)
		d.mu.Lock()
		defer d.mu.Unlock()
		t := d.targetLocked(r.TargetID)
		t.owner = l
		if current {
			l.target, l.reopen, l.opening = t, false, nil
		}
		d.saveSoon()
		*out = t
	}
}

// attachTo makes a session on t for l.
func (d *daemon) attachTo(ctx context.Context, t *target, l *label) (*session, error) {
	defer d.expect(t.id)()
	raw, _ := json.Marshal(obj{"targetId": t.id, "flatten": true})
	var s *session
	_, err := d.chrome.call(ctx, &call{method: "Target.attachToTarget", hook: d.attached(t.id, l, &s)}, raw)
	var cdp *cdpError
	if errors.As(err, &cdp) && !d.exists(ctx, t.id) {
		d.mu.Lock()
		t.gone = true
		d.mu.Unlock()
		return nil, errClosed(t)
	}
	return s, err
}

// attached takes the result of Target.attachToTarget: the session is the label's.
func (d *daemon) attached(targetID string, l *label, out **session) func(json.RawMessage) {
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
		if out != nil {
			*out = s
		}
	}
}

// expect says that we attach to a target ourselves: a session on it is not one that
// Chrome made by itself. The answer ends it.
func (d *daemon) expect(id string) (end func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.expected[id]++
	return func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		if d.expected[id]--; d.expected[id] == 0 {
			delete(d.expected, id)
		}
	}
}

func (d *daemon) detach(s *session) {
	ctx, cancel := context.WithTimeout(d.ctx, defaultTimeout)
	defer cancel()
	d.ask(ctx, "", "Target.detachFromTarget", map[string]any{"sessionId": s.id}, nil)
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
func (d *daemon) enable(ctx context.Context, s *session) bool {
	ctx, cancel := context.WithTimeout(ctx, answersIn)
	defer cancel()
	domains := []string{"Page", "DOM", "Runtime", "Network"}
	errs := make([]error, len(domains))
	var wg sync.WaitGroup
	for i, domain := range domains {
		wg.Go(func() { errs[i] = d.ask(ctx, s.id, domain+".enable", nil, nil) })
	}
	wg.Wait()
	// A tab in the background draws nothing and answers mouse moves after 5 s; with this
	// it is as if in front, and the user's view does not change. Not before the answers:
	// of ten new tabs made at once, which share a renderer, most crashed (SIGSEGV).
	d.ask(ctx, s.id, "Emulation.setFocusEmulationEnabled", map[string]any{"enabled": true}, nil)
	return errors.Join(errs...) == nil
}

// become makes s, and the tab that it is on, the label's current one.
func (d *daemon) become(l *label, s *session) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, old := range d.sessions { // of an earlier visit: each would bring every event once more
		if old != s && old.drove && old.label == l && old.target == s.target {
			go d.detach(old)
		}
	}
	t := s.target
	l.target, l.session, l.url = t, s, t.url
	s.label, s.drove = l, true
	if t.owner == nil {
		t.owner = l
	}
	if d.sessions[s.id] != s { // it closed in the meantime
		l.session = nil
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
