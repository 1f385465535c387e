package script

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"strconv"
)

// convert makes x, of type from, a value of type to. Only what goes into or between
// interfaces changes its form.
func (m *lower) convert(x ast.Expr, from, to types.Type) ast.Expr {
	pos := x.Pos()
	if b, ok := from.(*types.Basic); ok && b.Kind() == types.UntypedNil {
		if m.structs.wrapped(to) != nil {
			return m.zero(to)
		}
		return x
	}
	switch {
	case types.Identical(from, to):
	case m.dynamic(to):
		switch {
		case m.carried(from):
			return callOf(pos, m.useFunc("unwrap", unwrap), x)
		case types.IsInterface(from):
		case m.w.reflected(from) == nil:
			return callOf(pos, m.useFunc("box", m.b.box), number(m.typeID(from)), x)
		default:
			return m.computed(x, from)
		}
	case m.carried(to):
		if types.IsInterface(from) || m.w.reflected(from) == nil {
			return callOf(pos, m.carrier(m.w.reflected(to)), m.convert(x, from, types.Universe.Lookup("any").Type()))
		}
		return m.computed(x, from)
	default:
		x = m.wrap(m.unwrap(x, from), to)
		if _, ok := to.Underlying().(*types.Chan); ok && m.structs.typ(from) != m.structs.typ(to) { // another direction
			return &ast.CallExpr{Fun: conversion(m.rep(to)), Lparen: pos, Args: []ast.Expr{x}, Rparen: pos}
		}
		if n := asNamed(to); n != nil && m.w.back[n] != nil && asNamed(from) == nil {
			return &ast.CallExpr{Fun: m.rep(to), Lparen: pos, Args: []ast.Expr{x}, Rparen: pos}
		}
	}
	return x
}

// computed is x as yaegi can assign it to an interface: what an operator makes it would
// compute in the variable assigned to, as a value of that type, and then stop without a word.
func (m *lower) computed(x ast.Expr, t types.Type) ast.Expr {
	switch op := ast.Unparen(x).(type) {
	case *ast.UnaryExpr:
		if op.Op == token.AND {
			return x
		}
	case *ast.BinaryExpr:
	default:
		return x
	}
	return &ast.CallExpr{Fun: conversion(m.rep(t)), Lparen: x.Pos(), Args: []ast.Expr{x}, Rparen: x.Pos()}
}

// carrier is the name of the function that makes values of compiled interface rt.
func (m *lower) carrier(rt reflect.Type) string {
	return m.use("to "+rt.PkgPath()+"."+rt.Name(), func() reflect.Value { return m.b.carrier(rt) })
}

// typeID is the number of a type in the boxes' table; its methods go with it.
func (m *lower) typeID(t types.Type) int {
	id, isNew := m.b.id(t)
	if isNew && !types.IsInterface(t) {
		m.queue = append(m.queue, func() { m.methods(id, t) })
		m.parts(t.Underlying())
	}
	return id
}

// parts makes the methods of the types that t is made of known, for fmt and encoding/json.
func (m *lower) parts(t types.Type) {
	switch t := t.(type) {
	case *types.Struct:
		for f := range t.Fields() {
			m.part(f.Type())
		}
	case *types.Map:
		m.part(t.Key())
		m.part(t.Elem())
	case interface{ Elem() types.Type }:
		m.part(t.Elem())
	}
}

func (m *lower) part(t types.Type) {
	if n := m.own(t); n != nil && !types.IsInterface(t) {
		m.typeID(t)
		if n.NumMethods() > 0 {
			m.typeID(types.NewPointer(t))
		}
	} else if m.w.reflected(t) == nil {
		if p, ok := t.(*types.Pointer); ok && m.own(p.Elem()) != nil {
			m.typeID(t)
		} else {
			m.parts(types.Unalias(t))
		}
	}
}

