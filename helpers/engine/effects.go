package engine

import "strings"

// effects.go: what an act caused, read from the tab's events. The answer to Input.dispatch*
// and the page's own events reach the browser over different pipes, so the answer alone
// says nothing about them; but an answer of the page's main thread comes after every event
// that it sent before. One such answer is all that an ordinary act waits for.

// Caused runs act and tells what it caused in the tab, nil for nothing: {dialog: {type,
// message, url, default}}, {navigated: url}, {newTab: target id}, {download: {url, name}},
// or several of them. It sees what the page did while it handled the act, not what a timer
// or a reply does later. A navigation is followed for up to 1 s: navigated is where it
// led, with failed: true when that is Chrome's error page, with pending: true when nothing
// has come yet.
func Caused(act func()) M { return follow(begin(), act, &effects{}, nil) }

// Typed is Caused for keys: in an editor it waits, too, until the page was told where the
// caret is now, which comes some time after the key.
func Typed(act func()) M {
	return follow(begin(), act, &effects{}, func(seconds float64) { handled(seconds, selectionTold) })
}

// Pressed is Typed for one key, by its name. Enter may send a form: {invalid} is what its
// fields said that kept it from being sent.
func Pressed(key any, keys func()) M {
	if key != "Enter" {
		return Typed(keys)
	}
	Ask("awaitRefusals")
	got := Typed(keys)
	if got == nil {
		var said any
		if Try(func() { said = page().askFor(2, "refused") }) == nil {
			got = with(got, "invalid", said)
		}
	}
	return got
}

const selectionTold = `document.activeElement?.isContentEditable || document.activeElement?.editContext ? new Promise(done => {
 const end = () => { document.removeEventListener('selectionchange', told, true); clearTimeout(late); setTimeout(done) }, told = () => end(), late = setTimeout(end, 120);
 document.addEventListener('selectionchange', told, true) }) : 0`

// Going is Caused for an act that is known to navigate to an address ("": one that is not
// known), which is followed until the page has loaded.
func Going(url string, act func()) M {
	return follow(begin(), act, &effects{going: true, url: url, loads: true}, nil)
}

// Leaving is Caused for the answer to a dialog. held: it held up a navigation, which goes on.
// A page that a dialog stopped while it loaded is waited for: its next one comes with that.
func Leaving(held bool, act func()) M {
	return follow(begin(), act, &effects{going: held}, func(seconds float64) { handled(seconds, loaded) })
}

const loaded = `document.readyState == 'complete' ? 0 : new Promise(done => addEventListener('load', () => setTimeout(done)))`

// handled waits for a promise of the page's.
func handled(seconds float64, promise string) {
	wait := func(promise string, seconds float64) {
		CDP("Runtime.evaluate", M{"expression": promise, "awaitPromise": true, "returnByValue": true}, M{"timeout": seconds, "spare": true})
	}
	err := Try(func() { wait(promise, seconds) })
	if err == nil || err.Code == "dialog_open" {
		return
	}
	if Settle(seconds) == nil && err.Code == "timeout" { // else the document went away
		wait("Promise.resolve()", 10) // a page that keeps no promise is stopped in a debugger: the daemon says so
	}
}

// effects is what is known of an act.
type effects struct {
	told            M // what is given back
	target, session string
	going           bool   // a navigation is under way,
	url             string // to there
	stopped         bool   // the navigation was stopped
	answer          answer // of its server
	apart           bool   // it was in a frame with a process of its own: its answers say nothing of the tab's events
	saving          bool   // a link to be saved was clicked, so a download is on its way
	loads           bool   // it is followed until the page has loaded
	script          int    // a javascript: link: asked for, then run
	blank           string // a window was opened for an address of another program
	opening         string // a link was opened in a new tab, of which Chrome does not say who opened it
}

const (
	scriptAsked = iota + 1
	scriptRun
)

// start is where an act begins.
type start struct {
	seq    int  // of the newest event before it
	dialog bool // one was open
}

