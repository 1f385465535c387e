package script

import (
	"go/ast"
	"go/token"
	"go/types"
)

// fails says whether s may panic or wait by itself, not in a statement that it holds, and
// so must say where it is. Every such note costs as much as a small statement.
func (m *lower) fails(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.LabeledStmt:
		return m.fails(s.Stmt)
	case *ast.BranchStmt:
		return s.Tok == token.GOTO // which may go on for ever
	case *ast.BlockStmt, *ast.EmptyStmt:
		return false
	case *ast.SelectStmt, *ast.SendStmt, *ast.GoStmt, *ast.DeferStmt:
		return true
	case *ast.IfStmt:
		return m.anyFails(s.Init, s.Cond)
	case *ast.ForStmt, *ast.RangeStmt: // may go on for ever
		return true
	case *ast.SwitchStmt:
		for _, c := range s.Body.List {
			for _, x := range c.(*ast.CaseClause).List {
				if m.anyFails(x) {
					return true
				}
			}
		}
		if s.Tag != nil && types.IsInterface(m.typeOf(s.Tag)) {
			return true
		}
		return m.anyFails(s.Init, s.Tag)
	case *ast.TypeSwitchStmt:
		return m.anyFails(s.Init, s.Assign)
	}
	return m.anyFails(s)
}

func (m *lower) anyFails(ns ...ast.Node) bool {
	for _, n := range ns {
		if s, ok := n.(ast.Stmt); ok && s == nil || n == nil {
			continue
		}
		if has(n, m.failsItself) {
			return true
		}
	}
	return false
}

// failsAgain says whether cond, which is lowered, may panic or wait.
func (m *lower) failsAgain(cond ast.Expr) bool {
	return cond != nil && has(cond, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok && m.bounds.checked[e] != later {
			return m.bounds.checked[e] == compared
		}
		if i, ok := n.(*ast.IndexExpr); ok && m.inRange(i) {
			return false
		}
		return m.failsItself(n)
	})
}

// failsItself says whether n, leaving its operands aside, may panic or wait.
func (m *lower) failsItself(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CallExpr:
		switch m.builtin(n.Fun) {
		case "len", "cap", "min", "max", "new", "append", "complex", "real", "imag":
			return false
		}
		_, array := m.typeOf(n).Underlying().(*types.Array)
		return !m.info.Types[n.Fun].IsType() || array || m.pointsToArray(n)
	case *ast.IndexExpr:
		if m.bounds.checked[n] == compared {
			return false
		}
		if _, generic := m.info.Types[n.Index]; generic && m.info.Types[n.Index].IsType() {
			return false
		}
		if t, ok := m.typeOf(n.X).Underlying().(*types.Map); ok {
			return types.IsInterface(t.Key())
		}
		return m.info.Types[n.Index].Value == nil || !m.isArray(n.X) || m.pointsToArray(n.X)
	case *ast.SliceExpr:
		return m.bounds.checked[n] != compared
	case *ast.StarExpr, *ast.TypeAssertExpr:
		return true
	case *ast.SelectorExpr:
		s := m.info.Selections[n]
		if s == nil {
			return false
		}
		_, pointer := m.typeOf(n.X).Underlying().(*types.Pointer)
		return pointer || s.Indirect() || s.Kind() != types.FieldVal
	case *ast.UnaryExpr:
		return n.Op == token.ARROW
	case *ast.BinaryExpr:
		switch n.Op {
		case token.QUO, token.REM, token.SHL, token.SHR:
			return m.dividesBadly(n.Op, n.Y)
		case token.EQL, token.NEQ:
			return !m.isNil(n.X) && !m.isNil(n.Y) && m.mayBeUnequal(n.X) && m.mayBeUnequal(n.Y)
		}
	case *ast.AssignStmt:
		for _, x := range n.Lhs {
			if i, ok := ast.Unparen(x).(*ast.IndexExpr); ok {
				if _, isMap := m.typeOf(i.X).Underlying().(*types.Map); isMap {
					return true // which may be nil
				}
			}
		}
		switch n.Tok {
		case token.QUO_ASSIGN, token.REM_ASSIGN, token.SHL_ASSIGN, token.SHR_ASSIGN:
			return m.dividesBadly(n.Tok, n.Rhs[0])
		}
	case *ast.IncDecStmt:
		i, ok := ast.Unparen(n.X).(*ast.IndexExpr)
		return ok && m.bounds.checked[i] != compared
	}
	return false
}

// dividesBadly says whether y, on the right of a division or a shift, may make it panic.
func (m *lower) dividesBadly(op token.Token, y ast.Expr) bool {
	if m.info.Types[y].Value != nil {
		return false
	}
	b, _ := m.typeOf(y).Underlying().(*types.Basic)
	switch op {
	case token.SHL, token.SHR, token.SHL_ASSIGN, token.SHR_ASSIGN:
		return b == nil || b.Info()&types.IsUnsigned == 0
	}
	return b == nil || b.Info()&types.IsInteger != 0
}

// mayBeUnequal says whether values of x's type may be of a kind that cannot be compared.
func (m *lower) mayBeUnequal(x ast.Expr) bool {
	switch m.typeOf(x).Underlying().(type) {
	case *types.Interface, *types.Struct, *types.Array:
		return true
	}
	return false
}

func (m *lower) pointsToArray(x ast.Expr) bool {
	p, ok := m.typeOf(x).Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	_, ok = p.Elem().Underlying().(*types.Array)
	return ok
}
