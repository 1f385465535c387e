//go:build unix

package main_test

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Whatever a snippet does, a run ends by BU_TIMEOUT with an exit code that says how, and a
// line that says where.
func TestHowRunsEnd(t *testing.T) {
	for name, c := range map[string]struct {
		snippet string
		code    int
		want    string // a pattern for all of standard error
	}{
		"concurrent map writes":      {"m := map[int]int{}\nvar wg sync.WaitGroup\nfor g := range 8 { wg.Go(func() {\n\tfor i := range 100000 {\n\t\tm[i%10] = g\n\t}\n}) }\nwg.Wait()", 1, `snippet:5: fatal error: concurrent map writes: .*sync.Mutex.*`},
		"unlocked mutex":             {"var mu sync.Mutex\nmu.Unlock()", 1, `snippet:2: fatal error: sync: unlock of unlocked mutex`},
		"panic of a goroutine":       {"go func() {\n\tpanic(1)\n}()\ntime.Sleep(time.Second)", 1, `snippet:2: panic: 1`},
		"exit code":                  {"go func() {}()\nos.Exit(2)", 2, ``},
		"endless loop":               {"x := 0\nfor {\n\tx++\n}", 124, `snippet:2: timeout: .*`},
		"endless loop of a function": {"func f(n int) int {\n\tfor n > 0 { n = n%7 + 1 }\n\treturn n\n}\nf(3)", 124, `snippet:2: timeout: .*`},
		"endless goto":               {"x := 1\nL:\n\tgoto L", 124, `snippet:[23]: timeout: .*`},
		"endless goroutine":          {"go func() { for {} }()\nselect {}", 124, `snippet:2: timeout: .*`},
		"endless defer":              {"func f() {\n\tdefer func() { for {} }()\n}\nf()", 124, `snippet:2: timeout: .*`},
		"sleep":                      {"x := 1\ntime.Sleep(time.Hour)\n_ = x", 124, `snippet:2: timeout: .*`},
		"in a helper":                {"x := 1\nwait(3600)\n_ = x", 124, `snippet:2: timeout: .*`},
		"endless recursion":          {"func f(n int) int {\n\treturn f(n+1) + 1\n}\nf(0)", 1, `snippet:2: stack overflow: .*`},
		"recursion of a method":      {"type T struct{ n *T }\nfunc (t *T) String() string { return fmt.Sprint(t) }\nfmt.Println(&T{})", 1, `snippet:2: stack overflow: .*`},
		"dead-lock":                  {"ch := make(chan int)\n<-ch", 1, `snippet:2: all goroutines are asleep.*`},
		"dead-lock of a mutex":       {"var mu sync.Mutex\nmu.Lock()\nmu.Lock()", 1, `snippet:3: all goroutines are asleep.*`},
		"dead-lock of many":          {"var wg sync.WaitGroup\nwg.Add(2)\ngo func() { wg.Done() }()\nwg.Wait()", 1, `snippet:4: all goroutines are asleep.*`},
		"huge slice":                 {"x := 1\n_ = make([]int, x<<45)", 1, `snippet:2: runtime error: out of memory: .*`},
		"huge channel":               {"_ = make(chan int, 1<<40)", 1, `snippet:1: runtime error: out of memory: .*`},
		"huge string":                {"x := 1\nstrings.Repeat(\"x\", x<<40)", 1, `snippet:2: runtime error: out of memory: .*`},
		"huge array":                 {"x := 1\nvar a [1<<40]int\na[x] = 5", 2, `snippet:2: an array of .* is too large.*`},
		"huge memory":                {"var xs [][]byte\nfor {\n\txs = append(xs, make([]byte, 100<<20))\n}", 1, `snippet:3: out of memory: .*`},
		"huge constant":              {"x := 1 << 1000000000", 2, `snippet:1: .*shift.*`},
		"NUL":                        {"x := 1\nfmt.Println(x)\x00", 0, ``}, // which no argument can hold: below
		"bad UTF-8":                  {"x := 1\nfmt.Println(\"\xff\", x)", 2, `snippet:2: illegal UTF-8 encoding`},
		"bad UTF-8 first":            {"\xff\xfe", 2, `snippet:1: illegal UTF-8 encoding`},
		"byte order mark":            {"\ufeffx := 1\n_ = x", 0, ``},
		"brackets":                   {strings.Repeat("(", 10000) + "1" + strings.Repeat(")", 10000) + "\nx.y", 2, `(?s)snippet:.*`},
		"open brackets":              {strings.Repeat("[", 10000), 2, `snippet:1: .*`},
		"blocks":                     {strings.Repeat("{", 10000) + strings.Repeat("}", 10000), 2, `snippet:1: .*`},
		"literals":                   {"x := []any" + strings.Repeat("{[]any", 3000) + "{}" + strings.Repeat("}", 3000) + "\n_ = x[1]", 1, `snippet:2: runtime error: index out of range \[1\] with length 1`},
		"1 MB of a string":           {"", 0, ``},
	} {
		t.Run(name, func(t *testing.T) {
			run := call{snippet: c.snippet}
			if c.code == 124 {
				run.env = []string{"BU_TIMEOUT=1"}
			}
			if name == "NUL" || name == "1 MB of a string" {
				run.snippet, run.stdin = "", input(t, c.snippet)
				if c.code, c.want = 2, `snippet:2: illegal character NUL`; c.snippet == "" {
					c.code, c.want = 1, `snippet:2: runtime error: index out of range \[1048576\] with length 1048576`
					run.stdin = input(t, "s := \""+strings.Repeat("a", 1<<20)+"\"\n_ = s[len(s)]\n")
				}
			}
			got := run.do(t)
			text := strings.TrimSuffix(strings.TrimSpace(got.stderr), "\n")
			if got.code != c.code || !regexp.MustCompile(`^(?:`+c.want+`)$`).MatchString(text) {
				t.Errorf("exit code %d, want %d\n%.400s", got.code, c.code, got.stderr)
			}
		})
	}
}

