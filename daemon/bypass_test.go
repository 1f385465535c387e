package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// A service worker that a site had before hears of nothing that a page under BU_ALLOW does.
func TestAllowWithOldServiceWorker(t *testing.T) {
	var mu sync.Mutex
	var seen []string
	var denied string
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		seen = append(seen, strings.Split(r.Host, ":")[0]+r.URL.RequestURI())
		mu.Unlock()
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Content-Type", "text/html")
		if strings.HasSuffix(r.URL.Path, ".js") {
			w.Header().Set("Content-Type", "text/javascript")
		}
		switch path.Base(r.URL.Path) {
		case "sw.js":
			fmt.Fprintf(w, `oninstall = () => skipWaiting(); onactivate = e => e.waitUntil(clients.claim())
onfetch = e => { fetch('%s/worker' + new URL(e.request.url).pathname, {mode: 'no-cors'}).catch(() => {}) }`, denied)
		case "worker.js":
			fmt.Fprint(w, `fetch('of-worker')`)
		case "page":
			fmt.Fprint(w, "<title>page</title><iframe src=frame></iframe><script>new Worker('worker.js'); fetch('of-page')</script>")
		}
	}))
	denied = "http://" + strings.Replace(s.Listener.Addr().String(), "127.0.0.1", "localhost", 1)
	s.Start()
	t.Cleanup(s.Close)
	reached := func(path string) bool {
		mu.Lock()
		defer mu.Unlock()
		return slices.Contains(seen, path)
	}
	ways := func(tag string) (all []string) {
		for _, path := range []string{"/page", "/frame", "/of-page", "/worker.js", "/of-worker"} {
			all = append(all, "localhost/worker/"+tag+path)
		}
		return all
	}
	free := daemonOf(t, newName(t))
	free.visit(s.URL + "/start/page")
	free.js("navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready).then(() => 1)")
	until(t, "the service worker serves", func() bool {
		free.visit(s.URL + "/first/page")
		return reached("localhost/worker/first/page")
	})
	free.visit(s.URL + "/control/page")
	for _, way := range ways("control") {
		until(t, way+" is reached without limits", func() bool { return reached(way) })
	}
	p := daemonOf(t, newName(t), "BU_CDP_WS="+browser(t).WS, "BU_ALLOW="+strings.TrimPrefix(s.URL, "http://"))
	p.visit(s.URL + "/held/page")
	until(t, "the page has run", func() bool { return reached("127.0.0.1/held/of-worker") && reached("127.0.0.1/held/of-page") })
	time.Sleep(500 * time.Millisecond) // for what is not allowed to happen
	for _, way := range ways("held") {
		if reached(way) {
			t.Errorf("%s is reached", way)
		}
	}
}
