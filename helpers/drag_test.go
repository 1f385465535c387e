package helpers_test

import (
	"strings"
	"testing"
)

// Field case 67: the place to drop on moves once the drag is on.
func TestDragToWhatMoves(t *testing.T) {
	open(t, html(`<title>none</title><style>.z{height:0;overflow:hidden}.z.on{height:120px}#drop{height:60px;background:#ddd}</style>
<div id=d draggable=true>Card</div><div class=z>placeholder</div><div id=drop>Done</div><script>
d.ondragstart = e => { e.dataTransfer.setData('text', 'x'); setTimeout(() => document.querySelector('.z').classList.add('on')) }
drop.ondragover = e => e.preventDefault(); drop.ondrop = () => document.title = 'dropped'</script>`))
	want(t, `dragTo("#d", "#drop"); js("document.title")`, "dropped")
}

// Field case 100: what sorts by the middle, as jQuery UI does; and what takes nothing says so.
func TestDragAmongSiblings(t *testing.T) {
	open(t, html(`<style>li{height:30px;width:200px;margin:0;list-style:none;user-select:none}</style><ul id=l style="padding:0"><li id=a>a<li id=b>b<li id=c>c</ul><p id=p>still</p><script>
let from = null; l.onmousedown = e => { from = e.target; y0 = e.clientY }; let y0;
onmousemove = e => { if (!from) return; for (const i of l.children) { if (i === from) continue; const r = i.getBoundingClientRect(), m = r.top + r.height / 2;
 const below = from.compareDocumentPosition(i) & 4; if (below && e.clientY > m + 2 && e.clientY < r.bottom) { i.after(from); break } if (!below && e.clientY < m - 2 && e.clientY > r.top) { i.before(from); break } } };
onmouseup = () => from = null</script>`))
	want(t, `r := dragTo("#a", "#c"); fmt.Println(r == nil, js("[...l.children].map(i => i.id).join('')"))`, "true bca")
	want(t, `r := dragTo("#a", "#b"); fmt.Println(r == nil, js("[...l.children].map(i => i.id).join('')"))`, "true abc")
	want(t, `strings.Contains(fmt.Sprint(dragTo("#p", "#b")["note"]), "nothing")`, "true")
}

// Field case 100: a sorter that goes by the places that it read when the drag began, and whose empty place moves the others
// for as long as it lasts; what only leaves an empty style behind changed nothing.
func TestDragInSorter(t *testing.T) {
	open(t, html(`<style>li{display:inline-block;width:60px;height:28px;margin:4px;background:#ddd;user-select:none}</style><ul id=l><li id=p>P<li id=q>Q<li id=r>R</ul><script>
let held, places;
l.onmousedown = e => { held = e.target; places = [...l.children].filter(i => i !== held).map(i => [i, i.getBoundingClientRect()]); l.style.paddingTop = '20px' };
onmousemove = e => { if (!held) return; for (const [i, r] of places) { if (e.clientX < r.left || e.clientX > r.right || e.clientY < r.top || e.clientY > r.bottom) continue;
 const half = r.left + r.width / 2, after = held.compareDocumentPosition(i) & 4; if (after && e.clientX > half) i.after(held); if (!after && e.clientX < half) i.before(held) } };
onmouseup = () => { if (held) { held.style.top = ''; held.style.cssText = ''; l.style.cssText = '' } held = null }</script>`))
	want(t, `r := dragTo("#q", "#p"); fmt.Println(r == nil, js("[...l.children].map(i => i.id).join('')"))`, "true qpr")
	want(t, `r := dragTo("#q", "#r"); fmt.Println(r == nil, js("[...l.children].map(i => i.id).join('')"))`, "true prq")
	want(t, `js("places = null; l.onmousedown = e => { held = e.target; places = []; held.style.left = '0' }"); strings.Contains(fmt.Sprint(dragTo("#p", "#r")["note"]), "nothing")`, "true")
}

// Field case 72: frames that are turned or mirrored.
func TestClickInTurnedFrames(t *testing.T) {
	inner := html(`<body style="margin:0"><button id=b style="position:absolute;left:20px;top:10px" onclick="parent.postMessage(location.hash, '*')">press</button>`)
	page := `<style>iframe{width:200px;height:100px;border:5px solid}div{margin:60px;width:210px}</style><script>window.got = []; onmessage = e => got.push(e.data)</script>
<div style="transform:scaleX(-1)"><iframe src="HOST` + inner + `#m"></iframe></div><div style="transform:rotate(90deg)"><iframe src="HOST` + inner + `#r"></iframe></div>
<div style="rotate:200deg"><iframe style="transform:skewX(10deg) scale(1.2)" src="HOST` + inner + `#s"></iframe></div><div><iframe style="scale:-1 1" src="HOST` + inner + `#x"></iframe></div>`
	for _, host := range []string{"SITE", "OTHER"} {
		open(t, html(strings.ReplaceAll(page, "HOST", host)))
		want(t, `waitForLoad(); for _, e := range as[[]any](extract()["elements"]) { if get(e, "name") == "press" { clickOn(as[string](get(e, "uid"))) } }; wait(0.2); js("got.join()")`, "#m,#r,#s,#x")
	}
}
