package helpers

import (
	"fmt"
	"strings"

	"bu/helpers/engine"
)

// listTabs gives the browser's tabs, the user's too: [{id, title, url, current, owner}]. id
// is CDP's target id; current is true for the tab that the helpers act on. owner is the
// BU_TAB that has the tab, "" for callers without one, nil if it is nobody's but the user's.
// Where there are tabs of several profiles (other logins) each has its profile's id, too.
func listTabs() []any {
	owners, tabs, profiles := tabOwners(), []any{}, map[any]bool{}
	for _, t := range as[[]any](cdp("Target.getTargets")["targetInfos"]) {
		if id, profile := get(t, "targetId"), get(t, "browserContextId"); get(t, "type") == "page" {
			tabs = append(tabs, M{"id": id, "title": get(t, "title"), "url": engine.Bare(as[string](get(t, "url"))), "current": id == owners["current"], "owner": owners[as[string](id)], "profile": profile})
			profiles[profile] = true
		}
	}
	for _, t := range tabs {
		if len(profiles) < 2 {
			delete(as[M](t), "profile")
		}
	}
	return tabs
}

// tabOwners gives the BU_TAB of each tab that has one, by its id, and the id of the current one.
func tabOwners() M {
	status := call(M{"meta": "status"})
	owners := M{"current": status["target_id"]}
	for _, t := range as[[]any](status["tabs"]) {
		owners[as[string](get(t, "target_id"))] = get(t, "label")
	}
	return owners
}

// currentTab gives the tab that the helpers act on: {id, title, url}.
func currentTab() M {
	id := engine.Now()["target_id"]
	t := as[M](cdp("Target.getTargetInfo", M{"targetId": id})["targetInfo"])
	return M{"id": id, "title": t["title"], "url": engine.Bare(as[string](t["url"]))}
}

// newTab opens a tab in the background, makes it the current one, takes it to url if one
// is given (as navigate does) and gives its id. If the run ends before that is done, the tab is closed again.
func newTab(url ...string) (id string) {
	address := append(url, "")[0]
	engine.Step(func() (caused M) {
		id = engine.Open(func() {
			if address != "" {
				caused = navigate(address)
			}
		})
		return caused
	}, "newTab", "", engine.Bare(address))
	return id
}

// switchTab makes a tab the current one, by its id or as listTabs gives it. The person does
// not see that; activateTab shows a tab. A tab of another BU_TAB is not_allowed, unless
// "force" follows: then its owner loses the tab, and gets a notice. Error: tab_closed.
func switchTab(tab any, force ...any) {
	engine.Step(func() M {
		engine.Use(engine.Attach(tabID(tab), forced(force)), forced(force))
		return nil
	}, "switchTab", "")
}

// activateTab brings the current tab, or the one given, to the front: the only helper
// that changes what the user looks at. Error: tab_closed.
func activateTab(tab ...any) {
	cdp("Target.activateTarget", M{"targetId": chosen(tab)})
}

// closeTab closes the current tab, or the one given. After closing the current one call
// newTab or switchTab before anything else: the helpers never go on in another tab by
// themselves. A tab of another BU_TAB is not_allowed, unless with closeTab(id, "force").
func closeTab(tab ...any) {
	engine.Close(chosen(tab), forced(tab[min(1, len(tab)):]))
}

// ensureRealTab makes sure that the current tab is one that a person would browse in, not
// one of Chrome's own pages or a closed one: if need be it switches to the first such tab,
// or opens one. It gives currentTab().
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
	panic(&Error{Code: "element_not_found", Message: fmt.Sprintf("no iframe target has %q in its address; the targets are %q", part, addresses)})
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

// chosen is the id of the tab given, else of the current one.
func chosen(tab []any) string {
	if len(tab) == 0 {
		return as[string](engine.Now()["target_id"])
	}
	return tabID(tab[0])
}

// tabID takes a target id, or an object of listTabs.
func tabID(tab any) string { return as[string](or(get(tab, "id"), tab)) }

// forced says whether "force" is given.
func forced(how []any) bool {
	if len(how) > 1 || len(how) == 1 && how[0] != "force" {
		engine.Fail("bad_value", `give one tab, optionally followed by "force"; not %v`, how)
	}
	return len(how) == 1
}

// internal says whether an address is one of the browser's own pages.
func internal(url string) bool {
	scheme, _, _ := strings.Cut(url, ":")
	return strings.Contains(" chrome chrome-extension chrome-search chrome-untrusted devtools edge brave ", " "+scheme+" ")
}
