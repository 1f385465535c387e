package helpers

// screenshotOf takes a picture of one element, and gives the file's path; how as for
// screenshot: the path, "scale", "max".
func screenshotOf(target string, how ...any) string {
	box, w := inTarget("boxOf", target)
	defer leave(w)
	if w["parent"] != nil {
		panic(&Error{Code: "bad_request", Message: target + " is in a frame of another site: screenshot() and cut it out"})
	}
	options := M{"clip": box}
	for _, h := range how {
		more, _ := h.(M)
		for k, v := range more {
			options[k] = v
		}
	}
	return screenshot(append(how, options)...)
}

// screenshotMarks takes a picture of what the window shows with the uid of each element
// drawn on it, and gives {path, elements: those, as extract() lists them}. The drawing is
// on the picture: the page is not touched. Optional: the path of the PNG.
func screenshotMarks(path ...string) M {
	page, w := extract(M{"limit": 1000000}), pageWorld()
	elements, file := as[[]any](page["elements"]), ""
	var uids []any
	for _, e := range elements {
		uids = append(uids, get(e, "uid"))
	}
	boxes := as[[]any](inWorld(w, "boxes", M{"uids": uids}))
	var shot M
	drawn(func() { shot = cdp("Page.captureScreenshot", M{"format": "png"}) })
	if len(path) > 0 {
		file = path[0]
	}
	picture := decoded(inWorld(w, "draw", M{"png": shot["data"], "boxes": boxes}))
	return M{"path": saveAs(file, ".png", picture), "elements": marked(elements, boxes)}
}

// marked is those of the elements that have a box.
func marked(elements, boxes []any) []any {
	found, kept := M{}, []any{}
	for _, b := range boxes {
		found[as[string](get(b, "uid"))] = true
	}
	for _, e := range elements {
		if found[as[string](get(e, "uid"))] != nil {
			kept = append(kept, e)
		}
	}
	return kept
}
