package script

import (
	"errors"
	"fmt"
	"math/rand"
	"os"
	"strings"
	"testing"
)

var faulty = map[string]string{
	"native.go": basic["native.go"],
	"core.go": `package helpers

// pageInfo tells.
func pageInfo() M { return M{"url": "x"} }

func deep(n int) int {
	if n == 0 {
		var p *struct{ A int }
		return p.A
	}
	return deep(n - 1)
}

func fail() M { return call(M{"method": "Fail"}) }

func title() string { return pageInfo()["url"].(string) }
`,
	"bad.go": `package helpers

func fine() string { return "fine" }

func broken() int {
	if x {
	return 1
}

func after() string { return "after" }
`,
	"wrong.go": `package helpers

func wrong() int {
	return "text"
}
`,
}

func TestErrors(t *testing.T) {
	cfg := helpers(t, faulty)
	for _, c := range []struct {
		snippet string
		kind    Kind
		want    string // the error
		trace   string // what the trace contains
	}{
		{"\n\ndeep(3)", Panic, "snippet:3: runtime error: invalid memory address or nil pointer dereference", "in deep (helpers/core.go:9)"},
		{"x := 1\n_ = x\nfail()", Panic, "snippet:3: cdp_error: no such thing", "in fail (helpers/core.go:"},
		{"go func() {\n\tpanic(\"x\")\n}()\ntime.Sleep(10 * time.Second)", Panic, "snippet:2: panic: x", ""},
		{"func f() {\n\tpanic(errors.New(\"boom\"))\n}\nf()", Panic, "snippet:2: boom", ""},
		{"x := []int{1}\ni := 3\nx[i]", Panic, "snippet:3: runtime error: index out of range [3] with length 1", ""},
		{"var m map[string]int\nm[\"a\"] = 1", Panic, "snippet:2: assignment to entry in nil map", ""},
		{"var x any = 1\nx.(string)", Panic, "snippet:2: interface conversion: interface {} is int, not string", ""},
		{"try(func() { defer func() { recover() }(); deep(1) })\nfmt.Println(1)\ndeep(2)", Panic, "snippet:3: runtime error: invalid memory address or nil pointer dereference", "in deep (helpers/core.go:9)"},
		{"func f() {\n\tdefer fmt.Print(1)\n\tdefer func() {\n\t\tfmt.Print(2)\n\t}()\n\tpanic(3)\n}\nf()", Panic, "snippet:6: panic: 3", ""},
		{"type E struct{ Code int; Msg string }\npanic(E{1, \"x\"})", Panic, "snippet:2: panic: main.E{Code:1, Msg:\"x\"}", ""},
		{"type E struct{ Code int }\npanic(&E{1})", Panic, "snippet:2: panic: &main.E{Code:1}", ""},
		{"type C string\npanic(C(\"a\"))", Panic, "snippet:2: panic: main.C(\"a\")", ""},
		{"type C int\npanic(C(5))", Panic, "snippet:2: panic: main.C(5)", ""},
		{"panic(map[string]any{\"a\": []int{1}})", Panic, "snippet:1: panic: map[string]interface {}{\"a\":[]int{1}}", ""},
		{"type S int\nfunc (s S) String() string { return \"S\" + strconv.Itoa(int(s)) }\npanic(S(1))", Panic, "snippet:3: panic: S1", ""},
		{"type E struct{ err error }\nfunc (e *E) Error() string { return e.err.Error() }\npanic(&E{})", Panic, "snippet:2: runtime error: invalid memory address or nil pointer dereference", ""},
		{"type Shape interface{ Area() int }\ntype Sq struct{}\nfunc (*Sq) Area() int { return 1 }\ntype C struct{}\nfunc (C) Area() int { return 1 }\nvar s Shape = C{}\ns.(*Sq)", Panic, "snippet:7: interface conversion: main.Shape is main.C, not *main.Sq", ""},
		{"defer func() { r := recover(); panic(fmt.Sprint(\"again: \", r)) }()\npanic(\"first\")", Panic, "snippet:1: panic: first [recovered]\n\tpanic: again: first", ""},
		{"func clean() { panic(errors.New(\"clean\")) }\nfunc f() { defer clean(); panic(\"work\") }\ndefer func() { r := recover(); panic(fmt.Sprintf(\"outer: %v\", r)) }()\nf()", Panic, "snippet:3: panic: work\n\tclean [recovered]\n\tpanic: outer: clean", ""},
		{"func f() { defer func() { recover() }(); defer func() { panic(2) }(); panic(1) }\nf()\npanic(3)", Panic, "snippet:3: panic: 3", ""},
		{"fmt.Println(1)\nos.Exit(7)", Exit, "exit status 7", ""},
		{"pageinfo()", Compile, "snippet:1: undefined: pageinfo; did you mean: func pageInfo() M; note that helpers/bad.go is broken: helpers/bad.go:10: expected '(', found after", ""},
		{"\nbroken()", Compile, "helpers/bad.go:9: expected '}', found 'EOF'", ""},
		{"wrong()", Compile, "helpers/wrong.go:4: cannot use \"text\" (untyped string constant) as int value in return statement", ""},
		{"a := strconv.Atoi(\"1\")", Compile, "snippet:1: assignment mismatch: 1 variable but strconv.Atoi returns 2 values", ""},
		{"func f() int {\n}\nf()", Compile, "snippet:2: missing return", ""},
		{"fmt.Println(\"a\"", Compile, "snippet:1: missing ',' before newline in argument list", ""},
		{"for {", Compile, "snippet:1: expected '}', found 'EOF'", ""},
		{"x := 1\nx = \"s\"", Compile, "snippet:2: cannot use \"s\" (untyped string constant) as int value in assignment", ""},
		{"import \"html/template\"\ntemplate.New(\"x\")", Compile, "snippet:1: package \"html/template\" is not built in; use text/template, with its function html where a value is no HTML", ""},
		{"import (\n\t\"bytes\"\n\t\"encoding/gob\"\n)\nvar b bytes.Buffer\ngob.NewEncoder(&b)", Compile, "snippet:3: package \"encoding/gob\" is not built in; use encoding/json", ""},
		{"import \"example.com/x\"\nx.Y()", Compile, "snippet:1: package \"example.com/x\" is not built in; scripts have the common packages of the standard library", ""},
	} {
		_, err := output(t, cfg, c.snippet)
		var e *Error
		if !errors.As(err, &e) || e.Kind != c.kind || e.Error() != c.want || !strings.Contains(e.Trace, c.trace) {
			t.Errorf("%s\ngot  %v\nwant %v", c.snippet, err, c.want)
			if e != nil {
				t.Log(e.Kind, e.Trace)
			}
		}
	}
}

