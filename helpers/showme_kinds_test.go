package helpers_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
)

// mouse presses and releases a button, with modifiers held (CDP's bits), on the middle of an element.
func (p *person) mouse(selector, button string, held int) {
	p.t.Helper()
	x, y := p.middle(selector)
	for _, kind := range []string{"mousePressed", "mouseReleased"} {
		p.do("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": x, "y": y, "button": button, "clickCount": 1, "modifiers": held})
	}
}

// middle gives the middle of an element; the way to one in a frame or open shadow root is "outer >>> inner".
func (p *person) middle(selector string) (x, y float64) {
	p.t.Helper()
	at, _ := p.value(fmt.Sprintf(`(ways => { let root = document, x = 0, y = 0, r;
		for (const w of ways) { const e = root.querySelector(w); r = e.getBoundingClientRect(); x += r.x; y += r.y; root = e.shadowRoot ? (x -= r.x, y -= r.y, e.shadowRoot) : e.contentDocument }
		return [x + r.width / 2, y + r.height / 2] })(%q.split(' >>> '))`, selector)).([]any)
	if len(at) < 2 {
		p.t.Fatal(selector)
	}
	return at[0].(float64), at[1].(float64)
}

// pull presses the mouse on one element, moves it over another and lets go.
func (p *person) pull(from, to string) {
	p.t.Helper()
	x, y := p.middle(from)
	x2, y2 := p.middle(to)
	move := func(kind string, x, y float64, buttons int) {
		p.do("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1})
	}
	move("mousePressed", x, y, 1)
	for i := 1.0; i <= 4; i++ {
		move("mouseMoved", x+(x2-x)*i/4, y+(y2-y)*i/4, 1)
	}
	move("mouseReleased", x2, y2, 0)
}

// carry is pull for what the browser drags.
func (p *person) carry(from, to string) {
	p.t.Helper()
	p.do("Input.setInterceptDrags", map[string]any{"enabled": true})
	x, y := p.middle(from)
	p.do("Input.dispatchMouseEvent", map[string]any{"type": "mousePressed", "x": x, "y": y, "button": "left", "clickCount": 1})
	for i := 1.0; i <= 4; i++ {
		p.do("Input.dispatchMouseEvent", map[string]any{"type": "mouseMoved", "x": x, "y": y + 5*i, "button": "left", "buttons": 1})
	}
	x, y = p.middle(to)
	for _, kind := range []string{"dragEnter", "dragOver", "drop"} {
		p.do("Input.dispatchDragEvent", map[string]any{"type": kind, "x": x, "y": y, "data": map[string]any{"items": []any{map[string]any{"mimeType": "text/plain", "data": "a"}}, "dragOperationsMask": 1}})
	}
	p.do("Input.dispatchMouseEvent", map[string]any{"type": "mouseReleased", "x": x, "y": y, "button": "left", "clickCount": 1})
}

func (p *person) key(key string, code, held int) {
	for _, kind := range []string{"rawKeyDown", "keyUp"} {
		p.do("Input.dispatchKeyEvent", map[string]any{"type": kind, "key": key, "windowsVirtualKeyCode": code, "modifiers": held})
	}
}

// target waits for a target of this type and path, and gives its id.
func target(t *testing.T, kind, path string) (id string) {
	t.Helper()
	eventually(t, kind+" "+path, func() bool {
		var all []struct{ ID, Type, URL string }
		res, err := http.Get("http://" + world.chrome.Address + "/json/list")
		if err == nil {
			err = json.NewDecoder(res.Body).Decode(&all)
			res.Body.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range all {
			if a.Type == kind && strings.HasSuffix(a.URL, path) {
				id = a.ID
			}
		}
		return id != ""
	})
	return id
}

// What a person can do to a page comes out as the line that does it again, or as a comment.
func TestShowMeKinds(t *testing.T) {
	start(t)
	for _, c := range []struct {
		name, page string
		does       func(p *person)
		lines      string // what it says, and
		state      string // what the page then says of itself: an expression
	}{
		{"right click", `<button id=b oncontextmenu="document.title='menu'">B</button>`,
			func(p *person) { p.mouse("#b", "right", 0) }, `clickOn("#b", "right")`, "document.title"},
		{"middle click", `<button id=b onauxclick="document.title='middle'">B</button>`,
			func(p *person) { p.mouse("#b", "middle", 0) }, `clickOn("#b", "middle")`, "document.title"},
		{"click with Shift", `<button id=b onclick="document.title=event.shiftKey">B</button>`,
			func(p *person) { p.mouse("#b", "left", 8) }, `clickOn("#b", "Shift")`, "document.title"},
		{"a select of several", `<select id=s multiple><option>A<option>B<option>C</select>`,
			func(p *person) {
				p.do("Runtime.evaluate", map[string]any{"expression": "s.focus(); s.options[0].selected = true"})
				p.key("ArrowDown", 40, 0)
				p.key("ArrowDown", 40, 8)
			}, `selectOption("#s", "B", "C")`, "[...s.selectedOptions].map(o => o.label).join()"},
		{"a search with Enter", `<form onsubmit="document.title=q.value; return false"><input id=q name=q></form>`,
			func(p *person) {
				p.press("#q")
				p.write("tea")
				p.do("Input.dispatchKeyEvent", map[string]any{"type": "keyDown", "key": "Enter", "code": "Enter", "text": "\r", "windowsVirtualKeyCode": 13})
				p.do("Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": "Enter"})
			}, `fill("#q", "tea")
pressKey("Enter")`, "document.title"},
		{"a date", `<input type=date id=d>`,
			func(p *person) {
				p.do("Runtime.evaluate", map[string]any{"expression": "d.focus()"})
				p.write("12032026")
			},
			`fill("#d", "2026-12-03")`, "d.value"},
		{"radio buttons", `<label><input type=radio name=r value=a>A</label><label><input type=radio name=r value=b id=b>B</label>`,
			func(p *person) { p.mouse("#b", "left", 0) }, `setChecked("#b", true)`, "document.querySelector(':checked').value"},
		{"a time, a number and a range", `<input type=time id=t><input type=number id=n><input type=range id=r min=0 max=9 value=4>`,
			func(p *person) {
				p.do("Runtime.evaluate", map[string]any{"expression": "t.focus()"})
				p.write("0915am")
				p.press("#n")
				p.write("42")
				p.do("Runtime.evaluate", map[string]any{"expression": "r.focus()"})
				p.key("ArrowRight", 39, 0)
			}, `fill("#t", "09:15")
fill("#n", "42")
fill("#r", "5")`, "[t.value, n.value, r.value].join()"},
		{"contenteditable", `<div id=d contenteditable style="min-height:2em"></div>`,
			func(p *person) { p.press("#d"); p.write("dear") }, `fill("#d", "dear")`, "d.innerText"},
		{"open shadow root", `<my-box></my-box><script>document.querySelector('my-box').attachShadow({mode:'open'}).innerHTML='<input id=i><input type=checkbox id=c>'</script>`,
			func(p *person) {
				p.mouse("my-box >>> #i", "left", 0)
				p.write("in")
				p.mouse("my-box >>> #c", "left", 0)
			}, `fill("#i", "in")
setChecked("#c", true)`, "(r => r.querySelector('#i').value + r.querySelector('#c').checked)(document.querySelector('my-box').shadowRoot)"},
		{"closed shadow root", `<my-box id=m></my-box><script>document.querySelector('my-box').attachShadow({mode:'closed'}).innerHTML='<input id=i style="width:200px;height:40px">'</script>`,
			func(p *person) { p.mouse("#m", "left", 0); p.write("x") },
			`clickOn("#m") // if its shadow root is closed, name what was meant in it: extract() shows it
// here they did something that could not be recorded (input: #m has a closed shadow root)`, "1"},
		{"a frame", `<iframe id=f srcdoc="<input id=in>"></iframe>`,
			func(p *person) {
				eventually(t, "the frame", func() bool { return p.value("!!f.contentDocument.querySelector('input')") == true })
				p.mouse("#f >>> #in", "left", 0)
				p.write("framed")
			}, `fill("#in", "framed")`, "f.contentDocument.querySelector('input').value"},
		{"dragging", `<div id=a draggable=true ondragstart="event.dataTransfer.setData('text', 'a')" style="width:80px;height:40px">A</div><div id=z ondragover="event.preventDefault()" ondrop="event.preventDefault(); document.title='dropped'" style="width:80px;height:40px;margin-top:60px">Z</div>`,
			func(p *person) { p.carry("#a", "#z") }, `dragTo("#a", "#z")`, "document.title"},
		{"dragging by pointer", `<div id=a style="width:80px;height:40px;user-select:none">A</div><div id=z style="width:80px;height:40px;margin-top:60px;user-select:none">Z</div><script>let on; a.onpointerdown = () => on = 1; z.onpointerup = () => { if (on) document.title = 'put' }</script>`,
			func(p *person) { p.pull("#a", "#z") }, `dragTo("#a", "#z")`, "document.title"},
		{"drawing", `<div id=top style="height:10px"></div><canvas id=c width=300 height=300 style="border:1px solid"></canvas><div id=u></div><script>let n = 0; c.onpointermove = e => { if (e.buttons) document.title = 'drawn' }</script>`,
			func(p *person) {
				p.do("Runtime.evaluate", map[string]any{"expression": "document.body.style.margin = 0"})
				for i, kind := range []string{"mousePressed", "mouseMoved", "mouseReleased"} {
					p.do("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": 50 + 40*i, "y": 60, "button": "left", "buttons": 1, "clickCount": 1})
				}
			}, `drag(50, 60, 130, 60)`, "document.title"},
		{"keys of the page", `<body onkeydown="if (event.key === 'j' || event.ctrlKey && event.key === 'k') { event.preventDefault(); document.title += event.key }">`,
			func(p *person) {
				p.key("j", 74, 0)
				p.key("k", 75, 2)
				p.key("q", 81, 2) // which means nothing there
			}, `pressKey("j")
pressKey("Control+k")`, "document.title.slice(-2)"},
		{"a page whose names get in the way", `<form onsubmit="return false"><input type=hidden name=matches><span id=b>B</span></form>`,
			func(p *person) { p.mouse("#b", "left", 0) }, `// here they did something that could not be recorded (click: n.matches is not a function)`, "1"},
	} {
		path := html(c.page)
		did := ""
		snippet := shown(t, "kinds", path, func(p *person) {
			c.does(p)
			did = fmt.Sprint(p.value(c.state))
		})
		var lines []string
		for _, l := range strings.Split(strings.TrimSpace(snippet), "\n")[1:] {
			if !strings.HasPrefix(l, "waitFor(") {
				lines = append(lines, l)
			}
		}
		if got := strings.Join(lines, "\n"); got != c.lines {
			t.Errorf("%s: it says:\n%s\nwant\n%s", c.name, got, c.lines)
			continue
		}
		stdout, stderr, code := run(t, fmt.Sprintf("newTab(%q); waitForLoad()\n%s\nfmt.Println(js(%q)); closeTab()", world.site.URL+path, snippet, c.state), "BU_TAB=copykinds")
		if code != 0 || stdout != did {
			t.Errorf("%s again: exit %d, %q, want %q; %s", c.name, code, stdout, did, stderr)
		}
	}
}

