package helpers_test

import "testing"

const keyLog = `<input id=i autofocus><script>
log = [];
for (const t of ['keydown', 'keypress', 'keyup'])
  addEventListener(t, e => log.push([t, e.key, e.code, e.keyCode, (e.shiftKey ? 'S' : '') + (e.ctrlKey ? 'C' : '') + (e.metaKey ? 'M' : '') + (e.altKey ? 'A' : '')].join(' ')), true);
said = () => { const l = log; log = []; return l.join(', ') };
i.focus();
</script>`

func TestPressKey(t *testing.T) { // field case 26
	open(t, html(keyLog))
	want(t, `pressKey("a"); fmt.Println(js("i.value")); js("said()")`, "a\nkeydown a KeyA 65 , keypress a KeyA 97 , keyup a KeyA 65 ")
	want(t, `pressKey("b", "Shift"); fmt.Println(js("i.value")); js("said()")`, "aB\nkeydown B KeyB 66 S, keypress B KeyB 66 S, keyup B KeyB 66 S")
	want(t, `pressKey("1", "Shift"); pressKey("ß"); pressKey("?"); js("said(); i.value")`, "aB!ß?")
	for key, said := range map[string]string{
		"Enter": "keydown Enter Enter 13 , keypress Enter Enter 13 , keyup Enter Enter 13 ", "Escape": "keydown Escape Escape 27 , keyup Escape Escape 27 ",
		"ArrowLeft": "keydown ArrowLeft ArrowLeft 37 , keyup ArrowLeft ArrowLeft 37 ", "Delete": "keydown Delete Delete 46 , keyup Delete Delete 46 ",
		"F5": "keydown F5 F5 116 , keyup F5 F5 116 ", "pagedown": "keydown PageDown PageDown 34 , keyup PageDown PageDown 34 ",
		"Space": "keydown   Space 32 , keypress   Space 32 , keyup   Space 32 ", "+": "keydown + Equal 187 , keypress + Equal 43 , keyup + Equal 187 ",
		"Control+Shift+k": "keydown K KeyK 75 SC, keyup K KeyK 75 SC", "Alt+F1": "keydown F1 F1 112 A, keyup F1 F1 112 A", "Shift": "keydown Shift ShiftLeft 16 , keyup Shift ShiftLeft 16 ",
		"/": "keydown / Slash 191 , keypress / Slash 47 , keyup / Slash 191 ",
	} {
		want(t, `pressKey("`+key+`"); js("said()")`, said)
	}
	fails(t, `pressKey("Entr")`, "bad_value", "Entr")
	fails(t, `pressKey("a", "Hyper")`, "bad_value", "Hyper")
}

func TestEditingKeys(t *testing.T) { // on any system: Control and Meta
	open(t, html(keyLog+`<input id=j>`))
	for _, m := range []string{"Control", "Meta"} {
		want(t, `js("i.value = 'old text'; j.value = ''; i.focus()")
pressKey("a", "`+m+`"); typeText("new"); fmt.Println(js("i.value"))
pressKey("z", "`+m+`"); fmt.Println(js("i.value"))
pressKey("a", "`+m+`"); pressKey("x", "`+m+`"); pressKey("Tab"); pressKey("v", "`+m+`"); pressKey("v", "`+m+`")
fmt.Println(js("[i.value, j.value, document.activeElement.id].join()"))
pressKey("Backspace"); pressKey("Home"); pressKey("Delete"); js("j.value")`, `new
old text
,old textold text,j
ld textold tex`)
	}
}

func TestTypeText(t *testing.T) {
	open(t, html(`<textarea id=a autofocus></textarea><input id=b><script>a.focus()</script>`))
	want(t, `typeText("Héllo, 世界! 😀👩‍👩‍👧 עברית ไทย\nline 2\r\nline 3 ~{}|\"'"); js("a.value")`, "Héllo, 世界! 😀👩‍👩‍👧 עברית ไทย\nline 2\nline 3 ~{}|\"'")
	want(t, `js("a.value = ''"); typeText("x\ty"); js("[a.value, b.value]")`, `["x","y"]`)
	want(t, `js("window.n = 0; b.addEventListener('input', () => n++)"); typeText("123"); js("n")`, "3")
	want(t, `typeText("")`, "")
}

func TestEnterSubmits(t *testing.T) { // field case 28
	open(t, html(`<form action=/echo onsubmit="sessionStorage.submitted = 'yes'"><input name=q id=q></form><script>q.focus()</script>`))
	want(t, `typeText("Ada"); fmt.Println(pressKey("Enter")["navigated"]); waitForLoad(); js("sessionStorage.submitted + ' ' + document.body.innerText.split('\\n')[0]")`,
		"SITE/echo?q=Ada\nyes GET q=Ada")
	open(t, html(`<form action=/echo><input name=q id=q></form><script>q.focus()</script>`))
	want(t, `typeText("Ada\n"); waitForLoad(); js("location.search")`, "?q=Ada")
}

func TestDispatchKey(t *testing.T) { // field case 30
	open(t, html(keyLog+`<p id=p tabindex=0>p</p>`))
	want(t, `dispatchKey("#i", "Delete"); js("said()")`, "keydown Delete Delete 46 , keyup Delete Delete 46 ")
	want(t, `dispatchKey("#p", "a"); js("said() + '|' + i.value")`, "keydown a KeyA 65 , keypress a KeyA 97 , keyup a KeyA 65 |")
	want(t, `js("p.focus(); p.onkeydown = e => document.title = e.target.id + e.which + e.isTrusted"); dispatchKey("", "Enter", "keydown"); js("said() + document.title")`,
		"keydown Enter Enter 13 p13false")
	fails(t, `dispatchKey("#none", "a")`, "element_not_found")
}
