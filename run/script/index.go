package script

import (
	"go/ast"
	"go/types"
	"strings"
)

// Where a panic may be caught, indices and bounds go through the functions here, because
// yaegi's own panics lack the numbers. It costs a call each, so other scripts do without.

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

// catches says whether a panic may be caught in f.
func (m *lower) catches(f *ast.File) (found bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		if i, ok := n.(*ast.Ident); ok && (i.Name == "recover" || i.Name == "try") {
			o := m.info.Uses[i]
			_, builtin := o.(*types.Builtin)
			found = found || builtin || o != nil && isGlobal(o)
		}
		return !found
	})
	return
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
	if n := m.size("len", e.X); n != nil && (m.info.Types[e.Index].Value == nil || !m.isArray(e.X)) {
		return callOf(e.Pos(), m.useFunc("inRange", inRange), i, n)
	}
	return i
}

// size is len or cap of x; nil if it cannot be told or nobody would see the difference.
func (m *lower) size(which string, x ast.Expr) ast.Expr {
	if !m.exact || !m.again(x) {
		return nil
	}
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
	low := func() ast.Expr {
		if e.Low == nil {
			return number(0)
		}
		return m.index(e.Low)
	}
	check := func(f string, v any, args ...ast.Expr) ast.Expr {
		return callOf(e.Pos(), m.useFunc(f, v), args...)
	}
	n, c := m.size("len", e.X), ast.Expr(nil)
	if _, ok := m.typeOf(e.X).Underlying().(*types.Slice); ok {
		c = m.size("cap", e.X)
	}
	switch {
	case n == nil || !m.again(e.Low):
	case e.Max != nil && c != nil && m.again(e.High):
		s.Max = check("maxBound", maxBound, low(), m.index(e.High), s.Max, c)
	case e.Max != nil:
	case e.High != nil && c != nil:
		s.High = check("highBound", highBound, low(), s.High, c)
	case e.High != nil:
		s.High = check("highBoundLen", highBoundLen, low(), s.High, n)
	case e.Low != nil:
		s.Low = check("lowBound", lowBound, s.Low, n)
	}
	return m.wrap(s, m.typeOf(e))
}
