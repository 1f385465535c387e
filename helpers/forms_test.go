package helpers_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
)

func TestSetChecked(t *testing.T) {
	open(t, html(`<label><input type=checkbox id=c> Agree</label><input type=checkbox id=x checked><label><input type=radio name=r id=r1 checked>One</label><label><input type=radio name=r id=r2>Two</label>
<div role=switch aria-checked=false tabindex=0 id=s onclick="this.setAttribute('aria-checked', this.getAttribute('aria-checked') !== 'true')">Switch</div><input type=checkbox id=stuck onclick="return false"><p id=p>text</p>`))
	want(t, `setChecked("#c", true); setChecked("#c", true); setChecked("#x", false); setChecked("#s", true); setChecked("text=Two", true); js("[c.checked, x.checked, s.ariaChecked, r2.checked].join()")`, "true,false,true,true")
	fails(t, `setChecked("#r2", false)`, "bad_value", "radio")
	fails(t, `setChecked("#stuck", true)`, "bad_value", "not checked")
	fails(t, `setChecked("#p", true)`, "bad_request", "checkbox")
	want(t, `strings.Contains(fmt.Sprint(clickOn("#r2")["note"]), "already chosen")`, "true")
	want(t, `clickOn("#r1") == nil`, "true")
}

func TestFillForm(t *testing.T) {
	open(t, html(`<form><label>Email * <input type=email id=m></label><input placeholder="Your name" id=n><select id=s aria-label=Size><option>S<option>L</select><select multiple id=t aria-label=Tags><option>x<option>y<option>z</select>
<label><input type=checkbox id=a> I agree</label><label>Age <input type=number id=g name=age></label><label>Dup <input></label><label>Dup <input></label></form>`))
	want(t, `fillForm(M{"Email": "a@b.c", "Your name": "Ann", "Size": "L", "Tags": []string{"x", "z"}, "I agree": true, "age": 42}) == nil`, "true")
	want(t, `js("[m.value, n.value, s.value, [...t.selectedOptions].map(o => o.value).join('+'), a.checked, g.value].join()")`, "a@b.c,Ann,L,x+z,true,42")
	fails(t, `fillForm(M{"#n": "changed", "Nowhere": "x"})`, "element_not_found", "Nowhere", "Your name")
	want(t, `js("n.value")`, "Ann")
	fails(t, `fillForm(M{"Dup": "x"})`, "bad_request", "matches 2")

	// Values as programs have them: numbers out of JSON, lists, and what is no value.
	want(t, `fillForm(M{"age": 1234567.0, "Your name": 2.5, "Size": []any{"S"}, "Tags": []any{"y"}}) == nil`, "true")
	want(t, `js("[n.value, s.value, [...t.selectedOptions].map(o => o.value).join('+'), g.value].join()")`, "2.5,S,y,1234567")
	fails(t, `fillForm(M{"age": 1, "Your name": nil})`, "bad_value", "text")
	fails(t, `fillForm(M{"age": 1, "Your name": M{"first": "Ann"}})`, "bad_value", "first")
	want(t, `js("g.value")`, "1234567") // nothing was filled
}

// A field is found again by its label when the page draws the form anew, at whatever moment that is.
func TestFillFormOfWhatIsDrawnAnew(t *testing.T) {
	drawn := func(when string) string {
		return `<div id=box></div><script>const held = {Name: '', City: '', Size: 'S', Agree: false, Fit: ''}; let drawn = 0; window.draw = () => { drawn++; const focus = document.activeElement?.ariaLabel;
box.innerHTML = '<input aria-label=Name><input aria-label=City><select aria-label=Size><option>S<option>L</select><input type=checkbox aria-label=Agree><fieldset><legend>Fit</legend><label><input type=radio name=fit value=s>Slim</label><label><input type=radio name=fit value=w>Wide</label></fieldset>';
for (const e of box.querySelectorAll('[aria-label]')) { const k = e.ariaLabel; if (e.type === 'checkbox') e.checked = held[k]; else e.value = held[k]; e.addEventListener('input', () => held[k] = e.type === 'checkbox' ? e.checked : e.value) ; if (k === focus) e.focus() }
for (const e of box.querySelectorAll('[name=fit]')) { e.checked = held.Fit === e.value; e.addEventListener('input', () => held.Fit = e.value) } }; draw(); ` + when + `</script>`
	}
	act := `fmt.Println(fillForm(M{"Name": "Ann", "City": "Oslo", "Size": "L", "Agree": true, "Fit": "Wide"}) == nil, js("Object.values(held).join() + (drawn > 3)"))`
	tryKinds(t, []kind{
		{"at each input", drawn(`box.addEventListener('input', () => draw())`), act, "true Ann,Oslo,L,true,wtrue"},
		{"after each input", drawn(`box.addEventListener('input', () => setTimeout(draw))`), act, "true Ann,Oslo,L,true,wtrue"},
		{"as a field is come to", drawn(`let n = 0; box.addEventListener('focusin', () => { if (n++ < 8) queueMicrotask(draw) })`), act, "true Ann,Oslo,L,true,wtrue"},
		{"the same element is another field then", `<label id=l>First<input id=a></label><div id=box></div><script>a.onchange = () => { if (l.firstChild.data === 'First') { box.innerHTML = '<label>First<input id=b value="' + a.value + '"></label>'; l.firstChild.data = 'Other'; a.value = '' } }</script><label>Last<input id=z></label>`,
			`fillForm(M{"First": "1", "Last": "2"}); fillForm(M{"First": "3"}); js("[a.value, b.value, z.value].join()")`, ",3,2"},
	})
}

