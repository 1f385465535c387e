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

// ascending-numbers: the numbers in order.
func ascendingNumbers() {
	all := elements("#area")
	sort.Slice(all, func(i, j int) bool { return number(as[string](all[i]["name"])) < number(as[string](all[j]["name"])) })
	for _, e := range all {
		clickOn(as[string](e["uid"]))
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

// tic-tac-toe: a line of three if there is one, else what the other would take.
func ticTacToe() {
	lines := [][]int{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}}
	fields := shapes("#area span")
	for turn := 0; turn < 5 && !over(); turn++ {
		marks := as[[]string](look("[...document.querySelectorAll('#area span')].map(e => e.className.slice(-1))"))
		x, y := fields[nextMove(marks, lines)].mid()
		click(x, y)
		waitForQuiet()
	}
}

func nextMove(marks []string, lines [][]int) int {
	for _, who := range []string{"x", "o"} {
		for _, l := range lines {
			mine, free := 0, -1
			for _, i := range l {
				if marks[i] == who {
					mine++
				} else if marks[i] == "" {
					free = i
				}
			}
			if mine == 2 && free >= 0 {
				return free
			}
		}
	}
	for _, i := range []int{4, 0, 2, 6, 8, 1, 3, 5, 7} {
		if marks[i] == "" {
			return i
		}
	}
	return 0
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
				x, y := s.mid()
				click(x, y)
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
		c := rgb(shapes("#query span, #query div")[0].Color)
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
