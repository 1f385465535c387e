package script

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// entry is the function that the statements of a script are the body of. A main of the
// script's own is called at their end, unless something calls it.
const entry = "main·"

// snippet takes in a script: its declarations, and the rest as the body of entry.
func (s *source) snippet(src string) {
	f := cut(snippetName, src)
	s.index(f)
	body := []byte(src)
	for _, c := range f.chunks {
		for i := range len(c.src) {
			if c.src[i] != '\n' {
				body[c.off+i] = ' '
			}
		}
	}
	a, err := s.parseRaw("package main;func _() {/*line " + snippetName + ":1:1*/" + string(body) + "\n}")
	if err != nil {
		e := syntax(err)
		if x, ok := e.(*Error); ok && x.Pos == fmt.Sprintf("%s:%d", snippetName, strings.Count(src, "\n")+2) {
			x.Pos = fmt.Sprintf("%s:%d", snippetName, strings.Count(strings.TrimRight(src, "\n"), "\n")+1) // the line of ours behind it
		}
		s.fail(e)
		return
	}
	m := a.Decls[0].(*ast.FuncDecl)
	m.Name.Name = entry
	s.anchor = m.Body.Rbrace
	for _, c := range f.chunks {
		if c.kind != "package" {
			s.parse(c)
		}
		if c.bad != nil {
			s.fail(syntax(c.bad))
			return
		}
	}
	for _, n := range []string{"init", "_"} {
		s.need(n)
	}
	s.hoist(f, m)
	for _, c := range f.chunks { // what nothing needs is checked too
		if c.done || c.kind == "package" || c.kind == "import" {
			continue
		}
		c.done = true
		for _, d := range c.decls {
			s.add(f, d)
		}
	}
	if n := len(m.Body.List); n > 0 { // a value alone is not a statement
		if e, ok := m.Body.List[n-1].(*ast.ExprStmt); ok {
			if _, call := ast.Unparen(e.X).(*ast.CallExpr); !call {
				s.last = &ast.AssignStmt{Lhs: []ast.Expr{idAt(e.Pos(), "_")}, TokPos: e.Pos(), Tok: token.ASSIGN, Rhs: []ast.Expr{e.X}}
				m.Body.List[n-1] = s.last
			} else {
				s.last = e
			}
		}
	}
	if len(s.units["main"]) > 0 && !s.calls(m, "main") {
		m.Body.List = append(m.Body.List, &ast.ExprStmt{X: callOf(s.anchor, "main")})
	}
	s.add(f, m)
}

// calls says whether what the statements reach of the script includes a name.
func (s *source) calls(m *ast.FuncDecl, name string) bool {
	reached := []string{"init"}
	ast.Inspect(m.Body, func(n ast.Node) bool {
		if i, ok := n.(*ast.Ident); ok && i.Obj == nil {
			reached = append(reached, i.Name)
		}
		return true
	})
	for i := 0; i < len(reached); i++ {
		for _, c := range s.units[reached[i]] {
			for _, n := range s.reach(c) {
				if c.file.name == snippetName && !slices.Contains(reached, n) {
					reached = append(reached, n)
				}
			}
		}
	}
	return slices.Contains(reached, name)
}

