package solutions

// inked is the shapes of a colour.
func inked(all []shape, color string) []shape {
	var some []shape
	for _, s := range all {
		if s.Color == color {
			some = append(some, s)
		}
	}
	return some
}

// inkedAny is the first shape that has a colour of its own and can be seen.
func inkedAny(all []shape) shape {
	for _, s := range all {
		if s.W > 5 && s.H > 5 && s.Color != "rgba(0, 0, 0, 0)" {
			return s
		}
	}
	panic("nothing is coloured")
}

const black, blue = "rgb(0, 0, 0)", "rgb(0, 0, 255)"

// draw-line: a line through a dot.
func drawLine() {
	x, y := shapes("#area circle")[0].mid()
	if strings.Contains(query(), "horizontal") {
		drag(x-40, y, x+40, y)
	} else {
		box := shapes("#area svg")[0]
		drag(x, max(y-35, box.Y+3), x, min(y+35, box.Y+box.H-3))
	}
	submit()
}

// draw-circle: the mouse goes round a dot.
func drawCircle() {
	x, y := shapes("#area circle")[0].mid()
	mouse := func(kind string, at float64, held int) {
		cdp("Input.dispatchMouseEvent", M{"type": kind, "x": x + 30*math.Cos(at), "y": y + 30*math.Sin(at), "button": "left", "buttons": held, "clickCount": 1})
	}
	mouse("mouseMoved", 0, 0)
	mouse("mousePressed", 0, 1)
	for i := 1; i <= 36; i++ {
		mouse("mouseMoved", float64(i)*math.Pi/18, 1)
	}
	mouse("mouseReleased", 2*math.Pi, 0)
	submit()
}

// grid-coordinate: a point of a grid by its axes.
func gridCoordinate() {
	want := "(" + between("(", ")") + ")"
	for _, e := range elements("#area") {
		if e["hint"] == want {
			clickOn(as[string](e["uid"]))
			return
		}
	}
}

// find-greatest: cards are turned, and the greatest is left turned.
func findGreatest() {
	cards := shapes("#area .card")
	best := 0
	for i, c := range cards {
		if number(c.Text) > number(cards[best].Text) {
			best = i
		}
	}
	x, y := cards[best].mid()
	click(x, y)
	submit()
}

// kinds are what shapes are called.
var kinds = map[string]string{"rect": "rectangle", "polygon": "triangle", "circle": "circle"}

func (s shape) kind() string {
	switch {
	case s.Kind != "text":
		return kinds[s.Kind]
	case s.Text >= "0" && s.Text <= "9":
		return "digit"
	}
	return "letter"
}

// colors are the names that the pages use.
var colors = map[string]string{"black": black, "blue": blue, "red": "rgb(255, 0, 0)", "green": "rgb(0, 128, 0)", "aqua": "rgb(0, 255, 255)",
	"cyan": "rgb(0, 255, 255)", "magenta": "rgb(255, 0, 255)", "yellow": "rgb(255, 255, 0)", "lime": "rgb(0, 255, 0)", "orange": "rgb(255, 165, 0)",
	"purple": "rgb(128, 0, 128)", "pink": "rgb(255, 192, 203)", "white": "rgb(255, 255, 255)", "grey": "rgb(128, 128, 128)", "gray": "rgb(128, 128, 128)"}

// fits says whether the shape is what the words mean: "small", "blue", "triangles", "item".
func (s shape) fits(words string) bool {
	for _, w := range strings.Fields(words) {
		if w = strings.TrimSuffix(w, "s"); w == "" {
			w = "s"
		}
		size := s.W
		if s.Kind == "text" {
			size = s.H * 0.9
		}
		switch color := colors[w]; {
		case color != "" && s.Color != color, w == "small" && size > 15, w == "large" && size < 15, len(w) == 1 && w != s.Text, w == "shape" && s.Kind == "text":
			return false
		case color != "" || w == "small" || w == "large" || w == "item" || w == "shape" || len(w) == 1:
		case w != s.kind():
			return false
		}
	}
	return true
}

// click-shape: a shape by its look.
func clickShape() {
	for _, s := range shapes("#area_svg *") {
		if s.fits(regexp.MustCompile("Click on an? (.*)").FindStringSubmatch(query())[1]) {
			x, y := s.mid()
			click(x, y)
			return
		}
	}
}

// count-shape: how many have a look.
func countShape() {
	n := 0
	for _, s := range shapes("#area_svg *") {
		if s.fits(between("How many ", " are there")) {
			n++
		}
	}
	clickOn(named("button", fmt.Sprint(n))[0])
}

// identify-shape: what a figure is.
func identifyShape() {
	kind := shapes("#area svg *")[0].kind()
	if kind == "digit" {
		kind = "number"
	}
	for _, e := range elements("#area") {
		if e["role"] == "button" && same(as[string](e["name"]), kind) {
			clickOn(as[string](e["uid"]))
		}
	}
}

