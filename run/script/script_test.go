package script

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"bu/run/script/symbols"
)

var (
	record   = flag.Bool("record", false, "compile the snippets that have no output yet and record what they print")
	recorded = flag.String("snippets", "testdata/snippets.txt", "the file of the snippets")
)

// output runs a snippet and returns what it prints.
func output(t testing.TB, cfg Config, snippet string) (string, error) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	was := os.Stdout
	os.Stdout = w
	read := make(chan string)
	go func() {
		b, _ := io.ReadAll(r)
		read <- string(b)
	}()
	ran := make(chan error, 1)
	go func() { ran <- Run(cfg, snippet) }()
	select {
	case err = <-ran:
	case <-time.After(60 * time.Second):
		err = fmt.Errorf("hangs")
	}
	os.Stdout = was
	w.Close()
	return <-read, err
}

type probe struct{ Name, Snippet, Stdout string }

// TestProbes compares with what compiled Go printed for the same snippets.
func TestProbes(t *testing.T) {
	b, err := os.ReadFile("testdata/probes.json")
	if err != nil {
		t.Fatal(err)
	}
	var probes []probe
	if err := json.Unmarshal(b, &probes); err != nil {
		t.Fatal(err)
	}
	compare(t, probes)
}

func TestSnippets(t *testing.T) {
	file := *recorded
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var probes []probe
	parts := strings.Split("\n"+string(b), "\n== ")
	for _, part := range parts[1 : len(parts)-1] { // the last is the end
		name, rest, _ := strings.Cut(part, "\n")
		snippet, want, _ := strings.Cut(rest, "-- prints\n")
		probes = append(probes, probe{name, strings.TrimSuffix(snippet, "\n") + "\n", want})
	}
	if *record {
		var out strings.Builder
		for _, p := range probes {
			if p.Stdout == "" {
				if p.Stdout = compiled(t, p, snippetName); p.Stdout == "" { // its functions use its variables
					p.Stdout = compiled(t, p, "package level")
				}
			}
			fmt.Fprintf(&out, "== %s\n%s-- prints\n%s\n", p.Name, p.Snippet, p.Stdout)
		}
		out.WriteString("== end\n")
		if err := os.WriteFile(file, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	compare(t, probes)
}

// ofUnix are snippets whose output names Unix's paths, modes, programs or error texts.
var ofUnix = []string{"execs", "filesexec", "linkedpanic", "a-defer-order", "a-files"}

func compare(t *testing.T, probes []probe) {
	for _, p := range probes {
		t.Run(p.Name, func(t *testing.T) {
			if runtime.GOOS == "windows" && slices.Contains(ofUnix, p.Name) {
				t.Skip("what it prints is Unix's")
			}
			got, err := output(t, Config{}, p.Snippet)
			if err != nil || got != p.Stdout {
				t.Errorf("%s\n%v\ngot:\n%s\nwant:\n%s", p.Snippet, err, got, p.Stdout)
			}
		})
	}
}

// compiled is what the snippet prints as a compiled program.
func compiled(t *testing.T, p probe, level string) string {
	f := cut(level, p.Snippet)
	body := []byte(p.Snippet)
	var decls strings.Builder
	for _, c := range f.chunks {
		for i := range len(c.src) {
			body[c.off+i] = ' '
		}
		decls.WriteString(c.src + "\n")
	}
	src := "package main\n"
	used := map[string]bool{}
	for _, m := range regexp.MustCompile(`\b([a-z]\w*)\.[A-Z]`).FindAllStringSubmatch(p.Snippet, -1) {
		path := symbols.Path(m[1])
		if stdFiles[m[1]] != "" {
			path = m[1]
		}
		if path != "" && !used[path] {
			used[path] = true
			src += fmt.Sprintf("import %q\n", path)
		}
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "main.go")
	src += decls.String() + "func main() {\n" + string(body) + "\n}\n"
	if err := os.WriteFile(file, []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	var stderr strings.Builder
	cmd := exec.Command("go", "run", file)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Logf("%s: %v\n%s\n%s", p.Name, err, stderr.String(), out)
		return ""
	}
	return string(out)
}
