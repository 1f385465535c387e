package solutions

// uidAfter is the uid in the first mark of the page after a text; kind is part of the mark.
func uidAfter(text, kind string) string {
	_, rest, ok := strings.Cut(page("#area"), text)
	m := regexp.MustCompile(`\{(e[0-9]+)[^}]*` + regexp.QuoteMeta(kind)).FindStringSubmatch(rest)
	if !ok || m == nil {
		panic(text + " is not seen")
	}
	return m[1]
}

// letter is the uid of a line of the inbox, by who wrote it.
func letter(from string) string {
	m := regexp.MustCompile(`\{(e[0-9]+)\} ` + from + `\n`).FindStringSubmatch(page("#area"))
	if m == nil {
		panic("no letter of " + from)
	}
	return m[1]
}

// email-inbox, email-inbox-delete, email-inbox-forward, email-inbox-important, email-inbox-noscroll, email-inbox-reply,
// email-inbox-star-reply: a letter of a person is found, and dealt with as told.
func email() {
	from := groups(`(?:by|from) ([A-Z][a-z-]+)`)[0]
	q := query()
	switch {
	case strings.Contains(q, "trash"):
		clickOn(uidAfter("} "+from+"\n", "(trash)"))
	case strings.Contains(q, "star"):
		clickOn(uidAfter("} "+from+"\n", "(star)"))
	case strings.Contains(q, "reply"):
		reply(from, quoted()[0])
	default:
		forward(from, groups(`to ([A-Z][a-z-]+)`)[0])
	}
}

func reply(from, text string) {
	clickOn(letter(from))
	clickOn(seen("Reply"))
	waitFor("#reply-text")
	fill("#reply-text", text)
	clickOn("#send-reply")
}

func forward(from, to string) {
	clickOn(letter(from))
	clickOn(seen("Forward"))
	waitFor("#forward-text")
	fill("#area .forward-sender", to)
	clickOn("#send-forward")
}

// email-inbox-forward-nl, email-inbox-forward-nl-turk, email-inbox-nl-turk: told in other words: who wrote it is in the inbox,
// and stands after words like "from" if both names are.
func emailTold() {
	q := query()
	names := people(q)
	from := names[0]
	if m := regexp.MustCompile(`(?:by|from|From|of) ([A-Z][a-z-]+)|([A-Z][a-z-]+)(?:'s| sent)`).FindStringSubmatch(q); m != nil {
		from = m[1] + m[2]
	}
	to := names[len(names)-1]
	if to == from {
		to = names[0]
	}
	switch q = strings.ToLower(q); {
	case strings.Contains(q, "delete"), strings.Contains(q, "trash"):
		clickOn(uidAfter("} "+from+"\n", "(trash)"))
	case strings.Contains(q, "star"), strings.Contains(q, "important"):
		clickOn(uidAfter("} "+from+"\n", "(star)"))
	case len(quoted()) > 0:
		reply(from, quoted()[0])
	default:
		forward(from, to)
	}
}

// people is the names in an instruction: words with a capital that begin no sentence of it.
func people(q string) []string {
	var names []string
	for _, m := range regexp.MustCompile(`[A-Z][a-z-]+`).FindAllString(q, -1) {
		if !strings.Contains(" Find Send Give Forward Locate Please Can Could Will Remind Search Delete Put I Tell Reply Star Mark The Email ", " "+m+" ") {
			names = append(names, m)
		}
	}
	return names
}

// social-media-all, social-media-some: a button at all or some of a person's posts.
func socialMediaMany() {
	user, count := groups("by (@[a-z]+)")[0], 1000
	if strings.Contains(query(), "all posts") == false {
		count = number(between("button on", "post"))
	}
	kind := "(" + strings.ToLower(quoted()[0]) + ")"
	for _, post := range strings.Split(page("#area"), user+"\n")[1:] {
		if count--; count >= 0 {
			clickOn(regexp.MustCompile(`\{(e[0-9]+) ` + regexp.QuoteMeta(kind)).FindStringSubmatch(post)[1])
		}
	}
	submit()
}

// phone-book: pages are turned until the person is there.
func phoneBook() {
	name := between("Find ", " in the")
	for !strings.Contains(page("#area"), "# "+name+"\n") {
		clickOn("text=>")
	}
	label := map[string]string{"phone number": "Phone:", "email": "Email:", "address": "Address:"}[between("on their ", ".")]
	clickOn(uidAfter(label, ""))
}

