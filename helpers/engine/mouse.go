package engine

// mouse.go: the mouse, in CSS pixels, through the browser's own input: what lies at the
// point gets the event, iframe or shadow root or not.

// Mouse says how to press.
type Mouse struct {
	Button string // left, middle, right, back, forward
	Count  int    // 2 is a double click
	Keys   int    // modifiers held: Alt 1, Control 2, Meta 4, Shift 8
}

// Buttons are the bits of CDP's buttons.
var Buttons = map[string]int{"left": 1, "right": 2, "middle": 4, "back": 8, "forward": 16}

// point is a place in the window, or in a frame that has a session of its own: what Chrome
// knows of that frame's place is as old as its last drawing.
type point struct {
	x, y    float64
	session string
	window  [2]float64 // where that is in the window
}

func (p point) inWindow() point { return point{x: p.window[0], y: p.window[1]} }

// ClickAt clicks at a point of the window and tells what that caused.
func ClickAt(x, y float64, how Mouse) M {
	to, _ := inSight(x, y)
	return follow(beginHere(), func() { press(to, how) }, &effects{}, nil)
}

// press moves there, presses and lets go, sent in one go: Chrome keeps the order, and a
// move alone is answered with the next frame only.
func press(at point, how Mouse) {
	all := []M{at.input("mouseMoved", "none", 0, how.Keys)}
	for n := 1; n <= how.Count; n++ {
		all = append(all, at.input("mousePressed", how.Button, n, how.Keys), at.input("mouseReleased", how.Button, n, how.Keys))
	}
	together(all...)
}

// together sends requests in one go; the first error counts.
func together(all ...M) {
	for _, answer := range send(all...) {
		if answer.Err != nil {
			panic(answer.Err)
		}
	}
}

// Keys sends the params of key events in one go.
func Keys(events ...M) {
	var all []M
	for _, e := range events {
		all = append(all, request("Input.dispatchKeyEvent", e, M{"spare": true}))
	}
	together(all...)
}

// input is a request of a mouse event.
func (at point) input(kind, button string, count, keys int) M {
	held := 0
	if kind != "mouseReleased" {
		held = Buttons[button]
	}
	params := M{"type": kind, "x": at.x, "y": at.y, "button": button, "buttons": held, "clickCount": count, "modifiers": keys}
	return request("Input.dispatchMouseEvent", params, M{"session": at.session, "spare": true})
}

// inSight converts a point of the window to what Chrome's input takes, and gives the function
// that converts others: under a pinch zoom they differ. It panics with bad_value if the window
// does not show that point: the input would be lost without an error. So it would on a page that
// is stopped in a debugger, which answers everything but a promise: waiting for one lets the
// daemon name that.
func inSight(x, y float64) (to point, screen func(x, y float64) point) {
	const view = "(async () => [innerWidth, innerHeight, visualViewport.scale, visualViewport.offsetLeft, visualViewport.offsetTop, visualViewport.width, visualViewport.height])()"
	answer := CDP("Runtime.evaluate", M{"expression": view, "returnByValue": true, "awaitPromise": true}, M{"spare": true})
	var n []float64
	for _, v := range list(at(answer, "result", "value")) { // scrollbars included
		n = append(n, number(v))
	}
	if len(n) < 7 {
		Fail("javascript_error", "the page did not report its size; try pageInfo()")
	}
	if w, h := n[0], n[1]; !(x >= 0 && x < w && y >= 0 && y < h) {
		Fail("bad_value", "the point (%v, %v) is out of sight: the window shows %v × %v CSS pixels; scroll(x, y, dy) or scrollTo(target) first", x, y, w, h)
	}
	scale, left, top := n[2], n[3], n[4]
	if scale > 1 && !(x >= left && x < left+n[5] && y >= top && y < top+n[6]) {
		Fail("bad_value", "the point (%v, %v) is out of sight: the page is pinch-zoomed to %v × %v CSS pixels from (%v, %v); scrollTo(target) first", x, y, n[5], n[6], left, top)
	}
	mark(point{x: x, y: y})
	screen = func(x, y float64) point { return point{x: x - left, y: y - top} }
	return screen(x, y), screen
}

// HoverAt moves the mouse to a point of the window.
func HoverAt(x, y float64) M {
	to, _ := inSight(x, y)
	return follow(beginHere(), func() { hover(to) }, &effects{}, nil)
}

func hover(at point) {
	Drawn(func(string) { Call(at.input("mouseMoved", "none", 0, 0)) })
}

// Wheel turns the wheel at a point: dy CSS pixels down, dx right. What scrolls is what is
// under the mouse there.
func Wheel(x, y, dx, dy float64) M {
	to, _ := inSight(x, y)
	return follow(beginHere(), func() {
		Drawn(func(string) {
			CDP("Input.dispatchMouseEvent", M{"type": "mouseWheel", "x": to.x, "y": to.y, "deltaX": dx, "deltaY": dy}, M{"spare": true})
			CDP("Runtime.evaluate", M{"expression": "new Promise(requestAnimationFrame)", "awaitPromise": true}, M{"timeout": 5, "spare": true})
		})
	}, &effects{}, nil)
}
