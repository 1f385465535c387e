//go:build windows

package discover

import "syscall"

// What Windows calls these; syscall's own names for them are never returned.
const errRefused, errReset = syscall.Errno(10061), syscall.WSAECONNRESET

// pidAlive is asked only where profiles have a SingletonLock: not on Windows.
func pidAlive(int) bool { return true }
