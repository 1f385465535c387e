package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"bu/daemon/wire"
)

// Narrower limits that could not be brought to a page at once are brought by the next request,
// and nothing goes on under the wider ones.
func TestNarrowingTriesAgain(t *testing.T) {
	f := newFake(t)
	var mu sync.Mutex
	scripts, next, refuse := map[string]string{}, 0, ""
	do := func(method string, act func(params M) any) {
		f.on(method, func(_ *fakeConn, m M) any {
			mu.Lock()
			defer mu.Unlock()
			if refuse == method {
				refuse = ""
				return refusalOf{-32000, "not now"}
			}
			params, _ := m["params"].(M)
			return act(params)
		})
	}
	do("Network.emulateNetworkConditionsByRule", func(M) any { return M{} })
	do("Page.addScriptToEvaluateOnNewDocument", func(params M) any {
		next++
		id := fmt.Sprint(next)
		scripts[id] = params["source"].(string)
		return M{"identifier": id}
	})
	do("Page.removeScriptToEvaluateOnNewDocument", func(params M) any {
		id := params["identifier"].(string)
		if scripts[id] == "" {
			return refusalOf{-32000, "Script not found"}
		}
		delete(scripts, id)
		return M{}
	})
	p := daemonOf(t, newName(t), "BU_CDP_WS="+f.url)
	hosts := []string{"fake", "h1", "h2", "h3", "h4"}
	ping := func() M {
		return p.call(M{"method": "Test.ping", "tab": "x", "allow": hosts})
	}
	if m := ping(); m["result"] == nil {
		t.Fatal(m)
	}
	for _, method := range []string{"Network.emulateNetworkConditionsByRule", "Page.addScriptToEvaluateOnNewDocument", "Page.removeScriptToEvaluateOnNewDocument"} {
		mu.Lock()
		refuse = method
		mu.Unlock()
		hosts = hosts[:len(hosts)-1]
		before := len(f.methods())
		if m := ping(); m["result"] != nil || slices.ContainsFunc(f.methods()[before:], func(s string) bool { return strings.HasPrefix(s, "Test.ping") }) {
			t.Errorf("%s failed, and the request went on: %v", method, m)
		}
		if m := ping(); m["result"] == nil {
			t.Errorf("%s failed, and the next request did not mend it: %v", method, m)
		}
		mu.Lock()
		newest := scripts[fmt.Sprint(next)]
		mu.Unlock()
		if strings.Contains(newest, fmt.Sprintf("h%d", len(hosts))) || !strings.Contains(newest, "fake") {
			t.Errorf("after %s failed the page's script is %q", method, newest)
		}
	}
}

// Callers who leave while their tab cannot be made leave nothing behind that tries on for each
// of them, and hear what they waited for.
func TestTabThatIsNotMade(t *testing.T) {
	f := newFake(t)
	f.on("Target.createTarget", func(*fakeConn, M) any { return silence })
	p := daemonOf(t, newName(t), "BU_CDP_WS="+f.url)
	x := M{"tab": "x"}
	for range 30 {
		m := p.call(merge(M{"method": "Test.ping", "timeout_ms": 30}, x))
		if wantCode(t, m, "timeout"); m["sent"] != false || !strings.Contains(fmt.Sprint(m["error"]), "tab was not ready") {
			t.Errorf("got %v", m)
		}
	}
	for _, r := range []M{{"meta": "session"}, {"meta": "drive", "message": "yours"}} {
		m := p.call(merge(r, x, M{"timeout_ms": 1000}))
		if wantCode(t, m, "timeout"); !strings.Contains(fmt.Sprint(m["error"]), "tab was not ready") {
			t.Errorf("%v: %v", r, m)
		}
	}
	if n := strings.Count(strings.Join(f.methods(), "\n"), "Target.createTarget"); n == 0 || n > 2 { // a second after 20 s
		t.Errorf("%d tabs are being made", n)
	}
}

// What a daemon knew last is in its state file when it has ended.
func TestStateIsSavedAtTheEnd(t *testing.T) {
	pages := site(t, map[string]string{"/": "<title>page</title>"})
	for n := range 3 {
		p := daemonOf(t, newName(t))
		p.visit(pages.URL + "/")
		p.js(fmt.Sprintf(`for (let i = 0; i < 50; i++) history.pushState(0, "", "/at" + i); history.pushState(0, "", "/last%d")`, n))
		until(t, "the daemon knows", func() bool { return strings.HasSuffix(fmt.Sprint(p.meta("status")["url"]), fmt.Sprintf("/last%d", n)) })
		p.cmd.Process.Signal(syscall.SIGTERM)
		p.wait()
		paths, err := wire.PathsOf(p.name)
		if err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(paths.State); err != nil || !strings.Contains(string(b), fmt.Sprintf("/last%d", n)) {
			t.Errorf("%v: %s", err, b)
		}
	}
}

// A daemon that takes its time to stop what is rented is waited for by its successor.
func TestSuccessorWaits(t *testing.T) {
	asked, end := make(chan bool, 10), make(chan bool)
	l := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- true
		select { // no answer
		case <-r.Context().Done():
		case <-end:
		}
	}))
	t.Cleanup(l.Close)
	defer close(end)
	p := daemonOf(t, newName(t), "BU_CDP_WS="+browser(t).WS, "BU_BROWSER_ID=b-9", "BROWSER_USE_API_KEY=key", "BROWSER_USE_API_URL="+l.URL)
	p.js("1")
	p.cmd.Process.Signal(syscall.SIGTERM)
	<-asked
	q := daemonOf(t, p.name)
	if v := q.js("2"); v != 2.0 {
		t.Errorf("got %v", v)
	}
	p.wait()
}

// How many events are lost is told as it is, whatever was lost before.
func TestDroppedIsCounted(t *testing.T) {
	r := &ring{}
	const events = 3*ringEvents + 7
	for n := range events {
		r.add(event{Seq: int64(n + 1), Method: "E"})
	}
	all := func(*event) bool { return true }
	for _, since := range []int64{0, 1, ringEvents, events - ringEvents - 1, events - ringEvents, events} {
		found, dropped, _ := r.after(since, all)
		if int64(len(found))+dropped != events-since {
			t.Errorf("since %d: %d events and %d dropped", since, len(found), dropped)
		}
	}
	r.drain()
	r.add(event{Seq: events + 1})
	if _, dropped := r.drain(); dropped != 0 {
		t.Errorf("%d dropped since the last drain", dropped)
	}
}
