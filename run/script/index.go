package script

import (
	"go/ast"
	"go/types"
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

// again says whether e can be lowered twice: it has no effects.
func (m *lower) again(e ast.Expr) bool {
	if e == nil || m.info.Types[e].Value != nil {
		return true
	}
	switch e := e.(type) {
	case *ast.Ident:
		return true
	case *ast.ParenExpr:
		return m.again(e.X)
	case *ast.StarExpr:
		return m.again(e.X)
	case *ast.SelectorExpr:
		s := m.info.Selections[e]
		return s == nil || s.Kind() == types.FieldVal && m.again(e.X)
	case *ast.BinaryExpr:
		return m.again(e.X) && m.again(e.Y)
	case *ast.IndexExpr:
		return m.again(e.X) && m.again(e.Index)
	case *ast.CallExpr:
		i, ok := e.Fun.(*ast.Ident)
		return ok && i.Name == "len" && len(e.Args) == 1 && m.info.Uses[i] == types.Universe.Lookup("len") && m.again(e.Args[0])
	}
	return false
}

// element lowers the index of e, which is of no map.
func (m *lower) element(e *ast.IndexExpr) ast.Expr {
	i := m.index(e.Index)
	if m.bounds.checked[e] || !m.again(e.X) || m.inRange(e) {
		return i
	}
	return callOf(e.Pos(), m.useFunc("inRange", inRange), i, m.size("len", e.X))
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
	if m.bounds.checked[e] || !m.again(e.X) || !m.again(e.Low) || !m.again(e.High) {
		return m.wrap(s, m.typeOf(e))
	}
	check := m.sliceCheck(e)
	switch {
	case check == nil:
	case e.Max != nil:
		s.Max = check
	case e.High != nil:
		s.High = check
	default:
		s.Low = check
	}
	return m.wrap(s, m.typeOf(e))
}

// sliceCheck is the call that panics if the bounds of e are bad, and gives the last of them.
func (m *lower) sliceCheck(e *ast.SliceExpr) ast.Expr {
	call := func(f string, v any, args ...ast.Expr) ast.Expr { return callOf(e.Pos(), m.useFunc(f, v), args...) }
	low := m.index(e.Low)
	if low == nil {
		low = number(0)
	}
	_, isSlice := m.typeOf(e.X).Underlying().(*types.Slice)
	switch {
	case e.Max != nil && isSlice:
		return call("maxBound", maxBound, low, m.index(e.High), m.index(e.Max), m.size("cap", e.X))
	case e.Max != nil:
		return nil
	case e.High != nil && isSlice:
		return call("highBound", highBound, low, m.index(e.High), m.size("cap", e.X))
	case e.High != nil:
		return call("highBoundLen", highBoundLen, low, m.index(e.High), m.size("len", e.X))
	case e.Low != nil:
		return call("lowBound", lowBound, low, m.size("len", e.X))
	}
	return nil
}
