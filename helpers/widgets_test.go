package helpers_test

import "testing"

// A select that nobody sees counts as set when what stands in its place shows so.
func TestHiddenSelects(t *testing.T) {
	const clipped = `style="position:absolute;clip:rect(0 0 0 0);overflow:hidden;width:1px;height:1px"`
	options := `<option value="">Choose<option>Apple<option value=p>Pear`
	tell := `fmt.Println(r, js("document.querySelector('select').selectedOptions[0].label"))`
	tryKinds(t, []kind{
		{"the widget does not follow", `<select id=s ` + clipped + `>` + options + `</select><div><div role=combobox tabindex=0 id=w>Choose</div></div><ul id=l hidden><li role=option onclick="w.textContent = 'Pear'">Pear</ul><script>w.onclick = () => l.hidden = false</script>`,
			`fmt.Println(selectOption("#s", "Pear") == nil, js("w.textContent"))`, "true Pear"},
		{"a list that takes several", `<div><select id=s multiple ` + clipped + `>` + options + `</select><div role=combobox tabindex=0 id=w>Choose</div></div>`,
			`err := try(func() { selectOption("#s", "Pear") }); fmt.Println(err.Code, as[string](err.Data["stands"]) != "", js("s.selectedOptions.length"))`, "element_hidden true 0"},
		{"in the midst of its widget", `<div role=combobox tabindex=0 style="position:relative"><select id=s hidden style="display:block;position:absolute;opacity:0;pointer-events:none;inset:0">` + options + `</select><span>Choose</span></div>`,
			`for _, f := range []func(){func() { selectOption("#s", "Pear") }, func() { fill("#s", "Pear") }, func() { fillForm(M{"#s": "Pear"}) }} { fmt.Println(try(f).Code) }; js("s.value === ''")`, "element_hidden\nelement_hidden\nelement_hidden\ntrue"},
		{"the widget follows, later", `<select id=s ` + clipped + ` onchange="setTimeout(() => w.textContent = s.selectedOptions[0].label, 100)">` + options + `</select><span><span role=combobox tabindex=0 id=w>Choose</span></span>`,
			`r := selectOption("#s", "Pear"); ` + tell + `; r = selectOption("#s", "p"); ` + tell, "map[] Pear\nmap[] Pear"},
		{"the widget says something else", `<div><select id=s style="display:none" multiple onchange="w.textContent = s.selectedOptions.length + ' chosen'">` + options + `</select><button id=w>Nothing</button></div>`,
			`r := selectOption("#s", "Pear", "Apple"); fmt.Println(strings.Contains(fmt.Sprint(r["note"]), "2 chosen"), js("s.selectedOptions.length"))`, "true 2"},
		{"transparent upon its picture", `<div style="position:relative;width:100px;height:30px"><span>Icon</span><select id=s style="position:absolute;inset:0;opacity:0">` + options + `</select></div>`,
			`r := selectOption("#s", "Pear"); ` + tell, "map[] Pear"},
		{"nothing in its place", `<select id=s style="display:none">` + options + `</select><p>text`,
			`r := selectOption("#s", "Pear"); fmt.Println(strings.Contains(fmt.Sprint(r["note"]), "no person sees"), js("s.value"))`, "true p"},
	})
}

// A switch is on when it says so, or when its box does: libraries keep but one of the two.
func TestSwitchesOfScripts(t *testing.T) {
	kept := func(sets string) string {
		return `<label for=i>Express</label><div id=sw style="width:60px;height:20px;background:#ccc"><input id=i type=checkbox role=switch aria-checked=false style="position:absolute;opacity:0;width:0;height:0"><span>core</span></div><script>
let on = false, times = 0; sw.onclick = e => { e.preventDefault(); times++; on = !on; ` + sets + ` }</script>`
	}
	try := `for _, on := range []bool{true, true, false} { r := setChecked("#i", on); fmt.Println(r == nil || len(r) == 0, js("on + ' ' + times")) }`
	tryKinds(t, []kind{
		{"says it by its role", kept(`i.ariaChecked = on`), try, "true true 1\ntrue true 1\ntrue false 2"},
		{"says it by its role, later", kept(`setTimeout(() => i.ariaChecked = on, 200)`), try, "true true 1\ntrue true 1\ntrue false 2"},
		{"says it by its box", `<input id=i type=checkbox role=switch aria-checked=false><script>let on = false, times = 0; i.onclick = () => { times++; on = i.checked }</script>`,
			`r := setChecked("#i", true); fmt.Println(r == nil || len(r) == 0, js("on + ' ' + times"))`, "true true 1"},
		{"in a shadow root", `<label id=l>Agree <x-box></x-box></label><script>customElements.define('x-box', class extends HTMLElement { static formAssociated = true; constructor() { super(); this.attachShadow({mode: 'open'}).innerHTML = '<input type=checkbox>'; this.onclick = e => { if (e.composedPath()[0] === this) this.shadowRoot.firstChild.click() } } })</script>`,
			`fmt.Println(setChecked("#l", true) == nil, js("document.querySelector('x-box').shadowRoot.firstChild.checked"), setChecked("#l", true) == nil)`, "true true true"},
	})
}

