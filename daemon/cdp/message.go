package cdp

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// message is one message from the browser. Params, result and error stay the bytes
// they came as.
type message struct {
	id                  int64
	method, session     string
	params, result, err json.RawMessage
}

// parse takes a message apart without decoding what is in it: results of 100 MB
// pass the read loop, on which everybody waits.
func parse(b []byte) (m message, ok bool) {
	i := space(b, 0)
	if i >= len(b) || b[i] != '{' {
		return m, false
	}
	for i = space(b, i+1); i < len(b) && b[i] == '"'; {
		end := value(b, i)
		key := string(b[i+1 : max(i+1, end-1)])
		if i = space(b, end); i >= len(b) || b[i] != ':' {
			return m, false
		}
		i = space(b, i+1)
		end = value(b, i)
		v := json.RawMessage(b[i:end:end])
		switch key {
		case "id":
			m.id, _ = strconv.ParseInt(string(v), 10, 64)
		case "method":
			json.Unmarshal(v, &m.method)
		case "sessionId":
			json.Unmarshal(v, &m.session)
		case "params":
			m.params = v
		case "result":
			m.result = v
		case "error":
			m.err = v
		}
		if i = space(b, end); i < len(b) && b[i] == ',' {
			i = space(b, i+1)
		} else {
			break
		}
	}
	return m, i < len(b) && b[i] == '}'
}

func (m message) clone() message {
	m.params, m.result, m.err = bytes.Clone(m.params), bytes.Clone(m.result), bytes.Clone(m.err)
	return m
}

func space(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\t' || b[i] == '\r') {
		i++
	}
	return i
}

// value gives the end of the JSON value that starts at i.
func value(b []byte, i int) int {
	depth := 0
	for i < len(b) {
		switch b[i] {
		case '"':
			i = quoted(b, i)
			if depth == 0 {
				return i
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return i // the end of what the value is in
			}
			if depth--; depth == 0 {
				return i + 1
			}
		case ',', ' ', '\n', '\t', '\r':
			if depth == 0 {
				return i
			}
		}
		i++
	}
	return len(b)
}

// quoted gives the end of the string that starts at i.
func quoted(b []byte, i int) int {
	for i++; ; {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			return len(b)
		}
		i += n + 1
		slashes := 0
		for j := i - 2; b[j] == '\\'; j-- {
			slashes++
		}
		if slashes%2 == 0 {
			return i
		}
	}
}
