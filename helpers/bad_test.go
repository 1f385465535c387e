package helpers_test

import (
	"strings"
	"testing"
	"time"
)

// What no page should be: an answer all the same, and soon.
func TestReadingBadPages(t *testing.T) {
	for _, c := range []struct{ what, body, call, says string }{
		{"200,000 nodes in one list", `<script>document.write('<ul>' + '<li>an item</li>'.repeat(100000) + '</ul>')</script>`, `extract()["markdown"]`, "more rows"},
		{"200,000 controls", `<div id=all></div><script>all.innerHTML = '<div><button class=x>b</button></div>'.repeat(100000)</script>`, `extract()["markdown"]`, "more rows"},
		{"200,000 suspects", `<div id=all></div><script>all.innerHTML = '<i class=x>+</i><x-y>z</x-y>'.repeat(66000)</script>`, `extract()["markdown"]`, "+"},
		{"200,000 nodes compared", `<script>document.write('<ul>' + '<li>an item</li>'.repeat(100000) + '</ul>')</script>`, `extract(); changes()`, ""},
		{"200,000 nodes searched", `<script>document.write('<ul>' + '<li>an item</li>'.repeat(100000) + '</ul><p>needle')</script>`, `find("needle")`, "needle"},
		{"nothing to mark", `<p>x`, `screenshotMarks(os.TempDir() + "/bu-marks.png"); os.Remove(os.TempDir() + "/bu-marks.png"); "done"`, "done"},
		{"a name of 1 MB", `<button id=b>b</button><script>b.setAttribute('aria-label', 'x'.repeat(1e6)); b.id = b.className = 'y'.repeat(1e6)</script>`, `extract()["markdown"]`, "xxx"},
		{"a text of 1 MB", `<p id=b></p><a href=#x id=a></a><script>b.textContent = a.textContent = '{e1 ]( '.repeat(2e5)</script>`, `extract()["markdown"]`, "more characters"},
		{"lone surrogates", `<button id=b>b</button><p id=p></p><script>b.textContent = 'a\ud800b'; p.textContent = '\udc00x {e5'; document.title = '\ud83d'</script>`, `extract(); changes(); extract()["markdown"]`, "button"},
	} {
		open(t, html(`<p>first</p>`+c.body))
		begin := time.Now()
		got := out(t, c.call)
		t.Logf("%s: %v", c.what, time.Since(begin))
		if !strings.Contains(got, c.says) || len(got) > 30000 {
			t.Errorf("%s: %d characters, %.300s", c.what, len(got), got)
		}
	}
}

