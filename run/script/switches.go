package script

import (
	"go/ast"
	"go/token"
	"go/types"
)

// switches lowers a switch to one without a tag, whose cases are comparisons.
func (m *lower) switches(s *ast.SwitchStmt, label string) (out []ast.Stmt) {
	if s.Init != nil {
		out = m.stmt(s.Init, "")
	}
	var tag *ast.Ident
	if s.Tag != nil {
		tag = m.hold(&out, s.Tag)
	}
	sw := &ast.SwitchStmt{Switch: s.Switch, Body: block()}
	stmts := m.breakable(&target{label: label}, func() ast.Stmt {
		for _, c := range s.Body.List {
			c := c.(*ast.CaseClause)
			to := &ast.CaseClause{Case: c.Case, Colon: c.Colon}
			for _, x := range c.List {
				var t ast.Expr
				if tag != nil {
					t = m.compare(x.Pos(), token.EQL, tag, x)
				} else {
					t = m.expr(x)
				}
				if to.List == nil {
					to.List = []ast.Expr{t}
				} else {
					to.List[0] = &ast.BinaryExpr{X: to.List[0], Op: token.LOR, Y: t}
				}
			}
			to.Body = m.stmts(c.Body)
			sw.Body.List = append(sw.Body.List, to)
		}
		return sw
	})
	return []ast.Stmt{block(append(out, stmts...)...)}
}

// hold evaluates e once and returns a variable for it.
func (m *lower) hold(out *[]ast.Stmt, e ast.Expr) *ast.Ident {
	t := m.typeOf(e)
	i := idAt(e.Pos(), "tag")
	v := types.NewVar(e.Pos(), m.pkg, "tag", t)
	m.info.Uses[i], m.info.Types[i] = v, types.TypeAndValue{Type: t}
	*out = append(*out, m.variable(e.Pos(), m.local(v), t, m.as(e, t)))
	return i
}

// typeSwitch lowers a type switch to a switch over tests.
func (m *lower) typeSwitch(s *ast.TypeSwitchStmt, label string) (out []ast.Stmt) {
	if s.Init != nil {
		out = m.stmt(s.Init, "")
	}
	var x ast.Expr
	switch a := s.Assign.(type) {
	case *ast.ExprStmt:
		x = a.X
	case *ast.AssignStmt:
		x = a.Rhs[0]
	}
	x = ast.Unparen(x).(*ast.TypeAssertExpr).X
	n := m.temp("x")
	xt := m.typeOf(x)
	anyType := types.Universe.Lookup("any").Type()
	out = append(out, m.variable(s.Pos(), n, anyType, m.any(x)))
	sw := &ast.SwitchStmt{Switch: s.Switch, Body: block()}
	stmts := m.breakable(&target{label: label}, func() ast.Stmt {
		for _, c := range s.Body.List {
			c := c.(*ast.CaseClause)
			to := &ast.CaseClause{Case: c.Case, Colon: c.Colon}
			for _, e := range c.List {
				var t ast.Expr
				if m.isNil(e) {
					t = callOf(e.Pos(), m.useFunc("isNil", isNil), id(n))
				} else {
					t = m.test(idAt(e.Pos(), n), m.typeOf(e))
				}
				if to.List == nil {
					to.List = []ast.Expr{t}
				} else {
					to.List[0] = &ast.BinaryExpr{X: to.List[0], Op: token.LOR, Y: t}
				}
			}
			if v, ok := m.info.Implicits[c].(*types.Var); ok {
				t := m.subst(v.Type())
				var val ast.Expr = idAt(c.Pos(), n)
				switch {
				case len(c.List) == 1 && !m.isNil(c.List[0]):
					val = m.assertion(val, t, false)
				default:
					val, t = m.convert(val, anyType, xt), xt
				}
				to.Body = append(to.Body, m.variable(c.Pos(), m.local(v), t, val))
			}
			to.Body = append(to.Body, m.stmts(c.Body)...)
			sw.Body.List = append(sw.Body.List, to)
		}
		return sw
	})
	return []ast.Stmt{block(append(out, stmts...)...)}
}

// selects lowers a select to one that only notes which case it was and what was
// received, and a switch that goes on from there: yaegi takes a break inside a select
// for the loop's around it.
func (m *lower) selects(s *ast.SelectStmt, label string) []ast.Stmt {
	sel := &ast.SelectStmt{Select: s.Select, Body: block()}
	if len(s.Body.List) == 0 {
		return []ast.Stmt{sel}
	}
	which := m.temp("c")
	out := []ast.Stmt{define(s.Select, which, number(0))}
	sw := &ast.SwitchStmt{Switch: s.Select, Body: block()}
	stmts := m.breakable(&target{label: label}, func() ast.Stmt {
		for n, c := range s.Body.List {
			c := c.(*ast.CommClause)
			chosen := &ast.CommClause{Case: c.Case, Colon: c.Colon, Body: []ast.Stmt{set(c.Case, id(which), number(n))}}
			then := &ast.CaseClause{Case: c.Case, Colon: c.Colon, List: []ast.Expr{&ast.BinaryExpr{X: id(which), Op: token.EQL, Y: number(n)}}}
			switch comm := c.Comm.(type) {
			case *ast.SendStmt:
				chosen.Comm = m.stmt(comm, "")[0]
			case *ast.ExprStmt:
				chosen.Comm = &ast.ExprStmt{X: m.expr(comm.X)}
			case *ast.AssignStmt:
				a := &ast.AssignStmt{TokPos: comm.TokPos, Tok: token.DEFINE, Rhs: []ast.Expr{m.expr(comm.Rhs[0])}}
				elem := m.typeOf(ast.Unparen(comm.Rhs[0]).(*ast.UnaryExpr).X).Underlying().(*types.Chan).Elem()
				for i, l := range comm.Lhs {
					t := m.subst([]types.Type{elem, types.Typ[types.Bool]}[i])
					got, kept := m.temp("t"), m.temp("t")
					out = append(out, m.variable(l.Pos(), kept, t, nil))
					a.Lhs = append(a.Lhs, idAt(l.Pos(), got))
					chosen.Body = append(chosen.Body, set(l.Pos(), id(kept), id(got)))
					tt := m.typeOfTarget(l, t)
					then.Body = append(then.Body, m.store(l, m.convert(id(kept), t, tt), tt))
				}
				chosen.Comm = a
			}
			then.Body = append(then.Body, m.stmts(c.Body)...)
			sel.Body.List = append(sel.Body.List, chosen)
			sw.Body.List = append(sw.Body.List, then)
		}
		return sw
	})
	return []ast.Stmt{block(append(append(out, sel), stmts...)...)}
}