// hoist declares at package level those variables of entry that declared functions use,
// and those declared before the first statement, which may stand in any order. Where a
// statement gives a variable its value, it goes on doing so. The others stay where they
// are: they may be called as a package or a helper is, which they hide only from there on.
func (s *source) hoist(f *file, m *ast.FuncDecl) {
	for len(m.Body.List) > 0 { // leading var declarations
		d, ok := m.Body.List[0].(*ast.DeclStmt)
		if !ok || d.Decl.(*ast.GenDecl).Tok != token.VAR {
			break
		}
		s.addVars(f, d.Decl.(*ast.GenDecl))
		m.Body.List = m.Body.List[1:]
	}
	var list []ast.Stmt
	for _, st := range m.Body.List { // each declaration of variables apart
		d, ok := st.(*ast.DeclStmt)
		if !ok || d.Decl.(*ast.GenDecl).Tok != token.VAR {
			list = append(list, st)
			continue
		}
		for _, sp := range d.Decl.(*ast.GenDecl).Specs {
			list = append(list, &ast.DeclStmt{Decl: &ast.GenDecl{Tok: token.VAR, TokPos: sp.Pos(), Specs: []ast.Spec{sp}}})
		}
	}
	m.Body.List = list
	used := map[string]bool{} // by functions, where no variable of their own has that name
	for _, c := range f.chunks {
		if c.kind == "func" {
			for _, n := range s.reach(c) {
				used[n] = true
			}
		}
	}
	s.hoistedNames = map[string]bool{}
	for more := true; more; { // with one variable go those that its statement declares too, and those that give it its type
		more = false
		for _, st := range list {
			names, values := declaredBy(st)
			hoists := slices.ContainsFunc(names, func(i *ast.Ident) bool { return used[i.Name] })
			for _, i := range names {
				if hoists && i.Name != "_" && !s.hoistedNames[i.Name] {
					used[i.Name], s.hoistedNames[i.Name], more = true, true, true
				}
			}
			for _, v := range values {
				if hoists {
					ast.Inspect(v, func(n ast.Node) bool {
						if i, ok := n.(*ast.Ident); ok && i.Obj != nil && i.Obj.Kind == ast.Var && !used[i.Name] {
							used[i.Name], more = true, true
						}
						return true
					})
				}
			}
		}
	}
	done := map[string]bool{}
	for i, st := range list {
		names, values := declaredBy(st)
		if !slices.ContainsFunc(names, func(i *ast.Ident) bool { return s.hoistedNames[i.Name] }) {
			continue
		}
		spec := &ast.ValueSpec{Values: values}
		assign := &ast.AssignStmt{TokPos: st.Pos(), Tok: token.ASSIGN, Rhs: values}
		news := false
		for _, n := range names {
			at := idAt(n.Pos(), n.Name)
			if done[n.Name] {
				at.Name = "_"
			}
			news = news || at.Name != "_"
			done[n.Name] = true
			spec.Names, assign.Lhs = append(spec.Names, at), append(assign.Lhs, n)
		}
		d, isVar := st.(*ast.DeclStmt)
		if isVar {
			spec.Type = d.Decl.(*ast.GenDecl).Specs[0].(*ast.ValueSpec).Type
		}
		if news {
			s.addVars(f, &ast.GenDecl{Tok: token.VAR, TokPos: names[0].Pos(), Specs: []ast.Spec{spec}})
		}
		if list[i] = assign; len(values) == 0 {
			list[i] = &ast.EmptyStmt{Semicolon: st.Pos()}
		}
	}
	s.early(list)
}

// early refuses what uses a variable at package level before it is declared.
func (s *source) early(list []ast.Stmt) {
	for _, st := range list {
		ast.Inspect(st, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				s.early([]ast.Stmt{&ast.ExprStmt{X: n.X}})
				return false
			case *ast.KeyValueExpr:
				if _, field := n.Key.(*ast.Ident); field {
					s.early([]ast.Stmt{&ast.ExprStmt{X: n.Value}})
					return false
				}
			case *ast.Ident:
				if n.Obj == nil && s.hoistedNames[n.Name] {
					s.fail(&Error{Kind: Compile, Pos: place(s.fset.Position(n.Pos())), Msg: n.Name + " is used before the statement that declares it; a function uses that variable, so give it another name or declare it first"})
				}
			}
			return true
		})
	}
}

// declaredBy gives the variables that a statement declares, and what it makes them.
func declaredBy(st ast.Stmt) (names []*ast.Ident, values []ast.Expr) {
	switch st := st.(type) {
	case *ast.AssignStmt:
		if st.Tok != token.DEFINE {
			return nil, nil
		}
		for _, l := range st.Lhs {
			if i, ok := l.(*ast.Ident); ok {
				names = append(names, i)
			}
		}
		return names, st.Rhs
	case *ast.DeclStmt:
		if g := st.Decl.(*ast.GenDecl); g.Tok == token.VAR {
			v := g.Specs[0].(*ast.ValueSpec)
			return v.Names, v.Values
		}
	}
	return nil, nil
}

// addVars declares variables at package level.
func (s *source) addVars(f *file, g *ast.GenDecl) {
	for _, sp := range g.Specs {
		c := &chunk{file: f, kind: "var", done: true}
		for _, n := range sp.(*ast.ValueSpec).Names {
			if n.Name != "_" {
				s.units[n.Name] = []*chunk{c}
				s.seen[n.Name], s.own[n.Name], s.ownVars[n.Name] = true, true, true
			}
		}
	}
	s.add(f, g)
}
