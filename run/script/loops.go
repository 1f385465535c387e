package script

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// loop lowers a for statement. Its variables are new in each iteration: if anything can
// hold them longer, the body becomes a literal with variables of its own, whose values
// go back into the loop's when it ends.
func (m *lower) loop(s *ast.ForStmt, label string) (out []ast.Stmt) {
	if s.Init != nil {
		out = m.stmt(s.Init, "")
	}
	f := &ast.ForStmt{For: s.For}
	held := m.outlive(s)
	var vars []*types.Var
	if a, ok := s.Init.(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
		for _, l := range a.Lhs {
			if v, ok := m.info.Defs[l.(*ast.Ident)].(*types.Var); ok {
				vars = append(vars, v)
			}
		}
	}
	m.bounds.sure = append(slices.Clip(m.bounds.sure), m.knownAlong(s)...)
	if s.Cond != nil {
		f.Cond = m.guarded(s.Cond)
		m.bounds.sure = append(slices.Clip(m.bounds.sure), m.knownBy(s.Cond)...)
	}
	if s.Cond == nil && s.Post != nil {
		f.Cond = id("true") // without it yaegi loses labelled breaks
	}
	if s.Post != nil {
		p := m.stmt(s.Post, "")
		if len(p) == 1 {
			f.Post = p[0]
		} else {
			f.Post = &ast.ExprStmt{X: &ast.CallExpr{Fun: &ast.FuncLit{Type: &ast.FuncType{Params: params()}, Body: block(p...)}}}
		}
	}
	to := &target{label: label, loop: true, body: held}
	if m.failsAgain(s.Cond) || s.Post != nil && m.anyFails(s.Post) { // where the body does not say
		to.again = func() ast.Stmt { return m.mark(s.For) }
	}
	out = append(out, m.breakable(to, func() ast.Stmt {
		if !held {
			f.Body = m.block(s.Body)
			if to.again != nil {
				f.Body.List = append(f.Body.List, to.again())
			}
			return f
		}
		outer := map[*types.Var]string{}
		for _, v := range vars {
			outer[v] = m.local(v)
			m.names[v] = m.temp(v.Name())
		}
		inner, l := m.inLiteral(func() []ast.Stmt { return m.stmts(s.Body.List) })
		code := m.temp("c")
		var list []ast.Stmt
		if len(vars) > 0 {
			var in, back []ast.Stmt
			for _, v := range vars {
				in = append(in, m.variable(s.For, m.names[v], v.Type(), id(outer[v])))
				back = append(back, set(s.For, id(outer[v]), id(m.names[v])))
				m.names[v] = outer[v]
			}
			k := m.temp("c")
			in = append(in, define(s.For, k, &ast.CallExpr{Fun: inner}))
			in = append(append(in, back...), &ast.ReturnStmt{Results: []ast.Expr{id(k)}})
			inner = &ast.FuncLit{Type: inner.Type, Body: block(in...)}
		}
		list = append(list, define(s.For, code, &ast.CallExpr{Fun: inner}))
		f.Body = block(append(list, m.follow(s.For, l, code)...)...)
		if to.again != nil {
			f.Body.List = append(f.Body.List, to.again())
		}
		return f
	})...)
	if len(out) > 1 {
		return []ast.Stmt{block(out...)}
	}
	return out
}

