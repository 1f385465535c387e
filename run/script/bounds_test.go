package script

import (
	"errors"
	"strings"
	"testing"
)

// A bad index or bound is told with its numbers, wherever it stands.
func TestIndexPanicsHaveNumbers(t *testing.T) {
	for _, c := range []struct{ snippet, want string }{
		{"xs, s := []int{1, 2, 3}, 0\nfor i := 0; i <= 3; i++ { s += xs[i] }", "2: runtime error: index out of range [3] with length 3"},
		{"func get(xs []int, i int) int { return xs[i] }\nget([]int{1}, -1)", "1: runtime error: index out of range [-1]"},
		{"for _, l := range []string{\"a=1\", \"b\"} {\n\tkv := strings.Split(l, \"=\")\n\tk, v := kv[0], kv[1]\n\t_, _ = k, v\n}", "3: runtime error: index out of range [1] with length 1"},
		{"xs := []int{3, 1, 2}\nfor i := 1; i <= len(xs); i++ {\n\tfor j := i; j > 0 && xs[j-1] > xs[j]; j-- { xs[j-1], xs[j] = xs[j], xs[j-1] }\n}", "3: runtime error: index out of range [3] with length 3"},
		{"var g [3][3]int\nk := 3\ng[1][k]++", "3: runtime error: index out of range [3] with length 3"},
		{"var xs []string\nif len(xs) > 0 || xs[0] == \"\" { fmt.Println() }", "2: runtime error: index out of range [0] with length 0"},
		{"xs, n := []int{1, 2}, 2\nsort.Slice(xs, func(i, j int) bool { return xs[i+n] < xs[j] })", "2: runtime error: index out of range [3] with length 2"},
		{"xs := []int{}\nfmt.Println(strings.ToUpper(\"a\"), xs[2])", "2: runtime error: index out of range [2] with length 0"},
		{"xs := [][]string{{\"a\"}}\nfor r := range xs { for c := range 2 { if v := xs[r][c]; v != \"\" { _ = v } } }", "2: runtime error: index out of range [1] with length 1"},
		{"s, i := \"abc\", uint8(200)\n_ = s[i]", "2: runtime error: index out of range [200] with length 3"},
		{"p, i := &[3]int{}, 3\np[i] = 5", "2: runtime error: index out of range [3] with length 3"},
		{"s := \"hello\"\nfor i := range 9 { s = s[i:9] }", "2: runtime error: slice bounds out of range [:9] with length 5"},
		{"xs, n := []int{1, 2, 3}, 5\nys := xs[n:]\n_ = ys", "2: runtime error: slice bounds out of range [5:3]"},
		{"xs, lo, hi := []int{1, 2, 3}, 2, 1\nxs = xs[lo:hi]", "2: runtime error: slice bounds out of range [2:1]"},
		{"xs, hi := make([]int, 2, 4), 5\nxs = xs[:hi]", "2: runtime error: slice bounds out of range [:5] with capacity 4"},
		{"xs, i, j := []int{1, 2, 3}, 1, 4\nxs = xs[i:j:j]", "2: runtime error: slice bounds out of range [::4] with capacity 3"},
		{"s := \"a=b\"\nfmt.Println(strings.Split(s, \"=\")[2])", "2: runtime error: index out of range [2] with length 2"},
		{"f := func() []int { return []int{1} }\ni := 4\nf()[i] = 2", "3: runtime error: index out of range [4] with length 1"},
		{"type C int\nfunc (c C) Name() string { return [...]string{\"a\", \"b\"}[c] }\nC(7).Name()", "2: runtime error: index out of range [7] with length 2"},
		{"s := \" a\"\n_ = strings.TrimSpace(s)[2:]", "2: runtime error: slice bounds out of range [2:1]"},
		{"s, n := \" a\", 5\n_ = strings.Fields(s)[:n]", "2: runtime error: slice bounds out of range [:5] with capacity 1"},
		{"xs, i := []int{1}, -1\nfor i < 5 && xs[i] > 0 { i++ }", "2: runtime error: index out of range [-1]"},
		{"xs := []int{1}\nfor i := 0; xs[i] > 0; i++ {\n}", "2: runtime error: index out of range [1] with length 1"},
	} {
		_, err := output(t, Config{}, c.snippet)
		var e *Error
		if !errors.As(err, &e) || e.Kind != Panic || e.Error() != "snippet:"+c.want {
			t.Errorf("%s\ngot  %v\nwant snippet:%s", c.snippet, err, c.want)
		}
	}
}

// A check goes before what the statement does, and takes nothing from it.
func TestChecksChangeNothing(t *testing.T) {
	compare(t, []probe{{Name: "checks", Snippet: `xs, i := []int{1, 2, 3}, 0
next := func() int { i++; return i }
grow := func() int { xs = append(xs, 9); return len(xs) - 1 }
fmt.Println(xs[grow()], xs[next()], xs[i])
ys := make([]int, 3)
ys[next()] = next()
func() { defer func() { fmt.Println(recover(), i) }(); ys[5] = next() }()
func() { defer func() { fmt.Println(recover(), i) }(); fmt.Println(next(), ys[next()]) }()
var none []int
fmt.Println(len(none) > 0 && none[0] == 1, len(none) == 0 || none[0] == 1)
i, xs[i-4] = 0, 7
for j := len(xs) - 1; j >= 0 && xs[j] != 7; j-- { i += xs[j] }
for n, x := range xs { if n+1 < len(xs) && xs[n+1] == x { i++ }; switch { case x > 8 && xs[n] == x: i += 100 } }
fmt.Println(i, xs, ys, xs[1:][:2], "abc"[1:][0])
`, Stdout: strings.Join([]string{"9 2 2", "runtime error: index out of range [5] with length 3 4", "runtime error: index out of range [6] with length 3 6", "false true", "109 [1 2 7 9] [0 0 3] [2 7] 98", ""}, "\n")}})
}
