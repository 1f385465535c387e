package helpers_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestClickOn(t *testing.T) {
	open(t, "/act.html")
	for _, id := range []string{"plain", "far", "inscroller", "deep", "link"} {
		want(t, fmt.Sprintf(`clickOn("#%s"); js("clicks.at(-1)")`, id), id)
	}
	want(t, `clickOn("#moving"); js("moving.style.left = '300px'"); clickOn("#moving"); js("clicks.slice(-2).join()")`, "moving,moving")
	want(t, `clickOn("#box"); clickOn("#radio"); js("[box.checked, radio.checked].join()")`, "true,true")
	want(t, `e := extract()["elements"]
uid := func(name string) string { for _, x := range as[[]any](e) { if get(x, "name") == name { return as[string](get(x, "uid")) } }; return "e1" }
clickOn(uid("Deep")); clickOn(uid("Custom box")); clickOn(uid("Far"))
js("clicks.filter(Boolean).slice(-3).join() + ' ' + box.checked")`, "deep,box,far false")
	want(t, `clickOn("#plain", 2); clickOn("#plain", "right"); js("addEventListener('contextmenu', () => window.menu = 1)"); clickOn("#plain", "right"); js("menu")`, "1")
}

// What an action caused is in its result: field case 17 and its like.
func TestClickOnTells(t *testing.T) {
	open(t, "/act.html")
	want(t, `clickOn("#ask")["dialog"].(M)["message"]`, "Really?")
	want(t, `dismissDialog(); js("answer")`, "false")
	want(t, `r := clickOn("#blank"); closeTab(r["newTab"]); len(r)`, "1")
	want(t, `clickOn("#next")`, `{"navigated":"SITE/act2.html"}`)
	open(t, html(`<a href="/download?name=a.txt&size=10">Download</a>`))
	want(t, `clickOn("a")["download"].(M)["name"]`, "a.txt")
}

// No false success: an error that says why, and the page saw nothing. Field cases 38, 39 and 49.
func TestClickOnRefuses(t *testing.T) {
	open(t, "/act.html")
	refuse := func(target, code string, words ...string) {
		t.Helper()
		out(t, `js("presses = 0")`)
		fails(t, fmt.Sprintf("clickOn(%q)", target), code, words...)
		want(t, `js("presses")`, "0")
	}
	refuse("#disabled", "element_disabled", `"Disabled"`)
	refuse("#infieldset", "element_disabled")
	refuse("#ariadisabled", "element_disabled")
	refuse("#inert", "element_disabled", "inert")
	refuse("#none", "element_hidden", "display: none")
	refuse("#inv", "element_hidden", "visibility: hidden")
	refuse("#zero", "element_hidden", "no size")
	refuse("#nopointer", "element_covered", "pointer-events")
	refuse("#nothing", "element_not_found", "#nothing")
	refuse("e999999", "element_stale", "e999999")
	refuse("p[", "bad_request")
	refuse("Plain", "element_not_found")
	out(t, `js("cover('<p>We use cookies</p><button>Accept</button>')")`)
	refuse("#plain", "element_covered", `id="cover"`, "We use cookies", "Accept")
	refuse("#deep", "element_covered", `id="cover"`)
	want(t, `js("cover.remove ? 0 : document.querySelector('#cover').remove()"); js("document.querySelector('#cover')?.remove()"); clickOn("#plain"); js("clicks.at(-1)")`, "plain")
}

// An overlay that fades away is waited for; one that comes at the last moment, when the mouse is already there, gets nothing.
func TestClickOnWhileThingsMove(t *testing.T) {
	open(t, "/act.html")
	want(t, `js("cover('fading'); const c = document.querySelector('#cover'); c.animate([{ opacity: 1 }, { opacity: 0 }], 500).onfinish = () => c.remove()")
clickOn("#plain"); js("clicks.join()")`, "plain")
	out(t, `js("clicks = []; presses = 0; plain.addEventListener('mousemove', () => document.querySelector('#cover') || cover('on hover'))")`)
	fails(t, `clickOn("#plain")`, "element_covered", "on hover")
	want(t, `js("clicks.length + presses")`, "0")
}

