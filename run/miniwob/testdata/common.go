package solutions

// chars counts what a solution read.
var chars int

// page is what extract shows.
func page(parts ...any) string {
	text := as[string](extract(parts...)["markdown"])
	chars += len(text)
	return text
}

// elements is what extract names: [{uid, role, name, …}]. What they say is counted.
func elements(parts ...any) []M {
	read := extract(parts...)
	chars += len(as[string](read["markdown"]))
	return as[[]M](read["elements"])
}

// look gives what JavaScript reads off the page as it is drawn.
func look(code string) any {
	v := js(code)
	chars += len(fmt.Sprint(v))
	return v
}

func text(selector string) string {
	return strings.TrimSpace(as[string](look("document.querySelector(" + strconv.Quote(selector) + ").innerText")))
}

func query() string { return text("#query") }

// quoted is what stands between quotation marks in the instruction.
func quoted() []string {
	var all []string
	for _, m := range regexp.MustCompile("\"([^\"]*)\"").FindAllStringSubmatch(query(), -1) {
		all = append(all, m[1])
	}
	return all
}

// between is what the instruction says from after begin to before end.
func between(begin, end string) string {
	_, rest, _ := strings.Cut(query(), begin)
	rest, _, _ = strings.Cut(rest, end)
	return strings.TrimSpace(rest)
}

// groups is what a pattern's brackets match in the instruction.
func groups(pattern string) []string {
	return regexp.MustCompile(pattern).FindStringSubmatch(query())[1:]
}

// number is the first number of a text.
func number(text string) int {
	n, _ := strconv.Atoi(regexp.MustCompile("-?[0-9]+").FindString(text))
	return n
}

// named is the uids of the elements of that role and name; "" stands for any.
func named(role, name string) []string {
	var uids []string
	for _, e := range elements("#area") {
		if (role == "" || e["role"] == role) && (name == "" || e["name"] == name) {
			uids = append(uids, as[string](e["uid"]))
		}
	}
	return uids
}

// seen is the uid of what has that name, once it is there.
func seen(name string) string {
	waitFor("text=" + name)
	for i := 0; i < 20; i++ {
		for _, e := range elements() {
			if e["name"] == name {
				return as[string](e["uid"])
			}
		}
		wait(0.1)
	}
	panic(name + " is not seen")
}

// over says whether the page waits for the next start.
func over() bool { return as[bool](look("document.body.innerText.includes('START')")) }

func submit()               { clickOn("text=Submit") }
func same(a, b string) bool { return strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(b)) }

// shape is something drawn: its kind, colour and text, and where it is seen.
type shape struct {
	Kind, Color, Text string
	X, Y, W, H        float64
}

func (s shape) mid() (float64, float64) { return s.X + s.W/2, s.Y + s.H/2 }

// shapes is what is drawn at a selector, in the order of the page.
func shapes(selector string) []shape {
	return as[[]shape](look("[...document.querySelectorAll(" + strconv.Quote(selector) + ")].map(e => { const b = e.getBoundingClientRect(), s = getComputedStyle(e); return {" +
		"Kind: e.localName, Color: e instanceof SVGElement ? s.fill : s.backgroundColor, Text: e.textContent.trim(), X: b.x, Y: b.y, W: b.width, H: b.height}; })"))
}
