package helpers_test

import (
	"fmt"
	"strings"
	"testing"
)

// A person shows with real input how to book, over two pages; what handoff gives back then
// does the same on a fresh copy.
func TestShowMe(t *testing.T) {
	done := html(`<title>Booked</title><h1>Booked</h1><pre id=got></pre><script>got.textContent = decodeURIComponent(location.search)</script>`)
	second := html(`<title>Pay</title><form action="SITE` + done + `"><label>Password <input type=password name=secret id=pw></label><label><input type=checkbox name=agree> I agree</label>
<select name=meal aria-label=Meal><option>Fish<option>Rice</select><label>Note <input name=note></label><button>Book</button></form>`)
	first := html(`<title>Book</title><label>City <input id=city></label><button onclick="confirm('Go on?') && (location.href = 'SITE` + second + `')">Search trips</button>`)
	tab := labelled(t, "showme", first)
	cmd := invoke(`handoff("show me how you book", 90, M{"record": true})`, "BU_TAB=showme")
	var said, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &said, &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	p := personAt(t, tab)
	p.do("Page.enable", nil) // only who saw a dialog open may answer it
	ready := func(title string) {
		eventually(t, title, func() bool { return p.value("document.readyState + document.title") == "complete"+title })
		eventually(t, "the bar", func() bool { return p.value("document.documentElement.outerHTML.includes('popover')") == true })
	}
	ready("Book")
	p.press("#city")
	p.write("Paris")
	p.press("button")
	eventually(t, "the dialog answered", func() bool {
		return p.do("Page.handleJavaScriptDialog", map[string]any{"accept": true}) != nil
	})
	ready("Pay")
	p.press("#pw")
	p.write("hunter2secret")
	p.press("[name=agree]")
	p.do("Runtime.evaluate", map[string]any{"expression": "document.querySelector('select').focus()"})
	p.do("Input.dispatchKeyEvent", map[string]any{"type": "keyDown", "key": "ArrowDown", "code": "ArrowDown", "windowsVirtualKeyCode": 40})
	p.do("Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": "ArrowDown", "code": "ArrowDown", "windowsVirtualKeyCode": 40})
	p.press("[name=note]")
	p.write("by the window")
	p.do("Input.dispatchKeyEvent", map[string]any{"type": "keyDown", "key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r"})
	ready("Booked")
	result := p.value("got.textContent")
	eventually(t, "Done", p.pressDone)
	if err := <-ended; err != nil {
		t.Fatal(err, errs.String())
	}
	snippet := said.String()
	if strings.Contains(snippet, "hunter2") || strings.Count(snippet, "fill(") != 3 || !strings.Contains(snippet, `"Paris"`) {
		t.Errorf("it says:\n%s", snippet)
	}
	again := out(t, fmt.Sprintf("newTab(%q); waitForLoad()\n%s\nfmt.Println(js(`got.textContent`)); closeTab()", world.site.URL+first, snippet), "BU_TAB=copy", "PASSWORD=hunter2secret")
	if again != result || !strings.Contains(again, "meal=Rice") {
		t.Errorf("again: %s\nwant   %v\n%s", again, result, snippet)
	}
	t.Log(snippet)
}

// send is do without the answer, which a dialog holds back.
func (p *person) send(method string, params map[string]any) {
	p.id++
	if err := p.ws.WriteJSON(map[string]any{"id": p.id, "method": method, "params": params}); err != nil {
		p.t.Fatal(err)
	}
}

func (p *person) value(script string) any {
	r, _ := p.do("Runtime.evaluate", map[string]any{"expression": script, "returnByValue": true})["result"].(map[string]any)
	return r["value"]
}

func (p *person) press(selector string) {
	p.t.Helper()
	xy, _ := p.value(fmt.Sprintf("(r => [r.x + r.width / 2, r.y + r.height / 2])(document.querySelector(%q).getBoundingClientRect())", selector)).([]any)
	if len(xy) < 2 {
		p.t.Fatal(selector)
	}
	p.do("Input.dispatchMouseEvent", map[string]any{"type": "mousePressed", "x": xy[0], "y": xy[1], "button": "left", "clickCount": 1})
	p.send("Input.dispatchMouseEvent", map[string]any{"type": "mouseReleased", "x": xy[0], "y": xy[1], "button": "left", "clickCount": 1})
}

func (p *person) write(text string) {
	for _, c := range text {
		p.do("Input.dispatchKeyEvent", map[string]any{"type": "keyDown", "key": string(c), "text": string(c)})
		p.do("Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": string(c)})
	}
}

// watched waits until somebody watches the page's document.
func (p *person) watched() {
	p.t.Helper()
	eventually(p.t, "somebody who watches", func() bool {
		p.do("Runtime.disable", nil)
		p.id++
		if err := p.ws.WriteJSON(map[string]any{"id": p.id, "method": "Runtime.enable"}); err != nil {
			p.t.Fatal(err)
		}
		for there := false; ; {
			var m struct {
				ID     int
				Params struct{ Context struct{ Name string } }
			}
			if err := p.ws.ReadJSON(&m); err != nil {
				p.t.Fatal(err)
			}
			if there = there || m.Params.Context.Name == "bu watch"; m.ID == p.id {
				return there
			}
		}
	})
}

