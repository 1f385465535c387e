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
func show(vs ...any) {
	for _, v := range vs {
		switch x := v.(type) {
		case nil, struct{}:
			continue
		case string:
			fmt.Println(x)
			continue
		case []byte:
			fmt.Println(string(x))
			continue
		case json.RawMessage:
			fmt.Println(string(x))
			continue
		case error:
			fmt.Println(x)
			continue
		}
		if bx, ok := open(v); ok {
			_, isError := bx.methodFunc("Error").(func() string)
			_, isText := bx.methodFunc("String").(func() string)
			if isError || isText {
				fmt.Println(v)
				continue
			}
		} else if _, ok := v.(fmt.Stringer); ok {
			fmt.Println(v)
			continue
		}
		if reflect.TypeOf(v).Kind() == reflect.Func {
			fmt.Printf("%T\n", v)
			continue
		}
		b, err := encode(v)
		if string(b) == "null" {
			continue // a nil map is as silent as nil
		}
		if _, ok := v.(json.Marshaler); err != nil || b == nil && ok {
			fmt.Println(v)
			continue
		}
		fmt.Println(string(b))
	}
}

// dump prints what yaegi is given to run.
func dump(f *ast.File) { _ = printer.Fprint(os.Stderr, token.NewFileSet(), f) }
