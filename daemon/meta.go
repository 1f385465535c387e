package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"maps"
	"net"
	"os"
	"slices"
	"strings"
	"time"

	"bu/daemon/wire"
)

type answer map[string]any

// meta does what concerns the daemon itself.
func (d *daemon) meta(ctx context.Context, conn net.Conn, req *wire.Request, limit time.Duration) (any, error) {
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
	switch req.Meta {
	case "log":
		return answer{"calls": d.calls.last(int(req.Count))}, nil
	case "uids":
		return d.uids(req)
	case "drive":
		return d.drive(conn, l, req)
	case "session", "set_session", "drain_events", "events":
	default:
		return nil, failf("bad_request", "no such meta: %.80q; there are session, set_session, drain_events, events, status, log, uids, drive, shutdown", req.Meta)
	}
	bounded, cancel := context.WithTimeoutCause(ctx, max(limit, time.Second), errDeadline)
	defer cancel()
	if err := d.wait(bounded); err != nil {
		if d.failedBefore(req) {
			d.stop(d.failed)
			return nil, failf("daemon_ended", "this daemon ends: %v; its successor may fare better", d.failed)
		}
		return nil, err
	}
	if strings.HasSuffix(req.Meta, "session") {
		d.mu.Lock()
		err := l.drivenLocked(req)
		d.mu.Unlock()
		if err != nil {
			return nil, err
		}
	}
	if err := d.limit(bounded, l, req.Allow); err != nil {
		return nil, err
	}
	switch req.Meta {
	case "session":
		if err := d.meant(req); err != nil {
			return nil, err
		}
		return d.sessionOf(bounded, l)
	case "set_session":
		return d.setSession(bounded, l, req)
	case "drain_events":
		events, dropped := l.ring.drain()
		return answer{"events": orEmpty(events), "dropped": dropped, "seq": d.seq.Load()}, nil
	}
	if req.TimeoutMS == nil {
		limit = 0
	}
	return d.eventsAfter(ctx, l, req, limit)
}

// meant refuses a caller who means another browser than the one that is driven here.
func (d *daemon) meant(req *wire.Request) error {
	if req.Browser == "" || req.Browser == d.named || req.Browser == d.browser.Address() {
		return nil
	}
	return failf("no_browser", "the daemon of this BU_NAME drives %s, and BU_CDP_WS or BU_CDP_URL name %s: use another BU_NAME for that, or let go of the first with killDaemon()", d.browser.identity(), req.Browser)
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
	notices := d.notices(l)
	if err != nil {
		var f *fail
		if errors.As(err, &f) && f.code == "tab_closed" {
			f = &fail{f.code, f.text, maps.Clone(f.more)}
			f.more["seq"], f.more["build"] = d.seq.Load(), d.build
			if len(notices) > 0 {
				f.more["notices"] = notices
			}
			return nil, f
		}
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	t := s.target.page()
	out := answer{"session_id": s.id, "target_id": s.target.id, "seq": d.seq.Load(), "build": d.build}
	if t.dialog != nil {
		out["dialog"] = t.dialog
	}
	if len(notices) > 0 {
		out["notices"] = notices
	}
	return out, nil
}

// notices takes what changed under the label since it was last told: each line once.
func (d *daemon) notices(l *label) (lines []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, line := range l.notices {
		lines = append(lines, line())
	}
	l.notices = nil
	if n := l.ring.untold(); n > 0 {
		lines = append(lines, fmt.Sprintf("%d events were dropped: the newest %d are kept", n, ringEvents))
	}
	return lines
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
	if err := d.takeOver(ctx, l, s.target.page()); err != nil {
		return nil, err
	}
	d.enable(ctx, s)
	d.become(l, s)
	d.save()
	return answer{"session_id": s.id, "target_id": s.target.id}, nil
}

// status is flat, and tells nothing secret.
func (d *daemon) status(req *wire.Request) (any, error) {
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
	l, err := d.labelled(req.Tab)
	if err != nil {
		return nil, err
	}
	browser := answer{"kind": d.browser.Kind, "product": d.product, "address": d.browser.Address()}
	if d.rent != nil {
		browser["rented"] = d.rent.id
	}
	out["browser"] = browser
	held, dropped := l.ring.stats()
	out["events"] = answer{"held": held, "dropped": dropped, "seq": d.seq.Load()}
	d.mu.Lock()
	defer d.mu.Unlock()
	out["tabs"] = d.tabsLocked()
	if l.driver != nil {
		out["user_driving"] = l.driver.message
	}
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
