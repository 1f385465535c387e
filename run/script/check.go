package script

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/scanner"
	"go/token"
	"go/types"
	"iter"
	"path/filepath"
	"slices"
	"strings"
)

// check type-checks the program. Its errors are Go's own.
func (p *program) check() (*types.Info, *types.Package, []*ast.File) {
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Instances: map[*ast.Ident]types.Instance{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	for _, n := range p.named { // now all words are known
		p.w.declare(n[0], n[1])
	}
	p.info = info
	pkg := types.NewPackage("main", "main")
	for name, v := range p.natives {
		pkg.Scope().Insert(p.w.object(pkg, name, nativeValue(v)))
	}
	p.w.settle()
	for n := range p.ifaces {
		p.w.words[n] = true
	}
	var all []*ast.File
	checked := map[string]bool{}
	conf := types.Config{}
	run := func(s *source, pkg *types.Package) {
		files := s.astFiles()
		all = append(all, files...)
		conf := conf
		conf.Error = func(err error) { p.report(s, err) }
		_ = types.NewChecker(&conf, p.fset, pkg, info).Files(files)
	}
	conf.Importer = importer(func(path string) (*types.Package, error) {
		pkg := p.w.pkg(path)
		if s := p.pkgs[path]; s != nil && !checked[path] {
			checked[path] = true
			run(s, pkg)
		}
		return pkg, nil
	})
	run(p.main, pkg)
	return info, pkg, all
}

type importer func(path string) (*types.Package, error)

func (f importer) Import(path string) (*types.Package, error) { return f(path) }

// report keeps the first error that matters.
func (p *program) report(s *source, err error) {
	var e types.Error
	if !errors.As(err, &e) || e.Soft && !strings.HasPrefix(e.Msg, "func main must") || strings.HasPrefix(e.Msg, "\t") {
		return
	}
	if s.last != nil && s.last.Pos() <= e.Pos && e.Pos < s.last.End() && (strings.HasSuffix(e.Msg, "is not used") || strings.Contains(e.Msg, "use of untyped nil")) {
		return
	}
	if len(s.hoistedNames) > 0 && strings.HasPrefix(e.Msg, "initialization cycle") {
		return
	}
	msg := e.Msg
	if s == p.main && p.err == nil {
		msg += p.hints(e.Pos, msg)
	}
	pos := p.fset.Position(e.Pos)
	if pos.Filename != snippetName && p.err == nil {
		for _, name := range slices.Sorted(mapKeys(p.main.replaced)) {
			if slices.Contains(strings.FieldsFunc(msg, func(r rune) bool { return !word(byte(r)) }), name) {
				msg += fmt.Sprintf("; note that the snippet's %s replaces the helper of that name here too: %s", name, p.head(p.main.replaced[name]))
			}
		}
	}
	p.fail(&Error{Kind: Compile, Pos: place(pos), Msg: msg})
}

func place(p token.Position) string {
	if !p.IsValid() {
		return ""
	}
	file := cmp.Or(p.Filename, snippetName)                     // before its first token it has no name
	return fmt.Sprintf("%s:%d", filepath.ToSlash(file), p.Line) // go/scanner writes line directives' names the system's way
}

// syntax is a parser's error as ours.
func syntax(err error) error {
	var l scanner.ErrorList
	if errors.As(err, &l) && len(l) > 0 {
		return &Error{Kind: Compile, Pos: place(l[0].Pos), Msg: l[0].Msg}
	}
	return err
}

func mapKeys[K comparable, V any](m map[K]V) iter.Seq[K] {
	return func(yield func(K) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}
