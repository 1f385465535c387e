package engine

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// watch.go: what a person does while they have the tab, as a snippet that does it again.

// Watch starts watching what the person does in the tab, before anything tells them that the
// tab is theirs: an earlier act would be missed. The function that it returns waits until
// they press Done in handoff's bar and, with record, returns what they did meanwhile as Go.
// The watching is tied to this run and ends with it.
func Watch(record bool) func(seconds float64) string {
	tab, session := Tab()
	w, methods := &witness{sessions: map[string]string{}, tabs: map[string]*seenTab{}, tab: tab, opening: -1}, []string{"Runtime.bindingCalled"}
	from := int(number(Now()["seq"]))
	if record {
		methods = witnessed
		w.address = text(at(CDP("Target.getTargetInfo", M{"targetId": tab}, nil), "targetInfo", "url"))
		w.enter(tab, tab)
		w.tabs[tab].met = true
		w.frames()
	}
	return func(seconds float64) string {
		defer w.leave()
		for end := after(seconds); ; {
			ask := M{"meta": "events", "since": from, "methods": methods, "timeout_ms": int(max(0, left(end)*1000))}
			for _, e := range list(Call(ask)["events"]) {
				from = max(from, int(number(at(e, "seq"))))
				p := object(at(e, "params"))
				if at(e, "session_id") == session && p["name"] == "buDone" {
					if !record {
						return ""
					}
					return w.snippet()
				}
				w.note(text(at(e, "method")), text(at(e, "session_id")), p)
			}
			if left(end) <= 0 {
				Fail("timeout", "nobody pressed Done within %v s; ask the person, then call handoff again with more seconds", seconds)
			}
		}
	}
}

var witnessed = []string{"Runtime.bindingCalled", "Page.frameRequestedNavigation", "Page.frameStartedNavigating", "Page.frameNavigated",
	"Page.navigatedWithinDocument", "Page.windowOpen", "Page.javascriptDialogClosed", "Target.targetCreated", "Target.targetInfoChanged"}

// witness is what is known of a person's acts.
type witness struct {
	address  string            // where they began
	sessions map[string]string // the watching ones: the tab that each belongs to
	targets  []string
	tabs     map[string]*seenTab
	tab      string // that the lines act on by now
	opening  int    // the line of the act that opens a tab, -1 for none
	lines    []string
	last     M // the act of the newest line
}

// seenTab is one of the tabs that a person goes through: the first one, and those opened from it.
type seenTab struct {
	name    string      // of the variable that has its id
	line    int         // of the act that opened it, -1 for none
	met     bool        // the person has done something in it
	asked   string      // where its page last asked to go
	begun   [][2]string // navigations that have begun: where to, and how
	history []entry
	place   int // in it
}

// enter watches a target, which belongs to a tab.
func (w *witness) enter(target, tab string) {
	if slices.Contains(w.targets, target) {
		return
	}
	w.targets = append(w.targets, target)
	if target == tab {
		w.tabs[tab] = &seenTab{name: fmt.Sprintf("tab%d", len(w.tabs)+1), line: w.opening}
		w.opening = -1
	}
	Try(func() {
		session := attach(target, M{"tied": true})
		w.sessions[session] = tab
		in := M{"session": session}
		CDP("Page.enable", nil, in)
		CDP("Runtime.enable", nil, in)
		if target == tab {
			w.tabs[tab].history, w.tabs[tab].place = history(session)
		}
		CDP("Runtime.addBinding", M{"name": "buDid", "executionContextName": "bu watch"}, in)
		CDP("Page.addScriptToEvaluateOnNewDocument", M{"source": watchScript(), "worldName": "bu watch", "runImmediately": true}, in)
	})
}

// watchScript is the page side with watch.js in its scope, begun once in each document.
func watchScript() json.RawMessage {
	return script("globalThis.buWatching ||= (() => {'use strict'; const wanted = () => 0;\n", Asset("ui/watch.js")+"\nwatchPerson(); return true;})()")
}

// frames watches the frames of other sites too.
func (w *witness) frames() {
	tab, _ := Tab()
	Try(func() {
		for _, id := range FrameTargets() {
			w.enter(id, tab)
		}
	})
}

func (w *witness) leave() {
	for session := range w.sessions {
		Try(func() { CDP("Target.detachFromTarget", M{"sessionId": session}, nil) })
	}
}

