package helpers

import (
	"fmt"
	"strconv"
	"strings"

	"bu/helpers/engine"
)

// typeText types text where the focus is: keys for what a US keyboard has (a line break is
// Enter, \t is Tab), inserted text for everything else, in any script. It gives what that
// caused, as click does.
func typeText(text string) M {
	return engine.Step(func() M { return engine.Typed(func() { strokes(text) }) }, "typeText", "", text)
}

func strokes(text string) {
	other := ""
	for _, r := range strings.ReplaceAll(text, "\r\n", "\n") + "\x00" {
		key := keyOf(string(r))
		if other != "" && (key != nil || r == 0) {
			cdp("Input.insertText", M{"text": other})
			other = ""
		}
		if key != nil {
			stroke(key, 0)
		} else {
			other += string(r)
		}
	}
}

// pressKey presses a key, by what KeyboardEvent.key calls it ("Enter", "ArrowLeft", "a",
// "F5", "Shift"), with modifiers held: pressKey("a", "Control") or pressKey("Control+a").
// The shortcuts of editing (a, c, v, x, z, y with Control or Meta) work whatever system the
// browser runs on. It gives what that caused, as click does, and for Enter {invalid} as clickOn does. Error: bad_value.
func pressKey(key string, held ...string) M {
	parts := strings.Split(key, "+")
	if n := len(parts) - 1; n > 0 && parts[n] != "" {
		key, held = parts[n], append(held, parts[:n]...)
	}
	bits := modifiers(held)
	k := keyOf(withShift(key, bits))
	if k == nil && len([]rune(key)) == 1 {
		k = M{"key": key, "text": key}
	}
	if k == nil {
		engine.Fail("bad_value", "unknown key %q; use the names of KeyboardEvent.key: Enter, Tab, Escape, ArrowLeft, a", key)
	}
	press := func() M { return engine.Pressed(k["key"], func() { stroke(k, bits) }) }
	return engine.Step(press, "pressKey", "", strings.Join(append(held, key), "+"))
}

// stroke presses a key and lets it go, with the modifiers of CDP's bits held.
func stroke(key M, bits int) {
	down, up := M{"type": "rawKeyDown", "modifiers": bits}, M{"type": "keyUp", "modifiers": bits}
	for name, value := range key {
		down[name], up[name] = value, value
	}
	delete(up, "text")
	if key["text"] != nil && bits&^8 == 0 { // with Shift alone a key still types
		down["type"] = "keyDown"
	} else {
		delete(down, "text")
	}
	if command := shortcut(strings.ToLower(as[string](key["key"])), bits); command != "" {
		down["commands"] = []string{command}
	}
	engine.Keys(down, up)
}

// shortcut is the editing command of a key, which has to be named because Chrome runs only
// the shortcuts of its own system: with Meta on macOS, with Control elsewhere.
func shortcut(key string, bits int) string {
	commands := map[int]map[string]string{
		0: {"a": "selectAll", "c": "copy", "v": "paste", "x": "cut", "z": "undo", "y": "redo"},
		8: {"v": "pasteAndMatchStyle", "z": "redo"},
	}
	if bits&(2|4) == 0 || bits&1 != 0 {
		return ""
	}
	return commands[bits&8][key]
}

// modifiers makes CDP's bits of names: Alt 1, Control 2, Meta 4, Shift 8.
func modifiers(names []string) int {
	bits := 0
	for _, n := range names {
		bit := map[string]int{"alt": 1, "option": 1, "control": 2, "ctrl": 2, "meta": 4, "command": 4, "cmd": 4, "shift": 8}[strings.ToLower(n)]
		if bit == 0 {
			engine.Fail("bad_value", "unknown modifier %q; use Alt, Control, Meta or Shift", n)
		}
		bits |= bit
	}
	return bits
}

