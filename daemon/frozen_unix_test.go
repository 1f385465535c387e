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

// A browser that stands still holds nobody past a deadline, and goes on afterwards.
func TestStoppedChrome(t *testing.T) {
	c := testchrome.Start(t)
	p := daemonOf(t, newName(t), "BU_CDP_WS="+c.WS)
	p.js("1")
	syscall.Kill(c.Pid(), syscall.SIGSTOP)
	defer syscall.Kill(c.Pid(), syscall.SIGCONT)
	m := p.call(M{"method": "Page.getNavigationHistory", "timeout_ms": 500})
	wantCode(t, m, "timeout")
	if m := p.meta("status"); m["pid"] == nil {
		t.Errorf("got %v", m)
	}
	syscall.Kill(c.Pid(), syscall.SIGCONT)
	if v := p.js("2"); v != 2.0 {
		t.Errorf("got %v", v)
	}
}
