package script

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// A main of the script's own runs once, whether something calls it or not, and whatever
// stands beside it.
func TestMainOfTheScript(t *testing.T) {
	for _, c := range [][2]string{
		{"func main() { fmt.Println(\"a\") }", "a\n"},
		{"func main() { fmt.Println(\"a\") }\nmain()", "a\n"},
		{"package main\nimport \"fmt\"\nvar n = 3\nfunc init() { n++ }\nfunc main() { fmt.Println(n) }", "4\n"},
		{"n := 5\nfunc main() { fmt.Println(\"main\", n) }\nfmt.Println(\"first\")\nn++", "first\nmain 6\n"},
		{"func main() { fmt.Println(\"m\") }\nfunc again() { main() }\nagain()", "m\n"},
		{"func main() { fmt.Println(\"m\") }\nfunc never() { main() }", "m\n"},
		{"func main() { fmt.Println(\"m\") }\n1+2", "3\nm\n"},
	} {
		if got, err := output(t, Config{}, c[0]); err != nil || got != c[1] {
			t.Errorf("%s\n%v\ngot  %q\nwant %q", c[0], err, got, c[1])
		}
	}
}

// Functions may use the variables of statements, also those that share a := with others.
func TestVariablesOfStatements(t *testing.T) {
	for _, c := range [][2]string{
		{"a, err := strconv.Atoi(\"1\")\nb, err := strconv.Atoi(\"x\")\nfunc f() int { return a }\nfmt.Println(a, b, err != nil, f())", "1 0 true 1\n"},
		{"a, err := strconv.Atoi(\"1\")\nb, err := strconv.Atoi(\"x\")\nfunc f() error { return err }\nfmt.Println(a, b, f() != nil)", "1 0 true\n"},
		{"n := 0\nfunc next() (int, error) { n++; return n, nil }\n_, err := next()\nv, err := next()\nfunc g() int { return v }\nfmt.Println(n, v, err, g())", "2 2 <nil> 2\n"},
		{"fmt.Println(1)\nvar (\n\tc = 3\n\td, e = c + 1, c\n\t_, g = strconv.Atoi(\"x\")\n)\nfunc f() int { return c + e }\nfmt.Println(f(), d, g != nil)", "1\n6 4 true\n"},
		{"strings := []string{\"a\"}\nfunc up(s string) string { return s + \"!\" }\nfor _, s := range strings { fmt.Println(up(s)) }", "a!\n"},
		{"type T struct{ name string }\nt := T{name: \"a\"}\nname := t.name\nfunc f() string { return name }\nf()", "a\n"},
	} {
		if got, err := output(t, Config{}, c[0]); err != nil || got != c[1] {
			t.Errorf("%s\n%v\ngot  %q\nwant %q", c[0], err, got, c[1])
		}
	}
}

