package script

import (
	"go/ast"
	"go/constant"
	"go/token"
	"reflect"
	"slices"
)

// straight.go: most runs are a few calls of helpers that run compiled, with literals as
// arguments, one after another: navigate("…"); clickOn("text=Buy"). Those need neither the
// type checker nor the interpreter. Whatever is not plainly of that form, or might not
// compile, goes the long way, which is the one that knows Go.

// A step is a statement that is a call of a compiled helper.
type step struct {
	pos  token.Pos
	call func() []reflect.Value
}

var (
	floatType  = reflect.TypeFor[float64]()
	stringType = reflect.TypeFor[string]()
	objectType = reflect.TypeFor[map[string]any]()

	// plainTypes are those whose values are shown alike whichever way they come.
	plainTypes = []reflect.Type{stringType, floatType, objectType, anyType, reflect.TypeFor[bool](), reflect.TypeFor[int](), reflect.TypeFor[[]any](), reflect.TypeFor[[]map[string]any]()}
)

// straight gives what runs a snippet that is nothing but such calls, nil for any other.
func (p *program) straight(b *boxes) (execute func() error) {
	f := p.main.files[0]
	if p.built == nil || len(f.chunks) > 0 || len(f.out) != 1 || len(p.main.units["init"])+len(p.main.units["_"]) > 0 {
		return nil
	}
	body := f.out[0].(*ast.FuncDecl).Body.List
	steps := make([]step, len(body))
	for i, st := range body {
		x, is := st.(*ast.ExprStmt)
		if !is {
			return nil
		}
		call, gives := p.straightCall(x.X)
		if call == nil || len(gives) > 1 || len(gives) == 1 && !slices.Contains(plainTypes, gives[0]) {
			return nil
		}
		steps[i] = step{st.Pos(), call}
	}
	if len(steps) == 0 {
		return nil
	}
	b.woken = true // what it waits for is outside: the script has nothing to wait for in itself
	return func() error { return b.walk(steps, p.built.Path+".") }
}

// straightCall is a call of a compiled helper, and the types of what it gives; nil for
// anything else.
func (p *program) straightCall(x ast.Expr) (call func() []reflect.Value, gives []reflect.Type) {
	c, ok := x.(*ast.CallExpr)
	if !ok || c.Ellipsis.IsValid() {
		return nil, nil
	}
	f := p.native(c.Fun)
	if f.Kind() != reflect.Func || f.IsNil() {
		return nil, nil
	}
	t := f.Type()
	fixed := t.NumIn()
	if t.IsVariadic() {
		fixed--
	}
	if len(c.Args) < fixed || len(c.Args) > fixed && !t.IsVariadic() {
		return nil, nil
	}
	args := make([]func() reflect.Value, len(c.Args))
	for i, a := range c.Args {
		want := t.In(min(i, t.NumIn()-1))
		if i >= fixed {
			want = want.Elem()
		}
		if args[i] = p.straightValue(a, want); args[i] == nil {
			return nil, nil
		}
	}
	for i := range t.NumOut() {
		gives = append(gives, t.Out(i))
	}
	return func() []reflect.Value {
		in := make([]reflect.Value, fixed, fixed+1)
		for i := range in {
			in[i] = args[i]()
		}
		if !t.IsVariadic() {
			return f.Call(in)
		}
		rest := reflect.Zero(t.In(fixed)) // nil for none, as Go has it
		for _, a := range args[fixed:] {
			rest = reflect.Append(rest, a())
		}
		return f.CallSlice(append(in, rest))
	}, gives
}

// native is what a name means, if that is compiled.
func (p *program) native(x ast.Expr) reflect.Value {
	i, ok := x.(*ast.Ident)
	if !ok || i.Obj != nil || p.natives[i.Name] == nil {
		return reflect.Value{}
	}
	return nativeValue(p.natives[i.Name])
}

// straightValue gives the value of an expression that Go would take where a type is
// wanted, nil for one that is not plainly so.
func (p *program) straightValue(x ast.Expr, want reflect.Type) func() reflect.Value {
	if call, gives := p.straightCall(x); call != nil {
		if len(gives) != 1 || !gives[0].AssignableTo(want) || want.Kind() == reflect.Interface && !slices.Contains(plainTypes, gives[0]) {
			return nil
		}
		return func() reflect.Value { return call()[0] }
	}
	v := reflect.ValueOf(p.literal(x, want))
	if !v.IsValid() || !v.Type().AssignableTo(want) {
		return nil
	}
	return func() reflect.Value { return v }
}

// literal is the value of a literal where a type is wanted: nil for one that needs a closer
// look.
func (p *program) literal(x ast.Expr, want reflect.Type) any {
	switch x := x.(type) {
	case *ast.Ident:
		if x.Obj == nil && (x.Name == "true" || x.Name == "false") && p.natives[x.Name] == nil {
			return x.Name == "true"
		}
	case *ast.BasicLit:
		return plain(x, want, false)
	case *ast.UnaryExpr:
		if b, ok := x.X.(*ast.BasicLit); ok && x.Op == token.SUB {
			return plain(b, want, true)
		}
	case *ast.CompositeLit:
		if t := p.native(x.Type); t.IsValid() && t.Type() == reflect.PointerTo(objectType) && t.IsNil() {
			return p.object(x)
		}
	}
	return nil
}

// object is the value of a literal M{…}.
func (p *program) object(x *ast.CompositeLit) any {
	m := map[string]any{}
	for _, e := range x.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			return nil
		}
		key, ok := p.literal(kv.Key, stringType).(string)
		v := p.literal(kv.Value, anyType)
		if _, twice := m[key]; !ok || v == nil || twice {
			return nil
		}
		m[key] = v
	}
	return m
}

// plain is the value of a text or a number; a whole number may stand where a float is
// wanted. A rune and an imaginary number are left to those who know more.
func plain(x *ast.BasicLit, want reflect.Type, negative bool) any {
	c := constant.MakeFromLiteral(x.Value, x.Kind, 0)
	if negative && x.Kind != token.STRING {
		c = constant.UnaryOp(token.SUB, c, 0)
	}
	switch {
	case x.Kind == token.STRING && !negative && c.Kind() == constant.String:
		return constant.StringVal(c)
	case x.Kind == token.FLOAT || x.Kind == token.INT && want == floatType:
		if f, _ := constant.Float64Val(c); f-f == 0 { // an infinity does not compile
			return f
		}
	case x.Kind == token.INT:
		if n, exact := constant.Int64Val(c); exact && int64(int(n)) == n {
			return int(n)
		}
	}
	return nil
}

// walk makes the calls and shows what the last one gives.
func (b *boxes) walk(steps []step, prefix string) (err error) {
	var at, in int
	b.marks(&at, &in)
	defer func() {
		if v := recover(); v != nil {
			err = b.failed(v)
		}
	}()
	for i, s := range steps {
		at, in = int(s.pos), int(s.pos)
		got := func() []reflect.Value {
			defer b.passing(prefix)
			return s.call()
		}()
		if i == len(steps)-1 && len(got) > 0 {
			b.show(got[0].Interface())
		}
	}
	return nil
}
