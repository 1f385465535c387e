package wire

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
)

// Conn is a caller's connection to the daemon. One call at a time.
type Conn struct {
	net.Conn
	r *bufio.Reader
}

// Dial connects to the daemon called name. ErrNoDaemon if none serves; a socket that
// another user made is refused.
func Dial(ctx context.Context, name string) (*Conn, error) {
	p, err := PathsOf(name)
	if err != nil {
		return nil, err
	}
	fi, err := os.Lstat(p.Sock)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNoDaemon
	}
	if err != nil {
		return nil, fmt.Errorf("cannot examine the daemon's socket: %w", err)
	}
	if fi.Mode().Type() != fs.ModeSocket || !mine(fi) {
		return nil, &Error{"not_allowed", p.Sock + " is not your socket: another user made it, or it is not a socket. Use another BU_NAME"}
	}
	var d net.Dialer
	c, err := d.DialContext(ctx, "unix", p.Sock)
	if errors.Is(err, errRefused) || errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNoDaemon // a socket whose daemon is dead
	}
	if err != nil {
		return nil, fmt.Errorf("cannot connect to the daemon: %w", err)
	}
	if !peerIsMe(c.(*net.UnixConn)) { // the file may have been swapped since Lstat
		c.Close()
		return nil, &Error{"not_allowed", p.Sock + " is served by another user: use another BU_NAME"}
	}
	q := Quick(c)
	return &Conn{Conn: q, r: bufio.NewReaderSize(q, 64<<10)}, nil
}

// Call sends one request and gives the whole answer line, errors of the daemon
// included. When ctx ends it hangs up, which is how the daemon learns that nobody
// waits any more: the connection is of no further use then, nor after any error.
func (c *Conn) Call(ctx context.Context, req Request) (json.RawMessage, error) {
	b, err := json.Marshal(req)
	if err != nil {
		return nil, err
	}
	return c.CallLine(ctx, b)
}

// CallLine is Call for a request that is a JSON line already.
func (c *Conn) CallLine(ctx context.Context, line []byte) (json.RawMessage, error) {
	answers, err := c.Exchange(ctx, append(line, '\n'), 1)
	if err != nil {
		return nil, err
	}
	return answers[0], nil
}

// Exchange writes request lines, each with its line break, in one go and reads as many
// answers as there are; an error leaves those that came before it. Without lines it reads on.
func (c *Conn) Exchange(ctx context.Context, lines []byte, n int) (answers []json.RawMessage, err error) {
	stop := context.AfterFunc(ctx, func() { c.Close() })
	defer stop()
	if len(lines) > 0 {
		_, err = c.Write(lines)
	}
	for err == nil && len(answers) < n {
		var answer []byte
		if answer, err = ReadLine(c.r); err == nil {
			answers = append(answers, answer)
		}
	}
	if err == nil {
		return answers, nil
	}
	c.Close()
	if ctx.Err() != nil {
		return answers, context.Cause(ctx)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, errPipe) || errors.Is(err, errReset) {
		return answers, &Error{"browser_gone", "the daemon ended during the call; its log says why"}
	}
	return answers, fmt.Errorf("the connection to the daemon failed: %w", err)
}

// ErrTooLong is a line over MaxLine.
var ErrTooLong = fmt.Errorf("line over %d MB", MaxLine>>20)

// ReadLine reads one line of any length up to MaxLine, without its line break. A
// last line that has none is io.ErrUnexpectedEOF.
func ReadLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		b, err := r.ReadSlice('\n')
		if line == nil && err == nil {
			return bytes.Clone(b[:len(b)-1]), nil
		}
		if need := len(line) + len(b); need > cap(line) { // doubling: a line is copied twice at most on average
			bigger := make([]byte, len(line), max(2*cap(line), need))
			copy(bigger, line)
			line = bigger
		}
		line = append(line, b...)
		switch {
		case err == nil:
			return line[:len(line)-1], nil
		case len(line) > MaxLine:
			return nil, ErrTooLong
		case err == io.EOF && len(line) > 0:
			return line, io.ErrUnexpectedEOF
		case err != bufio.ErrBufferFull:
			return nil, err
		}
	}
}
