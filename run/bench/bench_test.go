package main

import (
	"os"
	"testing"

	"bu/daemon/testchrome"
)

func TestMain(m *testing.M) {
	code := m.Run()
	testchrome.Clean()
	os.Exit(code)
}

// What make bench measures of calls, waits and acts is done, and looked after: a row stands
// for work that was done. The other groups take minutes; make bench has them.
func TestFloors(t *testing.T) {
	testchrome.Find(t)
	bin = testchrome.Build(t)
	err := run(func(b *bench) error {
		for _, group := range []func() error{b.process, b.calls, b.waits, b.acting} {
			if err := group(); err != nil {
				return err
			}
		}
		if len(b.rows) < 8 {
			t.Errorf("only %d rows: %v", len(b.rows), b.rows)
		}
		for _, r := range b.rows {
			if r.what == "" || r.figure == "" {
				t.Errorf("a row says nothing: %+v", r)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