// methods makes known those methods of t that an interface may call.
func (m *lower) methods(n int, t types.Type) {
	set := types.NewMethodSet(t)
	for i := range set.Len() {
		s := set.At(i)
		f := s.Obj().(*types.Func)
		if !m.b.wanted[f.Name()] && !(m.templates && f.Exported()) {
			continue
		}
		was := m.fn
		m.fn = &fn{names: map[types.Object]string{}, taken: map[string]int{}}
		sig := s.Type().(*types.Signature)
		args, ps, dots := m.forward(sig)
		r := m.temp("r")
		v := m.temp("x") // addressable, and what it embeds is not a copy
		x, xt := m.path(id(v), t, s.Index()[:len(s.Index())-1])
		y, yt := m.adjust(x, xt, f)
		ft := m.repFunc(sig)
		ft.Params.List = append([]*ast.Field{field(r, &ast.InterfaceType{Methods: params()})}, ps...)
		name := m.fresh("m·" + f.Name())
		m.out = append(m.out, &ast.FuncDecl{Name: idAt(f.Pos(), name), Type: ft, Body: block(define(f.Pos(), v, &ast.TypeAssertExpr{X: id(r), Type: m.rep(t)}), m.result(sig, m.invoke(f.Pos(), y, yt, f, args, dots)))})
		m.fn = was
		m.prologue = append(m.prologue, &ast.ExprStmt{X: callOf(f.Pos(), m.useFunc("register", m.b.register), number(n), &ast.BasicLit{Kind: token.STRING, Value: strconv.Quote(f.Name())}, id(name))})
	}
}

// assertion lowers x.(t), or its form with ok; x is lowered to type any, from is its own.
func (m *lower) assertion(x ast.Expr, from, t types.Type, ok bool) ast.Expr {
	t = m.subst(t)
	kind, of := "must", "" // of is the name that an error gives to from
	if ok {
		kind = "as"
	} else if i, _ := from.Underlying().(*types.Interface); i != nil && (i.NumMethods() > 0 || m.own(from) != nil) {
		of = typeName(from)
	}
	if rt := m.w.reflected(t); rt != nil && (m.carried(t) || !types.IsInterface(t)) {
		return callOf(x.Pos(), m.use(kind+of+" "+types.TypeString(t, nil), func() reflect.Value { return m.b.assert(rt, t, of, ok) }), x)
	}
	n := m.typeID(t)
	if types.IsInterface(t) {
		if ok {
			return callOf(x.Pos(), m.useFunc("ifaceOK", m.b.ifaceOK), number(n), x)
		}
		return callOf(x.Pos(), m.useFunc("iface", m.b.iface), number(n), x)
	}
	key := kind + of + strconv.Itoa(n)
	name := m.funcs[key]
	if name == "" {
		name = m.fresh(kind)
		m.funcs[key] = name
		cast := &ast.TypeAssertExpr{X: id("y"), Type: m.rep(t)}
		opened := &ast.DeclStmt{Decl: &ast.GenDecl{Tok: token.VAR, Specs: []ast.Spec{&ast.ValueSpec{Names: []*ast.Ident{id("y")}, Type: &ast.InterfaceType{Methods: params()},
			Values: []ast.Expr{callOf(x.Pos(), m.useFunc("cast", m.b.cast), number(n), id("x"), &ast.BasicLit{Kind: token.STRING, Value: strconv.Quote(of)})}}}}}
		d := &ast.FuncDecl{Name: idAt(x.Pos(), name), Type: &ast.FuncType{Params: params(field("x", &ast.InterfaceType{Methods: params()}))}}
		if ok {
			// Results without names: yaegi leaves in those what the last call put there.
			d.Type.Results = params(&ast.Field{Type: m.rep(t)}, &ast.Field{Type: id("bool")})
			d.Body = block(&ast.IfStmt{Cond: callOf(x.Pos(), m.useFunc("is", m.b.is), number(n), id("x")), Body: block(opened, &ast.ReturnStmt{Results: []ast.Expr{cast, id("true")}})},
				&ast.ReturnStmt{Results: []ast.Expr{m.zero(t), id("false")}})
		} else {
			d.Type.Results = params(&ast.Field{Type: m.rep(t)})
			d.Body = block(opened, &ast.ReturnStmt{Results: []ast.Expr{cast}})
		}
		m.out = append(m.out, d)
	}
	return callOf(x.Pos(), name, x)
}

// test lowers the question whether x, of type any, is a t.
func (m *lower) test(x ast.Expr, t types.Type) ast.Expr {
	return callOf(x.Pos(), m.useFunc("is", m.b.is), number(m.typeID(m.subst(t))), x)
}
