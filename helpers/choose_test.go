package helpers_test

import "testing"

// Lists that show an option only when it is searched for or scrolled to, as those of React Select, MUI, Ant Design, Radix and
// cmdk do; and those that take several.
func TestListsInParts(t *testing.T) {
	cities := `const cities = [...Array(500)].map((_, i) => 'City ' + i).concat('Oslo', 'Old Oslo');`
	// An input that narrows its list down; late: what fits comes from a server.
	filter := func(late string) string {
		return `<div><input id=c role=combobox aria-expanded=false aria-label=City aria-controls=l value="City 3"></div><ul id=l role=listbox hidden></ul><script>` + cities + `
let chosen = 'City 3'; const show = async q => { const fits = cities.filter(x => x.toLowerCase().includes(q.toLowerCase())).slice(0, 8); ` + late + ` l.innerHTML = fits.map(x => '<li role=option>' + x).join('') };
const open = on => { l.hidden = !on; c.ariaExpanded = on }; c.onmousedown = () => { open(true); show('') }; c.oninput = () => { open(true); show(c.value) };
onkeydown = e => { if (e.key == 'Escape') { open(false); c.value = chosen } }; l.onclick = e => { c.value = chosen = e.target.textContent; open(false) }</script>`
	}
	// A list of 500 that draws ten rows, at the place that it is scrolled to.
	virtual := `<div><button id=c role=combobox aria-expanded=false aria-label=City>Choose</button></div><div id=l role=listbox hidden style="height:200px;width:200px;overflow:auto"><div id=all style="position:relative;height:10040px"></div></div><script>` + cities + `
const draw = () => { const from = Math.floor(l.scrollTop / 20); all.innerHTML = cities.slice(from, from + 12).map((x, i) => '<div role=option style="position:absolute;height:20px;top:' + (from + i) * 20 + 'px">' + x + '</div>').join('') };
const open = on => { l.hidden = !on; c.ariaExpanded = on; if (on) { l.scrollTop = 4000; draw() } }; l.onscroll = () => requestAnimationFrame(draw); c.onclick = () => open(l.hidden);
onkeydown = e => { if (e.key == 'Escape') open(false) }; all.onclick = e => { c.textContent = e.target.textContent; open(false) }</script>`
	// A button that opens a field for the search and the list below it.
	popover := `<div><button id=c role=combobox aria-expanded=false aria-label=City>Choose</button></div><div id=p hidden><input id=q placeholder=Search><div id=l role=listbox></div></div><script>` + cities + `
const show = () => l.innerHTML = cities.filter(x => x.includes(q.value)).slice(0, 5).map(x => '<div role=option aria-selected=' + (x == c.textContent) + '>' + x + '</div>').join('');
const open = on => { p.hidden = !on; c.ariaExpanded = on; if (on) { q.value = ''; show(); q.focus() } }; c.onclick = () => open(p.hidden); q.oninput = show;
onkeydown = e => { if (e.key == 'Escape') open(false) }; l.onclick = e => { c.textContent = e.target.textContent; open(false) }</script>`
	// One that takes several, stays open, and takes a chosen one back at the next click.
	several := `<div><div id=c role=combobox tabindex=0 aria-expanded=false aria-label=Tags><span id=chips>none</span></div></div><ul id=l role=listbox aria-multiselectable=true hidden><li role=option aria-selected=false>Red<li role=option aria-selected=false>Green<li role=option aria-selected=false>Blue</ul><script>
const open = on => { l.hidden = !on; c.ariaExpanded = on }; c.onclick = () => open(true); onkeydown = e => { if (e.key == 'Escape') open(false) };
l.onclick = e => { e.target.ariaSelected = e.target.ariaSelected != 'true'; chips.textContent = [...l.children].filter(o => o.ariaSelected == 'true').map(o => o.textContent).join('+') || 'none' }</script>`
	choose := `fmt.Println(selectOption("#c", "Oslo") == nil, js("(c.value || c.textContent) + ' ' + (c.ariaExpanded == 'false')"))`
	fails := func(held string) string {
		return `err := try(func() { selectOption("#c", "Atlantis") }); fmt.Println(err.Code, strings.Contains(err.Message, "Atlantis"), js("` + held + `"))`
	}
	tryKinds(t, []kind{
		{"narrowed down", filter(""), choose, "true Oslo true"},
		{"narrowed down by a server", filter("await new Promise(r => setTimeout(r, 700));"), choose, "true Oslo true"},
		{"narrowed down to nothing", filter(""), fails("c.value + l.hidden"), "bad_value true City 3true"},
		{"scrolled to", virtual, choose, "true Oslo true"},
		{"scrolled to above", virtual, `fmt.Println(selectOption("#c", "City 7") == nil, js("c.textContent"))`, "true City 7"},
		{"scrolled through in vain", virtual, fails("c.textContent + l.hidden"), "bad_value true Choosetrue"},
		{"searched in a popover", popover, choose, "true Oslo true"},
		{"of several", several, `fmt.Println(selectOption("#c", "Red", "Blue") == nil, js("chips.textContent + l.hidden"))`, "true Red+Bluetrue"},
		{"of several, chosen already", several, `selectOption("#c", "Green"); fmt.Println(selectOption("#c", "Green", "Blue") == nil, js("chips.textContent + l.hidden"))`, "true Green+Bluetrue"},
		{"of several, which the page takes back", several + `<script>l.addEventListener('click', () => setTimeout(() => { for (const o of l.children) o.ariaSelected = 'false'; chips.textContent = 'none' }))</script>`,
			`strings.Contains(fmt.Sprint(selectOption("#c", "Red")["note"]), "none")`, "true"},
	})
}