// A group of choices is filled by what it is called and what is chosen.
func TestFillFormGroups(t *testing.T) {
	radios := `<label><input type=radio name=size value=s>Small</label><label><input type=radio name=size value=l>Large</label>`
	boxes := `<label><input type=checkbox name=tags value=a checked>Apples</label><label><input type=checkbox name=tags value=b>Pears</label><label><input type=checkbox name=tags value=c>Plums</label>`
	size, tags := `fmt.Println(fillForm(M{"Size": "Large"}) == nil, js("document.querySelector(':checked').value"))`, `fmt.Println(fillForm(M{"Tags": []string{"Pears", "c"}}) == nil, js("[...document.querySelectorAll(':checked')].map(e => e.value).join()"))`
	tryKinds(t, []kind{
		{"a legend", `<fieldset><legend>Size *</legend>` + radios + `</fieldset>`, size, "true l"},
		{"a label of a radiogroup", `<p id=h>Size</p><div role=radiogroup aria-labelledby=h>` + radios + `</div>`, size, "true l"},
		{"a label for a box", `<label for=g>Size</label><div id=g>` + radios + `</div>`, size, "true l"},
		{"a name", radios, `fmt.Println(fillForm(M{"size": "l"}) == nil, js("document.querySelector(':checked').value"))`, "true l"},
		{"drawn by the page", `<div role=radiogroup aria-label=Size><div role=radio tabindex=0 aria-checked=false>Small</div><div role=radio tabindex=0 aria-checked=false>Large</div></div><script>for (const r of document.querySelectorAll('[role=radio]')) r.onclick = () => { for (const o of document.querySelectorAll('[role=radio]')) o.ariaChecked = String(o === r) }</script>`,
			`fmt.Println(fillForm(M{"Size": "large"}) == nil, js("document.querySelector('[aria-checked=true]').textContent"))`, "true Large"},
		{"in a frame of another site", `<iframe src="OTHER` + html(`<fieldset><legend>Size</legend>`+radios+`</fieldset>`) + `"></iframe>`,
			`waitFor("text=Large"); fmt.Println(fillForm(M{"Size": "Large"}) == nil, strings.Count(as[string](extract()["markdown"]), "checked"))`, "true 1"},
		{"several", `<fieldset><legend>Tags</legend>` + boxes + `</fieldset>`, tags, "true b,c"},
		{"none of several", boxes, `fmt.Println(fillForm(M{"tags": []string{}}) == nil, js("document.querySelectorAll(':checked').length"))`, "true 0"},
		{"no such choice", `<fieldset><legend>Size</legend>` + radios + `</fieldset><fieldset><legend>Tags</legend>` + boxes + `</fieldset>`,
			`for _, m := range []M{{"Size": "Huge"}, {"Size": true}, {"Size": []string{"Small", "Large"}}, {"Tags": "Figs"}} { err := try(func() { fillForm(m) }); fmt.Println(err.Code, strings.Contains(err.Message, "Small") || strings.Contains(err.Message, "Pears") || strings.Contains(err.Message, "one choice")) }; js("[...document.querySelectorAll(':checked')].map(e => e.value).join()")`,
			"bad_value true\nbad_value true\nbad_value true\nbad_value true\na"},
		{"a group that holds other fields is none", `<fieldset><legend>Size</legend>` + radios + `<input aria-label="Size in cm"><input aria-label=Weight></fieldset>`,
			`fmt.Println(fillForm(M{"Size": "40"}) == nil, js("document.querySelector('[aria-label]').value"))`, "true 40"},
	})
}

