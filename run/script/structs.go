package script

import (
	"go/types"
	"reflect"
	"slices"
	"strconv"
	"sync/atomic"
	"unsafe"
)

// structs makes the types by which the script's structs are represented. They are made by
// reflection and given to yaegi as compiled ones, since its own types that hold each other
// are broken as soon as there are two of them, or a function.
type structs struct {
	w     *world
	made  typeMap[reflect.Type]
	names typeMap[string] // in the program for yaegi
	// recursive says whether a struct is part of itself, by a pointer, slice, map or function.
	recursive typeMap[bool]
	wraps     typeMap[*types.Struct]
	open      []openField
	making    int
}

func newStructs(w *world) *structs {
	return &structs{w: w, made: typeMap[reflect.Type]{}, names: typeMap[string]{}, recursive: typeMap[bool]{}, wraps: typeMap[*types.Struct]{}}
}

// An openField is a field whose type is set when the structs that hold each other are there.
type openField struct {
	of    reflect.Type
	index int
	t     types.Type
}

// typeMap holds values by type.
type typeMap[V any] map[string][]typeEntry[V]

type typeEntry[V any] struct {
	t types.Type
	v V
}

func (m typeMap[V]) get(t types.Type) (v V, ok bool) {
	for _, e := range m[types.TypeString(t, nil)] {
		if types.Identical(e.t, t) {
			return e.v, true
		}
	}
	return
}

func (m typeMap[V]) set(t types.Type, v V) {
	key := types.TypeString(t, nil)
	m[key] = append(m[key], typeEntry[V]{t, v})
}

// fieldName is the name of a field of a script's struct when run, where all are exported.
func fieldName(t *types.Struct, i int) string {
	switch f := t.Field(i); {
	case f.Name() == "_":
		return "X" + localMark + strconv.Itoa(i)
	case !f.Exported():
		return "X" + localMark + f.Name()
	default:
		return f.Name()
	}
}

// typ is the type by which t is represented.
func (s *structs) typ(t types.Type) reflect.Type {
	if rt := s.w.reflected(t); rt != nil {
		return rt
	}
	if u := s.wrapped(t); u != nil {
		return s.structType(t, u)
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return reflect.PointerTo(s.typ(u.Elem()))
	case *types.Slice:
		return reflect.SliceOf(s.typ(u.Elem()))
	case *types.Array:
		return reflect.ArrayOf(int(u.Len()), s.typ(u.Elem()))
	case *types.Map:
		return reflect.MapOf(s.typ(u.Key()), s.typ(u.Elem()))
	case *types.Chan:
		return reflect.ChanOf(chanDirs[u.Dir()], s.typ(u.Elem()))
	case *types.Signature:
		var in, out []reflect.Type
		for v := range u.Params().Variables() {
			in = append(in, s.typ(v.Type()))
		}
		for v := range u.Results().Variables() {
			out = append(out, s.typ(v.Type()))
		}
		return reflect.FuncOf(in, out, u.Variadic())
	case *types.Struct:
		return s.structType(t, u)
	case *types.Interface:
		return anyType
	}
	return s.w.reflected(t.Underlying())
}

// embeds says whether t is a struct of the script's or a pointer to one, which reflection
// can embed, as it has no methods.
func (s *structs) embeds(t types.Type) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	u, ok := t.Underlying().(*types.Struct)
	return ok && s.w.structs[u] == nil
}

// structType is the type for a struct. One that is part of itself is made with fields of
// the right kind, and their types are set once there is something to set them to.
func (s *structs) structType(t types.Type, u *types.Struct) reflect.Type {
	if rt := s.w.structs[u]; rt != nil { // as in type stamp time.Time
		return rt
	}
	if rt, ok := s.made.get(t); ok {
		return rt
	}
	s.making++
	recursive := s.holdsItself(t)
	var fields []reflect.StructField
	var open []int
	for i := range u.NumFields() {
		ft := u.Field(i).Type()
		f := reflect.StructField{Name: fieldName(u, i), Tag: reflect.StructTag(u.Tag(i))}
		if v := u.Field(i); v.Embedded() && s.embeds(ft) {
			f.Anonymous = true
		} else if !v.Exported() {
			f.Tag = `xml:"-"`
		}
		if recursive {
			f.Type = s.placeholder(ft)
		}
		if f.Type != nil {
			open = append(open, i)
		} else {
			f.Type = s.typ(ft)
		}
		fields = append(fields, f)
	}
	rt := reflect.StructOf(fields)
	s.made.set(t, rt)
	for _, i := range open {
		s.open = append(s.open, openField{rt, i, u.Field(i).Type()})
	}
	s.making--
	for s.making == 0 && len(s.open) > 0 {
		f := s.open[0]
		s.open = s.open[1:]
		setFieldType(f.of, f.index, s.typ(f.t))
	}
	return rt
}

var placeholders atomic.Int64

