package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"maps"
	"os"
	"slices"
	"time"
)

type answer map[string]any

// verb is one meta: who does it, and what check demands before.
type verb struct {
	do      func(*daemon, context.Context, *request) (any, error)
	browser bool // waits until attached; has to do with the label's tab. Else it answers whatever hangs
	wheel   bool // is refused while a person drives the tab
	events  bool // its timeout_ms is its own: how long to wait for an event
}

func verbOf(meta string) (v verb, known bool) {
	v, known = map[string]verb{
		"session":      {do: (*daemon).sessionOf, browser: true, wheel: true},
		"set_session":  {do: (*daemon).setSession, browser: true, wheel: true},
		"drive":        {do: (*daemon).drive, browser: true, wheel: true},
		"drain_events": {do: (*daemon).drainEvents, browser: true},
		"events":       {do: (*daemon).eventsAfter, browser: true, events: true},
		"status":       {do: (*daemon).status},
		"log":          {do: (*daemon).lastCalls},
		"uids":         {do: (*daemon).takeUIDs},
		"shutdown":     {do: (*daemon).shutdown},
	}[meta]
	return v, known
}

// meta does what concerns the daemon itself.
func (d *daemon) meta(ctx context.Context, r *request) (any, error) {
	v, known := verbOf(r.Meta)
	if !known {
		return nil, failf("bad_request", "unknown meta %.80q; use session, set_session, drain_events, events, status, log, uids, drive, shutdown", r.Meta)
	}
	if v.browser && !v.events {
		var trust func()
		ctx, trust = d.suspecting(ctx)
		defer trust()
	}
	bounded, cancel := context.WithTimeoutCause(ctx, max(r.limit, time.Second), errDeadline)
	defer cancel()
	err := d.check(bounded, r, v)
	defer d.release(r.label)
	if err != nil {
		return nil, err
	}
	if v.events {
		bounded = ctx
	}
	return v.do(d, bounded, r)
}

func (d *daemon) shutdown(context.Context, *request) (any, error) {
	log.Print("shutdown asked for")
	d.forget()
	err := d.rent.stop()
	time.AfterFunc(10*time.Millisecond, func() { d.stop(errShutdown) }) // after the answer
	if err != nil {
		return nil, failf("http_error", "%v", err)
	}
	return answer{"ok": true}, nil
}

func (d *daemon) lastCalls(_ context.Context, r *request) (any, error) {
	return answer{"calls": d.calls.last(int(r.Count))}, nil
}

func (d *daemon) drainEvents(_ context.Context, r *request) (any, error) {
	events, dropped := r.label.ring.drain()
	return answer{"events": orEmpty(events), "dropped": dropped, "seq": d.seq.Load()}, nil
}

func orEmpty(events []event) []event {
	if events == nil {
		return []event{}
	}
	return events
}

// eventsAfter waits for the first match, and gives all there are by then.
func (d *daemon) eventsAfter(ctx context.Context, r *request) (any, error) {
	since, limit := d.seq.Load(), r.limit
	if r.Since != nil {
		since = *r.Since
	}
	if r.TimeoutMS == nil {
		limit = 0
	}
	match := func(e *event) bool {
		return (len(r.Methods) == 0 || slices.Contains(r.Methods, e.Method)) &&
			(r.SessionID == "" || r.SessionID == e.Session)
	}
	late := time.NewTimer(limit)
	defer late.Stop()
	for {
		newest := d.seq.Load() // before the look: what comes after it is found the next time
		found, dropped, wake := r.label.ring.after(since, match)
		out := answer{"events": orEmpty(found), "seq": max(newest, lastSeq(found)), "dropped": dropped}
		if len(found) > 0 || limit <= 0 {
			if r.Prompts {
				d.mu.Lock()
				r.label.windows = max(r.label.windows, newest)
				d.mu.Unlock()
				out["prompts"] = d.asked(ctx, r.label)
			}
			return out, nil
		}
		select {
		case <-wake:
		case <-late.C:
			return out, nil
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-d.ctx.Done():
			return nil, context.Cause(d.ctx)
		}
	}
}

func lastSeq(events []event) int64 {
	if len(events) == 0 {
		return 0
	}
	return events[len(events)-1].Seq
}

// meant refuses a caller who means another browser than the one that is driven here.
func (d *daemon) meant(r *request) error {
	if r.Browser == "" || r.Browser == d.named || r.Browser == d.browser.Address() {
		return nil
	}
	return failf("no_browser", "the daemon of this BU_NAME drives %s, but BU_CDP_WS or BU_CDP_URL names %s: use another BU_NAME for that one, or end this daemon with killDaemon()", d.browser.Identity(), r.Browser)
}

