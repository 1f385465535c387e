package script

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"
)

// bounds is how the indices in what is being lowered are checked.
type bounds struct {
	checked map[ast.Expr]how
	sure    []string // what conditions around say is in range
}

// how an index is checked.
type how int

const (
	later    how = iota
	known        // not at all: it is in range
	compared     // by a comparison before
)

// A check is of an index: comparisons of which one is true if it is bad, and the call that
// panics then.
type check struct {
	bad  []*ast.BinaryExpr
	call ast.Expr
}

// guards are the comparisons to make before s.
func (m *lower) guards(s ast.Stmt) (out []ast.Stmt) {
	m.bounds.checked = map[ast.Expr]how{}
	var first ast.Node // what is evaluated
	switch s := s.(type) {
	case *ast.ExprStmt, *ast.AssignStmt, *ast.IncDecStmt, *ast.ReturnStmt, *ast.SendStmt, *ast.DeclStmt, *ast.GoStmt, *ast.DeferStmt:
		first = s
	case *ast.RangeStmt:
		first = s.X
	case *ast.IfStmt:
		if first = s.Cond; s.Init != nil {
			first = s.Init
		}
	case *ast.SwitchStmt:
		if s.Init != nil {
			first = s.Init
		} else if s.Tag != nil {
			first = s.Tag
		}
	case *ast.ForStmt:
		if s.Init != nil {
			first = s.Init
		}
	}
	if first == nil {
		return nil
	}
	for _, c := range m.checks(first) {
		out = append(out, &ast.IfStmt{If: s.Pos(), Cond: joined(c.bad, token.LOR), Body: block(&ast.ExprStmt{X: c.call})})
	}
	return out
}

// guarded lowers e, a condition, with comparisons before it in the same expression.
func (m *lower) guarded(e ast.Expr) ast.Expr {
	var fine []ast.Expr
	for _, c := range m.checks(e) {
		for _, b := range c.bad {
			b.Op = map[token.Token]token.Token{token.LSS: token.GEQ, token.GEQ: token.LSS}[b.Op]
		}
		panics := &ast.BinaryExpr{X: c.call, OpPos: e.Pos(), Op: token.LSS, Y: number(0)}
		fine = append(fine, &ast.ParenExpr{X: &ast.BinaryExpr{X: joined(c.bad, token.LAND), OpPos: e.Pos(), Op: token.LOR, Y: panics}})
	}
	x := m.expr(e)
	for _, f := range slices.Backward(fine) {
		x = &ast.BinaryExpr{X: f, OpPos: e.Pos(), Op: token.LAND, Y: x}
	}
	return x
}

func joined(all []*ast.BinaryExpr, op token.Token) ast.Expr {
	var x ast.Expr = all[0]
	for _, y := range all[1:] {
		x = &ast.BinaryExpr{X: x, OpPos: y.OpPos, Op: op, Y: y}
	}
	return x
}

// checks are those of the indices and slices that n always evaluates.
func (m *lower) checks(n ast.Node) (out []check) {
	if m.bounds.checked == nil { // nothing in the statement can fail
		m.bounds.checked = map[ast.Expr]how{}
	}
	seen := map[string]bool{}
	m.always(n, func(e ast.Expr) {
		var bad []*ast.BinaryExpr
		var call ast.Expr
		switch e := e.(type) {
		case *ast.IndexExpr:
			if !m.again(e.Index) || !m.again(e.X) && !m.isArray(e.X) {
				return
			}
			if m.inRange(e) {
				m.bounds.checked[e] = known
				return
			}
			bad = []*ast.BinaryExpr{{X: m.index(e.Index), OpPos: e.Pos(), Op: token.GEQ, Y: m.size("len", e.X)}}
			if m.mayBeNegative(e.Index) {
				bad = append(bad, &ast.BinaryExpr{X: m.index(e.Index), OpPos: e.Pos(), Op: token.LSS, Y: number(0)})
			}
			call = callOf(e.Pos(), m.useFunc("inRange", inRange), m.index(e.Index), m.size("len", e.X))
		case *ast.CallExpr: // of make
			last, size, ok := m.made(e)
			if !ok || !m.again(last) {
				return
			}
			bad = []*ast.BinaryExpr{{X: m.index(last), OpPos: e.Pos(), Op: token.GEQ, Y: number(large / size)}}
			call = callOf(e.Pos(), m.useFunc("fits", fits), m.index(last), number(size))
		case *ast.SliceExpr:
			if e.Max != nil || !m.again(e.X) || !m.again(e.Low) || !m.again(e.High) {
				return
			}
			name, check, size, args := m.sliceCheck(e)
			if check == nil {
				return
			}
			bad, call = m.badBounds(e), callOf(e.Pos(), m.useFunc(name, check), append(args, m.size(size, e.X))...)
		}
		m.bounds.checked[e] = compared
		if key := types.ExprString(e); len(bad) > 0 && !seen[key] {
			seen[key] = true
			out = append(out, check{bad, call})
		}
	})
	return out
}

