package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"bu/daemon/cdp"
)

// effects are what has to be done for an event, after the model has been updated.
type effects struct {
	keep   bool       // the event is one for callers: in the ring of …
	to     *label     // … this label, nil: of all
	save   bool       // the state file is out of date
	ended  []ended    // calls that get no answer any more
	held   *session   // a new tab that Chrome holds until adopt has decided on it
	child  *session   // a frame or worker that Chrome holds until its guard stands
	paused *paused    // a request of a guarded page
	detach []*session // guards whose visit is over
	shown  [2]*target // [0] came to the front on behalf of [1], a tab of the agents'
}

// ended says which calls have ended, and why.
type ended struct {
	session string  // those of this session, or
	target  *target // those on this target
	why     func(k *cdp.Call, sent bool) error
}

func (e ended) of(k *cdp.Call, sent bool) error {
	if e.target != nil && on(k, e.target) || e.target == nil && k.Session == e.session {
		return e.why(k, sent)
	}
	return nil
}

// on says whether a call is for t, or for a frame or worker in it. The daemon's own calls
// are for nothing: they end with their sessions.
func on(k *cdp.Call, t *target) bool {
	u, _ := k.For.(*target)
	for ; u != nil; u = u.parent {
		if u == t {
			return true
		}
	}
	return false
}

// event handles what the browser sends unasked. It runs in the read loop.
func (d *daemon) event(e cdp.Event) {
	d.mu.Lock()
	fx := d.apply(e)
	for _, end := range fx.ended { // under the lock: see register
		d.chrome.Fail(end.of)
	}
	if fx.keep {
		kept := event{Seq: d.seq.Load() + 1, Method: e.Method, Params: e.Params, Session: e.Session}
		if fx.to != nil {
			fx.to.ring.add(kept)
		} else {
			for _, l := range d.labels {
				l.ring.add(kept)
			}
		}
		d.seq.Store(kept.Seq) // only now: whoever reads a number must find all events up to it
	}
	d.mu.Unlock()
	d.follow(fx)
}

// follow starts what needs the browser's answer: each ends within defaultTimeout.
func (d *daemon) follow(fx effects) {
	if fx.save {
		d.saveSoon()
	}
	if fx.held != nil {
		go d.adopt(fx.held)
	}
	if fx.child != nil {
		go d.raise(fx.child)
	}
	if fx.paused != nil {
		go d.decide(fx.paused)
	}
	for _, s := range fx.detach {
		go d.detach(s)
	}
	if fx.shown[0] != nil {
		go d.putBack(fx.shown[0], fx.shown[1])
	}
}

// apply is where an event changes the model, and nowhere else.
func (m *model) apply(e cdp.Event) (fx effects) {
	s := m.sessions[e.Session]
	switch {
	case s != nil && s.role == ofGuard:
		m.applyGuard(s, e, &fx)
		return fx
	case strings.HasPrefix(e.Method, "Target."):
		m.applyTarget(e, &fx)
		return fx
	case strings.HasPrefix(e.Method, "Browser.download"):
		fx.keep, fx.to = true, m.download(e)
		return fx
	case s == nil:
		fx.keep, fx.to = true, m.label("")
		return fx
	}
	fx.keep, fx.to = true, m.listener(s)
	t := s.target.page()
	var p struct {
		FrameID string
		Frame   struct{ ID, URL, URLFragment string }
	}
	switch e.Method {
	case "Page.javascriptDialogOpening":
		m.dialogOpened(t, e.Params, &fx)
	case "Page.frameRequestedNavigation":
		if t.guard == nil { // else its guard hears of it, of frames of other sites too
			m.requested(t, e.Params)
		}
	case "Page.javascriptDialogClosed":
		t.dialog, fx.save = nil, true
	case "Page.frameNavigated":
		if json.Unmarshal(e.Params, &p) == nil && p.Frame.ID == t.id {
			m.moved(t, p.Frame.URL+p.Frame.URLFragment, &fx)
			t.crashed = false
		}
	case "Page.frameStartedLoading", "Page.frameStoppedLoading":
		if json.Unmarshal(e.Params, &p) == nil && p.FrameID == t.id {
			t.loading = e.Method == "Page.frameStartedLoading"
		}
	case "Inspector.targetReloadedAfterCrash":
		t.crashed = false
	case "Runtime.executionContextCreated", "Runtime.executionContextDestroyed", "Runtime.executionContextsCleared":
		s.worldChanged(e)
	}
	return fx
}

