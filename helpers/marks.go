package helpers

import (
	"encoding/base64"
	"strings"
)

// screenshotOf takes a picture of one element, and gives the file's path; how as for
// screenshot: the path, "scale", "max".
func screenshotOf(target string, how ...any) string {
	box, w := inTarget("boxOf", target)
	defer leave(w)
	for f := w; f["parent"] != nil; f = as[M](f["parent"]) {
		box = inWorld(as[M](f["parent"]), "boxOut", f["owner"], box)
	}
	clip, at := as[M](box), pageInfo()
	clip["x"], clip["y"] = as[float64](clip["x"])+as[float64](at["sx"]), as[float64](clip["y"])+as[float64](at["sy"])
	options := M{"clip": clip}
	for _, h := range how {
		more, _ := h.(M)
		for k, v := range more {
			options[k] = v
		}
	}
	return screenshot(append(how, options)...)
}

// screenshotMarks takes a picture, as screenshot does, of what the window shows with the
// uid of each element drawn on it, and gives {path, elements: those, as extract() lists
// them}. The drawing is on the picture: the page is not touched. Optional: the PNG's path.
func screenshotMarks(path ...string) M {
	elements, w := as[[]any](extract(M{"limit": 1000000})["elements"]), pageWorld()
	var uids []any
	for _, e := range elements {
		uids = append(uids, get(e, "uid"))
	}
	boxes := boxesIn(w, uids)
	clip, _ := shotArea(M{})
	shot := base64.StdEncoding.EncodeToString(capture(M{"format": "png", "clip": clip}))
	picture := decoded(inWorld(w, "draw", M{"png": shot, "boxes": boxes}))
	return M{"path": saveAs(strings.Join(path, ""), ".png", picture), "elements": marked(elements, boxes)}
}

// boxesIn gives where those of the elements are that a world and the frames in it show:
// [{uid, x, y, w, h}], in CSS pixels of its viewport.
func boxesIn(w M, uids []any) []any {
	boxes := as[[]any](inWorld(w, "boxes", M{"uids": uids}))
	for _, child := range childWorlds(w) {
		inner := boxesIn(child, uids)
		detach(child)
		boxes = append(boxes, as[[]any](inWorld(w, "boxesOut", M{"owner": child["owner"], "boxes": inner}))...)
	}
	return boxes
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
