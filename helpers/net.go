package helpers

import (
	"encoding/base64"

	"bu/helpers/engine"
)

// What the page said and asked for, read from the newest 500 events of the tab.

// console gives what the page wrote to its console and what it threw, oldest first, the
// newest n (20): [{type: log|warning|error|exception|…, text, url, line}].
func console(n ...float64) []any { return engine.Console(int(option(n, 0, 20))) }

// requests gives the tab's requests whose address contains part (all), oldest first: [{id,
// method, url, type, status, mime, failed: why}]; one that is pending has no status.
func requests(part ...string) []any { return engine.Requests(append(part, "")[0]) }

// responseBody gives the body of the response to a request of requests(), as text. Error:
// cdp_error when Chrome no longer has it (after a navigation, or when it was big).
func responseBody(id string) string {
	got := cdp("Network.getResponseBody", M{"requestId": id})
	body := as[string](got["body"])
	if got["base64Encoded"] == true {
		raw, _ := base64.StdEncoding.DecodeString(body)
		return string(raw)
	}
	return body
}
