package engine

import (
	"slices"
	"strings"
)

// act.go: acting on an element: it is scrolled into view, waited for until it stands still
// (3 s at most), the point is checked to really hit it, through shadow roots, frames and
// labels, and only then does real input go to the browser. While the button goes down the
// page is watched: if the press would reach something else after all, that does not get it.
//
// Errors of all of these: element_not_found, element_stale, element_covered (the message
// names what covers it), element_disabled, element_hidden. After such an error the page saw
// no click.

// Click clicks an element and tells what that caused, and {invalid: […]} where fields of a
// form kept it from being sent.
func Click(target string, how Mouse) M {
	cover := ""
	for i := range 4 { // again if it moved away under the mouse
		at, w := pointOf(target, i > 0)
		var verdict M
		e := &effects{apart: w.separate()}
		from := beginHere()
		got := follow(from, func() { press(at, how) }, e, func(seconds float64) {
			w.verdict(&verdict, M{"button": how.Button, "count": how.Count})(seconds)
			e.saving = verdict["download"] == true
		})
		if verdict["lost"] == true && got["dialog"] == nil {
			Fail("element_covered", "%s was not clicked: the mouse press did not reach the page. %s; take a screenshot(), or handoff(message) to the person", target, windowOver())
		}
		if cover = text(verdict["missed"]); cover == "" {
			got = with(got, "fileChooser", w.chooserSince(from.seq))
			for _, word := range []string{"invalid", "note", "fileChooser", "external"} {
				got = with(got, word, verdict[word])
			}
			return got
		}
	}
	panic(awayFrom(target, cover))
}

// verdict asks the page what a press met. A page that the click left, or that has a dialog
// open, has no answer. meant says what the press was for.
func (w *world) verdict(told *M, meant M) func(seconds float64) {
	return func(seconds float64) {
		err := Try(func() { *told = object(w.askFor(seconds, "verdict", meant)) })
		if err != nil && err.Code == errGone { // the answer came before the page's last events did
			Settle(seconds)
		}
	}
}

func with(got M, key string, value any) M {
	if value == nil {
		return got
	}
	if got == nil {
		got = M{}
	}
	got[key] = value
	return got
}

// Hover moves the mouse onto an element.
func Hover(target string) M {
	cover := ""
	for i := range 4 {
		at, w := pointOf(target, i > 0)
		var verdict M
		got := follow(beginHere(), func() { hover(at) }, &effects{}, w.verdict(&verdict, M{"hover": true}))
		if cover = text(verdict["missed"]); cover == "" || got != nil {
			return got
		}
	}
	panic(awayFrom(target, cover))
}

func awayFrom(target, cover string) *Error {
	return &Error{Code: "element_covered", Message: target + " keeps moving away from the mouse: " + cover + " is there instead; wait until it stops moving"}
}

// pointOf is where to press a target, and the world that watches over the press. slow: look
// at it twice even if nothing seems to move.
func pointOf(target string, slow bool) (at point, w *world) {
	ready, w := on("ready", target, slow, false)
	if object(ready)["wait"] == true {
		Drawn(func(string) { ready, w = on("ready", target, slow, true) })
	}
	return w.toWindow(object(ready)), w
}

// toWindow takes a point in a world's document to the window, or to the outermost frame on
// the way that has a process of its own, and sees that nothing covers it on the way.
func (w *world) toWindow(at M) point {
	p, found := point{x: number(at["x"]), y: number(at["y"])}, false
	x, y := at["x"], at["y"]
	for f := w; f.parent != nil; f = f.parent {
		if f.separate() && !found {
			p, found = point{x: number(x), y: number(y), session: f.session}, true
		}
		outer := object(f.parent.ask("frameHit", f.owner, x, y))
		x, y = outer["x"], outer["y"]
		found = found && outer["pinch"] != true // a frame's process does not know the pinch zoom
	}
	if !found {
		p = point{x: number(x), y: number(y)}
	}
	p.window = [2]float64{number(x), number(y)}
	mark(p.inWindow())
	if w.parent != nil && !found { // it may have scrolled the pages around it: engine.ready says why this matters
		Drawn(func(string) { page().ask("drawnAnew") })
	}
	return p
}

// ScrollTo scrolls an element to the middle of the view.
func ScrollTo(target string) {
	_, w := on("scrollTo", target)
	for f := w; f.parent != nil; f = f.parent {
		f.parent.ask("scrollTo", f.owner)
	}
}