func begin() start {
	here := Now()
	return start{int(number(here["seq"])), here["dialog"] != nil}
}

// beginHere is begin where the page has answered a moment ago: so no dialog is open, and the
// answer told the number.
func beginHere() start {
	here := answers()
	if here.told == 0 {
		return begin()
	}
	return start{here.seq, false}
}

// follow runs act and gives what it caused. seen, where there is one, is asked first: an
// answer of the page that came after the act was handled.
func follow(from start, act func(), e *effects, seen func(seconds float64)) M {
	e.target, e.session = Tab()
	e.told = M{}
	var err *Error
	e.attended(func() { err = Try(act) })
	if err == nil {
		return e.outcome(from.seq, seen)
	}
	if err.Code != "dialog_open" || from.dialog {
		panic(err)
	}
	return M{"dialog": err.Data["dialog"]}
}

func (e *effects) outcome(seq int, seen func(float64)) M {
	end := after(1)
	from := sinceLast(seq) // a chooser may have opened a moment after the last act
	for wait := 0.0; wait >= 0; {
		if wait == 0 {
			before := answers()
			e.attended(func() { e.settle(left(end), seen) })
			seen = nil
			if now := answers(); now.headless && now.told > before.told && now.seq == seq && from == seq && !e.apart && e.patience(left(end), 0) < 0 {
				break // the page has answered, and nothing happened before that
			}
		}
		ask := asking(e.session, from, wait, e.methods())
		ask["prompts"] = wait == 0
		answer := Call(ask)
		e.asked(list(answer["prompts"]))
		var found []any
		found, from = those(answer, e.session, from)
		fresh := 0
		for _, event := range found {
			if method := text(at(event, "method")); number(at(event, "seq")) > float64(seq) || method == chooserOpened {
				e.note(method, object(at(event, "params")))
				fresh++
			}
		}
		wait = e.patience(left(end), fresh)
	}
	run.Lock()
	run.acted = from
	run.Unlock()
	if e.going && e.url != "" && e.told["navigated"] == nil && !e.stopped {
		e.told["navigated"], e.told["pending"] = e.url, true
	}
	if e.blank != "" {
		e.closeBlank()
	} else if e.told["newTab"] != nil && e.told["download"] == nil {
		e.opened(seq, left(end))
	}
	e.answered()
	if len(e.told) == 0 {
		return nil
	}
	return e.told
}

// sinceLast is the newest event that the last act of the run knew about.
func sinceLast(seq int) int {
	run.Lock()
	defer run.Unlock()
	if run.acted > 0 {
		return min(run.acted, seq)
	}
	return seq
}

const chooserOpened = "Page.fileChooserOpened"

// known is how many answers have told the number of the newest event, and that; with a
// window, Chrome may also have asked the person something, of which no event tells.
type known struct {
	told, seq int
	headless  bool
}

func answers() known {
	run.Lock()
	defer run.Unlock()
	return known{run.told, run.seq, run.headless}
}

// settle waits until the page has handled what it got, a javascript: link too: that one
// runs as a task of its own, after the click.
func (e *effects) settle(seconds float64, seen func(float64)) {
	if seen != nil {
		seen(seconds)
	} else {
		Settle(seconds)
	}
	if e.script == scriptAsked {
		e.script = scriptRun
		next := M{"expression": "new Promise(r => setTimeout(r))", "awaitPromise": true}
		Try(func() { CDP("Runtime.evaluate", next, M{"timeout": seconds, "session": e.session, "spare": true}) })
	}
}

// Settle waits until the page's main thread is idle and any navigation under way has a page
// to show: until then Chrome holds back all answers of the page.
func Settle(seconds float64) *Error {
	_, session := Tab()
	return Try(func() {
		CDP("Runtime.getIsolateId", nil, M{"timeout": seconds, "session": session, "spare": true})
	})
}

