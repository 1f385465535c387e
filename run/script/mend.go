package script

import (
	"go/ast"
	"go/scanner"
	"go/token"
	"slices"
	"strconv"
)

// rewrite changes what yaegi gets wrong or does not know: it marks positions,
// gives loop variables a life per iteration, turns loops over integers into
// plain ones, and makes a panic in a goroutine end the run with our message.
func (r *runner) rewrite(d ast.Decl) {
	quiet := 0 // nodes left of a deferred function, which must not mark
	var stack []ast.Node
	ast.Inspect(d, func(n ast.Node) bool {
		if n == nil {
			if _, ok := stack[len(stack)-1].(*ast.DeferStmt); ok {
				quiet--
			}
			stack = stack[:len(stack)-1]
			return true
		}
		stack = append(stack, n)
		switch n := n.(type) {
		case *ast.DeferStmt:
			quiet++
		case *ast.BlockStmt:
			n.List = r.stmts(d, n.List, quiet == 0)
		case *ast.CaseClause:
			n.Body = r.stmts(d, n.Body, quiet == 0)
		case *ast.CommClause:
			n.Body = r.stmts(d, n.Body, quiet == 0)
		case *ast.AssignStmt:
			if len(n.Rhs) == 1 && r.values(n.Rhs[0]) == 0 && r.err == nil {
				r.err = scanner.ErrorList{{Pos: r.fset.Position(n.Rhs[0].Pos()), Msg: "call without a result used as a value"}}
			}
		case *ast.LabeledStmt:
			n.Stmt = r.loop(d, n.Stmt)
		case *ast.GenDecl: // a typed constant made by an operator would not equal itself
			for _, s := range n.Specs {
				if v, ok := s.(*ast.ValueSpec); ok && n.Tok == token.CONST && v.Type != nil {
					for i, x := range v.Values {
						v.Values[i] = &ast.CallExpr{Fun: v.Type, Lparen: x.Pos(), Args: []ast.Expr{x}, Rparen: x.End()}
					}
				}
			}
		case *ast.TypeSwitchStmt: // cases that are interfaces only match if compiled, and with v := x.(type)
			for _, c := range n.Body.List {
				for i, t := range c.(*ast.CaseClause).List {
					if id, ok := t.(*ast.Ident); ok && id.Name == "error" {
						c.(*ast.CaseClause).List[i] = &ast.Ident{NamePos: id.NamePos, Name: "bu_error"}
					}
				}
			}
			if e, ok := n.Assign.(*ast.ExprStmt); ok {
				n.Assign = assign(token.DEFINE, e.Pos(), "bu_v", e.X)
			}
		case *ast.CallExpr: // an untyped constant must not decide the type
			if f, ok := n.Fun.(*ast.Ident); ok && (f.Name == "min" || f.Name == "max") {
				for i, a := range n.Args {
					if _, lit := a.(*ast.BasicLit); !lit {
						n.Args[0], n.Args[i] = a, n.Args[0]
						break
					}
				}
			}
		}
		return true
	})
}

func (r *runner) stmts(d ast.Decl, list []ast.Stmt, mark bool) []ast.Stmt {
	out := make([]ast.Stmt, 0, 2*len(list))
	snippet := r.fset.Position(d.Pos()).Filename == snippetName
	for _, s := range list {
		s = r.loop(d, s)
		if g, ok := s.(*ast.GoStmt); ok {
			if f, ok := g.Call.Fun.(*ast.FuncLit); ok {
				f.Body.List = append([]ast.Stmt{guard()}, f.Body.List...)
			}
		}
		switch s := s.(type) { // yaegi evaluates the arguments when the call is made
		case *ast.GoStmt:
			out = r.early(out, s.Call)
		case *ast.DeferStmt:
			out = r.early(out, s.Call)
		}
		switch s.(type) {
		case *ast.EmptyStmt, *ast.CaseClause, *ast.CommClause:
			mark = false
		}
		if mark && s.Pos().IsValid() {
			here := func() ast.Expr {
				return &ast.BasicLit{ValuePos: s.Pos(), Kind: token.INT, Value: strconv.Itoa(int(s.Pos()))}
			}
			out = append(out, assign(token.ASSIGN, s.Pos(), "bu_at", here()))
			if snippet {
				out = append(out, assign(token.ASSIGN, s.Pos(), "bu_in", here()))
			}
		}
		out = append(out, s)
	}
	return out
}

