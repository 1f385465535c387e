package script

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
)

func (m *lower) stmts(list []ast.Stmt) (out []ast.Stmt) {
	was := m.bounds
	defer func() { m.bounds = was }()
	for _, s := range list {
		m.bounds, m.at = was, s.Pos()
		if m.fails(s) {
			guards := m.guards(s)
			if m.fails(s) {
				out = append(out, m.mark(s.Pos()))
			} else {
				for _, g := range guards {
					b := g.(*ast.IfStmt).Body
					b.List = append([]ast.Stmt{m.mark(s.Pos())}, b.List...)
				}
			}
			out = append(out, guards...)
		}
		if s == m.show && s != nil {
			out = append(out, m.lastValue(s)...)
			continue
		}
		out = append(out, m.stmt(s, "")...)
	}
	return out
}

// mark notes how far the run has come, for the position of a panic.
func (m *lower) mark(pos token.Pos) ast.Stmt {
	if !m.fn.snippet {
		return set(pos, m.position(pos, "at"), number(int(pos)))
	}
	s := set(pos, m.position(pos, "in"), number(int(pos)))
	if m.helpers { // which are left then
		return block(s, set(pos, m.position(pos, "at"), number(0)))
	}
	return s
}

// position is the variable at or in: one for the run, or for each goroutine, if there are
// some, one whose address a function asks for as it begins.
func (m *lower) position(pos token.Pos, name string) ast.Expr {
	if !m.marks {
		return idAt(pos, name+globalMark+"0")
	}
	if m.positions[name] == "" {
		if m.positions == nil {
			m.positions = map[string]string{}
		}
		m.positions[name] = m.temp(name + localMark)
	}
	return &ast.StarExpr{Star: pos, X: id(m.positions[name])}
}

// positioned puts before a function's statements what they need to note positions.
func (m *lower) positioned(pos token.Pos, list []ast.Stmt) []ast.Stmt {
	for name, v := range m.positions {
		f := map[string]any{"at": m.b.markAt, "in": m.b.markIn}[name]
		list = append([]ast.Stmt{define(pos, v, callOf(pos, m.useFunc("mark "+name, f)))}, list...)
	}
	return list
}

// variable declares a variable of type t.
func (m *lower) variable(pos token.Pos, name string, t types.Type, v ast.Expr) ast.Stmt {
	if v != nil && !types.IsInterface(m.subst(t)) {
		if i, ok := v.(*ast.Ident); !ok || i.Name != "nil" {
			return define(pos, name, v)
		}
	}
	s := &ast.ValueSpec{Names: []*ast.Ident{idAt(pos, name)}, Type: m.rep(t)}
	if v != nil {
		s.Values = []ast.Expr{v}
	}
	return &ast.DeclStmt{Decl: &ast.GenDecl{Tok: token.VAR, TokPos: pos, Specs: []ast.Spec{s}}}
}

func (m *lower) stmt(s ast.Stmt, label string) []ast.Stmt {
	switch s := s.(type) {
	case *ast.EmptyStmt:
		return nil
	case *ast.BlockStmt:
		return []ast.Stmt{m.block(s)}
	case *ast.ExprStmt:
		x := m.expr(s.X)
		if m.err == nil {
			switch x.(type) {
			case *ast.CallExpr, *ast.UnaryExpr:
			default:
				return []ast.Stmt{set(s.Pos(), id("_"), x)}
			}
		}
		return []ast.Stmt{&ast.ExprStmt{X: x}}
	case *ast.SendStmt:
		return []ast.Stmt{&ast.SendStmt{Chan: m.channel(s.Chan), Arrow: s.Arrow, Value: m.as(s.Value, m.typeOf(s.Chan).Underlying().(*types.Chan).Elem())}}
	case *ast.IncDecStmt:
		return []ast.Stmt{&ast.IncDecStmt{X: m.expr(s.X), TokPos: s.TokPos, Tok: s.Tok}}
	case *ast.AssignStmt:
		return m.assign(s)
	case *ast.DeclStmt:
		return m.declare(s.Decl.(*ast.GenDecl))
	case *ast.GoStmt:
		return m.later(s.Call, func(f ast.Expr) ast.Stmt {
			return &ast.ExprStmt{X: callOf(s.Go, m.useFunc("go", m.b.start), f)}
		})
	case *ast.DeferStmt:
		return m.later(s.Call, func(f ast.Expr) ast.Stmt {
			return &ast.ExprStmt{X: &ast.CallExpr{Fun: &ast.SelectorExpr{X: id(m.defers), Sel: id("Add")}, Lparen: s.Defer, Args: []ast.Expr{f, id(strconv.FormatBool(m.mayRecover(s.Call)))}}}
		})
	case *ast.ReturnStmt:
		return m.returns(s)
	case *ast.BranchStmt:
		return m.branch(s)
	case *ast.LabeledStmt:
		// What goto means is before all that the statement becomes, what break means is part of it.
		from := &ast.LabeledStmt{Label: gotoLabel(s.Label), Colon: s.Colon, Stmt: &ast.EmptyStmt{}}
		return append([]ast.Stmt{from}, m.stmt(s.Stmt, s.Label.Name)...)
	case *ast.IfStmt:
		i := &ast.IfStmt{If: s.If, Cond: m.condition(s)}
		if s.Init != nil {
			init := m.stmt(s.Init, "")
			i.Cond = m.expr(s.Cond)
			i.Body = m.where(s.Cond, s.Body)
			m.otherwise(i, s)
			return []ast.Stmt{block(append(init, i)...)}
		}
		i.Body = m.where(s.Cond, s.Body)
		m.otherwise(i, s)
		return []ast.Stmt{i}
	case *ast.SwitchStmt:
		return m.switches(s, label)
	case *ast.TypeSwitchStmt:
		return m.typeSwitch(s, label)
	case *ast.SelectStmt:
		return m.selects(s, label)
	case *ast.ForStmt:
		return m.apart(s, func() []ast.Stmt { return m.loop(s, label) })
	case *ast.RangeStmt:
		return m.apart(s, func() []ast.Stmt { return m.ranges(s, label) })
	}
	m.refuse(s, "cannot run %T", s)
	return nil
}