// placeholder is a type of the kind of t that there was none of before, so that nobody else
// has the struct that is made with it; nil if values of t hold no others by reference.
func (s *structs) placeholder(t types.Type) reflect.Type {
	if s.w.reflected(t) != nil || s.wrapped(t) != nil {
		return nil
	}
	one := reflect.ArrayOf(int(placeholders.Add(1)), reflect.TypeFor[struct{}]())
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return reflect.PointerTo(one)
	case *types.Slice:
		return reflect.SliceOf(one)
	case *types.Map:
		return reflect.MapOf(reflect.TypeFor[int](), one)
	case *types.Chan:
		return reflect.ChanOf(reflect.BothDir, one)
	case *types.Signature:
		return reflect.FuncOf([]reflect.Type{one}, nil, false)
	case *types.Array:
		if e := s.placeholder(u.Elem()); e != nil {
			return reflect.ArrayOf(int(u.Len()), e)
		}
	}
	return nil
}

// setFieldType sets the type of a field of the struct t, which is of the same kind. That
// changes neither how values are laid out nor how they are compared.
func setFieldType(t reflect.Type, i int, to reflect.Type) {
	abiFields(t)[i].typ = abiPointer(to)
}

// structOf is reflect.StructOf that also embeds what is not exported.
func structOf(fields []reflect.StructField) reflect.Type {
	var hidden []int
	for i, f := range fields {
		if f.Anonymous && f.PkgPath != "" {
			fields[i].Anonymous = false
			hidden = append(hidden, i)
		}
	}
	t := reflect.StructOf(fields)
	for _, i := range hidden {
		*(*byte)(abiFields(t)[i].name) |= 1 << 3 // embedded
	}
	return t
}

// An abiField is a field of a struct, as in internal/abi.
type abiField struct {
	name unsafe.Pointer
	typ  unsafe.Pointer
	_    uintptr
}

func abiFields(t reflect.Type) []abiField {
	type structType struct {
		_       [unsafe.Sizeof(abiType{})]byte
		pkgPath unsafe.Pointer
		fields  []abiField
	}
	return (*structType)(abiPointer(t)).fields
}

func abiPointer(t reflect.Type) unsafe.Pointer { return (*[2]unsafe.Pointer)(unsafe.Pointer(&t))[1] }

// abiType is laid out as internal/abi.Type.
type abiType struct {
	_, _       uintptr
	_          uint32
	_, _, _, _ uint8
	_, _       unsafe.Pointer
	_, _       int32
}

// withoutMethods is the struct v as a value of a type without a name, and so without methods.
func withoutMethods(v reflect.Value) reflect.Value {
	var fields []reflect.StructField
	for f := range v.Type().Fields() {
		f.Anonymous = false
		fields = append(fields, f)
	}
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return reflect.NewAt(reflect.StructOf(fields), p.UnsafePointer()).Elem()
}

// wrapped is the struct that represents a type that is part of itself without a struct
// between, such as type tree []tree; nil for others.
func (s *structs) wrapped(t types.Type) *types.Struct {
	n, _ := types.Unalias(t).(*types.Named)
	if n == nil || s.w.back[n] != nil {
		return nil
	}
	switch n.Underlying().(type) {
	case *types.Basic, *types.Struct, *types.Interface:
		return nil
	}
	u, ok := s.wraps.get(n)
	if !ok {
		if s.holds(n.Underlying(), n, true, &[]types.Type{}) {
			u = types.NewStruct([]*types.Var{types.NewField(n.Obj().Pos(), n.Obj().Pkg(), wrappedField, n.Underlying(), false)}, nil)
		}
		s.wraps.set(n, u)
	}
	return u
}

const wrappedField = "V"

// holdsItself says whether a struct is part of itself.
func (s *structs) holdsItself(t types.Type) bool {
	is, ok := s.recursive.get(t)
	if !ok {
		is = s.holds(t.Underlying(), t, false, &[]types.Type{})
		s.recursive.set(t, is)
	}
	return is
}

// holds says whether t, or what it is made of, is n, if wanted without a struct that has a
// name between. seen are the named types met.
func (s *structs) holds(t, n types.Type, bare bool, seen *[]types.Type) bool {
	if types.Identical(t, n) {
		return true
	}
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if s.w.reflected(t) != nil || types.IsInterface(t) || slices.ContainsFunc(*seen, func(x types.Type) bool { return types.Identical(x, t) }) {
			return false
		}
		if _, isStruct := t.Underlying().(*types.Struct); bare && isStruct {
			return false
		}
		*seen = append(*seen, t)
		return s.holds(t.Underlying(), n, bare, seen)
	case *types.Map:
		return s.holds(t.Key(), n, bare, seen) || s.holds(t.Elem(), n, bare, seen)
	case *types.Signature:
		return s.holds(t.Params(), n, bare, seen) || s.holds(t.Results(), n, bare, seen)
	case *types.Tuple:
		for v := range t.Variables() {
			if s.holds(v.Type(), n, bare, seen) {
				return true
			}
		}
	case *types.Struct:
		for f := range t.Fields() {
			if s.holds(f.Type(), n, bare, seen) {
				return true
			}
		}
	case interface{ Elem() types.Type }:
		return s.holds(t.Elem(), n, bare, seen)
	}
	return false
}
