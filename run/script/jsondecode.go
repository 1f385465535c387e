package script

import (
	"bytes"
	"encoding/json"
	"go/types"
	"reflect"
	"slices"
	"strings"
)

// pour sets v of type t from the decoded flat value f. path is where that is, within
// the struct called in.
func (r *jsonRun) pour(t types.Type, f, v reflect.Value, path []string, in string) (first error) {
	keep := func(err error) {
		if first == nil {
			first = err
		}
	}
	switch {
	case f.Type() == noneType:
		if f.IsNil() {
			v.SetZero()
		}
	case f.Type() == capturedType:
		if f.Len() > 0 {
			return r.within(r.decode(t, v, f.Bytes()), path, in)
		}
	case types.IsInterface(t):
		if _, ok := valueOf(f).(*held); !ok {
			v.Set(f)
		}
	case f.Type() == v.Type() && r.b.shared(t) != nil && !holdsAny(v.Type()):
		v.Set(f)
	default:
		v = r.b.bare(t, v)
		switch u := t.Underlying().(type) {
		case *types.Pointer:
			if f.IsNil() {
				v.SetZero()
				return nil
			}
			if old, ok := r.origin[f.Interface()]; ok {
				v.Set(old)
				delete(r.origin, f.Interface())
				r.poured[f.Interface()] = old
			} else if old, ok := r.poured[f.Interface()]; ok {
				v.Set(old)
				return nil
			} else {
				v.Set(reflect.New(v.Type().Elem()))
			}
			return r.pour(u.Elem(), f.Elem(), v.Elem(), path, in)
		case *types.Slice:
			if f.IsNil() {
				v.SetZero()
				return nil
			}
			if f.Len() <= v.Cap() && !v.IsNil() {
				v.SetLen(f.Len())
			} else {
				grown := reflect.MakeSlice(v.Type(), f.Len(), f.Cap())
				reflect.Copy(grown, v)
				v.Set(grown)
			}
			for i := range f.Len() {
				keep(r.pour(u.Elem(), f.Index(i), v.Index(i), path, in))
			}
		case *types.Array:
			for i := range f.Len() {
				keep(r.pour(u.Elem(), f.Index(i), v.Index(i), path, in))
			}
		case *types.Map:
			if f.IsNil() {
				v.SetZero()
				return nil
			}
			if v.IsNil() {
				v.Set(reflect.MakeMap(v.Type()))
			}
			for k, fe := range f.Seq2() {
				e, key := reflect.New(v.Type().Elem()).Elem(), reflect.New(v.Type().Key()).Elem()
				keep(r.pour(u.Elem(), fe, e, path, in))
				if r.hooked(u.Key()) {
					text, _ := json.Marshal(k.String())
					keep(r.decode(u.Key(), key, text))
				} else {
					key.Set(k)
				}
				v.SetMapIndex(key, e)
			}
		case *types.Struct:
			if f.Type() != v.Type() && r.b.shared(t) != nil || r.b.fact(t).madeOf != nil {
				sameFields(f, v)
				return nil
			}
			in = structName(t)
			pairs(u, f, v, func(i int, f, v reflect.Value) {
				name, _, _ := strings.Cut(reflect.StructTag(u.Tag(i)).Get("json"), ",")
				if name == "" {
					name = u.Field(i).Name()
				}
				keep(r.pour(u.Field(i).Type(), f, v, append(slices.Clip(path), name), in))
			})
		default:
			v.Set(f)
		}
	}
	return first
}

// decode decodes data into v of type t.
func (r *jsonRun) decode(t types.Type, v reflect.Value, data []byte) error {
	p := r.b.pointer(t)
	if r.b.has(p, "UnmarshalJSON") {
		return r.b.method(r.b.boxed(p, v.Addr()), "UnmarshalJSON").(func([]byte) error)(data)
	}
	if r.b.has(p, "UnmarshalText") {
		var s *string
		if err := json.Unmarshal(data, &s); err != nil || s == nil {
			return r.wrong(err, t, capturedType)
		}
		return r.b.method(r.b.boxed(p, v.Addr()), "UnmarshalText").(func([]byte) error)([]byte(*s))
	}
	return r.into(t, v, func(x any) error {
		d := json.NewDecoder(bytes.NewReader(data))
		if r.options != nil {
			r.options(d)
		}
		return d.Decode(x)
	})
}

