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

// solutions is the body of solve() for each task.
var solutions = map[string]string{
	"click-test":            `clickOn("#subbtn")`,
	"click-test-2":          `clickOn("#subbtn")`,
	"focus-text":            `clickOn("#tt")`,
	"enter-text":            `fill("#tt", quoted()[0]); clickOn("#subbtn")`,
	"choose-list":           `selectOption("#area select", strings.TrimSuffix(after("Select "), " from the list and click Submit")); clickOn("#area button")`,
	"click-dialog":          `clickOn(".ui-dialog-titlebar-close")`,
	"click-button-sequence": `clickOn("#subbtn"); clickOn("#subbtn2")`,
	"enter-password":        `fill("#password", quoted()[0]); fill("#verify", quoted()[0]); clickOn("#subbtn")`,
	"login-user":            `q := quoted(); fill("#username", q[0]); fill("#password", q[1]); clickOn("#subbtn")`,
}