// What encoding/xml would need reflection to know of the script's types is refused, and says
// what to write instead.
func TestXMLRefusals(t *testing.T) {
	for _, c := range []struct{ declared, value, want string }{
		{"type C int\nfunc (c C) MarshalText() ([]byte, error) { return nil, nil }\ntype P struct { C C }", "P{}", "xml: method MarshalText of main.C would not be called; use a plain field and convert it"},
		{"type P struct { A []map[string]*Q }\ntype Q struct{}\nfunc (q *Q) MarshalXML(e *xml.Encoder, s xml.StartElement) error { return nil }", "P{}", "xml: method MarshalXML of *main.Q would not be called; use a plain field and convert it"},
		{"type P struct { X fmt.Stringer }", "P{}", "xml: it does not know what fmt.Stringer holds; use any"},
		{"type P []P", "P{}", "xml: it does not know main.P, which is part of itself; use a struct"},
	} {
		for _, call := range []string{"_, err := xml.Marshal(%s)", "err := xml.Unmarshal(nil, %s)", "err := xml.NewEncoder(io.Discard).Encode(%s)"} {
			got, err := output(t, Config{}, c.declared+"\n"+fmt.Sprintf(call, c.value)+"\nfmt.Println(err)")
			if err != nil || got != c.want+"\n" {
				t.Errorf("%s: %s: %v\ngot  %s\nwant %s", c.declared, call, err, got, c.want)
			}
		}
	}
}

