package script

import (
	"go/types"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// A flatType is the flat type for a type, with the names that the flat types in it have in Go.
type flatType struct {
	flat  reflect.Type
	names map[reflect.Type]string
}

// whole is the flat type for t, of which reflection would else make another one at each call.
// bare leaves methods of t itself aside.
func (r *jsonRun) whole(t types.Type, rep reflect.Type, bare bool) reflect.Type {
	known := r.b.flats[[2]bool{r.decodes, bare}]
	r.b.mu.Lock()
	f, ok := known.get(t)
	r.b.mu.Unlock()
	if !ok {
		inner := r.b.jsonRun(r.decodes)
		if f.names = inner.names; bare {
			f.flat = inner.bare(t, rep, nil)
		} else {
			f.flat = inner.flat(t, rep, nil)
		}
		r.b.mu.Lock()
		known.set(t, f)
		r.b.mu.Unlock()
	}
	maps.Copy(r.names, f.names)
	return f.flat
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
	if r.hooked(t) || r.b.fact(t).wrapped && slices.ContainsFunc(within, func(x types.Type) bool { return types.Identical(x, t) }) {
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
		f = r.structType(t, u, rep, within)
	default:
		f = rep
	}
	if _, basic := t.Underlying().(*types.Basic); !basic {
		r.names[f] = typeName(t)
	}
	return f
}

// structType is the flat type for the struct u of t. Those that hold themselves are made as
// structs.structType makes them.
func (r *jsonRun) structType(t types.Type, u *types.Struct, rep reflect.Type, within []types.Type) reflect.Type {
	if f, ok := r.made.get(t); ok {
		return f
	}
	r.making++
	var fs []reflect.StructField
	var open []openFlat
	for i := range u.NumFields() {
		f, typ := r.field(u, i, rep.Field(i).Type, within)
		if f == nil {
			continue
		}
		if ft := u.Field(i).Type(); r.b.fact(t).recursive && f.Type == nil && !r.hooked(ft) {
			r.b.mu.Lock()
			f.Type = r.b.structs.placeholder(ft)
			r.b.mu.Unlock()
		}
		if f.Type == nil {
			f.Type = typ()
		} else if f.Type != anyType {
			open = append(open, openFlat{index: len(fs), typ: typ})
		}
		fs = append(fs, *f)
	}
	flat := structOf(fs)
	r.made.set(t, flat)
	for _, o := range open {
		o.of = flat
		r.open = append(r.open, o)
	}
	r.making--
	for r.making == 0 && len(r.open) > 0 {
		o := r.open[0]
		r.open = r.open[1:]
		setFieldType(o.of, o.index, o.typ())
	}
	return flat
}

// field is the flat field for field i of u and what makes its type, unless that is there;
// nil if encoding/json does not see it.
func (r *jsonRun) field(u *types.Struct, i int, rep reflect.Type, within []types.Type) (*reflect.StructField, func() reflect.Type) {
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
		return out, func() reflect.Type {
			if ptr {
				return reflect.PointerTo(r.embedded(elem, rep.Elem(), within))
			}
			return r.embedded(elem, rep, within)
		}
	}
	if !f.Exported() || name == "-" && opts == "" && out.Tag.Get("json") == "-" {
		return nil, nil
	}
	if !r.decodes && strings.Contains(opts, "omitzero") && !strings.Contains(opts, "string") {
		out.Type = anyType // as what it leaves out may be zero, and not it
	}
	return out, func() reflect.Type { return r.flat(f.Type(), rep, within) }
}

// embedded is the flat type of an embedded struct.
func (r *jsonRun) embedded(t types.Type, rep reflect.Type, within []types.Type) reflect.Type {
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
