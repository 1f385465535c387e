package script

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
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
		m.defaultLast(&out, sw.Body)
		return sw
	})
	return []ast.Stmt{block(append(out, stmts...)...)}
}

// defaultLast makes the default clause of a switch the last one, where yaegi needs it. If one
// clause falls through to another, their order counts: then a switch before this one finds
// the clause, and this one tells them by their numbers.
func (m *lower) defaultLast(out *[]ast.Stmt, b *ast.BlockStmt) {
	for _, c := range b.List {
		if c := c.(*ast.CaseClause); len(c.Body) == 0 { // which yaegi takes for the end of the switch
			c.Body = []ast.Stmt{set(c.Colon, id("_"), number(0))}
		}
	}
	at := slices.IndexFunc(b.List, func(c ast.Stmt) bool { return c.(*ast.CaseClause).List == nil })
	if at < 0 || at == len(b.List)-1 {
		return
	}
	if !slices.ContainsFunc(b.List, func(c ast.Stmt) bool { return fallsThrough(c.(*ast.CaseClause)) }) {
		b.List = append(slices.Delete(slices.Clone(b.List), at, at+1), b.List[at])
		return
	}
	which := m.temp("c")
	find := &ast.SwitchStmt{Switch: b.Pos(), Body: block()}
	for i, c := range b.List {
		c := c.(*ast.CaseClause)
		if c.List != nil {
			find.Body.List = append(find.Body.List, &ast.CaseClause{Case: c.Case, List: c.List, Body: []ast.Stmt{set(c.Case, id(which), number(i))}})
		}
		c.List = []ast.Expr{&ast.BinaryExpr{X: id(which), Op: token.EQL, Y: number(i)}}
	}
	*out = append(*out, define(b.Pos(), which, number(at)), find)
}

func fallsThrough(c *ast.CaseClause) bool {
	b, ok := c.Body[len(c.Body)-1].(*ast.BranchStmt)
	return ok && b.Tok == token.FALLTHROUGH
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
					val = m.assertion(val, anyType, t, false)
				default:
					val, t = m.convert(val, anyType, xt), xt
				}
				to.Body = append(to.Body, m.variable(c.Pos(), m.local(v), t, val))
			}
			to.Body = append(to.Body, m.stmts(c.Body)...)
			sw.Body.List = append(sw.Body.List, to)
		}
		m.defaultLast(&out, sw.Body)
		return sw
	})
	return []ast.Stmt{block(append(out, stmts...)...)}
}

// selects lowers a select to a call that says which case it was, and a switch that goes
// on from there. yaegi's own shares its cases between all goroutines that are in it, does
// not evaluate channels like cs[0], and takes a break inside for the loop's around it.
func (m *lower) selects(s *ast.SelectStmt, label string) []ast.Stmt {
	if len(s.Body.List) == 0 {
		return []ast.Stmt{&ast.SelectStmt{Select: s.Select, Body: block()}}
	}
	which := m.temp("c")
	choose := callOf(s.Select, m.useFunc("choose", choose))
	var out []ast.Stmt
	keep := func(x ast.Expr, t types.Type, v ast.Expr) ast.Expr {
		n := m.temp("t")
		out = append(out, m.variable(x.Pos(), n, t, v))
		return id(n)
	}
	address := func(x ast.Expr) ast.Expr { return &ast.UnaryExpr{Op: token.AND, X: x} }
	sw := &ast.SwitchStmt{Switch: s.Select, Body: block()}
	stmts := m.breakable(&target{label: label}, func() ast.Stmt {
		for n, c := range s.Body.List {
			c := c.(*ast.CommClause)
			then := &ast.CaseClause{Case: c.Case, Colon: c.Colon, List: []ast.Expr{&ast.BinaryExpr{X: id(which), Op: token.EQL, Y: number(n)}}}
			op := [4]ast.Expr{number(int(reflect.SelectDefault)), id("nil"), id("nil"), id("nil")} // direction, channel, address of the value, of ok
			var from ast.Expr
			var to []ast.Expr
			switch comm := c.Comm.(type) {
			case *ast.SendStmt:
				ct := m.typeOf(comm.Chan)
				elem := ct.Underlying().(*types.Chan).Elem()
				op[0], op[1] = number(int(reflect.SelectSend)), keep(comm.Chan, ct.Underlying(), m.operand(comm.Chan))
				op[2] = address(keep(comm.Value, elem, m.as(comm.Value, elem)))
			case *ast.ExprStmt:
				from = comm.X
			case *ast.AssignStmt:
				from, to = comm.Rhs[0], comm.Lhs
			}
			if from != nil {
				x := ast.Unparen(from).(*ast.UnaryExpr).X
				ct := m.typeOf(x)
				op[0], op[1] = number(int(reflect.SelectRecv)), keep(x, ct.Underlying(), m.operand(x))
				for i, l := range to {
					if m.isBlank(l) {
						continue
					}
					t := m.subst([]types.Type{ct.Underlying().(*types.Chan).Elem(), types.Typ[types.Bool]}[i])
					got := keep(l, t, nil)
					op[2+i] = address(got)
					tt := m.typeOfTarget(l, t)
					then.Body = append(then.Body, m.store(l, m.convert(got, t, tt), tt))
				}
			}
			choose.Args = append(choose.Args, op[:]...)
			then.Body = append(then.Body, m.stmts(c.Body)...)
			sw.Body.List = append(sw.Body.List, then)
		}
		return sw
	})
	return []ast.Stmt{block(append(append(out, define(s.Select, which, choose)), stmts...)...)}
}

// choose is select. Each case is four of ops: a reflect.SelectDir, the channel, and the
// addresses of the value and of whether it was received, which may be nil.
func choose(ops ...any) int {
	cases := make([]reflect.SelectCase, len(ops)/4)
	for i := range cases {
		op := ops[4*i:]
		cases[i].Dir = reflect.SelectDir(op[0].(int))
		if cases[i].Dir != reflect.SelectDefault {
			cases[i].Chan = reflect.ValueOf(op[1])
		}
		if cases[i].Dir == reflect.SelectSend {
			cases[i].Send = reflect.ValueOf(op[2]).Elem()
		}
	}
	n, v, ok := reflect.Select(cases)
	if cases[n].Dir == reflect.SelectRecv {
		if p := ops[4*n+2]; p != nil {
			reflect.ValueOf(p).Elem().Set(v)
		}
		if p := ops[4*n+3]; p != nil {
			*p.(*bool) = ok
		}
	}
	return n
}
