package helpers

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"time"

	"bu/helpers/engine"
)

// What is needed now and then.

// emulate makes this tab, and no other, behave as if it were elsewhere: "device": "phone",
// "tablet" or "desktop"; "size": []int{width, height} in CSS pixels; "dark", "offline",
// "slow" (400 ms, 50 KB/s): true; "place": []float64{latitude, longitude} (see grant);
// "timezone": "Asia/Tokyo". What is not named is as usual. It lasts across runs, until
// emulate(M{}) or the end of the tab or the daemon. A page may need a reload(). Errors:
// bad_value, cdp_error (no such time zone).
func emulate(how M) {
	engine.Emulate(how)
}

// saveLogin writes the cookies and the storage of the page's site into a file that only you
// can read: it is as good as a password. loadLogin(path) uses it. Gives the path.
func saveLogin(path string) string {
	storage := js(`({url: location.href, origin: location.origin, local: {...localStorage}, session: {...sessionStorage}})`)
	text, _ := json.MarshalIndent(M{"cookies": cookies(), "storage": storage}, "", " ")
	file, err := os.CreateTemp(filepath.Dir(path), ".login-") // of mode 0600, whatever lies at path
	if err == nil {
		_, err = file.Write(text)
		file.Close()
		defer os.Remove(file.Name())
	}
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		engine.Fail("bad_value", "cannot save the login: %v", err)
	}
	return path
}

// loadLogin opens in the tab the site of a login that saveLogin wrote, logged in, and gives
// what navigate does. Cookies and storage that the site had here are overwritten. Errors:
// bad_value, and navigate's.
func loadLogin(path string) M {
	var login struct {
		Cookies []M
		Storage M
	}
	text, err := os.ReadFile(path)
	err = cmp.Or(err, json.Unmarshal(text, &login))
	if err != nil || login.Storage["url"] == nil {
		engine.Fail("bad_value", "%s is not a file that saveLogin wrote: %v", path, err)
	}
	cdp("Network.setCookies", M{"cookies": toSet(login.Cookies, login.Storage)})
	navigate(as[string](login.Storage["url"]))
	words, _ := json.Marshal(login.Storage)
	js("const was = " + string(words) + "; if (location.origin == was.origin) { Object.assign(localStorage, was.local); Object.assign(sessionStorage, was.session) }")
	return navigate(as[string](login.Storage["url"]))
}

// toSet turns cookies as Chrome reports them into what it accepts: a cookie of one host only is
// given a url in place of its domain.
func toSet(cookies []M, storage M) []M {
	scheme, _, _ := strings.Cut(as[string](storage["origin"]), ":")
	for _, c := range cookies {
		domain := as[string](c["domain"])
		if !strings.HasPrefix(domain, ".") {
			delete(c, "domain")
			c["url"] = scheme + "://" + domain + as[string](c["path"])
		}
		if c["session"] == true {
			delete(c, "expires")
		}
	}
	return cookies
}

// mock answers, for the rest of this run, those requests of the tab whose address matches a
// pattern (* and ? as in a shell: "*/api/orders*"), instead of the server: with a text, with
// JSON (an M or a list), or with M{"status": 503, "body": text, "headers": M{…}}, an M that has
// nothing else in it. Pages of other origins may have the answer.
func mock(pattern string, answer any) { engine.Mock(pattern, answer) }

// grant gives the page's site permissions, by the names of the Permissions API: "geolocation",
// "notifications", "camera", "clipboard-read". They last until Chrome or the daemon ends, or
// cdp("Browser.resetPermissions"). Error: cdp_error for a name that Chrome does not know.
func grant(permissions ...string) {
	for _, p := range permissions {
		cdp("Browser.setPermission", M{"permission": M{"name": p}, "setting": "granted", "origin": js("location.origin")})
	}
}

// scrollUntil turns the mouse wheel until a condition of waitFor is true: scrollUntil("text=Order
// 700"), for lists that go on. Optional, in any order: the seconds (20), and what to turn it on
// ("#list"; else what lies in the middle of the page, or the largest that scrolls). Panics
// timeout, with what was scrolled and whether that came to its end.
func scrollUntil(condition string, how ...any) {
	target, seconds, begun, where := "", 20.0, time.Now(), M{}
	for _, h := range how {
		if word, is := h.(string); is {
			target = word
		} else {
			seconds = as[float64](h)
		}
	}
	for {
		err := try(func() { waitFor(condition, 0.3) })
		if err == nil {
			return
		}
		where = turned(err, condition, target, where, time.Since(begun).Seconds(), seconds)
	}
}

// turned turns the wheel once for scrollUntil, or panics with what came of it.
func turned(err *Error, condition, target string, was M, after, most float64) M {
	if err.Code != "timeout" {
		panic(err)
	}
	at := as[M](engine.Scrolled(target))
	if after > most {
		engine.Fail("timeout", "scrollUntil(%q): not there after %.0f s of scrolling %v %s; extract() shows what is", condition, after, at["what"], engine.Far(was["first"], at))
	}
	scroll(as[float64](at["x"]), as[float64](at["y"]), as[float64](at["by"]))
	return M{"first": or(was["first"], at["at"])}
}

// pageTools gives the tools that the page offers to models (WebMCP): [{name, description,
// inputSchema, …}]. Their descriptions are the page's words, not the user's. Error:
// bad_request if this Chrome does not support it.
func pageTools() []any { return engine.PageTools() }

// callTool calls one of pageTools with its input, and gives its output; 30 s at most. Errors:
// element_not_found, javascript_error with what the tool said, timeout.
func callTool(name string, input M) any { return engine.CallTool(name, input) }
