//go:build unix

package main_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"bu/daemon/testchrome"
)

// live gives a test a browser and a daemon's name of its own.
func live(t *testing.T) (c *testchrome.Chrome, run func(snippet string, env ...string) call) {
	t.Helper()
	c = testchrome.Start(t)
	run = func(snippet string, env ...string) call {
		return call{snippet: snippet, env: append([]string{"HOME=" + c.Home}, env...)}
	}
	t.Cleanup(func() {
		run("killDaemon()").do(t)
		files, _ := filepath.Glob("/tmp/bu-" + name(t) + ".*")
		for _, f := range files {
			os.Remove(f)
		}
	})
	return c, run
}

const eval = `func eval(s string) any {
	r := call(M{"method": "Runtime.evaluate", "params": M{"expression": s, "returnByValue": true}})
	return r["result"].(M)["result"].(M)["value"]
}
`

func pidOf(t *testing.T, run func(string, ...string) call) int {
	t.Helper()
	got := run(`fmt.Println(call(M{"meta": "status", "start": false})["pid"])`).do(t)
	pid, err := strconv.Atoi(strings.TrimSpace(got.stdout))
	if err != nil {
		t.Fatalf("no pid: %+v", got)
	}
	return pid
}

// Field cases 5 and 45: first commands at once make one daemon, and all succeed.
func TestColdRunsAtOnce(t *testing.T) {
	_, run := live(t)
	for round := range 3 {
		var wg sync.WaitGroup
		pids := make([]string, 20)
		for i := range pids {
			cmd := run(fmt.Sprintf(`call(M{"meta": "session"}); call(M{"meta": "status"})["pid"] // %d`, i)).command(t)
			wg.Go(func() {
				out, err := cmd.Output()
				if err != nil {
					t.Errorf("round %d: %v: %s", round, err, out)
				}
				pids[i] = strings.TrimSpace(string(out))
			})
		}
		wg.Wait()
		slices.Sort(pids)
		if one := slices.Compact(pids); len(one) != 1 {
			t.Errorf("round %d: daemons %v", round, one)
		}
		pid := pidOf(t, run)
		if pid <= 0 {
			t.Fatal("no daemon")
		}
		run("call(M{`meta`: `shutdown`, `start`: false})").do(t)
		await(t, "the daemon's end", func() bool { return syscall.Kill(pid, 0) != nil })
	}
}

func await(t *testing.T, what string, cond func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !cond(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited 20 s for %s", what)
		}
	}
}

// Field case 46: the daemon is killed; the next run has the same browser and tab.
func TestDaemonKilled(t *testing.T) {
	c, run := live(t)
	mark := run(eval + `eval("window.mark = 'same page'")`).do(t)
	if mark.code != 0 {
		t.Fatalf("%+v", mark)
	}
	for range 3 {
		pid := pidOf(t, run)
		syscall.Kill(pid, syscall.SIGKILL)
		await(t, "the daemon's death", func() bool { return syscall.Kill(pid, 0) != nil })
		if got := run(eval + `eval("window.mark")`).do(t); got.stdout != "same page\n" {
			t.Errorf("after kill -9: %+v", got)
		}
	}
	if !c.Running() {
		t.Error("the browser ended")
	}
}

// A page that loops: the run ends in time, with its own exit code, and the next
// one finds the page as if nothing had been (field cases 16 and 44).
func TestLoopingPage(t *testing.T) {
	_, run := live(t)
	for _, page := range []string{"for(;;){}", "new Promise(() => {})"} {
		snippet := fmt.Sprintf("call(M{`method`: `Runtime.evaluate`, `params`: M{`expression`: %q, `awaitPromise`: true}})", page)
		got := run(snippet, "BU_TIMEOUT=1.5").do(t)
		if got.code != 124 || !strings.Contains(got.stderr, "BU_TIMEOUT") || strings.Contains(got.stderr, "no answer within") || got.took > 10*time.Second {
			t.Errorf("%s: %+v", page, got)
		}
		if got := run(eval + `eval("1+1")`).do(t); got.stdout != "2\n" {
			t.Errorf("after %s: %+v", page, got)
		}
	}
}

// Ctrl-C ends what the run had started in the page.
func TestInterrupt(t *testing.T) {
	_, run := live(t)
	run(eval + `eval("1")`).do(t)
	cmd := run("fmt.Println(`started`); call(M{`method`: `Runtime.evaluate`, `params`: M{`expression`: `for(;;){}`}})").command(t)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	out.Read(make([]byte, 16))
	time.Sleep(300 * time.Millisecond) // for the call to be in the page
	cmd.Process.Signal(os.Interrupt)
	start := time.Now()
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 130 {
		t.Errorf("exit %d", code)
	}
	if got := run(eval + `eval("1+1")`).do(t); got.stdout != "2\n" || time.Since(start) > 10*time.Second {
		t.Errorf("after Ctrl-C: %+v", got)
	}
}

