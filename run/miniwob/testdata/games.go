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

// tic-tac-toe: the move that wins most often against one who moves anyhow.
func ticTacToe() {
	fields := shapes("#area span")
	for turn := 0; turn < 5 && !over(); turn++ {
		best, most := 4, -2.0
		board := as[[]string](look("[...document.querySelectorAll('#area span')].map(e => e.className.slice(-1))"))
		for i := range board {
			if board[i] != "" || turn == 0 {
				continue
			}
			board[i] = "x"
			if worth := boardWorth(board, "o"); worth > most {
				best, most = i, worth
			}
			board[i] = ""
		}
		x, y := fields[best].mid()
		click(x, y)
		waitForQuiet()
	}
}

var tttLines = [][]int{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}}

// boardWorth is how often x wins from here, less how often o does.
func boardWorth(board []string, next string) float64 {
	for _, l := range tttLines {
		if who := board[l[0]]; who != "" && board[l[1]] == who && board[l[2]] == who {
			return map[string]float64{"x": 1, "o": -1}[who]
		}
	}
	sum, most, free := 0.0, -2.0, 0
	for i := range board {
		if board[i] != "" {
			continue
		}
		board[i] = next
		worth := boardWorth(board, map[string]string{"x": "o", "o": "x"}[next])
		board[i] = ""
		sum, most, free = sum+worth, max(most, worth), free+1
	}
	switch {
	case free == 0:
		return 0
	case next == "x":
		return most
	}
	return sum / float64(free)
}

// hot-cold: the area is searched until it says HOT.
func hotCold() {
	area := shapes("#area > div")[0]
	for y := area.Y + 8; y < area.Y+area.H; y += 14 {
		for x := area.X + 8; x < area.X+area.W; x += 14 {
			hover(x, y)
			if text("#area") == "HOT" {
				click(x, y)
				return
			}
		}
	}
}

// click-pie, click-pie-nodelay: the wheel is opened, and a part of it clicked.
func clickPie() {
	clickOn("text=+")
	waitForQuiet()
	want := quoted()[0]
	for last := 0.0; ; wait(0.2) {
		for _, s := range shapes("#area text") {
			if s.Text != want {
				continue
			}
			if s.H > 15 && s.X == last {
				clickOn(seen(want))
				return
			}
			last = s.X
		}
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

// daily-calendar: half hours are dragged over, and the event gets its name.
func dailyCalendar() {
	g := groups(`a ([0-9.]+) (hour|min)s?.* named "(.*)", between ([0-9]+)(AM|PM)`)
	halves, _ := strconv.ParseFloat(g[0], 64)
	if halves *= 2; g[1] == "min" {
		halves /= 60
	}
	first := number(g[3]) % 12 * 2
	if g[4] == "PM" {
		first += 24
	}
	scrollTo(fmt.Sprintf("#hh-%d", first))
	for last := first + int(halves) - 1; ; first, last = first+1, last+1 {
		if taken(first, last) {
			continue
		}
		rows := shapes(fmt.Sprintf("#hh-%d, #hh-%d", first, last))
		x, y := rows[0].mid()
		x2, y2 := rows[len(rows)-1].mid()
		drag(x, y, x2, y2+1)
		waitForQuiet()
		typeText(g[2])
		pressKey("Enter")
		return
	}
}

// taken says whether an event lies on these half hours.
func taken(first, last int) bool {
	rows := shapes(fmt.Sprintf("#hh-%d, #hh-%d", first, last))
	for _, e := range shapes("#area .event") {
		if e.Y+e.H > rows[0].Y+1 && e.Y < rows[len(rows)-1].Y+rows[len(rows)-1].H-1 {
			return true
		}
	}
	return false
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
