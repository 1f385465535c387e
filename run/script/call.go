package script

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"
)

func (m *lower) call(e *ast.CallExpr) ast.Expr {
	if tv := m.info.Types[e.Fun]; tv.IsType() {
		return m.conversion(e)
	}
	if b := m.builtin(e.Fun); b != "" {
		return m.callBuiltin(e, b)
	}
	sig, _ := m.typeOf(e.Fun).Underlying().(*types.Signature)
	if sig == nil {
		m.refuse(e, "cannot call a %s", m.typeOf(e.Fun))
		return e
	}
	c := &ast.CallExpr{Lparen: e.Lparen, Rparen: e.Rparen, Ellipsis: e.Ellipsis}
	how := m.special(e)
	if how == "errors.As" {
		return m.errorsAs(e)
	}
	if how == "sortOrdered" && len(e.Args) == 1 {
		return callOf(e.Lparen, m.useFunc(how, sortOrdered), m.expr(e.Args[0]))
	}
	if len(e.Args) == 1 && sig.Params().Len() != 1 || len(e.Args) == 1 && sig.Variadic() {
		if tu, ok := m.info.TypeOf(e.Args[0]).(*types.Tuple); ok {
			return m.spread(e, sig, m.subst(tu).(*types.Tuple), how)
		}
	}
	for i, a := range e.Args {
		c.Args = append(c.Args, m.argument(a, m.paramType(sig, i, e.Ellipsis.IsValid()), how))
	}
	if !e.Ellipsis.IsValid() {
		args, packed := m.pack(c.Args, sig, func(i int) types.Type { return m.typeOf(e.Args[i]) })
		if packed {
			c.Args, c.Ellipsis = args, e.Rparen
		}
	}
	m.callee(c, e)
	if f := m.b.methodFor(how); f != nil {
		if s, ok := c.Fun.(*ast.SelectorExpr); ok {
			return callOf(e.Lparen, m.useFunc(how, f), append([]ast.Expr{s.X}, c.Args...)...)
		}
	} else if how == "templateFuncs" {
		c.Args[0] = callOf(e.Lparen, m.useFunc(how, m.b.templateFuncs), c.Args[0])
	}
	return c
}

// methodFor is the function that replaces a method of compiled code.
func (b *boxes) methodFor(how string) any {
	switch how {
	case "encodeTo":
		return b.encodeTo
	case "decodeFrom":
		return b.decodeFrom
	case "valueType":
		return b.valueType
	case "valueInterface":
		return b.valueInterface
	case "xmlEncode":
		return b.xmlEncode
	case "xmlDecode":
		return b.xmlDecode
	case "Execute":
		return b.execute
	case "ExecuteTemplate":
		return b.executeTemplate
	}
	return nil
}

// pack puts what a variadic parameter gets of args, whose types are ts, in one slice if
// there are slices of any among it, which yaegi would spread, or if there is nothing.
func (m *lower) pack(args []ast.Expr, sig *types.Signature, ts func(i int) types.Type) ([]ast.Expr, bool) {
	n := sig.Params().Len() - 1
	if sig.Variadic() && len(args) == n { // yaegi would make it an empty slice
		return append(slices.Clone(args), m.zero(sig.Params().At(n).Type())), true
	}
	if !sig.Variadic() || len(args) <= n || !types.IsInterface(m.paramType(sig, n, false)) {
		return args, false
	}
	for i := range args[n:] {
		if s, ok := ts(n + i).Underlying().(*types.Slice); ok && types.IsInterface(m.subst(s.Elem())) {
			lit := &ast.CompositeLit{Type: m.rep(types.NewSlice(m.paramType(sig, n, false))), Elts: args[n:]}
			return append(slices.Clone(args[:n]), lit), true
		}
	}
	return args, false
}

// zero is the zero value of t. yaegi's own nil of a type is none to all that uses it.
func (m *lower) zero(t types.Type) ast.Expr {
	return &ast.StarExpr{X: callOf(token.NoPos, "new", m.rep(t))}
}

// callee completes c with what e calls.
func (m *lower) callee(c *ast.CallExpr, e *ast.CallExpr) {
	fun := ast.Unparen(e.Fun)
	if s, ok := fun.(*ast.SelectorExpr); ok && m.info.Selections[s] != nil && m.info.Selections[s].Kind() == types.MethodVal {
		sel, _ := m.selection(s, m.info.Selections[s])
		x, t := m.receiver(s, m.info.Selections[s])
		if u, ok := x.(*ast.UnaryExpr); ok && m.own(namedOf(t)) == nil {
			x = ast.Unparen(u.X) // compiled methods take addresses by themselves
		}
		*c = *m.invoke(e.Lparen, x, t, m.methodOf(sel), c.Args, c.Ellipsis.IsValid()).(*ast.CallExpr)
		return
	}
	if f := m.funcNamed(fun); f != "" {
		c.Fun = idAt(fun.Pos(), f)
	} else {
		c.Fun = m.operand(fun)
	}
}

