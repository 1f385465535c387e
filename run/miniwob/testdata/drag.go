package solutions

// dragOnto drags from the middle of one shape to the middle of another.
func dragOnto(from, to shape) {
	x, y := from.mid()
	x2, y2 := to.mid()
	drag(x, y, x2, y2)
}

// drag-circle, drag-single-shape: a shape goes one way.
func dragAway() {
	x, y := shapes("#area circle, #area rect, #area polygon")[0].mid()
	way := map[string][2]float64{"left": {-30, 0}, "right": {30, 0}, "up": {0, -30}, "down": {0, 30}}[groups("(left|right|up|down)")[0]]
	drag(x, y, x+way[0], y+way[1])
	submit()
}

// drag-box: the small one into the large one.
func dragBox() {
	boxes := shapes("#area > div > div")
	sort.Slice(boxes, func(i, j int) bool { return boxes[i].W < boxes[j].W })
	dragOnto(boxes[0], boxes[1])
	submit()
}

// drag-shapes: all of a kind into a box.
func dragShapes() {
	all := shapes("#area svg *")
	frame := all[len(all)-1]
	for _, s := range all[:len(all)-1] {
		if s.fits(between("Drag all ", " into")) {
			dragOnto(s, frame)
		}
	}
	submit()
}

// drag-shapes-2: a kind into one box, all else into the other.
func dragShapes2() {
	all := shapes("#area svg *")
	n := len(all) - 2
	for _, s := range all[:n] {
		if s.fits(between("Drag all ", " into")) {
			dragOnto(s, all[n])
		} else {
			dragOnto(s, all[n+1])
		}
	}
	submit()
}

// drag-sort-numbers: a list is put in order, from the top.
func dragSortNumbers() {
	for place := 0; ; place++ {
		rows := shapes("#area li")
		if place == len(rows) {
			break
		}
		least := place
		for i := place; i < len(rows); i++ {
			if number(rows[i].Text) < number(rows[least].Text) {
				least = i
			}
		}
		if least != place {
			x, y := rows[least].mid()
			drag(x, y, x, rows[place].Y+2)
			waitForQuiet()
		}
	}
	submit()
}

// places are the words for the rows of a list.
var places = map[string]int{"top": 0, "bottom": 4}

// drag-items: a row to a place.
func dragItems() {
	g := groups("Drag (\\S+) (?:to the )?(\\S+)")
	place, known := places[strings.Trim(g[1], ".")]
	if !known {
		place = number(g[1]) - 1
	}
	rows := shapes("#area li")
	for i, r := range rows {
		if r.Text != g[0] {
			continue
		}
		to := map[string]int{"up": i - 1, "down": i + 1}[g[1]]
		if g[1] != "up" && g[1] != "down" {
			to = place
		}
		x, y := r.mid()
		if to > i {
			drag(x, y, x, rows[to].Y+rows[to].H-2)
		} else {
			drag(x, y, x, rows[to].Y+2)
		}
	}
}

// drag-items-grid: a field to a place.
func dragItemsGrid() {
	g := groups("Drag (\\S+) (.*)\\.")
	cells := shapes("#area li")
	to := 4
	for i, c := range cells {
		if c.Text == g[0] && strings.Contains(g[1], "by one") {
			to = i + map[string]int{"up": -3, "down": 3, "left": -1, "right": 1}[strings.Fields(g[1])[0]]
			g[1] = ""
		}
	}
	for word, by := range map[string]int{"top": -3, "bottom": 3, "left": -1, "right": 1} {
		if strings.Contains(g[1], word) {
			to += by
		}
	}
	for i, c := range cells {
		if c.Text != g[0] {
			continue
		}
		x, y := c.mid()
		edge := cells[to].X + 3
		if to > i {
			edge = cells[to].X + cells[to].W - 3
		}
		_, y2 := cells[to].mid()
		drag(x, y, edge, y2)
	}
}

// use-slider, use-slider-2: a handle has the focus and follows the arrows.
func useSliders() {
	want := regexp.MustCompile("-?[0-9]+").FindAllString(query(), -1)
	for i, w := range want {
		slide(i, number(w))
	}
	submit()
}

// slide puts the slider of that place on a number: a click gives its handle the focus.
func slide(place, want int) {
	handles := shapes("#area .ui-slider-handle")
	x, y := handles[place].mid()
	click(x, y)
	now := number(shapes("#area .ui-slider + *")[place].Text)
	key := "ArrowRight"
	if want < now {
		key = "ArrowLeft"
	}
	for i := 0; i < max(want-now, now-want); i++ {
		pressKey(key)
	}
}

// form-sequence: a slider and a checkbox.
func formSequence() {
	g := groups("Select (-?[0-9]+) with the slider, click the ([0-9])")
	slide(0, number(g[0]))
	clickOn(named("checkbox", "")[number(g[1])-1])
	submit()
}

// use-spinner: a field with a number.
func useSpinner() {
	fill("#area input", fmt.Sprint(number(query())))
	submit()
}

// resize-textarea: its corner or edge is dragged.
func resizeTextarea() {
	t := shapes("#area textarea")[0]
	by := 30.0
	if strings.Contains(query(), "smaller") {
		by = -25
	}
	if strings.Contains(query(), "width") {
		drag(t.X+t.W-1, t.Y+t.H/2, t.X+t.W-1+by, t.Y+t.H/2)
	} else {
		drag(t.X+t.W/2, t.Y+t.H-1, t.X+t.W/2, t.Y+t.H-1+by)
	}
	submit()
}
