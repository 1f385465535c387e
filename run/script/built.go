package script

import (
	"fmt"
	"go/ast"
	"go/token"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"bu/run/script/symbols"
)

// Built is a package of helpers that was compiled into this program, and the text that
// it was compiled from. A helper runs compiled if its own declaration and all that it
// reaches in the package are the same in the folder in use, and neither the snippet nor
// a my*.go declares one of those names; all else is interpreted from the folder.
type Built struct {
	Path     string                                // of the package: "bu/helpers"
	Files    []string                              // their names
	Text     func(file string) string              // "" where there is no such file
	Uses     func(name string) (in, others string) // what Uses says of it
	Value    func(name string) any                 // a func, a pointer to a variable or a type as (*T)(nil); nil where it has none to call
	Packages map[string]func(name string) any      // the compiled packages that it stands on, by path
}

// Uses says of each name that a package declares in which files that is, and which names
// the declarations use and do not declare themselves, with spaces between them.
func Uses(files map[string]string) map[string][2]string {
	s, all := newSource(&program{fset: token.NewFileSet(), w: newWorld()}, ""), map[string][2]string{}
	for _, n := range slices.Sorted(mapKeys(files)) {
		s.index(cut(n, files[n]))
	}
	for name, chunks := range s.units {
		var in, others []string
		for _, c := range chunks {
			in, others = append(in, c.file.name), append(others, s.reach(c)...)
		}
		slices.Sort(others)
		all[name] = [2]string{strings.Join(slices.Compact(in), " "), strings.Join(slices.Compact(others), " ")}
	}
	return all
}

// isMine says whether a file of the folder is the model's own: a function there wins over a
// shipped one of its name.
func isMine(name string) bool { return strings.HasPrefix(filepath.Base(name), "my") }

// open reads the folder, which a run does only once it needs a name that neither the
// snippet nor Go declares, and looks closer at what differs from what was built in.
func (s *source) open() {
	if s.unread == "" {
		return
	}
	s.folder, s.unread = s.unread, ""
	was := func(string) string { return "" }
	if s.built != nil {
		was = s.built.Text
	}
	var err error
	if s.names, s.srcs, err = texts(s.folder, was); err != nil {
		s.fail(err)
	}
	if s.built == nil {
		s.read()
		return
	}
	now := map[string]string{}
	for i, n := range s.names {
		now[n] = s.srcs[i]
	}
	files := append(s.names[:len(s.names):len(s.names)], s.built.Files...)
	slices.Sort(files)
	for _, n := range slices.Compact(files) {
		text, there := now[n]
		before := was(n)
		if there && text == before {
			continue
		}
		if s.now == nil {
			s.now, s.was = newSource(&program{fset: s.fset, w: s.w}, ""), newSource(&program{fset: s.fset, w: s.w}, "")
		}
		if there {
			s.now.index(cut("helpers/"+n, text))
		}
		if before != "" {
			s.was.index(cut("helpers/"+n, before))
		}
	}
	for _, n := range []string{"init", "_"} { // what runs with every snippet
		if in, _ := s.built.Uses(n); s.now != nil && (in != "" || len(s.now.units[n]) > 0) {
			s.read()
		}
	}
}

// read files the declarations of the folder. It costs more than all else of 1+2, and a run
// that only needs what runs compiled does without.
func (s *source) read() {
	s.open()
	names, srcs := s.names, s.srcs
	s.names, s.srcs = nil, nil
	if names == nil {
		return
	}
	for i, n := range names {
		s.index(cut("helpers/"+n, srcs[i]))
	}
	for _, n := range []string{"init", "_"} {
		s.seen[n] = false
		s.need(n)
	}
}

// compiledAs is what runs compiled under a name, nil if that has to be interpreted.
func (s *source) compiledAs(name string) any {
	if s.built == nil {
		return nil
	}
	v := s.built.Value(name)
	if v == nil || !s.asBuilt(name) {
		return nil
	}
	return v
}

// asBuilt says whether a name, and all names that its declarations reach, mean what they
// meant when they were compiled.
func (s *source) asBuilt(name string) bool {
	if s.open(); s.now == nil && !s.replaces {
		return true
	}
	met := map[string]bool{name: true}
	for todo := []string{name}; len(todo) > 0; {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if s.proved[n] {
			continue
		}
		in, others := s.built.Uses(n)
		if s.own[n] && in != "" && !s.ownVars[n] { // a variable of the snippet does not replace a helper
			return false
		}
		if s.now != nil && !s.alike(n) {
			return false
		}
		for used := range strings.FieldsSeq(others) {
			if !met[used] {
				met[used] = true
				todo = append(todo, used)
			}
		}
	}
	for n := range met {
		s.proved[n] = true
	}
	return true
}

