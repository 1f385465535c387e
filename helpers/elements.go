package helpers

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"regexp"
	"strings"
)

// An element is named by one string: e12 is a uid, as extract() gave it, everything else
// a CSS selector. Both look into open shadow roots and frames. What knows the elements is
// the page-side engine: the .js files beside this one, in an isolated world of each
// document, where the page's own scripts cannot see it.

// engineFiles are those files, in the order in which they go into one scope.
const engineFiles = "dom roles names walk grid extract hit forms wait marks keys"

// engine holds the engine's text and version once it has been read.
var engine = M{}

// engineText is the script that puts the engine into a world, and its version: after an
// edit of a file a document gets the new one, and keeps its uids.
func engineText() (text, version string) {
	if engine["text"] != nil {
		return as[string](engine["text"]), as[string](engine["version"])
	}
	var files []string
	for _, name := range strings.Fields(engineFiles) {
		files = append(files, asset(name+".js"))
	}
	text = strings.Join(files, "\n")
	sum := fnv.New64a()
	sum.Write([]byte(text))
	version = fmt.Sprintf("%x", sum.Sum64())
	text = "globalThis.bu = (() => {'use strict';\n" + text + "\nreturn engine;})(); bu.version = '" + version + "'; 'ready'"
	engine["text"], engine["version"] = text, version
	return text, version
}

// isUID says whether a target is a uid.
func isUID(target string) bool { return regexp.MustCompile(`^e[1-9][0-9]*$`).MatchString(target) }

// pageWorld is the engine's world in the tab's main frame. A world is M{context: of
// Runtime.evaluate, options: of cdp (the session), frame: its id}, in a frame within
// another also {parent: that one's world, owner: the frame element's uid there}.
func pageWorld() (w M) {
	target := as[string](call(M{"meta": "session"})["target_id"]) // the main frame's id, too, but for a page that was prerendered
	err := try(func() { w = worldOf(target, M{}) })
	if err != nil && err.Code == "cdp_error" {
		return worldOf(as[string](get(cdp("Page.getFrameTree"), "frameTree", "frame", "id")), M{})
	}
	if err != nil {
		panic(err)
	}
	return w
}

func worldOf(frame string, options M) M {
	made := cdp("Page.createIsolatedWorld", M{"frameId": frame, "worldName": "bu"}, options)
	return M{"context": made["executionContextId"], "options": options, "frame": frame}
}

// evalIn runs JavaScript in a world, for at most some seconds, and gives its remote object.
func evalIn(w M, script string, byValue bool, seconds float64) M {
	options := M{"timeout": seconds, "session": get(w, "options", "session")}
	answer := cdp("Runtime.evaluate", M{"expression": script, "contextId": w["context"],
		"returnByValue": byValue, "awaitPromise": true}, options)
	bad := answer["exceptionDetails"]
	if bad != nil {
		panic(&Error{Code: "javascript_error", Message: fmt.Sprint("page engine: ", get(bad, "text"), " ", get(bad, "exception", "description"))})
	}
	return as[M](answer["result"])
}

// inWorld calls a function of the engine in a world, with JSON arguments, and gives what
// it returns. Its errors come with its own codes.
func inWorld(w M, function string, args ...any) any { return inWorldFor(w, 30, function, args...) }

func inWorldFor(w M, seconds float64, function string, args ...any) any {
	return enter(w, seconds, nil, function, args)["value"]
}

// enter is one call into the engine, which is put there first if need be. uids are the
// first number that it may give out and the one after the last.
func enter(w M, seconds float64, uids []int, function string, args []any) M {
	text, version := engineText()
	list, _ := json.Marshal(append([]any{}, args...))
	lent, _ := json.Marshal(uids)
	ask := fmt.Sprintf("globalThis.bu?.version !== %q ? {absent: true} : bu.call(%q, %s, %s)", version, function, list, lent)
	answer := as[M](evalIn(w, ask, true, seconds)["value"])
	if answer["absent"] != nil {
		evalIn(w, text, false, seconds)
		answer = as[M](evalIn(w, ask, true, seconds)["value"])
	}
	failed, _ := answer["error"].(M)
	if failed != nil {
		data, _ := failed["data"].(M)
		panic(&Error{Code: as[string](failed["code"]), Message: as[string](failed["message"]), Data: data})
	}
	return answer
}

