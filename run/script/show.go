package script

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/printer"
	"go/token"
	"os"
	"reflect"
)

// show prints the value of the last expression: strings and what prints itself as text,
// the rest as JSON, or as fmt prints it if it has no JSON.
func (b *boxes) show(vs ...any) {
	for _, v := range vs {
		switch x := v.(type) {
		case nil, struct{}:
			continue
		case string:
			fmt.Fprintln(b.out, x)
			continue
		case []byte:
			fmt.Fprintln(b.out, string(x))
			continue
		case json.RawMessage:
			fmt.Fprintln(b.out, string(x))
			continue
		case error:
			fmt.Fprintln(b.out, x)
			continue
		}
		if bx, ok := open(v); ok {
			_, isError := bx.methodFunc("Error").(func() string)
			_, isText := bx.methodFunc("String").(func() string)
			if isError || isText {
				fmt.Fprintln(b.out, v)
				continue
			}
		} else if _, ok := v.(fmt.Stringer); ok {
			fmt.Fprintln(b.out, v)
			continue
		}
		if reflect.TypeOf(v).Kind() == reflect.Func {
			fmt.Fprintf(b.out, "%T\n", v)
			continue
		}
		text, err := encode(v)
		if string(text) == "null" {
			continue // a nil map is as silent as nil
		}
		if _, ok := v.(json.Marshaler); err != nil || text == nil && ok {
			fmt.Fprintln(b.out, v)
			continue
		}
		fmt.Fprintln(b.out, string(text))
	}
}

// dump prints what yaegi is given to run.
func dump(f *ast.File) { _ = printer.Fprint(os.Stderr, token.NewFileSet(), f) }