// keys are those of a US keyboard: "code, Windows' virtual key code" by KeyboardEvent.key.
// Letters are left out. From w3.org/TR/uievents-code and Windows' list of virtual keys.
var keys = map[string]string{
	"Enter": "Enter 13", "Tab": "Tab 9", "Backspace": "Backspace 8", "Escape": "Escape 27", "Delete": "Delete 46", "Insert": "Insert 45",
	"Home": "Home 36", "End": "End 35", "PageUp": "PageUp 33", "PageDown": "PageDown 34", " ": "Space 32",
	"ArrowLeft": "ArrowLeft 37", "ArrowUp": "ArrowUp 38", "ArrowRight": "ArrowRight 39", "ArrowDown": "ArrowDown 40",
	"Shift": "ShiftLeft 16", "Control": "ControlLeft 17", "Alt": "AltLeft 18", "Meta": "MetaLeft 91", "ContextMenu": "ContextMenu 93",
	"CapsLock": "CapsLock 20", "NumLock": "NumLock 144", "ScrollLock": "ScrollLock 145", "Pause": "Pause 19", "PrintScreen": "PrintScreen 44",
	"F1": "F1 112", "F2": "F2 113", "F3": "F3 114", "F4": "F4 115", "F5": "F5 116", "F6": "F6 117",
	"F7": "F7 118", "F8": "F8 119", "F9": "F9 120", "F10": "F10 121", "F11": "F11 122", "F12": "F12 123",
	"1": "Digit1 49", "2": "Digit2 50", "3": "Digit3 51", "4": "Digit4 52", "5": "Digit5 53",
	"6": "Digit6 54", "7": "Digit7 55", "8": "Digit8 56", "9": "Digit9 57", "0": "Digit0 48",
	";": "Semicolon 186", "=": "Equal 187", ",": "Comma 188", "-": "Minus 189", ".": "Period 190", "/": "Slash 191",
	"`": "Backquote 192", "[": "BracketLeft 219", "\\": "Backslash 220", "]": "BracketRight 221", "'": "Quote 222",
}

// shifts are pairs: a key, and what it types with Shift.
const shifts = "1!2@3#4$5%6^7&8*9(0);:=+,<-_.>/?`~[{\\|]}'\""

var aliases = map[string]string{"\n": "Enter", "\r": "Enter", "return": "Enter", "\t": "Tab", "space": " ", "spacebar": " ", "esc": "Escape", "del": "Delete",
	"left": "ArrowLeft", "up": "ArrowUp", "right": "ArrowRight", "down": "ArrowDown", "ctrl": "Control", "cmd": "Meta", "command": "Meta", "option": "Alt"}

// keyOf is a key as Input.dispatchKeyEvent wants it: {key, code, windowsVirtualKeyCode,
// and text, what it types}; nil when a US keyboard has none of that name.
func keyOf(name string) M {
	name = canonical(name)
	code, number, known := strings.Cut(placeOf(name), " ")
	if !known {
		return nil
	}
	virtual, _ := strconv.Atoi(number)
	key := M{"key": name, "code": code, "windowsVirtualKeyCode": virtual}
	if name == "Enter" {
		key["text"] = "\r"
	} else if len(name) == 1 {
		key["text"] = name
	}
	return key
}

// placeOf is the entry in keys of a key, also of a letter and of what Shift makes.
func placeOf(name string) string {
	upper, i := strings.ToUpper(name), strings.Index(shifts, name)
	if len(name) == 1 && upper >= "A" && upper <= "Z" {
		return fmt.Sprintf("Key%s %d", upper, upper[0])
	}
	if len(name) == 1 && i%2 == 1 {
		return keys[shifts[i-1:i]]
	}
	return keys[name]
}

// canonical is KeyboardEvent.key's spelling of a key's name.
func canonical(name string) string {
	if a := aliases[strings.ToLower(name)]; a != "" {
		return a
	}
	for k := range keys {
		if len(k) > 1 && strings.EqualFold(k, name) {
			return k
		}
	}
	return name
}

// withShift is what a key types when Shift is among the modifiers.
func withShift(key string, bits int) string {
	if bits&8 == 0 || len(key) != 1 {
		return key
	}
	if i := strings.Index(shifts, key); i >= 0 && i%2 == 0 {
		return shifts[i+1 : i+2]
	}
	return strings.ToUpper(key)
}

// dispatchKey sends an element (a uid or selector; "" is what has the focus) the page's own
// kind of event, with no input behind it, for pages that listen to nothing else: keydown,
// keypress (of keys that type) and keyup, or those named. It edits nothing; that is what
// pressKey is for. Errors: element_not_found, element_stale.
func dispatchKey(target, key string, types ...string) {
	k, char := keyOf(key), 0
	for _, r := range as[string](or(k["text"], "")) {
		char = int(r)
	}
	if len(types) == 0 && char > 0 {
		types = []string{"keydown", "keypress", "keyup"}
	} else if len(types) == 0 {
		types = []string{"keydown", "keyup"}
	}
	engine.On("keys", target, types, or(k["key"], key), or(k["code"], ""), or(k["windowsVirtualKeyCode"], 0), char)
}
