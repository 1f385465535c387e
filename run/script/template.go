package script

import (
	"fmt"
	"go/types"
	"io"
	"reflect"
	"strings"
	"text/template"
)

// A templated is the data of one execution of a text/template, which goes by reflection:
// structs of the script become structs of plain values, in which the results of those
// methods without arguments that the template names stand as fields. Other methods it
// does not find, and says so.
type templated struct {
	b     *boxes
	text  string // of the templates
	seen  map[any]*any
	names map[string]string // of types, as Go has them
}

// A shown prints as the value that it represents.
type shown struct{ Shown any }

func (s shown) String() string { return fmt.Sprint(s.Shown) }

// execute is (*template.Template).Execute.
func (b *boxes) execute(t *template.Template, w io.Writer, x any) error {
	return b.templated(t, x, func(x any) error { return t.Execute(w, x) })
}

// executeTemplate is (*template.Template).ExecuteTemplate.
func (b *boxes) executeTemplate(t *template.Template, w io.Writer, name string, x any) error {
	return b.templated(t, x, func(x any) error { return t.ExecuteTemplate(w, name, x) })
}

func (b *boxes) templated(t *template.Template, x any, run func(any) error) error {
	d := &templated{b: b, seen: map[any]*any{}, names: map[string]string{}}
	for _, t := range t.Templates() {
		if t.Tree != nil {
			d.text += t.Tree.Root.String()
		}
	}
	err := run(d.plain(x))
	if err == nil {
		return nil
	}
	text := err.Error()
	for from, to := range d.names {
		text = strings.ReplaceAll(text, from, to)
	}
	if text == err.Error() {
		return err
	}
	return &retold{text, err}
}

// templateFuncs are m, whose functions a template cannot give what it does not have.
func (b *boxes) templateFuncs(m template.FuncMap) template.FuncMap {
	for name, f := range m {
		if bx, ok := open(f); ok {
			panic(runtimeError("text/template cannot call " + name + ", a " + typeName(bx.t.t) + ": its parameters and results must be no types of the snippet; let it take any or string"))
		}
	}
	return m
}

func (d *templated) plain(x any) any {
	x = unwrap(x)
	if bx, ok := open(x); ok {
		return d.value(bx.t.t, reflect.ValueOf(bx.v))
	}
	if x != nil && holdsAny(reflect.TypeOf(x)) {
		return d.value(d.b.typeOf(reflect.TypeOf(x)), reflect.ValueOf(x))
	}
	return x
}

func (d *templated) value(t types.Type, v reflect.Value) any {
	if types.IsInterface(t) {
		return d.plain(valueOf(v))
	}
	if d.b.shared(t) != nil && !holdsAny(v.Type()) {
		return v.Interface()
	}
	whole := v
	v = d.b.bare(t, v)
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		if v.IsNil() {
			return nil
		}
		p := d.seen[v.Interface()]
		if p == nil {
			p = new(any)
			d.seen[v.Interface()] = p
			*p = d.value(u.Elem(), v.Elem())
		}
		return p
	case *types.Struct:
		return d.structure(t, u, v)
	case *types.Slice, *types.Array:
		out := make([]any, v.Len())
		for i := range out {
			out[i] = d.value(u.(interface{ Elem() types.Type }).Elem(), v.Index(i))
		}
		return out
	case *types.Map:
		out := reflect.MakeMap(reflect.MapOf(v.Type().Key(), anyType))
		for k, e := range v.Seq2() {
			out.SetMapIndex(k, reflect.ValueOf(&[]any{d.value(u.Elem(), e)}[0]).Elem())
		}
		return out.Interface()
	}
	if d.b.has(t, "String", "Error") {
		return d.b.boxed(t, whole)
	}
	return v.Interface()
}

func (d *templated) structure(t types.Type, u *types.Struct, v reflect.Value) any {
	fs := []reflect.StructField{{Name: "Shown", Type: reflect.TypeFor[shown](), Anonymous: true}}
	vals := []any{shown{d.b.boxed(t, v)}}
	add := func(name string, x any) {
		for _, f := range fs {
			if f.Name == name {
				return
			}
		}
		fs, vals = append(fs, reflect.StructField{Name: name, Type: anyType}), append(vals, x)
	}
	var fields func(u *types.Struct, v reflect.Value)
	fields = func(u *types.Struct, v reflect.Value) {
		for i := range u.NumFields() {
			if f := u.Field(i); f.Exported() {
				add(f.Name(), d.value(f.Type(), v.Field(i)))
			}
		}
		for i := range u.NumFields() {
			f := u.Field(i)
			if s, ok := f.Type().Underlying().(*types.Struct); ok && f.Embedded() {
				fields(s, v.Field(i))
			} else if p, ok := f.Type().Underlying().(*types.Pointer); ok && f.Embedded() && !v.Field(i).IsNil() {
				if s, ok := p.Elem().Underlying().(*types.Struct); ok {
					fields(s, v.Field(i).Elem())
				}
			}
		}
	}
	fields(u, v)
	x := d.b.boxed(t, v)
	if v.CanAddr() {
		x = d.b.boxed(d.b.pointer(t), v.Addr())
	}
	bx, _ := open(x)
	for name := range bx.t.methods {
		if f := bx.bound(name); name != "String" && f.Type().NumIn() == 0 && f.Type().NumOut() == 1 && strings.Contains(d.text, "."+name) {
			if x, ok := d.call(f); ok {
				add(name, x)
			}
		}
	}
	s := reflect.New(reflect.StructOf(fs)).Elem()
	d.names[s.Type().String()] = typeName(t)
	for i, x := range vals {
		if x != nil {
			s.Field(i).Set(reflect.ValueOf(x))
		}
	}
	return s.Interface()
}

// call calls f; what panics is left out, and missed only if the template comes to it.
func (d *templated) call(f reflect.Value) (x any, ok bool) {
	defer func() {
		if recover() != nil {
			d.b.track().caught, ok = true, false
		}
	}()
	return d.plain(f.Call(nil)[0].Interface()), true
}
