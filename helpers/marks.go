package helpers

import (
	"encoding/base64"
	"os"
	"path/filepath"
)

// screenshotOf takes a picture of one element, and gives the path of the PNG: path[0], or
// a file in the temporary folder.
func screenshotOf(target string, path ...string) string {
	box, w := inTarget("boxOf", target)
	defer leave(w)
	if w["parent"] != nil {
		panic(&Error{Code: "bad_request", Message: target + " is in a frame of another site: screenshot() and cut it out"})
	}
	shot := cdp("Page.captureScreenshot", M{"format": "png", "clip": box, "captureBeyondViewport": true})
	return savePNG(as[string](shot["data"]), path)
}

// screenshotMarks takes a picture of what can be seen of the page with the uid of each
// element drawn on it, and gives {path, elements: those, as extract() lists them}. The
// drawing is on the picture: the page is not touched.
func screenshotMarks(path ...string) M {
	page, w := extract(M{"limit": 1000000}), pageWorld()
	var uids []any
	for _, e := range as[[]any](page["elements"]) {
		uids = append(uids, get(e, "uid"))
	}
	boxes := as[[]any](inWorld(w, "boxes", uids))
	marked := M{}
	for _, b := range boxes {
		marked[as[string](get(b, "uid"))] = b
	}
	shot := cdp("Page.captureScreenshot", M{"format": "png"})
	drawn := inWorld(w, "draw", shot["data"], boxes)
	return M{"path": savePNG(as[string](drawn), path), "elements": keep(as[[]any](page["elements"]), marked)}
}

// keep is those of the elements that are marked.
func keep(elements []any, marked M) []any {
	kept := []any{}
	for _, e := range elements {
		if marked[as[string](get(e, "uid"))] != nil {
			kept = append(kept, e)
		}
	}
	return kept
}

func savePNG(data string, path []string) string {
	file := filepath.Join(os.TempDir(), "bu-"+stamp()+".png")
	if len(path) > 0 {
		file = path[0]
	}
	bytes, err := base64.StdEncoding.DecodeString(data)
	if err == nil {
		err = os.WriteFile(file, bytes, 0o600)
	}
	if err != nil {
		panic(&Error{Code: "bad_value", Message: err.Error()})
	}
	return file
}