func (m *lower) condition(s *ast.IfStmt) ast.Expr {
	if s.Init != nil {
		return nil // lowered after it
	}
	return m.expr(s.Cond)
}

func (m *lower) otherwise(i *ast.IfStmt, s *ast.IfStmt) {
	if s.Else == nil {
		return
	}
	out := m.stmts([]ast.Stmt{s.Else})
	if len(out) == 1 {
		if b, ok := out[0].(*ast.BlockStmt); ok {
			i.Else = b
			return
		}
	}
	i.Else = block(out...)
}

// where lowers b, which is done where cond is true.
func (m *lower) where(cond ast.Expr, b *ast.BlockStmt) *ast.BlockStmt {
	defer func(was []string) { m.bounds.sure = was }(m.bounds.sure)
	m.bounds.sure = append(slices.Clip(m.bounds.sure), m.knownBy(cond)...)
	return m.block(b)
}

func (m *lower) block(b *ast.BlockStmt) *ast.BlockStmt {
	return &ast.BlockStmt{Lbrace: b.Lbrace, List: m.stmts(b.List), Rbrace: b.Rbrace}
}

// later lowers the call of a go or defer statement: its function and arguments are
// evaluated now, the call is made by what then makes of it.
func (m *lower) later(c *ast.CallExpr, then func(ast.Expr) ast.Stmt) (out []ast.Stmt) {
	fun := ast.Unparen(c.Fun)
	if f, ok := fun.(*ast.FuncLit); ok && len(c.Args) == 0 && len(f.Type.Params.List) == 0 {
		x := m.literal(f).(*ast.FuncLit)
		if x.Type.Results != nil {
			x = &ast.FuncLit{Type: &ast.FuncType{Params: params()}, Body: block(&ast.ExprStmt{X: &ast.CallExpr{Fun: x}})}
		}
		return []ast.Stmt{then(x)}
	}
	keep := func(e ast.Expr) ast.Expr { // evaluates e now
		if tv := m.info.Types[e]; tv.Value != nil || tv.IsType() || m.isNil(e) {
			return e
		}
		t := m.typeOf(e)
		v := types.NewVar(e.Pos(), m.pkg, "t", t)
		i := idAt(e.Pos(), "t")
		m.info.Uses[i], m.info.Types[i] = v, types.TypeAndValue{Type: t}
		out = append(out, m.variable(e.Pos(), m.local(v), t, m.expr(e)))
		return i
	}
	now := &ast.CallExpr{Fun: c.Fun, Lparen: c.Lparen, Ellipsis: c.Ellipsis, Rparen: c.Rparen}
	m.info.Types[now] = m.info.Types[c]
	for _, a := range c.Args {
		if _, multi := m.info.TypeOf(a).(*types.Tuple); multi {
			now.Args = append(now.Args, a)
			continue
		}
		now.Args = append(now.Args, keep(a))
	}
	switch f := fun.(type) {
	case *ast.SelectorExpr:
		if s := m.info.Selections[f]; s != nil && s.Kind() == types.MethodVal {
			sel, _ := m.selection(f, s)
			x, t := m.receiver(f, s)
			n := m.temp("t")
			out = append(out, m.variable(f.Pos(), n, t, x))
			var args []ast.Expr
			sig := m.typeOf(f).Underlying().(*types.Signature)
			how := m.special(c)
			for i, a := range now.Args {
				args = append(args, m.argument(a, m.paramType(sig, i, c.Ellipsis.IsValid()), how))
			}
			dots := c.Ellipsis.IsValid()
			if !dots {
				args, dots = m.pack(args, sig, func(i int) types.Type { return m.typeOf(now.Args[i]) })
			}
			call := m.invoke(f.Pos(), id(n), t, m.methodOf(sel), args, dots)
			return append(out, then(&ast.FuncLit{Type: &ast.FuncType{Params: params()}, Body: block(&ast.ExprStmt{X: call})}))
		}
	case *ast.Ident:
		if v, ok := m.info.Uses[f].(*types.Var); ok && !isGlobal(v) {
			now.Fun = keep(f)
		}
	case *ast.CallExpr, *ast.IndexExpr:
		if g, _ := m.instance(f); g == nil {
			if ix, ok := f.(*ast.IndexExpr); !ok || m.noInstance(ix) {
				now.Fun = keep(f)
			}
		}
	}
	outer := m.positions // the call may be another goroutine's
	m.positions = nil
	list := m.positioned(c.Pos(), []ast.Stmt{m.mark(c.Pos()), &ast.ExprStmt{X: m.call(now)}})
	m.positions = outer
	return append(out, then(&ast.FuncLit{Type: &ast.FuncType{Params: params()}, Body: block(list...)}))
}

