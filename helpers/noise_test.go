package helpers_test

import (
	"strings"
	"testing"
)

// readsAs tries pages: what the reading must say and what it must not.
type readsAs struct {
	kind, body string
	says, not  []string
}

func (c readsAs) try(t *testing.T) {
	t.Helper()
	m := reads(t, c.body)
	for _, s := range c.says {
		if !strings.Contains(m, s) {
			t.Errorf("%s: no %q in\n%s", c.kind, s, m)
		}
	}
	for _, s := range c.not {
		if strings.Contains(m, s) {
			t.Errorf("%s: %q in\n%s", c.kind, s, m)
		}
	}
}

// What is drawn in a slot, a root or a frame is read, whoever listens to what is around it.
func TestExtractInsideListened(t *testing.T) {
	host := func(root, light, after string) string {
		return `<x-a>` + light + `</x-a><script>customElements.define('x-a', class extends HTMLElement { constructor() { super(); const r = this.attachShadow({mode: 'open'}); r.innerHTML = '` + root + `'; ` + after + ` } })</script>`
	}
	heard := `r.querySelector('slot').addEventListener('click', () => 0)`
	for _, c := range []readsAs{
		{"a slot that listens", host(`<slot></slot>`, `<p>Panel</p><button>Menu</button>`, heard), []string{"Panel", `button "Menu"`}, nil},
		{"a slot with a hand", host(`<slot style="display:block;cursor:pointer"></slot>`, `<p>Panel</p>`, ""), []string{"Panel"}, nil},
		{"a named slot", host(`<slot name=t></slot><slot></slot>`, `<button slot=t>Menu</button><p>Panel</p>`, heard), []string{"Panel", `button "Menu"`}, nil},
		{"a slot's own text", host(`<slot>Nothing yet</slot>`, ``, heard), []string{"Nothing yet"}, nil},
		{"a root in a box", host(`<b>Inner words</b>`, ``, "") + `<script>const d = document.createElement('div'); d.style.cursor = 'pointer'; d.append(document.querySelector('x-a')); document.body.append(d)</script>`, []string{"Inner words"}, nil},
		{"a frame in a box", `<div style="cursor:pointer" onclick=1><iframe srcdoc="<p>Framed words</p>"></iframe></div>`, []string{"Framed words"}, nil},
		{"a slider on its track", `<div style="cursor:pointer;height:9px" onclick=1><div role=slider tabindex=0 aria-label=Volume aria-valuenow=20 style="width:9px;height:9px"></div></div>`, []string{`slider "Volume"="20"`}, nil},
	} {
		c.try(t)
	}
}

// Field case 88: a PDF in a page says that it is one, and the ways to it.
func TestExtractPDFInside(t *testing.T) {
	for _, body := range []string{
		`<iframe src="/doc.pdf" title=Bill width=300 height=200></iframe>`, `<iframe src="OTHER/doc.pdf" title=Bill width=300 height=200></iframe>`,
		`<embed src="/doc.pdf" type="application/pdf" title=Bill width=300 height=200>`, `<object data="/doc.pdf" type="application/pdf" aria-label=Bill width=300 height=200><p>none</p></object>`,
	} {
		open(t, html(`<h1>Bills</h1>`+body))
		out(t, `waitForQuiet()`)
		m := uids.ReplaceAllString(read(t, "extract()").Markdown, "E")
		if !strings.Contains(m, `{E PDF "Bill" 30`) || !strings.Contains(m, `(this is a PDF, which no page script can read: httpGet("http://`) || !strings.Contains(m, `/doc.pdf") gives the file`) {
			t.Errorf("%s\nis read as\n%s", body, m)
		}
	}
	readsAs{"no PDF", `<iframe srcdoc="<p>words</p>" title="a.pdf"></iframe><p>(this is a PDF, which</p>`, []string{"words", `(\this is a PDF`}, []string{"{E PDF"}}.try(t)
}

