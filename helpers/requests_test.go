package helpers_test

import (
	"fmt"
	"strconv"
	"testing"
)

// What a call costs is counted in requests, which do not depend on the machine. The second
// run in a document is told of the world that the first made; that puts the page side there, with one more.
func TestRequests(t *testing.T) {
	framed := `<iframe src="OTHER` + html(`<p>of another site`) + `" width=200 height=100></iframe>`
	page := `<button id=b>Press</button><input id=i><p>text</p>` + framed
	count := func(snippet string) int {
		t.Helper()
		const newest = `l := debugLog(1000); if len(l) == 0 { fmt.Println("") } else { fmt.Println(get(l, -1, "time")) }`
		from := out(t, newest)
		out(t, snippet)
		n, err := strconv.Atoi(out(t, fmt.Sprintf(`n := 0; for _, c := range debugLog(1000) { if fmt.Sprint(get(c, "time")) > %q { n++ } }; fmt.Println(n)`, from)))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	for _, c := range []struct {
		snippet     string
		most, again int
	}{
		{`js("document.title")`, 1, 1},
		{`js("({a: [1, new Map([[1, 2]])]})")`, 1, 1},
		{`clickOn("#b")`, 7, 5},
		{`fill("#i", "text")`, 4, 3},
		{`waitFor("#b")`, 2, 1},
		{`screenshot()`, 5, 5},
		{`extract()`, 2, 1},
	} {
		body := page
		if c.snippet == `screenshot()` || c.snippet == `extract()` {
			body = page[:len(page)-len(framed)] // a frame that is to be read or drawn is asked for it
		}
		open(t, html(body))
		if n := count(c.snippet); n > c.most+1 {
			t.Errorf("%s in a new document: %d requests, want at most %d", c.snippet, n, c.most+1)
		}
		if n := count(c.snippet); n > c.again {
			t.Errorf("%s where a run was before: %d requests, want at most %d", c.snippet, n, c.again)
		}
	}
}
