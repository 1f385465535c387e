package script

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// A loop whose variables are held longer than an iteration gets new ones each time, by a
// call of its body (loops.go). That costs as much as ten statements, so it is done only
// where a closure, a pointer or a later call may hold them.

// outlive says whether variables that loop declares may be held longer than an iteration.
func (m *lower) outlive(loop ast.Node) (found bool) {
	mine := func(o types.Object) bool {
		v, ok := o.(*types.Var)
		return ok && !v.IsField() && loop.Pos() <= v.Pos() && v.Pos() < loop.End()
	}
	captures := func(lit ast.Node) (yes bool) {
		ast.Inspect(lit, func(n ast.Node) bool {
			if i, ok := n.(*ast.Ident); ok && mine(m.info.Uses[i]) {
				p := m.info.Uses[i].Pos()
				yes = yes || p < lit.Pos() || p >= lit.End()
			}
			return !yes
		})
		return
	}
	walk(loop, func(n ast.Node, above []ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			found = found || captures(n) && !m.stays(loop, n, above)
		case *ast.DeferStmt:
			found = found || m.holds(n.Call, above)
		case *ast.GoStmt:
			found = found || m.holds(n.Call, above)
		case *ast.UnaryExpr:
			found = found || n.Op == token.AND && mine(m.root(n.X)) && !m.stays(loop, n, above)
		case *ast.SliceExpr:
			if _, ok := m.typeOf(n.X).Underlying().(*types.Array); ok {
				found = found || mine(m.root(n.X))
			}
		case *ast.SelectorExpr:
			if s := m.info.Selections[n]; s != nil && s.Kind() == types.MethodVal && m.takesAddress(n, s) && mine(m.root(n.X)) {
				found = found || !isCalled(n, above) || m.keepsReceiver(s.Obj().(*types.Func))
			}
		}
		return !found
	})
	return
}

// walk visits the nodes of n with those above each, the nearest last, without parentheses.
func walk(n ast.Node, visit func(n ast.Node, above []ast.Node) bool) {
	var above []ast.Node
	ast.Inspect(n, func(n ast.Node) bool {
		if n == nil {
			above = above[:len(above)-1]
			return true
		}
		var plain []ast.Node
		for _, a := range above {
			if _, ok := a.(*ast.ParenExpr); !ok {
				plain = append(plain, a)
			}
		}
		if !visit(n, plain) {
			return false
		}
		above = append(above, n)
		return true
	})
}

// root is the variable that x is in: x itself, or one that x is a field or an element of.
func (m *lower) root(x ast.Expr) types.Object {
	switch x := x.(type) {
	case *ast.ParenExpr:
		return m.root(x.X)
	case *ast.Ident:
		return m.info.Uses[x]
	case *ast.IndexExpr:
		if _, ok := m.typeOf(x.X).Underlying().(*types.Array); ok {
			return m.root(x.X)
		}
	case *ast.SelectorExpr:
		if s := m.info.Selections[x]; s != nil && s.Kind() == types.FieldVal && !s.Indirect() {
			return m.root(x.X)
		}
	}
	return nil
}

// takesAddress says whether x.f, a method, takes the address of x.
func (m *lower) takesAddress(x *ast.SelectorExpr, s *types.Selection) bool {
	_, pointer := types.Unalias(s.Obj().(*types.Func).Signature().Recv().Type()).(*types.Pointer)
	_, is := m.typeOf(x.X).Underlying().(*types.Pointer)
	return pointer && !is
}

// holds says whether a deferred call or a goroutine's keeps variables of the loop's own
// function: its function and arguments, which are evaluated now.
func (m *lower) holds(c *ast.CallExpr, above []ast.Node) bool {
	for _, n := range above {
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
	}
	_, lit := ast.Unparen(c.Fun).(*ast.FuncLit)
	return !lit || len(c.Args) > 0
}

// isCalled says whether n is what the node above calls, now.
func isCalled(n ast.Node, above []ast.Node) bool {
	if len(above) == 0 {
		return false
	}
	c, ok := above[len(above)-1].(*ast.CallExpr)
	return ok && ast.Unparen(c.Fun) == n && !isLater(above[:len(above)-1])
}

func isLater(above []ast.Node) bool {
	if len(above) == 0 {
		return false
	}
	switch above[len(above)-1].(type) {
	case *ast.GoStmt, *ast.DeferStmt:
		return true
	}
	return false
}

// stays says whether x, a literal or an address, is gone by the end of the iteration: it
// is called at once, given to a function that does not keep it, or in a variable of the
// loop of which the same is true.
func (m *lower) stays(loop, x ast.Node, above []ast.Node) bool {
	if len(above) == 0 || isCalled(x, above) {
		return len(above) > 0
	}
	switch n := above[len(above)-1].(type) {
	case *ast.CallExpr:
		return !isLater(above[:len(above)-1]) && !m.keeps(n, x)
	case *ast.AssignStmt:
		for i, v := range n.Rhs {
			if l, ok := n.Lhs[i].(*ast.Ident); ok && len(n.Lhs) == len(n.Rhs) && ast.Unparen(v) == x {
				return m.variableStays(loop, m.info.ObjectOf(l))
			}
		}
	}
	return false
}

