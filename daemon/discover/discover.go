// Package discover finds the running browser to attach to, and explains why there is
// none. It speaks HTTP only: the one handshake is its caller's.
package discover

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// Browser is a running browser that bu may attach to.
type Browser struct {
	WS      string // address of its WebSocket; may hold a token: never print it, print Address()
	Or      string // where the browser says it is, if that differs: tried when WS does not open
	Kind    string // "Chrome", "Edge" …; of a browser named by address what it calls itself, or "browser"
	Profile string // its profile folder; "" if it was named by address
	Source  string // "BU_CDP_WS", "BU_CDP_URL" or the path of its DevToolsActivePort
	header  string // BU_CDP_HEADERS, for WS
	Asks    bool   // each connection may make it ask its user: one handshake, held until the click
}

// Identity is what a state file remembers of a browser. It holds no secret.
type Identity struct {
	Kind    string `json:"kind,omitempty"`
	Profile string `json:"profile,omitempty"`
	Address string `json:"address,omitempty"` // host:port
}

func (b Browser) Identity() Identity { return Identity{b.Kind, b.Profile, b.Address()} }

// Address is the host and port of the browser, without anything secret.
func (b Browser) Address() string {
	u, err := url.Parse(b.WS)
	if err != nil {
		return ""
	}
	return hostPort(u)
}

// Local says whether the browser runs on this machine, where others may share it.
func (b Browser) Local() bool {
	host, _, _ := net.SplitHostPort(b.Address())
	return b.Profile != "" || loopback(host)
}

func (id Identity) String() string {
	if id.Profile != "" {
		return id.Kind + ", profile " + id.Profile
	}
	return fmt.Sprintf("%s at %s", id.Kind, id.Address)
}

// Find finds the browser to attach to: the one that BU_CDP_WS or BU_CDP_URL
// names, else the one that wrote the newest DevToolsActivePort and still answers.
// With a remembered identity it finds that browser or fails; it never falls back
// to another. It speaks HTTP only: under chrome://inspect's toggle each WebSocket
// makes Chrome ask its user, and the question stays on the screen when we hang up.
func Find(ctx context.Context, was Identity) (Browser, error) {
	b, err := named(ctx)
	switch {
	case err != nil:
		return Browser{}, err
	case b.WS != "":
		return b, sameAddress(ctx, b, was)
	case was.Profile == "" && was.Address != "":
		return Browser{}, noBrowser("this daemon drove the %s, which BU_CDP_WS or BU_CDP_URL named; neither is set now. Set it again, or give that browser up with killDaemon()", was)
	}
	home := homeDir()
	ps := profiles(runtime.GOOS, home, os.Getenv)
	if was.Profile != "" {
		ps = []profile{{Kind: was.Kind, Dir: was.Profile}}
	}
	found := look(ctx, ps)
	for _, f := range found {
		if f.browser.WS != "" {
			return f.browser, nil
		}
	}
	if was.Profile != "" {
		return Browser{}, noBrowser("this daemon drove %s, and that browser %s. %s; or give it up with killDaemon()", was, found[0].state, found[0].next())
	}
	return Browser{}, nothing(found, home)
}

func homeDir() string {
	if home, err := os.UserHomeDir(); err == nil {
		return home
	}
	if u, err := user.Current(); err == nil { // started by a service without HOME
		return u.HomeDir
	}
	return string(filepath.Separator)
}

// sameAddress refuses to leave a browser that is still there for another one. Where
// the remembered one is gone, an address that is set now is its user's word. A rented
// browser ends with its daemon, so that one is always a new one.
func sameAddress(ctx context.Context, b Browser, was Identity) error {
	local := strings.NewReplacer("localhost:", "127.0.0.1:")
	if was.Address == "" || os.Getenv("BU_BROWSER_ID") != "" || local.Replace(was.Address) == local.Replace(b.Address()) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", was.Address)
	if err != nil {
		return nil
	}
	conn.Close()
	return noBrowser("this daemon drove the %s, which is still there, but %s names %s. Use another BU_NAME for that one, or give the first up with killDaemon()", was, b.Source, b.Address())
}

// finding is what one profile folder held.
type finding struct {
	profile
	exists  bool
	browser Browser   // its WS is "" if it cannot be attached to
	state   string    // why not, as what can be said of a browser: "is not running"
	lock    lock      // whether a browser runs there, whatever the port says
	mod     time.Time // of DevToolsActivePort
}

// look examines all profiles at once, and puts the newest DevToolsActivePort first.
func look(ctx context.Context, ps []profile) []finding {
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	found := make([]finding, len(ps))
	var wg sync.WaitGroup
	for i, p := range ps {
		wg.Go(func() { found[i] = examine(ctx, p) })
	}
	wg.Wait()
	slices.SortStableFunc(found, func(a, b finding) int { return b.mod.Compare(a.mod) })
	return found
}

func examine(ctx context.Context, p profile) finding {
	f := finding{profile: p, state: "has no profile there"}
	if _, err := os.Stat(p.Dir); err != nil {
		return f
	}
	f.exists, f.lock = true, lockOf(p.Dir)
	file := filepath.Join(p.Dir, "DevToolsActivePort")
	port, path, mod, err := readPort(file)
	if os.IsNotExist(err) {
		f.state = f.off()
		return f
	} else if err != nil {
		f.state = err.Error()
		return f
	}
	f.mod = mod
	a := probe(ctx, port, path)
	if a.ws == "" || a.asks && f.lock == dead {
		// What answers 404 on that port is not the browser whose lock is dead.
		f.state = f.stale(port, a.state)
		return f
	}
	f.browser = Browser{WS: a.ws, Kind: p.Kind, Profile: p.Dir, Source: file, Asks: a.asks}
	return f
}

// noBrowser is the error of a search: what is the matter, and the next step.
func noBrowser(format string, args ...any) error {
	return fmt.Errorf(format, args...)
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback()
}

// hostPort gives the host:port of a URL; a missing port is that of its scheme.
func hostPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"ws": "80", "http": "80", "wss": "443", "https": "443"}[u.Scheme]
	}
	return net.JoinHostPort(u.Hostname(), port)
}
