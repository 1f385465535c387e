package helpers

import "bu/helpers/engine"

// The mouse, in CSS pixels of what the window shows, through the browser's own input:
// whatever lies at the point gets the event, in iframes and shadow roots too.
//
// Each gives what it caused, nil for nothing: {dialog: {type, message, url, default}},
// {navigated: url, with failed: true and a reason when that is Chrome's error page, pending:
// true when nothing has come after 1 s, status when the server said other than 200},
// {newTab: target id}, {download: {url, name, handle: for waitForDownload}}, or several of
// them. That is what the page did while it handled the act, not what a timer or a reply
// does later. A point out of sight is bad_value.

// click clicks at a point. how, in any order: "left" (default), "middle" or "right"; how
// many times, 2 being a double click; modifiers held: "Alt", "Control", "Meta", "Shift".
func click(x, y float64, how ...any) M {
	return engine.Step(func() M { return engine.ClickAt(x, y, mouse(how)) }, "click", "", append([]any{x, y}, how...)...)
}

// mouse parses the how of click.
func mouse(how []any) engine.Mouse {
	m := engine.Mouse{Button: "left", Count: 1}
	for _, h := range how {
		name, isName := h.(string)
		switch {
		case !isName:
			m.Count = as[int](h)
		case engine.Buttons[name] != 0:
			m.Button = name
		default:
			m.Keys |= modifiers([]string{name})
		}
	}
	return m
}

// hover moves the mouse to a point.
func hover(x, y float64) M {
	return engine.Step(func() M { return engine.HoverAt(x, y) }, "hover", "", x, y)
}

// scroll turns the mouse wheel at a point: dy CSS pixels down (up when negative), dx right.
// What scrolls is what is under the mouse there.
func scroll(x, y, dy float64, dx ...float64) M {
	return engine.Step(func() M { return engine.Wheel(x, y, option(dx, 0, 0), dy) }, "scroll", "", x, y, dy)
}

// drag presses the left button at one point, moves in ten steps to another and lets go,
// for pages that listen to the mouse and for HTML5 drag and drop alike.
func drag(x1, y1, x2, y2 float64) M {
	return engine.Step(func() M { return engine.DragAt(x1, y1, x2, y2) }, "drag", "", x1, y1, x2, y2)
}
