package main

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"bu/daemon/cdp"
)

// making is a tab that is being made, or attached to: all who want it wait for the one
// attempt, which goes on when they leave. What was made for nobody in the end is closed.
type making struct {
	done    chan struct{}
	waiting int // who wants it
	s       *session
	err     error
}

// current gives the session on the label's tab, making either if need be.
func (d *daemon) current(ctx context.Context, l *label) (*session, error) {
	d.mu.Lock()
	if s := l.session(); s != nil {
		d.mu.Unlock()
		return s, nil
	}
	w := l.making
	if w == nil {
		w = &making{done: make(chan struct{})}
		l.making = w
		l.users++
		go func() {
			defer d.release(l)
			s, err := d.settle(l)
			d.mu.Lock()
			w.s, w.err, l.making = s, err, nil
			left := w.waiting == 0 && err == nil && s.target.unused
			if left {
				d.unmade(s.target)
			}
			d.mu.Unlock()
			close(w.done)
			if left {
				d.drop(s.target)
			}
		}()
	}
	w.waiting++
	d.mu.Unlock()
	select {
	case <-w.done:
		return w.s, w.err
	case <-ctx.Done():
		d.mu.Lock()
		w.waiting--
		d.mu.Unlock()
		return nil, context.Cause(ctx)
	}
}

// settle opens or attaches the label's tab.
func (d *daemon) settle(l *label) (s *session, err error) {
	ctx, cancel := context.WithTimeoutCause(d.ctx, 20*time.Second, errDeadline)
	defer cancel()
	d.mu.Lock()
	phase, t := l.phase, l.tab
	d.mu.Unlock()
	switch phase {
	case lost:
		url := d.allowedOr(l, t.url)
		if s, err = d.openTab(ctx, l, url); err == nil {
			d.mu.Lock()
			l.notice(func() string { return "the browser was restarted; your tab was opened again at " + url })
			d.mu.Unlock()
		}
	case closed:
		return nil, errClosed(t)
	case driving:
		if err = d.guarded(ctx, t, l); err == nil {
			if s, err = d.attachTo(ctx, t, l, ofCaller); err == nil {
				d.enable(ctx, s, true)
			}
		}
	default:
		if s, err = d.firstTab(ctx, l); err == nil {
			d.mu.Lock()
			s.target.unused = s.target.owner == l && s.target.url == "about:blank" // else it was the user's
			d.mu.Unlock()
		}
	}
	if err != nil {
		return nil, err
	}
	d.become(l, s)
	return s, nil
}

// become makes s the label's current session: in the state file before callers hear of it.
func (d *daemon) become(l *label, s *session) {
	var fx effects
	d.mu.Lock()
	d.seat(l, s, &fx)
	d.mu.Unlock()
	d.follow(fx)
	d.save()
}

// firstTab gives a label its first tab: the first real page for callers without a
// label, else a tab of its own in the background.
func (d *daemon) firstTab(ctx context.Context, l *label) (*session, error) {
	if l.name != "" || d.name != "default" && d.browser.Local() {
		return d.openTab(ctx, l, "about:blank")
	}
	all, err := d.list(ctx)
	if err != nil {
		return nil, err
	}
	misses := 0
	for _, i := range all {
		if d.allowedOr(l, i.URL) != i.URL || !realPage(i) || d.claimed(i.TargetID) {
			continue
		}
		d.mu.Lock()
		t := d.target(i.TargetID)
		t.url = nameless(i.URL)
		d.mu.Unlock()
		if s := d.awake(ctx, t, l); s != nil {
			return s, nil
		}
		if misses++; misses == 3 { // 3 s each
			break
		}
	}
	return d.openTab(ctx, l, "about:blank")
}

// awake attaches to a page that answers. One that is asleep, in a loop or behind a dialog
// we do not wake: nil.
func (d *daemon) awake(ctx context.Context, t *target, l *label) *session {
	short, cancel := context.WithTimeoutCause(ctx, answersIn, errDeadline)
	defer cancel()
	if d.guarded(short, t, l) == nil {
		s, err := d.attachTo(short, t, l, ofCaller)
		if err == nil && d.enable(short, s, false) {
			return s
		}
		if err == nil {
			go d.detach(s)
		}
	}
	d.unvisited(t)
	return nil
}

