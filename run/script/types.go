package script

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"strconv"
)

// typeOf is the type of e, with the function's type arguments in place of parameters.
func (m *lower) typeOf(e ast.Expr) types.Type {
	t := m.info.TypeOf(e)
	if t == nil {
		return types.Typ[types.Invalid]
	}
	if b, ok := t.(*types.Basic); ok && b.Info()&types.IsUntyped != 0 && b.Kind() != types.UntypedNil {
		return types.Default(t)
	}
	return m.subst(t)
}

// subst puts the function's type arguments in place of its type parameters.
func (m *lower) subst(t types.Type) types.Type {
	if m.fn == nil || len(m.env) == 0 || t == nil {
		return t
	}
	return subst(t, m.env)
}

func subst(t types.Type, env map[*types.TypeParam]types.Type) types.Type {
	switch t := t.(type) {
	case *types.TypeParam:
		if x := env[t]; x != nil {
			return x
		}
	case *types.Alias:
		return subst(types.Unalias(t), env)
	case *types.Named:
		args := t.TypeArgs()
		if args.Len() == 0 {
			return t
		}
		var list []types.Type
		same := true
		for i := range args.Len() {
			x := subst(args.At(i), env)
			same = same && x == args.At(i)
			list = append(list, x)
		}
		if same {
			return t
		}
		x, err := types.Instantiate(shared, t.Origin(), list, false)
		if err == nil {
			return x
		}
	case *types.Pointer:
		return types.NewPointer(subst(t.Elem(), env))
	case *types.Slice:
		return types.NewSlice(subst(t.Elem(), env))
	case *types.Array:
		return types.NewArray(subst(t.Elem(), env), t.Len())
	case *types.Map:
		return types.NewMap(subst(t.Key(), env), subst(t.Elem(), env))
	case *types.Chan:
		return types.NewChan(t.Dir(), subst(t.Elem(), env))
	case *types.Tuple:
		var vs []*types.Var
		for v := range t.Variables() {
			vs = append(vs, types.NewVar(v.Pos(), v.Pkg(), "", subst(v.Type(), env)))
		}
		return types.NewTuple(vs...)
	case *types.Signature:
		return types.NewSignatureType(nil, nil, nil, subst(t.Params(), env).(*types.Tuple), subst(t.Results(), env).(*types.Tuple), t.Variadic())
	case *types.Struct:
		var fs []*types.Var
		var tags []string
		for i := range t.NumFields() {
			f := t.Field(i)
			fs = append(fs, types.NewField(f.Pos(), f.Pkg(), f.Name(), subst(f.Type(), env), f.Embedded()))
			tags = append(tags, t.Tag(i))
		}
		return types.NewStruct(fs, tags)
	case *types.Interface:
		var fs []*types.Func
		for f := range t.Methods() {
			fs = append(fs, types.NewFunc(f.Pos(), f.Pkg(), f.Name(), subst(f.Signature(), env).(*types.Signature)))
		}
		return types.NewInterfaceType(fs, nil).Complete()
	}
	return t
}

var shared = types.NewContext()

// own returns t as a type that the script declares, nil if it is none.
func (m *lower) own(t types.Type) *types.Named {
	n, _ := types.Unalias(t).(*types.Named)
	if n == nil || n.Obj().Pkg() == nil || m.w.back[n] != nil {
		return nil
	}
	return n
}

// dynamic says whether t is an interface of the script, which is any when run.
func (m *lower) dynamic(t types.Type) bool { return types.IsInterface(t) && !m.carried(t) }

// carried says whether t is an interface of compiled code.
func (m *lower) carried(t types.Type) bool {
	n, _ := types.Unalias(t).(*types.Named)
	return n != nil && types.IsInterface(n) && (n.Obj().Pkg() == nil && n.Obj().Name() == "error" || m.w.back[n] != nil)
}

