package helpers

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"bu/helpers/engine"
)

// screenshot saves a picture of what the window shows and gives its path. One of its pixels
// is one CSS pixel, whatever the screen's density: what you see at (x, y) is clicked by
// click(x, y). It is scaled down only if a side would exceed 2,000 pixels; a notice on
// standard error says by how much. It is a PNG, or a JPEG (.jpg) if a PNG would exceed 1 MB.
// Optional: the path, and M{"full": true} for the whole page, up to 16,000 pixels high;
// "clip": M{"x", "y", "width", "height"} for a part, in CSS pixels of the page; "max":
// pixels instead of 2,000; "scale": pixels for each CSS pixel.
func screenshot(how ...any) string {
	path, options := pathAnd(how)
	clip, frames := shotArea(options)
	data, kind := smallEnough(clip, options["full"] == true || options["clip"] != nil, frames, filepath.Ext(path))
	return engine.Save(path, kind, data)
}

// pathAnd reads optional arguments: a path, by default a new one in the temporary folder,
// and options.
func pathAnd(how []any) (path string, options M) {
	path, options = filepath.Join(os.TempDir(), fmt.Sprintf("bu-%s-%d", time.Now().Format("0102-150405.000000"), os.Getpid())), M{}
	for _, h := range how {
		if given, is := h.(string); is && given != "" {
			path = given
		} else if !is {
			for k, v := range as[M](h) {
				options[k] = v
			}
		}
	}
	return path, options
}

// shotArea is the clip for Page.captureScreenshot, the window unless options name a part,
// and whether the page has frames.
func shotArea(options M) (clip M, frames bool) {
	n, most := engine.Size(), options["max"]
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
	return zoomed(clip, n[8], scale/n[4]), n[7] == 1
}

// zoomed is a clip in CSS pixels as Chrome wants it: in those of the screen at a density of 1.
func zoomed(clip M, zoom, scale float64) M {
	out := M{"scale": scale}
	for _, k := range []string{"x", "y", "width", "height"} {
		out[k] = as[float64](clip[k]) * zoom
	}
	return out
}

// smallEnough takes the picture as a PNG, unless a JPEG is wanted or that would be over 1 MB.
func smallEnough(clip M, beyond, frames bool, wanted string) (data []byte, kind string) {
	params := M{"format": "png", "clip": clip, "captureBeyondViewport": beyond}
	if !strings.HasPrefix(strings.ToLower(wanted), ".jp") {
		if data = engine.Capture(params, frames); len(data) <= 1<<20 {
			return data, ".png"
		}
	}
	params["format"] = "jpeg"
	for _, quality := range []int{85, 60, 35, 15} {
		params["quality"] = quality
		if data = engine.Capture(params, frames); len(data) <= 1<<20 {
			break
		}
	}
	return data, ".jpg"
}

// screenshotOf takes a picture of one element, and gives the file's path; how as for
// screenshot: the path, "scale", "max".
func screenshotOf(target string, how ...any) string {
	return screenshot(append(how, M{"clip": engine.BoxOf(target)})...)
}

// screenshotMarks takes a picture, as screenshot does, of what the window shows, with the
// uid of each element drawn on it, and gives {path, elements: those, as extract() lists
// them}. It draws on the picture only and leaves the page alone. Optional: the PNG's path.
func screenshotMarks(path ...string) M {
	elements := as[[]any](extract(M{"limit": 1000000})["elements"])
	clip, frames := shotArea(M{})
	picture, shown := engine.Marked(clip, elements, frames)
	file, _ := pathAnd([]any{strings.Join(path, "")})
	return M{"path": engine.Save(file, ".png", picture), "elements": shown}
}

// pdf saves the page as a PDF, with its backgrounds, and gives the path. Optional: the
// path, and the params of CDP's Page.printToPDF (paperWidth in inches, landscape, …).
func pdf(how ...any) string {
	path, params := pathAnd(append([]any{M{"printBackground": true}}, how...))
	return engine.Save(path, ".pdf", engine.Decoded(cdp("Page.printToPDF", params)["data"]))
}
