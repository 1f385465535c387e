package helpers_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// kind is a page of one kind, what is done there, and what that prints.
type kind struct{ what, page, act, prints string }

func tryKinds(t *testing.T, kinds []kind) {
	t.Helper()
	for _, k := range kinds {
		t.Run(k.what, func(t *testing.T) {
			open(t, html(k.page))
			want(t, k.act, k.prints)
		})
	}
}

const takesDrops = `<div id=a draggable=true style="width:50px;height:50px;background:red">A</div><div id=z style="height:60px;border:1px solid">z</div><script>
a.ondragstart = e => e.dataTransfer.setData('text', 'A'); z.ondragover = e => e.preventDefault(); z.ondrop = e => z.textContent = 'got ' + e.dataTransfer.getData('text')</script>`

// Drags go where a person's would: into frames, within them, to what must be scrolled to first, after a press that lasts.
func TestDragKinds(t *testing.T) {
	inner := html(takesDrops)
	source := `<div id=s draggable=true style="width:50px;height:50px;background:blue">S</div><script>s.ondragstart = e => e.dataTransfer.setData('text', 'S')</script>`
	tryKinds(t, []kind{
		{"into a frame of another site", source + `<iframe src="OTHER` + inner + `" style="height:300px"></iframe>`,
			`waitFor("#z"); r := dragTo("#s", "#z"); fmt.Println(r == nil, len(find("got S")) > 0)`, "true true"},
		{"within a frame of another site", `<div style="height:90px"></div><iframe src="OTHER` + inner + `" style="height:300px"></iframe>`,
			`waitFor("#z"); r := dragTo("#a", "#z"); fmt.Println(r == nil, len(find("got A")) > 0)`, "true true"},
		{"out of a frame of another site", `<iframe src="OTHER` + inner + `" style="height:300px"></iframe><div id=out style="height:60px;background:#eee">out</div><script>out.ondragover = e => e.preventDefault(); out.ondrop = e => document.title = e.dataTransfer.getData('text')</script>`,
			`waitFor("#a"); fmt.Println(dragTo("#a", "#out") == nil, js("document.title"))`, "true A"},
		{"into a frame of this site", source + `<iframe src="SITE` + inner + `" style="height:300px"></iframe>`,
			`waitFor("#z"); fmt.Println(dragTo("#s", "#z") == nil, js("frames[0].z.textContent"))`, "true got S"},
		{"far below", strings.Replace(takesDrops, "<div id=z", `<div style="height:3000px"></div><div id=z`, 1),
			`fmt.Println(dragTo("#a", "#z") == nil, js("z.textContent"))`, "true got A"},
		{"far above", `<div id=up style="height:60px">up</div><div style="height:3000px"></div>` + strings.Replace(takesDrops, "z.on", "up.on", 2),
			`js("scrollTo(0, 3000)"); fmt.Println(dragTo("#a", "#up") == nil, js("z.textContent"))`, "true got A"},
		{"in a box that scrolls", strings.Replace(takesDrops, "<div id=z", `<div style="height:100px;overflow:auto"><div style="height:900px"></div><div id=z`, 1),
			`fmt.Println(dragTo("#a", "#z") == nil, js("z.textContent"))`, "true got A"},
		{"far below, and nothing takes it", `<div id=a draggable=true>A</div><div style="height:3000px"></div><div id=z>z</div>`,
			`strings.Contains(fmt.Sprint(dragTo("#a", "#z")["note"]), "nothing on the page changed")`, "true"},
		{"after a press that lasts", `<div id=a style="width:50px;height:50px;background:red">A</div><div id=z style="height:100px;margin:50px;background:#eee">z</div><script>let timer, on;
a.onmousedown = () => timer = setTimeout(() => on = true, 200); onmousemove = () => on || clearTimeout(timer); onmouseup = () => { clearTimeout(timer); if (on && z.matches(':hover')) document.title = 'dropped'; on = false }</script>`,
			`fmt.Println(dragTo("#a", "#z") == nil, js("document.title"))`, "true dropped"},
		{"with a captured pointer", `<div id=a style="position:absolute;width:50px;height:50px;background:red;touch-action:none">A</div><div id=z style="position:absolute;left:300px;top:200px;width:100px;height:100px;background:#eee"></div><script>let from;
a.onpointerdown = e => { a.setPointerCapture(e.pointerId); from = [e.clientX - a.offsetLeft, e.clientY - a.offsetTop] }; a.onpointermove = e => { if (from) { a.style.left = e.clientX - from[0] + 'px'; a.style.top = e.clientY - from[1] + 'px' } }; a.onpointerup = () => from = null</script>`,
			`fmt.Println(dragTo("#a", "#z") == nil, js("a.offsetLeft > 300 && a.offsetTop > 200"))`, "true true"},
		{"a link that nothing takes", `<a id=a href="SITE/json?q=x">link</a><p id=z>z</p>`,
			`n := len(listTabs()); dragTo("#a", "#z"); wait(0.5); fmt.Println(len(listTabs()) - n, js("location.pathname != '/json'"))`, "0 true"},
	})
}

