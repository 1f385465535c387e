package engine

import "sync"

// step.go: an act as it was meant, for the recording. Helpers that act do so in a Step; the
// engine, which knows where an act goes, marks the place. Without a recording it costs nothing.

// Act is a step: the helper, its target as the snippet names it, and what it was given.
type Act struct {
	Name, Target string
	Values       []any
	What         string // role and name, as extract gives them: button "Login"
	Secret       bool   // it goes into a field of passwords, codes or card numbers
	Box          M      // where the target is: {x, y, width, height}, in CSS pixels of the window
	Points       [][2]float64
	Got          M
	Failed       *Error
}

// Recorder is what a recording needs to know.
type Recorder interface {
	Begin(*Act)
	Aimed(*Act) // the place is known, the input not sent yet
	End(*Act)
	Hide(text string) // which no recording may hold
}

var steps struct {
	sync.Mutex
	open *Act
	to   Recorder
}

// Step runs f, which does what a helper of that name is called for. target is "" where it
// has none. A step within a step is a part of it.
func Step(f func() M, name, target string, values ...any) (got M) {
	act := begun(name, target, values)
	if act == nil {
		return f()
	}
	defer func() {
		failure := recover()
		act.ended(got, failure)
		if failure != nil {
			panic(failure)
		}
	}()
	return f()
}

func begun(name, target string, values []any) *Act {
	if host.Recorder == nil {
		return nil
	}
	to := host.Recorder()
	steps.Lock()
	if to == nil || steps.open != nil {
		steps.Unlock()
		return nil
	}
	act := &Act{Name: name, Target: target, Values: values}
	steps.open, steps.to = act, to
	steps.Unlock()
	act.look(true)
	to.Begin(act)
	return act
}

// ended tells the end; failure is what f panicked with.
func (act *Act) ended(got M, failure any) {
	act.Got = got
	switch v := failure.(type) {
	case nil:
	case *Error:
		act.Failed = v
	default:
		act.Failed = &Error{Code: "panic", Message: "it was interrupted"}
	}
	steps.Lock()
	to := steps.to
	steps.Unlock()
	to.End(act)
	steps.Lock()
	defer steps.Unlock()
	steps.open = nil
}

// Hide keeps a text, a password, out of the recording.
func Hide(text string) {
	if host.Recorder == nil {
		return
	}
	if to := host.Recorder(); to != nil {
		to.Hide(text)
	}
}

// look finds out what the target is, and where. That it cannot be found is left to the act to report.
func (act *Act) look(scroll bool) {
	if act.Target == "" {
		return
	}
	Try(func() {
		told, w := on("about", act.Target, scroll)
		act.What, act.Secret = text(at(told, "what")), at(told, "secret") == true
		if id := text(at(told, "uid")); id != "" && act.What != "" && id != act.Target {
			act.What = id + " " + act.What
		}
		if act.Box = nil; at(told, "box") != nil {
			act.Box = object(w.outward("boxOut", at(told, "box")))
		}
	})
}

// mark notes where the input of the open step goes, in CSS pixels of the window.
func mark(points ...point) {
	steps.Lock()
	act, to := steps.open, steps.to
	steps.Unlock()
	if act == nil {
		return
	}
	act.Points = nil
	for _, p := range points {
		act.Points = append(act.Points, [2]float64{p.x, p.y})
	}
	act.look(false)
	to.Aimed(act)
}

// Private gives what no recording may hold: {values: of fields of passwords, codes and cards,
// boxes: where such are in sight, secret: keys go into one, or to where nobody can look}; and
// the window's size, w and h. known are values of before, to be covered wherever they stand.
func Private(known []string) (p M) {
	again(func() { p = page().private(append([]string{}, known...)) })
	return p
}

func (w *world) private(known []string) M {
	p := object(w.askFor(2, "private", known))
	values, boxes := list(p["values"]), list(p["boxes"])
	for _, frame := range list(p["frames"]) {
		owner := text(frame)
		w.through(owner, func(inner *world) {
			in := inner.private(known)
			values = append(values, list(in["values"])...)
			for _, box := range list(in["boxes"]) {
				boxes = append(boxes, w.ask("boxOfFrame", owner, box))
			}
			if p["focus"] == owner {
				p["secret"] = in["secret"]
			}
		})
	}
	p["values"], p["boxes"] = values, boxes
	return p
}

// Paint covers places of a picture of the page, a JPEG in base64.
func Paint(jpeg string, boxes []any) (painted string) {
	again(func() { painted = text(page().askFor(5, "paint", jpeg, boxes)) })
	return painted
}
