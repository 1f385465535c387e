package helpers

import (
	"net/netip"
	"net/url"
	"strings"

	"bu/helpers/engine"
)

// navigate takes the tab to an address (https:// when it has no scheme; http:// for this
// machine and its network: private addresses, names without a dot, port 80) and returns when
// the page has loaded, or after about 1 s; waitForLoad() waits longer. It gives what that
// caused, as click does: {navigated: where it led}, {dialog} that opened on the way,
// {download} for a file to save, {status, note} for an answer without content (204), which
// leaves the tab on the page before. If sites/ has notes on where it led, standard error
// names them. Errors: navigation_failed with Chrome's reason, timeout after 30 s without an
// answer.
func navigate(address string) M {
	address = withScheme(address)
	return engine.Step(func() M { return goTo(address) }, "navigate", "", engine.Bare(address))
}

func goTo(address string) M {
	why := ""
	got := engine.Going(address, func() {
		went := cdp("Page.navigate", M{"url": address})
		if went["isDownload"] != true {
			why, _ = went["errorText"].(string)
		}
	})
	engine.Notes(or(got["navigated"], address))
	if why != "" && got["note"] == nil && got["download"] == nil {
		try(func() { waitForLoad(1) }) // for Chrome's error page, so that the next step does not take its load event for its own
		engine.Fail("navigation_failed", "%s: %v", engine.Bare(address), or(got["auth"], why))
	}
	return got
}

// httpAuth gives the server the name and password that it asks for, and loads the page;
// Chrome knows them from then on. Error: navigation_failed if they are rejected.
func httpAuth(name, password string) M {
	engine.Hide(password)
	return engine.Step(func() M { return engine.Authenticate(name, password) }, "httpAuth", "", name)
}

// reload loads the page again, as navigate does.
func reload() M {
	return engine.Step(func() M { return engine.Going("", func() { engine.Reload(nil) }) }, "reload", "")
}

// back and forward go one step through the tab's history, as navigate does.
// Error: navigation_failed at its end.
func back() M    { return engine.Step(func() M { return step(-1) }, "back", "") }
func forward() M { return engine.Step(func() M { return step(+1) }, "forward", "") }

func step(by int) M {
	history := cdp("Page.getNavigationHistory")
	i := as[int](history["currentIndex"]) + by
	entry := get(history, "entries", i)
	if i < 0 || entry == nil {
		engine.Fail("navigation_failed", "the tab's history has no further page in that direction; use navigate(url)")
	}
	return engine.Going(as[string](get(entry, "url")), func() {
		cdp("Page.navigateToHistoryEntry", M{"entryId": get(entry, "id")})
	})
}

var hasScheme = engine.Pattern(`^[a-zA-Z][a-zA-Z0-9+.-]*:(\D|$)`) // "localhost:80" has none

func withScheme(address string) string {
	if hasScheme().MatchString(address) {
		return address
	}
	u, err := url.Parse("http://" + address)
	if err == nil && (u.Port() == "80" || local(u.Hostname())) {
		return "http://" + address
	}
	return "https://" + address
}

// local says whether a host is this machine or in its network; such hosts seldom have a
// certificate.
func local(host string) bool {
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return !strings.Contains(host, ".") || strings.HasSuffix(host, ".localhost")
	}
	return ip.IsPrivate() || ip.IsLoopback() || ip.IsLinkLocalUnicast() || ip.IsUnspecified()
}

const info = `({url: location.href, title: document.title, w: innerWidth, h: innerHeight, sx: scrollX, sy: scrollY,
 pw: (document.scrollingElement ?? document.documentElement)?.scrollWidth ?? 0, ph: (document.scrollingElement ?? document.documentElement)?.scrollHeight ?? 0})`

// pageInfo gives {url, title, w, h, sx, sy, pw, ph}: the window's size, how far it is
// scrolled and the whole page's size, in CSS pixels; {dialog} while one is open.
func pageInfo() M {
	var got any
	err := try(func() {
		got = get(cdp("Runtime.evaluate", M{"expression": info, "returnByValue": true}, M{"spare": true}), "result", "value")
	})
	if err != nil && err.Code == "dialog_open" {
		return M{"dialog": err.Data["dialog"]}
	}
	if err != nil {
		panic(err)
	}
	return as[M](got)
}

// js runs JavaScript in the page, or in the target given (see iframeTarget), as the
// console of the developer tools does, and gives the value of the last expression. code may
// also use return, or be one function, which is called; a promise is waited for.
// Values come as JSON has them (dates as text, a Map or Set as a list, a BigInt as a text
// of digits); a bare NaN, Infinity or -0 is that float64; undefined is nil; a symbol, a
// function or a DOM node is a text that describes it.
// Errors: javascript_error with what was thrown and where, dialog_open, timeout (30 s).
func js(code string, target ...string) (value any) {
	if len(target) == 0 {
		return engine.JS(code, "")
	}
	engine.Visit(target[0], func(session string) { value = engine.JS(code, session) })
	return value
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
