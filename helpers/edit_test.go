package helpers_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bu/daemon/testchrome"
)

// copied is a folder of the helpers to edit.
func copied(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "helpers")
	if err := os.CopyFS(dir, os.DirFS(testchrome.Root()+"/helpers")); err != nil {
		t.Fatal(err)
	}
	return dir
}

func edit(t *testing.T, file, old, new string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(text), old) {
		t.Fatalf("%s has no %q: %v", file, old, err)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(string(text), old, new, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
}

// An edit counts at the very next call: of a helper, of one below it, of the page side, a
// new file, one that wins over a shipped helper, a helper that is gone.
func TestEditCounts(t *testing.T) {
	open(t, html(`<title>page</title><button>One</button>`))
	dir := copied(t)
	use := "BU_HELPERS=" + dir
	title := func(want string) {
		t.Helper()
		if got := out(t, `pageInfo()["title"]`, use); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	title("page")
	edit(t, dir+"/page.go", "title: document.title", "title: 'edited ' + document.title")
	title("edited page")
	edit(t, dir+"/core.go", "return engine.CDP(method, params[0], params[1])", "fmt.Println(method); return engine.CDP(method, params[0], params[1])")
	title("Runtime.evaluate\nedited page")
	os.WriteFile(dir+"/my.go", []byte("package helpers\nfunc pageInfo() M { return M{\"title\": \"mine\"} }\nfunc fresh() string { return as[string](pageInfo()[\"title\"]) }\n"), 0o600)
	title("mine")
	if got := out(t, `fresh()`, use); got != "mine" {
		t.Error(got)
	}
	os.Remove(dir + "/my.go")
	title("Runtime.evaluate\nedited page")
	if got := out(t, "func pageInfo() M { return M{`title`: `the snippet's`} }\npageInfo()[`title`]", use); got != "the snippet's" {
		t.Error(got)
	}
}

// What is wrong with a folder is one clear error that names the file.
func TestBrokenFolder(t *testing.T) {
	open(t, html(`<button>One</button>`))
	told := func(what, dir, snippet string, words ...string) {
		t.Helper()
		stdout, stderr, code := run(t, snippet, "BU_HELPERS="+dir)
		if code == 0 || strings.Contains(stderr, "goroutine ") {
			t.Errorf("%s: exit %d\n%s\n%s", what, code, stdout, stderr)
		}
		for _, w := range words {
			if !strings.Contains(stderr, w) {
				t.Errorf("%s: %q is not in %s", what, w, stderr)
			}
		}
	}
	half := copied(t)
	os.Remove(half + "/page.go")
	told("half a copy", half, `pageInfo()`, "undefined: pageInfo", "page.go")
	want(t, `len(as[[]any](extract()["elements"]))`, "1")
	noJS := copied(t)
	os.Remove(noJS + "/engine/js/see/dom.js")
	told("no page side", noJS, `extract()`, "dom.js")
	broken := copied(t)
	edit(t, broken+"/page.go", "func pageInfo() M {", "func pageInfo() M {{")
	told("a syntax error", broken, `pageInfo()`, "helpers/page.go:")
	if got := out(t, `len(as[[]any](extract()["elements"]))`, "BU_HELPERS="+broken); got != "1" {
		t.Error(got)
	}
	twice := copied(t)
	os.WriteFile(twice+"/my.go", []byte("package helpers\n\nfunc mine() int { return 1 }\n\nfunc mine() int { return 2 }\n"), 0o600)
	told("declared twice", twice, `mine()`, "helpers/my.go:5", "declared twice", "helpers/my.go:3")
	told("nothing there", filepath.Join(t.TempDir(), "gone"), `pageInfo()`, "BU_HELPERS", "gone")
	noGo := copied(t)
	os.WriteFile(noGo+"/my.go", []byte("hello there\n"), 0o600)
	told("no Go", noGo, `there()`, "undefined: there", "helpers/my.go is broken: helpers/my.go:1")
	for what, edits := range map[string][3]string{ // of the page side: what is wrong, and where that is told
		"a brace that nothing closes": {"engine.scrollTo = target => {", "engine.scrollTo = target => {{", "helpers/engine/js/do/hit.js:"},
		"a word too many":             {"engine.scrollTo =", "\n\nengine scrollTo =", "helpers/engine/js/do/hit.js:"},
		"a name of another file":      {"engine.scrollTo =", "const engine = 1; engine.scrollTo =", "helpers/engine/js/do/hit.js:"},
		"a call of what is not there": {"engine.scrollTo = target => {", "engine.scrollTo = target => { gone();", "scrollTo (helpers/engine/js/do/hit.js:"},
	} {
		dir := copied(t)
		edit(t, dir+"/engine/js/do/hit.js", edits[0], edits[1])
		told(what, dir, `scrollTo("button")`, "javascript_error", edits[2])
	}
	vanishes := copied(t)
	told("gone during the run", vanishes, `pageInfo(); os.RemoveAll(os.Getenv("BU_HELPERS")); extract()`, "engine/js/see/dom.js")
}

// What lies in a folder and is no helper harms none: an editor's lock, which is a link to nowhere,
// files that Go leaves out.
func TestFolderWithOtherFiles(t *testing.T) {
	open(t, html(`<title>page</title>`))
	dir := copied(t)
	os.Symlink("somebody@host.123", dir+"/.#page.go")
	os.WriteFile(dir+"/_page.go", []byte("package helpers\nfunc pageInfo() M { return nil }\n"), 0o600)
	for range 2 {
		if got := out(t, `pageInfo()["title"]`, "BU_HELPERS="+dir); got != "page" {
			t.Error(got)
		}
		edit(t, dir+"/page.go", "func pageInfo() M {", "func pageInfo() M { // ") // interpreted from here on
	}
}

// A compiled helper's failure is told with the snippet's line, its name, file and line; a
// line that moved in the folder is told as it stands there.
func TestCompiledPosition(t *testing.T) {
	open(t, html(`<p>page`))
	fails(t, "x := 1\n_ = x\nback(); back()", "navigation_failed", "snippet:3", "in step (helpers/page.go:")
	dir := copied(t)
	where := func() string {
		_, stderr, _ := run(t, "for { back() }", "BU_HELPERS="+dir)
		_, place, _ := strings.Cut(stderr, "helpers/page.go:")
		return strings.TrimRight(place, ")\n")
	}
	before := where()
	edit(t, dir+"/page.go", "package helpers\n", "package helpers\n\n// a comment\n")
	if after := where(); before == after || after == "" {
		t.Errorf("the line is %s, and was %s", after, before)
	}
}

// The engine's Go side is compiled: an edit of it beside a running run is told.
func TestEngineIsOlder(t *testing.T) {
	open(t, html(`<p>page`))
	dir := copied(t)
	later := time.Now().Add(time.Hour)
	os.Chtimes(dir+"/engine/act.go", later, later)
	if _, stderr, _ := run(t, `js("1")`, "BU_HELPERS="+dir); strings.Contains(stderr, "make build") {
		t.Errorf("the same text is told as edited: %s", stderr)
	}
	edit(t, dir+"/engine/act.go", "package engine", "package engine // edited")
	os.Chtimes(dir+"/engine/act.go", later, later)
	if _, stderr, _ := run(t, `js("1")`, "BU_HELPERS="+dir); !strings.Contains(stderr, "act.go") || !strings.Contains(stderr, "make build") {
		t.Errorf("not told: %s", stderr)
	}
}
