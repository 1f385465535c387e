// bench measures what bu costs, on Chromiums of its own. Machines differ and drift, so
// nothing is compared with a number from elsewhere: what is compared is measured in one
// run, in turn, A B A B, and told as medians and their ratio.
//
//	bench          beside floors: the least that the same could cost here (rows.go)
//	bench peers    beside agent-browser; writes the README's table and plot (peers.go)
package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"bu/daemon/testchrome"
)

type bench struct {
	ctx      context.Context // ends with Ctrl-C
	dir      string          // temporary; all that is made lies in it
	chromium string
	site     *httptest.Server // the pages that are driven
	hello    string           // a Go program that prints 3: what a process costs at least
	bu       *tool
	rows     []row
}

// row is one line of the table of floors.
type row struct{ what, figure, floor, ratio string }

func main() {
	measure := (*bench).floors
	if len(os.Args) > 1 && os.Args[1] == "peers" {
		measure = (*bench).peers
	}
	if err := run(measure); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run makes what both ways need, and takes it away again however they end.
func run(measure func(*bench) error) (err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	b := &bench{ctx: ctx}
	if b.chromium, err = testchrome.Look(); err != nil {
		return err
	}
	if b.dir, err = os.MkdirTemp("", "bu-bench-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	if b.hello, err = buildHello(b.dir); err != nil {
		return err
	}
	b.site = httptest.NewServer(http.HandlerFunc(pages))
	defer b.site.Close()
	chrome, err := testchrome.New(b.chromium)
	if err != nil {
		return err
	}
	defer chrome.Close()
	b.bu = newBu(b.dir, chrome)
	defer b.bu.end()
	return measure(b)
}

func (b *bench) floors() error {
	failed := 0
	for _, step := range []func() error{b.process, b.attach, b.scripts, b.calls, b.waits, b.reading, b.acting, b.agents, b.memory} {
		if err := step(); err != nil {
			failed++
			b.rows = append(b.rows, row{what: "not measured", figure: strings.Join(strings.Fields(err.Error()), " ")})
		}
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "what\tmeasured\tratio\tto this floor, in the same run")
	for _, r := range b.rows {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", r.what, r.figure, r.ratio, r.floor)
	}
	w.Flush()
	if failed > 0 {
		return fmt.Errorf("%d groups of rows could not be measured", failed)
	}
	return nil
}

// ratio adds a row for got beside a floor that was measured in turn with it.
func (b *bench) ratio(what string, got []time.Duration, floor string, least []time.Duration) {
	g, l := median(got), median(least)
	b.rows = append(b.rows, row{what, ms(g), ms(l) + "  " + floor, times(float64(g) / float64(l))})
}

func ms(d time.Duration) string {
	v := float64(d) / float64(time.Millisecond)
	if v >= 100 {
		return fmt.Sprintf("%.0f ms", v)
	}
	return fmt.Sprintf("%.*f ms", map[bool]int{true: 1, false: 2}[v >= 1], v)
}

func times(r float64) string { return fmt.Sprintf("%.2f ×", r) }

func median(ds []time.Duration) time.Duration {
	ds = slices.Sorted(slices.Values(ds))
	return ds[len(ds)/2]
}

// timed is how long f takes, or its error.
func timed(f func() error) (time.Duration, error) {
	start := time.Now()
	err := f()
	return time.Since(start), err
}

// buildHello builds a Go program that prints 3, as the Makefile builds run: without
// cgo, and written again in one piece.
func buildHello(dir string) (string, error) {
	src, path := filepath.Join(dir, "hello.go"), filepath.Join(dir, "hello")
	if err := os.WriteFile(src, []byte("package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(3) }\n"), 0o600); err != nil {
		return "", err
	}
	cmd := exec.Command("go", "build", "-o", path, src)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	all, err := os.ReadFile(path)
	if err == nil {
		err = os.Remove(path)
	}
	if err == nil {
		err = os.WriteFile(path, all, 0o700)
	}
	return path, err
}

// run is bin/run with a snippet in which SITE is the address of the pages.
func (b *bench) run(snippet string, env ...string) (string, error) {
	return b.bu.do(b.ctx, []string{strings.ReplaceAll(snippet, "SITE", b.site.URL)}, env...)
}
