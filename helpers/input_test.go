package helpers_test

import (
	"strings"
	"testing"
)

// tracks is a page that writes down the mouse and keyboard events it gets.
const tracks = `<style>body{margin:0;height:3000px}#a{position:absolute;left:50px;top:50px;width:100px;height:40px}</style>
<button id=a>a</button><script>
log = [];
for (const t of ['mousedown', 'mouseup', 'click', 'dblclick', 'auxclick', 'contextmenu', 'mousemove'])
  addEventListener(t, e => log.push([t, e.clientX, e.clientY, e.button, e.detail, (e.shiftKey ? 'S' : '') + (e.ctrlKey ? 'C' : '') + (e.altKey ? 'A' : '')].join(' ')), true);
addEventListener('contextmenu', e => e.preventDefault());
said = () => { const l = log.filter(x => !x.startsWith('mousemove')); log = []; return l.join(', ') };
</script>`

func TestClick(t *testing.T) {
	open(t, html(tracks))
	want(t, `click(60, 70); js("said()")`, "mousedown 60 70 0 1 , mouseup 60 70 0 1 , click 60 70 0 1 ")
	want(t, `click(60, 70, 2); js("said()")`, "mousedown 60 70 0 1 , mouseup 60 70 0 1 , click 60 70 0 1 , mousedown 60 70 0 2 , mouseup 60 70 0 2 , click 60 70 0 2 , dblclick 60 70 0 2 ")
	want(t, `click(60, 70, "right"); js("said()")`, "mousedown 60 70 2 1 , contextmenu 60 70 2 0 , mouseup 60 70 2 1 , auxclick 60 70 2 1 ")
	want(t, `click(60, 70, "middle"); js("said()")`, "mousedown 60 70 1 1 , mouseup 60 70 1 1 , auxclick 60 70 1 1 ")
	want(t, `click(60, 70, "Shift", "Alt"); js("said()")`, "mousedown 60 70 0 1 SA, mouseup 60 70 0 1 SA, click 60 70 0 1 SA")
	want(t, `click(60, 70)`, "") // it caused nothing
	fails(t, `click(60, 70, "Hyper")`, "bad_value", "Hyper")
}

// Where the window shows nothing, nobody would get the event.
func TestOutOfSight(t *testing.T) {
	open(t, html(tracks+`<style>::-webkit-scrollbar{display:none}</style>`))
	for _, act := range []string{`click(-1, 70)`, `click(60, 2500)`, `click(1e9, 70)`, `hover(math.NaN(), 70)`, `scroll(60, -0.5, 100)`, `drag(60, 2500, 60, 70)`} {
		fails(t, act, "bad_value", "out of sight", "CSS pixels")
	}
	want(t, `fmt.Println(js("said()")); for _, at := range [][]float64{{0, 0}, {pageInfo()["w"].(float64) - 1, pageInfo()["h"].(float64) - 1}} { click(at[0], at[1]) }; strings.Count(js("said()").(string), "click")`, "\n2")
}

// The point is all that counts: an iframe of another site and a shadow root get the click.
func TestClickThroughFrames(t *testing.T) {
	inner := html(`<body style="margin:0"><button style="width:200px;height:100px" onclick="this.textContent='clicked'">b</button>`)
	open(t, html(`<body style="margin:0"><iframe src="OTHER`+inner+`" style="border:0;position:absolute;left:100px;top:100px"></iframe>
<div id=host></div><script>host.attachShadow({mode: 'closed'}).innerHTML = '<button style="width:90px;height:90px" onclick="document.title=\'shadow\'">s</button>'</script>`))
	want(t, `click(150, 150); js("document.querySelector('button').textContent", iframeTarget("localhost"))`, "clicked")
	want(t, `click(45, 45); js("document.title")`, "shadow")
}

func TestHover(t *testing.T) {
	open(t, html(tracks+`<style>#a:hover{color:rgb(1, 2, 3)}</style>`))
	want(t, `hover(60, 70); fmt.Println(js("getComputedStyle(a).color")); hover(400, 400); js("getComputedStyle(a).color == 'rgb(1, 2, 3)'")`, "rgb(1, 2, 3)\nfalse")
}

func TestScroll(t *testing.T) {
	open(t, html(`<body style="margin:0;height:5000px;width:5000px"><div id=box style="position:absolute;left:100px;top:100px;width:200px;height:200px;overflow:scroll"><div style="height:2000px;width:2000px">`))
	want(t, `scroll(500, 500, 300); js("[scrollX, scrollY, box.scrollTop]")`, "[0,300,0]")
	want(t, `scroll(500, 500, -100, 50); js("[scrollX, scrollY]")`, "[50,200]")
	want(t, `js("scrollTo(0, 0)"); scroll(200, 200, 120); js("[scrollY, box.scrollTop]")`, "[0,120]")
}

// In the background Chrome draws a page that is always busy once a second at most, and
// without bu's doing it answers no screenshot at all.
func TestBackgroundTabIsDrawn(t *testing.T) {
	open(t, html(`<style>@keyframes turn{to{transform:rotate(1turn)}}i{position:fixed;inset:300px;background:red;animation:turn 1s infinite linear}#a:hover{color:rgb(1, 2, 3)}</style>
<body style="height:5000px"><button id=a style="position:absolute;left:50px;top:50px" onclick="document.title = 'clicked'">a</button><i></i>`))
	want(t, `wait(2)
begin := time.Now()
hover(60, 60); fmt.Println(js("getComputedStyle(a).color"))
click(60, 60); fmt.Println(js("document.title"))
screenshot("`+t.TempDir()+`/busy.png")
scroll(500, 500, 100); fmt.Println(js("scrollY"))
time.Since(begin) < 20 * time.Second`, "rgb(1, 2, 3)\nclicked\n100\ntrue")
}

