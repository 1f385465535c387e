package helpers_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// Field case 25 at full size: ten agents, each with a tab of its own, one browser and one
// connection, 50 actions each at once. What an agent reads is what it did itself.
func TestTenAgents(t *testing.T) {
	start(t)
	page := html(`<input id=i><button onclick="i.value += 'x'">go</button>`)
	var wg sync.WaitGroup
	for n := range 10 {
		wg.Go(func() {
			label := fmt.Sprintf("agent-%d", n)
			got, stderr, code := run(t, fmt.Sprintf(`
navigate("SITE%s#%d"); waitForLoad()
js("window.mine = %[2]d; window.acts = 0")
for i := range 10 {
	clickOn("button")
	fill("#i", fmt.Sprint(%[2]d, "-", i))
	js("fetch('/json?ms=20&q=%[2]d').then(r => r.json()).then(v => window.q = v.q)")
	if v := js("document.querySelector('#i').value"); v != fmt.Sprint(%[2]d, "-", i) { panic(v) }
	if js("++window.acts; [mine, q].join()") != "%[2]d,%[2]d" { panic("another's page") }
}
fmt.Println(js("[acts, location.hash]"), len(events("Runtime.executionContextCreated")) < 20)
closeTab()`, page, n), "BU_TAB="+label, "BU_TIMEOUT=110")
			if want := fmt.Sprintf("[10 #%d] true", n); code != 0 || got != want {
				t.Errorf("%s: exit %d, %q, want %q\n%s", label, code, got, want, stderr)
			}
		})
	}
	wg.Wait()
}

// Agents whose pages wait for the network wait at the same time: the server has the
// requests of several of them at once.
func TestAgentsWaitTogether(t *testing.T) {
	start(t)
	const agents = 5
	page := html("waiting")
	begun, all := make(chan bool, agents), make(chan struct{})
	world.together <- func() { // an answer comes once all agents ask
		begun <- true
		<-all
	}
	go func() {
		for range agents {
			<-begun
		}
		close(all)
	}()
	var wg sync.WaitGroup
	for n := range agents {
		wg.Go(func() {
			got, stderr, _ := run(t, `navigate("SITE`+page+`"); v := js("fetch('/together').then(r => r.text())"); closeTab(); v`, fmt.Sprint("BU_TAB=together-", n))
			if got != "all are here" {
				t.Errorf("%d: %q %s", n, got, stderr)
			}
		})
	}
	wg.Wait()
}

// A tab of another label is only had by force, and its owner hears of it.
func TestForce(t *testing.T) {
	path := html("<title>theirs</title>")
	id := labelled(t, "force-a", path)
	for _, snippet := range []string{`switchTab(%q)`, `closeTab(%q)`, `cdp("Target.closeTarget", M{"targetId": %q})`} {
		_, stderr, code := run(t, fmt.Sprintf(snippet, id), "BU_TAB=force-b")
		if code != 1 || !strings.Contains(stderr, "not_allowed: ") || !strings.Contains(stderr, "BU_TAB=force-a") {
			t.Errorf("%s: exit %d %s", snippet, code, stderr)
		}
	}
	owner := fmt.Sprintf(`for _, t := range listTabs() { if get(t, "id") == %q { fmt.Println(get(t, "owner")) } }`, id)
	if got := out(t, owner); got != "force-a" {
		t.Errorf("owner: %s", got)
	}
	if got := out(t, fmt.Sprintf(`switchTab(%q, "force"); waitForLoad(); js("document.title")`, id), "BU_TAB=force-b"); got != "theirs" {
		t.Errorf("forced: %s", got)
	}
	if got := out(t, owner); got != "force-b" {
		t.Errorf("owner: %s", got)
	}
	_, stderr, code := run(t, `js("1")`, "BU_TAB=force-a")
	if code != 1 || !strings.Contains(stderr, "notice: tab "+id+" was taken by BU_TAB=force-b") || !strings.Contains(stderr, "tab_closed") {
		t.Errorf("who has lost it: exit %d %s", code, stderr)
	}
	if got := out(t, `newTab(); js("1+1")`, "BU_TAB=force-a"); got != "2" {
		t.Errorf("after newTab: %s", got)
	}
	out(t, fmt.Sprintf(`closeTab(%q, "force")`, id), "BU_TAB=force-a")
	if _, stderr, code := run(t, `js("1")`, "BU_TAB=force-b"); code != 1 || !strings.Contains(stderr, "notice: tab "+id+" was closed") {
		t.Errorf("closed by force: exit %d %s", code, stderr)
	}
	fails(t, `closeTab("a", "b")`, "bad_value", "force")
}

