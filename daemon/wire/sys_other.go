//go:build !unix

package wire

import (
	"errors"
	"io/fs"
	"os"
)

// bu serves a socket below /tmp with the file modes of Unix; on Windows it runs in WSL.
const noFollow = 0

var errLocked = errors.New("locked")

func flock(*os.File) error         { return errors.ErrUnsupported }
func private(f func() error) error { return f() }
func mine(fs.FileInfo) bool        { return true }
