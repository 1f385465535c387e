//go:build linux

package main

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bu/daemon/testchrome"
)

// open starts the browser of a person, with a window, or has it open another one.
func (w *window) open(profile string, more ...string) {
	args := append([]string{"--user-data-dir=" + profile, "--remote-debugging-port=0", "--no-first-run", "--no-sandbox", "--disable-gpu", "--password-store=basic"}, more...)
	cmd := exec.Command(testchrome.Find(w.t), args...)
	cmd.Env = append(os.Environ(), "DISPLAY="+w.display, "HOME="+filepath.Dir(profile))
	w.spawn(cmd)
}

func (w *window) address(profile string) string {
	var port int
	var path string
	w.until("Chromium has its DevTools port", func() bool {
		b, _ := os.ReadFile(filepath.Join(profile, "DevToolsActivePort"))
		n, _ := fmt.Sscanf(string(b), "%d\n%s", &port, &path)
		return n == 2
	})
	return fmt.Sprintf("ws://127.0.0.1:%d%s", port, path)
}

// Field case 53: of several profiles a label keeps to its own, whichever window was used last.
func TestProfiles(t *testing.T) {
	w := newScreen(t)
	profile := filepath.Join(w.home, "profile")
	w.open(profile, "data:text/html,<title>first</title>")
	p := daemonOf(t, newName(t), "BU_CDP_WS="+w.address(profile))
	contexts := func() (of map[string]any) {
		of = map[string]any{}
		for _, i := range list(p.cdp("Target.getTargets", nil), "targetInfos") {
			if i := i.(M); i["type"] == "page" {
				of[i["targetId"].(string)] = i["browserContextId"]
			}
		}
		return of
	}
	x := M{"tab": "x"}
	mine, _ := p.meta("session", x)["target_id"].(string)
	own := contexts()[mine]
	w.open(profile, "--profile-directory=Profile 2", "data:text/html,<title>second</title>")
	until(t, "the other profile has a window", func() bool {
		for _, c := range contexts() {
			if c != own {
				return true
			}
		}
		return false
	})
	var before []string
	for id := range contexts() {
		before = append(before, id)
	}
	w.until("the other profile is in front", func() bool { return strings.HasPrefix(w.xdotool("getwindowfocus", "getwindowname"), "second") })
	for _, on := range []M{x, {"tab": "y"}, {}} {
		for _, url := range []string{"about:blank", "data:text/html,<title>new</title>"} {
			id, _ := p.cdp("Target.createTarget", M{"url": url, "background": true}, on)["targetId"].(string)
			until(t, "the new tab is at "+url, func() bool { return p.tab(id)["url"] == url })
		}
	}
	p.meta("session", M{"tab": "z"})
	for id, c := range contexts() {
		if c != own && !slices.Contains(before, id) {
			t.Errorf("tab %s was opened in another profile", id)
		}
	}
	if name := w.xdotool("getwindowfocus", "getwindowname"); !strings.HasPrefix(name, "second") {
		t.Errorf("in front: %s", name)
	}
	// Where the profile has no window any more nothing is opened in the other.
	for id, c := range contexts() {
		if c == own {
			p.call(M{"method": "Target.closeTarget", "params": M{"targetId": id}, "force": true})
		}
	}
	until(t, "the first profile has no tab", func() bool { return !slices.Contains(slices.Collect(maps.Values(contexts())), own) })
	wantCode(t, p.call(M{"method": "Target.createTarget", "params": M{"url": "about:blank", "background": true}, "tab": "x"}), "not_allowed")
}

