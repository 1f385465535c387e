package script

import (
	"go/constant"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"
)

// A world holds the types of the compiled packages, made from reflection and only as
// far as a script names them: fields and methods whose names occur nowhere are left
// out, so that net/http costs what is used of it.
type world struct {
	pkgs           map[string]*types.Package
	types          map[reflect.Type]types.Type
	named          []reflect.Type                 // in order of appearance
	back           map[*types.Named]reflect.Type  // the way back
	structs        map[*types.Struct]reflect.Type // those whose underlying types these are
	words          map[string]bool                // the names that matter
	interfaceWords map[string]bool                // the methods of the interfaces met
	packages       map[string]func(string) any    // compiled packages that are not of the standard library
	grown          bool
}

func newWorld() *world {
	return &world{interfaceWords: map[string]bool{}, pkgs: map[string]*types.Package{}, types: map[reflect.Type]types.Type{reflect.TypeFor[error](): types.Universe.Lookup("error").Type()},
		back: map[*types.Named]reflect.Type{}, structs: map[*types.Struct]reflect.Type{}, words: map[string]bool{"String": true, "Error": true, "Format": true, "MarshalJSON": true, "UnmarshalJSON": true, "MarshalText": true, "UnmarshalText": true, "Is": true, "Unwrap": true}}
}

func (w *world) pkg(path string) *types.Package {
	p := w.pkgs[path]
	if p == nil {
		name := strings.TrimSuffix(path, "/v2")
		p = types.NewPackage(path, name[strings.LastIndexByte(name, '/')+1:])
		p.MarkComplete()
		w.pkgs[path] = p
	}
	return p
}

// declare makes the symbol of a compiled package known to the type checker.
func (w *world) declare(path, name string) bool {
	p := w.pkg(path)
	if p.Scope().Lookup(name) != nil {
		return true
	}
	v := w.lookup(path, name)
	if !v.IsValid() {
		return false
	}
	p.Scope().Insert(w.object(p, name, v))
	return true
}

// object is what the type checker sees for a symbol.
func (w *world) object(p *types.Package, name string, v reflect.Value) types.Object {
	if isType(v) {
		t := w.typ(v.Type().Elem())
		if n, ok := t.(*types.Named); ok && n.Obj().Name() == name && n.Obj().Pkg() == p {
			return n.Obj()
		}
		o := types.NewTypeName(token.NoPos, p, name, nil)
		types.NewAlias(o, t)
		return o
	}
	if c, ok := v.Interface().(constant.Value); ok {
		kind := map[constant.Kind]types.BasicKind{constant.Bool: types.UntypedBool, constant.String: types.UntypedString, constant.Int: types.UntypedInt, constant.Float: types.UntypedFloat, constant.Complex: types.UntypedComplex}[c.Kind()]
		return types.NewConst(token.NoPos, p, name, types.Typ[kind], c)
	}
	t := w.typ(v.Type())
	switch {
	case v.CanAddr():
	case v.Kind() == reflect.Func:
		if sig, ok := t.(*types.Signature); ok {
			return types.NewFunc(token.NoPos, p, name, sig)
		}
	default:
		if c := constantOf(v); c != nil {
			return types.NewConst(token.NoPos, p, name, t, c)
		}
	}
	return types.NewVar(token.NoPos, p, name, t)
}

// isType says whether a symbol is a type, given as (*T)(nil).
func isType(v reflect.Value) bool {
	return v.Kind() == reflect.Pointer && !v.CanAddr() && v.IsNil()
}

func constantOf(v reflect.Value) constant.Value {
	switch {
	case v.CanInt():
		return constant.MakeInt64(v.Int())
	case v.CanUint():
		return constant.MakeUint64(v.Uint())
	case v.CanFloat():
		return constant.MakeFloat64(v.Float())
	case v.Kind() == reflect.String:
		return constant.MakeString(v.String())
	case v.Kind() == reflect.Bool:
		return constant.MakeBool(v.Bool())
	}
	return nil
}

