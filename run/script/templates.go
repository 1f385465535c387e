package script

import (
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"text/template"
	"text/template/parse"
)

// A Template runs a template on values of the script's types, which reflection knows
// neither the methods nor the names of: what is between a value and a name after a dot
// becomes a call of member.
type Template struct {
	b *boxes
	t *template.Template
}

const (
	memberName = "member" + globalMark
	printName  = "print" + globalMark
)

func (b *boxes) template(t *template.Template) *Template { return &Template{b, t} }

// Execute is (*template.Template).Execute.
func (t *Template) Execute(w io.Writer, data any) error {
	t.ready()
	return asWritten(t.t.Execute(w, t.b.plain(data)))
}

// ExecuteTemplate is (*template.Template).ExecuteTemplate.
func (t *Template) ExecuteTemplate(w io.Writer, name string, data any) error {
	t.ready()
	return asWritten(t.t.ExecuteTemplate(w, name, t.b.plain(data)))
}

func (t *Template) ready() {
	t.b.mu.Lock()
	defer t.b.mu.Unlock()
	t.t.Funcs(template.FuncMap{memberName: t.member, printName: t.print})
	for _, x := range t.t.Templates() {
		if x.Tree != nil {
			rewrite(x.Tree.Root)
		}
	}
}

// rewrite makes calls of the fields and methods in n, once.
func rewrite(n parse.Node) {
	branch := func(b *parse.BranchNode) {
		rewrite(b.Pipe)
		rewrite(b.List)
		if b.ElseList != nil {
			rewrite(b.ElseList)
		}
	}
	switch n := n.(type) {
	case *parse.ListNode:
		for _, x := range n.Nodes {
			rewrite(x)
		}
	case *parse.ActionNode:
		rewrite(n.Pipe)
		last := n.Pipe.Cmds[len(n.Pipe.Cmds)-1].Args[0]
		if i, ok := last.(*parse.IdentifierNode); len(n.Pipe.Decl) == 0 && !(ok && i.Ident == printName) {
			n.Pipe.Cmds = append(n.Pipe.Cmds, &parse.CommandNode{NodeType: parse.NodeCommand, Pos: n.Pos, Args: []parse.Node{parse.NewIdentifier(printName).SetPos(n.Pos)}})
		}
	case *parse.IfNode:
		branch(&n.BranchNode)
	case *parse.RangeNode:
		branch(&n.BranchNode)
	case *parse.WithNode:
		branch(&n.BranchNode)
	case *parse.TemplateNode:
		if n.Pipe != nil {
			rewrite(n.Pipe)
		}
	case *parse.PipeNode:
		for _, c := range n.Cmds {
			for i, a := range c.Args[1:] {
				if call := dotted(a); call != nil {
					c.Args[i+1] = &parse.PipeNode{NodeType: parse.NodePipe, Pos: a.Position(), Cmds: []*parse.CommandNode{{NodeType: parse.NodeCommand, Pos: a.Position(), Args: call}}}
				}
			}
			if call := dotted(c.Args[0]); call != nil {
				c.Pos = c.Args[0].Position()
				c.Args = append(call, c.Args[1:]...)
			}
		}
	}
}

// dotted is the call that stands for n, nil if n is no field or method.
func dotted(n parse.Node) []parse.Node {
	var x parse.Node
	var path []string
	switch n := n.(type) {
	case *parse.PipeNode:
		rewrite(n)
	case *parse.FieldNode:
		x, path = &parse.DotNode{NodeType: parse.NodeDot, Pos: n.Pos}, n.Ident
	case *parse.VariableNode:
		x, path = &parse.VariableNode{NodeType: parse.NodeVariable, Pos: n.Pos, Ident: n.Ident[:1]}, n.Ident[1:]
	case *parse.ChainNode:
		dotted(n.Node)
		x, path = n.Node, n.Field
	}
	if len(path) == 0 {
		return nil
	}
	p := strings.Join(path, ".")
	return []parse.Node{parse.NewIdentifier(memberName).SetPos(n.Position()), x, &parse.StringNode{NodeType: parse.NodeString, Pos: n.Position(), Quoted: strconv.Quote(p), Text: p}}
}

