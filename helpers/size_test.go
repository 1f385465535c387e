package helpers_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bu/daemon/testchrome"
)

// A helper is read and rewritten in one go: at most 15 lines between its braces.
func TestHelpersAreShort(t *testing.T) {
	files, _ := filepath.Glob("*.go")
	count := 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") || file == "compiled.go" {
			continue
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			count++
			if lines := set.Position(f.Body.Rbrace).Line - set.Position(f.Body.Lbrace).Line - 1; lines > 15 {
				t.Errorf("%s: %s has %d lines, want at most 15; what it relies on belongs in the engine", file, f.Name.Name, lines)
			}
		}
	}
	if count < 100 {
		t.Errorf("only %d helpers seen", count)
	}
}

// A file is one step of the flow, of at most 400 lines; those that programs write may be longer.
func TestFilesAreShort(t *testing.T) {
	count := 0
	filepath.WalkDir(testchrome.Root(), func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if strings.HasPrefix(d.Name(), ".") || d.Name() == "symbols" || d.Name() == "bin" {
				return filepath.SkipDir
			}
			return nil
		}
		if kind := filepath.Ext(path); kind != ".go" && kind != ".js" || d.Name() == "compiled.go" || strings.HasPrefix(d.Name(), "my") {
			return nil
		}
		text, err := os.ReadFile(path)
		count++
		if lines := strings.Count(string(text), "\n"); lines > 400 {
			t.Errorf("%s has %d lines, want at most 400", path, lines)
		}
		return err
	})
	if count < 100 {
		t.Errorf("only %d files seen", count)
	}
}
