package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"bu/daemon/wire"
)

// hostsLocked are the limits of a label: those that its runs bring, else the daemon's.
func (d *daemon) hostsLocked(l *label) wire.Hosts {
	if l != nil && l.allow != nil {
		return l.allow
	}
	return d.allow
}

// limit takes the limits that a request brings along.
func (d *daemon) limit(ctx context.Context, l *label, allow []string) error {
	if allow == nil {
		return nil
	}
	hosts, err := wire.ParseHosts(strings.Join(allow, ","))
	if err != nil || hosts == nil {
		return failf("bad_request", "allow: %v", err)
	}
	d.mu.Lock()
	same := slices.Equal(hosts, l.allow)
	l.allow = hosts
	d.mu.Unlock()
	if same {
		return nil
	}
	return d.relimit(ctx, l, hosts)
}

// relimit brings l's guards up to its limits of now.
func (d *daemon) relimit(ctx context.Context, l *label, hosts wire.Hosts) error {
	d.mu.Lock()
	var sessions []*session
	for _, s := range d.sessions {
		if s.guard != nil && s.guard.owner == l {
			sessions = append(sessions, s)
		}
	}
	d.mu.Unlock()
	for _, s := range sessions { // a worker keeps the limits that it was born under
		if kind := s.target.kind; kind != "page" && kind != "iframe" {
			continue
		}
		d.mu.Lock()
		old := s.confined
		d.mu.Unlock()
		err := d.ask(ctx, s.id, "Network.emulateNetworkConditionsByRule", offline(hosts), nil)
		if err == nil && old != "" {
			err = d.ask(ctx, s.id, "Page.removeScriptToEvaluateOnNewDocument", obj{"identifier": old}, nil)
		}
		if err == nil {
			err = d.confine(ctx, s, hosts)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func notAllowed(what, place string) *fail {
	return &fail{"not_allowed", fmt.Sprintf("%s: %s is not among the hosts of BU_ALLOW", what, place), map[string]any{"host": place}}
}

// confined are the commands that would undo a guard.
var confined = map[string]bool{
	"Network.emulateNetworkConditions": true, "Network.emulateNetworkConditionsByRule": true,
	"Target.setAutoAttach": true, "Target.autoAttachRelated": true,
}

// within refuses a command that names an address outside the label's limits.
func (d *daemon) within(l *label, req *wire.Request) error {
	d.mu.Lock()
	hosts := d.hostsLocked(l)
	d.mu.Unlock()
	if hosts == nil {
		return nil
	}
	if confined[req.Method] {
		return failf("not_allowed", "%s is refused under BU_ALLOW: it would undo the limits", req.Method)
	}
	var p struct{ URL string }
	if json.Unmarshal(req.Params, &p); p.URL != "" && !strings.Contains(req.Method, "ookie") {
		if place, ok := hosts.Allow(p.URL); !ok {
			return notAllowed(req.Method, place)
		}
	}
	return nil
}

// kept makes an error of a navigation that the guard stopped, which to Chrome is a
// result like any other.
func (d *daemon) kept(t *target, req *wire.Request, result json.RawMessage) error {
	if req.Method != "Page.navigate" {
		return nil
	}
	var r struct{ ErrorText string }
	json.Unmarshal(result, &r)
	d.mu.Lock()
	defer d.mu.Unlock()
	if g := t.page().guard; g != nil && r.ErrorText == "net::ERR_BLOCKED_BY_CLIENT" {
		return notAllowed(req.Method, g.blocked)
	}
	return nil
}

// create is Target.createTarget for a label; current says that the tab is the one that the
// label drives. Under limits the tab opens empty, and goes where it should once it is guarded.
func (d *daemon) create(ctx context.Context, l *label, params json.RawMessage, current bool) (*target, json.RawMessage, error) {
	d.mu.Lock()
	limited := d.hostsLocked(l) != nil
	d.mu.Unlock()
	var p obj
	url := ""
	if json.Unmarshal(params, &p) == nil && limited {
		url, _ = p["url"].(string)
		p["url"] = "about:blank"
		params, _ = json.Marshal(p)
	}
	var t *target
	result, err := d.chrome.call(ctx, &call{method: "Target.createTarget", hook: d.opened(l, &t, current)}, params)
	if err == nil {
		err = d.guarded(ctx, t, l)
	}
	if err != nil || url == "" || url == "about:blank" {
		return t, result, err
	}
	s, err := d.attachTo(ctx, t, l)
	if err != nil {
		return nil, nil, err
	}
	go func() { // as createTarget does: it does not wait for the page
		ctx, cancel := context.WithTimeout(d.ctx, time.Minute)
		defer cancel()
		d.ask(ctx, s.id, "Page.navigate", obj{"url": url}, nil)
		d.detach(s)
	}()
	return t, result, nil
}

// allowedOr gives an address to open again, or an empty page where it is outside the
// label's limits.
func (d *daemon) allowedOr(l *label, address string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.hostsLocked(l).Allow(address); !ok || address == "" {
		return "about:blank"
	}
	return address
}
