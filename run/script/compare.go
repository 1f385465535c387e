package script

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strconv"
)

func (m *lower) binary(e *ast.BinaryExpr) ast.Expr {
	x, y := m.typeOf(e.X), m.typeOf(e.Y)
	switch e.Op {
	case token.EQL, token.NEQ:
		return m.compare(e.OpPos, e.Op, e.X, e.Y)
	case token.SHL, token.SHR:
		return &ast.BinaryExpr{X: m.as(e.X, x), OpPos: e.OpPos, Op: e.Op, Y: m.shiftCount(e.Y)}
	case token.LSS, token.GTR, token.LEQ, token.GEQ:
		if m.info.Types[e.X].Value != nil {
			x = y
		}
		return &ast.BinaryExpr{X: m.as(e.X, x), OpPos: e.OpPos, Op: e.Op, Y: m.as(e.Y, x)}
	case token.LAND, token.LOR:
		x, was := m.expr(e.X), m.bounds.sure
		defer func() { m.bounds.sure = was }()
		if e.Op == token.LAND {
			m.bounds.sure = append(slices.Clip(was), m.knownBy(e.X)...)
		}
		return &ast.BinaryExpr{X: branching(x), OpPos: e.OpPos, Op: e.Op, Y: m.guarded(e.Y)}
	}
	t := m.typeOf(e)
	return &ast.BinaryExpr{X: m.as(e.X, t), OpPos: e.OpPos, Op: e.Op, Y: m.as(e.Y, t)}
}

// conversion is what a call converts to t with. A name needs no parentheses.
func conversion(t ast.Expr) ast.Expr {
	if _, name := t.(*ast.Ident); name {
		return t
	}
	return &ast.ParenExpr{X: t}
}

// branching is x as the first operand of && or ||. Yaegi branches on what it meets first in
// it, if that computes nothing: a type or a name in parentheses, whose value is not x's.
func branching(x ast.Expr) ast.Expr {
	idle := false
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ParenExpr:
			switch n.X.(type) {
			case *ast.BinaryExpr, *ast.UnaryExpr, *ast.CallExpr, *ast.IndexExpr, *ast.SelectorExpr:
			default:
				idle = true
			}
		case *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.FuncType, *ast.StructType, *ast.InterfaceType:
			idle = true
		}
		return !idle
	})
	if !idle {
		return x
	}
	return &ast.ParenExpr{X: &ast.BinaryExpr{X: id("true"), OpPos: x.Pos(), Op: token.LAND, Y: x}}
}

// shiftCount lowers what a value is shifted by, which Go does not let be negative.
func (m *lower) shiftCount(e ast.Expr) ast.Expr {
	x := callOf(e.Pos(), "uint", m.expr(e))
	if b, ok := m.typeOf(e).Underlying().(*types.Basic); ok && b.Info()&types.IsUnsigned != 0 || m.info.Types[e].Value != nil {
		return x
	}
	return callOf(e.Pos(), m.useFunc("shiftCount", shiftCount), callOf(e.Pos(), "int64", m.expr(e)))
}

func shiftCount(n int64) uint {
	if n < 0 {
		_ = 1 << n // panics
	}
	return uint(n)
}

// compare lowers x == y or x != y.
func (m *lower) compare(pos token.Pos, op token.Token, x, y ast.Expr) ast.Expr {
	xt, yt := m.typeOf(x), m.typeOf(y)
	if m.isNil(x) {
		x, y, xt, yt = y, x, yt, xt
	}
	if !m.isNil(y) && (types.IsInterface(xt) || types.IsInterface(yt)) {
		return not(op, callOf(pos, m.useFunc("equal", equal), m.any(x), m.any(y)))
	}
	if m.isNil(y) && m.dynamic(xt) {
		return not(op, callOf(pos, m.useFunc("isNil", isNil), m.any(x)))
	}
	t := xt
	if m.info.Types[x].Value != nil {
		t = yt
	}
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array:
		return not(op, callOf(pos, m.useFunc("equal", equal), m.expr(x), m.expr(y)))
	}
	if m.structs.wrapped(t) != nil {
		if m.isNil(y) {
			return &ast.BinaryExpr{X: m.operand(x), OpPos: pos, Op: op, Y: id("nil")}
		}
		return &ast.BinaryExpr{X: m.operand(x), OpPos: pos, Op: op, Y: m.operand(y)}
	}
	return &ast.BinaryExpr{X: m.as(x, t), OpPos: pos, Op: op, Y: m.as(y, t)}
}

