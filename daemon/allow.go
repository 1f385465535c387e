package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"bu/daemon/wire"
)

// BU_ALLOW: whose limits hold where, and what callers may not ask for under them. What a
// pattern matches is in wire.Hosts; what keeps pages to it in guard.go and allow.js.

// hosts are the limits of a label: those that its runs set, else the daemon's.
func (m *model) hosts(l *label) wire.Hosts {
	if l != nil && l.allow != nil {
		return l.allow
	}
	return m.limits
}

// ruler is the label whose limits hold in a guarded tab: its owner's, else the visitor's.
func (m *model) ruler(g *guard) *label {
	if g.tab.owner != nil {
		return g.tab.owner
	}
	return g.visitor
}

func notAllowed(what, place string) *fail {
	return &fail{"not_allowed", fmt.Sprintf("%s: %s is not among the hosts of BU_ALLOW", what, place), obj{"host": place}}
}

// limit takes the limits that a request brings along: they narrow what already applies, and
// never widen it. They are in force before the request goes on; where that fails the next
// request finds the guards out of date, and tries again.
func (d *daemon) limit(ctx context.Context, l *label, allow []string) error {
	if allow == nil {
		return nil
	}
	d.mu.Lock()
	if !slices.Equal(l.asked, allow) {
		if err := d.narrow(l, allow); err != nil {
			d.mu.Unlock()
			return err
		}
	}
	hosts := l.allow
	var behind []*guard
	for _, t := range d.targets {
		if g := t.guard; g != nil && d.ruler(g) == l && !slices.Equal(g.hosts, hosts) {
			behind = append(behind, g)
		}
	}
	d.mu.Unlock()
	for _, g := range behind {
		if err := d.bring(ctx, g, hosts); err != nil {
			return err
		}
	}
	return nil
}

func (m *model) narrow(l *label, allow []string) error {
	asked, err := wire.ParseHosts(strings.Join(allow, ","))
	if err != nil || asked == nil {
		return failf("bad_request", "allow: %v", err)
	}
	hosts := asked.Within(m.limits)
	switch {
	case len(hosts) == 0:
		return failf("not_allowed", "BU_ALLOW=%s has no host in common with the daemon's own BU_ALLOW=%s: a run can narrow that list, not widen it", strings.Join(allow, ","), strings.Join(m.limits, ","))
	case !slices.Equal(hosts, hosts.Within(l.allow)):
		return failf("not_allowed", "BU_ALLOW=%s is wider than what already applies to %s, BU_ALLOW=%s: use another BU_TAB", strings.Join(allow, ","), l.title(), strings.Join(l.allow, ","))
	}
	l.allow, l.asked = hosts, slices.Clone(allow)
	return nil
}

// undoing are the commands that would undo a guard, or reach past it.
var undoing = map[string]bool{
	"Network.emulateNetworkConditions": true, "Network.emulateNetworkConditionsByRule": true,
	"Target.setAutoAttach": true, "Target.autoAttachRelated": true, "Target.attachToBrowserTarget": true,
	"Storage.clearCookies": true, "Network.clearBrowserCookies": true, // other sites' too
	"Network.loadNetworkResource": true, // its redirects do not pause
	"Page.setPrerenderingAllowed": true, "Page.setBypassCSP": true,
}

// within refuses a command that names a place outside the label's limits.
func (m *model) within(r *request) error {
	hosts := m.hosts(r.label)
	if hosts == nil || r.Method == "" {
		return nil
	}
	if undoing[r.Method] {
		return failf("not_allowed", "%s is refused under BU_ALLOW: it could reach other hosts", r.Method)
	}
	type cookie struct{ URL, Domain string }
	var p struct {
		cookie
		Origin, SecurityOrigin, ProxyServer string
		OriginsWithUniversalNetworkAccess   []string
		URLs                                []string
		Cookies                             []cookie
	}
	json.Unmarshal(r.Params, &p)
	if r.Method == "Target.createBrowserContext" && (p.ProxyServer != "" || p.OriginsWithUniversalNetworkAccess != nil) {
		return failf("not_allowed", "%s with a proxy or other origins is refused under BU_ALLOW: nothing could keep that traffic to the allowed hosts", r.Method)
	}
	places := []string{p.URL, p.Origin, p.SecurityOrigin}
	if strings.Contains(r.Method, "ookie") {
		places = append(places, p.URLs...)
		for _, c := range append(p.Cookies, p.cookie) {
			if places = append(places, c.URL); c.Domain != "" && !hosts.Cookie(c.Domain) {
				return notAllowed(r.Method, c.Domain)
			}
		}
	}
	for _, address := range places {
		if place, ok := hosts.Allow(address); address != "" && address != "*" && !ok {
			return notAllowed(r.Method, place)
		}
	}
	return nil
}

