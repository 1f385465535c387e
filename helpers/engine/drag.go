package engine

import "time"

// drag.go: drags, of elements and of points, for pages that listen to the mouse and for HTML5
// drag and drop alike. All of it goes to the window: a drag may leave the frame it begins in.

// Drag drags an element onto another, as DragAt does, into and out of frames; a target out of
// sight is scrolled to once the drag is on.
func Drag(source, target string) M {
	_, there := pointOf(target, false)
	from, here := pointOf(source, false)
	if here.apart() || there.apart() { // what covers a frame may have moved with the scrolling
		Drawn(func(string) { page().ask("drawnAnew") })
	}
	among := any(target)
	if here != there {
		there.ask("dropStart", target)
		among = nil
	}
	before := object(here.ask("dragStart", source, among))
	aim := func(scroll bool) point {
		now := there.outward("aimOut", there.askFor(5, "aim", target, scroll))
		return point{x: number(at(now, "x")) + number(before["dx"]), y: number(at(now, "y")) + number(before["dy"])}
	}
	to := aim(false)
	got := follow(beginHere(), func() {
		drag(from.inWindow(), func(step int) point {
			if step == 3 || step > 8 && before["siblings"] != true {
				Try(func() { to = aim(step == 3) })
			}
			return to
		}, func() bool { return there.askFor(5, "takes") != false })
	}, &effects{}, nil)
	if got != nil {
		return got
	}
	var after, taken any
	Try(func() { after = here.askFor(5, "dragEnd") })
	if cover := text(at(after, "missed")); cover != "" {
		panic(awayFrom(source, cover))
	}
	if here != there {
		Try(func() { taken = there.askFor(5, "dropEnd") })
	}
	if at(after, "same") == true && taken != true {
		return M{"note": "nothing on the page changed; it may need another way: drag(x1, y1, x2, y2) in steps, or the page's own buttons or keys"}
	}
	return nil
}

// apart says whether a process of its own draws the frame, or one around it.
func (w *world) apart() bool { return w.parent != nil && (w.separate() || w.parent.apart()) }

// DragAt presses the left button at one point, moves in ten steps to another and lets go.
func DragAt(x1, y1, x2, y2 float64) M {
	from, screen := inSight(x1, y1)
	return follow(beginHere(), func() {
		drag(from, func(int) point { return screen(x2, y2) }, func() bool { return true })
	}, &effects{}, nil)
}

// drag asks for the target's place at each step: it may move once the drag is on. takes says
// whether the page takes what HTML5 drags: what it does not take, a link say, Chrome opens.
func drag(start point, aim func(step int) point, takes func() bool) {
	Drawn(func(session string) {
		CDP("Input.setInterceptDrags", M{"enabled": true}, M{"session": session}) // else the system's own drag takes the mouse away
		end := aim(0)
		mark(start, end)
		from := int(number(Now()["seq"]))
		together(start.input("mouseMoved", "none", 0, 0), start.input("mousePressed", "left", 1, 0))
		time.Sleep(pressed)
		var data any
		for i := 1; i <= dragSteps; i++ {
			end = aim(i)
			part := float64(min(i, 10)) / 10
			to := point{x: start.x + (end.x-start.x)*part, y: start.y + (end.y-start.y)*part}
			if data == nil {
				Call(to.input("mouseMoved", "left", 0, 0))
				found, _ := sinceIn(session, from, 0, "Input.dragIntercepted")
				if len(found) > 0 {
					data = at(found[0], "params", "data")
				}
			}
			if data != nil {
				over(to, data, "dragEnter", "dragOver")
			}
			if data != nil && i == dragSteps {
				over(to, data, map[bool]string{true: "drop", false: "dragCancel"}[takes()])
			}
		}
		Call(end.input("mouseReleased", "left", 1, 0))
	})
}

// dragSteps: ten on the way, two more at the target.
const dragSteps = 12

// pressed is how long the button is down before the mouse moves: some pages take a quicker
// move for scrolling.
const pressed = 300 * time.Millisecond

// over sends the events of what is dragged at a point.
func over(to point, data any, kinds ...string) {
	for _, kind := range kinds {
		CDP("Input.dispatchDragEvent", M{"type": kind, "x": to.x, "y": to.y, "data": data}, M{"session": to.session, "spare": true})
	}
}
