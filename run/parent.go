package main

import (
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"
)

// parent.go: bu-mcp may be killed, and a run that nobody waits for any more would drive the
// browser until BU_TIMEOUT. So bu-mcp holds the other end of a pipe, which ends with it however
// that comes, and BU_PARENT says which of this process's files it is and how long the snippet is.

const parentVariable = "BU_PARENT"

// parent is what BU_PARENT says.
type parent struct {
	pipe  int
	bytes int // of the snippet
}

// parentOf reads BU_PARENT, once: what this run starts has another parent.
func parentOf() (p parent, ok bool) {
	n, _ := fmt.Sscanf(os.Getenv(parentVariable), "%d %d", &p.pipe, &p.bytes)
	os.Unsetenv(parentVariable)
	return p, n == 2
}

// orphaned is how long a run has, after its parent's end, to tell the daemon its own.
const orphaned = 2 * time.Second

// watch ends this run, and what the snippet started, when the parent ends, just as Ctrl-C
// does. It fails if the snippet is incomplete, which also happens when its writer ends.
func (p parent) watch(b *browser) error {
	if len(b.snippet) != p.bytes {
		return fmt.Errorf("the snippet was cut off after %d of %d bytes; nothing was done", len(b.snippet), p.bytes)
	}
	inheritNot(p.pipe)
	signal.Ignore(syscall.SIGPIPE) // nobody reads what it prints then
	pipe := os.NewFile(uintptr(p.pipe), "parent")
	go func() {
		pipe.Read(make([]byte, 1))
		runtime.KeepAlive(pipe)
		time.AfterFunc(orphaned, endAll)
		b.gone.Store(true)
		os.Remove(os.Getenv("BU_PICTURES")) // which the parent would have read
		select {
		case b.interrupt <- os.Interrupt:
		default:
		}
	}()
	return nil
}
