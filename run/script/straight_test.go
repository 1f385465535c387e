package script

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"
)

// walked says whether a call of a compiled helper came without the interpreter.
var walked bool

func look() {
	pcs := make([]uintptr, 64)
	walked = false
	for frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)]); ; {
		f, more := frames.Next()
		walked = walked || strings.HasSuffix(f.Function, "(*boxes).walk")
		if !more {
			return
		}
	}
}

var plainText = map[string]string{"plain.go": `package helpers

import ("fmt"; "time")

type M = map[string]any

type named string

func echo(s string) string { return s }
func kind(v any) string { return fmt.Sprintf("%T %v", v, v) }
func kinds(first string, v ...any) string { return first + fmt.Sprintf(" %T %v", v, v) }
func half(f float64) float64 { return f / 2 }
func sum(n ...int) (s int) { for _, x := range n { s += x }; return s }
func object(m M) M { return m }
func list(s ...string) []any { return []any{len(s), s} }
func two() (int, string) { return 2, "two" }
func ready(b bool) bool { return !b }
func nothing() {}
func nilMap() M { return nil }
func nilAny() any { return nil }
func failing() error { return fmt.Errorf("an error") }
func given() named { return "named" }
func takes(n named) named { return n }
func wait(d time.Duration) string { return d.String() }
func bytes() []byte { return []byte("bytes") }
func small(n int8) int { return int(n) }
func fail(s string) string { panic(s) }
func slow() string { return "slow" }
func twice(f func()) { f(); f() }
`}

type named string

func failStraight(s string) string { look(); panic(s) }