// What cannot be run says where, and what may have been meant.
func TestHints(t *testing.T) {
	cfg := helpers(t, map[string]string{"a.go": "package helpers\n\nfunc pageFacts() int { return 1 }\n\nfunc click(x, y float64) {}\n"})
	for _, c := range [][2]string{
		{`strngs.ToUpper("a")`, "snippet:1: undefined: strngs; did you mean: strings.ToUpper"},
		{`jsn.Marshal(1)`, "snippet:1: undefined: jsn; did you mean: json.Marshal"},
		{`slcies.Sort([]int{})`, "snippet:1: undefined: slcies; did you mean: slices.Sort"},
		{`fmt.Printn("a")`, "snippet:1: undefined: fmt.Printn; did you mean: fmt.Println"},
		{`strings.Toupper("a")`, "snippet:1: undefined: strings.Toupper; did you mean: strings.ToUpper"},
		{`strings.Uper("a")`, "snippet:1: undefined: strings.Uper; did you mean: strings.ToUpper"},
		{`strings.Lower("a")`, "snippet:1: undefined: strings.Lower; did you mean: strings.ToLower"},
		{`rand.N(10)`, `snippet:1: undefined: rand.N; did you mean: rand.N of import "math/rand/v2"`},
		{`rand.IntN(10)`, `snippet:1: undefined: rand.IntN; did you mean: rand.Intn`},
		{"s := \"a\"\nfmt.Println(s.length)", "snippet:2: s.length undefined (type string has no field or method length); did you mean: len(s)"},
		{"s := []int{1}\nfmt.Println(s.Len())", "snippet:2: s.Len undefined (type []int has no field or method Len); did you mean: len(s)"},
		{`strings.Itoa(1)`, "snippet:1: undefined: strings.Itoa; did you mean: strconv.Itoa"},
		{`maps.Kyes(map[int]int{})`, "snippet:1: undefined: maps.Kyes; did you mean: maps.Keys"},
		{`pageInfo()`, "snippet:1: undefined: pageInfo; did you mean: func pageFacts() int"},
		{`clikc(1, 2)`, "snippet:1: undefined: clikc; did you mean: func click(x, y float64)"},
		{"count := 1\ncoutn", "snippet:2: undefined: coutn; did you mean: count"},
		{`apend([]int{}, 1)`, "snippet:1: undefined: apend; did you mean: append"},
		{"var sb strings.Builder\nsb.WritString(\"x\")", "snippet:2: sb.WritString undefined (type strings.Builder has no field or method WritString); did you mean: WriteString"},
		{"type T struct{ Name string }\nT{}.Nmae", "snippet:2: T{}.Nmae undefined (type T has no field or method Nmae); did you mean: Name"},
		{`yaml.Marshal(1)`, "snippet:1: undefined: yaml"},
		{"x := 1\nx + 2\nfmt.Println(x)", "snippet:2: x + 2 (value of type int) is not used; only the value of the last line is printed by itself: fmt.Println(x + 2) prints this one"},
		{"fmt.Println(x)\nx := 1\nfunc f() int { return x }", "snippet:1: x is used before the statement that declares it; a function uses that variable, so give it another name or declare it first"},
		{"func main() error { return nil }", "snippet:1: func main must have no arguments and no return values"},
	} {
		_, err := output(t, cfg, c[0])
		var e *Error
		if !errors.As(err, &e) || e.Kind != Compile || e.Error() != c[1] {
			t.Errorf("%s\ngot  %v\nwant %s", c[0], err, c[1])
		}
	}
}

// Source of any size and depth is run or is an error that says where.
func TestBadInput(t *testing.T) {
	for _, c := range []struct{ snippet, want string }{
		{"x := 0\n" + strings.Repeat("x += 1\n", 20_000) + "x", "20000\n"},
		{"s := \"" + strings.Repeat("a", 1_000_000) + "\"\nlen(s)", "1000000\n"},
		{"x := " + strings.Repeat("(", 10_000) + "1" + strings.Repeat(")", 10_000) + "\nx", "1\n"},
		{strings.Repeat("{", 10_000) + "x()" + strings.Repeat("}", 10_000), "snippet:1: "},
		{"\nx := " + strings.Repeat("[", 10_000), "snippet:2: "},
		{"x := " + strings.Repeat("[]int{", 10_000) + "1" + strings.Repeat("}", 10_000) + "\nx", "snippet:1: "},
		{"x := 1" + strings.Repeat(" + 1", 200_000), "snippet:1: "},
		{"fmt.Println(1)\n\xff\xfe\n", "snippet:2: illegal UTF-8 encoding"},
		{"x := \"\xff\"", "snippet:1: illegal UTF-8 encoding"},
		{"fmt.Println(1)\nx := \"\x00\"", "snippet:2: illegal character NUL"},
	} {
		got, err := output(t, Config{}, c.snippet)
		if err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("%.40q: %.200s, want %s", c.snippet, got, c.want)
		}
	}
}

