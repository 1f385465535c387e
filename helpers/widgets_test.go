package helpers_test

import "testing"

// A select that nobody sees counts as set when what stands in its place shows so.
func TestHiddenSelects(t *testing.T) {
	const clipped = `style="position:absolute;clip:rect(0 0 0 0);overflow:hidden;width:1px;height:1px"`
	options := `<option value="">Choose<option>Apple<option value=p>Pear`
	tell := `fmt.Println(r, js("document.querySelector('select').selectedOptions[0].label"))`
	tryKinds(t, []kind{
		{"the widget does not follow", `<select id=s ` + clipped + `>` + options + `</select><div><div role=combobox tabindex=0 id=w>Choose</div></div><ul id=l hidden><li role=option onclick="w.textContent = 'Pear'">Pear</ul><script>w.onclick = () => l.hidden = false</script>`,
			`err := try(func() { selectOption("#s", "Pear") }); fmt.Println(err.Code, js("s.value === '' && w.textContent")); clickOn(as[string](err.Data["stands"])); clickOn("text=Pear"); js("w.textContent")`, "element_hidden Choose\nPear"},
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
