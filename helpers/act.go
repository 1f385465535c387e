package helpers

import (
	"fmt"
	"os"
	"path/filepath"
)

// Acting on an element: it is scrolled into view, waited for until it stands still (3 s
// at most), the point is checked to really hit it, through shadow roots, frames and labels,
// and only then does real input go to the browser. While the button goes down the page is
// watched: a press that would meet something else after all is kept from it.
//
// Errors of all of these: element_not_found, element_stale (extract() again),
// element_covered (close what covers it: the message names it), element_disabled,
// element_hidden (not displayed, or no size). After such an error the page saw no click.

// clickOn clicks an element, "e12" or a selector; how as for click: "right", 2, "Shift".
// It gives what the click caused, as click does, and {invalid: ["Email: Please fill out
// this field."]} where fields of a form kept it from being sent.
func clickOn(target string, how ...any) M {
	cover := ""
	for i := 0; i < 4; i++ { // again if it moved away under the mouse
		at, w := pointOf(target, i > 0)
		var got M
		orLeave(w, func() { cover, got = missed(target, w, clickAt(at, how)) })
		leave(w)
		if cover == "" {
			return got
		}
	}
	panic(&Error{Code: "element_covered", Message: target + " keeps moving away from under the mouse: " + cover + " came there instead; wait until it rests"})
}

// hoverOn moves the mouse onto an element.
func hoverOn(target string) M {
	at, w := pointOf(target, false)
	defer leave(w)
	defer try(func() { inWorld(w, "verdict") }) // which ends the watch
	if at["session"] == nil {
		return hover(as[float64](at["x"]), as[float64](at["y"]))
	}
	return caused(func() { moveIn(at, 5) })
}

// dragTo drags an element onto another, as drag does.
func dragTo(source, target string) M {
	pointOf(source, false)
	to, w := pointOf(target, false)
	from, _ := pointOf(source, false)
	again, _ := pointOf(target, false)
	inWorld(w, "verdict") // which ends the watch over the target: the press is on the source
	if from["session"] != nil || to["session"] != nil || fmt.Sprint(to) != fmt.Sprint(again) {
		panic(&Error{Code: "bad_request", Message: source + " and " + target + " are not in view at the same time; drag in steps with drag(x1, y1, x2, y2)"})
	}
	return drag(as[float64](from["x"]), as[float64](from["y"]), as[float64](to["x"]), as[float64](to["y"]))
}

// pointOf is where to press a target, {x, y} in CSS pixels of the window, and the world
// that watches over the press. In a frame with a process of its own it is {x, y, session}
// in pixels of that frame: where Chrome takes the frame to be is as old as what it drew.
// slow: look at it twice even if nothing seems to move.
func pointOf(target string, slow bool) (at, w M) {
	at, w = readyTarget(target, slow)
	orLeave(w, func() { at = throughFrames(at, w) })
	return at, w
}

func throughFrames(at, w M) M {
	x, y, session := at["x"], at["y"], any(nil)
	for f := w; f["parent"] != nil; f = as[M](f["parent"]) {
		if f["own"] == true && session == nil {
			session, at = get(f, "options", "session"), M{"x": x, "y": y}
		}
		outer := inWorld(as[M](f["parent"]), "frameHit", f["owner"], x, y) // covered up there?
		x, y = get(outer, "x"), get(outer, "y")
	}
	if at["session"] = session; session != nil {
		return at
	}
	if w["parent"] != nil { // it may have scrolled the pages around it: engine.ready says why this matters
		drawn(func() { inWorld(pageWorld(), "twoFrames") })
	}
	return M{"x": x, "y": y}
}

func readyTarget(target string, slow bool) (at, w M) {
	ready, w := inTarget("ready", target, slow, false)
	if get(ready, "wait") == true {
		leave(w)
		drawn(func() { ready, w = inTarget("ready", target, slow, true) })
	}
	return as[M](ready), w
}

func clickAt(at M, how []any) M {
	x, y := as[float64](at["x"]), as[float64](at["y"])
	if at["session"] == nil {
		return click(x, y, how...)
	}
	button, count, keys := clickArgs(how)
	return caused(func() {
		moveIn(at, 0.05)
		for n := 1; n <= count; n++ {
			cdp("Input.dispatchMouseEvent", mouse("mousePressed", x, y, button, n, keys), M{"session": at["session"]})
			cdp("Input.dispatchMouseEvent", mouse("mouseReleased", x, y, button, n, keys), M{"session": at["session"]})
		}
	})
}

// moveIn moves the mouse within a frame. The answer comes with the next frame drawn: not waited for.
func moveIn(at M, seconds float64) {
	move := mouse("mouseMoved", as[float64](at["x"]), as[float64](at["y"]), "none", 0, 0)
	err := try(func() { cdp("Input.dispatchMouseEvent", move, M{"session": at["session"], "timeout": seconds}) })
	if err != nil && err.Code != "timeout" {
		panic(err)
	}
}

// missed says what was under the mouse instead of the target, "" if the target was, and
// adds to got what a form refused. While a dialog is open there is nobody to ask; a page
// that the click left has no answer.
func missed(target string, w, got M) (string, M) {
	var verdict any
	if got["dialog"] == nil {
		try(func() { verdict = inWorld(w, "verdict") })
	}
	if get(verdict, "lost") == true {
		panic(&Error{Code: "element_covered", Message: target + " was not clicked: the press came to nothing of its page. A frame of another site lies there, or a script of the page swallows it; look with screenshot()"})
	}
	if fields := get(verdict, "invalid"); fields != nil {
		if got == nil {
			got = M{}
		}
		got["invalid"] = fields
	}
	what, _ := get(verdict, "missed").(string)
	return what, got
}