var basics = map[reflect.Kind]types.BasicKind{reflect.Bool: types.Bool, reflect.Int: types.Int, reflect.Int8: types.Int8, reflect.Int16: types.Int16, reflect.Int32: types.Int32, reflect.Int64: types.Int64,
	reflect.Uint: types.Uint, reflect.Uint8: types.Uint8, reflect.Uint16: types.Uint16, reflect.Uint32: types.Uint32, reflect.Uint64: types.Uint64, reflect.Uintptr: types.Uintptr,
	reflect.Float32: types.Float32, reflect.Float64: types.Float64, reflect.Complex64: types.Complex64, reflect.Complex128: types.Complex128, reflect.String: types.String, reflect.UnsafePointer: types.UnsafePointer}

// typ is the type checker's form of a compiled type.
func (w *world) typ(t reflect.Type) types.Type {
	if x := w.types[t]; x != nil {
		return x
	}
	if t.PkgPath() == "" || t.Name() == "" || strings.Contains(t.Name(), "[") { // an instance of a generic type counts as what it is made of
		x := w.literal(t)
		w.types[t] = x
		return x
	}
	path := t.PkgPath()
	if t == typeAssertionError {
		path = "runtime"
	}
	n := types.NewNamed(types.NewTypeName(token.NoPos, w.pkg(path), t.Name(), nil), nil, nil)
	w.types[t] = n
	w.back[n] = t
	w.named = append(w.named, t)
	w.grown = true
	n.SetUnderlying(w.literal(t).Underlying())
	if s, ok := n.Underlying().(*types.Struct); ok {
		w.structs[s] = t
	}
	return n
}

func (w *world) literal(t reflect.Type) types.Type {
	switch t.Kind() {
	case reflect.Pointer:
		return types.NewPointer(w.typ(t.Elem()))
	case reflect.Slice:
		return types.NewSlice(w.typ(t.Elem()))
	case reflect.Array:
		return types.NewArray(w.typ(t.Elem()), int64(t.Len()))
	case reflect.Map:
		return types.NewMap(w.typ(t.Key()), w.typ(t.Elem()))
	case reflect.Chan:
		dir := map[reflect.ChanDir]types.ChanDir{reflect.BothDir: types.SendRecv, reflect.RecvDir: types.RecvOnly, reflect.SendDir: types.SendOnly}[t.ChanDir()]
		return types.NewChan(dir, w.typ(t.Elem()))
	case reflect.Func:
		return w.signature(t, 0, nil)
	case reflect.Interface:
		var fs []*types.Func
		for m := range t.Methods() {
			w.interfaceWords[m.Name] = true
			if !w.words[m.Name] {
				w.words[m.Name], w.grown = true, true
			}
			var p *types.Package
			if m.PkgPath != "" {
				p = w.pkg(m.PkgPath)
			}
			fs = append(fs, types.NewFunc(token.NoPos, p, m.Name, w.signature(m.Type, 0, nil)))
		}
		return types.NewInterfaceType(fs, nil).Complete()
	case reflect.Struct:
		var fields []*types.Var
		var tags []string
		for f := range t.Fields() {
			_, basic := basics[f.Type.Kind()]
			if !f.Anonymous && !w.words[f.Name] && !(basic && f.Type.PkgPath() == "" && f.IsExported()) {
				continue
			}
			if !f.IsExported() && (t.Name() != "" || f.Anonymous) {
				continue
			}
			fields = append(fields, types.NewField(token.NoPos, w.pkg(t.PkgPath()), f.Name, w.typ(f.Type), f.Anonymous))
			tags = append(tags, string(f.Tag))
		}
		return types.NewStruct(fields, tags)
	}
	return types.Typ[basics[t.Kind()]]
}

// signature is the type of a function without its first skip parameters.
func (w *world) signature(t reflect.Type, skip int, recv *types.Var) *types.Signature {
	var in, out []*types.Var
	for i := skip; i < t.NumIn(); i++ {
		in = append(in, types.NewParam(token.NoPos, nil, "", w.typ(t.In(i))))
	}
	for x := range t.Outs() {
		out = append(out, types.NewParam(token.NoPos, nil, "", w.typ(x)))
	}
	return types.NewSignatureType(recv, nil, nil, types.NewTuple(in...), types.NewTuple(out...), t.IsVariadic())
}

