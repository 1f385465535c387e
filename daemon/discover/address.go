package discover

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

// addressTime bounds the look-up of an address that was given: it may be far away.
const addressTime = 10 * time.Second

// openTime bounds a handshake that waits for nobody's click.
const openTime = 30 * time.Second

// named is the browser that BU_CDP_WS, else BU_CDP_URL names; its WS is "" if neither is
// set. The one is meant for ws(s) addresses, the other for http(s); the scheme decides.
func named(ctx context.Context) (Browser, error) {
	for _, name := range []string{"BU_CDP_WS", "BU_CDP_URL"} {
		address := strings.TrimSpace(os.Getenv(name))
		if address == "" {
			continue
		}
		b := Browser{WS: address, Kind: "browser", Source: name}
		b.header = os.Getenv("BU_CDP_HEADERS")
		if _, err := headers(b.header); err != nil {
			return Browser{}, err
		}
		u, err := url.Parse(address)
		switch {
		case err == nil && u.Host != "" && (u.Scheme == "ws" || u.Scheme == "wss"):
			b.Asks = loopback(u.Hostname())
			return b, nil
		case err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https"):
			return resolve(ctx, b, u)
		}
		return Browser{}, noBrowser("%s is not the address of a browser: it must begin with ws://, wss://, http:// or https://", name)
	}
	return Browser{}, nil
}

// headers reads BU_CDP_HEADERS: {"Authorization": "Bearer …"}. Its error shows none of it.
func headers(value string) (http.Header, error) {
	if strings.TrimSpace(value) == "" {
		return nil, nil
	}
	var given map[string]string
	if json.Unmarshal([]byte(value), &given) != nil {
		return nil, noBrowser(`BU_CDP_HEADERS is not a JSON object of strings: write {"Authorization": "Bearer …"}`)
	}
	h := http.Header{}
	for name, v := range given {
		h.Set(name, v)
	}
	return h, nil
}

// resolve asks an http(s) address which WebSocket its browser has. Behind a proxy or
// a tunnel a browser does not know its own host, so the path is its own and the rest
// is the address given; its own answer whole is the second choice.
func resolve(ctx context.Context, b Browser, u *url.URL) (Browser, error) {
	ctx, cancel := context.WithTimeout(ctx, addressTime)
	defer cancel()
	b.WS = websocketOf(u, "").String() // for the error's host
	own, _ := headers(b.header)
	v, err := getVersion(ctx, u.String(), own)
	if errors.Is(err, HTTPStatus(500)) {
		// Chrome serves no host name but localhost, against DNS rebinding.
		if ip, err2 := net.DefaultResolver.LookupIPAddr(ctx, u.Hostname()); err2 == nil && u.Scheme == "http" {
			_, port, _ := net.SplitHostPort(hostPort(u))
			u.Host = net.JoinHostPort(ip[0].String(), port)
			v, err = getVersion(ctx, u.String(), own)
		}
	}
	var status HTTPStatus
	switch {
	case errors.Is(err, HTTPStatus(404)) && loopback(u.Hostname()):
		// Chrome 144's toggle: no /json/version, and any path below /devtools/browser will do.
		b.WS, b.Asks = websocketOf(u, "/devtools/browser").String(), true
		return b, nil
	case errors.As(err, &status):
		return Browser{}, noBrowser("%s answered %v to /json/version: check whether %s is right", b.Address(), status, b.Source)
	case err != nil:
		return Browser{}, attachError(err, b)
	case v.path() == "":
		return Browser{}, noBrowser("%s answers, but not as a browser's DevTools server does: check whether %s is right", b.Address(), b.Source)
	}
	b.Kind, _, _ = strings.Cut(v.Browser, "/")
	told, _ := url.Parse(v.WS)
	ws := websocketOf(u, told.Path)
	ws.RawQuery = joinQuery(told.RawQuery, u.RawQuery)
	b.WS = ws.String()
	if told.Host != ws.Host || told.Scheme != ws.Scheme {
		b.Or = told.String()
	}
	return b, nil
}

// websocketOf is the WebSocket of the server that u names, at a path below u's own.
func websocketOf(u *url.URL, path string) *url.URL {
	ws := *u
	ws.Scheme = strings.Replace(u.Scheme, "http", "ws", 1)
	prefix := strings.TrimSuffix(u.Path, "/")
	if !strings.HasPrefix(path, prefix+"/") {
		path = prefix + path
	}
	ws.Path, ws.RawPath = path, ""
	return &ws
}

func joinQuery(own, given string) string {
	return strings.Trim(own+"&"+given, "&")
}

// path is the path of the WebSocket that the browser names, "" if it names none.
func (v version) path() string {
	u, err := url.Parse(v.WS)
	if err != nil || u.Scheme != "ws" && u.Scheme != "wss" {
		return ""
	}
	return u.Path
}

// Open connects to b by dial. Where its user may be asked, one handshake lasts as long as ctx.
func (b Browser) Open(ctx context.Context, dial Dial) error {
	if !b.Asks {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, openTime)
		defer cancel()
	}
	try := func(address string, more http.Header) error {
		address, header := withoutUser(address)
		if more != nil {
			if header == nil {
				header = http.Header{}
			}
			maps.Copy(header, more)
		}
		return dial(ctx, address, header)
	}
	own, _ := headers(b.header)
	err := try(b.WS, own)
	if err != nil && b.Or != "" && ctx.Err() == nil && try(b.Or, nil) == nil { // where that is, only the browser said
		return nil
	}
	if err != nil {
		return attachError(err, b)
	}
	return nil
}

// Dial makes one handshake. Of a refusal its error has the HTTP status in a method Status.
type Dial func(ctx context.Context, address string, header http.Header) error

// withoutUser puts the name and password of an address into a header: WebSocket
// addresses have none.
func withoutUser(ws string) (string, http.Header) {
	u, err := url.Parse(ws)
	if err != nil || u.User == nil {
		return ws, nil
	}
	password, _ := u.User.Password()
	r := http.Request{Header: http.Header{}}
	r.SetBasicAuth(u.User.Username(), password)
	u.User = nil
	return u.String(), r.Header
}

// Stage says what the handshake waits for, to whoever waits for it.
func (b Browser) Stage() string {
	switch {
	case b.Asks && b.Profile != "":
		return fmt.Sprintf(`click Allow in %s: it asks "Allow remote debugging?"`, b.Identity())
	case b.Asks:
		return fmt.Sprintf(`connecting to %s; if it asks "Allow remote debugging?", click Allow`, b.Identity())
	}
	return fmt.Sprintf("connecting to %s", b.Identity())
}
