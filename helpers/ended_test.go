package helpers_test

import "testing"

// Field case 66: a page's own scripts run to their end, whatever the helpers ask of the page
// meanwhile. The page counts those that it began and those that came to their end.
const tally = `<script>
begun = ended = 0
work = ms => { begun++; const end = performance.now() + ms; while (performance.now() < end); ended++ }
</script>`

// allEnded looks until a page has done some work, and says whether all of it ended.
func allEnded(t *testing.T) {
	t.Helper()
	want(t, `var got any
for i := 0; i < 100; i++ {
	if try(func() { got = js("[begun > 0, begun - ended]") }) == nil && get(got, 0) == true { break }
	wait(0.1)
}
got`, "[true,0]")
}

func TestPagesScriptsRunToTheirEnd(t *testing.T) {
	open(t, html(tally+`<button id=b onclick="setTimeout(work, 0, 1800)">b</button>`))
	for _, wait := range []string{`waitForLoad(0.5)`, `waitForQuiet(0.5)`, `waitFor("#none", 0.3)`, `clickOn("#b"); waitForLoad(0.3)`} {
		out(t, `js("setTimeout(work, 0, 1800); 0"); try(func() { `+wait+` })`)
		allEnded(t)
	}
}

// Field case 80: Chrome takes input for a page that is stopped in a debugger, and it comes to nothing.
func TestActsOnAStoppedPage(t *testing.T) {
	open(t, html(`<input id=i autofocus><button id=b>b</button>`))
	got := out(t, `cdp("Debugger.enable")
js("i.focus(); setTimeout(() => { debugger }); 0")
waitEvent("Debugger.paused", 20)
for name, act := range map[string]func(){
	"click": func() { click(50, 50) }, "clickOn": func() { clickOn("#b") }, "hover": func() { hover(30, 30) }, "scroll": func() { scroll(30, 30, 100) },
	"drag": func() { drag(30, 30, 60, 60) }, "pressKey": func() { pressKey("a") }, "typeText": func() { typeText("abc") }, "fill": func() { fill("#i", "x") },
} {
	if err := try(act); err == nil || err.Code != "timeout" || !strings.Contains(err.Message, "stopped in a debugger") { fmt.Println(name, err) }
}
cdp("Debugger.resume"); cdp("Debugger.disable")
clickOn("#b")`)
	if got != "" {
		t.Errorf("printed %q", got)
	}
}