// badBounds are the comparisons of which one is true if the bounds of e are bad.
func (m *lower) badBounds(e *ast.SliceExpr) (bad []*ast.BinaryExpr) {
	less := func(x, y ast.Expr) {
		bad = append(bad, &ast.BinaryExpr{X: x, OpPos: e.Pos(), Op: token.LSS, Y: y})
	}
	last, size := e.High, "len"
	if _, isSlice := m.typeOf(e.X).Underlying().(*types.Slice); isSlice && e.High != nil {
		size = "cap"
	}
	if last == nil {
		last = e.Low
	}
	if v := m.info.Types[last].Value; v == nil || constant.Sign(v) != 0 {
		less(m.size(size, e.X), m.index(last))
	}
	if e.High != nil && e.Low != nil {
		less(m.index(e.High), m.index(e.Low))
	}
	if low := e.Low; low != nil && m.mayBeNegative(low) {
		less(m.index(low), number(0))
	} else if low == nil && m.mayBeNegative(e.High) {
		less(m.index(e.High), number(0))
	}
	return bad
}

func (m *lower) mayBeNegative(i ast.Expr) bool {
	if v := m.info.Types[i].Value; v != nil {
		return constant.Sign(v) < 0
	}
	if b, ok := m.typeOf(i).Underlying().(*types.Basic); ok && b.Info()&types.IsUnsigned != 0 || slices.Contains(m.bounds.sure, "0<="+types.ExprString(i)) {
		return false
	}
	switch i := i.(type) {
	case *ast.ParenExpr:
		return m.mayBeNegative(i.X)
	case *ast.CallExpr:
		b := m.builtin(i.Fun)
		return b != "len" && b != "cap"
	case *ast.BinaryExpr:
		switch i.Op {
		case token.ADD, token.MUL, token.QUO:
			return m.mayBeNegative(i.X) || m.mayBeNegative(i.Y)
		case token.REM, token.SHR:
			return m.mayBeNegative(i.X)
		}
	}
	return true
}

// callsOut says whether n is a call of a function, or waits.
func (m *lower) callsOut(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CallExpr:
		return m.builtin(n.Fun) == "" && !m.info.Types[n.Fun].IsType()
	case *ast.UnaryExpr:
		return n.Op == token.ARROW
	}
	return false
}

// always passes the indices and slices that n comes to in any case, operands first, and
// before it calls a function, which may change them.
func (m *lower) always(n ast.Node, do func(ast.Expr)) {
	called := false
	var visit func(n ast.Node) bool
	var around []ast.Node
	visit = func(n ast.Node) bool {
		switch x := n.(type) {
		case nil: // the last of around is done
			n = around[len(around)-1]
			around = around[:len(around)-1]
			called = called || m.callsOut(n)
			switch x := n.(type) {
			case *ast.IndexExpr:
				if _, isMap := m.typeOf(x.X).Underlying().(*types.Map); !isMap && !called && !m.info.Types[x.Index].IsType() {
					do(x)
				}
			case *ast.SliceExpr:
				if !called {
					do(x)
				}
			case *ast.CallExpr:
				if !called && m.builtin(x.Fun) == "make" {
					do(x)
				}
			}
			return true
		case *ast.FuncLit:
			return false
		case *ast.BinaryExpr:
			if x.Op == token.LAND || x.Op == token.LOR {
				ast.Inspect(x.X, visit)
				called = called || has(x.Y, m.callsOut)
				return false
			}
		case *ast.AssignStmt:
			for _, l := range [][]ast.Expr{x.Rhs, x.Lhs} {
				for _, e := range l {
					ast.Inspect(e, visit)
				}
			}
			return false
		}
		around = append(around, n)
		return true
	}
	ast.Inspect(n, visit)
}

