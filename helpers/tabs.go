package helpers

import (
	"fmt"
	"strings"
)

// listTabs gives the browser's tabs, the user's too: [{id, title, url, current}]. id is
// CDP's target id; current is true for the tab that the helpers act on.
func listTabs() []any {
	current, tabs := call(M{"meta": "status"})["target_id"], []any{}
	for _, t := range as[[]any](cdp("Target.getTargets")["targetInfos"]) {
		if get(t, "type") == "page" {
			id := get(t, "targetId")
			tabs = append(tabs, M{"id": id, "title": get(t, "title"), "url": get(t, "url"), "current": id == current})
		}
	}
	return tabs
}

// currentTab gives the tab that the helpers act on: {id, title, url}.
func currentTab() M {
	id := call(M{"meta": "session"})["target_id"]
	t := as[M](cdp("Target.getTargetInfo", M{"targetId": id})["targetInfo"])
	return M{"id": id, "title": t["title"], "url": t["url"]}
}

// newTab opens a tab in the background, makes it the current one, takes it to url if one
// is given (as navigate does) and gives its id.
func newTab(url ...string) string {
	id := as[string](cdp("Target.createTarget", M{"url": "about:blank", "background": true})["targetId"])
	switchTab(id)
	if len(url) > 0 {
		navigate(url[0])
	}
	return id
}

// switchTab makes a tab the current one, by its id or as listTabs gives it. The user sees
// nothing of it; activateTab shows a tab. Error: tab_closed when there is none.
func switchTab(tab any) {
	call(M{"meta": "set_session", "session_id": attachTab(tabID(tab))})
}

// activateTab brings the current tab, or the one given, to the front: the only helper
// that changes what the user looks at.
func activateTab(tab ...any) {
	cdp("Target.activateTarget", M{"targetId": chosen(tab)})
}

// closeTab closes the current tab, or the one given. After the current one, newTab or
// switchTab before anything else: the helpers never act on another tab by themselves.
func closeTab(tab ...any) {
	id := chosen(tab)
	session, from := attachTab(id), as[int](get(call(M{"meta": "status"}), "events", "seq"))
	cdp("Target.closeTarget", M{"targetId": id})
	for end := after(3); left(end) > 0; {
		var found []any
		found, from = sinceIn("", from, left(end), "Target.detachedFromTarget")
		for _, e := range found {
			if get(e, "params", "sessionId") == session {
				return
			}
		}
	}
	panic(&Error{Code: "timeout", Message: "tab " + id + " is still there after 3 s; does its page ask before it closes?"})
}

// ensureRealTab makes sure that the current tab is one that a person would browse in, not
// one of Chrome's own pages nor a closed one: else it switches to the first that is, or
// opens one. It gives currentTab().
func ensureRealTab() M {
	var now M
	if try(func() { now = currentTab() }) == nil && !internal(as[string](now["url"])) {
		return now
	}
	for _, t := range listTabs() {
		if !internal(as[string](get(t, "url"))) && try(func() { switchTab(t) }) == nil {
			return currentTab()
		}
	}
	newTab()
	return currentTab()
}

// iframeTarget gives the target id of the current tab's iframe whose address contains
// part, for js(expr, id). Only frames of other sites are targets of their own; reach
// into the others with js("document.querySelector('iframe').contentDocument…").
// Error: element_not_found, with the addresses that there are.
func iframeTarget(part string) string {
	mine, addresses := frameIDs(cdp("Page.getFrameTree")["frameTree"]), []string{}
	for _, t := range as[[]any](cdp("Target.getTargets")["targetInfos"]) {
		if get(t, "type") != "iframe" || !mine[get(t, "parentFrameId")] {
			continue
		}
		url, id := as[string](get(t, "url")), as[string](get(t, "targetId"))
		if strings.Contains(url, part) {
			return id
		}
		addresses = append(addresses, url)
	}
	panic(&Error{Code: "element_not_found", Message: fmt.Sprintf("no iframe target whose address contains %q; there are %q", part, addresses)})
}

// frameIDs is the set of the ids in a Page.FrameTree.
func frameIDs(tree any) map[any]bool {
	ids := map[any]bool{get(tree, "frame", "id"): true}
	children, _ := get(tree, "childFrames").([]any)
	for _, child := range children {
		for id := range frameIDs(child) {
			ids[id] = true
		}
	}
	return ids
}

// attach makes a session on a target and gives its id, for cdpIn.
func attach(target string) string {
	return as[string](cdp("Target.attachToTarget", M{"targetId": target, "flatten": true})["sessionId"])
}

// chosen is the id of the tab given, else of the current one.
func chosen(tab []any) string {
	if len(tab) == 0 {
		return as[string](call(M{"meta": "session"})["target_id"])
	}
	return tabID(tab[0])
}

// tabID takes a target id, or an object of listTabs.
func tabID(tab any) string { return as[string](or(get(tab, "id"), tab)) }

// attachTab is attach, with tab_closed when there is no such tab.
func attachTab(id string) string {
	var session string
	err := try(func() { session = attach(id) })
	if err != nil && err.Code == "cdp_error" {
		err = &Error{Code: "tab_closed", Message: fmt.Sprintf("no tab %s; listTabs() gives those that there are", id)}
	}
	if err != nil {
		panic(err)
	}
	return session
}

// internal says whether an address is one of the browser's own pages.
func internal(url string) bool {
	scheme, _, _ := strings.Cut(url, ":")
	return strings.Contains(" chrome chrome-extension chrome-search chrome-untrusted devtools edge brave ", " "+scheme+" ")
}
