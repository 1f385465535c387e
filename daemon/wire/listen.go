package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"syscall"
	"time"
)

// ErrRunning is what Listen fails with when a daemon of that name lives.
var ErrRunning = errors.New("a daemon of that name is running")

// ErrLocked is what Lock fails with while another process has the lock.
var ErrLocked = errors.New("locked")

// Listener is the daemon's end of the socket.
type Listener struct {
	*net.UnixListener
	Paths Paths
	lock  *os.File
}

// Listen makes this process the daemon called name. The lock comes first and is
// held until the process ends, however it ends: of any number that start at once one
// gets it, and only its holder may remove a dead daemon's socket.
func Listen(name string) (*Listener, error) {
	p, err := PathsOf(name)
	if err != nil {
		return nil, err
	}
	lock, err := OpenOwn(p.Lock, os.O_RDWR|os.O_CREATE)
	if err != nil {
		return nil, err
	}
	if err := Lock(lock); err != nil {
		lock.Close()
		if errors.Is(err, ErrLocked) {
			return nil, ErrRunning
		}
		return nil, fmt.Errorf("cannot lock %s: %w", p.Lock, err)
	}
	if err := os.Remove(p.Sock); err != nil && !errors.Is(err, fs.ErrNotExist) {
		lock.Close()
		return nil, fmt.Errorf("%w: another user has made the socket of this name; use another BU_NAME", err)
	}
	var l *net.UnixListener
	err = private(func() (err error) {
		l, err = net.ListenUnix("unix", &net.UnixAddr{Name: p.Sock, Net: "unix"})
		return err
	})
	if err != nil {
		lock.Close()
		return nil, err
	}
	return &Listener{l, p, lock}, nil
}

// Await waits until the daemon called name serves its socket.
func Await(ctx context.Context, name string) error {
	for {
		c, err := Dial(ctx, name)
		if err == nil {
			return c.Close()
		}
		if !errors.Is(err, ErrNoDaemon) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(5 * time.Millisecond): // the time between lock and bind is microseconds
		}
	}
}

// WriteFile puts data at path, whole or not at all, 0600 from birth. What lay there
// is replaced, never written through: a link stays a link of its maker. One process at
// a time writes a path: who is killed in between leaves one file, which the next replaces.
func WriteFile(path string, data []byte) error {
	temp := path + ".new"
	os.Remove(temp)
	f, err := OpenOwn(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(temp, path)
	}
	if err != nil {
		os.Remove(temp)
	}
	return err
}

// ReadFile reads a file that WriteFile wrote. Anything else at path (a link, another
// user's file) is an error.
func ReadFile(path string) ([]byte, error) {
	f, err := OpenOwn(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, 16<<20))
}

// OpenLog opens path to append to, 0600 from birth, after putting aside what has
// grown over 1 MB.
func OpenLog(path string) (*os.File, error) {
	f, err := OpenOwn(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND)
	if err != nil {
		return nil, err
	}
	if fi, err := f.Stat(); err == nil && fi.Size() > 1<<20 {
		f.Truncate(0)
	}
	return f, nil
}

// OpenOwn opens a regular file of this user and of nobody else, for what the daemon
// or a caller keeps beside the socket: no link is followed,
// and it is made 0600 whatever the umask says.
func OpenOwn(path string, flag int) (*os.File, error) {
	f, err := os.OpenFile(path, flag|noFollow, 0o600)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.ELOOP) || errors.Is(err, syscall.ENXIO) || errors.Is(err, syscall.EISDIR) {
		return nil, &notYours{path, err}
	}
	if err != nil {
		return nil, err
	}
	fi, err := f.Stat()
	if err == nil && !(fi.Mode().IsRegular() && mine(fi)) {
		err = &notYours{path, fs.ErrPermission}
	}
	if err == nil && flag&os.O_CREATE != 0 && fi.Mode().Perm() != 0o600 {
		err = f.Chmod(0o600)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// notYours is a file that somebody else put in the way, or no file at all: a link, a
// pipe, a folder.
type notYours struct {
	path  string
	cause error
}

func (e *notYours) Error() string {
	return e.path + " is not your file: another user made it, or it is not a regular file. Remove it, or use another BU_NAME"
}

func (e *notYours) Unwrap() error { return e.cause }
