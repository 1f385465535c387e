package script

import (
	"cmp"
	"fmt"
	"go/types"
	"io"
	"reflect"
	"slices"
	"strings"
	"unsafe"
)

// Where values of the script's types reach fmt: a box prints what it holds as fmt prints a
// value of that type, and the functions that print get their arguments and their format
// by way of operands and format, which know what fmt asks reflection for.

// Format prints the value as fmt would print it with its methods.
func (x box) Format(s fmt.State, verb rune) {
	(&fmtPrinter{x.t.b, s, verb}).value(x.t.t, reflect.ValueOf(x.v), 0, true)
}

// A fmtPrinter prints one operand.
type fmtPrinter struct {
	b    *boxes
	s    fmt.State
	verb rune
}

// deepestPrinted is a limit for values that hold themselves, on which fmt never ends.
const deepestPrinted = 1000

// value prints v of type t, which is depth levels down in the operand. The methods of
// what unexported fields hold are not called, which is Go's rule.
func (p *fmtPrinter) value(t types.Type, v reflect.Value, depth int, methods bool) {
	sharp := p.verb == 'v' && p.s.Flag('#')
	if depth > deepestPrinted {
		p.text("…")
		return
	}
	if types.IsInterface(t) {
		x := unwrap(valueOf(v))
		if bx, ok := open(x); ok {
			p.value(bx.t.t, reflect.ValueOf(bx.v), depth+1, methods)
		} else if x != nil {
			p.value(p.b.typeOf(reflect.TypeOf(x)), reflect.ValueOf(x), depth+1, methods)
		} else if sharp {
			p.text(typeName(t) + "(nil)")
		} else {
			p.text("<nil>")
		}
		return
	}
	if methods && p.method(t, v) {
		return
	}
	if n := asNamed(t); n != nil && p.b.w.back[n] != nil || methods && p.b.shared(t) != nil && speaks(v.Interface()) {
		p.compiled(v, depth, methods)
		return
	}
	if p.b.fact(t).madeOf != nil {
		v = withoutMethods(v)
		p.text(strings.Replace(fmt.Sprintf(fmt.FormatString(p.s, p.verb), v.Interface()), v.Type().String(), typeName(t), 1))
		return
	}
	v = p.b.bare(t, v)
	elem := func() types.Type { return t.Underlying().(interface{ Elem() types.Type }).Elem() }
	switch u := t.Underlying().(type) {
	case *types.Basic:
		p.basic(t, v)
	case *types.Pointer:
		switch u.Elem().Underlying().(type) {
		case *types.Struct, *types.Map, *types.Slice, *types.Array:
			if depth == 0 && !v.IsNil() {
				p.text("&")
				p.value(u.Elem(), v.Elem(), depth+1, methods)
				return
			}
		}
		p.address(t, v)
	case *types.Struct:
		p.list(sharp, t, "{", "}", u.NumFields(), func(i int) {
			f := u.Field(i)
			if sharp || p.verb == 'v' && p.s.Flag('+') {
				p.text(f.Name() + ":")
			}
			p.value(f.Type(), v.Field(i), depth+1, methods && f.Exported())
		})
	case *types.Map:
		keys := v.MapKeys()
		slices.SortFunc(keys, compareKeys)
		open, end := "map[", "]"
		if sharp {
			if v.IsNil() {
				p.text(typeName(t) + "(nil)")
				return
			}
			open, end = "{", "}"
		}
		p.list(sharp, t, open, end, len(keys), func(i int) {
			p.value(u.Key(), keys[i], depth+1, methods)
			p.text(":")
			p.value(u.Elem(), v.MapIndex(keys[i]), depth+1, methods)
		})
	case *types.Slice, *types.Array:
		e, _ := elem().Underlying().(*types.Basic)
		if e != nil && e.Kind() == types.Uint8 && strings.ContainsRune("sqxX", p.verb) {
			data := make([]byte, v.Len())
			for i := range data {
				data[i] = byte(v.Index(i).Uint())
			}
			p.print(data)
			return
		}
		open, end := "[", "]"
		if sharp {
			if v.Kind() == reflect.Slice && v.IsNil() {
				p.text(typeName(t) + "(nil)")
				return
			}
			open, end = "{", "}"
		}
		p.list(sharp, t, open, end, v.Len(), func(i int) { p.value(elem(), v.Index(i), depth+1, methods) })
	default:
		p.address(t, v)
	}
}

// speaks says whether fmt calls a method of x.
func speaks(x any) bool {
	switch x.(type) {
	case error, fmt.Stringer, fmt.Formatter, fmt.GoStringer:
		return true
	}
	return false
}

func (p *fmtPrinter) text(s string) { io.WriteString(p.s, s) }

func (p *fmtPrinter) print(x any) { fmt.Fprintf(p.s, fmt.FormatString(p.s, p.verb), x) }

// list prints n parts of a t.
func (p *fmtPrinter) list(sharp bool, t types.Type, open, end string, n int, part func(i int)) {
	sep := " "
	if sharp {
		open, sep = typeName(t)+open, ", "
	}
	p.text(open)
	for i := range n {
		if i > 0 {
			p.text(sep)
		}
		part(i)
	}
	p.text(end)
}

// verbs are those that fmt knows for a kind.
func verbs(k reflect.Kind) string {
	switch {
	case k == reflect.Bool:
		return "tv"
	case k == reflect.String:
		return "vsxXq"
	case k == reflect.Float32, k == reflect.Float64, k == reflect.Complex64, k == reflect.Complex128:
		return "vbgGxXfFeE"
	case k >= reflect.Int && k <= reflect.Uintptr:
		return "vdboOxXcqU"
	}
	return "vpbodxX"
}

