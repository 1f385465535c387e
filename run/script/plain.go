package script

import (
	"go/types"
	"reflect"
)

// plain is x as a template can go through it: slices and maps of plain values, and
// structs, or pointers to them, in their boxes, whose fields and methods templates.go finds.
func (b *boxes) plain(x any) any {
	x = unwrap(x)
	if bx, ok := open(x); ok {
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
			return v.Interface()
		}
		if _, ok := u.Elem().Underlying().(*types.Struct); ok {
			return b.boxed(t, v)
		}
		return b.plainValue(u.Elem(), v.Elem())
	case *types.Struct:
		return b.boxed(t, v)
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

// boxed is v in the box of its type.
func (b *boxes) boxed(t types.Type, v reflect.Value) any {
	b.mu.Lock()
	defer b.mu.Unlock()
	n, _ := b.id(t)
	return b.all[n].box(v.Interface())
}