// naming is inWorld for a function that gives elements uids: it lends it numbers that no
// other element of any page ever had or gets, and gives the rest back.
func naming(w M, function string, args ...any) any {
	for n := 4096; ; n *= 16 {
		base := as[int](call(M{"meta": "uids", "count": n})["base"])
		answer := enter(w, 30, []int{base, base + n}, function, args)
		call(M{"meta": "uids", "base": base, "used": as[int](answer["next"]) - base})
		if answer["need"] == nil {
			return answer["value"]
		}
	}
}

// childWorlds are the worlds of a frame's frames that its engine cannot look into: those
// of other origins. Frames of its own origin belong to it. Close them with leave.
func childWorlds(w M) []M {
	var found []M
	for _, owner := range as[[]any](naming(w, "frames")) {
		var child M
		try(func() { child = frameWorld(w, as[string](owner)) }) // gone meanwhile
		if child != nil {
			found = append(found, child)
		}
	}
	return found
}

// frameWorld is the world in the frame that an element of w holds. A frame of the same
// site is in w's session; one of another site has a process, and needs a session, of its own.
func frameWorld(w M, owner string) M {
	element := evalIn(w, fmt.Sprintf("bu.element(%q)", owner), false, 30)
	node := cdp("DOM.describeNode", M{"objectId": element["objectId"]}, as[M](w["options"]))
	frame := as[string](get(node, "node", "frameId"))
	var child M
	err := try(func() { child = worldOf(frame, as[M](w["options"])) })
	if err != nil {
		child = worldOf(frame, M{"session": tiedTo(frame)})
		child["own"] = true
	}
	child["parent"], child["owner"] = w, owner
	return child
}

// leave lets go of the sessions that the way to a frame's world took; the world and its
// uids live on. detach does so for one step.
func leave(w M) {
	for f := w; f != nil; f, _ = f["parent"].(M) {
		detach(f)
	}
}

func detach(w M) {
	if w["own"] == true {
		try(func() { cdp("Target.detachFromTarget", M{"sessionId": get(w, "options", "session")}) })
	}
}

// again is try, and tries again when the document went away meanwhile: a navigation was under way.
func again(f func()) *Error {
	err := try(f)
	for i := 0; i < 3 && err != nil && err.Code == "cdp_error"; i++ {
		wait(0.02)
		err = try(f)
	}
	return err
}

// orLeave runs f, and leaves the world when that fails.
func orLeave(w M, f func()) {
	err := try(f)
	if err != nil {
		leave(w)
		panic(err)
	}
}

// inTarget calls function(target, args…) in the world that has the target, the page's own
// or a frame's, and gives what it returns and that world; leave it in the end.
// Errors: element_not_found, element_stale, and the function's own.
func inTarget(function, target string, args ...any) (value any, w M) {
	args = append([]any{target}, args...)
	err := again(func() { w = pageWorld(); value = inWorld(w, function, args...) })
	if err == nil {
		return value, w
	}
	if frames, _ := err.Data["frames"].(float64); frames > 0 {
		w = holder(w, target)
	}
	if w == nil || w["parent"] == nil {
		panic(err)
	}
	orLeave(w, func() { value = inWorld(w, function, args...) })
	return value, w
}

// holder is the world of the frame, at any depth, that has the target; nil if none does.
func holder(w M, target ...any) M {
	var found M
	for _, child := range childWorlds(w) {
		try(func() {
			if found == nil && inWorld(child, "has", target...) == true {
				found = child
			}
			if found == nil {
				found = holder(child, target...)
			}
		})
		if found == nil {
			detach(child)
		}
	}
	return found
}