// openTab makes the label's tab, in the background, attached and ready.
func (d *daemon) openTab(ctx context.Context, l *label, url string) (*session, error) {
	raw, _ := json.Marshal(obj{"url": url, "background": true})
	d.mu.Lock()
	before := l.phase
	l.phase, l.others = opening, []string{}
	for _, t := range d.blank() {
		l.others = append(l.others, t.id)
	}
	d.mu.Unlock()
	d.save()
	t, _, err := d.create(ctx, l, raw, nil, true)
	if err != nil {
		d.mu.Lock()
		if l.phase == opening {
			l.phase = before
		}
		d.mu.Unlock()
		return nil, err
	}
	s, err := d.attachTo(ctx, t, l, ofCaller)
	if err == nil {
		d.enable(ctx, s, false)
	}
	return s, err
}

// attachTo makes a session on t for l.
func (d *daemon) attachTo(ctx context.Context, t *target, l *label, as role) (*session, error) {
	defer d.expect(t.id, as)()
	raw, _ := json.Marshal(obj{"targetId": t.id, "flatten": true})
	hook := func(result json.RawMessage) {
		var r struct{ SessionID string }
		json.Unmarshal(result, &r)
		d.mu.Lock()
		defer d.mu.Unlock()
		d.join(r.SessionID, t.id, l, as)
	}
	result, err := d.made(ctx, &cdp.Call{Method: "Target.attachToTarget", Hook: hook}, raw, d.detachAgain)
	if refused := (*cdp.Error)(nil); errors.As(err, &refused) && !d.exists(ctx, t.id) {
		d.mu.Lock()
		if t.gone = true; l != nil && l.tab == t {
			l.phase = closed
		}
		err = errClosed(t)
		d.mu.Unlock()
		return nil, err
	}
	if err != nil {
		return nil, err
	}
	if s := d.sessionIn(result); s != nil {
		return s, nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return nil, errClosed(t) // in the meantime
}

// sessionIn is the session that a Target.attachToTarget made, if it lives still.
func (d *daemon) sessionIn(result json.RawMessage) *session {
	var r struct{ SessionID string }
	json.Unmarshal(result, &r)
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.sessions[r.SessionID]
}

func (d *daemon) detachAgain(result json.RawMessage) {
	if s := d.sessionIn(result); s != nil {
		d.detach(s)
	}
}

// expect says that we attach to a target ourselves: a session on it is not one that
// Chrome made by itself. The answer ends it.
func (d *daemon) expect(id string, as role) (end func()) {
	count := func(n int) {
		d.mu.Lock()
		defer d.mu.Unlock()
		if d.expected[id] += n; d.expected[id] == 0 {
			delete(d.expected, id)
		}
		if as != ofGuard {
			return
		}
		if d.hidden[id] += n; d.hidden[id] == 0 {
			delete(d.hidden, id)
		}
	}
	count(+1)
	return func() { count(-1) }
}

func (d *daemon) detach(s *session) {
	ctx, cancel := context.WithTimeout(d.ctx, defaultTimeout)
	defer cancel()
	d.ask(ctx, "", "Target.detachFromTarget", obj{"sessionId": s.id}, nil)
}

func (d *daemon) list(ctx context.Context) ([]info, error) {
	var all struct{ TargetInfos []info }
	err := d.ask(ctx, "", "Target.getTargets", nil, &all)
	return all.TargetInfos, err
}

func (d *daemon) exists(ctx context.Context, id string) bool {
	all, err := d.list(ctx)
	for _, i := range all {
		if i.TargetID == id {
			return true
		}
	}
	return err != nil
}

// answersIn is how long a page may take to answer before it counts as asleep.
const answersIn = 3 * time.Second

// enable turns on the domains whose events callers expect, at once, and says whether
// the page took all of them in time. One that is busy takes them later; one that was
// discarded is loaded if load says so.
func (d *daemon) enable(ctx context.Context, s *session, load bool) bool {
	ctx, cancel := context.WithTimeout(ctx, answersIn)
	defer cancel()
	if load {
		late := time.AfterFunc(promptly, func() { d.load(ctx, s) })
		defer late.Stop()
	}
	domains := []string{"Page", "DOM", "Runtime", "Network"}
	errs := make([]error, len(domains))
	var wg sync.WaitGroup
	for i, domain := range domains {
		wg.Go(func() { errs[i] = d.ask(ctx, s.id, domain+".enable", nil, nil) })
	}
	wg.Wait()
	// A tab in the background draws nothing and answers mouse moves after 5 s; with this
	// it is as if in front, and the user's view does not change. It thaws a frozen one, too.
	// Not before the answers: of ten new tabs made at once, which share a renderer, most
	// crashed (SIGSEGV).
	d.ask(ctx, s.id, "Emulation.setFocusEmulationEnabled", obj{"enabled": true}, nil)
	return errors.Join(errs...) == nil
}
