package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// parted stands between a daemon and the browser, on a machine that stands still for a while
// before each command that slow names.
func parted(t *testing.T, slow func(method string) bool) (ws string) {
	up := websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		client, err := up.Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer client.Close()
		chrome, _, err := websocket.DefaultDialer.Dial(browser(t).WS, nil)
		if err != nil {
			t.Error(err)
			return
		}
		defer chrome.Close()
		go func() {
			for {
				_, b, err := chrome.ReadMessage()
				if err != nil || client.WriteMessage(websocket.TextMessage, b) != nil {
					client.Close()
					return
				}
			}
		}()
		for {
			_, b, err := client.ReadMessage()
			if err != nil {
				return
			}
			var m struct{ Method string }
			json.Unmarshal(b, &m)
			if slow(m.Method) {
				time.Sleep(100 * time.Millisecond)
			}
			if chrome.WriteMessage(websocket.TextMessage, b) != nil {
				return
			}
		}
	}))
	t.Cleanup(s.CloseClientConnections)
	return "ws" + strings.TrimPrefix(s.URL, "http")
}

// A page that began something of its own before the daemon's word behind a caller's script came
// is left alone; what an event of the script's keeps busy for good is ended.
func TestParted(t *testing.T) {
	p := daemonOf(t, newName(t), "BU_CDP_WS="+parted(t, func(method string) bool { return method == "Performance.disable" }))
	x := func(expr string) string {
		p.visit(busyPage)
		m := p.call(M{"method": "Runtime.evaluate", "params": M{"expression": expr, "awaitPromise": true}, "timeout_ms": 250})
		wantCode(t, m, "timeout")
		var v any
		until(t, "the page's own script has begun", func() bool { v = p.js("f", M{"spare": true}); return v != 0.0 })
		return fmt.Sprint(v)
	}
	for _, own := range []string{
		"setTimeout(work, 0, 1500), new Promise(() => {})", "setTimeout(work, 2, 1500), new Promise(() => {})",
		"{ const c = new MessageChannel(); c.port1.onmessage = () => work(1500); c.port2.postMessage(0) } new Promise(() => {})",
	} {
		if v := x(own); v != "2" {
			t.Errorf("%s: the page's own script was ended", own)
		}
	}
	if v := x("f = 3; document.querySelector('button').onclick = () => { for (;;); }; document.querySelector('button').click()"); v != "3" {
		t.Errorf("got %s", v)
	}
}

// The account of a page's time is its callers', and costs the page nothing when no script runs.
func TestAccountIsTheCallers(t *testing.T) {
	p := daemonOf(t, newName(t))
	stamp := func() int {
		seq := p.meta("session")["seq"]
		p.js("1")
		p.js("console.timeStamp('x'); console.log('x')", M{"spare": true})
		told := list(p.meta("events", M{"since": seq, "methods": []string{"Runtime.consoleAPICalled"}, "timeout_ms": 20000}), "events")
		if len(told) == 0 {
			t.Error("no message")
		}
		return len(list(p.meta("events", M{"since": seq, "methods": []string{"Performance.metrics"}}), "events"))
	}
	if n := stamp(); n != 0 {
		t.Errorf("%d events that nobody asked for", n)
	}
	p.cdp("Performance.enable", nil)
	if n := stamp(); n != 1 || len(list(p.cdp("Performance.getMetrics", nil), "metrics")) == 0 {
		t.Errorf("%d events, one was asked for", n)
	}
	p.cdp("Performance.disable", nil)
	if n := stamp(); n != 0 {
		t.Errorf("%d events after all", n)
	}
}
