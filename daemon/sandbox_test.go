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
