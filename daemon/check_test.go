package main

import (
	"fmt"
	"testing"
)

// What a caller may not name is refused with its reason, whatever command names it (field
// cases 56 and 61). T's guard has session G; SF is a session of a frame, F, in T; U is y's.
func TestNaming(t *testing.T) {
	for line, code := range map[string]string{
		`{"method":"Fetch.disable","session_id":"G"}`:                                 "not_allowed",
		`{"method":"Network.disable","session_id":"G"}`:                               "not_allowed",
		`{"method":"Runtime.evaluate","session_id":"G","params":{"expression":"1"}}`:  "not_allowed",
		`{"method":"Target.detachFromTarget","params":{"sessionId":"G"}}`:             "not_allowed",
		`{"method":"Target.detachFromTarget","params":{"targetId":"T"}}`:              "not_allowed",
		`{"method":"Target.sendMessageToTarget","params":{"sessionId":"G"}}`:          "not_allowed",
		`{"meta":"set_session","session_id":"G"}`:                                     "not_allowed",
		`{"method":"Target.closeTarget","params":{"targetId":"F"}}`:                   "bad_request",
		`{"method":"Target.activateTarget","params":{"targetId":"F"}}`:                "bad_request",
		`{"method":"Target.closeTarget","params":{"targetId":"U"}}`:                   "not_allowed",
		`{"method":"Target.attachToTarget","params":{"targetId":"U"}}`:                "not_allowed",
		`{"method":"Browser.close"}`:                                                  "not_allowed",
		`{"method":"Fetch.disable","session_id":"S"}`:                                 "",
		`{"method":"Runtime.evaluate","session_id":"SF","params":{"expression":"1"}}`: "",
		`{"method":"Target.detachFromTarget","params":{"sessionId":"S"}}`:             "",
		`{"method":"Target.closeTarget","params":{"targetId":"U"},"force":true}`:      "",
		`{"method":"Target.closeTarget","params":{"targetId":"T"}}`:                   "",
	} {
		d := &daemon{model: *stage()}
		guardT(&d.model)
		d.targets["U"].owner = d.label("y")
		r := parse([]byte(line))
		if r.bad != nil {
			t.Fatalf("%s: %v", line, r.bad)
		}
		r.Tab = "x"
		d.locate(r)
		err := d.permitted(r)
		if err == nil {
			err = d.mayUse(r)
		}
		got := ""
		if f, is := err.(*fail); is && f != nil {
			got = f.code
		}
		if got != code {
			t.Errorf("%s: %s, want %q", line, fmt.Sprint(err), code)
		}
	}
}