// inRange says whether the index of e is known to be good. Where what is known has changed
// meanwhile, a panic lacks its numbers, and no more is lost.
func (m *lower) inRange(e *ast.IndexExpr) bool {
	return m.info.Types[e.Index].Value != nil && m.isArray(e.X) || slices.Contains(m.bounds.sure, types.ExprString(e))
}

// knownBy are the indices that are in range where cond is true.
func (m *lower) knownBy(cond ast.Expr) (out []string) {
	e, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if ok && e.Op == token.LAND {
		return append(m.knownBy(e.X), m.knownBy(e.Y)...)
	}
	m.always(cond, func(e ast.Expr) { // which it has looked at
		if m.again(e) {
			out = append(out, types.ExprString(e))
		}
	})
	if !ok {
		return out
	}
	x, y, op := e.X, e.Y, e.Op
	switch op {
	case token.GTR, token.GEQ:
		x, y, op = y, x, map[token.Token]token.Token{token.GTR: token.LSS, token.GEQ: token.LEQ}[op]
	case token.EQL:
		if m.info.Types[x].Value == nil {
			x, y = y, x
		}
		op = token.LEQ
	}
	if v := m.info.Types[x].Value; v != nil && isInteger(m.typeOf(y)) && constant.Sign(v) >= 0 && (op == token.LSS || op == token.LEQ) { // 0 < i
		out = append(out, "0<="+types.ExprString(y))
		if op == token.LSS || constant.Sign(v) > 0 {
			out = append(out, "0<="+types.ExprString(y)+" - 1")
		}
	}
	if d, ok := y.(*ast.BinaryExpr); ok && d.Op == token.SUB { // i < len(x)-1
		y = d.X
		if op == token.LEQ {
			op = token.LSS
		}
	}
	c, ok := y.(*ast.CallExpr)
	if !ok || m.builtin(c.Fun) != "len" || op != token.LSS && op != token.LEQ {
		return out
	}
	of := types.ExprString(c.Args[0])
	if v := m.info.Types[x].Value; v != nil { // 1 < len(x)
		n, _ := constant.Int64Val(v)
		if op == token.LSS {
			n++
		}
		for i := range min(n, 8) {
			out = append(out, of+"["+strconv.FormatInt(i, 10)+"]")
		}
		return out
	}
	if op == token.LSS {
		out = append(out, of+"["+types.ExprString(x)+"]")
		if s, ok := x.(*ast.BinaryExpr); ok && s.Op == token.ADD {
			out = append(out, of+"["+types.ExprString(s.X)+"]")
		}
	}
	return out
}

// knownIn is what is known in the body of s.
func (m *lower) knownIn(s *ast.RangeStmt) []string {
	if m.isBlank(s.Key) || !isInteger(m.typeOf(s.Key)) {
		return nil
	}
	x := s.X
	if c, ok := x.(*ast.CallExpr); ok && m.builtin(c.Fun) == "len" {
		x = c.Args[0]
	}
	key := types.ExprString(s.Key)
	return []string{"0<=" + key, types.ExprString(x) + "[" + key + "]"}
}

// knownAlong is what is known in the loop s because its variables only grow.
func (m *lower) knownAlong(s *ast.ForStmt) (out []string) {
	a, ok := s.Init.(*ast.AssignStmt)
	if !ok {
		return nil
	}
	for i, x := range a.Lhs {
		grows := false
		switch p := s.Post.(type) {
		case *ast.IncDecStmt:
			grows = p.Tok == token.INC
		case *ast.AssignStmt:
			grows = p.Tok == token.ADD_ASSIGN && !m.mayBeNegative(p.Rhs[0])
		}
		if grows && len(a.Rhs) == len(a.Lhs) && isInteger(m.typeOf(x)) && !m.mayBeNegative(a.Rhs[i]) {
			out = append(out, "0<="+types.ExprString(x))
		}
	}
	return out
}
