package script

import (
	"fmt"
	"go/types"
	"io"
	"reflect"
	"strings"
	"text/template"
)

// field is x.name, or the result of the method of that name.
func (d *templated) field(x reflect.Value, name string, args ...reflect.Value) (none reflect.Value, err error) {
	if !x.IsValid() {
		return none, nil // of a key that is missing
	}
	bx, boxed := open(x.Interface())
	if !boxed {
		return d.compiled(".Of."+name, x, args)
	}
	t, v := bx.t.t, reflect.ValueOf(bx.v)
	at, _ := x.Interface().(placed)
	for _, of := range []types.Type{t, d.b.pointer(t)} {
		if f, ok := types.NewMethodSet(of).Lookup(nil, name), of == t || at.at.IsValid(); f != nil && ok {
			if of != t {
				bx, _ = open(d.b.boxed(of, at.at))
			}
			return d.call(name, bx.bound(name), f.Type().(*types.Signature), args)
		}
	}
	whole := t
	if p, ok := t.Underlying().(*types.Pointer); ok {
		if t, v = p.Elem(), d.b.bare(t, v); v.IsNil() {
			return none, fmt.Errorf("nil pointer evaluating %s.%s", typeName(whole), name)
		}
		v = v.Elem()
	}
	v = d.b.bare(t, v)
	switch u := t.Underlying().(type) {
	case *types.Struct:
		o, index, _ := types.LookupFieldOrMethod(t, true, nil, name)
		if f, ok := o.(*types.Var); !ok {
			for f := range u.Fields() {
				if f.Name() == name {
					return none, fmt.Errorf("%s is an unexported field of struct type %s", name, typeName(whole))
				}
			}
		} else if len(args) > 0 {
			return none, fmt.Errorf("%s has arguments but cannot be invoked as function", name)
		} else if v, err = v.FieldByIndexErr(index); err != nil {
			return none, fmt.Errorf("nil pointer evaluating %s.%s", typeName(whole), name)
		} else {
			return d.present(f.Type(), v), nil
		}
	case *types.Map:
		if v.Type().Key().Kind() != reflect.String || len(args) > 0 {
			break
		}
		if v = v.MapIndex(reflect.ValueOf(name).Convert(v.Type().Key())); !v.IsValid() {
			return none, nil
		}
		return d.present(u.Elem(), v), nil
	}
	return none, fmt.Errorf("can't evaluate field %s in type %s", name, typeName(whole))
}

// compiled is what a template makes of x, which is of no type of the script: of an expression
// in which that is .Of.
func (d *templated) compiled(expr string, x reflect.Value, args []reflect.Value) (out reflect.Value, err error) {
	data := struct {
		Of   any
		Args []any
		Out  func(reflect.Value) string
	}{Of: unplaced(x), Out: func(v reflect.Value) string { out = v; return "" }}
	for i, a := range args {
		data.Args = append(data.Args, unplaced(a))
		expr += fmt.Sprintf(" (index .Args %d)", i)
	}
	t, err := d.t.New(outOf).Parse("{{" + outOf + " .Out (" + expr + ")}}")
	if err == nil {
		err = t.Execute(io.Discard, data)
	}
	if err != nil {
		_, text, _ := strings.Cut(err.Error(), ">: ")
		if x.Type().PkgPath() != "" {
			text = strings.Replace(text, "in type interface {}", "in type "+x.Type().String(), 1)
		}
		err = &retold{strings.TrimPrefix(text, "error calling index: "), err}
	}
	return out, err
}

// index is the function of that name.
func (d *templated) index(x reflect.Value, keys ...reflect.Value) (reflect.Value, error) {
	for i, k := range keys {
		if !x.IsValid() {
			return x, fmt.Errorf("index of untyped nil")
		}
		bx, boxed := open(x.Interface())
		if !boxed {
			out, err := d.compiled("index .Of", x, keys[i:i+1])
			if x = out; err != nil {
				return x, err
			}
			continue
		}
		t, v := d.behind(bx)
		switch u := t.Underlying().(type) {
		case *types.Map:
			key, ok := d.argument(u.Key(), v.Type().Key(), k)
			if !ok {
				return x, fmt.Errorf("value has type %s; should be %s", typeNameOf(unplaced(k)), typeName(u.Key()))
			}
			e := v.MapIndex(key)
			if !e.IsValid() {
				e = reflect.Zero(v.Type().Elem())
			}
			x = d.present(u.Elem(), e)
		case *types.Slice, *types.Array:
			n := reflect.ValueOf(raw(unplaced(k)))
			if !n.CanInt() {
				return x, fmt.Errorf("cannot index slice/array with type %s", typeNameOf(unplaced(k)))
			} else if n.Int() < 0 || int(n.Int()) >= v.Len() {
				return x, fmt.Errorf("index out of range: %d", n.Int())
			}
			x = d.present(u.(interface{ Elem() types.Type }).Elem(), v.Index(int(n.Int())))
		default:
			return x, fmt.Errorf("can't index item of type %s", typeName(t))
		}
	}
	return x, nil
}