// ranges lowers a range statement to a plain loop.
func (m *lower) ranges(s *ast.RangeStmt, label string) []ast.Stmt {
	t := m.typeOf(s.X)
	u := t.Underlying()
	if p, ok := u.(*types.Pointer); ok {
		u = p.Elem().Underlying()
	}
	if sig, ok := u.(*types.Signature); ok {
		return m.rangeFunc(s, label, sig)
	}
	f := &ast.ForStmt{For: s.For}
	x, n, i := m.temp("x"), m.temp("n"), m.temp("i")
	var key, value ast.Expr
	var kt, vt types.Type = types.Typ[types.Int], nil
	var before, first []ast.Stmt
	counted := func(t ast.Expr) {
		var zero ast.Expr = number(0)
		if t != nil {
			zero = &ast.CallExpr{Fun: t, Args: []ast.Expr{zero}}
		}
		before = append(before, define(s.For, i, zero))
		f.Cond = &ast.BinaryExpr{X: id(i), Op: token.LSS, Y: id(n)}
		f.Post = &ast.IncDecStmt{X: id(i), Tok: token.INC}
		key = id(i)
	}
	switch u := u.(type) {
	case *types.Basic:
		if u.Info()&types.IsString != 0 {
			before = []ast.Stmt{define(s.For, x, callOf(s.For, m.useFunc("runes", runes), callOf(s.For, "string", m.expr(s.X)))), define(s.For, n, callOf(s.For, "len", id(x)))}
			counted(nil)
			at := &ast.IndexExpr{X: id(x), Index: id(i)}
			key, value, vt = &ast.SelectorExpr{X: at, Sel: id("At")}, &ast.SelectorExpr{X: at, Sel: id("Rune")}, types.Typ[types.Rune]
			break
		}
		kt = t
		if s.Key != nil && !m.isBlank(s.Key) {
			kt = m.typeOfTarget(s.Key, t)
		}
		before = []ast.Stmt{define(s.For, n, m.as(s.X, kt))}
		counted(m.rep(kt))
	case *types.Slice:
		before = []ast.Stmt{define(s.For, x, m.operand(s.X)), define(s.For, n, callOf(s.For, "len", id(x)))}
		counted(nil)
		value, vt = &ast.IndexExpr{X: id(x), Index: id(i)}, u.Elem()
	case *types.Array:
		e := m.operand(s.X)
		if m.isBlank(s.Value) {
			before = []ast.Stmt{define(s.For, n, number(int(u.Len())))}
		} else {
			before = []ast.Stmt{define(s.For, x, e), define(s.For, n, callOf(s.For, "len", pointedTo(x, t)))}
		}
		counted(nil)
		value, vt = &ast.IndexExpr{X: id(x), Index: id(i)}, u.Elem()
	case *types.Chan:
		ok := m.temp("ok")
		before = []ast.Stmt{define(s.For, x, m.channel(s.X))}
		v := m.temp("v")
		first = []ast.Stmt{m.mark(s.For), &ast.AssignStmt{Lhs: []ast.Expr{id(v), id(ok)}, Tok: token.DEFINE, Rhs: []ast.Expr{&ast.UnaryExpr{Op: token.ARROW, X: id(x)}}},
			&ast.IfStmt{Cond: &ast.UnaryExpr{Op: token.NOT, X: id(ok)}, Body: block(&ast.BranchStmt{Tok: token.BREAK})}}
		key, kt = id(v), u.Elem()
	case *types.Map:
		return m.rangeMap(s, label, u)
	case *types.Interface:
		m.refuse(s, "cannot range over %s; write as[[]any](%s)", t, types.ExprString(s.X))
		return nil
	default:
		m.refuse(s, "cannot range over %s", t)
		return nil
	}
	out := m.iteration(s, label, f, first, [2]ast.Expr{key, value}, [2]types.Type{kt, vt})
	return []ast.Stmt{block(append(before, out...)...)}
}

func pointedTo(x string, t types.Type) ast.Expr {
	if _, ok := t.Underlying().(*types.Pointer); ok {
		return &ast.StarExpr{X: id(x)}
	}
	return id(x)
}

func (m *lower) isBlank(e ast.Expr) bool {
	i, ok := e.(*ast.Ident)
	return e == nil || ok && i.Name == "_"
}