// A file chooser is told, and no window is left open; uploadFile still has its way.
func TestClickThatOpensAFileChooser(t *testing.T) {
	open(t, html(`<input type=file id=f accept=".txt"><button id=b onclick="f.click()">Choose</button>`))
	want(t, `for _, x := range []string{"#f", "#b"} { r := clickOn(x); fmt.Println(get(r, "fileChooser", "accept"), get(r, "fileChooser", "multiple")) }`, ".txt false\n.txt false")
	want(t, `uploadFile("#b", "go.mod"); js("f.files[0].name")`, "go.mod")
}

func TestConsoleAndRequests(t *testing.T) {
	open(t, html(`<script>console.log('hello', 5); console.warn('careful'); fetch('/json?q=one').then(r => r.text()); setTimeout(() => { throw new Error('thrown here') })</script>`))
	want(t, `waitForNetworkIdle(); for _, m := range console() { fmt.Println(get(m, "type"), strings.Split(fmt.Sprint(get(m, "text")), "\n")[0]) }; len(console(1))`, "log hello 5\nwarning careful\nexception Error: thrown here\n1")
	want(t, `r := requests("/json"); fmt.Println(len(r), get(r, 0, "status"), get(r, 0, "method"), get(r, 0, "type")); responseBody(as[string](get(r, 0, "id")))`, "1 200 GET Fetch\n{\"q\":\"one\"}")
	want(t, `len(requests("/no such")) == 0 && len(requests()) > 1`, "true")
}

func TestWaitForQuiet(t *testing.T) {
	open(t, html(`<button id=b onclick="fetch('/json?ms=400').then(() => setTimeout(() => { out.textContent = 'first'; fetch('/json?ms=300').then(() => out.textContent = 'second') }, 100))">b</button><p id=out>`))
	want(t, `clickOn("#b"); waitForQuiet(); js("out.textContent")`, "second")
	open(t, html(`<p id=clock>0</p><script>setInterval(() => clock.textContent++, 60)</script>`))
	fails(t, `waitForQuiet(1)`, "timeout", "clock")
}

// Field case 75: what the ring of events lost is heeded, and a request's age is its own.
func TestNetworkIdleHeedsWhatIsLost(t *testing.T) {
	open(t, html(`<p>x`))
	want(t, `js("fetch('/hang'); (async () => { for (let i = 0; i < 300; i++) await fetch('/json'); window.over = true })(); 0"); waitFor("window.over", 20)`, "")
	fails(t, `waitForNetworkIdle(1)`, "timeout")
}

// Field case 75: a poll that began long before the wait is as old as it is.
func TestNetworkIdleKnowsTheAge(t *testing.T) {
	open(t, html(`<p>x`))
	want(t, `js("fetch('/hang'); 0"); wait(4.2); waitForNetworkIdle(3, 0.3, 4)`, "")
}

// Field case 92.
func TestHTTPGetDecodes(t *testing.T) {
	served := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", r.FormValue("t"))
		w.Write([]byte(map[string]string{"latin": "caf\xe9", "sjis": "\x93\xfa\x96{", "meta": "<meta charset=windows-1252><p>\x80 5", "utf": "naïve", "raw": "\xff\xfe\x00\x01\xe9", "bom": "\xff\xfeh\x00i\x00"}[r.URL.Path[1:]]))
	}))
	defer served.Close()
	for _, c := range [][3]string{{"latin", "text/plain; charset=ISO-8859-1", "café"}, {"sjis", "text/html; charset=Shift_JIS", "日本"}, {"meta", "text/html", "<meta charset=windows-1252><p>€ 5"},
		{"utf", "text/html", "naïve"}, {"utf", "application/json", "naïve"}, {"raw", "image/png", "\xff\xfe\x00\x01\xe9"}, {"bom", "text/plain", "hi"}} {
		want(t, fmt.Sprintf(`fmt.Printf("%%q", httpGet("%s/%s?t=%s"))`, served.URL, c[0], url.QueryEscape(c[1])), fmt.Sprintf("%q", c[2]))
	}
}
