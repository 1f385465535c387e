package engine

import (
	"encoding/base64"
	"fmt"
	"os"
	"slices"
	"strings"
)

// read.go: what the page says, its frames included.

// Extract reads the parts of the page that targets name (none: all of it): {markdown,
// elements, text}, and {capped} where rows were left out. first is the row to start at in a
// long group of rows, limit how many characters of Markdown there may be.
func Extract(targets []string, first, limit int) (read M) {
	again(func() {
		w := page()
		if len(targets) > 0 {
			w = w.has(targets[0])
		}
		read = w.read(targets, first, limit)
	})
	return read
}

// read is Extract in one world and in those of the frames inside.
func (w *world) read(targets []string, first, limit int) M {
	return w.joined(w.look("extract", M{"targets": append([]string{}, targets...), "first": max(first, 1), "limit": limit}), limit)
}

// look makes a reading, and makes it again with what our worlds cannot see by themselves
// (closed roots, listeners) if there may be such.
func (w *world) look(function string, what M) M {
	for depth := 1; ; depth++ {
		got := object(w.ask(function, what))
		if got["hosts"] == nil {
			return got
		}
		if number(got["hosts"]) > 0 {
			w.openRoots()
		}
		if number(got["suspects"]) > 0 || depth == 5 {
			what["heard"] = w.listened(got)
		}
		if number(got["dims"]) > 0 { // in the first frame of a fade its texts are not seen yet
			Try(func() { w.askFor(0.3, "threeFrames") })
		}
		what["opened"] = depth == 5 // so deep in each other they are left closed
	}
}

// joined puts the readings of the frames into that of the page.
func (w *world) joined(page M, limit int) M {
	frames := list(page["frames"])
	delete(page, "frames")
	room := limit - len(text(page["markdown"]))
	inside := make([]M, len(frames))
	each(frames, func(i int, frame any) {
		err := w.through(text(at(frame, "uid")), func(inner *world) { inside[i] = inner.read(nil, 1, max(room, 1000)) })
		if err != nil { // a frame that goes away or hangs does not spoil the rest of the page
			inside[i] = M{"markdown": "(this frame cannot be read: " + err.Message + ")"}
		}
	})
	for i := len(frames) - 1; i >= 0; i-- { // from the last, so that the places of the others do not shift
		join(page, inside[i], text(at(frames[i], "uid")), int(number(at(frames[i], "at"))))
	}
	return page
}

// join puts what a frame holds into its place in the page.
func join(page, inner M, owner string, at int) {
	here := "{frame " + owner + "}"
	page["markdown"] = strings.Replace(text(page["markdown"]), here, here+"\n"+text(inner["markdown"]), 1)
	page["elements"] = slices.Insert(list(page["elements"]), at, list(inner["elements"])...)
	if text(inner["text"]) != "" {
		page["text"] = fmt.Sprint(page["text"], "\n", inner["text"])
	}
	if inner["capped"] != nil {
		page["capped"] = append(list(inner["capped"]), list(page["capped"])...)
	}
}

// Changes tells what the page's reading, its frames' included, has now that it had not at the
// last Extract of all or Changes of this document, in limit characters for each document.
func Changes(limit int) (said string) {
	again(func() { said = page().changes(limit) })
	return said
}

func (w *world) changes(limit int) string {
	got := w.look("changes", M{"limit": limit})
	if got["fresh"] == true {
		return fmt.Sprintf("(this document was not read before: %v)\n\n%v", got["href"], text(w.read(nil, 1, limit)["markdown"]))
	}
	parts := []string{text(got["markdown"])}
	w.inFrames(got, func(owner string, inner *world) {
		if s := inner.changes(limit); s != "" {
			parts = append(parts, "in frame "+owner+":\n"+s)
		}
	})
	return strings.TrimSpace(strings.Join(parts, "\n\n"))
}

// inFrames runs f in the world of each frame that a reading names. One that goes away or
// hangs is left out.
func (w *world) inFrames(reading M, f func(owner string, inner *world)) {
	for _, frame := range list(reading["frames"]) {
		owner := text(at(frame, "uid"))
		w.through(owner, func(inner *world) { f(owner, inner) })
	}
}

