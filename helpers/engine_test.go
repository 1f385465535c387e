package helpers_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"bu/daemon/testchrome"
)

// The page engine (the .js files) is judged here by Chrome's own accessibility
// tree, over a bare DevTools connection: no daemon, no interpreter.

// tab is one page with the engine in its isolated world.
type tab struct {
	tb      testing.TB
	ws      *websocket.Conn
	id      int
	session string
	target  string
	context float64
}

type object = map[string]any

func (p *tab) call(method string, params object) object {
	p.tb.Helper()
	p.id++
	req := object{"id": p.id, "method": method, "params": params}
	if p.session != "" && !strings.HasPrefix(method, "Target.") {
		req["sessionId"] = p.session
	}
	if err := p.ws.WriteJSON(req); err != nil {
		p.tb.Fatal(err)
	}
	p.ws.SetReadDeadline(time.Now().Add(30 * time.Second))
	for {
		var m struct {
			ID     int
			Result object
			Error  *struct{ Message string }
		}
		if err := p.ws.ReadJSON(&m); err != nil {
			p.tb.Fatalf("%s: %v", method, err)
		}
		if m.ID != p.id {
			continue // an event
		}
		if m.Error != nil {
			p.tb.Fatalf("%s: %s", method, m.Error.Message)
		}
		return m.Result
	}
}

// newPage opens a tab of the browser at address and puts the engine into it.
func newPage(tb testing.TB, c *testchrome.Chrome, address string) *tab {
	tb.Helper()
	ws, _, err := websocket.DefaultDialer.Dial(c.WS, nil)
	if err != nil {
		tb.Fatal(err)
	}
	p := &tab{tb: tb, ws: ws}
	p.target = p.call("Target.createTarget", object{"url": address, "background": true})["targetId"].(string)
	tb.Cleanup(func() { p.call("Target.closeTarget", object{"targetId": p.target}); ws.Close() })
	p.session = p.call("Target.attachToTarget", object{"targetId": p.target, "flatten": true})["sessionId"].(string)
	for p.eval("document.readyState + location.href") != "complete"+address {
		time.Sleep(5 * time.Millisecond)
	}
	p.context = p.call("Page.createIsolatedWorld", object{"frameId": p.target, "worldName": "bu"})["executionContextId"].(float64)
	p.eval(engineSource(tb))
	return p
}

// eval runs JavaScript in the isolated world (in the page's own before there is one).
func (p *tab) eval(expr string) any {
	p.tb.Helper()
	params := object{"expression": expr, "returnByValue": true, "awaitPromise": true}
	if p.context != 0 {
		params["contextId"] = p.context
	}
	r := p.call("Runtime.evaluate", params)
	if x, bad := r["exceptionDetails"]; bad {
		b, _ := json.Marshal(x)
		p.tb.Fatalf("%.200s: %s", expr, b)
	}
	return r["result"].(object)["value"]
}

// engineSource is what engine/world.go makes of the .js files.
func engineSource(tb testing.TB) string {
	tb.Helper()
	dir := testchrome.Root() + "/helpers/engine/"
	list, err := os.ReadFile(dir + "world.go")
	if err != nil {
		tb.Fatal(err)
	}
	var b strings.Builder
	for _, f := range strings.Fields(regexp.MustCompile(`sources = "(.*)"`).FindStringSubmatch(string(list))[1]) {
		text, err := os.ReadFile(dir + "js/" + f + ".js")
		if err != nil {
			tb.Fatal(err)
		}
		b.Write(text)
	}
	return "globalThis.bu = (() => {'use strict';\n" + b.String() + "\nreturn engine;})(), 0"
}

func fileURL(name string) string {
	return "file://" + testchrome.Root() + "/helpers/testdata/" + name
}

// verdict is Chrome's own role and name of a node. An element with contenteditable and no
// role is generic there and editable: what Chrome tells the system to be a text field.
func (p *tab) verdict(objectID string) (role, name string, ignored bool) {
	p.tb.Helper()
	var answer struct {
		Nodes []struct {
			Role, Name struct{ Value string }
			Ignored    bool
			Properties []struct{ Name string }
		}
	}
	raw, _ := json.Marshal(p.call("Accessibility.getPartialAXTree", object{"objectId": objectID, "fetchRelatives": false}))
	if err := json.Unmarshal(raw, &answer); err != nil {
		p.tb.Fatal(err)
	}
	n, has := answer.Nodes[0], map[string]bool{}
	for _, x := range n.Properties {
		has[x.Name] = true
	}
	if n.Role.Value == "generic" && has["editable"] && has["focusable"] {
		n.Role.Value = "textbox"
	}
	return n.Role.Value, n.Name.Value, n.Ignored
}

// asRead is a name as a person reads it: any white space is a space, a zero-width one is nothing.
func asRead(name string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(name, "\u200b", "")), " ")
}

