package script

import (
	"go/ast"
	"go/token"
	"go/types"
)

func (m *lower) declare(d *ast.GenDecl) (out []ast.Stmt) {
	if d.Tok != token.VAR {
		return nil
	}
	for _, sp := range d.Specs {
		s := sp.(*ast.ValueSpec)
		if len(s.Values) == 0 {
			for _, n := range s.Names {
				if o := m.info.Defs[n]; o != nil {
					if isGlobal(o) {
						continue
					}
					out = append(out, m.variable(n.Pos(), m.target1(n), o.Type(), nil))
				}
			}
			continue
		}
		var lhs []ast.Expr
		for _, n := range s.Names {
			lhs = append(lhs, n)
		}
		out = append(out, m.assign(&ast.AssignStmt{Lhs: lhs, TokPos: s.Pos(), Tok: token.DEFINE, Rhs: s.Values})...)
	}
	return out
}

func (m *lower) target1(n *ast.Ident) string {
	if n.Name == "_" {
		return m.temp("u" + localMark)
	}
	return m.local(m.info.Defs[n])
}

// store assigns v, already of the right type, to x.
func (m *lower) store(x ast.Expr, v ast.Expr, t types.Type) ast.Stmt {
	i, ok := ast.Unparen(x).(*ast.Ident)
	if ok && i.Name == "_" {
		return set(x.Pos(), id("_"), v)
	}
	if ok {
		if o := m.info.Defs[i]; o != nil && !isGlobal(o) {
			return m.variable(i.Pos(), m.local(o), t, v)
		}
	}
	return set(x.Pos(), m.expr(x), v)
}

// typeOfTarget is the type of what is assigned to; for _ that of the value.
func (m *lower) typeOfTarget(x ast.Expr, v types.Type) types.Type {
	if i, ok := ast.Unparen(x).(*ast.Ident); ok {
		if i.Name == "_" {
			return v
		}
		if o := m.info.ObjectOf(i); o != nil {
			return m.subst(o.Type())
		}
	}
	return m.typeOf(x)
}

func (m *lower) assign(s *ast.AssignStmt) (out []ast.Stmt) {
	if s.Tok != token.ASSIGN && s.Tok != token.DEFINE {
		t := m.typeOf(s.Lhs[0])
		v := ast.Expr(nil)
		if s.Tok == token.SHL_ASSIGN || s.Tok == token.SHR_ASSIGN {
			v = callOf(s.TokPos, "uint", m.expr(s.Rhs[0]))
		} else {
			v = m.as(s.Rhs[0], t)
		}
		return []ast.Stmt{&ast.AssignStmt{Lhs: []ast.Expr{m.expr(s.Lhs[0])}, TokPos: s.TokPos, Tok: s.Tok, Rhs: []ast.Expr{v}}}
	}
	if len(s.Lhs) == 1 {
		t := m.typeOfTarget(s.Lhs[0], m.typeOf(s.Rhs[0]))
		if m.isNil(s.Rhs[0]) && t == m.typeOf(s.Rhs[0]) {
			return nil // _ = nil
		}
		return []ast.Stmt{m.store(s.Lhs[0], m.as(s.Rhs[0], t), t)}
	}
	if len(s.Rhs) == 1 {
		return m.assignTuple(s)
	}
	var after []ast.Stmt
	lhs := make([]ast.Expr, len(s.Lhs))
	for i, x := range s.Lhs { // indices are read before anything is assigned
		lhs[i] = x
		if ix, ok := ast.Unparen(x).(*ast.IndexExpr); ok && m.info.Types[ix.Index].Value == nil {
			lhs[i] = &ast.IndexExpr{X: ix.X, Lbrack: ix.Lbrack, Index: m.hold(&out, ix.Index), Rbrack: ix.Rbrack}
			m.info.Types[lhs[i]] = m.info.Types[x]
		}
	}
	for i, x := range lhs {
		t := m.typeOfTarget(x, m.typeOf(s.Rhs[i]))
		n := m.temp("t")
		out = append(out, m.variable(x.Pos(), n, t, m.as(s.Rhs[i], t)))
		after = append(after, m.store(x, id(n), t))
	}
	return append(out, after...)
}

// assignTuple lowers an assignment from a call with several results or with an ok.
func (m *lower) assignTuple(s *ast.AssignStmt) (out []ast.Stmt) {
	rhs := ast.Unparen(s.Rhs[0])
	tu, ok := m.info.TypeOf(rhs).(*types.Tuple)
	if !ok {
		m.refuse(s, "cannot run this assignment")
		return nil
	}
	tu = m.subst(tu).(*types.Tuple)
	var x ast.Expr
	switch r := rhs.(type) {
	case *ast.TypeAssertExpr:
		x = m.assertion(m.any(r.X), tu.At(0).Type(), true)
	case *ast.IndexExpr:
		mt := m.typeOf(r.X).Underlying().(*types.Map)
		x = &ast.IndexExpr{X: m.expr(r.X), Lbrack: r.Lbrack, Index: m.as(r.Index, mt.Key())}
	default:
		x = m.expr(rhs)
	}
	a := &ast.AssignStmt{TokPos: s.TokPos, Tok: token.DEFINE, Rhs: []ast.Expr{x}}
	for i, l := range s.Lhs {
		n := m.temp("t")
		a.Lhs = append(a.Lhs, idAt(l.Pos(), n))
		from := tu.At(i).Type()
		if b, ok := from.(*types.Basic); ok && b.Kind() == types.UntypedBool {
			from = types.Typ[types.Bool]
		}
		t := m.typeOfTarget(l, from)
		out = append(out, m.store(l, m.convert(id(n), from, t), t))
	}
	return append([]ast.Stmt{a}, out...)
}
