package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"log"
	"slices"
	"strings"
	"sync"
	"time"

	"bu/daemon/cdp"
	"bu/daemon/wire"
)

// A guard keeps a tab, and the frames and workers in it, from other hosts. It has sessions
// of its own, so that nothing callers do to theirs undoes it. Per session:
//
//   - Fetch pauses every request of the page and of its dedicated workers,
//     navigations and redirects too; a WebSocket it does not see.
//   - Network conditions by rule take WebSockets to other hosts offline, in the page but
//     not in workers and in frames of other sites: there allow.js does, which runs before
//     their own scripts.
//   - A policy that allow.js gives each document of the agents' tabs is inherited by the
//     frames that can be held only after their first script has run.
//   - setAutoAttach holds new frames and workers until they are guarded as well. New
//     tabs are held by the same at the root, see adopt.
type guard struct {
	tab     *target
	visitor *label        // whose limits hold while the tab is nobody's, until it leaves
	done    chan struct{} // closed when it stands, or could not be put up
	err     error
	turn    chan struct{} // of one: held while it is brought to other hosts
	hosts   wire.Hosts    // those it keeps the page to
	blocked string        // where it last kept the page from going
	told    string        // the place that a notice last named
	lasts   bool          // whether its documents get a policy: not in a visit, as nothing takes that off them again
}

//go:embed allow.js
var allowJS string

