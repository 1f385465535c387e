package main

import (
	"io"
	"testing"
	"time"
)

// busyPage has work to do, and tells in f how far it came.
const busyPage = `data:text/html,<button style="position:fixed;inset:0">b</button><script>
	let f = 0; const busy = ms => { const end = performance.now() + ms; while (performance.now() < end); }
	const work = ms => { f = 1; console.log('busy'); busy(ms); f = 2 }
	document.querySelector('button').onclick = () => work(1500)</script>`

func TestDeadlines(t *testing.T) {
	p := daemonOf(t, newName(t))
	t.Run("a promise that takes longer than usual", func(t *testing.T) { // field case 15
		if v := p.js("new Promise(r => setTimeout(r, 8000, 'late'))"); v != "late" {
			t.Errorf("got %v", v)
		}
	})
	for _, expr := range []string{ // field case 16
		"new Promise(() => {})", "for(;;){}", "(async () => { for(;;) await null })()", "try { for(;;){} } finally { for(;;){} }",
	} {
		for range 3 {
			start := time.Now()
			m := p.call(M{"method": "Runtime.evaluate", "params": M{"expression": expr, "awaitPromise": true}, "timeout_ms": 1000})
			if wantCode(t, m, "timeout"); m["sent"] != true || time.Since(start) > 3*time.Second {
				t.Errorf("%s: %v after %v", expr, m, time.Since(start))
			}
			if v := p.js("6*7", M{"timeout_ms": 5000}); v != 42.0 {
				t.Fatalf("after %s: %v", expr, v)
			}
		}
	}
	// Field case 66: only what a caller started is ended.
	script := func(expr string) M {
		return M{"method": "Runtime.evaluate", "params": M{"expression": expr, "awaitPromise": true}}
	}
	click := M{"x": 50, "y": 50, "button": "left", "clickCount": 1}
	for what, step := range map[string]struct {
		before string // the page's own doing
		calls  []M
		busy   bool // they come once it is about that
	}{
		"a probe of a busy page":             {before: "setTimeout(work, 100, 1500)", calls: []M{script("new Promise(r => setTimeout(r, 200))"), merge(script("1"), M{"spare": true})}},
		"a script that comes to a busy page": {before: "setTimeout(work, 100, 1500)", calls: []M{script("1")}, busy: true},
		"a promise while the page is busy":   {before: "setTimeout(work, 100, 1500)", calls: []M{script("new Promise(() => {})")}},
		"a task right behind a promise":      {before: "0", calls: []M{script("setTimeout(work, 0, 1500), new Promise(() => {})")}},
		"a task a moment after a promise":    {before: "0", calls: []M{script("setTimeout(work, 2, 1500), new Promise(() => {})")}},
		"a message right behind a promise":   {before: "0", calls: []M{script("{ const c = new MessageChannel(); c.port1.onmessage = () => work(1500); c.port2.postMessage(0) } new Promise(() => {})")}},
		"a handler that takes its time": {before: "0", calls: []M{
			{"method": "Input.dispatchMouseEvent", "params": merge(click, M{"type": "mousePressed"})},
			{"method": "Input.dispatchMouseEvent", "params": merge(click, M{"type": "mouseReleased"})}}},
	} {
		t.Run(what, func(t *testing.T) {
			p.visit(busyPage)
			seq := p.meta("session")["seq"]
			p.js("void " + step.before)
			if step.busy {
				p.meta("events", M{"since": seq, "methods": []string{"Runtime.consoleAPICalled"}, "timeout_ms": 20000})
			}
			until(t, "a call ran out of time", func() bool {
				for _, c := range step.calls {
					if p.call(merge(c, M{"timeout_ms": 250}))["code"] == "timeout" {
						return true
					}
				}
				return false
			})
			var v any // 0: not begun; known once the page is free: 1 if its script was ended, else 2
			until(t, "the page's own script has begun", func() bool { v = p.js("f", M{"spare": true}); return v != 0.0 })
			if v != 2.0 {
				t.Errorf("the page's own script was ended")
			}
		})
	}
}

// Field case 44, and Ctrl-C: what a caller started in the page ends with the caller.
func TestHangUpEndsTheScript(t *testing.T) {
	p := daemonOf(t, newName(t))
	other := M{"tab": "other"}
	p.js("1", other)
	p.js("1")
	c := dial(t, p.name)
	io.WriteString(c, `{"method":"Runtime.evaluate","params":{"expression":"for(;;){}"}}`+"\n")
	until(t, "the loop runs", func() bool {
		return p.call(M{"method": "Runtime.evaluate", "params": M{"expression": "1"}, "timeout_ms": 1})["code"] == "timeout"
	})
	for range 5 {
		if v := p.js("2", other, M{"timeout_ms": 5000}); v != 2.0 { // the other tab is not held up
			t.Errorf("got %v", v)
		}
		p.meta("status")
	}
	c.Close()
	until(t, "the page answers", func() bool {
		m := p.call(M{"method": "Runtime.evaluate", "params": M{"expression": "1"}, "timeout_ms": 3000})
		return m["result"] != nil
	})
}
