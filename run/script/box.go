package script

import (
	"fmt"
	"go/types"
	"io"
	"reflect"
	"slices"
	"sync"

	"bu/run/script/symbols"
)

// A box is a value of a script's type inside an interface. It knows its type, which
// reflection does not, and speaks for it to compiled code: fmt, encoding/json, errors.
// Boxes are equal if their types and values are.
type box struct {
	t *boxType // first: values of different types are compared no further
	v any
}

func (x box) opened() box { return x }

// The boxes of types that are errors, by what method Unwrap they have, which compiled
// code asks for; errors.Is must see that types have no ==.
type (
	errorBox      struct{ box }
	wrapBox       struct{ errorBox }
	manyBox       struct{ errorBox }
	looseErrorBox struct {
		errorBox
		_ [0]func()
	}
	looseWrapBox struct {
		wrapBox
		_ [0]func()
	}
	looseManyBox struct {
		manyBox
		_ [0]func()
	}
)

type boxType struct {
	b       *boxes
	t       types.Type
	rt      reflect.Type // if it is a type of compiled code, whose values are in no box
	methods map[string]reflect.Value
	unwrap  string // the result of its method Unwrap
	isError bool
	loose   bool // values cannot be compared
}

// boxes is what a run knows of types while it runs.
type boxes struct {
	w         *world
	structs   *structs
	mu        sync.Mutex // guards w, structs, all
	all       []*boxType
	byName    map[string][]int
	wanted    map[string]bool // names of methods that interfaces have
	facts     map[types.Type]*fact
	reflected typeMap[*scriptType]
	flats     map[[2]bool]typeMap[flatType] // see jsonRun.whole
	panics
	out  io.Writer // what prints goes there
	file func()    // Config.File
}

func (b *boxes) id(t types.Type) (n int, isNew bool) {
	key := types.TypeString(t, nil)
	for _, n := range b.byName[key] {
		if types.Identical(b.all[n].t, t) {
			return n, false
		}
	}
	x := &boxType{b: b, t: t, rt: b.w.reflected(t), methods: map[string]reflect.Value{}}
	x.loose = !types.Comparable(t)
	x.isError = !types.IsInterface(t) && types.Implements(t, types.Universe.Lookup("error").Type().Underlying().(*types.Interface))
	if o, _, _ := types.LookupFieldOrMethod(t, false, nil, "Unwrap"); o != nil && x.isError {
		if f, ok := o.(*types.Func); ok && f.Signature().Params().Len() == 0 && f.Signature().Results().Len() == 1 {
			x.unwrap = types.TypeString(f.Signature().Results().At(0).Type(), nil)
		}
	}
	b.all = append(b.all, x)
	b.byName[key] = append(b.byName[key], len(b.all)-1)
	return len(b.all) - 1, true
}

// A fact is what is known of a type while the script runs.
type fact struct {
	x         *boxType     // if values of it may be in boxes
	shared    reflect.Type // if it is one of compiled code's
	pointer   types.Type   // to it
	wrapped   bool         // if a struct stands for it
	recursive bool         // if it is a struct that is part of itself
	madeOf    reflect.Type // the compiled struct whose fields it has, as in type stamp time.Time
}

func (b *boxes) fact(t types.Type) *fact {
	b.mu.Lock()
	defer b.mu.Unlock()
	f := b.facts[t]
	if f == nil {
		f = &fact{shared: b.w.reflected(t), pointer: types.NewPointer(t), wrapped: b.structs.wrapped(t) != nil}
		if u, ok := t.Underlying().(*types.Struct); ok && f.shared == nil {
			f.madeOf, f.recursive = b.w.structs[u], b.structs.holdsItself(t)
		}
		for _, n := range b.byName[types.TypeString(t, nil)] {
			if types.Identical(b.all[n].t, t) {
				f.x = b.all[n]
			}
		}
		b.facts[t] = f
	}
	return f
}

// shared is t as a type of compiled code, nil if types of the script are part of it.
func (b *boxes) shared(t types.Type) reflect.Type { return b.fact(t).shared }

func (b *boxes) pointer(t types.Type) types.Type { return b.fact(t).pointer }

