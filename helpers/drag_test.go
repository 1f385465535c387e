package helpers_test

import (
	"net/http"
	"net/http/httptest"
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

// Field case 100, on the real one: lists and grids that are sorted, from list to list, and a place to drop on.
func TestDragInJQueryUI(t *testing.T) {
	files := httptest.NewServer(http.FileServer(http.Dir(editorsOfNPM(t))))
	t.Cleanup(files.Close)
	open(t, html(strings.ReplaceAll(`<script src="NPM/node_modules/jquery/dist/jquery.min.js"></script><script src="NPM/node_modules/jquery-ui/dist/jquery-ui.min.js"></script>
<style>ul{margin:4px;padding:0;min-height:30px;width:300px;list-style:none;display:block;overflow:auto}li{margin:2px;padding:4px;border:1px solid;height:20px;user-select:none}#grid li{float:left;width:40px;height:40px}#other{background:#eee}#bin{width:90px;height:60px;background:#fcc}#thing{width:40px;height:30px;background:#ccf}</style>
<ul id=list><li id=a>a<li id=b>b<li id=c>c<li id=d>d</ul><ul id=other class=both><li id=x>x</ul><ul id=third class=both><li id=y>y<li id=z>z</ul><ul id=grid><li id=g1>1<li id=g2>2<li id=g3>3<li id=g4>4<li id=g5>5<li id=g6>6<li id=g7>7</ul>
<div id=thing>thing</div><div id=bin>bin</div><script>$('#list, #grid').sortable(); $('.both').sortable({connectWith: '.both'}); $('#thing').draggable(); $('#bin').droppable({drop: () => document.title = 'dropped'});
const order = id => [...document.getElementById(id).children].map(e => e.id).join('')</script>`, "NPM", files.URL)))
	for _, c := range [][2]string{{`dragTo("#a", "#c"); js("order('list')")`, "bcad"}, {`dragTo("#d", "#b"); js("order('list')")`, "dbca"}, {`dragTo("#b", "#c"); js("order('list')")`, "dcba"}, {`dragTo("#a", "#b"); js("order('list')")`, "dcab"},
		{`dragTo("#g1", "#g7"); js("order('grid')")`, "g2g3g4g5g6g7g1"}, {`dragTo("#g7", "#g3"); js("order('grid')")`, "g2g7g3g4g5g6g1"}, {`dragTo("#g4", "#g5"); js("order('grid')")`, "g2g7g3g5g4g6g1"},
		{`dragTo("#x", "#z"); js("order('other') + ' ' + (order('third').includes('x'))")`, " true"}, {`dragTo("#y", "#other"); js("order('other')")`, "y"}, {`fmt.Println(dragTo("#thing", "#bin"), js("document.title"))`, "map[] dropped"}} {
		want(t, c[0], c[1])
	}
}

// Rows that change places all the time: what is dragged is what was meant, or the error says that it was not.
func TestDragWhatMoves(t *testing.T) {
	open(t, html(`<style>.r{height:30px;width:100px;background:#ddd}</style><div id=l><div class=r id=r1 draggable=true>1</div><div class=r id=r2 draggable=true>2</div><div class=r id=r3 draggable=true>3</div></div><p id=drop style="height:60px;background:#fee">drop<script>
const rows = [...l.children]; window.got = []; addEventListener('dragstart', e => { got.push(e.target.id); clearInterval(turn) }); drop.ondragover = e => e.preventDefault();
let turn; const go = () => { clearInterval(turn); turn = setInterval(() => { rows.push(rows.shift()); l.append(...rows) }, 40) }; go()</script>`))
	want(t, `for range 6 { js("go()"); if err := try(func() { dragTo("#r2", "#drop") }); err != nil && err.Code != "element_covered" { panic(err.Message) } }; js("got.filter(x => x != 'r2').join()")`, "")
}
