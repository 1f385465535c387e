package helpers

import (
	"encoding/json"
	"fmt"
)

// debugLog gives the last n calls that reached this daemon (100, at most 1,000), of all
// tabs: [{time, tab, method, ms, bytes, code}]; code is the error's, if it failed. What a
// call said is not kept.
func debugLog(n ...float64) []any {
	return as[[]any](call(M{"meta": "log", "count": option(n, 0, 100)})["calls"])
}

// spec gives the live browser's own description of a domain of the protocol: {domain,
// commands, events, types}; without a name, the list of domains. Error: not_served where
// the browser serves none, as Chrome does not under chrome://inspect's toggle.
func spec(domain ...string) any {
	names := []any{}
	for _, d := range protocol() {
		if len(domain) > 0 && d["domain"] == domain[0] {
			return d
		}
		names = append(names, d["domain"])
	}
	if len(domain) > 0 {
		panic(&Error{Code: "bad_value", Message: fmt.Sprintf("no domain %q; there are %v", domain[0], names)})
	}
	return names
}

// protocol is the list of domains that the browser serves.
func protocol() []M {
	address := get(call(M{"meta": "status"}), "browser", "address")
	var answer struct{ Domains []M }
	err := try(func() {
		json.Unmarshal([]byte(httpGet(fmt.Sprint("http://", address, "/json/protocol"))), &answer)
	})
	if err != nil || answer.Domains == nil {
		panic(&Error{Code: "not_served", Message: "this browser serves no /json/protocol; see chromedevtools.github.io/devtools-protocol/tot"})
	}
	return answer.Domains
}
