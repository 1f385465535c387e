package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// ways lead a page to another host: each is a page, or a page with headers, and what it asks
// of the other host has the way's name in its path. DENIED and ALLOWED are the hosts.
var ways = map[string]struct {
	head, page string
	click      bool // the page's link has to be clicked
}{
	"blob-worker":     {page: `<script>new Worker(URL.createObjectURL(new Blob(["fetch('DENIED/hit/blob-worker', {mode: 'no-cors'})"])))</script>`},
	"data-worker":     {page: `<script>new Worker("data:text/javascript,fetch('DENIED/hit/data-worker', {mode: 'no-cors'})")</script>`},
	"nested-worker":   {page: `<script>new Worker(URL.createObjectURL(new Blob(["new Worker('data:text/javascript,' + encodeURIComponent(\"fetch('DENIED/hit/nested-worker', {mode: 'no-cors'})\"))"])))</script>`},
	"module-worker":   {page: `<script>new Worker(URL.createObjectURL(new Blob(["import 'DENIED/hit/module-worker'"], {type: 'text/javascript'})), {type: 'module'})</script>`},
	"shared-worker":   {page: `<script>new SharedWorker("data:text/javascript,fetch('DENIED/hit/shared-worker', {mode: 'no-cors'})")</script>`},
	"worklet":         {page: `<script>CSS.paintWorklet && CSS.paintWorklet.addModule('DENIED/hit/worklet').catch(() => {}); new AudioContext().audioWorklet.addModule('DENIED/hit/worklet').catch(() => {})</script>`},
	"ping":            {page: `<a id=a href="#x" ping="DENIED/hit/ping">a</a>`, click: true},
	"import-sheet":    {page: `<style>@import "DENIED/hit/import-sheet";</style>`},
	"svg-use":         {page: `<svg><image href="DENIED/hit/svg-use"/></svg>`},
	"object":          {page: `<object data="DENIED/hit/object"></object>`},
	"embed":           {page: `<embed src="DENIED/hit/embed">`},
	"video":           {page: `<video src="DENIED/hit/video" poster="DENIED/hit/video"></video>`},
	"srcset":          {page: `<img srcset="DENIED/hit/srcset 1x">`},
	"srcdoc-socket":   {page: `<iframe srcdoc="<script>new WebSocket('WSDENIED/hit/srcdoc-socket')</script>"></iframe>`},
	"data-frame":      {page: `<iframe src="data:text/html,<img src=DENIED/hit/data-frame>"></iframe>`},
	"events":          {page: `<script>new EventSource('DENIED/hit/events')</script>`},
	"beacon":          {page: `<script>navigator.sendBeacon('DENIED/hit/beacon')</script>`},
	"leaving":         {page: `<script>addEventListener('pagehide', () => navigator.sendBeacon('DENIED/hit/leaving')); setTimeout(() => location = '/empty', 300)</script>`},
	"keepalive":       {page: `<script>addEventListener('pagehide', () => fetch('DENIED/hit/keepalive', {keepalive: true, mode: 'no-cors'})); setTimeout(() => location = '/empty', 300)</script>`},
	"form-blank":      {page: `<form target=_blank action="DENIED/hit/form-blank"><button id=a>a</button></form>`, click: true},
	"link-noopener":   {page: `<a id=a target=_blank rel=noopener href="DENIED/hit/link-noopener">a</a>`, click: true},
	"open-noopener":   {page: `<button id=a onclick="open('DENIED/hit/open-noopener', '', 'noopener')">a</button>`, click: true},
	"control-click":   {page: `<a id=a onclick="event.isTrusted || event.ctrlKey || (event.preventDefault(), this.dispatchEvent(new MouseEvent('click', {ctrlKey: true, metaKey: true, cancelable: true})))" href="DENIED/hit/control-click">a</a>`, click: true},
	"shift-click":     {page: `<a id=a onclick="event.isTrusted || event.shiftKey || (event.preventDefault(), this.dispatchEvent(new MouseEvent('click', {shiftKey: true, cancelable: true})))" href="DENIED/hit/shift-click">a</a>`, click: true},
	"middle-click":    {page: `<a id=a onclick="event.preventDefault(); this.dispatchEvent(new MouseEvent('click', {button: 1, cancelable: true}))" href="DENIED/hit/middle-click">a</a>`, click: true},
	"key-of-a-form":   {page: `<form action="DENIED/hit/key-of-a-form"><button id=a onclick="event.ctrlKey || (event.preventDefault(), this.dispatchEvent(new MouseEvent('click', {ctrlKey: true, metaKey: true, bubbles: true, cancelable: true})))">a</button></form>`, click: true},
	"detached-click":  {page: `<a id=a onclick="Object.assign(document.createElement('a'), {href: 'DENIED/hit/detached-click'}).dispatchEvent(new MouseEvent('click', {ctrlKey: true, metaKey: true}))">a</a>`, click: true},
	"download":        {page: `<a id=a download href="DENIED/hit/download">a</a>`, click: true},
	"meta-refresh":    {page: `<meta http-equiv=refresh content="0; url=DENIED/hit/meta-refresh">`},
	"refresh-header":  {head: "Refresh: 0; url=DENIED/hit/refresh-header"},
	"location":        {page: `<script>location = 'DENIED/hit/location'</script>`},
	"redirect":        {page: `<img src="/redirect/hit/redirect">`},
	"redirect-frame":  {page: `<iframe src="/redirect/hit/redirect-frame"></iframe>`},
	"redirect-307":    {page: `<script>fetch('/redirect/hit/redirect-307', {method: 'POST', body: 'x', mode: 'no-cors'}).catch(() => {})</script>`},
	"prefetch":        {page: `<link rel=prefetch href="DENIED/hit/prefetch">`},
	"preload":         {page: `<link rel=preload as=image href="DENIED/hit/preload">`},
	"modulepreload":   {page: `<link rel=modulepreload href="DENIED/hit/modulepreload">`},
	"link-preload":    {head: "Link: <DENIED/hit/link-preload>; rel=preload; as=image"},
	"rules-header":    {head: `Speculation-Rules: "DENIED/hit/rules-header"`},
	"csp-report":      {head: "Content-Security-Policy: img-src 'none'; report-uri DENIED/hit/csp-report", page: `<img src=/x>`},
	"import-map":      {page: `<script type=importmap>{"imports": {"x": "DENIED/hit/import-map"}}</script><script type=module>import 'x'</script>`},
	"dynamic-import":  {page: `<script>import('DENIED/hit/dynamic-import').catch(() => {})</script>`},
	"sync-request":    {page: `<script>try { const x = new XMLHttpRequest(); x.open('GET', 'DENIED/hit/sync-request', false); x.send() } catch (e) {}</script>`},
	"base":            {page: `<base href="DENIED/hit/"><img src="base">`},
	"frame-in-worker": {page: `<script>{const f = document.createElement('iframe'); f.src = URL.createObjectURL(new Blob(["<script>fetch('DENIED/hit/frame-in-worker', {mode: 'no-cors'})<\/script>"], {type: 'text/html'})); (document.body || document.documentElement).append(f)}</script>`},
}

