package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"bu/daemon/wire"

	"github.com/gorilla/websocket"
)

// chrome is the one connection to the browser. Calls multiplex over it: each is
// registered before it is sent, its reply is buffered, and it leaves the map on
// every exit. The read loop waits for nobody, the writer alone writes.
type chrome struct {
	ws     *websocket.Conn
	out    chan outgoing
	event  func(message) // called by the read loop, in order; must not block
	onGone func(error)   // called once
	gone   chan struct{} // closed when the connection is lost
	heard  atomic.Int64  // when the browser last said something, in nanoseconds since 1970
	mu     sync.Mutex    // guards the rest
	calls  map[int64]*call
	lastID int64
	err    error
}

// call is a command that waits for its reply.
type call struct {
	id              int64 // 0: not registered yet
	method, session string
	target          *target // whose page it is for, nil: the browser's
	sent            bool
	hook            func(json.RawMessage) // sees the result in the read loop, before any later event
	reply           chan reply            // of one: the read loop leaves it and goes on
}

type reply struct {
	result json.RawMessage
	err    error
}

type outgoing struct {
	id           int64
	head, params []byte // a message but for its last brace
}

// cdpError is the browser's own answer to a command it could not do.
type cdpError struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

func (e *cdpError) Error() string {
	var s string
	if json.Unmarshal(e.Data, &s) == nil && s != "" {
		return e.Message + ": " + s
	}
	return e.Message
}

const staleSession = -32001 // CDP: no session with that id

var errGone = errors.New("the browser closed the connection")

// connect makes the connection, in one handshake: the Allow prompt of Chrome 144 and
// later holds it until the user clicks, and another one would mean another prompt.
func connect(ctx context.Context, url string, header http.Header) (*websocket.Conn, error) {
	// What exceeds the write buffer goes out in fragments, which Chromium puts together
	// slowly: 16 MB took 12.7 s in 4 KB pieces, 3 s from 1 MB on. The pool gives it back.
	d := websocket.Dialer{ReadBufferSize: 64 << 10, WriteBufferSize: 1 << 20, WriteBufferPool: &sync.Pool{}, Proxy: http.ProxyFromEnvironment,
		NetDialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			c, err := new(net.Dialer).DialContext(ctx, network, addr)
			if err != nil {
				return nil, err
			}
			return wire.Quick(c), nil
		}}
	ws, resp, err := d.DialContext(ctx, url, header) // no Origin: Chrome answers 403 to one it does not know
	if err != nil {
		if resp != nil {
			return nil, &handshakeError{resp.StatusCode}
		}
		return nil, err // it may hold the address: see attachError
	}
	return ws, nil
}

type handshakeError struct{ status int }

func (e *handshakeError) Error() string {
	return fmt.Sprintf("the browser refused the connection: HTTP %d", e.status)
}

// newChrome takes the connection over. Nothing is read before serve.
func newChrome(ws *websocket.Conn) *chrome {
	c := &chrome{ws: ws, out: make(chan outgoing, 64), gone: make(chan struct{}), calls: map[int64]*call{}}
	ws.SetReadLimit(0)
	ws.SetPingHandler(func(s string) error { // in its own time: a pong waits for the writer
		go ws.WriteControl(websocket.PongMessage, []byte(s), time.Now().Add(time.Minute))
		return nil
	})
	ws.SetCloseHandler(func(int, string) error { return nil })
	return c
}

// serve reads and writes until the connection ends.
func (c *chrome) serve() {
	go c.write()
	go c.read()
}

func (c *chrome) close(err error) {
	c.mu.Lock()
	if c.err != nil {
		c.mu.Unlock()
		return
	}
	c.err = err
	calls := c.calls
	c.calls = map[int64]*call{}
	c.mu.Unlock()
	for _, k := range calls {
		k.reply <- reply{err: err}
	}
	close(c.gone)
	c.ws.Close()
	if c.onGone != nil {
		c.onGone(err)
	}
}

func (c *chrome) write() {
	for {
		select {
		case <-c.gone:
			return
		case o := <-c.out:
			c.mu.Lock()
			k := c.calls[o.id]
			if k != nil {
				k.sent = true
			}
			c.mu.Unlock()
			if k == nil {
				continue // given up before it was sent: then it never is
			}
			if err := c.send(o); err != nil {
				c.close(fmt.Errorf("%w: %v", errGone, err))
				return
			}
		}
	}
}

func (c *chrome) send(o outgoing) error {
	w, err := c.ws.NextWriter(websocket.TextMessage)
	if err != nil {
		return err
	}
	for _, piece := range [][]byte{o.head, o.params, {'}'}} {
		if _, err := w.Write(piece); err != nil {
			return err
		}
	}
	return w.Close()
}

