package script

import (
	"fmt"
	"io"
	"reflect"
	"strings"
	"text/template"
	"text/template/parse"
)

// Where values of the script's types reach text/template, which goes by reflection. They stay
// in their boxes; a copy of the template is executed in which whatever takes a value apart
// (a field, a method, range, if, index, eq, …) asks the functions below.

// A templated is one execution of a template.
type templated struct {
	b    *boxes
	t    *template.Template // the copy
	text []string           // what the copy has in place of parts of the template, and those, in turn
}

// A placed is a box whose value may have an address, through which a template finds the
// methods of pointers.
type placed struct {
	box
	at reflect.Value
}

const (
	fieldOf = "field" + globalMark
	partsOf = "parts" + globalMark // what range goes over
	indexOf = "index" + globalMark
	callsOf = "call" + globalMark
	truthOf = "truth" + globalMark // a value whose truth templates see
	plainOf = "plain" + globalMark // a value out of its box
	shownOf = "shown" + globalMark // a value as it is printed
	outOf   = "out" + globalMark   // what a template of ours gives away
)

// execute is (*template.Template).Execute.
func (b *boxes) execute(t *template.Template, w io.Writer, x any) error {
	return b.templated(t, x, func(t *template.Template, x any) error { return t.Execute(w, x) })
}

// executeTemplate is (*template.Template).ExecuteTemplate.
func (b *boxes) executeTemplate(t *template.Template, w io.Writer, name string, x any) error {
	return b.templated(t, x, func(t *template.Template, x any) error { return t.ExecuteTemplate(w, name, x) })
}

func (b *boxes) templated(t *template.Template, x any, run func(*template.Template, any) error) error {
	x = unwrap(x)
	if _, ok := open(x); !ok && (x == nil || !holdsAny(reflect.TypeOf(x))) {
		return run(t, x)
	}
	c, err := t.Clone()
	if err != nil {
		return err
	}
	d := &templated{b: b, t: c}
	for _, each := range c.Templates() {
		if each.Tree != nil {
			each.Tree = each.Tree.Copy()
			d.list(each.Tree.Root)
		}
	}
	c.Funcs(template.FuncMap{fieldOf: d.field, truthOf: d.truth, shownOf: d.shown, plainOf: raw,
		partsOf: d.parts, indexOf: d.index, callsOf: d.calls,
		outOf:   func(to func(reflect.Value) string, v reflect.Value) string { return to(v) },
		"print": func(a ...any) string { return fmt.Sprint(b.operands(a, true)...) }, "println": func(a ...any) string { return fmt.Sprintln(b.operands(a, false)...) },
		"printf": func(f string, a ...any) string { f, a = b.format(f, a); return fmt.Sprintf(f, a...) }})
	if err = run(c, x); err == nil {
		return nil
	}
	text := err.Error()
	for i := len(d.text) - 2; i >= 0; i -= 2 {
		text = strings.ReplaceAll(text, "<"+d.text[i]+">", "<"+d.text[i+1]+">")
	}
	for _, f := range []string{fieldOf, partsOf} {
		text = strings.ReplaceAll(text, "error calling "+f+": ", "")
	}
	text = strings.NewReplacer(indexOf, "index", callsOf, "call").Replace(text)
	return &retold{strings.ReplaceAll(text, "script.placed", "a type of the script"), err}
}

func (d *templated) list(l *parse.ListNode) {
	if l == nil {
		return
	}
	for _, n := range l.Nodes {
		switch n := n.(type) {
		case *parse.ActionNode:
			how := shownOf
			if len(n.Pipe.Decl) > 0 {
				how = ""
			}
			d.pipe(n.Pipe, how)
		case *parse.IfNode:
			d.branch(&n.BranchNode, truthOf)
		case *parse.WithNode:
			d.branch(&n.BranchNode, truthOf)
		case *parse.RangeNode:
			d.branch(&n.BranchNode, partsOf)
		case *parse.TemplateNode:
			d.pipe(n.Pipe, "")
		}
	}
}

func (d *templated) branch(n *parse.BranchNode, how string) {
	d.pipe(n.Pipe, how)
	d.list(n.List)
	d.list(n.ElseList)
}

