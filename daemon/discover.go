package main

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"bu/daemon/wire"
)

// Browser is a running browser that bu may attach to.
type Browser struct {
	WS      string // address of its WebSocket; may hold a token: never print it, print Address()
	Or      string // where the browser says it is, if that differs: tried when WS does not open
	Kind    string // "Chrome", "Edge" …; of a browser named by address what it calls itself, or "browser"
	Profile string // its profile folder; "" if it was named by address
	Source  string // "BU_CDP_WS", "BU_CDP_URL" or the path of its DevToolsActivePort
	Asks    bool   // each connection may make it ask its user: one handshake, held until the click
}

// Identity is what a state file remembers of a browser. It holds no secret.
type Identity struct {
	Kind    string `json:"kind,omitempty"`
	Profile string `json:"profile,omitempty"`
	Address string `json:"address,omitempty"` // host:port
}

func (b Browser) identity() Identity { return Identity{b.Kind, b.Profile, b.Address()} }

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

// discover finds the browser to attach to: the one that BU_CDP_WS or BU_CDP_URL
// names, else the one that wrote the newest DevToolsActivePort and still answers.
// With a remembered identity it finds that browser or fails; it never falls back
// to another. It speaks HTTP only: under chrome://inspect's toggle each WebSocket
// makes Chrome ask its user, and the question stays on the screen when we hang up.
func discover(ctx context.Context, was Identity) (Browser, error) {
	b, err := named(ctx)
	switch {
	case err != nil:
		return Browser{}, err
	case b.WS != "":
		return b, sameAddress(ctx, b, was)
	case was.Profile == "" && was.Address != "":
		return Browser{}, noBrowser("this daemon drove the %s, which BU_CDP_WS or BU_CDP_URL named; neither is set now. Set it again, or let go of that browser with killDaemon()", was)
	}
	home, _ := os.UserHomeDir()
	ps := profiles(runtime.GOOS, home, os.Getenv)
	if was.Profile != "" {
		ps = []profile{{was.Kind, was.Profile}}
	}
	found := look(ctx, ps)
	for _, f := range found {
		if f.browser.WS != "" {
			return f.browser, nil
		}
	}
	if was.Profile != "" {
		return Browser{}, noBrowser("this daemon drove %s, and that browser %s. %s; or let go of it with killDaemon()", was, found[0].state, found[0].next())
	}
	return Browser{}, nothing(found, home)
}

// sameAddress refuses to leave a browser that is still there for another one. Where
// the remembered one is gone, an address that is set now is its user's word.
func sameAddress(ctx context.Context, b Browser, was Identity) error {
	if was.Address == "" || was.Address == b.Address() {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", was.Address)
	if err != nil {
		return nil
	}
	conn.Close()
	return noBrowser("this daemon drove the %s, which is still there, but %s names %s. Use another BU_NAME for that, or let go of the first with killDaemon()", was, b.Source, b.Address())
}

// finding is what one profile folder held.
type finding struct {
	profile
	browser Browser   // its WS is "" if it cannot be attached to
	state   string    // why not, as what can be said of a browser: "is not running"
	running bool      // by its lock, as far as that can be told
	mod     time.Time // of DevToolsActivePort
}

// look examines all profiles at once, and puts the newest DevToolsActivePort first.
// Folders that do not exist are left out, unless it is the only one asked for.
func look(ctx context.Context, ps []profile) []finding {
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	answers := make(chan finding, len(ps))
	for _, p := range ps {
		go func() { answers <- examine(ctx, p) }()
	}
	var found []finding
	for range ps {
		if f := <-answers; f.state != absent || len(ps) == 1 {
			found = append(found, f)
		}
	}
	slices.SortStableFunc(found, func(a, b finding) int {
		if c := b.mod.Compare(a.mod); c != 0 {
			return c
		}
		return strings.Compare(a.Dir, b.Dir)
	})
	return found
}

const absent = "has no profile there"

func examine(ctx context.Context, p profile) (f finding) {
	f = finding{profile: p, state: absent}
	if _, err := os.Stat(p.Dir); err != nil {
		return f
	}
	running, known := locked(p.Dir)
	f.running = running && known
	file := filepath.Join(p.Dir, "DevToolsActivePort")
	port, path, mod, err := readPort(file)
	switch {
	case os.IsNotExist(err):
		f.state = noFile(f.running, p.Dir)
		return f
	case err != nil:
		f.state = err.Error()
		return f
	}
	f.mod = mod
	a := probe(ctx, port, path)
	if a.ws == "" || a.asks && known && !running {
		// Whatever answers 404 on that port is not the browser whose lock is dead.
		f.state = staleFile(a.state, port, f.running, known)
		return f
	}
	f.browser = Browser{WS: a.ws, Kind: p.Kind, Profile: p.Dir, Source: file, Asks: a.asks}
	return f
}

func noBrowser(format string, args ...any) error {
	return &wire.Error{Code: "no_browser", Message: fmt.Sprintf(format, args...)}
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback()
}

// hostPort is the address that a URL's scheme and host name.
func hostPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"ws": "80", "http": "80", "wss": "443", "https": "443"}[u.Scheme]
	}
	return net.JoinHostPort(u.Hostname(), port)
}
