//go:build unix

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"bu/daemon/testchrome"
	"bu/daemon/wire"

	"github.com/gorilla/websocket"
)

// soak is eight labels that click in pages that change, while the daemon, runs and
// renderers are killed. Each click has a number of its own, which the page sends on.
type soak struct {
	t    *testing.T
	name string
	site *httptest.Server

	mu     sync.Mutex
	p      *proc
	clicks map[string]int  // as the server counts them
	done   map[string]bool // true: it was answered; false: nobody knows
	killed atomic.Int64    // renderers
}

const soakPage = `<title>soak</title><button id=b style="position:fixed;inset:0 50% 50% 0" onclick="const x = new XMLHttpRequest(); x.open('POST', '/hit?id=' + action, false); x.send()">b</button>
<ul id=l></ul><script>let action = 'none', n = 0; setInterval(() => { l.innerHTML = '<li>' + n++ + '</li>'.repeat(50); console.log('changed', n); fetch('/data?' + n) }, 100)</script>`

func newSoak(t *testing.T) *soak {
	testchrome.Build(t)
	s := &soak{t: t, name: newName(t), clicks: map[string]int{}, done: map[string]bool{}}
	s.site = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, soakPage)
		case "/hit":
			s.mu.Lock()
			s.clicks[r.URL.Query().Get("id")]++
			s.mu.Unlock()
		}
	}))
	t.Cleanup(s.site.Close)
	s.p = daemonOf(t, s.name)
	return s
}

// send gives the answers to requests that go out in one write; nil: the daemon was killed.
func (s *soak) send(label string, reqs ...M) []M {
	ctx, cancel := context.WithTimeout(context.Background(), 40*time.Second)
	defer cancel()
	var lines []byte
	for _, r := range reqs {
		r["tab"] = label
		line, _ := json.Marshal(r)
		lines = append(append(lines, line...), '\n')
	}
	c, err := wire.Dial(ctx, s.name)
	if err != nil {
		time.Sleep(50 * time.Millisecond) // another daemon is on its way
		return nil
	}
	defer c.Close()
	raw, err := c.Exchange(ctx, lines, len(reqs))
	if ctx.Err() != nil {
		s.t.Errorf("%s: no answer to %v", label, reqs)
	}
	if err != nil {
		return nil
	}
	answers := make([]M, len(raw))
	for i, line := range raw {
		if json.Unmarshal(line, &answers[i]); answers[i]["result"] == nil && answers[i]["code"] == nil && answers[i]["target_id"] == nil {
			s.t.Errorf("%s: neither result nor code: %s", label, line)
		}
	}
	return answers
}

// click gives one click the number id, and clicks.
func (s *soak) click(label, id string) {
	evaluate := func(expr string) []M {
		return s.send(label, M{"method": "Runtime.evaluate", "params": M{"expression": expr, "returnByValue": true}})
	}
	at := func() bool {
		a := evaluate("action = " + fmt.Sprintf("%q", id) + "; document.title == 'soak' && document.readyState == 'complete' && performance.getEntriesByName('first-paint').length") // before it is painted Chrome drops clicks
		r, _ := a0(a)["result"].(M)
		v, _ := r["result"].(M)
		return v["value"] == 1.0
	}
	began := time.Now()
	for tries := 1; !at(); time.Sleep(20 * time.Millisecond) {
		if time.Since(began) > time.Minute {
			s.t.Errorf("%s has no page any more: %v", label, evaluate("document.title"))
			return
		}
		if tries++; tries%100 == 2 {
			s.send(label, M{"method": "Page.navigate", "params": M{"url": s.site.URL + "/"}, "timeout_ms": 5000})
		}
	}
	mouse := func(kind string) M {
		return M{"method": "Input.dispatchMouseEvent", "params": M{"type": kind, "x": 50, "y": 50, "button": "left", "clickCount": 1}}
	}
	a := s.send(label, mouse("mousePressed"), mouse("mouseReleased"))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done[id] = len(a) == 2 && a[0]["result"] != nil && a[1]["result"] != nil
}

func a0(answers []M) M {
	if len(answers) == 0 {
		return M{}
	}
	return answers[0]
}

// run clicks by a run, which is killed after some time, or not if that is none.
func (s *soak) run(label, id string, killed time.Duration) {
	cmd := exec.Command(filepath.Join(testchrome.Build(s.t), "run"), fmt.Sprintf("js(`action = %q`); clickOn(`#b`)", id))
	cmd.Env = append(os.Environ(), "BU_NAME="+s.name, "BU_TAB="+label, "BU_CDP_WS="+browser(s.t).WS, "BU_HELPERS="+testchrome.Root()+"/helpers")
	if cmd.Start() != nil {
		return
	}
	if killed > 0 {
		time.Sleep(killed)
		cmd.Process.Kill()
	}
	err := cmd.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done[id] = err == nil
}