// rep writes the type by which t is represented when run.
func (m *lower) rep(t types.Type) ast.Expr {
	t = m.subst(t)
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if own := m.own(t); own != nil {
			return m.repOwn(own)
		}
		if types.IsInterface(t) && !m.carried(t) {
			break // comparable
		}
		rt := m.w.reflected(t)
		if rt == nil {
			break
		}
		return id(m.use("type "+rt.PkgPath()+"."+rt.Name(), func() reflect.Value { return reflect.Zero(reflect.PointerTo(rt)) }))
	case *types.Basic:
		if t.Kind() == types.UnsafePointer {
			break
		}
		return id(t.Name())
	case *types.Pointer:
		return &ast.StarExpr{X: m.rep(t.Elem())}
	case *types.Slice:
		return &ast.ArrayType{Elt: m.rep(t.Elem())}
	case *types.Array:
		if t.Len() > large {
			m.refuse(idAt(m.at, ""), "an array of %d elements is too large; a run may hold 4 GB", t.Len())
		}
		return &ast.ArrayType{Len: &ast.BasicLit{Kind: token.INT, Value: strconv.FormatInt(t.Len(), 10)}, Elt: m.rep(t.Elem())}
	case *types.Map:
		return &ast.MapType{Key: m.rep(t.Key()), Value: m.rep(t.Elem())}
	case *types.Chan:
		dir := map[types.ChanDir]ast.ChanDir{types.SendRecv: ast.SEND | ast.RECV, types.SendOnly: ast.SEND, types.RecvOnly: ast.RECV}[t.Dir()]
		return &ast.ChanType{Dir: dir, Value: m.rep(t.Elem())}
	case *types.Signature:
		return m.repFunc(t)
	case *types.Struct:
		return m.repStruct(t)
	}
	return &ast.InterfaceType{Methods: params()}
}

func (m *lower) repFunc(t *types.Signature) *ast.FuncType {
	f := &ast.FuncType{Params: params()}
	for i := range t.Params().Len() {
		x := m.rep(t.Params().At(i).Type())
		if t.Variadic() && i == t.Params().Len()-1 {
			x = &ast.Ellipsis{Elt: x.(*ast.ArrayType).Elt}
		}
		f.Params.List = append(f.Params.List, &ast.Field{Type: x})
	}
	if t.Results().Len() > 0 {
		f.Results = params()
		for v := range t.Results().Variables() {
			f.Results.List = append(f.Results.List, &ast.Field{Type: m.rep(v.Type())})
		}
	}
	return f
}

func (m *lower) repStruct(t *types.Struct) ast.Expr {
	s := &ast.StructType{Fields: params()}
	for i := range t.NumFields() {
		f := field(fieldName(t, i), m.rep(t.Field(i).Type()))
		if tag := t.Tag(i); tag != "" {
			f.Tag = &ast.BasicLit{Kind: token.STRING, Value: strconv.Quote(tag)}
		}
		s.Fields.List = append(s.Fields.List, f)
	}
	return s
}

// fieldName is the name of a field of a script's struct.
func fieldName(t *types.Struct, i int) string {
	if n := t.Field(i).Name(); n != "_" {
		return n
	}
	return "blank" + strconv.Itoa(i)
}

// repOwn represents a type of the script by what it is made of, unless that holds the
// type itself or is a struct.
func (m *lower) repOwn(n *types.Named) ast.Expr {
	if types.IsInterface(n) {
		return &ast.InterfaceType{Methods: params()}
	}
	_, isStruct := n.Underlying().(*types.Struct)
	if !isStruct {
		if holds(n.Underlying(), n, map[types.Type]bool{}) {
			m.refuse(idAt(n.Obj().Pos(), ""), "type %s is made of itself with no struct between, which is not supported; make it a struct with a field of that type", n.Obj().Name())
			return id("int")
		}
		return m.rep(n.Underlying())
	}
	key := types.TypeString(n, nil) + m.identity(n)
	name := m.named[key]
	if name == "" {
		name = m.fresh(n.Obj().Name())
		m.named[key] = name
		i := len(m.out)
		m.out = append(m.out, nil)
		m.out[i] = &ast.GenDecl{Tok: token.TYPE, TokPos: n.Obj().Pos(), Specs: []ast.Spec{&ast.TypeSpec{Name: idAt(n.Obj().Pos(), name), Type: m.rep(n.Underlying())}}}
	}
	return id(name)
}

// holds says whether n is part of t.
func holds(t types.Type, n *types.Named, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if types.Identical(t, n) {
			return true
		}
		if _, ok := t.Underlying().(*types.Struct); ok || types.IsInterface(t) {
			return false
		}
		return holds(t.Underlying(), n, seen)
	case *types.Pointer:
		return holds(t.Elem(), n, seen)
	case *types.Slice:
		return holds(t.Elem(), n, seen)
	case *types.Array:
		return holds(t.Elem(), n, seen)
	case *types.Map:
		return holds(t.Key(), n, seen) || holds(t.Elem(), n, seen)
	case *types.Chan:
		return holds(t.Elem(), n, seen)
	case *types.Signature:
		return holds(t.Params(), n, seen) || holds(t.Results(), n, seen)
	case *types.Tuple:
		for v := range t.Variables() {
			if holds(v.Type(), n, seen) {
				return true
			}
		}
	case *types.Struct:
		for f := range t.Fields() {
			if holds(f.Type(), n, seen) {
				return true
			}
		}
	}
	return false
}