// Pages that never come to rest: what is acted on is what was meant, or an error says why it was not.
func TestActingOnBadPages(t *testing.T) {
	for _, c := range []struct{ what, body, call, says string }{
		{"1,500 nested elements", `<script>let e = document.body; for (let i = 0; i < 1500; i++) e = e.appendChild(document.createElement('div')); e.innerHTML = '<button onclick="document.title = 1">deep</button>'</script>`,
			`strings.Contains(as[string](extract()["markdown"]), "deep")`, "true"},
		{"redrawn every 100 ms", `<ul id=l></ul><script>setInterval(() => l.innerHTML = [1, 2, 3].map(i => '<li><button onclick="document.title = ' + i + '">row ' + i + '</button>').join(''), 100)</script>`,
			`waitFor("text=row 2"); for i := 0; i < 5; i++ { clickOn("text=row 2"); if js("document.title") != "2" { panic(js("document.title")) }; js("document.title = 0") }; fmt.Println("ok")`, "ok"},
		{"uids redrawn every 100 ms", `<ul id=l></ul><script>setInterval(() => l.innerHTML = [1, 2, 3].map(i => '<li><button onclick="document.title = ' + i + '">row ' + i + '</button>').join(''), 100)</script>`,
			`waitFor("text=row 2"); u := as[string](get(extract(), "elements", 1, "uid")); wait(0.3); err := try(func() { clickOn(u) }); fmt.Println(err.Code, js("document.title") != "1" && js("document.title") != "3", strings.Contains(err.Message, "one run"))`, "element_stale true true"},
		{"rows that change places every 100 ms", `<div id=l></div><script>let n = 0; const b = [1, 2, 3].map(i => Object.assign(document.createElement('button'), {textContent: 'row ' + i, onclick: () => document.title = i})); setInterval(() => { b.push(b.shift()); l.append(...b) }, 100)</script>`,
			`waitFor("text=row 3"); ok := 0; for i := 0; i < 5; i++ { js("document.title = 0"); if try(func() { clickOn("text=row 3") }) == nil { ok++ }; if t := js("document.title"); t != "3" && t != "0" { panic(t) } }; fmt.Println(ok > 0)`, "true"},
		{"frames that come and go", `<p>still here</p><div id=d></div><script>setInterval(() => { d.innerHTML = ''; for (const h of ['SITE', 'OTHER']) d.append(Object.assign(document.createElement('iframe'), {src: h + '/json?q=1'})) }, 150)</script>`,
			`for i := 0; i < 5; i++ { if !strings.Contains(as[string](extract()["markdown"]), "still here") { panic("lost") }; changes(); find("still") }; fmt.Println("ok")`, "ok"},
		{"names of 1 MB", `<button id=b onclick="document.title = 'hit'">b</button><label id=l>x</label><input id=i aria-labelledby=l><script>b.setAttribute('aria-label', 'x'.repeat(1e6)); l.textContent = 'y'.repeat(1e6); i.value = 'z'.repeat(1e6); i.className = i.title = 'w'.repeat(1e6)</script>`,
			`r := extract(); clickOn(as[string](get(r, "elements", 0, "uid"))); fill("#i", "short"); err := try(func() { clickOn("text=" + strings.Repeat("x", 1000000)) }); fmt.Println(js("document.title + i.value"), err == nil, len(fmt.Sprint(r)) < 100000)`, "hitshort true true"},
		{"texts that are no UTF-8", `<input id=i><div id=e contenteditable></div><select id=s><option>a</select>`,
			`fill("#i", "a\xffb"); typeInto("#e", "c\xffd"); err := try(func() { selectOption("#s", "\xff") }); fmt.Println(js("i.value + e.textContent"), err.Code)`, "a\ufffdbc\ufffdd bad_value"},
		{"values with lone surrogates", `<input id=i value=x><select id=s><option id=o>o<option>p</select><a id=a href=#x>a</a><script>i.value = '\ud800'; i.placeholder = 'p\udc00'; o.textContent = 'o\ud83d'; a.title = a.textContent = '\udfff'; a.className = '\ud800'</script>`,
			`extract(); changes(); find("o"); fmt.Println(fill("#i", "y"), selectOption("#s", "p"), clickOn("#a")["navigated"] != nil, js("i.value + s.value")); screenshotMarks(os.TempDir() + "/bu-marks2.png"); os.Remove(os.TempDir() + "/bu-marks2.png")`, "map[] map[] true yp"},
		{"a field that is drawn anew every 50 ms", `<div id=d></div><script>let v = ''; setInterval(() => { const had = document.activeElement?.id === 'i'; d.innerHTML = '<label>Name <input id=i></label>'; i.value = v; i.oninput = () => v = i.value; if (had) i.focus() }, 50)</script>`,
			`waitFor("#i"); err := try(func() { fill("#i", "Jane") }); fmt.Println(err == nil && js("i.value") == "Jane" || err != nil)`, "true"},
		{"a name with lone surrogates", `<button id=b onclick="document.title = 'hit'">a\ud800b</button><script>b.textContent = 'a\ud800b'; b.setAttribute('aria-label', 'x\udc00'); b.id = 'i\ud800'</script>`,
			`clickOn(as[string](get(extract(), "elements", 0, "uid"))); js("document.title")`, "hit"},
	} {
		open(t, html(`<p>first</p>`+c.body))
		begin := time.Now()
		got := out(t, c.call)
		t.Logf("%s: %v", c.what, time.Since(begin))
		if got != c.says {
			t.Errorf("%s: %.500s", c.what, got)
		}
	}
}