// at waits until the page of this title is there, with somebody who watches it.
func (p *person) at(title string) {
	p.t.Helper()
	eventually(p.t, title, func() bool { return p.value("document.readyState + document.title") == "complete"+title })
	p.watched()
}

// turns goes so many places through the tab's history, as the browser's own buttons do.
func (p *person) turns(by int) {
	p.t.Helper()
	history := p.do("Page.getNavigationHistory", nil)
	entries, _ := history["entries"].([]any)
	at, _ := history["currentIndex"].(float64)
	p.do("Page.navigateToHistoryEntry", map[string]any{"entryId": entries[int(at)+by].(map[string]any)["id"]})
}

// shown is what handoff gives back for what a person does in the tab of a label, begun on a page.
func shown(t *testing.T, label, path string, does func(p *person)) (snippet string) {
	t.Helper()
	tab := labelled(t, label, path)
	cmd := invoke(`handoff("show me", 100, M{"record": true})`, "BU_TAB="+label)
	var said, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &said, &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() { cmd.Process.Kill() }) // where the test failed
	p := personAt(t, tab)
	p.watched()
	does(p)
	eventually(t, "Done", p.pressDone)
	if err := <-ended; err != nil {
		t.Fatal(err, errs.String())
	}
	return said.String()
}

// A person goes through tabs, and uses the browser's own address bar and buttons.
func TestShowMeTabs(t *testing.T) {
	start(t)
	field := func(title string) string {
		return fmt.Sprintf(`<title>%s</title><input id=in aria-label=Note>`, title)
	}
	second, third := html(field("Second")), html(field("Third")+`<button id=own onclick="history.back()">Back to it</button>`)
	first := html(field("First") + `<a id=open target=_blank href="` + second + `">open</a> <a id=go href="` + third + `">go</a>
<button id=push onclick="history.pushState(1, '', '?step=2'); document.title = 'Step'">Step</button><script>onpopstate = () => document.title = 'First'</script>`)
	typed := func(p *person, text string) {
		t.Helper()
		p.press("#in")
		p.write(text)
		eventually(t, "what was typed", func() bool { return p.value("document.querySelector('#in').value") == text })
	}
	snippet := shown(t, "showtabs", first, func(p *person) {
		p.press("#open")
		opened := ""
		eventually(t, "the new tab", func() bool {
			opened = out(t, `for _, t := range listTabs() { if get(t, "title") == "Second" { fmt.Print(get(t, "id")) } }`)
			return opened != ""
		})
		t.Cleanup(func() { run(t, fmt.Sprintf("try(func() { closeTab(%q, `force`) })", opened)) })
		q := personAt(t, opened)
		q.at("Second")
		typed(q, "there")
		typed(p, "back")
		p.do("Page.navigate", map[string]any{"url": world.site.URL + third})
		p.at("Third")
		p.do("Runtime.evaluate", map[string]any{"expression": "window.old = 1"})
		p.do("Page.reload", nil)
		eventually(t, "the page again", func() bool { return p.value("document.readyState + typeof old") == "completeundefined" })
		p.at("Third")
		p.turns(-1)
		p.at("First")
		p.turns(+1)
		p.at("Third")
		p.press("#own")
		p.at("First")
		p.press("#go")
		p.at("Third")
		p.turns(-1)
		p.at("First")
		p.press("#push")
		p.at("Step")
		p.turns(-1)
		p.at("First")
	})
	want := fmt.Sprintf(`// begun on %[1]s%[2]s
tab1 := as[string](currentTab()["id"])
tab2 := as[string](clickOn("#open")["newTab"])
switchTab(tab2)
waitForLoad()
waitFor("#in", "attached")
fill("#in", "there")
switchTab(tab1)
waitFor("#in", "attached")
fill("#in", "back")
navigate("%[1]s%[3]s")
reload()
back()
forward()
waitFor("#own", "attached")
clickOn("#own")
waitForLoad()
waitFor("#go", "attached")
clickOn("#go")
waitForLoad()
back()
waitFor("#push", "attached")
clickOn("#push")
back()
`, world.site.URL, first, third)
	if snippet != want {
		t.Fatalf("it says:\n%s\nwant\n%s", snippet, want)
	}
	again := out(t, fmt.Sprintf("newTab(%q); waitForLoad()\n%s\nfmt.Println(js(`document.title`)); switchTab(tab2); fmt.Println(js(`document.title + document.querySelector('#in').value`)); closeTab(tab2); closeTab(tab1)", world.site.URL+first, snippet), "BU_TAB=copytabs")
	if again != "First\nSecondthere" {
		t.Errorf("again: %s", again)
	}
}
