//go:build !unix

package main

// pidAlive is asked only where profiles have a SingletonLock: not on Windows.
func pidAlive(int) bool { return true }
