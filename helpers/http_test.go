package helpers_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

func TestHTTPGet(t *testing.T) {
	start(t)
	want(t, `httpGet("SITE/json?q=hi")`, `{"q":"hi"}`)
	want(t, `strings.Contains(httpGet("SITE/echo", M{"X-Mine": 5, "User-Agent": "bu"}), "User-Agent: bu\r\nX-Mine: 5")`, "true")
	want(t, `httpGet("SITE/redirect?to=/json?q=there")`, `{"q":"there"}`)
	fails(t, `httpGet("SITE/status?code=404")`, "http_error", "404 Not Found", "status 404")
	fails(t, `httpGet("http://127.0.0.1:1/")`, "http_error", "refused")
	want(t, `get(try(func() { httpGet("SITE/status?code=503") }).Data, "status")`, "503")
}

// BU_ALLOW holds for what is fetched without the browser as well: this run's, and the one
// that the daemon was started with.
func TestHTTPGetKeepsToAllow(t *testing.T) {
	start(t)
	name := "BU_NAME=" + world.name + "-allow"
	defer run(t, `killDaemon()`, name)
	code := func(snippet string) string { return `try(func() { ` + snippet + ` }).Code` }
	allow := "BU_ALLOW=127.0.0.1"
	for _, c := range []struct{ snippet, printed, env string }{
		{`httpGet("SITE/json?q=hi")`, `{"q":"hi"}`, allow},
		{code(`httpGet("OTHER/json?q=hi")`), "not_allowed", allow},
		{code(`httpGet("SITE/redirect?to=OTHER/json?q=there")`), "not_allowed", allow},
		{`strings.Contains(get(httpGetAll([]string{"OTHER/json"}), 0, "error").(string), "BU_ALLOW")`, "true", allow},
		{`daemonAlive()`, "false", allow},
		{`newTab("SITE/json?q=tab"); daemonAlive()`, "true", allow},
		{code(`httpGet("OTHER/json?q=hi")`), "not_allowed", "BU_ALLOW="},
	} {
		if got := out(t, c.snippet, name, c.env); got != expand(c.printed) {
			t.Errorf("%s with %s printed %q, want %q", c.snippet, c.env, got, c.printed)
		}
	}
}

func TestHTTPGetAll(t *testing.T) {
	start(t)
	want(t, `urls := []string{}
for i := 0; i < 40; i++ { urls = append(urls, fmt.Sprint("SITE/json?ms=50&q=", i)) }
begin := time.Now()
all := httpGetAll(append(urls, "SITE/status?code=500", "http://127.0.0.1:1/"))
fmt.Println(len(all), get(all, 39, "body"), get(all, 39, "status"), get(all, 40, "status"), strings.Contains(get(all, 41, "error").(string), "refused"))
time.Since(begin).Seconds() < 40*0.05`, "42 {\"q\":\"39\"} 200 500 true\ntrue")
	want(t, `len(httpGetAll([]string{}))`, "0")
}

// Plain HTTP and killDaemon need no daemon and start none; killDaemon leaves Chrome as it
// is, and forgets the browser.
func TestLifecycle(t *testing.T) { // field cases 50, 47
	start(t)
	name := "BU_NAME=" + world.name + "-life"
	alone := func(snippet, printed string) {
		t.Helper()
		if got := out(t, snippet, name); got != printed {
			t.Errorf("%s printed %q, want %q", snippet, got, printed)
		}
	}
	defer run(t, `killDaemon()`, name)
	alone(`daemonAlive()`, "false")
	alone(`killDaemon(); 1 + 2`, "3")
	alone(`httpGet("SITE/json?q=hi")`, `{"q":"hi"}`)
	alone(`daemonAlive()`, "false")
	alone(`newTab("SITE`+html(`<title>life</title>`)+`"); daemonAlive()`, "true")
	state := "/tmp/bu-" + world.name + "-life.state"
	if _, err := os.Stat(state); err != nil {
		t.Errorf("no state file: %v", err)
	}
	pid := out(t, `call(M{"meta": "status"})["pid"]`, name)
	alone(`killDaemon(); daemonAlive()`, "false")
	if _, err := os.Stat(state); err == nil {
		t.Error("killDaemon left the state file")
	}
	gone := func() bool {
		status, err := os.ReadFile("/proc/" + pid + "/status")
		return err != nil || strings.Contains(string(status), "State:\tZ")
	}
	for end := time.Now().Add(10 * time.Second); !gone() && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
	}
	if !gone() {
		t.Errorf("the daemon, pid %s, still runs", pid)
	}
	if !world.chrome.Running() || !strings.Contains(out(t, `listTabs()`), `"title":"life"`) {
		t.Error("Chrome or its tab is gone")
	}
	out(t, `for _, t := range listTabs() { if get(t, "title") == "life" { closeTab(t) } }`)
	alone(`newTab(); 1`, "1")
	pid = out(t, `call(M{"meta": "status"})["pid"]`, name)
	if err := exec.Command("kill", "-9", pid).Run(); err != nil {
		t.Fatal(err)
	}
	alone(`killDaemon(); daemonAlive()`, "false") // the daemon is dead, its state file is not
	if _, err := os.Stat(state); err == nil {
		t.Error("killDaemon left the state file of a dead daemon")
	}
}

// An element's number is nobody else's, whatever became of the daemon that gave it.
func TestNumbersOutliveTheDaemon(t *testing.T) {
	start(t)
	name := "BU_NAME=" + world.name + "-numbers"
	defer run(t, `killDaemon()`, name)
	numbered := func() (uids string) {
		return out(t, `newTab("SITE`+html(`<button>one</button>`)+`"); get(extract(), "elements", 0, "uid")`, name)
	}
	given := map[string]bool{numbered(): true}
	for _, end := range []string{
		`killDaemon()`,
		`try(func() { call(M{"meta": "shutdown"}) }); for daemonAlive() { wait(0.01) }; killDaemon()`,
		`exec.Command("kill", "-9", fmt.Sprint(call(M{"meta": "status"})["pid"])).Run(); for daemonAlive() { wait(0.01) }`,
		`exec.Command("kill", "-9", fmt.Sprint(call(M{"meta": "status"})["pid"])).Run(); for daemonAlive() { wait(0.01) }; killDaemon()`,
	} {
		run(t, end, name)
		uid := numbered()
		if given[uid] {
			t.Errorf("%s is given once more after %s", uid, end)
		}
		given[uid] = true
	}
}
