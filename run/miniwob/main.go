// Miniwob plays the tasks of MiniWoB++, whose folder MINIWOB names, by the solutions in testdata, over ten
// seeds each, and prints a table; with names of tasks it plays those alone. Reading and acting is bu's, in
// snippets that run gets; what a solution thinks is plain Go.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"bu/daemon/testchrome"
)

const seeds = 10

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "miniwob:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, names []string) error {
	all, err := solutions()
	if err != nil {
		return err
	}
	folder, err := pages()
	if err != nil {
		return err
	}
	if len(names) == 0 {
		names = all.names()
	}
	chromium, err := testchrome.Look()
	if err != nil {
		return err
	}
	chrome, err := testchrome.New(chromium)
	if err != nil {
		return err
	}
	defer chrome.Close()
	site := httptest.NewServer(http.FileServer(http.Dir(folder)))
	defer site.Close()
	p := &player{bin: filepath.Join(testchrome.Root(), "bin"), home: chrome.Home, site: site.URL, tasks: all}
	defer p.end()
	return table(ctx, p, folder, names)
}

// table plays the tasks and prints a row for each; a task that a seed does not solve is an error.
func table(ctx context.Context, p *player, folder string, names []string) error {
	fmt.Printf("%-30s %7s %11s %9s\n", "task", "solved", "read (char)", "commands")
	var failed []string
	for _, name := range names {
		r := p.play(ctx, name, seeds)
		fmt.Printf("%-30s %4d/%d %11d %9d\n", name, r.solved, seeds, r.read/seeds, r.commands/seeds)
		if r.solved < seeds {
			failed = append(failed, name)
			fmt.Println(strings.TrimSpace("  " + strings.ReplaceAll(r.told, "\n", "\n  ")))
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	fmt.Printf("%d of %d tasks solved over %d seeds each\n", len(names)-len(failed), len(names), seeds)
	if len(failed) > 0 {
		return fmt.Errorf("not solved: %s", strings.Join(failed, ", "))
	}
	for _, name := range unsolved(folder, p.tasks) {
		fmt.Printf("no solution: %-30s %s\n", name, cmp.Or(why[name], "not written yet"))
	}
	return nil
}

// why says for a task without a solution what it lacks.
var why = map[string]string{
	"circle-center":         "a click comes in whole pixels, and the middle lies half a pixel beside: 0.98",
	"find-midpoint":         "the same: the middle is seldom a whole pixel",
	"bisect-angle":          "the same: a whole pixel gives the angle to a degree or so",
	"right-angle":           "the same",
	"chase-circle":          "the time until the mouse comes to the circle counts against it: a little less than 1",
	"hover-shape":           "the page never says that it is over",
	"click-pie":             "the letter that is chosen at first is drawn anew whenever the mouse comes to it, so that its click is lost: 9 of 10",
	"click-pie-nodelay":     "the same",
	"drag-cube":             "the cube turns on after each drag; which side it takes for its front is not quite what is seen",
	"click-checkboxes-soft": "asks for words of a like meaning, which plain Go does not know",
}

// unsolved is the tasks of the folder that have no solution.
func unsolved(folder string, all tasks) (names []string) {
	found, _ := filepath.Glob(filepath.Join(folder, "miniwob", "*.html"))
	for _, f := range found {
		if name := strings.TrimSuffix(filepath.Base(f), ".html"); all.body[name] == "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// errNoPages says that there is nothing to play.
var errNoPages = errors.New("MINIWOB does not name the folder of the MiniWoB++ pages")

func pages() (folder string, err error) {
	folder = os.Getenv("MINIWOB")
	if folder == "" {
		return "", errNoPages
	}
	if _, err := os.Stat(filepath.Join(folder, "miniwob", "click-test.html")); err != nil {
		return "", fmt.Errorf("MINIWOB: %w", err)
	}
	return folder, nil
}