// Files go where the page takes them, all of them, and nowhere else.
func TestUploadKinds(t *testing.T) {
	dir := t.TempDir()
	os.MkdirAll(filepath.Join(dir, "pictures", "old"), 0o755)
	one, two, pictures := filepath.Join(dir, "one.txt"), filepath.Join(dir, "two.txt"), filepath.Join(dir, "pictures")
	for _, f := range []string{one, two, pictures + "/a.txt", pictures + "/old/b.txt"} {
		os.WriteFile(f, []byte("text"), 0o644)
	}
	paths := strings.NewReplacer("ONE", `"`+one+`"`, "TWO", `"`+two+`"`, "PICTURES", `"`+pictures+`"`)
	inner := html(`<input type=file id=f onchange="document.body.append('has ' + f.files[0].name)"><button id=b onclick="f.click()">pick</button><button id=p onclick="f.showPicker()">picker</button>`)
	var kinds []kind
	for _, k := range []kind{
		{"a folder", `<input type=file id=d webkitdirectory><button id=b onclick="d.click()">b</button>`,
			`activateTab(); uploadFile("#d", PICTURES); fmt.Println(js("[...d.files].map(f => f.webkitRelativePath).sort().join()")); fmt.Println(try(func() { uploadFile("#d", ONE) }).Code, try(func() { uploadFile("#b", ONE) }).Code)`, "pictures/a.txt,pictures/old/b.txt\nbad_value bad_value"},
		{"no folder where files belong", `<input type=file id=f multiple><button id=b onclick="f.click()">b</button>`,
			`fmt.Println(try(func() { uploadFile("#f", PICTURES) }).Code, try(func() { uploadFile("#b", ONE, PICTURES) }).Code); uploadFile("#b", ONE, TWO); js("f.files.length")`, "bad_value bad_value\n2"},
		{"one file by a button", `<input type=file id=f hidden><button id=b onclick="f.click()">b</button>`,
			`fmt.Println(try(func() { uploadFile("#b", ONE, TWO) }).Code, js("f.files.length"))`, "bad_value 0"},
		{"by buttons in a frame of another site", `<iframe src="OTHER` + inner + `"></iframe>`,
			`waitFor("#b"); uploadFile("#b", ONE); find("has one.txt"); uploadFile("#p", TWO); find("two.txt"); uploadFile("#f", ONE); for _, x := range []string{"#b", "#p"} { fmt.Println(get(clickOn(x), "fileChooser", "multiple")) }`, "false\nfalse"},
		{"dropped where nothing takes it", `<button id=b>Nothing</button><div id=z style="height:80px">Nothing</div><textarea id=t></textarea>`,
			`n := len(listTabs()); for _, x := range []string{"#b", "#z", "#t"} { fmt.Println(try(func() { uploadFile(x, ONE) }).Code) }; wait(0.5); fmt.Println(len(listTabs()) - n, js("location.protocol"))`, "bad_request\nbad_request\nbad_request\n0 http:"},
		{"dropped on a place that shows with the drag", `<div id=z style="height:80px;background:#eee">Drop<div id=over style="display:none;height:80px;background:#dfd">here</div></div><script>
z.ondragenter = () => over.style.display = ''; over.ondragover = e => { e.preventDefault(); e.stopPropagation() }; z.ondragover = e => e.preventDefault(); z.ondrop = e => { e.preventDefault(); document.title = [...e.dataTransfer.items].map(i => i.webkitGetAsEntry().name).join() }</script>`,
			`uploadFile("#z", ONE, TWO); js("document.title")`, "one.txt,two.txt"},
		{"what a click leads elsewhere", `<a id=a href="#there">to</a>`,
			`err := try(func() { uploadFile("#a", ONE) }); fmt.Println(err.Code, strings.Contains(err.Message, "#there"))`, "bad_request true"},
	} {
		k.act = paths.Replace(k.act)
		kinds = append(kinds, k)
	}
	tryKinds(t, kinds)
}

