package script

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"io"
	"log"
	"os"
	"reflect"
	"slices"
	"sort"
	"strings"

	"github.com/traefik/yaegi/interp"
)

const snippetName = "snippet"

// Config says what a script is run with.
type Config struct {
	Dir    string    // folder of the helper files, read afresh; "" for none
	Built  *Built    // the helpers that were compiled in; nil for none
	Stdout io.Writer // for fmt.Print and the last value; nil for os.Stdout
	File   func()    // called before a script runs that names os.Stdout: it may put another file there

	// Risky is called, if Places is nil, before a script runs that Go's runtime may end, which
	// nothing catches: it may let another process run it. where gives the place that a
	// goroutine noted in the Places of that process, which is shared memory.
	Risky  func(where func(goroutine int, places []int) string)
	Places []int

	Began func(now func() (pos, trace string)) // called before a script runs, with what says where it is; nil for nothing
}

// Kind is how a run ended.
type Kind int

const (
	Compile Kind = iota + 1 // it does not compile
	Panic                   // it panicked
	Exit                    // it called os.Exit
)

// Error is how a script failed.
type Error struct {
	Kind     Kind
	Pos      string // FILE:LINE, of the snippet if there is one
	Msg      string // without the position
	Value    any    // what it panicked with
	ExitCode int    // given to os.Exit
	Trace    string // the helper that it panicked in and where
}

func (e *Error) Error() string {
	if e.Pos == "" {
		return e.Msg
	}
	return e.Pos + ": " + e.Msg
}

// Run runs the snippet with the helpers of cfg.Dir. Its error is an *Error. After one
// that is an exit, a panic of a goroutine or a stack overflow, the rest of the script may
// still be running: the process should end.
func Run(cfg Config, snippet string) error {
	err := run(cfg, snippet)
	var e *Error
	if err != nil && !errors.As(err, &e) {
		err = &Error{Kind: Compile, Msg: err.Error()}
	}
	return err
}

func run(cfg Config, src string) (err error) {
	defer func() { // what runs the script has a goroutine of its own, so this is our mistake
		if e := recover(); e != nil && os.Getenv("BU_SCRIPT_DEBUG") == "" {
			err = &Error{Kind: Compile, Msg: fmt.Sprintf("this cannot be run: %v", e)}
		} else if e != nil {
			panic(e)
		}
	}()
	w := newWorld()
	b := &boxes{w: w, structs: newStructs(w), byName: map[string][]int{}, wanted: map[string]bool{}, facts: map[types.Type]*fact{}, reflected: typeMap[*scriptType]{}, flats: map[[2]bool]typeMap[flatType]{{}: {}, {true}: {}, {false, true}: {}}, out: cfg.Stdout, file: cfg.File}
	if b.out == nil {
		b.out = stdout{}
	}
	b.by, b.end = map[uintptr]*track{}, make(chan error, 1)
	in := interp.New(interp.Options{Unrestricted: true, Stderr: b})
	p := &program{fset: in.FileSet(), w: b.w, pkgs: map[string]*source{}, ifaces: b.wanted, built: cfg.Built, natives: map[string]any{}}
	if cfg.Built != nil {
		b.w.packages = cfg.Built.Packages
	}
	p.main = newSource(p, "main")
	p.main.unread = cfg.Dir
	p.main.snippet(strings.TrimPrefix(src, "\ufeff"))
	if p.err != nil {
		return p.err
	}
	b.fset, b.lineNow = p.fset, p.main.lineNow
	execute := p.straight(b)
	if execute == nil {
		if execute, err = interpreted(cfg, in, p, b); err != nil {
			return err
		}
	} else if cfg.Began != nil {
		cfg.Began(b.now)
	}
	over := make(chan struct{})
	defer close(over)
	began := make(chan struct{})
	go b.watch(began, over)
	go func() {
		t := b.track()
		b.state.Lock()
		b.first = t
		b.state.Unlock()
		close(began)
		b.finish(execute())
	}()
	return <-b.end
}

// interpreted gives what runs a program in the interpreter.
func interpreted(cfg Config, in *interp.Interpreter, p *program, b *boxes) (execute func() error, err error) {
	info, pkg, files := p.check()
	if p.err != nil {
		return nil, p.err
	}
	m := &lower{shared: cfg.Places != nil, w: b.w, b: b, fset: p.fset, info: info, pkg: pkg, native: p.natives, built: cfg.Built, decls: map[types.Object]ast.Decl{}, exports: map[string]reflect.Value{}, byVal: map[string]string{},
		global: map[types.Object]string{}, kept: map[*types.Var]bool{}, taken: map[string]int{}, funcs: map[string]string{}, order: map[string]int{}, numbers: typeMap[int]{}, structs: b.structs}
	f := m.program(p, files)
	if m.err != nil {
		return nil, m.err
	}
	b.places.of(cfg.Places, int(p.main.anchor))
	if cfg.Risky != nil && cfg.Places == nil && (m.marks || b.w.words["Unlock"] || b.w.words["RUnlock"]) {
		cfg.Risky(func(goroutine int, places []int) string {
			pos := lookUp(places, goroutine, int(p.main.anchor))
			return cmp.Or(place(p.fset.Position(token.Pos(pos))), snippetName)
		})
	}
	_ = in.Use(interp.Exports{"bu//bu": m.exports})
	if cfg.Began != nil {
		cfg.Began(b.now)
	}
	prog, err := compile(in, f)
	if err != nil {
		return nil, err
	}
	return func() error {
		_, err := in.Execute(prog)
		var pe interp.Panic
		if errors.As(err, &pe) {
			err = b.failed(pe.Value)
		}
		return err
	}, nil
}

