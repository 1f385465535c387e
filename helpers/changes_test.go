package helpers_test

import (
	"fmt"
	"strings"
	"testing"
)

// What a reading tells of before and after an act: what is new, changed and gone, in a tenth of the page's characters.
func TestChanges(t *testing.T) {
	var b strings.Builder
	for i := 1; i <= 1000; i++ {
		fmt.Fprintf(&b, "<tr><td>Person %d<td>p%d@example.com<td><button onclick='d.show()'>View</button>", i, i)
	}
	open(t, html(`<h1>People</h1><p id=n>1,000 people</p><label><input type=checkbox id=c>News</label><button id=x onclick="this.remove();n.textContent='999 people';c.checked=true">Drop</button>
<table><tr><th>Name<th>Mail<th>Do</tr>`+b.String()+`</table><dialog id=d style="position:fixed;top:0"><h2>Sure?</h2><button>Yes</button></dialog>`))
	first := out(t, `changes()`)
	if !strings.HasPrefix(first, "(this document was not read before: "+world.site.URL) || !strings.Contains(first, "# People") {
		t.Errorf("%.200s", first)
	}
	page := out(t, `extract()["markdown"]`)
	if got := uids.ReplaceAllString(out(t, `changes()`), "E"); !strings.HasPrefix(got, "(rows from 4") || !strings.HasSuffix(got, " on of E had not been read, so are not compared)") {
		t.Error(got) // extract stops where its room ends
	}
	want(t, `changes()`, "")
	clicked := out(t, `clickOn("tr:nth-child(3) button"); changes()`)
	if uids.ReplaceAllString(clicked, "E") != "new:\n## Sure?\n{E button \"Yes\"}" || len(clicked)*10 > len(page) {
		t.Errorf("%d of %d characters: %s", len(clicked), len(page), clicked)
	}
	want(t, `changes()`, "")
	dropped := uids.ReplaceAllString(out(t, `js("d.close()"); clickOn("#x"); fmt.Print(changes())`), "E")
	for _, words := range []string{"changed:\n999 people  (was: 1,000 people)\n", `{E checkbox "News" checked}`, "gone:\n", "## Sure?"} {
		if !strings.Contains(dropped, words) {
			t.Errorf("no %q in %s", words, dropped)
		}
	}
	want(t, `js("document.querySelector('tr:nth-child(900) td').textContent = 'Another'; 0"); c := changes(); fmt.Println(strings.Contains(c, "changed:\n| Another |"), len(c) < 300)`, "true true")
	again := out(t, `reload(); waitForLoad(); changes()`)
	if !strings.HasPrefix(again, "(this document was not read before") || !strings.Contains(again, "1,000 people") {
		t.Errorf("%.300s", again)
	}
}

// Lines that have nothing but numbers in common are not one line before and after.
func TestChangesOfOtherWords(t *testing.T) {
	open(t, html(`<button>Save</button><div id=bar hidden>3 items selected <button>Archive</button></div><p><progress id=p value=3 max=10></progress></p><p id=n>3 / 10`))
	want(t, `extract(); js("bar.hidden = false; p.value = 7; n.textContent = '4 / 10'; 0"); fmt.Println(regexp.MustCompile("e[0-9]+").ReplaceAllString(changes(), "E"))`,
		"new:\n3 items selected {E button \"Archive\"}\n\nchanged:\nprogressbar 7/10  (was: progressbar 3/10)\n4 / 10  (was: 3 / 10)")
}

// A toast that came and went between two readings is told once: by its role, by its place, or because it is announced and can be seen.
func TestChangesTellToasts(t *testing.T) {
	open(t, html(`<style>#sn{visibility:hidden;position:fixed;bottom:9px}#sn.show{visibility:visible}.sr{position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0 0 0 0)}</style><div id=host></div><script>
const shadow = host.attachShadow({ mode: 'open' }), gone = [], brief = (make, end) => { const e = make(); setTimeout(() => { end(e); gone.push(e) }, 250) }
const div = (props, html, to = document.body) => { const e = Object.assign(document.createElement('div'), props); e.innerHTML = html; to.append(e); return e }</script>
<button id=role onclick="brief(() => div({ role: 'status' }, 'Saved!'), e => e.remove())">1</button><button id=place onclick="brief(() => div({ style: 'position:fixed;top:0' }, '<b>Wrong</b> password'), e => e.remove())">2</button>
<button id=class onclick="brief(() => (sn.className = 'show'), () => sn.className = '')">3</button><div id=sn>Copied</div><button id=live onclick="brief(() => lv.textContent = 'gone:', () => lv.textContent = '')">4</button><p aria-live=polite id=lv></p>
<button id=shadowed onclick="brief(() => div({ role: 'alert' }, 'In shadow', shadow), e => e.remove())">5</button><button id=unseen onclick="brief(() => sr.textContent = 'for readers', () => sr.textContent = '')">6</button><p class=sr role=status id=sr></p>
<button id=plain onclick="brief(() => div({}, 'in the page'), e => e.remove())">7</button>`))
	out(t, `extract()`)
	for _, c := range [][2]string{{"role", "Saved!"}, {"place", "Wrong password"}, {"class", "Copied"}, {"live", `\gone:`}, {"shadowed", "In shadow"}, {"unseen", ""}, {"plain", ""}} {
		wanted := ""
		if c[1] != "" {
			wanted = "shown and gone:\n" + c[1]
		}
		want(t, fmt.Sprintf(`js("gone.length = 0"); clickOn("#%s"); waitFor("gone.length > 0"); fmt.Print(changes(), changes())`, c[0]), wanted)
	}
}

