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
	value := func(script string) any {
		r, _ := p.do("Runtime.evaluate", map[string]any{"expression": script, "returnByValue": true})["result"].(map[string]any)
		return r["value"]
	}
	ready := func(title string) {
		eventually(t, title, func() bool { return value("document.readyState + document.title") == "complete"+title })
		eventually(t, "the bar", func() bool { return value("document.documentElement.outerHTML.includes('popover')") == true })
	}
	press := func(selector string) {
		xy, _ := value(fmt.Sprintf("(r => [r.x + r.width / 2, r.y + r.height / 2])(document.querySelector(%q).getBoundingClientRect())", selector)).([]any)
		if len(xy) < 2 {
			t.Fatal(selector)
		}
		p.do("Input.dispatchMouseEvent", map[string]any{"type": "mousePressed", "x": xy[0], "y": xy[1], "button": "left", "clickCount": 1})
		p.send("Input.dispatchMouseEvent", map[string]any{"type": "mouseReleased", "x": xy[0], "y": xy[1], "button": "left", "clickCount": 1})
	}
	write := func(text string) {
		for _, c := range text {
			p.do("Input.dispatchKeyEvent", map[string]any{"type": "keyDown", "key": string(c), "text": string(c)})
			p.do("Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": string(c)})
		}
	}
	ready("Book")
	press("#city")
	write("Paris")
	press("button")
	eventually(t, "the dialog answered", func() bool {
		return p.do("Page.handleJavaScriptDialog", map[string]any{"accept": true}) != nil
	})
	ready("Pay")
	press("#pw")
	write("hunter2secret")
	press("[name=agree]")
	p.do("Runtime.evaluate", map[string]any{"expression": "document.querySelector('select').focus()"})
	p.do("Input.dispatchKeyEvent", map[string]any{"type": "keyDown", "key": "ArrowDown", "code": "ArrowDown", "windowsVirtualKeyCode": 40})
	p.do("Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": "ArrowDown", "code": "ArrowDown", "windowsVirtualKeyCode": 40})
	press("[name=note]")
	write("by the window")
	p.do("Input.dispatchKeyEvent", map[string]any{"type": "keyDown", "key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r"})
	ready("Booked")
	result := value("got.textContent")
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