func not(op token.Token, x ast.Expr) ast.Expr {
	if op == token.NEQ {
		return &ast.UnaryExpr{OpPos: x.Pos(), Op: token.NOT, X: x}
	}
	return x
}

func (m *lower) isNil(e ast.Expr) bool {
	b, ok := m.info.TypeOf(e).(*types.Basic)
	return ok && b.Kind() == types.UntypedNil
}

// any lowers e to a value of type any.
func (m *lower) any(e ast.Expr) ast.Expr { return m.as(e, types.Universe.Lookup("any").Type()) }

func isInteger(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

// equal is == of interfaces, structs and arrays.
func equal(x, y any) bool {
	if a, ok := open(x); ok && a.t.loose {
		if b, ok := open(y); !ok || a.t != b.t {
			return false
		}
	}
	defer func() {
		if e := recover(); e != nil {
			panic(runtimeError("runtime error: comparing uncomparable type " + uncomparable(reflect.ValueOf(&x).Elem())))
		}
	}()
	return x == y
}

// key lowers e as a key of a map, where one that has no == panics with the name of its type.
func (m *lower) key(e ast.Expr, t types.Type) ast.Expr {
	x := m.as(e, t)
	if from := m.typeOf(e); !mayHoldAny(t) || types.Comparable(from) && !mayHoldAny(from) {
		return x
	}
	n := "hashed" + strconv.Itoa(m.typeNumber(t))
	f := m.funcs[n]
	if f == "" {
		f = m.fresh("hashed")
		m.funcs[n] = f
		m.out = append(m.out, &ast.FuncDecl{Name: id(f), Type: &ast.FuncType{Params: params(field("x", m.rep(t))), Results: params(&ast.Field{Type: m.rep(t)})},
			Body: block(&ast.ExprStmt{X: callOf(token.NoPos, m.useFunc("hashable", hashable), id("x"))}, &ast.ReturnStmt{Results: []ast.Expr{id("x")}})})
	}
	return callOf(x.Pos(), f, x)
}

// mayHoldAny says whether a comparable t holds interfaces.
func mayHoldAny(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return true
	case *types.Array:
		return mayHoldAny(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if mayHoldAny(f.Type()) {
				return true
			}
		}
	}
	return false
}

// hashable panics if x, which a map gets as a key, has no ==.
func hashable(x any) {
	switch x.(type) {
	case string, int, bool, float64:
		return
	}
	if t := uncomparable(reflect.ValueOf(&x).Elem()); t != "" {
		panic(runtimeError("runtime error: hash of unhashable type " + t))
	}
}

// uncomparable is the name of the first type in v that has no ==, "" if there is none.
func uncomparable(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() || !v.CanInterface() {
			return ""
		}
		x := unwrap(v.Interface())
		if bx, ok := open(x); ok && !bx.t.loose {
			return uncomparable(reflect.ValueOf(bx.v))
		} else if ok || !reflect.TypeOf(x).Comparable() {
			return typeNameOf(x)
		}
		return uncomparable(reflect.ValueOf(x))
	case reflect.Struct:
		for _, f := range v.Fields() {
			if t := uncomparable(f); t != "" {
				return t
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			if t := uncomparable(v.Index(i)); t != "" {
				return t
			}
		}
	}
	return ""
}
