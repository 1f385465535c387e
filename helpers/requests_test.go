package helpers_test

import (
	"fmt"
	"strconv"
	"testing"
)

// What a call costs is counted in requests, which do not depend on the machine. The second
// run in a document finds the page side there; the first puts it there, with one more.
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
		snippet string
		most    int
	}{
		{`js("document.title")`, 1},
		{`js("({a: [1, new Map([[1, 2]])]})")`, 1},
		{`clickOn("#b")`, 7},
		{`fill("#i", "text")`, 4},
		{`waitFor("#b")`, 2},
		{`screenshot()`, 5},
		{`extract()`, 2},
	} {
		body := page
		if c.snippet == `screenshot()` || c.snippet == `extract()` {
			body = page[:len(page)-len(framed)] // a frame that is to be read or drawn is asked for it
		}
		open(t, html(body))
		if n := count(c.snippet); n > c.most+1 {
			t.Errorf("%s in a new document: %d requests, want at most %d", c.snippet, n, c.most+1)
		}
		if n := count(c.snippet); n > c.most {
			t.Errorf("%s: %d requests, want at most %d", c.snippet, n, c.most)
		}
	}
}
