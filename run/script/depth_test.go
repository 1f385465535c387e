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