// search-engine: a hit by its place; three stand on a page.
func searchEngine() {
	fill("#search-text", quoted()[0])
	clickOn("text=Search")
	place := number(between("click the ", " search"))
	waitFor("#page-content a")
	if turn := (place - 1) / 3; turn > 0 {
		clickOn(fmt.Sprintf("text=%d", turn+1))
	}
	links := regexp.MustCompile(`\]\(#\)\{(e[0-9]+)\}`).FindAllStringSubmatch(page("#area"), -1)
	clickOn(links[(place-1)%3][1])
}

// terminal: files are listed, and one that ends so is removed.
func terminal() {
	end := groups(`extension (\.[a-z]+)`)[0]
	clickOn("#terminal-target")
	typeText("ls\n")
	waitForQuiet()
	file := regexp.MustCompile(`\S+`+regexp.QuoteMeta(end)+`\b`).FindAllString(page("#area"), -1)
	typeText("rm " + file[len(file)-1] + "\n")
}

// stock-market: the price is watched.
func stockMarket() {
	limit, _ := strconv.ParseFloat(between("less than $", ". "), 64)
	if limit == 0 {
		limit, _ = strconv.ParseFloat(strings.TrimSuffix(between("less than $", " "), "."), 64)
	}
	x, y := shapes("#area button")[0].mid()
	for {
		m := regexp.MustCompile(`\$([0-9.]+)`).FindStringSubmatch(text("#area"))
		if m == nil {
			continue
		}
		if price, _ := strconv.ParseFloat(m[1], 64); price < limit {
			click(x, y)
			return
		}
	}
}

// use-autocomplete, use-autocomplete-nodelay: of what is proposed, what ends so.
func useAutocomplete() {
	q := quoted()
	clickOn("#area input")
	typeText(q[0])
	waitFor("body > ul li")
	for _, e := range elements() {
		name := as[string](e["name"])
		if strings.HasPrefix(name, q[0]) && len(q) > 1 && strings.HasSuffix(name, q[1]) || len(q) == 1 && strings.HasPrefix(name, q[0]) && e["role"] == "listitem" {
			clickOn(as[string](e["uid"]))
			break
		}
	}
	submit()
}

// choose-date, choose-date-easy, choose-date-medium, choose-date-nodelay: back to the month, then the day.
func chooseDate() {
	pickDate("#datepicker", groups("([0-9]+)/([0-9]+)/([0-9]+)"))
	submit()
}

// pickDate picks {month, day, year} in the calendar that a field opens.
func pickDate(field string, date []string) {
	clickOn(field)
	month := time.Month(number(strings.TrimLeft(date[0], "0"))).String() + " " + date[2]
	waitFor("#ui-datepicker-div")
	waitForQuiet()
	for !strings.Contains(page(), month) {
		clickOn("#ui-datepicker-div .ui-datepicker-prev")
	}
	day := regexp.MustCompile(`\[` + strings.TrimLeft(date[1], "0") + `\]\(#\)\{(e[0-9]+)\}`).FindStringSubmatch(page())
	clickOn(day[1])
}

// buy-ticket: the one with the most or least of something.
func buyTicket() {
	q, best, uid := query(), 0.0, ""
	for _, m := range regexp.MustCompile(`([0-9]+)h ([0-9]+)m\s*\{(e[0-9]+) button "Book for \$([0-9]+)`).FindAllStringSubmatch(page("#area"), -1) {
		worth := float64(number(m[1])*60 + number(m[2]))
		if strings.Contains(q, "cost") {
			worth = float64(number(m[4]))
		}
		if strings.Contains(q, "shortest") || strings.Contains(q, "cheapest") {
			worth = 1 / worth
		}
		if worth > best {
			best, uid = worth, m[3]
		}
	}
	clickOn(uid)
}

// order-food: dishes by name, or so many of a kind.
func orderFood() {
	dish := regexp.MustCompile(`(?m)^([A-Z][A-Za-z ]+)\n(!.*)\n\{e[0-9]+ "-"\} \{(e[0-9]+) "\+"\}`)
	kind, count := "", 0
	if m := regexp.MustCompile("Order ([0-9]+) items? that (?:are|is) ([a-z-]+)").FindStringSubmatch(query()); m != nil {
		count, kind = number(m[1]), "!["+m[2]+"]"
	}
	wanted := strings.Split(between("each item: ", "\n"), ", ")
	for _, m := range dish.FindAllStringSubmatch(regexp.MustCompile(`\n+`).ReplaceAllString(page("#area"), "\n"), -1) {
		if kind != "" && count > 0 && strings.Contains(m[2], kind) {
			count--
			clickOn(m[3])
		} else if kind == "" && slices.Contains(wanted, m[1]) {
			clickOn(m[3])
		}
	}
	clickOn("text=Order!")
}

