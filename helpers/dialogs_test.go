package helpers_test

import "testing"

const everywhere = `<style>button,a{position:fixed;inset:0;width:100%}</style>`

func TestDialogs(t *testing.T) { // field case 17
	open(t, html(everywhere+`<button onclick="document.title = 'answer: ' + confirm('Sure?')">x</button>`))
	want(t, `fmt.Println(pendingDialog() == nil); get(click(50, 50), "dialog", "message")`, "true\nSure?")
	want(t, `pendingDialog()["type"]`, "confirm")
	fails(t, `js("1")`, "dialog_open", "Sure?", "acceptDialog()")
	fails(t, `click(50, 50)`, "dialog_open")
	want(t, `dismissDialog(); fmt.Println(pendingDialog() == nil); js("document.title")`, "true\nanswer: false")
	want(t, `click(50, 50); acceptDialog(); js("document.title")`, "answer: true")
	fails(t, `acceptDialog()`, "cdp_error", "No dialog")
	open(t, html(everywhere+`<button onclick="document.title = [prompt('Name?', 'Ada'), prompt('Name?', 'Ada'), prompt('Name?')].join()">x</button>`))
	want(t, `click(50, 50)
fmt.Println(get(acceptDialog(), "dialog", "default"))
fmt.Println(get(acceptDialog("Grace"), "dialog", "default"))
dismissDialog()
js("document.title")`, "Ada\n\nAda,Grace,")
}

func TestDialogLater(t *testing.T) { // field case 42
	open(t, html(everywhere+`<button onclick="setTimeout(() => { alert('late'); document.title = 'done' }, 50)">x</button>`))
	fails(t, `click(50, 50); js("new Promise(r => setTimeout(r, 20000))")`, "dialog_open", "late")
	want(t, `acceptDialog(); js("document.title")`, "done")
}

func TestDialogDuringLoad(t *testing.T) { // field case 43
	loading := html(`<title>t</title><script>alert('parsing')</script><body onload="alert('loaded')">`)
	open(t, html(`<p>x`))
	want(t, `fmt.Println(get(navigate("SITE`+loading+`"), "dialog", "message"))
fmt.Println(get(acceptDialog(), "dialog", "message"))
try(func() { waitForLoad(2) })
acceptDialog()
waitForLoad()
js("document.title")`, "parsing\nloaded\nt")
}

func TestBeforeUnload(t *testing.T) { // field case 18
	next := html(`<title>next</title>`)
	open(t, html(everywhere+`<title>stay</title><button>x</button><script>onbeforeunload = e => { e.preventDefault(); return 'unsaved' }</script>`))
	want(t, `click(50, 50)
fmt.Println(get(navigate("SITE`+next+`"), "dialog", "type"))
dismissDialog()
fmt.Println(js("document.title"))
navigate("SITE`+next+`")
fmt.Println(acceptDialog()["navigated"])
waitForLoad()
js("document.title")`, "beforeunload\nstay\nSITE"+next+"\nnext")
	open(t, html(everywhere+`<a href="`+next+`">x</a><script>onbeforeunload = e => { e.preventDefault(); return 'unsaved' }</script>`))
	want(t, `fmt.Println(get(click(50, 50), "dialog", "type")); fmt.Println(acceptDialog()["navigated"]); js("document.title")`, "beforeunload\nSITE"+next+"\nnext")
}

// Field case 59: what a run captured ends with it, however it ends.
func TestCaptureDialogs(t *testing.T) {
	page := html(everywhere + `<button onclick="alert('one'); document.title = confirm('two') + ' ' + prompt('three', 'proposed'); print()">x</button>`)
	open(t, page)
	want(t, `fmt.Println(len(dialogs())); captureDialogs(); fmt.Println(click(50, 50) == nil, js("document.title"))
for _, d := range dialogs() { fmt.Println(get(d, "type"), get(d, "message"), get(d, "answer")) }`,
		"0\ntrue true proposed\nalert one <nil>\nconfirm two true\nprompt three proposed\nprint  <nil>")
	native := `js("[alert, confirm, prompt, print].every(f => String(f).includes('native code'))")`
	want(t, `fmt.Println(`+native+`, len(dialogs())); reload(); `+native, "true 4\ntrue")
	want(t, `captureDialogs(false, "typed"); reload(); click(50, 50); fmt.Println(js("document.title"), len(dialogs()))`, "false typed 8")
	want(t, `captureDialogs(); navigate("SITE`+html(`<script>alert('again')</script>`)+`"); get(dialogs(), -1, "message")`, "again")
	want(t, `get(reload(), "dialog", "message")`, "again")
	want(t, `acceptDialog(); captureDialogs(); releaseDialogs(); fmt.Println(`+native+`); get(reload(), "dialog", "message")`, "true\nagain")
	want(t, `acceptDialog(); navigate("SITE`+page+`"); `+native, "true")

	held := invoke(`captureDialogs(); fmt.Println("held"); wait(60)`)
	printed, err := held.StdoutPipe()
	if err == nil {
		err = held.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	printed.Read(make([]byte, 10))
	held.Process.Kill()
	held.Wait()
	eventually(t, "the page's own dialogs back", func() bool { return out(t, native) == "true" })
	want(t, `get(click(50, 50), "dialog", "message")`, "one")
}

// It stays for later runs when that is asked for, in the tab alone, until it is released.
func TestCaptureDialogsThatStays(t *testing.T) {
	open(t, html(everywhere+`<button onclick="document.title = confirm('sure?') + prompt('name?')">x</button>`))
	want(t, `captureDialogs(false, "Ada", M{"stay": true})`, "")
	want(t, `reload(); click(50, 50); fmt.Println(js("document.title"), len(dialogs()))`, "falseAda 2")
	want(t, `captureDialogs(true); reload(); click(50, 50); fmt.Println(js("document.title"))`, "true")
	want(t, `click(50, 50); fmt.Println(js("document.title"))`, "falseAda")
	stays := out(t, `currentTab()["id"]`)
	open(t, html(everywhere+`<button onclick="alert('x')">x</button>`)) // another tab is as it was
	want(t, `get(click(50, 50), "dialog", "message")`, "x")
	out(t, `acceptDialog()`)
	want(t, `switchTab("`+stays+`"); releaseDialogs(); get(click(50, 50), "dialog", "message")`, "sure?")
	want(t, `dismissDialog(); dismissDialog(); get(reload(), "dialog") == nil && get(click(50, 50), "dialog", "message") == "sure?"`, "true")
	out(t, `dismissDialog(); dismissDialog()`)
}