// Field cases 40 and 41.
func TestStale(t *testing.T) {
	open(t, "/act.html")
	uid := out(t, `for _, e := range as[[]any](extract()["elements"]) { if get(e, "name") == "Rerender" { fmt.Print(get(e, "uid")) } }`)
	want(t, fmt.Sprintf(`clickOn(%q); js("clicks.at(-1)")`, uid), "rerender")
	fails(t, fmt.Sprintf("clickOn(%q)", uid), "element_stale", uid, "extract()")
	first := out(t, `get(extract()["elements"], 0, "uid")`)
	out(t, `clickOn("#next")`)
	fails(t, fmt.Sprintf("clickOn(%q)", first), "element_stale", "extract()")
	want(t, `js("document.title")`, "act2")
	fresh := out(t, `get(extract()["elements"], 0, "uid")`)
	if fresh == first {
		t.Errorf("%s names an element of two pages", fresh)
	}
	want(t, `back(); first := get(extract()["elements"], 0, "uid"); first != `+fmt.Sprintf("%q", fresh), "true")
}

func TestHoverScrollDrag(t *testing.T) {
	open(t, html(`<style>#a:hover{color:red}.tall{height:1500px}</style><div class=tall></div><b id=a>hover</b><div class=tall></div>
<div id=s draggable=true>drag me</div><div id=d style="height:50px">here</div>
<script>d.ondragover = e => e.preventDefault(); s.ondragstart = e => e.dataTransfer.setData('text', 'moved'); d.ondrop = e => d.textContent = e.dataTransfer.getData('text')</script>`))
	want(t, `hoverOn("#a"); js("a.matches(':hover')")`, "true")
	want(t, `scrollTo("#s"); js("s.getBoundingClientRect().top > 0 && s.getBoundingClientRect().bottom <= innerHeight")`, "true")
	want(t, `dragTo("#s", "#d"); js("d.textContent")`, "moved")
	fails(t, `scrollTo("#zz")`, "element_not_found")
}

func TestFill(t *testing.T) {
	open(t, "/form.html")
	for _, c := range [][2]string{{"name", "new"}, {"age", "42"}, {"day", "2026-02-03"}, {"when", "2026-02-03T04:05"}, {"month", "2026-02"}, {"week", "2026-W07"},
		{"at", "12:34"}, {"volume", "7"}, {"colour", "#ff8800"}, {"secret", "pass word"}, {"notes", "two\nlines"}, {"controlled", "stays"}, {"name", "naïve 日本語 😀 עברית"}, {"name", ""}} {
		want(t, fmt.Sprintf(`fmt.Print(fill(%q, %q) == nil, " "); js(%q)`, "#"+c[0], c[1], "document.querySelector('#"+c[0]+"').value"), "true "+c[1])
	}
	want(t, `js("document.querySelector('#controlled').dataset.state")`, "stays")
	want(t, `js("seen.day.join() + ' ' + seen.controlled.slice(0, 3).join()")`, "input*,change* beforeinput,input,change*")
	want(t, `fill("#masked", "1234567890")`, `{"value":"(123) 4567890"}`)
	want(t, `fill("#short", "too long")`, `{"value":"too l"}`)
	want(t, `fill("#editor", "new\nlines"); js("editor.innerText.replace(/\\n+/g, '|')")`, "new|lines")
	want(t, `fill("#inside", "in shadow"); js("document.querySelector('x-box').shadowRoot.querySelector('input').value")`, "in shadow")
	want(t, `fill("#fruit", "Banana"); js("fruit.value")`, "b")
	want(t, `text := strings.Repeat("0123456789 line\n", 1280); fill("#notes", text); js("notes.value.length + ' ' + seen.notes.includes('input')")`, "20480 true")
}

func TestFillRefuses(t *testing.T) {
	open(t, "/form.html")
	fails(t, `fill("#day", "3 May")`, "bad_value", "2026-01-31")
	fails(t, `fill("#colour", "red")`, "bad_value", "#ff8800")
	fails(t, `fill("#volume", "99")`, "bad_value")
	fails(t, `fill("#age", "abc")`, "bad_value")
	fails(t, `fill("#fixed", "x")`, "element_disabled", "read-only")
	fails(t, `fill("#choose", "x")`, "bad_request")
	fails(t, `fill("#file", "x")`, "bad_request", "uploadFile")
	fails(t, `fill("#nothing", "x")`, "element_not_found")
	want(t, `js("Object.keys(seen).filter(k => k !== 'age').length")`, "0")
}

