package script

import (
	"bytes"
	"embed"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io"
	"log"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"bu/run/script/symbols"
	"github.com/traefik/yaegi/interp"
)

const snippetName = "snippet"

type runner struct {
	in    *interp.Interpreter
	fset  *token.FileSet
	units map[string][]*chunk                 // by name; methods by the name of their receiver's type
	seen  map[string]bool                     // names done
	pkgs  map[string]map[string]reflect.Value // local package name -> the symbols in use
	paths map[string]string                   // local package name -> import path
	out   []ast.Decl
	trace tracer
	tmp   int                // temporary variables made
	size  int                // of the snippet
	gen   map[string]*runner // generic packages in use
	plain bool               // do not show the value of the last expression
	err   error
}

// tracer takes the lines that yaegi prints when a panic passes a function.
type tracer struct {
	bytes.Buffer
	r  *runner
	at token.Pos // the last statement begun when the panic came
	in token.Pos // the same, in the snippet
}

func (t *tracer) Write(b []byte) (int, error) {
	g := t.r.in.Globals()
	if at := token.Pos(g["bu_at"].Int()); at != t.at { // another panic than before
		t.Reset()
		t.at, t.in = at, token.Pos(g["bu_in"].Int())
	}
	return t.Buffer.Write(b)
}

// Config says what a script stands on.
type Config struct {
	Dir    string         // folder of the helper files, read afresh
	Native map[string]any // replace the helpers' declarations of the same name: funcs, pointers to variables, types as (*T)(nil)
	Stderr io.Writer
}

// Kind is how a run ended.
type Kind int

const (
	Compile Kind = iota + 1 // it could not be compiled
	Panic                   // it panicked
	Exit                    // it called os.Exit
)

// Error is how a script failed.
type Error struct {
	Kind     Kind
	Pos      string // FILE:LINE
	Msg      string // without the position
	Value    any    // what it panicked with
	ExitCode int
	Trace    string // the functions that the panic passed, one a line
}

func (e *Error) Error() string {
	if e.Pos == "" {
		return e.Msg
	}
	return e.Pos + ": " + e.Msg
}

// Run interprets the snippet with the helpers of cfg.Dir.
func Run(cfg Config, snippet string) error {
	err := run(cfg, snippet, false)
	if err == errNoValue {
		err = run(cfg, snippet, true)
	}
	var e *Error
	if err != nil && !errors.As(err, &e) {
		err = &Error{Kind: Compile, Msg: err.Error()}
	}
	return err
}

var errNoValue = errors.New("the last expression has no value")

