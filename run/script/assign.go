package script

import (
	"go/ast"
	"go/token"
	"go/types"
)

func (m *lower) declare(d *ast.GenDecl) (out []ast.Stmt) {
	if d.Tok != token.VAR {
		return nil
	}
	for _, sp := range d.Specs {
		s := sp.(*ast.ValueSpec)
		if len(s.Values) == 0 {
			for _, n := range s.Names {
				if o := m.info.Defs[n]; o != nil {
					if isGlobal(o) {
						continue
					}
					out = append(out, m.variable(n.Pos(), m.declaredName(n), o.Type(), nil))
				}
			}
			continue
		}
		var lhs []ast.Expr
		for _, n := range s.Names {
			lhs = append(lhs, n)
		}
		out = append(out, m.assign(&ast.AssignStmt{Lhs: lhs, TokPos: s.Pos(), Tok: token.DEFINE, Rhs: s.Values})...)
	}
	return out
}

func (m *lower) declaredName(n *ast.Ident) string {
	if n.Name == "_" {
		return m.temp("u" + localMark)
	}
	return m.local(m.info.Defs[n])
}

// store assigns v, already of the right type, to x.
func (m *lower) store(x ast.Expr, v ast.Expr, t types.Type) ast.Stmt {
	i, ok := ast.Unparen(x).(*ast.Ident)
	if ok && i.Name == "_" {
		return set(x.Pos(), id("_"), v)
	}
	if ok {
		if o := m.info.Defs[i]; o != nil && !isGlobal(o) {
			return m.variable(i.Pos(), m.local(o), t, v)
		}
	}
	return set(x.Pos(), m.expr(x), v)
}

// valueFirst takes v, the value of s, before the target's index is checked, if it comes
// from a call, which Go makes before.
func (m *lower) valueFirst(s *ast.AssignStmt, v ast.Expr, t types.Type) ([]ast.Stmt, ast.Expr) {
	i, ok := ast.Unparen(s.Lhs[0]).(*ast.IndexExpr)
	if !ok || has(i, m.callsOut) || !has(s.Rhs[0], m.callsOut) {
		return nil, v
	}
	n := m.temp("t")
	out := []ast.Stmt{m.variable(s.TokPos, n, t, v)}
	return append(out, m.guards(&ast.ExprStmt{X: i})...), id(n)
}

// typeOfTarget is the type of what is assigned to; for _ that of the value.
func (m *lower) typeOfTarget(x ast.Expr, v types.Type) types.Type {
	if i, ok := ast.Unparen(x).(*ast.Ident); ok {
		if i.Name == "_" {
			return v
		}
		if o := m.info.ObjectOf(i); o != nil {
			return m.subst(o.Type())
		}
	}
	return m.typeOf(x)
}

func (m *lower) assign(s *ast.AssignStmt) (out []ast.Stmt) {
	if s.Tok != token.ASSIGN && s.Tok != token.DEFINE {
		t := m.typeOf(s.Lhs[0])
		v := ast.Expr(nil)
		if s.Tok == token.SHL_ASSIGN || s.Tok == token.SHR_ASSIGN {
			v = m.shiftCount(s.Rhs[0])
		} else {
			v = m.as(s.Rhs[0], t)
		}
		out, v = m.valueFirst(s, v, t)
		out = append(out, &ast.AssignStmt{Lhs: []ast.Expr{m.expr(s.Lhs[0])}, TokPos: s.TokPos, Tok: s.Tok, Rhs: []ast.Expr{v}})
		return append(out, m.grown(s, &ast.BinaryExpr{X: s.Lhs[0], Op: token.ADD, Y: s.Rhs[0]})...)
	}
	if len(s.Lhs) == 1 {
		t := m.typeOfTarget(s.Lhs[0], m.typeOf(s.Rhs[0]))
		if m.isNil(s.Rhs[0]) && t == m.typeOf(s.Rhs[0]) {
			return nil // _ = nil
		}
		out, v := m.valueFirst(s, m.as(s.Rhs[0], t), t)
		return append(append(out, m.store(s.Lhs[0], v, t)), m.grown(s, s.Rhs[0])...)
	}
	if len(s.Rhs) == 1 {
		return m.assignTuple(s)
	}
	var after []ast.Stmt
	lhs := m.places(&out, s.Lhs)
	for i, x := range lhs {
		t := m.typeOfTarget(x, m.typeOf(s.Rhs[i]))
		n := m.temp("t")
		out = append(out, m.variable(x.Pos(), n, t, m.as(s.Rhs[i], t)))
		after = append(after, m.store(x, id(n), t))
	}
	return append(out, after...)
}

