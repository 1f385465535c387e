package main

import (
	"encoding/json"
	"fmt"
	"strings"
)

// event takes a message that nobody asked for. It runs in the read loop: what needs
// the browser's answer is started in a goroutine of its own.
func (d *daemon) event(m message) {
	d.mu.Lock()
	defer d.mu.Unlock()
	l, keep := d.noteLocked(m)
	if !keep {
		return
	}
	e := event{Seq: d.seq.Load() + 1, Method: m.method, Params: m.params, Session: m.session}
	if l != nil {
		l.ring.add(e)
	} else {
		for _, l := range d.labels {
			l.ring.add(e)
		}
	}
	// Only now: who reads a number must find what is before it.
	d.seq.Store(e.Seq)
}

// noteLocked learns from an event what it says about targets, sessions and dialogs,
// and gives the label whose event it is (nil: everybody's), and whether it is one to keep.
func (d *daemon) noteLocked(m message) (*label, bool) {
	s := d.sessions[m.session]
	if s != nil && s.guard != nil {
		d.guardLocked(s, m)
		return nil, false
	}
	if strings.HasPrefix(m.method, "Target.") {
		return d.noteTargetLocked(m)
	}
	if strings.HasPrefix(m.method, "Browser.download") {
		return d.downloadLocked(m), true
	}
	if s == nil {
		return d.labelLocked(""), true
	}
	t := s.target.page()
	switch m.method {
	case "Page.javascriptDialogOpening":
		d.dialogOpenedLocked(t, m.params)
	case "Page.javascriptDialogClosed":
		t.dialog = nil
		d.saveSoon()
	case "Page.frameNavigated":
		var p struct {
			Frame struct{ ID, URL, URLFragment string }
		}
		if json.Unmarshal(m.params, &p) == nil && p.Frame.ID == t.id {
			d.movedLocked(t, p.Frame.URL+p.Frame.URLFragment)
			t.crashed = false
		}
	case "Page.frameStartedLoading", "Page.frameStoppedLoading":
		var p struct{ FrameID string }
		if json.Unmarshal(m.params, &p) == nil && p.FrameID == t.id {
			t.loading = m.method == "Page.frameStartedLoading"
		}
	case "Inspector.targetReloadedAfterCrash":
		t.crashed = false
	}
	return d.ownerLocked(s), true
}

// downloadLocked gives the label whose page a download is of. Of one that a frame
// within a page began, only the frame is known: everybody hears of it.
func (d *daemon) downloadLocked(m message) *label {
	var p struct{ FrameID, GUID, State string }
	json.Unmarshal(m.params, &p)
	if t := d.targets[p.FrameID]; t != nil {
		d.downloads[p.GUID] = d.holderLocked(t)
	}
	l := d.downloads[p.GUID]
	if p.State == "completed" || p.State == "canceled" {
		delete(d.downloads, p.GUID)
	}
	return l
}

func (d *daemon) ownerLocked(s *session) *label {
	if s.label != nil {
		return s.label
	}
	return d.holderLocked(s.target)
}

// holderLocked gives the label that a target's events go to: callers without a label
// see those of the tabs that are nobody's.
func (d *daemon) holderLocked(t *target) *label {
	if t != nil && t.page().owner != nil {
		return t.page().owner
	}
	return d.labelLocked("")
}

func (d *daemon) noteTargetLocked(m message) (*label, bool) {
	var p struct {
		SessionID, TargetID string
		TargetInfo          info
		Status              string
	}
	if json.Unmarshal(m.params, &p) != nil {
		return d.labelLocked(""), true
	}
	if p.TargetID == "" {
		p.TargetID = p.TargetInfo.TargetID
	}
	t := d.targets[p.TargetID]
	switch m.method {
	case "Target.targetCreated", "Target.targetInfoChanged":
		if t == nil {
			t = d.targetLocked(p.TargetID)
			d.bornLocked(t, p.TargetInfo)
		}
		if t.parent == nil && p.TargetInfo.ParentID != "" {
			t.parent = d.targetLocked(p.TargetInfo.ParentID)
		}
		t.kind = p.TargetInfo.Type
		d.movedLocked(t, p.TargetInfo.URL)
		return d.holderLocked(t), m.method == "Target.targetCreated" && t.kind == "page" && d.known
	case "Target.targetDestroyed":
		if t == nil {
			return d.labelLocked(""), false
		}
		d.closedLocked(t)
		return d.holderLocked(t), t.kind == "page"
	case "Target.targetCrashed":
		if t != nil {
			d.crashedLocked(t)
		}
	case "Target.attachedToTarget":
		if t == nil {
			t = d.targetLocked(p.TargetID)
			d.bornLocked(t, p.TargetInfo)
		}
		t.kind = p.TargetInfo.Type
		s := &session{id: p.SessionID, target: t}
		if parent := d.sessions[m.session]; parent != nil { // a frame or worker of that page
			s.label = parent.label
			if t.parent == nil && t != parent.target {
				t.parent = parent.target
			}
		}
		d.sessions[s.id] = s
		if d.watching && m.session == "" && d.expected[t.id] == 0 {
			go d.adopt(s)
			return nil, false
		}
		return d.ownerLocked(s), true
	case "Target.detachedFromTarget":
		if s := d.sessions[p.SessionID]; s != nil {
			d.detachedLocked(s)
			return d.ownerLocked(s), true
		}
	}
	return d.holderLocked(t), true
}

// bornLocked: a page that a label's tab opened is that label's too.
func (d *daemon) bornLocked(t *target, i info) {
	t.opener = i.OpenerID
	opener := d.targets[i.OpenerID]
	if opener == nil || opener.owner == nil || i.Type != "page" {
		return
	}
	t.owner = opener.owner
	t.owner.notice(func() string {
		return fmt.Sprintf("the page opened a new tab: %s %s", t.id, t.url)
	})
}

func (d *daemon) movedLocked(t *target, url string) {
	if t.url == url || url == "" {
		return
	}
	t.url = url
	if l := t.owner; l != nil && l.target == t {
		l.url = url
		d.saveSoon()
	}
}

func (d *daemon) closedLocked(t *target) {
	t.gone, t.dialog = true, nil
	delete(d.targets, t.id)
	d.chrome.fail(func(k *call) error {
		if k.on(t) {
			return errClosed(t.page())
		}
		return nil
	})
	for _, s := range d.sessions {
		if s.target == t {
			d.detachedLocked(s)
		}
	}
	if t.owner != nil && !t.closing {
		id, url := t.id, t.url
		t.owner.notice(func() string { return fmt.Sprintf("tab %s was closed: %s", id, url) })
	}
}

func (d *daemon) crashedLocked(t *target) {
	t.crashed, t.dialog = true, nil
	d.chrome.fail(func(k *call) error {
		if k.on(t) {
			return errCrashed(t)
		}
		return nil
	})
	if t.owner != nil {
		id, url := t.id, t.url
		t.owner.notice(func() string { return fmt.Sprintf("tab %s crashed: %s", id, url) })
	}
}

func (d *daemon) detachedLocked(s *session) {
	delete(d.sessions, s.id)
	d.chrome.fail(func(k *call) error {
		if k.session != s.id {
			return nil
		}
		return failf("tab_closed", "the tab was closed, or the session %s detached, during the call; it may have taken effect", s.id)
	})
	for _, l := range d.labels {
		if l.session == s {
			l.session = nil
		}
	}
}

// notice leaves a line for the label's next run. They are few: what nobody reads
// must not grow.
func (l *label) notice(line func() string) {
	if l.notices = append(l.notices, line); len(l.notices) > 50 {
		l.notices = l.notices[1:]
	}
}