// Typed text goes to the caret: field case 29.
func TestTypeInto(t *testing.T) {
	open(t, "/form.html")
	want(t, `typeInto("#name", " and more"); js("document.querySelector('#name').value")`, "old and more")
	want(t, `js("document.querySelector('#name').setSelectionRange(0, 0)"); typeInto("#name", "so "); js("document.querySelector('#name').value")`, "so old and more")
	want(t, `typeInto("#editor", " typed"); js("editor.innerText")`, "old text typed")
	want(t, `typeInto("#inside", "abc"); js("document.querySelector('x-box').shadowRoot.querySelector('input').value")`, "abc")
	want(t, `typeInto("#day", "2026-03-04"); js("day.value")`, "2026-03-04")
	fails(t, `typeInto("#choose", "x")`, "bad_request")

	// Typing that went elsewhere is no success.
	open(t, html(`<input id=a oninput="document.querySelector('#b').focus()"><input id=b><input id=up oninput="value = value.toUpperCase()"><textarea id=t></textarea>`))
	want(t, `typeInto("#a", "word")`, `{"value":"w"}`)
	want(t, `typeInto("#up", "word")`, `{"value":"WORD"}`)
	want(t, "fmt.Println(typeInto(`#t`, \"two\\nlines\") == nil)", "true")
}

func TestSelectOption(t *testing.T) {
	open(t, "/form.html")
	want(t, `selectOption("#fruit", "b"); js("fruit.value + ' ' + seen.fruit.join()")`, "b input*,change*")
	want(t, `selectOption("#fruit", "Apple"); js("fruit.value")`, "a")
	want(t, `selectOption("#tags", "y", "z"); js("[...tags.selectedOptions].map(o => o.value).join()")`, "y,z")
	want(t, `selectOption("#tags"); js("tags.selectedOptions.length")`, "0")
	fails(t, `selectOption("#fruit", "Kiwi")`, "bad_value", `"Apple"`, `"Banana"`)
	fails(t, `selectOption("#fruit", "Cherry")`, "element_disabled")
	fails(t, `selectOption("#fruit", "a", "b")`, "bad_value")
	fails(t, `selectOption("#name", "a")`, "bad_request")
}

func TestUploadFile(t *testing.T) {
	open(t, "/form.html")
	a, b := filepath.Join(t.TempDir(), "a.txt"), filepath.Join(t.TempDir(), "b.txt")
	os.WriteFile(a, []byte("content"), 0o600)
	os.WriteFile(b, []byte("b"), 0o600)
	want(t, fmt.Sprintf(`uploadFile("#file", %q); js("document.querySelector('#file').files[0].text()")`, a), "content")
	want(t, `js("seen.file.join()")`, "input,change")
	want(t, fmt.Sprintf(`uploadFile("#files", %q, %q); js("[...files.files].map(f => f.name).join()")`, a, b), "a.txt,b.txt")
	want(t, fmt.Sprintf(`uploadFile("#filelabel", %q); uploadFile("#choose", %q); js("document.querySelector('#file').files[0].name")`, a, b), "b.txt")
	fails(t, `uploadFile("#file", "/nosuch.pdf")`, "bad_value", "/nosuch.pdf")
	fails(t, fmt.Sprintf(`uploadFile("#file", %q, %q)`, a, b), "bad_value")
	fails(t, fmt.Sprintf(`uploadFile("#name", %q)`, a), "bad_request")
	out(t, `js("document.body.insertAdjacentHTML('beforeend', '<p id=zone>Drop files here'); zone.ondragover = e => e.preventDefault(); zone.ondrop = e => { e.preventDefault(); zone.textContent = [...e.dataTransfer.files].map(f => f.name) }")`)
	want(t, fmt.Sprintf(`uploadFile("#zone", %q, %q); js("zone.textContent")`, a, b), "a.txt,b.txt")
	open(t, "/act.html")
	want(t, fmt.Sprintf(`uploadFile("#deepfile", %q); js("document.querySelector('x-shadow').shadowRoot.querySelector('x-deep').shadowRoot.querySelector('input').files[0].name")`, a), "a.txt")
}

