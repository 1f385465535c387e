package script

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"runtime"
	"runtime/metrics"
	"time"
)

// deepest is how much stack one goroutine may use, in bytes: calls 100,000 deep or more.
const deepest = 96 << 20

// most is how much memory a run may hold, in bytes. Beyond what the system has Go ends the
// process in a way that nothing can catch, or the system ends another.
const most = 4 << 30

// large is how much memory is asked for only after a look at how much it is.
const large = 256 << 20

// fits returns n, how many things of size bytes are wanted in one piece, or panics.
func fits(n, size int) int {
	if n > 0 && uint64(n) > most/uint64(max(size, 1)) {
		panic(runtimeError(fmt.Sprintf("runtime error: out of memory: %d times %d bytes; a run may hold 4 GB", n, size)))
	}
	return n
}

// longest is how long a text may grow by adding texts to each other: a loop that doubles one
// is at what the system has within moments.
var longest = most / 4

// grown asks, behind an assignment of v to a variable, whether the text has grown too long.
func (m *lower) grown(s *ast.AssignStmt, v ast.Expr) []ast.Stmt {
	sum, isSum := ast.Unparen(v).(*ast.BinaryExpr)
	to, isVar := ast.Unparen(s.Lhs[0]).(*ast.Ident)
	if !isSum || !isVar || sum.Op != token.ADD || s.Tok != token.ASSIGN && s.Tok != token.ADD_ASSIGN || m.isBlank(to) || m.info.Types[sum.Y].Value != nil {
		return nil
	}
	if b, ok := m.typeOf(to).Underlying().(*types.Basic); !ok || b.Info()&types.IsString == 0 {
		return nil
	}
	n := callOf(s.TokPos, "len", m.operand(to))
	stop := &ast.ExprStmt{X: callOf(s.TokPos, m.useFunc("tooLong", tooLong), n)}
	return []ast.Stmt{&ast.IfStmt{Cond: &ast.BinaryExpr{X: n, Op: token.GTR, Y: number(longest)}, Body: block(m.mark(s.Pos()), stop)}}
}

func tooLong(n int) {
	panic(runtimeError(fmt.Sprintf("runtime error: out of memory: a text of %d bytes; a run may hold 4 GB", n)))
}

// made is how many things of what size e, a call of make, makes; ok says whether it may be
// too much.
func (m *lower) made(e *ast.CallExpr) (last ast.Expr, size int, ok bool) {
	t := m.typeOf(e).Underlying()
	if _, isMap := t.(*types.Map); isMap || len(e.Args) < 2 {
		return nil, 0, false
	}
	last = e.Args[len(e.Args)-1]
	size = max(int(sizes.Sizeof(t.(interface{ Elem() types.Type }).Elem())), 1)
	if v := m.info.Types[last].Value; v != nil {
		n, exact := constant.Int64Val(constant.ToInt(v))
		return last, size, !exact || n > int64(large/size)
	}
	return last, size, true
}

var sizes = types.SizesFor("gc", "amd64")

// watch ends the run when it holds too much memory, when calls are too deep, or when every goroutine waits for ever. Go would end
// the process at ten times that depth, after gigabytes, in a way that nothing can catch; and
// counting the calls would make each of them slower. The script goes on until the process
// ends.
func (b *boxes) watch(began, over <-chan struct{}) {
	<-began
	samples := []metrics.Sample{{Name: "/memory/classes/heap/stacks:bytes"}, {Name: "/sched/goroutines/running:goroutines"}, {Name: "/sched/goroutines/runnable:goroutines"}, {Name: "/memory/classes/heap/objects:bytes"}}
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for idle, wait := 0, 1; ; {
		select {
		case <-over:
			return
		case <-tick.C:
		}
		metrics.Read(samples)
		if samples[3].Value.Uint64() > most {
			pos, trace := b.now()
			b.finish(&Error{Kind: Panic, Pos: pos, Trace: trace, Msg: "out of memory: the run holds more than 4 GB"})
			return
		}
		if samples[0].Value.Uint64() >= deepest+64<<10*uint64(runtime.NumGoroutine()) {
			pos, trace := b.now()
			b.finish(&Error{Kind: Panic, Pos: pos, Trace: trace, Msg: "stack overflow: calls are more than 100,000 deep; does a function call itself without end?"})
			return
		}
		if samples[1].Value.Uint64() > 1 || samples[2].Value.Uint64() > 0 { // besides this one
			idle, wait = 0, 1
			continue
		}
		if idle++; idle < wait {
			continue
		}
		if b.asleep() {
			pos, trace := b.now()
			b.finish(&Error{Kind: Panic, Pos: pos, Trace: trace, Msg: "all goroutines are asleep (deadlock): each waits for another, and nothing will wake them"})
			return
		}
		idle, wait = 0, min(2*wait, 10) // it waits for something outside
	}
}

// now is about where the script is while it runs.
//
//go:norace
func (b *boxes) now() (pos, trace string) {
	b.state.Lock()
	first := b.first
	b.state.Unlock()
	if first == nil {
		return "", ""
	}
	if pos, trace = b.told(first.now(&b.panics)); pos == "" {
		pos = snippetName
	}
	return pos, trace
}
