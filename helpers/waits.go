package helpers

import (
	"fmt"
	"strings"
	"time"

	"bu/helpers/engine"
)

// wait sleeps for some seconds. Nearly always there is an event to wait for instead.
func wait(seconds float64) { time.Sleep(time.Duration(seconds * 1e9)) }

// waitFor waits until the page is as you say, and returns at once then:
//
//	waitFor("#panel[aria-hidden='false']")   a selector or uid: is there and can be seen
//	waitFor("#spinner", "hidden")            or: "attached", "gone" (from the page), "visible"
//	waitFor("text=Order placed")             a text can be read on the page; with "gone": no longer
//	waitFor("window.app.ready")              JavaScript, a function too, is true
//	waitFor("e12", "gone", 30)               for 30 s instead of 10
//
// It survives navigations, and looks into frames. Panics timeout, saying what was
// there instead.
func waitFor(what string, how ...any) {
	state, seconds := "visible", 10.0
	if !strings.HasPrefix(what, "text=") && !engine.IsUID(what) && scriptLike().MatchString(what) {
		state = "js"
	}
	for _, h := range how {
		if word, is := h.(string); is {
			state = word
		} else {
			seconds = as[float64](h)
		}
	}
	engine.WaitFor(what, state, seconds)
}

// scriptLike matches what occurs in JavaScript and not in selectors.
var scriptLike = engine.Pattern(`^\s*(window|document|globalThis|self|location|navigator|history|localStorage|sessionStorage|performance)\s*[.\[]` +
	`|^\s*(!|\(\)|async\b|function\b|return\b|typeof\b|await\b)|=>|===?|!==?|&&|\|\||\w\(\)`)

// waitForLoad waits until the page has loaded (its load event is over), including a page
// that the action before is still going to. Optional: how many seconds (10). Errors:
// timeout, dialog_open.
func waitForLoad(seconds ...float64) { engine.WaitLoaded(option(seconds, 0, 10)) }

// waitForNetworkIdle waits until the tab has had no pending request for a while. Not
// counted, since they may never end: EventSource and WebSocket, and whatever has been
// pending for longer than 5 s (long polling). A page that asks every 100 ms is never idle.
// Requests of iframes of other sites are not seen. Optional, in this order: how many seconds
// to wait (10), how long it must be quiet (0.5), the age past which a request no longer
// counts (5). Error: timeout, with what is pending.
func waitForNetworkIdle(limits ...float64) {
	engine.WaitIdle(option(limits, 0, 10), option(limits, 1, 0.5), option(limits, 2, 5))
}

// waitForQuiet waits until the page has come to rest: for a while nothing in it changed,
// no animation that has an end ran, and no request was pending. Use it after a click in an app that fetches, before you read the
// page. Optional, in this order: how many seconds (10), how long it must be quiet (0.3).
// Error: timeout, with what still changes or is pending.
func waitForQuiet(limits ...float64) {
	engine.WaitQuiet(option(limits, 0, 10), option(limits, 1, 0.3))
}

// waitForDownload waits until a download has been saved, and gives the path of the file.
// Give it a {download} or its handle, from this run or an earlier one; otherwise it takes
// the next download that began in this run. The file is where the user's Chrome saves
// downloads, under a free name; with a remote browser it is on that machine. Optional, in
// any order: the download, how many seconds (30). Errors: timeout (Chrome may be asking the
// person where to save it), download_failed.
func waitForDownload(how ...any) string {
	engine.Progress("waiting for the download")
	defer engine.Progress("")
	limit, begun := 30.0, M{}
	for _, h := range how {
		switch handle := or(get(h, "handle"), h).(type) {
		case string:
			begun = M{"guid": handle, "url": "the download", "suggestedFilename": "the download " + handle}
		case nil:
			engine.Fail("bad_value", "waitForDownload(nil): the action before it started no download")
		default:
			limit = as[float64](h)
		}
	}
	return savedDownload(begun, limit)
}

func begunDownload(limit float64) (begun M) {
	err := try(func() { begun = waitEvent("Browser.downloadWillBegin", limit) })
	if err != nil {
		engine.Fail(err.Code, "no download started (no Page.downloadWillBegin): %s", err.Message)
	}
	return begun
}

func savedDownload(begun M, limit float64) string {
	last, wait := M{}, engine.WaitEventEver
	if begun["guid"] == nil {
		begun, wait = begunDownload(limit), engine.WaitEvent
	}
	saved := func(p M) bool { return p["guid"] == begun["guid"] && p["state"] != "inProgress" }
	err := try(func() { last = wait("Browser.downloadProgress", limit, saved) })
	if err != nil {
		engine.Fail(err.Code, "%v is not saved: %s. Chrome may be asking the person where to save it", begun["suggestedFilename"], err.Message)
	}
	if last["filePath"] == nil {
		engine.Fail("download_failed", "%v: %v", begun["url"], last["state"])
	}
	return fmt.Sprint(last["filePath"])
}
