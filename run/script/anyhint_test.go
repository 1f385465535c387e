package script

import (
	"strings"
	"testing"
)

// Field case 106: where a value may be anything, as JSON is, the message says how it is written there.
func TestAnyHints(t *testing.T) {
	cfg := helpers(t, map[string]string{"core.go": `package helpers
type M = map[string]any
func get(v any, path ...any) any { return nil }
func as[T any](v any) T { t, _ := v.(T); return t }
func or(v, otherwise any) any { return v }
func js(code string) any { return nil }
func read() M { return nil }
func at(x, y float64, how ...any) {}
func press(name string) {}
`})
	for snippet, says := range map[string]string{
		`read()["elements"][0]`:                      `write get(read(), "elements", 0)`,
		`for _, e := range read()["elements"] { e }`: `write as[[]any](read()["elements"])`,
		`if js("1>0") { at(1, 2) }`:                  `write as[bool](js("1>0"))`,
		`for js("1>0") { at(1, 2) }`:                 `write as[bool](js("1>0"))`,
		`n := 5; at(n, n)`:                           `write float64(n)`,
		`at(1, len("x"))`:                            `write float64(len("x"))`,
		`n := js("5"); at(n, 2)`:                     `write as[float64](n)`,
		`press(get(read(), "a"))`:                    `write as[string](get(read(), "a"))`,
		`strings.ToUpper(js("s"))`:                   `write as[string](js("s"))`,
		`js("1") + 1`:                                `write as[float64](js("1")) + 1`,
		`"px" + js("1")`:                             `write "px" + as[string](js("1"))`,
		`a := js("1"); b := js("2"); a * b`:          `write as[float64](a) * as[float64](b)`,
		`for i := 0; i < js("3"); i++ { at(1, 2) }`:  `write i < as[int](js("3"))`,
		`!js("true")`:                                `write as[bool](js("true"))`,
		`x := 1.5; x += js("2"); x`:                  `write as[float64](js("2"))`,
		`x := js("2"); x++; x`:                       `write x = as[float64](x) + 1`,
		`var s string = js("s"); s`:                  `write as[string](js("s"))`,
		`var s string; s = js("s"); s`:               `write as[string](js("s"))`,
		`s := []string{"a", js("s")}; s`:             `write as[string](js("s"))`,
		`func f() int { return js("1") }; f()`:       `write as[int](js("1"))`,
		`f := func() int { return js("1") }; f()`:    `write as[int](js("1"))`,
		`[]string{"a"}[js("0")]`:                     `write as[int](js("0"))`,
		`len(read()["elements"])`:                    `write len(as[[]any](read()["elements"]))`,
		`m := js("m"); m["a"]`:                       `write get(m, "a")`,
		`m := js("m"); m.a`:                          `write get(m, "a")`,
		`m := read(); m["a"]["b"]`:                   `write get(m, "a", "b")`,
	} {
		_, err := output(t, cfg, snippet)
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s\nsays  %v\nwants %s", snippet, err, says)
		}
	}
	if _, err := output(t, cfg, `undefinedThing(js("1"))`); err == nil || strings.Contains(err.Error(), "write ") {
		t.Error(err)
	}
}
