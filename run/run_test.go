package main_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bu/daemon/testchrome"
)

func TestMain(m *testing.M) {
	code := m.Run()
	testchrome.Clean()
	os.Exit(code)
}

// call is one invocation of bin/run.
type call struct {
	snippet string
	stdin   *os.File // for no snippet
	dir     string
	env     []string
}

type outcome struct {
	stdout, stderr string
	code           int
	took           time.Duration
}

// command is c as a process that can reach no browser of this machine's user.
func (c call) command(t testing.TB) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(filepath.Join(testchrome.Build(t), "run"))
	if c.snippet != "" {
		cmd.Args = append(cmd.Args, c.snippet)
	}
	if c.stdin != nil {
		cmd.Stdin = c.stdin
	}
	cmd.Dir = c.dir
	if c.dir == "" {
		cmd.Dir = testchrome.Root()
	}
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "BU_NAME="+name(t))
	cmd.Env = append(cmd.Env, c.env...)
	cmd.WaitDelay = time.Second
	return cmd
}

// name is a BU_NAME that no other test uses.
func name(t testing.TB) string {
	clean := strings.Map(func(r rune) rune {
		if strings.ContainsRune("/#=. ", r) {
			return '-'
		}
		return r
	}, t.Name())
	return fmt.Sprintf("r-%d-%.40s", os.Getpid(), clean)
}

func (c call) do(t testing.TB) outcome {
	t.Helper()
	return finish(t, c.command(t))
}

func finish(t testing.TB, cmd *exec.Cmd) outcome {
	t.Helper()
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	start := time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer time.AfterFunc(90*time.Second, func() { cmd.Process.Kill() }).Stop()
	err := cmd.Wait()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) {
		t.Fatal(err)
	}
	return outcome{out.String(), errs.String(), cmd.ProcessState.ExitCode(), time.Since(start)}
}

func TestSnippetNeedsNoBrowser(t *testing.T) {
	for _, c := range []struct{ snippet, stdout string }{
		{`1+2`, "3\n"},
		{`"bare"`, "bare\n"},
		{`M{"a": []int{1}}`, `{"a":[1]}` + "\n"},
		{`x := 1; x`, "1\n"},
		{`fmt.Print("no line break")`, "no line break"},
		{`killDaemon()`, ""},
		{`daemonAlive()`, "false\n"},
		{`cmd := exec.Command("echo", "child"); cmd.Stdout = os.Stdout; cmd.Run() == nil`, "child\ntrue\n"},
		{`fmt.Println(1); json.NewEncoder(os.Stdout).Encode(2); fmt.Print(3, "\n"); os.Stdout.WriteString("4\n"); 5`, "1\n2\n3\n4\n5\n"},
		{`was := os.Stdout; r, w, _ := os.Pipe(); os.Stdout = w; fmt.Print("kept"); w.Close(); os.Stdout = was; b, _ := io.ReadAll(r); fmt.Printf("%q\n", b); "shown"`, "\"kept\"\nshown\n"},
	} {
		got := call{snippet: c.snippet}.do(t)
		if got.code != 0 || got.stdout != c.stdout {
			t.Errorf("%s: exit %d, %q, want %q\n%s", c.snippet, got.code, got.stdout, c.stdout, got.stderr)
		}
	}
	if files, _ := filepath.Glob("/tmp/bu-" + name(t) + "*"); len(files) > 0 {
		t.Errorf("a run that needs no browser left %v", files)
	}
}

func TestHeredoc(t *testing.T) {
	src := filepath.Join(t.TempDir(), "snippet")
	os.WriteFile(src, []byte(`
greet("first")
import "strings"

func greet(s string) { fmt.Println(strings.ToUpper(s)) }

for i := range 2 {
	greet(fmt.Sprint(i))
}
`), 0o600)
	f, err := os.Open(src)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got := (call{stdin: f}).do(t); got.code != 0 || got.stdout != "FIRST\n0\n1\n" {
		t.Errorf("exit %d, %q\n%s", got.code, got.stdout, got.stderr)
	}
}

// Field case 37, and a pipe that nobody writes to, as agents leave it.
func TestNoSnippet(t *testing.T) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	defer r.Close()
	for what, c := range map[string]call{"nothing": {stdin: null}, "blank": {snippet: " \n"}, "open pipe": {stdin: r}, "help": {snippet: "--help"}} {
		got := c.do(t)
		if got.code != 2 || !strings.HasPrefix(got.stderr, "usage: run 'SNIPPET'") || got.stdout != "" {
			t.Errorf("%s: exit %d, %q, %q", what, got.code, got.stdout, got.stderr)
		}
	}
}

