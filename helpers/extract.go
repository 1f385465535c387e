package helpers

import (
	"fmt"
	"slices"
	"strings"
)

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
	options := extractOptions(parts)
	var page M
	err := again(func() {
		w := pageWorld()
		if targets := as[[]string](options["targets"]); len(targets) > 0 {
			w = holderOf(w, targets[0])
		}
		defer leave(w)
		page = read(w, options)
	})
	if err != nil {
		panic(err)
	}
	return page
}

func extractOptions(parts []any) M {
	options, targets := M{"limit": 24000}, []string{}
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			targets = append(targets, p)
		case M:
			options["limit"] = p["limit"]
		default:
			options["first"] = as[int](p)
		}
	}
	options["targets"] = targets
	return options
}

// holderOf is the world that has a target (or the text, with "text" after it): w itself
// unless only a frame has it.
func holderOf(w M, target ...any) M {
	if inWorld(w, "has", target...) == true {
		return w
	}
	found := holder(w, target...)
	if found == nil {
		return w // whose engine says what is wrong
	}
	return found
}

// read is extract in one world and in those of the frames inside.
func read(w, options M) M {
	page := as[M](naming(w, "extract", options))
	frames := as[[]any](page["frames"])
	delete(page, "frames")
	room := as[int](options["limit"]) - len(as[string](page["markdown"]))
	for i := len(frames) - 1; i >= 0; i-- { // from the last, so that the places of the others stay
		owner := as[string](get(frames[i], "uid"))
		inner := M{}
		err := try(func() { inner = readFrame(w, owner, room) })
		if err != nil { // a frame that goes, or hangs, does not take the page along
			inner = M{"markdown": "(this frame cannot be read: " + err.Message + ")", "elements": []any{}, "text": ""}
		}
		join(page, inner, owner, as[int](get(frames[i], "at")))
		room -= len(as[string](inner["markdown"]))
	}
	return page
}

func readFrame(w M, owner string, room int) M {
	child := frameWorld(w, owner)
	defer detach(child)
	return read(child, M{"targets": []string{}, "limit": max(room, 1000)})
}

// join puts what a frame holds into its place in the page.
func join(page, inner M, owner string, at int) {
	here := "{frame " + owner + "}"
	page["markdown"] = strings.Replace(as[string](page["markdown"]), here, here+"\n"+as[string](inner["markdown"]), 1)
	page["elements"] = slices.Insert(as[[]any](page["elements"]), at, as[[]any](inner["elements"])...)
	if inner["text"] != "" {
		page["text"] = fmt.Sprint(page["text"], "\n", inner["text"])
	}
	if inner["capped"] != nil {
		capped, _ := page["capped"].([]any)
		page["capped"] = append(as[[]any](inner["capped"]), capped...)
	}
}
