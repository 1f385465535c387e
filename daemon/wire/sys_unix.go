//go:build unix

package wire

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// O_NONBLOCK: a named pipe that someone laid in the way must not hang the open.
const noFollow = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

const errRefused, errReset, errPipe = syscall.ECONNREFUSED, syscall.ECONNRESET, syscall.EPIPE

var dir = "/tmp" // fixed, whatever TMPDIR says: every client must come to the same place

// Lock locks the file until this process ends, or fails with ErrLocked at once.
func Lock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrLocked
	}
	return err
}

// private runs f with a umask that leaves what it makes to its owner alone. The
// umask is the process's: nothing else may be making files then.
func private(f func() error) error {
	old := syscall.Umask(0o177)
	defer syscall.Umask(old)
	return f()
}

func mine(fi fs.FileInfo) bool {
	st, ok := fi.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}
