package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"slices"

	"bu/daemon/wire"
)

// guard keeps a label's page, and the frames and workers in it, from hosts that
// BU_ALLOW does not name. It has sessions of its own, so that nothing callers do to
// theirs undoes it. Per session:
//
//   - Fetch pauses every request of the page and of its dedicated workers,
//     navigations and redirects too; a WebSocket it does not see.
//   - Network conditions by rule take WebSockets to other hosts offline, in the page but
//     not in workers and in frames of other sites: there a script that runs before their
//     own does, see confine.
//   - setAutoAttach holds new frames and workers until they are guarded as well. New
//     tabs are held by the same at the root, see adopt.
//   - SharedWorker is taken away: it is nobody's child, and may be the user's too.
type guard struct {
	owner   *label
	done    chan struct{} // closed when it stands, or could not be put up
	err     error
	blocked string     // where it last kept the page from going
	hosts   wire.Hosts // under which the page was found to be within them
}

// confine puts the script of that name into the documents of s.
func (d *daemon) confine(ctx context.Context, s *session, hosts wire.Hosts) error {
	raw, _ := json.Marshal(obj{"source": confine(hosts), "runImmediately": true})
	_, err := d.chrome.call(ctx, &call{method: "Page.addScriptToEvaluateOnNewDocument", session: s.id, hook: d.confinedAs(s)}, raw)
	return err
}

func (d *daemon) confinedAs(s *session) func(json.RawMessage) {
	return func(result json.RawMessage) {
		var r struct{ Identifier string }
		json.Unmarshal(result, &r)
		d.mu.Lock()
		defer d.mu.Unlock()
		s.confined = r.Identifier
	}
}