// killRenderer kills a process that has pages in it, as the kernel does where memory is short.
func (s *soak) killRenderer() {
	ws, _, err := websocket.DefaultDialer.Dial(browser(s.t).WS, nil)
	if err != nil {
		s.t.Error(err)
		return
	}
	defer ws.Close()
	var all struct {
		ID     int
		Result struct {
			ProcessInfo []struct {
				Type string
				ID   int
			}
		}
	}
	for ws.WriteJSON(M{"id": 1, "method": "SystemInfo.getProcessInfo"}); err == nil && all.ID == 0; {
		err = ws.ReadJSON(&all)
	}
	var pids []int
	for _, p := range all.Result.ProcessInfo {
		if p.Type == "renderer" && p.ID > 0 {
			pids = append(pids, p.ID)
		}
	}
	if len(pids) == 0 {
		s.t.Errorf("no renderers: %v", err)
		return
	}
	if pid := pids[rand.IntN(len(pids))]; syscall.Kill(pid, syscall.SIGKILL) == nil {
		s.killed.Add(1)
	}
}

// held is what the daemon holds when nothing goes on: its goroutines are told as it dies.
type held struct {
	rss, files, sessions, goroutines, tabs int
	stacks                                 string
}

func (h held) String() string {
	return fmt.Sprintf("{%d kB, %d files, %d sessions, %d goroutines, %d tabs}", h.rss>>10, h.files, h.sessions, h.goroutines, h.tabs)
}

// rest waits until everything is back at rest, and ends the daemon, unasked.
func (s *soak) rest() (h held) {
	pid := s.p.cmd.Process.Pid
	time.Sleep(2 * time.Second) // a busy machine ends the last acts late, and the look at goroutines is one
	status := s.p.meta("status")
	files := 1 << 20
	for range 20 { // the connection that has just asked may be there still
		f, _ := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
		files = min(files, len(f))
		time.Sleep(10 * time.Millisecond)
	}
	sessions, _ := status["sessions"].(float64)
	h = held{rss: rss(s.t, pid), files: files, sessions: int(sessions), tabs: len(list(status, "tabs"))}
	s.p.cmd.Process.Signal(syscall.SIGQUIT)
	s.p.wait()
	h.stacks = s.p.errs.String()
	h.goroutines = strings.Count(h.stacks, "\ngoroutine ")
	return h
}

// Eight labels, 10,000 actions with BU_SOAK=10000: none lost, none done twice, nothing left.
func TestUnderLoad(t *testing.T) {
	actions := 240
	fmt.Sscan(os.Getenv("BU_SOAK"), &actions)
	const labels, rounds = 8, 4
	s := newSoak(t)
	var was []held
	for round := range rounds {
		var all sync.WaitGroup
		var next atomic.Int64
		share := int64(actions / rounds)
		for l := range labels {
			label := fmt.Sprint("s", l)
			all.Go(func() {
				for n := next.Add(1); n <= share; n = next.Add(1) {
					id := fmt.Sprint(round, "-", n)
					switch {
					case n%60 == 7:
						s.run(label, id, time.Duration(5+rand.IntN(80))*time.Millisecond)
					case n%60 == 37:
						s.run(label, id, 0)
					case n%80 == 51 && os.Getenv("BU_SOAK") != "": // the short round shares its browser with other tests
						s.killRenderer()
					case n%80 == 11:
						s.send(label, M{"method": "Page.crash", "timeout_ms": 1000})
					case n%10 == 9:
						s.send(label, M{"method": "Page.navigate", "params": M{"url": s.site.URL + "/"}})
					}
					if n%60 != 7 && n%60 != 37 {
						s.click(label, id)
					}
				}
			})
		}
		for next.Load() <= share/3 { // 10,000 take their time
			time.Sleep(20 * time.Millisecond)
		}
		s.p.kill() // within whatever goes on
		s.p = daemonOf(t, s.name)
		all.Wait()
		was = append(was, s.rest())
		s.p = daemonOf(t, s.name)
	}
	lost, twice, known := 0, 0, 0
	for id, answered := range s.done {
		n := s.clicks[id]
		if answered {
			known++
		}
		if answered && n == 0 {
			lost++
		}
		if n > 1 {
			twice++
		}
	}
	t.Logf("%d clicks, %d answered, %d lost, %d done twice; %d renderers killed; %v", len(s.done), known, lost, twice, s.killed.Load(), was)
	if lost+twice > 0 || known < actions/2 {
		t.Errorf("%d clicks: %d answered, %d of them lost; %d done twice", len(s.done), known, lost, twice)
	}
	first, last := was[0], was[rounds-1]
	if last.files > first.files || last.sessions != labels || last.goroutines > first.goroutines+1 || last.tabs != labels {
		t.Errorf("held after the first round %v, after the last %v: %s", first, last, last.stacks)
	}
	if most := slices.MaxFunc(was, func(a, b held) int { return a.rss - b.rss }); actions >= 5000 && float64(most.rss) > 1.1*float64(first.rss) {
		t.Errorf("the memory grew: %v", was)
	}
	for i := range actions / 10 { // labels that are used once
		label := M{"tab": fmt.Sprint("once", i)}
		s.p.js("1", label)
		s.p.cdp("Target.closeTarget", M{"targetId": s.p.meta("session", label)["target_id"]}, label)
	}
	until(t, "labels that were used once are freed", func() bool { return len(list(s.p.meta("status"), "tabs")) <= labels+closedKept })
}