// What is chosen, current, sorted or pressed says so, where only its uid stands too.
func TestExtractStates(t *testing.T) {
	for _, c := range []readsAs{
		{"days", `<div role=grid><div role=row><button role=gridcell tabindex=-1 aria-selected=false>5</button><button role=gridcell tabindex=0 aria-selected=true>6</button><span role=gridcell tabindex=0 aria-disabled=true>7</span></div></div>`,
			[]string{"{E selected} 6", "{E disabled} 7", "{E} 5"}, nil},
		{"sorted", `<table><tr><th tabindex=0 aria-sort=ascending>Age<th aria-sort=descending><button>Name</button><th aria-sort=none>City</tr><tr><td>20<td>Ann<td>Ulm</table>`, []string{"{E ascending} Age", `{E descending} {E button "Name"}`, "| City |"}, nil},
		{"rows", `<table role=grid><tr><th>A<th>B</tr><tr aria-selected=true><td>1<td>x</tr><tr aria-selected=false><td>2<td>y</tr></table>`, []string{"| {E selected} 1 | x |", "| 2 | y |"}, nil},
		{"pages", `<ul><li tabindex=0>1<li tabindex=0 aria-current=page>2</ul><p>Step <span aria-current=step>three</span></p><a href=#x aria-current=page>Home</a> <button aria-current=true>Now</button>`,
			[]string{"- {E} 1", "- {E current page} 2", "{E current step} three", "[Home](#x){E current page}", `{E button "Now" current}`}, nil},
		{"items", `<ul><li tabindex=0 aria-expanded=false>Shut<li tabindex=0 aria-expanded=true aria-pressed=true>Open</ul><div role=tree><div role=treeitem tabindex=0 aria-selected=true aria-checked=mixed>Docs</div></div>`,
			[]string{"{E collapsed} Shut", "{E expanded pressed} Open", "mixed"}, nil},
	} {
		c.try(t)
	}
	open(t, html(`<table><tr><th tabindex=0 id=h>Age<th>Name</tr><tr><td>20<td>Ann</table>`))
	if got := uids.ReplaceAllString(out(t, `extract(); js("h.setAttribute('aria-sort', 'ascending')"); changes()`), "E"); got != "changed:\n| {E ascending} Age | Name |  (was: | {E} Age | Name |)" {
		t.Error(got)
	}
	want(t, `table("table")[0]`, `["Age","Name"]`)
}

// A field that keeps a value for the form, unseen, is not the one a person uses.
func TestExtractMirrors(t *testing.T) {
	unseen := ` aria-hidden=true tabindex=-1 style="position:absolute;opacity:0;pointer-events:none"`
	for _, c := range []readsAs{
		{"a date in parts", `<span id=l>Departure</span><div role=group aria-labelledby=l><div tabindex=0><span role=spinbutton contenteditable=true tabindex=0 aria-label=Month>MM</span>/<span role=spinbutton contenteditable=true tabindex=0 aria-label=Day>DD</span></div><input aria-labelledby=l` + unseen + `></div>`,
			[]string{`{E "Departure"} {E spinbutton "Month"`, `spinbutton "Day"`}, []string{"textbox"}},
		{"a select", `<div><div role=combobox tabindex=0 aria-label=Class aria-expanded=false>First</div><input value=1` + unseen + `></div>`, []string{`combobox "Class" collapsed`}, []string{"textbox"}},
		{"in a root", `<div id=h></div><script>h.attachShadow({mode: 'open'}).innerHTML = '<input role=combobox aria-label=Plan readonly><input` + strings.ReplaceAll(unseen, `'`, ``) + `>'</script>`, []string{`combobox "Plan"`}, []string{"textbox"}},
		{"a radio", `<span><button role=radio aria-checked=true aria-label=Blue>o</button><input type=radio` + unseen + `></span>`, []string{`radio "Blue" checked`}, []string{"{E radio ("}},
		{"a drawn checkbox is no mirror", `<label style="position:relative">Agree <input type=checkbox style="position:absolute;opacity:0"><i></i></label>`, []string{`checkbox "Agree"`}, nil},
		{"nor a lone field", `<p>Upload <input type=file aria-hidden=true tabindex=-1 style="opacity:0"></p><p>Code <input aria-label=Code tabindex=-1></p>`, []string{"file", `textbox "Code"`}, nil},
		{"a host's label", `<label><x-check></x-check> Agree</label><script>customElements.define('x-check', class extends HTMLElement { static formAssociated = true; constructor() { super(); this.attachInternals(); this.attachShadow({mode: 'open'}).innerHTML = '<input type=checkbox>' } })</script>`, []string{`checkbox "Agree"`}, nil},
	} {
		c.try(t)
	}
}

