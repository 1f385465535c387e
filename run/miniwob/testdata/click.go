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
	both := shapes("#area button")
	pause := float64(number(between("wait", "seconds")))
	begin := time.Now()
	click(both[0].mid())
	wait(pause - time.Since(begin).Seconds())
	click(both[1].mid())
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

// click-widget: any element of a kind.
func clickWidget() {
	kind := quoted()[0]
	clickOn(map[string]string{"text": "#area input:not([type=radio], [type=checkbox])", "textarea": "#area textarea", "radio": "#area input[type=radio]", "checkbox": "#area input[type=checkbox]",
		"button": "#area button"}[kind])
}

// click-menu: from one level to the next, which opens under the mouse; the last is clicked.
func clickMenu() {
	path := strings.Split(strings.TrimPrefix(query(), "Select "), ">")
	for _, item := range path[:len(path)-1] {
		hoverOn(seen(item))
	}
	clickOn(seen(path[len(path)-1]))
}

// icon is the picture that the element at a selector shows: its class names it.
func icon(selector string) string {
	class, _ := look("document.querySelector(" + strconv.Quote(selector) + ")?.className").(string)
	return regexp.MustCompile("ui-icon-[a-z-]+").FindString(class)
}

// click-menu-2: an entry of a menu by its name or its icon, in it or one level down.
func clickMenu2() {
	clickOn("#open-menu")
	want := icon("#query span")
	target := func() string {
		if want != "" {
			return "#menu ." + want
		}
		return ""
	}()
	for _, top := range append([]string{""}, "Playback") {
		if top != "" {
			hoverOn(seen(top))
			wait(0.6)
		}
		if want == "" {
			for _, e := range elements() {
				if e["name"] == quoted()[1] {
					clickOn(as[string](e["uid"]))
					return
				}
			}
		} else if try(func() { clickOn(target) }) == nil {
			return
		}
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