func (w *witness) note(method, session string, p M) {
	if strings.HasPrefix(method, "Target.") {
		w.appeared(object(p["targetInfo"]))
		return
	}
	tab, mine := w.sessions[session]
	if !mine {
		return
	}
	frame, seen := object(p["frame"]), w.tabs[tab]
	switch {
	case p["name"] == "buDid":
		var act M
		if json.Unmarshal([]byte(text(p["payload"])), &act) != nil {
			return
		}
		if act["do"] == "asked" {
			seen.asked = text(act["text"])
			return
		}
		w.turn(tab)
		w.act(act)
	case method == "Page.windowOpen":
		w.opening = -1
		if w.last["do"] == "clickOn" || w.last["do"] == "pressKey" {
			w.opening = len(w.lines) - 1
		}
	case method == "Page.frameRequestedNavigation" && p["disposition"] != "currentTab":
		w.add(fmt.Sprintf("// that opened a tab of their own, which is not recorded: newTab(%q)", Bare(text(p["url"]))), nil)
	case method == "Page.frameRequestedNavigation" && p["frameId"] == tab:
		seen.asked = text(p["url"])
	case method == "Page.frameStartedNavigating" && p["frameId"] == tab:
		seen.begun = append(seen.begun, [2]string{text(p["url"]), text(p["navigationType"])})
	case method == "Page.frameNavigated" && frame["parentId"] == nil && frame["id"] == tab:
		url := text(frame["url"])
		if failed := text(frame["unreachableUrl"]); failed != "" {
			url = failed
		}
		w.went(url+text(frame["urlFragment"]), tab, session, false)
	case method == "Page.navigatedWithinDocument" && p["frameId"] == tab:
		w.went(text(p["url"]), tab, session, true)
	case method == "Page.javascriptDialogClosed":
		w.turn(tab)
		w.dialog(p)
	}
}

// appeared watches a frame of another site, or a tab that one of ours opened. One without an
// opener, as a click with the middle button or Control makes it, is the person's own.
func (w *witness) appeared(info M) {
	id, opener := text(info["targetId"]), text(info["openerId"])
	switch {
	case info["type"] == "iframe":
		w.frames()
	case info["type"] == "page" && opener != "" && slices.Contains(w.targets, opener):
		w.enter(id, id)
	}
}

// turn adds the lines that switch to the tab in which the person does something next. If an
// act opened that tab, its id is what that act gives.
func (w *witness) turn(tab string) {
	seen := w.tabs[tab]
	if tab == w.tab {
		return
	}
	w.tab = tab
	opened := seen.line >= 0 && seen.line < len(w.lines) && openers().MatchString(w.lines[seen.line])
	switch {
	case seen.met:
		w.add("switchTab("+seen.name+")", nil)
	case opened:
		w.lines[seen.line] = fmt.Sprintf("%s := as[string](%s[\"newTab\"])", seen.name, w.lines[seen.line])
		w.add("switchTab("+seen.name+")", nil)
		w.add("waitForLoad()", nil)
	default:
		address := ""
		Try(func() { address = text(at(CDP("Target.getTargetInfo", M{"targetId": tab}, nil), "targetInfo", "url")) })
		w.add(fmt.Sprintf("%s := newTab(%q)", seen.name, Bare(address)), nil)
		w.add("waitForLoad()", nil)
	}
	seen.met = true
}

var openers = Pattern(`^(clickOn|pressKey)\(.*\)$`)

// moved is by how many entries of its history a navigation moved a tab, 0 for a reload; fresh
// says that it went to a new entry. how is Chrome's word for it, "" if that has not come.
func (s *seenTab) moved(session, url, how string) (by int, fresh bool) {
	now, here := history(session)
	ahead := here >= len(now) || now[here].url != url // the person has gone on by now
	was := -1
	if !ahead {
		was = slices.IndexFunc(s.history, func(e entry) bool { return e.id == now[here].id })
	}
	if was < 0 && how != "" && how[0] == 'h' || was < 0 && ahead && how == "" {
		was = s.nearest(url)
	}
	switch {
	case how != "" && how[0] == 'r':
		was = s.place
	case how != "" && how[0] != 'h':
		was = -1
	}
	by, fresh = was-s.place, was < 0
	switch {
	case !ahead:
		s.history, s.place = now, here
	case fresh:
		s.history = append(slices.Clip(s.history[:min(s.place+1, len(s.history))]), entry{nil, url})
		s.place = len(s.history) - 1
	default:
		s.place = was
	}
	return by, fresh
}

// entry is one page in a tab's history.
type entry struct {
	id  any
	url string
}

func history(session string) (entries []entry, here int) {
	Try(func() {
		got := CDP("Page.getNavigationHistory", nil, M{"session": session})
		for _, e := range list(got["entries"]) {
			entries = append(entries, entry{at(e, "id"), text(at(e, "url"))})
		}
		here = int(number(got["currentIndex"]))
	})
	return entries, here
}

// nearest is the nearest entry with this address, -1 if there is none.
func (s *seenTab) nearest(url string) int {
	found := -1
	for i, e := range s.history {
		if e.url == url && i != s.place && (found < 0 || max(i-s.place, s.place-i) < max(found-s.place, s.place-found)) {
			found = i
		}
	}
	return found
}