// Fields that take what is put in otherwise than plain ones do.
func TestFillKinds(t *testing.T) {
	mask := func(says string) string { return `<input id=i><script>` + says + `</script>` }
	tryKinds(t, []kind{
		{"makes a number of it", mask(`i.oninput = () => { const d = i.value.replace(/\D/g, ''); i.value = d.length > 6 ? '(' + d.slice(0, 3) + ') ' + d.slice(3, 6) + '-' + d.slice(6) : d }`),
			`fmt.Println(fill("#i", "5551234567")["value"], fill("#i", "(555) 123-4567") == nil)`, "(555) 123-4567 true"},
		{"refuses what is no digit", mask(`i.onbeforeinput = e => { if (/\D/.test(e.data || '')) e.preventDefault() }`),
			`fmt.Println(fill("#i", "12a3")["value"], fill("#i", "456") == nil, js("i.value"))`, "123 true 456"},
		{"takes one key at a time", mask(`i.onbeforeinput = e => { e.preventDefault(); if (/^\d$/.test(e.data || '')) i.value += e.data; else if (!e.data || e.data.length == 1) i.value = '' }`),
			`fmt.Println(fill("#i", "1234") == nil, js("i.value"))`, "true 1234"},
		{"goes by keydown alone", mask(`let d = ''; i.onkeydown = e => { e.preventDefault(); if (/^\d$/.test(e.key)) i.value = d += e.key }; i.onbeforeinput = e => e.preventDefault()`),
			`fmt.Println(fill("#i", "1234") == nil, js("i.value"))`, "true 1234"},
		{"is rewritten as it is left", `<input id=i onchange="i.value = 'old'"><input id=j onchange="setTimeout(() => j.value = 'old')"><input id=k onkeyup="setTimeout(() => k.value = 'old')"><input id=l onchange="l.value = ''"><input id=m onchange="m.value = m.value.trim()">`,
			`fmt.Println(fill("#i", "abc")["value"], fill("#j", "abc")["value"], fill("#k", "abc")["value"], fill("#l", "abc")["value"] == "", fill("#m", " abc ") == nil)`, "old old old true true"},
		{"takes nothing", mask(`i.onbeforeinput = e => e.preventDefault()`),
			`fmt.Println(try(func() { fill("#i", "1234") }).Code, js("i.value == ''"))`, "bad_value true"},
		{"is too short", `<input id=i maxlength=5><textarea id=t maxlength=5></textarea>`,
			`fmt.Println(fill("#i", "1234567")["value"], fill("#t", "1234567")["value"], typeInto("#t", "x")["value"])`, "12345 12345 12345"},
		{"is one of boxes that take the last character", `<div id=o><input type=tel><input type=tel><input type=tel></div><script>const all = [...o.children]; all.forEach((x, i) => x.oninput = () => { x.value = x.value.slice(-1); all[i + 1]?.focus() })</script>`,
			`fmt.Println(fill("#o input", "123") == nil, js("all.map(x => x.value).join('')"))`, "true 123"},
		{"has the focus on a button in it", `<div id=e contenteditable><p>Hello <span contenteditable=false>@ann <button id=x onclick="document.title = 'x'">x</button></span> there</p></div>`,
			`clickOn("#x"); fmt.Println(js("document.title"), typeInto("#e", " more") == nil, strings.Contains(as[string](js("e.innerText")), "there more"))`, "x true true"},
		{"opens a dialog as it is come to", `<input id=i onfocus="if (!window.once) { once = 1; alert('hey') }"><input id=j onfocus="if (!window.once2) { once2 = 1; alert('hey') }">`,
			`for _, f := range []func() M{func() M { return fill("#i", "x") }, func() M { return typeInto("#j", "x") }} { r := f(); fmt.Println(get(r, "dialog", "message"), r["note"] != nil); acceptDialog() }; fmt.Println(fill("#i", "x") == nil, typeInto("#j", "y") == nil, js("i.value + j.value"))`, "hey true\nhey true\ntrue true xy"},
		{"opens a dialog in the middle", `<input id=i oninput="if (i.value.length == 2) alert('two')">`,
			`r := typeInto("#i", "abc"); acceptDialog(); fmt.Println(get(r, "dialog", "message"), r["note"] != nil, js("i.value"))`, "two true ab"},
		{"is no field", `<div id=s role=slider tabindex=0 aria-valuenow=5>5</div><div id=c role=combobox tabindex=0>c</div>`,
			`fmt.Println(strings.Contains(try(func() { fill("#s", "7") }).Message, "arrow keys"), strings.Contains(try(func() { fill("#c", "7") }).Message, "options"))`, "true true"},
		{"options of one name", `<select id=s><option value=a>Same<option value=b>Same<option value=c>Other<option value=d disabled>Twice<option value=e>Twice</select>`,
			`err := try(func() { selectOption("#s", "Same") }); fmt.Println(err.Code, strings.Contains(err.Message, "\"a\", \"b\"")); selectOption("#s", "b"); fmt.Println(js("s.value")); selectOption("#s", "Twice"); fmt.Println(js("s.value"))`, "bad_value true\nb\ne"},
	})
}

