package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"bu/daemon/wire"
)

// state is what outlives a daemon, so that kill -9 costs nothing but the events:
// which browser it was, whose tabs are which, the uids given out. It is in the file
// before a caller hears of it, and holds no secret.
type state struct {
	Browser Identity   `json:"browser,omitzero"`
	Run     string     `json:"run,omitempty"` // of the browser: another after its restart
	Tabs    []savedTab `json:"tabs,omitempty"`
	UID     int64      `json:"uid,omitempty"`
}

type savedTab struct {
	Label   string `json:"label"`
	Target  string `json:"target_id"`
	URL     string `json:"url"`
	Current bool   `json:"current,omitempty"`
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
	d.was, d.uid = s, max(s.UID, 1)
}

// restore gives the labels their tabs back, once it is known which there are. In the
// browser that they were in, a missing one was closed. In one that was restarted they
// are opened again at their last address, when their label comes to use them.
func (d *daemon) restore() {
	var opening []savedTab
	defer func() {
		for _, saved := range opening {
			d.takeOrphan(saved)
		}
	}()
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, saved := range d.was.Tabs {
		l := d.labelLocked(saved.Label)
		t := d.targets[saved.Target]
		switch {
		case t != nil:
			t.owner = l
			if saved.Dialog != "" { // Chrome lets only the session that saw it open answer it
				l.notice(func() string {
					return "a dialog (" + saved.Dialog + ") was open on your tab as the last daemon ended; acceptDialog() cannot reach it any more. Until the person answers it the page does nothing: navigate(url) away from it, or newTab(url)"
				})
			}
		case saved.Opening != nil:
			opening = append(opening, saved)
		case d.was.Run == d.run && saved.Target != "":
			t = &target{id: saved.Target, kind: "page", url: saved.URL, gone: true}
			l.notice(func() string { return "tab " + saved.Target + " was closed: " + saved.URL })
		case saved.Current:
			l.reopen = true
		default:
			l.notice(func() string {
				return "the browser was restarted; a tab that was not the current one is gone: " + saved.URL
			})
		}
		if saved.Current {
			l.target, l.url = t, saved.URL
		}
	}
}

// takeOrphan gives a label the empty tab over which a daemon was killed as it opened it,
// before it knew its id: not there before, without an opener, and in nobody's state.
func (d *daemon) takeOrphan(saved savedTab) {
	d.mu.Lock()
	l, blank := d.labelLocked(saved.Label), d.blankLocked()
	d.mu.Unlock()
	blank = slices.DeleteFunc(blank, func(t *target) bool {
		return d.was.Run != d.run || slices.Contains(*saved.Opening, t.id) || d.claimed(t.id)
	})
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(blank) > 0 {
		l.target, blank[0].owner = blank[0], l
	} else if saved.URL != "" { // it was to be opened again
		l.url, l.reopen = saved.URL, true
	}
}

// blankLocked are the empty tabs that are nobody's here.
func (d *daemon) blankLocked() (tabs []*target) {
	for _, t := range d.targets {
		if t.kind == "page" && t.url == "about:blank" && t.opener == "" && t.owner == nil {
			tabs = append(tabs, t)
		}
	}
	return tabs
}

// claimed says whether the daemon of another name drives that tab.
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
	if d.forgotten {
		d.mu.Unlock()
		return
	}
	s := state{UID: d.uid, Browser: d.was.Browser, Run: d.was.Run, Tabs: d.was.Tabs}
	if d.restored {
		s.Browser, s.Run, s.Tabs = d.browser.identity(), d.run, d.tabsLocked()
	}
	d.mu.Unlock()
	d.write(s)
}

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
	default: // somebody is about to
	}
}

func (d *daemon) saver() {
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
	d.mu.Lock()
	d.forgotten = true
	uid := d.uid
	d.mu.Unlock()
	if uid > 1 {
		d.write(state{UID: uid})
	} else {
		os.Remove(d.paths.State)
	}
}

// tabsLocked lists the labels' tabs.
func (d *daemon) tabsLocked() []savedTab {
	tabs := []savedTab{}
	for _, t := range d.targets {
		if t.owner != nil && t.kind == "page" {
			saved := savedTab{Label: t.owner.name, Target: t.id, URL: t.url, Current: t.owner.target == t}
			if t.dialog != nil {
				saved.Dialog = t.dialog.Type
			}
			tabs = append(tabs, saved)
		}
	}
	for _, l := range d.labels { // what is closed, or not opened again yet, is remembered too
		if t := l.target; t != nil && d.targets[t.id] != t {
			tabs = append(tabs, savedTab{Label: l.name, Target: t.id, URL: t.url, Current: true})
		} else if l.reopen || l.opening != nil {
			tabs = append(tabs, savedTab{Label: l.name, URL: l.url, Current: true, Opening: l.opening})
		}
	}
	slices.SortFunc(tabs, func(a, b savedTab) int {
		return strings.Compare(a.Label+"\x00"+a.Target, b.Label+"\x00"+b.Target)
	})
	return tabs
}

// uids hands out numbers for elements: each once, over all tabs, runs and daemons.
// Whoever took a block gives back what it did not use, if nobody came after it.
func (d *daemon) uids(req *wire.Request) (any, error) {
	d.mu.Lock()
	base := d.uid
	switch {
	case req.Base > 0 && req.Used >= 0:
		if d.uid == d.lastBlock && req.Base+req.Used <= d.uid && req.Base >= d.lastBase {
			d.uid, d.lastBlock = req.Base+req.Used, 0
		}
		base = req.Base
	case req.Count > 0 && req.Count <= 1<<20:
		d.uid += req.Count
		d.lastBase, d.lastBlock = base, d.uid
	default:
		d.mu.Unlock()
		return nil, failf("bad_request", "uids: count must be 1 to %d", 1<<20)
	}
	d.mu.Unlock()
	d.save()
	return answer{"base": base}, nil
}

// fingerprint tells one run of a browser from the next without being a key to it.
func fingerprint(id string) string {
	h := sha256.Sum256([]byte(id))
	return hex.EncodeToString(h[:8])
}
