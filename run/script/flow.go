package script

import (
	"go/ast"
	"go/token"
)

// A lit is a function literal that the body of a function or a loop was put in. What
// leaves it otherwise than by its end does so by a code that it returns.
type lit struct {
	loop  bool // of a loop's body; otherwise of a function's with deferred calls
	exits []exit
}

// An exit is a way out of a literal, code 1 and up: a return or a branch.
type exit struct {
	tok token.Token // RETURN, BREAK or CONTINUE
	to  *target
}

// A target is a statement that break or continue can mean.
type target struct {
	label string
	loop  bool
	depth int             // literals around the statement
	body  bool            // its body is a literal itself
	again func() ast.Stmt // what comes before the next turn; nil for nothing
}

// leave returns from the function, whose results are set, out of the literals around.
func (m *lower) leave(pos token.Pos) ast.Stmt {
	if len(m.lits) == 0 {
		return m.returnNamed()
	}
	l := m.lits[len(m.lits)-1]
	if !l.loop {
		return &ast.ReturnStmt{Return: pos}
	}
	return m.code(l, exit{tok: token.RETURN})
}

// code returns the code of an exit.
func (m *lower) code(l *lit, e exit) ast.Stmt {
	n := -1
	for i, x := range l.exits {
		if x == e {
			n = i
		}
	}
	if n < 0 {
		n = len(l.exits)
		l.exits = append(l.exits, e)
	}
	return &ast.ReturnStmt{Results: []ast.Expr{number(n + 1)}}
}

func (m *lower) branch(s *ast.BranchStmt) []ast.Stmt {
	label := ""
	if s.Label != nil {
		label = s.Label.Name
	}
	if s.Tok == token.GOTO {
		if len(m.lits) > 0 && m.lits[len(m.lits)-1].loop {
			m.refuse(s, "goto out of a loop whose variables closures hold is not supported; use a labelled break or a function")
		}
		return []ast.Stmt{&ast.BranchStmt{TokPos: s.TokPos, Tok: s.Tok, Label: gotoLabel(s.Label)}}
	}
	if s.Tok == token.FALLTHROUGH {
		return []ast.Stmt{s}
	}
	for i := len(m.targets) - 1; i >= 0; i-- {
		t := m.targets[i]
		if label != "" && t.label != label || s.Tok == token.CONTINUE && !t.loop {
			continue
		}
		return []ast.Stmt{m.jump(s.Pos(), s.Tok, t)}
	}
	return []ast.Stmt{s}
}

// gotoLabel is the label for goto that stands for l.
func gotoLabel(l *ast.Ident) *ast.Ident { return idAt(l.NamePos, l.Name+localMark) }

// jump breaks or continues t from where the lowering is now.
func (m *lower) jump(pos token.Pos, tok token.Token, t *target) ast.Stmt {
	inner := len(m.lits)
	if inner > t.depth {
		l := m.lits[inner-1]
		if t.body && inner == t.depth+1 && tok == token.CONTINUE {
			return &ast.ReturnStmt{Results: []ast.Expr{number(0)}}
		}
		return m.code(l, exit{tok: tok, to: t})
	}
	b := &ast.BranchStmt{TokPos: pos, Tok: tok}
	if t.label != "" {
		b.Label = id(t.label)
	}
	if tok == token.CONTINUE && t.again != nil {
		return block(t.again(), b)
	}
	return b
}

// inLiteral lowers the body of a loop as a literal that is called for each iteration.
// The call's code goes to a variable; what follows from it comes after the call.
func (m *lower) inLiteral(body func() []ast.Stmt) (*ast.FuncLit, *lit) {
	l := &lit{loop: true}
	m.lits = append(m.lits, l)
	list := body()
	m.lits = m.lits[:len(m.lits)-1]
	list = append(list, &ast.ReturnStmt{Results: []ast.Expr{number(0)}})
	return &ast.FuncLit{Type: &ast.FuncType{Params: params(), Results: params(&ast.Field{Type: id("int")})}, Body: block(list...)}, l
}

// roomy is how many nodes a function must have beside a loop to make it worth giving the loop a function of its own.
const roomy = 200

// apart lowers the loop s, by f, in a literal of its own if it makes closures in a large
// function: with each closure yaegi copies all that the function around has room for.
func (m *lower) apart(s ast.Stmt, f func() []ast.Stmt) []ast.Stmt {
	makes, jumps := false, false
	n := 0
	ast.Inspect(s, func(x ast.Node) bool {
		n++
		b, ok := x.(*ast.BranchStmt)
		jumps = jumps || ok && b.Tok == token.GOTO
		_, ok = x.(*ast.FuncLit)
		makes = makes || ok
		return true
	})
	if !makes || jumps || m.fn.size-n < roomy {
		return f()
	}
	was := m.fn.size
	m.fn.size = n
	lit, l := m.inLiteral(f)
	m.fn.size = was
	code := m.temp("c")
	return append([]ast.Stmt{define(s.Pos(), code, &ast.CallExpr{Fun: lit})}, m.follow(s.Pos(), l, code)...)
}

// follow acts on the code of a literal.
func (m *lower) follow(pos token.Pos, l *lit, code string) (out []ast.Stmt) {
	for i, e := range l.exits {
		if e.tok == 0 {
			continue
		}
		var s ast.Stmt
		if e.tok == token.RETURN {
			s = m.leave(pos)
		} else {
			s = m.jump(pos, e.tok, e.to)
		}
		out = append(out, &ast.IfStmt{Cond: &ast.BinaryExpr{X: id(code), Op: token.EQL, Y: number(i + 1)}, Body: block(s)})
	}
	return out
}

// breakable lowers, by f, a statement that break and perhaps continue can mean.
func (m *lower) breakable(t *target, f func() ast.Stmt) (out []ast.Stmt) {
	was := m.targets
	t.depth = len(m.lits)
	m.targets = append(append([]*target{}, was...), t)
	s := f()
	m.targets = was
	if t.label != "" {
		s = &ast.LabeledStmt{Label: idAt(s.Pos(), t.label), Stmt: s}
	}
	return append(out, s)
}
