package discover

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const toggle = `open chrome://inspect/#remote-debugging in it and tick "Allow remote debugging for this browser instance"`

// off says why a profile has no DevToolsActivePort.
func (f finding) off() string {
	switch {
	case f.lock == live:
		return "is running, but remote debugging is off"
	case toggled(f.Dir):
		return "is not running (remote debugging is on in its settings)"
	}
	return "is not running, or remote debugging is off"
}

// stale says why what a DevToolsActivePort names cannot be attached to.
func (f finding) stale(port int, err error) string {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Sprintf("does not answer on port %d: it is frozen or overloaded", port)
	case f.lock == live:
		return fmt.Sprintf("is running, but remote debugging is off: its DevToolsActivePort is stale, and it does not listen on port %d", port)
	case f.lock == dead, errors.Is(err, errRefused):
		return fmt.Sprintf("is not running: its DevToolsActivePort is stale, and nothing listens on port %d", port)
	}
	return fmt.Sprintf("cannot be reached on port %d: %v", port, err)
}

// next is the one step that helps.
func (f finding) next() string {
	switch {
	case strings.HasPrefix(f.state, "does not answer"):
		return "Close it, or wait until it answers"
	case f.lock == live:
		return "In that browser, " + toggle
	case toggled(f.Dir):
		return "Start it"
	}
	return "Start it, " + toggle
}

// toggled reads the setting that chrome://inspect/#remote-debugging writes.
func toggled(dir string) bool {
	var s struct {
		DevTools struct {
			Remote struct {
				On bool `json:"user-enabled"`
			} `json:"remote_debugging"`
		}
	}
	text, _ := os.ReadFile(filepath.Join(dir, "Local State"))
	return json.Unmarshal(text, &s) == nil && s.DevTools.Remote.On
}

// nothing is the error of a search that found no browser: what was looked at, in
// what state it was, and the next step.
func nothing(found []finding, home string) error {
	var b strings.Builder
	var best *finding
	b.WriteString("no browser to attach to. Looked at:")
	for i, f := range found {
		if !f.exists {
			continue
		}
		fmt.Fprintf(&b, "\n  %s (%s) %s", f.Kind, tilde(f.Dir, home), f.state)
		if best == nil || f.lock == live && best.lock != live {
			best = &found[i]
		}
	}
	missing, kinds, roots := absent(found, home)
	fmt.Fprintf(&b, "\n  no such profile: %s, nor any other of %s in %s", missing, kinds, roots)
	b.WriteString("\n  BU_CDP_WS and BU_CDP_URL are not set\n")
	if best != nil {
		fmt.Fprintf(&b, "Next, %s (%s): %s. Then run again", best.Kind, tilde(best.Dir, home), best.next())
	} else {
		b.WriteString("Next: start Chrome, " + toggle + ". Then run again")
	}
	return noBrowser("%s", b.String())
}

// absent sums up the profiles that do not exist: the likeliest by their paths, the
// others by the names of the browsers and the folders that were searched.
func absent(found []finding, home string) (likely, kinds, roots string) {
	var first, names, dirs []string
	for _, f := range found {
		if !slices.Contains(names, f.Kind) {
			names = append(names, f.Kind)
			if !f.exists && len(first) < 2 {
				first = append(first, tilde(f.Dir, home))
			}
		}
		if root := tilde(f.Root, home); !slices.Contains(dirs, root) {
			dirs = append(dirs, root)
		}
	}
	return strings.Join(first, ", "), strings.Join(names, ", "), strings.Join(dirs, ", ")
}

func tilde(dir, home string) string {
	if rest, ok := strings.CutPrefix(dir, home); ok && home != "" {
		return "~" + rest
	}
	return dir
}

// attachError says why the WebSocket to b did not open, and what to do. The text
// holds nothing of b.WS but its host.
func attachError(err error, b Browser) error {
	where := b.Identity().String()
	var refused interface {
		error
		Status() int
	}
	if errors.As(err, &refused) {
		return noBrowser("%s %s", where, refusal(refused.Status(), b))
	}
	var unknown x509.UnknownAuthorityError
	var dns *net.DNSError
	switch err = Bare(err); {
	case errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded):
		if b.Asks {
			return noBrowser(`%s did not open the connection: it asked "Allow remote debugging?" and nobody answered. Close that prompt, run again and click Allow`, where)
		}
		return noBrowser("%s did not answer in time: check whether it is frozen", where)
	case errors.As(err, &unknown):
		return noBrowser("%s has a certificate from an unknown authority: set SSL_CERT_FILE to that authority's file", where)
	case errors.As(err, &dns):
		return noBrowser("%s: no host has that name (%s)", where, b.Source)
	case errors.Is(err, errRefused):
		return noBrowser("%s is not running: nothing listens there (%s)", where, b.Source)
	case hungUp(err):
		return noBrowser("%s closed the connection at once: it is ending, or it is not a browser (%s)", where, b.Source)
	}
	return noBrowser("%s cannot be reached (%s): %v", where, b.Source, err)
}

func refusal(status int, b Browser) string {
	switch {
	case status == 403 && b.Asks:
		return `was answered with Cancel when it asked "Allow remote debugging?": run again and click Allow`
	case status == 404:
		return fmt.Sprintf("has no browser at the address that %s names: it was probably restarted; look its address up again", b.Source)
	case status == 401 || status == 403 || status == 407:
		return fmt.Sprintf("refuses this client (%v): check the token or key in %s", HTTPStatus(status), b.Source)
	case status == 500:
		return fmt.Sprintf("answered %v: Chrome does that when it is addressed by a host name; use its IP address in %s", HTTPStatus(status), b.Source)
	}
	return fmt.Sprintf("answered %v instead of opening a WebSocket (%s)", HTTPStatus(status), b.Source)
}

// Bare takes the URL, which may hold a token, out of an error.
func Bare(err error) error {
	var u *url.Error
	for errors.As(err, &u) {
		err = u.Err
	}
	return err
}
