package helpers_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

func lacks(t *testing.T, body string, says ...string) {
	t.Helper()
	open(t, html(body))
	m := uids.ReplaceAllString(read(t, "extract()").Markdown, "E")
	for _, s := range says {
		if !strings.Contains(m, s) {
			t.Errorf("%s\nno %q in\n%s", body, s, m)
		}
	}
}

// Field case 87: rows that are not drawn are told of, with the way to them.
func TestExtractPartlyDrawn(t *testing.T) {
	rows := func(from, to int, cell string) (s string) {
		for i := from; i <= to; i++ {
			s += strings.NewReplacer("N", itoa(i)).Replace(cell)
		}
		return s
	}
	row := `<div role=row aria-rowindex=N><span role=gridcell>Row N</span></div>`
	lacks(t, `<div role=grid aria-rowcount=1000>`+rows(1, 12, row)+`</div>`, `(rows 1 to 12 of 1,000 are drawn: scrollTo("E")`)
	lacks(t, `<div role=grid aria-rowcount=-1>`+rows(5, 9, row)+`</div>`, `(rows 5 to 9 of an unknown number`)
	lacks(t, `<table aria-rowcount=2000><tr aria-rowindex=1><th>A<th>B</tr>`+rows(2, 4, `<tr aria-rowindex=N><td>N<td>x</tr>`)+`</table>`, "(rows 1 to 4 of 2,000")
	lacks(t, `<div role=listbox>`+rows(21, 30, `<div role=option aria-setsize=300 aria-posinset=N>Option N</div>`)+`</div>`, "(rows 21 to 30 of 300")
	open(t, html(`<div role=grid aria-rowcount=3>`+rows(1, 3, row)+`</div><ul>`+rows(1, 3, `<li aria-setsize=3 aria-posinset=N>N`)+`</ul>`))
	if m := read(t, "extract()").Markdown; strings.Contains(m, "(rows") {
		t.Error(m)
	}
}

func itoa(n int) string { return strconv.Itoa(n) }

// Field case 83: an editor is the document that it holds.
func TestExtractEditors(t *testing.T) {
	lacks(t, `<div contenteditable aria-label=Body><p>`+strings.Repeat("word ", 60)+`end</p><p>second</p><ul><li>item one<li>item two</ul><p>last</div><p>After`,
		"{E textbox \"Body\"}\n", "end\n", "- item one", "last\n", "After")
	lacks(t, `<div contenteditable aria-label=Note>short</div>`, `{E textbox "Note"="short"}`)
}

// Field cases 101 to 103: names, hints, roles and options.
func TestExtractMarks(t *testing.T) {
	hand := ` style="cursor:pointer"`
	lacks(t, `<p>Pharetra <span`+hand+`>dignissim</span> massa</p>`, `Pharetra {E "dignissim"} massa`)
	lacks(t, `<ul><li`+hand+`>Anguilla<li`+hand+`>Aruba</ul>`, "- {E} Anguilla\n- {E} Aruba")
	lacks(t, `<div`+hand+`><h3>Card</h3><p>Text</p></div>`, "### {E} Card")
	lacks(t, `<p>j<span class="swatch red"`+` style="cursor:pointer;display:inline-block;width:9px;height:9px"></span></p>`, `{E (swatch red)}`)
	lacks(t, `<div onclick="1" class="ui-spinner-button-with-a-very-long-name ui-button ui-spinner-up" style="width:9px;height:9px"></div>`, `ui-spinner-up)}`)
	lacks(t, `<svg width=99 height=40><text y=20 onclick="1">Slice A</text></svg>`, `{E "Slice A"}`)
	lacks(t, `<select multiple aria-label=Toppings><option selected>Ham<option>Olives<option selected>Figs</select>`, `{E listbox "Toppings"="Ham, Figs" of "Ham", "Olives", "Figs"}`)
	lacks(t, `<input type=date aria-label=D><input type=time aria-label=T><input type=color aria-label=C><div role=none onclick=1>No role</div>`, `{E date "D"`, `{E time "T"`, `{E color "C"`, `{E} No role`)
	open(t, html(`<li onclick=1>Alone</li><div role=none onclick=1>No role</div><svg width=99 height=40><text y=20 onclick="document.title = 'sliced'">Slice A</text></svg>`))
	r := read(t, "extract()")
	want(t, fmt.Sprintf(`clickOn(%q); js("document.title")`, r.named("Slice A").UID), "sliced")
	if r.named("Alone").UID == "" || r.named("No role").Role != "clickable" {
		t.Errorf("%+v", r.Elements)
	}
}

