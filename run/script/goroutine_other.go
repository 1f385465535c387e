//go:build !amd64 && !arm64

package script

import (
	"bytes"
	"runtime"
	"strconv"
)

// goroutine is the number of this goroutine.
func goroutine() uintptr {
	var b [40]byte
	s := b[len("goroutine "):runtime.Stack(b[:], false)]
	n, _ := strconv.ParseUint(string(s[:max(bytes.IndexByte(s, ' '), 0)]), 10, 64)
	return uintptr(n)
}
