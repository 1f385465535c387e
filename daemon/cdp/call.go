package cdp

import (
	"context"
	"encoding/json"
	"strconv"
)

// Call is a command that waits for its reply. It is used once.
type Call struct {
	Method, Session string
	For             any                   // what the caller knows it by, for Fail
	Hook            func(json.RawMessage) // sees the result in the read loop, before any later event

	id    int64      // 0: not registered yet
	sent  bool       // it may have had an effect
	reply chan reply // of one: the read loop leaves it and goes on
}

type reply struct {
	result json.RawMessage
	err    error
}

type outgoing struct {
	id           int64
	head, params []byte // a message but for its last brace
}

// Error is the browser's own answer to a command that it could not do.
type Error struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// StaleSession is the code of an Error: no session has that id.
const StaleSession = -32001

func (e *Error) Error() string {
	var s string
	if json.Unmarshal(e.Data, &s) == nil && s != "" {
		return e.Message + ": " + s
	}
	return e.Message
}

// Late is a call whose context ended first.
type Late struct {
	Cause error
	Sent  bool // false: it never was, and never will be
}

func (e *Late) Error() string { return e.Cause.Error() }
func (e *Late) Unwrap() error { return e.Cause }

// Do sends a command and waits for its result, until ctx ends. What ends the wait early
// is an *Error, a *Late, what Close was given, or what Fail gave.
func (c *Conn) Do(ctx context.Context, k *Call, params json.RawMessage) (json.RawMessage, error) {
	return c.Begin(ctx, k, params)()
}

// Begin sends a command and returns the function that waits for its result, which must be called.
// Commands that one goroutine begins reach the browser in that order.
func (c *Conn) Begin(ctx context.Context, k *Call, params json.RawMessage) (wait func() (json.RawMessage, error)) {
	if err := c.Register(k); err != nil {
		return func() (json.RawMessage, error) { return nil, err }
	}
	select {
	case c.out <- command(k, params):
	case <-ctx.Done():
	case <-c.gone:
	}
	return func() (json.RawMessage, error) {
		select {
		case r := <-k.reply:
			return r.result, r.err
		case <-ctx.Done():
			if there, sent := c.forget(k); there {
				return nil, &Late{context.Cause(ctx), sent}
			}
			r := <-k.reply // it came, or was ended, at that moment
			return r.result, r.err
		}
	}
}

// Register makes a call known: from here on Fail reaches it. A caller who must know that the
// page is fine registers the call while that cannot change. Doing it twice does no harm.
func (c *Conn) Register(k *Call) error {
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

// leaves says whether the call is still wanted; then it counts as sent.
func (c *Conn) leaves(id int64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := c.calls[id]
	if k != nil {
		k.sent = true
	}
	return k != nil
}

// forget takes a call out, unless its reply is there already or about to be. Under the same
// lock it reads whether the call was sent: nothing sends it afterwards.
func (c *Conn) forget(k *Call) (there, sent bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, there = c.calls[k.id]
	delete(c.calls, k.id)
	return there, k.sent
}

// Fail ends the calls that end gives an error for.
func (c *Conn) Fail(end func(k *Call, sent bool) error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for id, k := range c.calls {
		if err := end(k, k.sent); err != nil {
			delete(c.calls, id)
			k.reply <- reply{err: err}
		}
	}
}

// settle gives the reply to its call. The hook comes first: whoever has the reply finds
// done what the hook does.
func (c *Conn) settle(m message) {
	c.mu.Lock()
	k := c.calls[m.id]
	delete(c.calls, m.id)
	c.mu.Unlock()
	if k == nil {
		return // its caller has left
	}
	if m.err != nil {
		e := &Error{}
		if json.Unmarshal(m.err, e) != nil {
			e.Message = string(m.err)
		}
		k.reply <- reply{err: e}
		return
	}
	if m.result == nil {
		m.result = []byte("{}")
	}
	if k.Hook != nil {
		k.Hook(m.result)
	}
	k.reply <- reply{result: m.result}
}

func command(k *Call, params json.RawMessage) outgoing {
	head := append([]byte(`{"id":`), strconv.FormatInt(k.id, 10)...)
	head = appendString(append(head, `,"method":`...), k.Method)
	if k.Session != "" {
		head = appendString(append(head, `,"sessionId":`...), k.Session)
	}
	if len(params) == 0 {
		params = json.RawMessage("{}") // without params Chrome does not name the parameter that is missing
	}
	return outgoing{k.id, append(head, `,"params":`...), params}
}

func appendString(b []byte, s string) []byte {
	q, _ := json.Marshal(s)
	return append(b, q...)
}
