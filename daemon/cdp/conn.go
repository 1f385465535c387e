// Package cdp is the one WebSocket to the browser: calls, events, one clean end. It knows
// no tabs.
package cdp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"bu/daemon/wire"

	"github.com/gorilla/websocket"
)

// Conn is the connection. Calls multiplex over it: each is registered before it is sent,
// its reply is buffered, and it leaves the map on every exit. The read loop waits for
// nobody, the writer alone writes.
type Conn struct {
	Event func(Event) // called by the read loop, in order; must not block
	Gone  func(error) // called once, when the connection ends

	ws    *websocket.Conn
	out   chan outgoing
	gone  chan struct{} // closed when the connection is lost
	heard atomic.Int64  // when the browser last said something, in nanoseconds since 1970

	mu     sync.Mutex // guards the rest
	calls  map[int64]*Call
	lastID int64
	err    error
}

// Event is a message that the browser sends unasked.
type Event struct {
	Method, Session string
	Params          json.RawMessage
}

// ErrGone says that the browser ended the connection.
var ErrGone = errors.New("the browser closed the connection")

// Refused is a handshake that the browser answered with an HTTP status other than 101.
type Refused int

func (e Refused) Error() string {
	return fmt.Sprintf("the browser refused the connection: HTTP %d", int(e))
}

// Status is that HTTP status.
func (e Refused) Status() int { return int(e) }

// Dial makes the connection, in one handshake: the Allow prompt of Chrome 144 and later
// holds it until the user clicks, and another one would mean another prompt. Nothing is
// read before Serve. Its error may hold the address: it is not for the user's eyes.
func Dial(ctx context.Context, address string, header http.Header) (*Conn, error) {
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
	ws, resp, err := d.DialContext(ctx, address, header) // no Origin: Chrome answers 403 to one it does not know
	if err != nil {
		if resp != nil {
			return nil, Refused(resp.StatusCode)
		}
		return nil, err
	}
	c := &Conn{ws: ws, out: make(chan outgoing, 64), gone: make(chan struct{}), calls: map[int64]*Call{}}
	ws.SetReadLimit(0)
	ws.SetPingHandler(func(s string) error { // in its own time: a pong waits for the writer
		go ws.WriteControl(websocket.PongMessage, []byte(s), time.Now().Add(time.Minute))
		return nil
	})
	ws.SetCloseHandler(func(int, string) error { return nil })
	return c, nil
}

// Serve reads and writes until the connection ends. Event and Gone are set by then.
func (c *Conn) Serve() {
	go c.write()
	go c.read()
}

// KeepAlive pings until the connection ends: a proxy on the way drops one that is silent.
func (c *Conn) KeepAlive(every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-c.gone:
			return
		case <-tick.C:
			c.ws.WriteControl(websocket.PingMessage, nil, time.Now().Add(time.Minute)) // a short deadline that passes unseen would break the connection
		}
	}
}

// Close ends the connection, and with it every wait: err is what its callers get.
func (c *Conn) Close(err error) {
	c.mu.Lock()
	if c.err != nil {
		c.mu.Unlock()
		return
	}
	if c.err = err; err == nil {
		c.err = ErrGone
	}
	calls := c.calls
	c.calls = map[int64]*Call{}
	c.mu.Unlock()
	for _, k := range calls {
		k.reply <- reply{err: c.err}
	}
	close(c.gone)
	c.ws.Close()
	if c.Gone != nil {
		c.Gone(c.err)
	}
}

// Heard is when the browser last said something, in nanoseconds since 1970.
func (c *Conn) Heard() int64 { return c.heard.Load() }

func (c *Conn) write() {
	for {
		select {
		case <-c.gone:
			return
		case o := <-c.out:
			if !c.leaves(o.id) {
				continue // given up before it was sent: then it never is
			}
			if err := c.send(o); err != nil {
				c.Close(fmt.Errorf("%w: %v", ErrGone, err))
				return
			}
		}
	}
}

func (c *Conn) send(o outgoing) error {
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

func (c *Conn) read() {
	var buf bytes.Buffer
	for {
		_, r, err := c.ws.NextReader()
		if err == nil {
			buf.Reset()
			_, err = buf.ReadFrom(r)
		}
		if err != nil {
			c.Close(lost(err))
			return
		}
		c.heard.Store(time.Now().UnixNano())
		m, ok := parse(buf.Bytes())
		if !ok {
			continue // not a JSON object, so nothing that we asked for
		}
		if buf.Len() > 64<<10 {
			buf = bytes.Buffer{} // what m points into is m's from here on
		} else {
			m = m.clone()
		}
		if m.id != 0 {
			c.settle(m)
		} else if m.method != "" && c.Event != nil {
			c.Event(Event{m.method, m.session, m.params})
		}
	}
}

func lost(err error) error {
	if websocket.IsCloseError(err, websocket.CloseNormalClosure, websocket.CloseGoingAway) || errors.Is(err, io.EOF) {
		return fmt.Errorf("%w (it was closed, or it crashed)", ErrGone)
	}
	return fmt.Errorf("%w: %v", ErrGone, err)
}
