package script

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"strconv"
	"strings"
)

// lower turns type-checked Go into the part of Go that yaegi gets right: functions,
// plain structs, slices, maps, channels, closures. Everything else is spelled out here,
// from exact types: methods become functions; interfaces of the script become any,
// holding boxes that know their type (box.go); generics are written out for each use;
// loops whose variables live on get a call for each iteration (flow.go); deferred calls
// run in compiled code (panics.go). Names are made unique, constants are folded.
type lower struct {
	w      *world
	b      *boxes
	fset   *token.FileSet
	info   *types.Info
	pkg    *types.Package
	native map[string]any // what runs compiled
	built  *Built
	decls  map[types.Object]ast.Decl // of the functions

	exports   map[string]reflect.Value // symbols of compiled code that the output uses
	byVal     map[string]string        // the names of those, by what they are
	global    map[types.Object]string
	taken     map[string]int
	funcs     map[string]string // instances, by origin and type arguments
	numbers   typeMap[int]      // of types that are type arguments
	typeCount int
	order     map[string]int // of functions, as they are met; they are written out in the opposite one
	structs   *structs
	queue     []func()
	prologue  []ast.Stmt
	out       []ast.Decl
	templates bool                // which may name any method
	helpers   bool                // there are some
	marks     bool                // calls rather than assignments mark positions, because there are goroutines
	shared    bool                // positions go to memory that another process reads
	clears    bool                // every function asks what it may recover from, so that none after it does
	kept      map[*types.Var]bool // parameters and receivers that their functions may keep
	*fn
	at   token.Pos // of the statement
	err  error
	show ast.Stmt // the snippet's last, whose value is shown
}

// fn is the function that is being lowered.
type fn struct {
	names   map[types.Object]string
	taken   map[string]int
	env     *typeArgs
	results []string // names
	sig     *types.Signature
	named   bool // the results need their names
	size    int  // nodes of the body
	defers  string

	recovery  string            // the variable of what it may recover from
	positions map[string]string // the variables at and in, see position
	bounds    bounds
	lits      []*lit    // the literals around, made of loop bodies and of bodies with defer
	targets   []*target // what break and continue can mean
	snippet   bool
	order     int
}

const (
	globalMark = "ǃ"
	localMark  = "ǀ"
)

// unmarked is text with the names that the script has for what is in it.
func unmarked(text string) string {
	var out []rune
	inMark := false
	for _, r := range text {
		switch {
		case strings.ContainsRune(globalMark+localMark, r):
			inMark = true
		case inMark && '0' <= r && r <= '9':
		case r == '·': // between a type and its method
			out, inMark = append(out, '.'), false
		default:
			out, inMark = append(out, r), false
		}
	}
	return string(out)
}

// refuse reports what cannot be run, with its position.
func (m *lower) refuse(n ast.Node, format string, a ...any) {
	if m.err == nil {
		m.err = &Error{Kind: Compile, Pos: place(m.fset.Position(n.Pos())), Msg: fmt.Sprintf(format, a...)}
	}
}

func id(name string) *ast.Ident { return ast.NewIdent(name) }

func idAt(pos token.Pos, name string) *ast.Ident { return &ast.Ident{NamePos: pos, Name: name} }

func number(n int) ast.Expr { return &ast.BasicLit{Kind: token.INT, Value: strconv.Itoa(n)} }

func callOf(pos token.Pos, f string, args ...ast.Expr) *ast.CallExpr {
	return &ast.CallExpr{Fun: idAt(pos, f), Lparen: pos, Args: args, Rparen: pos}
}

func define(pos token.Pos, name string, v ast.Expr) ast.Stmt {
	return &ast.AssignStmt{Lhs: []ast.Expr{idAt(pos, name)}, TokPos: pos, Tok: token.DEFINE, Rhs: []ast.Expr{v}}
}

func set(pos token.Pos, x, v ast.Expr) ast.Stmt {
	if _, ok := v.(*ast.CompositeLit); ok { // yaegi would make it another variable, which no pointer and no closure sees
		v = &ast.StarExpr{Star: pos, X: &ast.UnaryExpr{OpPos: pos, Op: token.AND, X: v}}
	}
	return &ast.AssignStmt{Lhs: []ast.Expr{x}, TokPos: pos, Tok: token.ASSIGN, Rhs: []ast.Expr{v}}
}

func block(s ...ast.Stmt) *ast.BlockStmt { return &ast.BlockStmt{List: s} }

func params(fs ...*ast.Field) *ast.FieldList { return &ast.FieldList{List: fs} }

func field(name string, t ast.Expr) *ast.Field {
	return &ast.Field{Names: []*ast.Ident{id(name)}, Type: t}
}

