package engine

// choose.go: choosing from a list that the page draws itself, as a person does: open it, see
// what came, click the option.

// choose opens a list and clicks the option of a text, which may have to be searched for or
// scrolled to; one that is chosen already, in a list that takes several, stays so. {note}:
// what stands there is another. Errors: bad_value when no one option fits, and what there
// is; the list is closed then.
func (w *world) choose(list, option string) M {
	if at(w.ask("choosing", list, option), "open") != true {
		got := Click(list, Mouse{"left", 1, 0})
		delete(got, "note")
		if len(got) > 0 {
			return undone(got)
		}
	}
	found, err := w.option(list, option)
	if err != nil {
		w.unsearch()
		closeList()
		panic(err)
	}
	if at(found, "taken") != true {
		got := Click(text(at(found, "uid")), Mouse{"left", 1, 0})
		delete(got, "note") // an option goes with its list
		if len(got) > 0 {
			return got
		}
	}
	var end any
	Try(func() { end = w.askFor(3, "optionTaken", list, option, at(found, "uid")) })
	if at(end, "open") == true { // one that takes several
		closeList()
	}
	return with(nil, "note", at(end, "note"))
}

// option finds an option; where a field narrows the list down, with its text typed there.
func (w *world) option(list, option string) (found any, err *Error) {
	for _, typed := range []bool{false, true} {
		err = Try(func() { Drawn(func(string) { found = w.ask("option", list, option, typed) }) }) // many come with an animation
		if at(found, "search") != true || err != nil {
			break
		}
		CDP("Input.insertText", M{"text": option}, M{"spare": true})
	}
	return found, err
}

// unsearch gives the field in which a list was searched back what it held.
func (w *world) unsearch() {
	Try(func() {
		if held := w.ask("unsearch"); held == nil {
			return
		} else if was := text(at(held, "was")); was != "" {
			CDP("Input.insertText", M{"text": was}, M{"spare": true})
		} else {
			Keys(key("rawKeyDown", "Backspace", 8), key("keyUp", "Backspace", 8))
		}
	})
}

func closeList() { Keys(key("rawKeyDown", "Escape", 27), key("keyUp", "Escape", 27)) }

func key(kind, name string, number int) M {
	return M{"type": kind, "key": name, "code": name, "windowsVirtualKeyCode": number}
}
