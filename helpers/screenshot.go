package helpers

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// screenshot saves a picture of what the window shows and gives its path. A pixel of it is
// a CSS pixel, whatever the screen's density: what is seen at (x, y) is clicked by
// click(x, y). Only where a side would have more than 2,000 pixels is it scaled down, and
// a notice on standard error says how far. It is a PNG, or a JPEG (.jpg) where that would
// have more than 1 MB. Optional: the path, and M{"full": true} for the whole page, up to
// 16,000 pixels high; "clip": M{"x", "y", "width", "height"} for a part, in CSS pixels of
// the page; "max": pixels instead of 2,000; "scale": pixels for each CSS pixel.
func screenshot(how ...any) string {
	path, options := "", M{}
	for _, h := range how {
		text, isPath := h.(string)
		if isPath {
			path = text
		} else {
			options = as[M](h)
		}
	}
	clip, beyond := shotArea(options)
	data, kind := smallEnough(clip, beyond, filepath.Ext(path))
	return saveAs(path, kind, data)
}

const shotInfo = `[scrollX, scrollY, innerWidth, innerHeight, devicePixelRatio,
 document.documentElement.scrollWidth, document.documentElement.scrollHeight]`

// shotArea is the clip for Page.captureScreenshot, and whether it leaves the window.
func shotArea(options M) (clip M, beyond bool) {
	n, most := as[[]float64](js(shotInfo)), options["max"]
	clip = M{"x": n[0], "y": n[1], "width": n[2], "height": n[3]}
	if options["full"] == true {
		clip, most = M{"x": 0, "y": 0, "width": n[5], "height": n[6]}, or(most, 16000)
	} else if options["clip"] != nil {
		clip = as[M](options["clip"])
	}
	longer, scale := max(as[float64](clip["width"]), as[float64](clip["height"])), as[float64](or(options["scale"], 1))
	if fits := as[float64](or(most, 2000)) / longer; fits < scale {
		fmt.Fprintf(os.Stderr, "notice: the screenshot is scaled: 1 pixel of it is %.3g CSS pixels\n", 1/fits)
		scale = fits
	}
	clip["scale"] = scale / n[4]
	return clip, options["full"] == true || options["clip"] != nil
}

// smallEnough takes the picture as a PNG, unless a JPEG is wanted or that would be over 1 MB.
func smallEnough(clip M, beyond bool, wanted string) (data []byte, kind string) {
	params := M{"format": "png", "clip": clip, "captureBeyondViewport": beyond}
	if !strings.HasPrefix(strings.ToLower(wanted), ".jp") {
		if data = capture(params); len(data) <= 1<<20 {
			return data, ".png"
		}
	}
	params["format"] = "jpeg"
	for _, quality := range []int{85, 60, 35, 15} {
		params["quality"] = quality
		if data = capture(params); len(data) <= 1<<20 {
			break
		}
	}
	return data, ".jpg"
}

// capture takes a picture, also of a tab in the background. Chrome brings the page's own
// drawing up to date for it, but not that of frames of other sites: they are waited for.
func capture(params M) (data []byte) {
	drawn(func() {
		var frames sync.WaitGroup
		for _, id := range frameTargets() {
			frames.Go(func() { try(func() { awaitFrames(id) }) })
		}
		frames.Wait()
		data = decoded(cdp("Page.captureScreenshot", params)["data"])
	})
	return data
}

// awaitFrames waits until an iframe's target has drawn what there is now, or does not draw
// at all, being out of sight.
func awaitFrames(target string) {
	visit(target, func(session string) {
		cdp("Runtime.evaluate", M{"expression": twoFrames, "awaitPromise": true}, M{"session": session, "timeout": 5})
	})
}

const twoFrames = `new Promise(done => { setTimeout(done, 250); requestAnimationFrame(() => requestAnimationFrame(done)) })`

// pdf saves the page as a PDF, with its backgrounds, and gives the path. Optional: the
// path, and the params of CDP's Page.printToPDF (paperWidth in inches, landscape, …).
func pdf(how ...any) string {
	path, params := "", M{"printBackground": true}
	for _, h := range how {
		text, isPath := h.(string)
		if isPath {
			path = text
			continue
		}
		for name, value := range as[M](h) {
			params[name] = value
		}
	}
	return saveAs(path, ".pdf", decoded(cdp("Page.printToPDF", params)["data"]))
}

func decoded(data any) []byte {
	bytes, err := base64.StdEncoding.DecodeString(as[string](data))
	if err != nil {
		panic(err)
	}
	return bytes
}

// saveAs writes a file that only its owner can read, by default a new one in the
// temporary folder, and gives its path. Its name always ends as its kind does.
func saveAs(path, kind string, data []byte) string {
	if path == "" {
		path = filepath.Join(os.TempDir(), "bu-"+stamp())
	}
	if given := strings.ToLower(filepath.Ext(path)); given != kind && !(given == ".jpeg" && kind == ".jpg") {
		path = strings.TrimSuffix(path, filepath.Ext(path)) + kind
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		panic(&Error{Code: "bad_value", Message: err.Error()})
	}
	full, _ := filepath.Abs(path)
	return full
}

// stamp is for the name of a file that no run has made before.
func stamp() string {
	return fmt.Sprintf("%s-%d", time.Now().Format("0102-150405.000000"), os.Getpid())
}