// Find gives the lines of the reading that hold a text, with what stands around them. Where
// nothing does, lists that have drawn only some of their rows are scrolled until one has it.
func Find(what string) (found string) {
	var s search
	again(func() {
		s = search{what: what}
		found = page().find(&s)
	})
	if found == "" {
		found = s.scroll()
	}
	if found == "" {
		var by any
		Try(func() { by = page().ask("opener", what) }) // the page may have gone meanwhile
		if by != nil {
			Fail("element_hidden", "%q is only in what is closed: clickOn(%q), which is %v, opens it", what, at(by, "uid"), at(by, "what"))
		}
		Fail("element_not_found", "no text on the page contains %q%s; extract() shows what is there", what, s.looked)
	}
	return found
}

// search is one Find: the worlds with lists that have more rows than they have drawn.
type search struct {
	what    string
	partial []*world
	looked  string
}

func (w *world) find(s *search) string {
	got := w.look("lines", M{"text": s.what})
	if number(got["partial"]) > 0 {
		s.partial = append(s.partial, w)
	}
	parts := []string{text(got["markdown"])}
	w.inFrames(got, func(owner string, inner *world) {
		if found := inner.find(s); found != "" {
			parts = append(parts, "in frame "+owner+":\n"+found)
		}
	})
	return strings.TrimSpace(strings.Join(parts, "\n\n"))
}

// scroll looks through the lists for 10 s at most, in a tab that draws.
func (s *search) scroll() (found string) {
	for _, w := range s.partial {
		Drawn(func(string) {
			got := w.askFor(30, "seek", s.what, 10000)
			if rows := at(got, "rows"); rows != nil {
				found = fmt.Sprintf("(the list was scrolled: rows %v are drawn now)\n", rows) + text(w.look("lines", M{"text": s.what})["markdown"])
			}
			for _, l := range list(at(got, "looked")) {
				s.looked += fmt.Sprintf(", nor do rows %v of %v", at(l, "rows"), at(l, "uid"))
				if at(l, "over") == true {
					s.looked += " (10 s were over: scroll on from there)"
				}
			}
		})
		if found != "" {
			return found
		}
	}
	return ""
}

// Table gives the rows of a table, grid or list. One that has drawn only some of its rows is
// scrolled through for 10 s at most, in a tab that draws, and a notice tells of what was not reached.
func Table(target string) any {
	got, w := on("table", target)
	if at(got, "of") == nil {
		return at(got, "rows")
	}
	Drawn(func(string) { got = w.askFor(30, "gather", target, 10000) })
	if at(got, "over") == true {
		fmt.Fprintf(os.Stderr, "notice: only the first %d of %v rows were read; scroll %s on and call table again for the others\n", len(list(at(got, "rows"))), at(got, "of"), target)
	}
	return at(got, "rows")
}

// Marked takes a picture of a clip with the uid of each of those elements drawn on it that
// the window shows, and gives it with those elements.
func Marked(clip M, elements []any, frames bool) (png []byte, shown []any) {
	uids := []any{} // null else, should there be none
	for _, e := range elements {
		uids = append(uids, at(e, "uid"))
	}
	boxes, seen := page().boxes(uids), map[any]bool{}
	shot := base64.StdEncoding.EncodeToString(Capture(M{"format": "png", "clip": clip}, frames))
	png = Decoded(page().ask("draw", M{"png": shot, "boxes": boxes}))
	for _, b := range boxes {
		seen[at(b, "uid")] = true
	}
	for _, e := range elements {
		if seen[at(e, "uid")] {
			shown = append(shown, e)
		}
	}
	return png, shown
}

func (w *world) boxes(uids []any) []any {
	boxes := list(w.ask("boxes", M{"uids": uids}))
	for _, owner := range w.owners() {
		w.through(owner, func(inner *world) {
			boxes = append(boxes, list(w.ask("boxesOut", M{"owner": owner, "boxes": inner.boxes(uids)}))...)
		})
	}
	return boxes
}

// BoxOf scrolls an element into view and gives where it is: {x, y, width, height}, in CSS
// pixels of the page.
func BoxOf(target string) M {
	box, w := on("boxOf", target)
	clip := object(w.outward("boxOut", box))
	scrolled := object(Ask("scrolled"))
	clip["x"], clip["y"] = number(clip["x"])+number(scrolled["x"]), number(clip["y"])+number(scrolled["y"])
	return clip
}
