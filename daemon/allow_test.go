package main

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// hosts serves one site under two names, 127.0.0.1 and localhost, and notes what is
// asked of each.
type hosts struct {
	allowed, denied string
	mu              sync.Mutex
	seen            []string // paths at the denied one; with "ok " before, at the other
}

func newHosts(t testing.TB) *hosts {
	h := &hosts{}
	up := websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		note := r.URL.Path
		if r.URL.Path == "/favicon.ico" {
			return // asked for by the browser itself, for its tab strip
		}
		if !strings.HasPrefix(r.Host, "localhost") {
			note = "ok " + note
		}
		h.mu.Lock()
		h.seen = append(h.seen, note)
		h.mu.Unlock()
		w.Header().Set("Access-Control-Allow-Origin", "*")
		switch name := strings.Trim(r.URL.Path, "/"); {
		case strings.HasSuffix(name, "ws"):
			if c, err := up.Upgrade(w, r, nil); err == nil {
				c.Close()
			}
		case strings.HasSuffix(name, ".js"):
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprint(w, h.script(strings.TrimSuffix(name, ".js")), "; self.onconnect = () => {}")
		case name == "redirect":
			http.Redirect(w, r, h.denied+"/redirected", http.StatusFound)
		case name == "other-frame":
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, "<script>%s</script>", h.script("other-frame"))
		default:
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<title>page</title>page")
		}
	}))
	t.Cleanup(s.Close)
	h.allowed, h.denied = s.URL, strings.Replace(s.URL, "127.0.0.1", "localhost", 1)
	return h
}

// script reaches for the denied host, and the allowed one, in the ways that a worker
// has too. Its first and last steps show that it ran.
func (h *hosts) script(tag string) string {
	ws := strings.Replace(h.denied, "http", "ws", 1)
	return strings.NewReplacer("TAG", tag, "DENIED", h.denied, "WS", ws, "ALLOWED", h.allowed, "OKWS", strings.Replace(h.allowed, "http", "ws", 1)).Replace(
		`try { new WebSocket('WS/TAG-ws') } catch (e) {}; fetch('DENIED/TAG-fetch').catch(() => {});
		try { importScripts('DENIED/TAG-import') } catch (e) {}; fetch('ALLOWED/TAG-ok').catch(() => {}); try { new WebSocket('OKWS/TAG-ok-ws?x') } catch (e) {}`)
}

func (h *hosts) reached() (denied, allowed []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range h.seen {
		if p, ok := strings.CutPrefix(s, "ok "); ok {
			allowed = append(allowed, p)
		} else {
			denied = append(denied, s)
		}
	}
	return denied, allowed
}

