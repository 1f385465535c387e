package helpers

import (
	"fmt"
	"time"
)

// wait sleeps for some seconds. Nearly always there is an event to wait for instead.
func wait(seconds float64) { time.Sleep(time.Duration(seconds * 1e9)) }

// waitForLoad waits until the page has loaded (its load event is over), also the one that
// the action before is still on the way to. Optional: how many seconds (10).
// Errors: timeout, dialog_open.
func waitForLoad(seconds ...float64) {
	limit := option(seconds, 0, 10)
	for end := after(limit); ; {
		here := call(M{"meta": "session"})
		state, err := readyState(as[string](here["session_id"]), max(left(end), 0.1))
		if err == nil && state == "complete" {
			return
		}
		if err != nil && err.Code != "timeout" {
			panic(err)
		}
		if err != nil || left(end) <= 0 {
			panic(&Error{Code: "timeout", Message: fmt.Sprintf("not loaded after %v s, it is still %v: %v", limit, or(state, "on its way"), currentTab()["url"])})
		}
		since(as[int](here["seq"]), left(end), "Page.loadEventFired", "Page.frameStoppedLoading", "Page.frameNavigated", "Page.javascriptDialogOpening")
	}
}

// readyState is the document's, once the page has an answer to give: while a navigation
// is on its way Chrome holds it back.
func readyState(session string, seconds float64) (state any, err *Error) {
	if err = settle(session, seconds); err != nil {
		return nil, err
	}
	err = try(func() {
		got := cdpIn(session, "Runtime.evaluate", M{"expression": "document.readyState"})
		state = get(got, "result", "value")
	})
	return state, err
}

// waitForNetworkIdle waits until the tab has had no request under way for a while. Not
// counted, since they may never end: EventSource and WebSocket, and whatever has been under
// way for longer than 5 s (long polling). A page that asks every 100 ms is never idle.
// Requests of iframes of other sites are not seen. Optional, in this order: how many
// seconds to wait (10), how long it must be quiet (0.5), the age past which a request no
// longer counts (5). Error: timeout, with what is under way.
func waitForNetworkIdle(limits ...float64) {
	limit, quiet, old := option(limits, 0, 10), option(limits, 1, 0.5), option(limits, 2, 5)
	session, open, from := as[string](call(M{"meta": "session"})["session_id"]), map[string]M{}, 0
	var found []any
	for end, span := after(limit), 0.0; left(end) > 0; span = min(quiet, left(end)) {
		found, from = sinceIn(session, from, span, traffic...)
		for _, e := range found {
			follows(open, as[string](get(e, "method")), as[M](get(e, "params")))
		}
		if len(found) == 0 && len(younger(open, old)) == 0 && span == quiet {
			return
		}
	}
	panic(&Error{Code: "timeout", Message: fmt.Sprintf("the network is not idle after %v s; under way: %.1000q", limit, younger(open, old))})
}

var traffic = []string{"Network.requestWillBeSent", "Network.loadingFinished", "Network.loadingFailed", "Page.frameNavigated"}

// follows keeps the set of requests under way, by their ids.
func follows(open map[string]M, method string, p M) {
	id, _ := p["requestId"].(string)
	switch {
	case method == "Network.requestWillBeSent" && p["type"] != "EventSource":
		open[id] = M{"url": get(p, "request", "url"), "loader": p["loaderId"], "frame": p["frameId"], "since": time.Now()}
	case method != "Page.frameNavigated":
		delete(open, id)
	default: // what the frame's last document had asked for is off, told or not
		for id, r := range open {
			if r["frame"] == get(p, "frame", "id") && r["loader"] != get(p, "frame", "loaderId") {
				delete(open, id)
			}
		}
	}
}

// younger gives the addresses of the requests that have been under way for less than some seconds.
func younger(open map[string]M, seconds float64) (urls []string) {
	for _, r := range open {
		if time.Since(r["since"].(time.Time)).Seconds() < seconds {
			urls = append(urls, as[string](r["url"]))
		}
	}
	return urls
}

// waitForDownload waits until the download that the tab began since the run did (or after
// the one that waitForDownload found last) has been saved, and gives the path of the file.
// It goes where the user's Chrome saves downloads, under a free name; with a remote browser
// that is over there. Optional: how many seconds (30).
// Errors: timeout (does Chrome ask its user where to save?), download_failed.
func waitForDownload(seconds ...float64) string {
	defer showing("waiting for the download")()
	end, last := after(option(seconds, 0, 30)), M{}
	begun := waitEvent("Page.downloadWillBegin", left(end))
	err := try(func() {
		last = waitEvent("Browser.downloadProgress", left(end), func(p M) bool {
			return p["guid"] == begun["guid"] && p["state"] != "inProgress"
		})
	})
	if err != nil {
		panic(&Error{Code: err.Code, Message: fmt.Sprintf("%v is not saved: %s. Does Chrome ask its user where to?", begun["suggestedFilename"], err.Message)})
	}
	if last["filePath"] == nil {
		panic(&Error{Code: "download_failed", Message: fmt.Sprintf("%v: %v", begun["url"], last["state"])})
	}
	return as[string](last["filePath"])
}
