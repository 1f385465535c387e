package wire

import (
	"fmt"
	"net"
	"net/url"
	"regexp"
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
			return nil, fmt.Errorf("BU_ALLOW: %q is no host pattern; write example.com, *.example.com or localhost:8080, with commas between (a name of other letters as xn--…)", p)
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
// what is no host's (file:, chrome:) is not.
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
		name, only, err := net.SplitHostPort(p)
		if err != nil {
			name, only = strings.Trim(p, "[]"), ""
		}
		below, wild := strings.CutPrefix(name, "*")
		if (only == "" || only == port) && (name == host || wild && strings.HasSuffix(host, below)) {
			return "", true
		}
	}
	return u.Hostname(), false
}
