package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"bu/daemon/testchrome"
)

// tool is one of the two that are compared, with a Chromium of its own.
type tool struct {
	name   string // as it is typed
	path   string
	daemon string    // the program that its daemons are
	others []process // daemons that ran before
	env    []string
	dir    string // where its commands run
	chrome *testchrome.Chrome

	first      []string // the first command, with no daemon
	open, eval func(string) []string
	end        func() error // of the daemon
}

// newTool gives both tools the same bare environment: a variable of the person's
// changes nothing that is measured.
func newTool(name, path, daemon, dir string, chrome *testchrome.Chrome) *tool {
	return &tool{name: name, path: path, daemon: daemon, others: processes(daemon), dir: dir, chrome: chrome,
		env: []string{"HOME=" + chrome.Home, "PATH=" + os.Getenv("PATH"), "TMPDIR=" + dir}}
}

// bin is where make build has put run and daemon.
var bin = filepath.Join(testchrome.Root(), "bin")

func newBu(dir string, chrome *testchrome.Chrome) *tool {
	name := fmt.Sprintf("bench-%d", os.Getpid())
	t := newTool("run", filepath.Join(bin, "run"), filepath.Join(bin, "daemon"), dir, chrome)
	t.env = append(t.env, "BU_NAME="+name)
	t.first = []string{`js("document.title")`}
	t.open = func(url string) []string { return []string{fmt.Sprintf("navigate(%q); waitForLoad()", url)} }
	t.eval = func(js string) []string { return []string{fmt.Sprintf("js(%q)", js)} }
	t.end = func() error {
		_, err := t.do(context.Background(), []string{"killDaemon()"})
		files, _ := filepath.Glob("/tmp/bu-" + name + ".*") // what the next daemon would go by
		for _, f := range files {
			os.Remove(f)
		}
		return err
	}
	return t
}

func newPeer(path, dir string, chrome *testchrome.Chrome) *tool {
	t := newTool("agent-browser", path, path, dir, chrome)
	t.env = append(t.env, "AGENT_BROWSER_NO_VERSION_CHECK=1") // it asks the network
	_, port, _ := strings.Cut(chrome.Address, ":")
	t.first = []string{"connect", port}
	t.open = func(url string) []string { return []string{"open", url} }
	t.eval = func(js string) []string { return []string{"eval", js} }
	t.end = func() error {
		// First the daemon that answers, then those that were started beside it.
		t.do(context.Background(), []string{"close"})
		for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			left := t.running()
			if len(left) == 0 {
				return nil
			}
			for _, d := range left {
				if p, err := os.FindProcess(d.pid); err == nil {
					p.Signal(syscall.SIGTERM)
				}
			}
		}
		return errors.New("a daemon of agent-browser does not end")
	}
	return t
}

func (t *tool) command(ctx context.Context, args, env []string) (*exec.Cmd, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	cmd := exec.CommandContext(ctx, t.path, args...)
	cmd.Dir, cmd.Env = t.dir, append(t.env[:len(t.env):len(t.env)], env...)
	cmd.WaitDelay = time.Second
	return cmd, cancel
}

// do gives one command, which for bu is a snippet, and returns what it answered.
func (t *tool) do(ctx context.Context, args []string, env ...string) (string, error) {
	cmd, cancel := t.command(ctx, args, env)
	defer cancel()
	var out, says bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &says
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s %.60s: %w: %s%s", t.name, strings.Join(args, " "), err, out.String(), says.String())
	}
	return strings.TrimSpace(out.String()), nil
}

// count gives one command as a model does, who writes it in a shell and reads both
// of its outputs, and returns how many characters that were.
func (t *tool) count(ctx context.Context, args []string) (writes, reads int, err error) {
	cmd, cancel := t.command(ctx, args, nil)
	defer cancel()
	out, err := cmd.CombinedOutput()
	line := t.name
	for _, a := range args {
		if strings.ContainsAny(a, " #()\"\n") {
			a = "'" + a + "'"
		}
		line += " " + a
	}
	return utf8.RuneCountInString(line), utf8.RuneCount(out), err
}

// process is one that runs: its id and resident memory in KB.
type process struct{ pid, rss int }

// running are the daemons that this tool has started and that live.
func (t *tool) running() (all []process) {
next:
	for _, p := range processes(t.daemon) {
		for _, o := range t.others {
			if p.pid == o.pid {
				continue next
			}
		}
		all = append(all, p)
	}
	return all
}

// memory is what the tool's daemon holds, in MB.
func (t *tool) memory() (float64, error) {
	all := t.running()
	if len(all) != 1 {
		return 0, fmt.Errorf("%d daemons of %s run, instead of one", len(all), t.name)
	}
	return float64(all[0].rss) / 1024, nil
}

// processes are those of one program, found by its path.
func processes(path string) (all []process) {
	out, _ := exec.Command("ps", "-Aww", "-o", "pid=,rss=,args=").Output()
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		if len(f) > 2 && f[2] == path {
			pid, _ := strconv.Atoi(f[0])
			rss, _ := strconv.Atoi(f[1])
			all = append(all, process{pid, rss})
		}
	}
	return all
}
