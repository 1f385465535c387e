package helpers_test

import (
	"image"
	_ "image/jpeg"
	_ "image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestNavigate(t *testing.T) {
	one, two := html(`<title>one</title>`), html(`<title>two</title>`)
	open(t, one)
	want(t, `navigate("SITE`+two+`")`, `{"navigated":"SITE`+two+`"}`)
	want(t, `js("document.title")`, "two")
	want(t, `navigate("SITE/redirect?to=`+one+`")`, `{"navigated":"SITE`+one+`"}`)
	want(t, `navigate("SITE`+one+`#part")`, `{"navigated":"SITE`+one+`#part"}`)
	want(t, `back(); back(); fmt.Println(js("document.title")); forward(); fmt.Println(js("document.title")); reload(); js("document.title")`, "two\none\none")
	want(t, `navigate(strings.TrimPrefix("SITE`+two+`", "http://")); js("location.href")`, "SITE"+two)
	want(t, `navigate("about:blank"); js("location.href")`, "about:blank")
	want(t, `navigate("data:text/html,<title>data</title>"); js("document.title")`, "data")
	fails(t, `forward()`, "navigation_failed")
	fails(t, `navigate("http://127.0.0.1:1/")`, "navigation_failed", "http://127.0.0.1:1/", "ERR_")
	fails(t, `navigate("nosuchhost.invalid")`, "navigation_failed", "https://nosuchhost.invalid")
	want(t, `for i := 0; i < 4; i++ { try(func() { navigate("http://127.0.0.1:4/") }); fmt.Println(len(navigate("SITE/slow?ms=100"))) }`, "1\n1\n1\n1") // no {failed} of the one before
	want(t, `navigate("SITE/status?code=404"); js("document.body.innerText")`, "status 404")
}

func TestWithScheme(t *testing.T) {
	want(t, `for _, a := range []string{"example.com", "example.com:8080/x?y=a:b", "localhost:3000", "127.0.0.1:80/x", "about:blank", "mailto:a@b", "http://x", "data:,x"} {
	fmt.Println(withScheme(a))
}`, `https://example.com
https://example.com:8080/x?y=a:b
http://localhost:3000
http://127.0.0.1:80/x
about:blank
mailto:a@b
http://x
data:,x`)
}

func TestPageInfo(t *testing.T) {
	open(t, html(`<title>info</title><body style="margin:0"><div style="width:3000px;height:5000px">`))
	want(t, `js("scrollTo(100, 200)")
i := pageInfo()
fmt.Println(len(i), i["title"], i["url"] == js("location.href"), i["sx"], i["sy"], i["pw"], i["ph"], i["w"] == js("innerWidth"), i["h"] == js("innerHeight"))`,
		"8 info true 100 200 3000 5000 true true")
	want(t, `go func() { try(func() { js("alert('stop')") }) }(); wait(0.5); pageInfo()`,
		`{"dialog":{"default":"","message":"stop","type":"alert","url":"`+out(t, `currentTab()["url"]`)+`"}}`)
	out(t, `acceptDialog()`)
}

func picture(t *testing.T, path string) (image.Config, string, int64) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	c, kind, err := image.DecodeConfig(f)
	if err != nil {
		t.Fatal(path, err)
	}
	info, _ := f.Stat()
	return c, kind, info.Size()
}

func TestScreenshot(t *testing.T) { // field case 36
	open(t, html(`<style>::-webkit-scrollbar{display:none}</style><body style="margin:0;height:3000px;background:linear-gradient(red, blue)">`))
	dir := t.TempDir()
	shot := func(snippet string, w, h int, kind string) string {
		t.Helper()
		path := out(t, strings.ReplaceAll(snippet, "DIR", dir))
		c, k, size := picture(t, path)
		if c.Width != w || c.Height != h || k != kind || size > 1<<20 {
			t.Errorf("%s: %d×%d %s of %d bytes, want %d×%d %s", snippet, c.Width, c.Height, k, size, w, h, kind)
		}
		return path
	}
	out(t, `cdp("Emulation.setDeviceMetricsOverride", M{"width": 800, "height": 600, "deviceScaleFactor": 2, "mobile": false})`)
	defer out(t, `cdp("Emulation.clearDeviceMetricsOverride")`)
	own := shot(`screenshot()`, 800, 600, "png")
	defer os.Remove(own)
	if info, _ := os.Stat(own); info.Mode().Perm() != 0o600 {
		t.Errorf("others can read the picture: %v", info.Mode())
	}
	shot(`screenshot("DIR/full.png", M{"full": true})`, 800, 3000, "png")
	shot(`screenshot("DIR/photo.jpg")`, 800, 600, "jpeg")
	shot(`screenshot("DIR/small.png", M{"max": 400})`, 400, 300, "png")
	shot(`screenshot("DIR/sharp.png", M{"scale": 2})`, 1600, 1200, "png")
	shot(`screenshot("DIR/part.png", M{"clip": M{"x": 100, "y": 1500, "width": 50, "height": 40}})`, 50, 40, "png")
	out(t, `cdp("Emulation.setDeviceMetricsOverride", M{"width": 4000, "height": 1000, "deviceScaleFactor": 1, "mobile": false})`)
	_, stderr, _ := run(t, strings.ReplaceAll(`screenshot("DIR/wide.png")`, "DIR", dir))
	if c, _, _ := picture(t, filepath.Join(dir, "wide.png")); c.Width != 2000 || c.Height != 500 || !strings.Contains(stderr, "2 CSS pixels") {
		t.Errorf("a wide window: %v, said %q", c, stderr)
	}
}

func TestScreenshotOfNoise(t *testing.T) { // as a PNG it has far more than 1 MB
	open(t, html(`<body style="margin:0"><canvas id=c width=1200 height=700></canvas><script>
const g = c.getContext('2d'), d = g.createImageData(1200, 700);
for (let i = 0; i < d.data.length; i++) d.data[i] = i % 4 == 3 ? 255 : Math.random() * 256;
g.putImageData(d, 0, 0)</script>`))
	path := out(t, `screenshot("`+t.TempDir()+`/noise.png")`)
	if _, kind, size := picture(t, path); filepath.Ext(path) != ".jpg" || kind != "jpeg" || size > 1<<20 {
		t.Errorf("%s is a %s of %d bytes", path, kind, size)
	}
}

func TestPDF(t *testing.T) {
	open(t, html(`<p>printed`))
	path := out(t, `pdf("`+t.TempDir()+`/page.pdf", M{"landscape": true})`)
	if b, err := os.ReadFile(path); err != nil || !strings.HasPrefix(string(b), "%PDF-") {
		t.Errorf("%v %.20q", err, b)
	}
}

func TestCookies(t *testing.T) {
	open(t, html(`<p>x`))
	want(t, `js("document.cookie = 'flavour=oat'")
for _, c := range cookies() { if get(c, "name") == "flavour" { fmt.Println(get(c, "value")) } }
len(cookies("http://example.com/"))`, "oat\n0")
}
