package main

import (
	"context"
	"log"
	"slices"
	"time"

	"bu/daemon/wire"
)

// client is one connection of a caller.
type client struct{}

// letGo frees what a connection held.
func (d *daemon) letGo(*client) {}

type answer map[string]any

// meta does what concerns the daemon itself.
func (d *daemon) meta(ctx context.Context, c *client, req *wire.Request, limit time.Duration) (any, error) {
	switch req.Meta { // these answer whatever else hangs
	case "status":
		return d.status(req)
	case "shutdown":
		log.Print("shutdown asked for")
		d.forget()
		err := d.rent.stop()
		time.AfterFunc(10*time.Millisecond, func() { d.stop(errShutdown) }) // after the answer
		if err != nil {
			return nil, failf("http_error", "%v", err)
		}
		return answer{"ok": true}, nil
	}
	l, err := d.labelled(req.Tab)
	if err != nil {
		return nil, err
	}
	bounded, cancel := context.WithTimeoutCause(ctx, max(limit, time.Second), errDeadline)
	defer cancel()
	if err := d.wait(bounded); err != nil {
		return nil, err
	}
	switch req.Meta {
	case "session":
		return d.sessionOf(bounded, l)
	case "set_session":
		return d.setSession(bounded, l, req)
	case "drain_events":
		events, dropped := l.ring.drain()
		return answer{"events": orEmpty(events), "dropped": dropped, "seq": d.seq.Load()}, nil
	case "events":
		if req.TimeoutMS == nil {
			limit = 0
		}
		return d.eventsAfter(ctx, l, req, limit)
	}
	return nil, failf("bad_request", "no such meta: %.80q; there are session, set_session, drain_events, events, status, shutdown", req.Meta)
}

func orEmpty(events []event) []event {
	if events == nil {
		return []event{}
	}
	return events
}

// eventsAfter waits for the first match, and gives all there are by then.
func (d *daemon) eventsAfter(ctx context.Context, l *label, req *wire.Request, limit time.Duration) (any, error) {
	since := d.seq.Load()
	if req.Since != nil {
		since = *req.Since
	}
	match := func(e *event) bool {
		return (len(req.Methods) == 0 || slices.Contains(req.Methods, e.Method)) &&
			(req.SessionID == "" || req.SessionID == e.Session)
	}
	late := time.NewTimer(limit)
	defer late.Stop()
	for from := since; ; {
		newest := d.seq.Load() // before the look: what comes after it is found the next time
		found, dropped, wake := l.ring.after(from, match)
		out := answer{"events": orEmpty(found), "seq": max(newest, lastSeq(found)), "dropped": dropped}
		if len(found) > 0 || limit <= 0 {
			return out, nil
		}
		select {
		case <-wake:
		case <-late.C:
			return out, nil
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-d.ctx.Done():
			return nil, explain(context.Cause(d.ctx), req, limit)
		}
	}
}

func lastSeq(events []event) int64 {
	if len(events) == 0 {
		return 0
	}
	return events[len(events)-1].Seq
}

func (d *daemon) sessionOf(ctx context.Context, l *label) (any, error) {
	s, err := d.current(ctx, l)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	t := s.target.page()
	out := answer{"session_id": s.id, "target_id": s.target.id, "seq": d.seq.Load(), "build": d.build}
	if t.dialog != nil {
		out["dialog"] = t.dialog
	}
	return out, nil
}

// setSession makes a session, and the tab that it is on, the label's current one.
func (d *daemon) setSession(ctx context.Context, l *label, req *wire.Request) (any, error) {
	d.mu.Lock()
	s := d.sessions[req.SessionID]
	d.mu.Unlock()
	if s == nil {
		return nil, failf("tab_closed", "no session %.80q: its tab was closed or it was detached; attach again", req.SessionID)
	}
	if err := d.mayUse(l, s.target, req); err != nil {
		return nil, err
	}
	d.enable(ctx, s)
	d.become(l, s)
	d.save()
	return answer{"session_id": s.id, "target_id": s.target.id}, nil
}

// status is flat, and tells nothing secret.
func (d *daemon) status(req *wire.Request) (any, error) {
	out := answer{"pid": d.pid(), "build": d.build, "name": d.name, "uptime_s": int(time.Since(d.started).Seconds())}
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
	l, err := d.labelled(req.Tab)
	if err != nil {
		return nil, err
	}
	out["browser"] = answer{"kind": d.browser.Kind, "product": d.product, "address": d.browser.Address()}
	held, dropped := l.ring.stats()
	out["events"] = answer{"held": held, "dropped": dropped, "seq": d.seq.Load()}
	d.mu.Lock()
	defer d.mu.Unlock()
	out["tabs"] = d.tabsLocked()
	if t := l.target; t != nil {
		out["target_id"], out["url"] = t.id, t.url
		if l.session != nil {
			out["session_id"] = l.session.id
		}
		if t.dialog != nil {
			out["dialog"] = t.dialog
		}
		for name, is := range map[string]bool{"crashed": t.crashed, "loading": t.loading, "closed": t.gone} {
			if is {
				out[name] = true
			}
		}
	}
	return out, nil
}
