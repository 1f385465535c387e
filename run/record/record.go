// Package record keeps what the runs on one tab did, as a page that plays it back: each act
// as it was meant, with a picture of the page and a mark where it went.
//
// The page only ever grows at its end, one <script> an entry, so that it plays while it is
// written to and whatever kill -9 or a full disk left of it. A run adds its acts as they
// happen, without the passwords known by then, and writes what it added anew as soon as it
// learns of more. Its snippet and its output come last, when all are known.
package record

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"bu/daemon/wire"
	"bu/helpers/engine"
)

type (
	// M is a JSON object.
	M = engine.M
	// Error is what helpers panic with.
	Error = engine.Error
)

// Recording is the one of a label, on or off, for as long as a run lives.
type Recording struct {
	flag string                     // the file that says where the page is; not made: off
	ask  func(method string, p M) M // a command of the recording's own; nil if it fails

	mu      sync.Mutex
	page    string // "" while off
	own     bool   // what is asked now is the recording's own
	begun   time.Time
	entries []entry // of this run
	written string  // what it has added to the page
	start   int64   // where in the page
	failed  error   // of writing
	now     *entry  // the act that is going on
	raw     string  // the method of the newest entry, if that is a command of the snippet's own
	last    string  // the newest picture
	mask    mask
}

// entry is one of the page's: {kind: "step"} an act, {kind: "end"} what closes a run.
type entry struct {
	Kind   string       `json:"kind"`
	Run    int64        `json:"run"` // when its run began: steps of one stand together
	Time   time.Time    `json:"t"`
	Name   string       `json:"name,omitempty"`
	What   string       `json:"what,omitempty"` // its target
	Values []string     `json:"values,omitempty"`
	Got    string       `json:"got,omitempty"`
	Error  string       `json:"error,omitempty"`
	Calls  []string     `json:"calls,omitempty"` // of CDP
	Before string       `json:"before,omitempty"`
	After  string       `json:"after,omitempty"` // pictures, as data: URLs; none: the one before
	Box    M            `json:"box,omitempty"`
	Points [][2]float64 `json:"points,omitempty"`
	W      float64      `json:"w,omitempty"` // the window's size, which the marks are in
	H      float64      `json:"h,omitempty"`

	Snippet string `json:"snippet,omitempty"`
	Output  string `json:"output,omitempty"`

	secret bool
}

//go:embed player.html
var player []byte

// Open reads whether one is on for the label.
func Open(name, tab string, ask func(method string, p M) M) (*Recording, error) {
	paths, err := wire.PathsOf(name)
	if err != nil {
		return nil, err
	}
	r := &Recording{flag: strings.TrimSuffix(paths.Sock, ".sock") + ".rec", ask: ask, begun: time.Now()}
	if tab != "" {
		r.flag += "-" + tab
	}
	if _, err := os.Lstat(r.flag); err != nil {
		return r, nil
	}
	page, err := wire.ReadFile(r.flag)
	if err != nil {
		return nil, fmt.Errorf("cannot read where the recording is: %w", err)
	}
	r.page = string(page)
	return r, nil
}

// Set starts a recording in folder, or ends the one that is on if folder is "". It gives the
// path of the page.
func (r *Recording) Set(folder string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if folder == "" {
		if r.page == "" {
			panic(&Error{Code: "bad_request", Message: "this tab is not being recorded: startRecording(name) starts that"})
		}
		if err := os.Remove(r.flag); err != nil && !errors.Is(err, os.ErrNotExist) {
			panic(&Error{Code: "bad_request", Message: "the recording could not be ended: " + err.Error()})
		}
		return r.page // this run is still kept, see End
	}
	if r.page != "" {
		panic(&Error{Code: "bad_request", Message: "this tab is being recorded already, in " + r.page + ": stopRecording() ends that"})
	}
	page, err := r.make(folder)
	if err != nil {
		panic(&Error{Code: "bad_request", Message: "the recording cannot be written: " + err.Error()})
	}
	r.page = page
	return page
}

// make makes the page and the file that says where it is.
func (r *Recording) make(folder string) (page string, err error) {
	if !strings.ContainsRune(folder, filepath.Separator) {
		folder = filepath.Join("recordings", folder)
	}
	if folder, err = filepath.Abs(folder); err != nil {
		return "", err
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	page = filepath.Join(folder, "index.html")
	f, err := os.OpenFile(page, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return "", errors.New(page + " is there already; use another name")
	}
	if err != nil {
		return "", err
	}
	_, err = f.Write(player)
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = wire.WriteFile(r.flag, []byte(page))
	}
	return page, err
}

// On says whether there is a recording.
func (r *Recording) On() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.page != ""
}

// End puts the run's snippet, its output and why it failed into the page. look: the run has
// spoken to the browser. A disk that is full ends the recording, not the run.
func (r *Recording) End(snippet, output, failure string, look bool) {
	if !r.On() {
		return
	}
	end := entry{Kind: "end", Snippet: snippet, Output: output, Error: failure}
	if look {
		end.After, end.W, end.H = r.picture() // which looks for passwords that were not typed, too
	}
	r.add(end)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.mend()
	if r.failed != nil {
		os.Remove(r.flag)
		fmt.Fprintf(os.Stderr, "notice: the recording in %s has ended: %v\n", r.page, r.failed)
	}
}

// add keeps an entry and writes it.
func (r *Recording) add(e entry) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.page == "" {
		return
	}
	if e.Run = r.begun.UnixMilli(); e.Time.IsZero() {
		e.Time = time.Now()
	}
	r.entries = append(r.entries, e)
	if line, err := r.lines([]entry{e}); r.failed == nil {
		if r.failed = err; err == nil {
			r.failed = r.put(line, -1)
		}
	}
	r.mend()
}

// mend writes anew what this run has added to the page, if that tells what has since turned
// out to be a secret.
func (r *Recording) mend() {
	if !r.mask.learnt || r.written == "" || r.failed != nil {
		return
	}
	r.mask.learnt = false
	whole, err := r.lines(r.entries)
	if err == nil && whole != r.written {
		err = r.put(whole, r.start)
	}
	r.failed = err
}

// lines are entries as they stand in the page, without what is known to be secret.
func (r *Recording) lines(entries []entry) (string, error) {
	var out strings.Builder
	for _, e := range entries {
		line, err := json.Marshal(r.mask.entry(e)) // escapes <, > and &: the script cannot be left
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&out, "<script>add(%s)</script>\n", line)
	}
	return out.String(), nil
}

// put writes lines at the page's end, or all that this run has to say in the place of what
// it said from start on. Where a killed run left half a line, that is closed first.
func (r *Recording) put(lines string, start int64) error {
	f, err := os.OpenFile(r.page, os.O_RDWR, 0) // gone: the owner does not want it
	if err != nil {
		return err
	}
	defer f.Close()
	if r.written == "" {
		info, err := f.Stat()
		if err != nil {
			return err
		}
		const whole = "</script>\n"
		tail := make([]byte, len(whole))
		if n, _ := f.ReadAt(tail, max(0, info.Size()-int64(len(whole)))); n > 0 && string(tail[:n]) != whole {
			lines = whole + lines
		}
		r.start, start = info.Size(), info.Size()
	} else if start < 0 {
		start = r.start + int64(len(r.written))
	} else {
		r.written = ""
		if err := f.Truncate(start); err != nil {
			return err
		}
	}
	if _, err = f.WriteAt([]byte(lines), start); err == nil {
		r.written += lines
	}
	return err
}
