package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// check is the one gate: every request that has to do with the browser or a tab passes it,
// in this order. It stores what it finds in r. r has a share in its label until release.
func (d *daemon) check(ctx context.Context, r *request, needs verb) error {
	if !needs.browser {
		return nil
	}
	if err := d.attached(ctx, r); err != nil {
		return err
	}
	d.mu.Lock()
	d.locate(r)
	err := d.permitted(r)
	if err == nil && needs.wheel {
		err = d.driven(r)
	}
	d.mu.Unlock()
	if err != nil {
		return err
	}
	if err := d.limit(ctx, r.label, r.Allow); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.mayUse(r); err != nil {
		return err
	}
	return d.within(r)
}

// attached holds a request back until the daemon is attached.
func (d *daemon) attached(ctx context.Context, r *request) error {
	select {
	case <-d.ready:
	default:
		select {
		case <-d.ready:
		case <-ctx.Done():
			select {
			case <-d.ready: // a deadline that is already over says nothing about the browser
			default:
				return failf("no_browser", "not attached yet: still waiting for %s", *d.stage.Load())
			}
		case <-d.ctx.Done():
			return context.Cause(d.ctx)
		}
	}
	switch {
	case d.failed == nil:
		return nil
	case r.Began > d.failedAt.UnixMicro(): // a new attempt, not the one this request waited for
		d.stop(d.failed)
		return failf("daemon_ended", "this daemon is ending: %v; try again", d.failed)
	}
	// A caller that comes after all who wait now starts a new attempt.
	time.AfterFunc(100*time.Millisecond, func() { d.stop(d.failed) })
	return d.failed
}

// locate finds out what r is about: whose request it is, and which session and tab it names.
func (m *model) locate(r *request) {
	r.label = m.label(r.Tab)
	r.label.users++
	id := r.SessionID
	if r.ofBrowser() {
		var p struct{ TargetID, SessionID string }
		json.Unmarshal(r.Params, &p)
		r.tab = m.targets[p.TargetID]
		id = p.SessionID
	}
	if id == "" || r.Meta == "events" { // whose session_id is a filter
		return
	}
	if r.session = m.sessions[id]; r.session != nil {
		r.tab = r.session.target
	}
}

// release ends r's share in its label.
func (d *daemon) release(l *label) {
	if l == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	l.used = time.Now()
	if l.users--; l.users == 0 && (l.phase == fresh || l.phase == closed) {
		d.sweep()
	}
}

// refused are the commands that the browser's owner would not want an agent to give,
// and why. BU_UNSAFE lets them through.
var refused = map[string]string{
	"Browser.close":                 "the browser is the user's; close your own tabs",
	"Browser.crash":                 "it would crash the user's browser",
	"Browser.crashGpuProcess":       "it would disturb the user's browser",
	"Browser.executeBrowserCommand": "it acts on the user's browser, not on a tab",
	"Target.exposeDevToolsProtocol": "it would give a web page the whole browser",
	"Target.sendMessageToTarget":    "what it carries cannot be checked; use session_id",
	"Target.setRemoteLocations":     "it would connect the browser to other machines",
	"SystemInfo.*":                  "it tells about the user's machine, not about a page",
	"Tethering.*":                   "it opens ports on the user's machine",
}

// why gives the rule that method falls under.
func why(rules map[string]string, method string) (reason string, found bool) {
	if reason, found = rules[method]; found {
		return reason, true
	}
	domain, _, _ := strings.Cut(method, ".")
	reason, found = rules[domain+".*"]
	return reason, found
}

// unsafeOf reads BU_UNSAFE: names of commands, or a whole domain such as SystemInfo.*.
func unsafeOf(value string) (map[string]string, error) {
	rules := map[string]string{}
	for _, m := range strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' }) {
		if _, known := why(refused, m); !known {
			return nil, fmt.Errorf("BU_UNSAFE: %q is not one of the refused commands", m)
		}
		rules[m] = ""
	}
	return rules, nil
}

// permitted refuses what would harm the browser's owner, or work the daemon's own sessions.
func (d *daemon) permitted(r *request) error {
	if reason, is := why(refused, r.Method); is {
		if _, let := why(d.unsafe, r.Method); !let {
			return failf("not_allowed", "%s is refused: %s. To allow it anyway, killDaemon() and set BU_UNSAFE=%s", r.Method, reason, r.Method)
		}
	}
	if r.Method == "Target.detachFromTarget" && r.session == nil && r.tab != nil && r.tab.page().guard != nil {
		return failf("not_allowed", "%s: give the session, not its tab: one of the tab's sessions is the daemon's own and keeps the tab within BU_ALLOW", r.Method)
	}
	if (r.Method == "Target.closeTarget" || r.Method == "Target.activateTarget") && r.tab != nil && r.tab.part() {
		return failf("bad_request", "%s: %s is not a tab but a frame or worker (%s) inside one; give the tab", r.Method, r.tab.id, r.tab.kind)
	}
	if r.session != nil && r.session.role == ofGuard {
		return failf("not_allowed", "%s: session %s is the daemon's own: it keeps the tab within BU_ALLOW", r.what(), r.session.id)
	}
	return nil
}

// reaches are the commands to the browser that reach into a tab.
var reaches = map[string]bool{"Target.attachToTarget": true, "Target.closeTarget": true, "Target.detachFromTarget": true}

// mayUse refuses what would act on another label's tab.
func (m *model) mayUse(r *request) error {
	if r.tab == nil || r.ofBrowser() && !reaches[r.Method] {
		return nil
	}
	t := r.tab.page()
	if t.owner == nil || t.owner == r.label || r.Force {
		return nil
	}
	return &fail{"not_allowed", r.what() + ": tab " + t.id + " belongs to " + t.owner.title() + "; open one of your own with newTab(). With \"force\" after the id, closeTab and switchTab take it all the same", obj{"owner": t.owner.name}}
}
