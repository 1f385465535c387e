package helpers_test

import (
	"strings"
	"testing"
	"time"
)

// What no page should be: an answer all the same, and soon.
func TestReadingBadPages(t *testing.T) {
	for _, c := range []struct{ what, body, call, says string }{
		{"200,000 nodes in one list", `<script>document.write('<ul>' + '<li>an item</li>'.repeat(100000) + '</ul>')</script>`, `extract()["markdown"]`, "more rows"},
		{"200,000 controls", `<div id=all></div><script>all.innerHTML = '<div><button class=x>b</button></div>'.repeat(100000)</script>`, `extract()["markdown"]`, "more rows"},
		{"200,000 suspects", `<div id=all></div><script>all.innerHTML = '<i class=x>+</i><x-y>z</x-y>'.repeat(66000)</script>`, `extract()["markdown"]`, "+"},
		{"200,000 nodes compared", `<script>document.write('<ul>' + '<li>an item</li>'.repeat(100000) + '</ul>')</script>`, `extract(); changes()`, ""},
		{"200,000 nodes searched", `<script>document.write('<ul>' + '<li>an item</li>'.repeat(100000) + '</ul><p>needle')</script>`, `find("needle")`, "needle"},
		{"a name of 1 MB", `<button id=b>b</button><script>b.setAttribute('aria-label', 'x'.repeat(1e6)); b.id = b.className = 'y'.repeat(1e6)</script>`, `extract()["markdown"]`, "xxx"},
		{"a text of 1 MB", `<p id=b></p><a href=#x id=a></a><script>b.textContent = a.textContent = '{e1 ]( '.repeat(2e5)</script>`, `extract()["markdown"]`, "more characters"},
		{"lone surrogates", `<button id=b>b</button><p id=p></p><script>b.textContent = 'a\ud800b'; p.textContent = '\udc00x {e5'; document.title = '\ud83d'</script>`, `extract(); changes(); extract()["markdown"]`, "button"},
	} {
		open(t, html(`<p>first</p>`+c.body))
		begin := time.Now()
		got := out(t, c.call)
		t.Logf("%s: %v", c.what, time.Since(begin))
		if !strings.Contains(got, c.says) || len(got) > 30000 {
			t.Errorf("%s: %d characters, %.300s", c.what, len(got), got)
		}
	}
}
