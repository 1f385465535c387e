package helpers

import "bu/helpers/engine"

// extract reads the page: {markdown, elements, text}. Print extract()["markdown"]: it
// reads as the page does, with the uids to act on in place: {e4 button "View"}, links
// [text](href){e5}. Not in it unless asked for: navigation, footer, overlays, cookie
// banners; its last line names those. elements lists all that can be acted on, as
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
