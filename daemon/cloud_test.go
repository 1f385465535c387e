package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
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