// settle adds the methods that matter to all types met so far, and to those met so.
func (w *world) settle() {
	done := map[*types.Named]map[string]bool{}
	for w.grown = true; w.grown; {
		w.grown = false
		for _, t := range slices.Clone(w.named) {
			if t.Kind() == reflect.Interface {
				continue
			}
			n := w.types[t].(*types.Named)
			if done[n] == nil {
				done[n] = map[string]bool{}
			}
			p := reflect.PointerTo(t)
			for m := range p.Methods() {
				if !w.words[m.Name] || done[n][m.Name] {
					continue
				}
				done[n][m.Name] = true
				var recv types.Type = n
				if _, ok := t.MethodByName(m.Name); !ok {
					recv = types.NewPointer(n)
				}
				n.AddMethod(types.NewFunc(token.NoPos, n.Obj().Pkg(), m.Name, w.signature(m.Type, 1, types.NewParam(token.NoPos, nil, "", recv))))
			}
		}
	}
}

// reflected is the compiled form of a type that a script shares with compiled code,
// nil if a script's own types are part of it.
func (w *world) reflected(t types.Type) reflect.Type {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if t.Obj().Pkg() == nil {
			return reflect.TypeFor[error]()
		}
		return w.back[t]
	case *types.Basic:
		for k, b := range basics {
			if b == t.Kind() {
				return kinds[k]
			}
		}
	case *types.Pointer:
		if e := w.reflected(t.Elem()); e != nil {
			return reflect.PointerTo(e)
		}
	case *types.Slice:
		if e := w.reflected(t.Elem()); e != nil {
			return reflect.SliceOf(e)
		}
	case *types.Array:
		if e := w.reflected(t.Elem()); e != nil {
			return reflect.ArrayOf(int(t.Len()), e)
		}
	case *types.Map:
		if k, e := w.reflected(t.Key()), w.reflected(t.Elem()); k != nil && e != nil {
			return reflect.MapOf(k, e)
		}
	case *types.Chan:
		if e := w.reflected(t.Elem()); e != nil {
			return reflect.ChanOf(chanDirs[t.Dir()], e)
		}
	case *types.Interface:
		if t.NumMethods() == 0 {
			return reflect.TypeFor[any]()
		}
	case *types.Signature:
		var in, out []reflect.Type
		for v := range t.Params().Variables() {
			in = append(in, w.reflected(v.Type()))
		}
		for v := range t.Results().Variables() {
			out = append(out, w.reflected(v.Type()))
		}
		if !slices.Contains(in, nil) && !slices.Contains(out, nil) {
			return reflect.FuncOf(in, out, t.Variadic())
		}
	case *types.Struct:
		var fs []reflect.StructField
		for i := range t.NumFields() {
			f := t.Field(i)
			ft := w.reflected(f.Type())
			if ft == nil || !f.Exported() || f.Embedded() {
				return nil
			}
			fs = append(fs, reflect.StructField{Name: f.Name(), Type: ft, Tag: reflect.StructTag(t.Tag(i))})
		}
		return reflect.StructOf(fs)
	}
	return nil
}

var chanDirs = map[types.ChanDir]reflect.ChanDir{types.SendRecv: reflect.BothDir, types.RecvOnly: reflect.RecvDir, types.SendOnly: reflect.SendDir}

var kinds = map[reflect.Kind]reflect.Type{}

func init() {
	for _, v := range []any{false, 0, int8(0), int16(0), int32(0), int64(0), uint(0), uint8(0), uint16(0), uint32(0), uint64(0), uintptr(0), float32(0), 0.0, complex64(0), complex128(0), ""} {
		kinds[reflect.TypeOf(v).Kind()] = reflect.TypeOf(v)
	}
}
