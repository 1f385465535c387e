package engine

import "math"

// slider.go: setting a slider that is no <input>, with the keys that it takes: what one press
// does is measured, as each has steps of its own, and in a page from right to left they turn.

var sliderKeys = map[string]int{"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "PageUp": 33, "PageDown": 34, "Home": 36, "End": 35}

// slider is one that is being set.
type slider struct {
	w              *world
	uid            string
	now, min, max  float64
	up, down       string  // the keys that worked
	step, page     float64 // what they do
	presses, tries int
	endless        bool // it knows no Home and End
}

// slide sets a slider to a number. Errors: bad_value, with min, max and step; it stands where
// it stood then.
func (w *world) slide(uid, content string) M {
	start := w.ask("slideStart", uid, content)
	s := &slider{w: w, uid: uid, now: number(at(start, "now")), min: number(at(start, "min")), max: number(at(start, "max"))}
	s.up, s.down = "ArrowRight", "ArrowLeft"
	if at(start, "upright") == true {
		s.up, s.down = "ArrowUp", "ArrowDown"
	}
	was, reached := s.now, false
	got := Typed(func() { reached = s.to(number(at(start, "want"))) })
	if reached || len(got) > 0 {
		return got
	}
	step := s.step
	if s.now != was {
		Typed(func() { s.to(was) })
	}
	w.ask("slideFailed", uid, content, math.Abs(step))
	return nil
}

// to presses keys until the slider stands there.
func (s *slider) to(want float64) bool {
	for ; s.tries < 60 && s.presses < 2000; s.tries++ {
		off := want - s.now
		if math.Abs(off) < 1e-9 {
			return true
		}
		if s.step == 0 {
			if !s.measure(off) {
				return false
			}
			continue
		}
		if math.Abs(off) < 0.99*s.step { // between two steps
			return false
		}
		n := int(math.Round(math.Abs(off) / s.step))
		if (want == s.max || want == s.min) && n > 20 && !s.endless {
			s.endless = !s.edge(off)
			continue
		}
		if pages := s.pages(off, n); pages > 0 {
			continue
		}
		if moved := s.press(s.toward(off), min(n, 50)); moved == 0 || math.Signbit(moved) != math.Signbit(off) {
			return false
		}
	}
	return false
}

func (s *slider) toward(off float64) string {
	if off > 0 {
		return s.up
	}
	return s.down
}

// measure finds the keys that move it, and by how much.
func (s *slider) measure(off float64) bool {
	for _, pair := range [][2]string{{s.up, s.down}, {"ArrowUp", "ArrowDown"}, {"ArrowRight", "ArrowLeft"}} {
		s.up, s.down = pair[0], pair[1]
		moved := s.press(s.toward(off), 1)
		if moved == 0 { // at its end, in a page from right to left
			moved = s.press(s.toward(-off), 1)
			off = -off
		}
		if moved != 0 {
			s.step = math.Round(math.Abs(moved)*1e9) / 1e9
			if math.Signbit(moved) != math.Signbit(off) {
				s.up, s.down = s.down, s.up
			}
			return true
		}
	}
	return false
}

// edge goes to an end at once.
func (s *slider) edge(off float64) bool {
	if off > 0 {
		return s.press("End", 1) > 0
	}
	return s.press("Home", 1) < 0
}

// pages covers a long way in larger steps, and gives how many it went.
func (s *slider) pages(off float64, n int) int {
	if n <= 30 || s.page < 0 {
		return 0
	}
	name := "PageUp"
	if off < 0 {
		name = "PageDown"
	}
	count := 1
	if s.page > 0 {
		count = min(int(math.Abs(off)/s.page), 50)
	}
	if count == 0 {
		return 0
	}
	moved := s.press(name, count)
	if moved == 0 || math.Signbit(moved) != math.Signbit(off) {
		s.page = -1
		return 1
	}
	s.page = math.Abs(moved) / float64(count)
	return count
}

// press presses a key some times, and gives by how much the slider moved.
func (s *slider) press(name string, times int) float64 {
	var all []M
	for range times {
		all = append(all, key("rawKeyDown", name, sliderKeys[name]), key("keyUp", name, sliderKeys[name]))
	}
	s.presses += times
	Keys(all...)
	was := s.now
	s.now = number(s.w.ask("slid", s.uid, was))
	return s.now - was
}