// visual-addition: blocks are counted.
func visualAddition() {
	fill("#area input", fmt.Sprint(len(inked(shapes("#area span"), "rgb(127, 176, 255)"))))
	submit()
}

// click-color: a box by its colour.
func clickColor() {
	want := colors[between("Click on the ", " colored")]
	if want == "" {
		want = inkedAny(shapes("#query *")).Color
	}
	for _, b := range inked(shapes("#area *"), want) {
		x, y := b.mid()
		click(x, y)
		return
	}
}

// rgb is the parts of a colour.
func rgb(color string) [3]int {
	var c [3]int
	for i, n := range regexp.MustCompile("[0-9]+").FindAllString(color, 3) {
		c[i] = number(n)
	}
	return c
}

// click-shades: every box in which that colour is strongest.
func clickShades() {
	want := map[string]int{"red": 0, "green": 1, "blue": 2}[between("shades of ", " and")]
	for _, s := range shapes("#area span") {
		c := rgb(s.Color)
		if c[want] == max(c[0], c[1], c[2]) {
			x, y := s.mid()
			click(x, y)
		}
	}
	submit()
}

// count-sides: how often the distance from the middle swings on the way round a figure.
func countSides() {
	dots := as[[][]float64](look("(c => { const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data, at = []; for (let i = 0; i < c.width * c.height; i++) if (d[4 * i + 3] > 128) at.push([i % c.width, Math.floor(i / c.width)]); return at; })(document.querySelector('#area canvas'))"))
	x, y := 0.0, 0.0
	for _, d := range dots {
		x, y = x+d[0]/float64(len(dots)), y+d[1]/float64(len(dots))
	}
	best, most := 0, 0.0
	for n := 3; n <= 7; n++ {
		re, im := 0.0, 0.0
		for _, d := range dots {
			r, a := math.Hypot(d[0]-x, d[1]-y), math.Atan2(d[1]-y, d[0]-x)
			re, im = re+r*math.Cos(float64(n)*a), im+r*math.Sin(float64(n)*a)
		}
		if swing := math.Hypot(re, im); swing > most {
			best, most = n, swing
		}
	}
	clickOn(fmt.Sprintf("text=%d", best))
}

// number-checkboxes: a picture's white fields, in four columns and seven rows, are checked.
func numberCheckboxes() {
	white := as[[]bool](look("(i => { const c = document.createElement('canvas'), w = c.width = i.naturalWidth, h = c.height = i.naturalHeight, g = c.getContext('2d'); g.drawImage(i, 0, 0); " +
		"const at = (x, y) => g.getImageData(x, y, 1, 1).data[0], xs = [...Array(w).keys()].filter(x => [...Array(h).keys()].some(y => at(x, y) > 60)), ys = [...Array(h).keys()].filter(y => xs.some(x => at(x, y) > 60)); " +
		"return Array.from({length: 28}, (_, n) => at(xs[0] + (n % 4 + .5) * (xs.at(-1) - xs[0] + 1) / 4, ys[0] + (Math.floor(n / 4) + .5) * (ys.at(-1) - ys[0] + 1) / 7) > 200); })([...document.querySelectorAll('#area img')].find(i => i.offsetWidth))"))
	for i, uid := range named("checkbox", "") {
		setChecked(uid, white[i])
	}
	submit()
}

// hot-cold: the mouse looks for the place in finer and finer steps; the page says how near it is.
func hotCold() {
	box := shapes("#touch-area")[0]
	x, y, reach := box.X+box.W/2, box.Y+box.H/2, 80.0
	for _, near := range []struct {
		says string
		step float64
	}{{"COLD", 40}, {"WARM", 10}, {"HOT", 4}} {
		x, y = warmer(box, x, y, reach, near.step, near.says)
		reach = near.step
	}
	click(x, y)
}

// warmer moves the mouse around a point until the page says that word.
func warmer(box shape, x, y, reach, step float64, says string) (float64, float64) {
	for v := y - reach; v <= y+reach; v += step {
		for u := x - reach; u <= x+reach; u += step {
			at, down := min(max(u, box.X+2), box.X+box.W-2), min(max(v, box.Y+2), box.Y+box.H-2)
			hover(at, down)
			if text("#display") == says {
				return at, down
			}
		}
	}
	panic("nowhere " + says)
}

// moving-items: circles are clicked as they fly by.
func movingItems() {
	for begin := time.Now(); time.Since(begin) < 11*time.Second && !over(); {
		box := shapes("#area svg")[0]
		for _, c := range shapes("#area circle") {
			if x, y := c.mid(); x > box.X+12 && x < box.X+box.W-12 && y > box.Y && y < box.Y+box.H {
				click(x, y)
				break
			}
		}
	}
}
