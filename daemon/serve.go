package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"regexp"
	"time"

	"bu/daemon/wire"
)

const (
	defaultTimeout = 30 * time.Second
	longest        = 1e9 // milliseconds, some days: a request that asks for more gets this
)

var (
	errHungUp = errors.New("the client hung up")
	httpLine  = regexp.MustCompile(`^[A-Z]{3,10} \S+ HTTP/|^PRI \* HTTP/`)
)

// fail is an error with its code, and whatever else the answer carries.
type fail struct {
	code, text string
	more       map[string]any
}

func (e *fail) Error() string { return e.text }

func failf(code, format string, args ...any) *fail {
	return &fail{code: code, text: fmt.Sprintf(format, args...)}
}

// serve answers one client until it leaves.
func (d *daemon) serve(conn net.Conn) {
	defer conn.Close()
	defer d.letGo(conn)
	r := bufio.NewReader(conn)
	for {
		line, err := wire.ReadLine(r)
		if errors.Is(err, wire.ErrTooLong) {
			write(conn, errorAnswer(failf("bad_request", "%v", err)))
		}
		if err != nil && err != io.ErrUnexpectedEOF { // that is a last line without its break
			return
		}
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if httpLine.Match(line[:min(len(line), 4096)]) {
			write(conn, errorAnswer(failf("bad_request", "this is bu's socket, not an HTTP server: send one JSON object a line")))
			return
		}
		d.busy(+1)
		ctx, cancel := context.WithCancelCause(context.Background())
		stop := watch(conn, r, func() { cancel(errHungUp) })
		answer := d.answer(ctx, conn, line)
		stop()
		cancel(nil)
		err = write(conn, answer)
		d.busy(-1)
		if err != nil {
			return
		}
		if len(line) > bigMessage {
			freeSoon()
		}
	}
}

// watch calls gone when the client hangs up while its call goes on. Most calls end
// sooner than it is worth a look.
func watch(conn net.Conn, r *bufio.Reader, gone func()) (stop func()) {
	over := make(chan struct{})
	timer := time.AfterFunc(20*time.Millisecond, func() {
		defer close(over)
		_, err := r.Peek(1)
		if err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
			return // the next request, or stop
		}
		// A client that only shut its sending side down still reads. Nothing is written
		// here: a write of no bytes asks the kernel whether it does.
		if _, e := conn.Write(nil); e != nil || err != io.EOF {
			gone()
		}
	})
	return func() {
		if !timer.Stop() {
			conn.SetReadDeadline(time.Unix(1, 0))
			<-over
			conn.SetReadDeadline(time.Time{})
		}
	}
}

// write sends an answer as one line. The pieces go out as they are: a result of
// 100 MB is not copied once more.
func write(conn net.Conn, answer net.Buffers) error {
	for i, b := range answer {
		if bytes.IndexByte(b, '\n') >= 0 { // of a browser that formats its JSON
			var flat bytes.Buffer
			if json.Compact(&flat, b) != nil {
				return errors.New("the answer is no JSON")
			}
			answer[i] = flat.Bytes()
		}
	}
	answer = append(answer, []byte{'\n'})
	n := 0
	for _, b := range answer {
		n += len(b)
	}
	if n < 64<<10 { // in one write
		_, err := conn.Write(bytes.Join(answer, nil))
		return err
	}
	_, err := answer.WriteTo(conn)
	if n > bigMessage {
		freeSoon()
	}
	return err
}

