package script

import (
	"go/ast"
	"go/token"
	"go/types"
)

// errorsAs finds the first error of err's tree that is of the type, which it returns, or
// whose method As sets target.
func (b *boxes) errorsAs(id int, err, target any) (found any, set bool) {
	for err = unwrap(err); err != nil; {
		if b.is(id, err) {
			return err, false
		}
		switch x := err.(type) {
		case interface{ As(any) bool }:
			if x.As(target) {
				return nil, true
			}
		}
		switch x := err.(type) {
		case interface{ Unwrap() error }:
			err = unwrap(x.Unwrap())
		case interface{ Unwrap() []error }:
			for _, e := range x.Unwrap() {
				if found, set := b.errorsAs(id, e, target); found != nil || set {
					return found, set
				}
			}
			return nil, false
		default:
			return nil, false
		}
	}
	return nil, false
}

func (x errorBox) Error() string { return x.text("Error") }

func (x wrapBox) Unwrap() error { return x.methodFunc("Unwrap").(func() error)() }

func (x manyBox) Unwrap() []error { return x.methodFunc("Unwrap").(func() []error)() }

func (x errorBox) Is(target error) bool {
	f, ok := x.methodFunc("Is").(func(error) bool)
	return ok && f(target)
}

func (x errorBox) As(target any) bool {
	f, ok := x.methodFunc("As").(func(any) bool)
	return ok && f(target)
}

// retold is an error with another text.
type retold struct {
	text string
	error
}

func (e *retold) Error() string { return e.text }
func (e *retold) Unwrap() error { return e.error }

// errorsAs lowers errors.As(err, &target), which must know the target's type.
func (m *lower) errorsAs(e *ast.CallExpr) ast.Expr {
	p, ok := m.typeOf(e.Args[1]).Underlying().(*types.Pointer)
	if !ok {
		m.refuse(e, "errors.As needs the address of a variable")
		return e
	}
	if i := types.Universe.Lookup("error").Type().Underlying().(*types.Interface); !types.IsInterface(p.Elem()) && !types.Implements(p.Elem(), i) {
		m.refuse(e, "errors.As needs a pointer to a variable whose type is an interface or an error, and %s has no method Error", typeName(p.Elem()))
		return e
	}
	err, x, done, r := m.temp("err"), m.temp("x"), m.temp("ok"), m.temp("to")
	target := m.convert(id(r), m.typeOf(e.Args[1]), types.Universe.Lookup("any").Type())
	return m.iife(types.Typ[types.Bool], func() []ast.Stmt {
		return []ast.Stmt{
			define(e.Pos(), err, m.any(e.Args[0])),
			define(e.Pos(), r, m.expr(e.Args[1])),
			&ast.AssignStmt{Lhs: []ast.Expr{id(x), id(done)}, Tok: token.DEFINE, Rhs: []ast.Expr{callOf(e.Pos(), m.useFunc("errorsAs", m.b.errorsAs), number(m.typeID(p.Elem())), id(err), target)}},
			&ast.IfStmt{Cond: not(token.NEQ, callOf(e.Pos(), m.useFunc("isNil", isNil), id(x))), Body: block(set(e.Pos(), &ast.StarExpr{X: id(r)}, m.assertion(id(x), types.Universe.Lookup("any").Type(), p.Elem(), false)), set(e.Pos(), id(done), id("true")))},
			&ast.ReturnStmt{Results: []ast.Expr{id(done)}},
		}
	})
}
