package script

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"bu/run/script/symbols"
)

// hints says, for an error of the type checker at pos, what may have been meant.
func (p *program) hints(pos token.Pos, msg string) string {
	if strings.HasSuffix(msg, "is not used") {
		if x := p.expressionAt(pos); x != nil {
			return "; only the value of the last line is printed by itself: fmt.Println(" + types.ExprString(x) + ") prints this one"
		}
	}
	if !strings.HasPrefix(msg, "undefined: ") {
		if hint := p.unpacked(pos); hint != "" {
			return hint
		}
	}
	sel := p.selectorAt(pos)
	if name, ok := strings.CutPrefix(msg, "undefined: "); ok {
		if path, name, ok := strings.Cut(name, "."); ok {
			return didYouMean(p.nearestMember(path, name))
		}
		if sel != nil {
			if hint := p.nearestPackage(name, sel.Sel.Name); hint != "" {
				return didYouMean(hint)
			}
		}
		limit := len(name)/2 + 1
		if sel != nil { // it is more often the name of a package that does not exist
			limit = 2 + len(name)/6
		}
		return p.main.missing(name) + didYouMean(p.nearest(name, limit)) + p.broken()
	}
	if sel != nil && strings.Contains(msg, " has no field or method ") && !strings.Contains(msg, ", but does have ") {
		if t := p.info.TypeOf(sel.X); t != nil && strings.HasPrefix(strings.ToLower(sel.Sel.Name), "len") && hasLen(t) {
			return didYouMean("len(" + types.ExprString(sel.X) + ")")
		}
		return didYouMean(closest(sel.Sel.Name, len(sel.Sel.Name)/2+1, p.members(p.info.TypeOf(sel.X))))
	}
	return ""
}

// hasLen says whether Go's len takes a t.
func hasLen(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Info()&types.IsString != 0
	case *types.Slice, *types.Map, *types.Array, *types.Chan:
		return true
	}
	return false
}

func didYouMean(hint string) string {
	if hint == "" {
		return ""
	}
	return "; did you mean: " + hint
}

// broken names the files that could not be read and in which a name may be.
func (p *program) broken() (s string) {
	for _, f := range p.main.files {
		if !f.ok || len(f.chunks) == 0 && f.name != snippetName {
			if _, err := p.main.parseRaw("/*line " + f.name + ":1:1*/" + f.src); err != nil {
				s += fmt.Sprintf("; note that %s is broken: %v", f.name, syntax(err))
			}
		}
	}
	return s
}

// inspect visits what is taken in of the snippet and the helpers.
func (p *program) inspect(visit func(ast.Node)) {
	for _, f := range p.main.files {
		for _, d := range f.out {
			ast.Inspect(d, func(n ast.Node) bool { visit(n); return true })
		}
	}
}

// selectorAt is the x.y with x or y at pos.
func (p *program) selectorAt(pos token.Pos) (found *ast.SelectorExpr) {
	p.inspect(func(n ast.Node) {
		if x, ok := n.(*ast.SelectorExpr); ok && (x.Sel.Pos() == pos || x.X.Pos() == pos) {
			if _, plain := x.X.(*ast.Ident); plain || x.Sel.Pos() == pos {
				found = x
			}
		}
	})
	return
}

// expressionAt is the statement at pos that is only an expression.
func (p *program) expressionAt(pos token.Pos) (found ast.Expr) {
	p.inspect(func(n ast.Node) {
		if x, ok := n.(*ast.ExprStmt); ok && x.Pos() <= pos && pos < x.End() {
			found = x.X
		}
	})
	return
}

// nearest is what is called most like name: the declaration of a helper, a variable of the
// snippet, or one of Go's own names. A helper that begins with the same word will do.
func (p *program) nearest(name string, limit int) string {
	p.main.read()
	names := types.Universe.Names()
	for n := range p.main.units {
		if n != "init" && n != "_" && n != "main" && n != name {
			names = append(names, n)
		}
	}
	p.inspect(func(n ast.Node) {
		if i, ok := n.(*ast.Ident); ok && i.Obj != nil && p.fset.Position(i.Pos()).Filename == snippetName {
			names = append(names, i.Name)
		}
	})
	hint := closest(name, limit, names)
	if first := firstWord(name); hint == "" && len(first) >= 4 {
		for _, n := range names {
			if firstWord(n) == first && (hint == "" || distance(name, n) < distance(name, hint)) {
				hint = n
			}
		}
	}
	if cs := p.main.units[hint]; len(cs) > 0 {
		return p.head(cs[0])
	}
	return hint
}

// firstWord is page of pageInfo.
func firstWord(name string) string {
	if i := strings.IndexFunc(name, unicode.IsUpper); i > 0 {
		return name[:i]
	}
	return name
}

// closest is the name that is most like name, "" if limit letters or more must change.
func closest(name string, limit int, names []string) (hint string) {
	slices.Sort(names)
	best := limit
	for _, n := range names {
		if d := distance(strings.ToLower(name), strings.ToLower(n)); d < best {
			best, hint = d, n
		}
	}
	return hint
}

