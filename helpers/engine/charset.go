package engine

import (
	"mime"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
)

var textual = regexp.MustCompile(`^text/|[/+](json|xml|javascript)$|^application/x-www-form`)

// Decode makes text of what a server sent, as browsers do: by its byte order mark, the
// Content-Type, the page's own meta, else UTF-8 or windows-1252. What is no text stays as it is.
func Decode(body []byte, contentType string) string {
	kind, params, _ := mime.ParseMediaType(contentType)
	if kind != "" && !textual.MatchString(kind) || params["charset"] == "" && utf8.Valid(body) {
		return string(body)
	}
	encoding, _, _ := charset.DetermineEncoding(body[:min(len(body), 1024)], contentType)
	decoded, err := encoding.NewDecoder().Bytes(body)
	if err != nil {
		return string(body)
	}
	return strings.TrimPrefix(string(decoded), "\ufeff")
}