// What says nothing and is no way of its own has no uid; what has no other way keeps one.
func TestExtractNoise(t *testing.T) {
	listen := func(of string) string {
		return `<script>for (const e of document.querySelectorAll('` + of + `')) e.addEventListener('click', () => 1)</script>`
	}
	for _, c := range []readsAs{
		{"a resize handle", `<div>Name <span class=handle style="cursor:col-resize;display:inline-block;width:9px;height:9px" onmousedown2=1></span></div>` + listen(".handle"), []string{"Name"}, []string{"{E"}},
		{"a drawn checkbox", `<label style="cursor:pointer"><input type=checkbox aria-label=Online style="opacity:0"><span class=inner style="cursor:pointer;display:inline-block;width:14px;height:14px;background:#fff"></span></label>`, []string{`checkbox "Online"`}, []string{"inner"}},
		{"an icon no pointer meets", `<div role=combobox tabindex=0 aria-label=Plan>One</div><svg class=caret width=9 height=9 style="pointer-events:none"><path d="M0 0h9v9z"/></svg>` + listen("svg"), []string{"combobox"}, []string{"caret"}},
		{"an icon's name once", `<span role=img aria-label=calendar class=i><svg width=9 height=9></svg></span>` + listen(".i"), []string{`{E image "calendar"}`}, []string{"} calendar"}},
		{"boxes around one another", `<div class=o tabindex=0><div class=o>Sort by name</div></div>` + listen(".o"), []string{"{E} Sort by name"}, []string{"{E} {E}"}},
		{"no emphasis on an icon", `<i class=o style="display:inline-block;width:9px;height:9px"></i>` + listen(".o"), nil, []string{"*"}},
		{"a head is said once", `<div role=table><div role=row><div role=columnheader tabindex=0>Stock</div></div></div>`, []string{"{E} Stock"}, []string{"columnheader"}},
		{"a chip's cross", `<span role=button tabindex=0>Chip <svg id=x data-testid=CancelIcon width=9 height=9><path d="M0 0h9v9z"/></svg></span><script>x.addEventListener('click', () => 1)</script>`, []string{`button "Chip"`}, nil},
		{"a field of stars", `<p>Rate <span class=s>★</span><span class=s>★</span></p>` + listen(".s"), []string{`{E "★"}{E "★"}`}, nil},
	} {
		c.try(t)
	}
}

// A shape of a drawing is named by what is said of it or of the group it is in.
func TestExtractShapes(t *testing.T) {
	readsAs{"shapes", `<svg width=300 height=100><g onclick=1 aria-label=Berlin><path d="M0 0h50v50z"/></g><g><title>Bavaria</title><path onclick=1 d="M60 0h50v50z"/></g><g style="cursor:pointer"><path d="M120 0h50v50z"/><text x=130 y=40>Hesse</text></g>
<g data-name=Saxony><path onclick=1 d="M180 0h50v50z"/></g><path onclick=1 aria-label=Bremen d="M240 0h50v50z"/></svg>`,
		[]string{`{E "Berlin"}`, `{E "Bavaria"}`, "{E} Hesse", `{E "Saxony"}`, `{E "Bremen"}`}, []string{`""`}}.try(t)
}
