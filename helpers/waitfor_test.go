package helpers_test

import (
	"fmt"
	"testing"
)

func TestWaitFor(t *testing.T) {
	open(t, "/wait.html")
	for _, c := range [][2]string{
		{`panel.setAttribute('aria-hidden', 'false')`, `"#panel[aria-hidden='false']"`},
		{`spinner.remove()`, `"#spinner", "gone"`},
		{`document.querySelector('#hidden').className = ''`, `"#hidden"`},
		{`document.querySelector('#hidden').className = 'none'`, `"#hidden", "hidden"`},
		{`const s = document.createElement('style'); s.textContent = '#hidden { display: block }'; document.head.append(s)`, `"#hidden", 3`},
		{`save.disabled = false`, `"#save:enabled"`},
		{`document.body.append('Order '); const b = document.createElement('b'); b.textContent = 'placed'; document.body.append(b)`, `"text=Order placed"`},
		{`document.body.insertAdjacentHTML('beforeend', '<p style="text-transform:uppercase">Loud words')`, `"text=Loud words"`},
		{`document.body.append(document.createElement('template'))`, `"template", "attached"`},
		{`document.body.append('e12')`, `"text=e12"`},
		{`document.body.append('Order shipped')`, `"text=Order shipped", "visible"`},
		{`document.body.append('Order paid')`, `"text=Order paid", "attached", 3`},
		{`spinner.style.display = 'none'`, `"text=Loading", "hidden"`},
		{`spinner.remove()`, `"text=Loading", "gone"`},
		{`window.app = { ready: true }`, `"window.app.ready"`},
		{`window.n = 5`, `"() => window.n > 4"`},
		{`window.late = new Promise(r => setTimeout(() => r(true), 50))`, `"window.late"`},
		{`const d = document.createElement('div'); document.body.append(d); d.attachShadow({ mode: 'open' }).innerHTML = '<i id=inshadow>x</i>'`, `"#inshadow"`},
		{`const f = document.createElement('iframe'); f.srcdoc = '<i id=inframe>x</i>'; document.body.append(f)`, `"#inframe"`},
	} {
		want(t, fmt.Sprintf(`js(%q); waitFor(%s)`, fmt.Sprintf("setTimeout(() => { %s }, 100); 0", c[0]), c[1]), "")
	}
}

func TestWaitForUID(t *testing.T) {
	open(t, "/wait.html")
	uid := out(t, `get(extract()["elements"], 0, "uid")`)
	want(t, fmt.Sprintf(`waitFor(%q); js("setTimeout(() => save.remove(), 100)"); waitFor(%q, "gone")`, uid, uid), "")
	fails(t, fmt.Sprintf(`waitFor(%q)`, uid), "element_stale", uid)
}

// A wait lives through navigations, to another site too.
func TestWaitForAcrossPages(t *testing.T) {
	open(t, "/wait.html")
	want(t, `js("setTimeout(() => location = 'act.html', 100); 0"); waitFor("#plain"); js("document.title")`, "act")
	want(t, `js("setTimeout(() => location = 'OTHER/wait.html', 100); 0"); waitFor("#spinner"); js("document.title")`, "wait")
	want(t, `js("setTimeout(() => location = 'SITE/form.html', 100); 0"); waitFor("document.title == 'form'")`, "")
	want(t, `js("setTimeout(() => location = 'SITE/act.html', 100); 0"); waitFor("text=Custom box")`, "")
}

// A timeout says what was there instead.
func TestWaitForTimesOut(t *testing.T) {
	open(t, "/wait.html")
	fails(t, `waitFor("#nothing", 0.2)`, "timeout", "#nothing", "0.2 s", "nothing matches", "/wait.html")
	fails(t, `waitFor("#panel[aria-hidden='false']", 0.2)`, "timeout", `aria-hidden="true"`)
	fails(t, `waitFor("#hidden", 0.2)`, "timeout", "display: none")
	fails(t, `waitFor("#spinner", "gone", 0.2)`, "timeout", "Loading")
	fails(t, `waitFor("text=no such text", 0.2)`, "timeout", "no such text")
	fails(t, `waitFor("text=no such text", "visible", 0.2)`, "timeout", "text=no such text")
	fails(t, `waitFor("text=Loading", "gone", 0.2)`, "timeout", "text=Loading", "not gone")
	fails(t, `waitFor("text=Loading", "sideways", 0.2)`, "bad_request", "sideways")
	fails(t, `waitFor("window.zz.y", 0.2)`, "timeout", "TypeError")
	fails(t, `waitFor("1 > 2", "js", 0.2)`, "timeout", "false")
	fails(t, `waitFor("window.zz(", 0.2)`, "javascript_error", "SyntaxError")
	fails(t, `waitFor("p[", 0.2)`, "bad_request")
	fails(t, `waitFor("p", "sideways", 0.2)`, "bad_request", "sideways")
}

// What the page has not may be in a frame of another site, at once or later.
func TestWaitForInFrames(t *testing.T) {
	inner := html(`<b id=now>now</b><script>setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<i id=late>late</i>'), 700)</script>`)
	open(t, html(`<p id=out>page</p><iframe src="OTHER`+inner+`"></iframe>`))
	want(t, `waitFor("#now"); waitFor("text=now"); waitFor("text=late"); waitFor("#late")`, "")
	fails(t, `waitFor("#now", "gone", 0.3)`, "timeout", "now")
	want(t, `clickOn("#now"); waitFor("#out"); waitFor("#neither", "gone")`, "")
}
