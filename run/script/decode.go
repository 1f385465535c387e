package script

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

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
		return b.notA(t, v.Type(), json.Unmarshal(data, v.Addr().Interface()))
	}
	null := string(data) == "null"
	var first error
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
			return b.notA(t, nil, err)
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
			} else if strings.Contains(fs[i].opts, "string") && string(raw) != "null" && fv.CanInterface() && fv.Kind() != reflect.String && fv.Kind() < reflect.Complex64 {
				return fmt.Errorf("json: invalid use of ,string struct tag, trying to unmarshal unquoted value into %v", fv.Type())
			}
			if err := late(&first, fs[i].in(t, b.decode(fs[i].t, fv, raw))); err != nil {
				return err
			}
		}
		return first
	case *types.Slice:
		var list []json.RawMessage
		if err := json.Unmarshal(data, &list); err != nil {
			return b.notA(t, nil, err)
		}
		if list == nil {
			v.SetZero()
			return nil
		}
		v.Set(reflect.MakeSlice(v.Type(), len(list), len(list)))
		for i, raw := range list {
			if err := late(&first, b.decode(u.Elem(), v.Index(i), raw)); err != nil {
				return err
			}
		}
		return first
	case *types.Map:
		kt := v.Type().Key()
		_, texts := b.boxOf(types.NewPointer(u.Key()), reflect.New(kt), "UnmarshalText")
		if texts {
			kt = reflect.TypeFor[string]()
		}
		m := reflect.New(reflect.MapOf(kt, reflect.TypeFor[json.RawMessage]()))
		if err := json.Unmarshal(data, m.Interface()); err != nil {
			return b.notA(t, nil, err)
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
			if err := late(&first, b.decode(u.Elem(), e, raw.Bytes())); err != nil {
				return err
			}
			if texts {
				text := k.String()
				k = reflect.New(v.Type().Key())
				x, _ := b.boxOf(types.NewPointer(u.Key()), k, "UnmarshalText")
				bx, _ := open(x)
				if err := bx.methodFunc("UnmarshalText").(func([]byte) error)([]byte(text)); err != nil {
					return err
				}
				k = k.Elem()
			}
			v.SetMapIndex(k, e)
		}
		return first
	}
	return json.Unmarshal(data, v.Addr().Interface())
}

// notA says in an error from decoding what stands for a t that it was one; if rt is
// given, which represents t, then a part of t that the error is about.
func (b *boxes) notA(t types.Type, rt reflect.Type, err error) error {
	var e *json.UnmarshalTypeError
	if !errors.As(err, &e) {
		return err
	}
	for rt != nil && rt != e.Type {
		parts, ok := t.Underlying().(interface{ Elem() types.Type })
		if !ok {
			return err
		}
		t, rt = parts.Elem(), rt.Elem()
	}
	return &wrongType{e, typeName(t)}
}

// wrongType is a json.UnmarshalTypeError with the name that reflection lacks.
type wrongType struct {
	*json.UnmarshalTypeError
	name string
}

func (e *wrongType) Unwrap() error { return e.UnmarshalTypeError }

func (e *wrongType) Error() string {
	return strings.Replace(e.UnmarshalTypeError.Error(), e.Type.String(), e.name, 1)
}

// late keeps an error that encoding/json tells only at the end, and returns others.
func late(first *error, err error) error {
	var e *json.UnmarshalTypeError
	if !errors.As(err, &e) {
		return err
	}
	if *first == nil {
		*first = err
	}
	return nil
}

// in says in an error from decoding f that it was f of struct type t.
func (f jsonField) in(t types.Type, err error) error {
	var e *json.UnmarshalTypeError
	n, named := types.Unalias(t).(*types.Named)
	if !errors.As(err, &e) || !named {
		return err
	}
	e.Struct, e.Field = n.Obj().Name(), strings.TrimSuffix(strings.Join(f.within, "")+f.name+"."+e.Field, ".")
	return err
}
