package main

import (
	"net"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// A page can use the windows of its frames and popups in the moment that it makes them, before
// they are a document of their own.
func TestAllowInNewWindows(t *testing.T) {
	h := newHosts(t)
	udp, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer udp.Close()
	var packets atomic.Int32
	go func() {
		for {
			if _, _, err := udp.ReadFrom(make([]byte, 2000)); err != nil {
				return
			}
			packets.Add(1)
		}
	}()
	_, port, _ := net.SplitHostPort(udp.LocalAddr().String())
	windows := map[string]string{
		"frame":   "document.body.appendChild(document.createElement('iframe')).contentWindow",
		"srcdoc":  "document.body.appendChild(Object.assign(document.createElement('iframe'), {srcdoc: '<p>'})).contentWindow",
		"popup":   "open('about:blank')",
		"sized":   "open('', '', 'width=200,height=200')",
		"on":      "open('/ok')",
		"writing": "(w => { w.document.write('<p>'); return w })(open('', 'writing'))",
		"parted":  "(f => { const w = f.contentWindow; f.remove(); return w })(document.body.appendChild(document.createElement('iframe')))",
	}
	use := func(p *proc) {
		p.visit(h.allowed + "/windows")
		for tag, w := range windows {
			ws := strings.Replace(h.denied, "http", "ws", 1)
			step := strings.NewReplacer("WINDOW", w, "DENIED", h.denied, "WS", ws, "TAG", tag, "PORT", port).Replace(`(() => {
				const w = WINDOW, each = f => { try { Promise.resolve(f()).catch(() => {}) } catch (e) {} }
				each(() => w.fetch('DENIED/TAG-fetch', {mode: 'no-cors'}))
				each(() => w.navigator.sendBeacon('DENIED/TAG-beacon'))
				each(() => { new w.Image().src = 'DENIED/TAG-img' })
				each(() => { new w.WebSocket('WS/TAG-ws') })
				each(() => { new w.EventSource('DENIED/TAG-events') })
				each(() => { new w.Worker(URL.createObjectURL(new Blob(["fetch('DENIED/TAG-worker'); new WebSocket('WS/TAG-worker-ws')"]))) })
				each(() => { new w.SharedWorker('data:text/javascript,fetch("DENIED/TAG-shared")') })
				each(() => { const c = new w.RTCPeerConnection({iceServers: [{urls: 'stun:127.0.0.1:PORT'}]}); c.createDataChannel('d'); return c.createOffer().then(o => c.setLocalDescription(o)) })
			})()`)
			p.cdp("Runtime.evaluate", M{"expression": step, "userGesture": true})
		}
		time.Sleep(2 * time.Second) // for what is not allowed to happen
	}
	p := daemonOf(t, newName(t), "BU_CDP_WS="+browser(t).WS, "BU_ALLOW="+strings.TrimPrefix(h.allowed, "http://"))
	use(p)
	if denied, _ := h.reached(); len(denied) > 0 || packets.Load() > 0 {
		t.Errorf("reached: %v, %d packets", denied, packets.Load())
	}
	use(daemonOf(t, newName(t)))
	for _, path := range []string{"/frame-fetch", "/popup-ws", "/sized-img", "/on-fetch", "/writing-worker"} {
		until(t, "without limits "+path+" is reached", func() bool {
			denied, _ := h.reached()
			return slices.Contains(denied, path)
		})
	}
	until(t, "without limits packets come", func() bool { return packets.Load() > 0 })
}

// What a caller can use beside the page: worlds of its own, and what the protocol fetches.
func TestAllowOfCallers(t *testing.T) {
	h := newHosts(t)
	p := daemonOf(t, newName(t), "BU_CDP_WS="+browser(t).WS, "BU_ALLOW="+strings.TrimPrefix(h.allowed, "http://"))
	p.visit(h.allowed + "/worlds")
	frame := p.meta("session")["target_id"]
	const left = `[typeof RTCPeerConnection, typeof WebTransport, typeof SharedWorker, typeof navigator.serviceWorker].join()`
	none := strings.TrimSuffix(strings.Repeat("undefined,", 4), ",")
	world := p.cdp("Page.createIsolatedWorld", M{"frameId": frame, "worldName": "mine"})["executionContextId"]
	if v := p.js(left, M{"world": world}); v != none {
		t.Errorf("in the main world: %v", v)
	}
	in := func(world any) any {
		r := p.cdp("Runtime.evaluate", M{"expression": left, "contextId": world})
		v, _ := r["result"].(M)
		return v["value"]
	}
	if v := in(world); v != none {
		t.Errorf("in a world of the caller's: %v", v)
	}
	p.cdp("Page.addScriptToEvaluateOnNewDocument", M{"source": "globalThis.kept = " + left, "worldName": "early"})
	p.cdp("Page.addScriptToEvaluateOnNewDocument", M{"source": "globalThis.kept = " + left})
	p.visit(h.allowed + "/worlds?2")
	if v := p.js("kept"); v != none {
		t.Errorf("in a caller's script: %v", v)
	}
	world = p.cdp("Page.createIsolatedWorld", M{"frameId": frame, "worldName": "early"})["executionContextId"]
	r := p.cdp("Runtime.evaluate", M{"expression": "kept", "contextId": world})
	if v, _ := r["result"].(M); v["value"] != none {
		t.Errorf("in a caller's script in a world of its own: %v", r)
	}
	for _, m := range []string{"Page.setPrerenderingAllowed", "Network.emulateNetworkConditionsByRule", "Network.loadNetworkResource"} {
		wantCode(t, p.call(M{"method": m, "params": M{"isAllowed": true, "frameId": frame, "url": h.allowed + "/redirect", "options": M{"disableCache": true, "includeCredentials": true}}}), "not_allowed")
	}
	time.Sleep(500 * time.Millisecond) // for what is not allowed to happen
	if denied, _ := h.reached(); len(denied) > 0 {
		t.Errorf("reached: %v", denied)
	}
}
