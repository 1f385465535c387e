package main

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"bu/daemon/wire"
)

// model is what is known of the browser: its targets, our sessions on them, and whose they
// are. mu guards all of it. It is held for moments, never while waiting; the methods of
// model want it held.
type model struct {
	mu        sync.Mutex
	phase     phase
	targets   map[string]*target
	sessions  map[string]*session
	labels    map[string]*label
	expected  map[string]int         // sessions on their way that we asked for, by target
	hidden    map[string]int         // … for the daemon itself
	sprouts   map[string]chan string // by address: new tabs that a page was made to open
	focus     *target                // the person's tab that had the focus, where there are several windows
	glanced   time.Time              // when that was asked for
	downloads map[string]*label      // in progress, by guid
	limits    wire.Hosts             // BU_ALLOW of the daemon; nil: none
	counts    map[int]int            // of Chrome, of questions for permissions, by their kinds
	questions []string               // the kinds of those asked since the daemon came
	holding   bool                   // Chrome holds each new tab until adopt has decided on it
}

func newModel(limits wire.Hosts) model {
	return model{targets: map[string]*target{}, sessions: map[string]*session{}, labels: map[string]*label{},
		expected: map[string]int{}, hidden: map[string]int{}, sprouts: map[string]chan string{}, downloads: map[string]*label{}, limits: limits}
}

// phase is how far the daemon has come. It only goes forward.
type phase int

const (
	finding   phase = iota // looks for the browser, or waits for its user's click
	meeting                // is connected, and learns which tabs there are
	ready                  // serves
	failed                 // has no browser to drive
	ending                 // waits for the last answers
	forgotten              // … and leaves nothing of which browser it was
)

// target is what CDP calls one: a page, a frame of another site, a worker.
type target struct {
	id, kind, url string
	parent        *target // of a frame or worker: what it is in

	// Of a page:
	owner   *label   // whose tab it is; nil: the user's
	session *session // the current one, with which its owner drives it
	opener  string   // the target that opened it, if one did
	context string   // the browser context that it is in: the profile
	unused  bool     // made for its owner, who has not used it yet
	dialog  *dialog  // open now, perhaps in one of its frames
	wheel   *wheel   // not nil: a person drives it
	guard   *guard   // nil: no limits
	crashed bool
	loading bool
	acted   time.Time // the last click or key of callers
	gone    bool
	closing bool    // by its owner
	tied    *lease  // not nil: it ends with that connection, unless it is kept
	before  *target // what its label drove before it, when it was taken while tied
	ended   time.Time
}

// page is the tab that t is, or is in.
func (t *target) page() *target {
	for t.parent != nil {
		t = t.parent
	}
	return t
}

// part says whether t is a part of a page, or a worker, and no tab.
func (t *target) part() bool {
	return t.parent != nil || t.kind == "iframe" || strings.HasSuffix(t.kind, "worker")
}

// role is what a session is for.
type role int

const (
	ofCaller role = iota // a caller attached, and uses it as it likes
	current              // a label drives the tab with it, or did until it went to another one
	ofGuard              // keeps the tab within BU_ALLOW; callers may not use it
)

// session is a target that this connection is attached to.
type session struct {
	id       string
	target   *target
	label    *label // who attached; nil: unknown
	role     role
	lease    *lease        // not nil: it ends with that connection
	undo     []wire.Step   // … once these are done in it
	choosers *lease        // not nil: the connection that keeps choosers of files from opening
	guard    *guard        // of a guard's: which
	confined string        // … its script that limits documents
	mending  chan struct{} // not nil: closed when its page runs again
	paused   bool          // of the daemon's own: its page is stopped in a debugger
	measured atomic.Bool   // a caller has switched the account of its page's time on
	world    *world        // in the page's document, as an earlier run made it; nil: none
}

// world is the isolated world of helpers/engine in a document. The id may be given again,
// to another world of another process; unique is not.
type world struct {
	ID     int    `json:"id"`
	Unique string `json:"unique"`
}

// label is one caller's share of the browser: BU_TAB, "" for those without.
type label struct {
	name      string
	phase     tabPhase
	tab       *target  // the one that it drives, drove last or is to have again; nil: none yet
	others    []string // while its tab is made: the empty tabs of others, see takeOrphan
	ring      *ring
	notices   []func() string
	questions int        // of the model's, how many it was told
	windows   int64      // the newest event up to which it was told of choosers of files
	allow     wire.Hosts // what its runs narrowed the daemon's own limits to; nil: not at all
	asked     []string   // … by bringing this as BU_ALLOW
	making    *making    // not nil: its tab is being made or attached to
	users     int        // requests under way
	used      time.Time
}

// tabPhase is how a label stands to its tab.
type tabPhase int

const (
	fresh   tabPhase = iota // it has used none yet
	opening                 // it is about to be made
	driving                 // it is there; a session may have to be made
	closed                  // it is gone, and callers are told so until they take another
	lost                    // it went with a browser that was restarted; its next use opens it again
)

// session gives the one with which the label drives its tab, nil while there is none.
func (l *label) session() *session {
	if l.phase != driving {
		return nil
	}
	return l.tab.session
}

