package script

import (
	"cmp"
	"embed"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// The generic packages of the standard library, and the generic part of others, cannot
// be compiled in; they are interpreted when used.
//
//go:embed _std/*.go
var std embed.FS

var stdFiles = map[string]string{"cmp": "cmp", "iter": "iter", "maps": "maps", "slices": "slices", "sync": "sync", "sync/atomic": "atomic", "errors": "errors", "reflect": "reflect", "math/rand/v2": "rand"}

// A source is a package of which only what is needed is parsed and run.
type source struct {
	*program
	path     string
	units    map[string][]*chunk // by name; methods by the name of their receiver's type
	seen     map[string]bool     // names done
	own      map[string]bool     // names that the snippet declares
	ownVars  map[string]bool     // those of them that are variables of its statements
	replaced map[string]*chunk   // what the helpers declare by these names
	files    []*file

	unread      string          // the folder of the helpers, as long as nothing needs them
	folder      string          // the same, once it has been read
	names, srcs []string        // its files, until their declarations are filed
	replaces    bool            // the snippet declares functions or types by names that were built in
	now, was    *source         // of files that differ from what was built in: as they are, as they were
	proved      map[string]bool // names that mean what they meant then

	anchor       token.Pos       // somewhere in the snippet
	last         ast.Stmt        // of the snippet, if it is an expression
	hoistedNames map[string]bool // variables of main at package level
}

// A program is the snippet, the helpers it reaches, and the interpreted packages.
type program struct {
	fset    *token.FileSet
	w       *world
	main    *source
	pkgs    map[string]*source // interpreted packages
	ifaces  map[string]bool    // names of the methods of the script's interfaces
	built   *Built
	natives map[string]any // what runs compiled, by name, as far as it is needed
	info    *types.Info    // of the check
	named   [][2]string    // symbols of compiled packages, by path and name
	err     error
}

func (p *program) fail(err error) {
	if p.err == nil {
		p.err = err
	}
}

func newSource(p *program, path string) *source {
	return &source{program: p, path: path, units: map[string][]*chunk{}, seen: map[string]bool{}, own: map[string]bool{}, replaced: map[string]*chunk{}, proved: map[string]bool{}, ownVars: map[string]bool{}}
}

// foreign says whether name can only be a helper's. Go's own types and constants and
// its commonest functions cannot be names of helpers.
func (s *source) foreign(name string) bool {
	switch name {
	case "_", "init", "append", "cap", "close", "copy", "delete", "len", "make", "new", "panic", "recover":
		return false
	}
	o := types.Universe.Lookup(name)
	_, function := o.(*types.Builtin)
	return len(s.units[name]) == 0 && (o == nil || function)
}

// index files the declarations of f by name; the snippet's replace the helpers'.
func (s *source) index(f *file) {
	s.files = append(s.files, f)
	add := func(c *chunk, name string) {
		shared := name == "init" || name == "_"
		switch before := s.units[name]; {
		case shared:
		case f.name == snippetName:
			s.own[name] = true
			s.replaces = s.replaces || s.built != nil && s.built.Value(name) != nil
		case s.own[name]:
			s.replaced[name] = c
			return
		case len(before) > 0 && isMine(before[0].file.name) && !isMine(f.name):
			return
		case len(before) > 0 && isMine(f.name) && !isMine(before[0].file.name):
			s.units[name] = nil
		}
		s.units[name] = append(s.units[name], c)
	}
	for _, c := range f.chunks {
		t := strings.TrimLeft(c.src[len(c.kind):], " \t")
		switch c.kind {
		case "func":
			name, _ := funcName(t)
			add(c, name)
		case "type", "var", "const":
			n := 0
			for n < len(t) && word(t[n]) {
				n++
			}
			if n > 0 && !strings.HasPrefix(strings.TrimLeft(t[n:], " \t"), ",") {
				add(c, t[:n])
				continue
			}
			for _, n := range declared(s.parse(c)) { // several names: look closer
				add(c, n)
			}
		}
	}
}

func declared(ds []ast.Decl) (names []string) {
	for _, d := range ds {
		g, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, sp := range g.Specs {
			switch sp := sp.(type) {
			case *ast.TypeSpec:
				names = append(names, sp.Name.Name)
			case *ast.ValueSpec:
				for _, n := range sp.Names {
					names = append(names, n.Name)
				}
			}
		}
	}
	return names
}

func (s *source) parse(c *chunk) []ast.Decl {
	if c.decls != nil || c.bad != nil {
		return c.decls
	}
	f, err := s.parseText(c.file.name, c.line, c.col, c.src)
	if err != nil {
		c.bad = err
		return nil
	}
	c.decls = f.Decls
	return f.Decls
}

func (s *source) parseText(name string, line, col int, src string) (*ast.File, error) {
	return s.parseRaw("package main;/*line " + name + ":" + strconv.Itoa(line) + ":" + strconv.Itoa(col) + "*/" + src)
}

// parseRaw has the parser tell which names are variables of a function: those are
// identifiers with an Obj.
func (s *source) parseRaw(src string) (*ast.File, error) {
	return parser.ParseFile(s.fset, "", src, 0)
}

// need takes in the declarations called name, and all they refer to.
func (s *source) need(name string) {
	s.w.words[name] = true
	if s.seen[name] {
		return
	}
	s.seen[name] = true
	if s != s.main && len(s.units[name]) == 0 { // of the compiled part of its package
		s.named = append(s.named, [2]string{s.path, name})
		return
	}
	if s.foreign(name) {
		s.open()
		if v := s.compiledAs(name); v != nil {
			s.natives[name] = v
			return
		}
		s.read()
	} else if len(s.units[name]) > 0 && !s.own[name] {
		if v := s.compiledAs(name); v != nil {
			s.natives[name] = v
			return
		}
	}
	if err := s.twice(name); err != nil {
		s.fail(err)
	}
	for _, c := range s.units[name] {
		if c.done {
			continue
		}
		c.done = true
		ds := s.parse(c)
		if c.bad != nil {
			s.fail(syntax(c.bad))
		}
		for _, d := range ds {
			s.add(c.file, d)
		}
	}
}

func (s *source) add(f *file, d ast.Decl) {
	f.out = append(f.out, d)
	ast.Inspect(d, func(n ast.Node) bool { return s.visit(f, n) })
}

func (s *source) visit(f *file, n ast.Node) bool {
	switch n := n.(type) {
	case *ast.Ident:
		if n.Obj != nil { // a variable or a label of the function
			s.w.words[n.Name] = true
			break
		}
		s.need(n.Name)
	case *ast.InterfaceType:
		for _, m := range n.Methods.List {
			for _, i := range m.Names {
				s.ifaces[i.Name] = true
			}
		}
	case *ast.SelectorExpr:
		x, ok := n.X.(*ast.Ident)
		if ok && x.Obj == nil && f.name == snippetName && len(s.units[x.Name]) == 0 && s.importable(f, x.Name) == "" && s.foreign(x.Name) {
			s.read()
		}
		if ok && len(s.units[x.Name]) == 0 {
			s.w.words[n.Sel.Name], s.w.words[x.Name] = true, true
			s.uses(f, x.Name, n.Sel)
			return false
		}
		ast.Inspect(n.X, func(n ast.Node) bool { return s.visit(f, n) })
		s.w.words[n.Sel.Name] = true
		return false
	}
	return true
}

// importable is the path of the package that f may call name, "" if there is none.
func (s *source) importable(f *file, name string) string {
	p := s.imports(f)[name]
	if p == "" {
		p = s.w.pathOf(name)
	}
	if p == "" && stdFiles[name] != "" {
		p = name
	}
	return p
}

// uses makes symbol sel of the package that f calls name known.
func (s *source) uses(f *file, name string, sel *ast.Ident) {
	p := s.importable(f, name)
	if p == "" {
		return
	}
	s.named = append(s.named, [2]string{p, sel.Name})
	if stdFiles[p] != "" && !s.w.lookup(p, sel.Name).IsValid() {
		g := s.pkgs[p]
		if g == nil {
			g = newSource(s.program, p)
			b, _ := std.ReadFile("_std/" + stdFiles[p] + ".go")
			g.index(cut("std/"+stdFiles[p]+".go", string(b)))
			s.pkgs[p] = g
		}
		g.need(sel.Name)
	}
	if f.used == nil {
		f.used = map[string]string{}
	}
	f.used[name] = p
}

// instead says what does the work of packages that are left out.
var instead = map[string]string{
	"html/template": "use text/template, with its function html where a value is no HTML",
	"encoding/gob":  "use encoding/json",
	"database/sql":  "keep data in a map, or in a file with encoding/json",
	"testing":       "compare with if, and panic with what differs",
}

// imports are the packages that f names itself.
func (s *source) imports(f *file) map[string]string {
	if f.imports != nil {
		return f.imports
	}
	f.imports = map[string]string{}
	for _, c := range f.chunks {
		if c.kind != "import" {
			continue
		}
		for _, d := range s.parse(c) {
			for _, sp := range d.(*ast.GenDecl).Specs {
				i := sp.(*ast.ImportSpec)
				p, _ := strconv.Unquote(i.Path.Value)
				n := strings.TrimSuffix(p, "/v2")
				n = n[strings.LastIndexByte(n, '/')+1:]
				if i.Name != nil {
					n = i.Name.Name
				}
				if !s.w.known(p) && stdFiles[p] == "" {
					s.fail(&Error{Kind: Compile, Pos: place(s.fset.Position(i.Pos())), Msg: "package " + strconv.Quote(p) + " is not built in; " + cmp.Or(instead[p], "scripts have the common packages of the standard library")})
				}
				f.imports[n] = p
			}
		}
		if c.bad != nil {
			s.fail(syntax(c.bad))
		}
	}
	return f.imports
}

// astFiles are the needed declarations, by file, with the imports they need.
func (s *source) astFiles() (out []*ast.File) {
	for _, f := range s.files {
		if len(f.out) == 0 {
			continue
		}
		a := &ast.File{Package: f.out[0].Pos(), Name: ast.NewIdent(s.w.pkg(s.path).Name()), FileStart: f.out[0].Pos(), FileEnd: f.out[len(f.out)-1].End()}
		for _, name := range slices.Sorted(mapKeys(f.used)) {
			if s.pkgs[f.used[name]] == nil && len(s.w.pkg(f.used[name]).Scope().Names()) == 0 {
				s.w.pkg(f.used[name]) // known, though nothing of it is
			}
			a.Decls = append(a.Decls, &ast.GenDecl{Tok: token.IMPORT, TokPos: a.Package, Specs: []ast.Spec{&ast.ImportSpec{Name: &ast.Ident{NamePos: a.Package, Name: name}, Path: &ast.BasicLit{ValuePos: a.Package, Kind: token.STRING, Value: strconv.Quote(f.used[name])}}}})
		}
		a.Decls = append(a.Decls, f.out...)
		out = append(out, a)
	}
	return out
}
