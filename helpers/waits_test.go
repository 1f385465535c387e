package helpers_test

import (
	"os"
	"testing"
	"time"
)

func TestWaitForLoad(t *testing.T) {
	slow := html(`<title>loading</title><link rel=stylesheet href="/slow.css?ms=1500"><script>onload = () => document.title = 'loaded'</script>`)
	open(t, html(`<style>a,button{position:fixed;inset:0;width:100%}</style><a href="`+slow+`">x</a>`))
	want(t, `click(50, 50); waitForLoad(); js("document.title")`, "loaded")
	want(t, `navigate("SITE`+slow+`"); fmt.Println(js("document.title")); waitForLoad(); js("document.title")`, "loading\nloaded")
	want(t, `waitForLoad(); js("document.title")`, "loaded") // it has long been
	want(t, `reload(); waitForLoad(); js("document.title")`, "loaded")
	want(t, `js("location.href = '/slow?ms=1200'; 0"); waitForLoad(); js("document.title")`, "slow")
	endless := html(`<link rel=stylesheet href="/slow.css?ms=60000">`)
	fails(t, `navigate("SITE`+endless+`"); waitForLoad(0.2)`, "timeout", "0.2 s")
	fails(t, `js("setTimeout(() => location.href = '/hang')"); wait(0.3); waitForLoad(0.5)`, "timeout")
}

// After the action that begins a navigation, waitForLoad never finds the old page.
func TestWaitForLoadHasNoRace(t *testing.T) {
	page := html(`<style>button{position:fixed;inset:0;width:100%}</style><form action="/slow"><input type=hidden name=ms value=30><button>x</button></form>`)
	open(t, page)
	want(t, `for i := 0; i < 20; i++ {
	navigate("SITE`+page+`")
	waitForLoad()
	if i%2 == 0 { click(50, 50) } else { js("document.querySelector('button').focus()"); pressKey("Enter") }
	waitForLoad()
	if title := js("document.title"); title != "slow" { fmt.Println(i, title) }
}`, "")
}

func TestTenNavigations(t *testing.T) { // field case 24
	open(t, html(`<p>x`))
	want(t, `var took []float64
for i := 0; i < 10; i++ {
	begin := time.Now()
	navigate(fmt.Sprint("SITE/slow?ms=0&i=", i))
	waitForLoad()
	took = append(took, time.Since(begin).Seconds())
	if js("location.search") != fmt.Sprint("?ms=0&i=", i) { panic("elsewhere") }
}
sort.Float64s(took)
took[5] < 0.3`, "true")
}

func TestNetworkIdle(t *testing.T) {
	open(t, html(`<script>
window.replies = 0;
(async () => { for (let i = 0; i < 5; i++) { await fetch('/json?ms=200'); replies++ } })();
</script>`))
	want(t, `reload(); waitForNetworkIdle(); js("replies")`, "5")
	open(t, html(`<script>new EventSource('/stream'); fetch('/json?ms=300').then(() => window.done = true)</script>`))
	want(t, `reload(); waitForNetworkIdle(); js("done")`, "true") // field case 23
	open(t, html(`<script>fetch('/hang')</script>`))
	fails(t, `reload(); waitForNetworkIdle(1)`, "timeout", "SITE/hang")
	want(t, `waitForNetworkIdle(10, 0.5, 1)`, "") // a long poll, then
	want(t, `reload(); navigate("about:blank"); waitForNetworkIdle(3)`, "")
	open(t, html(`<script>setInterval(() => fetch('/json?q=poll'), 100)</script>`))
	fails(t, `waitForNetworkIdle(1.5)`, "timeout", "not idle")
}

func TestWait(t *testing.T) {
	begin := time.Now()
	want(t, `wait(0.3)`, "")
	if d := time.Since(begin); d < 300*time.Millisecond {
		t.Errorf("wait(0.3) took %v", d)
	}
}

func TestDownload(t *testing.T) {
	open(t, html(`<a style="position:fixed;inset:0" href="/download?name=report.bin&size=20000&ms=700">x</a>`))
	path := out(t, `click(50, 50); waitForDownload()`)
	if info, err := os.Stat(path); err != nil || info.Size() != 20000 {
		t.Errorf("%s: %v %v", path, info, err)
	}
	again := out(t, `click(50, 50); waitForDownload()`) // under a name of its own
	if again == path {
		t.Errorf("%s twice", path)
	}
	// A link with the download attribute and data made in the page: no navigation at all.
	open(t, html(`<a id=a style="position:fixed;inset:0" download=made.txt>x</a><script>a.href = URL.createObjectURL(new Blob(['made here']))</script>`))
	path = out(t, `click(50, 50); waitForDownload()`)
	if b, err := os.ReadFile(path); string(b) != "made here" {
		t.Errorf("%s: %q %v", path, b, err)
	}
	want(t, `r := navigate("SITE/download?name=direct.bin&size=5"); delete(as[M](r["download"]), "handle"); r`, `{"download":{"name":"direct.bin","url":"SITE/download?name=direct.bin&size=5"}}`)
	fails(t, `waitForDownload(0.3)`, "timeout", "Page.downloadWillBegin")
	fails(t, `click(50, 50); js("0"); go navigate("SITE/download?name=endless.bin&size=100&ms=20000"); waitForDownload(5); waitForDownload(1)`, "timeout", "endless.bin")
}
