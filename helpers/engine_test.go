package helpers_test

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
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

// engineSource is what elements.go makes of the .js files.
func engineSource(tb testing.TB) string {
	tb.Helper()
	dir := testchrome.Root() + "/helpers/"
	list, err := os.ReadFile(dir + "elements.go")
	if err != nil {
		tb.Fatal(err)
	}
	var b strings.Builder
	for _, f := range strings.Fields(regexp.MustCompile(`engineFiles = "(.*)"`).FindStringSubmatch(string(list))[1]) {
		text, err := os.ReadFile(dir + f + ".js")
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

// verdict is Chrome's own role and name of a node.
func (p *tab) verdict(objectID string) (role, name string, ignored bool) {
	p.tb.Helper()
	nodes := p.call("Accessibility.getPartialAXTree", object{"objectId": objectID, "fetchRelatives": false})["nodes"].([]any)
	n := nodes[0].(object)
	role, _ = n["role"].(object)["value"].(string)
	if v, ok := n["name"].(object); ok {
		name, _ = v["value"].(string)
	}
	ignored, _ = n["ignored"].(bool)
	return role, name, ignored
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

var _ = fmt.Sprint