// Fill replaces what a field holds: input, textarea, editor, date, colour, range, select. It
// tells what that caused, or {value} when the page made something else of the text. A field
// of parts, boxes of a code or sections of a date, and one that takes no inserted text is
// typed into, with keys (typeText).
func Fill(target, content string, keys func(text string)) M {
	var start any
	var w *world
	if got := opens(func() { start, w = on("fillStart", target, content) }); got != nil {
		return got
	}
	if at(start, "done") == true {
		return w.kept()
	}
	if list, is := at(start, "choose").(string); is {
		return w.choose(list, content)
	}
	if slider, is := at(start, "slide").(string); is {
		return w.slide(slider, content)
	}
	if at(start, "editor") != nil {
		return w.fillEditor(target, start, content)
	}
	if parts, is := at(start, "keys").(string); is {
		if got := Typed(func() { keys(parts) }); got != nil {
			return got
		}
		return object(w.ask("partsEnd", target, content))
	}
	got, end := w.filled(func() {
		if at(start, "erase") == true { // an editor hears of no text only by a key
			editorKey("Backspace", "Backspace", 8, 0)
			return
		}
		CDP("Input.insertText", M{"text": at(start, "insert")}, M{"spare": true})
	}, target, content)
	if at(end, "hovered") == true && got == nil {
		got, end = w.filled(func() { w.offTo(target) }, target, content, false, true)
	}
	if at(end, "keys") != nil && got == nil {
		got, end = w.filled(func() { keys(content) }, target, content, true, true)
	}
	if got != nil || end == nil {
		return got
	}
	return M{"value": at(end, "value")}
}

// offTo moves the mouse onto a field, from whatever shows in it what lies under the mouse.
func (w *world) offTo(target string) {
	if to := w.ask("aim", target, false); w.parent == nil {
		Call(point{x: number(at(to, "x")), y: number(at(to, "y"))}.input("mouseMoved", "none", 0, 0))
	}
}

// filled puts text into a field and asks what came of it.
func (w *world) filled(put func(), asked ...any) (got M, end any) {
	var failed *Error
	got = follow(beginHere(), put, &effects{}, func(seconds float64) {
		failed = Try(func() { end = w.askFor(max(seconds, 10), "fillEnd", asked...) }) // what the field holds is asked once: a slow page is waited for
	})
	if got == nil && failed != nil && failed.Code != errGone {
		panic(failed)
	}
	return got, end
}

// opens runs what may make the page open a dialog, and tells of it.
func opens(f func()) M {
	err := Try(f)
	if err == nil {
		return nil
	}
	if err.Code != "dialog_open" || err.Data["sent"] != true {
		panic(err)
	}
	return undone(M{"dialog": err.Data["dialog"]})
}

// undone says of an act that something came in its way that the rest of it is not done.
func undone(got M) M {
	if got["note"] == nil {
		got["note"] = "that came before all of the text was there: then see what the field holds"
	}
	return got
}

// Type types into a field with type (which is typeText): at the caret when the field has the
// focus, else it clicks it and types at the end. It tells what the typing caused, or
// {value}, what the field holds, when the text is not in it: another took the focus.
func Type(target, content string, keys func(text string)) M {
	before, w := on("focused", target, content)
	if at(before, "editor") != nil {
		return w.typeEditor(target, before, content, func() { keys(content) })
	}
	if parts, is := at(before, "keys").(string); is {
		content = parts
	}
	if at(before, "done") == true {
		return Fill(target, content, keys) // a date or a colour has no caret
	}
	if at(before, "focus") != true {
		press := target
		if inner := text(at(before, "press")); inner != "" {
			press = inner // in a frame within the target
		}
		got := Click(press, Mouse{"left", 1, 0})
		delete(got, "note") // a field that was drawn anew under the press gets the focus all the same
		if len(got) > 0 {
			return undone(got)
		}
		if got := opens(func() { w.ask("typeStart", target) }); got != nil {
			return got
		}
	}
	if got := Typed(func() { keys(content) }); got != nil {
		if got["dialog"] != nil {
			undone(got)
		}
		return got
	}
	var end M
	Try(func() { end = object(On("typeEnd", target, content)) }) // the field may have gone with its page
	return end
}

// Select chooses in a <select>, by value or by the text shown: exactly these of one that
// takes several. An option that is not there: bad_value, and the message lists those that are.
// {value} tells what is chosen when the page chose otherwise.
func Select(target string, values []string) (got M) {
	var w *world
	var start any
	if got = Caused(func() { start, w = on("select", target, append([]string{}, values...)) }); got != nil {
		return got
	}
	if list, is := at(start, "choose").(string); is {
		for _, v := range values {
			got = w.choose(list, v)
		}
		return got
	}
	return w.kept()
}

// kept gives {value}, what a field holds that was set as a whole, if the page made something
// else of it, as one does that draws its fields from what it knows.
func (w *world) kept() (got M) {
	err := Try(func() { got = object(w.askFor(2, "kept")) }) // it may have gone with its page
	if err != nil && err.Code == "element_hidden" {
		option := text(err.Data["choose"])
		if option == "" || Try(func() { got = w.choose(text(err.Data["stands"]), option) }) != nil {
			panic(err)
		}
	}
	return got
}

// Fields finds the fields that the keys of values mean, in their order on the page.
func Fields(values M) (found []any) {
	for key := range values {
		found = append(found, On("formField", key))
	}
	slices.SortFunc(found, func(a, b any) int {
		if d := number(at(a, "place")) - number(at(b, "place")); d != 0 {
			return int(d)
		}
		return strings.Compare(text(at(a, "key")), text(at(b, "key")))
	})
	return found
}
