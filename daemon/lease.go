package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"log"
	"slices"
	"time"

	"bu/daemon/wire"
)

// lease is what a connection holds, and what ends with it, however it ends: the sessions and
// new tabs tied to it, and the wheels: the right to drive a tab, which it gave to a person.
type lease struct {
	over     bool // the connection is closed
	sessions []*session
	tabs     []*target // tied, or not used yet when it was told of them
	wheels   []*wheel
	choosers []*session // of pages whose choosers of files it keeps from opening
}

// wheel says that a person drives a tab. It belongs to the tab: no label gets past it without
// the key, not even with force.
type wheel struct {
	tab          *target
	key, message string
	session      string      // for undo
	undo         []wire.Step // done when the tab is given back
	back         bool        // it is being given back already
}

// tie makes a session end with a connection: whatever it has switched on in a page ends
// with it, even if the client is killed.
func (m *model) tie(s *session, to *lease) (tooLate bool) {
	s.lease = to
	to.sessions = append(to.sessions, s)
	return to.over
}

// tie makes a new tab end with a connection. If the connection has ended already the tab is
// closed at once.
func (t *target) tie(to *lease) {
	if to != nil {
		t.tied = to
		to.tabs = append(to.ending(), t)
	}
}

// ending are the tabs that would end with the connection now.
func (of *lease) ending() []*target {
	return slices.DeleteFunc(of.tabs, func(t *target) bool { return t.gone || t.tied != of && !t.unused })
}

// end frees what a connection held.
func (d *daemon) end(of *lease) {
	d.mu.Lock()
	of.over = true
	wheels, sessions, kept := of.wheels, of.sessions, len(of.choosers) > 0
	tabs := of.ending()
	for _, t := range tabs {
		d.unmade(t)
	}
	d.mu.Unlock()
	for _, t := range tabs {
		d.drop(t)
	}
	if kept { // what the last act led to may come a moment later
		time.AfterFunc(time.Second, func() { d.letChoosers(of, nil) })
	}
	for _, w := range wheels {
		d.giveBack(w)
	}
	for _, s := range sessions {
		d.mu.Lock()
		there := d.sessions[s.id] == s && s.role == ofCaller
		d.mu.Unlock()
		if there {
			d.undo(s)
			d.detach(s)
		}
	}
}

// unmade takes a new tab away from its label, which gets back the tab that it had before.
func (m *model) unmade(t *target) {
	t.closing, t.unused = true, false
	l := t.owner
	if l == nil || l.tab != t {
		return
	}
	switch l.tab = t.before; {
	case l.tab == nil:
		l.phase = fresh
	case l.tab.gone:
		l.phase = closed
	}
}

// drop closes a tab that was unmade.
func (d *daemon) drop(t *target) {
	ctx, cancel := context.WithTimeout(d.ctx, defaultTimeout)
	defer cancel()
	d.ask(ctx, "", "Target.closeTarget", obj{"targetId": t.id}, nil)
	d.save()
}

// undo does in a session what was to be done in it at its end.
func (d *daemon) undo(s *session) {
	ctx, cancel := context.WithTimeout(d.ctx, answersIn)
	defer cancel()
	for _, step := range s.undo {
		if err := d.ask(ctx, s.id, step.Method, step.Params, nil); err != nil {
			log.Printf("%s, at the end of a session: %v", step.Method, err)
		}
	}
}

// driven refuses a request that would take the wheel out of a person's hands: of the tab
// that the label drives, or of the one that the request is about.
func (m *model) driven(r *request) error {
	for _, t := range []*target{r.label.tab, r.tab} {
		if t == nil {
			continue
		}
		if w := t.page().wheel; w != nil && w.key != r.Drive {
			return &fail{"user_driving", "the user has this tab: " + w.message + ". Try again when they are done", obj{"message": w.message}}
		}
	}
	return nil
}

// drive gives the label's tab to a person. It is theirs until whoever asked sends the key
// without a message, or its connection ends. Meanwhile the daemon is not idle.
func (d *daemon) drive(ctx context.Context, r *request) (any, error) {
	if r.Message == "" {
		d.mu.Lock()
		var w *wheel
		if r.label.tab != nil {
			w = r.label.tab.page().wheel
		}
		d.mu.Unlock()
		if w != nil {
			d.giveBack(w)
		}
		return answer{"ok": true}, nil
	}
	s, err := d.current(ctx, r.label)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	of := s.choosers
	d.mu.Unlock()
	if of != nil {
		d.letChoosers(of, s.target.page())
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	t := s.target.page()
	w := t.wheel
	if w == nil {
		w = &wheel{tab: t, key: rand.Text()}
		t.wheel = w
		r.lease.wheels = append(r.lease.wheels, w)
		d.count(+1)
	} else if w.key != r.Drive { // somebody was faster
		r.tab = t
		return nil, d.driven(r)
	}
	w.message = r.Message
	if r.Undo != nil {
		w.session, w.undo = s.id, r.Undo
	}
	return answer{"ok": true, "key": w.key}, nil
}

// giveBack ends a drive: it undoes what the drive had changed in the tab, and only then does
// the tab stop being the person's.
func (d *daemon) giveBack(w *wheel) {
	d.mu.Lock()
	twice, session, undo := w.back, w.session, w.undo
	w.back = true
	owner := w.tab.owner
	d.mu.Unlock()
	if twice {
		return
	}
	for _, step := range undo {
		r := &request{limit: answersIn, lease: &lease{}}
		r.Method, r.Params, r.SessionID, r.Drive = step.Method, step.Params, session, w.key
		if owner != nil {
			r.Tab = owner.name
		}
		if _, err := d.do(d.ctx, r)(); err != nil {
			log.Printf("%s, when the tab was given back: %v", step.Method, err)
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	w.tab.wheel = nil
	d.count(-1)
}

// tied is the hook of a Target.attachToTarget whose session is to end with its connection.
func (d *daemon) tied(targetID string, l *label, to *lease, undo []wire.Step) func(json.RawMessage) {
	return func(result json.RawMessage) {
		var r struct{ SessionID string }
		json.Unmarshal(result, &r)
		d.mu.Lock()
		s := d.join(r.SessionID, targetID, l, ofCaller)
		s.undo = undo
		tooLate := to != nil && d.tie(s, to)
		d.mu.Unlock()
		if tooLate {
			go d.detach(s)
		}
	}
}
