// bench measures what bu costs and prints it beside what it may cost. It is what
// `make bench` runs: medians of many runs on a Chromium of its own. The machine's
// speed drifts, so what is compared is measured in turn, A B A B.
package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"bu/daemon/testchrome"
)

// The limits in milliseconds were set on a machine where a Go program that prints
// one line takes this long; a slower machine is given as much more.
const reference = 1.75 * float64(time.Millisecond)

type bench struct {
	chrome *testchrome.Chrome
	site   *httptest.Server
	name   string
	bare   string  // a Go program that prints 3
	slow   float64 // how much slower than the reference this machine is
	rows   []row
}

// row is one line of the table.
type row struct {
	what, figure, limit string
	ok                  bool
}

func main() {
	if err := measure(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func measure() error {
	chromium, err := testchrome.Look()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "bu-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b := &bench{name: fmt.Sprintf("bench-%d", os.Getpid()), bare: filepath.Join(dir, "three")}
	src := filepath.Join(dir, "three.go")
	if err := os.WriteFile(src, []byte("package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(3) }\n"), 0o600); err != nil {
		return err
	}
	if out, err := exec.Command("go", "build", "-o", b.bare, src).CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	if err := rewrite(b.bare); err != nil {
		return err
	}
	if b.chrome, err = testchrome.New(chromium); err != nil {
		return err
	}
	defer b.chrome.Close()
	b.site = httptest.NewServer(http.HandlerFunc(pages))
	defer b.site.Close()
	defer b.run("killDaemon()")

	for _, step := range []func() error{b.process, b.attach, b.calls, b.waits, b.reading, b.acting, b.agents, b.memory} {
		if err := step(); err != nil {
			b.rows = append(b.rows, row{what: "not measured", figure: err.Error()})
		}
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "what\tmeasured\tlimit\t")
	for _, r := range b.rows {
		verdict := ""
		if !r.ok {
			verdict = "over"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", r.what, r.figure, r.limit, verdict)
	}
	w.Flush()
	fmt.Printf("\nA Go program that prints one line takes %.1f × as long here as where the limits in ms were set; they are scaled by that.\n", b.slow)
	return nil
}

// rewrite writes a file again in one piece, as the Makefile does to what is measured
// against it.
func rewrite(path string) error {
	all, err := os.ReadFile(path)
	if err == nil {
		err = os.Remove(path)
	}
	if err == nil {
		err = os.WriteFile(path, all, 0o700)
	}
	return err
}

// within adds a row for a time that has a limit on the reference machine.
func (b *bench) within(what string, got time.Duration, limit float64) {
	scaled := limit * max(1, b.slow)
	b.rows = append(b.rows, row{what, ms(got), fmt.Sprintf("%.0f ms (%.0f here)", limit, scaled), float64(got) <= scaled*float64(time.Millisecond)})
}

// ratio adds a row for a against b, which were measured in turn.
func (b *bench) ratio(what string, got, base time.Duration, limit float64) {
	r := float64(got) / float64(base)
	b.rows = append(b.rows, row{what, fmt.Sprintf("%.2f × (%s / %s)", r, ms(got), ms(base)), fmt.Sprintf("%.1f ×", limit), r <= limit})
}

func ms(d time.Duration) string { return fmt.Sprintf("%.2f ms", float64(d)/float64(time.Millisecond)) }

func median(ds []time.Duration) time.Duration {
	slices.Sort(ds)
	return ds[len(ds)/2]
}

// run is bin/run with a snippet, SITE being the test pages' address.
func (b *bench) run(snippet string, env ...string) (string, error) {
	cmd := exec.Command(filepath.Join(testchrome.Root(), "bin", "run"), strings.ReplaceAll(snippet, "SITE", b.site.URL))
	cmd.Dir = testchrome.Root()
	cmd.Env = append(os.Environ(), "HOME="+b.chrome.Home, "BU_NAME="+b.name, "BU_CDP_WS=", "BU_CDP_URL=", "BU_HELPERS=")
	cmd.Env = append(cmd.Env, env...)
	out, err := cmd.Output()
	if err != nil {
		var said []byte
		if e, ok := err.(*exec.ExitError); ok {
			said = e.Stderr
		}
		return "", fmt.Errorf("%.60s: %w: %s", snippet, err, said)
	}
	return strings.TrimSpace(string(out)), nil
}

// timed is how long f takes, or its error.
func timed(f func() error) (time.Duration, error) {
	start := time.Now()
	err := f()
	return time.Since(start), err
}
