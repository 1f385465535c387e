package script

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// unpacked says, for an error of the type checker at pos, how a value that may be anything, as
// JSON is, or an integer where a float64 is wanted, would be written there.
func (p *program) unpacked(pos token.Pos) (hint string) {
	p.main.read()
	if len(p.main.units["as"]) == 0 || len(p.main.units["get"]) == 0 {
		return ""
	}
	var results []*types.Tuple // of the functions around
	p.inspect(func(n ast.Node) {
		if n == nil || pos < n.Pos() || n.End() <= pos {
			return
		}
		switch f := n.(type) {
		case *ast.FuncDecl:
			if sig, ok := p.info.TypeOf(f.Name).(*types.Signature); ok {
				results = append(results, sig.Results())
			} else if o := p.info.Defs[f.Name]; o != nil {
				if sig, ok := o.Type().(*types.Signature); ok {
					results = append(results, sig.Results())
				}
			}
		case *ast.FuncLit:
			if sig, ok := p.info.TypeOf(f).(*types.Signature); ok {
				results = append(results, sig.Results())
			}
		}
		var at *types.Tuple
		if len(results) > 0 {
			at = results[len(results)-1]
		}
		if h := p.unpack(n, at); h != "" { // the innermost counts
			hint = "; write " + h
		}
	})
	if strings.Contains(hint, " literal)") {
		return ""
	}
	return hint
}

// unpack is that for one node; results are those of the function around.
func (p *program) unpack(n ast.Node, results *types.Tuple) string {
	switch n := n.(type) {
	case *ast.IndexExpr:
		if p.anything(n.X) {
			return p.walked(n)
		}
		if _, isMap := under(p.info.TypeOf(n.X)).(*types.Map); !isMap {
			return p.converted(n.Index, types.Typ[types.Int])
		}
	case *ast.SelectorExpr:
		if p.anything(n.X) {
			return p.walked(n)
		}
	case *ast.IfStmt:
		return p.converted(n.Cond, types.Typ[types.Bool])
	case *ast.ForStmt:
		if n.Cond != nil {
			return p.converted(n.Cond, types.Typ[types.Bool])
		}
	case *ast.UnaryExpr:
		if n.Op == token.NOT {
			return p.converted(n.X, types.Typ[types.Bool])
		}
		return p.converted(n.X, types.Typ[types.Float64])
	case *ast.BinaryExpr:
		return p.operands(n)
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE && len(n.Lhs) == len(n.Rhs) {
			return p.each(n.Rhs, func(i int) types.Type { return p.info.TypeOf(n.Lhs[i]) })
		}
	case *ast.IncDecStmt:
		if h := p.converted(n.X, types.Typ[types.Float64]); h != "" {
			return types.ExprString(n.X) + " = " + h + " " + n.Tok.String()[:1] + " 1"
		}
	case *ast.ValueSpec:
		if n.Type != nil {
			return p.each(n.Values, func(int) types.Type { return p.info.TypeOf(n.Type) })
		}
	case *ast.ReturnStmt:
		if results != nil && results.Len() == len(n.Results) {
			return p.each(n.Results, func(i int) types.Type { return results.At(i).Type() })
		}
	case *ast.CompositeLit:
		if n.Type == nil {
			return ""
		}
		if s, ok := under(p.info.TypeOf(n.Type)).(*types.Slice); ok {
			return p.each(n.Elts, func(int) types.Type { return s.Elem() })
		}
	case *ast.CallExpr:
		return p.arguments(n)
	}
	return ""
}