func (m *lower) paramType(sig *types.Signature, i int, dots bool) types.Type {
	n := sig.Params().Len()
	if sig.Variadic() && i >= n-1 && !dots {
		return m.subst(sig.Params().At(n - 1).Type()).(*types.Slice).Elem()
	}
	return m.subst(sig.Params().At(min(i, n-1)).Type())
}

// argument lowers a for a parameter of type t.
func (m *lower) argument(a ast.Expr, t types.Type, how string) ast.Expr {
	at := m.typeOf(a)
	if _, ok := t.Underlying().(*types.Slice); ok && m.isNil(a) { // nor what f(nil...) is
		return m.zero(t)
	}
	if m.isNil(a) && m.carried(t) { // yaegi does not know which nil
		rt := m.w.reflected(t)
		return callOf(a.Pos(), m.carrier(rt), m.expr(a))
	}
	if how == "guarded" {
		return callOf(a.Pos(), m.useFunc(how, m.b.guarded), m.as(a, t))
	}
	if how != "raw" || !m.dynamic(t) || m.isNil(a) {
		return m.as(a, t)
	}
	if how == "raw" && !types.IsInterface(at) {
		return m.operand(a)
	}
	return callOf(a.Pos(), m.useFunc(how, raw), m.as(a, t))
}

// special recognizes the functions of compiled code that look into values by reflection.
func (m *lower) special(e *ast.CallExpr) string {
	var f *types.Func
	switch x := ast.Unparen(e.Fun).(type) {
	case *ast.SelectorExpr:
		f, _ = m.info.Uses[x.Sel].(*types.Func)
	case *ast.Ident:
		f, _ = m.info.Uses[x].(*types.Func)
	}
	if f != nil && f.Pkg() != nil && f.Pkg().Path() == "slices" && f.Name() == "Sort" {
		return "sortOrdered"
	}
	if f == nil || f.Pkg() == nil || f.Pos().IsValid() {
		return ""
	}
	switch p := f.Pkg().Path(); {
	case p == "errors" && f.Name() == "As":
		return "errors.As"
	case p == "reflect" && f.Signature().Recv() == nil && slices.Contains([]string{"TypeOf", "ValueOf", "DeepEqual"}, f.Name()):
		return ""
	case p == "reflect" && (f.Name() == "Type" || f.Name() == "Interface") && f.Signature().Recv() != nil && namedOf(f.Signature().Recv().Type()).Obj().Name() == "Value":
		return "value" + f.Name()
	case p == "sort" || p == "reflect" || p == "encoding/binary" || p == "fmt" && strings.Contains(f.Name(), "can"):
		return "raw"
	case p == "encoding/json":
		if f.Signature().Recv() != nil {
			return map[string]string{"Encode": "encodeTo", "Decode": "decodeFrom"}[f.Name()]
		}
	case p == "text/template" && strings.HasPrefix(f.Name(), "Execute"):
		return f.Name()
	case p == "sync" && f.Name() == "Go":
		return "guarded"
	case p == "text/template" && f.Name() == "Funcs":
		return "templateFuncs"
	case p == "encoding/xml" && f.Signature().Recv() != nil:
		return map[string]string{"Encode": "xmlEncode", "Decode": "xmlDecode"}[f.Name()]
	}
	return ""
}

// spread lowers f(g()) with a g of several results.
func (m *lower) spread(e *ast.CallExpr, sig *types.Signature, tu *types.Tuple, how string) ast.Expr {
	var ps []*ast.Field
	c := &ast.CallExpr{Lparen: e.Lparen, Rparen: e.Rparen}
	for i := range tu.Len() {
		n, t := m.temp("t"), tu.At(i).Type()
		ps = append(ps, field(n, m.rep(t)))
		c.Args = append(c.Args, m.convert(id(n), t, m.paramType(sig, i, false)))
	}
	if args, packed := m.pack(c.Args, sig, func(i int) types.Type { return tu.At(i).Type() }); packed {
		c.Args, c.Ellipsis = args, e.Rparen
	}
	m.callee(c, e)
	return m.iife(m.info.TypeOf(e), func() []ast.Stmt {
		a := &ast.AssignStmt{Tok: token.DEFINE, Rhs: []ast.Expr{m.expr(e.Args[0])}}
		for _, p := range ps {
			a.Lhs = append(a.Lhs, id(p.Names[0].Name))
		}
		return []ast.Stmt{a, m.give(e, c)}
	})
}