// stdout writes to whatever os.Stdout is at that moment.
type stdout struct{}

func (stdout) Write(b []byte) (int, error) { return os.Stdout.Write(b) }

// program writes out the file that yaegi runs.
func (m *lower) program(p *program, files []*ast.File) *ast.File {
	for n := range m.w.words {
		if p.w.interfaceWords[n] {
			m.b.wanted[n] = true
		}
	}
	for _, n := range []string{"String", "Error", "Format", "GoString", "MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText", "Unwrap", "Is", "As", "IsZero"} {
		m.b.wanted[n] = true
	}
	var inits []*types.Func
	for _, f := range files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				o := m.info.Defs[d.Name]
				if o == nil {
					continue
				}
				m.decls[o] = d
				m.b.funcs = append(m.b.funcs, d)
				m.helpers = m.helpers || strings.HasPrefix(place(m.fset.Position(d.Pos())), "helpers/")
				if d.Recv == nil && d.Name.Name == "init" {
					inits = append(inits, o.(*types.Func))
				}
				m.marks = m.marks || concurrent(d)
			case *ast.GenDecl:
				m.marks = m.marks || concurrent(d)
			}
		}
	}
	for _, n := range p.named {
		m.templates = m.templates || n[0] == "text/template"
	}
	m.marks = m.marks || m.shared // a goroutine's place is noted beside its number
	m.clears = m.recoversByValue(files)
	m.fn = &fn{names: map[types.Object]string{}, taken: map[string]int{}, order: -1, snippet: true}
	var body []ast.Stmt
	for _, i := range m.info.InitOrder {
		if slices.ContainsFunc(i.Lhs, func(v *types.Var) bool { return p.main.hoistedNames[v.Name()] && isGlobal(v) }) {
			continue
		}
		body = append(body, m.initial(i)...)
	}
	for _, f := range inits {
		body = append(body, &ast.ExprStmt{X: callOf(token.NoPos, m.funcName(f, nil))})
	}
	m.show = p.main.last
	if o, ok := m.pkg.Scope().Lookup(entry).(*types.Func); ok {
		body = append(body, &ast.ExprStmt{X: callOf(token.NoPos, m.funcName(o, nil))})
	}
	for len(m.queue) > 0 {
		q := m.queue[0]
		m.queue = m.queue[1:]
		q()
	}
	at, in := id("at"+globalMark+"0"), id("in"+globalMark+"0")
	m.out = append(m.out, &ast.GenDecl{Tok: token.VAR, Specs: []ast.Spec{&ast.ValueSpec{Names: []*ast.Ident{at, in}, Type: id("int")}}})
	m.prologue = append(m.prologue, &ast.ExprStmt{X: callOf(token.NoPos, m.useFunc("marks", m.b.marks), &ast.UnaryExpr{Op: token.AND, X: at}, &ast.UnaryExpr{Op: token.AND, X: in})})
	body = append(m.prologue, m.positioned(token.NoPos, body)...)
	decls := []ast.Decl{&ast.GenDecl{Tok: token.IMPORT, Specs: []ast.Spec{&ast.ImportSpec{Name: id("."), Path: &ast.BasicLit{Kind: token.STRING, Value: `"bu"`}}}}}
	slices.Reverse(m.out)
	sort.SliceStable(m.out, func(i, j int) bool { return rank(m.out[i]) < rank(m.out[j]) })
	decls = append(decls, m.out...)
	decls = append(decls, &ast.FuncDecl{Name: id("main"), Type: &ast.FuncType{Params: params()}, Body: block(body...)})
	return &ast.File{Package: p.main.anchor, Name: id("main"), Decls: decls} // yaegi needs the position of a file that has a name
}

// rank puts types and variables before functions, as yaegi likes them.
func rank(d ast.Decl) int {
	if g, ok := d.(*ast.GenDecl); ok {
		if g.Tok == token.TYPE {
			return 0
		}
		return 1
	}
	return 2
}

