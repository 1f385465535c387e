package script

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
)

// as lowers e to a value of type t.
func (m *lower) as(e ast.Expr, t types.Type) ast.Expr {
	t = m.subst(t)
	if tv := m.info.Types[e]; tv.Value != nil && !types.IsInterface(t) {
		return m.constant(e.Pos(), tv.Value, t)
	}
	return m.convert(m.expr(e), m.typeOf(e), t)
}

// expr lowers e to a value of its own type.
func (m *lower) expr(e ast.Expr) ast.Expr {
	if tv := m.info.Types[e]; tv.Value != nil {
		return m.constant(e.Pos(), tv.Value, m.typeOf(e))
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return &ast.ParenExpr{Lparen: e.Lparen, X: m.expr(e.X), Rparen: e.Rparen}
	case *ast.Ident:
		return m.ident(e)
	case *ast.FuncLit:
		return m.literal(e)
	case *ast.CompositeLit:
		return m.composite(e)
	case *ast.SelectorExpr:
		return m.selector(e)
	case *ast.IndexExpr:
		if f := m.funcNamed(e); f != "" {
			return m.funcValue(e, f)
		}
		if mt, ok := m.typeOf(e.X).Underlying().(*types.Map); ok {
			return &ast.IndexExpr{X: m.operand(e.X), Lbrack: e.Lbrack, Index: m.key(e.Index, mt.Key())}
		}
		return m.indexed(e)
	case *ast.IndexListExpr:
		if f := m.funcNamed(e); f != "" {
			return m.funcValue(e, f)
		}
	case *ast.SliceExpr:
		return m.slice(e)
	case *ast.StarExpr:
		return &ast.StarExpr{Star: e.Star, X: m.operand(e.X)}
	case *ast.UnaryExpr:
		if e.Op == token.ARROW {
			x := &ast.UnaryExpr{OpPos: e.OpPos, Op: e.Op, X: m.channel(e.X)}
			if _, ok := m.info.TypeOf(e).(*types.Tuple); ok {
				return x
			}
			// A variable that yaegi sets to what it receives is another one from then on, and has no address.
			return &ast.CallExpr{Fun: conversion(m.rep(m.typeOf(e))), Lparen: e.OpPos, Args: []ast.Expr{x}, Rparen: e.OpPos}
		}
		return &ast.UnaryExpr{OpPos: e.OpPos, Op: e.Op, X: m.expr(e.X)}
	case *ast.BinaryExpr:
		return m.binary(e)
	case *ast.TypeAssertExpr:
		return m.assertion(m.any(e.X), m.typeOf(e.X), m.typeOf(e.Type), false)
	case *ast.CallExpr:
		return m.call(e)
	}
	m.refuse(e, "cannot run %T here", e)
	return e
}

// operand lowers e to a value of what its type is made of.
func (m *lower) operand(e ast.Expr) ast.Expr { return m.unwrap(m.expr(e), m.typeOf(e)) }

// unwrap takes x of type t out of the struct that represents t, if there is one.
func (m *lower) unwrap(x ast.Expr, t types.Type) ast.Expr {
	if m.structs.wrapped(t) == nil {
		return x
	}
	return &ast.SelectorExpr{X: x, Sel: idAt(x.Pos(), wrappedField)}
}

// wrap makes x, of what t is made of, a value of t.
func (m *lower) wrap(x ast.Expr, t types.Type) ast.Expr {
	if m.structs.wrapped(t) == nil {
		return x
	}
	return &ast.CompositeLit{Type: m.rep(t), Lbrace: x.Pos(), Elts: []ast.Expr{&ast.KeyValueExpr{Key: id(wrappedField), Colon: x.Pos(), Value: x}}, Rbrace: x.Pos()}
}

// channel lowers a channel for yaegi to send to or receive from, which it cannot if the
// channel is part of a value of a compiled type.
func (m *lower) channel(e ast.Expr) ast.Expr {
	x := m.operand(e)
	return &ast.CallExpr{Fun: conversion(m.rep(m.typeOf(e).Underlying())), Lparen: x.Pos(), Args: []ast.Expr{x}, Rparen: x.Pos()}
}

// index lowers an index or a bound, which may be nil.
func (m *lower) index(e ast.Expr) ast.Expr {
	if e == nil {
		return nil
	}
	if tv := m.info.Types[e]; tv.Value != nil {
		return m.constant(e.Pos(), tv.Value, types.Typ[types.Int])
	}
	x := m.expr(e)
	if !types.Identical(m.typeOf(e), types.Typ[types.Int]) {
		x = callOf(e.Pos(), "int", x)
	}
	return x
}

func (m *lower) ident(e *ast.Ident) ast.Expr {
	switch o := m.info.ObjectOf(e).(type) {
	case *types.Nil:
		return idAt(e.NamePos, "nil")
	case *types.Var:
		return m.ref(e.NamePos, o)
	case *types.Func:
		return m.funcValue(e, m.funcNamed(e))
	}
	m.refuse(e, "%s is not a value", e.Name)
	return e
}

