package solutions

// guess-number: the half that is left, again and again.
func guessNumber() {
	low, high := 0, 9
	for !over() {
		guess := (low + high) / 2
		fill("#area input", fmt.Sprint(guess))
		submit()
		said := text("#area")
		if strings.Contains(said, "lower") {
			high = guess - 1
		} else {
			low = guess + 1
		}
	}
}

// generate-number: until one fits.
func generateNumber() {
	g := groups("(greater|less) than ([0-9]+)|(odd|even)")
	for {
		clickOn("text=Generate")
		n := number(text("#display-number"))
		if g[0] == "greater" && n > number(g[1]) || g[0] == "less" && n < number(g[1]) || g[2] == "odd" && n%2 == 1 || g[2] == "even" && n%2 == 0 {
			break
		}
	}
	submit()
}

// odd-or-even: each number is marked.
func oddOrEven() {
	for _, m := range regexp.MustCompile(`\{(e[0-9]+) button "Odd"\}\s*(-?[0-9]+)\s*\{(e[0-9]+) button`).FindAllStringSubmatch(page("#area"), -1) {
		if number(m[2])%2 == 0 {
			clickOn(m[3])
		} else {
			clickOn(m[1])
		}
	}
	submit()
}

// ascending-numbers: the numbers in order, where they were seen first.
func ascendingNumbers() {
	var all []shape
	for _, s := range shapes("#area *") {
		if regexp.MustCompile("^[0-9]+$").MatchString(s.Text) && s.W < 60 && s.Kind != "span" {
			all = append(all, s)
		}
	}
	sort.Slice(all, func(i, j int) bool { return number(all[i].Text) < number(all[j].Text) })
	for _, s := range all {
		x, y := s.mid()
		click(x, y)
	}
}

// simon-says: the buttons light up in an order, which is repeated.
func simonSays() {
	var order []int
	calm, lit, dark := shapes("#area button"), -1, 0
	for dark < 40 {
		now := -1
		for i, b := range shapes("#area button") {
			if b.Color != calm[i].Color {
				now = i
			}
		}
		if now >= 0 && now != lit {
			order = append(order, now)
		}
		lit, dark = now, dark+1
		if now >= 0 || len(order) == 0 {
			dark = 0
		}
		wait(0.05)
	}
	for _, i := range order {
		x, y := calm[i].mid()
		click(x, y)
	}
}

// highlight-text, highlight-text-2: a paragraph is selected by dragging over it.
func highlightText() {
	n := max(number(query()), 1) - 1
	p := shapes("#area p")
	if len(p) == 0 {
		p = shapes("#area div")
	}
	drag(p[n].X, p[n].Y+3, p[n].X+p[n].W-1, p[n].Y+p[n].H-3)
	submit()
}

// use-colorwheel, use-colorwheel-2: the field beside the wheel takes a colour too.
func useColorwheel() {
	names := map[string]string{"maroon": "800000", "black": "000000", "gray": "808080", "yellow": "FFFF00", "purple": "800080", "lime": "00FF00", "red": "FF0000", "blue": "0000FF",
		"green": "008000", "navy": "000080", "teal": "008080", "olive": "808000", "white": "FFFFFF", "silver": "C0C0C0", "aqua": "00FFFF", "fuchsia": "FF00FF", "orange": "FFA500"}
	want := names[between("Select ", " with")]
	if want == "" {
		c := rgb(inkedAny(shapes("#query *")).Color)
		want = fmt.Sprintf("%02X%02X%02X", c[0], c[1], c[2])
	}
	fill("#col", want)
	pressKey("Enter")
	submit()
}

// form-sequence-3: a list that is not the browser's own, then a button.
func formSequence3() {
	clickOn("#area .selectric")
	waitForQuiet()
	clickOn("text=" + between("Choose ", " from"))
	waitForQuiet()
	clickOn(named("button", quoted()[0])[0])
}

// text-editor: what is to change is selected, then a button or a colour is clicked.
func textEditor() {
	clickOn("#area .ql-editor")
	if strings.Contains(query(), "everything") {
		pressKey("Control+a")
	} else {
		word := between("give the text ", " the style")
		pressKey("Control+Home")
		for range strings.Index(text("#area .ql-editor"), word) {
			pressKey("ArrowRight")
		}
		for range len(word) {
			pressKey("Shift+ArrowRight")
		}
	}
	wait(0.2) // the editor hears of the selection a little later
	if m := regexp.MustCompile("color ([a-z]+)").FindStringSubmatch(query()); m != nil {
		want := map[string]string{"orange": "rgb(255, 153, 0)", "red": "rgb(230, 0, 0)", "yellow": "rgb(255, 255, 0)", "green": "rgb(0, 138, 0)", "blue": "rgb(0, 102, 204)", "purple": "rgb(153, 51, 255)", "violet": "rgb(153, 51, 255)"}[m[1]]
		clickOn("#area .ql-color .ql-picker-label")
		waitForQuiet()
		x, y := inked(shapes("#area .ql-picker-item"), want)[0].mid()
		click(x, y)
	} else {
		clickOn("#area .ql-" + map[string]string{"bold": "bold", "italics": "italic", "underlined": "underline"}[between("the style ", " and")])
	}
	submit()
}

// tic-tac-toe: the move that most likely leads to a win against one who makes a mistake now and then.
func ticTacToe() {
	for !over() {
		marks := as[[]string](look("[...document.querySelectorAll('#area span')].map(e => (getComputedStyle(e).content.match(/([xo])\\.png/) || ['', ' '])[1])"))
		board, best, most := strings.Join(marks, ""), -1, -1.0
		if len(marks) < 9 || !strings.Contains(board, " ") {
			return
		}
		seenBoards := map[string]float64{}
		for i := range board {
			if board[i] == ' ' {
				if c := chance(put(board, i, "x"), seenBoards); c > most {
					best, most = i, c
				}
			}
		}
		x, y := shapes("#area span")[best].mid()
		click(x, y)
		wait(0.05)
	}
}

func put(board string, i int, mark string) string { return board[:i] + mark + board[i+1:] }

func won(board string, mark byte) bool {
	for _, l := range [][3]int{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}} {
		if board[l[0]] == mark && board[l[1]] == mark && board[l[2]] == mark {
			return true
		}
	}
	return false
}

// chance is how likely a win is when the other side moves on this board: as well as it can, or anywhere.
func chance(board string, known map[string]float64) float64 {
	if c, ok := known[board]; ok {
		return c
	}
	known[board] = 0
	if won(board, 'x') {
		known[board] = 1
	}
	if known[board] == 1 || !strings.Contains(board, " ") {
		return known[board]
	}
	sum, least, n := 0.0, 1.0, 0.0
	for i := range board {
		if board[i] != ' ' {
			continue
		}
		c := 0.0
		for after, j := put(board, i, "o"), 0; j < 9 && !won(after, 'o'); j++ {
			if after[j] == ' ' {
				c = max(c, chance(put(after, j, "x"), known))
			}
		}
		sum, n, least = sum+c, n+1, min(least, c)
	}
	known[board] = (sum/n + least) / 2
	return known[board]
}
