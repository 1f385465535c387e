package helpers_test

import (
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"bu/daemon/testchrome"
)

// cloud is an API server that rents out a real Chromium, behind TLS as the real cloud
// does, and ends it when it is told to stop it.
type cloud struct {
	*httptest.Server
	t      *testing.T
	cert   string // the file of its authority
	cdpURL string // of the browser that it hands out
	refuse int    // the status of its answers to PATCH; 0 stops the browser

	mu    sync.Mutex
	asked []string // "METHOD path key body"
}

func newCloud(t *testing.T, options ...func(*cloud)) *cloud {
	t.Helper()
	start(t)
	c := &cloud{t: t, cert: filepath.Join(t.TempDir(), "cert")}
	chrome := testchrome.Start(t)
	front := httptest.NewTLSServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(&url.URL{Scheme: "http", Host: chrome.Address}) // so Chromium believes its own address to be that
	}})
	t.Cleanup(front.Close)
	t.Cleanup(front.CloseClientConnections)
	c.cdpURL = front.URL
	for _, set := range options {
		set(c)
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: front.Certificate().Raw})
	if err := os.WriteFile(c.cert, text, 0o600); err != nil {
		t.Fatal(err)
	}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.asked = append(c.asked, fmt.Sprintf("%s %s %s %s", r.Method, r.URL.Path, r.Header.Get("X-Browser-Use-API-Key"), body))
		switch {
		case r.Method == "POST" && r.URL.Path == "/v3/browsers" && r.Header.Get("X-Browser-Use-API-Key") == "k3y":
			w.WriteHeader(http.StatusCreated)
			json.NewEncoder(w).Encode(map[string]any{"id": "b-1", "status": "active", "cdpUrl": c.cdpURL, "liveUrl": "https://live.example/b-1"})
		case r.Method == "PATCH" && r.URL.Path == "/v3/browsers/b-1" && c.refuse == 0:
			chrome.Kill()
			fmt.Fprint(w, `{"id":"b-1","status":"stopped"}`)
		case r.Method == "PATCH":
			w.WriteHeader(c.refuse)
		default:
			w.WriteHeader(http.StatusPaymentRequired)
			fmt.Fprint(w, `{"detail":"no credit"}`)
		}
	}))
	t.Cleanup(c.Close)
	return c
}

func (c *cloud) requests(method string) (list []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, r := range c.asked {
		if strings.HasPrefix(r, method+" ") {
			list = append(list, r)
		}
	}
	return list
}

func (c *cloud) env(more ...string) []string {
	return append([]string{"BROWSER_USE_API_URL=" + c.URL + "/v3/", "BROWSER_USE_API_KEY=k3y", "SSL_CERT_FILE=" + c.cert}, more...)
}

// remoteName is a BU_NAME that no other test has; its daemon ends with the test.
func remoteName(t *testing.T) string {
	name := fmt.Sprintf("d-remote-%d-%s", os.Getpid(), strings.ToLower(t.Name()[len("TestRemote"):]))
	t.Cleanup(func() {
		invoke("killDaemon()", "BU_NAME="+name).Run()
		for _, kind := range []string{"sock", "pid", "log", "state", "lock", "turn"} {
			os.Remove("/tmp/bu-" + name + "." + kind)
		}
	})
	return name
}

const stopped = `PATCH /v3/browsers/b-1 k3y {"action":"stop"}`

func (c *cloud) wantStopped() {
	c.t.Helper()
	if got := c.requests("PATCH"); len(got) == 0 || got[0] != stopped {
		c.t.Errorf("the cloud was asked %q, want %s", got, stopped)
	}
}

func TestRemoteDaemon(t *testing.T) {
	c := newCloud(t)
	name := remoteName(t)
	got := out(t, `startRemoteDaemon("`+name+`", M{"proxyCountryCode": "de", "timeout": 30})`, c.env()...)
	var told map[string]any
	if json.Unmarshal([]byte(got), &told) != nil || told["name"] != name || told["id"] != "b-1" || told["liveUrl"] != "https://live.example/b-1" {
		t.Errorf("told %s", got)
	}
	if got := c.requests("POST"); len(got) != 1 || got[0] != `POST /v3/browsers k3y {"proxyCountryCode":"de","timeout":30}` {
		t.Errorf("the cloud was asked %q", got)
	}
	if got := out(t, `js("6*7")`, "BU_NAME="+name); got != "42" {
		t.Errorf("in the rented browser: %s", got)
	}
	_, stderr, code := run(t, `startRemoteDaemon("`+name+`")`, c.env()...)
	if code != 1 || !strings.Contains(stderr, "bad_request") || len(c.requests("POST")) != 1 {
		t.Errorf("a second one of that name: exit %d: %s", code, stderr)
	}
	if got := out(t, `stopRemoteDaemon("`+name+`"); stopRemoteDaemon("`+name+`"); "done"`); got != "done" {
		t.Errorf("stopped: %s", got)
	}
	if got := c.requests("PATCH"); len(got) != 1 || got[0] != stopped {
		t.Errorf("the cloud was asked %q, want %s once", got, stopped)
	}
	if got := out(t, `daemonAlive()`, "BU_NAME="+name); got != "false" {
		t.Errorf("after the stop a daemon is alive: %s", got)
	}
}

