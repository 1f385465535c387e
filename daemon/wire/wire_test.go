//go:build unix

package wire

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

var count atomic.Int64

func newName(t testing.TB) string {
	t.Helper()
	name := fmt.Sprintf("w-%d-%d", os.Getpid(), count.Add(1))
	p, err := PathsOf(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, f := range []string{p.Sock, p.Pid, p.Log, p.State, p.Lock} {
			os.Remove(f)
		}
	})
	return name
}

func TestName(t *testing.T) { // field case 7
	for _, bad := range []string{"", "../x", "a/b", "a\nb", "a b", "ä", ".", "..", "a\x00", strings.Repeat("x", 65)} {
		if p, err := PathsOf(bad); err == nil {
			t.Errorf("%q: %v", bad, p)
		}
		if bad == "a\x00" {
			continue // no environment takes it
		}
		t.Setenv("BU_NAME", bad)
		if n, err := Name(); err == nil {
			t.Errorf("BU_NAME=%q: %q", bad, n)
		}
		if _, err := Listen(bad); err == nil {
			t.Errorf("%q is listened at", bad)
		}
	}
	for _, good := range []string{"x", "A-b_9", strings.Repeat("x", 64)} {
		t.Setenv("BU_NAME", good)
		if n, err := Name(); err != nil || n != good {
			t.Errorf("%q: %q, %v", good, n, err)
		}
	}
	os.Unsetenv("BU_NAME")
	if n, err := Name(); err != nil || n != "default" {
		t.Errorf("%q, %v", n, err)
	}
}

func TestLongPath(t *testing.T) { // field case 9
	defer func(old string) { dir = old }(dir)
	dir = "/tmp/" + strings.Repeat("d", 90)
	if _, err := PathsOf("twelve-chars"); err == nil || !strings.Contains(err.Error(), "shorter BU_NAME") {
		t.Errorf("got %v", err)
	}
	dir = "/tmp/" + strings.Repeat("d", 107-len("/tmp//bu-x.sock"))
	if p, err := PathsOf("x"); err != nil || len(p.Sock) != 107 {
		t.Errorf("%d bytes: %v", len(p.Sock), err)
	}
}

func mode(t *testing.T, path string) fs.FileMode {
	t.Helper()
	fi, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	return fi.Mode()
}

func TestModes(t *testing.T) { // field case 8
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	l, err := Listen(newName(t))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if err := WriteFile(l.Paths.Pid, []byte("1")); err != nil {
		t.Fatal(err)
	}
	f, err := OpenLog(l.Paths.Log)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	for _, p := range []string{l.Paths.Sock, l.Paths.Pid, l.Paths.Log, l.Paths.Lock} {
		if m := mode(t, p); m.Perm() != 0o600 {
			t.Errorf("%s: %v", p, m)
		}
	}
}