// sign-agreement: what is to be signed is read to its end first.
func signAgreement() {
	if strings.Contains(query(), "Scroll") {
		x, y := shapes("#text-area")[0].mid()
		scroll(x, y, 5000)
		waitFor("#area input:enabled")
		fill("#area input", quoted()[0])
		clickOn("text=" + quoted()[1])
		return
	}
	button := groups("Click the ([a-z]+) button")[0]
	clickOn("text=" + strings.ToUpper(button[:1]) + button[1:])
}

// scroll-text-2: to the top or the bottom of a text.
func scrollText2() {
	x, y := shapes("#text-area")[0].mid()
	way := 5000.0
	if strings.Contains(query(), "to the top") {
		way = -way
	}
	scroll(x, y, way)
	waitForQuiet()
	submit()
}

// book-flight, book-flight-nodelay: two places and a date, then the cheapest or shortest of what is found.
func bookFlight() {
	g := groups(`the (\S+) one-way flight from: (.*) to: (.*) on ([0-9]+)/([0-9]+)/([0-9]+)`)
	pickPlace("From:", g[1])
	pickPlace("To:", g[2])
	pickDate("#datepicker", g[3:])
	clickOn("text=Search")
	best, uid := 0, ""
	for _, m := range regexp.MustCompile(`(?s)([0-9]+)h ([0-9]+)m.*?\{(e[0-9]+) button "Book flight for \$([0-9]+)`).FindAllStringSubmatch(page("#area"), -1) {
		worth := number(m[1])*60 + number(m[2])
		if g[0] == "cheapest" {
			worth = number(m[4])
		}
		if uid == "" || worth < best {
			best, uid = worth, m[3]
		}
	}
	clickOn(uid)
}

// pickPlace types an airport or its city into a field that proposes airports, and takes the one that is meant.
func pickPlace(field, place string) {
	clickOn(named("textbox", field)[0])
	typeText(place)
	waitFor("text=" + place)
	waitForQuiet()
	for _, e := range elements() {
		if name := as[string](e["name"]); strings.HasPrefix(name, place+" (") || strings.HasSuffix(name, "("+place+")") {
			clickOn(as[string](e["uid"]))
			return
		}
	}
	panic(place + " is not proposed")
}

// daily-calendar: an entry of some length is drawn where the day is free, and named.
func dailyCalendar() {
	g := groups(`Create an? ([0-9.]+) (\S+) event named "(.*)", between ([0-9]+[AP]M) and ([0-9]+[AP]M)`)
	length, _ := strconv.ParseFloat(g[0], 64)
	if strings.HasPrefix(g[1], "min") {
		length /= 60
	}
	day := regexp.MustCompile(`(?m)^([0-9]+[ap]m)\s+\{e[0-9]+ \(([^)]+)\)\}\s+\{e[0-9]+ \(([^)]+)\)\}`).FindAllStringSubmatch(page("#area"), -1)
	var halves []string
	first, last := 0, 0
	for _, hour := range day {
		if strings.EqualFold(hour[1], g[3]) {
			first = len(halves)
		}
		if strings.EqualFold(hour[1], g[4]) {
			last = len(halves)
		}
		halves = append(halves, "#"+hour[2], "#"+hour[3])
	}
	n := int(length * 2)
	for ; first+n <= last; first++ {
		if from, to, ok := free(halves[first : first+n]); ok {
			drag(from.X+10, from.Y+5, to.X+10, to.Y+to.H-5)
			fill("[placeholder='Event name']", g[2])
			clickOn("text=Create")
			return
		}
	}
	panic("no time is free")
}

// free says whether no entry lies on these parts of the day, and where the first and last are seen.
func free(halves []string) (from, to shape, ok bool) {
	scrollTo(halves[len(halves)/2])
	from, to, ok = shapes(halves[0])[0], shapes(halves[len(halves)-1])[0], true
	for _, e := range shapes("#area .event") {
		ok = ok && (e.Y+e.H < from.Y+3 || e.Y > to.Y+to.H-3)
	}
	return from, to, ok
}

// social-media: a button at a post of a person, or an entry of the menu there.
func socialMedia() {
	user, what := groups("For the user (@[a-z]+)")[0], quoted()[0]
	post := regexp.MustCompile(`(?s)` + user + `\b.*?\{(e[0-9]+) \(reply\)\} \{(e[0-9]+) \(retweet\)\} \{(e[0-9]+) \(like\)\} \{(e[0-9]+) \(more\)\}`).FindStringSubmatch(page("#area"))
	place := slices.Index([]string{"", "Reply", "Retweet", "Like"}, what)
	if place > 0 {
		clickOn(post[place])
		return
	}
	clickOn(post[4])
	if what == "Mute" || what == "Block" {
		what += " " + user
	}
	clickOn(seen(what))
}
