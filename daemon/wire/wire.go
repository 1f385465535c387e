// Package wire is the socket between the daemon and its callers, both ends: where
// it lies, who may use it, and the lines that cross it.
//
// One JSON line per direction: a request, then its answer. A connection carries any
// number of such pairs, one after another.
package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
)

// MaxLine is the longest line that either end reads. It bounds what a mistaken
// client can make the daemon hold; Chrome's own limit for a message is 100 MB.
const MaxLine = 256 << 20

// Request is one line to the daemon. Method passes through to CDP, Meta speaks to
// the daemon itself.
type Request struct {
	Method    string          `json:"method,omitempty"`
	Params    json.RawMessage `json:"params,omitempty"`
	SessionID string          `json:"session_id,omitempty"` // absent: the caller's current tab
	Meta      string          `json:"meta,omitempty"`
	Tab       string          `json:"tab,omitempty"`        // the caller's label, BU_TAB
	TimeoutMS *float64        `json:"timeout_ms,omitempty"` // absent: 30 s; of events: do not wait
	Force     bool            `json:"force,omitempty"`      // act on another label's tab all the same
	Tied      bool            `json:"tied,omitempty"`       // what is made (a session, a tab) ends with this connection, see AGENTS.md
	Spare     bool            `json:"spare,omitempty"`      // never end what the page runs, when the call's time is over
	Drive     string          `json:"drive,omitempty"`      // the key of whoever drives the tab
	Allow     []string        `json:"allow,omitempty"`      // hosts that the label's tabs may reach

	// Arguments of meta verbs.
	Since   *int64   `json:"since,omitempty"`   // events: after this sequence number; absent: from now
	Methods []string `json:"methods,omitempty"` // events: only these; absent: all
	Count   int64    `json:"count,omitempty"`   // uids, log
	Base    int64    `json:"base,omitempty"`    // uids: give the block back that starts here
	Used    int64    `json:"used,omitempty"`    // uids: how many of that block were used, and stay taken
	Browser string   `json:"browser,omitempty"` // session: the Address that the caller means
	Began   int64    `json:"began,omitempty"`   // session: when the caller began, in µs since 1970
	Prompts bool     `json:"prompts,omitempty"` // events: tell, too, which permissions pages asked the person for since that was last told
	Message string   `json:"message,omitempty"` // drive: what the person is asked
	Undo    []Step   `json:"undo,omitempty"`    // drive: to be done in the tab when it is given back, however; of what is tied: in that session at its end
}

// Step is a command that the daemon is to give by itself.
type Step struct {
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

// Error is a failure with the machine's word for it.
type Error struct{ Code, Message string }

func (e *Error) Error() string { return e.Message }

// ErrNoDaemon is what Dial fails with when nobody serves the socket.
var ErrNoDaemon = errors.New("no daemon is running")

// Name is the daemon's name: BU_NAME, by default "default". An empty BU_NAME is an
// error: a caller who sets it means something by it.
func Name() (string, error) {
	name, set := os.LookupEnv("BU_NAME")
	if !set {
		return "default", nil
	}
	return name, CheckName(name)
}

// CheckName says whether name can be part of a path: the rule for BU_NAME.
func CheckName(name string) error {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"
	if name == "" || len(name) > 64 || strings.Trim(name, letters) != "" { // no regexp: it costs each run 1 ms
		return fmt.Errorf("BU_NAME %.80q: use 1 to 64 letters, digits, _ and -", name)
	}
	return nil
}

// Paths are the files of one daemon.
type Paths struct{ Sock, Pid, Log, State, Lock string }

// PathsOf gives the files of the daemon called name.
func PathsOf(name string) (Paths, error) {
	if err := CheckName(name); err != nil {
		return Paths{}, err
	}
	p := filepath.Join(dir, "bu-"+name)
	limit := 107 // sun_path less its zero byte
	if runtime.GOOS != "linux" {
		limit = 103
	}
	if sock := p + ".sock"; len(sock) > limit {
		return Paths{}, fmt.Errorf("socket path %s has %d bytes, this system allows %d: use a shorter BU_NAME", sock, len(sock), limit)
	}
	return Paths{p + ".sock", p + ".pid", p + ".log", p + ".state", p + ".lock"}, nil
}

// Build tells one build of a bu program from another: the commit, else when it was
// built.
func Build() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" && len(s.Value) >= 12 {
				return s.Value[:12]
			}
		}
	}
	if exe, err := os.Executable(); err == nil {
		if fi, err := os.Stat(exe); err == nil {
			return fi.ModTime().UTC().Format(time.RFC3339)
		}
	}
	return "unknown"
}