func (p *program) arguments(n *ast.CallExpr) string {
	if f, ok := n.Fun.(*ast.Ident); ok && (f.Name == "len" || f.Name == "cap") && len(n.Args) == 1 {
		if h := p.converted(n.Args[0], types.NewSlice(types.Universe.Lookup("any").Type())); h != "" {
			return f.Name + "(" + h + ")"
		}
	}
	sig, ok := under(p.info.TypeOf(n.Fun)).(*types.Signature)
	if !ok {
		return ""
	}
	return p.each(n.Args, func(i int) types.Type {
		last := sig.Params().Len() - 1
		if sig.Variadic() && i >= last && !n.Ellipsis.IsValid() {
			return sig.Params().At(last).Type().(*types.Slice).Elem()
		}
		if i <= last {
			return sig.Params().At(i).Type()
		}
		return nil
	})
}

// operands converts the side of an operation that may be anything to what the other is.
func (p *program) operands(n *ast.BinaryExpr) string {
	if n.Op == token.LAND || n.Op == token.LOR {
		return p.each([]ast.Expr{n.X, n.Y}, func(int) types.Type { return types.Typ[types.Bool] })
	}
	x, y := p.anything(n.X), p.anything(n.Y)
	if !x && !y || n.Op == token.EQL || n.Op == token.NEQ {
		return ""
	}
	var to types.Type = types.Typ[types.Float64]
	if other := map[bool]ast.Expr{true: n.Y, false: n.X}[x]; x != y {
		t := p.info.TypeOf(other)
		if b, ok := under(t).(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
			if b.Info()&types.IsString != 0 {
				t = types.Typ[types.String]
			} else {
				t = to
			}
		}
		if t != nil && t != types.Typ[types.Invalid] {
			to = t
		}
	}
	side := func(e ast.Expr, any bool) string {
		if any {
			return p.as(e, to)
		}
		return types.ExprString(e)
	}
	return side(n.X, x) + " " + n.Op.String() + " " + side(n.Y, y)
}

// each converts the first of the values that needs it.
func (p *program) each(values []ast.Expr, to func(i int) types.Type) string {
	for i, v := range values {
		if h := p.converted(v, to(i)); h != "" {
			return h
		}
	}
	return ""
}

// converted is how e would be written as a T, "" where it needs nothing.
func (p *program) converted(e ast.Expr, to types.Type) string {
	if to == nil || to == types.Typ[types.Invalid] || types.IsInterface(to) {
		return ""
	}
	if _, generic := to.(*types.TypeParam); generic {
		return ""
	}
	if p.anything(e) {
		return p.as(e, to)
	}
	from, isBasic := under(p.info.TypeOf(e)).(*types.Basic)
	wants, numeric := under(to).(*types.Basic)
	if isBasic && numeric && from.Info()&types.IsInteger != 0 && from.Info()&types.IsUntyped == 0 && wants.Info()&types.IsFloat != 0 {
		return types.TypeString(to, nameOnly) + "(" + types.ExprString(e) + ")"
	}
	return ""
}

func (p *program) as(e ast.Expr, to types.Type) string {
	return "as[" + types.TypeString(to, nameOnly) + "](" + types.ExprString(e) + ")"
}

func nameOnly(pkg *types.Package) string {
	if pkg.Name() == "main" || pkg.Name() == "helpers" {
		return ""
	}
	return pkg.Name()
}

// anything: e is of a type that any value fits.
func (p *program) anything(e ast.Expr) bool {
	i, ok := under(p.info.TypeOf(e)).(*types.Interface)
	if _, generic := p.info.TypeOf(e).(*types.TypeParam); generic {
		return false
	}
	return ok && i.NumMethods() == 0 && i.IsMethodSet() && !p.info.Types[e].IsType()
}

func under(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	return t.Underlying()
}

// walked is x["a"][0].b as get(x, "a", 0, "b").
func (p *program) walked(e ast.Expr) string {
	path := []string{}
	for {
		switch x := e.(type) {
		case *ast.IndexExpr:
			path = append([]string{types.ExprString(x.Index)}, path...)
			e = x.X
			continue
		case *ast.SelectorExpr:
			path = append([]string{`"` + x.Sel.Name + `"`}, path...)
			e = x.X
			continue
		}
		return "get(" + types.ExprString(e) + ", " + strings.Join(path, ", ") + ")"
	}
}