// A page hears of a scroll before it gets the click for which it was scrolled.
func TestClickAfterScroll(t *testing.T) {
	tall := `<div style="height:2500px">tall</div>`
	closes := `<button id=b>Open</button><ul id=m hidden><li>Rename</ul><script>b.onclick = () => m.hidden = false; addEventListener('scroll', () => m.hidden = true, true)</script>`
	tryKinds(t, []kind{
		{"the page", tall + closes, `clickOn("#b"); wait(0.5); js("m.hidden")`, "false"},
		{"a box", `<div style="height:200px;overflow:auto">` + tall + `<button id=b>Open</button>` + tall + `</div><ul id=m hidden><li>Rename</ul><script>b.onclick = () => m.hidden = false; addEventListener('scroll', () => m.hidden = true, true)</script>`,
			`clickOn("#b"); wait(0.5); js("m.hidden")`, "false"},
		{"by scrollTo", tall + closes + tall, `scrollTo("#b"); clickOn("#b"); wait(0.5); js("m.hidden")`, "false"},
		{"what is moved by it", tall + `<button id=b onclick="document.title = 'hit'" style="position:relative">Press</button>` + tall + `<script>addEventListener('scroll', () => b.style.top = '150px')</script>`,
			`clickOn("#b"); js("document.title")`, "hit"},
		{"covered wherever it is scrolled to", tall + `<div id=box style="position:relative;width:90px"><input id=i style="position:absolute;z-index:-1"><label for=i onclick="document.title = 'hit'">Label</label></div>` + tall,
			`try(func() { clickOn("#i") }); js("scrollY > 0")`, "true"},
	})
}

// What stands for one thing is one thing; what can be seen goes before what is for screen readers.
func TestTextTargets(t *testing.T) {
	tryKinds(t, []kind{
		{"options for screen readers", `<div role=listbox style="height:0;width:0;overflow:hidden"><div role=option aria-label=Admin>a</div><div role=option aria-label=Editor>e</div></div><div><div onclick="document.title = 'chose'"><div>Editor</div></div></div>`,
			`clickOn("text=Editor"); js("document.title")`, "chose"},
		{"a hidden button alone", `<button style="position:absolute;clip:rect(0 0 0 0);overflow:hidden;width:1px;height:1px" aria-label="Skip">s</button><p>Skip it not`,
			`try(func() { clickOn("text=Skip") }).Code`, "element_covered"},
		{"a label, its field, its group", `<label for=f>Name</label><input id=f aria-label=Name><span id=l onclick="document.title = 'group'">Plan</span><div role=radiogroup aria-labelledby=l><label>Free<input type=radio></label></div><fieldset><legend>Size</legend><input type=checkbox> small</fieldset>`,
			`fill("text=Name", "x"); clickOn("text=Plan"); clickOn("text=Size"); js("f.value + document.title")`, "xgroup"},
		{"a field in a shadow root", `<label><x-box></x-box> Agree</label><x-in aria-label=City></x-in><script>
customElements.define('x-box', class extends HTMLElement { static formAssociated = true; constructor() { super(); this.attachShadow({mode: 'open'}).innerHTML = '<input type=checkbox id=input>' } });
customElements.define('x-in', class extends HTMLElement { constructor() { super(); this.attachShadow({mode: 'open'}).innerHTML = '<input>' } })</script>`,
			`fillForm(M{"Agree": true, "City": "Oslo"}); js("document.querySelector('x-box').shadowRoot.firstChild.checked + document.querySelector('x-in').shadowRoot.firstChild.value")`, "trueOslo"},
		{"a mirror of sections", `<span id=l>Departure</span><div role=group aria-labelledby=l style="position:relative;width:220px"><div style="background:#fff;position:relative"><span role=spinbutton contenteditable aria-label=Month>MM</span>/<span role=spinbutton contenteditable aria-label=Day>DD</span></div><input aria-hidden=true tabindex=-1 aria-labelledby=l style="position:absolute;inset:0;opacity:0;z-index:-1"></div><script>
for (const s of document.querySelectorAll('[role=spinbutton]')) s.onbeforeinput = e => { e.preventDefault(); if (!/\d/.test(e.data)) return; s.d = (s.d || '') + e.data; s.textContent = s.d; if (s.d.length == 2) s.nextElementSibling?.focus() }</script>`,
			`fillForm(M{"Departure": "03/14"}); js("[...document.querySelectorAll('[role=spinbutton]')].map(s => s.textContent).join()")`, "03,14"},
		{"sections of a date that name themselves", `<span id=l>Born</span><span role=spinbutton id=m aria-valuetext=Empty aria-label="month, " aria-labelledby="m l" tabindex=0>mm</span><span role=spinbutton id=d aria-valuetext=Empty aria-label="day, " aria-labelledby="d l" tabindex=0>dd</span><input id=i aria-label=Foo aria-labelledby="i l" value=v>`,
			`s := extract()["markdown"].(string); for _, n := range []string{"month, Born", "day, Born", "Foo Born"} { fmt.Println(strings.Contains(s, strconv.Quote(n))) }`, "true\ntrue\ntrue"},
		{"options named by a part of them", `<button role=combobox aria-expanded=false aria-label=Fruit id=c>Pick</button><div role=listbox id=l hidden><div role=option aria-labelledby=a><span id=a>apple</span></div><div role=option aria-labelledby=p onclick="c.textContent = 'pear'; l.hidden = true"><span id=p>pear</span></div></div><script>c.onclick = () => { l.hidden = !l.hidden }</script>`,
			`fmt.Println(selectOption("#c", "pear") == nil, js("c.textContent")); clickOn("#c"); clickOn("text=pear"); js("l.hidden")`, "true pear\ntrue"},
	})
}

