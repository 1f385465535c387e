package script

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

type failure struct {
	Code, Message string
	Data          map[string]any
}

func (e *failure) Error() string { return e.Code + ": " + e.Message }

func helpers(t testing.TB, files map[string]string) Config {
	t.Helper()
	dir := t.TempDir()
	for n, s := range files {
		if err := os.WriteFile(filepath.Join(dir, n), []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	natives := map[string]any{
		"Error": (*failure)(nil),
		"call": func(m map[string]any) map[string]any {
			if m["method"] == "Fail" {
				panic(&failure{Code: "cdp_error", Message: "no such thing"})
			}
			return map[string]any{"echo": m["method"]}
		},
		"try": func(f func()) (e *failure) {
			defer func() {
				if r := recover(); r != nil {
					e, _ = r.(*failure)
					if e == nil {
						panic(r)
					}
				}
			}()
			f()
			return nil
		},
	}
	return Config{Dir: dir, Built: builtOf("bu/helpers", files, func(name string) any { return natives[name] })}
}

var basic = map[string]string{
	"native.go": `package helpers

// M is a JSON object.
type M = map[string]any

// Error is what a helper fails with.
type Error struct {
	Code, Message string
	Data          M
}

func (e *Error) Error() string { return e.Code + ": " + e.Message }

var call func(request M) M
var try func(f func()) *Error
`,
	"core.go": `package helpers

func cdp(method string, params ...M) M {
	request := M{"method": method}
	if len(params) > 0 {
		request["params"] = params[0]
	}
	return call(request)
}
`,
}

func TestNatives(t *testing.T) {
	cfg := helpers(t, basic)
	for _, c := range []struct{ snippet, want string }{
		{`cdp("Page.enable")`, "{\"echo\":\"Page.enable\"}\n"},
		{`cdp("Page.enable", M{"a": 1})["echo"]`, "Page.enable\n"},
		{`err := try(func() { cdp("Fail") }); fmt.Println(err.Code, err.Message, err)`, "cdp_error no such thing cdp_error: no such thing\n"},
		{`err := try(func() { cdp("Ok") }); fmt.Println(err == nil)`, "true\n"},
		{`func cdp(m string) string { return "mine " + m }; cdp("x")`, "mine x\n"},
		{"func f() (code string) { defer func() { if e, ok := recover().(*Error); ok { code = e.Code } }(); cdp(\"Fail\"); return }\nf()", "cdp_error\n"},
	} {
		got, err := output(t, cfg, c.snippet)
		if err != nil || got != c.want {
			t.Errorf("%s\n%v\ngot  %s\nwant %s", c.snippet, err, got, c.want)
		}
	}
	_, err := output(t, cfg, "x := 1\n_ = x\ncdp(\"Fail\")")
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("%v", err)
	}
	if f, ok := e.Value.(*failure); !ok || f.Code != "cdp_error" || e.Pos != "snippet:3" {
		t.Errorf("%#v", e)
	}
}
