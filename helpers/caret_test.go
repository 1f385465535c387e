package helpers_test

import "testing"

// Field case 95: an act in an editor returns when the page was told of the selection, as
// the next act may stand on it.
func TestActsWaitForTheSelection(t *testing.T) {
	open(t, html(`<div id=ed contenteditable style="height:100px">some words to colour</div><script>
window.heard = ''; document.addEventListener('selectionchange', () => heard = String(getSelection()))</script>`))
	want(t, `for i := 0; i < 5; i++ {
	clickOn("#ed")
	pressKey("Control+a")
	if h := js("heard"); h != "some words to colour" { fmt.Println(i, h) }
	pressKey("ArrowRight")
	if h := js("heard"); h != "" { fmt.Println(i, h) }
}`, "")
}