// A press that came to what it was for is not told as one that got no click.
func TestPressThatOpens(t *testing.T) {
	opens := `const b = document.createElement('div'); b.style = 'position:fixed;inset:0'; b.innerHTML = '<ul role=listbox><li role=option tabindex=-1>Business</ul>'; document.body.append(b)`
	tryKinds(t, []kind{
		{"says that it is open", `<div id=c role=combobox tabindex=0 aria-expanded=false>Choose</div><script>c.onmousedown = () => { c.ariaExpanded = true; ` + opens + ` }</script>`, `clickOn("#c")["note"]`, ""},
		{"a list that opens", `<div id=c tabindex=0>Choose</div><script>c.onmousedown = () => { ` + opens + ` }</script>`, `clickOn("#c")["note"]`, ""},
		{"nothing but a cover", `<div id=c tabindex=0>Choose</div><script>c.onmousedown = () => { const b = document.createElement('div'); b.style = 'position:fixed;inset:0'; document.body.append(b) }</script>`,
			`strings.Contains(fmt.Sprint(clickOn("#c")["note"]), "no click")`, "true"},
	})
}

// Sliders are set by the keys that they take, to the number, or not at all.
func TestSliders(t *testing.T) {
	slider := func(attributes, keys string) string {
		return `<div id=s role=slider tabindex=0 aria-label=Volume aria-valuemin=0 aria-valuemax=1000 aria-valuenow=20 style="width:300px;height:20px;background:#ccc" ` + attributes + `></div><script>
s.onkeydown = e => { const d = (` + keys + `)[e.key]; if (d === undefined) return; const v = Math.min(1000, Math.max(0, Math.round((+s.ariaValueNow + d) * 10) / 10)); s.ariaValueNow = v }</script>`
	}
	set := `fmt.Println(fill("#s", "550") == nil, js("s.ariaValueNow"), fillForm(M{"Volume": 30}) == nil, js("s.ariaValueNow"), fill("#s", "1,000") == nil, js("s.ariaValueNow"))`
	all := "true 550 true 30 true 1000"
	tryKinds(t, []kind{
		{"arrows and pages", slider(``, `{ArrowRight: 1, ArrowLeft: -1, PageUp: 100, PageDown: -100}`), set, all},
		{"up and down only, ends", slider(`aria-orientation=vertical`, `{ArrowUp: 10, ArrowDown: -10, Home: -1000, End: 1000}`), set, all},
		{"from right to left", slider(``, `{ArrowRight: -5, ArrowLeft: 5}`), set, all},
		{"between its steps", slider(``, `{ArrowRight: 10, ArrowLeft: -10}`), `err := try(func() { fill("#s", "55") }); fmt.Println(err.Code, strings.Contains(err.Message, "from 0 to 1000 in steps of 10"), js("s.ariaValueNow"))`, "bad_value true 20"},
		{"out of bounds, no number, no keys", slider(``, `{}`), `for _, v := range []string{"1001", "loud", "30"} { fmt.Println(try(func() { fill("#s", v) }).Code) }; js("s.ariaValueNow")`, "bad_value\nbad_value\nbad_value\n20"},
		{"parts of one", slider(``, `{ArrowRight: 0.1, ArrowLeft: -0.1}`), `fmt.Println(fill("#s", "20.7") == nil, js("s.ariaValueNow"))`, "true 20.7"},
		{"a range that is clipped away", `<span style="position:absolute;left:30px;width:20px;height:20px;background:#06c"><input id=g type=range min=1 max=10 value=2 style="clip:rect(0 0 0 0);height:100%;width:100%;margin:-1px;overflow:hidden;position:absolute"></span>`,
			`fmt.Println(fill("#g", "7") == nil, js("g.value"))`, "true 7"},
	})
}