func TestDrag(t *testing.T) {
	open(t, html(`<body style="margin:0"><div id=d style="position:absolute;left:10px;top:10px;width:50px;height:50px;background:red"></div><script>
let from;
d.onmousedown = e => from = [e.clientX - d.offsetLeft, e.clientY - d.offsetTop];
onmousemove = e => { if (from && e.buttons == 1) { d.style.left = e.clientX - from[0] + 'px'; d.style.top = e.clientY - from[1] + 'px' } };
onmouseup = () => from = null;
</script>`))
	want(t, `drag(30, 30, 330, 230); js("[d.offsetLeft, d.offsetTop]")`, "[310,210]")
	open(t, html(`<body style="margin:0"><div id=from draggable=true style="position:absolute;width:50px;height:50px;background:red">drag</div>
<div id=to style="position:absolute;left:300px;top:300px;width:100px;height:100px;background:green"></div><script>
from.ondragstart = e => e.dataTransfer.setData('text/plain', 'payload');
to.ondragover = e => e.preventDefault();
to.ondrop = e => { e.preventDefault(); to.textContent = e.dataTransfer.getData('text/plain') };
from.ondragend = e => from.textContent = 'ended';
</script>`))
	want(t, `drag(25, 25, 350, 350); js("to.textContent")`, "payload")
	want(t, `click(25, 25); js("document.elementFromPoint(25, 25).id")`, "from") // the mouse is free again
}

func TestWhatAClickCaused(t *testing.T) {
	target := html(`<title>arrived</title>`)
	for name, c := range map[string]struct{ body, caused string }{
		"link":            {`<a href=` + target + `>x</a>`, `{"navigated":"SITE` + target + `"}`},
		"other site":      {`<a href=OTHER` + target + `>x</a>`, `{"navigated":"OTHER` + target + `"}`},
		"redirect":        {`<a href="/redirect?to=` + target + `">x</a>`, `{"navigated":"SITE` + target + `"}`},
		"script":          {`<a onclick="location = '` + target + `'">x</a>`, `{"navigated":"SITE` + target + `"}`},
		"javascript: URL": {`<a href="javascript:location = '` + target + `'">x</a>`, `{"navigated":"SITE` + target + `"}`},
		"form":            {`<form action=` + target + `><button>x</button></form>`, `{"navigated":"SITE` + target + `?"}`},
		"fragment":        {`<title>t</title><a href="#part">x</a>`, `#part"}`},
		"pushState":       {`<a onclick="history.pushState(1, '', '/pushed')">x</a>`, `{"navigated":"SITE/pushed"}`},
		"microtask":       {`<a onclick="Promise.resolve().then(() => location = '` + target + `')">x</a>`, `{"navigated":"SITE` + target + `"}`},
		"void":            {`<a href="javascript:void(0)">x</a>`, ``},
		"nothing":         {`<a onclick="this.style.color = 'red'">x</a>`, ``},
		"no content":      {`<a href="/status?code=204">x</a>`, `"status":204}`},
		"slow":            {`<a href="/slow?ms=2500">x</a>`, `{"navigated":"SITE/slow?ms=2500","pending":true}`},
		"refused":         {`<a href="http://127.0.0.1:1/">x</a>`, `{"failed":true,"navigated":"http://127.0.0.1:1/","reason":"net::ERR_UNSAFE_PORT"}`},
		"download":        {`<a href="/download?name=c.bin&size=10">x</a>`, `"name":"c.bin","url":"SITE/download?name=c.bin&size=10"}}`},
		"alert":           {`<a onclick="alert('a')">x</a>`, `{"dialog":{"default":"","message":"a","type":"alert","url":"`},
		"prompt":          {`<a onclick="prompt('p', 'd')">x</a>`, `{"dialog":{"default":"d","message":"p","type":"prompt","url":"`},
		"alert in a task": {`<a href="javascript:alert('j')">x</a>`, `{"dialog":{"default":"","message":"j","type":"alert","url":"`},
	} {
		t.Run(name, func(t *testing.T) {
			open(t, html(`<style>a,button{position:fixed;inset:0;width:100%;height:100%}</style>`+c.body))
			got := out(t, `click(50, 50)`)
			if !strings.Contains(got, expand(c.caused)) || (c.caused == "") != (got == "") {
				t.Errorf("caused %q, want %q", got, expand(c.caused))
			}
			if strings.Contains(got, "dialog") {
				out(t, `dismissDialog()`)
			}
		})
	}
}

func TestClickOpensTab(t *testing.T) {
	target := html(`<title>opened</title>`)
	for _, body := range []string{`<a target=_blank href=` + target + `>x</a>`, `<a onclick="window.open('` + target + `')">x</a>`} {
		open(t, html(`<style>a{position:fixed;inset:0}</style>`+body))
		want(t, `did := click(50, 50)
was := currentTab()["id"]
switchTab(did["newTab"])
waitForLoad()
fmt.Println(js("document.title"))
closeTab()
switchTab(was)
len(did)`, "opened\n1")
	}
}