// A frame of another site, a file, and links that the person opens in tabs of their own.
func TestShowMeElsewhere(t *testing.T) {
	start(t)
	inner := html(`<title>inner</title><input id=deep>`)
	other := html(`<title>Other</title><input id=in>`)
	path := html(`<title>Outer</title><iframe id=f width=300 height=100 src="OTHER` + inner + `"></iframe><input type=file id=file><a id=l href="` + other + `">link</a>`)
	file := t.TempDir() + "/ticket.txt"
	os.WriteFile(file, []byte("x"), 0o600)
	snippet := shown(t, "kinds", path, func(p *person) {
		frame := target(t, "iframe", inner)
		f := personAt(t, frame)
		f.watched()
		fx, fy := f.middle("#deep")
		left, top := p.value("f.getBoundingClientRect().x").(float64), p.value("f.getBoundingClientRect().y").(float64)
		for _, kind := range []string{"mousePressed", "mouseReleased"} {
			p.do("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": left + 2 + fx, "y": top + 2 + fy, "button": "left", "clickCount": 1})
		}
		f.write("far")
		eventually(t, "what was typed", func() bool { return f.value("deep.value") == "far" })
		root := p.do("DOM.getDocument", map[string]any{"depth": 0})["root"].(map[string]any)
		node := p.do("DOM.querySelector", map[string]any{"nodeId": root["nodeId"], "selector": "#file"})
		p.do("DOM.setFileInputFiles", map[string]any{"nodeId": node["nodeId"], "files": []string{file}})
		p.mouse("#l", "middle", 0)
		opened := target(t, "page", other)
		t.Cleanup(func() { run(t, fmt.Sprintf("try(func() { closeTab(%q, `force`) })", opened)) })
	})
	want := fmt.Sprintf(`// begun on %[1]s%[2]s
fill("#deep", "far")
// uploadFile("#file", "ticket.txt") with the path of that file
waitFor("#l", "attached")
clickOn("#l", "middle")
// that opened a tab of their own, which is not recorded: newTab("%[1]s%[3]s")
`, world.site.URL, path, other)
	if snippet != want {
		t.Fatalf("it says:\n%s\nwant\n%s", snippet, want)
	}
	if got := out(t, fmt.Sprintf("newTab(%q); waitForLoad()\n%s\nfmt.Println(js(`document.querySelector('#deep').value`, iframeTarget(%q))); closeTab()", world.site.URL+path, snippet, inner), "BU_TAB=copykinds"); got != "far" {
		t.Errorf("again: %q", got)
	}
}
