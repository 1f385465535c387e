package helpers

import (
	"encoding/json"
	"fmt"

	"bu/helpers/engine"
)

// handoff gives the tab to the person: it brings the tab to the front, under a bar with the
// message and a Done button, and returns when they press that:
// handoff("sign in, then press Done"). Meanwhile other runs on this tab fail with
// user_driving. Optional, in any order: the seconds to wait (600), and M{"record": true}, with
// which it gives what they did as Go that does it again:
// handoff("show me how you book", M{"record": true}). What cannot be repeated as it was is a
// comment there: passwords, which are never kept, a file that they chose, whose path Chrome
// does not tell, and tabs that they opened themselves (Ctrl+T, a middle click), which nothing
// watches. Panics timeout.
func handoff(message string, options ...any) (did string) {
	seconds, record := 600.0, false
	for _, o := range options {
		m, isMap := o.(M)
		if record = record || m["record"] == true; !isMap {
			seconds = as[float64](o)
		}
	}
	call(M{"meta": "drive", "message": message})
	defer call(M{"meta": "drive"}) // the tab is ours again, and the bar is gone
	done := engine.Watch(record)
	call(M{"meta": "drive", "message": message, "undo": showBar(message)})
	cdp("Target.activateTarget", M{"targetId": currentTab()["id"]})
	engine.Untimed(func() { did = done(seconds) })
	return did
}

// showBar puts handoff.js's bar into the tab and every page it goes on to, in a world
// of its own, which the page cannot see. It gives the commands that take the bar away,
// for the daemon to do: it has them done also when this run is killed.
func showBar(message string) (undo []M) {
	const world, script = "bu handoff", "Page.addScriptToEvaluateOnNewDocument"
	text, _ := json.Marshal(message)
	source := fmt.Sprintf("%s\nbar(%s)", engine.Asset("ui/handoff.js"), text)
	cdp("Runtime.addBinding", M{"name": "buDone", "executionContextName": world})
	bar := cdp(script, M{"source": source, "worldName": world, "runImmediately": true})
	return []M{
		{"method": "Page.removeScriptToEvaluateOnNewDocument", "params": bar},
		{"method": script, "params": M{"source": "globalThis.removeBar?.()", "worldName": world, "runImmediately": true}},
		{"method": "Runtime.removeBinding", "params": M{"name": "buDone"}},
	}
}

// takeover is for the person, in a terminal: run 'takeover()' takes this BU_TAB's tab at
// once, whatever drives it, until Ctrl-C gives it back. An agent's next call on the tab
// fails with user_driving; what it did before stands.
func takeover() {
	call(M{"meta": "drive", "message": "they have taken it over in a terminal"})
	cdp("Target.activateTarget", M{"targetId": currentTab()["id"]})
	fmt.Println("The tab is yours. Ctrl-C gives it back.")
	engine.Untimed(func() { wait(1e9) }) // until Ctrl-C
}

// startRecording records from now on, across any number of runs, what this BU_TAB does: each
// act with a picture and a mark where it went, the snippets and what they printed, in one
// page that plays them back. name is a new folder in recordings/ of the working directory,
// or a path if it contains a slash. Gives the page's path. Passwords, one-time codes and
// card numbers are masked.
func startRecording(name string) string {
	if name == "" {
		engine.Fail("bad_request", `startRecording needs a name: startRecording("checkout")`)
	}
	return engine.Record(name)
}

// stopRecording ends the recording; this run is its last. Gives the page's path.
func stopRecording() string { return engine.Record("") }

// debugLog gives the last n calls that reached this daemon (100, at most 1,000), of all
// tabs: [{time, tab, method, ms, bytes, code}]; code is the error's, if it failed. The
// contents of calls are not kept.
func debugLog(n ...float64) []any {
	return as[[]any](call(M{"meta": "log", "count": option(n, 0, 100)})["calls"])
}

// spec gives the live browser's own description of a domain of the protocol: {domain,
// commands, events, types}; without a name, the list of domains. Error: not_served where
// the browser serves none, as Chrome does not under chrome://inspect's toggle.
func spec(domain ...string) any {
	names := []any{}
	for _, d := range protocol() {
		if len(domain) > 0 && d["domain"] == domain[0] {
			return d
		}
		names = append(names, d["domain"])
	}
	if len(domain) > 0 {
		engine.Fail("bad_value", "no domain %q; the browser has %v", domain[0], names)
	}
	return names
}

// protocol is the list of domains that the browser serves.
func protocol() []M {
	address := get(call(M{"meta": "status"}), "browser", "address")
	var answer struct{ Domains []M }
	err := try(func() {
		json.Unmarshal([]byte(httpGet(fmt.Sprint("http://", address, "/json/protocol"))), &answer)
	})
	if err != nil || answer.Domains == nil {
		engine.Fail("not_served", "this browser does not serve /json/protocol; read chromedevtools.github.io/devtools-protocol/tot")
	}
	return answer.Domains
}
