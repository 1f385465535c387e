package script

import (
	"fmt"
	"go/types"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// typeOf is the type checker's form of a type of compiled code.
func (b *boxes) typeOf(rt reflect.Type) types.Type {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.w.typ(rt)
}

// holdsAny says whether values of the script's types may be in a value of type rt.
func holdsAny(rt reflect.Type) bool {
	if rt.Name() != "" {
		return rt == anyType
	}
	switch rt.Kind() {
	case reflect.Interface:
		return true
	case reflect.Map:
		return holdsAny(rt.Key()) || holdsAny(rt.Elem())
	case reflect.Slice, reflect.Array, reflect.Pointer:
		return holdsAny(rt.Elem())
	case reflect.Struct:
		for f := range rt.Fields() {
			if holdsAny(f.Type) {
				return true
			}
		}
	}
	return false
}

// operands are a as fmt should get them; apart is for functions that put spaces
// between operands that are not strings.
func (b *boxes) operands(a []any, apart bool) []any {
	out := slices.Clone(a)
	for i, x := range a {
		if rt, ok := x.(reflect.Type); ok {
			out[i] = rt
		} else if bx, ok := open(x); ok && apart && reflect.ValueOf(bx.v).Kind() == reflect.String {
			out[i] = fmt.Sprint(x)
		} else if !ok && x != nil && holdsAny(reflect.TypeOf(x)) {
			out[i] = box{&boxType{b: b, t: b.typeOf(reflect.TypeOf(x))}, x}
		}
	}
	return out
}

// format is a format and operands by which fmt prints what it would for values of the
// script's types.
func (b *boxes) format(format string, a []any) (string, []any) {
	all := b.operands(a, false)
	if !slices.ContainsFunc(all, func(x any) bool { _, ok := open(x); return ok || isOurs(x) }) {
		return format, all
	}
	var out []byte
	var used []any
	n, numbered, bad := 0, false, false
	i := 0
	skip := func(set string) {
		for i < len(format) && strings.IndexByte(set, format[i]) >= 0 {
			i++
		}
	}
	number := func() { // [n]
		if i == len(format) || format[i] != '[' {
			return
		}
		var k int
		_, err := fmt.Sscanf(format[i:], "[%d]", &k)
		bad = bad || err != nil || k < 1 || k > len(a)
		if numbered = true; !bad {
			n = k - 1
		}
		i += max(strings.IndexByte(format[i:], ']'), 0) + 1
	}
	size := func() bool { // a width or precision
		number()
		if i == len(format) || format[i] != '*' {
			from := i
			skip("0123456789")
			out = append(out, format[from:i]...)
			return true
		}
		if bad || n >= len(a) {
			return false
		}
		out = append(out, '*')
		w := raw(a[n])
		if v := reflect.ValueOf(w); v.CanInt() {
			w = int(v.Int())
		}
		used = append(used, w)
		i, n = i+1, n+1
		return true
	}
	for i < len(format) {
		c := format[i]
		i++
		out = append(out, c)
		if c != '%' {
			continue
		}
		from, mark := i, len(out) // behind the %
		skip("+-# 0")
		out = append(out, format[from:i]...)
		if !size() {
			return format, all
		}
		if i < len(format) && format[i] == '.' {
			i++
			out = append(out, '.')
			if !size() {
				return format, all
			}
		}
		number()
		if i == len(format) {
			out = append(out[:mark], "%!(NOVERB)"...)
			break
		}
		verb := []rune(format[i:min(i+4, len(format))])[0]
		i += len(string(verb))
		switch {
		case verb == '%':
			out = append(out[:mark], '%')
			continue
		case bad, n >= len(a):
			out = fmt.Appendf(out[:mark], "%%!%c(%s)", verb, map[bool]string{true: "BADINDEX", false: "MISSING"}[bad])
			bad = false
			continue
		}
		x := all[n]
		_, boxed := open(x)
		_, isError := x.(error)
		switch {
		case verb == 'T' && (boxed || isOurs(x)):
			verb, x = 's', typeNameOf(x)
		case verb == 'T':
			x = a[n]
		case verb == 'p' && boxed:
			x = raw(x)
		case verb == 'w' && boxed && !isError:
			verb, x = 's', fmt.Sprintf("%%!w(%s=%v)", typeNameOf(x), x)
		}
		out = utf8.AppendRune(out, verb)
		used = append(used, x)
		n++
	}
	if n < len(a) && !numbered {
		var extra []string
		for _, x := range all[n:] {
			if x == nil {
				extra = append(extra, "<nil>")
			} else {
				extra = append(extra, fmt.Sprintf("%s=%v", typeNameOf(x), x))
			}
		}
		out = append(out, "%s"...)
		used = append(used, "%!(EXTRA "+strings.Join(extra, ", ")+")")
	}
	return string(out), used
}

// printing is the function called name of fmt or log, for operands of the script's types.
func (b *boxes) printing(name string, f reflect.Value) reflect.Value {
	last := f.Type().NumIn() - 1
	return reflect.MakeFunc(f.Type(), func(in []reflect.Value) []reflect.Value {
		a, _ := in[last].Interface().([]any)
		if strings.HasSuffix(name, "f") {
			var text string
			text, a = b.format(in[last-1].String(), a)
			in[last-1] = reflect.ValueOf(text)
		} else {
			a = b.operands(a, !strings.HasSuffix(name, "ln"))
		}
		in[last] = reflect.ValueOf(a)
		return f.CallSlice(in)
	})
}

// shortNames are other names of types, which reflection does not use.
var shortNames = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(^|[^.\pL\pN_])(any|byte|rune)\b`) })

// typeName is the name of t as reflection would give it.
func typeName(t types.Type) string {
	s := types.TypeString((*typeArgs)(nil).subst(t), func(p *types.Package) string { return p.Name() })
	s = shortNames().ReplaceAllStringFunc(s, func(m string) string {
		i := strings.IndexAny(m, "abr")
		return m[:i] + map[string]string{"any": "interface{}", "byte": "uint8", "rune": "int32"}[m[i:]]
	})
	s = strings.NewReplacer("interface{", "interface {", "struct{", "struct {").Replace(s)
	var out []byte
	var open []byte // brackets
	for i := range len(s) {
		switch c := s[i]; c {
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
	switch x.(type) {
	case runtimeError:
		return "runtime.errorString"
	case *TypeAssertionError:
		return "*runtime.TypeAssertionError"
	}
	return fmt.Sprintf("%T", x)
}

// isOurs says whether x is an error that replaces one of package runtime.
func isOurs(x any) bool {
	switch x.(type) {
	case runtimeError, *TypeAssertionError:
		return true
	}
	return false
}