func run(cfg Config, src string, plain bool) error {
	dir := cfg.Dir
	r := &runner{plain: plain, gen: map[string]*runner{}, units: map[string][]*chunk{}, seen: map[string]bool{}, pkgs: map[string]map[string]reflect.Value{}, paths: map[string]string{}}
	r.trace.r = r
	r.size = len(src)
	r.in = interp.New(interp.Options{Unrestricted: true, Stderr: &r.trace})
	r.fset = r.in.FileSet()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return err
	}
	for _, n := range names {
		if strings.HasSuffix(n, "_test.go") {
			continue
		}
		b, err := os.ReadFile(n)
		if err != nil {
			return err
		}
		f := cut("helpers/"+filepath.Base(n), string(b))
		if !f.ok {
			if _, err := parser.ParseFile(r.fset, f.name, b, parser.SkipObjectResolution); err != nil {
				return syntax(err)
			}
		}
		r.index(f)
	}
	for n := range cfg.Native {
		delete(r.units, n)
	}

	f := cut(snippetName, src)
	body := []byte(src)
	for _, c := range f.chunks {
		for i := range c.src {
			if c.src[i] != '\n' {
				body[c.off+i] = ' '
			}
		}
	}
	r.index(f)
	main := r.parse(&chunk{file: f, src: "func main() {/*line " + snippetName + ":1:1*/" + string(body) + "\n}", line: 1, col: 1})
	if r.err != nil {
		return syntax(r.err)
	}
	m := main[0].(*ast.FuncDecl)
	if len(m.Body.List) > 0 || len(r.units["main"]) == 0 {
		r.closures(f, m)
		r.last(m.Body)
		r.add(f, m)
	}
	if os.Getenv("BU_ALL") != "" {
		for n := range r.units {
			r.need(n)
		}
	}
	for _, n := range []string{"init", "_", "main"} {
		r.need(n)
	}
	if r.err != nil {
		return syntax(r.err)
	}

	exports := interp.Exports{"bu/bu": {
		"bu_error": reflect.ValueOf((*error)(nil)),
		"bu_show":  reflect.ValueOf(show),
		"bu_fatal": reflect.ValueOf(r.fatal),
		"clear":    reflect.ValueOf(func(x any) { reflect.ValueOf(x).Clear() }),
	}}
	for n, v := range cfg.Native {
		exports["bu/bu"][n] = reflect.ValueOf(v)
		if x := exports["bu/bu"][n]; x.Kind() == reflect.Pointer && !x.IsNil() {
			exports["bu/bu"][n] = x.Elem()
		}
	}
	for name, m := range r.pkgs {
		p := r.paths[name]
		if path.Base(p) != name {
			p = "as/" + name
		}
		exports[p+"//"+name] = m
	}
	r.in.Use(exports)
	r.in.ImportUsed()
	late := interp.Exports{".": {"MapTypes": reflect.ValueOf(mapTypes())}}
	for _, p := range symbols.Packages {
		for _, name := range symbols.Wrappers(p) {
			k := p + "//" + path.Base(p)
			if late[k] == nil {
				late[k] = map[string]reflect.Value{}
			}
			late[k][name] = symbols.Lookup(p, name)
		}
	}
	r.in.Use(late)

	// yaegi is better at types and constants that come before their use.
	slices.SortStableFunc(r.out, func(a, b ast.Decl) int { return rank(a) - rank(b) })
	r.out = append([]ast.Decl{
		&ast.GenDecl{Tok: token.IMPORT, Specs: []ast.Spec{&ast.ImportSpec{Name: ast.NewIdent("."), Path: &ast.BasicLit{Kind: token.STRING, Value: `"bu"`}}}},
		&ast.GenDecl{Tok: token.VAR, Specs: []ast.Spec{&ast.ValueSpec{Names: []*ast.Ident{ast.NewIdent("bu_at"), ast.NewIdent("bu_in")}, Type: ast.NewIdent("int")}}},
	}, r.out...)
	for name, g := range r.gen {
		if _, err := g.compile(&ast.File{Package: m.Pos(), Name: ast.NewIdent(name), Decls: g.out}); err != nil {
			return err
		}
	}
	p, err := r.compile(&ast.File{Package: m.Pos(), Name: ast.NewIdent("main"), Decls: r.out})
	if err != nil {
		if !r.plain && strings.Contains(err.Error(), "cannot use func(") {
			return errNoValue
		}
		return err
	}
	_, err = r.in.Execute(p)
	var pe interp.Panic
	if errors.As(err, &pe) {
		return r.panicked(pe.Value)
	}
	return err
}

func rank(d ast.Decl) int {
	if g, ok := d.(*ast.GenDecl); ok {
		switch g.Tok {
		case token.TYPE:
			return 0
		case token.CONST:
			return 1
		}
		return 2
	}
	return 3
}