// What a reflect.Value would not know of the script's types is refused.
func TestReflectRefusals(t *testing.T) {
	for _, c := range [][2]string{
		{"type C string\nreflect.ValueOf(C(\"a\")).Type()", "reflect.ValueOf does not work for main.C, as it does not know main.C; use reflect.TypeOf"},
		{"type P struct { A int; b int }\nreflect.ValueOf(P{}).NumField()", "for main.P, as it sees field b of main.P as an exported one; use"},
		{"type C int\ntype P struct { L []map[string]C }\nreflect.ValueOf(&P{}).Elem()", "for *main.P, as it does not know main.C; use"},
		{"type P struct { A int }\nfunc (P) M() {}\nreflect.ValueOf(P{}).NumMethod()", "for main.P, as it does not know main.P; use"},
		{"type A struct { X int }\ntype B struct { X int }\nfmt.Println(B{})\nreflect.ValueOf(A{}).Type()", "apart by a value; use reflect.TypeOf"},
		{"type A struct { X int }\ntype B struct { X int }\nfunc() { defer func() { recover(); fmt.Println(B{}) }(); reflect.ValueOf(A{}).Type() }()\npanic(fmt.Sprint(B{1}))", "panic: {1}"},
	} {
		if _, err := output(t, Config{}, c[0]); err == nil || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%s: %v, want %s", c[0], err, c[1])
		}
	}
}

// A broken helper file takes nothing else along.
func TestBrokenHelpers(t *testing.T) {
	cfg := helpers(t, faulty)
	for snippet, want := range map[string]string{
		`fine() + after()`: "fineafter\n",
		`title()`:          "x\n",
		`func broken() int { return 3 }; broken()`: "3\n",
	} {
		if got, err := output(t, cfg, snippet); err != nil || got != want {
			t.Errorf("%s: %q, %v", snippet, got, err)
		}
	}
}

func TestLastValue(t *testing.T) {
	cfg := helpers(t, faulty)
	for _, c := range [][2]string{
		{`1+2`, "3\n"},
		{`"a"`, "a\n"},
		{`pageInfo()`, "{\"url\":\"x\"}\n"},
		{`func pageInfo() M { return M{"url": "mine"} }; title()`, "mine\n"},
		{`strconv.Atoi("x")`, "0\nstrconv.Atoi: parsing \"x\": invalid syntax\n"},
		{`type T struct{ A int; b int }; []T{{1, 2}}`, "[{\"A\":1}]\n"},
		{`errors.New("boom")`, "boom\n"},
		{`time.Second`, "1s\n"},
		{`nil`, ""},
		{`fmt.Println("x")`, "x\n"},
		{`var e error; e`, ""},
		{`[]byte("hi")`, "hi\n"},
		{`x := 5; x`, "5\n"},
		{`strings.ToUpper`, "func(string) string\n"},
		{`math.NaN()`, "NaN\n"},
		{"defer fmt.Println(\"later\")\nif 1 < 2 {\n\treturn\n}\nfmt.Println(\"never\")", "later\n"},
		{"x := 5\nfunc f() int { return x * 2 }\nx = 7\nf()", "14\n"},
		{"package main\nimport \"fmt\"\nfunc main() { fmt.Println(\"whole\") }", "whole\n"},
		{"", ""},
		{"// nothing", ""},
		{"unused := 1\nimport \"os\"\ntype T struct{}", ""},
		{"f := func() { panic(&Error{Code: \"c\"}) }\nif e := try(f); e != nil { fmt.Println(e.Code) }", "c\n"},
	} {
		if got, err := output(t, cfg, c[0]); err != nil || got != c[1] {
			t.Errorf("%s\n%v\ngot  %q\nwant %q", c[0], err, got, c[1])
		}
	}
}

// Whatever text comes, Run answers; it neither hangs nor takes the process down.
func TestAnyText(t *testing.T) {
	cfg := helpers(t, faulty)
	b, err := os.ReadFile("testdata/snippets.txt")
	if err != nil {
		t.Fatal(err)
	}
	pieces := strings.FieldsFunc(string(b), func(r rune) bool { return r == ' ' || r == '\n' })
	r := rand.New(rand.NewSource(1))
	for range 300 {
		var s strings.Builder
		for range r.Intn(12) {
			p := pieces[r.Intn(len(pieces))]
			for _, word := range []string{"for", "exec", "os.", "goto", "http", "time.", "again"} {
				if strings.Contains(p, word) {
					p = ""
				}
			}
			s.WriteString(p + []string{" ", "\n", ";", ""}[r.Intn(4)])
		}
		_, err := output(t, cfg, s.String())
		if err != nil && err.Error() == "hangs" {
			t.Errorf("hangs: %s", s.String())
		}
	}
	for _, s := range []string{"\x00", "\xff\xfe", "`", "\"", "/*", "'", "func", "func (", "func f(", "type", "import", "import (", "const (", "}", ")", "((((((((((", strings.Repeat("(", 5000), "x.", ".", "func main(", "var x = x", "type T T", "type T struct{ T }", "func f() { f( }", "1 +", "a.b.c.d()", "a[", "=", ":=", "_ = _", "x, y", "go", "defer", "return 5", "break", "fallthrough", "goto x", "func init() { init() }", "func f[T any](x T) { f(&x) }\nf(1)"} {
		_, err := output(t, cfg, s)
		if err == nil || err.Error() == "hangs" {
			t.Errorf("%.20q: %v", s, err)
		}
	}
}