// A drawer is news while it still slides in.
func TestChangesOfADrawer(t *testing.T) {
	open(t, html(`<button onclick="d.style.transform='none'">Cart</button><div id=d style="position:fixed;right:0;top:0;width:200px;height:300px;transform:translateX(100%);transition:transform 20s">2 things <button>Pay</button></div>`))
	want(t, `extract(); clickOn("text=Cart"); fmt.Println(regexp.MustCompile("e[0-9]+").ReplaceAllString(changes(), "E"))`, "new:\n2 things {E button \"Pay\"}")
}

// A modal dialog that opened is new, and the page behind it is not gone; nor are frames of other sites forgotten.
func TestChangesBehindModal(t *testing.T) {
	inner := html(`<p id=p>quiet</p>`)
	open(t, html(`<h1>Behind</h1><p>Some text</p><iframe src="OTHER`+inner+`"></iframe><dialog id=d><p>Sure?</p><button>Yes</button></dialog>`))
	out(t, `extract()`)
	got := out(t, `js("d.showModal()"); js("p.textContent = 'loud'; 0", iframeTarget("`+inner+`")); changes()`)
	if g := uids.ReplaceAllString(got, "E"); g != "new:\nSure?\n{E button \"Yes\"}\n\nin frame E:\nchanged:\nloud  (was: quiet)" {
		t.Error(g)
	}
	if g := uids.ReplaceAllString(out(t, `extract(); js("d.close()"); changes()`), "E"); g != "gone:\nSure?\n{E button \"Yes\"}" {
		t.Error(g)
	}
}

func TestFind(t *testing.T) {
	var b strings.Builder
	for i := 1; i <= 1000; i++ {
		fmt.Fprintf(&b, "<tr><td>order %d<td><button>View</button>", i)
	}
	open(t, html(`<h1>Shop</h1><h2>Orders</h2><table><tr><th>No<th>Do</tr>`+b.String()+`</table><footer><a href="/imprint">Imprint</a></footer><iframe src="OTHER`+html(`<p>framed order</p>`)+`"></iframe>`))
	got := uids.ReplaceAllString(out(t, `find("Order 700")`), "E")
	if got != "## Orders\n| No | Do |\n| --- | --- |\n…\n| order 699 | {E button \"View\"} |\n| order 700 | {E button \"View\"} |\n| order 701 | {E button \"View\"} |" {
		t.Error(got)
	}
	if got := out(t, `find("order")`); !strings.Contains(got, "… 981 more lines have it") || !strings.Contains(got, "framed order") {
		t.Error(got)
	}
	want(t, `strings.Contains(find("imprint"), "[Imprint](/imprint){e") || strings.Contains(find("imprint"), "Imprint")`, "true")
	fails(t, `find("no such words")`, "element_not_found", "no such words", "extract()")
}

func TestTable(t *testing.T) {
	open(t, html(`<table id=t><thead><tr><th>Name<th colspan=2>Where</thead><tr><td>Jane <b>Doe</b><td>Bonn<td><button>View</button></table>
<div role=grid id=g><div role=row><span role=columnheader>A</span><span role=columnheader>B</span></div><div role=row><span role=gridcell>1</span><span role=gridcell>2</span></div></div><ul id=u><li>one<li>two</ul>`))
	got := uids.ReplaceAllString(out(t, `fmt.Println(table("#t")); fmt.Println(table("#g")[1][1], table("#u"))`), "E")
	if got != `[[Name Where ] [Jane **Doe** Bonn {E button "View"}]]`+"\n2 [[one] [two]]" {
		t.Error(got)
	}
	fails(t, `table("#none")`, "element_not_found")
	open(t, html(`<p id=p>text`))
	fails(t, `table("#p")`, "bad_value", "no rows")
}