func plainConfig(t *testing.T, files map[string]string) Config {
	dir := t.TempDir()
	for n, s := range files {
		if err := os.WriteFile(filepath.Join(dir, n), []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	values := map[string]any{
		"M": (*map[string]any)(nil), "named": (*named)(nil),
		"echo":  func(s string) string { look(); return s },
		"kind":  func(v any) string { look(); return fmt.Sprintf("%T %v", v, v) },
		"kinds": func(first string, v ...any) string { look(); return first + fmt.Sprintf(" %T %v", v, v) },
		"half":  func(f float64) float64 { look(); return f / 2 },
		"sum": func(n ...int) (s int) {
			look()
			for _, x := range n {
				s += x
			}
			return s
		},
		"object": func(m map[string]any) map[string]any { look(); return m },
		"list":   func(s ...string) []any { look(); return []any{len(s), s} },
		"two":    func() (int, string) { look(); return 2, "two" }, "ready": func(b bool) bool { look(); return !b },
		"nothing": look, "nilMap": func() map[string]any { look(); return nil }, "nilAny": func() any { look(); return nil },
		"failing": func() error { look(); return fmt.Errorf("an error") },
		"given":   func() named { look(); return "named" }, "takes": func(n named) named { look(); return n },
		"wait":  func(d time.Duration) string { look(); return d.String() },
		"bytes": func() []byte { look(); return []byte("bytes") }, "small": func(n int8) int { look(); return int(n) },
		"fail": failStraight, "slow": func() string { // which is looked at after 100 ms
			look()
			got := make(chan string)
			time.AfterFunc(400*time.Millisecond, func() { got <- "slow" })
			return <-got
		},
		"twice": func(f func()) { look(); f(); f() },
	}
	return Config{Dir: dir, Built: builtOf("bu/run/script", plainText, func(n string) any { return values[n] })}
}

// Calls of compiled helpers with literals give, print and fail as they do in the interpreter,
// which a statement before them takes them to.
func TestStraight(t *testing.T) {
	cfg := plainConfig(t, plainText)
	for _, c := range []struct {
		snippet  string
		straight bool
	}{
		{`echo("a")`, true}, {"echo(`a\n\"b\"`)", true}, {`echo("\u00e9\n")`, true}, {`nothing()`, true}, {`nothing(); echo("b")`, true},
		{"nothing()\n\n// why\necho(\"c\")", true}, {`kind(1)`, true}, {`kind(1.0)`, true}, {`kind(0x10)`, true}, {`kind(1_000)`, true}, {`kind(-7)`, true},
		{`kind(-2.5e3)`, true}, {`kind("s")`, true}, {`kind(true)`, true}, {`kind(1e400)`, false}, {`kind('x')`, false}, {`kind(2i)`, false}, {`kind(nil)`, false},
		{`kind(99999999999999999999)`, false}, {`kind(1e-400)`, true}, {`kind(-0.0)`, true}, {`half(3)`, true}, {`half(-3.5)`, true}, {`half(9007199254740993)`, true}, {`half("3")`, false},
		{`sum()`, true}, {`sum(1)`, true}, {`sum(1, 2, 3)`, true}, {`sum(1.0)`, false}, {`sum(1.5)`, false}, {`sum([]int{1}...)`, false}, {`small(1)`, false}, {`small(300)`, false},
		{`object(M{"a": 1, "b": M{"c": "d", "e": -1.5, "f": false}})`, true}, {`object(M{})`, true}, {`object(M{"a": 1, "a": 2})`, false}, {`object(M{"a": []int{1}})`, false},
		{`object(map[string]any{"a": 1})`, false}, {`object(M{1: 2})`, false}, {`object(nil)`, false}, {`list()`, true}, {`list("x", "y")`, true}, {`two()`, false}, {`kind(two())`, false},
		{`ready(true)`, true}, {`ready(1)`, false}, {`nilMap()`, true}, {`nilAny()`, true}, {`kind(nilAny())`, true}, {`kind(nilMap())`, true}, {`failing()`, false}, {`kind(failing())`, false},
		{`given()`, false}, {`takes("n")`, false}, {`takes(given())`, false}, {`wait(5)`, false}, {`wait(2 * time.Second)`, false}, {`bytes()`, false}, {`echo(echo("deep"))`, true}, {`half(half(8))`, true},
		{`echo(kind(sum(1, 2)))`, true}, {`kinds("k", 1, "two", M{"three": 3.0})`, true}, {`echo("a", "b")`, false}, {`echo()`, false}, {`echo(1)`, false}, {`echo(nothing())`, false},
		{`echo("a" + "b")`, false}, {`kind(1 + 2)`, false}, {`(echo("a"))`, false}, {`x := echo("a"); x`, false}, {`fmt.Sprint(echo("a"))`, false}, {`echo(unknown)`, false}, {`unknown("a")`, false},
		{`echo("a"); 1 + 2`, false}, {`if true { echo("a") }`, false}, {`twice(nothing)`, false}, {`twice(func() { nothing() })`, false}, {"func f() string { return echo(`f`) }\nf()", false},
		{"func echo(s string) string { return `mine` }\necho(`a`)", false}, {`echo := kind; echo(1)`, false}, {`defer echo("a")`, false}, {"import \"fmt\"\necho(`a`)", false},
		{`slow()`, true}, {`fail("now")`, true}, {"nothing()\nfail(\"line 2\")\nnothing()", true}, {"nothing()\n\necho(\n\tfail(\"deep\"))", true}, {`echo("shown?"); fail("then"); echo("never")`, true}, {"var a = 1\necho(`a`)", false},
		{`echo("a"`, false}, {`echo("a"))`, false}, {``, false}, {`len("abc")`, false}, {`println(echo("a"))`, false},
	} {
		walked = false
		got, err := output(t, cfg, c.snippet)
		if walked != c.straight {
			t.Errorf("%s: without the interpreter: %v", c.snippet, walked)
		}
		want, wanted := output(t, cfg, "_ = 0; "+c.snippet)
		if walked {
			t.Fatalf("%s: not interpreted", c.snippet)
		}
		if got != want || c.snippet != "" && !alikeErrors(err, wanted) {
			t.Errorf("%s\ngot  %q %#v\nwant %q %#v", c.snippet, got, err, want, wanted)
		}
	}
}

func alikeErrors(got, want error) bool {
	var a, b *Error
	errors.As(got, &a)
	errors.As(want, &b)
	return reflect.DeepEqual(a, b)
}

// An edited helper, one of the model's own and what stands on it are interpreted.
func TestStraightEdited(t *testing.T) {
	for _, c := range []struct {
		what     string
		edit     func(map[string]string)
		straight bool
		want     string
	}{
		{"nothing", func(map[string]string) {}, true, "a"},
		{"another helper", func(f map[string]string) { f["plain.go"] = strings.Replace(f["plain.go"], "f / 2", "f / 3", 1) }, true, "a"},
		{"it", func(f map[string]string) {
			f["plain.go"] = strings.Replace(f["plain.go"], "{ return s }", "{ return s + `!` }", 1)
		}, false, "a!"},
		{"a my.go", func(f map[string]string) {
			f["my.go"] = "package helpers\nfunc echo(s string) string { return `mine` }"
		}, false, "mine"},
		{"an init", func(f map[string]string) { f["my.go"] = "package helpers\nfunc init() { print() }" }, false, "a"},
	} {
		files := maps.Clone(plainText)
		c.edit(files)
		walked = false
		got, err := output(t, plainConfig(t, files), `echo("a")`)
		if err != nil || strings.TrimSpace(got) != c.want || walked != c.straight {
			t.Errorf("%s: %q %v, without the interpreter: %v", c.what, got, err, walked)
		}
	}
}

// What says where a run is knows it of these too.
func TestStraightNow(t *testing.T) {
	cfg := plainConfig(t, plainText)
	var now func() (string, string)
	cfg.Began = func(f func() (string, string)) { now = f }
	var at string
	value := cfg.Built.Value
	cfg.Built.Value = func(n string) any {
		if n == "nothing" {
			return func() { look(); at, _ = now() }
		}
		return value(n)
	}
	if _, err := output(t, cfg, "echo(`a`)\n\nnothing()"); err != nil || at != "snippet:3" || !walked {
		t.Errorf("%q %v %v", at, err, walked)
	}
}
