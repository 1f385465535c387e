package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"log"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"bu/daemon/discover"
	"bu/daemon/wire"
)

// state is what outlives a daemon, so that kill -9 costs nothing but the events:
// which browser it was, whose tabs are which, the uids given out. It is in the file
// before a caller hears of it, and holds no secret.
type state struct {
	Browser discover.Identity `json:"browser,omitzero"`
	Run     string            `json:"run,omitempty"` // of the browser: another after its restart
	Tabs    []savedTab        `json:"tabs,omitempty"`
	UID     int64             `json:"uid,omitempty"`
}

type savedTab struct {
	Label   string `json:"label"`
	Target  string `json:"target_id"`
	URL     string `json:"url"`
	Current bool   `json:"current,omitempty"`
	Closed  bool   `json:"closed,omitempty"` // while its browser lived on: it stays closed
	// Not nil: it was about to be made, and these were the empty tabs of others then.
	Opening *[]string `json:"opening,omitempty"`
	Dialog  string    `json:"dialog,omitempty"` // the kind of the one that is open
}

func readState(path string) (s state, err error) {
	b, err := wire.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(b, &s)
	}
	return s, err
}

// remember takes up what an earlier daemon of this name left.
func (d *daemon) remember() {
	s, err := readState(d.paths.State)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		log.Printf("no state from before: %v", err)
	}
	d.was, d.uids.next = s, max(s.UID, 1)
}

// restore gives the labels their tabs back, once it is known which there are. In the
// browser that they were in, a missing one was closed. In one that was restarted they
// are opened again at their last address, when their label comes to use them.
func (d *daemon) restore() {
	same := d.was.Run == d.run
	var orphans []savedTab
	d.mu.Lock()
	for _, saved := range d.was.Tabs {
		if d.restoreTab(saved, same) {
			orphans = append(orphans, saved)
		}
	}
	d.sweep()
	d.mu.Unlock()
	for _, saved := range orphans {
		d.takeOrphan(saved, same)
	}
	d.mu.Lock()
	d.was = state{Browser: d.browser.Identity(), Run: d.run} // from here on the tabs are the model's
	d.mu.Unlock()
}

// restoreTab gives a label back one of its tabs; orphan says that it was being made.
func (m *model) restoreTab(saved savedTab, sameRun bool) (orphan bool) {
	l, t := m.label(saved.Label), m.targets[saved.Target]
	became := driving
	switch {
	case saved.Closed || t == nil && sameRun && saved.Target != "":
		became = closed
		// Or Chrome discarded it, to save memory, while no daemon held it. It has another id
		// then, and nothing tells it from one that the person has at the same address.
		l.notice(func() string { return "tab " + saved.Target + " was closed, or Chrome put it to sleep: " + saved.URL })
	case t != nil:
		t.owner = l
		if saved.Dialog != "" { // Chrome lets only the session that saw it open answer it
			l.notice(func() string {
				return "a dialog (" + saved.Dialog + ") was open on your tab as the last daemon ended; acceptDialog() cannot reach it any more. Until the person answers it the page does nothing: navigate(url) away from it, or newTab(url)"
			})
		}
	case saved.Opening != nil:
		return true
	case saved.Current:
		became = lost
	default:
		l.notice(func() string {
			return "the browser was restarted; a tab that was not the current one is gone: " + saved.URL
		})
	}
	if !saved.Current {
		return false
	}
	if became != driving {
		t = &target{id: saved.Target, kind: "page", url: saved.URL, gone: true}
	}
	l.tab, l.phase = t, became
	return false
}

// takeOrphan gives a label the tab that a daemon was opening for it when it was killed, before
// it knew the tab's id. It is the empty tab that has no opener, was not there before, and is
// in no daemon's state.
func (d *daemon) takeOrphan(saved savedTab, sameRun bool) {
	d.mu.Lock()
	l, blank := d.label(saved.Label), d.blank()
	d.mu.Unlock()
	blank = slices.DeleteFunc(blank, func(t *target) bool {
		return !sameRun || slices.Contains(*saved.Opening, t.id) || d.claimed(t.id)
	})
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(blank) > 0 {
		l.tab, l.phase, blank[0].owner = blank[0], driving, l
	} else if saved.URL != "" { // it was to be opened again
		l.tab, l.phase = &target{kind: "page", url: saved.URL, gone: true}, lost
	}
}

