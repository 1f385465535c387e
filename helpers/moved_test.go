package helpers_test

import (
	"strings"
	"testing"
)

// What changes() says of an act: moves beside all else, lines that belong together, a popup that closed in one line.
func TestChangesTells(t *testing.T) {
	popup := `<div id=l role=listbox aria-label=Cities>` + strings.Repeat(`<div role=option>City N</div>`, 3) + `</div>`
	for kind, c := range map[string]struct{ body, act, says string }{
		"a card moved and a log line": {`<h2>Todo</h2><ul id=a><li>Alpha<li>Beta</ul><h2>Done</h2><ul id=b><li>Delta</ul><p id=n>idle</p>`, `b.append(a.firstChild); n.textContent = 'saved 1'`, "changed:\nsaved 1  (was: idle)\n\nmoved:\n- Alpha  (now: under Done)"},
		"one to the top":              {`<ul id=a><li>One<li>Two<li>Three</ul>`, `a.prepend(a.lastChild)`, "moved:\n- Three  (now: first)"},
		"one down":                    {`<ul id=a><li>One<li>Two<li>Three<li>Four</ul>`, `a.children[2].after(a.firstChild)`, "moved:\n- One  (now: after - Three)"},
		"one of twins gone":           {`<p id=x>same</p><p>One</p><p>same</p><p>Two</p><p>same</p>`, `x.remove()`, "gone:\nsame"},
		"what has no part in it":      {`<p>Inbox</p><p id=a>Chose 4</p><p>End</p>`, `a.remove(); document.querySelector('p').insertAdjacentHTML('afterend', '<p>New mail</p>')`, "new:\nNew mail\n\ngone:\nChose 4"},
		"drawn anew":                  {`<p>Inbox</p><div id=a><p>4 messages</p></div>`, `a.innerHTML = '<p>5 messages</p>'`, "changed:\n5 messages  (was: 4 messages)"},
		"the same element":            {`<p>Inbox</p><p id=a>quiet</p>`, `a.textContent = 'loud'`, "changed:\nloud  (was: quiet)"},
		"a list that closed":          {`<div id=l><p>Berlin 1</p><p>Berlin 2</p><p>Berlin 3</p><p>Berlin 4</p><p>Berlin 5</p><p>Berlin 6</p><p>Berlin 7</p><p>Ulm</p></div><p>End</p>`, `l.remove()`, "gone:\n8 lines: first Berlin 1, last Ulm"},
		"a listbox that closed":       {strings.ReplaceAll(popup+popup+popup, ` id=l`, ``), `document.querySelectorAll('[role=listbox]').forEach(e => e.remove())`, "gone:\n12 lines of listbox \"Cities\": first {E option \"City N\"}, last {E option \"City N\"}"},
		"all in another order":        {`<ul id=a>` + strings.Repeat(`<li>x`, 30) + `</ul><script>[...a.children].forEach((e, i) => e.textContent = 'row ' + i)</script>`, `a.append(...[...a.children].reverse())`, "moved:\nthe order of 29 lines changed: extract() reads them"},
		"page text that looks so":     {`<p id=a>y</p>`, `a.textContent = 'x (now: first)'`, "changed:\nx (\\now: first)  (was: y)"},
	} {
		open(t, html(c.body))
		if got := uids.ReplaceAllString(out(t, "extract(); js(`"+c.act+"; 0`); changes()"), "E"); got != c.says {
			t.Errorf("%s: got\n%s\nwant\n%s", kind, got, c.says)
		}
	}
}

// The old line is cut between marks, and the cut is marked.
func TestChangesCut(t *testing.T) {
	open(t, html(`<div id=b></div><script>for (let i = 1; i < 9; i++) b.innerHTML += '<input aria-label="Digit ' + i + '"> '</script>`))
	if got := uids.ReplaceAllString(out(t, `extract(); fill("[aria-label='Digit 5']", "5"); changes()`), "E"); !strings.HasSuffix(got, `  (was: … {E textbox "Digit 5"} …)`) {
		t.Error(got)
	}
	all := uids.ReplaceAllString(out(t, `js("document.querySelectorAll('input').forEach(e => e.value = 7)"); changes()`), "E")
	if _, was, _ := strings.Cut(all, "(was: "); !strings.HasPrefix(was, `{E textbox "Digit 1"} {E`) || !strings.HasSuffix(was, ")") || strings.Count(was, "{") != strings.Count(was, "}") {
		t.Error(all)
	}
}

