package script

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"
)

// snippet takes in a script: its declarations, and the rest as the body of main.
func (s *source) snippet(src string) {
	f := cut(snippetName, src)
	s.index(f)
	body := []byte(src)
	for _, c := range f.chunks {
		for i := range c.src {
			if c.src[i] != '\n' {
				body[c.off+i] = ' '
			}
		}
	}
	a, err := s.parseRaw("package main;func main() {/*line " + snippetName + ":1:1*/" + string(body) + "\n}")
	if err != nil {
		e := syntax(err)
		if x, ok := e.(*Error); ok && x.Pos == fmt.Sprintf("%s:%d", snippetName, strings.Count(src, "\n")+2) {
			x.Pos = fmt.Sprintf("%s:%d", snippetName, strings.Count(strings.TrimRight(src, "\n"), "\n")+1) // the line of ours behind it
		}
		s.fail(e)
		return
	}
	m := a.Decls[0].(*ast.FuncDecl)
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
	program := len(m.Body.List) == 0 && len(s.units["main"]) > 0 // has a main of its own
	if program {
		s.need("main")
	} else {
		delete(s.units, "main")
		s.hoist(f, m)
	}
	for _, c := range f.chunks { // what nothing needs is checked all the same
		if c.done || c.kind == "package" || c.kind == "import" {
			continue
		}
		c.done = true
		for _, d := range c.decls {
			if fd, ok := d.(*ast.FuncDecl); !ok || fd.Recv != nil || fd.Name.Name != "main" {
				s.add(f, d)
			}
		}
	}
	if program {
		return
	}
	if n := len(m.Body.List); n > 0 { // a value alone is no statement
		if e, ok := m.Body.List[n-1].(*ast.ExprStmt); ok {
			if _, call := ast.Unparen(e.X).(*ast.CallExpr); !call {
				s.last = &ast.AssignStmt{Lhs: []ast.Expr{idAt(e.Pos(), "_")}, TokPos: e.Pos(), Tok: token.ASSIGN, Rhs: []ast.Expr{e.X}}
				m.Body.List[n-1] = s.last
			} else {
				s.last = e
			}
		}
	}
	s.add(f, m)
}

