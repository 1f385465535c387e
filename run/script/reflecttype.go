package script

import (
	"fmt"
	"go/types"
	"reflect"
)

// A scriptType is a type of the script's for package reflect: what it is represented by,
// with the names, fields and methods that it has in Go.
type scriptType struct {
	reflect.Type
	b *boxes
	t types.Type
}

// reflectType is t for the script; rt is what represents it.
func (b *boxes) reflectType(t types.Type, rt reflect.Type) reflect.Type {
	if s := b.shared(t); s != nil {
		return s
	}
	if b.fact(t).wrapped {
		rt = rt.Field(0).Type
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	s, ok := b.reflected.get(t)
	if !ok {
		s = &scriptType{rt, b, t}
		b.reflected.set(t, s)
	}
	return s
}

// reflectTypeOf is reflect.TypeOf.
func (b *boxes) reflectTypeOf(x any) reflect.Type {
	if bx, ok := open(x); ok {
		return b.reflectType(bx.t.t, reflect.TypeOf(bx.v))
	}
	return reflect.TypeOf(x)
}

// reflectValueOf is reflect.ValueOf. A reflect.Value knows no more than what represents it, so
// values of types of which that is not all there is to know are refused.
func (b *boxes) reflectValueOf(x any) reflect.Value {
	bx, ok := open(x)
	if !ok {
		return reflect.ValueOf(x)
	}
	t := bx.t.t
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if why := b.hidden(t, map[types.Type]bool{}); why != "" {
		panic(runtimeError("reflect.ValueOf does not work for " + typeName(bx.t.t) + ", as " + why + "; use reflect.TypeOf for its names and tags, and fields, a type switch or encoding/json for its values"))
	}
	return reflect.ValueOf(bx.v)
}

// hidden says what reflection would not see of values of t, "" if it sees all.
func (b *boxes) hidden(t types.Type, seen map[types.Type]bool) string {
	if seen[t] || b.shared(t) != nil {
		return ""
	}
	seen[t] = true
	u, ok := t.Underlying().(*types.Struct)
	if n := asNamed(t); n != nil && (n.NumMethods() > 0 || !ok) || b.fact(t).madeOf != nil || b.fact(t).wrapped || types.IsInterface(t) {
		return "it does not know " + typeName(t)
	}
	if ok {
		for f := range u.Fields() {
			if !f.Exported() {
				return "it sees field " + f.Name() + " of " + typeName(t) + " as an exported one"
			}
			if why := b.hidden(f.Type(), seen); why != "" {
				return why
			}
		}
		return ""
	}
	if m, ok := t.(*types.Map); ok {
		if why := b.hidden(m.Key(), seen); why != "" {
			return why
		}
	}
	if el, ok := t.(interface{ Elem() types.Type }); ok {
		return b.hidden(el.Elem(), seen)
	}
	return ""
}

// valueType is reflect.Value.Type.
func (b *boxes) valueType(v reflect.Value) reflect.Type {
	t := b.typeFor(v.Type())
	if t == nil {
		return v.Type()
	}
	return b.reflectType(t, v.Type())
}

// valueInterface is reflect.Value.Interface.
func (b *boxes) valueInterface(v reflect.Value) any {
	t := b.typeFor(v.Type())
	if t == nil {
		return v.Interface()
	}
	return b.boxed(t, v)
}

// typeFor is structs.typeFor, which may panic.
func (b *boxes) typeFor(rt reflect.Type) types.Type {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.structs.typeFor(rt)
}

// typeFor is the type of the script that rt represents, nil if that is rt itself.
func (s *structs) typeFor(rt reflect.Type) types.Type {
	if rt.Name() != "" {
		return nil
	}
	switch rt.Kind() {
	case reflect.Struct:
		var found types.Type
		for _, bucket := range s.made {
			for _, e := range bucket {
				if e.v != rt {
					continue
				}
				if found != nil {
					panic(runtimeError("reflect cannot tell " + typeName(found) + " and " + typeName(e.t) + " apart by a value; use reflect.TypeOf"))
				}
				found = e.t
			}
		}
		return found
	case reflect.Pointer:
		if e := s.typeFor(rt.Elem()); e != nil {
			return types.NewPointer(e)
		}
	case reflect.Slice:
		if e := s.typeFor(rt.Elem()); e != nil {
			return types.NewSlice(e)
		}
	case reflect.Array:
		if e := s.typeFor(rt.Elem()); e != nil {
			return types.NewArray(e, int64(rt.Len()))
		}
	case reflect.Map:
		k, e := s.typeFor(rt.Key()), s.typeFor(rt.Elem())
		if k == nil && e != nil {
			k = s.w.typ(rt.Key())
		} else if k != nil && e == nil {
			e = s.w.typ(rt.Elem())
		}
		if e != nil {
			return types.NewMap(k, e)
		}
	}
	return nil
}

// deepEqual is reflect.DeepEqual.
func (b *boxes) deepEqual(x, y any) bool {
	return b.reflectTypeOf(x) == b.reflectTypeOf(y) && reflect.DeepEqual(raw(x), raw(y))
}

func (s *scriptType) String() string { return typeName(s.t) }

func (s *scriptType) Name() string {
	if n := asNamed(s.t); n != nil {
		return typeName(n)[len(n.Obj().Pkg().Name()+"."):]
	}
	return ""
}

func (s *scriptType) PkgPath() string {
	if n := asNamed(s.t); n != nil {
		return n.Obj().Pkg().Path()
	}
	return ""
}

func (s *scriptType) elem() types.Type {
	return s.t.Underlying().(interface{ Elem() types.Type }).Elem()
}

func (s *scriptType) Elem() reflect.Type {
	e := s.Type.Elem() // panics if there is none
	return s.b.reflectType(s.elem(), e)
}

func (s *scriptType) Key() reflect.Type {
	k := s.Type.Key()
	return s.b.reflectType(s.t.Underlying().(*types.Map).Key(), k)
}

func (s *scriptType) In(i int) reflect.Type {
	return s.b.reflectType(s.t.Underlying().(*types.Signature).Params().At(i).Type(), s.Type.In(i))
}

func (s *scriptType) Out(i int) reflect.Type {
	return s.b.reflectType(s.t.Underlying().(*types.Signature).Results().At(i).Type(), s.Type.Out(i))
}

func (s *scriptType) Field(i int) reflect.StructField {
	f := s.Type.Field(i)
	if s.b.fact(s.t).madeOf != nil {
		return f
	}
	u := s.t.Underlying().(*types.Struct)
	v := u.Field(i)
	f.Name, f.Tag, f.Anonymous, f.Type = v.Name(), reflect.StructTag(u.Tag(i)), v.Embedded(), s.b.reflectType(v.Type(), f.Type)
	if !v.Exported() {
		f.PkgPath = v.Pkg().Path()
	}
	return f
}

func (s *scriptType) FieldByName(name string) (f reflect.StructField, ok bool) {
	if s.Kind() != reflect.Struct {
		return s.Type.FieldByName(name)
	}
	for i := range s.NumField() {
		if f = s.Field(i); f.Name == name {
			return f, true
		}
	}
	v, index, _ := types.LookupFieldOrMethod(s.t, false, nil, name)
	if _, isField := v.(*types.Var); !isField {
		return reflect.StructField{}, false
	}
	return s.FieldByIndex(index), true
}

func (s *scriptType) FieldByIndex(index []int) (f reflect.StructField) {
	var t reflect.Type = s
	for i, n := range index {
		if i > 0 && t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		f = t.Field(n)
		t = f.Type
	}
	f.Index = index
	return f
}

// methods are the exported methods, which do not tell their types.
func (s *scriptType) methods() (list []reflect.Method) {
	set := types.NewMethodSet(s.t) // sorted by name
	for i := range set.Len() {
		if f := set.At(i).Obj(); f.Exported() {
			list = append(list, reflect.Method{Name: f.Name(), Index: len(list)})
		}
	}
	return
}

func (s *scriptType) NumMethod() int { return len(s.methods()) }

func (s *scriptType) Method(i int) reflect.Method { return s.methods()[i] }

func (s *scriptType) MethodByName(name string) (reflect.Method, bool) {
	for _, m := range s.methods() {
		if m.Name == name {
			return m, true
		}
	}
	return reflect.Method{}, false
}

// other is a type of reflect's for the type checker.
func (s *scriptType) other(t reflect.Type) types.Type {
	if x, ok := t.(*scriptType); ok {
		return x.t
	}
	return s.b.typeOf(t)
}

func (s *scriptType) Implements(t reflect.Type) bool {
	i, ok := s.other(t).Underlying().(*types.Interface)
	if !ok {
		panic(fmt.Sprintf("reflect: non-interface type passed to Type.Implements: %v", t))
	}
	return types.Implements(s.t, i)
}

func (s *scriptType) AssignableTo(t reflect.Type) bool { return types.AssignableTo(s.t, s.other(t)) }

func (s *scriptType) ConvertibleTo(t reflect.Type) bool { return types.ConvertibleTo(s.t, s.other(t)) }
