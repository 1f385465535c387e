package engine

import (
	"bytes"
	"mime"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
)

var (
	textual = Pattern(`^text/|[/+](json|xml|javascript)$|^application/x-www-form`)
	comment = Pattern(`(?s)<!--.*?-->`)
	meta    = Pattern(`(?i)<meta\s[^>]*\bcharset\s*=\s*["']?\s*([^\s"'>;]+)`)
)

// Decode makes text of what a server sent, as browsers do: by its byte order mark, the
// Content-Type, the page's own meta, else UTF-8 or windows-1252. What is not text stays as it is.
func Decode(body []byte, contentType string) string {
	kind, params, _ := mime.ParseMediaType(contentType)
	if kind != "" && !textual().MatchString(kind) {
		return string(body)
	}
	if params["charset"] == "" && utf8.Valid(body) {
		return strings.TrimPrefix(string(body), "\ufeff")
	}
	decoded, err := encodingOf(body, params["charset"]).NewDecoder().Bytes(body)
	if err != nil {
		return string(body)
	}
	return strings.TrimPrefix(string(decoded), "\ufeff")
}

// encodingOf is the order of https://html.spec.whatwg.org/#determining-the-character-encoding.
func encodingOf(body []byte, said string) encoding.Encoding {
	for mark, label := range map[string]string{"\xef\xbb\xbf": "utf-8", "\xfe\xff": "utf-16be", "\xff\xfe": "utf-16le"} {
		if bytes.HasPrefix(body, []byte(mark)) {
			said = label
		}
	}
	if e, err := htmlindex.Get(said); err == nil {
		return e
	}
	if m := meta().FindSubmatch(comment().ReplaceAll(body[:min(len(body), 1024)], nil)); m != nil {
		label := strings.ToLower(string(m[1]))
		if strings.HasPrefix(label, "utf-16") { // a meta tag in UTF-16 could not be read as one
			label = "utf-8"
		}
		if e, err := htmlindex.Get(label); err == nil {
			return e
		}
	}
	if e, err := htmlindex.Get("utf-8"); err == nil && utf8.Valid(body) {
		return e
	}
	return charmap.Windows1252
}