func TestExitCodes(t *testing.T) {
	for _, c := range []struct {
		snippet string
		env     string
		code    int
		stderr  string
	}{
		{`panic("oh")`, "", 1, "snippet:1: "},
		{"\nundefinedThing()", "", 2, "snippet:2:"},
		{`pageinfo()`, "", 2, "pageInfo() M"},
		{`os.Exit(7)`, "", 7, ""},
		{`defer fmt.Println("x"); os.Exit(0)`, "", 0, ""},
		{`for {}`, "BU_TIMEOUT=0.5", 124, "BU_TIMEOUT"},
		{`time.Sleep(time.Minute)`, "BU_TIMEOUT=0.5", 124, "BU_TIMEOUT"},
		{`go func() { panic("aside") }(); time.Sleep(time.Minute)`, "", 1, "aside"},
		{`1`, "BU_TIMEOUT=soon", 2, `BU_TIMEOUT is "soon"`},
		{`1`, "BU_TIMEOUT=-1", 2, "BU_TIMEOUT"},
		{`1`, "BU_TIMEOUT=NaN", 2, "BU_TIMEOUT"},
		{`1`, "BU_HELPERS=/nowhere", 2, "BU_HELPERS"},
		{`1`, "BU_TAB=a b", 2, "BU_TAB"},
	} {
		got := call{snippet: c.snippet, env: []string{c.env}}.do(t)
		if got.code != c.code || !strings.Contains(got.stderr, c.stderr) {
			t.Errorf("%s %s: exit %d, want %d with %q\n%s", c.env, c.snippet, got.code, c.code, c.stderr, got.stderr)
		}
	}
}

// Field case 7.
func TestBadName(t *testing.T) {
	for _, bad := range []string{"../x", "a/b", "a\nb", strings.Repeat("x", 65), "", "ä"} {
		before, _ := filepath.Glob("/tmp/*")
		got := call{snippet: "1", env: []string{"BU_NAME=" + bad}}.do(t)
		if got.code != 2 || !strings.Contains(got.stderr, "BU_NAME") {
			t.Errorf("%q: exit %d, %q", bad, got.code, got.stderr)
		}
		for _, f := range before {
			if strings.HasPrefix(filepath.Base(f), "bu-"+bad+".") && bad != "" {
				t.Errorf("%q made %s", bad, f)
			}
		}
	}
}

func TestOutputLimit(t *testing.T) {
	for _, print := range []string{"fmt.Printf(", "fmt.Fprintf(os.Stdout, "} {
		limited(t, "", print)
		limited(t, supervised, print)
	}
}

// supervised begins a snippet that runs in a process of its own, see supervise.
const supervised = "var mu sync.Mutex; mu.Lock(); mu.Unlock(); "

// What a snippet in a process of its own writes comes out whole, by whatever way it writes.
func TestOutputIsWhole(t *testing.T) {
	for range 20 {
		got := call{snippet: supervised + `var wg sync.WaitGroup
for g := range 4 { wg.Go(func() { mu.Lock(); defer mu.Unlock(); for i := range 200 { fmt.Fprintln(os.Stdout, "a line of a goroutine", g, i) } }) }
wg.Wait()
fmt.Println("end")`}.do(t)
		if got.code != 0 || strings.Count(got.stdout, "\n") != 801 || !strings.HasSuffix(got.stdout, "end\n") {
			t.Fatalf("exit code %d, %d lines of 801: %s", got.code, strings.Count(got.stdout, "\n"), got.stderr)
		}
	}
}

func limited(t *testing.T, before, print string) {
	got := call{snippet: before + `for i := range 5000 { ` + print + `"line %d é\n", i) }`}.do(t)
	if got.code != 0 {
		t.Fatal(got.stderr)
	}
	shown, notice, ok := strings.Cut(got.stdout, "\n… cut after 24000 of ")
	if n := len([]rune(shown)); !ok || n != 24_000 {
		t.Fatalf("%d characters shown: …%q", n, got.stdout[max(0, len(got.stdout)-200):])
	}
	_, path, _ := strings.Cut(strings.TrimSpace(notice), "all of it is in ")
	defer os.Remove(path)
	all, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(all, []byte(shown)) || !bytes.HasSuffix(all, []byte("line 4999 é\n")) || bytes.Count(all, []byte("\n")) != 5000 {
		t.Errorf("%s does not hold all of the output", path)
	}
	if fi, _ := os.Stat(path); fi.Mode().Perm() != 0o600 {
		t.Errorf("%s is %v", path, fi.Mode())
	}
	if !strings.Contains(notice, fmt.Sprintf("%d characters", len([]rune(string(all))))) {
		t.Errorf("the count is wrong: %s", notice)
	}
}

