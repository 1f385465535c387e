package engine

import (
	"encoding/json"
	"fmt"
	"slices"
)

// listen.go: which elements the page's scripts listen to. Only the page's own world can
// tell, by the console's getEventListeners; it is asked only when a reading found elements that
// look clickable though nothing in the markup says so.

const listening = `(total, wanted) => {
  const doc = f => { try { return f.contentDocument } catch { return null } }, frame = e => e.localName === 'iframe' || e.localName === 'frame';
  const everything = root => {
    const all = [...root.querySelectorAll('*')];
    return all.concat(all.flatMap(e => { const inner = e.shadowRoot || frame(e) && doc(e); return inner ? everything(inner) : [] }));
  };
  const all = everything(document), hits = new Set(), boxes = new Set(), seen = new Set(), rules = [], at = [], around = [];
  if (all.length !== total) return {total: all.length, at, around};
  const mouse = ['click', 'mousedown', 'mouseup', 'pointerdown', 'pointerup', 'dblclick', 'touchstart', 'touchend'];
  // what frameworks note at the element, as they listen at the root for all
  const noted = e => { const k = Object.keys(e).find(k => k.startsWith('__reactProps$')), p = k && e[k]; return e.$$click || e.__click || p && (p.onClick || p.onMouseDown || p.onPointerDown || p.onDoubleClick) };
  const ruled = e => { const own = window.jQuery?._data?.(e, 'events'), r = own ? mouse.flatMap(m => (own[m] ?? []).filter(h => h.selector)) : []; rules.push(...r.map(h => [e, h.selector])); return r.length };
  const look = e => {
    const l = getEventListeners(e), n = mouse.filter(m => l[m]).length;
    if (noted(e)) hits.add(e);
    if (!n || n > 5 || ruled(e)) return; // an element that listens for everything is a framework's root
    hits.add(e);
    if (l.click && e.firstElementChild) boxes.add(e);
  };
  for (const e of [document, document.documentElement, document.body]) { seen.add(e); try { ruled(e) } catch {} }
  for (const i of wanted) for (let e = all[i]; e && !seen.has(e); e = e.parentElement || e.getRootNode().host) { seen.add(e); look(e) }
  for (const [box, selector] of rules.slice(0, 50)) for (const i of wanted.slice(0, 5000)) { const e = all[i].closest(selector); if (e && box.contains(e)) hits.add(e) }
  if (hits.size || boxes.size) all.forEach((e, i) => { if (hits.has(e)) at.push(i); if (boxes.has(e)) around.push(i) });
  return {total, at, around};
}`

// listened gives the elements that are listened to for the mouse, of those that a reading wanted to know of
// and those around them, by their numbers in document order, and those with others inside: {total, at, around}; far are those
// of the distant suspects, which are in frames and are asked one by one.
func (w *world) listened(reading M) M {
	heard := M{"total": -1, "at": []any{}, "around": []any{}}
	if wanted := list(reading["wanted"]); w.parent == nil && len(wanted) > 0 {
		numbers, _ := json.Marshal(wanted)
		params := M{"expression": fmt.Sprintf("(%s)(%v, %s)", listening, number(reading["total"]), numbers), "includeCommandLineAPI": true, "returnByValue": true, "silent": true}
		Try(func() { // a page that hangs is read without it
			answer := CDP("Runtime.evaluate", params, M{"session": w.session, "timeout": 3, "spare": true})
			if got := object(at(answer, "result", "value")); got["at"] != nil {
				heard = got
			}
		})
	}
	if number(reading["distant"]) > 0 {
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