// alike says whether the files that differ declare a name as they did, packages that the
// declarations name included.
func (s *source) alike(name string) bool {
	now, was := s.now.units[name], s.was.units[name]
	if len(now) != len(was) {
		return false
	}
	for i := range now {
		if now[i].src != was[i].src {
			return false
		}
		imports := s.now.imports(now[i].file)
		for local, path := range s.was.imports(was[i].file) {
			if imports[local] != path && slices.Contains(s.was.reach(was[i]), local) {
				return false
			}
		}
	}
	return true
}

// reach gives the names that a declaration uses and does not declare itself.
func (s *source) reach(c *chunk) []string {
	if c.reach != nil {
		return c.reach
	}
	c.reach = []string{}
	for _, d := range s.parse(c) {
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr: // what is behind the dot is a field's or a package's
				ast.Inspect(n.X, func(n ast.Node) bool {
					if i, ok := n.(*ast.Ident); ok && i.Obj == nil {
						c.reach = append(c.reach, i.Name)
					}
					return true
				})
				return false
			case *ast.Ident:
				if n.Obj == nil {
					c.reach = append(c.reach, n.Name)
				}
			}
			return true
		})
	}
	return c.reach
}

// missing reports a helper that was built in but is not in the folder any more.
func (s *source) missing(name string) string {
	if s.built == nil || s.folder == "" || s.built.Value(name) == nil {
		return ""
	}
	in, _ := s.built.Uses(name)
	return fmt.Sprintf("; it was in %s, and is not in %s any more", in, s.folder)
}

// twice is the error for a name that the files of one kind declare more than once, nil if
// there is none: methods stand under their type's name and may be many.
func (s *source) twice(name string) error {
	var first *chunk
	for _, c := range s.units[name] {
		plain := c.kind != "func" || !strings.HasPrefix(strings.TrimLeft(c.src[len("func"):], " \t"), "(")
		if !plain || name == "init" || name == "_" || c.file.name == snippetName {
			continue
		}
		if first != nil {
			return &Error{Kind: Compile, Pos: fmt.Sprintf("%s:%d", c.file.name, c.line), Msg: fmt.Sprintf("%s is declared twice, also at %s:%d; keep one", name, first.file.name, first.line)}
		}
		first = c
	}
	return nil
}

// lookup is a symbol of a compiled package.
func (w *world) lookup(path, name string) (v reflect.Value) {
	if table := w.packages[path]; table != nil {
		if x := table(name); x != nil {
			v = nativeValue(x)
		}
		return v
	}
	if path == "runtime" && name == "TypeAssertionError" {
		return reflect.ValueOf((*TypeAssertionError)(nil))
	}
	if path == "sync/atomic" && name == "Value" { // which is in _std
		return v
	}
	return symbols.Lookup(path, name)
}

// known says whether there is a package of that path.
func (w *world) known(path string) bool {
	return w.packages[path] != nil || slices.Contains(symbols.Packages[:], path)
}

// pathOf is the path of the package that is called name without an import.
func (w *world) pathOf(name string) string {
	if p := symbols.Path(name); p != "" {
		return p
	}
	for path := range w.packages {
		if strings.HasSuffix(path, "/"+name) {
			return path
		}
	}
	return ""
}

// A spot is where compiled code panicked.
type spot struct {
	val        any
	name, file string
	line       int
}

// told makes a compiled helper record where it panics: its frames are gone once the
// interpreter has the panic.
func (m *lower) told(v reflect.Value) reflect.Value {
	if v.Kind() != reflect.Func || m.built == nil {
		return v
	}
	call := v.Call
	if v.Type().IsVariadic() {
		call = v.CallSlice
	}
	return reflect.MakeFunc(v.Type(), func(args []reflect.Value) []reflect.Value {
		defer m.b.passing(m.built.Path + ".")
		return call(args)
	})
}

// passing notes the innermost frame of a package (all its functions begin so) that a panic
// passes, and lets the panic go on.
func (p *panics) passing(prefix string) {
	v := recover()
	if v == nil {
		return
	}
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		f, more := frames.Next()
		if name, ok := strings.CutPrefix(f.Function, prefix); ok {
			name, _, _ = strings.Cut(name, ".") // a func literal's is click.func1
			name, _, _ = strings.Cut(name, "[")
			t := p.track()
			t.spot = &spot{v, name, "helpers/" + filepath.Base(f.File), f.Line}
			break
		}
		if !more {
			break
		}
	}
	panic(v)
}

// lineNow is where a line of the built-in text is in the folder now: the file may have been
// edited above it.
func (s *source) lineNow(at *spot) int {
	if s.now == nil {
		return at.line
	}
	for _, f := range s.was.files {
		for i, c := range f.chunks {
			if f.name != at.file || at.line < c.line || i+1 < len(f.chunks) && at.line >= f.chunks[i+1].line {
				continue
			}
			for _, now := range s.now.files {
				for _, c2 := range now.chunks {
					if now.name == f.name && c2.src == c.src {
						return at.line + c2.line - c.line
					}
				}
			}
		}
	}
	return at.line
}