// find gives the card, the item or the section that a line heads, with what can be done there.
func TestFindCard(t *testing.T) {
	var cards, items, plain strings.Builder
	for _, n := range strings.Fields("75 76 77 78 79") {
		cards.WriteString(`<article><h2>Post ` + n + `</h2><p>Lorem ` + n + `</p><div><p><button>Like</button> ` + n + ` comments</p></div></article>`)
		items.WriteString(`<li><b>Post ` + n + `</b><p>Lorem ` + n + `</p><div><button>Like</button></div>`)
		plain.WriteString(`<h2>Post ` + n + `</h2><p>Lorem ` + n + `</p><p><button>Like</button></p>`)
	}
	for kind, c := range map[string]struct{ body, says, not string }{
		"articles": {cards.String(), "## Post 77\nLorem 77\n{E button \"Like\"} 77 comments", "Lorem 78"},
		"items":    {`<ul>` + items.String() + `</ul>`, "- **Post 77**\n  Lorem 77\n  {E button \"Like\"}", "Lorem 78"},
		"sections": {plain.String(), "## Post 77\nLorem 77\n{E button \"Like\"}", "Lorem 78"},
	} {
		open(t, html(`<h1>Feed</h1>`+c.body))
		if got := uids.ReplaceAllString(out(t, `find("Post 77")`), "E"); !strings.Contains(got, c.says) || strings.Contains(got, c.not) {
			t.Errorf("%s: %s", kind, got)
		}
	}
}

// Quiet is a page that has drawn what it shows: an animation that comes to an end has, one without end does not count.
func TestQuietMotion(t *testing.T) {
	for kind, body := range map[string]string{
		"a fade":           `<style>@keyframes f { from { opacity: 0 } }</style><div id=d></div><script>function go() { d.textContent = 'Options'; d.style.animation = 'f 1.5s' }</script>`,
		"a fade in parts":  `<style>@keyframes f { from { opacity: 0 } }</style><div id=d></div><script>function go() { d.textContent = 'Options'; d.style.cssText = 'opacity:0'; requestAnimationFrame(() => requestAnimationFrame(() => { d.style.cssText = 'animation: f 1.5s' })) }</script>`,
		"in a root":        `<div id=h></div><script>const d = document.createElement('p'); h.attachShadow({mode: 'open'}).append(d); function go() { d.textContent = 'Options'; d.animate({opacity: [0, 1]}, 1500) }</script>`,
		"beside a spinner": `<style>@keyframes s { to { transform: rotate(1turn) } } @keyframes f { from { opacity: 0 } }</style><i style="display:inline-block;animation:s 1s infinite">o</i><div id=d></div><script>function go() { d.textContent = 'Options'; d.style.animation = 'f 1.5s' }</script>`,
	} {
		open(t, html(body))
		want(t, `js("go(); window.d ??= h.shadowRoot.firstChild; 0"); waitForQuiet(60); js("getComputedStyle(document.querySelector('#d') ?? h.shadowRoot.firstChild).opacity")`, "1")
		if t.Failed() {
			t.Error(kind)
		}
	}
	open(t, html(`<style>@keyframes s { to { transform: rotate(1turn) } }</style><i style="display:inline-block;animation:s 60s">o</i>`))
	want(t, `waitForQuiet(60)`, "")
}

// What an animation keeps unseen is not half read: neither its uids without its texts.
func TestExtractUnseenInMotion(t *testing.T) {
	body := `<style>@keyframes f { from { opacity: 0 } to { opacity: 0 } }</style><p>Page</p><div style="opacity:0;animation:f 600s"><div class=o style="cursor:pointer">Berlin</div></div><div style="opacity:0"><div class=o style="cursor:pointer">Kept</div></div>`
	if m := reads(t, body); strings.Contains(m, "Berlin") || strings.Contains(m, "{E}") || !strings.Contains(m, `{E "Kept"}`) {
		t.Error(m)
	}
}
