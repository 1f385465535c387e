package main

import "testing"

// What those who wait may read of a run: whom it calls, and nothing of what it says.
func TestCalls(t *testing.T) {
	for snippet, want := range map[string]string{
		`typeInto("#pw", "hunter2()"); clickOn(` + "`x(`" + `) // secret(1)`: "typeInto, clickOn",
		`for i := 0; i < 3; i++ { js("a(") }; js(f(4111))`:                   "js, f",
		`broken("`: "broken", "": "",
	} {
		if got := calls(snippet); got != want {
			t.Errorf("%s: %q, want %q", snippet, got, want)
		}
	}
}
