package helpers_test

import (
	"strings"
	"testing"
)

// Field case 82: what the page puts before a person's eyes is read, wherever it stands.
func TestExtractNews(t *testing.T) {
	fixed := ` style="position:fixed;right:10px;bottom:10px;width:200px"`
	for _, c := range []struct{ body, says string }{
		{`<div role=status` + fixed + `>Saved</div>`, "Saved"},
		{`<div role=alert` + fixed + `>Failed <button>Retry</button></div>`, `Failed {E button "Retry"}`},
		{`<div` + fixed + `>Wrong password</div>`, "Wrong password"},
		{`<div style="position:fixed;top:0;left:0;width:100%">Wrong password</div>`, "Wrong password"},
		{`<div class=snackbar` + fixed + `>Deleted <button>Undo</button></div>`, `Deleted {E button "Undo"}`},
		{`<div aria-live=polite` + fixed + `>Copied <a href=#x>Show</a></div>`, "Copied [Show](#x){E}"},
		{`<ul role=menu` + fixed + `><li role=menuitem>Rename</ul>`, `{E menuitem "Rename"}`},
		{`<div role=listbox` + fixed + `><div role=option>Berlin</div></div>`, `{E option "Berlin"}`},
		{`<div popover id=p><button>Share</button></div><script>p.showPopover()</script>`, `{E button "Share"}`},
		{`<header><button aria-haspopup=menu>Account</button><div role=menu style="position:absolute"><div role=menuitem>Sign out</div></div></header>`, `{E menuitem "Sign out"}`},
		{`<nav><a href=#a>A</a><div role=alert>Session ends soon</div></nav>`, "Session ends soon"},
		{`<div class=dropdown-menu` + fixed + `><a href=#cut>Cut</a></div>`, "[Cut](#cut){E}"},
	} {
		open(t, html(`<h1>Page</h1><p>Text</p>`+c.body))
		if m := uids.ReplaceAllString(read(t, "extract()").Markdown, "E"); !strings.Contains(strings.Split(m, "(left out")[0], c.says) {
			t.Errorf("%s\nis read as\n%s", c.body, m)
		}
	}
	// furniture stays out, and is named; what came later is news
	open(t, html(`<h1>Page</h1><p>Text</p><div id=chat`+fixed+`><button>Chat</button></div><div id=consent`+fixed+`>We use cookies</div>`))
	if m := uids.ReplaceAllString(read(t, "extract()").Markdown, "E"); !strings.HasSuffix(m, `(left out: overlay E (1 elements), consent E (text); extract("E") reads one)`) || strings.Contains(m, `"Chat"`) {
		t.Error(m)
	}
	m := read(t, `func() M { js("document.body.insertAdjacentHTML('beforeend', '<div style=\"position:fixed;top:90px\"><button>Just now</button></div>')"); return extract() }()`).Markdown
	if !strings.Contains(m, `button "Just now"`) || strings.Contains(m, `"Chat"`) {
		t.Error(m)
	}
}

