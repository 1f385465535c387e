package helpers

import (
	"encoding/json"
	"fmt"
)

// untimed runs f with BU_TIMEOUT's clock stopped: people take their time. Compiled
// into bin/run, whose clock it is.
var untimed func(f func())

// progress shows a person at a terminal what takes longer than 2 s, with the seconds, in
// one line; a text replaces the one before, "" ends it. Compiled into bin/run.
var progress func(what string)

// showing is progress(what) until the func that it gives is called.
func showing(what string) (done func()) {
	progress(what)
	return func() { progress("") }
}

// handoff gives the tab to the person, brings it to the front with a bar that shows the
// message and a Done button, and returns when that is pressed:
// handoff("sign in, then press Done"). Meanwhile other runs on this tab fail with
// user_driving. Optional: the seconds to wait (600). Panics timeout.
func handoff(message string, seconds ...float64) {
	call(M{"meta": "drive", "message": message})
	defer call(M{"meta": "drive"}) // the wheel is ours again, and the bar gone
	call(M{"meta": "drive", "message": message, "undo": showBar(message)})
	cdp("Target.activateTarget", M{"targetId": currentTab()["id"]})
	pressed := func(p M) bool { return p["name"] == "buDone" }
	untimed(func() { waitEvent("Runtime.bindingCalled", option(seconds, 0, 600), pressed) })
}

// showBar puts handoff.js's bar into the tab and every page it goes on to, in a world
// of its own, which the page cannot see. It gives the commands that take the bar away,
// for the daemon to do: it has them done also when this run is killed.
func showBar(message string) (undo []M) {
	const world, script = "bu handoff", "Page.addScriptToEvaluateOnNewDocument"
	text, _ := json.Marshal(message)
	source := fmt.Sprintf("%s\nbar(%s)", asset("handoff.js"), text)
	cdp("Runtime.addBinding", M{"name": "buDone", "executionContextName": world})
	bar := cdp(script, M{"source": source, "worldName": world, "runImmediately": true})
	return []M{
		{"method": "Page.removeScriptToEvaluateOnNewDocument", "params": bar},
		{"method": script, "params": M{"source": "globalThis.removeBar?.()", "worldName": world, "runImmediately": true}},
		{"method": "Runtime.removeBinding", "params": M{"name": "buDone"}},
	}
}

// takeover is for the person, in a terminal: run 'takeover()' takes this BU_TAB's tab at
// once, whatever drives it, until Ctrl-C gives it back. An agent's next call on it fails
// with user_driving; what it did before stands.
func takeover() {
	call(M{"meta": "drive", "message": "they have taken it over in a terminal"})
	cdp("Target.activateTarget", M{"targetId": currentTab()["id"]})
	fmt.Println("The tab is yours. Ctrl-C gives it back.")
	untimed(func() { select {} })
}
