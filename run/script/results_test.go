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

// The cases of a select belong to the goroutine that is in it.
func TestSelectInManyGoroutines(t *testing.T) {
	compare(t, []probe{{Name: "select", Snippet: `var wg sync.WaitGroup
cs := make([]chan int, 8)
sums := make([]int, 8)
for i := range cs {
	cs[i] = make(chan int)
	wg.Go(func() {
		for {
			select {
			case v, ok := <-cs[i]:
				if !ok { return }
				sums[i] += v
			case <-time.After(time.Minute): return
			}
		}
	})
}
for range 100 { for i, c := range cs { c <- i } }
for _, c := range cs { close(c) }
wg.Wait()
fmt.Println(sums)
`, Stdout: "[0 100 200 300 400 500 600 700]\n"}})
}

// A template prints a struct as fmt does, and follows pointers that lead in a circle.
func TestTemplatesSeeStructs(t *testing.T) {
	compare(t, []probe{{Name: "template", Snippet: `type Node struct { Name string; Up *Node; Kids []*Node }
func (n Node) Depth() int { if n.Up == nil { return 0 }; return n.Up.Depth() + 1 }
func (n *Node) First() string { return n.Kids[0].Name }
type P struct { N string; a int }
func (p P) String() string { return "P(" + p.N + ")" }
root := &Node{Name: "root"}
root.Kids = []*Node{{Name: "a", Up: root}, {Name: "b", Up: root}}
template.Must(template.New("").Parse("{{.Name}} {{.First}}{{range .Kids}} {{.Name}}<{{.Up.Name}} {{.Depth}}{{end}}\n")).Execute(os.Stdout, root)
template.Must(template.New("").Parse("{{.}} {{.N}} {{printf \"%v|%s\" . .}}\n")).Execute(os.Stdout, P{"x", 1})
template.Must(template.New("").Parse("{{.}} {{range .L}}{{.}};{{end}}\n")).Execute(os.Stdout, struct{ A int; L []P }{1, []P{{"y", 2}}})
`, Stdout: "root a a<root 1 b<root 1\nP(x) x P(x)|P(x)\n{1 [P(y)]} P(y);\n"}})
}
