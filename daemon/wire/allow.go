package wire

import (
	"cmp"
	"fmt"
	"net"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Hosts are the patterns of BU_ALLOW: "example.com" is that host alone,
// "*.example.com" any host below it; ":8080" behind either, that port alone. Nil
// allows every host.
type Hosts []string

// hostPattern is compiled when it is first needed: every run has this package in it.
var hostPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\*\.)?([a-z0-9_]([a-z0-9_-]*[a-z0-9_])?\.)*[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(:[0-9]{1,5})?$|^\[[0-9a-f:.]+\](:[0-9]{1,5})?$`)
})

// ParseHosts reads BU_ALLOW: patterns with commas or spaces between.
func ParseHosts(value string) (Hosts, error) {
	var hosts Hosts
	for _, p := range strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' }) {
		if p = strings.ToLower(p); !hostPattern().MatchString(p) {
			return nil, fmt.Errorf("BU_ALLOW: %q is not a host pattern; write example.com, *.example.com or localhost:8080, separated by commas (international names as xn--…)", p)
		}
		hosts = append(hosts, p)
	}
	if hosts == nil && value != "" {
		return nil, fmt.Errorf("BU_ALLOW=%q names no host", value)
	}
	return hosts, nil
}

var defaultPorts = map[string]string{"http": "80", "ws": "80", "https": "443", "wss": "443"}

// Allow says whether a page under these limits may go to address, and what to call
// the place if not. What never leaves the browser (about:, data:, blob:) is free;
// addresses without a host (file:, chrome:) are not.
func (hosts Hosts) Allow(address string) (place string, ok bool) {
	if hosts == nil {
		return "", true
	}
	scheme, _, _ := strings.Cut(address, ":")
	switch scheme = strings.ToLower(scheme); scheme {
	case "about", "data", "blob", "javascript", "chrome-error", "":
		return "", true
	}
	u, err := url.Parse(address)
	if err != nil || defaultPorts[scheme] == "" || u.Hostname() == "" {
		return scheme + ":", false
	}
	host, port := strings.TrimSuffix(strings.ToLower(u.Hostname()), "."), u.Port()
	if port == "" {
		port = defaultPorts[scheme]
	}
	for _, p := range hosts {
		name, only := cut(p)
		if (only == "" || only == port) && covers(name, host) {
			return "", true
		}
	}
	return u.Hostname(), false
}

// cut takes a pattern apart: its name and its port, if it has one.
func cut(pattern string) (name, port string) {
	name, port, err := net.SplitHostPort(pattern)
	if err != nil {
		return strings.Trim(pattern, "[]"), ""
	}
	return name, port
}

// covers says whether a pattern's name covers a host, or all that another pattern's name does.
func covers(name, other string) bool {
	below, wild := strings.CutPrefix(name, "*")
	return name == other || wild && strings.HasSuffix(other, below)
}

// Within gives the hosts that are among outer's as well: none is an empty list, not nil.
func (hosts Hosts) Within(outer Hosts) Hosts {
	if outer == nil {
		return hosts
	}
	both := Hosts{}
	for _, p := range hosts {
		var narrower []string
		for _, q := range outer {
			if inside(p, q) {
				narrower = []string{p}
				break
			}
			name, port := cut(p)
			other, only := cut(q)
			if port != "" && only != "" && port != only || !covers(name, other) && !covers(other, name) {
				continue
			}
			if covers(name, other) {
				name = other
			}
			if strings.Contains(name, ":") {
				name = "[" + name + "]"
			}
			if port = cmp.Or(port, only); port != "" {
				name += ":" + port
			}
			narrower = append(narrower, name)
		}
		for _, n := range narrower {
			if !slices.Contains(both, n) {
				both = append(both, n)
			}
		}
	}
	return both
}

// inside says whether all that pattern p names is named by q.
func inside(p, q string) bool {
	name, port := cut(p)
	other, only := cut(q)
	return (only == "" || only == port) && covers(other, name)
}

// Cookie says whether a cookie of this domain is sent to one of the hosts.
func (hosts Hosts) Cookie(domain string) bool {
	d, many := strings.CutPrefix(strings.ToLower(domain), ".")
	d = strings.Trim(d, "[]")
	for _, p := range hosts {
		name, _ := cut(p)
		if covers(name, d) || many && strings.HasSuffix("."+strings.TrimPrefix(name, "*."), "."+d) {
			return true
		}
	}
	return hosts == nil
}