// input is a file that holds text.
func input(t *testing.T, text string) *os.File {
	t.Helper()
	f, err := os.CreateTemp(t.TempDir(), "in")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	f.WriteString(text)
	f.Seek(0, 0)
	return f
}

// A script with goroutines has another process to itself: it gets what is typed and the
// signals that are sent, and does not outlive the one that was started.
func TestRunOfGoroutines(t *testing.T) {
	got := call{snippet: "go func() {}()\nall, _ := io.ReadAll(os.Stdin)\nfmt.Print(string(all))\nfmt.Fprintln(os.Stderr, \"told\", os.Getenv(\"BU_SUPERVISED\"))", stdin: input(t, "typed")}.do(t)
	if got.code != 0 || got.stdout != "typed" || got.stderr != "told \n" {
		t.Errorf("%+v", got)
	}
	got = call{stdin: input(t, "go func() {}()\nfmt.Println(\"from standard input\")")}.do(t)
	if got.code != 0 || got.stdout != "from standard input\n" {
		t.Errorf("%+v", got)
	}
	for sig, code := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143, syscall.SIGKILL: -1} {
		file := t.TempDir() + "/alive"
		cmd := call{snippet: "go func() { for { os.WriteFile(`" + file + "`, []byte(time.Now().String()), 0o600); time.Sleep(10 * time.Millisecond) } }()\nfmt.Println(1)\ntime.Sleep(time.Minute)"}.command(t)
		out, _ := cmd.StdoutPipe()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		out.Read(make([]byte, 2))
		cmd.Process.Signal(sig)
		err, _ := cmd.Wait().(*exec.ExitError)
		if err == nil || err.ExitCode() != code {
			t.Errorf("%v: %v", sig, err)
		}
		for end := time.Now().Add(10 * time.Second); ; time.Sleep(50 * time.Millisecond) {
			was, _ := os.ReadFile(file)
			time.Sleep(200 * time.Millisecond)
			is, _ := os.ReadFile(file)
			if string(was) == string(is) {
				break
			}
			if time.Now().After(end) {
				t.Errorf("%v: the script goes on", sig)
				break
			}
		}
	}
}