// funcNamed is the name of the function that e names, "" if it names none.
func (m *lower) funcNamed(e ast.Expr) string {
	x := e
	switch e := e.(type) {
	case *ast.IndexExpr:
		x = e.X
	case *ast.IndexListExpr:
		x = e.X
	}
	f, args := m.instance(x)
	if f == nil {
		switch x := x.(type) {
		case *ast.Ident:
			f, _ = m.info.Uses[x].(*types.Func)
		case *ast.SelectorExpr:
			if m.info.Selections[x] == nil {
				f, _ = m.info.Uses[x.Sel].(*types.Func)
			}
		}
	}
	if f == nil {
		return ""
	}
	return m.funcName(f, args)
}

// funcValue is the function e, called name, as a value. One that stands further down in the
// program is called by a literal, as yaegi does not know it yet: it would do nothing.
func (m *lower) funcValue(e ast.Expr, name string) ast.Expr {
	n, ours := m.order[name]
	if !ours || n > m.fn.order {
		return idAt(e.Pos(), name)
	}
	sig := m.typeOf(e).(*types.Signature)
	args, ps, dots := m.forward(sig)
	c := callOf(e.Pos(), name, args...)
	if dots {
		c.Ellipsis = e.Pos()
	}
	ft := m.repFunc(sig)
	ft.Params.List = ps
	return &ast.FuncLit{Type: ft, Body: block(m.result(sig, c))}
}

// instance returns the generic function that x names and its type arguments.
func (m *lower) instance(x ast.Expr) (*types.Func, []types.Type) {
	i, ok := x.(*ast.Ident)
	if s, sel := x.(*ast.SelectorExpr); sel {
		i, ok = s.Sel, true
	}
	if !ok {
		return nil, nil
	}
	f, _ := m.info.Uses[i].(*types.Func)
	inst, ok := m.info.Instances[i]
	if f == nil || !ok {
		return nil, nil
	}
	var args []types.Type
	for j := range inst.TypeArgs.Len() {
		args = append(args, m.subst(inst.TypeArgs.At(j)))
	}
	return f, args
}

// literal lowers a function literal, which is a function in itself but for the names.
func (m *lower) literal(e *ast.FuncLit) ast.Expr {
	was := *m.fn
	m.results, m.fn.named, m.defers, m.lits, m.targets, m.bounds = nil, false, "", nil, nil, bounds{}
	t, b := m.body(m.info.TypeOf(e).(*types.Signature), e.Body)
	taken := m.fn.taken
	*m.fn = was
	m.fn.taken = taken
	return &ast.FuncLit{Type: t, Body: b}
}

func (m *lower) composite(e *ast.CompositeLit) ast.Expr {
	t := m.typeOf(e)
	ptr, isPtr := t.Underlying().(*types.Pointer)
	if isPtr {
		t = ptr.Elem()
	}
	lit := &ast.CompositeLit{Lbrace: e.Lbrace, Rbrace: e.Rbrace, Type: m.rep(m.bare(t))}
	for i, x := range e.Elts {
		kv, keyed := x.(*ast.KeyValueExpr)
		if keyed {
			x = kv.Value
		}
		var key ast.Expr
		var et types.Type
		switch u := t.Underlying().(type) {
		case *types.Struct:
			n := i
			if keyed {
				for n = 0; u.Field(n).Name() != kv.Key.(*ast.Ident).Name; n++ {
				}
			}
			key, et = id(fieldName(u, n)), u.Field(n).Type()
		case *types.Map:
			key, et = m.key(kv.Key, u.Key()), u.Elem()
		case *types.Slice:
			et = u.Elem()
		case *types.Array:
			et = u.Elem()
		}
		if keyed && key == nil {
			key = m.index(kv.Key)
		}
		v := m.as(x, et)
		if key != nil {
			v = &ast.KeyValueExpr{Key: key, Colon: x.Pos(), Value: v}
		}
		lit.Elts = append(lit.Elts, v)
	}
	x := m.wrap(lit, t)
	if isPtr {
		x = &ast.UnaryExpr{OpPos: e.Pos(), Op: token.AND, X: x}
	}
	return x
}

// path goes from x of type t down the fields of index.
func (m *lower) path(x ast.Expr, t types.Type, index []int) (ast.Expr, types.Type) {
	for _, i := range index {
		t = m.subst(t)
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = m.subst(p.Elem())
		}
		s := t.Underlying().(*types.Struct)
		x, t = &ast.SelectorExpr{X: x, Sel: idAt(x.Pos(), fieldName(s, i))}, s.Field(i).Type()
	}
	return x, m.subst(t)
}