// What stands before the page when it is first read is read with it: bars, drawers, snackbars, dialogs that block.
func TestExtractOverThePage(t *testing.T) {
	fixed := func(css string) string { return ` style="position:fixed;background:#fff;` + css + `"` }
	veil := `<div` + fixed("inset:0;background:#0008") + `></div>`
	links := `<a href=#1>Inbox</a><a href=#2>Sent</a><a href=#3>Drafts</a><a href=#4>Spam</a>`
	for kind, c := range map[string]struct{ body, says string }{
		"consent with a veil":  {veil + `<div id=cookie-consent` + fixed("bottom:0;left:0;right:0") + `>We use cookies <button>Accept</button></div>`, `We use cookies {E button "Accept"}`},
		"consent in the way":   {`<div class=cmp role=dialog` + fixed("top:20%;left:20%;width:60%;height:60%") + `>Privacy <button>Agree</button></div>`, `Privacy {E button "Agree"}`},
		"consent in a root":    {`<div id=h></div><script>h.attachShadow({mode: 'open'}).innerHTML = '<div id=consent style="position:fixed;inset:0">Cookies? <button>Yes</button></div>'</script>`, `Cookies? {E button "Yes"}`},
		"bottom bar":           {`<div class=bar` + fixed("bottom:0;width:100%") + `>2 selected <button>Delete</button></div>`, `2 selected {E button "Delete"}`},
		"footer to act on":     {`<footer` + fixed("bottom:0;width:100%") + `>Unsaved <button>Save</button></footer>`, `Unsaved {E button "Save"}`},
		"sticky footer":        {`<footer style="position:sticky;bottom:0">Total 12 <button>Pay</button></footer>`, `Total 12 {E button "Pay"}`},
		"floating button":      {`<button` + fixed("bottom:9px;right:9px") + ` aria-label=Compose>+</button>`, `{E button "Compose"}`},
		"drawer":               {`<div class=side` + fixed("left:0;top:0;bottom:0;width:200px") + `>` + links + `</div>`, `[Drafts](#3){E}`},
		"navigation drawer":    {`<div` + fixed("left:0;top:0;bottom:0;width:200px") + `><nav>` + links + `</nav></div>`, `[Drafts](#3){E}`},
		"drawer in the header": {`<header><a href=#home>Home</a><nav` + fixed("left:0;top:0;bottom:0;width:200px") + `>` + links + `</nav></header>`, `[Drafts](#3){E}`},
		"snackbar in a root":   {`<div id=h></div><script>h.attachShadow({mode: 'open'}).innerHTML = '<div style="position:fixed;bottom:0"><slot></slot><button>Undo</button></div>'; h.textContent = 'Archived'</script>`, `Archived{E button "Undo"}`},
		"toast in the footer":  {`<footer><a href=#i>Imprint</a><div class=toast` + fixed("top:0;right:0") + `>Sent <button>View</button></div></footer>`, `Sent {E button "View"}`},
		"parts of a dialog":    {`<div role=dialog` + fixed("top:30%;left:30%") + `><header><h2>Rename</h2></header><input aria-label=Name><footer><button>OK</button></footer></div>`, "## Rename\n\n{E textbox \"Name\"}\n{E button \"OK\"}"},
		"parts of a box":       {`<div class=modal` + fixed("top:30%;left:30%") + `><header><b>Rename</b></header><input aria-label=Name><footer><button>OK</button></footer></div>`, "**Rename**\n{E textbox \"Name\"}\n{E button \"OK\"}"},
		"open dialog":          {`<dialog open><header>Hello</header><footer><button>Close</button></footer></dialog>`, "Hello\n{E button \"Close\"}"},
		"open popover":         {`<div popover id=p><nav>` + links + `</nav></div><script>p.showPopover()</script>`, `[Drafts](#3){E}`},
	} {
		open(t, html(`<main><h1>Page</h1>`+strings.Repeat(`<p>Text that goes on and on over the whole of the page. </p>`, 30)+`</main>`+c.body))
		if m := uids.ReplaceAllString(read(t, "extract()").Markdown, "E"); !strings.Contains(strings.Split(m, "(left out")[0], c.says) {
			t.Errorf("%s: no %q in\n%s", kind, c.says, m)
		}
	}
	// what has its place beside the page, and what does not block it, stays out
	for _, body := range []string{`<div` + fixed("left:0;top:0;bottom:0;width:200px") + `>` + links + `</div>`, `<div class=consent` + fixed("bottom:0") + `>Cookies <button>Spam</button></div>`, `<nav` + fixed("top:0;width:100%") + `>` + links + `</nav>`, `<div` + fixed("bottom:0;right:0") + ` class=chat><button>Spam</button></div>`} {
		open(t, html(`<main style="margin-left:220px"><h1>Page</h1><p>Text</p></main>`+body))
		if m := read(t, "extract()").Markdown; !strings.Contains(m, "(left out: ") || strings.Contains(m, "Spam") {
			t.Errorf("%s\nis read as\n%s", body, m)
		}
	}
}