func TestAllow(t *testing.T) {
	h := newHosts(t)
	for name, set := range map[string]func(t *testing.T) (*proc, M){
		"by the daemon's environment": func(t *testing.T) (*proc, M) {
			return daemonOf(t, newName(t), "BU_CDP_WS="+browser(t).WS, "BU_ALLOW=127.0.0.1,*.localhost"), M{}
		},
		"by the caller": func(t *testing.T) (*proc, M) {
			return daemonOf(t, newName(t)), M{"allow": []string{"127.0.0.1", "*.localhost"}, "tab": "x"}
		},
	} {
		t.Run(name, func(t *testing.T) {
			h.mu.Lock()
			h.seen = nil
			h.mu.Unlock()
			p, opt := set(t)
			p.visit(h.allowed+"/", opt)
			for what, step := range map[string]string{
				"img":                   "new Image().src = 'DENIED/img'",
				"redirect":              "fetch('/redirect').catch(() => {})",
				"beacon":                "navigator.sendBeacon('DENIED/beacon')",
				"events":                "void new EventSource('DENIED/events')",
				"frame":                 "add('iframe', {src: 'DENIED/frame'})",
				"srcdoc":                "add('iframe', {srcdoc: `<img src=DENIED/srcdoc-img><script>new WebSocket('WS/srcdoc-ws')<\\/script>`})",
				"worker":                "void new Worker('/worker.js')",
				"blob":                  "void new Worker(URL.createObjectURL(new Blob([blobScript], {type: 'text/javascript'})))",
				"shared":                "try { new SharedWorker('/shared.js') } catch (e) {}",
				"shared in a frame":     "try { new (add('iframe', {}).contentWindow.SharedWorker)('/shared2.js') } catch (e) {}",
				"service":               "try { navigator.serviceWorker.register('/service" + fmt.Sprint(time.Now().UnixNano()) + ".js').catch(() => {}) } catch (e) {}",
				"popup":                 "void window.open('DENIED/popup')",
				"popup moved on":        "void (window.open('/ok-popup').location = 'DENIED/popup-moved')",
				"popup without opener":  "void window.open('DENIED/popup-noopener', '_blank', 'noopener')",
				"link":                  "add('a', {href: 'DENIED/link', target: '_blank'}).click()",
				"prefetch":              "add('link', {rel: 'prefetch', href: 'DENIED/prefetch'})",
				"script":                "add('script', {src: 'DENIED/script'})",
				"form":                  "{ let f = add('form', {action: 'DENIED/form', method: 'post', target: '_blank'}); f.submit() }",
				"frame of another site": "add('iframe', {src: '" + strings.Replace(h.allowed, "127.0.0.1", "frame.localhost", 1) + "/other-frame'})",
				"page":                  h.script("page"),
			} {
				ws := strings.Replace(h.denied, "http", "ws", 1)
				step = strings.NewReplacer("DENIED", h.denied, "WS", ws).Replace(step)
				js := "var blobScript = " + fmt.Sprintf("%q", h.script("blob")) + "; var add = (tag, o) => document.body.appendChild(Object.assign(document.createElement(tag), o));\n" + step
				r := p.cdp("Runtime.evaluate", M{"expression": js, "userGesture": true, "returnByValue": false}, opt)
				if r["exceptionDetails"] != nil {
					t.Errorf("%s: %v", what, r["exceptionDetails"])
				}
			}
			until(t, "the allowed host was reached from everywhere", func() bool {
				_, ok := h.reached()
				for _, want := range []string{"/page-ok", "/page-ok-ws", "/worker-ok", "/worker-ok-ws", "/blob-ok", "/blob-ok-ws", "/other-frame-ok", "/other-frame-ok-ws"} {
					if !slices.Contains(ok, want) {
						return false
					}
				}
				return true
			})
			time.Sleep(time.Second) // for what is not allowed to happen
			if denied, _ := h.reached(); len(denied) > 0 {
				t.Errorf("reached: %v", denied)
			}
			for _, method := range []string{"Page.navigate", "Target.createTarget"} {
				m := p.call(merge(M{"method": method, "params": M{"url": h.denied + "/direct"}}, opt))
				if wantCode(t, m, "not_allowed"); m["host"] != "localhost" {
					t.Errorf("%s: %v", method, m)
				}
			}
			m := p.call(merge(M{"method": "Page.navigate", "params": M{"url": h.allowed + "/redirect"}}, opt))
			if wantCode(t, m, "not_allowed"); m["host"] != "localhost" || !strings.Contains(fmt.Sprint(m["error"]), "localhost") {
				t.Errorf("a redirect: %v", m)
			}
			if m := p.call(merge(M{"method": "Page.navigate", "params": M{"url": h.allowed + "/back"}}, opt)); m["result"] == nil {
				t.Errorf("on from a page that was not let through: %v", m)
			}
			wantCode(t, p.call(merge(M{"method": "Page.navigate", "params": M{"url": "file:///etc/passwd"}}, opt)), "not_allowed")
			wantCode(t, p.call(merge(M{"method": "Target.setAutoAttach", "params": M{"autoAttach": false, "waitForDebuggerOnStart": false}}, opt)), "not_allowed")
			if n := p.notices(opt); !strings.Contains(n, "kept the page from reaching localhost") {
				t.Errorf("notices: %s", n)
			}
			id := p.cdp("Target.createTarget", M{"url": h.allowed + "/new"}, opt)["targetId"]
			until(t, "a new tab goes where it may", func() bool {
				_, ok := h.reached()
				return slices.Contains(ok, "/new")
			})
			p.cdp("Target.closeTarget", M{"targetId": id}, opt)
			if denied, _ := h.reached(); len(denied) > 0 {
				t.Errorf("reached: %v", denied)
			}
			if name == "by the caller" { // nobody else is limited, and the user's tabs are free
				p.visit(h.denied + "/free")
				p.cdp("Runtime.evaluate", M{"expression": "void window.open('" + h.denied + "/free-popup')", "userGesture": true})
				until(t, "another label's popup goes on", func() bool {
					d, _ := h.reached()
					return slices.Contains(d, "/free-popup")
				})
				free := p.meta("session")["target_id"]
				other := M{"allow": []string{"127.0.0.1", "localhost"}, "tab": "y"}
				p.visit(h.denied+"/another", other)
				wantCode(t, p.meta("session", M{"allow": []string{"127.0.0.1", "localhost"}, "tab": "x"}), "not_allowed") // wider
				narrower := M{"allow": []string{"127.0.0.1"}, "tab": "y"}
				wantCode(t, p.call(merge(M{"method": "Page.navigate", "params": M{"url": h.denied}}, narrower)), "not_allowed")
				wantCode(t, p.meta("session", other), "not_allowed")
				wantCode(t, p.call(merge(M{"method": "Page.navigate", "params": M{"url": h.denied}}, opt)), "not_allowed")
				m := p.call(merge(M{"method": "Target.attachToTarget", "params": M{"targetId": free, "flatten": true}, "force": true}, opt))
				wantCode(t, m, "not_allowed")
			}
		})
	}
	narrow := daemonOf(t, newName(t), "BU_CDP_WS="+browser(t).WS, "BU_ALLOW=127.0.0.1,a.b")
	wantCode(t, narrow.meta("session", M{"allow": []string{"localhost"}, "tab": "n"}), "not_allowed")
	n := M{"allow": []string{"localhost", "127.0.0.1"}, "tab": "n"} // cannot widen what the daemon holds
	wantCode(t, narrow.call(merge(M{"method": "Page.navigate", "params": M{"url": h.denied}}, n)), "not_allowed")
	narrow.visit(h.allowed+"/", n)
	b := launch(t, newName(t), "BU_ALLOW=http://example.com")
	if code := b.wait(); code != 2 || !strings.Contains(b.errs.String(), "host pattern") {
		t.Errorf("exit code %d: %s", code, &b.errs)
	}
	p := daemonOf(t, newName(t))
	wantCode(t, p.meta("session", M{"allow": []string{"http://x"}}), "bad_request")
}

