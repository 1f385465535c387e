package cdp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// peer is a browser that answers what answer says, and keeps what it was told.
type peer struct {
	mu   sync.Mutex
	told []string
}

func (p *peer) heard(what string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Contains(strings.Join(p.told, "\n"), what)
}

func connect(t *testing.T, answer func(ws *websocket.Conn, id int, method string)) (*Conn, *peer) {
	t.Helper()
	p := &peer{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ws, err := (&websocket.Upgrader{}).Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer ws.Close()
		for {
			var m struct {
				ID     int
				Method string
			}
			if ws.ReadJSON(&m) != nil {
				return
			}
			p.mu.Lock()
			p.told = append(p.told, m.Method)
			p.mu.Unlock()
			answer(ws, m.ID, m.Method)
		}
	}))
	t.Cleanup(s.CloseClientConnections)
	c, err := Dial(t.Context(), "ws"+strings.TrimPrefix(s.URL, "http"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close(errors.New("the test is over")) })
	return c, p
}

// The one clean end: every waiting call hears the cause, later ones too, Gone once.
func TestCleanEnd(t *testing.T) {
	c, p := connect(t, func(*websocket.Conn, int, string) {})
	ends := make(chan error, 2)
	c.Gone = func(err error) { ends <- err }
	c.Serve()
	errs := make(chan error, 20)
	for i := range 20 {
		go func() {
			_, err := c.Do(t.Context(), &Call{Method: fmt.Sprintf("M%d.", i)}, nil)
			errs <- err
		}()
	}
	for i := range 20 {
		for end := time.Now().Add(20 * time.Second); !p.heard(fmt.Sprintf("M%d.", i)); time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatal("a call does not arrive")
			}
		}
	}
	cause := errors.New("the cause")
	c.Close(cause)
	c.Close(errors.New("another"))
	for range 20 {
		if err := <-errs; err != cause {
			t.Errorf("got %v", err)
		}
	}
	if _, err := c.Do(t.Context(), &Call{Method: "Late"}, nil); err != cause || <-ends != cause || len(ends) > 0 {
		t.Errorf("got %v", err)
	}
}

// A call that says it was not sent never is, and one that was says so, whenever its
// caller leaves.
func TestSentIsTrue(t *testing.T) {
	c, p := connect(t, func(ws *websocket.Conn, id int, method string) {})
	c.Serve()
	unsent := []string{}
	for i := range 2000 {
		ctx, cancel := context.WithCancel(t.Context())
		method := fmt.Sprintf("M%d.", i)
		go func() { time.Sleep(time.Duration(i%50) * time.Microsecond); cancel() }()
		_, err := c.Do(ctx, &Call{Method: method}, nil)
		var late *Late
		if !errors.As(err, &late) {
			t.Fatalf("got %v", err)
		}
		if !late.Sent {
			unsent = append(unsent, method)
		}
	}
	go c.Do(t.Context(), &Call{Method: "Last"}, nil)
	for end := time.Now().Add(20 * time.Second); !p.heard("Last"); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the last call does not arrive")
		}
	}
	for _, method := range unsent {
		if p.heard(method) {
			t.Errorf("%s was sent after all", method)
		}
	}
}

// The hook sees the result before the caller and before any later event.
func TestOrder(t *testing.T) {
	c, _ := connect(t, func(ws *websocket.Conn, id int, method string) {
		ws.WriteJSON(map[string]any{"id": id, "result": map[string]any{"of": method}})
		ws.WriteJSON(map[string]any{"method": "After", "params": map[string]any{}})
	})
	order := make(chan string, 10)
	c.Event = func(e Event) { order <- e.Method }
	c.Serve()
	r, err := c.Do(t.Context(), &Call{Method: "M", Hook: func(json.RawMessage) { order <- "hook" }}, nil)
	if err != nil || string(r) != `{"of":"M"}` || <-order != "hook" || <-order != "After" {
		t.Errorf("got %s, %v", r, err)
	}
}

// Field case 14: a browser that answers no ping, as one does through a long evaluation, keeps
// its connection, and the call that waits gets its result.
func TestPongsWithheld(t *testing.T) {
	const pings = 20
	heard := make(chan bool, pings)
	c, _ := connect(t, func(ws *websocket.Conn, id int, method string) {
		ws.SetPingHandler(func(string) error { // reads on, and is called from there
			if heard <- true; len(heard) == pings {
				ws.SetPingHandler(func(string) error { return nil })
				ws.WriteJSON(map[string]any{"id": id, "result": map[string]any{"of": method}})
			}
			return nil
		})
	})
	c.Serve()
	go c.KeepAlive(time.Millisecond)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if r, err := c.Do(ctx, &Call{Method: "Long"}, nil); string(r) != `{"of":"Long"}` || len(heard) != pings {
		t.Errorf("got %s, %v, after %d pings", r, err, len(heard))
	}
}
