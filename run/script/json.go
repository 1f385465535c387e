package script

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"strings"
	"unsafe"
)

// Values of the script's types meet encoding/json here. What it gets is a flat value: of
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

// A jsonRun is one call of encoding/json.
type jsonRun struct {
	b       *boxes
	decodes bool
	options func(*json.Decoder)     // set on the decoders of captured parts
	flats   map[any]reflect.Value   // pointers of the script to flat ones
	origin  map[any]reflect.Value   // and back
	names   map[reflect.Type]string // of flat types, as Go has them
	pointed map[any]string          // of flat pointers
	err     error                   // of a key
}

func (b *boxes) jsonRun(decodes bool) *jsonRun {
	return &jsonRun{b: b, decodes: decodes, flats: map[any]reflect.Value{}, origin: map[any]reflect.Value{}, names: map[reflect.Type]string{}, pointed: map[any]string{}}
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

// flat is the flat type for t, which is represented by rep; within are the types around.
func (r *jsonRun) flat(t types.Type, rep reflect.Type, within []types.Type) reflect.Type {
	if s := r.b.shared(t); s != nil {
		return s
	}
	if i, ok := t.Underlying().(*types.Interface); ok {
		if r.decodes && i.NumMethods() > 0 {
			r.names[noneType] = typeName(t)
			return noneType
		}
		return anyType
	}
	if r.hooked(t) || slices.ContainsFunc(within, func(x types.Type) bool { return types.Identical(x, t) }) {
		if r.decodes {
			return capturedType
		}
		return anyType
	}
	return r.bare(t, rep, within)
}

// bare is flat without regard to methods.
func (r *jsonRun) bare(t types.Type, rep reflect.Type, within []types.Type) (f reflect.Type) {
	if _, named := types.Unalias(t).(*types.Named); named {
		within = append(slices.Clip(within), t)
	}
	if r.b.fact(t).wrapped {
		rep = rep.Field(0).Type
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		f = reflect.PointerTo(r.flat(u.Elem(), rep.Elem(), within))
	case *types.Slice:
		f = reflect.SliceOf(r.flat(u.Elem(), rep.Elem(), within))
	case *types.Array:
		f = reflect.ArrayOf(int(u.Len()), r.flat(u.Elem(), rep.Elem(), within))
	case *types.Map:
		k := rep.Key()
		if r.hooked(u.Key()) {
			k = reflect.TypeFor[string]()
		}
		f = reflect.MapOf(k, r.flat(u.Elem(), rep.Elem(), within))
	case *types.Struct:
		if r.b.fact(t).madeOf != nil {
			return exportedFields(rep)
		}
		var fs []reflect.StructField
		for i := range u.NumFields() {
			if ft := r.field(u, i, rep.Field(i).Type, within); ft != nil {
				fs = append(fs, *ft)
			}
		}
		f = reflect.StructOf(fs)
	default:
		f = rep
	}
	if _, basic := t.Underlying().(*types.Basic); !basic {
		r.names[f] = typeName(t)
	}
	return f
}

// field is the flat field for field i of u, nil if encoding/json does not see it.
func (r *jsonRun) field(u *types.Struct, i int, rep reflect.Type, within []types.Type) *reflect.StructField {
	f := u.Field(i)
	out := &reflect.StructField{Name: f.Name(), Tag: reflect.StructTag(u.Tag(i))}
	name, opts, _ := strings.Cut(out.Tag.Get("json"), ",")
	elem, ptr := f.Type(), false
	if p, ok := elem.Underlying().(*types.Pointer); ok {
		elem, ptr = p.Elem(), true
	}
	if _, isStruct := elem.Underlying().(*types.Struct); f.Embedded() && isStruct && name == "" {
		out.Anonymous = true
		if !f.Exported() {
			out.PkgPath = "main"
		}
		if ptr {
			rep = rep.Elem()
		}
		out.Type = r.embedded(elem, rep, within)
		if ptr {
			out.Type = reflect.PointerTo(out.Type)
		}
		return out
	}
	if !f.Exported() || name == "-" && opts == "" && out.Tag.Get("json") == "-" {
		return nil
	}
	out.Type = r.flat(f.Type(), rep, within)
	if !r.decodes && strings.Contains(opts, "omitzero") && !strings.Contains(opts, "string") {
		out.Type = anyType // as what it leaves out may be zero, and not it
	}
	return out
}

// embedded is the flat type of an embedded struct.
func (r *jsonRun) embedded(t types.Type, rep reflect.Type, within []types.Type) reflect.Type {
	if slices.ContainsFunc(within, func(x types.Type) bool { return types.Identical(x, t) }) {
		return reflect.TypeFor[struct{}]() // found already, and nearer
	}
	if r.b.shared(t) == nil {
		return r.bare(t, rep, within)
	}
	return exportedFields(rep)
}

// exportedFields is a struct with the fields of t that encoding/json sees, and no methods.
func exportedFields(t reflect.Type) reflect.Type {
	var fs []reflect.StructField
	for f := range t.Fields() {
		if f.IsExported() && !f.Anonymous {
			fs = append(fs, reflect.StructField{Name: f.Name, Type: f.Type, Tag: f.Tag})
		}
	}
	return reflect.StructOf(fs)
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
		if x := unwrap(valueOf(v)); x != nil && f.Type() == anyType {
			f.Set(reflect.ValueOf(&[]any{r.opened(x)}[0]).Elem())
		}
		return
	case f.Type() == capturedType:
		return
	case f.Type() == anyType:
		if x := r.standing(t, v); x != nil {
			f.Set(reflect.ValueOf(x))
		}
		return
	case f.Type() == v.Type() && r.b.shared(t) != nil:
		f.Set(v)
		return
	}
	v = r.b.bare(t, v)
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		if v.IsNil() {
			return
		}
		key := [2]any{v.Interface(), f.Type()}
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
			f.Set(reflect.MakeSlice(f.Type(), v.Len(), v.Len()))
		}
		for i := range v.Len() {
			r.fill(u.(interface{ Elem() types.Type }).Elem(), f.Index(i), v.Index(i))
		}
	case *types.Map:
		if v.IsNil() {
			return
		}
		f.Set(reflect.MakeMap(f.Type()))
		if r.decodes { // which only adds to it
			return
		}
		for k, e := range v.Seq2() {
			fe := reflect.New(f.Type().Elem()).Elem()
			r.fill(u.Elem(), fe, e)
			f.SetMapIndex(r.key(t, u.Key(), k), fe)
		}
	case *types.Struct:
		if r.b.shared(t) != nil || r.b.fact(t).madeOf != nil {
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

// standing is what stands for v of type t in an interface.
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
	f := reflect.New(r.bare(t, v.Type(), nil)).Elem()
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