// Frames of another site have a process of their own; their own site's frames inside do again.
func TestActInFrames(t *testing.T) {
	leaf := html(`<button onclick="this.textContent = 'Leaf ' + event.isTrusted">Leaf</button>`)
	inner := html(`<h2>Inner</h2><div style="height:600px"></div><button id=in onclick="this.textContent = 'Inner ' + event.isTrusted">Inner button</button><input id=field aria-label=Field>
<iframe src="SITE` + leaf + `"></iframe>`)
	open(t, html(`<h1>Top</h1><div style="height:1500px"></div><iframe src="OTHER`+inner+`" width=500 height=300 style="border:9px solid;padding:5px"></iframe><iframe src="`+leaf+`"></iframe>`))
	want(t, `waitForLoad(); e := as[[]any](extract()["elements"])
for _, x := range e { if get(x, "role") == "button" { clickOn(as[string](get(x, "uid"))) } }
fill("#field", "typed")
m := as[string](extract()["markdown"])
fmt.Println(strings.Count(m, "Leaf true"), strings.Count(m, "Inner true"), strings.Contains(m, "## Inner"), strings.Contains(m, "typed"))
out := ""
for _, x := range e { out += as[string](get(x, "name")) + " " }
out`, "2 1 true true\nInner button Field Leaf Leaf ")
	want(t, `js("const c = document.createElement('div'); c.id = 'over'; c.style = 'position:fixed;inset:0;background:#fff'; document.body.append(c)"); try(func() { clickOn("#in") }).Code`, "element_covered")
	eventually(t, "the end of the run's sessions in frames", func() bool {
		return out(t, `n := 0; for _, x := range as[[]any](cdp("Target.getTargets")["targetInfos"]) { if get(x, "type") == "iframe" && get(x, "attached") == true { n++ } }; n`) == "0"
	})
}

// Chrome sends input by where it drew other sites' frames last: a press straight after a scroll is not theirs.
func TestClickWhereAFrameWas(t *testing.T) {
	other := html(`<body style="height:3000px"><script>n = 0; addEventListener('mousedown', () => n++)</script>`)
	open(t, html(`<body style="margin:0"><iframe src="OTHER`+other+`" style="width:100%;height:700px;border:0"></iframe><div style="height:900px"></div>
<button id=b style="margin-left:300px" onclick="n++">B</button><iframe sandbox=allow-scripts srcdoc="<button id=boxed onclick='this.textContent = ++n'>0</button><script>n = 0</script>"></iframe>
<div style="height:900px"></div><script>n = 0</script>`))
	want(t, `f := iframeTarget("page"); for i := 0; i < 8; i++ { js("scrollTo(0, 0)"); clickOn("#b"); js("scrollTo(0, 0)"); clickOn("#boxed") }
fmt.Println(js("n"), js("n", f), extract("#boxed")["text"]); clickOn("iframe"); js("n", f)`, "8 0 8\n1")
}

// A press that came to nothing is no click.
func TestClickIsLost(t *testing.T) {
	open(t, html(`<button onclick="n++">B</button><script>n = 0
for (const k of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click']) addEventListener(k, e => e.stopImmediatePropagation(), true)</script>`))
	fails(t, `clickOn("button")`, "element_covered", "not clicked")
	want(t, `js("n")`, "0")
}