// give returns the value of x, if it has one.
func (m *lower) give(e ast.Expr, x ast.Expr) ast.Stmt {
	if t := m.info.TypeOf(e); t == nil || isVoid(t) {
		return &ast.ExprStmt{X: x}
	}
	return &ast.ReturnStmt{Results: []ast.Expr{x}}
}

func isVoid(t types.Type) bool {
	tu, ok := t.(*types.Tuple)
	return ok && tu.Len() == 0
}

// iife is a literal that is called at once, for what takes statements.
func (m *lower) iife(t types.Type, body func() []ast.Stmt) ast.Expr {
	ft := &ast.FuncType{Params: params()}
	if tu, ok := t.(*types.Tuple); ok {
		for v := range tu.Variables() {
			if ft.Results == nil {
				ft.Results = params()
			}
			ft.Results.List = append(ft.Results.List, &ast.Field{Type: m.rep(v.Type())})
		}
	} else if t != nil {
		ft.Results = params(&ast.Field{Type: m.rep(t)})
	}
	return &ast.CallExpr{Fun: &ast.FuncLit{Type: ft, Body: block(body()...)}}
}

func (m *lower) conversion(e *ast.CallExpr) ast.Expr {
	to, a := m.typeOf(e), e.Args[0]
	from := m.typeOf(a)
	if types.IsInterface(to) {
		return m.as(a, to)
	}
	if tv := m.info.Types[a]; tv.Value != nil {
		if b, ok := to.Underlying().(*types.Basic); ok {
			fb, _ := from.Underlying().(*types.Basic)
			if b.Info()&types.IsString == 0 || fb != nil && fb.Info()&types.IsString != 0 {
				return m.constant(a.Pos(), tv.Value, to) // of a type parameter's type
			}
		}
	}
	if m.isNil(a) && m.structs.wrapped(to) != nil {
		return m.zero(to)
	}
	x := m.operand(a)
	if w := m.structs.wrapped(to); w != nil {
		if types.Identical(from, to) {
			return m.expr(a)
		}
		return m.wrap(x, to)
	}
	if m.isNil(a) {
		return &ast.CallExpr{Fun: conversion(m.rep(to)), Lparen: e.Lparen, Args: []ast.Expr{x}, Rparen: e.Rparen}
	}
	if types.Identical(from, to) || m.structs.typ(from) == m.structs.typ(to) {
		return x
	}
	return &ast.CallExpr{Fun: conversion(m.rep(to)), Lparen: e.Lparen, Args: []ast.Expr{x}, Rparen: e.Rparen}
}

func (m *lower) builtin(f ast.Expr) string {
	if i, ok := ast.Unparen(f).(*ast.Ident); ok {
		if b, ok := m.info.Uses[i].(*types.Builtin); ok {
			return b.Name()
		}
	}
	return ""
}