// into has read decode into v of type t.
func (r *jsonRun) into(t types.Type, v reflect.Value, read func(any) error) error {
	if r.b.shared(t) != nil && (v.IsZero() || !holdsAny(v.Type())) {
		return read(v.Addr().Interface())
	}
	flat := r.whole(t, v.Type(), false)
	f := reflect.New(flat)
	r.fill(t, f.Elem(), v)
	err := r.wrong(read(f.Interface()), t, flat)
	poured := r.pour(t, f.Elem(), v, nil, "")
	if err == nil {
		err = poured
	}
	return err
}

// within says in an error from decoding a part where that is.
func (r *jsonRun) within(err error, path []string, in string) error {
	if e, ok := err.(*json.UnmarshalTypeError); ok && len(path) > 0 {
		if e.Field != "" {
			path = append(slices.Clip(path), e.Field)
		}
		e.Field = strings.Join(path, ".")
		if e.Struct == "" {
			e.Struct = in
		}
	}
	return err
}

// wrong gives an error from decoding a t, whose flat type is given, the names that
// reflection does not have.
func (r *jsonRun) wrong(err error, t types.Type, flat reflect.Type) error {
	e, ok := err.(*json.UnmarshalTypeError)
	if !ok {
		if err != nil {
			err = r.renamed(err)
		}
		return err
	}
	name, inner := "", false // inner: in an embedded struct, which counts as the one around it
	for part := range strings.SplitSeq(e.Field, ".") {
		if part == "" {
			continue
		}
		t, flat = structIn(t, flat)
		u, ok := t.Underlying().(*types.Struct)
		if !ok {
			break
		}
		if !inner {
			e.Struct = structName(t)
		}
		f, _ := flat.FieldByName(part)
		inner = f.Anonymous
		t, flat = fieldFor(u, t, flat, part)
	}
	for flat != e.Type { // a part of what is there
		el, ok := t.Underlying().(interface{ Elem() types.Type })
		if !ok || flat.Kind() == reflect.Interface || flat == capturedType {
			break
		}
		if m, ok := el.(*types.Map); ok && flat.Key() == e.Type && (flat.Elem() != e.Type || !json.Valid([]byte(strings.TrimPrefix(e.Value, "number ")))) {
			t, flat = m.Key(), flat.Key()
			break
		}
		t, flat = el.Elem(), flat.Elem()
	}
	if flat == e.Type || flat == capturedType {
		name = typeName(t)
	} else {
		name = r.names[e.Type]
	}
	if in, ok := r.inner[e]; ok {
		e.Struct = in
	}
	if name != "" {
		e.Type = called(e.Type, name)
	}
	return err
}

// structName is the name of t as JSON errors have it, "" for a type without one.
func structName(t types.Type) string {
	if _, ok := types.Unalias(t).(*types.Named); !ok {
		return ""
	}
	_, name, _ := strings.Cut(typeName(t), ".")
	return name
}

// structIn goes through pointers, slices and maps to the struct in t.
func structIn(t types.Type, flat reflect.Type) (types.Type, reflect.Type) {
	for {
		el, ok := t.Underlying().(interface{ Elem() types.Type })
		if !ok || flat.Kind() == reflect.Interface || flat == capturedType {
			return t, flat
		}
		t, flat = el.Elem(), flat.Elem()
	}
}

// fieldFor is the field of u that JSON calls name.
func fieldFor(u *types.Struct, t types.Type, flat reflect.Type, name string) (types.Type, reflect.Type) {
	for i := range u.NumFields() {
		tag, _, _ := strings.Cut(reflect.StructTag(u.Tag(i)).Get("json"), ",")
		if tag == "" {
			tag = u.Field(i).Name()
		}
		if f, ok := flat.FieldByName(u.Field(i).Name()); ok && tag == name {
			return u.Field(i).Type(), f.Type
		}
	}
	return t, flat
}

