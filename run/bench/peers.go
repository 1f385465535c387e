package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"time"

	"bu/daemon/testchrome"
)

// version leaves out where a Chromium was built.
var version = regexp.MustCompile(`^\D*[\d.]+`)

const peerVersion = "0.41.2"

// job is work that both tools do, in turn. A tool's commands are given one after
// another and timed together.
type job struct {
	what   string
	page   string // opened before each round, which is not timed
	kept   bool   // opened once, before the first round
	rounds int
	bu     string     // one snippet
	peer   [][]string // commands
	check  string     // JavaScript: the work was done
}

func jobs() (all []job, ten job) {
	const pressed = `[...document.querySelectorAll("button")].slice(0, 5).every(b => b.n == 1)`
	ten = job{what: "ten steps, five clicks each read back: one run, ten commands", page: "/buttons", rounds: 20, check: pressed,
		bu: `for i := range 5 {
	b := fmt.Sprint("#b", i+1)
	clickOn(b)
	fmt.Println(js("document.querySelector('" + b + "').textContent"))
}`}
	tenBatch := []string{"batch"}
	for i := range 5 {
		b := fmt.Sprint("#b", i+1)
		ten.peer = append(ten.peer, []string{"click", b}, []string{"get", "text", b})
		tenBatch = append(tenBatch, "click "+b, "get text "+b)
	}
	form := job{what: "a form of 12 fields: one run, 12 commands", page: "/form", rounds: 20,
		check: `[...document.querySelectorAll("input")].every((f, i) => f.value == f.id + " no " + i)`}
	formBatch := []string{"batch"}
	for i, f := range fields {
		text := fmt.Sprintf("%s no %d", f, i)
		form.bu += fmt.Sprintf("fill(%q, %q)\n", "#"+f, text)
		form.peer = append(form.peer, []string{"fill", "#" + f, text})
		formBatch = append(formBatch, fmt.Sprintf("fill #%s %q", f, text))
	}
	title := job{"ask a page for its title", "/buttons", true, 40, `js("document.title")`, [][]string{{"eval", "document.title"}}, `document.title == "buttons"`}
	click := job{"click a button, by selector", "/buttons", true, 40, `clickOn("#b1")`, [][]string{{"click", "#b1"}}, `document.querySelector("#b1").n > 0`}
	rows := job{"read a page of 1,000 table rows with buttons", "/rows", false, 15, `extract()["markdown"]`, [][]string{{"snapshot"}}, `document.title == "rows"`}
	batch := func(j job, commands []string) job {
		j.what, j.peer = strings.Replace(j.what, "commands", "in a batch", 1), [][]string{commands}
		return j
	}
	return []job{title, click, ten, batch(ten, tenBatch), form, batch(form, formBatch), rows}, ten
}

func (b *bench) peers() error {
	peer, err := b.install()
	if err != nil {
		return err
	}
	defer peer.chrome.Close()
	defer peer.end()
	both := [2]*tool{b.bu, peer}
	r := &report{bu: revision(), peer: says(peer.path, "--version"), chromium: version.FindString(says(b.chromium, "--version"))}
	if err := b.attachBoth(r, both); err != nil {
		return err
	}
	all, ten := jobs()
	for _, j := range all {
		for range 15 { // the floor, all through: the machine drifts
			d, err := timed(exec.CommandContext(b.ctx, b.hello).Run)
			if err != nil {
				return err
			}
			r.hello = append(r.hello, d)
		}
		if err := b.inTurn(r, both, j); err != nil {
			return fmt.Errorf("%s: %w", j.what, err)
		}
	}
	if err := b.memories(r, both); err != nil {
		return err
	}
	if err := b.size(r, both); err != nil {
		return err
	}
	if err := b.characters(r, both, ten); err != nil {
		return err
	}
	if err := b.atOnce(r, both); err != nil {
		return err
	}
	return r.write()
}

// attachBoth: a first command. bu's asks for the title too.
func (b *bench) attachBoth(r *report, both [2]*tool) error {
	var took [2][]time.Duration
	for round := range 13 {
		for i, t := range both {
			if err := t.end(); err != nil {
				return err
			}
			d, err := timed(func() error { _, err := t.do(b.ctx, t.first); return err })
			if err != nil {
				return err
			}
			if round > 1 {
				took[i] = append(took[i], d)
			}
		}
	}
	r.timed("attach, with no daemon yet", took)
	return nil
}