func (m *lower) callBuiltin(e *ast.CallExpr, name string) ast.Expr {
	pos := e.Pos()
	c := callOf(pos, name)
	switch name {
	case "panic":
		return callOf(pos, m.useFunc("panic", raise), m.any(e.Args[0]))
	case "recover":
		if m.recovery == "" {
			return callOf(pos, m.useFunc("recover", m.b.recover), id("nil"))
		}
		return callOf(pos, m.useFunc("recover", m.b.recover), id(m.recovery))
	case "print", "println":
		c = callOf(pos, m.useFunc(name, map[string]any{"print": printAny, "println": printlnAny}[name]))
		for _, a := range e.Args {
			c.Args = append(c.Args, m.any(a))
		}
	case "clear":
		return callOf(pos, m.useFunc(name, func(x any) { reflect.ValueOf(x).Clear() }), m.operand(e.Args[0]))
	case "new":
		if m.info.Types[e.Args[0]].IsType() {
			c.Args = []ast.Expr{m.rep(m.typeOf(e.Args[0]))}
			break
		}
		t := m.typeOf(e).(*types.Pointer).Elem() // of an expression
		n := m.temp("v")
		return m.iife(m.typeOf(e), func() []ast.Stmt {
			return []ast.Stmt{m.variable(pos, n, t, m.as(e.Args[0], t)), &ast.ReturnStmt{Results: []ast.Expr{&ast.UnaryExpr{Op: token.AND, X: id(n)}}}}
		})
	case "make":
		t := m.bare(m.typeOf(e))
		bare := t
		if ch, ok := t.Underlying().(*types.Chan); ok && ch.Dir() != types.SendRecv { // which reflection cannot make
			t = types.NewChan(types.SendRecv, ch.Elem())
		}
		c.Args = []ast.Expr{m.rep(t)}
		for _, a := range e.Args[1:] {
			c.Args = append(c.Args, m.index(a))
		}
		if last, size, ok := m.made(e); ok && m.bounds.checked[e] == later {
			c.Args[len(c.Args)-1] = callOf(pos, m.useFunc("fits", fits), m.index(last), number(size))
		}
		if t != bare {
			return m.wrap(&ast.CallExpr{Fun: conversion(m.rep(bare)), Args: []ast.Expr{c}}, m.typeOf(e))
		}
		return m.wrap(c, m.typeOf(e))
	case "append":
		t := m.typeOf(e)
		elem := t.Underlying().(*types.Slice).Elem()
		c.Args = []ast.Expr{m.unwrap(m.as(e.Args[0], t), t)}
		if m.isNil(e.Args[0]) {
			c.Args[0] = &ast.CallExpr{Fun: conversion(m.rep(m.bare(t))), Args: []ast.Expr{id("nil")}}
		}
		for _, a := range e.Args[1:] {
			if e.Ellipsis.IsValid() {
				x := m.operand(a)
				if b, ok := m.typeOf(a).Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
					x = &ast.CallExpr{Fun: &ast.ArrayType{Elt: id("byte")}, Args: []ast.Expr{x}}
				}
				c.Args, c.Ellipsis = append(c.Args, x), e.Ellipsis
				continue
			}
			x := m.as(a, elem)
			if m.isNil(a) && !types.IsInterface(elem) && m.structs.wrapped(elem) == nil { // yaegi takes it for one of the type of the program's first nil
				x = &ast.CallExpr{Fun: conversion(m.rep(elem)), Args: []ast.Expr{x}}
			}
			c.Args = append(c.Args, x)
		}
		return m.wrap(c, t)
	case "delete":
		c.Args = []ast.Expr{m.operand(e.Args[0]), m.key(e.Args[1], m.typeOf(e.Args[0]).Underlying().(*types.Map).Key())}
	case "copy":
		c.Args = []ast.Expr{m.operand(e.Args[0]), m.operand(e.Args[1])}
		if b, ok := m.typeOf(e.Args[1]).Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
			c.Args[1] = &ast.CallExpr{Fun: &ast.ArrayType{Elt: id("byte")}, Args: []ast.Expr{c.Args[1]}}
		}
	case "min", "max":
		t := m.typeOf(e)
		x := m.as(e.Args[0], t)
		b, _ := t.Underlying().(*types.Basic)
		for _, a := range e.Args[1:] {
			if b != nil && b.Info()&types.IsFloat != 0 { // NaN propagates and zeros have signs, which yaegi's own calls lose
				f := map[string]any{"min": func(a, b float64) float64 { return min(a, b) }, "max": func(a, b float64) float64 { return max(a, b) }}[name]
				x = &ast.CallExpr{Fun: m.rep(t), Args: []ast.Expr{callOf(pos, m.useFunc("float."+name, f), callOf(pos, "float64", x), callOf(pos, "float64", m.as(a, t)))}}
				continue
			}
			x = callOf(pos, m.extreme(name, t), x, m.as(a, t))
		}
		return x
	default: // len, cap, close, complex, real, imag
		for _, a := range e.Args {
			x := m.operand(a)
			if _, ok := m.typeOf(a).Underlying().(*types.Pointer); ok {
				x = &ast.StarExpr{X: x} // of a pointer to an array
			}
			c.Args = append(c.Args, x)
		}
	}
	return c
}

// extreme is the name of a function that is min or max for t.
func (m *lower) extreme(name string, t types.Type) string {
	key := name + types.TypeString(t, nil)
	n := m.funcs[key]
	if n == "" {
		n = m.fresh(name)
		m.funcs[key] = n
		op := map[string]token.Token{"min": token.LSS, "max": token.GTR}[name]
		body := block(&ast.IfStmt{Cond: &ast.BinaryExpr{X: id("a"), Op: op, Y: id("b")}, Body: block(&ast.ReturnStmt{Results: []ast.Expr{id("a")}})}, &ast.ReturnStmt{Results: []ast.Expr{id("b")}})
		m.out = append(m.out, &ast.FuncDecl{Name: id(n), Type: &ast.FuncType{Params: params(field("a", m.rep(t)), field("b", m.rep(t))), Results: params(&ast.Field{Type: m.rep(t)})}, Body: body})
	}
	return n
}
