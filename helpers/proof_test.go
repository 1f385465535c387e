package helpers_test

import (
	"os"
	"strings"
	"testing"

	"bu/daemon/testchrome"
)

// The examples are tasks of rising difficulty, each solved as SKILL.md alone teaches it:
// what they print is what the page came to.
func TestExamples(t *testing.T) {
	for _, c := range []struct{ example, page, last string }{
		{"compare", "shop-a", "Kettle    24.90  22.50  there\nLamp      12.50  13.00  here\nToaster   31.00  31.50  here"},
		{"closed-roots", "booking", "Booked for Ada Lovelace (ada@example.com), 3 guests, by the window"},
		{"payment-frame", "checkout", "Paid with the card ending in 4242"},
		{"drag-board", "board", `["To do: ","Doing: ","Done: Order paper, Write the report, Call the bank"]`},
		{"upload", "upload", "1 receipt(s) sent"},
		{"download", "reports", "november.csv 240 <nil>"},
		{"long-list", "orders", "Opened order 38000"},
		{"editor", "letter", "Saved: 3 lines, Dear Ada, in bold"},
		{"print", "trip", "Finished: ticket 4711"},
	} {
		t.Run(c.example, func(t *testing.T) {
			open(t, "/proof/"+c.page+".html")
			got := out(t, example(t, c.example))
			if !strings.HasSuffix(got, c.last) {
				t.Errorf("printed\n%s\nwhich should end with\n%s", got, c.last)
			}
			t.Log(got)
		})
	}
}

// The tenth: its person signs in.
func TestExampleLogin(t *testing.T) {
	tab := labelled(t, "login", "/proof/login.html")
	cmd := invoke(example(t, "login"), "BU_TAB=login")
	var said strings.Builder
	cmd.Stdout, cmd.Stderr = &said, os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	eventually(t, "user_driving", func() bool {
		_, stderr, code := run(t, "pageInfo()", "BU_TAB=login")
		return code == 1 && strings.Contains(stderr, "user_driving")
	})
	p := personAt(t, tab)
	p.do("Runtime.evaluate", map[string]any{"expression": "document.querySelector('input').value = 'sesame'; document.forms[0].requestSubmit()"})
	eventually(t, "the account's page", func() bool {
		got, _ := p.do("Runtime.evaluate", map[string]any{"expression": "document.title"})["result"].(map[string]any)
		return got["value"] == "Account"
	})
	eventually(t, "the bar on the account's page", p.pressDone)
	if err := <-ended; err != nil || !strings.Contains(said.String(), "2 January, 17.30 EUR") {
		t.Errorf("%v %q", err, said.String())
	}
}

func example(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(testchrome.Root() + "/helpers/examples/" + name + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// What is in a closed root is found without a reading before, also when it comes later, in
// another closed root, or in a frame of another site.
func TestClosedRootsUnread(t *testing.T) {
	inner := html(`<x-in></x-in><script>customElements.define('x-in', class extends HTMLElement { connectedCallback() {
		this.attachShadow({mode: 'closed'}).innerHTML = '<label>Inside <input oninput="top.postMessage(this.value, \'*\')"></label>' } })</script>`)
	open(t, html(`<x-out></x-out><iframe src="OTHER`+inner+`"></iframe><script>
		onmessage = e => document.title = e.data;
		class Late extends HTMLElement { connectedCallback() { this.attachShadow({mode: 'closed'}).innerHTML = '<p>come at last</p><button onclick="document.title=\'late\'">Late</button>' } }
		customElements.define('x-late', Late);
		customElements.define('x-out', class extends HTMLElement { connectedCallback() {
			const r = this.attachShadow({mode: 'closed'});
			r.innerHTML = '<button>Open</button>';
			r.querySelector('button').onclick = () => setTimeout(() => r.append(document.createElement('x-late')), 300);
		} })</script>`))
	want(t, `clickOn("text=Open"); waitFor("text=come at last"); clickOn("text=Late"); js("document.title")`, "late")
	want(t, `fillForm(M{"Inside": "x1"}); waitFor("document.title == 'x1'"); typeInto("input", "2"); waitFor("document.title == 'x12'"); "ok"`, "ok")
	fails(t, `clickOn("text=Nowhere")`, "element_not_found")
}