// known says whether fmt knows the verb for v, and prints that it does not.
func (p *fmtPrinter) known(t types.Type, v reflect.Value) bool {
	if strings.ContainsRune(verbs(v.Kind()), p.verb) {
		return true
	}
	p.text(fmt.Sprintf("%%!%c(%s=", p.verb, typeName(t)))
	(&fmtPrinter{p.b, p.s, 'v'}).value(t, v, 0, false)
	p.text(")")
	return false
}

func (p *fmtPrinter) basic(t types.Type, v reflect.Value) {
	if p.known(t, v) {
		p.print(v.Interface())
	}
}

// address prints where v, a pointer, map, channel or function, points to.
func (p *fmtPrinter) address(t types.Type, v reflect.Value) {
	at := unsafe.Pointer(v.Pointer()) //nolint // only printed
	switch {
	case !p.known(t, v):
	case p.verb != 'v' || !p.s.Flag('#'):
		p.print(at)
	case at == nil:
		p.text("(" + typeName(t) + ")(nil)")
	default:
		p.text(fmt.Sprintf("(%s)(%#x)", typeName(t), v.Pointer()))
	}
}

// compiled prints a value of compiled code as a part, which a field of a struct is.
func (p *fmtPrinter) compiled(v reflect.Value, depth int, methods bool) {
	if depth == 0 {
		p.print(v.Interface())
		return
	}
	f := reflect.StructField{Name: "X", Type: v.Type()}
	if !methods {
		f.Name, f.PkgPath = "x", "main"
	}
	s := reflect.New(reflect.StructOf([]reflect.StructField{f})).Elem()
	reflect.NewAt(v.Type(), s.Addr().UnsafePointer()).Elem().Set(v)
	text := fmt.Sprintf(fmt.FormatString(p.s, p.verb), s.Interface())
	before := len("{")
	if p.verb == 'v' && p.s.Flag('#') {
		before = len(s.Type().String() + "{x:")
	} else if p.verb == 'v' && p.s.Flag('+') {
		before = len("{x:")
	}
	p.text(text[before : len(text)-len("}")])
}

// method prints v with the method that fmt would call, if there is one.
func (p *fmtPrinter) method(t types.Type, v reflect.Value) (done bool) {
	bt := p.b.fact(t).x
	if bt == nil || len(bt.methods) == 0 {
		return false
	}
	x := box{bt, v.Interface()}
	if f, ok := x.methodFunc("Format").(func(fmt.State, rune)); ok {
		done = true // also if it panics
		defer p.caught(x, "Format")
		f(p.s, p.verb)
		return true
	}
	if p.verb == 'v' && p.s.Flag('#') {
		f, ok := x.methodFunc("GoString").(func() string)
		if ok {
			done = true
			defer p.caught(x, "GoString")
			p.text(f())
		}
		return ok
	}
	for _, name := range []string{"Error", "String"} {
		if f, ok := x.methodFunc(name).(func() string); ok && strings.ContainsRune("vsxXq", p.verb) {
			done = true
			defer p.caught(x, name)
			p.print(f())
			return true
		}
	}
	return false
}

// caught prints, as fmt does, that method name panicked.
func (p *fmtPrinter) caught(x box, name string) {
	v := recover()
	if v == nil {
		return
	}
	p.b.track().caught = true
	if r := reflect.ValueOf(x.v); r.Kind() == reflect.Pointer && r.IsNil() {
		p.text("<nil>")
		return
	}
	fmt.Fprintf(p.s, "%%!%c(PANIC=%s method: %v)", p.verb, name, plainPanic(v))
}

// compareKeys orders keys as fmt does.
func compareKeys(a, b reflect.Value) int {
	switch {
	case a.CanInt():
		return cmp.Compare(a.Int(), b.Int())
	case a.CanUint():
		return cmp.Compare(a.Uint(), b.Uint())
	case a.CanFloat():
		return cmp.Compare(a.Float(), b.Float())
	case a.CanComplex():
		return cmp.Or(cmp.Compare(real(a.Complex()), real(b.Complex())), cmp.Compare(imag(a.Complex()), imag(b.Complex())))
	}
	switch a.Kind() {
	case reflect.String:
		return strings.Compare(a.String(), b.String())
	case reflect.Bool:
		return cmp.Compare(truth(a.Bool()), truth(b.Bool()))
	case reflect.Pointer, reflect.Chan, reflect.UnsafePointer:
		return cmp.Compare(a.Pointer(), b.Pointer())
	case reflect.Struct:
		for i := range a.NumField() {
			if c := compareKeys(a.Field(i), b.Field(i)); c != 0 {
				return c
			}
		}
	case reflect.Array:
		for i := range a.Len() {
			if c := compareKeys(a.Index(i), b.Index(i)); c != 0 {
				return c
			}
		}
	case reflect.Interface:
		x, y := unwrap(valueOf(a)), unwrap(valueOf(b))
		if x == nil || y == nil {
			return cmp.Compare(truth(x != nil), truth(y != nil))
		}
		if a, b := typeNameOf(x), typeNameOf(y); a != b {
			return strings.Compare(a, b)
		}
		return compareKeys(reflect.ValueOf(raw(x)), reflect.ValueOf(raw(y)))
	}
	return 0
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}
