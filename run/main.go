// run interprets a Go snippet together with the helpers and lets it drive the
// browser that a daemon holds:
//
//	run 'newTab("https://example.com"); waitForLoad(); pageInfo()'
//
// It has no flags and no subcommands: the model writes Go.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"bu/daemon/wire"
	"bu/run/record"
	"bu/run/script"
)

const usage = `usage: run 'SNIPPET'      or the snippet on standard input

  run 'pageInfo()'
  run <<'GO'
  newTab("https://example.com")
  waitForLoad()
  js("document.title")
  GO

SNIPPET is Go: statements, functions, types and imports in any order, the helpers
of helpers/*.go, the standard library without imports. The value of the last
expression is printed. SKILL.md lists the helpers.
`

// How a run ends; models branch on it.
const (
	exitFailed  = 1   // the snippet failed
	exitCompile = 2   // it does not compile, or was no snippet
	exitBrowser = 3   // not run: no browser
	exitTimeout = 124 // past BU_TIMEOUT, as timeout(1) has it
	exitSignal  = 130 // Ctrl-C
)

func main() { os.Exit(run()) }

func run() int {
	src, err := snippet()
	if err != nil {
		fmt.Fprintln(os.Stderr, "run:", err)
		return exitCompile
	}
	if strings.TrimSpace(src) == "" {
		fmt.Fprint(os.Stderr, usage)
		return exitCompile
	}
	parent, has := parentOf()
	b, dir, err := settings(src)
	if err == nil && has {
		err = parent.watch(b)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "run:", err)
		return exitCompile
	}
	b.bind(dir)
	out := &output{to: b.stdout}
	ended := make(chan error, 1)
	go func() {
		ended <- script.Run(script.Config{Dir: dir, Built: built, Stdout: out, File: out.file, Places: places, Risky: b.supervise, Began: func(now func() (string, string)) { b.now.Store(now) }}, src)
	}()
	code, why := b.await(ended)
	out.finish()
	b.stale()
	b.progress.clear()
	b.record(src, string(out.head), why) // before the next run changes the page
	turnOver()
	if b.gone.Load() {
		endAll()
	}
	if why != "" {
		fmt.Fprintln(os.Stderr, why)
	}
	return code
}

// await gives the exit code of the script, of the time limit or of Ctrl-C,
// whichever comes first, and why it is not 0. What still runs then ends with the
// process: the daemon sees the connections close and ends what they had started
// in the page.
func (b *browser) await(ended <-chan error) (code int, why string) {
	if terminal || b.recording.On() {
		b.heed()
	}
	select {
	case err := <-ended:
		return b.verdict(err)
	case <-b.expired.C:
		pos, trace := "run", "\nThe snippet was still being compiled"
		if now, ok := b.now.Load().(func() (string, string)); ok {
			if at, in := now(); at != "" {
				pos, trace = at, "\n"+in
			}
		}
		why = fmt.Sprintf("%s: timeout: not done after %v; what was done stands. Set BU_TIMEOUT (seconds) for longer, or do less in one run%s", pos, b.limit, trace)
		return exitTimeout, strings.TrimRight(why, "\n")
	case <-b.interrupt:
		return exitSignal, ""
	}
}

// heedAfter is how long a run speaks to the browser before it handles Ctrl-C itself: the
// thread for that costs a short run a tenth of its time, and nobody presses it that soon.
const heedAfter = 10 * time.Millisecond

// heed makes the run handle Ctrl-C, so that it can finish what it told the daemon or has to
// write. Before that the system ends the process, which costs no threads.
func (b *browser) heed() {
	b.heeds.Do(func() { signal.Notify(b.interrupt, os.Interrupt) })
}

// verdict is the exit code of a script that has ended, and why it failed.
func (b *browser) verdict(err error) (code int, why string) {
	if err == nil {
		return 0, ""
	}
	var e *script.Error
	if !errors.As(err, &e) {
		return exitFailed, err.Error()
	}
	if e.Kind == script.Exit {
		return e.ExitCode, ""
	}
	v, _ := e.Value.(*Error)
	why = e.Error()
	if e.Trace != "" && (v == nil || v.Data["own"] != true) {
		why += "\n" + e.Trace
	}
	switch {
	case e.Kind == script.Compile:
		return exitCompile, why
	case v == nil:
	case v.Code == "no_browser" || v.Code == "no_daemon":
		return exitBrowser, why
	case v.Code == "timeout" && b.over():
		return exitTimeout, why
	}
	return exitFailed, why
}

// snippet is the first argument, or standard input unless that is a terminal.
func snippet() (string, error) {
	if len(os.Args) > 2 {
		return "", fmt.Errorf("give one snippet, in quotes; got %d arguments", len(os.Args)-1)
	}
	if len(os.Args) == 2 {
		if os.Args[1] == "-h" || os.Args[1] == "--help" {
			return "", nil // the usage
		}
		return os.Args[1], nil
	}
	if info, err := os.Stdin.Stat(); err != nil || info.Mode()&os.ModeCharDevice != 0 {
		return "", nil
	}
	return stdin(10 * time.Second)
}

// stdin reads all of standard input. Agents leave a pipe open there that nobody
// writes to: without a first byte in time there is no snippet.
func stdin(wait time.Duration) (string, error) {
	var src bytes.Buffer
	first, all := make(chan bool, 1), make(chan error, 1)
	go func() {
		one := make([]byte, 1)
		n, err := os.Stdin.Read(one)
		first <- true
		src.Write(one[:n])
		if err == nil {
			_, err = src.ReadFrom(os.Stdin)
		}
		all <- err
	}()
	select {
	case <-first:
	case <-time.After(wait):
		return "", nil
	}
	if err := <-all; err != nil && err != io.EOF {
		return "", fmt.Errorf("cannot read the snippet: %w", err)
	}
	return src.String(), nil
}

// settings reads the environment, so that a wrong value is reported before anything runs.
func settings(snippet string) (b *browser, dir string, err error) {
	root, lost := repo()
	if lost == nil {
		loadEnv(filepath.Join(root, ".env"))
	} else if os.Getenv("BU_HELPERS") == "" {
		return nil, "", lost
	}
	if dir, err = folder(root); err != nil {
		return nil, "", err
	}
	name, err := wire.Name()
	if err != nil {
		return nil, "", err
	}
	tab := os.Getenv("BU_TAB")
	if tab != "" && wire.CheckName(tab) != nil {
		return nil, "", fmt.Errorf("BU_TAB %.80q: use 1 to 64 letters, digits, _ and -", tab)
	}
	limit, err := timeout()
	if err != nil {
		return nil, "", err
	}
	b = newBrowser(name, tab, snippet, limit)
	if b.allow, err = wire.ParseHosts(os.Getenv("BU_ALLOW")); err != nil {
		return nil, "", err
	}
	b.recording, err = record.Open(name, tab, b.ask)
	return b, dir, err
}

// timeout is BU_TIMEOUT, in seconds.
func timeout() (time.Duration, error) {
	v := os.Getenv("BU_TIMEOUT")
	if v == "" {
		return time.Minute, nil
	}
	s, err := strconv.ParseFloat(v, 64)
	if err != nil || !(s > 0) || s > 1e6 {
		return 0, fmt.Errorf("BU_TIMEOUT is %q; it needs a number of seconds, such as 90", v)
	}
	return time.Duration(s * float64(time.Second)), nil
}
