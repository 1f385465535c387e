package main_test

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"unsafe"
)

// At a terminal without a snippet the person is told at once what a call looks like: a run
// that waited there for input would look as if it hung.
func TestNoSnippetAtATerminal(t *testing.T) {
	keyboard, screen := terminal(t)
	got := call{stdin: screen}.do(t)
	if got.code != 2 || !strings.Contains(got.stderr, "usage: run 'SNIPPET'") {
		t.Errorf("%+v, want the usage and code 2", got)
	}
	fmt.Fprintln(keyboard, "6*7")
	if got := (call{snippet: "1+2", stdin: screen}).do(t); got.code != 0 || got.stdout != "3\n" {
		t.Errorf("with a snippet: %+v", got)
	}
}

// terminal is a new pseudoterminal: what the person types into, and what a program reads.
func terminal(t *testing.T) (keyboard, screen *os.File) {
	t.Helper()
	keyboard, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no terminals here: ", err)
	}
	t.Cleanup(func() { keyboard.Close() })
	var number, locked int32
	for request, value := range map[uintptr]*int32{syscall.TIOCGPTN: &number, syscall.TIOCSPTLCK: &locked} {
		if _, _, e := syscall.Syscall(syscall.SYS_IOCTL, keyboard.Fd(), request, uintptr(unsafe.Pointer(value))); e != 0 {
			t.Fatal(e)
		}
	}
	if screen, err = os.OpenFile(fmt.Sprint("/dev/pts/", number), os.O_RDWR|syscall.O_NOCTTY, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { screen.Close() })
	return keyboard, screen
}