func (m *lower) noInstance(x *ast.IndexExpr) bool { f, _ := m.instance(x.X); return f == nil }

// reads says whether x reads a named result.
func (m *lower) reads(x ast.Expr) bool {
	return has(x, func(n ast.Node) bool {
		i, ok := n.(*ast.Ident)
		return ok && slices.Contains(m.results, i.Name)
	})
}

// isBuiltin says whether x, lowered, calls one of Go's own functions.
func isBuiltin(x ast.Expr) bool {
	c, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok {
		return false
	}
	f, ok := c.Fun.(*ast.Ident)
	if !ok {
		return false
	}
	_, ok = types.Universe.Lookup(f.Name).(*types.Builtin)
	return ok
}

func (m *lower) returns(s *ast.ReturnStmt) (out []ast.Stmt) {
	var vals []ast.Expr
	if len(s.Results) == 1 && len(m.results) > 1 {
		tu := m.subst(m.info.TypeOf(s.Results[0])).(*types.Tuple)
		a := &ast.AssignStmt{TokPos: s.Return, Tok: token.DEFINE, Rhs: []ast.Expr{m.expr(s.Results[0])}}
		for i := range tu.Len() {
			n := m.temp("t")
			a.Lhs = append(a.Lhs, id(n))
			vals = append(vals, m.convert(id(n), tu.At(i).Type(), m.subst(m.sig.Results().At(i).Type())))
		}
		out = append(out, a)
	} else {
		for i, x := range s.Results {
			v := m.as(x, m.sig.Results().At(i).Type())
			if len(s.Results) > 1 && (isBuiltin(v) || m.fn.named && m.reads(v)) { // yaegi sets the first result; before others are set
				n := m.temp("t")
				out = append(out, m.variable(s.Return, n, m.sig.Results().At(i).Type(), v))
				v = id(n)
			}
			vals = append(vals, v)
		}
	}
	if len(m.lits) == 0 {
		if len(vals) == 0 && len(m.results) > 0 {
			return []ast.Stmt{m.returnNamed()}
		}
		return append(out, &ast.ReturnStmt{Return: s.Return, Results: vals})
	}
	m.fn.named = true
	if len(vals) == 1 {
		out = append(out, set(s.Return, id(m.results[0]), vals[0]))
	} else {
		var after []ast.Stmt
		for i, v := range vals {
			n := m.temp("t")
			out = append(out, m.variable(s.Return, n, m.sig.Results().At(i).Type(), v))
			after = append(after, set(s.Return, id(m.results[i]), id(n)))
		}
		out = append(out, after...)
	}
	return append(out, m.leave(s.Return))
}

type runeAt struct {
	At   int
	Rune rune
}

// runes are the runes of s and where they start.
func runes(s string) []runeAt {
	var out []runeAt
	for i, r := range s {
		out = append(out, runeAt{i, r})
	}
	return out
}
