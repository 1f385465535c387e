package helpers

import "fmt"

// The mouse, in CSS pixels of what the window shows, through the browser's own input: what
// lies at the point gets the event, iframe or shadow root or not. All of these give what
// they caused, as caused tells it: nil for nothing; a point out of sight is bad_value.

// click clicks at a point. how, in any order: "left" (default), "middle" or "right"; how
// many times, 2 being a double click; modifiers held: "Alt", "Control", "Meta", "Shift".
func click(x, y float64, how ...any) M {
	button, count, keys := clickArgs(how)
	inSight(x, y)
	return caused(func() { clicks(x, y, button, count, keys) })
}

func clickArgs(how []any) (button string, count, keys int) {
	button, count = "left", 1
	for _, h := range how {
		name, isName := h.(string)
		switch {
		case !isName:
			count = as[int](h)
		case buttons[name] != 0:
			button = name
		default:
			keys |= modifiers([]string{name})
		}
	}
	return button, count, keys
}

var buttons = map[string]int{"left": 1, "right": 2, "middle": 4, "back": 8, "forward": 16}

func clicks(x, y float64, button string, count, keys int) {
	sendMouse(mouse("mouseMoved", x, y, "none", 0, keys))
	for n := 1; n <= count; n++ {
		cdp("Input.dispatchMouseEvent", mouse("mousePressed", x, y, button, n, keys))
		cdp("Input.dispatchMouseEvent", mouse("mouseReleased", x, y, button, n, keys))
	}
}

// mouse makes the params of Input.dispatchMouseEvent.
func mouse(kind string, x, y float64, button string, count, keys int) M {
	held := 0
	if kind != "mouseReleased" {
		held = buttons[button]
	}
	return M{"type": kind, "x": x, "y": y, "button": button, "buttons": held, "clickCount": count, "modifiers": keys}
}

// sendMouse sends a mouse event without waiting for its answer, which a move gets with the next
// frame only. What is sent after it comes after it.
func sendMouse(event M) {
	for seconds := 0.001; ; seconds *= 10 {
		err := try(func() { cdp("Input.dispatchMouseEvent", event, M{"timeout": seconds}) })
		if err == nil || err.Code == "timeout" && err.Data["sent"] == true {
			return
		}
		if err.Code != "timeout" || seconds > 5 {
			panic(err)
		}
	}
}

// inSight panics with bad_value if the window does not show that point: input would go to
// nobody, and nobody would say so.
func inSight(x, y float64) {
	size := as[[]float64](js("[innerWidth, innerHeight]")) // scrollbars included
	w, h := size[0], size[1]
	if !(x >= 0 && x < w && y >= 0 && y < h) {
		panic(&Error{Code: "bad_value", Message: fmt.Sprintf("the point (%v, %v) is out of sight: the window shows %v × %v CSS pixels; scroll(x, y, dy) or scrollTo(target) first", x, y, w, h)})
	}
}

// hover moves the mouse to a point.
func hover(x, y float64) M {
	inSight(x, y)
	return caused(func() {
		drawn(func() { cdp("Input.dispatchMouseEvent", mouse("mouseMoved", x, y, "none", 0, 0)) })
	})
}

// scroll turns the mouse wheel at a point: dy CSS pixels down (up when negative), dx right.
// What scrolls is what is under the mouse there.
func scroll(x, y, dy float64, dx ...float64) M {
	inSight(x, y)
	wheel := M{"type": "mouseWheel", "x": x, "y": y, "deltaY": dy, "deltaX": option(dx, 0, 0)}
	return caused(func() {
		drawn(func() {
			cdp("Input.dispatchMouseEvent", wheel)
			cdp("Runtime.evaluate", M{"expression": "new Promise(requestAnimationFrame)", "awaitPromise": true}, M{"timeout": 5})
		})
	})
}

// drag presses the left button at one point, moves in ten steps to another and lets go,
// for pages that listen to the mouse and for HTML5 drag and drop alike.
func drag(x1, y1, x2, y2 float64) M {
	inSight(x1, y1)
	return caused(func() {
		drawnIn(func(session string) {
			cdpIn(session, "Input.setInterceptDrags", M{"enabled": true}) // else the system's own drag takes the mouse away
			dragging(session, x1, y1, x2, y2)
		})
	})
}

func dragging(session string, x1, y1, x2, y2 float64) {
	from := as[int](call(M{"meta": "session"})["seq"])
	sendMouse(mouse("mouseMoved", x1, y1, "none", 0, 0))
	cdp("Input.dispatchMouseEvent", mouse("mousePressed", x1, y1, "left", 1, 0))
	var data any
	for i := 1.0; i <= 10; i++ {
		x, y := x1+(x2-x1)*i/10, y1+(y2-y1)*i/10
		if data == nil {
			cdp("Input.dispatchMouseEvent", mouse("mouseMoved", x, y, "left", 0, 0))
			data = dragData(session, from)
		}
		if data != nil {
			dragOver(x, y, data, i)
		}
	}
	cdp("Input.dispatchMouseEvent", mouse("mouseReleased", x2, y2, "left", 1, 0))
}

// dragData is what a page put into a drag that it began, nil when it began none.
func dragData(session string, from int) any {
	found, _ := sinceIn(session, from, 0, "Input.dragIntercepted")
	return get(found, 0, "params", "data")
}

func dragOver(x, y float64, data any, step float64) {
	for _, kind := range map[bool][]string{false: {"dragEnter", "dragOver"}, true: {"dragEnter", "dragOver", "drop"}}[step == 10] {
		cdp("Input.dispatchDragEvent", M{"type": kind, "x": x, "y": y, "data": data})
	}
}

// drawn runs f while the tab draws frames as one in front does. In the background Chrome
// gives a tab one frame a second at most, and no screenshot at all; a screencast, here of
// one pixel and no frame, changes that.
func drawn(f func()) { drawnIn(func(string) { f() }) }

func drawnIn(f func(session string)) {
	visit(as[string](call(M{"meta": "session"})["target_id"]), func(session string) {
		cdpIn(session, "Page.startScreencast", M{"format": "jpeg", "quality": 1, "maxWidth": 1, "maxHeight": 1, "everyNthFrame": 1 << 20})
		f(session)
	})
}