// early evaluates the arguments of a call now.
func (r *runner) early(out []ast.Stmt, c *ast.CallExpr) []ast.Stmt {
	for i, a := range c.Args {
		switch a := a.(type) {
		case *ast.BasicLit, *ast.FuncLit:
			continue
		case *ast.Ident:
			if a.Name == "nil" {
				continue
			}
		}
		r.tmp++
		name := "bu_" + strconv.Itoa(r.tmp)
		out = append(out, assign(token.DEFINE, a.Pos(), name, a))
		c.Args[i] = &ast.Ident{NamePos: a.Pos(), Name: name}
	}
	return out
}

func (r *runner) loop(d ast.Decl, s ast.Stmt) ast.Stmt {
	switch s := s.(type) {
	case *ast.ForStmt:
		if a, ok := s.Init.(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
			perIteration(s.Body, a.Lhs...)
		}
	case *ast.RangeStmt:
		if s.Tok == token.DEFINE {
			perIteration(s.Body, s.Key, s.Value)
		}
		if c, ok := s.X.(*ast.CallExpr); ok && len(c.Args) == 1 {
			if f, ok := c.Fun.(*ast.SelectorExpr); ok { // iterators over what can be ranged over itself
				switch p, _ := f.X.(*ast.Ident); {
				case p == nil:
				case p.Name == "maps" && (f.Sel.Name == "Keys" || f.Sel.Name == "All"), p.Name == "slices" && f.Sel.Name == "All":
					s.X = c.Args[0]
				case p.Name == "maps" && f.Sel.Name == "Values", p.Name == "slices" && f.Sel.Name == "Values":
					s.X, s.Key, s.Value = c.Args[0], ast.NewIdent("_"), s.Key
				}
			}
		}
		if s.Value == nil && r.isInt(d, s.X) {
			key, tok := s.Key, s.Tok
			if id, ok := key.(*ast.Ident); key == nil || ok && id.Name == "_" {
				key, tok = ast.NewIdent("bu_i"), token.DEFINE
			}
			f := &ast.ForStmt{For: s.For, Body: s.Body, Post: &ast.IncDecStmt{X: key, Tok: token.INC}}
			f.Init = &ast.AssignStmt{Lhs: []ast.Expr{key, ast.NewIdent("bu_n")}, Tok: token.DEFINE, TokPos: s.For,
				Rhs: []ast.Expr{&ast.BasicLit{Kind: token.INT, Value: "0", ValuePos: s.For}, s.X}}
			f.Cond = &ast.BinaryExpr{X: key, Op: token.LSS, Y: ast.NewIdent("bu_n"), OpPos: s.For}
			_ = tok
			return f
		}
	}
	return s
}

// perIteration copies loop variables at the top of the body if a closure or a
// pointer may outlive the iteration and nothing changes them.
func perIteration(b *ast.BlockStmt, vars ...ast.Expr) {
	for _, v := range vars {
		id, ok := v.(*ast.Ident)
		if !ok || id.Name == "_" {
			continue
		}
		escapes, changed := false, false
		is := func(x ast.Expr) bool { i, ok := x.(*ast.Ident); return ok && i.Name == id.Name }
		ast.Inspect(b, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				ast.Inspect(n.Body, func(n ast.Node) bool {
					if i, ok := n.(*ast.Ident); ok && i.Name == id.Name {
						escapes = true
					}
					return !escapes
				})
			case *ast.UnaryExpr:
				escapes = escapes || n.Op == token.AND && is(n.X)
			case *ast.IncDecStmt:
				changed = changed || is(n.X)
			case *ast.AssignStmt:
				for _, l := range n.Lhs {
					changed = changed || n.Tok != token.DEFINE && is(l)
				}
			}
			return true
		})
		if escapes && !changed {
			b.List = append([]ast.Stmt{assign(token.DEFINE, b.Lbrace, id.Name, ast.NewIdent(id.Name))}, b.List...)
		}
	}
}

// isInt guesses from the syntax whether x, in d, is an int.
func (r *runner) isInt(d ast.Node, x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.BasicLit:
		return x.Kind == token.INT
	case *ast.ParenExpr:
		return r.isInt(d, x.X)
	case *ast.BinaryExpr:
		return r.isInt(d, x.X) && r.isInt(d, x.Y)
	case *ast.CallExpr:
		f, ok := x.Fun.(*ast.Ident)
		if !ok {
			return false
		}
		switch f.Name {
		case "len", "cap", "int":
			return true
		case "min", "max":
			return len(x.Args) > 0 && r.isInt(d, x.Args[0])
		}
		for _, d := range r.decls(f.Name) {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Type.Results != nil {
				return isIntType(f.Type.Results.List[0].Type)
			}
		}
	case *ast.Ident:
		found, other := false, false
		look := func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Field:
				for _, i := range n.Names {
					if i.Name == x.Name {
						found, other = found || isIntType(n.Type), other || !isIntType(n.Type)
					}
				}
			case *ast.ValueSpec:
				for k, i := range n.Names {
					if i.Name == x.Name {
						is := isIntType(n.Type) || n.Type == nil && k < len(n.Values) && r.isInt(d, n.Values[k])
						found, other = found || is, other || !is
					}
				}
			case *ast.AssignStmt:
				for k, l := range n.Lhs {
					if i, ok := l.(*ast.Ident); ok && n.Tok == token.DEFINE && i.Name == x.Name {
						is := len(n.Rhs) == len(n.Lhs) && n.Rhs[k] != x && r.isInt(d, n.Rhs[k])
						found, other = found || is, other || !is
					}
				}
			}
			return true
		}
		ast.Inspect(d, look)
		if !found && !other {
			for _, d := range r.decls(x.Name) {
				ast.Inspect(d, look)
			}
		}
		return found && !other
	}
	return false
}

