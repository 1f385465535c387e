package script

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// panics follows the panics of a run: where they began, who recovers them.
type panics struct {
	at, in *int // positions of the last statement begun in a helper, in the snippet
	state  sync.Mutex
	by     map[uintptr]*track // by goroutine
	wakes  time.Time          // when a timer may last wake the script
	woken  bool               // something outside may, at any time
	first  *track             // of the goroutine that the script begins in
	end    chan error
	fset   *token.FileSet
	funcs  []*ast.FuncDecl // of the program

	lineNow func(*spot) int // the line where it is in the folder
	places  places
}

// nameAt is the name of the function that pos is in.
func (p *panics) nameAt(pos token.Pos) string {
	for _, f := range p.funcs {
		if f.Pos() <= pos && pos < f.End() {
			return f.Name.Name
		}
	}
	return ""
}

// A track is what is known of one goroutine.
type track struct {
	deferred *Defers // whose deferred function is about to be called, if it may recover
	at, in   *int
	val      any      // of the last panic
	earlier  []string // the texts of those that it took the place of
	spot     *spot
	caught   bool
	began    bool // its position is noted
	atThen   int
	inThen   int
}

func (p *panics) track() *track {
	g := goroutine()
	p.state.Lock()
	defer p.state.Unlock()
	t := p.by[g]
	if t == nil {
		t = &track{}
		t.at, t.in = p.places.take(g)
		p.by[g] = t
	}
	return t
}

func (p *panics) marks(at, in *int) { p.at, p.in = at, in }

// A function of a script with goroutines asks once where its own keeps its position.
func (p *panics) markAt() *int { return p.track().at }
func (p *panics) markIn() *int { return p.track().in }

// Write is called for each function that a panic passes, the innermost first: yaegi
// prints a line then, whose function and position may be any of the program's.
func (p *panics) Write(line []byte) (int, error) {
	t := p.track()
	at, in := t.now(p)
	if t.caught || !t.began || at != t.atThen || in != t.inThen { // compiled code may have recovered the last
		t.begin(p)
	}
	return len(line), nil
}

func (t *track) begin(p *panics) {
	t.caught, t.began = false, true
	t.atThen, t.inThen = t.now(p)
}

// now is how far the goroutine has come.
//
//go:norace
func (t *track) now(p *panics) (at, in int) {
	if *t.at == 0 && *t.in == 0 && p.at != nil {
		return *p.at, *p.in
	}
	return *t.at, *t.in
}

// goBack goes back to where the panic began, which deferred calls came away from.
func (t *track) goBack(p *panics) {
	if *t.at == 0 && *t.in == 0 && p.at != nil {
		*p.at, *p.in = t.atThen, t.inThen
	} else {
		*t.at, *t.in = t.atThen, t.inThen
	}
}

// Defers are the deferred calls of one call of a function.
type Defers struct {
	p       *panics
	calls   []deferredCall
	val     any
	pending bool
	earlier []string // the panics that those of deferred calls took the place of

	recovered bool     // by the deferred call that runs
	before    []string // the earlier ones of what it recovered
}

type deferredCall struct {
	call     func()
	recovers bool // or may do so
}

func (p *panics) newDefers() *Defers { return &Defers{p: p} }

// Add defers a call.
func (d *Defers) Add(call func(), recovers bool) {
	d.calls = append(d.calls, deferredCall{call, recovers})
}

// Run calls the body of the function, then what it deferred.
func (d *Defers) Run(body func()) {
	defer d.rest() // which runtime.Goexit leaves to do
	d.try(body)
	d.rest()
	if d.pending {
		t := d.p.track()
		t.earlier = append(t.earlier, d.earlier...)
		t.goBack(d.p)
		panic(d.val)
	}
}

func (d *Defers) rest() {
	for len(d.calls) > 0 {
		c := d.calls[len(d.calls)-1]
		d.calls = d.calls[:len(d.calls)-1]
		if d.p.track().deferred = nil; c.recovers {
			d.p.track().deferred = d
		}
		was, val := d.pending, d.val
		d.recovered, d.before = false, nil
		d.try(c.call)
		if was && d.pending && !samePanic(val, d.val) {
			text := panicText(plainPanic(val))
			if d.recovered {
				text += " [recovered]"
			}
			d.earlier = append(append(d.earlier, d.before...), text)
		}
	}
}

func (d *Defers) try(f func()) {
	done := false
	defer func() {
		if v := recover(); v != nil || !done {
			if v == nil {
				return // the goroutine ends
			}
			t := d.p.track()
			if !samePanic(v, t.val) || t.caught {
				t.val = v
				if !t.began || t.caught {
					t.begin(d.p)
				}
			}
			d.val, d.pending = v, true
		}
	}()
	f()
	done = true
}

func samePanic(x, y any) (yes bool) {
	defer func() { _ = recover() }()
	return x == y
}

// recovery is what the function that asks may recover from: nil unless a deferred call
// has just come to it. Functions ask as they begin, before they call others.
func (p *panics) recovery() *Defers {
	t := p.track()
	d := t.deferred
	t.deferred = nil
	return d
}