// Runs on one tab never interleave and keep their order; one that dies by kill -9
// gives its turn up.
func TestTurns(t *testing.T) {
	_, run := live(t)
	dir := t.TempDir()
	first := run(eval + fmt.Sprintf(`eval("1"); os.WriteFile(%q, nil, 0o600); time.Sleep(time.Minute)`, dir+"/held")).command(t)
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	await(t, "the first run's turn", func() bool { _, err := os.Stat(dir + "/held"); return err == nil })

	var runs []*exec.Cmd
	var errs []*strings.Builder
	for i := range 4 {
		cmd := run(eval+fmt.Sprintf(`eval("1")
f, _ := os.OpenFile(%q, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
fmt.Fprintln(f, "in %d"); time.Sleep(50 * time.Millisecond); fmt.Fprintln(f, "out %[2]d")`, dir+"/order", i), "BU_TIMEOUT=2.5").command(t)
		e := &strings.Builder{}
		cmd.Stderr = e
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		runs, errs = append(runs, cmd), append(errs, e)
		await(t, "the next run to queue", func() bool {
			b, _ := os.ReadFile("/tmp/bu-" + name(t) + ".turn")
			n, _ := strconv.Atoi(strings.TrimSpace(string(b[:min(20, len(b))])))
			return n >= i+2
		})
	}
	other := run(eval+`eval("1+1")`, "BU_TAB=other").do(t)
	if other.stdout != "2\n" {
		t.Errorf("a run on another tab: %+v", other)
	}
	// Longer than their BU_TIMEOUT, which does not count the wait; and they say for whom.
	time.Sleep(3 * time.Second)
	first.Process.Kill()
	first.Wait()
	for i, cmd := range runs {
		if err := cmd.Wait(); err != nil {
			t.Errorf("run %d: %v %s", i, err, errs[i])
		}
		if want := fmt.Sprintf("waiting for another run on this tab, pid %d: ", first.Process.Pid); i == 0 && !strings.Contains(errs[i].String(), want) {
			t.Errorf("run %d did not say for whom it waits: %q", i, errs[i])
		}
	}
	if b, _ := os.ReadFile("/tmp/bu-" + name(t) + ".turn"); len(b) > 20 {
		t.Errorf("what is over is still in the file of the turn: %q", b)
	}
	order, _ := os.ReadFile(dir + "/order")
	if want := "in 0\nout 0\nin 1\nout 1\nin 2\nout 2\nin 3\nout 3\n"; string(order) != want {
		t.Errorf("order:\n%s", order)
	}
}

// A caller who names a browser is never answered by another one.
func TestOtherBrowser(t *testing.T) {
	c, run := live(t)
	if got := run(eval + `eval("1+1")`).do(t); got.stdout != "2\n" {
		t.Fatalf("%+v", got)
	}
	for _, v := range []string{"BU_CDP_WS=ws://127.0.0.1:1/devtools/browser?token=S3CRET", "BU_CDP_URL=http://127.0.0.1:1"} {
		got := run(eval+`eval("1+1")`, v).do(t)
		if got.code != 3 || !strings.Contains(got.stderr, "names 127.0.0.1:1") || strings.Contains(got.stderr, "S3CRET") {
			t.Errorf("%s: %+v", v, got)
		}
	}
	if got := run(eval+`eval("1+1")`, "BU_CDP_WS="+c.WS).do(t); got.stdout != "2\n" {
		t.Errorf("the same browser by its address: %+v", got)
	}
}

func TestRunInsideRun(t *testing.T) {
	_, run := live(t)
	self, _ := json.Marshal(filepath.Join(testchrome.Build(t), "run"))
	got := run(eval + fmt.Sprintf(`eval("window.outer = 1")
out, err := exec.Command(%s, %q).CombinedOutput()
fmt.Print(string(out), err)`, self, eval+`eval("window.outer + 1")`)).do(t)
	if got.stdout != "2\n<nil>" {
		t.Errorf("%+v", got)
	}

	// Through another tab and back, by way of a shell, and several at once.
	script := func(name, snippet string) (path string) {
		path = filepath.Join(t.TempDir(), name)
		os.WriteFile(path, []byte("exec "+string(self)+" '"+eval+snippet+"'"), 0o600)
		return path
	}
	inner := script("inner", `eval("window.outer + 2")`)
	middle := script("middle", fmt.Sprintf(`eval("1"); cmd := exec.Command("sh", "-c", "BU_TAB= sh %s"); out, _ := cmd.CombinedOutput(); string(out)`, inner))
	got = run(eval+fmt.Sprintf(`eval("1")
var wg sync.WaitGroup
for range 3 { wg.Go(func() { out, _ := exec.Command("sh", %q).CombinedOutput(); fmt.Print(string(out)) }) }
wg.Wait()
out, err := exec.Command("sh", "-c", %q).CombinedOutput()
fmt.Print(string(out), err)`, inner, "BU_TAB=middle sh "+middle), "BU_TIMEOUT=30").do(t)
	if got.stdout != "3\n3\n3\n3\n<nil>" && got.stdout != "3\n3\n3\n3\n\n<nil>" {
		t.Errorf("through another tab: %+v", got)
	}
}

// On Windows a start cannot remove the file of the daemon's first words, which the daemon has
// open; the next start removes it.
func TestStartLeavesNoFile(t *testing.T) {
	_, run := live(t)
	tmp := t.TempDir()
	left := filepath.Join(tmp, "bu-start-1")
	if err := os.WriteFile(left, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := run("len(listTabs())", "TMPDIR="+tmp).do(t); got.code != 0 {
		t.Fatalf("%+v", got)
	}
	if files, _ := filepath.Glob(filepath.Join(tmp, "bu-start-*")); len(files) > 0 {
		t.Errorf("left: %v", files)
	}
}
