//go:build linux

package helpers_test

import (
	"fmt"
	"image"
	_ "image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const zoomed = `<meta name=viewport content="width=device-width"><body style="margin:0;background:#fff"><div style="width:300px;height:2000px"></div>
<button id=b style="position:absolute;left:250px;top:150px;width:80px;height:40px;background:#f00;border:0" onclick="hits++"></button>
<iframe src="OTHER/page/PART" style="position:absolute;left:20px;top:300px;width:300px;height:100px;border:0"></iframe><script>var hits = 0, inner = 0; onmessage = () => inner++</script>`

// red gives the size of a picture and where it is red.
func red(t *testing.T, path string) (size image.Point, at image.Rectangle) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	picture, _, err := image.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	for y := range picture.Bounds().Dy() {
		for x := range picture.Bounds().Dx() {
			if r, g, b, _ := picture.At(x, y).RGBA(); r > 60000 && g < 5000 && b < 5000 {
				at = at.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return picture.Bounds().Size(), at
}

// Field case 90: a pixel of a picture is a CSS pixel, and what it shows is clicked there, whatever
// the page's zoom and the screen's density.
func TestZoom(t *testing.T) {
	start(t)
	inner := html(`<body style="margin:0"><button id=i style="position:absolute;left:30px;top:20px;width:60px;height:30px" onclick="parent.postMessage(1, '*')">in</button>`)
	page := html(strings.Replace(zoomed, "/page/PART", inner, 1))
	for _, c := range []struct{ preferences, arg string }{
		{`{}`, "--force-device-scale-factor=2"},
		{`{"partition":{"default_zoom_level":{"x":2.2239010857415449}}}`, "--force-device-scale-factor=1"},
		{`{"partition":{"per_host_zoom_levels":{"x":{"127.0.0.1":{"zoom_level":-3.8017840169239308}}}}}`, "--force-device-scale-factor=2"},
	} {
		t.Run(c.preferences+c.arg, func(t *testing.T) {
			do, dir := screened(t, c.preferences, c.arg, "--window-size=800,800"), t.TempDir()
			stdout, stderr, _ := do(fmt.Sprintf(`newTab("SITE%s"); waitForLoad(); d := %q; all := pageInfo()["pw"]
screenshot(d + "/window.png"); screenshot(d + "/full.png", M{"full": true, "max": 16000}); screenshotOf("#b", d + "/of.png"); screenshotMarks(d + "/marks.png")
click(290, 170); clickOn("#b"); clickOn("#i"); waitFor("inner > 0")
fmt.Println(js("innerWidth"), js("innerHeight"), all, js("hits"))`, page, dir))
			var w, h, all, hits int
			if n, _ := fmt.Sscanf(stdout, "%d %d %d %d", &w, &h, &all, &hits); n != 4 || hits != 2 {
				t.Fatalf("%s%s", stdout, stderr)
			}
			here := image.Rect(250, 150, 330, 190)
			for name, want := range map[string]struct {
				size image.Point
				at   image.Rectangle
			}{"window": {image.Pt(w, h), here}, "full": {image.Pt(all, 2000), here}, "of": {image.Pt(80, 40), image.Rect(0, 0, 80, 40)}, "marks": {image.Pt(w, h), here.Inset(1)}} {
				if size, at := red(t, filepath.Join(dir, name+".png")); size != want.size || at != want.at {
					t.Errorf("%s: %v, red at %v; want %v, %v", name, size, at, want.size, want.at)
				}
			}
		})
	}
}

// Fingers that zoomed show a part of the page: clicks hit what is there, and scroll to what is not.
func TestPinchZoom(t *testing.T) {
	start(t)
	inner := html(`<body style="margin:0"><button id=i style="position:absolute;left:30px;top:20px;width:60px;height:30px" onclick="parent.postMessage(1, '*')">in</button>`)
	open(t, html(strings.Replace(zoomed, "/page/PART", inner, 1)))
	want(t, `cdp("Emulation.setDeviceMetricsOverride", M{"width": 400, "height": 600, "deviceScaleFactor": 1, "mobile": true}); reload(); waitForLoad()
for i := 0; i < 20 && js("visualViewport.scale") != 2.0; i++ { cdp("Emulation.setPageScaleFactor", M{"pageScaleFactor": 2}); wait(0.1) }
clickOn("#b"); clickOn("#i"); clickOn("#b"); waitFor("inner > 0")
fmt.Println(js("[hits, inner, visualViewport.scale, visualViewport.offsetLeft > 0]"))`, "[2 1 2 true]")
	want(t, `clickOn("#i"); waitFor("inner > 1"); b := js("(b => [b.left + 60, b.top + 35])(document.querySelector('iframe').getBoundingClientRect())"); click(as[float64](get(b, 0)), as[float64](get(b, 1))); waitFor("inner > 2"); js("inner")`, "3")
	fails(t, `js("scrollTo(0, 0)"); click(1, 590)`, "bad_value", "pinch-zoomed")
}
