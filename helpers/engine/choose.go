package engine

// choose.go: choosing from a list that the page draws itself, as a person does: open it, see
// what came, click the option.

// choose opens a list and clicks the option of a text. {note}: what stands there is another.
// Errors: bad_value when no one option fits, and what there is; the list is closed then.
func (w *world) choose(list, option string) M {
	if at(w.ask("choosing", list, option), "open") != true {
		got := Click(list, Mouse{"left", 1, 0})
		delete(got, "note")
		if len(got) > 0 {
			return undone(got)
		}
	}
	var found any
	err := Try(func() { Drawn(func(string) { found = w.ask("option", list, option) }) }) // many come with an animation
	if err != nil {
		closeList()
		panic(err)
	}
	got := Click(text(found), Mouse{"left", 1, 0})
	delete(got, "note") // an option goes with its list
	if len(got) > 0 {
		return got
	}
	var end any
	Try(func() { end = w.askFor(3, "optionTaken", list, option) })
	if at(end, "open") == true { // one that takes several
		closeList()
	}
	return with(got, "note", at(end, "note"))
}

func closeList() { Keys(key("rawKeyDown", "Escape", 27), key("keyUp", "Escape", 27)) }

func key(kind, name string, number int) M {
	return M{"type": kind, "key": name, "code": name, "windowsVirtualKeyCode": number}
}
