package script

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"strconv"
	"strings"
)

// yaegi's panics of indices and bounds lack the numbers, so a check that panics as Go does
// goes before: a comparison before the statement or inside of the condition, which costs a
// fraction of a call (bounds.go). What an operand with effects, or a call in the middle of
// the statement, keeps from that is checked by a call of the functions here.

// inRange returns i, an index into what has n elements, or panics as Go does.
func inRange(i, n int) int {
	if uint(i) >= uint(n) {
		_ = make([]struct{}, n)[i]
	}
	return i
}

// lowBound returns the lower bound of x[lo:] with n = len(x).
func lowBound(lo, n int) int {
	if uint(lo) > uint(n) {
		_ = make([]struct{}, n)[lo:]
	}
	return lo
}

// highBound returns the upper bound of x[lo:hi] for a slice of capacity n.
func highBound(lo, hi, n int) int {
	if uint(hi) > uint(n) || uint(lo) > uint(hi) {
		_ = make([]struct{}, n)[lo:hi]
	}
	return hi
}

// highBoundLen is highBound for a string or array of length n.
func highBoundLen(lo, hi, n int) int {
	if uint(hi) > uint(n) || uint(lo) > uint(hi) {
		_ = strings.Repeat("x", n)[lo:hi]
	}
	return hi
}

// maxBound returns the last bound of x[lo:hi:most] for a slice of capacity n.
func maxBound(lo, hi, most, n int) int {
	if uint(most) > uint(n) || uint(hi) > uint(most) || uint(lo) > uint(hi) {
		_ = make([]struct{}, n)[lo:hi:most]
	}
	return most
}

// again says whether e can be lowered twice: it has no effects and is short.
func (m *lower) again(e ast.Expr) bool {
	left := 16
	return m.plain(e, &left)
}

// plain says whether e has no effects and no more parts than are left.
func (m *lower) plain(e ast.Expr, left *int) bool {
	if *left--; *left < 0 {
		return false
	}
	if e == nil || m.info.Types[e].Value != nil {
		return true
	}
	switch e := e.(type) {
	case *ast.Ident:
		return true
	case *ast.ParenExpr:
		return m.plain(e.X, left)
	case *ast.StarExpr:
		return m.plain(e.X, left)
	case *ast.SelectorExpr:
		s := m.info.Selections[e]
		return s == nil || s.Kind() == types.FieldVal && m.plain(e.X, left)
	case *ast.BinaryExpr:
		return m.plain(e.X, left) && m.plain(e.Y, left)
	case *ast.IndexExpr:
		return m.plain(e.X, left) && m.plain(e.Index, left)
	case *ast.CallExpr:
		return m.builtin(e.Fun) == "len" && m.plain(e.Args[0], left)
	}
	return false
}

// indexed lowers x[i], which is of no map.
func (m *lower) indexed(e *ast.IndexExpr) ast.Expr {
	out := &ast.IndexExpr{X: m.operand(e.X), Lbrack: e.Lbrack, Index: m.index(e.Index)}
	switch {
	case m.bounds.checked[e] != later, m.again(e) && m.inRange(e):
	case m.again(e.X) || m.isArray(e.X):
		out.Index = callOf(e.Pos(), m.useFunc("inRange", inRange), out.Index, m.size("len", e.X))
	case m.again(e.Index):
		out.X = callOf(e.Pos(), m.checked(m.typeOf(e.X), "inRange", inRange, "len"), out.X, m.index(e.Index))
	}
	return out
}

// checked is the name of a function that returns its argument, of type t, once check has
// found that the numbers after it are in range.
func (m *lower) checked(t types.Type, name string, check any, size string) string {
	t = m.bare(t)
	key := name + strconv.Itoa(m.typeNumber(t))
	f := m.funcs[key]
	if f == "" {
		f = m.fresh("checked")
		m.funcs[key] = f
		c := callOf(token.NoPos, m.useFunc(name, check))
		ps := params(field("x", m.rep(t)))
		for i := range reflect.TypeOf(check).NumIn() - 1 {
			n := "n" + strconv.Itoa(i)
			ps.List = append(ps.List, field(n, id("int")))
			c.Args = append(c.Args, id(n))
		}
		c.Args = append(c.Args, callOf(token.NoPos, size, id("x")))
		m.out = append(m.out, &ast.FuncDecl{Name: id(f), Type: &ast.FuncType{Params: ps, Results: params(&ast.Field{Type: m.rep(t)})},
			Body: block(&ast.ExprStmt{X: c}, &ast.ReturnStmt{Results: []ast.Expr{id("x")}})})
	}
	return f
}

// size is len or cap of x.
func (m *lower) size(which string, x ast.Expr) ast.Expr {
	t := m.typeOf(x).Underlying()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem().Underlying()
	}
	if a, ok := t.(*types.Array); ok {
		return number(int(a.Len()))
	}
	return callOf(x.Pos(), which, m.operand(x))
}

func (m *lower) isArray(x ast.Expr) bool {
	t := m.typeOf(x).Underlying()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem().Underlying()
	}
	_, ok := t.(*types.Array)
	return ok
}

// slice lowers x[lo:hi:max].
func (m *lower) slice(e *ast.SliceExpr) ast.Expr {
	s := &ast.SliceExpr{X: m.operand(e.X), Lbrack: e.Lbrack, Low: m.index(e.Low), High: m.index(e.High), Max: m.index(e.Max), Slice3: e.Slice3}
	name, check, size, args := m.sliceCheck(e)
	if m.bounds.checked[e] != later || check == nil || !m.again(e.Low) || !m.again(e.High) || !m.again(e.Max) {
		return m.wrap(s, m.typeOf(e))
	}
	if !m.again(e.X) {
		if _, pointer := m.typeOf(e.X).Underlying().(*types.Pointer); !pointer {
			s.X = callOf(e.Pos(), m.checked(m.typeOf(e.X), name, check, size), append([]ast.Expr{s.X}, args...)...)
		}
		return m.wrap(s, m.typeOf(e))
	}
	c := callOf(e.Pos(), m.useFunc(name, check), append(args, m.size(size, e.X))...)
	switch {
	case e.Max != nil:
		s.Max = c
	case e.High != nil:
		s.High = c
	default:
		s.Low = c
	}
	return m.wrap(s, m.typeOf(e))
}

// sliceCheck is the function that panics if the bounds of e are bad, and gives the last of
// them: its name, what size it takes after args.
func (m *lower) sliceCheck(e *ast.SliceExpr) (name string, check any, size string, args []ast.Expr) {
	low := m.index(e.Low)
	if low == nil {
		low = number(0)
	}
	_, isSlice := m.typeOf(e.X).Underlying().(*types.Slice)
	switch {
	case e.Max != nil && isSlice:
		return "maxBound", maxBound, "cap", []ast.Expr{low, m.index(e.High), m.index(e.Max)}
	case e.Max != nil:
	case e.High != nil && isSlice:
		return "highBound", highBound, "cap", []ast.Expr{low, m.index(e.High)}
	case e.High != nil:
		return "highBoundLen", highBoundLen, "len", []ast.Expr{low, m.index(e.High)}
	case e.Low != nil:
		return "lowBound", lowBound, "len", []ast.Expr{low}
	}
	return "", nil, "", nil
}