// use makes a compiled value, or a type given as (*T)(nil), available under a name.
func (m *lower) use(key string, v func() reflect.Value) string {
	name := m.byVal[key]
	if name == "" {
		base := key[strings.LastIndexAny(key, "./ ")+1:]
		name = m.fresh(strings.Map(func(r rune) rune {
			if words[byte(r)] {
				return r
			}
			return '_'
		}, base))
		m.byVal[key] = name
		m.exports[name] = v()
	}
	return name
}

func (m *lower) useFunc(key string, f any) string {
	return m.use(key, func() reflect.Value { return reflect.ValueOf(f) })
}

// fresh is a new name for a global.
func (m *lower) fresh(base string) string {
	m.taken[base]++
	name := base + globalMark
	if n := m.taken[base]; n > 1 {
		name += strconv.Itoa(n)
	}
	return name
}

// temp is a new name in the function.
func (m *lower) temp(base string) string {
	m.fn.taken[base]++
	if n := m.fn.taken[base]; n > 1 || types.Universe.Lookup(base) != nil || base == "_" || base == "init" || base == "main" {
		base += localMark + strconv.Itoa(n)
	}
	return base
}

// local is the name of a variable of the function.
func (m *lower) local(o types.Object) string {
	if n := m.names[o]; n != "" {
		return n
	}
	n := m.temp(o.Name())
	m.names[o] = n
	return n
}

// isGlobal says whether o is declared outside of functions.
func isGlobal(o types.Object) bool { return o.Pkg() != nil && o.Parent() == o.Pkg().Scope() }

// ref is the name of a variable.
func (m *lower) ref(pos token.Pos, o types.Object) ast.Expr {
	if !isGlobal(o) {
		return idAt(pos, m.local(o))
	}
	if n := m.compiled(o); n != "" {
		if v := m.exports[n]; v.CanAddr() { // yaegi takes a compiled variable of a basic type for a constant
			p := m.use("address of "+n, v.Addr)
			return &ast.ParenExpr{X: &ast.StarExpr{Star: pos, X: idAt(pos, p)}}
		}
		return idAt(pos, n)
	}
	n := m.global[o]
	if n == "" {
		n = m.fresh(o.Name())
		m.global[o] = n
		m.out = append(m.out, &ast.GenDecl{Tok: token.VAR, TokPos: o.Pos(), Specs: []ast.Spec{&ast.ValueSpec{Names: []*ast.Ident{idAt(o.Pos(), n)}, Type: m.rep(o.Type())}}})
	}
	return idAt(pos, n)
}

// compiled is the name of a symbol of compiled code, "" if o is the script's own.
func (m *lower) compiled(o types.Object) string {
	if o.Pkg() == m.pkg {
		v, ok := m.native[o.Name()]
		if !ok || o.Pos().IsValid() {
			return ""
		}
		return m.use("native."+o.Name(), func() reflect.Value { return m.told(nativeValue(v)) })
	}
	if o.Pos().IsValid() {
		return "" // interpreted standard library
	}
	key := o.Pkg().Path() + "." + o.Name()
	return m.use(key, func() reflect.Value {
		return m.b.replaced(o.Pkg().Path(), o.Name())
	})
}

func nativeValue(v any) reflect.Value {
	x := reflect.ValueOf(v)
	if x.Kind() == reflect.Pointer && !x.IsNil() {
		return x.Elem()
	}
	return x
}

// funcName is the name of the function made for f with type arguments args.
func (m *lower) funcName(f *types.Func, args []types.Type) string {
	f = f.Origin()
	if f.Signature().Recv() == nil {
		if n := m.compiled(f); n != "" {
			return n
		}
	}
	key := fmt.Sprintf("%p", f)
	for _, a := range args {
		key += "," + strconv.Itoa(m.typeNumber(a))
	}
	if n := m.funcs[key]; n != "" {
		return n
	}
	base := f.Name()
	if r := f.Signature().Recv(); r != nil {
		base = namedOf(r.Type()).Obj().Name() + "·" + base
	}
	n := m.fresh(base)
	m.funcs[key] = n
	m.order[n] = len(m.order)
	d, _ := m.decls[f].(*ast.FuncDecl)
	if d == nil {
		m.refuse(id(base), "the source of %s is missing", f.FullName())
		return n
	}
	m.queue = append(m.queue, func() { m.function(n, d, f, args) })
	return n
}

// typeNumber gives each type a number, also types of the same name that functions declare.
func (m *lower) typeNumber(t types.Type) int {
	n, ok := m.numbers.get(t)
	if !ok {
		m.typeCount++
		n = m.typeCount
		m.numbers.set(t, n)
	}
	return n
}

func namedOf(t types.Type) *types.Named {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, _ := t.(*types.Named)
	return n
}

