package helpers_test

import (
	"strings"
	"testing"
)

// An act that the page made nothing of says so: what is pressed may be drawn anew, moved, covered or disabled before the
// button comes up again, and then no browser gives it a click.
func TestPressWithoutClick(t *testing.T) {
	for _, c := range []struct{ what, script, says string }{
		{"drawn anew on mousedown", `box.onmousedown = () => draw()`, "replaced"},
		{"drawn anew on pointerdown", `box.onpointerdown = () => draw()`, "replaced"},
		{"drawn anew on focus", `box.addEventListener('focusin', () => draw(), true)`, "replaced"},
		{"drawn anew on another's blur", `field.focus(); field.onblur = () => draw()`, "replaced"},
		{"drawn anew on mouseup", `box.onmouseup = () => draw()`, "replaced"},
		{"removed", `box.onmousedown = () => box.firstChild.remove()`, "replaced"},
		{"moved", `field.focus(); field.onblur = () => box.style.marginTop = '200px'`, "came under the mouse"},
		{"covered", `box.onmousedown = () => document.body.append(Object.assign(document.createElement('div'), {id: 'over', style: 'position:fixed;inset:0'}))`, "over"},
		{"disabled", `box.onmousedown = () => box.firstChild.disabled = true`, "disabled"},
	} {
		open(t, html(`<input id=field><div id=box></div><p>below<p>below<p>below</p><script>window.got = 0;
const draw = () => { box.innerHTML = ''; const b = document.createElement('button'); b.id = 'b'; b.textContent = 'Save'; b.onclick = () => got++; box.append(b) }; draw();`+c.script+`</script>`))
		got := out(t, `got := clickOn("#b"); fmt.Println(js("got"), get(got, "note"))`)
		if !strings.HasPrefix(got, "0 ") || !strings.Contains(got, "was pressed, but it got no click") || !strings.Contains(got, c.says) {
			t.Errorf("%s: %s", c.what, got)
		}
	}
}

func TestPressOfOtherKinds(t *testing.T) {
	open(t, html(`<div id=box></div><script>window.got = ''; let n = 0;
const draw = () => { box.innerHTML = '<button id=b>Save</button>'; b.ondblclick = () => got += 'd'; b.oncontextmenu = () => got += 'r'; b.onauxclick = () => got += 'a'; b.onclick = () => got += 'c' }; draw();
box.onmousedown = () => { if (window.anew) draw() }; box.addEventListener('click', () => { if (window.anew2) draw() })</script>`))
	want(t, `for _, how := range []any{2, "right", "middle", 3} { fmt.Println(len(clickOn("#b", how))) }; js("got")`, "0\n0\n0\n0\nccdraaccdc")
	want(t, `js("got = ''; anew = true"); for _, how := range []any{2, "middle"} { fmt.Println(strings.Contains(fmt.Sprint(clickOn("#b", how)), "no ")) }; js("got")`, "true\ntrue\n")
	want(t, `js("anew = false; anew2 = true"); r := clickOn("#b", 2); fmt.Println(js("got"), r["note"])`, "ccd <nil>")
}

// What has a press of its own, or is clicked without a word, says nothing.
func TestPressOfEverything(t *testing.T) {
	open(t, html(`<button id=a>a</button><a id=b href=#x>b</a><input id=c><textarea id=d></textarea><select id=e><option>1<option>2</select><select id=f size=3 multiple><option>1</select><input type=checkbox id=g><input type=range id=h>
<input type=date id=i><input type=number id=j><input type=color id=k><label id=l>l <input type=checkbox></label><label id=m for=n>m</label><input id=n type=radio><details id=o><summary id=p>p</summary>q</details><video id=q controls></video>
<canvas id=s></canvas><svg width=50 height=20><text id=t y=15>t</text></svg><div id=u contenteditable>u</div><iframe id=v srcdoc="<p>v</p>"></iframe><object id=w data="SITE/json?q=1" width=50 height=20></object><div id=x draggable=true>x</div><progress id=y></progress>
<img id=z usemap=#map width=40 height=20 src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA="><map name=map><area id=za href=#za coords="0,0,40,20"></map><button id=zb popovertarget=zc>zb</button><div id=zc popover>zc</div><meter id=zd></meter>
<input type=search id=ze value=x><input list=dl id=zf><datalist id=dl><option>1</datalist><input type=password id=zg><input type=time id=zh><x-y id=zi></x-y><script>zi.attachShadow({mode: 'open'}).innerHTML = '<button>zi</button>'</script>`))
	want(t, `for _, id := range strings.Fields("a b c d e f g h i j k l m o n p q s t u v w x y za zb zd ze zf zg zh zi") { if r := clickOn("#" + id); get(r, "note") != nil && id != "n" { fmt.Println(id, r["note"]) } }
for _, id := range strings.Fields("a b c d g j l p s t u x za zi") { if r := clickOn("#" + id, 2); get(r, "note") != nil { fmt.Println(id, r["note"]) }; if r := hoverOn("#" + id); len(r) > 0 { fmt.Println(id, r) } }`, "")
}

// A field or choice that the page puts back at once is told.
func TestKept(t *testing.T) {
	open(t, html(`<select id=s><option>one<option>two</select><input type=date id=d value=2026-01-01><input type=checkbox id=c><label id=l><input type=checkbox> l</label><input id=f><script>
s.onchange = () => Promise.resolve().then(() => s.value = 'one'); d.oninput = () => setTimeout(() => d.value = '2026-01-01'); c.onclick = () => setTimeout(() => c.checked = false);
l.onmousedown = () => { l.innerHTML = '<input type=checkbox> l' }; f.onmousedown = () => f.outerHTML = '<input id=f>'</script>`))
	want(t, `fmt.Println(selectOption("#s", "two"), fill("#s", "two"), fill("#d", "2026-02-02"), typeInto("#d", "2026-02-02"))`, "map[value:one] map[value:one] map[value:2026-01-01] map[value:2026-01-01]")
	fails(t, `setChecked("#l", true)`, "bad_value", "still not checked")
	want(t, `fmt.Println(typeInto("#f", "abc"), js("f.value"))`, "map[] abc")
	want(t, `js("s.onchange = d.oninput = null"); fmt.Println(selectOption("#s", "two"), fill("#d", "2026-02-02"))`, "map[] map[]")
}
