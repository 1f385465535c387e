package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"bu/daemon/testchrome"
	"bu/daemon/wire"
)

// landlord is the part of the cloud's API that stops browsers.
type landlord struct {
	*httptest.Server
	mu       sync.Mutex
	requests []string // "METHOD path key body"
	answers  []int    // status codes, in turn; then 200
}

func newLandlord(t *testing.T, answers ...int) *landlord {
	l := &landlord{answers: answers}
	l.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		l.mu.Lock()
		defer l.mu.Unlock()
		l.requests = append(l.requests, fmt.Sprintf("%s %s %s %s", r.Method, r.URL.EscapedPath(), r.Header.Get("X-Browser-Use-API-Key"), body))
		if len(l.answers) > 0 {
			w.WriteHeader(l.answers[0])
			l.answers = l.answers[1:]
		}
	}))
	t.Cleanup(l.Close)
	return l
}

func (l *landlord) got() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]string{}, l.requests...)
}

func (l *landlord) rental(id, key string) *rental {
	return rentalOf(func(name string) string {
		return map[string]string{"BU_BROWSER_ID": id, "BROWSER_USE_API_KEY": key, "BROWSER_USE_API_URL": l.URL + "/api/v3"}[name]
	})
}

func TestStopRental(t *testing.T) {
	const patch = `PATCH /api/v3/browsers/b-1 secret {"action":"stop"}`
	for _, c := range []struct {
		name    string
		answers []int
		key     string
		asked   int
		says    string // "" for success
	}{
		{"stopped", nil, "secret", 1, ""},
		{"the second time", []int{503}, "secret", 2, ""},
		{"never", []int{500, 502, 503}, "secret", 3, "503"},
		{"refused", []int{401}, "secret", 1, "401"},
		{"no key", nil, "", 0, "BROWSER_USE_API_KEY is not set"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			l := newLandlord(t, c.answers...)
			r := l.rental("b-1", c.key)
			err := r.stop()
			if again := r.stop(); again != err {
				t.Errorf("the second stop says %v, the first %v", again, err)
			}
			if c.says == "" && err != nil {
				t.Error(err)
			}
			if c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "b-1") || strings.Contains(err.Error(), "secret")) {
				t.Errorf("error %v, want one with %q and the id, without the key", err, c.says)
			}
			got := l.got()
			if len(got) != c.asked {
				t.Errorf("%d requests, want %d: %q", len(got), c.asked, got)
			}
			for _, r := range got {
				if r != patch {
					t.Errorf("request %s\nwant    %s", r, patch)
				}
			}
		})
	}
}

func TestNoRental(t *testing.T) {
	r := rentalOf(func(string) string { return "" })
	if r != nil || r.stop() != nil {
		t.Error("a daemon without BU_BROWSER_ID has something to stop")
	}
}

// An id can not lead to another address of the API.
func TestRentalID(t *testing.T) {
	l := newLandlord(t)
	if err := l.rental("../keys?x=", "k").stop(); err != nil {
		t.Fatal(err)
	}
	if got := l.got(); len(got) != 1 || !strings.HasPrefix(got[0], "PATCH /api/v3/browsers/..%2Fkeys%3Fx= ") {
		t.Errorf("asked %q", got)
	}
}

// However a daemon ends, it stops the browser that was rented for it, once.
func TestEveryEndStopsRental(t *testing.T) {
	for _, c := range []struct {
		name string
		env  []string // BU_CDP_WS is a real browser's unless given here
		end  func(p *proc, c *testchrome.Chrome)
	}{
		{"shutdown", nil, func(p *proc, _ *testchrome.Chrome) {
			if m := p.meta("shutdown"); m["ok"] != true {
				p.t.Errorf("shutdown: %v", m)
			}
		}},
		{"SIGTERM", nil, func(p *proc, _ *testchrome.Chrome) { p.cmd.Process.Signal(syscall.SIGTERM) }},
		{"browser gone", nil, func(_ *proc, c *testchrome.Chrome) { c.Kill() }},
		{"idle", []string{"BU_IDLE=1"}, func(*proc, *testchrome.Chrome) {}},
		{"not attached", []string{"BU_CDP_WS=", "BU_CDP_URL=http://127.0.0.1:1"}, func(*proc, *testchrome.Chrome) {}},
		{"not started", []string{"BU_IDLE=nonsense"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := newLandlord(t)
			chrome := browser(t)
			if c.name == "browser gone" {
				chrome = testchrome.Start(t)
			}
			env := append([]string{"BU_CDP_WS=" + chrome.WS, "BU_BROWSER_ID=b-7", "BROWSER_USE_API_KEY=key", "BROWSER_USE_API_URL=" + l.URL}, c.env...)
			p := launch(t, newName(t), env...)
			if c.end != nil {
				until(t, "the daemon serves", func() bool {
					_, err := p.try(M{"meta": "session"}, 20*time.Second)
					return !errors.Is(err, wire.ErrNoDaemon) || len(l.got()) > 0
				})
				c.end(p, chrome)
			}
			p.wait()
			if got := l.got(); len(got) != 1 || got[0] != `PATCH /browsers/b-7 key {"action":"stop"}` {
				t.Errorf("the cloud was asked %q; log: %s", got, p.log())
			}
		})
	}
}

// A stop that failed is told with the id: to whoever asked for the shutdown, in the
// log and on standard error.
func TestFailedStopIsTold(t *testing.T) {
	l := newLandlord(t, 403)
	p := daemonOf(t, newName(t), "BU_CDP_WS="+browser(t).WS, "BU_BROWSER_ID=b-8", "BROWSER_USE_API_KEY=k3y", "BROWSER_USE_API_URL="+l.URL)
	m := p.meta("shutdown")
	wantCode(t, m, "http_error")
	p.wait()
	for where, text := range map[string]string{"answer": fmt.Sprint(m["error"]), "log": p.log(), "standard error": p.errs.String()} {
		if !strings.Contains(text, "b-8") || !strings.Contains(text, "403") || strings.Contains(text, "k3y") {
			t.Errorf("%s: %s", where, text)
		}
	}
}

// The second of two daemons of a name has nothing to stop: the browser is the first's.
func TestLoserStopsNothing(t *testing.T) {
	l := newLandlord(t)
	env := []string{"BU_CDP_WS=" + browser(t).WS, "BU_BROWSER_ID=b-9", "BROWSER_USE_API_KEY=key", "BROWSER_USE_API_URL=" + l.URL}
	p := daemonOf(t, newName(t), env...)
	if code := launch(t, p.name, env...).wait(); code != 0 {
		t.Errorf("exit %d", code)
	}
	if got := l.got(); len(got) != 0 {
		t.Errorf("the cloud was asked %q", got)
	}
	p.meta("session")
}
