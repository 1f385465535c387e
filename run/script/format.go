package script

import (
	"fmt"
	"go/types"
	"io"
	"reflect"
	"slices"
	"strings"
	"unsafe"
)

// Format prints the value as fmt would print it with its methods.
func (x box) Format(s fmt.State, verb rune) {
	if f, ok := x.methodFunc("Format").(func(fmt.State, rune)); ok {
		defer x.caught(s, verb, "Format")
		f(s, verb)
		return
	}
	if strings.ContainsRune("vsxXq", verb) && !s.Flag('#') {
		for _, name := range []string{"Error", "String"} {
			if f, ok := x.methodFunc(name).(func() string); ok {
				defer x.caught(s, verb, name)
				fmt.Fprintf(s, fmt.FormatString(s, verb), f())
				return
			}
		}
	}
	if verb == 'v' && s.Flag('#') {
		if f, ok := x.methodFunc("GoString").(func() string); ok {
			defer x.caught(s, verb, "GoString")
			io.WriteString(s, f())
			return
		}
		io.WriteString(s, x.t.b.goSyntax(x.t.t, reflect.ValueOf(x.v), true, true))
		return
	}
	fmt.Fprintf(s, fmt.FormatString(s, verb), x.t.b.shadow(x.t.t, reflect.ValueOf(x.v), true, true))
}

// caught prints, as fmt does, that method name panicked.
func (x box) caught(s fmt.State, verb rune, name string) {
	v := recover()
	if v == nil {
		return
	}
	x.t.b.track().caught = true
	if r := reflect.ValueOf(x.v); r.Kind() == reflect.Pointer && r.IsNil() {
		io.WriteString(s, "<nil>")
		return
	}
	fmt.Fprintf(s, "%%!%c(PANIC=%s method: %v)", verb, name, plainPanic(v))
}

// boxOf is the box of a part of a boxed value, if its type is known for its methods.
func (b *boxes) boxOf(t types.Type, v reflect.Value, names ...string) (any, bool) {
	for _, n := range b.byName[types.TypeString(t, nil)] {
		if x := b.all[n]; types.Identical(x.t, t) {
			for _, name := range names {
				if x.methods[name].IsValid() {
					return x.box(v.Interface()), true
				}
			}
		}
	}
	return nil, false
}

// shadow is a value that fmt prints as Go prints v of type t. The methods of what
// unexported fields hold are not called, which is Go's rule.
func (b *boxes) shadow(t types.Type, v reflect.Value, exported, top bool) any {
	if !v.IsValid() {
		return nil
	}
	if types.IsInterface(t) {
		if v.Kind() == reflect.Interface {
			v = v.Elem()
		}
		if !v.IsValid() {
			return nil
		}
		x := unwrap(v.Interface())
		if bx, ok := open(x); ok && !exported {
			return b.shadow(bx.t.t, reflect.ValueOf(bx.v), false, false)
		}
		return x
	}
	if exported && !top {
		if x, ok := b.boxOf(t, v, "Error", "String", "Format"); ok {
			return x
		}
	}
	b.mu.Lock()
	shared := b.w.reflected(t) != nil
	b.mu.Unlock()
	if shared {
		return v.Interface()
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		if _, ok := u.Elem().Underlying().(*types.Basic); ok || !top || v.IsNil() {
			break
		}
		x := b.shadow(u.Elem(), v.Elem(), exported, true)
		p := reflect.New(reflect.TypeOf(x))
		p.Elem().Set(reflect.ValueOf(x))
		return p.Interface()
	case *types.Struct:
		return b.shadowStruct(u, v, exported)
	case *types.Slice, *types.Array:
		elem := u.(interface{ Elem() types.Type }).Elem()
		if e, ok := elem.Underlying().(*types.Basic); ok && e.Kind() == types.Uint8 {
			break
		}
		out := make([]any, v.Len())
		for i := range out {
			out[i] = b.shadow(elem, v.Index(i), exported, false)
		}
		return out
	case *types.Map:
		out := map[any]any{}
		for k, e := range v.Seq2() {
			out[b.shadow(u.Key(), k, exported, false)] = b.shadow(u.Elem(), e, exported, false)
		}
		return out
	}
	return v.Interface()
}

func (b *boxes) shadowStruct(u *types.Struct, v reflect.Value, exported bool) any {
	fs := make([]reflect.StructField, u.NumFields())
	for i := range fs {
		fs[i] = reflect.StructField{Name: u.Field(i).Name(), Type: reflect.TypeFor[any]()}
		if fs[i].Name == "_" {
			fs[i].Name = fieldName(u, i)
		}
		if !u.Field(i).Exported() {
			fs[i].PkgPath = "main"
		}
	}
	s := reflect.New(reflect.StructOf(fs)).Elem()
	for i := range fs {
		f := u.Field(i)
		if x := b.shadow(f.Type(), v.Field(i), exported && f.Exported(), false); x != nil {
			reflect.NewAt(fs[i].Type, unsafe.Pointer(s.Field(i).UnsafeAddr())).Elem().Set(reflect.ValueOf(x))
		}
	}
	return s.Interface()
}

