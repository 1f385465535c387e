package script

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What was built in says "compiled", its text says "text": so a test sees which one ran.
var shipped = map[string]string{
	"low.go": `package helpers

import "strings"

var count = 1

func low() string { return strings.ToLower("TEXT") }

func other() string { return "other text" }

func bump() int { count++; return count }

func biggest(a, b int) int { return max(a, b) }

func fails() { panic("text") }
`,
	"high.go": `package helpers

func high() string { return "high text, " + low() }

func both[T any](v T) []T { return []T{v, v} }

func higher(f func(string) string) string { return f("higher text") }
`,
}

var compiledCount = 10

func compiledFails() { panic(&failure{Code: "compiled", Message: "failed"}) }

func builtConfig(t *testing.T, edit func(files map[string]string)) Config {
	t.Helper()
	files := maps.Clone(shipped)
	if edit != nil {
		edit(files)
	}
	dir := t.TempDir()
	for n, s := range files {
		if err := os.WriteFile(filepath.Join(dir, n), []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	values := map[string]any{
		"count": &compiledCount, "low": func() string { return "compiled" }, "other": func() string { return "other compiled" },
		"bump": func() int { compiledCount++; return compiledCount }, "high": func() string { return "high compiled" },
		"biggest": func(a, b int) int { return 1000 }, "fails": compiledFails,
		"higher": func(f func(string) string) string { return f("higher compiled") },
	}
	return Config{Dir: dir, Built: builtOf("bu/run/script", shipped, func(n string) any { return values[n] })}
}

// builtOf is what run/gen would write down of these files.
func builtOf(path string, files map[string]string, value func(string) any) *Built {
	uses := Uses(files)
	return &Built{Path: path, Files: slices.Sorted(maps.Keys(files)), Text: func(n string) string { return files[n] }, Value: value,
		Uses: func(n string) (string, string) { return uses[n][0], uses[n][1] }}
}

// A helper runs compiled exactly as long as it, and what it reaches, is what was built in.
func TestBuilt(t *testing.T) {
	swap := func(file, old, new string) func(map[string]string) {
		return func(files map[string]string) { files[file] = strings.Replace(files[file], old, new, 1) }
	}
	for _, c := range []struct {
		what    string
		edit    func(map[string]string)
		snippet string
		want    string
	}{
		{"untouched", nil, `low() + ", " + high()`, "compiled, high compiled"},
		{"a generic helper is interpreted", nil, `len(both(high()))`, "2"},
		{"edited", swap("low.go", `"TEXT"`, `"NEW"`), `low()`, "new"},
		{"what stands on it", swap("low.go", `"TEXT"`, `"NEW"`), `high()`, "high text, new"},
		{"what does not", swap("low.go", `"TEXT"`, `"NEW"`), `other()`, "other compiled"},
		{"an edit in another file costs nothing", swap("high.go", `"high text, "`, `"new "`), `low() + high()`, "compilednew compiled"},
		{"a comment outside of it", swap("low.go", "func other", "// new\nfunc other"), `low()`, "compiled"},
		{"an import that means another", swap("low.go", `import "strings"`, `import strings "bytes"`), `other()`, "other compiled"},
		{"my own wins", func(f map[string]string) { f["my.go"] = "package helpers\nfunc low() string { return `mine` }" }, `high() + other()`, "high text, mineother compiled"},
		{"my own named so that it is read last", func(f map[string]string) { f["my_z.go"] = "package helpers\nfunc low() string { return `mine` }" }, `low()`, "mine"},
		{"my own takes a builtin's name", func(f map[string]string) { f["my.go"] = "package helpers\nfunc max(a, b int) int { return 7 }" }, `biggest(1, 2)`, "7"},
		{"moved to another file", func(f map[string]string) {
			other := `func other() string { return "other text" }`
			f["low.go"], f["new.go"] = strings.Replace(f["low.go"], other, "", 1), "package helpers\n"+other
		}, `other() + low()`, "other compiledcompiled"},
		{"my own init runs", func(f map[string]string) { f["my.go"] = "package helpers\nfunc init() { count = 7 }" }, `bump()`, "8"},
		{"a new file", func(f map[string]string) { f["new.go"] = "package helpers\nfunc fresh() string { return low() + `!` }" }, `fresh()`, "compiled!"},
		{"the snippet's function", nil, "func low() string { return `snippet` }\nhigh() + other()", "high text, snippetother compiled"},
		{"the snippet's variable is none", nil, "low := `variable`\nfunc f() string { return low }\nhigh() + f()", "high compiledvariable"},
		{"one variable, compiled", nil, `count = 20; bump()`, "21"},
		{"one variable, one side interpreted", swap("low.go", "func low()", "func readCount() int { return count }\n\nfunc low()"), `count = 30; bump(); readCount()`, "31"},
		{"a variable that was edited", swap("low.go", "var count = 1", "var count = 5"), `bump()`, "6"},
		{"a function across", nil, `higher(func(s string) string { return s + "!" })`, "higher compiled!"},
	} {
		compiledCount = 10
		got, err := output(t, builtConfig(t, c.edit), c.snippet)
		if err != nil || strings.TrimSpace(got) != c.want {
			t.Errorf("%s: %v\ngot  %s\nwant %s", c.what, err, got, c.want)
		}
	}
}

// What goes wrong in the folder is told once, with the file, and only to who reaches it.
func TestBuiltErrors(t *testing.T) {
	for _, c := range []struct {
		what    string
		edit    func(map[string]string)
		snippet string
		words   []string // none: it runs
	}{
		{"removed", func(f map[string]string) {
			f["low.go"] = strings.Replace(f["low.go"], "func other() string { return \"other text\" }", "", 1)
		}, `other()`, []string{"snippet:1", "undefined: other", "low.go"}},
		{"renamed", func(f map[string]string) { f["low.go"] = strings.Replace(f["low.go"], "func low(", "func lowest(", 1) }, `high()`, []string{"undefined: low", "high.go:3"}},
		{"a file that is gone", func(f map[string]string) { delete(f, "high.go") }, `high()`, []string{"undefined: high", "high.go"}},
		{"a syntax error", func(f map[string]string) {
			f["low.go"] = strings.Replace(f["low.go"], "strings.ToLower(", "strings.ToLower((", 1)
		}, `high()`, []string{"helpers/low.go:"}},
		{"that nobody reaches", func(f map[string]string) {
			f["low.go"] = strings.Replace(f["low.go"], "strings.ToLower(", "strings.ToLower((", 1)
		}, `other()`, nil},
		{"declared twice", func(f map[string]string) {
			f["my.go"] = "package helpers\nfunc mine() int { return 1 }\nfunc mine() int { return 2 }"
		}, `mine()`, []string{"helpers/my.go:3", "mine is declared twice", "helpers/my.go:2"}},
		{"declared in a file beside its own", func(f map[string]string) {
			f["new.go"] = "package helpers\nfunc low() string { return `new` }"
		}, `high()`, []string{"helpers/new.go:2", "low is declared twice", "helpers/low.go:"}},
		{"declared in two of mine", func(f map[string]string) {
			f["my.go"], f["my2.go"] = "package helpers\nfunc low() string { return `1` }", "package helpers\nfunc low() string { return `2` }"
		}, `low()`, []string{"helpers/my2.go:2", "declared twice", "helpers/my.go:2"}},
		{"no Go at all", func(f map[string]string) { f["my.go"] = "\x00\x01 {{{" }, `other()`, nil},
	} {
		_, err := output(t, builtConfig(t, c.edit), c.snippet)
		var e *Error
		if len(c.words) == 0 {
			if err != nil {
				t.Errorf("%s: %v", c.what, err)
			}
			continue
		}
		if !errors.As(err, &e) || e.Kind != Compile {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		for _, w := range c.words {
			if !strings.Contains(e.Error(), w) {
				t.Errorf("%s: %q is not in %s", c.what, w, e)
			}
		}
	}
}

// A compiled helper that panics is told with the line of the snippet, its name, file and line.
func TestBuiltPanic(t *testing.T) {
	_, err := output(t, builtConfig(t, nil), "x := 1\n_ = x\nfails()")
	var e *Error
	if !errors.As(err, &e) || e.Pos != "snippet:3" || !strings.Contains(e.Trace, "in compiledFails (helpers/built_test.go:") {
		t.Fatalf("%#v", err)
	}
	if f, ok := e.Value.(*failure); !ok || f.Code != "compiled" {
		t.Errorf("%#v", e.Value)
	}
}