// calls is the function call.
func (d *templated) calls(f reflect.Value, args ...reflect.Value) (reflect.Value, error) {
	if !f.IsValid() {
		return f, fmt.Errorf("call of nil")
	}
	if script, ok := f.Interface().(func(...reflect.Value) (reflect.Value, error)); ok {
		return script(args...)
	}
	return d.compiled("call .Of", f, args)
}

// call calls f, of the script, with what a template gives.
func (d *templated) call(name string, f reflect.Value, sig *types.Signature, args []reflect.Value) (out reflect.Value, err error) {
	n := sig.Params().Len()
	want := fmt.Sprint(n)
	if sig.Variadic() {
		want = fmt.Sprint("at least ", n-1)
	}
	if len(args) < n && !(sig.Variadic() && len(args) == n-1) || len(args) > n && !sig.Variadic() {
		return out, fmt.Errorf("wrong number of args for %s: want %s got %d", name, want, len(args))
	}
	if r := sig.Results(); r.Len() == 0 || r.Len() > 2 || r.Len() == 2 && r.At(1).Type().String() != "error" {
		return out, fmt.Errorf("can't call method/function %q with %d results", name, r.Len())
	}
	var in []reflect.Value
	for i, a := range args {
		t, rt := sig.Params().At(min(i, n-1)).Type(), f.Type().In(min(i, n-1))
		if sig.Variadic() && i >= n-1 {
			t, rt = t.(*types.Slice).Elem(), rt.Elem()
		}
		x, ok := d.argument(t, rt, a)
		if !ok {
			return out, fmt.Errorf("wrong type for value; expected %s; got %s", typeName(t), typeNameOf(unplaced(a)))
		}
		in = append(in, x)
	}
	defer func() {
		if v := recover(); v != nil {
			d.b.track().caught = true
			if err, _ = plainPanic(v).(error); err == nil {
				err = fmt.Errorf("%v", plainPanic(v))
			}
			err = fmt.Errorf("error calling %s: %w", name, err)
		}
	}()
	results := f.Call(in)
	if len(results) == 2 && !results[1].IsNil() {
		return out, fmt.Errorf("error calling %s: %w", name, results[1].Interface().(error))
	}
	return d.present(sig.Results().At(0).Type(), results[0]), nil
}

// argument is a for a parameter of type t, which rt represents.
func (d *templated) argument(t types.Type, rt reflect.Type, a reflect.Value) (reflect.Value, bool) {
	x := unplaced(a)
	bx, boxed := open(x)
	switch v := reflect.ValueOf(x); {
	case x == nil:
		return reflect.Zero(rt), rt.Kind() >= reflect.Interface && rt.Kind() <= reflect.Slice
	case rt.Kind() == reflect.Interface && rt != anyType:
		return d.b.carried(rt, x), !boxed && v.Type().Implements(rt) || boxed && types.Implements(bx.t.t, t.Underlying().(*types.Interface))
	case rt.Kind() == reflect.Interface:
		return v, true
	case boxed:
		return reflect.ValueOf(bx.v), types.Identical(bx.t.t, t)
	case v.Type().AssignableTo(rt):
		return v, true
	case v.CanInt() && rt.Kind() >= reflect.Int && rt.Kind() <= reflect.Complex128, v.CanFloat() && rt.Kind() >= reflect.Float32 && rt.Kind() <= reflect.Complex128:
		return v.Convert(rt), true
	}
	return a, false
}

// unplaced is what v holds as the script has it.
func unplaced(v reflect.Value) any {
	if !v.IsValid() {
		return nil
	}
	if p, ok := v.Interface().(placed); ok {
		return p.t.box(p.v)
	}
	return v.Interface()
}