// apply is the command that calls function f.
func apply(pos parse.Pos, f string, args ...parse.Node) *parse.CommandNode {
	return &parse.CommandNode{NodeType: parse.NodeCommand, Pos: pos, Args: append([]parse.Node{parse.NewIdentifier(f).SetPos(pos)}, args...)}
}

// nested is a command as an operand.
func nested(c *parse.CommandNode) parse.Node {
	return &parse.PipeNode{NodeType: parse.NodePipe, Pos: c.Pos, Cmds: []*parse.CommandNode{c}}
}

// pipe rewrites p, whose value goes through function how, if there is one.
func (d *templated) pipe(p *parse.PipeNode, how string) {
	if p == nil {
		return
	}
	var cmds []*parse.CommandNode
	var was []string
	for i, c := range p.Cmds {
		was = append(was, c.String())
		each := "" // what operands of the function go through
		if f, ok := c.Args[0].(*parse.IdentifierNode); ok {
			each = map[string]string{"eq": plainOf, "ne": plainOf, "lt": plainOf, "le": plainOf, "gt": plainOf, "ge": plainOf, "len": plainOf, "slice": plainOf, "and": truthOf, "or": truthOf, "not": truthOf}[f.Ident]
		}
		if i > 0 && each != "" {
			cmds = append(cmds, apply(c.Pos, each))
		}
		cmds = append(cmds, d.command(c, each))
	}
	if p.Cmds = cmds; how != "" {
		c := apply(p.Pos, how, &parse.PipeNode{NodeType: parse.NodePipe, Pos: p.Pos, Cmds: cmds})
		p.Cmds = []*parse.CommandNode{c}
		d.text = append(d.text, c.String(), strings.Join(was, " | "))
	}
}

func (d *templated) command(c *parse.CommandNode, each string) *parse.CommandNode {
	was := c.String()
	var args []parse.Node
	for _, a := range c.Args[1:] {
		args = append(args, d.operand(a))
	}
	out := c
	if x, names := chain(c.Args[0]); names != nil {
		was = c.Args[0].String()
		out = d.fields(c.Args[0].Position(), d.operand(x), names, was, args...)
	} else if f, ok := c.Args[0].(*parse.IdentifierNode); ok {
		for i := range args {
			if each != "" {
				args[i] = nested(apply(c.Pos, each, args[i]))
			}
		}
		if f.Ident == "slice" && len(args) > 0 {
			args[0] = nested(apply(c.Pos, partsOf, d.operand(c.Args[1])))
		}
		name := f.Ident
		if name == "index" || name == "call" {
			name += globalMark
		}
		out = apply(c.Pos, name, args...)
	} else {
		out = &parse.CommandNode{NodeType: parse.NodeCommand, Pos: c.Pos, Args: append([]parse.Node{d.operand(c.Args[0])}, args...)}
	}
	d.text = append(d.text, out.String(), was)
	return out
}

// chain is what fields are taken of, and their names, none if it is no such operand.
func chain(n parse.Node) (parse.Node, []string) {
	switch n := n.(type) {
	case *parse.FieldNode:
		return &parse.DotNode{NodeType: parse.NodeDot, Pos: n.Pos}, n.Ident
	case *parse.VariableNode:
		if len(n.Ident) > 1 {
			return &parse.VariableNode{NodeType: parse.NodeVariable, Pos: n.Pos, Ident: n.Ident[:1]}, n.Ident[1:]
		}
	case *parse.ChainNode:
		return n.Node, n.Field
	}
	return n, nil
}

func (d *templated) operand(n parse.Node) parse.Node {
	if p, ok := n.(*parse.PipeNode); ok {
		d.pipe(p, "")
	} else if x, names := chain(n); names != nil {
		return nested(d.fields(n.Position(), d.operand(x), names, n.String()))
	}
	return n
}

// fields takes fields of x, the last of which may be a method with arguments.
func (d *templated) fields(pos parse.Pos, x parse.Node, names []string, was string, args ...parse.Node) (c *parse.CommandNode) {
	for i, name := range names {
		if i > 0 {
			x = nested(c)
		}
		c = apply(pos, fieldOf, x, &parse.StringNode{NodeType: parse.NodeString, Pos: pos, Quoted: `"` + name + `"`, Text: name})
		if i == len(names)-1 {
			c.Args = append(c.Args, args...)
		}
		d.text = append(d.text, c.String(), was)
	}
	return c
}
