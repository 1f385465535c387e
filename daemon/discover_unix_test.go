//go:build unix

package main

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"bu/daemon/testchrome"
)

func makeFifo(t *testing.T, path string) {
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
}

// A frozen Chrome is no dead one: the next run says so within 5 s, and drives it again
// once it goes on.
func TestFrozenChrome(t *testing.T) {
	alone(t)
	c := testchrome.Start(t)
	t.Setenv("HOME", c.Home)
	name := newName(t)
	if err := syscall.Kill(c.Pid(), syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	r := runs(t, name, `js("1")`, nil)
	if r.code != 3 || r.took > 5*time.Second || !strings.Contains(r.errs, "does not answer on port") {
		t.Errorf("frozen: exit %d after %v: %s", r.code, r.took, r.errs)
	}
	syscall.Kill(c.Pid(), syscall.SIGCONT)
	if r := runs(t, name, `js("2")`, nil); r.code != 0 || r.out != "2" {
		t.Errorf("going on: exit %d, %q: %s", r.code, r.out, r.errs)
	}
}