// nearestPackage is name.member with the package that is called most like name and has it.
func (p *program) nearestPackage(name, member string) string {
	var names []string
	for _, path := range append(slices.Collect(mapKeys(stdFiles)), symbols.Packages[:]...) {
		short := path[strings.LastIndexByte(path, '/')+1:]
		at := p.w.pathOf(short)
		if at == "" {
			at = path
		}
		if p.has(at, member) && distance(name, short) < 2+len(name)/6 {
			names = append(names, short)
		}
	}
	if hint := closest(name, 2+len(name)/6, names); hint != "" {
		return hint + "." + member
	}
	return ""
}

// has says whether the package at path has a symbol called name.
func (p *program) has(path, name string) bool {
	return p.w.lookup(path, name).IsValid() || slices.Contains(p.interpretedNames(path), name)
}

// interpretedNames are the names of what a package has in _std.
func (p *program) interpretedNames(path string) (names []string) {
	if stdFiles[path] == "" {
		return nil
	}
	text, _ := std.ReadFile("_std/" + stdFiles[path] + ".go")
	g := newSource(p, path)
	g.index(cut("std/"+stdFiles[path]+".go", string(text)))
	for n := range g.units {
		if ast.IsExported(n) {
			names = append(names, n)
		}
	}
	return names
}

// nearestMember is the symbol of the package called short that is written most like name,
// or the symbol of that name in another package.
func (p *program) nearestMember(short, name string) string {
	path := p.w.pathOf(short)
	for _, f := range p.main.files {
		if f.imports[short] != "" {
			path = f.imports[short]
		}
	}
	if path == "" {
		path = short
	}
	interpreted := p.interpretedNames(path)
	capital := strings.ToUpper(name[:1]) + name[1:]
	one := misspelt(capital)
	for _, n := range append([]string{capital}, one...) {
		if n != name && (p.w.lookup(path, n).IsValid() || slices.Contains(interpreted, n)) {
			return short + "." + n
		}
	}
	if p.has(path+"/v2", capital) {
		return short + "." + capital + ` of import "` + path + `/v2"`
	}
	for _, n := range one { // Uper for ToUpper
		if p.w.lookup(path, "To"+n).IsValid() {
			return short + ".To" + n
		}
	}
	for _, other := range append(slices.Sorted(mapKeys(stdFiles)), symbols.Packages[:]...) {
		if at := other[strings.LastIndexByte(other, '/')+1:]; other != path && (p.w.pathOf(at) == other || stdFiles[at] != "") && p.has(other, capital) {
			return at + "." + capital
		}
	}
	if hint := closest(name, len(name)/2+1, interpreted); hint != "" {
		return short + "." + hint
	}
	for _, near := range one {
		for _, n := range misspelt(near) {
			if p.w.lookup(path, n).IsValid() {
				return short + "." + n
			}
		}
	}
	return ""
}

// misspelt are the names that name may have been written for: first those with a letter
// that it lacks, then with two letters the other way round, another letter, one less.
func misspelt(name string) []string {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	var lacking, turned, wrong, more []string
	for i := range len(name) + 1 {
		for _, c := range letters {
			lacking = append(lacking, name[:i]+string(c)+name[i:])
			if i < len(name) {
				wrong = append(wrong, name[:i]+string(c)+name[i+1:])
			}
		}
		if i+1 < len(name) {
			turned = append(turned, name[:i]+name[i+1:i+2]+name[i:i+1]+name[i+2:])
		}
		if i < len(name) {
			more = append(more, name[:i]+name[i+1:])
		}
	}
	return slices.Concat(lacking, turned, wrong, more)
}

// members are the names of the fields and methods of t.
func (p *program) members(t types.Type) (names []string) {
	if t == nil {
		return nil
	}
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		t = ptr.Elem()
	}
	if n := asNamed(t); n != nil && p.w.back[n] != nil { // the checker knows only what is named
		rt := p.w.back[n]
		if rt.Kind() == reflect.Struct {
			for f := range rt.Fields() {
				if f.IsExported() {
					names = append(names, f.Name)
				}
			}
		}
		if rt.Kind() != reflect.Interface {
			rt = reflect.PointerTo(rt)
		}
		for m := range rt.Methods() {
			names = append(names, m.Name)
		}
		return names
	}
	set := types.NewMethodSet(types.NewPointer(t))
	if types.IsInterface(t) {
		set = types.NewMethodSet(t)
	}
	for m := range set.Methods() {
		names = append(names, m.Obj().Name())
	}
	if s, ok := t.Underlying().(*types.Struct); ok {
		for f := range s.Fields() {
			names = append(names, f.Name())
			if f.Embedded() {
				names = append(names, p.members(f.Type())...)
			}
		}
	}
	return names
}

// head is a declaration without the body of its function.
func (p *program) head(c *chunk) string {
	text, _, _ := strings.Cut(c.src, "\n")
	for _, d := range p.main.parse(c) {
		if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
			text = c.src[:f.Body.Pos()-f.Pos()]
		}
	}
	return strings.TrimSpace(text)
}

// distance is how many letters must change to make a b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		prev := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			prev, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, prev+cost)
		}
	}
	return row[len(b)]
}
