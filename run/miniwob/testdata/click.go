package solutions

// click-test, click-test-2, click-test-transfer, click-button-sequence: the buttons that are named.
func clickButtons() {
	if between("Click", ".") == "the button" {
		clickOn("text=Click Me!")
	}
	for _, word := range regexp.MustCompile("[A-Z]{3}").FindAllString(query(), -1) {
		clickOn("text=" + word)
	}
}

// click-button, unicode-test: a button among other fields.
func clickButton() { clickOn(named("button", quoted()[0])[0]) }

// button-delay: two buttons with a pause.
func buttonDelay() {
	two := shapes("#area button")[1]
	x, y := two.mid()
	pause := float64(number(between("wait", "seconds")))
	clickOn("text=ONE")
	wait(pause + 0.01)
	click(x, y)
}

// click-link: a link in a text.
func clickLink() { clickOn("text=" + quoted()[0]) }

// click-option, click-checkboxes, click-checkboxes-large, click-checkboxes-transfer: the choices that are named.
func clickOptions() {
	for _, name := range strings.Split(between("Select ", " and click Submit"), ", ") {
		if name != "nothing" {
			clickOn(append(named("checkbox", name), named("radio", name)...)[0])
		}
	}
	submit()
}

// click-collapsible, click-collapsible-nodelay: what it holds shows when it is open.
func clickCollapsible() {
	clickOn("#area h3")
	waitFor("text=Submit")
	waitForQuiet()
	submit()
}

// click-collapsible-2, click-collapsible-2-nodelay: one section after the other, until one has the link.
func clickCollapsible2() {
	for _, section := range named("tab", "") {
		clickOn(section)
		waitForQuiet()
		if openedLink() {
			return
		}
	}
}

// openedLink clicks the link that the instruction quotes, if it is seen.
func openedLink() bool {
	want := quoted()[0]
	for _, e := range elements("#area") {
		if e["name"] == want && e["role"] != "tab" {
			clickOn(as[string](e["uid"]))
			return true
		}
	}
	return false
}

// click-tab: a tab by its name.
func clickTab() { clickOn(named("tab", between("Click on ", "."))[0]) }

// click-tab-2, click-tab-2-easy, click-tab-2-medium, click-tab-2-hard: one tab after the other.
func clickTab2() {
	for _, tab := range named("tab", "") {
		clickOn(tab)
		if openedLink() {
			return
		}
	}
}

// click-dialog: its one button.
func clickDialog() { clickOn("[role=dialog] button") }

// click-dialog-2: a button of a dialog by its name.
func clickDialog2() {
	want := strings.ReplaceAll(quoted()[0], "x", "Close")
	for _, e := range elements("[role=dialog]") {
		if e["name"] == want {
			clickOn(as[string](e["uid"]))
		}
	}
}

// click-widget: any element of a kind. A text field and an area differ in how high they are.
func clickWidget() {
	kind := quoted()[0]
	for _, uid := range named(map[string]string{"text": "textbox", "textarea": "textbox", "radio": "radio", "checkbox": "checkbox", "button": "button"}[kind], "") {
		if !strings.HasPrefix(kind, "text") || (as[string](js("", uid)) == "") {
			clickOn(uid)
			return
		}
	}
}

// click-menu: from one level to the next.
func clickMenu() {
	for _, item := range strings.Split(strings.TrimPrefix(query(), "Select "), ">") {
		clickOn(seen(item))
	}
}

// click-scroll-list: several entries of a list.
func clickScrollList() {
	var names []string
	for _, name := range strings.Split(between("Select ", " from the scroll list"), ", ") {
		names = append(names, name)
	}
	selectOption("#area select", names...)
	submit()
}

// navigate-tree: folders are opened until the name is seen.
func navigateTree() {
	for {
		for _, e := range elements("#area") {
			if e["name"] == quoted()[0] {
				clickOn(as[string](e["uid"]))
				return
			}
		}
		clickOn("#area .expandable-hitarea")
	}
}