// Lists that a page draws itself are opened, and the one option of that text is clicked.
func TestCustomLists(t *testing.T) {
	list := func(box string) string {
		return box + `<ul id=l role=listbox hidden style="max-height:200px;overflow:auto"><li role=option>Rome<li role=option>Oslo<li role=option aria-disabled=true>Bern<li role=option>Same<li role=option>Same</ul><p>Oslo is a city</p><script>
const open = on => { l.hidden = !on; c.ariaExpanded = on }; c.onmousedown = () => open(l.hidden); onkeydown = e => { if (e.key == 'Escape') open(false) };
l.onclick = e => { if (e.target.ariaDisabled) return; if ('value' in c) c.value = e.target.textContent; else c.textContent = e.target.textContent; open(false) }</script>`
	}
	div := list(`<div id=c role=combobox tabindex=0 aria-expanded=false aria-label=City>Choose</div>`)
	tryKinds(t, []kind{
		{"a box of text", div, `fmt.Println(fillForm(M{"City": "Oslo"}) == nil, js("c.textContent"), selectOption("#c", "Rome") == nil, js("c.textContent"), fill("#c", "oslo") == nil, js("c.textContent + l.hidden"))`, "true Oslo true Rome true Oslotrue"},
		{"a field that is only read", list(`<input id=c role=combobox readonly aria-expanded=false aria-label=City>`), `fmt.Println(fillForm(M{"City": "Oslo"}) == nil, js("c.value"))`, "true Oslo"},
		{"no such option, two, one that is off", div, `for _, v := range []string{"Paris", "Same", "Bern"} { err := try(func() { fill("#c", v) }); fmt.Println(err.Code, v == "Paris" && strings.Contains(err.Message, "Oslo"), js("c.textContent + l.hidden")) }`,
			"bad_value true Choosetrue\nbad_value false Choosetrue\nelement_disabled false Choosetrue"},
		{"a cell", `<div role=grid><div role=row><div role=gridcell id=g tabindex=0>x</div></div></div>`, `strings.Contains(try(func() { fill("#g", "y") }).Message, "double click")`, "true"},
	})
}

// What a field shows while the mouse lies on a day is not what it holds.
func TestPreviewUnderTheMouse(t *testing.T) {
	tryKinds(t, []kind{{"a calendar", `<div><input id=i></div><div id=day style="width:100px;height:50px;background:#eee">27</div><script>let held = '';
i.oninput = () => { held = i.value; if (day.matches(':hover')) i.value = '2026-03-27' }; day.onmouseleave = () => i.value = held</script>`,
		`hoverOn("#day"); fmt.Println(fill("#i", "2026-03-14") == nil, js("i.value"))`, "true 2026-03-14"}})
}

// A text that is only in what is closed is not said to be nowhere: find names what opens it.
func TestFindInWhatIsClosed(t *testing.T) {
	tryKinds(t, []kind{
		{"details", `<details><summary id=s>Refunds</summary>within 30 days</details>`, `fmt.Println(try(func() { find("30 days") }).Code); clickOn(regexp.MustCompile("e\\d+").FindString(try(func() { find("30 days") }).Message)); strings.Contains(find("30 days"), "within 30 days")`, "element_hidden\ntrue"},
		{"details in details", `<details><summary>Outer</summary><details><summary>Inner</summary>deep words</details></details>`, `strings.Contains(try(func() { find("deep") }).Message, "Outer")`, "true"},
		{"a panel of a tab", `<button role=tab aria-controls="a:b c" id=t onclick="this.nextElementSibling.hidden = false">Terms</button><div id="a:b" hidden>small print</div>`, `e := try(func() { find("Small print") }); fmt.Println(e.Code, strings.Contains(e.Message, "Terms"))`, "element_hidden true"},
		{"nobody opens it", `<div hidden>small print</div><details>other</details><button aria-controls=none>b</button>`, `try(func() { find("small print") }).Code`, "element_not_found"},
		{"one of two is seen", `<details><summary>More</summary>small print</details><p>small print here`, `strings.Contains(find("small print"), "here")`, "true"},
	})
}
