package engine

// listen.go: which elements the page's scripts listen to. Only the page's own world can
// tell, by the console's getEventListeners; it is asked only when a reading met what looks
// as if it could be clicked and says so nowhere.

const listening = `(() => {
  const all = document.querySelectorAll('*'), at = [], mouse = ['click', 'mousedown', 'mouseup', 'pointerdown', 'pointerup', 'dblclick', 'touchstart', 'touchend'];
  for (let i = 0; i < all.length && i < 100000; i++) {
    if (/^(HTML|BODY|HEAD)$/.test(all[i].tagName)) continue;
    const l = getEventListeners(all[i]);
    if (mouse.some(m => l[m])) at.push(i);
  }
  return {total: all.length, at};
})()`

// listened gives the elements of the page that are listened to for the mouse, by their
// numbers in document order: {total, at}. Frames are not asked.
func (w *world) listened() M {
	none := M{"total": -1, "at": []any{}}
	if w.parent != nil {
		return none
	}
	params := M{"expression": listening, "includeCommandLineAPI": true, "returnByValue": true, "silent": true}
	answer := M{}
	if Try(func() { answer = CDP("Runtime.evaluate", params, M{"session": w.session, "timeout": 3, "spare": true}) }) != nil {
		return none // a page that hangs is read by what can be seen
	}
	if heard := object(at(answer, "result", "value")); heard["at"] != nil {
		return heard
	}
	return none
}
