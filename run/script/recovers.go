package script

import (
	"go/ast"
	"go/types"
)

// Only a function that a deferred call comes to at once may recover. What runs the calls
// (panics.go) says whose turn it is, and a function that may recover asks as it begins.

// callsRecover says whether b calls recover, not counting the literals inside.
func (m *lower) callsRecover(b ast.Node) bool {
	return b != nil && has(b, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		return ok && m.builtin(c.Fun) == "recover"
	})
}

// mayRecover says whether a deferred call can come to a function that recovers.
func (m *lower) mayRecover(c *ast.CallExpr) bool {
	if f, ok := ast.Unparen(c.Fun).(*ast.FuncLit); ok {
		return m.callsRecover(f.Body)
	}
	f := m.static(c)
	if f == nil {
		return m.builtin(c.Fun) == ""
	}
	d, ok := m.decls[f.Origin()].(*ast.FuncDecl)
	return ok && m.callsRecover(d.Body)
}

// static is the function or method that c calls, nil if that is known only as it runs.
func (m *lower) static(c *ast.CallExpr) *types.Func {
	var i *ast.Ident
	switch x := ast.Unparen(c.Fun).(type) {
	case *ast.Ident:
		i = x
	case *ast.SelectorExpr:
		i = x.Sel
		if s := m.info.Selections[x]; s != nil && types.IsInterface(m.subst(s.Recv())) {
			return nil
		}
	case *ast.IndexExpr:
		return m.static(&ast.CallExpr{Fun: x.X})
	case *ast.IndexListExpr:
		return m.static(&ast.CallExpr{Fun: x.X})
	}
	if i == nil {
		return nil
	}
	f, _ := m.info.Uses[i].(*types.Func)
	return f
}

// recoversByValue says whether a deferred call can come, by a value, to a function that
// does not recover, while another that does could take it for its own.
func (m *lower) recoversByValue(files []*ast.File) bool {
	unknown, recovers := false, false
	direct := map[ast.Node]bool{} // deferred where they stand
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.DeferStmt:
				lit, ok := ast.Unparen(n.Call.Fun).(*ast.FuncLit)
				if ok {
					direct[lit] = true
				}
				unknown = unknown || !ok && m.builtin(n.Call.Fun) == "" && m.static(n.Call) == nil
			case *ast.FuncLit:
				recovers = recovers || !direct[n] && m.callsRecover(n.Body)
			case *ast.FuncDecl:
				recovers = recovers || n.Body != nil && m.callsRecover(n.Body)
			}
			return true
		})
	}
	return unknown && recovers
}