// worldChanged follows the engine's world in the page as it comes and goes. The next run
// learns of it from its greeting and need not ask for one.
func (s *session) worldChanged(e cdp.Event) {
	var p struct {
		Context struct {
			ID             int
			UniqueID, Name string
			AuxData        struct{ FrameID, Type string }
		}
		ExecutionContextUniqueID string
	}
	json.Unmarshal(e.Params, &p)
	switch c := p.Context; {
	case e.Method == "Runtime.executionContextsCleared", s.world != nil && p.ExecutionContextUniqueID == s.world.Unique:
		s.world = nil
	case c.Name == "bu" && c.AuxData.Type == "isolated" && c.AuxData.FrameID == s.target.id:
		s.world = &world{c.ID, c.UniqueID}
	}
}

// listener gives the label to which an event of a session belongs.
func (m *model) listener(s *session) *label {
	if s.label != nil {
		return s.label
	}
	return m.holder(s.target)
}

// download gives the label whose page started a download. If a frame inside a page started
// it, only the frame is known: then all labels get the event.
func (m *model) download(e cdp.Event) *label {
	var p struct{ FrameID, GUID, State string }
	json.Unmarshal(e.Params, &p)
	if t := m.targets[p.FrameID]; t != nil {
		m.downloads[p.GUID] = m.holder(t)
	}
	l := m.downloads[p.GUID]
	if p.State == "completed" || p.State == "canceled" {
		delete(m.downloads, p.GUID)
	}
	return l
}

func (m *model) applyTarget(e cdp.Event, fx *effects) {
	var p struct {
		SessionID, TargetID string
		TargetInfo          info
	}
	if json.Unmarshal(e.Params, &p) != nil {
		fx.keep, fx.to = true, m.label("")
		return
	}
	if p.TargetID == "" {
		p.TargetID = p.TargetInfo.TargetID
	}
	t := m.targets[p.TargetID]
	fx.keep, fx.to = true, m.holder(t)
	switch e.Method {
	case "Target.targetCreated", "Target.targetInfoChanged":
		if t == nil {
			t = m.born(p.TargetInfo, fx)
		}
		if t.parent == nil && p.TargetInfo.ParentID != "" {
			t.parent = m.target(p.TargetInfo.ParentID)
		}
		t.kind, t.context = p.TargetInfo.Type, p.TargetInfo.BrowserContextID
		m.moved(t, p.TargetInfo.URL, fx)
		fx.keep, fx.to = e.Method == "Target.targetCreated" && t.kind == "page" && m.phase > meeting, m.holder(t)
	case "Target.targetDestroyed":
		if fx.keep = t != nil && t.kind == "page"; t != nil {
			m.closed(t, fx)
		}
	case "Target.targetCrashed":
		if t != nil {
			m.crashed(t, fx)
		}
	case "Target.attachedToTarget":
		if t == nil {
			t = m.born(p.TargetInfo, fx)
		}
		t.kind = p.TargetInfo.Type
		s := &session{id: p.SessionID, target: t}
		if parent := m.sessions[e.Session]; parent != nil { // a frame or worker of that page
			s.label = parent.label
			if t.parent == nil && t != parent.target {
				t.parent = parent.target
			}
		}
		m.sessions[s.id] = s
		if m.holding && e.Session == "" && m.expected[t.id] == 0 {
			fx.held, s.role = s, ofGuard
		}
		if s.role == ofGuard || (t.page().guard != nil || m.hidden[t.id] > 0) && e.Session == "" { // the daemon's own, and not to be known
			fx.keep = false
		}
		fx.to = m.listener(s)
	case "Target.detachedFromTarget":
		if s := m.sessions[p.SessionID]; s != nil {
			m.detached(s, fx)
			fx.keep, fx.to = s.role != ofGuard, m.listener(s)
		}
	}
}

// openerWithin is how soon a tab without an opener comes that a page asked for.
const openerWithin = 3 * time.Second

// requested notes what a page asks to have opened in another tab, but for the daemon's own sprouts.
func (m *model) requested(t *target, params json.RawMessage) {
	var p struct{ URL, Disposition string }
	json.Unmarshal(params, &p)
	if (p.Disposition == "newTab" || p.Disposition == "newWindow") && m.sprouts[p.URL] == nil {
		t.asks, t.asked = p.URL, time.Now()
	}
}

