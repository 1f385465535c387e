package helpers_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bu/daemon/testchrome"
)

func TestEmulate(t *testing.T) {
	open(t, html(`<meta name=viewport content="width=device-width"><p>here`))
	const state = `fmt.Println(js("[innerWidth, innerHeight, navigator.maxTouchPoints > 0, / Mobile /.test(navigator.userAgent), matchMedia('(prefers-color-scheme: dark)').matches, new Date().getTimezoneOffset()].join()"))`
	usual := out(t, state)
	want(t, `emulate(M{"device": "phone", "dark": true, "timezone": "Asia/Tokyo"}); reload(); `+state, "390,844,true,true,true,-540")
	want(t, state, "390,844,true,true,true,-540") // over runs
	want(t, `emulate(M{"size": []int{700, 500}}); reload(); `+strings.Replace(state, ", new Date", ", 0 && new Date", 1), "700,500,false,false,false,0")
	want(t, `emulate(M{"place": []float64{52.5, 13.4}}); grant("geolocation"); js("new Promise((ok, no) => navigator.geolocation.getCurrentPosition(p => ok([p.coords.latitude, p.coords.longitude].join()), e => ok(e.message)))")`, "52.5,13.4")
	want(t, `emulate(M{"offline": true}); fmt.Println(js("fetch('/json').then(() => 'there', () => 'gone')")); emulate(M{"slow": true}); fmt.Println(js("fetch('/json').then(() => 'there', () => 'gone')"))`, "gone\nthere")
	want(t, `emulate(M{}); reload(); `+state, usual)
	fails(t, `emulate(M{"device": "watch"})`, "bad_value", "phone")
	fails(t, `emulate(M{"darkk": true})`, "bad_value", "darkk")
	fails(t, `emulate(M{"timezone": "Moon/Base"})`, "cdp_error")
}

func TestLogin(t *testing.T) {
	path := filepath.Join(t.TempDir(), "login")
	os.WriteFile(path, []byte("older"), 0o644)
	open(t, html(`<p>a site`))
	out(t, `js("document.cookie = 'who=jane; path=/'; document.cookie = 'stays=yes; path=/; max-age=9999'; localStorage.token = 'abc'; sessionStorage.step = '2'"); saveLogin("`+path+`")`)
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Fatal(info.Mode(), err)
	}
	out(t, `js("localStorage.clear(); sessionStorage.clear(); document.cookie = 'who=; path=/; max-age=0'; document.cookie = 'stays=; path=/; max-age=0'"); newTab()`)
	want(t, `loadLogin("`+path+`"); js("[/who=jane/.test(document.cookie), /stays=yes/.test(document.cookie), localStorage.token, sessionStorage.step].join()")`, "true,true,abc,2")
	want(t, `c := cookies(); for _, x := range c { if get(x, "name") == "who" { fmt.Println(get(x, "domain"), get(x, "session")) } }; closeTab()`, "127.0.0.1 true")
	fails(t, `loadLogin("`+path+`.not")`, "bad_value", ".not")
}

func TestMock(t *testing.T) {
	open(t, html(`<p>here`))
	const get = `js("fetch('/json?q=1').then(async r => r.status + ' ' + await r.text())")`
	want(t, `mock("*/json*", M{"orders": []int{1, 2}}); fmt.Println(`+get+`); fmt.Println(`+get+`)`, "200 {\"orders\":[1,2]}\n200 {\"orders\":[1,2]}")
	want(t, get, `200 {"q":"1"}`) // it ended with its run
	want(t, `mock("*/json*", M{"status": 503, "body": "no", "headers": M{"X-Why": "test"}}); js("fetch('/json').then(async r => r.status + r.headers.get('x-why') + await r.text())")`, "503testno")
	want(t, `mock("*/json*", M{"status": "shipped", "id": 3}); `+get, `200 {"id":3,"status":"shipped"}`) // a status, but not the answer's
	want(t, `mock("*/json*", M{"status": 404, "code": 7}); `+get, `200 {"code":7,"status":404}`)
	want(t, `mock("*/json*", M{"status": 201, "body": M{"a": 1}, "headers": M{"Content-Type": "application/problem+json"}}); js("fetch('/json').then(async r => r.status + r.headers.get('content-type') + await r.text())")`, `201application/problem+json{"a":1}`)
	// Of another origin: with cookies, and after the question whether it may be sent.
	want(t, `mock("*/made/up", M{"status": 422, "body": M{"a": 1}, "headers": M{"X-Why": "test"}}); js("fetch('OTHER/made/up', {method: 'PUT', credentials: 'include', headers: {'X-Own': '1', 'Content-Type': 'application/json'}, body: '{}'}).then(async r => r.status + r.headers.get('x-why') + await r.text())")`, `422test{"a":1}`)
	want(t, `mock("*/made/up", "a text"); js("fetch('OTHER/made/up').then(r => r.text())")`, "a text")
}

func TestScrollUntil(t *testing.T) {
	open(t, html(`<style>p { height: 60px }</style><div id=l></div><script>let n = 0; const more = () => { for (let i = 0; i < 20 && n < 200; i++) l.append(Object.assign(document.createElement('p'), {textContent: 'item ' + n++})) }; more();
addEventListener('scroll', () => { if (scrollY + innerHeight > document.body.scrollHeight - 50) setTimeout(more, 50) })</script>`))
	want(t, `scrollUntil("text=item 95"); js("n >= 96 && n < 200")`, "true")
	fails(t, `scrollUntil("#never", 1)`, "timeout", "#never")
}

// Chrome has WebMCP behind a feature, so this wants a browser of its own.
func TestPageTools(t *testing.T) {
	start(t)
	path := html(`<p>page<script>
const offer = (name, execute) => document.modelContext.registerTool({ name, description: 'adds ' + name, inputSchema: { type: 'object', properties: { a: { type: 'number' } } }, execute });
if (document.modelContext) { offer('one', async ({ a }) => ({ content: [{ type: 'text', text: String(a + 1) }] })); offer('none', async () => { throw new Error('never') }) }</script>`)
	name := fmt.Sprintf("c-tools-%d", os.Getpid())
	call := func(home, snippet string) string {
		cmd := invoke(snippet, "HOME="+home, "BU_NAME="+name)
		got, _ := cmd.CombinedOutput()
		return string(got)
	}
	chrome := testchrome.Start(t, "--enable-features=WebMCP")
	t.Cleanup(func() {
		invoke("killDaemon()", "HOME="+chrome.Home, "BU_NAME="+name).Run()
		left, _ := filepath.Glob("/tmp/bu-" + name + "*")
		for _, f := range left {
			os.Remove(f)
		}
	})
	for snippet, want := range map[string]string{
		`for _, x := range pageTools() { fmt.Println(get(x, "name"), get(x, "description"), get(x, "inputSchema", "type")) }`: "none adds none object",
		`fmt.Println("gives", get(callTool("one", M{"a": 2}), "content", 0, "text"))`:                                         "gives 3",
		`callTool("none", nil)`:  "javascript_error: the tool none failed: Error",
		`callTool("other", nil)`: `element_not_found: the page offers no tool "other"`,
	} {
		if got := call(chrome.Home, `navigate("SITE`+path+`"); waitForLoad(); `+snippet); !strings.Contains(got, want) {
			t.Errorf("%s\ngave %s\nwant %s", snippet, got, want)
		}
	}
	open(t, html(`<p>no tools`))
	want(t, `len(pageTools())`, "0")
}