// bare is v, of type t, taken out of the struct that represents t, if there is one.
func (b *boxes) bare(t types.Type, v reflect.Value) reflect.Value {
	if v.IsValid() && b.fact(t).wrapped {
		return v.Field(0)
	}
	return v
}

// has says whether t, of the script, has one of the methods.
func (b *boxes) has(t types.Type, methods ...string) bool {
	x := b.fact(t).x
	return x != nil && slices.ContainsFunc(methods, func(m string) bool { return x.methods[m].IsValid() })
}

// boxed is v in the box of its type.
func (b *boxes) boxed(t types.Type, v reflect.Value) any {
	if x := b.fact(t).x; x != nil {
		return x.box(v.Interface())
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	n, _ := b.id(t)
	return b.all[n].box(v.Interface())
}

func (b *boxes) register(id int, name string, f any) { b.all[id].methods[name] = reflect.ValueOf(f) }

func (b *boxes) box(id int, v any) any { return b.all[id].box(v) }

func (t *boxType) box(v any) any {
	x := errorBox{box{t, v}}
	switch {
	case !t.isError:
		return x.box
	case t.unwrap == "error" && t.loose:
		return looseWrapBox{wrapBox: wrapBox{x}}
	case t.unwrap == "error":
		return wrapBox{x}
	case t.unwrap == "[]error" && t.loose:
		return looseManyBox{manyBox: manyBox{x}}
	case t.unwrap == "[]error":
		return manyBox{x}
	case t.loose:
		return looseErrorBox{errorBox: x}
	}
	return x
}

// open returns the box that x is.
func open(x any) (box, bool) {
	if b, ok := x.(box); ok {
		return b, true
	}
	if b, ok := x.(interface{ opened() box }); ok {
		return b.opened(), true
	}
	return box{}, false
}

// raw is x without its box.
func raw(x any) any {
	if bx, ok := open(x); ok {
		return valueOf(bx.t.b.bare(bx.t.t, reflect.ValueOf(bx.v)))
	}
	return x
}

// method returns method name of x, bound to it.
func (b *boxes) method(x any, name string) any {
	if bx, ok := open(x); ok {
		if f := bx.bound(name); f.IsValid() {
			return f.Interface()
		}
		panic(fmt.Sprintf("no method %s of %s", name, typeName(bx.t.t)))
	}
	if x == nil {
		panic(errNil)
	}
	return reflect.ValueOf(x).MethodByName(name).Interface()
}

// bound is a method of the boxed value as a function.
func (x box) bound(name string) reflect.Value {
	f := x.t.methods[name]
	if !f.IsValid() {
		return f
	}
	t := f.Type()
	var in, out []reflect.Type
	for i := 1; i < t.NumIn(); i++ {
		in = append(in, t.In(i))
	}
	for o := range t.Outs() {
		out = append(out, o)
	}
	recv := reflect.ValueOf(&x.v).Elem()
	return reflect.MakeFunc(reflect.FuncOf(in, out, t.IsVariadic()), func(args []reflect.Value) []reflect.Value {
		args = append([]reflect.Value{recv}, args...)
		if t.IsVariadic() {
			return f.CallSlice(args)
		}
		return f.Call(args)
	})
}

// is says whether the type of x is the one with the number, or implements it.
func (b *boxes) is(id int, x any) bool {
	if x == nil {
		return false
	}
	t := b.all[id]
	bx, boxed := open(x)
	iface, isIface := t.t.Underlying().(*types.Interface)
	if !isIface {
		if boxed {
			return bx.t == t
		}
		return reflect.TypeOf(x) == t.rt
	}
	if boxed {
		return types.Implements(bx.t.t, iface)
	}
	if t.rt != nil && t.rt.Kind() == reflect.Interface {
		return reflect.TypeOf(x).Implements(t.rt)
	}
	rt := reflect.TypeOf(x)
	for f := range iface.Methods() {
		m, ok := rt.MethodByName(f.Name())
		if !ok {
			return false
		}
		b.mu.Lock()
		want := b.w.reflected(f.Signature())
		b.mu.Unlock()
		if got := reflect.ValueOf(x).Method(m.Index).Type(); want != nil && got != want {
			return false
		}
	}
	return true
}

// cast opens the box x, whose type is known; of is the interface that x comes from.
func (b *boxes) cast(id int, x any, of string) any {
	if !b.is(id, x) {
		panic(conversionError(x, of, b.all[id].t))
	}
	if bx, ok := open(x); ok {
		return bx.v
	}
	return x
}

func (b *boxes) iface(id int, x any) any {
	if !b.is(id, x) {
		panic(conversionError(x, "", b.all[id].t))
	}
	return x
}

func (b *boxes) ifaceOK(id int, x any) (any, bool) {
	if !b.is(id, x) {
		return nil, false
	}
	return x, true
}

// assert makes the function func(any) T or func(any) (T, bool) for a type or interface
// of compiled code.
func (b *boxes) assert(rt reflect.Type, t types.Type, of string, ok bool) reflect.Value {
	b.mu.Lock()
	id, _ := b.id(t)
	b.mu.Unlock()
	out := []reflect.Type{rt}
	if ok {
		out = append(out, reflect.TypeFor[bool]())
	}
	return reflect.MakeFunc(reflect.FuncOf([]reflect.Type{reflect.TypeFor[any]()}, out, false), func(in []reflect.Value) []reflect.Value {
		x := in[0].Interface()
		is := b.is(id, x)
		if !is && !ok {
			panic(conversionError(x, of, t))
		}
		v := reflect.Zero(rt)
		switch {
		case !is:
		case rt.Kind() == reflect.Interface:
			v = b.carried(rt, x)
		default:
			v = reflect.ValueOf(x)
		}
		if ok {
			return []reflect.Value{v, reflect.ValueOf(is)}
		}
		return []reflect.Value{v}
	})
}

// carrier makes the function that hands any value over as the compiled interface rt.
func (b *boxes) carrier(rt reflect.Type) reflect.Value {
	return reflect.MakeFunc(reflect.FuncOf([]reflect.Type{reflect.TypeFor[any]()}, []reflect.Type{rt}, false), func(in []reflect.Value) []reflect.Value {
		return []reflect.Value{b.carried(rt, in[0].Interface())}
	})
}

// carried is x as a value of the compiled interface rt.
func (b *boxes) carried(rt reflect.Type, x any) reflect.Value {
	v := reflect.New(rt).Elem()
	if x == nil {
		return v
	}
	bx, boxed := open(x)
	if !boxed || reflect.TypeOf(x).Implements(rt) && rt == reflect.TypeFor[error]() {
		v.Set(reflect.ValueOf(x))
		return v
	}
	w := symbols.Lookup(rt.PkgPath(), "_"+rt.Name())
	if !w.IsValid() {
		panic(fmt.Sprintf("values of the script's types cannot be used as %s", rt))
	}
	c := reflect.New(w.Type().Elem()).Elem()
	c.Field(0).Set(reflect.ValueOf(x))
	for i := 1; i < c.NumField(); i++ {
		if f := bx.bound(c.Type().Field(i).Name[1:]); f.IsValid() {
			c.Field(i).Set(f)
		}
	}
	v.Set(c)
	return v
}

var symbolsPath = reflect.TypeFor[symbols.Mark]().PkgPath()

// unwrap undoes carried.
func unwrap(x any) any {
	if x == nil {
		return nil
	}
	if t := reflect.TypeOf(x); t.Kind() == reflect.Struct && t.PkgPath() == symbolsPath {
		return reflect.ValueOf(x).Field(0).Interface()
	}
	return x
}

func isNil(x any) bool { return x == nil }

func (x box) methodFunc(name string) any {
	if f := x.bound(name); f.IsValid() {
		return f.Interface()
	}
	return nil
}

func (x box) text(method string) string { return x.methodFunc(method).(func() string)() }

// missing is the first method of i that x lacks.
func missing(x any, i *types.Interface) string {
	for f := range i.Methods() { // sorted by name
		if bx, ok := open(x); ok {
			if m, _ := types.MissingMethod(bx.t.t, i, true); m != nil {
				return m.Name()
			}
		} else if _, ok := reflect.TypeOf(x).MethodByName(f.Name()); !ok {
			return f.Name()
		}
	}
	return ""
}
