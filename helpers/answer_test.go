package helpers_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
)

// Field case 73: a server that thinks.
func TestClickOnASlowLink(t *testing.T) {
	open(t, html(`<a id=slow href="/slow?ms=5000">x</a>`))
	want(t, `begin := time.Now(); r := clickOn("#slow"); fmt.Println(r, time.Since(begin) < 4*time.Second)`, "map[navigated:SITE/slow?ms=5000 pending:true] true")
}

// Field case 78: what the server said.
func TestStatus(t *testing.T) {
	page := html(`<a id=e5 href="/status?code=500">e</a><a id=nc href="/status?code=204">n</a><a id=ok href="/json">k</a><a id=re href="/redirect?to=/status%3Fcode=404">r</a><a id=gone href="http://127.0.0.1:1/">g</a>`)
	open(t, page)
	back := `; navigate("SITE` + page + `"); 0`
	want(t, `clickOn("#e5")`, `{"navigated":"SITE/status?code=500","status":500}`)
	out(t, back[2:])
	want(t, `clickOn("#nc")`, `{"note":"204: no content, still on SITE`+page+`","status":204}`)
	want(t, `clickOn("#ok")`, `{"navigated":"SITE/json"}`)
	out(t, back[2:])
	want(t, `clickOn("#re")`, `{"navigated":"SITE/status?code=404","status":404}`)
	want(t, `navigate("SITE/status?code=503")`, `{"navigated":"SITE/status?code=503","status":503}`)
	want(t, `navigate("SITE/status?code=204")`, `{"note":"204: no content, still on SITE/status?code=503","status":204}`)
	out(t, back[2:])
	want(t, `r := clickOn("#gone"); fmt.Println(r["failed"], r["reason"])`, "true net::ERR_UNSAFE_PORT")
	want(t, `reload(); js("0"); navigate("SITE/json")`, `{"navigated":"SITE/json"}`)
}

// Field case 78: a name and password is asked for; no secret is printed.
func TestHTTPAuth(t *testing.T) {
	start(t)
	served := guarded("inner room")
	defer served.Close()
	open(t, html(`<a id=in href="`+served.URL+`/x">in</a>`))
	message := fails(t, `navigate("`+strings.Replace(served.URL, "://", "://ann:sesame1@", 1)+`/x")`, "navigation_failed", "inner room", "httpAuth(")
	if strings.Contains(message, "sesame1") {
		t.Errorf("a secret is told: %s", message)
	}
	out(t, `back(); waitFor("#in")`)
	want(t, `r := clickOn("#in"); fmt.Println(r["status"], strings.Contains(fmt.Sprint(r["auth"]), "inner room"))`, "401 true")
	fails(t, `httpAuth("ann", "wrong")`, "navigation_failed")
	want(t, `httpAuth("ann", "sesame"); fmt.Println(js("document.body.innerText"), navigate("`+served.URL+`/y"))`, "come in map[navigated:"+served.URL+"/y]")
}

// Field case 79.
func TestDownloadIsAlwaysTold(t *testing.T) {
	open(t, html(`<a id=tab target=_blank href="/download?name=tab.txt&size=10&ms=300">a</a><a id=saved download=s.json href="/json?ms=200">b</a><a id=no download href="/json" onclick="return false">c</a>
<a id=page target=_blank href="/slow?ms=1">d</a><button id=made onclick="const a = document.createElement('a'); a.download = 'made.txt'; a.href = window.URL.createObjectURL(new Blob(['12345'])); document.body.append(a); a.click()">e</button>`))
	for _, c := range [][2]string{{"tab", "tab.txt"}, {"saved", "s.json"}, {"made", "made.txt"}} {
		handle := out(t, `r := clickOn("#`+c[0]+`"); if r["newTab"] != nil || get(r, "download", "name") != "`+c[1]+`" { fmt.Println(r, js("[typeof made, made.outerHTML]")) }; fmt.Print(get(r, "download", "handle"))`)
		path := out(t, `waitForDownload("`+handle+`", 20)`)
		if info, err := os.Stat(path); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", path, err)
		}
		if again := out(t, `waitForDownload("`+handle+`")`); again != path {
			t.Errorf("a second time it is %s, not %s", again, path)
		}
	}
	want(t, `clickOn("#no") == nil`, "true")
	want(t, `r := clickOn("#page"); closeTab(r["newTab"]); len(r)`, "1")
	fails(t, `waitForDownload("no such", 0.2)`, "timeout", "no such")
}

// guarded is a server that asks for a name and password.
func guarded(realm string) *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, password, _ := r.BasicAuth()
		if name != "ann" || password != "sesame" {
			w.Header().Set("WWW-Authenticate", `Basic realm="`+realm+`"`)
			w.WriteHeader(401)
		}
		w.Write([]byte("come in"))
	}))
}