func isIntType(t ast.Expr) bool {
	i, ok := t.(*ast.Ident)
	return ok && i.Name == "int"
}

func assign(tok token.Token, pos token.Pos, name string, v ast.Expr) ast.Stmt {
	return &ast.AssignStmt{Lhs: []ast.Expr{&ast.Ident{NamePos: pos, Name: name}}, TokPos: pos, Tok: tok, Rhs: []ast.Expr{v}}
}

// guard is: defer func() { if r := recover(); r != nil { bu_fatal(r) } }()
func guard() ast.Stmt {
	id := ast.NewIdent
	return &ast.DeferStmt{Call: &ast.CallExpr{Fun: &ast.FuncLit{Type: &ast.FuncType{Params: &ast.FieldList{}}, Body: &ast.BlockStmt{List: []ast.Stmt{
		&ast.IfStmt{
			Init: &ast.AssignStmt{Lhs: []ast.Expr{id("r")}, Tok: token.DEFINE, Rhs: []ast.Expr{&ast.CallExpr{Fun: id("recover")}}},
			Cond: &ast.BinaryExpr{X: id("r"), Op: token.NEQ, Y: id("nil")},
			Body: &ast.BlockStmt{List: []ast.Stmt{&ast.ExprStmt{X: &ast.CallExpr{Fun: id("bu_fatal"), Args: []ast.Expr{id("r")}}}}},
		}}}}}}
}

// closures moves the functions of a snippet that use its variables into main.
func (r *runner) closures(f *file, main *ast.FuncDecl) {
	names := map[string]bool{}
	for _, s := range main.Body.List {
		switch s := s.(type) {
		case *ast.AssignStmt:
			for _, l := range s.Lhs {
				if i, ok := l.(*ast.Ident); ok && s.Tok == token.DEFINE {
					names[i.Name] = true
				}
			}
		case *ast.DeclStmt:
			if g, ok := s.Decl.(*ast.GenDecl); ok {
				for _, sp := range g.Specs {
					if v, ok := sp.(*ast.ValueSpec); ok {
						for _, i := range v.Names {
							names[i.Name] = true
						}
					}
				}
			}
		}
	}
	if len(names) == 0 {
		return
	}
	var vars []ast.Stmt
	var offs []int // of the statements of main in the snippet
	for _, s := range main.Body.List {
		f := r.fset.File(s.Pos())
		offs = append(offs, f.Offset(s.Pos())-(f.Size()-len("\n}")-r.size))
	}
	for again := true; again; {
		again = false
		for _, c := range f.chunks {
			if c.kind != "func" || c.done {
				continue
			}
			ds := r.parse(c)
			if len(ds) == 0 {
				return
			}
			fn := ds[0].(*ast.FuncDecl)
			uses := false
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				i, ok := n.(*ast.Ident)
				uses = uses || ok && names[i.Name]
				return !uses
			})
			if fn.Recv != nil || fn.Type.TypeParams != nil || !uses {
				continue
			}
			name := fn.Name.Name
			c.done, again, names[name] = true, true, true
			delete(r.units, name)
			vars = append(vars, &ast.DeclStmt{Decl: &ast.GenDecl{TokPos: fn.Pos(), Tok: token.VAR, Specs: []ast.Spec{
				&ast.ValueSpec{Names: []*ast.Ident{{NamePos: fn.Pos(), Name: name}}, Type: fn.Type}}}})
			at, _ := slices.BinarySearch(offs, c.off)
			offs = slices.Insert(offs, at, c.off)
			main.Body.List = slices.Insert(main.Body.List, at, assign(token.ASSIGN, fn.Pos(), name, &ast.FuncLit{Type: fn.Type, Body: fn.Body}))
		}
	}
	main.Body.List = append(vars, main.Body.List...)
}