// Rows that are not drawn yet are found by scrolling: a grid that draws a frame later, a list
// that draws at once and whose rows come empty first, a feed that scrolls with the window.
func TestFindScrolls(t *testing.T) {
	list := func(role, attrs, scroller string, draw string) string {
		return html(`<style>#s{height:200px;overflow:auto}.r{position:absolute;height:20px}</style><h1>Things</h1><div ` + scroller + `><div role=` + role + ` ` + attrs + ` id=l style="position:relative;height:4000px"></div></div>
			<script>const l = document.querySelector('#l'), s = document.querySelector('#s');
			const text = i => 'thing ' + (i * 13 + 5) + ' of many', first = () => Math.max(0, Math.floor((s ? s.scrollTop : scrollY - l.offsetTop) / 20));
			const row = (i, says) => '<div class=r ' + (l.role === 'grid' ? 'role=row aria-rowindex=' + (i + 1) : 'role=listitem aria-setsize=200 aria-posinset=' + (i + 1)) + ' style="top:' + i * 20 + 'px"><span role=gridcell>' + says + '</span></div>';
			const draw = says => { const f = first(); l.innerHTML = Array.from({length: Math.min(s ? 12 : 45, 200 - f)}, (_, i) => row(f + i, says(f + i))).join('') };
			(s || window).addEventListener('scroll', () => { ` + draw + ` }); draw(text);</script>`)
	}
	for name, page := range map[string]string{
		"a frame later":   list("grid", "aria-rowcount=200", "id=s", "requestAnimationFrame(() => draw(text))"),
		"empty at first":  list("list", "", "id=s", "draw(() => ''); clearTimeout(window.t); window.t = setTimeout(() => draw(text), 80)"),
		"with the window": list("list", "", "", "draw(text)"),
	} {
		t.Run(name, func(t *testing.T) {
			open(t, page)
			got := uids.ReplaceAllString(out(t, "find(`Thing 1955`)"), "E") // the 151st
			for _, want := range []string{"of 200 are drawn now)", "# Things", "thing 1942 of many", "thing 1955 of many", "thing 1968 of many"} {
				if !strings.Contains(got, want) {
					t.Errorf("no %q in\n%s", want, got)
				}
			}
			was := out(t, "js(`document.querySelector('#s')?.scrollTop ?? scrollY`)")
			fails(t, "find(`thing 1956`)", "element_not_found", "nor do rows 1 to 200 of 200")
			if now := out(t, "wait(0.2); js(`document.querySelector('#s')?.scrollTop ?? scrollY`)"); now != was || was == "0" {
				t.Errorf("a search in vain left it at %s, was at %s", now, was)
			}
		})
	}
}

// Lists that draw a part of their rows and do not say so, as libraries build them: it is told, find scrolls them, table reads all.
func TestVirtualLists(t *testing.T) {
	draw := map[string]string{ // from row f, with rows of text, in the scroller s
		"rows with a top":      "s.firstElementChild.innerHTML = rows.map((r, i) => `<div class=r style='position:absolute;top:${(f + i) * 20}px'>${r}</div>`).join('')",
		"a wrapper that moves": "const w = s.firstElementChild.appendChild(s.firstElementChild.firstElementChild || document.createElement('div')); w.style.cssText = `position:absolute;transform:translateY(${f * 20}px)`; w.innerHTML = rows.map(r => `<div class=r>${r}</div>`).join('')",
		"spacers":              "s.innerHTML = `<div style='height:${f * 20}px'></div><div>${rows.map(r => `<div class=r>${r}</div>`).join('')}</div><div style='height:${(60 - f - rows.length) * 20}px'></div>`",
		"rows of a table":      "s.innerHTML = `<table cellspacing=0><tr style='height:${f * 20}px'></tr>${rows.map(r => `<tr style='height:20px'><td style='padding:0'>${r}</tr>`).join('')}<tr style='height:${(60 - f - rows.length) * 20}px'></tr></table>`",
	}
	for kind, body := range draw {
		t.Run(kind, func(t *testing.T) {
			open(t, html(`<style>#s{overflow:auto;overflow-anchor:none;height:200px}.r{height:20px}</style><h1>Things</h1><div id=s><div style="position:relative;height:1200px"></div></div><script>
const draw = () => { const f = Math.max(0, Math.floor(s.scrollTop / 20) - 2), rows = Array.from({length: Math.min(15, 60 - f)}, (_, i) => 'thing ' + (f + i + 1) + ' of all'); `+body+` };
s.addEventListener('scroll', () => requestAnimationFrame(draw)); draw()</script>`))
			if m := uids.ReplaceAllString(read(t, "extract()").Markdown, "E"); !strings.Contains(m, `(rows 1 to 15 of about 60 are drawn: scrollTo("E") draws the next ones)`) {
				t.Error(m)
			}
			if got := out(t, "find(`thing 52 of`)"); !strings.Contains(got, "of about 60 are drawn now)") || !strings.Contains(got, "thing 51 of all") {
				t.Error(got)
			}
			want(t, "r := table(`#s`); ok := len(r) == 60; for i := range r { ok = ok && r[i][0] == fmt.Sprintf(`thing %d of all`, i+1) }; fmt.Println(ok, js(`s.scrollTop > 700`))", "true true")
		})
	}
	for _, all := range []string{`<div style="overflow:auto;height:100px">` + strings.Repeat("<p>line</p>", 60) + `</div>`, `<div style="overflow:auto;height:100px"><p>one<p>two<div style="height:50px"></div></div>`, strings.Repeat("<section><h2>Part</h2><p>Text</p></section>", 40), `<section>a</section><section>b</section><section>c</section><div style="height:3000px"></div>`} {
		if m := reads(t, all); strings.Contains(m, "are drawn") {
			t.Errorf("%s\nis read as\n%s", all, m)
		}
	}
}