// answer does what one line asks for.
func (d *daemon) answer(ctx context.Context, conn net.Conn, line []byte) net.Buffers {
	var req wire.Request
	if err := json.Unmarshal(line, &req); err != nil {
		return errorAnswer(failf("bad_request", "not a request: %v. Send one JSON object a line: {\"method\", \"params\"} or {\"meta\"}", err))
	}
	if (req.Method == "") == (req.Meta == "") {
		return errorAnswer(failf("bad_request", `a request has either "method" (CDP) or "meta"`))
	}
	if p := bytes.TrimSpace(req.Params); len(p) > 0 && p[0] != '{' && string(p) != "null" {
		return errorAnswer(failf("bad_request", `"params" must be a JSON object`))
	} else if string(p) == "null" {
		req.Params = nil
	}
	limit := defaultTimeout
	if req.TimeoutMS != nil {
		limit = time.Duration(min(*req.TimeoutMS, longest) * float64(time.Millisecond))
	}
	if req.Method != "" || req.Meta == "session" || req.Meta == "set_session" { // these need the browser
		var trust func()
		ctx, trust = d.suspecting(ctx)
		defer trust()
	}
	if req.Meta != "" {
		v, err := d.meta(ctx, conn, &req, limit)
		if err != nil {
			return errorAnswer(explain(err, &req, limit))
		}
		b, err := json.Marshal(v)
		if err != nil {
			return errorAnswer(err)
		}
		return net.Buffers{b}
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errDeadline)
	defer cancel()
	start := time.Now()
	result, err := d.command(ctx, &req)
	if err == nil && req.Tied {
		d.tie(conn, result)
	}
	out := net.Buffers{[]byte(`{"result":`), result, []byte{'}'}}
	r := record{Time: start, Tab: req.Tab, Method: req.Method}
	if err != nil {
		f := failOf(explain(err, &req, limit))
		out, r.Code = errorAnswer(f), f.code
	}
	r.MS, r.Bytes = float64(time.Since(start).Microseconds())/1000, len(line)+len(result)
	d.calls.add(r)
	return out
}

var errDeadline = errors.New("deadline")

// explain turns what ended a command into what its caller is told.
func explain(err error, req *wire.Request, limit time.Duration) error {
	var late *lateError
	var cdp *cdpError
	var f *fail
	switch {
	case errors.As(err, &f):
		return f
	case errors.As(err, &cdp):
		if cdp.Code == staleSession {
			return &fail{"tab_closed", fmt.Sprintf("%s: session %s is gone: its tab was closed or it was detached; attach again", req.Method, req.SessionID), map[string]any{"cdp": cdp}}
		}
		return &fail{"cdp_error", req.Method + ": " + cdp.Error(), map[string]any{"cdp": cdp}}
	case errors.As(err, &late) && errors.Is(late, errDeadline):
		if late.sent {
			return &fail{"timeout", fmt.Sprintf("%s: no answer within %v; it was sent and may still take effect", req.Method, limit), map[string]any{"sent": true}}
		}
		return &fail{"timeout", fmt.Sprintf("%s: not sent within %v: the browser takes nothing in", req.Method, limit), map[string]any{"sent": false}}
	case errors.Is(err, errDeadline):
		return failf("timeout", "%s: not sent within %v", req.Method, limit)
	case errors.Is(err, errShutdown) || errors.Is(err, errIdle) || errors.Is(err, errSignal):
		return failf("browser_gone", "the daemon ended: %v; the next call starts another", err)
	case errors.Is(err, errFrozen):
		return &fail{"browser_gone", fmt.Sprintf("%s: %v", cmp.Or(req.Method, req.Meta), errFrozen), map[string]any{"sent": late != nil && late.sent}}
	case errors.Is(err, errGone):
		return failf("browser_gone", "%v; the next call starts anew", err)
	}
	return err
}

func failOf(err error) *fail {
	var f *fail
	var w *wire.Error
	if errors.As(err, &w) {
		return &fail{code: w.Code, text: w.Message}
	} else if !errors.As(err, &f) {
		return &fail{code: "cdp_error", text: err.Error()}
	}
	return f
}

func errorAnswer(err error) net.Buffers {
	f := failOf(err)
	m := map[string]any{"error": f.text, "code": f.code}
	for k, v := range f.more {
		m[k] = v
	}
	b, err := json.Marshal(m)
	if err != nil {
		b = []byte(`{"error":"an error that cannot be told","code":"cdp_error"}`)
	}
	return net.Buffers{b}
}