// asWritten says in err what the template said.
func asWritten(err error) error {
	var e template.ExecError
	if !errors.As(err, &e) {
		return err
	}
	text := e.Error()
	for _, open := range []string{"<", "("} {
		for {
			from, rest, ok := strings.Cut(text, open+memberName+" ")
			x, rest, _ := strings.Cut(rest, " ")
			quoted, err := strconv.QuotedPrefix(rest)
			if !ok || err != nil {
				break
			}
			path, _ := strconv.Unquote(quoted)
			rest = rest[len(quoted):]
			if open == "<" { // and without arguments
				_, rest, _ = strings.Cut(rest, ">: ")
				rest = ">: " + rest
				from += open
			} else {
				rest = strings.TrimPrefix(rest, ")")
			}
			text = from + strings.TrimSuffix(x, ".") + "." + path + rest
		}
	}
	text = strings.ReplaceAll(text, "error calling "+memberName+": ", "")
	return template.ExecError{Name: e.Name, Err: &rephrased{text, e.Err}}
}

type rephrased struct {
	text string
	error
}

func (r *rephrased) Error() string { return r.text }
func (r *rephrased) Unwrap() error { return r.error }

// member is what a template calls for x.path; args go to the last name of it.
func (t *Template) member(x any, path string, args ...any) (any, error) {
	names := strings.Split(path, ".")
	for i, n := range names {
		var as []any
		if i == len(names)-1 {
			as = args
		}
		var err error
		if x, err = t.step(unwrap(x), n, as); err != nil {
			return nil, err
		}
	}
	return x, nil
}

// print is x as a template prints it, which is what a pointer points to.
func (t *Template) print(x any) any {
	bx, ok := open(x)
	if !ok {
		return x
	}
	p, ok := bx.t.t.Underlying().(*types.Pointer)
	if !ok || bx.t.methods["Error"].IsValid() || bx.t.methods["String"].IsValid() {
		return x
	}
	return t.b.boxed(p.Elem(), reflect.ValueOf(bx.v).Elem())
}

// step is x.name.
func (t *Template) step(x any, name string, args []any) (any, error) {
	bx, ok := open(x)
	if !ok {
		return t.compiled(reflect.ValueOf(x), name, args)
	}
	var pkg *types.Package
	if n := namedOf(bx.t.t); n != nil {
		pkg = n.Obj().Pkg()
	}
	v := reflect.ValueOf(bx.v)
	o, index, _ := types.LookupFieldOrMethod(bx.t.t, true, pkg, name)
	switch o := o.(type) {
	case *types.Func:
		f := bx.bound(name)
		if !f.IsValid() { // of the pointer, which a template may take
			p := reflect.New(v.Type())
			p.Elem().Set(v)
			y, _ := t.b.boxOf(types.NewPointer(bx.t.t), p, name)
			by, _ := open(y)
			f = by.bound(name)
		}
		return t.b.invoke(name, f, args, o.Signature().Results())
	case *types.Var:
		if !token.IsExported(name) {
			return nil, fmt.Errorf("%s is an unexported field of struct type %s", name, typeName(bx.t.t))
		}
		if len(args) > 0 {
			return nil, fmt.Errorf("%s is not a method but has arguments", name)
		}
		for _, i := range index {
			if v.Kind() == reflect.Pointer {
				if v.IsNil() {
					return nil, fmt.Errorf("nil pointer evaluating %s.%s", typeName(bx.t.t), name)
				}
				v = v.Elem()
			}
			v = v.Field(i)
		}
		return t.b.plainValue(o.Type(), v), nil
	}
	return nil, fmt.Errorf("can't evaluate field %s in type %s", name, typeName(bx.t.t))
}

// compiled is step for a value of compiled code, or a map.
func (t *Template) compiled(v reflect.Value, name string, args []any) (any, error) {
	if !v.IsValid() {
		return nil, nil
	}
	p := v
	if v.Kind() != reflect.Pointer {
		p = reflect.New(v.Type())
		p.Elem().Set(v)
	}
	if f := p.MethodByName(name); f.IsValid() {
		return t.b.invoke(name, f, args, nil)
	}
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return nil, fmt.Errorf("nil pointer evaluating %s.%s", v.Type().Elem().Name(), name)
		}
		v = v.Elem()
	}
	var m reflect.Value
	switch {
	case v.Kind() == reflect.Map && reflect.TypeFor[string]().ConvertibleTo(v.Type().Key()):
		m = v.MapIndex(reflect.ValueOf(name).Convert(v.Type().Key()))
		if !m.IsValid() && len(args) == 0 {
			switch missing := reflect.ValueOf(t.t).Elem().FieldByName("common").Elem().FieldByName("option").FieldByName("missingKey").Int(); missing { // Option("missingkey=…")
			case 1:
				return reflect.Zero(v.Type().Elem()).Interface(), nil
			case 2:
				return nil, fmt.Errorf("map has no entry for key %q", name)
			}
			return nil, nil
		}
	case v.Kind() == reflect.Struct && token.IsExported(name):
		m = v.FieldByName(name)
	}
	if len(args) > 0 {
		return nil, fmt.Errorf("%s is not a method but has arguments", name)
	}
	if !m.IsValid() {
		return nil, fmt.Errorf("can't evaluate field %s in type %s", name, v.Type())
	}
	return t.b.plain(m.Interface()), nil
}