// iteration gives loop, which stands for s, its body; the key and value are read from from.
func (m *lower) iteration(s *ast.RangeStmt, label string, loop ast.Stmt, first []ast.Stmt, from [2]ast.Expr, ts [2]types.Type) []ast.Stmt {
	held := m.outlive(s)
	return m.breakable(&target{label: label, loop: true, body: held}, func() ast.Stmt {
		var b *ast.BlockStmt
		m.bounds.sure = append(slices.Clip(m.bounds.sure), m.knownIn(s)...)
		body := func() (list []ast.Stmt) {
			return append(m.turn(s, from, ts), m.stmts(s.Body.List)...)
		}
		if !held {
			b = &ast.BlockStmt{Lbrace: s.Body.Lbrace, List: append(first, body()...), Rbrace: s.Body.Rbrace}
		} else {
			f, l := m.inLiteral(body)
			code := m.temp("c")
			first = append(first, define(s.For, code, &ast.CallExpr{Fun: f}))
			b = block(append(first, m.follow(s.For, l, code)...)...)
		}
		switch loop := loop.(type) {
		case *ast.ForStmt:
			loop.Body = b
		case *ast.RangeStmt:
			loop.Body = b
		}
		return loop
	})
}

// turn gives the variables of a range statement what they are in this iteration.
func (m *lower) turn(s *ast.RangeStmt, from [2]ast.Expr, ts [2]types.Type) (list []ast.Stmt) {
	targets := []ast.Expr{s.Key, s.Value}
	if s.Tok == token.ASSIGN && s.Value != nil {
		targets = m.places(&list, targets)
	}
	for i, x := range targets {
		if !m.isBlank(x) && from[i] != nil {
			t := m.typeOfTarget(x, ts[i])
			list = append(list, m.store(x, m.convert(from[i], m.subst(ts[i]), t), t))
		}
	}
	return list
}

// rangeMap keeps to yaegi's own loop, which sees what is deleted meanwhile.
func (m *lower) rangeMap(s *ast.RangeStmt, label string, t *types.Map) []ast.Stmt {
	k, v := m.temp("k"), m.temp("v")
	r := &ast.RangeStmt{For: s.For, Tok: token.DEFINE, X: m.operand(s.X), Key: id(k), Value: id(v)}
	if m.isBlank(s.Value) {
		r.Value = nil
	}
	return m.iteration(s, label, r, nil, [2]ast.Expr{id(k), id(v)}, [2]types.Type{t.Key(), t.Elem()})
}

// rangeFunc lowers a loop over a function: the body is what it yields to.
func (m *lower) rangeFunc(s *ast.RangeStmt, label string, sig *types.Signature) (out []ast.Stmt) {
	code := m.temp("c")
	yield := sig.Params().At(0).Type().Underlying().(*types.Signature)
	var ps []*ast.Field
	var from [2]ast.Expr
	var ts [2]types.Type
	for i, v := range m.repFunc(yield).Params.List {
		n := m.temp("y")
		ps = append(ps, field(n, v.Type))
		from[i], ts[i] = id(n), m.subst(yield.Params().At(i).Type())
	}
	out = []ast.Stmt{define(s.For, code, number(0))}
	t := &target{label: label, loop: true, body: true, depth: len(m.lits)}
	was := m.targets
	m.targets = append(append([]*target{}, was...), t)
	f, l := m.inLiteral(func() (list []ast.Stmt) {
		return append(m.turn(s, from, ts), m.stmts(s.Body.List)...)
	})
	m.targets = was
	lit := &ast.FuncLit{Type: &ast.FuncType{Params: params(ps...), Results: params(&ast.Field{Type: id("bool")})}, Body: block(
		set(s.For, id(code), &ast.CallExpr{Fun: f}), &ast.ReturnStmt{Results: []ast.Expr{&ast.BinaryExpr{X: id(code), Op: token.EQL, Y: number(0)}}})}
	out = append(out, &ast.ExprStmt{X: &ast.CallExpr{Fun: m.operand(s.X), Lparen: s.For, Args: []ast.Expr{lit}}})
	for i, e := range l.exits {
		if e.to == t { // a break, which has happened
			l.exits[i] = exit{}
		}
	}
	return []ast.Stmt{block(append(out, m.follow(s.For, l, code)...)...)}
}