// Runs in one process do not disturb each other.
func TestAtOnce(t *testing.T) {
	cfg := helpers(t, basic)
	done := make(chan error)
	for range 8 {
		go func() {
			done <- Run(cfg, "x := 0\nfor i := range 100 { x += i }\nif x != 4950 { panic(x) }\nif cdp(\"A\")[\"echo\"] != \"A\" { panic(\"echo\") }\nvar wg sync.WaitGroup\nfor range 5 { wg.Go(func() { _ = fmt.Sprint(x) }) }\nwg.Wait()")
		}()
	}
	for range 8 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// Helpers are read only when a name may be theirs; what the snippet declares, and what
// only looks like a helper, is the snippet's in either case.
func TestHelpersAreReadWhenNeeded(t *testing.T) {
	cfg := helpers(t, map[string]string{
		"native.go": basic["native.go"],
		"a.go":      "package helpers\n\nvar count = start()\n\nfunc start() int { return 5 }\n\nfunc print(v any) { fmt.Println(\"mine\", v) }\n\nfunc title() string { return \"helper\" }\n\nfunc both() string { return title() }\n",
	})
	none := Config{Dir: t.TempDir() + "/none"}
	for _, c := range []struct {
		cfg           Config
		snippet, want string
	}{
		{cfg, "count", "5\n"},
		{cfg, "print(1)", "mine 1\n"},
		{cfg, "title := \"t\"\nfmt.Println(title)", "t\n"},
		{cfg, "fmt.Println(title())\ntitle := \"t\"\nfmt.Println(title)", "helper\nt\n"},
		{cfg, "title := \"t\"\nfunc f() string { return title }\nf()", "t\n"},
		{cfg, "func title() string { return \"snippet\" }\nboth()", "snippet\n"},
		{cfg, "both()\nfunc title() string { return \"snippet\" }", "snippet\n"},
		{cfg, "func f(title string) string { return title + both() }\nf(\"p\")", "phelper\n"},
		{none, "x := 1\nfor i := range 3 { x += i }\nx", "4\n"},
	} {
		if got, err := output(t, c.cfg, c.snippet); err != nil || got != c.want {
			t.Errorf("%s\n%v\ngot  %q\nwant %q", c.snippet, err, got, c.want)
		}
	}
	_, err := output(t, cfg, "titel()")
	if err == nil || !strings.Contains(err.Error(), "did you mean: func title() string") {
		t.Error(err)
	}
	_, err = output(t, cfg, "func title(n int) int { return n }\nboth()")
	if err == nil || !strings.HasPrefix(err.Error(), "helpers/a.go:11: not enough arguments in call to title") || !strings.HasSuffix(err.Error(), "; note that the snippet's title replaces the helper of that name here too: func title() string") {
		t.Error(err)
	}
}

// A panic that compiled code caught is no part of the next, and the trace has only what
// the panic was in.
func TestTraceIsOfThisPanic(t *testing.T) {
	cfg := helpers(t, map[string]string{
		"native.go": basic["native.go"],
		"a.go":      "package helpers\n\nfunc fails(n int) int {\n\txs := []int{1}\n\treturn xs[n]\n}\n\nfunc fine() int { return fails(0) }\n\nfunc broken() { panic(&Error{Code: \"c\", Message: \"m\"}) }\n",
	})
	for _, c := range [][3]string{
		{"try(func() { broken() })\nfmt.Println(1)\nfails(3)", "snippet:3: runtime error: index out of range [3] with length 1", "\tin fails (helpers/a.go:5)"},
		{"fine()\nvar m map[string]int\nm[\"a\"] = 1", "snippet:3: assignment to entry in nil map", ""},
		{"fine()\nbroken()", "snippet:2: c: m", "\tin broken (helpers/a.go:10)"},
	} {
		_, err := output(t, cfg, c[0])
		var e *Error
		if !errors.As(err, &e) || e.Error() != c[1] || e.Trace != c[2] {
			t.Errorf("%s\n%v\n%+v", c[0], err, e)
		}
	}
}