// Where a person would click: on a label beside its link, on a row beside its button, on the label of what is out of sight.
func TestClickWhereAPersonWould(t *testing.T) {
	open(t, html(`<label id=lab style="display:block;width:300px;text-align:center"><input type=checkbox id=k>I accept <a href="#terms">terms and conditions so long</a> ok</label>
<div id=row tabindex=0 onclick="log('row')" style="padding:0 30%"><button onclick="event.stopPropagation(); log('del')" style="width:100%">Delete</button></div>
<div id=full tabindex=0><button onclick="log('full')" style="width:100%">Fills it</button></div>
<input type=radio id=r style="position:absolute;left:-9999px"><label for=r>Off left</label><ul id=list></ul>
<script>L = []; log = x => L.push(x)
draw = () => { list.innerHTML = '<li><button onclick="log(1)">One</button><li><button id=two onclick="log(2)">Two</button>' }; draw(); list.onmousemove = draw</script>`))
	want(t, `clickOn("#lab"); clickOn("#row"); clickOn("#full"); clickOn("#r"); clickOn("#two"); js("L.join() + k.checked + r.checked + location.hash")`, "row,full,2truetrue")
}

// The example of the hiring dashboard: one snippet, three panels, one slower than one would wait.
func TestDashboard(t *testing.T) {
	open(t, "/dashboard.html")
	got := out(t, `for _, e := range as[[]any](extract()["elements"]) {
	if get(e, "name") != "View" { continue }
	clickOn(as[string](get(e, "uid")))
	waitFor("#panel[aria-hidden='false']")
	waitFor("#panel .busy", "gone")
	who, _ := e.(M)["context"].(string)
	mail := js("document.querySelector('#panel a').textContent")
	fmt.Println(who, mail, strings.Contains(as[string](extract("#panel")["markdown"]), as[string](mail)))
	clickOn("#panel .close")
	waitFor("#panel[aria-hidden='true']", "hidden")
}`)
	if wanted := "card: Ada Quill ada@example.com true\ncard: Ben Moss ben@example.com true\ncard: Cleo Hart cleo@example.com true"; got != wanted {
		t.Errorf("got\n%s\nwant\n%s", got, wanted)
	}
	want(t, `m := as[string](extract()["markdown"]); strings.Contains(m, "ada@") || strings.Contains(m, "Jobs")`, "false")
}

// Field case 48: what is done in a tab in the background leaves it there.
func TestActStaysInTheBackground(t *testing.T) {
	open(t, "/act.html")
	want(t, `extract(); clickOn("#plain"); hoverOn("#far"); waitFor("#plain"); screenshotMarks()
cdp("Emulation.setFocusEmulationEnabled", M{"enabled": false})
js("document.hidden")`, "true")
}

// An area is clicked through the image that uses its map: a rectangle, a circle, a polygon with a dent in its middle.
func TestImageMap(t *testing.T) {
	open(t, html(`<div style="height:1500px"></div><map name=m><area href="#north" alt=North coords="0,0,30,30"><area href="#south" alt=South shape=circle coords="60,60,20">
<area href="#west" alt=West shape=poly coords="100,0,200,0,200,100,190,100,190,10,100,10"><area shape=default alt=none></map>
<img usemap="#m" alt=Map width=200 height=100 style="border:9px solid;padding:5px" src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='20' height='10'/%3E">`))
	r := read(t, "extract()")
	for _, name := range []string{"North", "South", "West"} {
		want(t, fmt.Sprintf(`clickOn(%q); js("location.hash")`, r.named(name).UID), "#"+strings.ToLower(name))
	}
	want(t, `clickOn("area[alt=North]"); len(as[[]any](screenshotMarks()["elements"]))`, "3")
	out(t, `js("document.querySelector('img').insertAdjacentHTML('afterend', '<div style=\\'position:fixed;inset:0\\'>cover</div>')")`)
	fails(t, `clickOn("area[alt=South]")`, "element_covered", "cover")
}

// A click that its form refuses says what the form says.
func TestClickThatAFormRefuses(t *testing.T) {
	form := `<form action="SITE/json"><label>Email <input type=email required></label><label>Age <input type=number max=9 value=10></label><button>Send</button></form>`
	open(t, html(form+`<iframe src="OTHER`+html(form+`<a href=#x>in</a>`)+`"></iframe>`))
	want(t, `clickOn("button")["invalid"]`, `["Email: Please fill out this field.","Age: Value must be less than or equal to 9."]`)
	want(t, `fill("input", "a@b.example"); fill("[type=number]", "3"); got := clickOn("button"); fmt.Println(got["invalid"], got["navigated"])`, `<nil> SITE/json?`)
}