// guarded puts up t's guard, if l is under limits and t has none, and waits until it stands.
func (d *daemon) guarded(ctx context.Context, t *target, l *label) error {
	d.mu.Lock()
	t = t.page()
	hosts := d.hostsLocked(l)
	if hosts == nil || t.id == "" {
		d.mu.Unlock()
		return nil
	}
	g, first := t.guard, t.guard == nil
	// Where it stood before the guard, or under other limits. What comes after is kept
	// within them, whatever the address says: that of a page which was not let through
	// is where it would have gone.
	if place, ok := hosts.Allow(t.url); !ok && (first || !slices.Equal(g.hosts, hosts)) {
		d.mu.Unlock()
		return notAllowed("this tab", place)
	}
	if first {
		g = &guard{owner: l, done: make(chan struct{})}
		t.guard = g
	}
	g.hosts = hosts
	d.mu.Unlock()
	if first {
		go func() {
			ctx, cancel := context.WithTimeout(d.ctx, defaultTimeout)
			defer cancel()
			var s *session
			if g.err = d.watchPages(ctx); g.err == nil {
				if s, g.err = d.attachTo(ctx, t, nil); g.err == nil {
					g.err = d.arm(ctx, s, g)
				}
			}
			d.standing(t, g)
		}()
	}
	select {
	case <-g.done:
		return g.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (d *daemon) standing(t *target, g *guard) {
	if g.err != nil {
		g.err = failf("not_allowed", "BU_ALLOW cannot be enforced on this browser: %v", g.err)
		d.mu.Lock()
		t.guard = nil // the next call tries anew
		d.mu.Unlock()
	}
	close(g.done)
}

// arm makes s one of g's sessions, and lets what was held for it go on. The commands go
// out in order and are not waited for one by one: a new tab that has no process yet
// answers some of them only after it was let go. What fails is known afterwards, and
// its page is closed.
func (d *daemon) arm(ctx context.Context, s *session, g *guard) error {
	d.mu.Lock()
	s.guard = g
	hosts, kind := d.hostsLocked(g.owner), s.target.kind
	d.mu.Unlock()
	var waits []func() error
	do := func(method string, params obj) {
		raw, _ := json.Marshal(params)
		k := &call{method: method, session: s.id}
		if method == "Page.addScriptToEvaluateOnNewDocument" {
			k.hook = d.confinedAs(s)
		}
		wait := d.chrome.begin(ctx, k, raw)
		waits = append(waits, func() error {
			_, err := wait()
			if err != nil {
				err = fmt.Errorf("%s: %w", method, err)
			}
			return err
		})
	}
	page := kind == "page" || kind == "iframe"
	if page || kind == "service_worker" { // the requests of other workers pause in their page
		do("Fetch.enable", obj{"patterns": []obj{{"urlPattern": "*"}}})
		if err := waits[0](); err != nil {
			return err
		}
		waits = nil
	}
	do("Target.setAutoAttach", obj{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true})
	if page {
		do("Network.emulateNetworkConditionsByRule", offline(hosts))
		do("Page.enable", obj{})
		do("Page.addScriptToEvaluateOnNewDocument", obj{"source": confine(hosts), "runImmediately": true})
	} else {
		do("Runtime.evaluate", obj{"expression": confine(hosts)})
	}
	do("Runtime.runIfWaitingForDebugger", obj{})
	var first error
	for _, wait := range waits {
		if err := wait(); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// watchPages has Chrome hold every new tab until adopt has seen it.
func (d *daemon) watchPages(ctx context.Context) error {
	d.mu.Lock()
	first := !d.watching
	d.watching = true
	d.mu.Unlock()
	if !first {
		return nil
	}
	return d.ask(ctx, "", "Target.setAutoAttach", obj{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true,
		"filter": []obj{{"type": "page"}}}, nil)
}

// adopt decides on a tab that Chrome attached us to by itself. One that a label under
// limits owns, as what its page opened, goes on when it is guarded; all others go on
// at once, and are let go of.
func (d *daemon) adopt(s *session) {
	ctx, cancel := context.WithTimeout(d.ctx, defaultTimeout)
	defer cancel()
	d.mu.Lock()
	t := s.target
	mine := t.owner != nil && t.guard == nil && d.hostsLocked(t.owner) != nil
	if mine {
		t.guard = &guard{owner: t.owner, done: make(chan struct{}), hosts: d.hostsLocked(t.owner)}
	}
	d.mu.Unlock()
	if !mine {
		d.ask(ctx, s.id, "Runtime.runIfWaitingForDebugger", nil, nil)
		d.detach(s)
		return
	}
	g := t.guard
	if g.err = d.arm(ctx, s, g); g.err != nil {
		d.ask(ctx, "", "Target.closeTarget", obj{"targetId": t.id}, nil)
	}
	d.standing(t, g)
}

// raise guards a frame or worker that the guard of its page was attached to. Where that
// fails its page goes, unless the child was gone sooner.
func (d *daemon) raise(s *session, g *guard) {
	ctx, cancel := context.WithTimeout(d.ctx, defaultTimeout)
	defer cancel()
	err := d.arm(ctx, s, g)
	d.mu.Lock()
	there := d.sessions[s.id] == s
	d.mu.Unlock()
	if err != nil && there {
		log.Printf("a page is closed because a %s in it cannot be guarded: %v", s.target.kind, err)
		d.ask(ctx, "", "Target.closeTarget", obj{"targetId": s.target.page().id}, nil)
	}
}

// guardLocked takes an event of one of g's sessions.
func (d *daemon) guardLocked(s *session, m message) {
	g := s.guard
	switch m.method {
	case "Fetch.requestPaused":
		var p struct {
			RequestID string
			Request   struct{ URL string }
		}
		json.Unmarshal(m.params, &p)
		place, ok := d.hostsLocked(g.owner).Allow(p.Request.URL)
		method, params := "Fetch.continueRequest", obj{"requestId": p.RequestID}
		if !ok {
			method, params["errorReason"] = "Fetch.failRequest", "BlockedByClient"
			g.block(place)
		}
		go func() {
			ctx, cancel := context.WithTimeout(d.ctx, defaultTimeout)
			defer cancel()
			d.ask(ctx, s.id, method, params, nil)
		}()
	case "Target.attachedToTarget":
		var p struct {
			SessionID  string
			TargetInfo info
		}
		json.Unmarshal(m.params, &p)
		t := d.targetLocked(p.TargetInfo.TargetID)
		t.kind = p.TargetInfo.Type
		if t.parent == nil && t != s.target {
			t.parent = s.target
		}
		child := &session{id: p.SessionID, target: t, guard: g}
		d.sessions[child.id] = child
		go d.raise(child, g)
	case "Target.detachedFromTarget":
		var p struct{ SessionID string }
		json.Unmarshal(m.params, &p)
		if child := d.sessions[p.SessionID]; child != nil {
			delete(d.sessions, child.id)
			if child.target.kind != "iframe" { // a worker has no other end
				delete(d.targets, child.target.id)
			}
		}
	}
}

// block notes what was kept from happening; each place is told once in a row.
func (g *guard) block(place string) {
	if g.blocked != place {
		g.owner.notice(func() string { return "BU_ALLOW kept the page from reaching " + place })
	}
	g.blocked = place
}
