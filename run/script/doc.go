// Package script runs Go as a script, with helper files beside it that are read afresh
// each time.
//
// A run goes through these files in this order:
//
//	cut.go       finds top-level declarations without parsing them
//	snippet.go   makes a program of a script: declarations here, statements to entry
//	prune.go     takes in what the script reaches of the helpers, which read.go reads only
//	             if a name may be theirs, and of _std/
//	stdtypes.go  gives compiled packages types, by reflection, as far as they are named
//	check.go     type-checks; its errors are Go's; hints.go says what a wrong name may mean
//	structs.go   makes the types of the script's structs, by reflection
//	lower.go     rewrites what is left to the part of Go that yaegi gets right:
//	             types.go, expr.go, index.go, const.go, compare.go, call.go, iface.go (expressions),
//	             stmt.go, assign.go, flow.go, loops.go, switches.go (statements); fails.go says
//	             which may panic, bounds.go how indices are checked, escape.go which loops'
//	             variables are held longer than a turn, recovers.go which functions may recover
//	replaced.go  has the symbols of compiled packages that scripts get replacements for
//	script.go    lets yaegi compile and run that, and says how it ended; show.go prints the
//	             last value, depth.go ends endless recursion and runaway memory, asleep.go
//	             a deadlock; places.go is for when the process dies with the script
//
// While it runs: box.go holds values of the script's types inside interfaces; format.go
// stands between them and fmt and log, json.go, jsontypes.go, jsondecode.go and jsonerrors.go to encoding/json,
// xml.go to encoding/xml, errors.go to errors, template.go and
// templatevalue.go to text/template, reflecttype.go to reflect, each in that one place; sort.go is slices.Sort compiled; panics.go has
// deferred calls, recover and positions, which goroutine_*.s tells apart by goroutine.
//
// _std has, in Go that is interpreted, what is generic or new in the standard library: cmp,
// iter, maps, slices, parts of errors, reflect, sync and math/rand/v2, and of sync/atomic
// Pointer and Value, which keep the script's types.
//
// Words that the code uses in a sense of its own:
//
//	box      a value of a script's type as an interface holds it: it names its type; raw is
//	         the value out of it, open the box that something is
//	rep      the representation: the type, or its syntax, that stands for a script's type
//	         while it runs; typ is the same as a reflect.Type
//	own      declared by the script or a helper; shared, compiled: known to compiled code
//	dynamic  an interface of the script, which runs as any; carried: one of compiled code,
//	         and its carrier the function that makes a value of it
//	wrapped  a type that is part of itself and no struct (type T []T) runs as a struct of
//	         one field; bare is what is in it
//	lit      a function literal that a body was put in; target: what break can mean
//	mark     an assignment that notes how far the run has come; track: what is known of a
//	         goroutine
//	flat     what encoding/json gets for a script's value; it is poured back after decoding
//	held     by a closure, longer than one turn of a loop
//
// What yaegi v0.16.1 gets wrong and this package corrects, each found by running the same code
// compiled and interpreted (testdata): arguments of defer and go read late, deferred
// closures that hang, loop variables shared by iterations, typed constants, interface
// values of interpreted types wherever compiled code meets them (errors.As, fmt, JSON,
// sort, http), embedded types, method values and expressions, generic inference, range
// over integers and functions, min, max, clear, new with a value, break inside select,
// named results, generic packages, top-level return, panics in goroutines, missing
// compile errors, operands of assignments read late, fallthrough past a default that is
// not last, the branch of && and || whose first operand begins with a type or a name in
// parentheses, empty clauses, shifts by less than 0, len and similar calls among several results,
// structs that hold each other or functions of each other, variables that are assigned a
// literal or what is received, which would be other ones from then on, functions named as
// values further up than they are declared.
//
// What is refused, with a message: packages outside of symbols; goto out of a loop whose
// variables closures hold; arrays that no memory holds;
// XML of types with methods for it, and of interfaces of compiled packages other than any;
// reflect.ValueOf of a type of the script that has methods or unexported fields.
//
// What remains different: the text of an index or slice panic lacks the numbers where what
// was known of the index has changed since; a float -0 given to a declared function becomes
// 0; a template that fails names basic types as interface {}, and takes a string for a key
// or argument of a string type; offsets in JSON errors about parts with
// methods for JSON count from that part. Go's fatal errors, such as concurrent map writes,
// end the process: see Config.Risky.
package script
