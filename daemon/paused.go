package main

import (
	"context"
	"encoding/json"

	"bu/daemon/cdp"
)

// paused is a request of a guarded page that waits for being let through or not.
type paused struct {
	session, id string
	ok          bool
}

func (d *daemon) decide(p *paused) {
	ctx, cancel := context.WithTimeout(d.ctx, defaultTimeout)
	defer cancel()
	if p.ok {
		d.ask(ctx, p.session, "Fetch.continueRequest", obj{"requestId": p.id}, nil)
	} else {
		d.ask(ctx, p.session, "Fetch.failRequest", obj{"requestId": p.id, "errorReason": "BlockedByClient"}, nil)
	}
}

// applyGuard takes an event of one of a guard's sessions in. Callers see none of them.
func (m *model) applyGuard(s *session, e cdp.Event, fx *effects) {
	g := s.guard
	if g == nil { // it belongs to no guard, or to one that is not armed yet
		s.paused = s.paused || e.Method == "Debugger.paused"
		return
	}
	var p struct {
		RequestID, SessionID string
		Request              struct{ URL string }
		TargetInfo           info
		Issue                struct {
			Details struct {
				ContentSecurityPolicyIssueDetails struct{ BlockedURL string }
			}
		}
	}
	json.Unmarshal(e.Params, &p)
	switch e.Method {
	case "Page.frameRequestedNavigation":
		m.requested(s.target.page(), e.Params)
	case "Fetch.requestPaused":
		place, ok := m.hosts(m.ruler(g)).Allow(p.Request.URL)
		fx.paused = &paused{s.id, p.RequestID, ok}
		if !ok {
			g.blocked = place
			m.tell(g, place)
		}
	case "Audits.issueAdded":
		if place, ok := m.hosts(m.ruler(g)).Allow(p.Issue.Details.ContentSecurityPolicyIssueDetails.BlockedURL); !ok {
			m.tell(g, place)
		}
	case "Target.attachedToTarget":
		t := m.target(p.TargetInfo.TargetID)
		t.kind = p.TargetInfo.Type
		if t.parent == nil && t != s.target {
			t.parent = s.target
		}
		fx.child = &session{id: p.SessionID, target: t, role: ofGuard, guard: g}
		m.sessions[p.SessionID] = fx.child
	case "Target.detachedFromTarget":
		if child := m.sessions[p.SessionID]; child != nil {
			delete(m.sessions, child.id)
			if child.target.kind != "iframe" { // a worker has no other end
				delete(m.targets, child.target.id)
			}
		}
	}
}

// tell notes that a page was kept from a place, once in a row.
func (m *model) tell(g *guard, place string) {
	if g.told != place {
		m.ruler(g).notice(func() string { return "BU_ALLOW kept the page from reaching " + place })
	}
	g.told = place
}
