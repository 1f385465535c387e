package helpers

import "bu/helpers/engine"

// extract reads the page: {markdown, elements, text}. Print extract()["markdown"]: it
// reads as the page does, with the uids to act on in place: {e4 button "View"}, links
// [text](href){e5}. Not in it unless asked for: navigation, footer, chat buttons, cookie
// banners that block nothing; its last line names those. elements lists all that can be acted on, as
// [{uid, role, name, value, context, checked, disabled, …}]; text is the raw innerText.
// An open modal dialog is read alone.
//
// extract("main", "e7") reads parts, by selector or uid. At most 24,000 characters: rows
// of tables and lists are left out first, the Markdown says how many and how to get them
// (extract("e7", 89) starts at row 89), and capped repeats it. {limit: 100000} as an
// argument sets another limit. Errors: element_not_found, element_stale, bad_request.
func extract(parts ...any) M {
	targets, first, limit := []string{}, 1, 24000
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			targets = append(targets, p)
		case M:
			limit = as[int](p["limit"])
		default:
			first = as[int](p)
		}
	}
	return engine.Extract(targets, first, limit)
}

// changes compares the page with what the last extract() or changes() of this document saw,
// and gives the difference as text: new lines, changed lines with what they were, lines that
// are gone, all with their uids, and what was shown and went again meanwhile, such as a
// toast; "" if there is none. It covers everything, also what extract leaves out. If this
// document was not read before, it says so and reads it as extract does.
func changes() string { return engine.Changes(24000) }

// find gives the lines of the page that contain a text (upper and lower case are the same),
// with their uids, the heading or table head above them and the lines next to them; 20
// places at most. It looks everywhere on the page, also in what extract leaves out; a list
// that draws only some of its rows is scrolled to the row (10 s at most), and the answer
// says so. Error: element_not_found.
func find(text string) string { return engine.Find(text) }

// table gives the rows of a table, grid or list as lists of what their cells say, with uids
// where something can be acted on; the first row is the head if there is one. A cell that
// spans several columns is followed by empty ones. Errors: element_not_found, element_stale,
// bad_value.
func table(target string) (rows [][]string) {
	return as[[][]string](engine.Table(target))
}