// other serves the pages of ways, under both hosts.
type other struct {
	allowed, denied string
	mu              sync.Mutex
	seen            map[string]bool
}

func newOther(t *testing.T) *other {
	o := &other{seen: map[string]bool{}}
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text := strings.NewReplacer("WSDENIED", strings.Replace(o.denied, "http", "ws", 1), "WSALLOWED", strings.Replace(o.allowed, "http", "ws", 1), "DENIED", o.denied)
		if path, is := strings.CutPrefix(r.URL.Path, "/redirect"); is {
			http.Redirect(w, r, o.denied+path, http.StatusTemporaryRedirect)
			return
		}
		o.mu.Lock()
		o.seen[r.Host+r.URL.Path] = true
		o.mu.Unlock()
		way := ways[strings.TrimPrefix(r.URL.Path, "/way/")]
		for _, line := range strings.Split(way.head, "\n") {
			if name, value, is := strings.Cut(line, ": "); is {
				w.Header().Add(name, text.Replace(value))
			}
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<!doctype html><title>way</title><script src=/there", r.URL.Path, "></script><body>", text.Replace(way.page))
	}))
	o.allowed = "http://" + s.Listener.Addr().String()
	o.denied = strings.Replace(o.allowed, "127.0.0.1", "localhost", 1)
	s.Start()
	t.Cleanup(s.Close)
	return o
}

// reached says whether the host at that address was asked for path.
func (o *other) reached(address, path string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.seen[strings.TrimPrefix(address, "http://")+path]
}

// try goes all the ways in one tab; each is waited for until done says so, and gone again
// after a while: the way before may still take the tab elsewhere.
func (o *other) try(p *proc, done func(way string) bool) {
	for way, w := range ways {
		clicked, begun := false, time.Time{}
		until(p.t, "the way is gone: "+way, func() bool {
			if time.Since(begun) > 3*time.Second {
				p.call(M{"method": "Page.navigate", "params": M{"url": o.allowed + "/way/" + way}})
				clicked, begun = false, time.Now()
			}
			// A tab that nobody sees is not drawn by itself.
			p.peek("[...document.querySelectorAll('*')].map(e => getComputedStyle(e).backgroundImage + e.offsetTop)")
			if w.click && !clicked && p.peek("location.pathname === '/way/"+way+"' && !!document.getElementById('a')") == true {
				p.call(M{"method": "Runtime.evaluate", "params": M{"expression": "document.getElementById('a').click()", "userGesture": true}})
				clicked = true
			}
			return clicked == w.click && done(way)
		})
	}
}

// Under BU_ALLOW no way leads to another host; without it each does.
func TestWays(t *testing.T) {
	if os.Getenv("BU_WAYS") == "" {
		t.Skip("BU_WAYS=1 goes them; a tab in the background puts some requests off, so that not each control is asked for in each round")
	}
	o := newOther(t)
	o.try(daemonOf(t, newName(t), "BU_CDP_WS="+browser(t).WS, "BU_ALLOW="+strings.TrimPrefix(o.allowed, "http://")), func(way string) bool {
		time.Sleep(100 * time.Millisecond) // for what is not allowed to happen
		return o.reached(o.allowed, "/there/way/"+way)
	})
	for way := range ways {
		if o.reached(o.denied, "/hit/"+way) {
			t.Errorf("%s leads to another host", way)
		}
	}
	o.try(daemonOf(t, newName(t)), func(way string) bool { return o.reached(o.denied, "/hit/"+way) })
}
