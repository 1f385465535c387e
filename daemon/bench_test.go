package main

import (
	"context"
	"encoding/json"
	"slices"
	"testing"
	"time"

	"bu/daemon/wire"

	"github.com/gorilla/websocket"
)

// BenchmarkCall measures what the daemon adds to a call: the same evaluation on a
// bare WebSocket and through the socket, in turns, so that a busy machine is as busy
// for both. The medians and their ratio are the result; DESIGN allows 1.3 for a call
// inside a snippet.
func BenchmarkCall(b *testing.B) {
	ws, _, err := (&websocket.Dialer{ReadBufferSize: 64 << 10}).Dial(browser(b).WS, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer ws.Close()
	id := 0
	bare := func(session, method string, params any) (result json.RawMessage) {
		id++
		m := M{"id": id, "method": method, "params": params}
		if session != "" {
			m["sessionId"] = session
		}
		raw, _ := json.Marshal(m)
		ws.WriteMessage(websocket.TextMessage, raw)
		for {
			var r struct {
				ID     int
				Result json.RawMessage
			}
			_, raw, err := ws.ReadMessage()
			if err != nil || json.Unmarshal(raw, &r) != nil {
				b.Fatal(err)
			}
			if r.ID == id {
				return r.Result
			}
		}
	}
	var made struct{ TargetID, SessionID string }
	json.Unmarshal(bare("", "Target.createTarget", M{"url": "about:blank"}), &made)
	json.Unmarshal(bare("", "Target.attachToTarget", M{"targetId": made.TargetID, "flatten": true}), &made)
	p := daemonOf(b, newName(b))
	p.js("1")
	c, err := wire.Dial(context.Background(), p.name)
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	line := []byte(`{"method":"Runtime.evaluate","params":{"expression":"1"}}`)
	var direct, through []time.Duration
	for b.Loop() {
		t0 := time.Now()
		bare(made.SessionID, "Runtime.evaluate", M{"expression": "1"})
		t1 := time.Now()
		if _, err := c.CallLine(context.Background(), line); err != nil {
			b.Fatal(err)
		}
		direct, through = append(direct, t1.Sub(t0)), append(through, time.Since(t1))
	}
	slices.Sort(direct)
	slices.Sort(through)
	x, y := direct[len(direct)/2], through[len(through)/2]
	// The fastest tenth is what a machine with nothing else to do would give.
	b.ReportMetric(float64(through[len(through)/10])/float64(direct[len(direct)/10]), "ratio-fastest")
	b.ReportMetric(float64(x.Microseconds()), "µs-bare")
	b.ReportMetric(float64(y.Microseconds()), "µs-through")
	b.ReportMetric(float64(y)/float64(x), "ratio")
}
