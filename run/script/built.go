package script

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
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
	Path     string                              // of the package: "bu/helpers"
	Text     func() map[string]string            // its files, by name
	Value    func(name string) any               // a func, a pointer to a variable or a type as (*T)(nil); nil where it has none to call
	Where    func(name string) (in, uses string) // see Declarations; "" for what it does not declare
	Packages map[string]func(name string) any    // the compiled packages that it stands on, by path
}

// Declarations gives, for each name that a package's files declare, the files that do and the
// names that those declarations use and do not declare themselves; both as words of a text.
func Declarations(text map[string]string) map[string][2]string {
	all := indexed(&program{fset: token.NewFileSet(), w: newWorld()}, text)
	found := map[string][2]string{}
	for name, chunks := range all.units {
		in, uses := map[string]bool{}, map[string]bool{}
		for _, c := range chunks {
			in[filepath.Base(c.file.name)] = true
			for _, n := range all.reach(c) {
				uses[n] = true
			}
		}
		found[name] = [2]string{strings.Join(slices.Sorted(mapKeys(in)), " "), strings.Join(slices.Sorted(mapKeys(uses)), " ")}
	}
	return found
}

// indexed is a package of such files.
func indexed(p *program, text map[string]string) *source {
	s := newSource(p, "")
	for _, n := range slices.Sorted(mapKeys(text)) {
		s.index(cut("helpers/"+n, text[n]))
	}
	return s
}

// isMine says whether a file of the folder is the model's own: a function there wins over a
// shipped one of its name.
func isMine(name string) bool { return strings.HasPrefix(filepath.Base(name), "my") }

// open reads the folder, which a run does only once it needs a name that neither the snippet
// nor Go declares, and files the declarations of what is not as it was built in.
func (s *source) open() {
	if s.unread == "" {
		return
	}
	s.folder, s.unread = s.unread, ""
	names, srcs, err := texts(s.folder)
	if err != nil {
		s.fail(err)
	}
	s.unfiled, s.changed = map[string]string{}, map[string]bool{}
	var text map[string]string
	if s.built != nil {
		text = s.built.Text()
	}
	for i, n := range names {
		n = filepath.Base(n)
		was, known := text[n]
		s.unfiled[n], s.changed[n] = srcs[i], !known || was != srcs[i]
	}
	for n := range text {
		if _, there := s.unfiled[n]; !there {
			s.changed[n] = true
		}
	}
	for _, n := range slices.Sorted(mapKeys(s.changed)) {
		if s.changed[n] {
			s.touched = true
			s.take(n)
		}
	}
}

// take files the declarations of one file of the folder.
func (s *source) take(name string) {
	text, left := s.unfiled[name]
	if !left {
		return
	}
	delete(s.unfiled, name)
	s.index(cut("helpers/"+name, text))
	for _, n := range []string{"init", "_"} {
		s.seen[n] = false
		s.need(n)
	}
}

// read files the declarations of the whole folder. It costs more than all else of 1+2, and a
// run that only needs what runs compiled does without.
func (s *source) read() {
	s.open()
	for _, n := range slices.Sorted(mapKeys(s.unfiled)) {
		s.take(n)
	}
}

// find files the declarations of a name: those of the files that it was built from, all of
// the others being changed, and so filed; or of all, where nothing was built in.
func (s *source) find(name string) {
	in, _ := s.where(name)
	if in == "" {
		s.read()
	}
	for n := range strings.FieldsSeq(in) {
		s.take(n)
	}
}

// where is Built's.
func (s *source) where(name string) (in, uses string) {
	if s.built == nil {
		return "", ""
	}
	if once, _ := s.built.Where("init"); once != "" { // which has to run
		s.read()
	}
	return s.built.Where(name)
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
	if !s.touched && !s.replaces {
		return true
	}
	met := map[string]bool{name: true}
	for todo := []string{name}; len(todo) > 0; {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if s.proved[n] {
			continue
		}
		if !s.alike(n) {
			return false
		}
		_, uses := s.where(n)
		for used := range strings.FieldsSeq(uses) {
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

// alike says whether a name's own declarations are the same in the folder as they were,
// packages that they name included.
func (s *source) alike(name string) bool {
	in, _ := s.where(name)
	if s.own[name] {
		if in == "" || !s.ownVars[name] { // a variable of the snippet takes no helper's place
			return in == ""
		}
		s.find(name)
	}
	now, same := s.units[name], true
	if s.own[name] {
		now = []*chunk{s.replaced[name]}
	}
	for n := range strings.FieldsSeq(in) {
		same = same && !s.changed[n]
	}
	for _, c := range now {
		same = same && c != nil && !s.changed[filepath.Base(c.file.name)]
	}
	if same {
		return true
	}
	was := s.asItWas().units[name]
	if len(now) != len(was) {
		return false
	}
	for i := range now {
		if now[i] == nil || now[i].src != was[i].src {
			return false
		}
		imports := s.imports(now[i].file)
		for local, path := range s.was.imports(was[i].file) {
			if imports[local] != path && slices.Contains(s.was.reach(was[i]), local) {
				return false
			}
		}
	}
	return true
}

// asItWas is what was built in of the files that have changed since.
func (s *source) asItWas() *source {
	if s.was == nil {
		text := maps.Clone(s.built.Text())
		maps.DeleteFunc(text, func(n, _ string) bool { return !s.changed[n] })
		s.was = indexed(&program{fset: s.fset, w: s.w}, text)
	}
	return s.was
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

// missing tells of a helper that was built in but is not in the folder any more.
func (s *source) missing(name string) string {
	if s.built == nil || s.folder == "" || s.built.Value(name) == nil {
		return ""
	}
	for file, text := range s.built.Text() {
		for _, c := range cut(file, text).chunks {
			if n, _ := funcName(c.src[len(c.kind):]); c.kind == "func" && n == name {
				return fmt.Sprintf("; it was in %s, and is not in %s any more", file, s.folder)
			}
		}
	}
	return ""
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

// told makes a compiled helper note where it panics: its frames are gone once the
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

// lineNow is where a line of what was built in stands in the folder: the file may have been
// edited above it.
func (s *source) lineNow(at *spot) int {
	if !s.changed[filepath.Base(at.file)] {
		return at.line
	}
	for _, f := range s.asItWas().files {
		for i, c := range f.chunks {
			if f.name != at.file || at.line < c.line || i+1 < len(f.chunks) && at.line >= f.chunks[i+1].line {
				continue
			}
			for _, now := range s.files {
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