// claimed says whether a daemon of another name drives that tab.
func (d *daemon) claimed(id string) bool {
	d.mu.Lock()
	t := d.targets[id]
	owned := t != nil && t.owner != nil
	d.mu.Unlock()
	if owned {
		return true
	}
	files, _ := filepath.Glob(filepath.Join(filepath.Dir(d.paths.State), "bu-*.state"))
	for _, f := range files {
		s, err := readState(f)
		if f != d.paths.State && err == nil && s.Run == d.run && slices.ContainsFunc(s.Tabs, func(t savedTab) bool { return t.Target == id }) {
			return true
		}
	}
	return false
}

// save writes the state. Callers that are about to be told of a change wait for it.
func (d *daemon) save() {
	d.saving.Lock()
	defer d.saving.Unlock()
	d.mu.Lock()
	if d.phase == forgotten {
		d.mu.Unlock()
		return
	}
	s := d.was
	if s.UID = d.uids.next; s.Tabs == nil {
		s.Tabs = d.tabs()
	}
	d.mu.Unlock()
	s.Tabs = slices.Clone(s.Tabs)
	for i := range s.Tabs {
		s.Tabs[i].URL = plain(s.Tabs[i].URL)
	}
	d.write(s)
}

// plain is what may be kept of an address: nothing of it that can be a secret, as tokens in
// the query and the fragment, a password, and all of what holds its page in itself.
func plain(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Opaque != "" || u.Scheme == "javascript" {
		return "about:blank"
	}
	u.User, u.RawQuery, u.ForceQuery, u.Fragment, u.RawFragment = nil, "", false, "", ""
	return u.String()
}

var userinfo = regexp.MustCompile(`^([a-zA-Z][a-zA-Z0-9+.-]*://)[^/?#]*@`)

// nameless is an address without a name and password in it, which nobody is shown.
func nameless(address string) string { return userinfo.ReplaceAllString(address, "$1") }

func (d *daemon) write(s state) {
	b, err := json.Marshal(s)
	if err == nil {
		err = wire.WriteFile(d.paths.State, b)
	}
	if err != nil {
		log.Printf("state not saved: %v", err)
	}
}

// saveSoon saves from elsewhere: the read loop does not wait for a disk.
func (d *daemon) saveSoon() {
	select {
	case d.dirty <- struct{}{}:
	default: // the saver is about to
	}
}

func (d *daemon) saver() {
	defer close(d.saved)
	for {
		select {
		case <-d.dirty:
			d.save()
			time.Sleep(20 * time.Millisecond) // a page can change its address without end
		case <-d.ctx.Done():
			return
		}
	}
}

// forget lets go of the browser. Only the uids live on: an element keeps its own for
// as long as its document, and no other may get it.
func (d *daemon) forget() {
	d.saving.Lock()
	defer d.saving.Unlock()
	d.enter(forgotten)
	d.mu.Lock()
	uid := d.uids.next
	d.mu.Unlock()
	if uid > 1 {
		d.write(state{UID: uid})
	} else {
		os.Remove(d.paths.State)
	}
}

// quitting is how long the tabs of a browser take to close before it is gone itself.
const quitting = 5 * time.Second

// tabs lists the labels' tabs.
func (m *model) tabs() []savedTab {
	tabs := []savedTab{}
	alive := false
	for _, t := range m.targets {
		alive = alive || t.kind == "page"
		if t.owner != nil && t.kind == "page" {
			saved := savedTab{Label: t.owner.name, Target: t.id, URL: t.url, Current: t.owner.tab == t && t.owner.phase == driving}
			if t.dialog != nil {
				saved.Dialog = t.dialog.Type
			}
			tabs = append(tabs, saved)
		}
	}
	for _, l := range m.labels { // what is closed, or not opened again yet, is remembered too
		saved := savedTab{Label: l.name, Current: true}
		if l.tab != nil {
			saved.Target, saved.URL = l.tab.id, l.tab.url
		}
		switch l.phase {
		case closed:
			// A browser that is quit closes all its tabs first: those it should have again.
			saved.Closed = alive || m.phase < ending || time.Since(l.tab.ended) > quitting
		case opening:
			others := slices.Clone(l.others) // it is written without the lock
			saved.Target, saved.Opening = "", &others
		case lost:
		default:
			continue
		}
		tabs = append(tabs, saved)
	}
	slices.SortFunc(tabs, func(a, b savedTab) int {
		return strings.Compare(a.Label+"\x00"+a.Target, b.Label+"\x00"+b.Target)
	})
	return tabs
}

// fingerprint tells one run of a browser from the next without being a key to it.
func fingerprint(id string) string {
	h := sha256.Sum256([]byte(id))
	return hex.EncodeToString(h[:8])
}
