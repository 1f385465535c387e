package script

import (
	"go/ast"
	"strings"
)

// A chunk is one top-level declaration of Go source.
type chunk struct {
	file      *file
	kind      string // package, import, func, type, var or const
	src       string
	off       int        // of src in the file
	line, col int        // of src, from 1
	decls     []ast.Decl // once parsed
	done      bool
	bad       error // that parsing gave
	reach     []string
}

// A file is a helper file or the snippet, cut into chunks.
type file struct {
	name    string
	src     string
	chunks  []*chunk
	imports map[string]string // local name -> path
	ok      bool              // brackets and quotes match
	out     []ast.Decl        // what is needed
	used    map[string]string // the packages that it uses
}

// cut finds the top-level declarations of a file without parsing them, which takes a
// tenth of the time; only those that a run needs are parsed. In a helper file whose
// brackets do not match, a declaration also begins where its keyword begins a line, so
// that one broken helper does not break those after it.
func cut(name, src string) *file {
	f := cutAt(name, src, false)
	if !f.ok && name != snippetName {
		f = cutAt(name, src, true)
		f.ok = false
	}
	return f
}

func cutAt(name, src string, lines bool) *file {
	f := &file{name: name, src: src}
	var (
		cur       *chunk
		depth     int
		line, bol = 1, 0 // of the current line: number and offset
		start     = true // at the start of a statement
		last      byte   // last byte that was not space; 'a' for a word
	)
	for i := 0; i < len(src); {
		c, j := src[i], i+1
		if c == ';' || c == '\n' && (last == 'a' || last != 0 && strings.IndexByte(")]}\"'`+-", last) >= 0) {
			start = true
			if depth == 0 && cur != nil {
				cur.src, cur = src[cur.off:i], nil
			}
		}
		switch {
		case c == '\n':
			line, bol, i = line+1, j, j
			continue
		case c == ' ' || c == '\t' || c == '\r':
			i = j
			continue
		case word(c):
			for j < len(src) && word(src[j]) {
				j++
			}
			if lines && i == bol && depth != 0 && declares(src[i:j], src[j:], false) {
				start, depth = true, 0
				if cur != nil {
					cur.src, cur = src[cur.off:i], nil
				}
			}
			if start && depth == 0 && declares(src[i:j], src[j:], name == snippetName) {
				cur = &chunk{file: f, kind: src[i:j], src: src[i:], off: i, line: line, col: i - bol + 1}
				f.chunks = append(f.chunks, cur)
			}
			c = 'a'
		case c == '/' && j < len(src) && src[j] == '/':
			for j < len(src) && src[j] != '\n' {
				j++
			}
			i = j
			continue
		case c == '`' || c == '/' && j < len(src) && src[j] == '*':
			mark := "`"
			if c == '/' {
				mark, j = "*/", j+1
			}
			n := strings.Index(src[j:], mark)
			if n < 0 {
				return f
			}
			j += n + len(mark)
			if nl := strings.Count(src[i:j], "\n"); nl > 0 {
				line, bol = line+nl, i+strings.LastIndexByte(src[i:j], '\n')+1
			}
			if c == '/' {
				i = j
				continue
			}
		case c == '"' || c == '\'':
			for ; j < len(src) && src[j] != c && src[j] != '\n'; j++ {
				if src[j] == '\\' {
					j++
				}
			}
			j++
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth--
		}
		start = start && c == ';'
		last, i = c, j
	}
	f.ok = depth == 0
	return f
}

// declares says whether keyword w, followed by s, starts a declaration. The
// variables of a snippet count as statements.
func declares(w, s string, snippet bool) bool {
	switch w {
	case "package", "import", "type", "const":
		return true
	case "var":
		return !snippet
	case "func":
		name, rest := funcName(s)
		return name != "" && rest != "" && (rest[0] == '(' || rest[0] == '[')
	}
	return false
}

// funcName returns the name of the function declared by "func"+s and what is
// after it; for a method, the name of the receiver's type.
func funcName(s string) (name, rest string) {
	s = strings.TrimLeft(s, " \t")
	recv := ""
	if strings.HasPrefix(s, "(") {
		n := strings.IndexByte(s, ')')
		if n < 0 {
			return "", ""
		}
		recv, _, _ = strings.Cut(s[1:n], "[")
		recv = strings.TrimSpace(recv)
		recv = recv[strings.LastIndexAny(recv, " *")+1:]
		s = strings.TrimLeft(s[n+1:], " \t")
	}
	n := 0
	for n < len(s) && word(s[n]) {
		n++
	}
	name, rest = s[:n], strings.TrimLeft(s[n:], " \t")
	if recv != "" && name != "" {
		name = recv
	}
	return name, rest
}

var words = func() (w [256]bool) {
	for c := range w {
		w[c] = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c >= 0x80
	}
	return w
}()

func word(c byte) bool { return words[c] }