func merge(ms ...M) M {
	out := M{}
	for _, m := range ms {
		for k, v := range m {
			out[k] = v
		}
	}
	return out
}

// Field case 61: the guard's sessions are nobody's to see or to work.
func TestGuardIsHidden(t *testing.T) {
	h := newHosts(t)
	p := daemonOf(t, newName(t), "BU_CDP_WS="+browser(t).WS, "BU_ALLOW=127.0.0.1")
	p.visit(h.allowed + "/")
	p.cdp("Runtime.evaluate", M{"userGesture": true, "expression": "new Worker('/worker.js'); document.body.append(document.createElement('iframe')); window.open('/popup'); 1"})
	id := p.cdp("Target.createTarget", M{"url": h.allowed + "/new"})["targetId"]
	wantCode(t, p.call(M{"method": "Target.detachFromTarget", "params": M{"targetId": id}}), "not_allowed")
	until(t, "the popup goes on", func() bool {
		_, ok := h.reached()
		return slices.Contains(ok, "/popup") && slices.Contains(ok, "/worker-ok")
	})
	own := p.meta("session")["session_id"]
	events := append(list(p.meta("events", M{"since": 0}), "events"), list(p.meta("drain_events"), "events")...)
	told := fmt.Sprint(events)
	if len(events) == 0 || strings.Contains(told, "requestPaused") {
		t.Errorf("events: %s", told)
	}
	for _, e := range events {
		e := e.(M)
		params, _ := e["params"].(M)
		for _, id := range []any{e["session_id"], params["sessionId"]} {
			if id != nil && id != own {
				t.Errorf("a session of the daemon's own is told: %v", e)
			}
		}
	}
	for _, d := range []string{"Target.attachToBrowserTarget", "Target.setAutoAttach"} {
		wantCode(t, p.call(M{"method": d, "params": M{}}), "not_allowed")
	}
	wantCode(t, p.call(M{"method": "Target.createBrowserContext", "params": M{"proxyServer": "localhost:1"}}), "not_allowed")
}

