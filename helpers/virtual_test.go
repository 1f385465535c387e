package helpers_test

import (
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
	lacks(t, `<svg width=99 height=40><text y=20 onclick="1">Slice A</text></svg>`, `Slice A`)
	lacks(t, `<select multiple aria-label=Toppings><option selected>Ham<option>Olives<option selected>Figs</select>`, `{E listbox "Toppings"="Ham, Figs" of "Ham", "Olives", "Figs"}`)
	lacks(t, `<input type=date aria-label=D><input type=time aria-label=T><input type=color aria-label=C><div role=none onclick=1>No role</div>`, `{E date "D"`, `{E time "T"`, `{E color "C"`, `{E} No role`)
	open(t, html(`<li onclick=1>Alone</li><div role=none onclick=1>No role</div>`))
	r := read(t, "extract()")
	if r.named("Alone").UID == "" || r.named("No role").Role != "clickable" {
		t.Errorf("%+v", r.Elements)
	}
}
