package solutions

// focus-text: the only field.
func focusText() { clickOn("#area input") }

// focus-text-2: a field by its place.
func focusText2() { clickOn(named("textbox", "")[number(query())-1]) }

// enter-text, enter-text-dynamic: a text into the field.
func enterText() {
	fill("#area input", quoted()[0])
	submit()
}

// enter-text-2: in other letters.
func enterText2() {
	text := strings.ToLower(quoted()[0])
	if strings.Contains(query(), "upper") {
		text = strings.ToUpper(text)
	}
	fill("#area input", text)
	submit()
}

// enter-password: the same into both.
func enterPassword() {
	for _, uid := range named("textbox", "") {
		fill(uid, quoted()[0])
	}
	submit()
}

// login-user: a name and a password.
func loginUser() {
	q := quoted()
	fillForm(M{"#username": q[0], "#password": q[1]})
	clickOn("text=Login")
}

// login-user-popup: a box comes in between and wants an answer: to stay.
func loginUserPopup() {
	q := quoted()
	for i, field := range []string{"#username", "#password"} {
		through(func() { fill(field, q[i]) })
	}
	through(func() { clickOn("#subbtn") })
}

// through does what a box may keep it from.
func through(act func()) {
	act2 := try(act)
	if strings.Contains(page("#area"), "Exit to home page") {
		clickOn("text=Cancel")
		act2 = try(act)
	}
	if act2 != nil {
		panic(act2.Message)
	}
}

// enter-date: a date field.
func enterDate() {
	g := groups("([0-9]+)/([0-9]+)/([0-9]+)")
	fill("#area input", g[2]+"-"+g[0]+"-"+g[1])
	submit()
}

// enter-time: a time field.
func enterTime() {
	t, err := time.Parse("3:04 PM", between("Enter ", " as the time"))
	if err != nil {
		panic(err)
	}
	fill("#area input", t.Format("15:04"))
	submit()
}

// choose-list: an entry of a list.
func chooseList() {
	selectOption("#area select", between("Select ", " from the list"))
	submit()
}

// copy-paste, copy-paste-2: the text of a field into another.
func copyPaste() {
	n := 0
	if strings.Contains(query(), "text area below and") {
		n = number(query()) - 1
	}
	text := as[[]string](look("[...document.querySelectorAll('#area textarea')].map(e => e.value)"))[n]
	fill("#answer-input", text)
	submit()
}

// find-word: a word by its place.
func findWord() {
	words := strings.Fields(text("#area p"))
	fill("#answer-input", strings.Trim(words[number(query())-1], ".,"))
	submit()
}

// multi-layouts, multi-orderings: a form whose layout and labels change.
func multi() {
	g := groups("Search for (.*) movies directed by (.*) from year ([0-9]+)")
	last, text := "", page("#area")
	if strings.HasPrefix(text, "{") { // the labels stand below
		text = regexp.MustCompile(`(\{e[0-9]+ textbox "[^}]*})\s*([A-Za-z ]+)`).ReplaceAllString(text, "$2 $1")
	}
	for _, m := range regexp.MustCompile(`([A-Za-z][A-Za-z ]*)[^{A-Za-z]*\{(e[0-9]+)( textbox)?`).FindAllStringSubmatch(text, -1) {
		last = m[2]
		switch {
		case m[3] == "":
		case strings.Contains(m[1], "Genre"):
			fill(m[2], g[0])
		case strings.Contains(m[1], "Direct"):
			fill(m[2], g[1])
		default:
			fill(m[2], g[2])
		}
	}
	buttons := append(named("button", ""), named("clickable", "")...)
	if len(buttons) > 0 {
		last = buttons[0]
	}
	clickOn(last)
}

// read-table: a value of a table.
func readTable() {
	fill("#area input", tableValue(between("value of ", " into")))
	submit()
}

func tableValue(name string) string {
	m := regexp.MustCompile(`\| ` + regexp.QuoteMeta(name) + ` \| (.*) \|`).FindStringSubmatch(page("#area"))
	return m[1]
}

// read-table-2: a form from a table.
func readTable2() {
	for _, m := range regexp.MustCompile(`([A-Za-z ]+):\s*\{(e[0-9]+) textbox`).FindAllStringSubmatch(page("#area"), -1) {
		fill(m[2], tableValue(m[1]))
	}
	submit()
}

// scroll-text: the last word of a text.
func scrollText() {
	words := strings.Fields(as[string](look("document.querySelector('#text-area').value")))
	fill("#answer-input", strings.Trim(words[len(words)-1], ".,"))
	submit()
}

// form-sequence-2: a radio button and a field by their places.
func formSequence2() {
	g := groups("Check the ([0-9]).*number \"(.*)\" into the ([0-9])")
	clickOn(named("radio", "")[number(g[0])-1])
	fill(named("textbox", "")[number(g[2])-1], g[1])
	submit()
}

// text-transform: a text that is drawn crooked.
func textTransform() {
	lines := strings.Split(page("#area"), "\n")
	fill("#area input", strings.TrimSpace(lines[0]))
	submit()
}

// simple-arithmetic: a sum.
func simpleArithmetic() {
	m := regexp.MustCompile(`(-?[0-9]+) ([-+x]) (-?[0-9]+) =`).FindStringSubmatch(page("#area"))
	fill("#area input", fmt.Sprint(calculate(number(m[1]), m[2], number(m[3]))))
	submit()
}

func calculate(a int, op string, b int) int {
	return map[string]int{"+": a + b, "-": a - b, "x": a * b}[op]
}

// simple-algebra: an equation in x.
func simpleAlgebra() {
	m := regexp.MustCompile(`(\S+) ([-+]) (\S+) = (\S+)`).FindStringSubmatch(page("#area"))
	a, b, sum := number(m[1]), number(m[3]), number(m[4])
	x := sum - a
	switch {
	case m[1] == "x" && m[2] == "+":
		x = sum - b
	case m[1] == "x":
		x = sum + b
	case m[2] == "-":
		x = a - sum
	}
	fill("#area input", fmt.Sprint(x))
	submit()
}
