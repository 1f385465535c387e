package script

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/printer"
	"go/token"
	"go/types"
	"os"
	"reflect"
	"strings"
)

// show prints the value of the last expression: strings and what prints itself as text,
// the rest as JSON, or as fmt prints it if it has no JSON.
func (b *boxes) show(vs ...any) {
	for _, v := range vs {
		switch x := v.(type) {
		case nil, struct{}:
			continue
		case string:
			fmt.Fprintln(b.out, x)
			continue
		case []byte:
			fmt.Fprintln(b.out, string(x))
			continue
		case json.RawMessage:
			fmt.Fprintln(b.out, string(x))
			continue
		case error:
			fmt.Fprintln(b.out, x)
			continue
		}
		if bx, ok := open(v); ok {
			_, isError := bx.methodFunc("Error").(func() string)
			_, isText := bx.methodFunc("String").(func() string)
			if isError || isText {
				fmt.Fprintln(b.out, v)
				continue
			}
		} else if _, ok := v.(fmt.Stringer); ok {
			fmt.Fprintln(b.out, v)
			continue
		}
		if reflect.TypeOf(v).Kind() == reflect.Func {
			fmt.Fprintf(b.out, "%T\n", v)
			continue
		}
		text, err := encode(v)
		if string(text) == "null" {
			continue // a nil map is as silent as nil
		}
		if _, ok := v.(json.Marshaler); err != nil || text == nil && ok {
			fmt.Fprintln(b.out, v)
			continue
		}
		fmt.Fprintln(b.out, string(text))
	}
}

// dump prints what yaegi is given to run.
func dump(f *ast.File) { _ = printer.Fprint(os.Stderr, token.NewFileSet(), f) }

// lastValue lowers the last statement of a snippet, whose value is shown.
func (m *lower) lastValue(s ast.Stmt) (out []ast.Stmt) {

	var x ast.Expr
	switch s := s.(type) {
	case *ast.ExprStmt:
		x = s.X
	case *ast.AssignStmt:
		x = s.Rhs[0]
	}
	show := func(args ...ast.Expr) ast.Stmt {
		return &ast.ExprStmt{X: callOf(s.Pos(), m.useFunc("show", m.b.show), args...)}
	}
	t := m.info.TypeOf(x)
	if m.isNil(x) {
		return nil
	}
	if c, ok := ast.Unparen(x).(*ast.CallExpr); ok && m.prints(c) || t == nil || isVoid(t) {
		return append(out, m.stmt(s, "")...)
	}
	tu, ok := t.(*types.Tuple)
	if !ok {
		return append(out, show(m.any(x)))
	}
	a := &ast.AssignStmt{TokPos: s.Pos(), Tok: token.DEFINE, Rhs: []ast.Expr{m.expr(x)}}
	var args []ast.Expr
	for i := range tu.Len() {
		n := m.temp("t")
		a.Lhs = append(a.Lhs, id(n))
		args = append(args, m.convert(id(n), tu.At(i).Type(), types.Universe.Lookup("any").Type()))
	}
	return append(out, a, show(args...))
}

// prints says whether c itself prints, so that the count of bytes it returns need not be shown.
func (m *lower) prints(c *ast.CallExpr) bool {
	s, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	f, ok := m.info.Uses[s.Sel].(*types.Func)
	return ok && f.Pkg() != nil && f.Pkg().Path() == "fmt" && (strings.HasPrefix(f.Name(), "Print") || strings.HasPrefix(f.Name(), "Fprint"))
}