// hoist declares at package level those variables of main that declared functions use,
// and those declared before the first statement, which may stand in any order. Where a
// statement gives a variable its value, it goes on doing so.
func (s *source) hoist(f *file, m *ast.FuncDecl) {
	list := m.Body.List
	for len(list) > 0 { // leading var declarations
		d, ok := list[0].(*ast.DeclStmt)
		if !ok || d.Decl.(*ast.GenDecl).Tok != token.VAR {
			break
		}
		s.addVars(f, d.Decl.(*ast.GenDecl))
		list = list[1:]
	}
	m.Body.List = list

	type def struct {
		names []*ast.Ident
		t     ast.Expr
		vals  []ast.Expr
	}
	defs := map[string]*def{}
	for _, st := range list {
		switch st := st.(type) {
		case *ast.AssignStmt:
			if st.Tok != token.DEFINE {
				continue
			}
			d := &def{vals: st.Rhs}
			for _, l := range st.Lhs {
				i, ok := l.(*ast.Ident)
				if !ok {
					continue
				}
				if defs[i.Name] != nil {
					i = idAt(i.Pos(), "_")
				}
				d.names = append(d.names, i)
			}
			for _, i := range d.names {
				if i.Name != "_" {
					defs[i.Name] = d
				}
			}
		case *ast.DeclStmt:
			if g := st.Decl.(*ast.GenDecl); g.Tok == token.VAR {
				for _, sp := range g.Specs {
					v := sp.(*ast.ValueSpec)
					for _, i := range v.Names {
						if defs[i.Name] == nil {
							defs[i.Name] = &def{names: v.Names, t: v.Type, vals: v.Values}
						}
					}
				}
			}
		}
	}
	if len(defs) == 0 {
		return
	}
	hoisted := map[*def]bool{}
	var look func(n ast.Node)
	look = func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			if x, ok := n.(*ast.SelectorExpr); ok {
				look(x.X)
				return false
			}
			if i, ok := n.(*ast.Ident); ok {
				if d := defs[i.Name]; d != nil && !hoisted[d] {
					hoisted[d] = true
					for _, v := range d.vals {
						look(v)
					}
				}
			}
			return true
		})
	}
	for _, c := range f.chunks {
		if c.kind == "func" {
			for _, d := range s.parse(c) {
				if fd, ok := d.(*ast.FuncDecl); ok && fd.Body != nil {
					free(fd, look)
				}
			}
		}
	}
	s.hoistedNames = map[string]bool{}
	for _, st := range list {
		for d := range hoisted {
			if len(d.names) == 0 || d.names[0].Pos() < st.Pos() || d.names[0].Pos() >= st.End() {
				continue
			}
			spec := &ast.ValueSpec{Type: d.t, Values: d.vals}
			for _, i := range d.names {
				spec.Names = append(spec.Names, idAt(i.Pos(), i.Name))
				if i.Name != "_" {
					s.hoistedNames[i.Name] = true
				}
			}
			g := &ast.GenDecl{Tok: token.VAR, TokPos: d.names[0].Pos(), Specs: []ast.Spec{spec}}
			s.addVars(f, g)
		}
	}
	for i, st := range list { // the statements now assign
		switch st := st.(type) {
		case *ast.AssignStmt:
			all, some := st.Tok == token.DEFINE, false
			for _, l := range st.Lhs {
				id, ok := l.(*ast.Ident)
				h := ok && (s.hoistedNames[id.Name] || id.Name == "_")
				all, some = all && h, some || ok && s.hoistedNames[id.Name]
			}
			if all && some {
				st.Tok = token.ASSIGN
			} else if some && st.Tok == token.DEFINE {
				s.fail(&Error{Kind: Compile, Pos: place(s.fset.Position(st.Pos())), Msg: "this assignment declares both variables that functions use and others; declare them apart"})
			}
		case *ast.DeclStmt:
			g := st.Decl.(*ast.GenDecl)
			if g.Tok != token.VAR {
				continue
			}
			for _, sp := range g.Specs {
				v := sp.(*ast.ValueSpec)
				if !s.hoistedNames[v.Names[0].Name] {
					continue
				}
				a := &ast.AssignStmt{TokPos: v.Pos(), Tok: token.ASSIGN, Rhs: v.Values}
				for _, n := range v.Names {
					a.Lhs = append(a.Lhs, n)
				}
				if len(v.Values) == 0 {
					list[i] = &ast.EmptyStmt{Semicolon: st.Pos()}
				} else {
					list[i] = a
				}
			}
		}
	}
}

// free passes the parts of a function to look that may use variables from outside: not
// what its parameters and own variables hide.
func free(fd *ast.FuncDecl, look func(ast.Node)) {
	hidden := map[string]bool{}
	hide := func(l *ast.FieldList) {
		if l == nil {
			return
		}
		for _, f := range l.List {
			for _, n := range f.Names {
				hidden[n.Name] = true
			}
		}
	}
	hide(fd.Recv)
	ast.Inspect(fd, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncType:
			hide(n.Params)
			hide(n.Results)
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				for _, l := range n.Lhs {
					if i, ok := l.(*ast.Ident); ok {
						hidden[i.Name] = true
					}
				}
			}
		case *ast.RangeStmt:
			if n.Tok == token.DEFINE {
				for _, x := range []ast.Expr{n.Key, n.Value} {
					if i, ok := x.(*ast.Ident); ok {
						hidden[i.Name] = true
					}
				}
			}
		case *ast.ValueSpec:
			for _, i := range n.Names {
				hidden[i.Name] = true
			}
		}
		return true
	})
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		if x, ok := n.(*ast.SelectorExpr); ok {
			ast.Inspect(x.X, func(n ast.Node) bool {
				if i, ok := n.(*ast.Ident); ok && !hidden[i.Name] {
					look(i)
				}
				return true
			})
			return false
		}
		if i, ok := n.(*ast.Ident); ok && !hidden[i.Name] {
			look(i)
		}
		return true
	})
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
