package helpers_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"
)

// Notes on a site are told of when a run comes to it, once, with their path.
func TestSiteNotes(t *testing.T) {
	open(t, html(`<p>here`))
	dir := copied(t)
	use := "BU_HELPERS=" + dir
	told := func(snippet string) (paths []string) {
		t.Helper()
		_, stderr, code := run(t, snippet, use)
		if code != 0 {
			t.Fatal(stderr)
		}
		for _, line := range strings.Split(stderr, "\n") {
			if _, path, is := strings.Cut(line, ": read "); is && strings.HasPrefix(line, "notice: there are notes on ") {
				paths = append(paths, strings.TrimPrefix(path, dir))
			}
		}
		return paths
	}
	same := func(snippet string, want ...string) {
		t.Helper()
		if got := told(snippet); strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%s: told of %q, want %q", snippet, got, want)
		}
	}
	same(`navigate("SITE")`) // no folder
	os.MkdirAll(dir+"/sites/localhost.md", 0o755)
	os.WriteFile(dir+"/outside.md", []byte("no notes"), 0o644)
	for _, name := range []string{"127.0.0.1", "example.com", "www.bu.example", "xn--bcher-kva.example"} {
		os.WriteFile(dir+"/sites/"+name+".md", []byte("notes"), 0o644)
	}
	same(`navigate("SITE"); reload(); navigate("SITE/form.html")`, "/sites/127.0.0.1.md")
	same(`id := newTab("SITE"); closeTab(id)`, "/sites/127.0.0.1.md")
	same(`id := newTab("OTHER"); closeTab(id)`) // a folder is no note
	same("newTab(); for _, a := range []string{`SITE/../../outside`, `about:blank`, `data:text/html,../outside`, `file:///..%2Foutside`} { try(func() { navigate(a) }) }", "/sites/127.0.0.1.md")
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.Host == "leads.example:81" {
			w.Header().Set("Location", "http://shop.example.com/")
			w.WriteHeader(302)
		}
	}))
	defer proxy.Close()
	at, _ := url.Parse(proxy.URL)
	for address, want := range map[string]string{
		"http://example.com/": "/sites/example.com.md", "http://WWW.example.com:8080/x?y": "/sites/example.com.md", "http://a.b.example.com/": "/sites/example.com.md",
		"http://bu.example/": "/sites/www.bu.example.md", "http://bücher.example/": "/sites/xn--bcher-kva.example.md", "http://leads.example:81/": "/sites/example.com.md",
		"http://notexample.com/": "", "http://example.com.evil.example/": "", "http://example.org/example.com": "",
	} {
		snippet := "was := currentTab(); c := as[string](cdp(`Target.createBrowserContext`, M{`proxyServer`: `" + at.Host + "`})[`browserContextId`]); id := as[string](cdp(`Target.createTarget`, M{`url`: `about:blank`, `browserContextId`: c})[`targetId`]); switchTab(id); navigate(`" + address + "`); switchTab(was); cdp(`Target.closeTarget`, M{`targetId`: id}); cdp(`Target.disposeBrowserContext`, M{`browserContextId`: c})"
		same(snippet, strings.Fields(want)...)
	}
}
