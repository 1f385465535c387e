package engine

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

// windows.go: windows that Chrome opens by itself, of which no event tells: the preview of
// print(), the question for a permission. The daemon keeps choosers of files from opening,
// and the page side what would start another program.

// holdup is how long an act or a script may take before we check whether such a window
// blocks it.
const holdup = time.Second

const printed = "the page called print(); its preview was closed: pdf(path) saves what it would have printed"

// attended runs f, which acts on the page. A print preview that opens is closed, and told.
func (e *effects) attended(f func()) {
	defer watching(func() { e.told["print"] = M{"note": printed} })()
	f()
}

// watchPreview closes a print preview that holds up the script that is run until end.
func watchPreview() (end func()) {
	return watching(func() { fmt.Fprintln(os.Stderr, "notice: "+printed) })
}

// watching closes a print preview, and calls found before, if end has not been called after
// a while. Without a window there are no previews.
func watching(found func()) (end func()) {
	if answers().headless {
		return func() {}
	}
	var mu sync.Mutex
	over, stop := false, make(chan struct{})
	tell := func() (late bool) {
		mu.Lock()
		defer mu.Unlock()
		if !over {
			found()
		}
		return over
	}
	late := time.AfterFunc(holdup, func() {
		for done := false; !done; {
			Try(func() { done = closePreview(tell) })
			select {
			case <-stop:
				return
			case <-time.After(holdup / 2):
			}
		}
	})
	return func() {
		late.Stop()
		close(stop)
		mu.Lock()
		defer mu.Unlock()
		over = true
	}
}

// closePreview closes the print preview of the tab, if there is one, and says whether. It is
// the one with that title: Chrome does not say which tab it belongs to. tell is called first.
func closePreview(tell func() (late bool)) (closed bool) {
	tab, _ := Tab()
	all := list(CDP("Target.getTargets", nil, M{"timeout": 2})["targetInfos"])
	var title any
	for _, t := range all {
		if at(t, "targetId") == tab {
			title = at(t, "title")
		}
	}
	for _, t := range all {
		if !strings.HasPrefix(text(at(t, "url")), "chrome://print/") || at(t, "title") != title || tell() {
			continue
		}
		Visit(text(at(t, "targetId")), func(session string) {
			CDP("Runtime.evaluate", M{"expression": "chrome.send('dialogClose', [''])"}, M{"session": session, "timeout": 2})
		})
		closed = true
	}
	return closed
}

// heldUp gives the result of f, which runs a script of the caller's or waits for the page. A
// permission prompt that blocks it ends the wait.
func heldUp[T any](f func() T) (got T) {
	done := make(chan any, 1)
	go func() {
		defer func() { done <- recover() }()
		got = f()
	}()
	late := time.NewTimer(holdup)
	defer late.Stop()
	for {
		select {
		case failed := <-done:
			if err, is := failed.(*Error); is && err.Code == "timeout" && !answers().headless {
				if under := underWay(); len(under) > 0 {
					err.Message += fmt.Sprintf(". %.300q has not been answered yet: %s", under, mayAsk)
				}
			}
			if failed != nil {
				panic(failed)
			}
			return got
		case <-late.C:
		}
		var asks []any
		Try(func() { asks = list(Call(M{"meta": "events", "methods": []string{""}, "prompts": true})["prompts"]) })
		if len(asks) > 0 {
			panic(&Error{Code: "timeout", Message: fmt.Sprintf("Chrome is asking the person for a permission that the page wants (%v): %s", text(asks[0]), granting(asks)), Data: M{"permission": asks}})
		}
		late.Reset(holdup)
	}
}

// asked reports the permissions that the page asked the person for.
func (e *effects) asked(permissions []any) {
	if len(permissions) > 0 {
		e.told["permission"] = M{"asks": permissions, "note": "Chrome is asking the person: " + granting(permissions)}
	}
}

func granting(permissions []any) string {
	return fmt.Sprintf("no helper can press its buttons. Call grant(%q) and reload() before the act, or let the person answer with handoff(message)", text(permissions[0]))
}

// inChrome is the addresses that Chrome opens itself; the others, and mailto:, are for other
// programs: elsewhereTo in js/do/press.js keeps what it can of them from opening.
const inChrome = `^(https?|file|data|blob|about|javascript|filesystem|ftp|wss?|view-source|chrome[a-z-]*|devtools|edge|brave|opera|vivaldi|isolated-app):|^[^:]*$`

var opensItself = Pattern("(?i)" + inChrome)

// leaves reports an address for another program that the page opened in a window or a frame.
func (e *effects) leaves(method, url string) bool {
	if url == "" || opensItself().MatchString(url) || !slices.Contains(leaving, method) {
		return false
	}
	e.told["external"] = M{"url": url, "note": "this address is for another program. Chrome may be asking the person about it in a window of its own, whose buttons no helper can press: `navigate(\"about:blank\"); back()` closes that window, or handoff(message)"}
	if method == "Page.windowOpen" {
		e.blank = url
	}
	return true
}

var leaving = []string{"Page.windowOpen", "Page.frameRequestedNavigation", "Page.frameStartedNavigating"}

// closeBlank closes the window that was opened for another program: it stays blank, and
// Chrome's question goes with it.
func (e *effects) closeBlank() {
	tab, from := text(e.told["newTab"]), int(number(Now()["seq"]))
	if tab == "" || Try(func() { CDP("Target.closeTarget", M{"targetId": tab}, nil) }) != nil {
		return
	}
	delete(e.told, "newTab")
	e.told["external"] = M{"url": e.blank, "note": "this address is for another program, about which Chrome asks the person; the blank tab that the page opened for it was closed: handoff(message) if the person should open it"}
	for end, gone := after(1), false; !gone && left(end) > 0; {
		var found []any
		found, from = sinceIn("", from, left(end), "Target.targetDestroyed")
		gone = slices.ContainsFunc(found, func(event any) bool { return at(event, "params", "targetId") == tab })
	}
}

const mayAsk = "Chrome may be asking the person for a name and password in a window of its own: reload() closes that window, cdp(\"Network.setExtraHTTPHeaders\", M{\"headers\": M{\"Authorization\": …}}) answers it in advance"

// underWay is the addresses that the page has asked for, and that have no answer yet.
func underWay() []string {
	_, session := Tab()
	open := requests{}
	found, _ := sinceIn(session, 0, 0, traffic...)
	for _, e := range found {
		open.note(text(at(e, "method")), object(at(e, "params")))
	}
	return open.younger(1e9)
}

// windowOver says what may lie over a page that got no press.
func windowOver() string {
	if under := underWay(); len(under) > 0 {
		return fmt.Sprintf("%.300q has not been answered yet: %s", under, mayAsk)
	}
	return "Either a frame of another site is there, or a script of the page swallowed it, or a window of Chrome's own (about a permission, a password or another program) is waiting for the person: `navigate(\"about:blank\"); back()` closes it"
}
