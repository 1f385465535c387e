//go:build unix

package discover

import (
	"errors"
	"syscall"
)

const errRefused, errReset = syscall.ECONNREFUSED, syscall.ECONNRESET

// pidAlive says whether a process of that id exists, whoever owns it.
func pidAlive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}
