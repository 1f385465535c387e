package record

import (
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"strings"
	"testing"
)

// However a password is written, a recording does not say it; all else stays.
func TestMask(t *testing.T) {
	for _, secret := range []string{"hunter2", `pa"ss`, `it's\me`, "a<b>&c", "sp ace+1%", "ünï", "line\tbreak", "1234"} {
		var m mask
		for i := range secret { // as it is typed
			m.note(secret[:i])
		}
		m.note(secret)
		j, _ := json.Marshal(secret)
		half := len(secret) / 2
		for _, snippet := range []string{
			fmt.Sprintf("fill(`#user`, %q); f()", secret),
			fmt.Sprintf("fill(`#user`, %+q); f()", secret),
			"fill(`#user`, `" + secret + "`); f()",
			fmt.Sprintf("fill(`#user`, %q + %q); f()", secret[:half], secret[half:]),
			fmt.Sprintf("js(%q, `#user`); f()", "p.value = "+string(j)),
			"js(`p.value = " + string(j) + "`, `#user`); f()",
			"#user no Go: ' " + secret + " f()",
		} {
			got := m.snippet(snippet)
			if strings.Contains(got, secret) || !strings.Contains(got, masked) || !strings.Contains(got, "#user") || !strings.Contains(got, "f()") {
				t.Errorf("%q in %s:\n%s", secret, snippet, got)
			}
			if strings.Contains(got, fmt.Sprintf("%q", secret[half:])) {
				t.Errorf("a part of %q: %s", secret, got)
			}
		}
		for _, form := range []string{secret, string(j), fmt.Sprintf("%q", secret), url.QueryEscape(secret), html.EscapeString(secret)} {
			if got := m.text("before " + form + " after"); strings.Contains(got, strings.Trim(form, `"`)) || !strings.HasPrefix(got, "before ") || !strings.HasSuffix(got, " after") {
				t.Errorf("%s: %s", form, got)
			}
		}
	}
	m := mask{secrets: []string{"h", "hu", "hun", "hunt"}}
	if got, want := m.snippet(`pressKey("h"); pressKey('u'); hun("the house")`), `pressKey("••••"); pressKey("••••"); hun("the house")`; got != want {
		t.Errorf("keys: %s", got)
	}
	if got := (&mask{}).snippet("x := `y`"); got != "x := `y`" {
		t.Error(got)
	}
}
