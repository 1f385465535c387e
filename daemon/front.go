package main

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"sync"
	"time"
)

// What a page opens comes to the front together with its window, even if the page is in the
// background; so does its question whether to leave it. Chrome has no switch to prevent
// that, so the tab that the person had in front is put there again. Chrome does not say
// which one it was, but each page knows since when it has been hidden.
const (
	justHidden = time.Second     // … and by that it is known
	gesture    = 5 * time.Second // how long a page may open another after a click or key (Chrome)
	lookingFor = time.Second     // a page that takes longer to say is busy
)

// seen is what one of the person's pages says about itself.
type seen struct {
	tab     *target
	window  int
	visible bool
	focused bool
	since   time.Duration // visible or hidden
	known   bool          // it has answered
	busy    bool          // it has not, though it is loaded
}

// acts notes that a command gives t what a page needs to open another one: a click or a key.
// If there are several windows, the one that the person looks at is looked up while the
// command runs: afterwards there is no way to know.
func (d *daemon) acts(t *target, method string, params json.RawMessage) {
	if !strings.HasPrefix(method, "Input.") && method != "Page.handleJavaScriptDialog" && !bytes.Contains(params, []byte(`"userGesture"`)) {
		return
	}
	t.acted = time.Now()
	if t.owner == nil || time.Since(d.glanced) < lookingFor {
		return
	}
	d.glanced = time.Now()
	go func() {
		ctx, cancel := context.WithTimeout(d.ctx, lookingFor)
		defer cancel()
		d.glance(ctx)
	}()
}

// glance finds out which of the person's tabs has the focus, where there are several windows.
func (d *daemon) glance(ctx context.Context) (focus *target) {
	tabs, several := d.windows(ctx)
	if !several {
		return nil
	}
	for s := range d.look(ctx, tabs) {
		if s.focused {
			focus = s.tab
			break
		}
	}
	if focus != nil {
		d.mu.Lock()
		d.focus = focus
		d.mu.Unlock()
	}
	return focus
}

// putBack puts the person's tab in front again, after by came there on behalf of from.
func (d *daemon) putBack(by, from *target) {
	began := time.Now()
	ctx, cancel := context.WithTimeout(d.ctx, 3*time.Second)
	defer cancel()
	here, there := d.windowOf(ctx, by), d.windowOf(ctx, from)
	tabs, _ := d.windows(ctx)
	var same []*seen
	for _, s := range tabs {
		if s.window == there {
			same = append(same, s)
		}
	}
	under := d.uncovered(ctx, same, time.Since(began))
	d.mu.Lock()
	if under == nil && time.Since(from.acted) < gesture && from.wheel == nil {
		under = from // no page of the person's was, so this one was in front, unless by their own clicks
	}
	focus := d.focus
	if under == nil || focus == nil || focus.gone || focus.owner != nil {
		focus = under
	}
	d.mu.Unlock()
	if under == nil {
		return
	}
	elsewhere := focus != under && d.windowOf(ctx, focus) != there
	if here == there || !elsewhere {
		d.ask(ctx, "", "Target.activateTarget", obj{"targetId": under.id}, nil)
	}
	if elsewhere {
		d.ask(ctx, "", "Target.activateTarget", obj{"targetId": focus.id}, nil)
	}
}

// windows gives the pages that are nobody's, with the windows that they are in, and whether
// there are several windows.
func (d *daemon) windows(ctx context.Context) (tabs []*seen, several bool) {
	var pages []*seen
	d.mu.Lock()
	for _, t := range d.targets {
		if t.kind == "page" && !t.gone {
			pages = append(pages, &seen{tab: t})
		}
	}
	d.mu.Unlock()
	var all sync.WaitGroup
	for _, s := range pages {
		all.Go(func() { s.window = d.windowOf(ctx, s.tab) })
	}
	all.Wait()
	d.mu.Lock()
	defer d.mu.Unlock()
	first := 0
	for _, s := range pages {
		if s.window == 0 { // a part of the browser, such as what drops down from the address bar
			continue
		}
		if first == 0 {
			first = s.window
		}
		if several = several || s.window != first; s.tab.owner == nil {
			tabs = append(tabs, s)
		}
	}
	return tabs, several
}

func (d *daemon) windowOf(ctx context.Context, t *target) int {
	var w struct{ WindowID int }
	d.ask(ctx, "", "Browser.getWindowForTarget", obj{"targetId": t.id}, &w)
	return w.WindowID
}

// uncovered gives the tab that could be seen until that long ago. If none that answers was,
// it is one that is too busy to answer.
func (d *daemon) uncovered(ctx context.Context, tabs []*seen, ago time.Duration) *target {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var latest, busy *seen
	for s := range d.look(ctx, tabs) {
		switch {
		case s.busy:
			busy = s
		case s.known && (s.visible || s.since < ago+justHidden/4): // there is no need to wait for those that do not answer
			return s.tab
		case s.known && s.since < ago+justHidden && (latest == nil || s.since < latest.since):
			latest = s
		}
	}
	switch {
	case latest != nil:
		return latest.tab
	case busy != nil:
		return busy.tab
	}
	return nil
}

// look asks each page whether it is to be seen, and since when. It gives them as they answer.
func (d *daemon) look(ctx context.Context, tabs []*seen) <-chan *seen {
	const ask = `(e => [document.visibilityState == "visible", document.hasFocus(), performance.now() - (e ? e.startTime : 0)])(performance.getEntriesByType("visibility-state").at(-1))`
	ctx, cancel := context.WithTimeout(ctx, lookingFor)
	answers := make(chan *seen, len(tabs))
	var all sync.WaitGroup
	for _, s := range tabs {
		all.Go(func() {
			defer func() { answers <- s }()
			own, err := d.attachTo(ctx, s.tab, nil, ofGuard)
			if err != nil {
				return
			}
			var says struct{ Result struct{ Value []any } }
			err = d.ask(ctx, own.id, "Runtime.evaluate", obj{"expression": ask, "returnByValue": true}, &says)
			s.busy = err != nil && !d.unloaded(d.ctx, own)
			go d.detach(own)
			if v := says.Result.Value; err == nil && len(v) == 3 {
				ms, _ := v[2].(float64)
				s.visible, s.focused, s.since, s.known = v[0] == true, v[1] == true, time.Duration(ms*1e6), true
			}
		})
	}
	go func() { all.Wait(); cancel(); close(answers) }()
	return answers
}
