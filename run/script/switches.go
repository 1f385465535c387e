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

func (m *lower) selects(s *ast.SelectStmt, label string) []ast.Stmt {
	sel := &ast.SelectStmt{Select: s.Select, Body: block()}
	return m.breakable(&target{label: label, sel: true}, func() ast.Stmt {
		for _, c := range s.Body.List {
			c := c.(*ast.CommClause)
			to := &ast.CommClause{Case: c.Case, Colon: c.Colon}
			switch comm := c.Comm.(type) {
			case *ast.SendStmt:
				to.Comm = m.stmt(comm, "")[0]
			case *ast.ExprStmt:
				to.Comm = &ast.ExprStmt{X: m.expr(comm.X)}
			case *ast.AssignStmt:
				a := &ast.AssignStmt{TokPos: comm.TokPos, Tok: token.DEFINE, Rhs: []ast.Expr{m.expr(comm.Rhs[0])}}
				elem := m.typeOf(ast.Unparen(comm.Rhs[0]).(*ast.UnaryExpr).X).Underlying().(*types.Chan).Elem()
				for i, l := range comm.Lhs {
					t := []types.Type{elem, types.Typ[types.Bool]}[i]
					v := m.temp("t")
					a.Lhs = append(a.Lhs, idAt(l.Pos(), v))
					tt := m.typeOfTarget(l, t)
					to.Body = append(to.Body, m.store(l, m.convert(id(v), m.subst(t), tt), tt))
				}
				to.Comm = a
			}
			to.Body = append(to.Body, m.stmts(c.Body)...)
			sel.Body.List = append(sel.Body.List, to)
		}
		return sel
	})
}
