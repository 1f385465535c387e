package discover

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// probeTime bounds what is asked of browsers on this machine: an answer "no
// browser" is due within 3 s. A port nobody listens on refuses at once.
const probeTime = 2500 * time.Millisecond

// readPort reads a DevToolsActivePort: the port in the first line, the path of the
// browser's WebSocket in the second. An old browser writes the port alone.
func readPort(file string) (port int, path string, mod time.Time, err error) {
	info, err := os.Stat(file) // before opening: a fifo would hold us
	if err != nil {
		return 0, "", mod, err
	}
	if !info.Mode().IsRegular() {
		return 0, "", mod, errors.New("has a DevToolsActivePort that is not a file")
	}
	f, err := os.Open(file)
	if err != nil {
		return 0, "", mod, fmt.Errorf("has a DevToolsActivePort that cannot be read: %w", errors.Unwrap(err))
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, 4096))
	if err != nil {
		return 0, "", mod, fmt.Errorf("has a DevToolsActivePort that cannot be read: %w", errors.Unwrap(err))
	}
	port, path, err = parsePort(string(text))
	return port, path, info.ModTime(), err
}

var wsPath = regexp.MustCompile(`^(/[A-Za-z0-9_-]+)+$`)

// parsePort accepts nothing that could turn the request for 127.0.0.1 into one for
// elsewhere: digits, and a path of the shape that browsers write.
func parsePort(text string) (port int, path string, err error) {
	first, second, _ := strings.Cut(text, "\n")
	first, second = strings.TrimSpace(first), strings.TrimSpace(second)
	n, err := strconv.ParseUint(first, 10, 16)
	if err != nil || n == 0 {
		return 0, "", errors.New("has a DevToolsActivePort without a port in it")
	}
	if second == "" {
		second = "/devtools/browser"
	}
	if !wsPath.MatchString(second) {
		return 0, "", errors.New("has a DevToolsActivePort with no browser's path in it")
	}
	return int(n), second, nil
}

// probed is what a port on this machine said to GET /json/version.
type probed struct {
	ws    string // the WebSocket's address, "" if this is not a browser
	asks  bool   // there is no /json/version: Chrome 144's toggle, the path in the file counts
	state error  // why ws is ""
}

// probe asks the port whose browser it is. A browser names itself; under the toggle
// it answers 404 to everything, and then only the file knows the path.
func probe(ctx context.Context, port int, path string) probed {
	a := probed{state: errRefused}
	for _, host := range []string{"127.0.0.1", "::1"} { // Chromium binds ::1 where there is no IPv4
		addr := net.JoinHostPort(host, strconv.Itoa(port))
		v, err := getVersion(ctx, "http://"+addr, nil)
		switch {
		case err == nil && v.path() != "":
			return probed{ws: "ws://" + addr + v.path()}
		case err == nil:
			a.state = errNotDevTools
		case errors.As(err, new(HTTPStatus)) || hungUp(err): // it may speak WebSocket alone
			return probed{ws: "ws://" + addr + path, asks: true}
		case !errors.Is(err, errRefused):
			a.state = err
		}
		if !errors.Is(err, errRefused) {
			break
		}
	}
	return a
}

func hungUp(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, errReset)
}

var errNotDevTools = errors.New("something answers on its port, but it is not a DevTools server")

// HTTPStatus is the error of an answer with another status than 200.
type HTTPStatus int

func (s HTTPStatus) Error() string { return fmt.Sprintf("HTTP %d %s", int(s), http.StatusText(int(s))) }

// version is the part of /json/version that matters.
type version struct {
	Browser string
	WS      string `json:"webSocketDebuggerUrl"`
}

var httpClient = &http.Client{Transport: &http.Transport{
	Proxy:             http.ProxyFromEnvironment, // the system's proxy settings, which leave loopback addresses alone
	DisableKeepAlives: true,
}}

// getVersion asks base for /json/version. Its errors name no URL, which may hold a token.
func getVersion(ctx context.Context, base string, header http.Header) (v version, err error) {
	req, err := http.NewRequestWithContext(ctx, "GET", base, nil)
	if err != nil {
		return v, Bare(err)
	}
	for name, values := range header {
		req.Header[name] = values
	}
	req.URL.Path = strings.TrimSuffix(req.URL.Path, "/") + "/json/version"
	res, err := httpClient.Do(req)
	if err != nil {
		return v, Bare(err)
	}
	defer res.Body.Close()
	if res.StatusCode != 200 {
		return v, HTTPStatus(res.StatusCode)
	}
	body, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	if err != nil {
		return v, Bare(err)
	}
	if json.Unmarshal(body, &v) != nil {
		return version{}, nil
	}
	return v, nil
}

// lock is what a profile's SingletonLock tells: a link named HOST-PID.
type lock int

const (
	unknown lock = iota // also where another host, or a container, wrote it
	live                // a browser runs on the profile
	dead                // the one that wrote the lock is gone
)

func lockOf(dir string) lock {
	to, err := os.Readlink(filepath.Join(dir, "SingletonLock"))
	i := strings.LastIndexByte(to, '-')
	if err != nil || i < 0 || strings.Contains(filepath.ToSlash(dir), "/.var/app/") { // Flatpak has pids of its own
		return unknown
	}
	pid, err := strconv.Atoi(to[i+1:])
	host, _ := os.Hostname()
	switch {
	case err != nil || pid <= 0 || host != to[:i]:
		return unknown
	case pidAlive(pid):
		return live
	}
	return dead
}

// Silent says whether the browser's DevTools server gives no answer at all within ctx. It
// answers from a thread of its own, to an address that it does not know as well, however
// busy the browser is with its pages.
func (b Browser) Silent(ctx context.Context) bool {
	req, err := http.NewRequestWithContext(ctx, "GET", "http://"+b.Address()+"/alive", nil)
	if err != nil {
		return false
	}
	res, err := httpClient.Do(req)
	if err == nil {
		res.Body.Close()
	}
	return errors.Is(err, context.DeadlineExceeded)
}