// sessionOf greets a caller: which tab is its, and what has happened to it meanwhile.
func (d *daemon) sessionOf(ctx context.Context, r *request) (any, error) {
	if err := d.meant(r); err != nil {
		return nil, err
	}
	s, err := d.current(ctx, r.label)
	d.mu.Lock()
	defer d.mu.Unlock()
	out := obj{"seq": d.seq.Load(), "build": d.build}
	if lines := r.label.news(); len(lines) > 0 {
		out["notices"] = lines
	}
	if err != nil {
		if f := (*fail)(nil); errors.As(err, &f) && f.code == "tab_closed" {
			maps.Copy(out, f.more)
			return nil, &fail{f.code, f.text, out}
		}
		return nil, err
	}
	out["session_id"], out["target_id"] = s.id, s.target.id
	if r.Tied && s.target.unused {
		r.lease.tabs = append(r.lease.ending(), s.target)
	}
	if g := s.target.page().dialog; g != nil {
		out["dialog"] = g
	}
	if s.world != nil {
		out["world"] = s.world
	}
	if d.headless {
		out["headless"] = true
	}
	return out, nil
}

// news takes what changed under the label since it was last told: each line once.
func (l *label) news() (lines []string) {
	for _, line := range l.notices {
		if said := line(); said != "" {
			lines = append(lines, said)
		}
	}
	l.notices = nil
	if n := l.ring.untold(); n > 0 {
		lines = append(lines, fmt.Sprintf("%d events were dropped: the newest %d are kept", n, ringEvents))
	}
	return lines
}

// setSession makes a session, and the tab that it is on, the label's current one.
func (d *daemon) setSession(ctx context.Context, r *request) (any, error) {
	s := r.session
	if s == nil {
		return nil, failf("tab_closed", "no session %.80q: its tab was closed or it was detached; attach again", r.SessionID)
	}
	d.mu.Lock()
	err := d.seatable(r.label, s)
	if err == nil {
		d.take(r.label, s.target)
	}
	d.mu.Unlock()
	if err != nil {
		return nil, err
	}
	if err := d.guarded(ctx, s.target, r.label); err != nil {
		return nil, err
	}
	d.mu.Lock()
	already := r.label.session() == s
	if !r.Tied {
		s.target.tied = nil
	}
	d.mu.Unlock()
	if !already {
		d.enable(ctx, s, true)
		d.become(r.label, s)
	}
	return answer{"session_id": s.id, "target_id": s.target.id}, nil
}

// status is flat, and tells nothing secret. An unknown label is not made known by it.
func (d *daemon) status(_ context.Context, r *request) (any, error) {
	out := answer{"pid": os.Getpid(), "build": d.build, "name": d.name, "uptime_s": int(time.Since(d.started).Seconds())}
	select {
	case <-d.ready:
	default:
		out["attaching"], out["waiting_for"] = true, *d.stage.Load()
		return out, nil
	}
	if d.failed != nil {
		out["failed"] = d.failed.Error()
		return out, nil
	}
	browser := answer{"kind": d.browser.Kind, "product": d.product, "address": d.browser.Address()}
	if d.rent != nil {
		browser["rented"] = d.rent.id
	}
	out["browser"] = browser
	d.mu.Lock()
	defer d.mu.Unlock()
	l := d.labels[r.Tab]
	if l == nil {
		l = &label{ring: &ring{}}
	}
	if hosts := d.hosts(l); hosts != nil {
		out["allow"] = hosts
	}
	held, dropped := l.ring.stats()
	out["events"] = answer{"held": held, "dropped": dropped, "seq": d.seq.Load()}
	out["tabs"], out["sessions"] = d.tabs(), len(d.sessions)
	t := l.tab
	if t == nil || t.id == "" {
		return out, nil
	}
	out["target_id"], out["url"] = t.id, t.url
	if s := l.session(); s != nil {
		out["session_id"] = s.id
	}
	if t.wheel != nil {
		out["user_driving"] = t.wheel.message
	}
	if t.dialog != nil {
		out["dialog"] = t.dialog
	}
	for name, is := range map[string]bool{"crashed": t.crashed, "loading": t.loading, "closed": t.gone} {
		if is {
			out[name] = true
		}
	}
	return out, nil
}
