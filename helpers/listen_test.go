package helpers_test

import (
	"strings"
	"testing"
)

// Field cases 96 and 97: what only a listener makes clickable has a uid; in what can be clicked too.
func TestExtractListeners(t *testing.T) {
	hear := `<script>for (const e of document.querySelectorAll('.l')) e.addEventListener('click', () => document.title = e.className)</script>`
	lacks(t, `<p>Add <span class="add l">+</span></p>`+hear, `Add {E "+"}`)
	lacks(t, `<a class="prev l" title=Prev></a><style>.prev{display:inline-block;width:9px;height:9px}</style>`+hear, `{E "Prev"}`)
	lacks(t, `<p>Like it: <span class="like l" style="display:inline-block;width:9px;height:9px"></span></p>`+hear, `{E (like l)}`)
	lacks(t, `<div draggable=true>Card one</div>`, `{E} Card one`)
	lacks(t, `<div class=l style="cursor:pointer">Mail of Ann <span class="reply l">Reply</span> <span class="forward l">Forward</span></div>`+hear, `{E} Mail of Ann {E "Reply"} {E "Forward"}`)
	lacks(t, `<svg width=99 height=50><circle class="l" cx=9 cy=9 r=8 /><rect class="m" width=9 height=9 /></svg>`+hear, `{E (l)}`)
	open(t, html(`<p>Plus <span class=sign>+</span></p><p>Add <span class="add l">+</span></p>`+hear))
	if r := read(t, "extract()"); len(r.Elements) != 1 {
		t.Errorf("%+v", r.Elements)
	}
	want(t, `clickOn(as[string](get(extract()["elements"], 0, "uid"))); js("document.title")`, "add l")
}

// Boxes with words, without a hand for a cursor: a listener of their own, one of a box around several of a kind, what frameworks note at the element.
func TestExtractListenersOfBoxes(t *testing.T) {
	for _, c := range []struct{ body, script, says string }{
		{`<div class=l>Next page</div><div>Not this</div>`, "", "{E} Next page\nNot this"},
		{`<div id=a>Next page</div>`, `a.onmousedown = () => 1`, "{E} Next page"},
		{`<h2 class=l>Fold me</h2><p class=l>Press me</p><p>not me</p>`, "", "## {E} Fold me\n\n{E} Press me\n\nnot me"},
		{`<div class=l><b>Card</b><p>with two</p></div>`, "", "{E} **Card**\n\nwith two"},
		{`<table><tr><th>N<th>V<tr class=l><td>1<td>x<tr><td>2<td>y</table>`, "", "| N | V |\n| --- | --- |\n| {E} 1 | x |\n| 2 | y |"},
		{`<table><tr><td>1<td>2<tr><td>3<td>4</table>`, `document.querySelectorAll('td').forEach(e => e.onclick = () => 1)`, "| {E} 1 | {E} 2 |\n| --- | --- |\n| {E} 3 | {E} 4 |"},
		{`<ul class=l><li>Alpha<li>Beta</ul>`, "", "- {E} Alpha\n- {E} Beta"},
		{`<div class=l><div data-action=save>Save it</div><div data-action=quit>Quit</div><p>Just text</p></div>`, "", "{E} Save it\n{E} Quit\n\nJust text"},
		{`<div id=a>React</div><div id=b>Solid</div>`, `a.__reactProps$x = {onPointerDown() {}}; b.$$click = () => 1`, "{E} React\n{E} Solid"},
		{`<div onpointerdown=1>Down</div><div jsaction="click:x.y">Act</div><div jsaction="rcuQ6b:npT2md">Not</div>`, "", "{E} Down\n{E} Act\nNot"},
		{`<div><i>One</i> <i>Two</i></div><p>text</p>`, `window.jQuery = {_data: e => e === document ? {click: [{selector: 'i'}]} : undefined}`, "{E \"One\"} {E \"Two\"}\n\ntext"},
	} {
		got := reads(t, c.body+`<script>for (const e of document.querySelectorAll('.l')) e.addEventListener('click', () => 1);`+c.script+`</script>`)
		if got != c.says {
			t.Errorf("%s\nis read as\n%s", c.body, got)
		}
	}
	// what was not there before is asked for too, and a click says which it was
	open(t, html(`<p>Page</p><button id=b>More</button><script>b.onclick = () => { const d = document.body.appendChild(document.createElement('div')); d.textContent = 'Later on'; d.addEventListener('click', () => document.title = 'hit') }</script>`))
	want(t, `extract(); clickOn("#b"); c := changes(); fmt.Println(regexp.MustCompile("e[0-9]+").ReplaceAllString(c, "E")); clickOn(regexp.MustCompile("e[0-9]+").FindString(c)); js("document.title")`, "new:\n{E} Later on\nhit")
}

