package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"bu/daemon/testchrome"
)

// report is what was measured beside the peer. It goes into README.md, between two
// comments, and into a plot.
type report struct {
	bu, peer, chromium string // versions
	hello              []time.Duration
	lines              []line
}

// line is one of the table; took is empty where it is no time.
type line struct {
	what    string
	figures [2]string
	ratio   float64 // 0: none
	took    [2]time.Duration
}

func (r *report) timed(what string, took [2][]time.Duration) {
	m := [2]time.Duration{median(took[0]), median(took[1])}
	l := line{what, [2]string{ms(m[0]), ms(m[1])}, float64(m[0]) / float64(m[1]), m}
	r.lines = append(r.lines, l)
	fmt.Printf("%s: %s, %s\n", what, l.figures[0], l.figures[1])
}

func (r *report) plain(what, format string, v [2]float64) {
	r.lines = append(r.lines, line{what: what, figures: [2]string{fmt.Sprintf(format, v[0]), fmt.Sprintf(format, v[1])}, ratio: v[0] / v[1]})
}

// counts is a line whose ratio would say nothing.
func (r *report) counts(what string, v [2]float64) {
	r.plain(what, "%.0f", v)
	r.lines[len(r.lines)-1].ratio = 0
}

func (r *report) caption() string {
	return fmt.Sprintf("%s beside %s, %s, headless, one each; %d cores of %s/%s, on which a Go program that prints 3 takes %s; measured %s.",
		r.bu, r.peer, r.chromium, runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, ms(median(r.hello)), time.Now().Format("2006-01-02"))
}

func (r *report) table() string {
	var s strings.Builder
	s.WriteString("![the times of the table as a plot](run/bench/peers.svg)\n\n")
	fmt.Fprintf(&s, "Medians of whole commands, daemons warm, in turn: %s\n\n", r.caption())
	s.WriteString("| | bu | agent-browser | bu / agent-browser |\n|---|---|---|---|\n")
	for _, l := range r.lines {
		ratio := ""
		if l.ratio > 0 {
			ratio = times(l.ratio)
		}
		fmt.Fprintf(&s, "| %s | %s | %s | %s |\n", l.what, l.figures[0], l.figures[1], ratio)
	}
	return s.String()
}

const (
	begin = "<!-- what follows is written by make bench-peers -->\n"
	end   = "<!-- end of what make bench-peers writes -->\n"
)

func (r *report) write() error {
	readme := filepath.Join(testchrome.Root(), "README.md")
	text, err := os.ReadFile(readme)
	if err != nil {
		return err
	}
	before, rest, ok := bytes.Cut(text, []byte(begin))
	_, after, ok2 := bytes.Cut(rest, []byte(end))
	if !ok || !ok2 {
		return fmt.Errorf("README.md has no place for the table: it wants the lines %q and %q", begin, end)
	}
	fmt.Print("\n", r.table())
	text = fmt.Appendf(nil, "%s%s%s%s%s", before, begin, r.table(), end, after)
	if err := os.WriteFile(readme, text, 0o644); err != nil {
		return err
	}
	plot := filepath.Join(testchrome.Root(), "run", "bench", "peers.svg")
	return os.WriteFile(plot, []byte(r.plot()), 0o644)
}
