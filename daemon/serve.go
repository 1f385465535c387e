package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net"
	"os"
	"regexp"
	"time"

	"bu/daemon/wire"
)

// The way of a request: serve.go (a line comes, an answer goes), request.go (what it asks
// for), check.go (whether it may), command.go (to the browser, or meta.go for the daemon
// itself), cdp/call.go (over the WebSocket and back).

var httpLine = regexp.MustCompile(`^[A-Z]{3,10} \S+ HTTP/|^PRI \* HTTP/`)

func (d *daemon) accept(l *wire.Listener) {
	for {
		conn, err := l.Accept()
		if err == nil {
			go d.serve(wire.Quick(conn))
			continue
		}
		if d.ctx.Err() != nil {
			return
		}
		log.Printf("accept: %v", err) // out of file descriptors: some will be free again
		time.Sleep(50 * time.Millisecond)
	}
}

// serve answers one client until it leaves. Answers go out in the order of the requests.
// Of requests that came in one write, commands for one page are passed on without waiting
// for each other's answers: a click is two.
func (d *daemon) serve(conn net.Conn) {
	defer conn.Close()
	held := &lease{}
	defer d.end(held)
	in := bufio.NewReaderSize(conn, 64<<10)
	var next *request
	for {
		r := next
		if next = nil; r == nil {
			var err error
			if r, err = read(in); err != nil {
				if f := (*fail)(nil); errors.As(err, &f) {
					write(conn, f.line())
				}
				return
			}
		}
		r.lease = held
		batch := []*request{r}
		for r.plain() && more(in) {
			if r, _ = read(in); r == nil {
				break
			}
			if r.lease = held; !r.plain() || r.SessionID != batch[0].SessionID || r.Tab != batch[0].Tab {
				next = r
				break
			}
			batch = append(batch, r)
		}
		if !d.answer(conn, in, batch) {
			return
		}
	}
}

// read takes the next request off the connection: a *fail is the last thing to be said.
func read(in *bufio.Reader) (*request, error) {
	for {
		line, err := wire.ReadLine(in)
		if errors.Is(err, wire.ErrTooLong) {
			return nil, failf("bad_request", "%v", err)
		}
		if err != nil && err != io.ErrUnexpectedEOF { // that is a last line without its break
			return nil, err
		}
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if httpLine.Match(line[:min(len(line), 4096)]) {
			return nil, failf("bad_request", "this is bu's socket, not an HTTP server: send one JSON object a line")
		}
		return parse(line), nil
	}
}

// more says whether another whole line has come already. It reads nothing, so that the
// watch for a hang-up is alone in waiting for bytes.
func more(in *bufio.Reader) bool {
	b, _ := in.Peek(in.Buffered())
	line, _, whole := bytes.Cut(bytes.TrimLeft(b, " \t\r\n"), []byte{'\n'})
	return whole && !httpLine.Match(line)
}

// answer does what a batch asks for; false: the client has gone.
func (d *daemon) answer(conn net.Conn, in *bufio.Reader, batch []*request) bool {
	d.busy(+1)
	defer d.busy(-1)
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	stop := watch(conn, in, func() { cancel(errHungUp) })
	defer stop()
	waits := make([]func() net.Buffers, len(batch))
	for i, r := range batch {
		waits[i] = d.begin(ctx, r)
	}
	there := true
	for i, wait := range waits {
		line := wait()
		if i == len(waits)-1 {
			stop() // what follows is the next request's
		}
		there = there && write(conn, line) == nil
		if batch[i].size > bigMessage {
			freeSoon()
		}
	}
	return there
}

// watch calls gone when the client hangs up during its call. It begins to look after 20 ms,
// when most calls are done.
func watch(conn net.Conn, in *bufio.Reader, gone func()) (stop func()) {
	over := make(chan struct{})
	timer := time.AfterFunc(20*time.Millisecond, func() {
		defer close(over)
		_, err := in.Peek(in.Buffered() + 1) // takes nothing: what came stays for the next read
		if err == nil || errors.Is(err, os.ErrDeadlineExceeded) || err == bufio.ErrBufferFull {
			return // the next request, or stop
		}
		// A client that only shut its sending side down still reads. Nothing is written
		// here: a write of no bytes asks the kernel whether it does.
		if _, e := conn.Write(nil); e != nil || err != io.EOF {
			gone()
		}
	})
	stopped := false
	return func() {
		if !stopped && !timer.Stop() {
			conn.SetReadDeadline(time.Unix(1, 0))
			<-over
			conn.SetReadDeadline(time.Time{})
		}
		stopped = true
	}
}

// write sends an answer as one line. The pieces go out as they are: a result of
// 100 MB is not copied once more.
func write(conn net.Conn, answer net.Buffers) error {
	for i, b := range answer {
		if bytes.IndexByte(b, '\n') >= 0 { // of a browser that formats its JSON
			var flat bytes.Buffer
			if json.Compact(&flat, b) != nil {
				return errors.New("the answer is not JSON")
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
