package helpers_test

import (
	"strings"
	"testing"
)

// Field case 93.
func TestSchemeOfLocalNames(t *testing.T) {
	want(t, `for _, a := range []string{"192.168.1.5", "10.0.0.1/x", "172.16.3.4:9", "172.32.0.1", "169.254.1.1", "0.0.0.0:8000", "[fd00::1]/x", "[2001:db8::1]", "myhost:8080", "intranet/x", "foo.localhost", "example.com:80", "example.com:443", "8.8.8.8", "nas?x=a.b"} {
	fmt.Println(withScheme(a))
}`, `http://192.168.1.5
http://10.0.0.1/x
http://172.16.3.4:9
https://172.32.0.1
http://169.254.1.1
http://0.0.0.0:8000
http://[fd00::1]/x
https://[2001:db8::1]
http://myhost:8080
http://intranet/x
http://foo.localhost
http://example.com:80
https://example.com:443
https://8.8.8.8
http://nas?x=a.b`)
}

// Field case 98: what is no valid selector is JavaScript.
func TestWaitForTellsScriptsFromSelectors(t *testing.T) {
	open(t, html(`<a href=#>one</a><p id=p>x</p>`))
	want(t, `waitFor("1 < 2"); waitFor("[...document.querySelectorAll('a')].length >= 0"); waitFor("2 + 2"); waitFor("new Date() > 5"); waitFor("(() => true)()"); waitFor("p#p")`, "")
	want(t, `js("setTimeout(() => window.done = 7, 200); 0"); waitFor("done > 6")`, "")
	fails(t, `waitFor("2 < 1", 0.3)`, "timeout", "2 < 1", "not true", "false")
	fails(t, `waitFor("text=Nowhere", 0.2)`, "timeout", "no such text after 0.2 s")
	fails(t, `waitFor("true", 0.2)`, "timeout", "taken for a selector", `waitFor("true", "js")`)
	fails(t, `waitFor("app.ready", 0.2)`, "timeout", `waitFor("app.ready", "js")`)
	fails(t, `waitFor("p[", 0.2)`, "bad_request", "p[")
}

// Field case 76: an empty box cannot be seen.
func TestWaitForAnEmptyBox(t *testing.T) {
	open(t, html(`<div id=results></div><span id=s></span><ul id=list></ul><div id=float><b style="float:left">floats</b></div><img id=i width=0 height=0>`))
	fails(t, `waitFor("#results", 0.3)`, "timeout", "empty")
	fails(t, `waitFor("#s", 0.3)`, "timeout", "empty")
	want(t, `waitFor("#results", "hidden"); waitFor("#i", "hidden"); waitFor("#results", "attached"); waitFor("#float")`, "")
	want(t, `js("setTimeout(() => list.innerHTML = '<li>here</li>', 200); 0"); waitFor("#list"); js("list.children.length")`, "1")
}

// Field case 104.
func TestClickOnText(t *testing.T) {
	open(t, html(`<script>window.got = []; addEventListener('click', e => got.push(e.target.id || e.target.textContent))</script>
<h3 id=s1>Section #1</h3><h3 id=s2>Section #2</h3><button id=save>Save</button><button id=all>Save all</button><p>Save nothing
<ul><li>Ann <button>Reply</button><li>Bob <button>Reply</button></ul>
<button id=icon aria-label="Close window">x</button><label>Agree <input type=checkbox id=agree></label><a href=#x id=a>Read  <b>more</b></a><input type=submit id=sub value=Send>
<div id=host></div><script>host.attachShadow({mode:'open'}).innerHTML = '<button>Inside</button>'</script>`))
	want(t, `for _, x := range []string{"Section #2", "save", "Close window", "Read more", "Send", "Section #1", "Save all", "nothing"} { clickOn("text=" + x) }; js("got.join()")`,
		"s2,save,icon,a,sub,s1,all,Save nothing\n")
	want(t, `clickOn("text=Agree"); clickOn("text=Inside"); js("agree.checked")`, "true")
	message := fails(t, `clickOn("text=Reply")`, "bad_request", "matches 2", "Ann", "Bob")
	uid := message[indexOf(message, `"text=Reply" matches 2 elements: `):]
	want(t, `clickOn("`+word(uid, 4)+`"); js("got.at(-1)")`, "Reply")
	out(t, `js("document.body.insertAdjacentHTML('beforeend', '<div class=c><b>Pen</b><button>Buy</button></div><div class=c><b>Ink</b><button>Buy</button></div>')")`)
	fails(t, `clickOn("text=Buy")`, "bad_request", `"Buy" in "Pen`, `"Buy" in "Ink`)
	fails(t, `clickOn("text=No such thing")`, "element_not_found", "No such thing")
	fails(t, `clickOn("Save")`, "element_not_found", `id="save"`, `text=Save`)
	fails(t, `clickOn("Section #1")`, "element_not_found", `text=Section #1`)
	fails(t, `fill("Close window", "x")`, "element_not_found", "icon")
	want(t, `waitFor("text=Section #2")`, "")
}