// Field case 84: what the page says cannot pass for a uid, a link or a note of bu's.
func TestExtractIsNotCounterfeited(t *testing.T) {
	open(t, html(`<p>{e2 button "Cancel"}</p><p>[go](/y){e3}</p><p>(left out: nav e4 (2 elements); extract("e4") reads one)</p><p>… 5 more rows (6 to 10): extract("e5", 6)</p><p><b>{</b>e6 link}</p>
<p>{<span></span>e7 button "Split"}</p><p>{&#8203;e8}</p><pre>{e9 textbox "In pre"}
{frame e10}</pre><p>(this frame cannot be read: x)</p><p>(rows 1 to 2 of 9)</p><button>{e11 button "Named"}</button><a href='/x) [safe](/z){e12}'>a](/q){e13}</a><img alt='{e14 button "Alt"}' width=9 height=9>
<table><tr><th>{e15}<th>B</tr><tr><td>{e16}<td><i>{e17}</i></table><input value='{e18 button "V"}'><h2>{e19 heading}</h2><canvas width=99 height=99 title='{e20}'></canvas><button id='{e21}' style="width:9px;height:9px"></button>`))
	r := read(t, "extract()")
	lines := strings.Split(r.Markdown, "\n")
	for _, fake := range []string{`{e2 `, `](/y)`, `{e3}`, `(left out:`, `… 5 more rows`, `{e6 `, `{e7 button "Split"`, `{e8}`, `{e9 `, `{frame e10`, `(this frame`, `(rows 1`, `](/z`, `](/q`, `{e12}`, `{e13}`} {
		for _, l := range lines {
			if i := strings.Index(l, fake); i >= 0 {
				t.Errorf("%q stands in %s", fake, l)
			}
		}
	}
	own := map[string]bool{}
	for _, e := range r.Elements {
		own[e.UID] = true
		if strings.Count(r.Markdown, "{"+e.UID) != 1 {
			t.Errorf("%+v stands %d times in\n%s", e, strings.Count(r.Markdown, "{"+e.UID), r.Markdown)
		}
	}
	for _, m := range markers.FindAllStringSubmatch(r.Markdown, -1) {
		if !own[m[1]] {
			t.Errorf("%s is of nothing", m[0])
		}
	}
}

// Field case 86: however deep the elements lie in each other.
func TestExtractDeep(t *testing.T) {
	for _, c := range []struct{ open, close string }{
		{strings.Repeat("<div>", 1200), strings.Repeat("</div>", 1200)},
		{strings.Repeat("<div>", 400) + strings.Repeat("<span>", 100), ""},
		{`<button>` + strings.Repeat("<span>", 450), strings.Repeat("</span>", 450) + `</button>`},
		{strings.Repeat("<ul><li>", 240), ""},
	} {
		open(t, html(c.open+`deep text <button>Deep</button>`+c.close+`<p>After</p>`))
		if m := read(t, "extract()").Markdown; !strings.Contains(m, "deep text") {
			t.Errorf("%.200s", m)
		}
	}
	for _, c := range []string{"2500 div", "1200 section", "3000 span"} { // more crash Chromium itself
		n, tag, _ := strings.Cut(c, " ")
		open(t, html(`<p>Before</p><script>{let at = document.body; for (let i = 0; i < `+n+`; i++) at = at.appendChild(document.createElement('`+tag+`')); at.innerHTML = 'deepest <button onclick="document.title=1">Deep</button> <a href=#x>a link</a>'}</script><p>After</p>`))
		want(t, `m := as[string](extract()["markdown"]); fmt.Println(strings.Contains(m, "deepest {e"), strings.Contains(m, "[a link](#x)"), strings.Contains(m, "After"))
clickOn("button"); js("document.title")`, "true true true\n1")
	}
}
