package engine

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// watch.go: what a person does while they have the tab, as a snippet that does it again.

// Watch begins to look for what the person does in the tab, before anything tells them that
// it is theirs: an act that comes before the watching would be missing. What it gives waits
// until they press Done in handoff's bar; with record, it then tells what they did
// meanwhile, as Go. What watches is tied to this run and ends with it.
func Watch(record bool) func(seconds float64) string {
	tab, session := Tab()
	w, methods := &witness{sessions: map[string]string{}}, []string{"Runtime.bindingCalled"}
	from := int(number(Now()["seq"]))
	if record {
		methods = witnessed
		w.address = text(at(CDP("Target.getTargetInfo", M{"targetId": tab}, nil), "targetInfo", "url"))
		w.enter(tab, tab)
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
				Fail("timeout", "nobody pressed Done within %v s", seconds)
			}
		}
	}
}

var witnessed = []string{"Runtime.bindingCalled", "Page.frameRequestedNavigation", "Page.frameStartedNavigating", "Page.frameNavigated",
	"Page.javascriptDialogClosed", "Target.targetCreated", "Target.targetInfoChanged"}

// witness is what is known of a person's acts.
type witness struct {
	address  string            // where they began
	sessions map[string]string // the watching ones: the tab that each belongs to
	targets  []string
	tab      string // that the lines act on, "" for the first
	lines    []string
	last     M      // the act of the newest line
	asked    bool   // a page asked for the navigation that is under way
	how      string // it is done: reload, …
}

// enter watches a target, which belongs to a tab.
func (w *witness) enter(target, tab string) {
	if slices.Contains(w.targets, target) {
		return
	}
	w.targets = append(w.targets, target)
	Try(func() {
		session := attach(target, M{"tied": true})
		w.sessions[session] = tab
		in := M{"session": session}
		CDP("Page.enable", nil, in)
		CDP("Runtime.enable", nil, in)
		CDP("Runtime.addBinding", M{"name": "buDid", "executionContextName": "bu watch"}, in)
		CDP("Page.addScriptToEvaluateOnNewDocument", M{"source": watchScript(), "worldName": "bu watch", "runImmediately": true}, in)
	})
}

// watchScript is the page side with watch.js in its scope, begun once in each document.
func watchScript() string {
	return "globalThis.buWatching ||= (() => {'use strict'; const wanted = () => 0;\n" + sourceText() + "\n" + Asset("ui/watch.js") + "\nwatchPerson(); return true;})()"
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
		info := object(p["targetInfo"])
		id, opener := text(info["targetId"]), text(info["openerId"])
		switch {
		case info["type"] == "iframe":
			w.frames()
		case info["type"] == "page" && opener != "" && slices.Contains(w.targets, opener):
			w.enter(id, id)
		}
		return
	}
	tab, mine := w.sessions[session]
	if !mine {
		return
	}
	frame := object(p["frame"])
	switch {
	case p["name"] == "buDid":
		var act M
		if json.Unmarshal([]byte(text(p["payload"])), &act) == nil {
			w.act(act, tab)
		}
	case method == "Page.frameRequestedNavigation" && p["frameId"] == tab:
		w.asked = true
	case method == "Page.frameStartedNavigating" && p["frameId"] == tab:
		w.how = text(p["navigationType"])
	case method == "Page.frameNavigated" && frame["parentId"] == nil && frame["id"] == tab:
		w.went(text(frame["url"])+text(frame["urlFragment"]), tab)
	case method == "Page.javascriptDialogClosed":
		w.dialog(p)
	}
}

// went is the line for a navigation: a page asked for it, or the person in the address bar.
func (w *witness) went(url, tab string) {
	asked, how := w.asked, w.how
	w.asked, w.how = false, ""
	switch {
	case asked && w.last["do"] == nil || url == "about:blank":
		return // the page's own way on: the wait before it sees to that
	case asked || tab != w.tab && w.tab+tab != "":
		w.add("waitForLoad()", nil)
	case how == "reload":
		w.add("reload()", nil)
	default:
		w.add(fmt.Sprintf("navigate(%q)", Bare(url)), nil)
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
func (w *witness) act(act M, tab string) {
	target, done := text(act["target"]), text(act["do"])
	if done == "fill" && w.last["do"] == done && w.last["target"] == target || done == "clickOn" && number(act["count"]) > 1 && w.last["target"] == target {
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
		if how := text(act["how"]); how != "" {
			return fmt.Sprintf("clickOn(%q, %q)", target, how)
		}
		if n := number(act["count"]); n > 1 {
			return fmt.Sprintf("clickOn(%q, %v)", target, n)
		}
		return fmt.Sprintf("clickOn(%q)", target)
	case "uploadFile":
		return fmt.Sprintf("// uploadFile(%q, %s) with the path of that file", target, all)
	default: // selectOption, dragTo
		return fmt.Sprintf("%s(%q, %s)", done, target, all)
	}
}

func (w *witness) snippet() string {
	return "// begun on " + Bare(w.address) + "\n" + strings.Join(w.lines, "\n")
}
