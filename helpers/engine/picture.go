package engine

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
)

// picture.go: pictures of the page, also of a tab in the background.

// Size gives the window's size: [scrollX, scrollY, innerWidth, innerHeight, devicePixelRatio,
// the page's width and height], in CSS pixels; then, for Capture, whether it has frames; and
// last the page's zoom, as the person set it.
func Size() []float64 {
	const info = `[scrollX, scrollY, innerWidth, innerHeight, devicePixelRatio,
 (document.scrollingElement ?? document.documentElement).scrollWidth, (document.scrollingElement ?? document.documentElement).scrollHeight,
 +(function has(root) { return !!root.querySelector('iframe,frame') || [...root.querySelectorAll('*')].some(e => e.shadowRoot && has(e.shadowRoot)) })(document), outerWidth / innerWidth]`
	var size []float64
	for _, n := range list(at(CDP("Runtime.evaluate", M{"expression": info, "returnByValue": true}, M{"spare": true}), "result", "value")) {
		size = append(size, number(n))
	}
	if len(size) < 9 {
		Fail("javascript_error", "the page did not report its size; try pageInfo()")
	}
	if size[4] == 1 && size[8] < 1.2 && size[8] > 0.8 { // else the pixel density or the zoom differs
		size[8] = 1
	} else if size[8] = number(at(CDP("Page.getLayoutMetrics", nil, nil), "cssVisualViewport", "zoom")); size[8] == 0 {
		size[8] = 1
	}
	return size
}

// Capture takes a picture, with the params of CDP's Page.captureScreenshot. Chrome brings
// the page's own drawing up to date for it, but not that of frames of other sites: they are
// waited for, where there are frames.
func Capture(params M, frames bool) (data []byte) {
	Drawn(func(string) {
		if frames {
			each(FrameTargets(), func(_ int, id string) { Try(func() { awaitFrames(id) }) })
		}
		data = Decoded(CDP("Page.captureScreenshot", params, nil)["data"])
	})
	return data
}

// awaitFrames waits until an iframe's target has drawn its current state, unless it does not
// draw at all, being out of sight.
func awaitFrames(target string) {
	const twoFrames = `new Promise(done => { setTimeout(done, 250); requestAnimationFrame(() => requestAnimationFrame(done)) })`
	Visit(target, func(session string) {
		CDP("Runtime.evaluate", M{"expression": twoFrames, "awaitPromise": true}, M{"session": session, "timeout": 5, "spare": true})
	})
}

// Decoded is what base64 text stands for.
func Decoded(data any) []byte {
	bytes, err := base64.StdEncoding.DecodeString(text(data))
	if err != nil {
		Fail("cdp_error", "the browser's data is not base64: %v; try again", err)
	}
	return bytes
}

// Save writes a file that only its owner can read and gives its full path. Its name always
// ends as its kind (".png") does.
func Save(path, kind string, data []byte) string {
	if given := strings.ToLower(filepath.Ext(path)); given != kind && !(given == ".jpeg" && kind == ".jpg") {
		path = strings.TrimSuffix(path, filepath.Ext(path)) + kind
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		Fail("bad_value", "%v", err)
	}
	full, _ := filepath.Abs(path)
	if kind != ".pdf" && host.Picture != nil {
		host.Picture(full)
	}
	return full
}
