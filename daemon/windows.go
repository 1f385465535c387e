package main

import (
	"cmp"
	"context"
	"fmt"
	"time"
)

// windows.go: windows that Chrome opens by itself, over a tab or beside it, of which no
// event tells and which no helper can press.

// choosers keeps the system's choosers of files, which input to a page may open, from
// opening: the page's session gets Page.fileChooserOpened instead. That ends with the
// connection, or when a person takes the wheel.
func (d *daemon) choosers(s *session, r *request) {
	if r.lease == nil || r.Method != "Input.dispatchMouseEvent" && r.Method != "Input.dispatchKeyEvent" && r.Method != "Input.dispatchTouchEvent" {
		return
	}
	d.mu.Lock()
	driven, kept := s.target.page().session, true
	if driven != nil && driven.choosers != r.lease {
		kept = driven.choosers != nil // since an earlier run
		driven.choosers = r.lease
		r.lease.choosers = append(r.lease.choosers, driven)
	}
	d.mu.Unlock()
	if !kept {
		d.intercept(driven, true)
	}
}

// intercept waits for the answer: input reaches the page by another way than commands do. A
// page that is busy has no chooser to open yet.
func (d *daemon) intercept(s *session, on bool) {
	ctx, cancel := context.WithTimeout(d.ctx, time.Second)
	defer cancel()
	d.ask(ctx, s.id, "Page.setInterceptFileChooserDialog", obj{"enabled": on}, nil)
}

// letChoosers lets the choosers that a connection suppressed open again, on all pages or on
// one. What came too late for any act to report is left as a notice.
func (d *daemon) letChoosers(of *lease, page *target) {
	d.recount(d.ctx)
	d.mu.Lock()
	var let []*session
	for _, s := range of.choosers {
		if s.choosers == of && (page == nil || s.target.page() == page) && d.sessions[s.id] == s {
			s.choosers = nil
			let = append(let, s)
		}
	}
	for _, s := range let {
		l := d.listener(s)
		if l == nil {
			continue
		}
		opened, _, _ := l.ring.after(l.windows, func(e *event) bool { return e.Method == choosing && e.Session == s.id })
		if len(opened) > 0 {
			l.windows = lastSeq(opened)
			l.notice(func() string {
				return "the page asked for a file after the last act; no chooser was opened: uploadFile(target, path)"
			})
		}
		if len(d.questions) > l.questions {
			l.notice(func() string {
				kinds := d.questions[l.questions:]
				if l.questions = len(d.questions); len(kinds) == 0 {
					return ""
				}
				return fmt.Sprintf("the page asks the person for %q in a window of Chrome's own: answer with grant(%q) and reload(), or handoff(message)", kinds, kinds[0])
			})
		}
	}
	d.mu.Unlock()
	for _, s := range let {
		d.intercept(s, false)
		d.mu.Lock()
		again := s.choosers != nil // a run came meanwhile
		d.mu.Unlock()
		if again {
			d.intercept(s, true)
		}
	}
}

// choosing is the event of a chooser of files that was kept from opening.
const choosing = "Page.fileChooserOpened"

// permissions are those that a page may ask the person for, as the Permissions API calls them,
// by the numbers that Chrome counts its requests by.
var permissions = map[int]string{1: "midi", 3: "notifications", 4: "geolocation", 5: "protected-media-identifier", 6: "midi", 7: "persistent-storage",
	8: "microphone", 9: "camera", 12: "accelerometer", 16: "idle-detection", 20: "nfc", 23: "clipboard-read", 30: "window-management", 31: "local-fonts"}

// asked gives the permissions that pages have asked the person for since the label was last
// told: Chrome has no event for such a question, but it counts them.
func (d *daemon) asked(ctx context.Context, l *label) (kinds []string) {
	d.recount(ctx)
	d.mu.Lock()
	defer d.mu.Unlock()
	kinds, l.questions = d.questions[l.questions:], len(d.questions)
	return kinds
}

// recount looks for questions that are new. What was asked before the daemon came is not its.
func (d *daemon) recount(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	var now struct {
		Histograms []struct {
			Name    string
			Buckets []struct{ Low, Count int }
		}
	}
	const counted = "ContentSettings.PermissionRequested"
	if d.headless || d.ask(ctx, "", "Browser.getHistograms", obj{"query": counted}, &now) != nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	first := d.counts == nil
	if first {
		d.counts = map[int]int{}
	}
	for _, h := range now.Histograms {
		if h.Name != counted {
			continue
		}
		for _, b := range h.Buckets {
			if b.Count > d.counts[b.Low] && !first {
				d.questions = append(d.questions, cmp.Or(permissions[b.Low], "something"))
			}
			d.counts[b.Low] = b.Count
		}
	}
}
