//go:build amd64 || arm64

package script

// goroutine tells this goroutine from the others that live: it is the address of what the
// runtime keeps of it. The number that runtime.Stack prints costs a walk of the stack,
// 20 µs in a script, and each call of a script's function asks.
func goroutine() uintptr
