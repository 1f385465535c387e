package record

import (
	"encoding/json"
	"go/scanner"
	"go/token"
	"html"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// mask keeps passwords out of what a recording says.
type mask struct {
	secrets []string // what has been in password fields, also while it was typed
	typed   string   // what the keys of now have typed into one
	learnt  bool     // of a secret since what is in the page was last looked through
}

const masked = "••••"

func (m *mask) note(secret string) {
	if secret != "" && !slices.Contains(m.secrets, secret) {
		m.secrets, m.learnt = append(m.secrets, secret), true
	}
}

// key gets what a key is about to type, and whether that goes into a password field:
// afterwards the field may be gone.
func (m *mask) key(text string, secret bool) {
	if !secret {
		m.typed = ""
		return
	}
	m.typed += text
	m.note(m.typed)
}

// forms are the texts that stand for the secrets, the longest first, so that none is
// left half covered by a shorter one. The beginnings that typing passed through are left
// out, and so is what is too short to be told from other text.
func (m *mask) forms() (forms []string) {
	for _, s := range m.whole() {
		marshalled, _ := json.Marshal(s)
		quoted := strconv.Quote(s)
		forms = append(forms, s, inside(string(marshalled)), inside(plain(s)), inside(quoted), strings.ReplaceAll(inside(quoted), `\"`, `"`),
			strings.ReplaceAll(strings.ReplaceAll(s, `\`, `\\`), `'`, `\'`),
			url.QueryEscape(s), url.PathEscape(s), html.EscapeString(s))
	}
	slices.SortFunc(forms, func(a, b string) int { return len(b) - len(a) })
	return slices.Compact(forms)
}

// whole are the secrets that are not the beginning of another.
func (m *mask) whole() (all []string) {
	for _, s := range m.secrets {
		if len(s) >= 3 && !slices.ContainsFunc(m.secrets, func(o string) bool { return o != s && strings.HasPrefix(o, s) }) {
			all = append(all, s)
		}
	}
	return all
}

// entry is e without the secrets.
func (m *mask) entry(e entry) entry {
	e.What, e.Got, e.Error, e.Output = m.text(e.What), m.text(e.Got), m.text(e.Error), m.text(e.Output)
	e.Snippet = m.text(m.snippet(e.Snippet))
	e.Values, e.Calls = slices.Clone(e.Values), slices.Clone(e.Calls)
	for i, v := range e.Values {
		e.Values[i] = m.text(v)
	}
	for i, c := range e.Calls {
		e.Calls[i] = m.text(c)
	}
	return e
}

func inside(quoted string) string { return quoted[1 : len(quoted)-1] }

// text is s without the secrets.
func (m *mask) text(s string) string {
	for _, f := range m.forms() {
		s = strings.ReplaceAll(s, f, masked)
	}
	return s
}

// snippet is text for Go: a literal with a secret in it is masked however it is
// written, and so is one that is a part of a secret, as pressKey("x") is.
func (m *mask) snippet(src string) string {
	if len(m.secrets) == 0 {
		return src
	}
	var out strings.Builder
	var scan scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(src))
	scan.Init(file, []byte(src), func(token.Position, string) {}, 0) // what does not scan as Go is masked as text
	copied := 0
	for {
		pos, tok, literal := scan.Scan()
		if tok == token.EOF {
			break
		}
		if tok != token.STRING && tok != token.CHAR {
			continue
		}
		value, err := strconv.Unquote(literal)
		if at := file.Offset(pos); err == nil && m.tells(value) {
			out.WriteString(src[copied:at] + m.literal(literal, value))
			copied = at + len(literal)
		}
	}
	return m.text(out.String() + src[copied:])
}

// literal masks what a literal has of a secret, or all of it if that is a part of one.
func (m *mask) literal(literal, value string) string {
	if m.text(value) == value {
		return strconv.Quote(masked)
	}
	short := m.text(literal)
	if left, err := strconv.Unquote(short); err == nil && m.text(left) == left {
		return short
	}
	return strconv.Quote(m.text(value))
}

// tells says whether a literal gives a secret away, or a part of one.
func (m *mask) tells(literal string) bool {
	return literal != "" && (m.text(literal) != literal ||
		slices.ContainsFunc(m.secrets, func(s string) bool { return strings.Contains(s, literal) }))
}
