package helpers

import (
	"net/url"
	"regexp"
	"strings"
)

// navigate takes the tab to an address (https:// when it has no scheme; http:// for this
// machine) and returns when the page has loaded, or after about 1 s; waitForLoad() waits
// longer. It gives what that caused, as click does: {navigated: where it led}, {dialog}
// that came up on the way, {download} for a file to save.
// Errors: navigation_failed with Chrome's reason, timeout after 30 s without an answer.
func navigate(address string) M {
	address = withScheme(address)
	return follow(func() {
		went := cdp("Page.navigate", M{"url": address})
		if why, _ := went["errorText"].(string); why != "" && went["isDownload"] != true {
			try(func() { waitForLoad(1) }) // of Chrome's error page, which what comes next must not take for its own
			panic(&Error{Code: "navigation_failed", Message: address + ": " + why})
		}
	}, M{"going": address, "loads": true})
}

// reload loads the page again, as navigate does.
func reload() M {
	return follow(func() { cdp("Page.reload") }, M{"going": true, "loads": true})
}

// back and forward go one step through the tab's history, as navigate does.
// Error: navigation_failed at its end.
func back() M    { return step(-1) }
func forward() M { return step(+1) }

func step(by int) M {
	history := cdp("Page.getNavigationHistory")
	i := as[int](history["currentIndex"]) + by
	entry := get(history, "entries", i)
	if i < 0 || entry == nil {
		panic(&Error{Code: "navigation_failed", Message: "the tab's history ends here"})
	}
	return follow(func() {
		cdp("Page.navigateToHistoryEntry", M{"entryId": get(entry, "id")})
	}, M{"going": get(entry, "url"), "loads": true})
}

var hasScheme = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9+.-]*:(\D|$)`) // "localhost:80" has none

func withScheme(address string) string {
	if hasScheme.MatchString(address) {
		return address
	}
	u, err := url.Parse("http://" + address)
	if err == nil && (u.Hostname() == "localhost" || strings.HasPrefix(u.Hostname(), "127.") || u.Hostname() == "::1") {
		return "http://" + address
	}
	return "https://" + address
}

const info = `({url: location.href, title: document.title, w: innerWidth, h: innerHeight, sx: scrollX, sy: scrollY,
 pw: document.documentElement?.scrollWidth ?? 0, ph: document.documentElement?.scrollHeight ?? 0})`

// pageInfo gives {url, title, w, h, sx, sy, pw, ph}: the window's size, how far it is
// scrolled and the whole page's size, in CSS pixels; {dialog} while one is open.
func pageInfo() M {
	var got M
	err := try(func() {
		got = as[M](get(cdp("Runtime.evaluate", M{"expression": info, "returnByValue": true}), "result", "value"))
	})
	if err != nil && err.Code == "dialog_open" {
		return M{"dialog": err.Data["dialog"]}
	}
	if err != nil {
		panic(err)
	}
	return got
}

// cookies gives the cookies that the browser sends to the page, or to the addresses
// given: CDP's [{name, value, domain, path, expires, httpOnly, secure, …}].
func cookies(urls ...string) []any {
	params := M{}
	if len(urls) > 0 {
		params["urls"] = urls
	}
	return as[[]any](cdp("Network.getCookies", params)["cookies"])
}
