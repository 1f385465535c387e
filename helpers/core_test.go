package helpers_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestCDP(t *testing.T) {
	open(t, html("<p>hello"))
	want(t, `cdp("Runtime.evaluate", M{"expression": "1+1"})["result"].(M)["value"]`, "2")
	want(t, `get(cdp("Browser.getVersion"), "product").(string)[:6]`, "Chrome")
	want(t, `s := engine.Attach(as[string](currentTab()["id"]), false); get(cdpIn(s, "Runtime.evaluate", M{"expression": "2+2"}), "result", "value")`, "4")
	fails(t, `cdp("No.such")`, "cdp_error", "No.such")
	fails(t, `cdp("Page.navigate", M{"url": 5})`, "cdp_error")
	fails(t, `cdp("Runtime.evaluate", M{"expression": "new Promise(() => {})", "awaitPromise": true}, M{"timeout": 0.2})`, "timeout", "200ms")
}

func TestGetAs(t *testing.T) {
	start(t)
	want(t, `v := M{"a": []any{1.0, M{"b": "x"}}}
fmt.Println(get(v, "a", 1, "b"), get(v, "a", -2), get(v, "a", 2), get(v, "a", -3), get(v, "a", "b"), get(v, 0), get(nil, "a"), get(v) != nil)`,
		"x 1 <nil> <nil> <nil> <nil> <nil> true")
	want(t, `type point struct{ X, Y int }
fmt.Println(as[int](3.0)+1, as[float64](2)+0.5, as[string]("s"), as[[]string]([]any{"a", "b"})[1], as[map[string]int](M{"n": 1.0})["n"], as[M](M{"k": 1.0})["k"])`,
		"4 2.5 s b 1 1")
	for _, snippet := range []string{`as[string](nil)`, `as[int]("x")`, `as[int](1.5)`, `as[M]([]any{})`} {
		fails(t, snippet, "bad_value", "as: ")
	}
}

// The cursor of a run: an event counts from the run's first call on, and once.
func TestEvents(t *testing.T) {
	open(t, html(`<p>hello`))
	want(t, `js("console.log('before')")
pageInfo()
js("console.log('one'); console.log('two'); console.log('three')")
text := func(p M) any { return get(p, "args", 0, "value") }
fmt.Println(len(events("Runtime.consoleAPICalled")), text(waitEvent("Runtime.consoleAPICalled")))
fmt.Println(text(waitEvent("Runtime.consoleAPICalled", 2)), text(waitEvent("Runtime.consoleAPICalled", func(p M) bool { return text(p) == "three" }, 2)))
len(events("Runtime.consoleAPICalled"))`, "4 before\none three\n0")
	fails(t, `waitEvent("Page.loadEventFired", 0.1)`, "timeout", "Page.loadEventFired", "0.1 s")
	want(t, `go func() { wait(0.2); js("console.log('late')") }()
get(waitEvent("Runtime.consoleAPICalled"), "args", 0, "value")`, "late")
	want(t, `js("console.log('mine')"); all := drainEvents(); fmt.Println(len(all) > 0, get(all, -1, "method"), len(drainEvents()))`,
		"true Runtime.consoleAPICalled 0")
}

// Events of another tab are not this one's.
func TestEventsOfTheTab(t *testing.T) {
	open(t, html(`<p>other`))
	id := out(t, `other := currentTab()["id"]; newTab("SITE`+html(`<p>mine`)+`"); waitForLoad(); other`)
	defer out(t, `closeTab()`)
	want(t, `go func() { s := engine.Attach("`+id+`", false); for i := 0; i < 5; i++ { cdpIn(s, "Runtime.evaluate", M{"expression": "console.log('theirs')"}) } }()
fails := try(func() { waitEvent("Runtime.consoleAPICalled", 0.5) })
fails.Code`, "timeout")
}

func TestCallsWhatHangs(t *testing.T) { // field cases 15, 16, 44
	open(t, html(`<p>hello`))
	want(t, `js("new Promise(r => setTimeout(r, 8000, 'slow but sure'))")`, "slow but sure")
	begin := time.Now()
	fails(t, `cdp("Runtime.evaluate", M{"expression": "new Promise(() => {})", "awaitPromise": true}, M{"timeout": 1})`, "timeout")
	fails(t, `cdp("Runtime.evaluate", M{"expression": "for(;;){}"}, M{"timeout": 1})`, "timeout")
	if d := time.Since(begin); d > 10*time.Second {
		t.Errorf("two limits of 1 s took %v", d)
	}
	want(t, `js("40+2")`, "42")
	want(t, `newTab("SITE`+html("<p>next")+`"); js("document.body.innerText")`, "next")
	out(t, `closeTab()`)
}

func TestClosedTab(t *testing.T) { // field case 19
	open(t, html(`<button style="position:fixed;inset:0;width:100%;height:100%" onclick="document.title='hit'">b`))
	other := out(t, `currentTab()["id"]`)
	out(t, `newTab("SITE`+html(`<button style="position:fixed;inset:0;width:100%;height:100%">b`)+`"); closeTab()`)
	fails(t, `click(50, 50)`, "tab_closed", "newTab")
	if title := out(t, `switchTab("`+other+`"); js("document.title")`); strings.Contains(title, "hit") {
		t.Error("another tab was clicked")
	}
	fails(t, `switchTab("nonsense")`, "tab_closed", "listTabs")
}

// What a run has switched on in the page ends with it, though it be killed.
func TestKilledRunLeavesNothingOn(t *testing.T) {
	open(t, html(`<p>page`))
	file := filepath.Join(t.TempDir(), "session")
	cmd := invoke(fmt.Sprintf(`engine.Drawn(func(session string) { os.WriteFile(%q, []byte(session), 0o600); wait(60) })`, file))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var session []byte
	eventually(t, "a session", func() bool { session, _ = os.ReadFile(file); return len(session) > 0 })
	cmd.Process.Kill()
	cmd.Wait()
	eventually(t, "the session's end", func() bool {
		return out(t, fmt.Sprintf(`err := try(func() { cdpIn(%q, "Runtime.evaluate", M{"expression": "1"}) }); err != nil && err.Code == "tab_closed"`, session)) == "true"
	})
	want(t, `waitFor("p"); screenshot() != ""`, "true")
}

// Field case 107: below an error of the snippet's own nothing is said of the inside of as.
func TestErrorOfTheSnippetsOwn(t *testing.T) {
	if said := fails(t, `x := 1
as[int]("x")`, "bad_value", "snippet:2: "); strings.Contains(said, "core.go") {
		t.Error(said)
	}
}