// A process that a snippet leaves behind must not keep run from ending.
func TestLeftBehind(t *testing.T) {
	got := call{snippet: `cmd := exec.Command("sleep", "30"); cmd.Stdout = os.Stdout; cmd.Start(); fmt.Println(cmd.Process.Pid)`}.do(t)
	var pid int
	fmt.Sscan(got.stdout, &pid)
	if p, err := os.FindProcess(pid); err == nil && pid > 1 {
		defer p.Kill()
	}
	if got.code != 0 || pid < 2 || got.took > 20*time.Second {
		t.Errorf("exit %d after %v: %q %s", got.code, got.took, got.stdout, got.stderr)
	}
}

// A helper edited between two calls behaves differently at the second; a helper
// with a fault says where, and snippets that do not need it run all the same.
func TestHelpersAreReadAfresh(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "helpers")
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(testchrome.Root(), "helpers"))); err != nil {
		t.Fatal(err)
	}
	mine := []string{"BU_HELPERS=" + dir}
	edit := func(body string) {
		if err := os.WriteFile(filepath.Join(dir, "mine.go"), []byte("package helpers\n\n"+body), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	edit(`func mine() string { return "first" }`)
	if got := (call{snippet: "mine()", env: mine}).do(t); got.stdout != "first\n" {
		t.Errorf("%+v", got)
	}
	edit(`func mine() string { return "second" }`)
	if got := (call{snippet: "mine()", env: mine}).do(t); got.stdout != "second\n" {
		t.Errorf("after the edit: %+v", got)
	}
	if got := (call{snippet: `func mine() string { return "this run" }; mine()`, env: mine}).do(t); got.stdout != "this run\n" {
		t.Errorf("redefined in the snippet: %+v", got)
	}
	edit("func mine() string {\n\treturn undefinedThing\n}\n\nfunc other() int { return 4 }")
	if got := (call{snippet: "mine()", env: mine}).do(t); got.code != 2 || !strings.Contains(got.stderr, "helpers/mine.go:4") {
		t.Errorf("a broken helper: %+v", got)
	}
	if got := (call{snippet: "1+2", env: mine}).do(t); got.stdout != "3\n" {
		t.Errorf("beside a broken helper: %+v", got)
	}
	edit("func mine( string {\n")
	if got := (call{snippet: "mine()", env: mine}).do(t); got.code != 2 || !strings.Contains(got.stderr, "helpers/mine.go:") {
		t.Errorf("a helper file that does not parse: %+v", got)
	}
	if got := (call{snippet: "1+2", env: mine}).do(t); got.stdout != "3\n" {
		t.Errorf("beside a file that does not parse: %+v", got)
	}
}

// Field case 3 and "no Chrome": exit 3 within 3 s, with where it looked and what to do.
func TestNoBrowser(t *testing.T) {
	home := t.TempDir()
	stale := filepath.Join(home, ".config", "chromium")
	os.MkdirAll(stale, 0o700)
	for _, c := range []string{"none", "stale"} {
		if c == "stale" {
			os.WriteFile(filepath.Join(stale, "DevToolsActivePort"), []byte("1\n/devtools/browser/gone"), 0o600)
		}
		got := call{snippet: "fmt.Println(`before`); pageInfo()", env: []string{"HOME=" + home}}.do(t)
		if got.code != 3 || got.took > 3*time.Second {
			t.Errorf("%s: exit %d after %v", c, got.code, got.took)
		}
		for _, want := range []string{"snippet:1: no_browser: ", "chrome://inspect/#remote-debugging"} {
			if !strings.Contains(got.stderr, want) {
				t.Errorf("%s: stderr lacks %q: %s", c, want, got.stderr)
			}
		}
		if got.stdout != "before\n" {
			t.Errorf("what was done before stands, but: %q", got.stdout)
		}
	}
}