// panicked is the message for a panic: where, what, and the functions it passed.
func (r *runner) panicked(v any) error {
	msg := fmt.Sprint(v)
	if r.trace.Len() == 0 {
		r.trace.Write(nil)
	}
	pos, in := r.fset.Position(r.trace.at), r.fset.Position(r.trace.in)
	if e, ok := v.(error); ok && strings.HasPrefix(fmt.Sprintf("%T", e), "*interp.") {
		if i := strings.Index(msg, ": "); i > 0 {
			msg = msg[i+2:] // starts with a place of its own
		}
	}
	for _, w := range wording {
		if strings.HasPrefix(msg, w[0]) {
			msg = w[1]
		}
	}
	var calls []string
	for l := range strings.Lines(r.trace.String()) {
		at, fn, ok := strings.Cut(strings.TrimSpace(l), ": panic: main.")
		if !ok {
			continue
		}
		at = at[:strings.LastIndexByte(at, ':')] // FILE:LINE of the function
		if len(calls) == 0 {
			if !r.same(at, pos) { // the function had called others since its mark
				pos = in
				if !r.same(at, pos) {
					pos.Filename, _, _ = strings.Cut(at, ":")
					fmt.Sscan(at[len(pos.Filename)+1:], &pos.Line)
				}
			}
		}
		if fn = strings.TrimSuffix(fn, "(...)"); fn == "main" {
			at = fmt.Sprintf("%s:%d", in.Filename, in.Line)
		}
		calls = append(calls, fmt.Sprintf("\n\tin %s (%s)", fn, at))
	}
	if len(calls) > 10 {
		calls = slices.Replace(calls, 5, len(calls)-4, "\n\t...")
	}
	if in.IsValid() {
		pos = in // where the snippet was; the helpers' lines are in the trace
	}
	return &Error{Kind: Panic, Pos: fmt.Sprintf("%s:%d", pos.Filename, pos.Line), Msg: msg, Value: v, Trace: strings.TrimPrefix(strings.Join(calls, ""), "\n")}
}

// same says whether pos is in the function that has a statement at FILE:LINE.
func (r *runner) same(at string, pos token.Position) bool {
	f, line, _ := strings.Cut(at, ":")
	n, _ := strconv.Atoi(line)
	return r.decl(f, n) == r.decl(pos.Filename, pos.Line)
}

// decl is the smallest declaration around a line.
func (r *runner) decl(file string, line int) (found ast.Decl) {
	size := 1 << 30
	for _, d := range r.out {
		from, to := r.fset.Position(d.Pos()), r.fset.Position(d.End())
		if from.Filename == file && from.Line <= line && line <= to.Line && to.Line-from.Line < size {
			found, size = d, to.Line-from.Line
		}
	}
	return found
}

var wording = [][2]string{
	{"reflect: slice index out of range", "index out of range"},
	{"reflect: string index out of range", "index out of range"},
	{"reflect: call of reflect.Value.Field on zero Value", "nil pointer dereference"},
	{"reflect: call of reflect.Value.Elem on zero Value", "nil pointer dereference"},
	{"reflect.Set: value of type *interface {} is not assignable", "a call without a result is used as a value"},
}

func (r *runner) fatal(v any) {
	fmt.Fprintln(os.Stderr, r.panicked(v))
	os.Exit(1)
}

// compile turns yaegi's own panics into errors.
func (r *runner) compile(f *ast.File) (p *interp.Program, err error) {
	log.SetOutput(io.Discard)
	defer log.SetOutput(os.Stderr)
	defer func() {
		if os.Getenv("BU_DEBUG") != "" {
			return
		}
		if e := recover(); e != nil {
			err = fmt.Errorf("interpreter: %v", e)
			if e == "nil type" {
				err = errors.New("cannot tell the type of what a range loop goes over; loops over iterator functions, and some over integers, are not supported")
			}
		}
	}()
	return r.in.CompileAST(f)
}

func syntax(err error) error {
	var l scanner.ErrorList
	if errors.As(err, &l) && len(l) > 0 {
		return l[0]
	}
	return err
}

// index files the declarations of f by name; a later file's replace an
// earlier's.
func (r *runner) index(f *file) {
	mine := map[string]bool{}
	add := func(c *chunk, name string) {
		if !mine[name] && f.name == snippetName {
			delete(r.units, name)
		}
		mine[name] = true
		r.units[name] = append(r.units[name], c)
	}
	for _, c := range f.chunks {
		s := strings.TrimLeft(c.src[len(c.kind):], " \t")
		switch c.kind {
		case "func":
			name, _ := funcName(s)
			add(c, name)
		case "type", "var", "const":
			n := 0
			for n < len(s) && word(s[n]) {
				n++
			}
			t := strings.TrimLeft(s[n:], " \t")
			if n > 0 && !strings.HasPrefix(t, ",") {
				add(c, s[:n])
				continue
			}
			for _, d := range r.parse(c) { // several names: look closer
				for _, sp := range d.(*ast.GenDecl).Specs {
					switch sp := sp.(type) {
					case *ast.TypeSpec:
						add(c, sp.Name.Name)
					case *ast.ValueSpec:
						for _, n := range sp.Names {
							add(c, n.Name)
						}
					}
				}
			}
		}
	}
}

