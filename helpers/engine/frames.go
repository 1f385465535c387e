package engine

import (
	"fmt"
	"sync"
)

// frames.go: the documents inside a page that its engine cannot look into, those of other
// origins. Their worlds, and the sessions that some of them need, are kept for the run; the
// sessions are tied to it and end with it.

// inner is the world in the frame that an element of w holds, nil if that is gone. A frame
// of the same site is in w's session; one of another site needs a session of its own.
func (w *world) inner(owner string) *world {
	key := w.frame + " " + owner
	if child := kept(key); child != nil {
		return child
	}
	element := w.eval(30, false, fmt.Sprintf("bu.element(%q)", owner))
	node := CDP("DOM.describeNode", M{"objectId": element["objectId"]}, M{"session": w.session, "spare": true})
	child := &world{frame: text(at(node, "node", "frameId")), session: w.session, parent: w, owner: owner}
	if Try(func() { child.make() }) != nil {
		child.session = attach(child.frame, M{"tied": true})
		child.make()
		send(request("Page.enable", nil, M{"session": child.session, "spare": true}), // the daemon keeps choosers of the tab's own pages from opening
			request("Page.setInterceptFileChooserDialog", M{"enabled": true}, M{"session": child.session, "spare": true}))
	}
	return keep(key, child)
}

// separate says whether the frame is drawn by a process of its own.
func (w *world) separate() bool { return w.parent != nil && w.session != w.parent.session }

// through runs f in the world in a frame, and once more if that document went meanwhile.
func (w *world) through(owner string, f func(inner *world)) (err *Error) {
	for range 2 {
		var inner *world
		err = Try(func() {
			inner = w.inner(owner)
			f(inner)
		})
		if err == nil || err.Code != errGone {
			break
		}
		forget(inner)
	}
	return err
}

// owners are the uids of the elements that hold frames of other origins, those in sight.
func (w *world) owners() (uids []string) {
	for _, u := range list(w.ask("frames")) {
		uids = append(uids, text(u))
	}
	return uids
}

// reach calls function(target, …) where the target is: in w, in a closed shadow root of it, or
// in a frame of another origin. The error is w's own where nothing has it.
func (w *world) reach(function string, args []any) (value any, holder *world) {
	err := w.opening(func() M {
		failed := Try(func() { value = w.ask(function, args...) })
		if failed == nil {
			return nil
		}
		return M{"error": failed, "hosts": failed.Data["hosts"]}
	})
	failed, _ := err["error"].(*Error)
	if failed == nil {
		return value, w
	}
	if number(failed.Data["frames"]) > 0 {
		for _, owner := range w.owners() {
			inside := w.through(owner, func(inner *world) { value, holder = inner.reach(function, args) })
			switch {
			case inside == nil:
				return value, holder
			case !elsewhere[inside.Code]:
				panic(inside)
			}
		}
	}
	panic(failed)
}

// elsewhere are the errors of a frame that lacks what is looked for, hangs, or goes away.
var elsewhere = map[string]bool{"element_not_found": true, "element_stale": true, "timeout": true, "cdp_error": true, "tab_closed": true, "tab_crashed": true}

// holder is the world of the frame, at any depth in w, that has a target (or the text, with
// "text" after it); nil if none does.
func (w *world) holder(target ...any) (found *world) {
	for _, owner := range w.owners() {
		w.through(owner, func(inner *world) { // a frame that goes away or hangs does not have it
			if inner.ask("has", target...) == true {
				found = inner
			} else {
				found = inner.holder(target...)
			}
		})
		if found != nil {
			return found
		}
	}
	return nil
}

// has is the world that has a target: w itself unless only a frame has it.
func (w *world) has(target ...any) *world {
	if w.ask("has", target...) == true {
		return w
	}
	if found := w.holder(target...); found != nil {
		return found
	}
	return w // whose page side says what is wrong
}

// outward calls function(owner, args…) in each document around the world's own, from the
// inside out, with what the one before gave.
func (w *world) outward(function string, value any) any {
	for f := w; f.parent != nil; f = f.parent {
		value = f.parent.ask(function, f.owner, value)
	}
	return value
}

// each calls f for all worlds at once and waits for them.
func each[T any](all []T, f func(i int, one T)) {
	var done sync.WaitGroup
	for i, one := range all {
		done.Go(func() { f(i, one) })
	}
	done.Wait()
}

// FrameTargets are the ids of the tab's iframes that are targets of their own, at any depth:
// those of other sites.
func FrameTargets() (ids []string) {
	parents := M{}
	for _, t := range list(CDP("Target.getTargets", nil, nil)["targetInfos"]) {
		if at(t, "type") == "iframe" {
			parents[text(at(t, "targetId"))] = at(t, "parentId")
		}
	}
	tab, _ := Tab()
	for id, above := range parents {
		for above != nil && above != tab {
			above = parents[text(above)]
		}
		if above == tab {
			ids = append(ids, id)
		}
	}
	return ids
}
