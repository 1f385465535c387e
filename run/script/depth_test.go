package script

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Endless recursion is an error that says where; deep recursion is none. The process
// must end with it, so it is another one.
func TestEndlessRecursion(t *testing.T) {
	const endless = "func f(n int) int {\n\treturn f(n+1) + 1\n}\nf(0)"
	if os.Getenv("SCRIPT_ENDLESS") != "" {
		err := Run(Config{}, endless)
		var e *Error
		if errors.As(err, &e) && e.Kind == Panic {
			os.Stdout.WriteString("ended: " + e.Error() + "\n")
		}
		os.Exit(0)
	}
	c := exec.Command(os.Args[0], "-test.run=^TestEndlessRecursion$")
	c.Env = append(os.Environ(), "SCRIPT_ENDLESS=1")
	out, err := c.CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), "ended: snippet:2: stack overflow: ") {
		t.Errorf("%v: %.500s", err, out)
	}
	got, err := output(t, Config{}, "func depth(n int) int { if n == 0 { return 0 }; return depth(n-1) + 1 }\ndepth(10000)")
	if err != nil || got != "10000\n" {
		t.Errorf("%q, %v", got, err)
	}
}

// A text that a loop doubles ends the run with its line, before memory is at its end.
func TestEndlessText(t *testing.T) {
	defer func(was int) { longest = was }(longest)
	longest = 1 << 20
	for _, c := range []struct{ snippet, want string }{
		{"s := \"a\"\nfor {\n\ts += s\n}", "snippet:3: runtime error: out of memory: a text of 2097152 bytes"},
		{"s, t := \"a\", \"b\"\nfor {\n\ts = s + t; t = t + s\n}", "snippet:3: runtime error: out of memory: a text of "},
		{"type text string\nvar s text = \"a\"\nfunc grow() { for { s = s + \"-\" + s } }\ngrow()", "snippet:3: runtime error: out of memory: a text of "},
		{"s := strings.Repeat(\"a\", 1<<19)\nt := s\ns += t\nlen(s)", "1048576\n"},
	} {
		got, err := output(t, Config{}, c.snippet)
		if err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %.200s, want %s", c.snippet, got, c.want)
		}
	}
}