// Field case 91: without a doctype too the page is as high as it is.
func TestQuirksHeight(t *testing.T) {
	start(t)
	world.pages.Store("/page/quirks", `<html><title>quirks</title><body style="margin:0"><div style="height:1550px">tall</div>`)
	t.Cleanup(func() { world.pages.Delete("/page/quirks") })
	open(t, "/page/quirks")
	want(t, `pageInfo()["ph"]`, "1550")
	if h := pixels(t, out(t, `screenshot("`+t.TempDir()+`/q.png", M{"full": true})`)).Bounds().Dy(); h != 1550 {
		t.Error(h)
	}
}

// Field case 89: a modal dialog in a shadow root is read alone; what is inert through a host says so.
func TestExtractShadowModal(t *testing.T) {
	open(t, html(`<h1>Behind</h1><div id=h></div><div id=i inert></div><script>
const r = h.attachShadow({mode: 'open'}); r.innerHTML = '<dialog><p>Inside</p><button>Yes</button></dialog>'; r.firstChild.showModal()</script>`))
	if m := uids.ReplaceAllString(read(t, "extract()").Markdown, "E"); m != "Inside\n\n{E button \"Yes\"}" {
		t.Error(m)
	}
	open(t, html(`<div id=i inert></div><script>i.attachShadow({mode: 'open'}).innerHTML = '<button>No</button>'</script>`))
	fails(t, `clickOn("button")`, "element_disabled", "inert")
}

// Field case 85: closed shadow roots, made by script or declared, are read and acted on; those inside others too.
func TestExtractClosedRoots(t *testing.T) {
	inside := `<label>Name <input></label><button onclick="document.title = this.previousElementSibling.firstElementChild.value">Send</button>`
	for _, body := range []string{
		`<div id=h></div><script>h.attachShadow({mode: 'closed'}).innerHTML = INSIDE</script>`,
		`<x-form><p>light</p></x-form><script>document.querySelector('x-form').attachShadow({mode: 'closed'}).innerHTML = INSIDE + '<slot></slot>'</script>`,
		`<section><template shadowrootmode=closed>` + inside + `</template></section>`,
		`<div id=h></div><script>const r = h.attachShadow({mode: 'closed'}); r.innerHTML = '<div></div>'; r.firstChild.attachShadow({mode: 'closed'}).innerHTML = INSIDE</script>`,
		`<div id=h></div><script>const r = h.attachShadow({mode: 'open'}); r.innerHTML = '<x-in></x-in>'; r.firstChild.attachShadow({mode: 'closed'}).innerHTML = INSIDE</script>`,
	} {
		open(t, html(`<h1>Page</h1>`+strings.ReplaceAll(body, "INSIDE", "`"+inside+"`")))
		r := read(t, "extract()")
		if r.named("Name").UID == "" || r.named("Send").UID == "" {
			t.Errorf("%s is read as %s", body, r.Markdown)
			continue
		}
		want(t, `fill("`+r.named("Name").UID+`", "Jane"); clickOn("`+r.named("Send").UID+`"); js("document.title")`, "Jane")
	}
	open(t, html(`<h1>Page</h1><button id=b onclick="document.body.append(Object.assign(document.createElement('x-late')))">More</button><script>customElements.define('x-late', class extends HTMLElement { connectedCallback() { this.attachShadow({mode: 'closed'}).innerHTML = '<p>Late</p><i class=x>+</i>'; } })</script>`))
	want(t, `extract(); clickOn("#b"); fmt.Println(strings.Contains(changes(), "Late"), strings.Contains(find("late"), "Late"))`, "true true")
}