// invoke calls f, whose results are of the types given, with what a template gives it.
func (b *boxes) invoke(name string, f reflect.Value, args []any, results *types.Tuple) (x any, err error) {
	if !f.IsValid() {
		return nil, fmt.Errorf("cannot call %s", name)
	}
	ft := f.Type()
	in := make([]reflect.Value, len(args))
	if fixed := ft.NumIn(); len(args) != fixed && !(ft.IsVariadic() && len(args) >= fixed-1) {
		want := strconv.Itoa(fixed)
		if ft.IsVariadic() {
			want = "at least " + strconv.Itoa(fixed-1)
		}
		return nil, fmt.Errorf("wrong number of args for %s: want %s got %d", name, want, len(args))
	}
	for i, a := range args {
		pt := ft.In(min(i, ft.NumIn()-1))
		if ft.IsVariadic() && i >= ft.NumIn()-1 {
			pt = pt.Elem()
		}
		if in[i], err = b.given(a, pt); err != nil {
			return nil, err
		}
	}
	defer func() {
		if v := recover(); v != nil {
			b.track().caught = true
			v = plainPanic(v)
			if e, ok := v.(error); ok {
				err = fmt.Errorf("error calling %s: %w", name, e)
			} else {
				err = fmt.Errorf("error calling %s: %v", name, v)
			}
		}
	}()
	out := f.Call(in)
	if len(out) == 0 || len(out) > 2 {
		return nil, fmt.Errorf("can't call method/function %q with %d results", name, len(out))
	}
	if len(out) == 2 {
		if e, ok := out[1].Interface().(error); ok && e != nil {
			return nil, fmt.Errorf("error calling %s: %w", name, e)
		}
	}
	if results != nil {
		return b.plainValue(results.At(0).Type(), out[0]), nil
	}
	return b.plain(out[0].Interface()), nil
}

// given is x, of a template, for a parameter of type t.
func (b *boxes) given(x any, t reflect.Type) (reflect.Value, error) {
	out := reflect.New(t).Elem()
	if x == nil {
		return out, nil
	}
	if t.Kind() == reflect.Interface {
		if t.NumMethod() == 0 || reflect.TypeOf(x).Implements(t) {
			out.Set(reflect.ValueOf(x))
			return out, nil
		}
		return b.carried(t, x), nil
	}
	v := reflect.ValueOf(raw(unwrap(x)))
	number := func(k reflect.Kind) bool { return k >= reflect.Int && k <= reflect.Float64 }
	switch {
	case v.Type().AssignableTo(t):
		out.Set(v)
	case number(v.Kind()) && number(t.Kind()), v.Kind() == t.Kind() && v.CanConvert(t):
		out.Set(v.Convert(t))
	case v.Kind() == reflect.Pointer && !v.IsNil() && v.Type().Elem().AssignableTo(t):
		out.Set(v.Elem())
	case t.Kind() == reflect.Pointer && v.Type().AssignableTo(t.Elem()):
		out.Set(reflect.New(t.Elem()))
		out.Elem().Set(v)
	case v.Kind() == reflect.Slice && t.Kind() == reflect.Slice:
		for i := range v.Len() {
			e, err := b.given(v.Index(i).Interface(), t.Elem())
			if err != nil {
				return out, err
			}
			out.Set(reflect.Append(out, e))
		}
	case v.Kind() == reflect.Map && t.Kind() == reflect.Map && v.Type().Key().AssignableTo(t.Key()):
		out.Set(reflect.MakeMap(t))
		for k, x := range v.Seq2() {
			e, err := b.given(x.Interface(), t.Elem())
			if err != nil {
				return out, err
			}
			out.SetMapIndex(k, e)
		}
	default:
		return out, fmt.Errorf("wrong type for value; expected %s; got %s", t, typeNameOf(x))
	}
	return out, nil
}

// templateFuncs makes functions of the script's types ones that a template can call.
func (b *boxes) templateFuncs(m template.FuncMap) template.FuncMap {
	out := template.FuncMap{}
	for name, f := range m {
		if bx, ok := open(f); ok {
			sig, isFunc := bx.t.t.Underlying().(*types.Signature)
			if v := reflect.ValueOf(bx.v); isFunc && slices.Contains([]int{1, 2}, v.Type().NumOut()) {
				f = func(args ...any) (any, error) { return b.invoke(name, v, args, sig.Results()) }
			}
		}
		out[name] = f
	}
	return out
}