// recover is Go's.
func (p *panics) recover(d *Defers) any {
	if d == nil || !d.pending {
		return nil
	}
	t := p.track()
	d.recovered, d.before = true, t.earlier
	d.pending, t.caught, t.earlier = false, true, nil
	return plainPanic(d.val)
}

func raise(v any) { panic(v) }

// start runs f as a goroutine.
func (b *boxes) start(f func()) { go b.guarded(f)() }

// guarded is f for a goroutine of its own: a panic there ends the run.
func (b *boxes) guarded(f func()) func() {
	return func() {
		defer func() {
			if v := recover(); v != nil {
				b.finish(b.failed(v))
			}
			g := goroutine()
			b.state.Lock()
			delete(b.by, g)
			b.places.leave(g)
			b.state.Unlock()
		}()
		f()
	}
}

// finish ends the run; the first to say so decides how.
func (p *panics) finish(err error) {
	select {
	case p.end <- err:
	default:
	}
}

// exit is os.Exit.
func (p *panics) exit(code int) {
	p.finish(&Error{Kind: Exit, ExitCode: code, Msg: "exit status " + strconv.Itoa(code)})
	select {}
}

type runtimeError string

func (e runtimeError) Error() string { return string(e) }
func (e runtimeError) RuntimeError() {}

const (
	errNil   = runtimeError("runtime error: invalid memory address or nil pointer dereference")
	errIndex = runtimeError("runtime error: index out of range")
	errSlice = runtimeError("runtime error: slice bounds out of range")
)

// plainPanic gives what the interpreter panics with the form that Go would give it.
func plainPanic(v any) any {
	if r, ok := v.(reflect.Value); ok && r.IsValid() && r.CanInterface() {
		v = r.Interface()
	}
	text := ""
	switch e := v.(type) {
	case *reflect.ValueError:
		return errNil
	case string:
		text = e
	case runtime.Error: // of the interpreter's own instructions
		if kind, ok := strings.CutPrefix(e.Error(), "hash of unhashable type: "); ok {
			return runtimeError("runtime error: hash of unhashable type " + kind)
		}
	case error:
		if strings.HasPrefix(fmt.Sprintf("%T", e), "*interp.") {
			text = e.Error()
		}
	}
	switch {
	case strings.Contains(text, "call of nil function"), strings.Contains(text, "on nil interface value"):
		return errNil
	case strings.HasPrefix(text, "reflect") && strings.Contains(text, "index out of range"):
		return errIndex
	case strings.HasPrefix(text, "reflect") && strings.Contains(text, "slice index out of bounds"), strings.HasPrefix(text, "reflect.Value.Slice"):
		return errSlice
	case strings.HasPrefix(text, "hash of unhashable type: "):
		return runtimeError("runtime error: hash of unhashable type " + text[len("hash of unhashable type: "):])
	case strings.HasPrefix(text, "reflect: cannot convert slice with length "):
		from, to, _ := strings.Cut(text[len("reflect: "):], " to array")
		return runtimeError("runtime error: " + from + " to array or pointer to array" + to)
	case strings.HasPrefix(text, "reflect.MakeChan: negative"):
		return runtimeError("makechan: size out of range")
	case strings.HasPrefix(text, "reflect.MakeSlice: negative"), strings.HasPrefix(text, "reflect.MakeSlice: len > cap"):
		part := "len"
		if strings.Contains(text, "cap") {
			part = "cap"
		}
		return runtimeError("runtime error: makeslice: " + part + " out of range")
	case strings.HasPrefix(text, "reflect") && (strings.Contains(text, "zero Value") || strings.Contains(text, "nil pointer")):
		return errNil
	case strings.HasPrefix(text, "reflect"):
		return unmarked(text)
	}
	return v
}

// TypeAssertionError is runtime.TypeAssertionError, which cannot name the script's types.
type TypeAssertionError struct{ text string }

func (e *TypeAssertionError) Error() string { return "interface conversion: " + e.text }
func (e *TypeAssertionError) RuntimeError() {}

var typeAssertionError = reflect.TypeFor[TypeAssertionError]()

// conversionError says why x, from an interface called of, is not a t.
func conversionError(x any, of string, t types.Type) error {
	i, isIface := t.Underlying().(*types.Interface)
	if of == "" {
		of = "interface {}"
	}
	text := fmt.Sprintf("%s is %s, not %s", of, typeNameOf(x), typeName(t))
	switch {
	case x == nil && isIface:
		text = "interface is nil, not " + typeName(t)
	case x == nil:
		text = of + " is nil, not " + typeName(t)
	case isIface:
		text = fmt.Sprintf("%s is not %s: missing method %s", typeNameOf(x), typeName(t), missing(x, i))
	}
	return &TypeAssertionError{text}
}

func printAny(v ...any)   { fmt.Fprint(os.Stderr, v...) }
func printlnAny(v ...any) { fmt.Fprintln(os.Stderr, slices.Clone(v)...) }
