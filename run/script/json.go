package script

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"strings"
)

// A jsonField is a field of a struct, perhaps of a struct embedded in it, as
// encoding/json sees it.
type jsonField struct {
	name   string
	path   []int
	t      types.Type
	tagged bool
	opts   string
	within []string // the structs it is embedded by, each with a dot
}

// jsonFields applies the rules of encoding/json for names, tags and embedding.
func jsonFields(s *types.Struct) []jsonField {
	var all []jsonField
	var walk func(s *types.Struct, path []int, within []string)
	walk = func(s *types.Struct, path []int, within []string) {
		for i := range s.NumFields() {
			f := s.Field(i)
			tag := reflect.StructTag(s.Tag(i)).Get("json")
			if tag == "-" {
				continue
			}
			name, opts, _ := strings.Cut(tag, ",")
			p := append(slices.Clone(path), i)
			t := f.Type()
			if ptr, ok := t.Underlying().(*types.Pointer); ok && f.Embedded() {
				t = ptr.Elem()
			}
			if inner, ok := t.Underlying().(*types.Struct); ok && f.Embedded() && name == "" && len(path) < 8 {
				walk(inner, p, append(slices.Clone(within), f.Name()+"."))
				continue
			}
			if !f.Exported() {
				continue
			}
			x := jsonField{name: name, path: p, t: f.Type(), tagged: name != "", opts: opts, within: within}
			if name == "" {
				x.name = f.Name()
			}
			all = append(all, x)
		}
	}
	walk(s, nil, nil)
	var out []jsonField
	for _, f := range all { // the shallowest wins, then the tagged
		best := 0
		for _, g := range all {
			if g.name == f.name && (len(g.path) < len(f.path) || len(g.path) == len(f.path) && (g.tagged && !f.tagged || g.tagged == f.tagged)) {
				best++
			}
		}
		if best == 1 {
			out = append(out, f)
		}
	}
	return out
}

// at goes down to a field; through a nil pointer only if it may make what is missing.
func (f jsonField) at(v reflect.Value, build bool) (reflect.Value, bool) {
	for _, i := range f.path {
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				if !build {
					return v, false
				}
				v.Set(reflect.New(v.Type().Elem()))
			}
			v = v.Elem()
		}
		v = v.Field(i)
	}
	return v, true
}

// MarshalJSON encodes the value as encoding/json would with its type's methods.
func (x box) MarshalJSON() ([]byte, error) {
	if f, ok := x.methodFunc("MarshalJSON").(func() ([]byte, error)); ok {
		return f()
	}
	if f, ok := x.methodFunc("MarshalText").(func() ([]byte, error)); ok {
		b, err := f()
		if err != nil {
			return nil, err
		}
		return encode(string(b))
	}
	v, err := x.t.b.project(x.t.t, reflect.ValueOf(x.v), true)
	if err != nil {
		return nil, err
	}
	return encode(v)
}

// encode leaves <, > and & to the caller's encoder.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// object is a JSON object whose members keep their order.
type object []member

type member struct {
	name  string
	value any
}

func (o object) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, m := range o {
		k, _ := encode(m.name)
		v, err := encode(m.value)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(append(out, k...), ':'), v...)
	}
	return append(out, '}'), nil
}

// project is a value that encoding/json encodes as it would v of type t.
func (b *boxes) project(t types.Type, v reflect.Value, top bool) (any, error) {
	if types.IsInterface(t) {
		if !v.IsValid() || v.Kind() == reflect.Interface && v.IsNil() {
			return nil, nil
		}
		return unwrap(v.Interface()), nil
	}
	if !top && !(v.Kind() == reflect.Pointer && v.IsNil()) {
		if x, ok := b.boxOf(t, v, "MarshalJSON", "MarshalText"); ok {
			return x, nil
		}
		if v.CanAddr() {
			if x, ok := b.boxOf(types.NewPointer(t), v.Addr(), "MarshalJSON", "MarshalText"); ok {
				return x, nil
			}
		}
	}
	b.mu.Lock()
	shared := b.w.reflected(t) != nil
	b.mu.Unlock()
	if shared {
		return v.Interface(), nil
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		if v.IsNil() {
			return nil, nil
		}
		return b.project(u.Elem(), v.Elem(), false)
	case *types.Slice, *types.Array:
		elem := u.(interface{ Elem() types.Type }).Elem()
		if e, ok := elem.Underlying().(*types.Basic); ok && e.Kind() == types.Uint8 && v.Kind() == reflect.Slice {
			return v.Bytes(), nil
		}
		if v.Kind() == reflect.Slice && v.IsNil() {
			return nil, nil
		}
		out := make([]any, v.Len())
		for i := range out {
			x, err := b.project(elem, v.Index(i), false)
			if err != nil {
				return nil, err
			}
			out[i] = x
		}
		return out, nil
	case *types.Map:
		if v.IsNil() {
			return nil, nil
		}
		out := map[string]any{}
		for k, e := range v.Seq2() {
			x, err := b.project(u.Elem(), e, false)
			if err != nil {
				return nil, err
			}
			name := fmt.Sprint(k.Interface())
			if bx, ok := b.boxOf(u.Key(), k, "MarshalText"); ok {
				x := bx.(box)
				text, err := x.methodFunc("MarshalText").(func() ([]byte, error))()
				if err != nil {
					return nil, err
				}
				name = string(text)
			}
			out[name] = x
		}
		return out, nil
	case *types.Struct:
		out := object{}
		for _, f := range jsonFields(u) {
			fv, ok := f.at(v, false)
			if !ok || strings.Contains(f.opts, "omitempty") && isEmpty(fv) || strings.Contains(f.opts, "omitzero") && fv.IsZero() {
				continue
			}
			x, err := b.project(f.t, fv, false)
			if err != nil {
				return nil, err
			}
			if strings.Contains(f.opts, "string") {
				if _, ok := f.t.Underlying().(*types.Basic); ok {
					s, _ := encode(x)
					x = string(s)
				}
			}
			out = append(out, member{f.name, x})
		}
		return out, nil
	case *types.Signature, *types.Chan:
		return nil, errors.New("json: unsupported type: " + typeName(t))
	}
	return v.Interface(), nil
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
