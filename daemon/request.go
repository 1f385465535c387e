package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"strings"
	"time"

	"bu/daemon/wire"
)

const (
	defaultTimeout = 30 * time.Second
	longest        = 1e9 // in milliseconds, some days: a request that asks for more gets this
)

// request is one line, and what it turned out to be about.
type request struct {
	wire.Request
	bad   *fail // it is none
	size  int   // of its line
	limit time.Duration
	lease *lease // of its connection

	// What check found, of a request that has to do with tabs:
	label   *label
	session *session // the one that it names
	tab     *target  // the one that it names
}

func parse(line []byte) *request {
	r := &request{size: len(line), limit: defaultTimeout}
	if err := json.Unmarshal(line, &r.Request); err != nil {
		r.bad = failf("bad_request", "not a request: %v. Send one JSON object a line: {\"method\", \"params\"} or {\"meta\"}", err)
		return r
	}
	p := bytes.TrimSpace(r.Params)
	switch {
	case (r.Method == "") == (r.Meta == ""):
		r.bad = failf("bad_request", `a request has either "method" (CDP) or "meta"`)
	case string(p) == "null":
		r.Params = nil
	case len(p) > 0 && p[0] != '{':
		r.bad = failf("bad_request", `"params" must be a JSON object`)
	case r.Tab != "" && wire.CheckName(r.Tab) != nil:
		r.bad = failf("bad_request", "tab %.80q: use 1 to 64 letters, digits, _ and -", r.Tab)
	}
	if r.TimeoutMS != nil {
		r.limit = time.Duration(min(*r.TimeoutMS, longest) * float64(time.Millisecond))
	}
	return r
}

func (r *request) what() string { return cmp.Or(r.Method, r.Meta) }

// ofBrowser says whether a command is the browser's own to do, whatever session is named.
func (r *request) ofBrowser() bool {
	return strings.HasPrefix(r.Method, "Target.") || strings.HasPrefix(r.Method, "Browser.")
}

// plain is a command for a page that the daemon only passes on.
func (r *request) plain() bool { return r.bad == nil && r.Method != "" && !r.ofBrowser() }

// begin does of a request what has to happen in order, and gives the wait for its answer.
func (d *daemon) begin(ctx context.Context, r *request) (wait func() net.Buffers) {
	if r.bad != nil {
		return r.bad.line
	}
	if r.Meta != "" {
		return func() net.Buffers { return d.metaAnswer(ctx, r) }
	}
	start := time.Now()
	ctx, trust := d.suspecting(ctx)
	result := d.do(ctx, r)
	return func() net.Buffers {
		defer trust()
		raw, err := result()
		// The browser's messages come in one order, so every event that came before the
		// answer has a number up to seq: a caller that acts next knows where to look from.
		out := net.Buffers{[]byte(`{"result":`), raw, fmt.Appendf(nil, `,"seq":%d}`, d.seq.Load())}
		log := record{Time: start, Tab: r.Tab, Method: r.Method}
		if err != nil {
			f := told(err, r)
			out, log.Code = f.line(), f.code
		}
		log.MS, log.Bytes = float64(time.Since(start).Microseconds())/1000, r.size+len(raw)
		d.calls.add(log)
		return out
	}
}

// do passes a command on within its deadline, once it is checked.
func (d *daemon) do(ctx context.Context, r *request) result {
	ctx, cancel := context.WithTimeoutCause(ctx, r.limit, errDeadline)
	err := d.check(ctx, r, verb{browser: true, wheel: true})
	var wait result
	if err == nil {
		wait, err = d.command(ctx, r)
	}
	return func() (json.RawMessage, error) {
		defer cancel()
		defer d.release(r.label)
		if err != nil {
			return nil, err
		}
		return wait()
	}
}

// metaAnswer does what concerns the daemon itself.
func (d *daemon) metaAnswer(ctx context.Context, r *request) net.Buffers {
	v, err := d.meta(ctx, r)
	if err != nil {
		return told(err, r).line()
	}
	b, err := json.Marshal(v)
	if err != nil {
		return told(err, r).line()
	}
	return net.Buffers{b}
}