// function writes out f.
func (m *lower) function(name string, d *ast.FuncDecl, f *types.Func, args []types.Type) {
	sig := f.Signature()
	tps := sig.TypeParams()
	if sig.Recv() != nil {
		tps = sig.RecvTypeParams()
	}
	was := m.fn
	m.fn = &fn{names: map[types.Object]string{}, taken: map[string]int{}, env: newTypeArgs(tps, args), order: m.order[name], snippet: m.fset.Position(d.End()-1).Filename == snippetName}
	defer func() { m.fn = was }()
	if d.Body == nil {
		m.refuse(d, "missing function body")
		return
	}
	t, body := m.body(sig, d.Body)
	if r := sig.Recv(); r != nil {
		t.Params.List = append([]*ast.Field{field(m.param(r), m.rep(r.Type()))}, t.Params.List...)
	}
	m.out = append(m.out, &ast.FuncDecl{Name: idAt(d.Name.NamePos, name), Type: t, Body: body})
}

func (m *lower) param(v *types.Var) string {
	if v.Name() == "" || v.Name() == "_" {
		return m.temp("p" + localMark)
	}
	return m.local(v)
}

// body lowers a function's body; m.fn is the function's already.
func (m *lower) body(sig *types.Signature, b *ast.BlockStmt) (*ast.FuncType, *ast.BlockStmt) {
	m.sig, m.fn.size = sig, 0
	ast.Inspect(b, func(ast.Node) bool { m.fn.size++; return true })
	t := &ast.FuncType{Func: b.Pos(), Params: params()}
	for i := range sig.Params().Len() {
		v := sig.Params().At(i)
		x := m.rep(v.Type())
		if sig.Variadic() && i == sig.Params().Len()-1 {
			x = &ast.Ellipsis{Elt: m.rep(m.subst(v.Type()).(*types.Slice).Elem())}
		}
		t.Params.List = append(t.Params.List, field(m.param(v), x))
	}
	m.results, m.positions, m.recovery = nil, nil, ""
	if m.callsRecover(b) {
		m.recovery = m.temp("d" + localMark)
	}
	for v := range sig.Results().Variables() {
		if v.Name() != "" {
			m.fn.named = true
		}
		if v.Name() == "" || v.Name() == "_" {
			m.results = append(m.results, m.temp("r"+localMark))
		} else {
			m.results = append(m.results, m.local(v))
		}
	}
	var list []ast.Stmt
	if has(b, func(n ast.Node) bool { _, ok := n.(*ast.DeferStmt); return ok }) {
		m.fn.named = true
		m.defers = m.temp("d" + localMark)
		m.lits = []*lit{{}}
		list = m.stmts(b.List)
		m.lits = nil
		list = []ast.Stmt{
			define(b.Pos(), m.defers, callOf(b.Pos(), m.useFunc("defers", m.b.newDefers))),
			&ast.ExprStmt{X: &ast.CallExpr{Fun: &ast.SelectorExpr{X: id(m.defers), Sel: id("Run")}, Args: []ast.Expr{&ast.FuncLit{Type: &ast.FuncType{Params: params()}, Body: block(list...)}}}},
			&ast.ReturnStmt{},
		}
		if len(m.results) > 0 {
			list[2] = m.returnNamed()
		}
	} else {
		list = m.stmts(b.List)
	}
	if sig.Results().Len() > 0 {
		t.Results = params()
		for i, v := range m.results {
			f := &ast.Field{Type: m.rep(sig.Results().At(i).Type())}
			if m.fn.named {
				f.Names = []*ast.Ident{id(v)}
				// yaegi leaves in a named result what the last call from the same place put there.
				list = append([]ast.Stmt{set(b.Pos(), id(v), m.zero(sig.Results().At(i).Type()))}, list...)
			}
			t.Results.List = append(t.Results.List, f)
		}
	}
	list = m.positioned(b.Pos(), list)
	ask := callOf(b.Pos(), m.useFunc("recovery", m.b.recovery))
	switch {
	case m.recovery != "":
		list = append([]ast.Stmt{define(b.Pos(), m.recovery, ask)}, list...)
	case m.clears:
		list = append([]ast.Stmt{&ast.ExprStmt{X: ask}}, list...)
	}
	return t, &ast.BlockStmt{Lbrace: b.Lbrace, List: list, Rbrace: b.Rbrace}
}

func (m *lower) returnNamed() ast.Stmt {
	r := &ast.ReturnStmt{}
	for _, n := range m.results {
		r.Results = append(r.Results, id(n))
	}
	return r
}

// has looks for a node in b, not inside of function literals.
func has(b ast.Node, is func(ast.Node) bool) (found bool) {
	ast.Inspect(b, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok && n != b {
			return false
		}
		found = found || n != nil && is(n)
		return !found
	})
	return
}