// A choice is told as it is in the end, drawn anew, later, or by a page that goes on elsewhere.
func TestChoiceKinds(t *testing.T) {
	tryKinds(t, []kind{
		{"drawn anew", `<div id=box></div><script>let on = false, drawn = 0; const draw = () => { drawn++; box.innerHTML = '<input type=checkbox id=c' + Math.random() + ' aria-label=Agree ' + (on ? 'checked' : '') + '>'; box.firstChild.onclick = () => { on = !on; setTimeout(draw) } }; draw()</script>`,
			`fmt.Println(fillForm(M{"Agree": true}) == nil, js("on")); waitFor("drawn > 1"); fmt.Println(fillForm(M{"Agree": false}) == nil, js("on"))`, "true true\ntrue false"},
		{"gone with its row", `<label id=l><input type=checkbox id=c onclick="l.remove()"> todo</label>`,
			`strings.Contains(fmt.Sprint(setChecked("#c", true)["note"]), "no longer on the page")`, "true"},
		{"a switch that asks its server", `<button role=switch aria-checked=false id=s onclick="setTimeout(() => s.ariaChecked = 'true', 900)">s</button>`,
			`fmt.Println(setChecked("#s", true) == nil, js("s.ariaChecked"))`, "true true"},
		{"a label that is a link", `<label for=c><a href="#terms">terms</a></label><input type=checkbox id=c style="position:absolute;left:-9999px">`,
			`fmt.Println(try(func() { setChecked("#c", true) }).Code, js("c.checked"))`, "bad_value false"},
		{"a box that leads to another page", `<input type=checkbox id=c onclick="location = 'SITE/json?q=1'">`,
			`setChecked("#c", true)["navigated"]`, "SITE/json?q=1"},
	})
}

