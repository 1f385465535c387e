package engine

// closed.go: closed shadow roots. No script can reach them, not ours either; the browser hands
// them out, and the engine's world keeps them for as long as the document lives.

// openRoots asks for the closed root of each element that may have one, as the last reading
// found them, and gives those to the world.
func (w *world) openRoots() {
	hosts := w.eval(30, false, "bu.hosts()")
	found := CDP("Runtime.getProperties", M{"objectId": hosts["objectId"], "ownProperties": true}, M{"session": w.session, "spare": true})
	var ask []M
	for _, p := range list(found["result"]) {
		if at(p, "value", "subtype") == "node" {
			ask = append(ask, request("DOM.describeNode", M{"objectId": at(p, "value", "objectId"), "pierce": true}, M{"session": w.session, "spare": true}))
		}
	}
	if len(ask) == 0 {
		return
	}
	for _, answer := range send(ask...) {
		for _, root := range list(at(answer.M["result"], "node", "shadowRoots")) {
			if at(root, "shadowRootType") == "closed" {
				Try(func() { w.adopt(at(root, "backendNodeId")) }) // it may have gone meanwhile, which is fine
			}
		}
	}
}

// opening calls look, and again while its result counts hosts whose closed roots can still be
// opened: one may be inside another.
func (w *world) opening(look func() M) (got M) {
	for depth := 0; ; depth++ {
		got = look()
		if number(got["hosts"]) == 0 || depth == 5 {
			return got
		}
		w.openRoots()
	}
}

func (w *world) adopt(node any) {
	root := CDP("DOM.resolveNode", M{"backendNodeId": node, "executionContextId": w.context}, M{"session": w.session, "spare": true})
	CDP("Runtime.callFunctionOn", M{"objectId": at(root, "object", "objectId"), "functionDeclaration": "function() { bu.adopt(this) }"}, M{"session": w.session, "spare": true})
}