// went is the line for a navigation. A page that asked for it is waited for; else it is the
// person's, by the browser's address bar and buttons.
func (w *witness) went(url, tab, session string, within bool) {
	seen, how := w.tabs[tab], ""
	i := slices.IndexFunc(seen.begun, func(b [2]string) bool { return b[0] == url })
	if i >= 0 {
		how, seen.begun = seen.begun[i][1], seen.begun[i+1:]
	}
	asked := seen.asked != "" && (i < 0 || seen.asked == url)
	by, fresh := seen.moved(session, url, how)
	if asked {
		seen.asked = ""
	}
	switch {
	case url == "about:blank", !seen.met && seen.place == 0: // the page that the tab was opened for
		return
	case within && (asked || by == 0 || fresh && i < 0): // the page's own doing
		return
	case asked && (tab != w.tab || w.last["do"] == nil): // the wait before it sees to that
		return
	case asked:
		w.add("waitForLoad()", nil)
		return
	}
	w.turn(tab)
	switch {
	case fresh:
		w.add(fmt.Sprintf("navigate(%q)", Bare(url)), nil)
	case by == 0:
		w.add("reload()", nil)
	case by < 0:
		w.add(strings.TrimSpace(strings.Repeat("back()\n", -by)), nil)
	default:
		w.add(strings.TrimSpace(strings.Repeat("forward()\n", by)), nil)
	}
}

func (w *witness) dialog(p M) {
	switch {
	case p["result"] != true:
		w.add("dismissDialog()", nil)
	case text(p["userInput"]) != "":
		w.add(fmt.Sprintf("acceptDialog(%q)", p["userInput"]), nil)
	default:
		w.add("acceptDialog()", nil)
	}
}

func (w *witness) add(line string, act M) {
	w.lines = append(w.lines, line)
	w.last = act
}

// act is the line for what a person did. What they type letter by letter is one line.
func (w *witness) act(act M) {
	target, done := text(act["target"]), text(act["do"])
	if (done == "fill" || done == "selectOption") && w.last["do"] == done && w.last["target"] == target || done == "clickOn" && number(act["count"]) > 1 && w.last["target"] == target {
		w.lines = w.lines[:len(w.lines)-1]
	} else if w.last["do"] != "fill" && w.last["do"] != "setChecked" && w.last["do"] != "selectOption" && target != "" && len(w.lines) > 0 {
		w.add(fmt.Sprintf("waitFor(%q, \"attached\")", target), nil)
	}
	w.add(line(act, target), act)
}

func line(act M, target string) string {
	var texts []string
	for _, t := range list(act["texts"]) {
		texts = append(texts, fmt.Sprintf("%q", text(t)))
	}
	all := strings.Join(texts, ", ")
	switch done := text(act["do"]); done {
	case "fill":
		if name := text(act["secret"]); name != "" {
			return fmt.Sprintf("fill(%q, os.Getenv(%q)) // what was typed here is not kept", target, name)
		}
		return fmt.Sprintf("fill(%q, %q)", target, text(act["text"]))
	case "setChecked":
		return fmt.Sprintf("setChecked(%q, %v)", target, act["on"] == true)
	case "pressKey":
		return fmt.Sprintf("pressKey(%q)", text(act["text"]))
	case "clickOn":
		click := fmt.Sprintf("clickOn(%q)", target)
		if how := text(act["how"]); how != "" {
			click = fmt.Sprintf("clickOn(%q, %q)", target, how)
		} else if n := number(act["count"]); n > 1 {
			click = fmt.Sprintf("clickOn(%q, %v)", target, n)
		}
		if act["closed"] == true {
			click += " // if its shadow root is closed, name what was meant in it: extract() shows it"
		}
		return click
	case "drag":
		from := list(act["at"])
		if act["frame"] == true {
			return fmt.Sprintf("// here they dragged in a frame, in its own pixels: drag(%v, %v, %v, %v)", from...)
		}
		return fmt.Sprintf("drag(%v, %v, %v, %v)", from...)
	case "lost":
		return fmt.Sprintf("// here they did something that could not be recorded (%s: %s)", text(act["text"]), strings.Join(strings.Fields(text(act["why"])), " "))
	case "uploadFile":
		return fmt.Sprintf("// uploadFile(%q, %s) with the path of that file", target, all)
	default: // selectOption, dragTo
		return fmt.Sprintf("%s(%q, %s)", done, target, all)
	}
}

func (w *witness) snippet() string {
	lines := strings.Join(w.lines, "\n")
	if strings.Contains(lines, "switchTab(tab1)") {
		lines = "tab1 := as[string](currentTab()[\"id\"])\n" + lines
	}
	return "// begun on " + Bare(w.address) + "\n" + lines
}
