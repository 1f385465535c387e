// Package miniwob holds solutions of MiniWoB++ tasks (the folder that MINIWOB names): snippets that read and act by bu's helpers.
package miniwob

// prelude is what the solutions share: the instruction as a person reads it.
const prelude = `
func query() string { return strings.TrimSpace(as[string](js("document.querySelector('#query').innerText"))) }
func quoted() []string {
	var all []string
	for _, m := range regexp.MustCompile("\"([^\"]*)\"").FindAllStringSubmatch(query(), -1) { all = append(all, m[1]) }
	return all
}
func after(word string) string {
	_, rest, _ := strings.Cut(query(), word)
	return strings.TrimSuffix(strings.TrimSpace(rest), ".")
}
`

// solutions is the body of solve() for each task. Elements are named by what a person sees of them: their text, their kind.
var solutions = map[string]string{
	"click-test":            `clickOn("text=Click Me!")`,
	"click-test-2":          `clickOn("text=" + after("Click button "))`,
	"click-button":          `for _, e := range as[[]any](extract("#area")["elements"]) { if get(e, "name") == quoted()[0] { clickOn(as[string](get(e, "uid"))); return } }`,
	"click-link":            `clickOn("text=" + quoted()[0])`,
	"focus-text":            `clickOn("#area input")`,
	"enter-text":            `fill("#area input", quoted()[0]); clickOn("text=Submit")`,
	"enter-text-dynamic":    `fill("#area input", quoted()[0]); clickOn("text=Submit")`,
	"choose-list":           `selectOption("#area select", strings.TrimSuffix(after("Select "), " from the list and click Submit")); clickOn("text=Submit")`,
	"click-dialog":          `clickOn("[role=dialog] button")`,
	"click-button-sequence": `clickOn("text=ONE"); clickOn("text=TWO")`,
	"enter-password":        `for _, e := range as[[]any](extract("#area")["elements"]) { if get(e, "role") == "textbox" { fill(as[string](get(e, "uid")), quoted()[0]) } }; clickOn("text=Submit")`,
	"login-user":            `q := quoted(); fill("#area input[type=text]", q[0]); fill("#area input[type=password]", q[1]); clickOn("text=Login")`,
	"click-collapsible":     `clickOn("#area h3"); waitFor("text=Submit"); clickOn("text=Submit")`,
	"click-option":          `want := strings.TrimSuffix(after("Select "), " and click Submit"); clickOn("text=" + want); clickOn("text=Submit")`,
	"click-tab":             `clickOn("text=" + strings.TrimSuffix(strings.TrimPrefix(query(), "Click on "), "."))`,
}
