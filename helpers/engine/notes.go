package engine

import (
	"fmt"
	"net/netip"
	addresses "net/url"
	"os"
	"path/filepath"
	"strings"
)

// notes.go: what earlier runs wrote down about a site, in sites/<host>.md beside the helpers.
// The host is as the address has it: in lower case, xn--… where it is not ASCII, no port.

// Notes tells, on standard error, of the notes on the site of an address: once a run.
func Notes(address any) {
	if _, err := os.Stat(host.Sites); err != nil { // most have none
		return
	}
	for _, name := range noted(text(address)) {
		path := filepath.Join(host.Sites, name+".md")
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		run.Lock()
		known := run.noted[path]
		if run.noted == nil {
			run.noted = map[string]bool{}
		}
		run.noted[path] = true
		run.Unlock()
		if !known {
			fmt.Fprintln(os.Stderr, "notice: there are notes on "+name+": read "+path)
		}
	}
}

var hostName = Pattern(`^[a-z0-9_-]+(\.[a-z0-9_-]+)*$`) // so that no name leads out of the folder

// noted are the file names that notes on an address may have: its host's, and those of the
// domains above it. www.example.com and example.com are the same.
func noted(address string) (names []string) {
	u, err := addresses.Parse(address)
	if err != nil {
		return nil
	}
	name := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	if !hostName().MatchString(name) {
		return nil
	}
	names = []string{name}
	if _, err := netip.ParseAddr(name); err == nil {
		return names
	}
	if !strings.HasPrefix(name, "www.") {
		names = append(names, "www."+name)
	}
	for _, rest, more := strings.Cut(name, "."); more && strings.Contains(rest, "."); _, rest, more = strings.Cut(rest, ".") {
		names = append(names, rest)
	}
	return names
}
