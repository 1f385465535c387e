package script

import "testing"

// A named result begins as its zero value at every call, also of one place in a loop.
func TestNamedResultsBeginAtZero(t *testing.T) {
	compare(t, []probe{{Name: "results", Snippet: `func f(i int) (found []int, n int) { if i == 0 { found, n = append(found, 1), 5 }; return found, n }
func g(i int) (n int) { if i == 0 { n = 5 }; return }
func h(i int) (n int, err error) { defer func() { n++ }(); if i == 0 { n, err = 5, errors.New("first") }; return n, err }
k := func(i int) (s string) { if i == 0 { s = "x" }; return s }
for i := 0; i < 2; i++ {
	a, n := f(i)
	fmt.Println(a, n, g(i), k(i))
	fmt.Println(h(i))
}
`, Stdout: "[1] 5 5 x\n6 first\n[] 0 0 \n1 <nil>\n"}})
}