// scrollTo scrolls an element to the middle of the view.
func scrollTo(target string) {
	_, w := inTarget("scrollTo", target)
	for f := w; f["parent"] != nil; f = as[M](f["parent"]) {
		inWorld(as[M](f["parent"]), "scrollTo", f["owner"])
	}
	leave(w)
}

// typeInto types text, key by key, into a field: at the caret when the field has the
// focus, else it clicks it and types at the end. It gives what the typing caused, or
// {value}, what the field holds, when the text is not in it: another took the focus.
func typeInto(target, text string) M {
	before, w := inTarget("focused", target)
	defer leave(w)
	if get(before, "done") == true {
		return fill(target, text) // a date or a colour has no caret
	}
	if get(before, "focus") != true {
		if got := clickOn(target); got != nil {
			return got
		}
		inWorld(w, "typeStart", target)
	}
	if got := typeText(text); got != nil {
		return got
	}
	return typed(target, text)
}

func typed(target, text string) (end M) {
	try(func() { // the field may have gone with its page
		got, w := inTarget("typeEnd", target, text)
		end, _ = got.(M)
		leave(w)
	})
	return end
}

// fill replaces what a field holds: input, textarea, editor, date ("2026-01-31"), colour
// ("#ff8800"), range, select. It gives nil, or {value} when the page made something else
// of the text. Errors besides the usual: bad_value when the field does not take it.
func fill(target, text string) M {
	start, w := inTarget("fillStart", target, text)
	defer leave(w)
	if get(start, "done") == true {
		return nil
	}
	got := caused(func() { cdp("Input.insertText", M{"text": get(start, "insert")}) })
	if got != nil {
		return got
	}
	end, _ := inWorld(w, "fillEnd", target, text).(M)
	return end
}

// selectOption chooses in a <select>, by value or by the text shown: exactly these of one
// that takes several. It gives what that caused. An option that is not there: bad_value,
// and the message lists those that are.
func selectOption(target string, values ...string) M {
	var w M
	defer func() { leave(w) }()
	return caused(func() { _, w = inTarget("select", target, append([]string{}, values...)) })
}

// uploadFile puts files into a file input, hidden or not, its label, or a button that asks
// for files; or drops them where the page takes files that are dropped. Errors besides the
// usual: bad_value for a file that is not there.
func uploadFile(target string, paths ...string) M {
	files := filesHere(paths)
	input, w := inTarget("fileInput", target)
	defer leave(w)
	if get(input, "chooser") == true {
		return uploadByChooser(target, files, input)
	}
	if len(files) > 1 && get(input, "multiple") != true {
		panic(&Error{Code: "bad_value", Message: target + " takes one file"})
	}
	object := evalIn(w, "bu.picked()", false, 30)["objectId"]
	return caused(func() { cdp("DOM.setFileInputFiles", M{"files": files, "objectId": object}, as[M](w["options"])) })
}

func filesHere(paths []string) []string {
	files := []string{}
	for _, p := range paths {
		full, _ := filepath.Abs(p)
		info, err := os.Stat(full)
		if err != nil || info.IsDir() {
			panic(&Error{Code: "bad_value", Message: fmt.Sprintf("%s is not a file here: %v", p, err)})
		}
		files = append(files, full)
	}
	return files
}

// uploadByChooser clicks what opens a file chooser and answers that in its place; what
// opens none may be a place to drop files on. The person's own choosers open again after
// it, though the run be killed meanwhile.
func uploadByChooser(target string, files []string, input any) (got M) {
	visit(as[string](call(M{"meta": "session"})["target_id"]), func(session string) {
		opened := chooserOpened(session, target)
		if opened != nil {
			got = caused(func() {
				cdp("DOM.setFileInputFiles", M{"files": files, "backendNodeId": get(opened, "params", "backendNodeId")})
			})
		} else if get(input, "drops") == true { // into a text field the path would go
			got = dropFiles(target, files)
		} else {
			panic(&Error{Code: "bad_request", Message: target + " is no file input, and a click on it opened no file chooser"})
		}
	})
	return got
}

// chooserOpened clicks and gives the event of the file chooser that this opened, or nil.
func chooserOpened(session, target string) any {
	cdpIn(session, "Page.enable")
	cdpIn(session, "Page.setInterceptFileChooserDialog", M{"enabled": true})
	from := as[int](call(M{"meta": "session"})["seq"])
	clickOn(target)
	found, _ := sinceIn(session, from, 2, "Page.fileChooserOpened")
	return get(found, 0)
}

// dropFiles lets go of files over a target. Chrome gives a drop only to what takes it.
func dropFiles(target string, files []string) M {
	at, w := pointOf(target, false)
	defer leave(w)
	got := caused(func() {
		for _, kind := range []string{"dragEnter", "dragOver", "drop"} {
			drop := M{"type": kind, "x": at["x"], "y": at["y"], "data": M{"items": []any{}, "files": files, "dragOperationsMask": 1}}
			cdp("Input.dispatchDragEvent", drop, M{"session": at["session"]})
		}
	})
	if got == nil && get(inWorld(w, "verdict"), "hit") != true {
		panic(&Error{Code: "bad_request", Message: target + " is no file input, a click on it opened no file chooser, and it takes no files that are dropped on it"})
	}
	return got
}
