package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// fake is a browser for the failures that a real one cannot be made to show. It has
// one page, T1, and knows what a daemon asks when it attaches.
type fake struct {
	url string

	mu       sync.Mutex
	handlers map[string]func(*fakeConn, M) any
	seen     []string // methods, with the session if any
	conns    int
	raw      func(*fakeConn, []byte) bool                  // sees every message first; true: it has answered
	upgrade  func(http.ResponseWriter, *http.Request) bool // before the upgrade; false: it has answered
}

type fakeConn struct {
	*websocket.Conn
	mu       sync.Mutex
	sessions int
}

// silence is what a handler gives for a command that is left unanswered.
var silence = new(int)

// refusal is what a handler gives for a command that fails.
type refusalOf struct {
	code    int
	message string
}

func newFake(t testing.TB) *fake {
	f := &fake{handlers: map[string]func(*fakeConn, M) any{}}
	s := httptest.NewServer(http.HandlerFunc(f.serve))
	t.Cleanup(s.CloseClientConnections)
	f.url = "ws" + strings.TrimPrefix(s.URL, "http") + "/devtools/browser/1"
	return f
}

func (f *fake) on(method string, handle func(*fakeConn, M) any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.handlers[method] = handle
}

// set changes a field of f, whose server runs already.
func (f *fake) set(change func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change()
}

func (f *fake) methods() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]string(nil), f.seen...)
}

func (f *fake) serve(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	f.conns++
	upgrade := f.upgrade
	f.mu.Unlock()
	if upgrade != nil && !upgrade(w, r) {
		return
	}
	ws, err := (&websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }}).Upgrade(w, r, nil)
	if err != nil {
		return
	}
	c := &fakeConn{Conn: ws}
	defer ws.Close()
	for {
		_, b, err := ws.ReadMessage()
		if err != nil {
			return
		}
		f.mu.Lock()
		raw := f.raw
		f.mu.Unlock()
		if raw != nil && raw(c, b) {
			continue
		}
		var m M
		json.Unmarshal(b, &m)
		method, _ := m["method"].(string)
		session, _ := m["sessionId"].(string)
		f.mu.Lock()
		f.seen = append(f.seen, strings.TrimSpace(method+" "+session))
		h := f.handlers[method]
		f.mu.Unlock()
		var result any
		if h != nil {
			result = h(c, m)
		} else {
			result = c.usual(method, m)
		}
		if result != silence {
			c.answer(m, result)
		}
	}
}

func (c *fakeConn) answer(m M, result any) {
	out := M{"id": m["id"], "result": result}
	if r, ok := result.(refusalOf); ok {
		out = M{"id": m["id"], "error": M{"code": r.code, "message": r.message}}
	}
	if s, ok := m["sessionId"]; ok {
		out["sessionId"] = s
	}
	c.send(out)
}

func (c *fakeConn) send(m M) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.WriteJSON(m)
}

func (c *fakeConn) event(session, method string, params M) {
	m := M{"method": method, "params": params}
	if session != "" {
		m["sessionId"] = session
	}
	c.send(m)
}

func (c *fakeConn) usual(method string, m M) any {
	page := M{"targetId": "T1", "type": "page", "url": "http://fake/", "title": ""}
	switch method {
	case "Browser.getVersion":
		return M{"product": "Fake/1"}
	case "Target.getTargetInfo":
		return M{"targetInfo": M{"targetId": "B1", "type": "browser"}}
	case "Target.getTargets":
		return M{"targetInfos": []any{page}}
	case "Target.createTarget":
		return M{"targetId": "T1"}
	case "Target.attachToTarget":
		c.sessions++
		s := fmt.Sprintf("S%d", c.sessions)
		page["targetId"] = m["params"].(M)["targetId"]
		c.event("", "Target.attachedToTarget", M{"sessionId": s, "targetInfo": page})
		return M{"sessionId": s}
	}
	return M{}
}

// Field case 11: Chrome answers 403 to an Origin that it does not know.
func TestNoOrigin(t *testing.T) {
	f := newFake(t)
	f.set(func() {
		f.upgrade = func(w http.ResponseWriter, r *http.Request) bool {
			for _, h := range []string{"Origin", "Sec-Websocket-Extensions"} {
				if r.Header.Get(h) != "" {
					http.Error(w, h, http.StatusForbidden)
					return false
				}
			}
			return true
		}
	})
	if r := daemonOf(t, newName(t), "BU_CDP_WS="+f.url).cdp("Test.ping", nil); len(r) != 0 {
		t.Errorf("got %v", r)
	}
}

// Field case 14: what the browser pings is answered, and pings that it leaves unanswered
// cut no connection: the call that waits gets its result.
func TestPings(t *testing.T) {
	f := newFake(t)
	ponged := make(chan string, 1)
	f.on("Test.ping", func(c *fakeConn, m M) any {
		pings := 0
		c.SetPingHandler(func(string) error { // gives no pong
			if pings++; pings == 2 {
				c.answer(m, M{"late": true})
			}
			return nil
		})
		c.SetPongHandler(func(s string) error { ponged <- s; return nil })
		c.WriteControl(websocket.PingMessage, []byte("a"), time.Now().Add(time.Second))
		return silence
	})
	p := daemonOf(t, newName(t), "BU_CDP_WS="+f.url)
	if r := p.cdp("Test.ping", nil); r["late"] != true {
		t.Errorf("got %v", r)
	}
	if s := <-ponged; s != "a" {
		t.Errorf("got %q", s)
	}
}

