package helpers

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"bu/helpers/engine"
)

// These act on an element that one string names: a uid such as e12, as extract() gave it, or
// text=Save, or else a CSS selector. All reach into shadow roots and frames. The element is
// scrolled into view; once it stands still (3 s at most) and the point is known to hit it,
// real input goes to the browser. Each gives what it caused, as click does.
//
// Errors of all of these: element_not_found, element_stale (extract() again),
// element_covered (close what covers it: the message names it), element_disabled,
// element_hidden (not displayed, or no size). After such an error the page saw no click.

// clickOn clicks an element; how as for click: "right", 2, "Shift". It also gives {invalid:
// ["Email: Please fill out this field."]} if fields of a form kept it from being sent, and
// {note} if the mouse was pressed on it but no click resulted: the page replaced, moved or
// covered it.
func clickOn(target string, how ...any) M {
	return engine.Step(func() M { return engine.Click(target, mouse(how)) }, "clickOn", target, how...)
}

// hoverOn moves the mouse onto an element.
func hoverOn(target string) M {
	return engine.Step(func() M { return engine.Hover(target) }, "hoverOn", target)
}

// dragTo drags an element onto another, as drag does, and follows that one if it moves
// meanwhile; {note} says so if nothing on the page changed.
func dragTo(source, target string) M {
	return engine.Step(func() M { return engine.Drag(source, target) }, "dragTo", source, target)
}

// scrollTo scrolls an element to the middle of the view.
func scrollTo(target string) { engine.ScrollTo(target) }

// typeInto types text into a field, key by key: at the caret if the field has the focus,
// otherwise at its end, after a click on it. It gives what the typing caused, or {value:
// what the field holds} if the text is not in it, as when something else took the focus.
func typeInto(target, text string) M {
	return engine.Step(func() M { return engine.Type(target, text, strokes) }, "typeInto", target, text)
}

// fill replaces what a field holds: input, textarea, editor, date ("2026-01-31"), colour
// ("#ff8800"), range, slider, select, a list that opens, the boxes of a code, the sections of
// a date. It gives nil, or {value} if the page turned the text into something else. Errors
// besides the usual: bad_value when the field does not accept it.
func fill(target, text string) M {
	return engine.Step(func() M { return engine.Fill(target, text, strokes) }, "fill", target, text)
}

// setChecked makes a checkbox, radio or switch checked or not, with a click if it is not so
// already. It gives what that caused. Error besides the usual: bad_value when it stays as it
// was.
func setChecked(target string, on bool) M {
	return engine.Step(func() M {
		state := engine.On("checked", target)
		if get(state, "checked") == on {
			return nil
		}
		got := clickOn(target)
		if got["dialog"] == nil {
			delete(got, "note")
			if gone, is := engine.On("checkedNow", target, on).(M); is {
				return gone
			}
		}
		return got
	}, "setChecked", target, on)
}

// fillForm fills several fields, in their order on the page: M{"Email": "a@b.c", "#agree":
// true, "Size": "L", "Tags": []string{"x", "y"}}. A key is a label, a name, a selector or a
// uid, or what a group of radio buttons or checkboxes is called: its value is the choice, or
// all those to be checked. true and false are for setChecked. It gives {key: what that caused}
// for the fields where that is anything. If a key names no field, or a value is none, nothing
// is filled.
func fillForm(values M) M {
	order, got := engine.Fields(values), M{}
	for _, value := range values {
		words(value) // panics before anything is filled
	}
	for _, f := range order {
		key, target := as[string](get(f, "key")), as[string](get(f, "target"))
		if caused := fillField(target, as[string](get(f, "kind")), values[key]); caused != nil {
			got[key] = caused
		}
	}
	if len(got) == 0 {
		return nil
	}
	return got
}

func fillField(target, kind string, value any) M {
	on, isSwitch := value.(bool)
	words, several := words(value)
	switch {
	case kind == "group":
		return fillGroup(target, words)
	case isSwitch:
		return setChecked(target, on)
	case kind == "file":
		return uploadFile(target, words...)
	case kind == "select" || several:
		return selectOption(target, words...)
	}
	return fill(target, words[0])
}

// fillGroup makes exactly those radio buttons or checkboxes of a group checked.
func fillGroup(target string, values []string) (got M) {
	for _, choice := range as[[]M](engine.On("choicesFor", target, values)) {
		if caused := setChecked(as[string](choice["target"]), choice["on"] == true); len(caused) > 0 {
			got = caused
		}
	}
	return got
}

// words are the texts of a list, or the one value. A number is written as people type it, not
// as 1e+06. Error: bad_value for what is no text, number or switch.
func words(value any) ([]string, bool) {
	form, _ := json.Marshal(value)
	all, list := []string{}, []json.RawMessage{form}
	several := bytes.HasPrefix(form, []byte("["))
	if several {
		json.Unmarshal(form, &list)
	}
	for _, one := range list {
		text := string(one)
		if text == "" || strings.Contains("{[n", text[:1]) { // no JSON, an object, a list, null
			engine.Fail("bad_value", "a field takes a text, a number, true or false, or a list of texts, not %v", value)
		}
		json.Unmarshal(one, &text) // unless it is no string
		all = append(all, text)
	}
	return all, several
}

// selectOption chooses in a <select>, by value or by the text shown; in one that takes
// several, exactly these are chosen then. In a list that the page draws itself it clicks those
// that are not chosen yet, after a search in its field or a scroll where they are not drawn.
// A <select> that nobody sees is set through what stands in its place, or element_hidden
// names that. It gives what that caused, or {value} if the page chose otherwise. Error besides
// the usual: bad_value for an option that is not there; the message lists those that are.
func selectOption(target string, values ...string) M {
	return engine.Step(func() M { return engine.Select(target, values) }, "selectOption", target, strings.Join(values, ", "))
}

// uploadFile puts files into a file input, hidden or not, its label, or a button that asks
// for files; or drops them on an element that accepts dropped files. An input for a folder
// takes a folder. Errors besides the usual: bad_value for a file that does not exist.
func uploadFile(target string, paths ...string) M {
	files := []string{}
	for _, p := range paths {
		full, _ := filepath.Abs(p)
		if _, err := os.Stat(full); err != nil {
			engine.Fail("bad_value", "%s is not a file or folder on this machine: %v", p, err)
		}
		files = append(files, full)
	}
	return engine.Step(func() M { return engine.Upload(target, files) }, "uploadFile", target, strings.Join(files, ", "))
}