// Field case 99: what is fading in is read, what is fading out or stays unseen is not.
func TestExtractFading(t *testing.T) {
	open(t, html(`<style>div { opacity: 0 } .in { animation: a 60s steps(2) } .out { animation: b 60s steps(2); } @keyframes a { from { opacity: 0 } to { opacity: 1 } } @keyframes b { from { opacity: 0 } to { opacity: 0 } }</style>
<div class=in><h2>Coming</h2><a href=#c>Link</a></div><div class=out><h2>Going</h2></div><div><h2>Never</h2></div>`))
	m := uids.ReplaceAllString(read(t, "extract()").Markdown, "E")
	if !strings.Contains(m, "## Coming") || strings.Contains(m, "Going") || strings.Contains(m, "Never") {
		t.Error(m)
	}
}

// Field case 99: a fade by script, caught before its first frame; what a script just keeps unseen is not read.
func TestExtractFadingByScript(t *testing.T) {
	open(t, html(`<button id=b>open</button><div id=d style="display:none"><h2>Coming</h2><a href=#c>Link</a></div><div style="opacity:0"><h2>Never</h2></div><script>
b.onclick = () => { d.style.cssText = 'opacity: 0'; let begun; const step = t => { d.style.opacity = Math.min(1, (t - (begun ??= t)) / 400); if (t - begun < 400) requestAnimationFrame(step) }; requestAnimationFrame(step) }</script>`))
	for range 5 {
		want(t, `activateTab(); js("b.click()"); m := as[string](extract()["markdown"]); fmt.Println(strings.Contains(m, "## Coming"), strings.Contains(m, "Never")); _ = js("d.style.cssText = 'display: none'")`, "true false")
	}
}

// What unfolds, by style or by script, is read before its first frame; what is folded is not.
func TestExtractUnfolding(t *testing.T) {
	open(t, html(`<style>.f{overflow:hidden;height:0;transition:height 20s}.m{overflow:hidden;max-height:0;transition:max-height 20s steps(2)}.g{display:grid;grid-template-rows:0fr;transition:grid-template-rows 20s}.g>div{overflow:hidden}.on.f{height:90px}.on.m{max-height:90px}.on.g{grid-template-rows:1fr}</style>
<button id=b>open</button><div class="x f">by height</div><div class="x m">by most height</div><div class="x g"><div>by grid</div></div><div id=j style="display:none">by script</div><div style="height:0;overflow:hidden">never</div><script>
b.onclick = () => { for (const e of document.querySelectorAll('.x')) e.classList.toggle('on'); j.style.cssText = 'overflow:hidden;height:0'; let begun; const step = t => { j.style.height = Math.min(20, (t - (begun ??= t)) ** 2 / 2000) + 'px'; if (t - begun < 400) requestAnimationFrame(step) }; requestAnimationFrame(step) }</script>`))
	read := `m := as[string](extract()["markdown"]); for _, s := range []string{"by height", "by most height", "by grid", "by script", "never"} { fmt.Print(strings.Contains(m, s), " ") }`
	want(t, read, "false false false false false ")
	want(t, `activateTab(); js("b.click()"); `+read, "true true true true false ")
	want(t, `js("for (const e of document.querySelectorAll('.x')) e.style.transition = 'none'; b.click(); j.style.display = 'none'"); `+read, "false false false false false ")
}

// Field case 88: a PDF says that it is one, and the ways to it.
func TestExtractPDF(t *testing.T) {
	start(t)
	out(t, `newTab("SITE/doc.pdf"); waitForLoad()`)
	defer run(t, `closeTab()`)
	want(t, `m := as[string](extract()["markdown"]); fmt.Println(strings.HasPrefix(m, "(this is a PDF"), strings.Contains(m, "SITE/doc.pdf"))`, "true true")
}