// openerOf finds the page that opened a tab. Chrome names none for a link that is clicked
// with Control or Shift held, or with the middle button; but the page says first that it asks.
func (m *model) openerOf(i info) string {
	if t := m.targets[i.OpenerID]; t != nil {
		t.asks = ""
	}
	if i.OpenerID != "" || i.Type != "page" || m.expected[i.TargetID] > 0 {
		return i.OpenerID
	}
	for _, t := range m.targets {
		if t.asks != "" && t.context == i.BrowserContextID && time.Since(t.asked) < openerWithin && (i.URL == "" || i.URL == t.asks) {
			t.asks = ""
			return t.id
		}
	}
	return ""
}

// born makes a target known: a page that a label's tab opened is that label's too.
func (m *model) born(i info, fx *effects) *target {
	t := m.target(i.TargetID)
	i.OpenerID = m.openerOf(i)
	t.opener, t.context = i.OpenerID, i.BrowserContextID
	if wanted := m.sprouts[i.URL]; wanted != nil {
		delete(m.sprouts, i.URL)
		wanted <- t.id
	}
	if opener := m.targets[i.OpenerID]; opener != nil && opener.owner != nil && i.Type == "page" {
		t.owner, fx.shown = opener.owner, [2]*target{t, opener}
		t.owner.notice(func() string {
			if m.targets[t.id] != t {
				return "" // it has been closed since
			}
			return fmt.Sprintf("the page opened a new tab: %s %s", t.id, t.url)
		})
	}
	return t
}

func (m *model) moved(t *target, url string, fx *effects) {
	url = nameless(url)
	if t.url != url && url != "" {
		t.url = url
		fx.save = fx.save || t.owner != nil && t.owner.tab == t
	}
}

func (m *model) closed(t *target, fx *effects) {
	t.gone, t.dialog, t.ended = true, nil, time.Now()
	delete(m.targets, t.id)
	fx.ended = append(fx.ended, ended{target: t, why: func(*cdp.Call, bool) error { return errClosed(t.page()) }})
	for _, s := range m.sessions {
		if s.target == t {
			m.detached(s, fx)
		}
	}
	if t.owner == nil {
		return
	}
	fx.save = true
	if t.owner.tab == t {
		t.owner.phase = closed
	}
	if !t.closing {
		id, url := t.id, t.url
		t.owner.notice(func() string { return fmt.Sprintf("tab %s was closed: %s", id, url) })
	}
	m.sweep()
}

func (m *model) crashed(t *target, fx *effects) {
	t.crashed, t.dialog = true, nil
	fx.ended = append(fx.ended, ended{target: t, why: func(*cdp.Call, bool) error { return errCrashed(t) }})
	if t.owner != nil {
		id, url := t.id, t.url
		t.owner.notice(func() string { return fmt.Sprintf("tab %s crashed: %s", id, url) })
	}
}

func (m *model) detached(s *session, fx *effects) {
	delete(m.sessions, s.id)
	fx.ended = append(fx.ended, ended{session: s.id, why: func(*cdp.Call, bool) error {
		return failf("tab_closed", "the tab was closed, or the session %s detached, during the call; it may have taken effect", s.id)
	}})
	if s.target.session == s {
		s.target.session = nil
	}
	if g := s.guard; g != nil && g.tab == s.target && g.tab.guard == g {
		g.tab.guard = nil // the next call sets up another guard
	}
	m.leave(s, fx)
}

// dialogOpened: while a dialog is open the page's scripts stand still, and with them every
// command that needs the page. Pending ones end now, with an error.
func (m *model) dialogOpened(t *target, params json.RawMessage, fx *effects) {
	var p struct{ URL, Message, Type, DefaultPrompt string }
	json.Unmarshal(params, &p)
	g := &dialog{p.Type, p.Message, p.URL, p.DefaultPrompt}
	t.dialog, fx.save = g, true
	if g.Type == "beforeunload" && t.owner != nil {
		fx.shown = [2]*target{t, t}
	}
	fx.ended = append(fx.ended, ended{target: t, why: func(k *cdp.Call, sent bool) error {
		if !hangs(k.Method) {
			return nil
		}
		return errDialog(g, k.Method, sent)
	}})
}
