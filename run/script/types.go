package script

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"strconv"
	"strings"
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
	if m.fn == nil || m.env == nil || t == nil {
		return t
	}
	return m.env.subst(t)
}

// typeArgs are the type arguments of a function.
type typeArgs struct {
	of    map[*types.TypeParam]types.Type
	text  string // of them, as in the name of a type
	scope *types.Scope
	local map[*types.Named]*types.Named // the function's own types, with these arguments
}

// newTypeArgs are args for params, nil if there are none.
func newTypeArgs(params *types.TypeParamList, args []types.Type) *typeArgs {
	if params.Len() == 0 {
		return nil
	}
	e := &typeArgs{of: map[*types.TypeParam]types.Type{}, scope: params.At(0).Obj().Parent(), local: map[*types.Named]*types.Named{}}
	var names []string
	for i, a := range args {
		e.of[params.At(i)] = a
		names = append(names, typeName(a))
	}
	e.text = "[" + strings.Join(names, ",") + "]"
	return e
}

// named is n, or for a type that the function declares the one it is with the arguments.
func (e *typeArgs) named(n *types.Named) *types.Named {
	if e == nil {
		return n
	}
	s := n.Obj().Parent()
	for s != nil && s != e.scope {
		s = s.Parent()
	}
	if s == nil || e.local[n] != nil {
		return cmp.Or(e.local[n], n)
	}
	x := types.NewNamed(types.NewTypeName(n.Obj().Pos(), n.Obj().Pkg(), n.Obj().Name()+e.text, nil), nil, nil)
	e.local[n] = x
	x.SetUnderlying(e.subst(n.Underlying()).Underlying())
	return x
}

// subst puts the arguments in place of the parameters in t, and what aliases stand for in
// place of them.
func (e *typeArgs) subst(t types.Type) types.Type {
	switch t := t.(type) {
	case *types.TypeParam:
		if e != nil && e.of[t] != nil {
			return e.of[t]
		}
	case *types.Alias:
		return e.subst(types.Unalias(t))
	case *types.Named:
		args := t.TypeArgs()
		if args.Len() == 0 {
			return e.named(t)
		}
		var list []types.Type
		same := true
		for i := range args.Len() {
			x := e.subst(args.At(i))
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
		return types.NewPointer(e.subst(t.Elem()))
	case *types.Slice:
		return types.NewSlice(e.subst(t.Elem()))
	case *types.Array:
		return types.NewArray(e.subst(t.Elem()), t.Len())
	case *types.Map:
		return types.NewMap(e.subst(t.Key()), e.subst(t.Elem()))
	case *types.Chan:
		return types.NewChan(t.Dir(), e.subst(t.Elem()))
	case *types.Tuple:
		var vs []*types.Var
		for v := range t.Variables() {
			vs = append(vs, types.NewVar(v.Pos(), v.Pkg(), "", e.subst(v.Type())))
		}
		return types.NewTuple(vs...)
	case *types.Signature:
		return types.NewSignatureType(nil, nil, nil, e.subst(t.Params()).(*types.Tuple), e.subst(t.Results()).(*types.Tuple), t.Variadic())
	case *types.Struct:
		var fs []*types.Var
		var tags []string
		for i := range t.NumFields() {
			f := t.Field(i)
			fs = append(fs, types.NewField(f.Pos(), f.Pkg(), f.Name(), e.subst(f.Type()), f.Embedded()))
			tags = append(tags, t.Tag(i))
		}
		return types.NewStruct(fs, tags)
	case *types.Interface:
		var fs []*types.Func
		for f := range t.Methods() {
			fs = append(fs, types.NewFunc(f.Pos(), f.Pkg(), f.Name(), e.subst(f.Signature()).(*types.Signature)))
		}
		return types.NewInterfaceType(fs, nil).Complete()
	}
	return t
}

var shared = types.NewContext()

// own returns t as a type that the script declares, nil if it is not one.
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
		if m.structs.wrapped(t) != nil {
			return m.repStruct(t)
		}
		if m.own(t) != nil {
			if _, ok := t.Underlying().(*types.Struct); ok {
				return m.repStruct(t)
			}
			return m.rep(t.Underlying())
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

// bare is what t is made of if a struct represents it, else t.
func (m *lower) bare(t types.Type) types.Type {
	if m.structs.wrapped(t) != nil {
		return t.Underlying()
	}
	return t
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

// repStruct is the name of the type by which the struct t is represented.
func (m *lower) repStruct(t types.Type) ast.Expr {
	name, ok := m.structs.names.get(t)
	if !ok {
		base := "struct"
		if n := m.own(t); n != nil {
			base = n.Obj().Name()
		}
		name = m.fresh(base)
		m.structs.names.set(t, name)
		m.exports[name] = reflect.Zero(reflect.PointerTo(m.structs.typ(t)))
	}
	return id(name)
}
