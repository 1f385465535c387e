package script

import (
	"errors"
	"go/ast"
	"go/token"
	"go/types"
)

// errorsAs finds the first error of err's tree that is of the type.
func (b *boxes) errorsAs(id int, err any) (any, bool) {
	for err = unwrap(err); err != nil; {
		if b.is(id, err) {
			return err, true
		}
		e, ok := err.(error)
		if !ok {
			return nil, false
		}
		if many, ok := e.(interface{ Unwrap() []error }); ok {
			for _, e := range many.Unwrap() {
				if x, ok := b.errorsAs(id, e); ok {
					return x, true
				}
			}
			return nil, false
		}
		err = unwrap(errors.Unwrap(e))
	}
	return nil, false
}

func (x errorBox) Error() string { return x.text("Error") }

func (x errorBox) Unwrap() error {
	if f := x.bound("Unwrap"); f.IsValid() {
		if g, ok := f.Interface().(func() error); ok {
			return g()
		}
		if g, ok := f.Interface().(func() []error); ok {
			return errors.Join(g()...)
		}
	}
	return nil
}

func (x errorBox) Is(target error) bool {
	if f, ok := x.methodFunc("Is").(func(error) bool); ok {
		return f(target)
	}
	return false
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
	x, found, r := m.temp("x"), m.temp("ok"), m.temp("to")
	return m.iife(types.Typ[types.Bool], func() []ast.Stmt {
		return []ast.Stmt{
			define(e.Pos(), r, m.expr(e.Args[1])),
			&ast.AssignStmt{Lhs: []ast.Expr{id(x), id(found)}, Tok: token.DEFINE, Rhs: []ast.Expr{callOf(e.Pos(), m.useFunc("errorsAs", m.b.errorsAs), number(m.typeID(p.Elem())), m.any(e.Args[0]))}},
			&ast.IfStmt{Cond: id(found), Body: block(set(e.Pos(), &ast.StarExpr{X: id(r)}, m.assertion(id(x), types.Universe.Lookup("any").Type(), p.Elem(), false)))},
			&ast.ReturnStmt{Results: []ast.Expr{id(found)}},
		}
	})
}