// A script all of whose goroutines wait for each other is told so, with its line; one that
// waits for something outside is not. It is another process, where nothing is left awake of
// other scripts.
func TestDeadLock(t *testing.T) {
	if os.Getenv("SCRIPT_DEADLOCK") == "" {
		c := exec.Command(os.Args[0], "-test.run=^TestDeadLock$")
		c.Env = append(os.Environ(), "SCRIPT_DEADLOCK=1")
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	for _, s := range []string{
		"ch := make(chan int)\n<-ch",
		"var ch chan int\nch <- 1",
		"var mu sync.Mutex\nmu.Lock(); mu.Lock()",
		"var rw sync.RWMutex\nrw.RLock(); rw.Lock()",
		"var wg sync.WaitGroup\nwg.Add(1); wg.Wait()",
		"c := sync.NewCond(&sync.Mutex{})\nc.L.Lock(); c.Wait()",
		"_ = 1\nselect {}",
		"a, b := make(chan int), make(chan int); go func() { a <- <-b }()\nselect { case <-a: }",
		"ch := make(chan int, 1); go func() { ch <- 1 }()\nfor range ch { }",
		"ctx, _ := context.WithCancel(context.Background())\n<-ctx.Done()",
		"_ = 1\nruntime.Goexit()",
		"var wg sync.WaitGroup; ch := make(chan int); for range 3 { wg.Go(func() { ch <- 1 }) }\nwg.Wait()",
		"f := func(ch chan int) { for v := range ch { _ = v } }; ch := make(chan int)\nf(ch)",
	} {
		_, err := output(t, Config{}, s)
		var e *Error
		if !errors.As(err, &e) || e.Kind != Panic || !strings.Contains(e.Msg, "all goroutines are asleep") || e.Pos != "snippet:2" && !strings.HasPrefix(s, "f := ") {
			t.Errorf("%s: %v", s, err)
		}
	}
	cfg := helpers(t, map[string]string{"native.go": "package helpers\n\nvar outside func()\n"})
	release := make(chan bool)
	values := cfg.Built.Value
	cfg.Built.Value = func(name string) any {
		if name != "outside" {
			return values(name)
		}
		return func() {
			time.AfterFunc(400*time.Millisecond, func() { release <- true })
			<-release
		}
	}
	for _, s := range []string{
		"<-time.After(400 * time.Millisecond)",
		"ch := make(chan int); time.AfterFunc(400*time.Millisecond, func() { ch <- 1 }); <-ch",
		"ch := make(chan int); go func() { time.Sleep(400 * time.Millisecond); ch <- 1 }(); <-ch",
		"ctx, stop := context.WithTimeout(context.Background(), 400*time.Millisecond); defer stop(); <-ctx.Done()",
		"n := 0; for range time.Tick(200 * time.Millisecond) { if n++; n == 2 { break } }",
		"t := time.NewTimer(time.Hour); t.Reset(400 * time.Millisecond); <-t.C",
		"exec.Command(\"sleep\", \"0.4\").Run()",
		"r, w := io.Pipe(); go func() { time.Sleep(400 * time.Millisecond); w.Close() }(); io.ReadAll(r); fmt.Print()",
		"srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { time.Sleep(400 * time.Millisecond) })); defer srv.Close(); ch := make(chan bool); go func() { http.Get(srv.URL); ch <- true }(); <-ch; fmt.Print()",
		"ch := make(chan bool); go func() { outside(); ch <- true }(); <-ch; fmt.Print()",
	} {
		if _, err := output(t, cfg, s); err != nil {
			t.Errorf("%s: %v", s, err)
		}
	}
}

// A panic in a goroutine that compiled code starts ends the run as any other does.
func TestPanicsInGoroutines(t *testing.T) {
	for _, s := range []string{
		"go func() {\n\tpanic(\"x\")\n}()\nselect {}",
		"var wg sync.WaitGroup\nwg.Go(func() { fmt.Print(); panic(\"x\") })\nwg.Wait()",
		"fmt.Print()\ntime.AfterFunc(1, func() { panic(\"x\") }); time.Sleep(time.Minute)",
		"f := func(s string) {\n\tpanic(s) }\ngo f(\"x\")\ntime.Sleep(time.Minute)",
	} {
		_, err := output(t, Config{}, s)
		if fmt.Sprint(err) != "snippet:2: panic: x" {
			t.Errorf("%s: %v", s, err)
		}
	}
}