// inTurn measures one job, A B A B, and looks after each round that it was done.
func (b *bench) inTurn(r *report, both [2]*tool, j job) error {
	var took [2][]time.Duration
	for round := range j.rounds + 2 {
		for i, t := range both {
			if round == 0 || !j.kept {
				if _, err := t.do(b.ctx, t.open(b.site.URL+j.page)); err != nil {
					return err
				}
			}
			d, err := timed(func() error {
				for _, c := range j.commands(i) {
					if _, err := t.do(b.ctx, c); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				return err
			}
			if done, err := t.do(b.ctx, t.eval(j.check)); err != nil || done != "true" {
				return fmt.Errorf("%s did not do it: %s %w", t.name, done, err)
			}
			if round > 1 { // the first two warm up
				took[i] = append(took[i], d)
			}
		}
	}
	r.timed(j.what, took)
	return nil
}

func (j job) commands(i int) [][]string { return [2][][]string{{{j.bu}}, j.peer}[i] }

// memories: the daemons', after all of the jobs.
func (b *bench) memories(r *report, both [2]*tool) error {
	var mb [2]float64
	for i, t := range both {
		var err error
		if mb[i], err = t.memory(); err != nil {
			return err
		}
	}
	r.plain("the daemon's memory after all this", "%.0f MB", mb)
	return nil
}

// size: how much a model reads of the 1,000 rows at once, and how many of them that is.
func (b *bench) size(r *report, both [2]*tool) error {
	var kb, rows [2]float64
	for i, t := range both {
		if _, err := t.do(b.ctx, t.open(b.site.URL+"/rows")); err != nil {
			return err
		}
		out, err := t.do(b.ctx, [2][]string{{`extract()["markdown"]`}, {"snapshot"}}[i])
		if err != nil {
			return err
		}
		kb[i], rows[i] = float64(len(out))/1000, float64(strings.Count(out, "@example.com"))
	}
	r.plain("the 1,000 rows: bytes of one reading", "%.0f kB", kb)
	r.counts("the 1,000 rows: rows in it", rows)
	r.plain("the 1,000 rows: bytes a row", "%.0f", [2]float64{1000 * kb[0] / rows[0], 1000 * kb[1] / rows[1]})
	return nil
}

// characters: what a model writes and reads for the ten steps.
func (b *bench) characters(r *report, both [2]*tool, ten job) error {
	var commands, writes, reads [2]float64
	for i, t := range both {
		if _, err := t.do(b.ctx, t.open(b.site.URL+ten.page)); err != nil {
			return err
		}
		for _, c := range ten.commands(i) {
			w, got, err := t.count(b.ctx, c)
			if err != nil {
				return err
			}
			commands[i]++
			writes[i] += float64(w)
			reads[i] += float64(got)
		}
	}
	r.plain("the ten steps: commands that a model gives", "%.0f", commands)
	r.plain("the ten steps: characters that it writes", "%.0f", writes)
	r.plain("the ten steps: characters that it reads", "%.0f", reads)
	return nil
}

// atOnce: twenty first commands at the same time, with no daemon yet.
func (b *bench) atOnce(r *report, both [2]*tool) error {
	var done, daemons [2]float64
	for i, t := range both {
		if err := t.end(); err != nil {
			return err
		}
		var group sync.WaitGroup
		var errs [20]error
		for n := range errs {
			group.Go(func() { _, errs[n] = t.do(b.ctx, t.first) })
		}
		group.Wait()
		for _, err := range errs {
			if err == nil {
				done[i]++
			}
		}
		daemons[i] = float64(len(t.running()))
	}
	r.counts("twenty first commands at once: how many succeed", done)
	r.counts("twenty first commands at once: daemons running then", daemons)
	return nil
}

// install gets agent-browser with npm. What is measured is the program in its package:
// through the npm wrapper a command takes longer.
func (b *bench) install() (*tool, error) {
	npm, err := exec.LookPath("npm")
	if err != nil {
		return nil, errors.New("no npm: install Node.js, which brings it (only bench-peers wants it, to get agent-browser)")
	}
	into := filepath.Join(b.dir, "peer")
	if err := os.Mkdir(into, 0o700); err != nil {
		return nil, err
	}
	fmt.Println("installing agent-browser " + peerVersion + " into a temporary folder, then measuring for some minutes …")
	ctx, cancel := context.WithTimeout(b.ctx, 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, npm, "i", "--force", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", into, "agent-browser@"+peerVersion)
	cmd.Dir, cmd.WaitDelay = into, time.Second
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("npm could not get agent-browser: %w\n%s", err, out)
	}
	arch := strings.Replace(runtime.GOARCH, "amd64", "x64", 1)
	path := filepath.Join(into, "node_modules", "agent-browser", "bin", "agent-browser-"+runtime.GOOS+"-"+arch)
	if err := os.Chmod(path, 0o700); err != nil {
		return nil, fmt.Errorf("agent-browser has no program for this machine: %w", err)
	}
	chrome, err := testchrome.New(b.chromium)
	if err != nil {
		return nil, err
	}
	return newPeer(path, b.dir, chrome), nil
}

// says is the first line that a program prints.
func says(name string, args ...string) string {
	out, _ := exec.Command(name, args...).Output()
	line, _, _ := strings.Cut(string(out), "\n")
	return strings.TrimSpace(line)
}

// revision names the commit that is measured.
func revision() string {
	return strings.TrimSpace("bu " + says("git", "-C", testchrome.Root(), "describe", "--always"))
}
