package discover

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"bu/daemon/cdp"
	"bu/daemon/testchrome"
)

// What BU_CDP_URL leads to: the host is the one given, whatever the browser believes
// its own to be; the path is its own; both queries count.
func TestResolve(t *testing.T) {
	says := func(ws string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintf(w, `{"Browser":"HeadlessChrome/156.0","webSocketDebuggerUrl":%q}`, strings.ReplaceAll(ws, "HOST", r.Host))
		}
	}
	for _, c := range []struct {
		name   string
		server http.HandlerFunc
		url    string // HOST stands for the server's
		want   Browser
		says   string
	}{
		{name: "its own host", server: says("ws://HOST/devtools/browser/a"), url: "http://HOST",
			want: Browser{WS: "ws://HOST/devtools/browser/a"}},
		{name: "with a slash", server: says("ws://HOST/devtools/browser/a"), url: "http://HOST/",
			want: Browser{WS: "ws://HOST/devtools/browser/a"}},
		{name: "another host", server: says("ws://localhost/devtools/browser/a"), url: "http://HOST",
			want: Browser{WS: "ws://HOST/devtools/browser/a", Or: "ws://localhost/devtools/browser/a"}},
		{name: "a prefix that the proxy takes away", server: says("ws://10.0.0.7:9222/devtools/browser/a"), url: "http://HOST/b/1",
			want: Browser{WS: "ws://HOST/b/1/devtools/browser/a", Or: "ws://10.0.0.7:9222/devtools/browser/a"}},
		{name: "a prefix that the server knows", server: says("ws://HOST/b/1/devtools/browser/a"), url: "http://HOST/b/1/",
			want: Browser{WS: "ws://HOST/b/1/devtools/browser/a"}},
		{name: "tokens", server: says("ws://HOST/devtools/browser/a?own=2"), url: "http://HOST?token=1",
			want: Browser{WS: "ws://HOST/devtools/browser/a?own=2&token=1"}},
		{name: "the toggle", server: http.NotFound, url: "http://HOST",
			want: Browser{WS: "ws://HOST/devtools/browser", Asks: true}},
		{name: "no browser", server: func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "hello") }, url: "http://HOST", says: "not as a browser's DevTools server"},
		{name: "no WebSocket", server: says(""), url: "http://HOST", says: "not as a browser's DevTools server"},
		{name: "no access", server: func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(401) }, url: "http://HOST", says: "401 Unauthorized"},
		{name: "no scheme", url: "127.0.0.1:9222", says: "is not the address of a browser"},
		{name: "no host", url: "http:///json", says: "is not the address of a browser"},
	} {
		for _, listen := range []string{"127.0.0.1:0", "[::1]:0"} {
			t.Run(c.name+" "+listen, func(t *testing.T) {
				noHome(t)
				host := ""
				if c.server != nil {
					l, err := net.Listen("tcp", listen)
					if err != nil {
						t.Skip(err)
					}
					s := &httptest.Server{Listener: l, Config: &http.Server{Handler: c.server}}
					s.Start()
					t.Cleanup(s.Close)
					host = l.Addr().String()
				}
				t.Setenv("BU_CDP_URL", strings.ReplaceAll(c.url, "HOST", host))
				b, err := Find(t.Context(), Identity{})
				if c.says != "" {
					wantNone(t, err, c.says, "BU_CDP_URL")
					return
				}
				want := c.want
				want.WS = strings.ReplaceAll(want.WS, "HOST", host)
				want.Source, want.Kind = "BU_CDP_URL", "HeadlessChrome"
				if want.Asks {
					want.Kind = "browser"
				}
				if err != nil || b != want {
					t.Errorf("got %+v, %v\nwant %+v", b, err, want)
				}
			})
		}
	}
}

// Which of the two variables an address stands in does not matter, but BU_CDP_WS wins.
func TestAddressVariables(t *testing.T) {
	port := devtools(t, names("/devtools/browser/a"))
	for _, c := range []struct{ ws, url, want string }{
		{"ws://h.example/x", "", "ws://h.example/x"},
		{"", "wss://h.example/x", "wss://h.example/x"},
		{"ws://h.example/x", "http://127.0.0.1:" + port, "ws://h.example/x"},
		{"http://127.0.0.1:" + port, "wss://h.example/x", "ws://127.0.0.1:" + port + "/devtools/browser/a"},
		{" ws://h.example/x\n", "", "ws://h.example/x"},
	} {
		noHome(t)
		t.Setenv("BU_CDP_WS", c.ws)
		t.Setenv("BU_CDP_URL", c.url)
		if b, err := Find(t.Context(), Identity{}); err != nil || b.WS != c.want {
			t.Errorf("%+v: got %+v, %v", c, b, err)
		}
	}
}

// Chrome serves IP addresses and localhost alone, so another name of it is looked up.
func TestHostName(t *testing.T) {
	name, _ := os.Hostname()
	ips, err := net.LookupIP(name)
	if err != nil || !ips[0].IsLoopback() {
		t.Skipf("%s is no name of this machine's loopback interface", name)
	}
	noHome(t)
	c := testchrome.Start(t)
	_, port, _ := net.SplitHostPort(c.Address)
	t.Setenv("BU_CDP_URL", "http://"+name+":"+port)
	b, err := Find(t.Context(), Identity{})
	if err != nil || b.WS != strings.Replace(c.WS, "127.0.0.1", ips[0].String(), 1) {
		t.Fatalf("got %+v, %v; want %s", b, err, c.WS)
	}
	if err := b.Open(t.Context(), func(ctx context.Context, address string, header http.Header) error {
		c, err := cdp.Dial(ctx, address, header)
		if err == nil {
			c.Close(err)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
}