// goSyntax is what %#v prints; of what unexported fields hold without its methods.
func (b *boxes) goSyntax(t types.Type, v reflect.Value, top, exported bool) string {
	if types.IsInterface(t) {
		if v.Kind() == reflect.Interface {
			v = v.Elem()
		}
		if !v.IsValid() {
			return typeName(t) + "(nil)"
		}
		return fmt.Sprintf("%#v", unwrap(v.Interface()))
	}
	if exported && !top {
		if x, ok := b.boxOf(t, v, "GoString", "Format"); ok {
			return fmt.Sprintf("%#v", x)
		}
	}
	b.mu.Lock()
	shared := b.w.reflected(t) != nil
	b.mu.Unlock()
	if shared {
		return fmt.Sprintf("%#v", v.Interface())
	}
	var parts []string
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for i := range u.NumFields() {
			parts = append(parts, u.Field(i).Name()+":"+b.goSyntax(u.Field(i).Type(), v.Field(i), false, exported && u.Field(i).Exported()))
		}
	case *types.Slice, *types.Array:
		if v.Kind() == reflect.Slice && v.IsNil() {
			return typeName(t) + "(nil)"
		}
		for i := range v.Len() {
			parts = append(parts, b.goSyntax(u.(interface{ Elem() types.Type }).Elem(), v.Index(i), false, exported))
		}
	case *types.Pointer:
		if v.IsNil() {
			return "(" + typeName(t) + ")(nil)"
		}
		if !top {
			return fmt.Sprintf("(%s)(%#x)", typeName(t), v.Pointer())
		}
		return "&" + b.goSyntax(u.Elem(), v.Elem(), true, exported)
	case *types.Map:
		if v.IsNil() {
			return typeName(t) + "(nil)"
		}
		for _, k := range sortedKeys(v) {
			parts = append(parts, b.goSyntax(u.Key(), k, false, exported)+":"+b.goSyntax(u.Elem(), v.MapIndex(k), false, exported))
		}
	default:
		return fmt.Sprintf("%#v", v.Interface())
	}
	return typeName(t) + "{" + strings.Join(parts, ", ") + "}"
}

// typeName is the name of t as reflection would give it.
func typeName(t types.Type) string {
	s := types.TypeString(t, func(p *types.Package) string { return p.Name() })
	s = strings.NewReplacer("interface{", "interface {", "struct{", "struct {").Replace(s)
	var out []byte
	var open []byte // brackets
	for i := range len(s) {
		switch c := s[i]; c {
		case 'y':
			if from := i - len("an"); from >= 0 && s[from:i] == "an" && (from == 0 || s[from-1] != '.' && !words[s[from-1]]) && (i+1 == len(s) || !words[s[i+1]]) {
				out = append(out[:len(out)-len("an")], "interface {}"...)
				continue
			}
		case '(', '[', '{':
			if c == '{' && s[i+1] != '}' {
				out, open = append(out, "{ "...), append(open, c)
				continue
			}
			open = append(open, c)
		case ')', ']', '}':
			if c == '}' && s[i-1] != '{' {
				out = append(out, ' ')
			}
			open = open[:max(len(open)-1, 0)]
		case ' ': // no space between type arguments
			if i > 0 && s[i-1] == ',' && len(open) > 0 && open[len(open)-1] == '[' {
				continue
			}
		}
		out = append(out, s[i])
	}
	return string(out)
}

// typeNameOf is what %T prints.
func typeNameOf(x any) string {
	if bx, ok := open(x); ok {
		return typeName(bx.t.t)
	}
	return fmt.Sprintf("%T", x)
}

// typed puts the names of the types of boxes in place of the verbs %T.
func typed(format string, a []any) (string, []any) {
	if !strings.Contains(format, "T") {
		return format, a
	}
	var out strings.Builder
	args := append([]any{}, a...)
	n := 0
	for i := 0; i < len(format); i++ {
		c := format[i]
		out.WriteByte(c)
		if c != '%' {
			continue
		}
		for i++; i < len(format) && strings.IndexByte("+-# 0123456789.*", format[i]) >= 0; i++ {
			if format[i] == '*' {
				n++
			}
			out.WriteByte(format[i])
		}
		if i == len(format) {
			break
		}
		switch {
		case format[i] == '[':
			return format, a // numbered arguments
		case format[i] == '%':
			n--
		case format[i] == 'T' && n < len(args):
			if _, ok := open(args[n]); ok {
				args[n] = typeNameOf(args[n])
				out.WriteByte('s')
				n++
				continue
			}
		}
		n++
		out.WriteByte(format[i])
	}
	return out.String(), args
}

func sortedKeys(m reflect.Value) []reflect.Value {
	ks := m.MapKeys()
	slices.SortFunc(ks, func(a, b reflect.Value) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	return ks
}