// The key may stand in the .env of the repo that run belongs to; one in the environment counts more.
func TestRemoteEnvFile(t *testing.T) {
	c := newCloud(t)
	name := remoteName(t)
	start(t)
	repo := t.TempDir()
	if err := errors.Join(os.CopyFS(filepath.Join(repo, "bin"), os.DirFS(world.bin)), os.Mkdir(filepath.Join(repo, "helpers"), 0o700)); err != nil {
		t.Fatal(err)
	}
	env := "BROWSER_USE_API_KEY=k3y\nBROWSER_USE_API_URL=" + c.URL + "/v3\n"
	if err := os.WriteFile(filepath.Join(repo, ".env"), []byte(env), 0o600); err != nil {
		t.Fatal(err)
	}
	defer func(bin string) { world.bin = bin }(world.bin)
	world.bin = filepath.Join(repo, "bin")
	_, stderr, code := run(t, `startRemoteDaemon("`+name+`")`, "BROWSER_USE_API_KEY=mine", "SSL_CERT_FILE="+c.cert)
	if code != 1 || !strings.Contains(stderr, "402 Payment Required: {\"detail\":\"no credit\"}") || len(c.requests("POST /v3/browsers mine")) != 1 {
		t.Errorf("with another key in the environment: exit %d: %s", code, stderr)
	}
	out(t, `startRemoteDaemon("`+name+`")`, "SSL_CERT_FILE="+c.cert)
	if got := c.requests("POST"); len(got) != 2 || got[1] != "POST /v3/browsers k3y {}" {
		t.Errorf("the cloud was asked %q", got)
	}
	out(t, `stopRemoteDaemon("`+name+`")`)
	c.wantStopped()
}

// A browser that cannot be used is stopped before the run fails.
func TestRemoteUnusable(t *testing.T) {
	c := newCloud(t, func(c *cloud) { c.cdpURL = "https://127.0.0.1:1" })
	_, stderr, code := run(t, `startRemoteDaemon("`+remoteName(t)+`")`, c.env()...)
	if code != 3 || !strings.Contains(stderr, "127.0.0.1:1 is not running") {
		t.Errorf("exit %d: %s", code, stderr)
	}
	c.wantStopped()
}

// So is one whose daemon could not start.
func TestRemoteNoDaemon(t *testing.T) {
	c := newCloud(t)
	_, stderr, code := run(t, `startRemoteDaemon("`+remoteName(t)+`")`, c.env("BU_IDLE=nonsense")...)
	if code != 3 || !strings.Contains(stderr, "BU_IDLE") {
		t.Errorf("exit %d: %s", code, stderr)
	}
	c.wantStopped()
}

// A stop that failed is told with the browser's id, without the key.
func TestRemoteStopFails(t *testing.T) {
	c := newCloud(t, func(c *cloud) { c.refuse = 403 })
	name := remoteName(t)
	out(t, `startRemoteDaemon("`+name+`")`, c.env()...)
	_, stderr, code := run(t, `stopRemoteDaemon("`+name+`")`)
	if code != 1 || !strings.Contains(stderr, "http_error") || !strings.Contains(stderr, "cloud browser b-1 was not stopped") || strings.Contains(stderr, "k3y") {
		t.Errorf("exit %d: %s", code, stderr)
	}
	eventually(t, "the daemon's end", func() bool { return out(t, `daemonAlive()`, "BU_NAME="+name) == "false" })
}

// Without a key nothing is rented; a name that is none is refused before.
func TestRemoteRefused(t *testing.T) {
	c := newCloud(t)
	for _, x := range []struct{ snippet, env, says string }{
		{`startRemoteDaemon("` + remoteName(t) + `")`, "BROWSER_USE_API_KEY=", "BROWSER_USE_API_KEY is not set"},
		{`startRemoteDaemon("../x")`, "BROWSER_USE_API_KEY=k3y", "bad_request"},
		{`stopRemoteDaemon("a/b")`, "BROWSER_USE_API_KEY=k3y", "bad_request"},
	} {
		_, stderr, code := run(t, x.snippet, c.env(x.env)...)
		if code != 1 || !strings.Contains(stderr, x.says) {
			t.Errorf("%s: exit %d: %s", x.snippet, code, stderr)
		}
	}
	if got := append(c.requests("POST"), c.requests("PATCH")...); len(got) != 0 {
		t.Errorf("the cloud was asked %q", got)
	}
}
