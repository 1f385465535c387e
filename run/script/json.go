package script

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/types"
	"reflect"
	"strings"
	"unsafe"
)

// Where values of the script's types reach encoding/json. What it gets is a flat value: of
// a type with the same JSON, which reflection sees whole, filled from the script's value
// before encoding and poured back into it after decoding. Parts with JSON methods of
// their own, and types that hold themselves, stand in it as boxes when encoding and as
// captured text when decoding.

// captured is the JSON of a part that is decoded when the value is poured back.
type captured []byte

func (c *captured) UnmarshalJSON(data []byte) error {
	*c = bytes.Clone(data)
	return nil
}

// A held is a pointer of the script's that an interface holds, which is decoded into.
type held struct {
	r *jsonRun
	box
}

func (*held) none() {}

func (h *held) UnmarshalJSON(data []byte) error {
	err := h.r.decode(h.t.t.Underlying().(*types.Pointer).Elem(), reflect.ValueOf(h.v).Elem(), data)
	if e, ok := err.(*json.UnmarshalTypeError); ok {
		h.r.inner[e] = e.Struct
	}
	return err
}

// A jsonRun is one call of encoding/json.
type jsonRun struct {
	b       *boxes
	decodes bool
	options func(*json.Decoder)   // set on the decoders of captured parts
	flats   map[any]reflect.Value // pointers, slices and maps of the script to flat ones
	origin  map[any]reflect.Value // and pointers back, until they are
	poured  map[any]reflect.Value
	names   map[reflect.Type]string // of flat types, as Go has them
	pointed map[any]string          // of flat pointers
	err     error                   // of a key
	made    typeMap[reflect.Type]   // flat structs
	open    []openFlat
	making  int
	inner   map[*json.UnmarshalTypeError]string // their structs
}

// An openFlat is a field whose flat type is set when the structs that hold each other are there.
type openFlat struct {
	of    reflect.Type
	index int
	typ   func() reflect.Type
}

func (b *boxes) jsonRun(decodes bool) *jsonRun {
	return &jsonRun{b: b, decodes: decodes, flats: map[any]reflect.Value{}, origin: map[any]reflect.Value{}, poured: map[any]reflect.Value{}, names: map[reflect.Type]string{}, pointed: map[any]string{}, made: typeMap[reflect.Type]{}, inner: map[*json.UnmarshalTypeError]string{}}
}

var (
	anyType      = reflect.TypeFor[any]()
	capturedType = reflect.TypeFor[captured]()
	noneType     = reflect.TypeFor[interface{ none() }]() // what no JSON fits
)

// hooked says whether encoding/json calls methods of t, or of a pointer to it.
func (r *jsonRun) hooked(t types.Type) bool {
	if r.decodes {
		return r.b.has(r.b.pointer(t), "UnmarshalJSON", "UnmarshalText")
	}
	return r.b.has(t, "MarshalJSON", "MarshalText") || r.b.has(r.b.pointer(t), "MarshalJSON", "MarshalText")
}

// part is field name of the struct v, also of an unexported embedded struct.
func part(v reflect.Value, name string) reflect.Value {
	f := v.FieldByName(name)
	if f.CanSet() || !f.CanAddr() {
		return f
	}
	return reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()
}

// pairs passes the fields of the flat struct f and those of v, of type u, that they are for.
func pairs(u *types.Struct, f, v reflect.Value, do func(i int, f, v reflect.Value)) {
	for i := range u.NumFields() {
		name := u.Field(i).Name()
		if sf, ok := f.Type().FieldByName(name); ok && len(sf.Index) == 1 {
			do(i, part(f, name), v.Field(i))
		}
	}
}

// sameFields copies what a and b have by the same names from a to b.
func sameFields(a, b reflect.Value) {
	for f := range a.Type().Fields() {
		if x := b.FieldByName(f.Name); x.CanSet() && x.Type() == f.Type {
			x.Set(a.FieldByName(f.Name))
		}
	}
}