// places takes the operands of the index and pointer expressions among targets, as Go does
// before it assigns to the first of them. Variables that are none of the targets stay
// where they are.
func (m *lower) places(out *[]ast.Stmt, targets []ast.Expr) []ast.Expr {
	set := map[types.Object]bool{}
	many := 0
	for _, x := range targets {
		if i, ok := ast.Unparen(x).(*ast.Ident); ok {
			set[m.info.ObjectOf(i)] = true
		}
		if !m.isBlank(x) {
			many++
		}
	}
	if many < 2 {
		return targets
	}
	keep := func(x ast.Expr) ast.Expr {
		i, ok := ast.Unparen(x).(*ast.Ident)
		if m.info.Types[x].Value != nil || ok && !set[m.info.Uses[i]] {
			return x
		}
		return m.hold(out, x)
	}
	var place func(x ast.Expr) ast.Expr
	place = func(x ast.Expr) ast.Expr {
		var to ast.Expr
		switch x := x.(type) {
		case *ast.ParenExpr:
			return place(x.X)
		case *ast.StarExpr:
			to = &ast.StarExpr{Star: x.Star, X: keep(x.X)}
		case *ast.IndexExpr:
			base := x.X
			if _, ok := m.typeOf(base).Underlying().(*types.Array); ok {
				base = place(base)
			} else {
				base = keep(base)
			}
			to = &ast.IndexExpr{X: base, Lbrack: x.Lbrack, Index: keep(x.Index), Rbrack: x.Rbrack}
			if h := m.bounds.checked[x]; h != later {
				m.bounds.checked[to] = h
			}
		case *ast.SelectorExpr:
			s := m.info.Selections[x]
			if s == nil {
				return x // a variable of a package
			}
			base := x.X
			if _, ok := m.typeOf(base).Underlying().(*types.Pointer); ok {
				base = keep(base)
			} else {
				base = place(base)
			}
			sel := &ast.SelectorExpr{X: base, Sel: x.Sel}
			m.info.Selections[sel], m.info.Types[sel] = s, m.info.Types[x]
			if !m.throughPointer(x, s) {
				return sel
			}
			p := types.NewPointer(m.typeOf(x))
			address := &ast.UnaryExpr{OpPos: x.Pos(), Op: token.AND, X: sel}
			m.info.Types[address] = types.TypeAndValue{Type: p}
			to = &ast.StarExpr{Star: x.Pos(), X: m.hold(out, address)}
		default:
			return x
		}
		m.info.Types[to] = m.info.Types[x]
		return to
	}
	list := make([]ast.Expr, len(targets))
	for i, x := range targets {
		list[i] = place(x)
	}
	return list
}

// throughPointer says whether x.f is found in a struct that x embeds by a pointer.
func (m *lower) throughPointer(x *ast.SelectorExpr, s *types.Selection) bool {
	sel, t := m.selection(x, s)
	index := sel.Index()
	for _, i := range index[:len(index)-1] {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		t = m.subst(t.Underlying().(*types.Struct).Field(i).Type())
		if _, ok := t.Underlying().(*types.Pointer); ok {
			return true
		}
	}
	return false
}

// assignTuple lowers an assignment from a call with several results or with an ok.
func (m *lower) assignTuple(s *ast.AssignStmt) (out []ast.Stmt) {
	rhs := ast.Unparen(s.Rhs[0])
	tu, ok := m.info.TypeOf(rhs).(*types.Tuple)
	if !ok {
		m.refuse(s, "cannot run this assignment")
		return nil
	}
	tu = m.subst(tu).(*types.Tuple)
	var x ast.Expr
	switch r := rhs.(type) {
	case *ast.TypeAssertExpr:
		x = m.assertion(m.any(r.X), m.typeOf(r.X), tu.At(0).Type(), true)
	case *ast.IndexExpr:
		mt := m.typeOf(r.X).Underlying().(*types.Map)
		x = &ast.IndexExpr{X: m.operand(r.X), Lbrack: r.Lbrack, Index: m.key(r.Index, mt.Key())}
	default:
		x = m.expr(rhs)
	}
	a := &ast.AssignStmt{TokPos: s.TokPos, Tok: token.DEFINE, Rhs: []ast.Expr{x}}
	var before []ast.Stmt
	for i, l := range m.places(&before, s.Lhs) {
		n := m.temp("t")
		a.Lhs = append(a.Lhs, idAt(l.Pos(), n))
		from := tu.At(i).Type()
		if b, ok := from.(*types.Basic); ok && b.Kind() == types.UntypedBool {
			from = types.Typ[types.Bool]
		}
		t := m.typeOfTarget(l, from)
		out = append(out, m.store(l, m.convert(id(n), from, t), t))
	}
	return append(append(before, a), out...)
}