func (r *runner) parse(c *chunk) []ast.Decl {
	if c.decls != nil {
		return c.decls
	}
	f, err := parser.ParseFile(r.fset, "", fmt.Sprintf("package main;/*line %s:%d:%d*/%s", c.file.name, c.line, c.col, c.src), parser.SkipObjectResolution)
	if err != nil {
		if r.err == nil {
			r.err = err
		}
		return nil
	}
	c.decls = f.Decls
	return f.Decls
}

// need adds the declarations called name, and all they refer to, to the output.
func (r *runner) need(name string) {
	if r.seen[name] {
		return
	}
	r.seen[name] = true
	if (name == "min" || name == "max") && len(r.units[name]) == 0 {
		r.index(stdFile("builtin"))
	}
	for _, c := range r.units[name] {
		if c.done {
			continue
		}
		c.done = true
		for _, d := range r.parse(c) {
			r.add(c.file, d)
		}
	}
}

func (r *runner) add(f *file, d ast.Decl) {
	if r.gen != nil {
		r.rewrite(d)
	}
	ast.Inspect(d, func(n ast.Node) bool { return r.visit(f, n) })
	r.out = append(r.out, d) // after what it needs
}

func (r *runner) visit(f *file, n ast.Node) bool {
	switch n := n.(type) {
	case *ast.Ident:
		r.need(n.Name)
	case *ast.SelectorExpr:
		x, ok := n.X.(*ast.Ident)
		if !ok {
			ast.Inspect(n.X, func(n ast.Node) bool { return r.visit(f, n) })
		} else if len(r.units[x.Name]) > 0 {
			r.need(x.Name)
		} else {
			r.use(f, x.Name, n.Sel.Name)
		}
		return false
	}
	return true
}

// use makes symbol sel of the package that f calls name available.
func (r *runner) use(f *file, name, sel string) {
	if f.imports == nil {
		f.imports = map[string]string{}
		for _, c := range f.chunks {
			if c.kind == "import" {
				for _, d := range r.parse(c) {
					for _, s := range d.(*ast.GenDecl).Specs {
						s := s.(*ast.ImportSpec)
						p := strings.Trim(s.Path.Value, "\"`")
						n := strings.TrimSuffix(p, "/v2")
						n = n[strings.LastIndexByte(n, '/')+1:]
						if s.Name != nil {
							n = s.Name.Name
						}
						f.imports[n] = p
					}
				}
			}
		}
	}
	p := f.imports[name]
	if (p == "" || p == name) && r.generics(name, sel) {
		return
	}
	if p == "" {
		if p = symbols.Path(name); p == "" {
			return
		}
	}
	if r.pkgs[name] == nil {
		r.pkgs[name] = map[string]reflect.Value{}
		r.paths[name] = p
	}
	if !slices.Contains(symbols.Packages[:], p) && r.err == nil {
		r.err = fmt.Errorf("%s: package %q is not built in", f.name, p)
	}
	if v := symbols.Lookup(p, sel); v.IsValid() {
		r.pkgs[name][sel] = v
	}
}

// generic packages cannot be compiled in; ours are interpreted when used.
//
//go:embed std
var std embed.FS

// generics makes sel of the generic package name available, if it is one.
func (r *runner) generics(name, sel string) bool {
	switch name {
	case "slices", "maps", "cmp":
	default:
		return false
	}
	g := r.gen[name]
	if g == nil {
		g = &runner{plain: true, fset: r.fset, in: r.in, pkgs: r.pkgs, paths: r.paths, units: map[string][]*chunk{}, seen: map[string]bool{}}
		g.index(stdFile(name))
		r.gen[name] = g
	}
	g.need(sel)
	return true
}

