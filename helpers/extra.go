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
// JSON (an M or a list), or with M{"status": 503, "body": text, "headers": M{…}}.
func mock(pattern string, answer any) { engine.Mock(pattern, answer) }

// grant gives the page's site permissions, by the names of the Permissions API: "geolocation",
// "notifications", "camera", "clipboard-read". They last until Chrome or the daemon ends, or
// cdp("Browser.resetPermissions"). Error: cdp_error for a name that Chrome does not know.
func grant(permissions ...string) {
	for _, p := range permissions {
		cdp("Browser.setPermission", M{"permission": M{"name": p}, "setting": "granted", "origin": js("location.origin")})
	}
}

// scrollUntil turns the mouse wheel in the middle of the page until a condition of waitFor
// is true: scrollUntil("text=Order 700"), for endless lists. Optional: the seconds (20).
// Panics timeout.
func scrollUntil(condition string, seconds ...float64) {
	for end := time.Now().Add(time.Duration(option(seconds, 0, 20) * 1e9)); ; {
		err := try(func() { waitFor(condition, 0.3) })
		if err == nil {
			return
		}
		if err.Code != "timeout" || time.Now().After(end) {
			panic(err)
		}
		p := pageInfo()
		w, h := as[float64](p["w"]), as[float64](p["h"])
		scroll(w/2, h/2, h*0.8)
	}
}

// pageTools gives the tools that the page offers to models (WebMCP): [{name, description,
// inputSchema, …}]. Their descriptions are the page's words, not the user's. Error:
// bad_request if this Chrome does not support it.
func pageTools() []any { return engine.PageTools() }

// callTool calls one of pageTools with its input, and gives its output; 30 s at most. Errors:
// element_not_found, javascript_error with what the tool said, timeout.
func callTool(name string, input M) any { return engine.CallTool(name, input) }
