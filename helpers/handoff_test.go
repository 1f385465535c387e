package helpers_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// person is somebody at the browser, whom bu knows nothing of: a connection of its own
// to one tab.
type person struct {
	t  *testing.T
	ws *websocket.Conn
	id int
}

func personAt(t *testing.T, target string) *person {
	t.Helper()
	ws, res, err := websocket.DefaultDialer.Dial("ws://"+world.chrome.Address+"/devtools/page/"+target, nil)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	t.Cleanup(func() { ws.Close() })
	return &person{t: t, ws: ws}
}

func (p *person) do(method string, params map[string]any) map[string]any {
	p.t.Helper()
	p.id++
	p.ws.SetReadDeadline(time.Now().Add(30 * time.Second))
	if err := p.ws.WriteJSON(map[string]any{"id": p.id, "method": method, "params": params}); err != nil {
		p.t.Fatal(err)
	}
	for {
		var answer struct {
			ID     int
			Result map[string]any
		}
		if err := p.ws.ReadJSON(&answer); err != nil {
			p.t.Fatal(err)
		}
		if answer.ID == p.id {
			return answer.Result
		}
	}
}

// find gives the first node of this name; with a kind of shadow root, the first in one of those.
func find(node map[string]any, name string, root ...string) map[string]any {
	if len(root) > 0 && node["shadowRootType"] == root[0] {
		root = nil
	}
	if len(root) == 0 && strings.EqualFold(fmt.Sprint(node["nodeName"]), name) {
		return node
	}
	for _, list := range []string{"children", "shadowRoots"} {
		kids, _ := node[list].([]any)
		for _, k := range kids {
			if got := find(k.(map[string]any), name, root...); got != nil {
				return got
			}
		}
	}
	return nil
}

// pressDone clicks the Done button, if the bar is there.
func (p *person) pressDone() bool {
	p.t.Helper()
	doc := p.do("DOM.getDocument", map[string]any{"depth": -1, "pierce": true})
	root, _ := doc["root"].(map[string]any)
	button := find(root, "button", "closed")
	if button == nil {
		return false
	}
	box := p.do("DOM.getBoxModel", map[string]any{"backendNodeId": button["backendNodeId"]})
	model, _ := box["model"].(map[string]any)
	quad, _ := model["content"].([]any)
	if len(quad) < 6 {
		return false
	}
	x, y := (quad[0].(float64)+quad[4].(float64))/2, (quad[1].(float64)+quad[5].(float64))/2
	for _, kind := range []string{"mousePressed", "mouseReleased"} {
		p.do("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1})
	}
	return true
}

func eventually(t *testing.T, what string, cond func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !cond(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("a minute went by without %s", what)
		}
	}
}

// labelled opens a page in the tab of a label, and gives the tab's id.
func labelled(t *testing.T, label, path string) string {
	t.Helper()
	start(t)
	return out(t, fmt.Sprintf("navigate(%q); waitForLoad(); currentTab()[`id`]", world.site.URL+path), "BU_TAB="+label)
}

func TestHandoff(t *testing.T) {
	page := html(`<h1>first</h1>`)
	next := html(`<h1>second</h1>`)
	tab := labelled(t, "handoff", page)
	// Its limit counts what it does itself, not the person's time.
	cmd := invoke(`handoff("sign in, then press Done", 90); js("document.querySelector('h1').innerText")`, "BU_TAB=handoff", "BU_TIMEOUT=20")
	var said strings.Builder
	cmd.Stdout, cmd.Stderr = &said, os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()

	eventually(t, "user_driving", func() bool {
		_, stderr, code := run(t, "pageInfo()", "BU_TAB=handoff")
		return code == 1 && strings.Contains(stderr, "user_driving") && strings.Contains(stderr, "sign in, then press Done")
	})
	if got := out(t, "js(`1+1`)", "BU_TAB=elsewhere"); got != "2" {
		t.Errorf("another tab meanwhile: %s", got)
	}
	p := personAt(t, tab)
	if got := p.do("Runtime.evaluate", map[string]any{"expression": "document.querySelector('div')?.shadowRoot === null || document.querySelector('div') === null"}); got["result"].(map[string]any)["value"] != true {
		t.Errorf("the page can look into the bar: %v", got)
	}
	p.do("Page.navigate", map[string]any{"url": world.site.URL + next})
	eventually(t, "the bar on the next page", p.pressDone)
	if err := <-ended; err != nil || said.String() != "second\n" {
		t.Errorf("%v %q", err, said.String())
	}
	if got := out(t, `js("document.documentElement.outerHTML.includes('popover')")`, "BU_TAB=handoff"); got != "false" {
		t.Error("the bar is still there")
	}
	stdout, stderr, code := run(t, `handoff("nobody comes", 0.5)`, "BU_TAB=handoff")
	if code != 1 || !strings.Contains(stderr, "timeout: ") {
		t.Errorf("exit %d %s %s", code, stdout, stderr)
	}
	if got := out(t, "js(`1+1`)", "BU_TAB=handoff"); got != "2" {
		t.Errorf("after the time was out: %s", got)
	}
}

func TestTakeover(t *testing.T) {
	labelled(t, "taken", html(`<h1>page</h1>`))
	agent := invoke(`js("window.before = 1"); for { js("1"); wait(0.05) }`, "BU_TAB=taken")
	var said strings.Builder
	agent.Stderr = &said
	if err := agent.Start(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the agent's turn", func() bool {
		got, _, _ := run(t, `len(call(M{"meta": "log", "count": 5})["calls"].([]any))`, "BU_TAB=other")
		return got == "5"
	})
	user := invoke(`takeover()`, "BU_TAB=taken", "BU_TIMEOUT=1")
	if err := user.Start(); err != nil {
		t.Fatal(err)
	}
	if err := agent.Wait(); err == nil || !strings.Contains(said.String(), "user_driving") {
		t.Errorf("the agent: %v %s", err, said.String())
	}
	time.Sleep(1500 * time.Millisecond) // past its BU_TIMEOUT
	if _, stderr, code := run(t, "js(`1`)", "BU_TAB=taken"); code != 1 || !strings.Contains(stderr, "user_driving") {
		t.Errorf("meanwhile: exit %d %s", code, stderr)
	}
	user.Process.Signal(os.Interrupt)
	user.Wait()
	if got := out(t, "js(`window.before`)", "BU_TAB=taken"); got != "1" {
		t.Errorf("what was done before stands, but: %s", got)
	}
}

func TestDebugLogAndSpec(t *testing.T) {
	open(t, html(`x`))
	want(t, `js("1+1"); last := debugLog(1)[0].(M); fmt.Println(last["method"], last["ms"].(float64) >= 0, len(debugLog(3)))`, "Runtime.evaluate true 3")
	want(t, `fmt.Println(spec("Page").(M)["domain"], len(spec().([]any)) > 20)`, "Page true")
	fails(t, `spec("Nope")`, "bad_value", "Network")
}
