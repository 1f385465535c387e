package script

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"strconv"
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
}

// jsonFields applies the rules of encoding/json for names, tags and embedding.
func jsonFields(s *types.Struct) []jsonField {
	var all []jsonField
	var walk func(s *types.Struct, path []int)
	walk = func(s *types.Struct, path []int) {
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
				walk(inner, p)
				continue
			}
			if !f.Exported() {
				continue
			}
			x := jsonField{name: name, path: p, t: f.Type(), tagged: name != "", opts: opts}
			if name == "" {
				x.name = f.Name()
			}
			all = append(all, x)
		}
	}
	walk(s, nil)
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

// A sink is the pointer in a box as what encoding/json decodes into.
type sink struct{ box }

// into prepares a pointer for decoding.
func (b *boxes) into(x any) any {
	bx, ok := open(x)
	if !ok {
		return x
	}
	p, ok := bx.t.t.Underlying().(*types.Pointer)
	if !ok || b.plainly(p.Elem(), nil) {
		return bx.v
	}
	return &sink{bx}
}

// plainly says whether reflection sees in t all that encoding/json should.
func (b *boxes) plainly(t types.Type, seen []types.Type) bool {
	if slices.ContainsFunc(seen, func(s types.Type) bool { return types.Identical(s, t) }) {
		return true
	}
	seen = append(seen, t)
	if _, ok := b.boxOf(types.NewPointer(t), reflect.Zero(reflect.TypeFor[*int]()), "UnmarshalJSON", "UnmarshalText"); ok {
		return false
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && b.w.back[n] != nil {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			if !f.Exported() || f.Embedded() || !b.plainly(f.Type(), seen) {
				return false
			}
		}
	case *types.Map:
		return b.plainly(u.Key(), seen) && b.plainly(u.Elem(), seen)
	case interface{ Elem() types.Type }:
		return b.plainly(u.Elem(), seen)
	}
	return true
}

// UnmarshalJSON decodes into what the pointer points to.
func (s *sink) UnmarshalJSON(data []byte) error {
	return s.t.b.decode(s.t.t.Underlying().(*types.Pointer).Elem(), reflect.ValueOf(s.v).Elem(), data)
}

func (b *boxes) decode(t types.Type, v reflect.Value, data []byte) error {
	pt := types.NewPointer(t)
	if x, ok := b.boxOf(pt, v.Addr(), "UnmarshalJSON"); ok {
		bx, _ := open(x)
		return bx.methodFunc("UnmarshalJSON").(func([]byte) error)(data)
	}
	if x, ok := b.boxOf(pt, v.Addr(), "UnmarshalText"); ok && len(data) > 0 && data[0] == '"' {
		bx, _ := open(x)
		var s string
		if err := json.Unmarshal(data, &s); err != nil {
			return err
		}
		return bx.methodFunc("UnmarshalText").(func([]byte) error)([]byte(s))
	}
	if b.plainly(t, nil) {
		return json.Unmarshal(data, v.Addr().Interface())
	}
	null := string(data) == "null"
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		if null {
			v.SetZero()
			return nil
		}
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		return b.decode(u.Elem(), v.Elem(), data)
	case *types.Struct:
		var m map[string]json.RawMessage
		if err := json.Unmarshal(data, &m); err != nil {
			return err
		}
		fs := jsonFields(u)
		for k, raw := range m {
			i := slices.IndexFunc(fs, func(f jsonField) bool { return f.name == k })
			if i < 0 {
				i = slices.IndexFunc(fs, func(f jsonField) bool { return strings.EqualFold(f.name, k) })
			}
			if i < 0 {
				continue
			}
			fv, _ := fs[i].at(v, true)
			if strings.Contains(fs[i].opts, "string") && len(raw) > 1 && raw[0] == '"' {
				if s, err := strconv.Unquote(string(raw)); err == nil {
					raw = json.RawMessage(s)
				}
			}
			if err := b.decode(fs[i].t, fv, raw); err != nil {
				return err
			}
		}
		return nil
	case *types.Slice:
		var list []json.RawMessage
		if err := json.Unmarshal(data, &list); err != nil || list == nil {
			v.SetZero()
			return err
		}
		v.Set(reflect.MakeSlice(v.Type(), len(list), len(list)))
		for i, raw := range list {
			if err := b.decode(u.Elem(), v.Index(i), raw); err != nil {
				return err
			}
		}
		return nil
	case *types.Map:
		m := reflect.New(reflect.MapOf(v.Type().Key(), reflect.TypeFor[json.RawMessage]()))
		if err := json.Unmarshal(data, m.Interface()); err != nil {
			return err
		}
		if null {
			v.SetZero()
			return nil
		}
		if v.IsNil() {
			v.Set(reflect.MakeMap(v.Type()))
		}
		for k, raw := range m.Elem().Seq2() {
			e := reflect.New(v.Type().Elem()).Elem()
			if err := b.decode(u.Elem(), e, raw.Bytes()); err != nil {
				return err
			}
			v.SetMapIndex(k, e)
		}
		return nil
	}
	return json.Unmarshal(data, v.Addr().Interface())
}

func sortedKeys(m reflect.Value) []reflect.Value {
	ks := m.MapKeys()
	slices.SortFunc(ks, func(a, b reflect.Value) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	return ks
}

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
