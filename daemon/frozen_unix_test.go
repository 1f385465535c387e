//go:build unix

package main

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"bu/daemon/testchrome"
)

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

// A browser that stands still while it is driven: its callers hear so within 5 s, the
// daemon answers, and all goes on where it was afterwards.
func TestFrozenWhileDriven(t *testing.T) {
	alone(t)
	c := testchrome.Start(t)
	t.Setenv("HOME", c.Home)
	name := newName(t)
	if r := runs(t, name, `js("globalThis.x = 1")`, nil); r.code != 0 {
		t.Fatal(r.errs)
	}
	syscall.Kill(c.Pid(), syscall.SIGSTOP)
	defer syscall.Kill(c.Pid(), syscall.SIGCONT)
	for snippet, tab := range map[string]string{`js("x")`: "", `newTab()`: "", `js("'mine'")`: "another"} {
		r := runs(t, name, snippet, nil, "BU_TAB="+tab)
		if r.code != 1 || !strings.Contains(r.errs, "browser_gone: ") || !strings.Contains(r.errs, "suspended") {
			t.Errorf("%s: exit %d: %s", snippet, r.code, r.errs)
		}
		if r.took > 5*time.Second {
			t.Errorf("%s took %v", snippet, r.took)
		}
	}
	if r := runs(t, name, `get(call(M{"meta": "status"}), "name")`, nil); r.out != name {
		t.Errorf("status: exit %d, %q: %s", r.code, r.out, r.errs)
	}
	syscall.Kill(c.Pid(), syscall.SIGCONT)
	if r := runs(t, name, `js("x")`, nil); r.code != 0 || r.out != "1" {
		t.Errorf("going on: exit %d, %q: %s", r.code, r.out, r.errs)
	}
}

// A page that is busy is no browser that stands still.
func TestBusyIsNotFrozen(t *testing.T) {
	alone(t)
	c := testchrome.Start(t)
	p := daemonOf(t, newName(t), "HOME="+c.Home)
	long := `for (const end = Date.now() + 6000; Date.now() < end;); 5`
	if v := p.js(long); v != 5.0 {
		t.Errorf("got %v", v)
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