// ownCookies leaves out of a result the cookies of other sites.
func (d *daemon) ownCookies(l *label, result json.RawMessage) json.RawMessage {
	d.mu.Lock()
	hosts := d.hosts(l)
	d.mu.Unlock()
	var all struct {
		Cookies []json.RawMessage `json:"cookies"`
	}
	if hosts == nil || json.Unmarshal(result, &all) != nil {
		return result
	}
	all.Cookies = slices.DeleteFunc(all.Cookies, func(raw json.RawMessage) bool {
		var c struct{ Domain string }
		return json.Unmarshal(raw, &c) != nil || !hosts.Cookie(c.Domain)
	})
	if all.Cookies == nil {
		all.Cookies = []json.RawMessage{}
	}
	own, _ := json.Marshal(all)
	return own
}

// kept gives what a label may see of a result. It turns a navigation that the guard stopped,
// which Chrome reports as a result like any other, into an error.
func (d *daemon) kept(s *session, r *request, result json.RawMessage) (json.RawMessage, error) {
	switch r.Method {
	case "Storage.getCookies", "Network.getAllCookies":
		return d.ownCookies(r.label, result), nil
	case "Page.createIsolatedWorld":
		return result, d.confineWorld(s, r.label, result)
	case "Page.navigate":
		var p struct{ ErrorText string }
		json.Unmarshal(result, &p)
		d.mu.Lock()
		defer d.mu.Unlock()
		if g := s.target.page().guard; g != nil && p.ErrorText == "net::ERR_BLOCKED_BY_CLIENT" {
			return nil, notAllowed(r.Method, g.blocked)
		}
	}
	return result, nil
}

// confineWorld takes away from a world of its own what allow.js takes away from the page's,
// before its maker hears of it.
func (d *daemon) confineWorld(s *session, l *label, result json.RawMessage) error {
	d.mu.Lock()
	hosts := d.hosts(l)
	d.mu.Unlock()
	if hosts == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(d.ctx, answersIn)
	defer cancel()
	var made struct{ ExecutionContextID int }
	json.Unmarshal(result, &made)
	return d.ask(ctx, s.id, "Runtime.evaluate", obj{"expression": script(hosts), "contextId": made.ExecutionContextID}, nil)
}

// confinedScript has a script that runs before a document's own, perhaps in a world of its
// own, run behind allow.js.
func (d *daemon) confinedScript(r *request) {
	d.mu.Lock()
	hosts := d.hosts(r.label)
	d.mu.Unlock()
	var p obj
	if hosts == nil || r.Method != "Page.addScriptToEvaluateOnNewDocument" || json.Unmarshal(r.Params, &p) != nil {
		return
	}
	if source, is := p["source"].(string); is {
		p["source"] = script(hosts) + ";\n" + source
		r.Params, _ = json.Marshal(p)
	}
}

// allowedOr gives an address to open, or an empty page where it is outside the label's limits.
func (d *daemon) allowedOr(l *label, address string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.hosts(l).Allow(address); !ok || address == "" {
		return "about:blank"
	}
	return address
}

// emptied takes the address out of a request for a new tab under limits: the tab goes there
// once it is guarded.
func (d *daemon) emptied(l *label, params json.RawMessage) (_ json.RawMessage, url string) {
	d.mu.Lock()
	limited := d.hosts(l) != nil
	d.mu.Unlock()
	var p obj
	if limited && json.Unmarshal(params, &p) == nil {
		url, _ = p["url"].(string)
		p["url"] = "about:blank"
		params, _ = json.Marshal(p)
	}
	return params, url
}