// What a handoff put into the page goes with its run, however that ends: here, on this
// page and on the next.
func TestHandoffKilled(t *testing.T) {
	labelled(t, "killed", html(`<h1>page</h1>`))
	bar := `js("document.documentElement.outerHTML.includes('popover')")`
	for range 2 { // what one left must not be in the way of the next
		cmd := invoke(`handoff("sign in")`, "BU_TAB=killed")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		tab := ""
		eventually(t, "user_driving", func() bool {
			_, stderr, _ := run(t, "js(`1`)", "BU_TAB=killed")
			return strings.Contains(stderr, "user_driving")
		})
		tab = out(t, `for _, t := range listTabs() { if get(t, "owner") == "killed" { fmt.Println(get(t, "id")) } }`)
		p := personAt(t, tab)
		there := func() bool {
			got := p.do("Runtime.evaluate", map[string]any{"expression": "document.documentElement.outerHTML.includes('popover')"})
			return got["result"].(map[string]any)["value"] == true
		}
		eventually(t, "the bar", there)
		p.do("Page.reload", nil)
		eventually(t, "the bar after a reload", there)
		cmd.Process.Kill()
		cmd.Wait()
		eventually(t, "the tab given back", func() bool {
			_, _, code := run(t, "js(`1`)", "BU_TAB=killed")
			return code == 0
		})
		if got := out(t, bar+"; reload(); waitForLoad(); fmt.Println("+bar+", "+bar+")", "BU_TAB=killed"); got != "false false" {
			t.Errorf("the bar is still there: %s", got)
		}
	}
}

// What takes long is told to a person at a terminal, and to nobody else.
func TestProgress(t *testing.T) {
	if _, err := exec.LookPath("script"); err != nil {
		t.Skip("script, of util-linux, makes the terminal")
	}
	labelled(t, "progress", html(`<a href="/download?name=progress.bin&size=9&ms=4000">x</a>`))
	held := filepath.Join(t.TempDir(), "held")
	holder := invoke(fmt.Sprintf(`js("1"); os.WriteFile(%q, nil, 0o600); wait(60)`, held), "BU_TAB=progress-held")
	if err := holder.Start(); err != nil {
		t.Fatal(err)
	}
	letGo := sync.OnceFunc(func() { holder.Process.Kill(); holder.Wait() })
	defer letGo()
	eventually(t, "the tab held", func() bool { _, err := os.Stat(held); return err == nil })
	for _, c := range []struct {
		snippet, says, env string
		then               func()
	}{
		{`js("1")`, "waiting for another run", "BU_TAB=progress-held", letGo},
		{`js("document.querySelector('a').click()"); waitForDownload()`, "waiting for the download", "BU_TAB=progress", nil},
		{`httpGetAll([]string{"SITE/json?ms=4000", "SITE/json?ms=4000"})`, "fetching 2 of 2", "BU_TAB=none", nil},
	} {
		cmd := invoke(c.snippet, c.env)
		cmd.Env = append(cmd.Env, "RUN="+cmd.Path, "SNIPPET="+cmd.Args[1])
		cmd.Path, cmd.Args = must(exec.LookPath("script")), []string{"script", "-qec", `"$RUN" "$SNIPPET"`, "/dev/null"}
		seen := &watched{word: "… " + c.says, then: c.then}
		cmd.Stdout = seen
		if err := cmd.Run(); err != nil || !strings.Contains(seen.text, seen.word) || !strings.Contains(seen.text, "\x1b[K") {
			t.Errorf("%s: %v %q", c.snippet, err, seen.text)
		}
	}
	if _, stderr, code := run(t, `httpGetAll([]string{"SITE/json?ms=3000"})`); code != 0 || stderr != "" {
		t.Errorf("without a terminal: exit %d %q", code, stderr)
	}
}

// watched calls then, once, when what is written has come to hold word.
type watched struct {
	text, word string
	then       func()
}

func (w *watched) Write(b []byte) (int, error) {
	w.text += string(b)
	if w.then != nil && strings.Contains(w.text, w.word) {
		w.then()
		w.then = nil
	}
	return len(b), nil
}
