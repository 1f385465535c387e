//go:build !amd64 && !arm64

package script

func goroutine() uintptr { return uintptr(goroutineNumber()) }
