package engine

import "slices"

// listen.go: which elements the page's scripts listen to. Only the page's own world can
// tell, by the console's getEventListeners; it is asked only when a reading found elements that
// look clickable though nothing in the markup says so.

const listening = `(() => {
  const doc = f => { try { return f.contentDocument } catch { return null } }, frame = e => e.localName === 'iframe' || e.localName === 'frame';
  const everything = root => {
    const all = [...root.querySelectorAll('*')];
    return all.concat(all.flatMap(e => { const inner = e.shadowRoot || frame(e) && doc(e); return inner ? everything(inner) : [] }));
  };
  const all = everything(document), at = [], around = [], mouse = ['click', 'mousedown', 'mouseup', 'pointerdown', 'pointerup', 'dblclick', 'touchstart', 'touchend'];
  for (let i = 0; i < all.length && i < 100000; i++) {
    if (/^(HTML|BODY|HEAD)$/.test(all[i].tagName)) continue;
    const l = getEventListeners(all[i]), n = mouse.filter(m => l[m]).length;
    if (n && n < 6) at.push(i); // an element that listens for everything is a framework's root
    if (l.click && n < 6 && all[i].firstElementChild) around.push(i);
  }
  return {total: all.length, at, around};
})()`

// listened gives the elements of the page that are listened to for the mouse, by their
// numbers in document order, and those with others inside: {total, at, around}; far are those
// of the distant suspects, which are in frames and are asked one by one.
func (w *world) listened(distant bool) M {
	heard := M{"total": -1, "at": []any{}, "around": []any{}}
	if w.parent == nil {
		params := M{"expression": listening, "includeCommandLineAPI": true, "returnByValue": true, "silent": true}
		Try(func() { // a page that hangs is read without it
			answer := CDP("Runtime.evaluate", params, M{"session": w.session, "timeout": 3, "spare": true})
			if got := object(at(answer, "result", "value")); got["at"] != nil {
				heard = got
			}
		})
	}
	if distant {
		Try(func() { heard["far"] = w.far() })
	}
	return heard
}

// far asks with a depth: without one, Chrome tells only the listeners of the asking world.
func (w *world) far() (heard []int) {
	found := CDP("Runtime.getProperties", M{"objectId": w.eval(30, false, "bu.distant()")["objectId"], "ownProperties": true}, M{"session": w.session, "spare": true})
	var ask []M
	for _, p := range list(found["result"]) {
		if at(p, "value", "subtype") == "node" {
			ask = append(ask, request("DOMDebugger.getEventListeners", M{"objectId": at(p, "value", "objectId"), "depth": -1, "pierce": true}, M{"session": w.session, "spare": true}))
		}
	}
	for i, answer := range send(ask...) {
		for _, l := range list(at(answer.M["result"], "listeners")) {
			if slices.Contains(mouseEvents, text(at(l, "type"))) {
				heard = append(heard, i)
				break
			}
		}
	}
	return heard
}

var mouseEvents = []string{"click", "mousedown", "mouseup", "pointerdown", "pointerup", "dblclick"}