func TestLinks(t *testing.T) { // field case 8
	for _, there := range []bool{false, true} {
		name := newName(t)
		p, _ := PathsOf(name)
		target := filepath.Join(t.TempDir(), "target")
		if there {
			os.WriteFile(target, []byte("precious"), 0o600)
		}
		for _, f := range []string{p.Sock, p.Pid, p.Log, p.State} {
			if err := os.Symlink(target, f); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := Dial(context.Background(), name); err == nil {
			t.Error("a link was connected to")
		}
		if _, err := OpenLog(p.Log); err == nil || !strings.Contains(err.Error(), "another BU_NAME") {
			t.Errorf("a link as the log: %v", err)
		}
		if _, err := ReadFile(p.State); err == nil {
			t.Error("a link was read as the state")
		}
		if err := WriteFile(p.Pid, []byte("1")); err != nil || !mode(t, p.Pid).IsRegular() {
			t.Errorf("the pid file: %v", err)
		}
		l, err := Listen(name)
		if err != nil {
			t.Fatal(err)
		}
		if mode(t, p.Sock).Type() != fs.ModeSocket {
			t.Error("no socket")
		}
		l.Close()
		b, err := os.ReadFile(target)
		if there && string(b) != "precious" || !there && err == nil {
			t.Errorf("what the links point to: %q, %v", b, err)
		}
		os.Remove(p.Lock)
		os.Symlink(target, p.Lock)
		if _, err := Listen(name); err == nil || !strings.Contains(err.Error(), "another BU_NAME") {
			t.Errorf("a link as the lock: %v", err)
		}
	}
}

// A named pipe in a file's place must not hold anybody up.
func TestPipes(t *testing.T) {
	p, _ := PathsOf(newName(t))
	for _, f := range []string{p.Log, p.State, p.Lock} {
		if err := syscall.Mkfifo(f, 0o600); err != nil {
			t.Skip(err)
		}
		if g, err := OpenOwn(f, os.O_RDWR); err == nil {
			g.Close()
			t.Errorf("%s was opened", f)
		}
	}
	f := filepath.Join(t.TempDir(), "folder")
	os.Mkdir(f, 0o700)
	for _, flag := range []int{os.O_RDONLY, os.O_RDWR | os.O_CREATE} {
		if _, err := OpenOwn(f, flag); err == nil || !strings.Contains(err.Error(), "another BU_NAME") {
			t.Errorf("a folder: %v", err)
		}
	}
}

func TestOneListener(t *testing.T) {
	name := newName(t)
	if _, err := Dial(context.Background(), name); !errors.Is(err, ErrNoDaemon) {
		t.Errorf("nobody there: %v", err)
	}
	l, err := Listen(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Listen(name); !errors.Is(err, ErrRunning) {
		t.Errorf("a second one: %v", err)
	}
	if err := Await(context.Background(), name); err != nil {
		t.Error(err)
	}
	l.SetUnlinkOnClose(false) // as kill -9 leaves it
	l.Close()
	l.lock.Close()
	if _, err := Dial(context.Background(), name); !errors.Is(err, ErrNoDaemon) {
		t.Errorf("a dead socket: %v", err)
	}
	l, err = Listen(name)
	if err != nil {
		t.Fatalf("after a dead one: %v", err)
	}
	l.Close()
}

// echo answers each line with what f makes of it.
func echo(t *testing.T, f func(line []byte) []byte) *Conn {
	t.Helper()
	name := newName(t)
	l, err := Listen(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				r := bufio.NewReader(c)
				for {
					line, err := ReadLine(r)
					if err != nil {
						return
					}
					answer := f(line)
					if answer == nil {
						return
					}
					c.Write(append(answer, '\n'))
				}
			}()
		}
	}()
	c, err := Dial(context.Background(), name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func TestCall(t *testing.T) {
	c := echo(t, func(line []byte) []byte { return line })
	for _, n := range []int{1, 4095, 4096, 4097, 1 << 20, 10 << 20} {
		req := Request{Method: "X.y", Params: []byte(`{"big":"` + strings.Repeat("x", n) + `"}`)}
		answer, err := c.Call(context.Background(), req)
		if err != nil || len(answer) != n+len(`{"method":"X.y","params":{"big":""}}`) {
			t.Fatalf("%d: %d bytes, %v", n, len(answer), err)
		}
	}
	dead := echo(t, func([]byte) []byte { return nil })
	var e *Error
	if _, err := dead.Call(context.Background(), Request{Meta: "x"}); !errors.As(err, &e) || e.Code != "browser_gone" {
		t.Errorf("a daemon that dies: %v", err)
	}
	stop := make(chan bool)
	defer close(stop)
	slow := echo(t, func([]byte) []byte { <-stop; return nil })
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, err := slow.Call(ctx, Request{Meta: "x"}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a slow daemon: %v", err)
	}
}

func FuzzReadLine(f *testing.F) {
	f.Add([]byte("a\nb\n"), 3)
	f.Add([]byte("no break"), 1)
	f.Add(bytes.Repeat([]byte("x"), 10000), 100)
	f.Fuzz(func(t *testing.T, data []byte, chunk int) {
		r := bufio.NewReader(&chunked{data, max(1, chunk%5000)})
		var got [][]byte
		for {
			line, err := ReadLine(r)
			if err == nil || err == io.ErrUnexpectedEOF {
				got = append(got, line)
			}
			if err != nil {
				break
			}
		}
		want := bytes.Split(data, []byte("\n"))
		if len(want[len(want)-1]) == 0 {
			want = want[:len(want)-1]
		}
		if len(got) != len(want) || !bytes.Equal(bytes.Join(got, []byte("\n")), bytes.Join(want, []byte("\n"))) {
			t.Errorf("%q: got %q", data, got)
		}
	})
}

type chunked struct {
	data []byte
	n    int
}

func (c *chunked) Read(p []byte) (int, error) {
	if len(c.data) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), c.n)], c.data)
	c.data = c.data[n:]
	return n, nil
}

// A write of no bytes is how the daemon asks whether a caller is still there.
func TestEmptyWriteTells(t *testing.T) {
	l, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c, err := net.Dial("unix", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	s, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	q := Quick(s)
	if _, err := q.Write(nil); err != nil {
		t.Errorf("while the caller is there: %v", err)
	}
	c.Close()
	if _, err := q.Write(nil); err == nil {
		t.Error("the caller is gone, and a write of no bytes does not say so")
	}
}