// concurrent says whether d may start goroutines, itself or in compiled code.
func concurrent(d ast.Node) (found bool) {
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			found = true
		case *ast.SelectorExpr:
			if n.Sel.Name == "Go" {
				found = true
			} else if x, ok := n.X.(*ast.Ident); ok && (x.Name == "http" || x.Name == "httptest" || x.Name == "iter" || x.Name == "time" && n.Sel.Name == "AfterFunc" || x.Name == "context" && n.Sel.Name == "AfterFunc") {
				found = true
			}
		}
		return !found
	})
	return
}

// initial gives package variables their first values.
func (m *lower) initial(i *types.Initializer) (out []ast.Stmt) {
	if len(i.Lhs) == 1 {
		return []ast.Stmt{m.mark(i.Rhs.Pos()), set(i.Rhs.Pos(), m.target(i.Lhs[0]), m.as(i.Rhs, i.Lhs[0].Type()))}
	}
	a := &ast.AssignStmt{Tok: token.DEFINE, TokPos: i.Rhs.Pos(), Rhs: []ast.Expr{m.expr(i.Rhs)}}
	tu, ok := m.info.TypeOf(i.Rhs).(*types.Tuple)
	if !ok {
		m.refuse(i.Rhs, "cannot run this declaration; use := in a function")
		return nil
	}
	for j, v := range i.Lhs {
		n := m.temp("t")
		a.Lhs = append(a.Lhs, id(n))
		out = append(out, set(i.Rhs.Pos(), m.target(v), m.convert(id(n), tu.At(j).Type(), v.Type())))
	}
	return append([]ast.Stmt{m.mark(i.Rhs.Pos()), a}, out...)
}

func (m *lower) target(v *types.Var) ast.Expr {
	if v.Name() == "_" {
		return id("_")
	}
	return m.ref(v.Pos(), v)
}

// compile turns yaegi's own panics into errors.
func compile(in *interp.Interpreter, f *ast.File) (p *interp.Program, err error) {
	debug := os.Getenv("BU_SCRIPT_DEBUG") != ""
	if !debug {
		log.SetOutput(io.Discard)
		defer log.SetOutput(os.Stderr)
		defer func() {
			if e := recover(); e != nil {
				err = &Error{Kind: Compile, Msg: "the interpreter cannot run this: " + unmarked(fmt.Sprint(e))}
			}
		}()
	} else {
		dump(f)
	}
	p, err = in.CompileAST(f)
	if err != nil {
		msg := err.Error()
		pos := ""
		if a, rest, ok := strings.Cut(msg, ": "); ok && strings.Count(a, ":") == 2 {
			pos, msg = a[:strings.LastIndexByte(a, ':')], rest
		}
		err = &Error{Kind: Compile, Pos: pos, Msg: "the interpreter cannot run this: " + unmarked(msg)}
	}
	return p, err
}

// failed is the error for a panic with v in this goroutine.
func (b *boxes) failed(v any) error {
	t := b.track()
	if !t.began && !samePanic(v, t.val) {
		t.begin(&b.panics)
	}
	v = plainPanic(v)
	e := &Error{Kind: Panic, Value: v, Msg: panicText(v)}
	if t.earlier != nil {
		e.Msg = strings.Join(t.earlier, "\n\t") + "\n\t" + e.Msg
	}
	e.Pos, e.Trace = b.told(t.atThen, t.inThen)
	if t.spot != nil && samePanic(t.spot.val, v) {
		e.Trace = fmt.Sprintf("\tin %s (%s:%d)", t.spot.name, t.spot.file, b.lineNow(t.spot))
	}
	return e
}

// told is what the error says about positions in a helper and in the snippet.
func (b *boxes) told(atPos, inPos int) (pos, trace string) {
	at, in := b.fset.Position(token.Pos(atPos)), b.fset.Position(token.Pos(inPos))
	pos = place(in)
	if inPos == 0 {
		pos = place(at)
	}
	if f := b.nameAt(token.Pos(atPos)); f != "" && at.Filename != in.Filename {
		trace = "\tin " + f + " (" + place(at) + ")"
	}
	return pos, trace
}

// panicText is v as Go prints the value of a panic, without the word that it puts before errors.
func panicText(v any) string {
	switch v.(type) {
	case error, fmt.Stringer:
		text := fmt.Sprint(v) // survives methods that panic
		if _, isError := v.(error); isError {
			return text
		}
		return "panic: " + text
	}
	kind := reflect.ValueOf(raw(v)).Kind()
	bx, boxed := open(v)
	switch basic := kind <= reflect.Complex128 || kind == reflect.String; {
	case boxed && bx.t.methods["String"].IsValid(), !boxed && basic:
		return fmt.Sprintf("panic: %v", v)
	case boxed && kind == reflect.String:
		return fmt.Sprintf("panic: %s(%q)", typeName(bx.t.t), bx.v)
	case boxed && basic:
		return fmt.Sprintf("panic: %s(%v)", typeName(bx.t.t), bx.v)
	}
	return fmt.Sprintf("panic: %#v", v)
}