// Field case 96: what a list listens for on behalf of its items is listed, in frames too; a framework's root is no such list.
func TestExtractDelegated(t *testing.T) {
	list := `<ul id=l><li>One <span class=del title=Delete>x</span><li>Two <span class=del title=Delete>x</span></ul><script>l.addEventListener('click', e => { if (e.target.className) document.title = e.target.className })</script>`
	if m := reads(t, list); strings.Count(m, `{E "x"}`)+strings.Count(m, `{E "Delete"}`) != 2 {
		t.Error(m)
	}
	sign := `<p>Add <span class="add">+</span></p><script>document.querySelector('span').addEventListener('click', () => top.postMessage(1, '*'))</script>`
	for _, host := range []string{"SITE", "OTHER"} {
		if m := reads(t, `<p>out</p><iframe src="`+host+html(sign)+`"></iframe>`); !strings.Contains(m, `Add {E "+"}`) {
			t.Errorf("%s: %s", host, m)
		}
	}
	if m := reads(t, `<div id=h></div><script>h.attachShadow({mode: 'open'}).innerHTML = '<p>Add <span class=add>+</span></p>'; h.shadowRoot.querySelector('span').onclick = () => 1</script>`); !strings.Contains(m, `Add {E "+"}`) {
		t.Error(m)
	}
	if m := reads(t, `<div id=root><p>Rate <i class=star>*</i> <i class=star>*</i></p></div><script>for (const k of ['click', 'mousedown', 'mouseup', 'pointerdown', 'pointerup', 'dblclick', 'touchstart', 'touchend']) root.addEventListener(k, () => 1)</script>`); strings.Contains(m, "{E") {
		t.Error(m)
	}
}

func reads(t *testing.T, body string) string {
	t.Helper()
	open(t, html(body))
	return uids.ReplaceAllString(read(t, "extract()").Markdown, "E")
}

// Field case 85: a closed root on a host that has children of its own, shown in a slot or not at all.
func TestExtractClosedRootsOverLight(t *testing.T) {
	inside := `<label>Name <input></label><button onclick="document.title = this.previousElementSibling.firstElementChild.value">Send</button>`
	for _, body := range []string{
		`<div id=h><p>light</p></div><script>h.attachShadow({mode: 'closed'}).innerHTML = INSIDE</script>`,
		`<div id=h>only text</div><script>h.attachShadow({mode: 'closed'}).innerHTML = INSIDE</script>`,
		`<section id=h><h2>Light</h2></section><script>h.attachShadow({mode: 'closed'}).innerHTML = '<slot></slot>' + INSIDE</script>`,
		`<div id=h><p>a</p><p>b</p></div><script>h.attachShadow({mode: 'closed'}).innerHTML = INSIDE + '<slot></slot>'</script>`,
	} {
		open(t, html(`<h1>Page</h1>`+strings.ReplaceAll(body, "INSIDE", "`"+inside+"`")))
		r := read(t, "extract()")
		if r.named("Name").UID == "" || r.named("Send").UID == "" {
			t.Errorf("%s is read as %s", body, r.Markdown)
			continue
		}
		want(t, `fill("`+r.named("Name").UID+`", "Jane"); clickOn("`+r.named("Send").UID+`"); js("document.title")`, "Jane")
	}
}

// A long text in a field is read like any other.
func TestExtractLongText(t *testing.T) {
	m := reads(t, `<textarea id=a aria-label=Notes></textarea><p>after</p><script>a.value = 'word '.repeat(100) + 'end of one\n{e5 button "No"}\nlast line'</script>`)
	if !strings.Contains(m, `{E textbox "Notes"}`) || !strings.Contains(m, "end of one\n") || !strings.Contains(m, `{\`) || !strings.Contains(m, "last line") || !strings.Contains(m, "after") {
		t.Error(m)
	}
	m = reads(t, `<textarea id=a aria-label=Notes></textarea><p>after</p><script>a.value = 'long '.repeat(1e5)</script>`)
	if !strings.Contains(m, "more characters are in that field") || !strings.Contains(m, "after") {
		t.Errorf("%.3000s", m)
	}
}
