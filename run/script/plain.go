package script

import (
	"fmt"
	"go/types"
	"reflect"
)

// A view is a struct for a template: its fields, the results of its methods without
// parameters, and under "" the value itself, as which it prints.
type view map[string]any

func (v view) Format(s fmt.State, verb rune) { fmt.Fprintf(s, fmt.FormatString(s, verb), v[""]) }

// plain is x for a template.
func (b *boxes) plain(x any) any { return (&views{b, map[any]view{}}).plain(x) }

// views makes one view of each struct that pointers lead to, which may be in circles.
type views struct {
	*boxes
	of map[any]view // by pointer
}

func (b *views) plain(x any) any {
	if bx, ok := open(unwrap(x)); ok {
		return b.plainValue(bx.t.t, reflect.ValueOf(bx.v))
	}
	switch x := x.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, v := range x {
			out[k] = b.plain(v)
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i, v := range x {
			out[i] = b.plain(v)
		}
		return out
	}
	return x
}

func (b *views) plainValue(t types.Type, v reflect.Value) any {
	if types.IsInterface(t) {
		if !v.IsValid() || v.Kind() == reflect.Interface && v.IsNil() {
			return nil
		}
		return b.plain(v.Interface())
	}
	b.mu.Lock()
	shared := b.w.reflected(t) != nil
	b.mu.Unlock()
	if shared {
		return v.Interface()
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		if v.IsNil() {
			return nil
		}
		if s, ok := u.Elem().Underlying().(*types.Struct); ok {
			key := v.Interface()
			if b.of[key] == nil {
				b.of[key] = view{}
				b.fill(b.of[key], s, v.Elem(), t, v)
			}
			return b.of[key]
		}
		return b.plainValue(u.Elem(), v.Elem())
	case *types.Struct:
		out := view{}
		b.fill(out, u, v, t, v)
		return out
	case *types.Slice, *types.Array:
		out := make([]any, v.Len())
		for i := range out {
			out[i] = b.plainValue(u.(interface{ Elem() types.Type }).Elem(), v.Index(i))
		}
		return out
	case *types.Map:
		out := reflect.MakeMap(reflect.MapOf(v.Type().Key(), reflect.TypeFor[any]()))
		for k, e := range v.Seq2() {
			out.SetMapIndex(k, reflect.ValueOf(&[]any{b.plainValue(u.Elem(), e)}[0]).Elem())
		}
		return out.Interface()
	}
	if x, ok := b.boxOf(t, v, "String", "Error"); ok {
		return x
	}
	return v.Interface()
}

// fill makes out the view of struct v of form u, seen as self of type t.
func (b *views) fill(out view, u *types.Struct, v reflect.Value, t types.Type, self reflect.Value) {
	b.mu.Lock()
	n, _ := b.id(t)
	out[""] = b.all[n].box(self.Interface())
	b.mu.Unlock()
	for _, f := range reflectFields(u, v) {
		out[f.name] = b.plainValue(f.t, f.v)
	}
	b.addMethods(out, t, self)
}

type plainField struct {
	name string
	t    types.Type
	v    reflect.Value
}

// reflectFields are the exported fields, those of embedded structs included.
func reflectFields(u *types.Struct, v reflect.Value) (out []plainField) {
	for i := range u.NumFields() {
		f := u.Field(i)
		if s, ok := f.Type().Underlying().(*types.Struct); ok && f.Embedded() {
			out = append(out, reflectFields(s, v.Field(i))...)
		}
		if f.Exported() {
			out = append(out, plainField{f.Name(), f.Type(), v.Field(i)})
		}
	}
	return out
}

func (b *boxes) addMethods(m view, t types.Type, v reflect.Value) {
	for _, n := range b.byName[types.TypeString(t, nil)] {
		x := b.all[n]
		for name := range x.methods {
			f := box{v.Interface(), x}.bound(name)
			if _, field := m[name]; field || f.Type().NumIn() > 0 || f.Type().NumOut() != 1 {
				continue
			}
			if v, ok := b.result(f); ok {
				m[name] = v
			}
		}
	}
}

// result is what f returns; none if it panics, which only matters if the template calls it.
func (b *boxes) result(f reflect.Value) (x any, ok bool) {
	defer func() {
		if recover() != nil {
			b.track().caught = true
		}
	}()
	return f.Call(nil)[0].Interface(), true
}
