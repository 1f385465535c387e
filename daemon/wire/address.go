package wire

import (
	"net"
	"net/url"
	"strings"
)

// Address is the host and port of the browser that BU_CDP_WS or BU_CDP_URL names, ""
// where neither is set. A caller sends it along, so that a daemon of that name which
// drives another browser refuses instead of answering for it.
func Address(env func(string) string) string {
	named := env("BU_CDP_WS")
	if named == "" {
		named = env("BU_CDP_URL")
	}
	u, err := url.Parse(named)
	if err != nil || u.Hostname() == "" {
		return ""
	}
	port := u.Port()
	if port == "" {
		port = defaultPorts[strings.ToLower(u.Scheme)]
	}
	return net.JoinHostPort(strings.ToLower(u.Hostname()), port)
}
