package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log"
	"net"
	"strings"

	"bu/daemon/wire"
)

// refused are the commands that the browser's owner would not want an agent to give,
// and why. BU_UNSAFE lets them through.
var refused = map[string]string{
	"Browser.close":                 "the browser is the user's; close your own tabs",
	"Browser.crash":                 "it would take the user's browser down",
	"Browser.crashGpuProcess":       "it would disturb the user's browser",
	"Browser.executeBrowserCommand": "it works the user's browser, not a tab",
	"Target.exposeDevToolsProtocol": "it would give a web page the whole browser",
	"Target.sendMessageToTarget":    "what it carries cannot be checked; use session_id",
	"Target.setRemoteLocations":     "it would connect the browser to other machines",
	"SystemInfo.*":                  "it tells about the user's machine, not about a page",
	"Tethering.*":                   "it opens ports on the user's machine",
}

// why gives the rule that method falls under.
func why(rules map[string]string, method string) (reason string, found bool) {
	if reason, found = rules[method]; found {
		return reason, true
	}
	domain, _, _ := strings.Cut(method, ".")
	reason, found = rules[domain+".*"]
	return reason, found
}

// unsafeOf reads BU_UNSAFE: names of commands, or a whole domain such as SystemInfo.*.
func unsafeOf(value string) (map[string]string, error) {
	rules := map[string]string{}
	for _, m := range strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' }) {
		if _, known := why(refused, m); !known {
			return nil, fmt.Errorf("BU_UNSAFE: %q is no refused command", m)
		}
		rules[m] = ""
	}
	return rules, nil
}

// takeOver makes a tab l's that another label has: that one has lost it, and is told.
func (d *daemon) takeOver(ctx context.Context, l *label, t *target) error {
	d.mu.Lock()
	from := t.owner
	if from == nil || from == l {
		d.mu.Unlock()
		return nil
	}
	t.owner = l
	if from.target == t {
		from.target, from.session = &target{kind: "page", url: t.url, gone: true}, nil
	}
	line := fmt.Sprintf("tab %s was taken by %s: %s", t.id, l.title(), t.url)
	from.notice(func() string { return line })
	if t.guard != nil {
		t.guard.owner, t.guard.hosts = l, nil
	}
	hosts := d.hostsLocked(l)
	d.mu.Unlock()
	if hosts == nil {
		return nil
	}
	return d.relimit(ctx, l, hosts)
}

// driver is a person who has a label's tab, for as long as a connection lasts.
type driver struct {
	conn         net.Conn
	key, message string
	session      string      // the tab's, for undo
	undo         []wire.Step // done when the tab is given back
}

// permit refuses what would harm the browser's owner, or take the wheel out of a
// person's hands.
func (d *daemon) permit(l *label, req *wire.Request) error {
	if reason, is := why(refused, req.Method); is {
		if _, let := why(d.unsafe, req.Method); !let {
			return failf("not_allowed", "%s is refused: %s. To allow it all the same, killDaemon() and set BU_UNSAFE=%s", req.Method, reason, req.Method)
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return l.drivenLocked(req)
}

func (l *label) drivenLocked(req *wire.Request) error {
	if w := l.driver; w != nil && w.key != req.Drive {
		return &fail{"user_driving", "the user has this tab: " + w.message + ". Try again when they are done", map[string]any{"message": w.message}}
	}
	return nil
}

// drive gives the label's tab to a person. It is theirs until whoever asked sends the
// key without a message, or its connection ends, however it does.
func (d *daemon) drive(conn net.Conn, l *label, req *wire.Request) (any, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := l.drivenLocked(req); err != nil {
		return nil, err
	}
	w := l.driver
	if req.Message == "" {
		if w != nil {
			d.mu.Unlock()
			d.giveBack(l, w)
			d.mu.Lock()
		}
		return answer{"ok": true}, nil
	}
	if w == nil {
		w = &driver{conn: conn, key: rand.Text()}
		l.driver = w
	}
	w.message = req.Message
	if req.Undo != nil && l.session != nil {
		w.session, w.undo = l.session.id, req.Undo
	}
	return answer{"ok": true, "key": w.key}, nil
}

// giveBack ends w's drive. The tab is theirs until it is as it was before.
func (d *daemon) giveBack(l *label, w *driver) {
	ctx, cancel := context.WithTimeout(d.ctx, answersIn)
	defer cancel()
	for _, step := range w.undo {
		req := &wire.Request{Method: step.Method, Params: step.Params, SessionID: w.session, Tab: l.name, Drive: w.key}
		if _, err := d.command(ctx, req); err != nil {
			log.Printf("%s, when the tab was given back: %v", step.Method, err)
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if l.driver == w {
		l.driver = nil
	}
}

// tie makes the session that a client was just given end with its connection: whatever
// the session has switched on in a page ends with it, though the client be killed.
func (d *daemon) tie(conn net.Conn, result json.RawMessage) {
	var r struct{ SessionID string }
	json.Unmarshal(result, &r)
	d.mu.Lock()
	defer d.mu.Unlock()
	if s := d.sessions[r.SessionID]; s != nil {
		s.tied = conn
	}
}

// letGo frees what a connection held.
func (d *daemon) letGo(conn net.Conn) {
	held, tied := map[*label]*driver{}, []*session{}
	d.mu.Lock()
	for _, l := range d.labels {
		if l.driver != nil && l.driver.conn == conn {
			held[l] = l.driver
		}
	}
	for _, s := range d.sessions {
		if s.tied == conn && !s.drove {
			tied = append(tied, s)
		}
	}
	d.mu.Unlock()
	for l, w := range held {
		d.giveBack(l, w)
	}
	for _, s := range tied {
		d.detach(s)
	}
}
