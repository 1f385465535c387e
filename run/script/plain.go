package script

import (
	"go/types"
	"reflect"
)

// plain is x for a template: structs as maps of their fields and of the results of
// their methods without parameters.
func (b *boxes) plain(x any) any {
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

func (b *boxes) plainValue(t types.Type, v reflect.Value) any {
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
		out := b.plainValue(u.Elem(), v.Elem())
		if m, ok := out.(map[string]any); ok {
			b.addMethods(m, t, v)
		}
		return out
	case *types.Struct:
		out := map[string]any{}
		for _, f := range reflectFields(u, v) {
			out[f.name] = b.plainValue(f.t, f.v)
		}
		b.addMethods(out, t, v)
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

func (b *boxes) addMethods(m map[string]any, t types.Type, v reflect.Value) {
	for _, n := range b.byName[types.TypeString(t, nil)] {
		x := b.all[n]
		for name := range x.methods {
			f := box{v.Interface(), x}.bound(name)
			if _, field := m[name]; field || f.Type().NumIn() > 0 || f.Type().NumOut() != 1 {
				continue
			}
			m[name] = f.Call(nil)[0].Interface()
		}
	}
}
