package script

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
)

// A namedType is a type of another name, which the errors of encoding/json print.
type namedType struct {
	reflect.Type
	name string
}

func (t namedType) String() string { return t.name }

func called(t reflect.Type, name string) reflect.Type {
	if t.String() == name {
		return t
	}
	return namedType{t, name}
}

// hookError is an error of a method that encoding/json called.
type hookError struct {
	method, typ string // "" if the box itself was encoded
	error
}

func (e *hookError) Unwrap() error { return e.error }

// failsText is a value whose MarshalText fails.
type failsText struct{ err error }

func (x failsText) MarshalText() ([]byte, error) { return nil, x.err }

// retell gives an error from encoding the names that reflection does not have.
func (r *jsonRun) retell(err error) error {
	var m *json.MarshalerError
	var h *hookError
	var v *json.UnsupportedValueError
	var t *json.UnsupportedTypeError
	switch {
	case errors.As(err, &m) && errors.As(m.Err, &h):
		if h.method == "" {
			return h.error
		}
		if h.method == "MarshalText" { // in an unexported field of the error
			_, e := json.Marshal(failsText{h.error})
			errors.As(e, &m)
		}
		m.Type, m.Err = called(m.Type, h.typ), h.error
		return m
	case errors.As(err, &t) && r.names[t.Type] != "":
		t.Type = called(t.Type, r.names[t.Type])
	case errors.As(err, &v) && v.Value.IsValid() && v.Value.Kind() == reflect.Pointer:
		name := r.pointed[v.Value.Interface()]
		if name == "" && r.names[v.Value.Type().Elem()] != "" {
			name = "*" + r.names[v.Value.Type().Elem()]
		}
		if name != "" {
			v.Str = strings.Replace(v.Str, v.Value.Type().String(), name, 1)
		}
	}
	return err
}

// renamed is an error that has the flat types only in its text.
func (r *jsonRun) renamed(err error) error {
	text := err.Error()
	for flat, name := range r.names {
		if flat.Kind() == reflect.Struct {
			text = strings.Replace(text, "unexported struct: "+flat.String(), "unexported struct: "+name, 1)
		}
	}
	if text == err.Error() {
		return err
	}
	return errors.New(text)
}