// What a form refused is told wherever it stands, and by whatever it was sent.
func TestRefusedKinds(t *testing.T) {
	form := `<form><input required aria-label=NAME id=ID><button id=go>Send</button></form>`
	named := func(name, id string) string {
		return strings.NewReplacer("NAME", name, "ID", id, "go", "go"+id).Replace(form)
	}
	other := html(named("Far", "f"))
	tryKinds(t, []kind{
		{"in shadow roots", `<div id=h></div><div id=k></div><script>h.attachShadow({mode: 'open'}).innerHTML = '` + named("In", "i") + `'; k.attachShadow({mode: 'closed'}).innerHTML = '` + named("Closed", "c") + `'</script>`,
			`for _, x := range []string{"#goi", "#goc"} { fmt.Println(clickOn(x)["invalid"]) }; clickOn("#i"); fmt.Println(pressKey("Enter")["invalid"])`,
			"[In: Please fill out this field.]\n[Closed: Please fill out this field.]\n[In: Please fill out this field.]"},
		{"in frames", `<iframe srcdoc='` + named("Near", "n") + `'></iframe><iframe src="OTHER` + other + `"></iframe>`,
			`waitFor("#gof"); for _, x := range []string{"#gon", "#gof"} { fmt.Println(clickOn(x)["invalid"]) }; clickOn("#n"); fmt.Println(pressKey("Enter")["invalid"])`,
			"[Near: Please fill out this field.]\n[Far: Please fill out this field.]\n[Near: Please fill out this field.]"},
		{"by Enter", named("Name", "i"), `clickOn("#i"); fmt.Println(pressKey("Enter")["invalid"]); fill("#i", "x"); fmt.Println(pressKey("Enter")["invalid"])`, "[Name: Please fill out this field.]\n<nil>"},
	})
}

// Boxes that snap, windows that are blank, and frames of other sites that keep no wait.
func TestOddKinds(t *testing.T) {
	tryKinds(t, []kind{
		{"a row that snaps", `<style>.c{display:flex;overflow-x:auto;scroll-snap-type:x mandatory;width:300px}.c>div{flex:0 0 300px;height:100px;scroll-snap-align:start}</style><div class=c><div>1</div><div>2</div><div><button id=b onclick="document.title='hit'">x</button></div><div>4</div></div>`,
			`clickOn("#b"); js("document.title")`, "hit"},
		{"a tab by a link, pressed otherwise", `<a id=a href="/json?q=1">x</a>`,
			`for _, how := range []string{"Control", "middle"} { r := clickOn("#a", how); fmt.Println(r["newTab"] != nil); closeTab(as[string](r["newTab"])) }`, "true\ntrue"},
		{"what nobody reaches", `<div inert><select id=s><option>a<option>b</select><input type=file id=f hidden><input id=i><input type=date id=d></div><select id=m><option>a<option>b</select><dialog id=d1><select id=in><option>a<option>b</select></dialog><dialog id=d2><p>two</dialog>`,
			`all := func(what ...func()) { for _, f := range what { fmt.Print(try(f).Code, " ") } }
all(func() { selectOption("#s", "b") }, func() { uploadFile("#f", "go.mod") }, func() { fill("#i", "x") }, func() { fill("#d", "2026-01-01") }); js("d2.showModal(); d1.showModal()")
all(func() { selectOption("#m", "b") }, func() { fill("#m", "b") }); selectOption("#in", "b"); js("[s.value, f.files.length, i.value, d.value, m.value, document.getElementById('in').value].join()")`,
			"element_disabled element_disabled element_disabled element_disabled element_covered element_covered a,0,,,a,b"},
		{"a blank window", `<button id=b onclick="w = window.open(''); w.location = 'vscode://x'">b</button>`,
			`r := clickOn("#b"); fmt.Println(strings.Contains(fmt.Sprint(r["note"]), "blank")); closeTab(as[string](r["newTab"]))`, "true"},
	})
	page := html(`<iframe src="OTHER/json?q=1"></iframe>`)
	env := []string{"BU_NAME=" + world.name + "-idle", "BU_CDP_WS=" + world.chrome.WS} // whose memory of events has them all
	t.Cleanup(func() { run(t, `killDaemon()`, env...) })
	out(t, `newTab("SITE`+page+`"); waitForLoad(20); waitForNetworkIdle(20, 0.5, 3600); closeTab()`, env...)
}