// Grids of divs are read a row a line, trees with their depth, and what a mark stands before keeps its states.
func TestExtractGridsOfDivs(t *testing.T) {
	row := func(of string, cells ...string) string {
		return `<div role=row>` + `<div role=` + of + `>` + strings.Join(cells, `</div><div role=`+of+`>`) + `</div></div>`
	}
	for _, c := range []struct{ body, says string }{
		{`<div role=grid>` + row("columnheader", "Name", "Do") + row("gridcell", "Ann|x", "<button>View</button>") + `</div>`, "| Name | Do |\n| --- | --- |\n| Ann\\|x | {E button \"View\"} |"},
		{row("cell", "a", "b") + row("cell", "c", ""), "| a | b |\n| c | |"},
		{`<div role=table><div role=rowgroup>` + row("columnheader", "A", "B") + `</div><div role=rowgroup>` + row("cell", "1", "<p>2</p><p>3</p>") + `</div></div><p>after</p>`, "| A | B |\n| --- | --- |\n| 1 | 2 3 |\n\nafter"},
		{`<div role=row><button>Open</button><span role=cell>a</span></div>`, `| {E button "Open"} | a |`},
		{`<div role=row>no <b>cells</b></div>`, "no **cells**"},
		{`<div role=treegrid><div role=row aria-level=1 aria-expanded=true tabindex=0><div role=gridcell>src</div></div><div role=row aria-level=2 tabindex=-1><div role=gridcell>main.go</div></div></div>`, "| {E expanded} src |\n| › main.go |"},
		{`<div role=tree><div role=treeitem aria-level=1 aria-expanded=true tabindex=0>src</div><div role=treeitem aria-level=2 aria-selected=true>main.go</div><div role=treeitem aria-level=1 aria-disabled=true>go.mod</div></div>`, "- {E expanded} src\n  - {E selected} main.go\n- {E disabled} go.mod"},
		{`<ul role=tree><li role=treeitem aria-expanded=true><span>one</span><ul role=group><li role=treeitem>two</ul></ul>`, "- {E expanded} one\n  - {E} two"},
		{`<ul><li onclick=1 aria-selected=true>Item</ul><a href=/2 aria-current=page>2</a>`, "- {E selected} Item\n\n[2](/2){E current page}"},
	} {
		if got := reads(t, c.body); got != c.says {
			t.Errorf("%s\nis read as\n%s\nwant\n%s", c.body, got, c.says)
		}
	}
}

// Of a long list find reads only what may have the text, names and fields in it too, and all of it where that is in none.
func TestFindInLongLists(t *testing.T) {
	open(t, html(`<style>.p::after{content:" drawn only"}</style><ul id=l></ul><ol id=o></ol><script>
l.innerHTML = Array.from({length: 3000}, (_, i) => '<li>row ' + i + (i === 2000 ? ' <button aria-label="Remove needle">x</button>' : '') + (i === 2500 ? ' <span>pin</span>nacle' : '') + '</li>').join('');
o.innerHTML = '<li>item</li>'.repeat(1500) + '<li>last item of all</li>'; l.children[1500].className = 'p'</script>`))
	want(t, `for _, w := range []string{"row 1777", "remove needle", "pinnacle", "drawn only", "of all"} { fmt.Println(strings.ReplaceAll(regexp.MustCompile("[{]e[0-9]+ ").ReplaceAllString(find(w), "{E "), "\n", "|")) }`,
		"- row 1776|- row 1777|- row 1778\n- row 1999|- row 2000 {E button \"Remove needle\"}|- row 2001\n- row 2499|- row 2500 pinnacle|- row 2501\n- row 1499|- row 1500 drawn only|- row 1501\n1500. item|1501. last item of all")
}
