package main

import (
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// A sandboxed frame whose text the page brings runs its first script before anything can be
// attached to it; what it may reach is its page's policy.
func TestAllowInSandboxedFrames(t *testing.T) {
	var mu sync.Mutex
	seen := map[string]int{}
	note := func(what string) {
		mu.Lock()
		seen[what]++
		mu.Unlock()
	}
	reached := func(what string) int {
		mu.Lock()
		defer mu.Unlock()
		return seen[what]
	}
	var page string
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		note(strings.Split(r.Host, ":")[0] + r.URL.Path)
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Content-Type", "text/html")
		if strings.HasPrefix(r.URL.Path, "/page") {
			fmt.Fprint(w, page)
		}
	}))
	ok := "http://" + s.Listener.Addr().String()
	bad := strings.Replace(ok, "127.0.0.1", "localhost", 1)
	ways := map[string]string{
		"socket":     "new WebSocket('" + strings.Replace(bad, "http", "ws", 1) + "/KIND-socket')",
		"fetch":      "fetch('" + bad + "/KIND-fetch').catch(() => {})",
		"img":        "new Image().src = '" + bad + "/KIND-img'",
		"navigation": "location = '" + bad + "/KIND-navigation'",
		"worker":     "new Worker(URL.createObjectURL(new Blob([\"new WebSocket('" + strings.Replace(bad, "http", "ws", 1) + "/KIND-worker')\"])))",
	}
	var names []string
	page = "<!doctype html><title>page</title><script>const blob = text => URL.createObjectURL(new Blob([text], {type: 'text/html'}))</script>"
	for way, script := range ways {
		for _, kind := range []string{"srcdoc", "data", "blob"} {
			text := "<script>" + strings.ReplaceAll("fetch('"+ok+"/KIND-"+way+"-ran').catch(() => {}); "+script, "KIND", kind) + "</script>"
			switch kind {
			case "srcdoc":
				page += "<iframe sandbox=allow-scripts srcdoc=\"" + html.EscapeString(text) + "\"></iframe>"
			case "data":
				page += "<iframe sandbox=allow-scripts src=\"" + html.EscapeString("data:text/html,"+strings.ReplaceAll(text, "#", "%23")) + "\"></iframe>"
			case "blob":
				page += fmt.Sprintf("<script>document.body.append(Object.assign(document.createElement('iframe'), {sandbox: 'allow-scripts', src: blob(%s)}))</script>", strings.ReplaceAll(fmt.Sprintf("%q", text), "</", "<\\/"))
			}
			names = append(names, kind+"-"+way)
		}
	}
	s.Start()
	t.Cleanup(s.Close)
	p := daemonOf(t, newName(t), "BU_CDP_WS="+browser(t).WS, "BU_ALLOW="+strings.TrimPrefix(ok, "http://"))
	p.visit(ok + "/told")
	p.js("fetch('" + bad + "/told').catch(() => 1)")
	until(t, "what the policy refused is told", func() bool {
		return strings.Contains(p.notices(), "kept the page from reaching localhost")
	})
	for round := range 3 {
		p.visit(fmt.Sprint(ok, "/page", round))
		for _, name := range names {
			if strings.HasSuffix(name, "-navigation") {
				continue // what it asks for behind that is given up
			}
			until(t, name+" has run", func() bool { return reached("127.0.0.1/"+name+"-ran") > round })
		}
	}
	time.Sleep(500 * time.Millisecond) // for what is not allowed to happen
	for _, name := range append(names, "told") {
		if n := reached("localhost/" + name); n > 0 {
			t.Errorf("%s reached another host %d times", name, n)
		}
	}
	wantCode(t, p.call(M{"method": "Page.setBypassCSP", "params": M{"enabled": true}}), "not_allowed")
	free := daemonOf(t, newName(t))
	free.visit(ok + "/page-free")
	for _, name := range names {
		until(t, name+" reaches another host without limits", func() bool { return reached("localhost/"+name) > 0 })
	}
}

// What the policy does not name goes on as without it, whatever kind of document it is.
func TestPolicyLeavesThePageAlone(t *testing.T) {
	const uses = `(async () => {
		const inline = document.createElementNS('http://www.w3.org/1999/xhtml', 'script')
		inline.textContent = 'globalThis.inline = 1'
		document.documentElement.append(inline)
		const frame = document.createElementNS('http://www.w3.org/1999/xhtml', 'iframe')
		frame.srcdoc = '<p>text'
		await new Promise(r => { frame.onload = r; document.documentElement.append(frame) })
		const worker = await new Promise(r => { new Worker(URL.createObjectURL(new Blob(['postMessage(eval("1"))']))).onmessage = e => r(e.data) })
		const blob = await import(URL.createObjectURL(new Blob(['export default 1'], {type: 'text/javascript'})))
		const image = await new Promise(r => { const i = new Image(); i.onload = () => r(1); i.onerror = () => r(0); i.src = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=' })
		await WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))
		return [document.compatMode, [...document.childNodes].map(n => n.nodeName), document.querySelectorAll('meta').length, globalThis.inline, globalThis.early, eval('1'), worker, blob.default, image, await (await fetch('data:,1')).text(), frame.contentDocument.body.innerText] + ''
	})()`
	pages := map[string][2]string{
		"/html":   {"text/html", "<!doctype html><title>x</title><script>early = document.head.childNodes.length</script>"},
		"/quirks": {"text/html", "<p onclick=''>text<script>early = document.head.childNodes.length</script>"},
		"/svg":    {"image/svg+xml", "<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg'><script>early = document.childNodes.length</script></svg>"},
		"/xhtml":  {"application/xhtml+xml", "<!DOCTYPE html><html xmlns='http://www.w3.org/1999/xhtml'><head><title>x</title></head><body/></html>"},
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", pages[r.URL.Path][0])
		fmt.Fprint(w, pages[r.URL.Path][1])
	}))
	t.Cleanup(s.Close)
	p := daemonOf(t, newName(t), "BU_CDP_WS="+browser(t).WS, "BU_ALLOW=127.0.0.1")
	free := daemonOf(t, newName(t))
	for path := range pages {
		p.visit(s.URL + path)
		free.visit(s.URL + path)
		if got, want := p.js(uses), free.js(uses); got != want || want == nil {
			t.Errorf("%s: %v, without limits %v", path, got, want)
		}
	}
}

// Documents that no server sends have the policy as well, and so has the one that is there when
// the guard comes.
func TestPolicyOfEveryDocument(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<!doctype html><title>page</title>page")
	}))
	t.Cleanup(s.Close)
	const refused = `new Promise(r => {
		addEventListener('securitypolicyviolation', e => r(e.effectiveDirective))
		setTimeout(() => r('nothing'), 5000)
		fetch('http://other.test/').catch(() => 1)
	})`
	p := daemonOf(t, newName(t))
	limited := M{"allow": []string{"127.0.0.1"}}
	p.visit(s.URL + "/before")
	check := func(what string) {
		t.Helper()
		if got := p.js(refused, limited); got != "connect-src" {
			t.Errorf("%s: %v", what, got)
		}
	}
	check("a page that was open before")
	for _, url := range []string{"about:blank", "data:text/html,<p>text"} {
		p.visit(url, limited)
		check(url)
	}
	p.visit(s.URL+"/after", limited)
	check("a page")
}
