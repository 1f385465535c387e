//go:build !unix

package discover

// pidAlive is asked only where profiles have a SingletonLock: not on Windows.
func pidAlive(int) bool { return true }