func (l *label) title() string {
	if l.name == "" {
		return "callers without BU_TAB"
	}
	return "BU_TAB=" + l.name
}

// notice leaves a line for the label's next run. They are few: what nobody reads
// must not grow.
func (l *label) notice(line func() string) {
	if l.notices = append(l.notices, line); len(l.notices) > 50 {
		l.notices = l.notices[1:]
	}
}

// info is CDP's TargetInfo.
type info struct {
	TargetID, Type, URL, OpenerID, ParentID, BrowserContextID string
}

// label gives the label called name, made at its first use.
func (m *model) label(name string) *label {
	l := m.labels[name]
	if l == nil {
		l = &label{name: name, ring: &ring{}, questions: len(m.questions)}
		m.labels[name] = l
	}
	return l
}

// closedKept is how many labels with no open tab are remembered: their number must not grow
// without end.
const closedKept = 20

// sweep frees the labels that nobody uses and that have no tab. That a tab was closed is
// remembered for the last few.
func (m *model) sweep() {
	has := map[*label]bool{}
	for _, t := range m.targets {
		has[t.owner] = true
	}
	for _, s := range m.sessions {
		has[s.label] = true
	}
	var gone []*label
	for name, l := range m.labels {
		switch {
		case name == "" || has[l] || l.users > 0 || l.making != nil:
		case l.phase == fresh && len(l.notices) == 0:
			delete(m.labels, name)
		case l.phase == fresh || l.phase == closed:
			gone = append(gone, l)
		}
	}
	for len(gone) > closedKept {
		oldest := 0
		for i, l := range gone {
			if l.used.Before(gone[oldest].used) {
				oldest = i
			}
		}
		delete(m.labels, gone[oldest].name)
		gone = append(gone[:oldest], gone[oldest+1:]...)
	}
}

// target gives the target with that id, made known if need be.
func (m *model) target(id string) *target {
	t := m.targets[id]
	if t == nil {
		t = &target{id: id, kind: "page"}
		m.targets[id] = t
	}
	return t
}

// holder gives the label that a target's events go to: callers without a label see those
// of the tabs that are nobody's.
func (m *model) holder(t *target) *label {
	if t != nil && t.page().owner != nil {
		return t.page().owner
	}
	return m.label("")
}

// join makes a session known, as role's and label's.
func (m *model) join(id, targetID string, l *label, as role) *session {
	s := m.sessions[id]
	if s == nil {
		s = &session{id: id, target: m.target(targetID)}
		m.sessions[id] = s
	}
	s.label, s.role = l, max(s.role, as)
	return s
}

// seat makes s, and the tab that it is on, the label's current one. What drove the tab
// before is detached: each session brings every event once more.
func (m *model) seat(l *label, s *session, fx *effects) {
	t := s.target
	if before := t.session; before != nil && before != s {
		fx.detach = append(fx.detach, before)
	}
	if t.tied != nil && l.tab != t {
		t.before = l.tab
	}
	l.tab, l.phase, l.others = t, driving, nil
	s.label, s.role = l, current
	if t.owner == nil {
		t.owner = l
	}
	switch {
	case m.sessions[s.id] == s:
		t.session = s
	case t.gone:
		l.phase = closed // in the meantime
	default:
		t.session = nil
	}
	if t.guard != nil && m.hosts(t.owner) == nil {
		m.takeDown(t.guard, fx)
	}
}

// seatable says why s cannot become the label's current session.
func (m *model) seatable(l *label, s *session) error {
	t := s.target
	if t.part() {
		return failf("bad_request", "set_session: session %s belongs to a frame or worker (%s) inside a page: give a tab's session, and pass this one as session_id where you need it", s.id, t.kind)
	}
	if place, ok := m.hosts(l).Allow(t.url); !ok && t.owner != l {
		return notAllowed("this tab", place)
	}
	return nil
}

// take gives l a tab that another label has: that label loses it and gets a notice.
func (m *model) take(l *label, t *target) {
	from := t.owner
	if from == nil || from == l {
		return
	}
	t.owner = l
	if from.tab == t {
		from.tab, from.phase = &target{id: t.id, kind: "page", url: t.url, gone: true}, closed
	}
	line := fmt.Sprintf("tab %s was taken by %s: %s", t.id, l.title(), t.url)
	from.notice(func() string { return line })
}

// blank are the empty tabs that are nobody's here.
func (m *model) blank() (tabs []*target) {
	for _, t := range m.targets {
		if t.kind == "page" && t.url == "about:blank" && t.opener == "" && t.owner == nil {
			tabs = append(tabs, t)
		}
	}
	return tabs
}

// realPage leaves out what looks like a page to CDP and is a part of the browser.
func realPage(i info) bool {
	if i.Type != "page" {
		return false
	}
	for _, p := range []string{"chrome:", "chrome-untrusted:", "chrome-search:", "chrome-extension:", "devtools:", "edge:", "brave:", "vivaldi:", "opera:", "arc:"} {
		if strings.HasPrefix(i.URL, p) {
			return false
		}
	}
	return true
}