// variableStays says whether a variable that loop declares is only called or passed on.
func (m *lower) variableStays(loop ast.Node, o types.Object) bool {
	v, ok := o.(*types.Var)
	if !ok || v.Pos() < loop.Pos() || v.Pos() >= loop.End() {
		return false
	}
	if _, ok := v.Type().Underlying().(*types.Signature); !ok {
		return false
	}
	return m.usesStay(loop, v)
}

// usesStay says whether every use of v in n is a call of it, an access to what it points
// to, or passes it to a function that does not keep it.
func (m *lower) usesStay(n ast.Node, v *types.Var) bool {
	stay := true
	walk(n, func(n ast.Node, above []ast.Node) bool {
		i, ok := n.(*ast.Ident)
		if !ok || m.info.Uses[i] != v || isCalled(i, above) {
			return stay
		}
		switch a := above[len(above)-1].(type) {
		case *ast.CallExpr:
			stay = !isLater(above[:len(above)-1]) && !m.keeps(a, i)
		case *ast.StarExpr:
		case *ast.BinaryExpr:
		case *ast.AssignStmt: // another value for it
			for _, r := range a.Rhs {
				stay = stay && ast.Unparen(r) != i
			}
		case *ast.SelectorExpr:
			s := m.info.Selections[a]
			switch {
			case s == nil:
				stay = false
			case s.Kind() == types.MethodVal:
				stay = isCalled(a, above[:len(above)-1]) && !m.keepsReceiver(s.Obj().(*types.Func))
			default:
				stay = m.fieldStays(a, above[:len(above)-1])
			}
		default:
			stay = false
		}
		return stay
	})
	return stay
}

// fieldStays says whether p.f, with a pointer p, takes no address of what p points to.
func (m *lower) fieldStays(x ast.Expr, above []ast.Node) bool {
	if _, ok := m.typeOf(x).Underlying().(*types.Array); ok || len(above) == 0 {
		return false
	}
	switch a := above[len(above)-1].(type) {
	case *ast.UnaryExpr:
		return a.Op != token.AND
	case *ast.SelectorExpr:
		s := m.info.Selections[a]
		if s != nil && s.Kind() == types.MethodVal {
			return !m.takesAddress(a, s) || isCalled(a, above[:len(above)-1]) && !m.keepsReceiver(s.Obj().(*types.Func))
		}
		_, pointer := m.typeOf(x).Underlying().(*types.Pointer)
		return pointer || m.fieldStays(a, above[:len(above)-1])
	}
	return true
}

// keeps says whether the function that c calls may keep its argument x.
func (m *lower) keeps(c *ast.CallExpr, x ast.Node) bool {
	f := m.static(c)
	if f == nil || f.Pkg() == nil {
		return m.builtin(c.Fun) == "" || m.builtin(c.Fun) == "append" || m.builtin(c.Fun) == "panic" // which make it part of a value
	}
	switch f.Pkg().Path() {
	case "sort", "slices", "strings", "bytes", "maps", "regexp", "path/filepath", "io/fs", "fmt", "sync/atomic", "errors":
		return strings.HasSuffix(f.Name(), "Seq") || f.Name() == "Join"
	case "encoding/json", "encoding/xml":
		return f.Name() != "Unmarshal" && f.Name() != "Decode"
	case "sync":
		return f.Name() != "Do" && f.Name() != "Range"
	}
	if f.Name() == "try" && f.Pkg() == m.pkg && m.decls[f] == nil {
		return false
	}
	d, ok := m.decls[f.Origin()].(*ast.FuncDecl)
	if !ok || d.Body == nil {
		return true
	}
	sig := f.Origin().Signature()
	for i, a := range c.Args {
		if ast.Unparen(a) == x {
			return sig.Variadic() && i >= sig.Params().Len()-1 || m.keepsVariable(sig.Params().At(i), d)
		}
	}
	return true
}

// keepsReceiver says whether a method that takes an address may keep it.
func (m *lower) keepsReceiver(f *types.Func) bool {
	if d, ok := m.decls[f.Origin()].(*ast.FuncDecl); ok && d.Body != nil {
		return m.keepsVariable(f.Origin().Signature().Recv(), d)
	}
	for v := range f.Signature().Results().Variables() {
		switch v.Type().Underlying().(type) {
		case *types.Pointer, *types.Signature:
			return true
		case *types.Interface:
			if v.Type() != types.Universe.Lookup("error").Type() {
				return true
			}
		}
	}
	return false
}

// keepsVariable says whether d may keep what its parameter or receiver v holds.
func (m *lower) keepsVariable(v *types.Var, d *ast.FuncDecl) bool {
	if keeps, known := m.kept[v]; known {
		return keeps
	}
	m.kept[v] = false // where it calls itself
	m.kept[v] = !m.usesStay(d.Body, v) || m.inLiterals(d.Body, v)
	return m.kept[v]
}

// inLiterals says whether a literal in n uses v.
func (m *lower) inLiterals(n ast.Node, v *types.Var) (found bool) {
	walk(n, func(n ast.Node, above []ast.Node) bool {
		if i, ok := n.(*ast.Ident); ok && m.info.Uses[i] == v {
			for _, a := range above {
				_, lit := a.(*ast.FuncLit)
				found = found || lit
			}
		}
		return !found
	})
	return
}
