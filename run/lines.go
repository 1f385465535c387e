package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"bu/daemon/wire"
)

// lines.go: requests and answers as they stand on the socket.

// ask sends a line and reads the answer.
func ask(ctx context.Context, conn *wire.Conn, line []byte) (M, error) {
	raw, err := conn.CallLine(ctx, line)
	if err != nil {
		return nil, err
	}
	return parsed(raw)
}

// parsed reads an answer; an error that the daemon answers is an *Error with the rest of the
// answer as its Data.
func parsed(raw json.RawMessage) (M, error) {
	var answer M
	if err := json.Unmarshal(raw, &answer); err != nil {
		return nil, fmt.Errorf("the daemon's answer is not JSON: %w", err)
	}
	if msg, failed := answer["error"].(string); failed {
		code, _ := answer["code"].(string)
		delete(answer, "error")
		delete(answer, "code")
		return nil, &Error{Code: code, Message: msg, Data: answer}
	}
	return answer, nil
}

// describe is what the person reads about a call that takes long.
func describe(req M) string {
	if m, ok := req["method"].(string); ok {
		return m
	}
	switch req["meta"] {
	case "session":
		return "waiting for the browser"
	case "events":
		methods, _ := json.Marshal(req["methods"])
		return "waiting for " + strings.Join(strings.FieldsFunc(string(methods), func(r rune) bool { return strings.ContainsRune(`[]",`, r) }), ", ")
	}
	return fmt.Sprint(req["meta"])
}

// encode makes request lines, with the caller's tab in them and deadlines that end before the
// run does, so that a call fails with its own reason and place; limit is the longest.
func (b *browser) encode(requests []M) (lines []byte, limit time.Duration, err error) {
	var text bytes.Buffer
	out := json.NewEncoder(&text)
	out.SetEscapeHTML(false) // else scripts, full of < and &, get longer to send and to read
	for _, req := range requests {
		req, most := b.addressed(req)
		if err := out.Encode(req); err != nil {
			return nil, 0, &Error{Code: "bad_request", Message: "the params cannot be written as JSON: " + err.Error()}
		}
		limit = max(limit, most)
	}
	return text.Bytes(), limit, nil
}

func (b *browser) addressed(req M) (M, time.Duration) {
	req = maps.Clone(req)
	delete(req, "start")
	if b.tab != "" {
		req["tab"] = b.tab
	}
	if b.allow != nil {
		req["allow"] = b.allow
	}
	if key := b.driver(); key != "" {
		req["drive"] = key
	}
	limit := 30 * time.Second
	ms, asked := req["timeout_ms"]
	if asked {
		limit = time.Duration(number(ms) * float64(time.Millisecond))
	}
	if left := b.left() - margin; limit > left {
		limit, asked = max(left, time.Millisecond), true
	}
	if asked && (ms != nil || req["method"] != nil) {
		req["timeout_ms"] = limit.Milliseconds()
	}
	return req, limit
}

// number is a JSON number, or whatever Go number a helper wrote in its place.
func number(v any) float64 {
	switch n := v.(type) {
	case float64:
		return n
	case int:
		return float64(n)
	case int64:
		return float64(n)
	}
	return 0
}

// failure is err as what helpers panic with.
func failure(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	var w *wire.Error
	if errors.As(err, &w) {
		return &Error{Code: w.Code, Message: w.Message}
	}
	return &Error{Code: "no_daemon", Message: err.Error()}
}