// MarshalJSON encodes the value as encoding/json would with its type's methods.
func (x box) MarshalJSON() ([]byte, error) {
	for _, name := range []string{"MarshalJSON", "MarshalText"} {
		f, ok := x.methodFunc(name).(func() ([]byte, error))
		if !ok {
			continue
		}
		out, err := f()
		if err == nil && name == "MarshalJSON" {
			err = json.Compact(new(bytes.Buffer), out) // which the caller checks too, and names the box
		}
		if err != nil {
			return nil, &hookError{name, typeName(x.t.t), err}
		}
		if name == "MarshalText" {
			return encode(string(out))
		}
		return out, nil
	}
	out, err := x.t.b.encoded(x, encode)
	if err != nil {
		err = &hookError{error: err}
	}
	return out, err
}

// encode leaves <, > and & to the caller's encoder.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// encoded has write encode x.
func (b *boxes) encoded(x any, write func(any) ([]byte, error)) (out []byte, err error) {
	r := b.jsonRun(false)
	x = r.opened(unwrap(x))
	if r.err != nil {
		return nil, r.err
	}
	out, err = write(x)
	return out, r.retell(err)
}

// decoded has read decode into x.
func (b *boxes) decoded(x any, options func(*json.Decoder), read func(any) error) error {
	bx, ok := open(x)
	v := reflect.ValueOf(bx.v)
	if !ok {
		if v = reflect.ValueOf(x); v.Kind() != reflect.Pointer || v.IsNil() || !holdsAny(v.Type()) {
			return read(x)
		}
		bx.t = &boxType{b: b, t: b.typeOf(v.Type())}
	}
	p, ok := bx.t.t.Underlying().(*types.Pointer)
	if !ok || v.IsNil() {
		err := read(bx.v)
		if e, ok := err.(*json.InvalidUnmarshalError); ok {
			e.Type = called(e.Type, typeName(bx.t.t))
		}
		return err
	}
	r := b.jsonRun(true)
	r.options = options
	return r.into(p.Elem(), v.Elem(), read)
}

// jsonSymbols are the functions of encoding/json that scripts get.
func (b *boxes) jsonSymbols(name string) any {
	switch name {
	case "Marshal":
		return func(x any) ([]byte, error) { return b.encoded(x, json.Marshal) }
	case "MarshalIndent":
		return func(x any, prefix, indent string) ([]byte, error) {
			return b.encoded(x, func(x any) ([]byte, error) { return json.MarshalIndent(x, prefix, indent) })
		}
	case "Unmarshal":
		return func(data []byte, x any) error {
			return b.decoded(x, nil, func(x any) error { return json.Unmarshal(data, x) })
		}
	}
	return nil
}

// encodeTo is (*json.Encoder).Encode.
func (b *boxes) encodeTo(e *json.Encoder, x any) error {
	_, err := b.encoded(x, func(x any) ([]byte, error) { return nil, e.Encode(x) })
	return err
}

// decodeFrom is (*json.Decoder).Decode.
func (b *boxes) decodeFrom(d *json.Decoder, x any) error {
	return b.decoded(x, func(part *json.Decoder) {
		is := func(name string) bool { // of d, which does not tell
			f := reflect.ValueOf(d).Elem().FieldByName("d")
			return f.Kind() == reflect.Struct && f.FieldByName(name).Kind() == reflect.Bool && f.FieldByName(name).Bool()
		}
		if is("useNumber") {
			part.UseNumber()
		}
		if is("disallowUnknownFields") {
			part.DisallowUnknownFields()
		}
	}, d.Decode)
}

// valueOf is what v holds, nil if that is nothing.
func valueOf(v reflect.Value) any {
	if !v.IsValid() {
		return nil
	}
	return v.Interface()
}
