package engine

import (
	"fmt"
	"strings"
)

// net.go: a page's console and requests, from the daemon's events.

// Console gives the newest n messages and exceptions of the page, oldest first.
func Console(n int) []any {
	found, _ := since(0, 0, "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")
	all := []any{}
	for _, e := range found {
		all = append(all, message(text(at(e, "method")), object(at(e, "params"))))
	}
	return all[max(0, len(all)-max(0, n)):]
}

func message(method string, p M) M {
	switch method {
	case "Runtime.exceptionThrown":
		d := object(p["exceptionDetails"])
		return M{"type": "exception", "text": thrown(d, nil), "url": d["url"], "line": number(d["lineNumber"]) + 1}
	case "Log.entryAdded":
		return M{"type": at(p, "entry", "level"), "text": at(p, "entry", "text"), "url": at(p, "entry", "url"), "line": number(at(p, "entry", "lineNumber")) + 1}
	}
	var words []string
	for _, a := range list(p["args"]) {
		word := at(a, "value")
		if word == nil {
			word = at(a, "description")
		}
		if word == nil {
			word = at(a, "type")
		}
		words = append(words, fmt.Sprint(word))
	}
	said := M{"type": p["type"], "text": strings.Join(words, " ")}
	if frames := list(at(p, "stackTrace", "callFrames")); len(frames) > 0 {
		said["url"], said["line"] = at(frames[0], "url"), number(at(frames[0], "lineNumber"))+1
	}
	return said
}

// Requests gives the tab's requests whose address has part in it, oldest first.
func Requests(part string) []any {
	found, _ := since(0, 0, "Network.requestWillBeSent", "Network.responseReceived", "Network.loadingFailed")
	all, by := []any{}, map[string]M{}
	for _, e := range found {
		p := object(at(e, "params"))
		id := text(p["requestId"])
		r := by[id]
		switch {
		case at(e, "method") == "Network.requestWillBeSent":
			if r != nil { // which was redirected
				r["status"] = at(p, "redirectResponse", "status")
			}
			if address := text(at(p, "request", "url")); strings.Contains(address, part) {
				by[id] = M{"id": id, "method": at(p, "request", "method"), "url": Bare(address), "type": p["type"]}
				all = append(all, by[id])
			} else {
				delete(by, id)
			}
		case r == nil:
		case at(e, "method") == "Network.responseReceived":
			r["status"], r["mime"] = at(p, "response", "status"), at(p, "response", "mimeType")
		default:
			r["failed"] = p["errorText"]
		}
	}
	return all
}