// Field case 20: a request that meets a stale session is sent again to its own tab,
// not to the one that is current by then.
func TestStaleSession(t *testing.T) {
	f := newFake(t)
	p := daemonOf(t, newName(t), "BU_CDP_WS="+f.url)
	p.cdp("Test.ping", nil)
	first := p.meta("session")["session_id"].(string)
	other := p.cdp("Target.attachToTarget", M{"targetId": "T2", "flatten": true})["sessionId"].(string)
	stale, switched := make(chan bool), make(chan bool)
	f.on("Test.act", func(c *fakeConn, m M) any {
		if m["sessionId"] != first {
			return M{"on": m["sessionId"]}
		}
		go func() {
			close(stale)
			<-switched
			c.answer(m, refusalOf{-32001, "whatever the wording"})
		}()
		return silence
	})
	done := make(chan M)
	go func() { done <- p.call(M{"method": "Test.act"}) }()
	<-stale
	p.meta("set_session", M{"session_id": other})
	close(switched)
	m := <-done
	r, _ := m["result"].(M)
	if r["on"] == nil || r["on"] == other || r["on"] == first {
		t.Fatalf("got %v; the new tab is %s", m, other)
	}
	acts := 0
	for _, s := range f.methods() {
		if strings.HasPrefix(s, "Test.act") {
			acts++
			if strings.HasSuffix(s, " "+other) {
				t.Error("the new tab got it")
			}
		}
	}
	if acts != 2 {
		t.Errorf("sent %d times", acts)
	}
	if now := p.meta("session")["session_id"]; now != other {
		t.Errorf("the current tab is %v, was set to %s", now, other)
	}
	// An explicit session is never redirected.
	f.on("Test.gone", func(c *fakeConn, m M) any { return refusalOf{-32001, "whatever the wording"} })
	wantCode(t, p.call(M{"method": "Test.gone", "session_id": "S99"}), "tab_closed")
	if n := strings.Count(strings.Join(f.methods(), "\n"), "Test.gone"); n != 1 {
		t.Errorf("sent %d times", n)
	}
}

// When the browser goes, every waiting caller hears it at once.
func TestBrowserGoes(t *testing.T) {
	for name, leave := range map[string]func(*fakeConn){
		"cut":                  func(c *fakeConn) { c.NetConn().Close() },
		"closed in good order": func(c *fakeConn) { c.WriteControl(websocket.CloseMessage, nil, time.Now().Add(time.Second)); c.Close() },
		"cut in a message":     func(c *fakeConn) { c.NetConn().Write([]byte{0x81, 100, '{', '"'}); c.NetConn().Close() },
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			f.on("Test.wait", func(c *fakeConn, m M) any { return silence })
			f.on("Test.leave", func(c *fakeConn, m M) any { leave(c); return silence })
			p := daemonOf(t, newName(t), "BU_CDP_WS="+f.url)
			p.cdp("Test.ping", nil)
			answers := make(chan M, 10)
			for i := range 10 {
				go func() {
					req := M{"method": "Test.wait"}
					if i%2 == 0 {
						req = M{"meta": "events", "timeout_ms": 25000}
					}
					m, err := p.try(req, 20*time.Second)
					if err != nil {
						m = M{"error": err.Error()}
					}
					answers <- m
				}()
			}
			until(t, "five wait", func() bool { return strings.Count(strings.Join(f.methods(), " "), "Test.wait") == 5 })
			wantCode(t, p.call(M{"method": "Test.leave"}), "browser_gone")
			for range 10 {
				wantCode(t, <-answers, "browser_gone")
			}
			p.wait()
			if !strings.Contains(p.log(), "the browser closed the connection") {
				t.Errorf("the log does not say why: %s", p.log())
			}
		})
	}
}

// A request that comes before the daemon is attached waits; status says for what.
// Field case 4: one handshake, whoever waits.
func TestBeforeAttach(t *testing.T) {
	f := newFake(t)
	allow := make(chan bool)
	f.set(func() {
		f.upgrade = func(w http.ResponseWriter, r *http.Request) bool { <-allow; return true }
	})
	p := daemonOf(t, newName(t), "BU_CDP_WS="+f.url)
	until(t, "it is said what is waited for", func() bool {
		m := p.meta("status")
		return m["attaching"] == true && strings.Contains(fmt.Sprint(m["waiting_for"]), "Allow")
	})
	wantCode(t, p.call(M{"method": "Test.ping", "timeout_ms": 50}), "no_browser")
	answers := make(chan M, 5)
	for range 5 {
		go func() { answers <- p.call(M{"method": "Test.ping"}) }()
	}
	time.Sleep(100 * time.Millisecond)
	close(allow)
	for range 5 {
		if m := <-answers; m["result"] == nil {
			t.Errorf("got %v", m)
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.conns != 1 {
		t.Errorf("%d connections", f.conns)
	}
}

// A browser that takes nothing in holds nobody past a deadline.
func TestFrozenBrowser(t *testing.T) {
	f := newFake(t)
	thaw := make(chan bool)
	f.on("Test.freeze", func(c *fakeConn, m M) any { <-thaw; return M{} })
	p := daemonOf(t, newName(t), "BU_CDP_WS="+f.url)
	p.cdp("Test.ping", nil)
	wantCode(t, p.call(M{"method": "Test.freeze", "timeout_ms": 100}), "timeout")
	big := strings.Repeat("x", 8<<20)
	wantCode(t, p.call(M{"method": "Test.big", "params": M{"big": big}, "timeout_ms": 500}), "timeout")
	m := p.call(M{"method": "Test.never", "timeout_ms": 300})
	if wantCode(t, m, "timeout"); m["sent"] != false {
		t.Errorf("got %v", m)
	}
	if m := p.meta("status"); m["pid"] == nil {
		t.Errorf("got %v", m)
	}
	close(thaw)
	p.cdp("Test.ping", nil)
	for _, s := range f.methods() {
		if strings.HasPrefix(s, "Test.never") {
			t.Error("what its caller had given up was sent after all")
		}
	}
}