func stdFile(name string) *file {
	b, _ := std.ReadFile("std/" + name + "/" + name + ".go")
	return cut("std/"+name+".go", string(b))
}

// decls parses the declarations called name.
func (r *runner) decls(name string) (out []ast.Decl) {
	for _, c := range r.units[name] {
		out = append(out, r.parse(c)...)
	}
	return out
}

// last shows the value of the last statement if it is an expression.
func (r *runner) last(b *ast.BlockStmt) {
	if len(b.List) == 0 || r.plain {
		return
	}
	e, ok := b.List[len(b.List)-1].(*ast.ExprStmt)
	if !ok {
		return
	}
	switch n := r.values(e.X); n {
	case 0:
	case 1: // yaegi only sees methods such as String on what is not a call
		b.List[len(b.List)-1] = assign(token.DEFINE, e.Pos(), "bu_v", e.X)
		b.List = append(b.List, &ast.ExprStmt{X: call(e.Pos(), "bu_show", ast.NewIdent("bu_v"))})
	default:
		e.X = call(e.Pos(), "bu_show", e.X)
	}
}

func call(pos token.Pos, f string, arg ast.Expr) *ast.CallExpr {
	return &ast.CallExpr{Fun: &ast.Ident{NamePos: pos, Name: f}, Lparen: pos, Args: []ast.Expr{arg}, Rparen: pos}
}

// values is how many values x has, 2 standing for some or unknown.
func (r *runner) values(x ast.Expr) int {
	c, ok := x.(*ast.CallExpr)
	if !ok {
		return 1
	}
	switch f := c.Fun.(type) {
	case *ast.Ident:
		for _, d := range r.decls(f.Name) {
			if d, ok := d.(*ast.FuncDecl); ok && d.Recv == nil {
				return min(2, d.Type.Results.NumFields())
			}
		}
		switch f.Name {
		case "panic", "print", "println", "close", "delete", "clear":
			return 0
		case "cdp", "len", "cap", "append", "string", "int", "float64", "min", "max":
			return 1
		}
	case *ast.SelectorExpr:
		if p, ok := f.X.(*ast.Ident); ok && len(r.units[p.Name]) == 0 {
			if v := symbols.Lookup(symbols.Path(p.Name), f.Sel.Name); v.Kind() == reflect.Func {
				if v.Type().NumOut() == 0 || p.Name == "fmt" && strings.HasPrefix(f.Sel.Name, "Print") {
					return 0
				}
			}
		}
	}
	return 2
}

func show(v ...any) {
	for _, x := range v {
		switch x := x.(type) {
		case nil:
		case string:
			fmt.Println(x)
		case error, fmt.Stringer:
			fmt.Println(x)
		default:
			if b, err := json.Marshal(x); err == nil {
				fmt.Println(string(b))
			} else {
				fmt.Println(x)
			}
		}
	}
}

func mapTypes() map[reflect.Value][]reflect.Type {
	mt := []reflect.Type{reflect.TypeFor[fmt.Formatter](), reflect.TypeFor[error](), reflect.TypeFor[fmt.Stringer]()}
	m := map[reflect.Value][]reflect.Type{}
	for _, f := range []any{fmt.Errorf, fmt.Fprint, fmt.Fprintf, fmt.Fprintln, fmt.Print, fmt.Printf, fmt.Println, fmt.Sprint, fmt.Sprintf, fmt.Sprintln, show} {
		m[reflect.ValueOf(f)] = mt
	}
	js := []reflect.Type{reflect.TypeFor[json.Marshaler](), reflect.TypeFor[encoding.TextMarshaler]()}
	m[reflect.ValueOf(json.Marshal)], m[reflect.ValueOf(json.MarshalIndent)] = js, js
	m[reflect.ValueOf(json.Unmarshal)] = []reflect.Type{reflect.TypeFor[json.Unmarshaler](), reflect.TypeFor[encoding.TextUnmarshaler]()}
	return m
}