// patience is how many seconds to wait for more effects, below zero for none.
func (e *effects) patience(left float64, found int) float64 {
	if e.script == scriptAsked && e.told["dialog"] == nil {
		return 0
	}
	if e.saving && e.told["download"] == nil && e.told["dialog"] == nil && left > 0 {
		return left
	}
	if e.opening != "" && e.told["newTab"] == nil && e.told["download"] == nil && e.told["dialog"] == nil && left > 0 {
		return left
	}
	if e.told["dialog"] != nil || !e.going || e.stopped && found == 0 {
		return -1
	}
	if e.stopped { // it led to no page: perhaps to a download, whose event comes just after
		return min(left, 0.3)
	}
	return left
}

var told = []string{"Page.javascriptDialogOpening", "Page.frameScheduledNavigation", "Page.frameRequestedNavigation",
	"Page.frameStartedNavigating", "Page.frameNavigated", "Page.navigatedWithinDocument", "Page.frameStoppedLoading",
	"Page.loadEventFired", "Page.downloadWillBegin", "Browser.downloadWillBegin", "Target.targetCreated", "Network.loadingFailed", "Page.windowOpen", chooserOpened}

// note enters what an event says about the tab.
func (e *effects) note(method string, p M) {
	url := text(p["url"])
	switch {
	case e.leaves(method, url):
	case method == "Page.javascriptDialogOpening":
		e.told["dialog"] = M{"type": p["type"], "message": p["message"], "url": url, "default": p["defaultPrompt"]}
	case method == "Page.downloadWillBegin", method == "Browser.downloadWillBegin" && p["frameId"] == e.target:
		e.download(p)
	case method == chooserOpened:
		e.told["fileChooser"] = M{"multiple": p["mode"] == "selectMultiple", "note": "the file chooser was kept from opening: give it files with uploadFile(target, path)"}
		if p["backendNodeId"] == nil {
			e.told["fileChooser"] = M{"note": "the page asked for a file, a folder or a place to save (showOpenFilePicker or similar). That window was kept from opening, since only a person can answer it: handoff(message)"}
		}
	case strings.HasPrefix(method, "Network."):
		e.answer.note(method, p)
	case method == "Page.frameRequestedNavigation" && (p["disposition"] == "newTab" || p["disposition"] == "newWindow"):
		e.opening = url
	case method == "Target.targetCreated" && (at(p, "targetInfo", "openerId") == e.target || e.opening != "" && at(p, "targetInfo", "openerId") == nil && at(p, "targetInfo", "url") == e.opening):
		e.told["newTab"] = at(p, "targetInfo", "targetId")
	case method == "Page.frameScheduledNavigation" && strings.HasPrefix(url, "javascript:") && e.script == 0:
		e.script = scriptAsked
	default:
		e.moved(method, url, p)
	}
}

// moved is note for the steps of a navigation.
func (e *effects) moved(method, url string, p M) {
	frame, mine := object(p["frame"]), p["frameId"] == e.target
	switch {
	case mine && (method == "Page.frameStartedNavigating" || method == "Page.frameRequestedNavigation" && p["disposition"] == "currentTab"):
		e.going, e.url, e.stopped = true, url, false
		e.answer.of(text(p["loaderId"]))
	case mine && method == "Page.navigatedWithinDocument":
		e.told["navigated"], e.going = url, false
	case frame["id"] == e.target:
		e.arrived(frame)
	case method == "Page.loadEventFired" && e.told["navigated"] != nil, mine && method == "Page.frameStoppedLoading" && e.told["navigated"] != nil:
		e.going = false
	case mine && method == "Page.frameStoppedLoading" && e.going:
		e.stopped = true
	}
}

// arrived is note for the page that a navigation led to.
func (e *effects) arrived(frame M) {
	e.answer.page = true
	e.told["navigated"] = text(frame["url"]) + text(frame["urlFragment"])
	delete(e.told, "failed")
	if frame["unreachableUrl"] != nil {
		e.told["navigated"], e.told["failed"] = frame["unreachableUrl"], true
	}
	e.going = e.going && e.loads
}
