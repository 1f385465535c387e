package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"

	"bu/daemon/cdp"
)

// fail is the one error that callers read: its code is the machine's word for it, and more
// is whatever else the answer carries.
type fail struct {
	code, text string
	more       map[string]any
}

func (e *fail) Error() string { return e.text }

func failf(code, format string, args ...any) *fail {
	return &fail{code: code, text: fmt.Sprintf(format, args...)}
}

// What ends a wait. told turns these into what the caller reads.
var (
	errDeadline = errors.New("deadline")
	errHungUp   = errors.New("the client hung up")
	errShutdown = errors.New("shut down on request")
	errIdle     = errors.New("idle for too long (BU_IDLE)")
	errSignal   = errors.New("ended by a signal")
)

// told is the one mapping from what ended a request to what its caller reads.
func told(err error, r *request) *fail {
	var f *fail
	var refused *cdp.Error
	var late *cdp.Late
	sent := errors.As(err, &late) && late.Sent
	switch {
	case errors.As(err, &f):
		return f
	case errors.As(err, &refused) && refused.Code == cdp.StaleSession:
		return &fail{"tab_closed", fmt.Sprintf("%s: session %s is gone: its tab was closed or it was detached; attach again", r.what(), r.SessionID), obj{"cdp": refused}}
	case errors.As(err, &refused):
		return &fail{"cdp_error", r.what() + ": " + refused.Error(), obj{"cdp": refused}}
	case errors.Is(err, errDeadline) || errors.Is(err, context.DeadlineExceeded):
		return timedOut(r, sent, late != nil)
	case errors.Is(err, errShutdown) || errors.Is(err, errIdle) || errors.Is(err, errSignal):
		return failf("browser_gone", "the daemon ended: %v; the next call starts another", err)
	case errors.Is(err, errFrozen):
		return &fail{"browser_gone", fmt.Sprintf("%s: %v", r.what(), errFrozen), obj{"sent": sent}}
	case errors.Is(err, cdp.ErrGone):
		return failf("browser_gone", "%v; the next call connects again", err)
	}
	return &fail{code: "cdp_error", text: err.Error()}
}

func timedOut(r *request, sent, tried bool) *fail {
	switch {
	case r.Meta != "":
		return failf("timeout", "%s: BU_TAB's tab was not ready within %v: it could not be opened or attached to in that time", r.Meta, r.limit)
	case sent:
		return &fail{"timeout", fmt.Sprintf("%s: no answer within %v; it was sent and may still take effect", r.Method, r.limit), obj{"sent": true}}
	case tried:
		return &fail{"timeout", fmt.Sprintf("%s: not sent within %v: the browser accepts no input", r.Method, r.limit), obj{"sent": false}}
	}
	return &fail{"timeout", fmt.Sprintf("%s: not sent within %v: its tab was not ready by then", r.Method, r.limit), obj{"sent": false}}
}

func (e *fail) line() net.Buffers {
	m := obj{"error": e.text, "code": e.code}
	for k, v := range e.more {
		m[k] = v
	}
	b, err := json.Marshal(m)
	if err != nil {
		b = []byte(`{"error":"an error that cannot be written as JSON","code":"cdp_error"}`)
	}
	return net.Buffers{b}
}

func errClosed(t *target) *fail {
	return &fail{"tab_closed", "the tab was closed (" + t.url + "): open another with newTab(url), or take one of listTabs() with switchTab(id)", obj{"target_id": t.id}}
}

func errCrashed(t *target) *fail {
	return &fail{"tab_crashed", "the tab crashed (" + t.url + "): navigate() or cdp(\"Page.reload\") starts it again", obj{"target_id": t.id}}
}

func errDialog(g *dialog, method string, sent bool) *fail {
	what := " was not sent"
	if sent {
		what = " was sent and may still take effect"
	}
	return &fail{"dialog_open", fmt.Sprintf("a dialog (%s) is open: %.200q; %s. Answer it with acceptDialog() or dismissDialog()", g.Type, g.Message, method+what), obj{"dialog": g, "sent": sent}}
}
