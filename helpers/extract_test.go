package helpers_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"os"
	"regexp"
	"strings"
	"testing"
)

type element struct {
	UID, Role, Name, Value, Context, Region, Href, Type string
	Checked, Disabled, Expanded, Selected, Required     any
	Options                                             []string
}

type reading struct {
	Markdown, Text string
	Elements       []element
	Capped         []string
}

// read runs an extract and gives what came of it.
func read(t *testing.T, call string) (r reading) {
	t.Helper()
	file := t.TempDir() + "/r.json"
	out(t, fmt.Sprintf("b, _ := json.Marshal(%s); os.WriteFile(%q, b, 0o600)", call, file))
	b, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(b, &r)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (r reading) named(name string) (found element) {
	for _, e := range r.Elements {
		if e.Name == name {
			return e
		}
	}
	return found
}

var uids = regexp.MustCompile(`\be\d+\b`)

var markers = regexp.MustCompile(`\{(e\d+)`)

func TestExtractReadsAsThePageDoes(t *testing.T) {
	open(t, "/read.html")
	r := read(t, "extract()")
	want := "# Main title\n\nFirst **bold** and *leaning* text with `code`, a [link to there](/there){E}.\n" + `
- apple
- pear
  1. sub one
  2. sub two

![A chart]

| Name | City | Do |
| --- | --- | --- |
| Jane Doe | Bonn | {E button "View"} |
| John Roe | Ulm | {E button "View"} |

` + "```\n  two\n    lines\n```" + `

Mail {E textbox "Mail"="a@example.com" required} {E checkbox "News" checked} Plan {E combobox "Plan"="Paid"} {E button "Send" disabled} {E textbox "Key"="••••••••"}
{E summary "More" collapsed}
{E tab "First tab" selected} {E tab "Second tab"}
{E} Click me

(left out: header E (1 elements), nav E (2 elements), consent E (1 elements), footer E (1 elements); extract("E") reads one)`
	if got := uids.ReplaceAllString(r.Markdown, "E"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if e := r.named("Mail"); e.Role != "textbox" || e.Type != "email" || e.Value != "a@example.com" || e.Required != true {
		t.Errorf("%+v", e)
	}
	if e := r.named("Plan"); e.Role != "combobox" || e.Value != "Paid" || strings.Join(e.Options, ",") != "Free,Paid" {
		t.Errorf("%+v", e)
	}
	if e := r.named("News"); e.Checked != true {
		t.Errorf("%+v", e)
	}
	if e := r.named("Accept all"); e.Region != "consent" {
		t.Errorf("%+v", e)
	}
	if e := r.named("View"); e.Context != "row: Jane Doe" {
		t.Errorf("%+v", e)
	}
	if r.named("Off").UID != "" || r.named("Imprint").Href != "/imprint" {
		t.Errorf("%+v", r.Elements)
	}
	for _, e := range r.Elements {
		if e.Region == "" && strings.Count(r.Markdown, "{"+e.UID) != 1 {
			t.Errorf("%+v stands %d times in the Markdown", e, strings.Count(r.Markdown, "{"+e.UID))
		}
	}
	if !strings.Contains(r.Text, "First bold and leaning text") || !strings.Contains(r.Text, "We use cookies") || strings.Contains(r.Text, "not displayed") {
		t.Errorf("text: %s", r.Text)
	}
	if len(r.Capped) > 0 {
		t.Errorf("capped: %v", r.Capped)
	}
}

// What is struck out, counted down or measured says so.
func TestExtractStruckAndMeasured(t *testing.T) {
	open(t, html("<p><s>$20</s> <del>$15</del> $10</p><ol reversed><li>two<li>one</ol><ol reversed start=9><li>nine</ol><progress value=3 max=10></progress> <meter value=.5 aria-label=Disk>half</meter> <progress>some</progress>"))
	want(t, `extract()["markdown"]`, "~~$20~~ ~~$15~~ $10\n\n2. two\n1. one\n\n9. nine\n\nprogressbar 3/10 Disk meter 0.5/1 progressbar")
}

func TestExtractParts(t *testing.T) {
	open(t, "/read.html")
	if m := read(t, `extract("nav")`).Markdown; uids.ReplaceAllString(m, "E") != "[One](#one){E} [Two](#two){E}" {
		t.Error(m)
	}
	if m := read(t, `extract("table", "#cookies")`).Markdown; !strings.HasPrefix(m, "| Name") || !strings.Contains(m, "Accept all") || strings.Contains(m, "Main title") {
		t.Error(m)
	}
	if m := read(t, `extract("body, nav, footer")`).Markdown; !strings.Contains(m, "(#one)") || !strings.Contains(m, "Main title") || !strings.Contains(m, "/imprint") || !strings.Contains(m, "left out: header") {
		t.Error(m)
	}
	if m := read(t, `extract("*")`).Markdown; strings.Contains(m, "left out") || strings.Count(m, "Main title") != 1 {
		t.Error(m)
	}
	want(t, `u := get(extract("main table"), "elements", 1, "uid"); e := extract(u)["elements"]; fmt.Println(get(e, 0, "uid") == u, len(as[[]any](e)))`, "true 1")
	fails(t, `extract("#nothing")`, "element_not_found", "#nothing")
	fails(t, `extract("e999999")`, "element_stale")
	fails(t, `extract("p[")`, "bad_request")
}

// Text and controls are found wherever they are drawn.
func TestExtractFinds(t *testing.T) {
	open(t, "/see-shadow.html")
	r := read(t, "extract()")
	for _, name := range []string{"Deep button", "Deep label", "Slotted button", "Nested field", "Custom button text", "two", "SVG link", "SVG button", "Menu", "Rich editor", "In srcdoc", "Field"} {
		if e := r.named(name); e.UID == "" {
			t.Errorf("no %s", name)
		}
	}
	for _, text := range []string{"slotted **text**", "default slot text", "[two](#two)", `textbox "Rich editor"="para bold"`, "In srcdoc"} {
		if !strings.Contains(r.Markdown, text) {
			t.Errorf("no %q in\n%s", text, r.Markdown)
		}
	}
	if !strings.Contains(r.Text, "In srcdoc") || !strings.Contains(r.Text, "By id") {
		t.Error(r.Text)
	}
	open(t, html(`<style>svg{display:block;overflow:hidden}</style><p>Rated <span role=img aria-label="4 of 5 stars">★★★★☆</span> by <svg width=9 height=9><title>Friends</title></svg></p>
<canvas width=300 height=100 aria-label="Chart"></canvas><div aria-hidden=true>seen though hidden from readers</div>`))
	if m := read(t, "extract()").Markdown; uids.ReplaceAllString(m, "E") != "Rated 4 of 5 stars by\nFriends\n\n{E Canvas \"Chart\" 300×100}\nseen though hidden from readers" {
		t.Error(m)
	}
}

// A modal dialog is what can be used while it is open.
func TestExtractModal(t *testing.T) {
	open(t, html(`<h1>Behind</h1><dialog id=d><h2>Sure?</h2><button>Yes</button></dialog><script>d.showModal()</script>`))
	if m := read(t, "extract()").Markdown; uids.ReplaceAllString(m, "E") != "## Sure?\n\n{E button \"Yes\"}" {
		t.Error(m)
	}
}

// A page that is all navigation is read all the same.
func TestExtractOnlyRegions(t *testing.T) {
	open(t, html(`<nav><a href="/a">A</a></nav>`))
	if m := read(t, "extract()").Markdown; uids.ReplaceAllString(m, "E") != "[A](/a){E}" {
		t.Error(m)
	}
	open(t, html(``))
	want(t, `e := extract(); fmt.Printf("%q %v %q", e["markdown"], e["elements"], e["text"])`, `"" [] ""`)
}

// Field case 51: what does not fit is left out by rows, with a count and the way to the rest.
func TestExtractCaps(t *testing.T) {
	var b strings.Builder
	for i := 1; i <= 1000; i++ {
		fmt.Fprintf(&b, "<tr><td>Person %d<td>p%d@example.com<td><button>View</button><button>Edit</button>", i, i)
	}
	open(t, html(`<h1>Before</h1><table id=t><thead><tr><th>Name<th>Mail<th>Do</thead>`+b.String()+`</table><p>After the table</p>`))
	r := read(t, "extract()")
	if n := len([]rune(r.Markdown)); n > 24000 || n < 20000 || !strings.Contains(r.Markdown, "After the table") {
		t.Errorf("%d characters, ending %q", n, r.Markdown[len(r.Markdown)-200:])
	}
	note := regexp.MustCompile(`… (\d+) more rows \((\d+) to 1000\): extract\("(e\d+)", (\d+)\)`).FindStringSubmatch(r.Markdown)
	if note == nil || len(r.Capped) != 1 || !strings.Contains(r.Capped[0], note[1]+" more rows") {
		t.Fatalf("%v, %v", note, r.Capped)
	}
	var left, from int
	fmt.Sscan(note[1], &left)
	fmt.Sscan(note[2], &from)
	if from+left != 1001 || strings.Count(r.Markdown, "| Person") != from-1 || len(r.Elements) != 2*(from-1) {
		t.Errorf("%v: %d rows, %d elements", note, strings.Count(r.Markdown, "| Person"), len(r.Elements))
	}
	next := read(t, fmt.Sprintf("extract(%q, %s)", note[3], note[4]))
	if !strings.HasPrefix(next.Markdown, "| Name | Mail | Do |\n| --- | --- | --- |\n| Person "+note[2]+" |") {
		t.Errorf("%.200s", next.Markdown)
	}
	if all := read(t, `extract("#t", M{"limit": 10000000})`); len(all.Elements) != 2000 || strings.Count(all.Markdown, "\n") != 1001 || all.Capped != nil {
		t.Errorf("%d elements, %v", len(all.Elements), all.Capped)
	}
	if len(r.Text) > 24100 || !strings.Contains(r.Text, "more characters") {
		t.Errorf("%d of text", len(r.Text))
	}

	open(t, html(`<ul>`+strings.Repeat("<li>"+strings.Repeat("word ", 20), 1000)+`</ul><pre>`+strings.Repeat("x", 60000)+`</pre>`))
	r = read(t, "extract()")
	if len([]rune(r.Markdown)) > 24000 || len(r.Capped) < 1 || !strings.Contains(r.Markdown, "more rows") || !strings.Contains(r.Markdown, "more characters") {
		t.Errorf("%d characters, %v", len([]rune(r.Markdown)), r.Capped)
	}
}

// A uid belongs to one element as long as its document lives, and to no other ever.
func TestUIDs(t *testing.T) {
	open(t, "/act.html")
	get := func(r reading) map[string]string {
		m := map[string]string{}
		for _, e := range r.Elements {
			if e.Name != "" {
				m[e.Name] = e.UID
			}
		}
		return m
	}
	first := get(read(t, "extract()"))
	out(t, `js("document.body.append(plain); history.pushState(0, '', '?x'); document.body.prepend(Object.assign(document.createElement('button'), { textContent: 'Newcomer' }))")`)
	second := get(read(t, "extract()"))
	for name, uid := range first {
		if second[name] != uid {
			t.Errorf("%s was %s, is %s", name, uid, second[name])
		}
	}
	if second["Newcomer"] == "" {
		t.Error("the new button is not there")
	}
	all := map[string]bool{}
	for i := 0; i < 3; i++ {
		for name, uid := range get(read(t, `func() M { reload(); waitForLoad(); return extract() }()`)) {
			if all[uid] || first[name] == uid {
				t.Errorf("%s again, for %s", uid, name)
			}
			all[uid] = true
		}
	}
}

// An edit of a page-side file counts at the next call, and the page keeps its uids.
func TestEngineEdit(t *testing.T) {
	open(t, html(`<button>One</button>`))
	before := read(t, "extract()").named("One").UID
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(".")); err != nil {
		t.Fatal(err)
	}
	walk, _ := os.ReadFile(dir + "/engine/js/see/walk.js")
	os.WriteFile(dir+"/engine/js/see/walk.js", bytes.Replace(walk, []byte("const mark = "), []byte("const EDITED = 1, mark = "), 1), 0o600)
	extractJS, _ := os.ReadFile(dir + "/engine/js/see/extract.js")
	os.WriteFile(dir+"/engine/js/see/extract.js", append(extractJS, "\nengine.edited = () => 'yes';\n"...), 0o600)
	if got := out(t, `engine.Ask("edited")`, "BU_HELPERS="+dir); got != "yes" {
		t.Error(got)
	}
	if got := out(t, `get(extract()["elements"], 0, "uid")`, "BU_HELPERS="+dir); got != before {
		t.Errorf("%s became %s", before, got)
	}
}

func TestScreenshotMarks(t *testing.T) {
	open(t, "/act.html")
	file := t.TempDir() + "/marks.png"
	want(t, fmt.Sprintf(`js("window.changes = 0; new MutationObserver(() => changes++).observe(document, { subtree: true, childList: true, attributes: true, characterData: true }); 0")
r := screenshotMarks(%q)
names := ""
for _, e := range as[[]any](r["elements"]) { names += as[string](get(e, "name")) + "," }
fmt.Println(strings.Contains(names, "Plain,"), strings.Contains(names, "Far,"), strings.Contains(names, "None,"), js("changes"))`, file), "true false false 0")
	marked := pixels(t, file)
	colours := 0
	for x := 0; x < 300; x++ {
		for y := 0; y < 60; y++ {
			if r, g, b, _ := marked.At(x, y).RGBA(); r>>8 == 0xd7 && g>>8 == 0x26 && b>>8 == 0x3d {
				colours++
			}
		}
	}
	if colours < 50 {
		t.Errorf("%d pixels of the first mark's colour", colours)
	}
}

// A pixel of the picture is a CSS pixel on a screen of twice the density too.
func TestScreenshotMarksDense(t *testing.T) {
	open(t, html(`<body style="margin:0"><button style="position:absolute;left:40px;top:30px;width:100px;height:50px;border:0;background:#fff">x</button>`))
	p := pixels(t, out(t, fmt.Sprintf(`cdp("Emulation.setDeviceMetricsOverride", M{"width": 400, "height": 300, "deviceScaleFactor": 2, "mobile": false}); screenshotMarks(%q)["path"]`, t.TempDir()+"/dense.png")))
	if p.Bounds().Dx() != 400 || p.Bounds().Dy() != 300 {
		t.Fatal(p.Bounds())
	}
	for _, at := range [][2]int{{40, 70}, {139, 70}, {90, 79}} {
		if r, g, _, _ := p.At(at[0], at[1]).RGBA(); r>>8 != 0xd7 || g>>8 != 0x26 {
			t.Errorf("no mark's edge at %v", at)
		}
	}
}

func TestScreenshotMarksInFrames(t *testing.T) {
	inner := html(`<button>In</button><div style="height:5000px"></div><button>Below</button>`)
	open(t, html(`<button>Out</button><iframe src="OTHER`+inner+`"></iframe>`))
	want(t, `names := ""
for _, e := range as[[]any](screenshotMarks()["elements"]) { names += as[string](get(e, "name")) + "," }
names`, "Out,In,")
}

func TestScreenshotOf(t *testing.T) {
	open(t, html(`<div style="height:2000px"></div><div id=a style="width:100px;height:50px;background:#0f0"></div>`))
	p := pixels(t, out(t, fmt.Sprintf("screenshotOf(`#a`, %q)", t.TempDir()+"/a.png")))
	if p.Bounds().Dx() != 100 || p.Bounds().Dy() != 50 {
		t.Fatal(p.Bounds())
	}
	if _, g, _, _ := p.At(50, 25).RGBA(); g>>8 < 200 {
		t.Error("not the element's green")
	}
	fails(t, "screenshotOf(`#zz`)", "element_not_found")
	inner := html(`<body style="margin:0"><div style="height:900px"></div><div id=b style="width:40px;height:30px;background:#0f0"></div><div style="height:900px"></div>`)
	open(t, html(`<div style="height:1500px"></div><iframe src="OTHER`+inner+`" style="width:300px;height:200px;border:7px solid"></iframe><div style="height:1500px"></div>`))
	p = pixels(t, out(t, fmt.Sprintf("screenshotOf(`#b`, %q)", t.TempDir()+"/b.png")))
	if p.Bounds().Dx() != 40 || p.Bounds().Dy() != 30 {
		t.Fatal(p.Bounds())
	}
	for _, at := range [][2]int{{1, 1}, {38, 28}} {
		if r, g, _, _ := p.At(at[0], at[1]).RGBA(); g>>8 < 200 || r>>8 > 50 {
			t.Errorf("%v is not the element's green", at)
		}
	}
}

// What a frame of another site has just drawn is on the picture, at any depth.
func TestScreenshotOfFrames(t *testing.T) {
	fill := `<body style="margin:0"><style>iframe { border: 0; width: 100%; height: 100vh }</style>`
	inner := html(fill + "innermost")
	open(t, html(fill+`<iframe src="OTHER`+html(fill+`<iframe src="SITE`+inner+`"></iframe>`)+`"></iframe>`))
	file := out(t, fmt.Sprintf(`waitFor("text=innermost")
for _, id := range engine.FrameTargets() { js("if (location.pathname == '%s') document.body.style.background = '#0f0'", id) }
screenshot(%q)`, inner, t.TempDir()+"/a.png"))
	p := pixels(t, file)
	if r, g, _, _ := p.At(p.Bounds().Dx()/2, p.Bounds().Dy()/2).RGBA(); g>>8 < 200 || r>>8 > 50 {
		t.Errorf("the frame within the frame is not green, but %v", p.At(p.Bounds().Dx()/2, p.Bounds().Dy()/2))
	}
}

func pixels(t testing.TB, file string) image.Image {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// What cannot be clicked for want of room is not listed; text that runs out of its box of no size can be.
func TestExtractSizes(t *testing.T) {
	open(t, html(`<style>a{display:inline-block;width:0;height:0}</style><a href=#1 style="overflow:hidden">Clipped</a><br><a href=#2>Spilled</a><br><br>
<button style="display:contents">Contents</button><a href=#3><img src="data:," width=0 height=0></a>`))
	r := read(t, "extract()")
	if n := len(r.Elements); n != 2 {
		t.Errorf("%d elements: %s", n, r.Markdown)
	}
	want(t, fmt.Sprintf(`clickOn(%q); js("location.hash")`, r.named("Spilled").UID), "#2")
	want(t, fmt.Sprintf(`js("document.querySelector('button').onclick = () => location.hash = 'b'; 0"); clickOn(%q); js("location.hash")`, r.named("Contents").UID), "#b")
}

// Controls stand inside others: in editors, in labels that label nothing, in what says it is a button.
func TestExtractNested(t *testing.T) {
	open(t, html(`<label role=button tabindex=0>Lone label</label><div contenteditable>text <button contenteditable=false>Island</button></div>
<span role=button tabindex=0>Chip <span role=button tabindex=0 aria-label="Remove chip">x</span></span>`))
	r := read(t, "extract()")
	for _, name := range []string{"Lone label", "Island", "Remove chip"} {
		if r.named(name).UID == "" {
			t.Errorf("no %q in %s", name, r.Markdown)
		}
	}
}