// present is v of type t as a template gets it.
func (d *templated) present(t types.Type, v reflect.Value) reflect.Value {
	if types.IsInterface(t) {
		x := unwrap(valueOf(v))
		return reflect.ValueOf(&x).Elem()
	}
	if d.b.shared(t) != nil {
		return v
	}
	if sig, ok := t.Underlying().(*types.Signature); ok && !v.IsNil() {
		return reflect.ValueOf(func(a ...reflect.Value) (reflect.Value, error) { return d.call(typeName(t), v, sig, a) })
	}
	bx, _ := open(d.b.boxed(t, v))
	p := placed{box: bx}
	if v.CanAddr() {
		p.at = v.Addr()
	}
	return reflect.ValueOf(p)
}

// behind is the boxed value behind pointers, and its type.
func (d *templated) behind(bx box) (types.Type, reflect.Value) {
	t, v := bx.t.t, reflect.ValueOf(bx.v)
	for {
		p, ok := t.Underlying().(*types.Pointer)
		if v = d.b.bare(t, v); !ok || v.IsNil() {
			return t, v
		}
		t, v = p.Elem(), v.Elem()
	}
}

// parts is x as range and slice get it.
func (d *templated) parts(x reflect.Value) (reflect.Value, error) {
	bx, ok := box{}, false
	if x.IsValid() {
		bx, ok = open(x.Interface())
	}
	if !ok {
		return x, nil
	}
	t, v := d.behind(bx)
	switch u := t.Underlying().(type) {
	case *types.Slice, *types.Array:
		out := make([]any, v.Len())
		for i := range out {
			out[i] = d.present(u.(interface{ Elem() types.Type }).Elem(), v.Index(i)).Interface()
		}
		return reflect.ValueOf(out), nil
	case *types.Map:
		out := map[any]any{}
		for k, e := range v.Seq2() {
			out[unplaced(d.present(u.Key(), k))] = d.present(u.Elem(), e).Interface()
		}
		return reflect.ValueOf(out), nil
	case *types.Basic:
		return v, nil
	}
	return x, fmt.Errorf("range can't iterate over a %s; give the template a slice or a map", typeName(t))
}

func (d *templated) truth(x any) any {
	if bx, ok := open(x); ok {
		v := d.b.bare(bx.t.t, reflect.ValueOf(bx.v)).Interface()
		if is, _ := template.IsTrue(v); !is {
			return v
		}
	}
	return x
}

func (d *templated) shown(x reflect.Value) reflect.Value {
	if !x.IsValid() || x.Kind() == reflect.Interface && x.IsNil() {
		return x
	}
	bx, ok := open(x.Interface())
	if !ok || d.b.has(bx.t.t, "String", "Error") {
		return x
	}
	t, v := d.behind(bx)
	if p, ok := x.Interface().(placed); ok && p.at.IsValid() && v.Kind() == reflect.Struct && !v.CanAddr() {
		v = p.at.Elem()
	}
	if pt := d.b.pointer(t); v.CanAddr() && d.b.has(pt, "String", "Error") {
		return reflect.ValueOf(d.b.boxed(pt, v.Addr()))
	}
	return reflect.ValueOf(d.b.boxed(t, v))
}

// templateFuncs are functions for templates, which give them values as present does.
func (b *boxes) templateFuncs(m template.FuncMap) template.FuncMap {
	out := template.FuncMap{}
	for name, f := range m {
		bx, boxed := open(f)
		v := reflect.ValueOf(f)
		switch {
		case boxed:
			d := &templated{b: b}
			f = func(a ...reflect.Value) (reflect.Value, error) {
				return d.call(name, reflect.ValueOf(bx.v), bx.t.t.Underlying().(*types.Signature), a)
			}
		case v.Kind() == reflect.Func:
			f = reflect.MakeFunc(v.Type(), func(in []reflect.Value) []reflect.Value {
				for i, a := range in {
					if list, ok := a.Interface().([]any); ok && v.Type().IsVariadic() && i == len(in)-1 {
						for i := range list {
							list[i] = unplaced(reflect.ValueOf(list[i]))
						}
					} else if a.Kind() == reflect.Interface && !a.IsNil() {
						x := reflect.New(a.Type()).Elem()
						x.Set(reflect.ValueOf(unplaced(a)))
						in[i] = x
					}
				}
				if v.Type().IsVariadic() {
					return v.CallSlice(in)
				}
				return v.Call(in)
			}).Interface()
		}
		out[name] = f
	}
	return out
}