// Field case 63: what leaves past the requests that a guard sees.
func TestAllowLeaks(t *testing.T) {
	h := newHosts(t)
	udp, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer udp.Close()
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer tcp.Close()
	var packets, conns atomic.Int32
	go func() {
		for {
			if _, _, err := udp.ReadFrom(make([]byte, 2000)); err != nil {
				return
			}
			packets.Add(1)
		}
	}()
	go func() {
		for {
			c, err := tcp.Accept()
			if err != nil {
				return
			}
			conns.Add(1)
			c.Close()
		}
	}()
	free := daemonOf(t, newName(t))
	p := daemonOf(t, newName(t), "BU_CDP_WS="+browser(t).WS, "BU_ALLOW="+strings.TrimPrefix(h.allowed, "http://"))
	port := func(a net.Addr) string { _, port, _ := net.SplitHostPort(a.String()); return port }
	rtc := fmt.Sprintf(`(async () => { try {
		const c = new RTCPeerConnection({iceServers: [{urls: 'stun:127.0.0.1:%[1]s'}, {urls: ['turn:127.0.0.1:%[1]s?transport=udp', 'turn:127.0.0.1:%[2]s?transport=tcp'], username: 'u', credential: 'c'}]})
		c.createDataChannel('d'); await c.setLocalDescription(await c.createOffer()); await new Promise(r => setTimeout(r, 1000)) } catch (e) {} })()`, port(udp.LocalAddr()), port(tcp.Addr()))
	last := "for (const n of ['pagehide', 'unload', 'visibilitychange']) addEventListener(n, () => { navigator.sendBeacon('" + h.denied + "/last-beacon'); fetch('" + h.denied + "/last-fetch', {keepalive: true, mode: 'no-cors'}); new Image().src = '" + h.denied + "/last-img' })"
	rules := "{ const s = document.createElement('script'); s.type = 'speculationrules'; s.textContent = JSON.stringify({prefetch: [{source: 'list', urls: ['" + h.denied + "/rules-prefetch'], eagerness: 'immediate'}], prerender: [{source: 'list', urls: ['/rules-prerender', '" + h.denied + "/rules-prerender'], eagerness: 'immediate'}]}); document.head.append(s) }"
	try := func(p *proc) {
		p.visit(h.allowed + "/leaks")
		p.js(rtc)
		p.js("try { new WebTransport('https://localhost:" + port(udp.LocalAddr()) + "/') } catch (e) {}; 1")
		p.js(rules)
		time.Sleep(500 * time.Millisecond) // for what is not allowed to happen
		id := p.cdp("Target.createTarget", M{"url": h.allowed + "/close"})["targetId"]
		s := p.cdp("Target.attachToTarget", M{"targetId": id, "flatten": true})["sessionId"]
		until(t, "the tab is there", func() bool {
			return p.peek("document.readyState + location.pathname", M{"session_id": s}) == "complete/close"
		})
		p.js(last, M{"session_id": s})
		p.cdp("Target.closeTarget", M{"targetId": id})
		time.Sleep(time.Second)
	}
	try(p)
	if denied, _ := h.reached(); len(denied) > 0 || packets.Load() > 0 || conns.Load() > 0 {
		t.Errorf("reached: %v, %d packets, %d connections", denied, packets.Load(), conns.Load())
	}
	try(free) // what would have happened
	denied, _ := h.reached()
	for _, path := range []string{"/last-beacon", "/last-fetch"} {
		if !slices.Contains(denied, path) {
			t.Errorf("without limits %s was not reached: the test shows nothing", path)
		}
	}
	if packets.Load() == 0 || conns.Load() == 0 {
		t.Errorf("without limits: %d packets, %d connections: the test shows nothing", packets.Load(), conns.Load())
	}
	t.Logf("without limits: %v", denied)

	// Other sites' cookies.
	set := func(p *proc, url string) M {
		return p.call(M{"method": "Network.setCookie", "params": M{"name": "c", "value": "1", "url": url}})
	}
	if m := set(free, h.denied); m["result"] == nil {
		t.Fatal(m)
	}
	if m := set(p, h.allowed); m["result"] == nil {
		t.Fatal(m)
	}
	wantCode(t, set(p, h.denied), "not_allowed")
	for _, method := range []string{"Storage.getCookies", "Network.getAllCookies"} {
		got := list(p.cdp(method, M{}), "cookies")
		if len(got) != 1 || got[0].(M)["domain"] != "127.0.0.1" {
			t.Errorf("%s: %v", method, got)
		}
	}
	wantCode(t, p.call(M{"method": "Network.getCookies", "params": M{"urls": []string{h.allowed, h.denied}}}), "not_allowed")
	wantCode(t, p.call(M{"method": "Storage.clearCookies", "params": M{}}), "not_allowed")
}