// guarded makes sure that what l does in t stays within l's limits: when it returns, t has a
// guard that enforces them.
func (d *daemon) guarded(ctx context.Context, t *target, l *label) error {
	d.mu.Lock()
	t = t.page()
	hosts := d.hosts(l)
	if hosts == nil || t.id == "" {
		d.mu.Unlock()
		return nil
	}
	if t.owner != nil && t.owner != l && !slices.Equal(d.hosts(t.owner), hosts) {
		d.mu.Unlock()
		return failf("not_allowed", "tab %s belongs to %s, whose BU_ALLOW differs from yours: switchTab(id, \"force\") makes the tab your own", t.id, t.owner.title())
	}
	g := t.guard
	// Where it stood before the guard, or under other limits. What comes after is kept
	// within them, whatever the address says: that of a page which was not let through
	// is where it would have gone.
	if place, ok := hosts.Allow(t.url); !ok && (g == nil || !slices.Equal(g.hosts, hosts)) {
		d.mu.Unlock()
		return notAllowed("this tab", place)
	}
	if g == nil {
		g = d.putUp(t, l)
		go d.mount(g)
	}
	d.mu.Unlock()
	select {
	case <-g.done:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if g.err != nil {
		return g.err
	}
	return d.bring(ctx, g, hosts)
}

// putUp begins a guard of t; standing ends that.
func (m *model) putUp(t *target, visitor *label) *guard {
	t.guard = &guard{tab: t, visitor: visitor, done: make(chan struct{}), turn: make(chan struct{}, 1), hosts: m.hosts(visitor)}
	return t.guard
}

// mount gives a guard its session on a tab that is there already.
func (d *daemon) mount(g *guard) {
	ctx, cancel := context.WithTimeout(d.ctx, defaultTimeout)
	defer cancel()
	err := d.holdPages(ctx)
	if err == nil {
		var s *session
		if s, err = d.attachTo(ctx, g.tab, nil, ofGuard); err == nil {
			err = d.arm(ctx, s, g)
		}
	}
	d.standing(g, err)
}

func (d *daemon) standing(g *guard, err error) {
	var fx effects
	d.mu.Lock()
	if err != nil {
		g.err = failf("not_allowed", "BU_ALLOW cannot be enforced on this browser: %v", err)
		if g.tab.guard == g {
			g.tab.guard = nil // the next call tries anew
		}
	}
	if g.tab.guard != g { // nobody wants it any more
		d.takeDown(g, &fx)
	}
	d.mu.Unlock()
	d.follow(fx)
	close(g.done)
}

// takeDown ends a guard, and with its sessions all that they switched on.
func (m *model) takeDown(g *guard, fx *effects) {
	if g.tab.guard == g {
		g.tab.guard = nil
	}
	for _, s := range m.sessions {
		if s.guard == g && s.target == g.tab { // those of its frames and workers end with it
			fx.detach = append(fx.detach, s)
		}
	}
}

// hush stops the scripts of a guarded tab that is about to be closed: what they send
// in their last moment (beacons, keepalive) would go out after the guard has ended.
func (d *daemon) hush(ctx context.Context, t *target) {
	if t == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	var wait sync.WaitGroup
	d.mu.Lock()
	g := t.page().guard
	for _, s := range d.sessions {
		if kind := s.target.kind; g != nil && s.guard == g && (kind == "page" || kind == "iframe") {
			wait.Go(func() { d.ask(ctx, s.id, "Emulation.setScriptExecutionDisabled", obj{"value": true}, nil) })
		}
	}
	d.mu.Unlock()
	wait.Wait()
}

// leave ends the guard of a tab that is nobody's, when the label whose limits it keeps has
// no session on it any more: the person's tab is the person's again.
func (m *model) leave(s *session, fx *effects) {
	t := s.target.page()
	if t.guard == nil || t.owner != nil || t.gone || s.role == ofGuard {
		return
	}
	for _, other := range m.sessions {
		if other.target.page() == t && other.label == t.guard.visitor && other.role != ofGuard {
			return
		}
	}
	m.takeDown(t.guard, fx)
}

// unvisited is leave for a visit that failed.
func (d *daemon) unvisited(t *target) {
	var fx effects
	d.mu.Lock()
	d.leave(&session{target: t}, &fx)
	d.mu.Unlock()
	d.follow(fx)
}

// bring makes a guard keep to hosts, if it kept to others.
func (d *daemon) bring(ctx context.Context, g *guard, hosts wire.Hosts) error {
	d.mu.Lock()
	owned := g.tab.owner != nil
	same := slices.Equal(g.hosts, hosts) && g.lasts == owned
	d.mu.Unlock()
	if same {
		return nil
	}
	select {
	case g.turn <- struct{}{}:
		defer func() { <-g.turn }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	type armed struct{ id, script string }
	var sessions []armed
	d.mu.Lock()
	for _, s := range d.sessions { // a worker keeps the limits that it was born under
		if kind := s.target.kind; s.guard == g && (kind == "page" || kind == "iframe") {
			sessions = append(sessions, armed{s.id, s.confined})
		}
	}
	d.mu.Unlock()
	for _, s := range sessions {
		err := d.ask(ctx, s.id, "Network.emulateNetworkConditionsByRule", offline(hosts), nil)
		if err == nil { // before the other goes: if this fails the next try finds all as it was
			raw, _ := json.Marshal(confine(hosts, owned))
			_, err = d.chrome.Do(ctx, &cdp.Call{Method: "Page.addScriptToEvaluateOnNewDocument", Session: s.id, Hook: d.confined(s.id)}, raw)
		}
		if err == nil && s.script != "" {
			err = d.ask(ctx, s.id, "Page.removeScriptToEvaluateOnNewDocument", obj{"identifier": s.script}, nil)
		}
		if err != nil {
			return err
		}
	}
	d.mu.Lock()
	g.hosts, g.lasts = hosts, owned
	d.mu.Unlock()
	return nil
}

// confined notes the id of a session's script.
func (d *daemon) confined(id string) func(json.RawMessage) {
	return func(result json.RawMessage) {
		var r struct{ Identifier string }
		json.Unmarshal(result, &r)
		d.mu.Lock()
		defer d.mu.Unlock()
		if s := d.sessions[id]; s != nil {
			s.confined = r.Identifier
		}
	}
}

// confine are the parameters that put allow.js into all documents, with their policy or not.
func confine(hosts wire.Hosts, lasts bool) obj {
	source := script(hosts)
	if lasts {
		source = scriptWith(hosts, policy(hosts))
	}
	return obj{"source": source, "runImmediately": true}
}

func script(hosts wire.Hosts) string { return scriptWith(hosts, "") }

func scriptWith(hosts wire.Hosts, policy string) string {
	list, _ := json.Marshal(hosts)
	text, _ := json.Marshal(policy)
	return fmt.Sprintf("(%s)(%s, %s)", allowJS, list, text)
}

// policy is a Content-Security-Policy that allows all but other hosts: "" where it cannot
// name one of hosts: an IPv6 address, a name with _.
func policy(hosts wire.Hosts) string {
	var b strings.Builder
	b.WriteString("default-src data: blob: filesystem: mediastream: about: chrome-extension: 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval'")
	for _, h := range hosts {
		if strings.ContainsAny(h, "[_") {
			return ""
		}
		if !strings.Contains(h, ":") {
			h += ":*"
		}
		fmt.Fprintf(&b, " http://%[1]s https://%[1]s ws://%[1]s wss://%[1]s", h)
	}
	return b.String()
}

// offline are the network conditions under which hosts alone can be reached.
func offline(hosts wire.Hosts) obj {
	rule := func(pattern string, off bool) obj {
		return obj{"urlPattern": pattern, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1, "offline": off}
	}
	var rules []obj
	for _, h := range hosts {
		if !strings.Contains(strings.TrimRight(h, "0123456789"), ":") || strings.HasSuffix(h, "]") {
			h += ":*"
		}
		rules = append(rules, rule("*://"+h+"/*", false))
	}
	return obj{"matchedNetworkConditions": append(rules, rule("*://*:*/*", true))}
}

// arm makes s one of g's sessions, and lets what was held for it go on. The commands go
// out in order and are not waited for one by one: a new tab that has no process yet
// answers some of them only after it was let go. What fails is known afterwards, and
// its page is closed.
func (d *daemon) arm(ctx context.Context, s *session, g *guard) error {
	d.mu.Lock()
	s.guard, s.role = g, ofGuard
	hosts, kind := d.hosts(d.ruler(g)), s.target.kind
	if s.target == g.tab {
		g.lasts = g.tab.owner != nil
	}
	lasts := g.lasts
	d.mu.Unlock()
	var waits []func() error
	do := func(method string, params obj) {
		raw, _ := json.Marshal(params)
		k := &cdp.Call{Method: method, Session: s.id}
		if method == "Page.addScriptToEvaluateOnNewDocument" {
			k.Hook = d.confined(s.id)
		}
		wait := d.chrome.Begin(ctx, k, raw)
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
	do("Network.enable", obj{"maxTotalBufferSize": 0, "maxResourceBufferSize": 0})
	do("Network.setBypassServiceWorker", obj{"bypass": true}) // one of an earlier visit is nobody's child
	if page {
		do("Network.emulateNetworkConditionsByRule", offline(hosts))
		do("Page.enable", obj{})
		do("Page.addScriptToEvaluateOnNewDocument", confine(hosts, lasts))
		do("Audits.enable", obj{}) // tells what the policy refused
		if kind == "page" {
			do("Page.setPrerenderingAllowed", obj{"isAllowed": false})
		}
	} else {
		do("Runtime.evaluate", obj{"expression": script(hosts)})
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

// holdPages has Chrome hold every new tab until adopt has seen it.
func (d *daemon) holdPages(ctx context.Context) error {
	d.mu.Lock()
	first := !d.holding
	d.holding = true
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
	var g *guard
	if t.owner != nil && t.guard == nil && d.hosts(t.owner) != nil {
		g = d.putUp(t, t.owner)
	}
	d.mu.Unlock()
	if g == nil {
		d.ask(ctx, s.id, "Runtime.runIfWaitingForDebugger", nil, nil)
		d.detach(s)
		return
	}
	err := d.arm(ctx, s, g)
	if err != nil {
		d.ask(ctx, "", "Target.closeTarget", obj{"targetId": t.id}, nil)
	}
	d.standing(g, err)
}

// raise guards a frame or worker of a guarded page, which Chrome attached us to and holds. If
// that fails the page is closed, unless the frame or worker is gone already.
func (d *daemon) raise(s *session) {
	ctx, cancel := context.WithTimeout(d.ctx, defaultTimeout)
	defer cancel()
	err := d.arm(ctx, s, s.guard)
	d.mu.Lock()
	there, kind, id := d.sessions[s.id] == s, s.target.kind, s.target.page().id
	d.mu.Unlock()
	if err != nil && there {
		log.Printf("a page is closed because a %s in it cannot be guarded: %v", kind, err)
		d.ask(ctx, "", "Target.closeTarget", obj{"targetId": id}, nil)
	}
}