// fill sets the flat value f from v of type t.
func (r *jsonRun) fill(t types.Type, f, v reflect.Value) {
	switch {
	case types.IsInterface(t):
		x := unwrap(valueOf(v))
		if x == nil {
			return
		}
		if bx, ok := open(x); ok && r.decodes {
			if p := reflect.ValueOf(bx.v); p.Kind() == reflect.Pointer && !p.IsNil() && reflect.TypeFor[*held]().Implements(f.Type()) {
				f.Set(reflect.ValueOf(&held{r, bx}))
			}
		} else if f.Type() == anyType {
			f.Set(reflect.ValueOf(r.opened(x)))
		}
		return
	case f.Type() == capturedType:
		return
	case f.Type() == anyType:
		if x := r.standing(t, v); x != nil {
			f.Set(reflect.ValueOf(x))
		}
		return
	case f.Type() == v.Type() && r.b.shared(t) != nil && !(r.decodes && holdsAny(v.Type())):
		f.Set(v)
		return
	}
	v = r.b.bare(t, v)
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		if v.IsNil() {
			return
		}
		key := [3]any{v.Interface(), f.Type()}
		p, ok := r.flats[key]
		if !ok {
			p = reflect.New(f.Type().Elem())
			r.flats[key], r.origin[p.Interface()], r.pointed[p.Interface()] = p, v, typeName(t)
			r.fill(u.Elem(), p.Elem(), v.Elem())
		}
		f.Set(p)
	case *types.Slice, *types.Array:
		if v.Kind() == reflect.Slice {
			if v.IsNil() {
				return
			}
			key := [3]any{v.UnsafePointer(), f.Type(), v.Len()}
			if s, ok := r.flats[key]; ok {
				f.Set(s)
				return
			}
			f.Set(reflect.MakeSlice(f.Type(), v.Len(), v.Len()))
			r.flats[key] = reflect.ValueOf(f.Interface())
		}
		for i := range v.Len() {
			r.fill(u.(interface{ Elem() types.Type }).Elem(), f.Index(i), v.Index(i))
		}
	case *types.Map:
		if v.IsNil() {
			return
		}
		key := [3]any{v.UnsafePointer(), f.Type()}
		if m, ok := r.flats[key]; ok {
			f.Set(m)
			return
		}
		f.Set(reflect.MakeMap(f.Type()))
		r.flats[key] = reflect.ValueOf(f.Interface())
		if r.decodes { // which only adds to it
			return
		}
		for k, e := range v.Seq2() {
			fe := reflect.New(f.Type().Elem()).Elem()
			r.fill(u.Elem(), fe, e)
			f.SetMapIndex(r.key(t, u.Key(), k), fe)
		}
	case *types.Struct:
		if f.Type() != v.Type() && r.b.shared(t) != nil || r.b.fact(t).madeOf != nil {
			sameFields(v, f)
			return
		}
		pairs(u, f, v, func(i int, f, v reflect.Value) {
			opts := reflect.StructTag(u.Tag(i)).Get("json")
			if f.Type() == anyType && (strings.Contains(opts, ",omitempty") && isEmpty(r.b.bare(u.Field(i).Type(), v)) || strings.Contains(opts, ",omitzero") && r.isZero(u.Field(i).Type(), v)) {
				return
			}
			r.fill(u.Field(i).Type(), f, v)
		})
	default:
		f.Set(v)
	}
}

// opened is x, of an interface, as encoding/json should have it.
func (r *jsonRun) opened(x any) any {
	if bx, ok := open(x); ok {
		return r.standing(bx.t.t, reflect.ValueOf(bx.v))
	}
	return x
}

// standing is what represents v of type t in an interface.
func (r *jsonRun) standing(t types.Type, v reflect.Value) any {
	if x := r.b.bare(t, v); x.Kind() == reflect.Pointer && x.IsNil() {
		return nil
	}
	if r.b.has(t, "MarshalJSON", "MarshalText") {
		return r.b.boxed(t, v)
	}
	if p := r.b.pointer(t); v.CanAddr() && r.b.has(p, "MarshalJSON", "MarshalText") {
		return r.b.boxed(p, v.Addr())
	}
	if r.b.shared(t) != nil {
		return v.Interface()
	}
	f := reflect.New(r.whole(t, v.Type(), true)).Elem()
	r.fill(t, f, v)
	return f.Interface()
}

// key is the flat form of k, of type t, a key of the map m.
func (r *jsonRun) key(m, t types.Type, k reflect.Value) reflect.Value {
	if !r.hooked(t) {
		return k
	}
	if f, ok := r.b.method(r.b.boxed(t, k), "MarshalText").(func() ([]byte, error)); ok {
		text, err := f()
		if err != nil {
			r.err = fmt.Errorf("json: encoding error for type %q: %q", typeName(m), err)
		}
		return reflect.ValueOf(string(text))
	}
	return reflect.ValueOf(fmt.Sprint(k.Interface()))
}

func (r *jsonRun) isZero(t types.Type, v reflect.Value) bool {
	if v.Kind() == reflect.Pointer && v.IsNil() {
		return true
	}
	if r.b.has(t, "IsZero") {
		return r.b.method(r.b.boxed(t, v), "IsZero").(func() bool)()
	}
	if z, ok := valueOf(v).(interface{ IsZero() bool }); ok {
		return z.IsZero()
	}
	return v.IsZero()
}

func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}