// handles gives the remote objects of a JavaScript array of nodes.
func (p *tab) handles(expr string) []string {
	p.tb.Helper()
	list := p.call("Runtime.evaluate", object{"expression": expr, "contextId": p.context})["result"].(object)["objectId"].(string)
	var ids []string
	for _, d := range p.call("Runtime.getProperties", object{"objectId": list, "ownProperties": true})["result"].([]any) {
		prop := d.(object)
		if v, ok := prop["value"].(object); ok && v["subtype"] == "node" {
			ids = append(ids, v["objectId"].(string))
		}
	}
	return ids
}

// What a person can act on, in the words of Chrome's tree.
var interactive = strings.Fields(`button checkbox combobox gridcell link listbox menuitem menuitemcheckbox menuitemradio option radio
	scrollbar searchbox slider spinbutton switch tab textbox treeitem Date DateTime InputTime ColorWell DisclosureTriangle
	DisclosureTriangleGrouped`)

// Where bu means to differ from Chrome's tree, and why.
var differs = []struct{ chrome, ours, why string }{
	{`button "\\ue001"`, `button ""`, "a character of an icon font says nothing"},
	{`textbox ""`, `textbox "(Hidden|Invisible) label"`, "a hidden label names its field all the same (HTML-AAM)"},
	{`(textbox|button) ""`, `(textbox|button) "(fallback|Tip|Inside a label)"`, "a label without a text of its own keeps nothing else from naming"},
	{`link ""`, `link "Engineer Berlin · 2 Jan"`, "a card in a link is what the link says"},
	{`switch "From internals"`, ` ""`, "what a page tells its ElementInternals no other world can read"},
}

// deepNodes is every element of a page, through shadow roots and frames of its own origin.
const deepNodes = `globalThis.nodes = [...(function* deep(r) {
	for (const e of r.querySelectorAll('*')) { yield e; if (e.shadowRoot) yield* deep(e.shadowRoot); if (e.contentDocument) yield* deep(e.contentDocument); }
})(document.body)], 0`

// Roles and names agree with Chrome's own on at least 987 of 1,000 nodes that can be acted on; all others are meant to differ.
func TestNamesAgreeWithChrome(t *testing.T) {
	start(t)
	same, total := 0, 0
	for _, page := range []string{"native", "labels", "widgets", "tables", "shadow", "apps", "forms", "odd"} {
		p := newPage(t, world.chrome, fileURL("see-"+page+".html"))
		p.eval(deepNodes)
		ours := p.eval("bu.identify(nodes)").([]any)
		for i, h := range p.handles("nodes") {
			role, name, ignored := p.verdict(h)
			our, ourName := ours[i].([]any)[0].(string), ours[i].([]any)[1].(string)
			if ignored || !slices.Contains(interactive, role) && !slices.Contains(interactive, our) {
				continue
			}
			total++
			if role == our && asRead(name) == ourName {
				same++
				continue
			}
			t.Logf("%s: Chrome says %s %q, bu %s %q: %v", page, role, name, our, ourName, p.eval(fmt.Sprintf("nodes[%d].outerHTML.slice(0, 120)", i)))
			if !meant(role, name, our, ourName) {
				t.Errorf("that is not among the differences that are meant")
			}
		}
	}
	t.Logf("%d of %d agree", same, total)
	if total < 600 || same*1000 < total*987 {
		t.Errorf("%d of %d agree", same, total)
	}
}

// WPT=…/accname/name go test -run WPT: the names that the public web-platform-tests expect,
// of a checkout of theirs. Chrome's own tree has the expected ones less often.
func TestNamesAgainstWPT(t *testing.T) {
	var files []string
	for _, pattern := range []string{"*.html", "*/*.html"} {
		found, _ := filepath.Glob(filepath.Join(os.Getenv("WPT"), pattern))
		files = append(files, found...)
	}
	if os.Getenv("WPT") == "" || len(files) == 0 {
		t.Skip("WPT is not the folder accname/name of a checkout of github.com/web-platform-tests/wpt")
	}
	start(t)
	ours, chromes, total := 0, 0, 0
	for _, f := range files {
		p := newPage(t, world.chrome, "file://"+f)
		p.eval("globalThis.nodes = [...document.querySelectorAll('[data-expectedlabel]')], 0")
		names := p.eval("bu.identify(nodes).map((n, i) => [n[1], nodes[i].dataset.expectedlabel])").([]any)
		for i, h := range p.handles("nodes") {
			our, want := names[i].([]any)[0].(string), asRead(names[i].([]any)[1].(string))
			_, name, _ := p.verdict(h)
			total++
			if our == want {
				ours++
			}
			if asRead(name) == want {
				chromes++
			}
		}
	}
	t.Logf("of %d names bu has %d, Chrome %d", total, ours, chromes)
	if ours < chromes {
		t.Errorf("of %d names bu has %d, Chrome %d", total, ours, chromes)
	}
}

func meant(role, name, our, ourName string) bool {
	for _, d := range differs {
		is := func(pattern, role, name string) bool {
			return regexp.MustCompile("^" + pattern + "$").MatchString(fmt.Sprintf("%s %q", role, name))
		}
		if is(d.chrome, role, name) && is(d.ours, our, ourName) {
			return true
		}
	}
	return false
}
