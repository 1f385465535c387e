package wire

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"unsafe"
)

// A folder of the user's own: its access list keeps other users out, as the modes of files
// do elsewhere.
var dir = func() string {
	local, err := os.UserCacheDir()
	if err != nil {
		local = os.TempDir()
	}
	dir := filepath.Join(local, "bu")
	os.MkdirAll(dir, 0o700) // if this fails, opening a file in it says why
	return dir
}()

const noFollow = 0

// What Windows calls these; syscall's own names for them are never returned.
const errRefused, errReset, errPipe = syscall.Errno(10061), syscall.WSAECONNRESET, syscall.WSAECONNABORTED

var lockFileEx = syscall.NewLazyDLL("kernel32.dll").NewProc("LockFileEx")

// Lock locks the file until this process ends, or fails with ErrLocked at once. Nobody else
// can read a locked byte, so it is one far behind what a file holds.
func Lock(f *os.File) error {
	const failAtOnce, exclusive, violation = 1, 2, syscall.Errno(33)
	ok, _, err := lockFileEx.Call(f.Fd(), failAtOnce|exclusive, 0, 1, 0, uintptr(unsafe.Pointer(&syscall.Overlapped{OffsetHigh: 1})))
	if ok != 0 {
		return nil
	}
	if errors.Is(err, violation) {
		return ErrLocked
	}
	return err
}

func private(f func() error) error { return f() }
func mine(fs.FileInfo) bool        { return true }
