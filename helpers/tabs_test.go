package helpers_test

import (
	"fmt"
	"strings"
	"testing"
)

func TestTabs(t *testing.T) {
	open(t, html(`<title>first</title>`))
	first := out(t, `currentTab()["id"]`)
	want(t, `id := newTab("SITE`+html(`<title>second</title>`)+`")
waitForLoad()
fmt.Println(currentTab()["id"] == id, currentTab()["title"])
for _, which := range []string{"`+first+`", id} {
	for _, t := range listTabs() { if get(t, "id") == which { fmt.Println(get(t, "title"), get(t, "current")) } }
}
switchTab("`+first+`")
fmt.Println(js("document.title"))
for _, t := range listTabs() { if get(t, "id") == id { switchTab(t) } }
fmt.Println(js("document.title"))
closeTab("`+first+`")
fmt.Println(js("document.title"))
closeTab(id)
for _, t := range listTabs() { if get(t, "id") == id { fmt.Println("still there") } }
try(func() { js("1") }).Code`, `true second
first false
second true
first
second
second
tab_closed`)
	for _, f := range []string{"closeTab", "activateTab", "switchTab"} {
		fails(t, f+`("nonsense")`, "tab_closed", "nonsense")
	}
}

// Field case 53: tabs of other logins are told apart.
func TestListTabsOfProfiles(t *testing.T) {
	open(t, html("<title>one</title>"))
	want(t, `fmt.Println(get(listTabs(), 0, "profile"))
other := cdp("Target.createBrowserContext")["browserContextId"]
id := cdp("Target.createTarget", M{"url": "about:blank", "browserContextId": other})["targetId"]
of := M{}
for _, t := range listTabs() { of[get(t, "id").(string)] = get(t, "profile") }
fmt.Println(of[id.(string)] == other, of[currentTab()["id"].(string)] != other, of[currentTab()["id"].(string)] != nil)
cdp("Target.disposeBrowserContext", M{"browserContextId": other})
fmt.Println(get(listTabs(), 0, "profile"))`, `<nil>
true true true
<nil>`)
}

func TestEnsureRealTab(t *testing.T) {
	open(t, html(`<title>real</title>`))
	want(t, `ensureRealTab()["title"]`, "real")
	want(t, `navigate("chrome://version/"); was := currentTab()["id"]; now := ensureRealTab(); fmt.Println(now["id"] != was, strings.HasPrefix(now["url"].(string), "chrome:")); switchTab(was); closeTab(); ensureRealTab()["id"] != was`,
		"true false\ntrue")
}

// Field case 48, and the fact behind it: what a person sees changes by activateTab alone.
func TestNothingComesToTheFront(t *testing.T) {
	open(t, html(`<title>mine</title><a style="position:fixed;inset:0" href="`+html(`<title>next</title>`)+`">x</a>`))
	want(t, `cdp("Emulation.setFocusEmulationEnabled", M{"enabled": false})
hidden := func() any { return js("document.hidden") }
fmt.Println(hidden())
cdp("Emulation.setFocusEmulationEnabled", M{"enabled": true})
click(50, 50); waitForLoad(); screenshot("`+t.TempDir()+`/a.png"); hover(5, 5); pageInfo(); switchTab(currentTab()["id"])
cdp("Emulation.setFocusEmulationEnabled", M{"enabled": false})
fmt.Println(hidden())
activateTab()
hidden()`, "true\ntrue\nfalse")
}

func TestSwitchingLeavesNoMark(t *testing.T) { // field case 32
	open(t, html(`<title>a</title><p>a`))
	want(t, `a := currentTab()["id"]
before := js("document.documentElement.outerHTML")
b := newTab("SITE`+html(`<title>b</title><p>b`)+`")
waitForLoad()
for i := 0; i < 5; i++ { switchTab(a); switchTab(b) }
fmt.Println(js("document.title"), js("Object.keys(window).filter(k => /bu|helper/i.test(k)).length"))
closeTab()
switchTab(a)
fmt.Println(js("document.title"), js("document.documentElement.outerHTML") == before)`, "b 0\na true")
}

func TestNewTabToASlowAddress(t *testing.T) { // field case 21
	start(t)
	want(t, `id := newTab("SITE/slow?ms=1500"); waitForLoad(); i := pageInfo(); closeTab(id); fmt.Sprint(i["url"], " ", i["title"])`, "SITE/slow?ms=1500 slow")
	fails(t, `newTab("http://127.0.0.1:1/")`, "navigation_failed")
	out(t, `closeTab()`)
}

// Whoever attached several times gets an event once all the same.
func TestSwitchBackAndForth(t *testing.T) { // field case 22
	open(t, html(`<title>old</title><script>setInterval(() => fetch('/json?q=poll'), 100)</script>`))
	want(t, `old := currentTab()["id"]
newTab("SITE`+html(`<title>new</title>`)+`")
waitForLoad()
id := currentTab()["id"]
switchTab(old); switchTab(id)
js("fetch('/json?q=mine')")
e := waitEvent("Network.responseReceived", func(p M) bool { return strings.Contains(get(p, "response", "url").(string), "q=mine") })
fmt.Println(get(e, "response", "status"))
waitForNetworkIdle()
n := 0
all, _ := engine.Since(0, 0, "Network.requestWillBeSent")
for _, e := range all { if strings.HasSuffix(get(e, "params", "request", "url").(string), "q=mine") { n++ } }
closeTab()
n`, "200\n1")
}

func TestLabels(t *testing.T) { // field case 25, with a helper's part in it
	start(t)
	urls := map[string]string{}
	for _, label := range []string{"c-left", "c-right"} {
		urls[label] = html(fmt.Sprintf(`<title>%s</title><a style="position:fixed;inset:0" href="/download?name=%s.bin&size=9">x</a>`, label, label))
		if got := out(t, `navigate("SITE`+urls[label]+`"); js("document.title")`, "BU_TAB="+label); got != label {
			t.Errorf("%s sees %s", label, got)
		}
	}
	for label := range urls {
		got := out(t, `click(40, 40); p := waitForDownload(); fmt.Println(js("document.title"), p); closeTab()`, "BU_TAB="+label)
		if !strings.HasPrefix(got, label+" ") || !strings.Contains(got, "/"+label) {
			t.Errorf("%s: %s", label, got)
		}
	}
}
