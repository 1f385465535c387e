package engine

// editor.go: editors that draw what they keep to themselves (Monaco, CodeMirror, Ace, what has
// an EditContext). Text gets into them as a person's paste does: in typed text they close
// brackets and quotes that the text closes itself, indent lines that are indented already, and
// take Enter as the choice of a suggestion.

// fillEditor replaces the text of an editor, as a person does: by a press, select all, and the text.
func (w *world) fillEditor(target string, editor any, content string) M {
	if got := Click(text(at(editor, "editor")), Mouse{"left", 1, 0}); got != nil {
		return got
	}
	got := Typed(func() {
		editorKey("a", "KeyA", 65, held(editor), "selectAll")
		if at(editor, "context") == true {
			w.ask("selectContext", target)
		}
		if content == "" {
			editorKey("Backspace", "Backspace", 8, 0)
		} else {
			w.paste(content)
		}
	})
	if got != nil {
		return got
	}
	return w.editorEnd(target, content, false)
}

var oneWord = Pattern(`^[\p{L}\p{N}_ -]*$`)

// typeEditor puts text at the caret, or at the end of an editor without the focus. Text that
// an editor adds nothing to is typed, so that the editor may suggest how to go on.
func (w *world) typeEditor(target string, editor any, content string, keys func()) M {
	if at(editor, "focus") != true {
		if got := Click(text(at(editor, "editor")), Mouse{"left", 1, 0}); got != nil {
			return got
		}
		if at(editor, "mac") == true {
			editorKey("ArrowDown", "ArrowDown", 40, 4, "moveToEndOfDocument")
		} else {
			editorKey("End", "End", 35, 2, "moveToEndOfDocument")
		}
	}
	got := Typed(func() {
		if oneWord().MatchString(content) {
			keys()
		} else {
			w.paste(content)
		}
	})
	if got != nil {
		return got
	}
	return w.editorEnd(target, content, true)
}

// paste puts text where the focus is, without the clipboard of the person's machine.
func (w *world) paste(content string) {
	if w.ask("paste", content) != true {
		CDP("Input.insertText", M{"text": content}, M{"spare": true})
	}
}

// editorEnd tells what an editor shows when the text is not that, or part: not in it.
func (w *world) editorEnd(target, content string, part bool) M {
	var end any
	err := Try(func() {
		Drawn(func(string) { end = w.ask("editorEnd", target, content, part) }) // it shows the text with the next frame
	})
	if err != nil && err.Code != errGone { // the editor may have gone with its page
		panic(err)
	}
	return object(end)
}

func held(editor any) int {
	if at(editor, "mac") == true {
		return 4
	}
	return 2
}

func editorKey(name, code string, number, modifiers int, commands ...string) {
	key := func(kind string) M {
		return M{"type": kind, "key": name, "code": code, "windowsVirtualKeyCode": number, "modifiers": modifiers}
	}
	down := key("rawKeyDown")
	down["commands"] = append([]string{}, commands...)
	Keys(down, key("keyUp"))
}
