package main

import (
	"fmt"
	"os"
	"slices"
	"sync"
	"time"
)

// progress is one line on a terminal about what has taken longer than 2 s. Where
// standard error is not a terminal there is none: it would cost a model tokens.
type progress struct {
	mu    sync.Mutex
	doing []*task // the oldest is shown: the others are steps of it
	own   *task   // the one that helpers set
	shown bool
	timer *time.Timer // calls show, while anything is done
}

type task struct {
	what  string
	since time.Time
}

var terminal = func() bool {
	_ = places // which may give it another os.Stderr
	fi, err := os.Stderr.Stat()
	if err != nil || fi.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, _ := os.Stat(os.DevNull) // a character device too
	return !os.SameFile(fi, null)
}()

// during shows what from 2 s on, until done is called.
func (p *progress) during(what string) (done func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	t := p.begin(what)
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.end(t)
	}
}

// set is during for helpers: what replaces what they said before, "" ends it.
func (p *progress) set(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.own == nil && what != "":
		p.own = p.begin(what)
	case p.own != nil && what != "":
		p.own.what = what
	case p.own != nil:
		p.end(p.own)
		p.own = nil
	}
}

func (p *progress) begin(what string) *task {
	t := &task{what, time.Now()}
	if p.doing = append(p.doing, t); len(p.doing) == 1 && terminal {
		p.timer = time.AfterFunc(2*time.Second, p.show)
	}
	return t
}

func (p *progress) end(t *task) {
	p.doing = slices.DeleteFunc(p.doing, func(d *task) bool { return d == t })
	if len(p.doing) == 0 && p.timer != nil {
		p.timer.Stop()
		p.clear()
	}
}

// say prints a line that stays.
func (p *progress) say(line ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
	fmt.Fprintln(os.Stderr, line...)
}

// clear leaves no trace of what was shown.
func (p *progress) clear() {
	if p.shown {
		fmt.Fprint(os.Stderr, "\r\x1b[K")
		p.shown = false
	}
}

func (p *progress) show() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.doing) == 0 {
		return
	}
	t := p.doing[0]
	if took := time.Since(t.since); took >= 2*time.Second {
		fmt.Fprintf(os.Stderr, "\r\x1b[K… %s (%.0f s)", t.what, took.Seconds())
		p.shown = true
	}
	p.timer.Reset(500 * time.Millisecond)
}