func (c *chrome) read() {
	var buf bytes.Buffer
	for {
		_, r, err := c.ws.NextReader()
		if err == nil {
			buf.Reset()
			_, err = buf.ReadFrom(r)
		}
		if err != nil {
			if websocket.IsCloseError(err, websocket.CloseNormalClosure, websocket.CloseGoingAway) || errors.Is(err, io.EOF) {
				err = nil
			}
			c.close(lost(err))
			return
		}
		c.heard.Store(time.Now().UnixNano())
		m, ok := parse(buf.Bytes())
		if !ok {
			continue // no JSON object: nothing that we asked for
		}
		if buf.Len() > 64<<10 {
			buf = bytes.Buffer{} // what m points into is m's from here on
		} else {
			m = m.clone()
		}
		if m.id != 0 {
			c.settle(m)
		} else if m.method != "" && c.event != nil {
			c.event(m)
		}
	}
}

// silent is for how long the browser has said nothing.
func (c *chrome) silent() time.Duration { return time.Since(time.Unix(0, c.heard.Load())) }

func lost(err error) error {
	if err == nil {
		return fmt.Errorf("%w (it was closed, or it crashed)", errGone)
	}
	return fmt.Errorf("%w: %v", errGone, err)
}

func (c *chrome) settle(m message) {
	c.mu.Lock()
	k := c.calls[m.id]
	delete(c.calls, m.id)
	c.mu.Unlock()
	if k == nil {
		return // its caller has left
	}
	if m.err != nil {
		e := &cdpError{}
		if json.Unmarshal(m.err, e) != nil {
			e.Message = string(m.err)
		}
		k.reply <- reply{err: e}
		return
	}
	if k.hook != nil {
		k.hook(m.result)
	}
	if m.result == nil {
		m.result = []byte("{}")
	}
	k.reply <- reply{result: m.result}
}

// call sends a command and waits for its result, until ctx ends. What ends the wait
// early is told apart: *cdpError, errGone, *fail, or *lateError.
func (c *chrome) call(ctx context.Context, k *call, params json.RawMessage) (json.RawMessage, error) {
	return c.begin(ctx, k, params)()
}

// begin sends a command; the wait for its result, which must follow, is what it gives.
// Commands that one goroutine begins reach the browser in that order.
func (c *chrome) begin(ctx context.Context, k *call, params json.RawMessage) (wait func() (json.RawMessage, error)) {
	if err := c.register(k); err != nil {
		return func() (json.RawMessage, error) { return nil, err }
	}
	select {
	case c.out <- command(k.id, k, params):
	case <-ctx.Done():
	case <-c.gone:
	}
	return func() (json.RawMessage, error) {
		defer c.forget(k.id)
		select {
		case r := <-k.reply:
			return r.result, r.err
		case <-ctx.Done():
			c.mu.Lock()
			defer c.mu.Unlock()
			return nil, &lateError{context.Cause(ctx), k.sent}
		}
	}
}

// register makes a call known: from here on what happens to its page ends it. Who has
// to know that its page is well registers it while that cannot change.
func (c *chrome) register(k *call) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if k.id != 0 {
		return nil // if the connection is gone, its reply says so
	}
	if c.err != nil {
		return c.err
	}
	c.lastID++
	k.id, k.reply = c.lastID, make(chan reply, 1)
	c.calls[k.id] = k
	return nil
}

func (c *chrome) forget(id int64) {
	c.mu.Lock()
	delete(c.calls, id)
	c.mu.Unlock()
}

// fail ends the calls that end gives an error for.
func (c *chrome) fail(end func(*call) error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for id, k := range c.calls {
		if err := end(k); err != nil {
			delete(c.calls, id)
			k.reply <- reply{err: err}
		}
	}
}

// lateError is a call whose deadline passed or whose caller hung up.
type lateError struct {
	cause error
	sent  bool
}

func (e *lateError) Error() string { return e.cause.Error() }
func (e *lateError) Unwrap() error { return e.cause }

func command(id int64, k *call, params json.RawMessage) outgoing {
	head := append([]byte(`{"id":`), strconv.FormatInt(id, 10)...)
	head = appendString(append(head, `,"method":`...), k.method)
	if k.session != "" {
		head = appendString(append(head, `,"sessionId":`...), k.session)
	}
	if len(params) == 0 {
		params = json.RawMessage("{}") // without any Chrome names no parameter that it misses
	}
	return outgoing{id, append(head, `,"params":`...), params}
}

func appendString(b []byte, s string) []byte {
	q, _ := json.Marshal(s)
	return append(b, q...)
}

// on says whether the call is for t, or for a frame or worker in it. The daemon's
// own calls are on nothing: they end with their sessions.
func (k *call) on(t *target) bool {
	for u := k.target; u != nil; u = u.parent {
		if u == t {
			return true
		}
	}
	return false
}
