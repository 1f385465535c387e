package helpers_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"bu/daemon/testchrome"
)

func document(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(testchrome.Root(), name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// sources gives the text of what is tracked of these kinds, but for tests and what is generated.
func sources(t *testing.T, folders ...string) (all string) {
	t.Helper()
	for _, folder := range folders {
		filepath.WalkDir(filepath.Join(testchrome.Root(), folder), func(path string, d os.DirEntry, err error) error {
			if err == nil && !d.IsDir() && (strings.HasSuffix(path, ".go") || strings.HasSuffix(path, ".js")) &&
				!strings.HasSuffix(path, "_test.go") && !strings.Contains(path, "/symbols/") && !strings.Contains(path, "/testchrome/") && d.Name() != "compiled.go" {
				text, _ := os.ReadFile(path)
				all += string(text)
			}
			return err
		})
	}
	return all
}

// set gives the first groups of all matches.
func set(pattern, text string) map[string]bool {
	found := map[string]bool{}
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
		found[m[1]] = true
	}
	return found
}

// What the documents show is done as it stands there, with pages of ours for the addresses.
func TestDocumentsRun(t *testing.T) {
	start(t)
	orders := html(`<title>Orders</title><main><a href="#a">All</a> <button>New</button> <button>Export</button>
		<table><tr><th>Name<th><tr><td>Jane Doe<td><button onclick="this.closest('main').insertAdjacentHTML('beforeend', '<p>Paid on 3 May</p>')">View</button></table></main>`)
	local := strings.NewReplacer("https://news.ycombinator.com", "SITE"+html(`<title>Hacker News</title>`), "https://example.com", "SITE"+html(`<title>Example</title><h1>Example Domain</h1>`), "https://shop.example/orders", "SITE"+orders).Replace
	readme, skill := document(t, "README.md"), document(t, "SKILL.md")
	own := []string{"BU_NAME=" + world.name + "-documents"} // whose first uids are those of the documents
	defer run(t, "killDaemon()", own...)
	block := func(text, kind string, n int) string {
		found := regexp.MustCompile("(?s)```"+kind+"\n(.*?)```").FindAllStringSubmatch(text, -1)
		if n >= len(found) {
			t.Fatalf("no %s block %d", kind, n)
		}
		return found[n][1]
	}
	quoted := regexp.MustCompile(`(?:run|bu) '([^']*)'\n(.*)`)

	// SKILL.md's loop, whose e4 is the button that the reading before names so.
	loop := out(t, local(block(skill, "go", 0)), own...)
	for _, want := range []string{`| Jane Doe | {e4 button "View"} |`, "Paid on 3 May"} {
		if !strings.Contains(loop, want) {
			t.Errorf("SKILL.md's loop printed no %q:\n%s", want, loop)
		}
	}
	shell := block(skill, "sh", 0)
	first := quoted.FindStringSubmatch(shell)
	if got := out(t, local(first[1]), own...); !strings.Contains(got, "# Example Domain") {
		t.Errorf("%s\nprinted %s", first[0], got)
	}
	here := regexp.MustCompile(`(?s)run <<'GO'\n(.*?)\nGO`).FindStringSubmatch(shell)[1]
	if got := out(t, `navigate("SITE`+orders+`"); waitForLoad(); `+here, own...); !strings.Contains(got, "Jane Doe") {
		t.Errorf("%s\nprinted %s", here, got)
	}
	shown := quoted.FindStringSubmatch(block(readme, "console", 0))
	if got := out(t, local(shown[1]), own...); got != shown[2] {
		t.Errorf("%s\nprinted %s", shown[0], got)
	}
	if got := out(t, regexp.MustCompile("Run `bu '(.*?)'`").FindStringSubmatch(readme)[1], own...); !strings.Contains(got, `"title"`) {
		t.Error(got)
	}
}

// Names that the documents use are those that there are.
func TestDocumentsNames(t *testing.T) {
	readme, skill, agents := document(t, "README.md"), document(t, "SKILL.md"), document(t, "AGENTS.md")
	for name, most := range map[string]int{"SKILL.md": 120, "AGENTS.md": 100} {
		if n := strings.Count(document(t, name), "\n"); n > most {
			t.Errorf("%s has %d lines; at most %d", name, n, most)
		}
	}

	declared := map[string]bool{}
	files, err := filepath.Glob(testchrome.Root() + "/helpers/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), f, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			if f, is := d.(*ast.FuncDecl); is && f.Recv == nil {
				declared[f.Name.Name] = true
			}
		}
	}
	vocabulary := skill[strings.Index(skill, "## Helpers"):strings.Index(skill, "## What to do on an error")]
	for name := range set("`([a-z][A-Za-z0-9]*)[([]", vocabulary) {
		if !declared[name] {
			t.Errorf("SKILL.md names the helper %s, which is not there", name)
		}
	}

	codes := set(`(?:[fF]ail|failf|&fail\{|&Error\{Code: ?)\(?["']([a-z]+_?[a-z]+)["']`, sources(t, "daemon", "helpers"))
	table := set(`(?m)^\| ([a-z_, ()0-9]+) \|`, skill)
	told := map[string]bool{}
	for row := range table {
		for code := range set(`([a-z]+_?[a-z]+)`, row) {
			told[code] = true
		}
	}
	for code := range codes {
		if !told[code] && code != "daemon_ended" && code != "panic" { // the first run sees alone, the other is said elsewhere
			t.Errorf("SKILL.md does not say what to do on %s", code)
		}
	}
	if len(codes) < 15 {
		t.Errorf("only %d codes were found in the sources", len(codes))
	}

	targets := set(`(?m)^([a-z.-]+):`, document(t, "Makefile"))
	for name := range set("(?m)(?:`|^)make ([a-z.-]*[a-z])", readme+agents) {
		if !targets[name] {
			t.Errorf("the documents name make %s, which is not in the Makefile", name)
		}
	}
	code := sources(t, "daemon", "run", "helpers")
	for name := range set("`(B(?:U|ROWSER_USE)_[A-Z_]+[A-Z])", readme) {
		if !strings.Contains(code, `"`+name) && !strings.Contains(code, name+"=") {
			t.Errorf("README.md names %s, which nothing reads", name)
		}
	}

	tracked, err := exec.Command("git", "-C", testchrome.Root(), "ls-files").Output()
	if err != nil {
		t.Skip("not a checkout: the files that AGENTS.md names are not looked for")
	}
	for name := range set("`([a-zA-Z/]+(?:\\.go|\\.js|\\.sh|/))`", agents) {
		if !strings.Contains("\n"+string(tracked), "/"+name) && !strings.Contains("\n"+string(tracked), "\n"+name) {
			t.Errorf("AGENTS.md names %s, which is not there", name)
		}
	}
}
