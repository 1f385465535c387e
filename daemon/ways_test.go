package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
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
	"adopted-sheet":   {page: `<p>a</p><script>{const s = new CSSStyleSheet(); s.replaceSync("p { background: url(DENIED/hit/adopted-sheet) }"); document.adoptedStyleSheets = [s]}</script>`},
	"import-sheet":    {page: `<style>@import "DENIED/hit/import-sheet";</style>`},
	"css-url":         {page: `<p style="background: url(DENIED/hit/css-url)">a`},
	"font":            {page: `<style>@font-face { font-family: f; src: url(DENIED/hit/font) } p { font-family: f }</style><p>a`},
	"cursor":          {page: `<style>body { cursor: url(DENIED/hit/cursor), auto }</style>`},
	"svg-use":         {page: `<svg><image href="DENIED/hit/svg-use"/></svg>`},
	"object":          {page: `<object data="DENIED/hit/object"></object>`},
	"embed":           {page: `<embed src="DENIED/hit/embed">`},
	"video":           {page: `<video src="DENIED/hit/video" poster="DENIED/hit/video"></video>`},
	"srcset":          {page: `<img srcset="DENIED/hit/srcset 1x">`},
	"srcdoc-socket":   {page: `<iframe srcdoc="<script>new WebSocket('WSDENIED/hit/srcdoc-socket')</script>"></iframe>`},
	"sandbox-socket":  {page: `<iframe sandbox="allow-scripts" srcdoc="<script>new WebSocket('WSDENIED/hit/sandbox-socket')</script>"></iframe>`},
	"data-frame":      {page: `<iframe src="data:text/html,<img src=DENIED/hit/data-frame>"></iframe>`},
	"events":          {page: `<script>new EventSource('DENIED/hit/events')</script>`},
	"beacon":          {page: `<script>navigator.sendBeacon('DENIED/hit/beacon')</script>`},
	"leaving":         {page: `<script>addEventListener('pagehide', () => navigator.sendBeacon('DENIED/hit/leaving')); setTimeout(() => location = '/empty', 300)</script>`},
	"keepalive":       {page: `<script>addEventListener('pagehide', () => fetch('DENIED/hit/keepalive', {keepalive: true, mode: 'no-cors'})); setTimeout(() => location = '/empty', 300)</script>`},
	"form-blank":      {page: `<form target=_blank action="DENIED/hit/form-blank"><button id=a>a</button></form>`, click: true},
	"link-noopener":   {page: `<a id=a target=_blank rel=noopener href="DENIED/hit/link-noopener">a</a>`, click: true},
	"open-noopener":   {page: `<button id=a onclick="open('DENIED/hit/open-noopener', '', 'noopener')">a</button>`, click: true},
	"download":        {page: `<a id=a download href="DENIED/hit/download">a</a>`, click: true},
	"meta-refresh":    {page: `<meta http-equiv=refresh content="0; url=DENIED/hit/meta-refresh">`},
	"refresh-header":  {head: "Refresh: 0; url=DENIED/hit/refresh-header"},
	"location":        {page: `<script>location = 'DENIED/hit/location'</script>`},
	"redirect":        {page: `<img src="/redirect/hit/redirect">`},
	"redirect-frame":  {page: `<iframe src="/redirect/hit/redirect-frame"></iframe>`},
	"redirect-307":    {page: `<script>fetch('/redirect/hit/redirect-307', {method: 'POST', body: 'x', mode: 'no-cors'}).catch(() => {})</script>`},
	"data-onward":     {page: `<iframe sandbox="allow-scripts" src="data:text/html,<script>location='DENIED/hit/data-onward'</script>"></iframe>`},
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

// try goes all the ways in one tab; each is waited for until done says so.
func (o *other) try(p *proc, done func(way string) bool) {
	for way, w := range ways {
		p.call(M{"method": "Page.navigate", "params": M{"url": o.allowed + "/way/" + way}})
		if w.click {
			until(p.t, way+" has its link", func() bool { return p.peek("!!document.getElementById('a')") == true })
			p.cdp("Runtime.evaluate", M{"expression": "document.getElementById('a').click()", "userGesture": true})
		}
		until(p.t, "the way is gone: "+way, func() bool { return done(way) })
	}
}

// Under BU_ALLOW no way leads to another host; without it each does.
func TestWays(t *testing.T) {
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