// Field case 105.
func TestCoverThatGoes(t *testing.T) {
	open(t, html(`<button id=b onclick="this.textContent = 'clicked'">b</button><input id=f><div id=picker style="position:fixed;inset:0;background:#fff">picker</div>`))
	want(t, `js("setTimeout(() => picker.style.display = 'none', 300); 0"); clickOn("#b"); js("b.textContent")`, "clicked")
	want(t, `js("picker.style.display = ''; setTimeout(() => picker.style.display = 'none', 300); 0"); fill("#f", "x"); js("f.value")`, "x")
	fails(t, `js("picker.style.display = ''"); clickOn("#b")`, "element_covered", "picker")
}

// Field case 94: a page that draws its rows anew every 250 ms.
func TestRedrawnRows(t *testing.T) {
	open(t, html(`<table id=t></table><script>window.n = 0; window.got = []; const draw = () => { n++; t.innerHTML = ''; for (const x of n % 2 ? ['Ann', 'Bob'] : ['Zoe', 'Ann', 'Bob']) t.insertAdjacentHTML('beforeend',
 '<tr><td>' + x + '<td><button id=del' + x + ' onclick="got.push(\'' + x + '\')">Delete ' + x + '</button>') }; draw(); setInterval(draw, 250)</script>`))
	uid := out(t, `for _, e := range as[[]any](extract()["elements"]) { if get(e, "name") == "Delete Bob" { fmt.Print(get(e, "uid")) } }`)
	fails(t, `wait(0.3); clickOn("`+uid+`")`, "element_stale", "one run", "#delBob")
	want(t, `js("got.length")`, "0")
	want(t, `clickOn("#delBob"); clickOn("text=Delete Ann"); js("got.join()")`, "Bob,Ann")
}

// Field cases 68 and 69.
func TestTypedAndFilledAsAPersonDoes(t *testing.T) {
	open(t, html(`<input id=m type=email value=a@b.c><input id=n type=number value=12><input id=u type=url value=http://x/><textarea id=ta>one
two</textarea><input id=q><ul id=l><li>apple<li>pear</ul><script>
q.onkeyup = () => { for (const i of l.children) i.hidden = !i.textContent.includes(q.value) }; window.downs = 0; q.onkeydown = () => downs++</script>`))
	want(t, `typeInto("#m", "XX"); typeInto("#n", "34"); typeInto("#u", "y"); typeInto("#ta", "!"); js("[m.value, n.value, u.value, ta.value].join()")`, "a@b.cXX,1234,http://x/y,one\ntwo!")
	want(t, `fill("#q", "pear"); js("[...l.children].map(i => i.hidden).join() + downs")`, "true,false1")
	want(t, `fill("#m", "z@y.x"); fill("#q", ""); js("m.value + [...l.children].map(i => i.hidden).join()")`, "z@y.xfalse,false")
}

// word is the n-th word after the beginning of a text.
func word(s string, n int) string { return strings.Fields(s)[n] }

func indexOf(s, part string) int { return max(strings.Index(s, part), 0) }