func (m *lower) selector(e *ast.SelectorExpr) ast.Expr {
	s := m.info.Selections[e]
	if s == nil { // of a package
		switch o := m.info.Uses[e.Sel].(type) {
		case *types.Func:
			return m.funcValue(e, m.funcNamed(e))
		case *types.Var:
			return m.ref(e.Pos(), o)
		}
		m.refuse(e, "%s is not a value", e.Sel.Name)
		return e
	}
	sel, recv := m.selection(e, s)
	switch s.Kind() {
	case types.FieldVal:
		x, _ := m.path(m.expr(e.X), recv, sel.Index())
		return x
	case types.MethodVal: // the receiver is read now
		r := m.temp("v" + localMark)
		sig := m.subst(s.Type()).(*types.Signature)
		x, rt := m.receiver(e, s)
		args, ps, dots := m.forward(sig)
		body := m.invoke(e.Pos(), id(r), rt, m.methodOf(sel), args, dots)
		ft := m.repFunc(sig)
		ft.Params.List = ps
		return &ast.CallExpr{Fun: &ast.FuncLit{Type: &ast.FuncType{Params: params(field(r, m.rep(rt))), Results: params(&ast.Field{Type: m.repFunc(sig)})},
			Body: block(&ast.ReturnStmt{Results: []ast.Expr{&ast.FuncLit{Type: ft, Body: block(m.result(sig, body))}}})}, Args: []ast.Expr{x}}
	}
	// a method expression: the receiver is the first parameter
	sig := m.subst(s.Type()).(*types.Signature)
	args, ps, dots := m.forward(sig)
	x, rt := m.path(args[0], recv, sel.Index()[:len(sel.Index())-1])
	x, rt = m.adjust(x, rt, m.methodOf(sel))
	ft := m.repFunc(sig)
	ft.Params.List = ps
	return &ast.FuncLit{Type: ft, Body: block(m.result(sig, m.invoke(e.Pos(), x, rt, m.methodOf(sel), args[1:], dots)))}
}

// selection is s as it is with the function's type arguments.
func (m *lower) selection(e *ast.SelectorExpr, s *types.Selection) (chosen, types.Type) {
	recv := m.subst(s.Recv())
	if m.env == nil {
		return s, recv
	}
	o, index, _ := types.LookupFieldOrMethod(recv, true, m.pkg, e.Sel.Name)
	if o == nil {
		return s, recv
	}
	return found{o, index}, recv
}

type chosen interface {
	Obj() types.Object
	Index() []int
}

type found struct {
	o     types.Object
	index []int
}

func (f found) Obj() types.Object { return f.o }
func (f found) Index() []int      { return f.index }

func (m *lower) methodOf(s chosen) *types.Func { return s.Obj().(*types.Func) }

// receiver lowers what a method is called on.
func (m *lower) receiver(e *ast.SelectorExpr, s *types.Selection) (ast.Expr, types.Type) {
	sel, recv := m.selection(e, s)
	x, t := m.path(m.expr(e.X), recv, sel.Index()[:len(sel.Index())-1])
	return m.adjust(x, t, m.methodOf(sel))
}

// adjust takes the address of x or what it points to, as method f needs.
func (m *lower) adjust(x ast.Expr, t types.Type, f *types.Func) (ast.Expr, types.Type) {
	if types.IsInterface(t) {
		return x, t
	}
	_, has := t.Underlying().(*types.Pointer)
	_, wants := types.Unalias(f.Signature().Recv().Type()).(*types.Pointer)
	switch {
	case has && !wants && m.own(t) == nil:
		return &ast.StarExpr{Star: x.Pos(), X: x}, t.Underlying().(*types.Pointer).Elem()
	case !has && wants:
		return &ast.UnaryExpr{OpPos: x.Pos(), Op: token.AND, X: &ast.ParenExpr{X: x}}, types.NewPointer(t)
	}
	return x, t
}

// forward makes parameters for sig and the arguments that pass them on.
func (m *lower) forward(sig *types.Signature) (args []ast.Expr, ps []*ast.Field, dots bool) {
	for i, f := range m.repFunc(sig).Params.List {
		n := m.temp("a" + localMark)
		ps = append(ps, field(n, f.Type))
		args = append(args, id(n))
		dots = sig.Variadic() && i == sig.Params().Len()-1
	}
	return
}

func (m *lower) result(sig *types.Signature, x ast.Expr) ast.Stmt {
	if sig.Results().Len() == 0 {
		return &ast.ExprStmt{X: x}
	}
	return &ast.ReturnStmt{Results: []ast.Expr{x}}
}

// invoke calls method f of x, whose type is the one that f needs.
func (m *lower) invoke(pos token.Pos, x ast.Expr, t types.Type, f *types.Func, args []ast.Expr, dots bool) ast.Expr {
	c := &ast.CallExpr{Lparen: pos, Args: args, Rparen: pos}
	if dots {
		c.Ellipsis = pos
	}
	if m.dynamic(t) {
		c.Fun = &ast.TypeAssertExpr{X: callOf(pos, m.useFunc("method", m.b.method), x, &ast.BasicLit{Kind: token.STRING, Value: strconv.Quote(f.Name())}), Type: m.repFunc(m.subst(f.Signature()).(*types.Signature))}
		return c
	}
	if n := namedOf(t); n != nil && m.own(n) != nil {
		var targs []types.Type
		for i := range n.TypeArgs().Len() {
			targs = append(targs, n.TypeArgs().At(i))
		}
		c.Fun = idAt(pos, m.funcName(f, targs))
		c.Args = append([]ast.Expr{x}, args...)
		return c
	}
	c.Fun = &ast.SelectorExpr{X: x, Sel: idAt(pos, f.Name())}
	return c
}
