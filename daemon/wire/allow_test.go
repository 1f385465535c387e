package wire

import (
	"strings"
	"testing"
)

func TestHosts(t *testing.T) {
	hosts, err := ParseHosts("Example.com, *.example.com,localhost:8080 127.0.0.1 [::1]:9000")
	if err != nil {
		t.Fatal(err)
	}
	for address, place := range map[string]string{ // "" is allowed
		"https://example.com/x?y": "", "HTTP://EXAMPLE.com.:81/": "", "wss://a.b.example.com/": "", "http://user:pw@a.example.com": "",
		"http://localhost:8080/": "", "ws://127.0.0.1:1/": "", "http://[::1]:9000/": "",
		"about:blank": "", "data:text/html,http://evil.com": "", "blob:https://evil.com/1": "", "chrome-error://chromewebdata/": "",
		"https://notexample.com/": "notexample.com", "https://example.com.evil.com/": "example.com.evil.com", "http://localhost/": "localhost",
		"http://localhost:80801/": "localhost", "https://example.com@evil.com/": "evil.com", "http://[::1]/": "::1", "http://evil.com/?example.com": "evil.com",
		"file:///etc/passwd": "file:", "chrome://settings": "chrome:", "view-source:https://evil.com": "view-source:", "ftp://example.com/": "ftp:",
		"http://": "http:", "https://%zz/": "https:", "filesystem:https://evil.com/x": "filesystem:",
	} {
		if got, ok := hosts.Allow(address); got != place || ok != (place == "") {
			t.Errorf("%s: %q, %v; want %q", address, got, ok, place)
		}
	}
	if _, ok := Hosts(nil).Allow("file:///x"); !ok {
		t.Error("no limits limit")
	}
	for _, bad := range []string{"*", "*.", "http://example.com", "example.com/", "a..b", "-a.com", "a-.com", "*.*.com", "exam*ple.com", "a b/c", "bücher.de", "a:b", "a:123456", ".com", ",", " ", "a,,http:", "[x]", "a@b"} {
		if h, err := ParseHosts(bad); err == nil {
			t.Errorf("%q: %v", bad, h)
		}
	}
	if h, err := ParseHosts(""); h != nil || err != nil {
		t.Errorf("nothing set: %v, %v", h, err)
	}
}

func TestHostsWithin(t *testing.T) {
	for _, c := range [][3]string{ // hosts, outer, both
		{"a.x, b.x", "b.x c.x", "b.x"}, {"*.x.com", "a.x.com", "a.x.com"}, {"a.x.com", "*.x.com", "a.x.com"},
		{"*.x.com", "*.x.com a.x.com", "*.x.com"}, {"*.x.com", "*.y.x.com", "*.y.x.com"}, {"x.com", "*.x.com", ""},
		{"a", "a:80", "a:80"}, {"a:80", "a", "a:80"}, {"a:80", "a:81", ""}, {"*.x.com:80", "a.x.com", "a.x.com:80"},
		{"[::1]", "[::1]:9", "[::1]:9"}, {"a b", "b a", "a b"},
	} {
		hosts, _ := ParseHosts(c[0])
		outer, _ := ParseHosts(c[1])
		want, _ := ParseHosts(c[2])
		if got := hosts.Within(outer); got == nil || strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%s within %s: %q, want %q", c[0], c[1], got, want)
		}
	}
	if got := (Hosts{"a"}).Within(nil); len(got) != 1 {
		t.Errorf("within no limits: %q", got)
	}
	if _, ok := (Hosts{}).Allow("http://a/"); ok {
		t.Error("no host at all allows one")
	}
}

func TestHostsCookie(t *testing.T) {
	hosts := Hosts{"app.example.com", "*.wild.org", "127.0.0.1:80"}
	for domain, sent := range map[string]bool{
		"app.example.com": true, ".app.example.com": true, ".example.com": true, "example.com": false, "other.example.com": false,
		".b.app.example.com": false, "a.wild.org": true, ".wild.org": true, "wild.org": false, "127.0.0.1": true, "evil.com": false, ".com": true, "": false,
	} {
		if got := hosts.Cookie(domain); got != sent {
			t.Errorf("%s: %v, want %v", domain, got, sent)
		}
	}
}