// Field case 56: a frame is no tab.
func TestFrameIsNoTab(t *testing.T) {
	h := newHosts(t)
	p := daemonOf(t, newName(t))
	p.visit(h.allowed + "/")
	p.js("void document.body.append(Object.assign(document.createElement('iframe'), {src: '" + h.denied + "/'}))")
	tab, frame := p.meta("session")["target_id"], any(nil)
	until(t, "the frame is a target", func() bool {
		for _, i := range list(p.cdp("Target.getTargets", nil), "targetInfos") {
			if i := i.(M); i["type"] == "iframe" && i["url"] == h.denied+"/" {
				frame = i["targetId"]
			}
		}
		return frame != nil
	})
	for _, method := range []string{"Target.closeTarget", "Target.activateTarget"} {
		wantCode(t, p.call(M{"method": method, "params": M{"targetId": frame}}), "bad_request")
	}
	s := p.cdp("Target.attachToTarget", M{"targetId": frame, "flatten": true})["sessionId"]
	wantCode(t, p.call(M{"meta": "set_session", "session_id": s}), "bad_request")
	if now := p.meta("session")["target_id"]; now != tab || p.js("1", M{"session_id": s}) != 1.0 {
		t.Errorf("the tab was %v and is %v", tab, now)
	}
}

// Field case 60: a label's first new tab is the one that was made for it.
func TestUnusedTab(t *testing.T) {
	p := daemonOf(t, newName(t))
	x := M{"tab": "x"}
	blank := M{"url": "about:blank", "background": true}
	first := p.meta("session", x)["target_id"]
	if id := p.cdp("Target.createTarget", blank, x)["targetId"]; id != first {
		t.Errorf("a new tab beside the unused one: %v, %v", id, first)
	}
	if id := p.cdp("Target.createTarget", blank, x)["targetId"]; id == first {
		t.Error("the second new tab is the first")
	}
	y := M{"tab": "y"}
	used := p.meta("session", y)["target_id"]
	p.js("document.title = 'mine'", y)
	if id := p.cdp("Target.createTarget", blank, y)["targetId"]; id == used {
		t.Error("a tab in use was given as a new one")
	}
}

// Field case 60: a run that is ended while it opens a tab leaves none, however it ends and
// whenever; its label is at its tab of before. Nor does one that did nothing in its new tab.
func TestNothingLeft(t *testing.T) {
	alone(t)
	asked := make(chan bool, 100)
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- true
		<-r.Context().Done()
	}))
	t.Cleanup(func() { slow.CloseClientConnections(); slow.Close() })
	name := newName(t)
	env := []string{"BU_NAME=" + name, "BU_CDP_WS=" + browser(t).WS}
	end := func(label string, how os.Signal, when func()) {
		cmd := exec.Command(filepath.Join(testchrome.Build(t), "run"), `newTab("`+slow.URL+`")`)
		cmd.Env = append(append(os.Environ(), "BU_HELPERS="+testchrome.Root()+"/helpers", "BU_TAB="+label), env...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		when()
		cmd.Process.Signal(how)
		if cmd.Wait() == nil {
			t.Errorf("BU_TAB=%s: the run was not ended", label)
		}
	}
	q := daemonOf(t, newName(t))
	count := func() int {
		n := 0
		for _, i := range list(q.cdp("Target.getTargets", nil), "targetInfos") {
			if i.(M)["type"] == "page" {
				n++
			}
		}
		return n
	}
	before := count()
	after := func(ms time.Duration) func() { return func() { time.Sleep(ms * time.Millisecond) } }
	for i, when := range []func(){after(20), after(50), after(100), after(200), after(1000), func() { <-asked }} {
		for _, how := range []os.Signal{os.Interrupt, os.Kill} {
			end("", how, when)
			end("fresh", how, when)
			until(t, fmt.Sprint("no tab is left after ", how, " ", i), func() bool { return count() == before })
		}
	}
	if r := runs(t, name, `len(listTabs())`, nil, append(env, "BU_TAB=looks")...); r.code != 0 {
		t.Errorf("%+v", r)
	}
	until(t, "no tab is left of a run that needed none", func() bool { return count() == before })
	env = append(env, "BU_TAB=stays")
	kept := runs(t, name, `newTab("data:text/html,kept")`, nil, env...)
	end("stays", os.Interrupt, after(1000))
	if r := runs(t, name, `fmt.Println(pageInfo()["url"], currentTab()["id"])`, nil, env...); r.out != "data:text/html,kept "+kept.out || count() != before+1 || r.errs != "" {
		t.Errorf("%+v, %d tabs, were %d", r, count(), before)
	}
	runs(t, name, `closeTab()`, nil, env...)
}
