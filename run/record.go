package main

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"bu/daemon/wire"
)

// recording keeps, for one label and across runs, each snippet, what it printed,
// and pictures of the page around its actions, in a page that plays them back. Off
// unless startRecording was called; a file beside the socket says that it is on.
//
// The page only ever grows at its end, one <script> an entry, so that it plays
// whatever kill -9 or a full disk left of it. An entry waits in memory until its
// run ends, because only then all passwords are known that must not be in it.
type recording struct {
	flag string // the file that says where the page is; not made: off

	mu      sync.Mutex
	page    string // "" while off
	entries []entry
	last    string   // the newest picture
	secrets []string // values of password fields seen
}

type entry struct {
	Time   time.Time `json:"t"`
	Kind   string    `json:"kind"` // snippet, output, error, action
	Text   string    `json:"text"`
	Before string    `json:"before,omitempty"` // pictures, as data: URLs
	After  string    `json:"after,omitempty"`
}

//go:embed record.html
var player []byte

// newRecording reads whether one is on for the label.
func newRecording(name, tab string) (*recording, error) {
	paths, err := wire.PathsOf(name)
	if err != nil {
		return nil, err
	}
	r := &recording{flag: strings.TrimSuffix(paths.Sock, ".sock") + ".rec"}
	if tab != "" {
		r.flag += "-" + tab
	}
	if _, err := os.Lstat(r.flag); err != nil {
		return r, nil
	}
	page, err := wire.ReadFile(r.flag)
	if err != nil {
		return nil, fmt.Errorf("read where the recording is: %w", err)
	}
	r.page = string(page)
	return r, nil
}

// set starts a recording in folder, or ends the one that is on if folder is "". It
// gives the path of the page.
func (r *recording) set(folder string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if folder == "" {
		if r.page == "" {
			panic(&Error{Code: "bad_request", Message: "no recording is on for this tab: startRecording(name) starts one"})
		}
		os.Remove(r.flag)
		return r.page // this run is still kept, see record
	}
	if r.page != "" {
		panic(&Error{Code: "bad_request", Message: "a recording is on for this tab, in " + r.page + ": stopRecording() ends it"})
	}
	page, err := r.begin(folder)
	if err != nil {
		panic(&Error{Code: "bad_request", Message: "the recording cannot be written: " + err.Error()})
	}
	r.page = page
	return page
}

// begin makes the page and the file that says where it is.
func (r *recording) begin(folder string) (page string, err error) {
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

func (r *recording) on() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.page != ""
}

func (r *recording) add(e entry) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.page != "" && (e.Text != "" || e.After != "") {
		e.Time = time.Now()
		r.entries = append(r.entries, e)
	}
}

// record puts the run into the page, without the passwords. A disk that is full
// ends the recording, not the run.
func (b *browser) record(start time.Time, snippet, output, failure string) {
	r := b.recording
	if !r.on() {
		return
	}
	b.picture() // for passwords that were not typed
	r.add(entry{Kind: "output", Text: output})
	r.add(entry{Kind: "error", Text: failure})
	entries := slices.Insert(r.entries, 0, entry{Time: start, Kind: "snippet", Text: snippet})
	err := r.write(entries)
	if err != nil {
		os.Remove(r.flag)
		fmt.Fprintf(os.Stderr, "notice: the recording in %s has ended: %v\n", r.page, err)
	}
}

func (r *recording) write(entries []entry) error {
	// The longest first, so that none is left half covered by a shorter one.
	slices.SortFunc(r.secrets, func(a, b string) int { return len(b) - len(a) })
	var out strings.Builder
	for _, e := range entries {
		for _, s := range r.secrets {
			e.Text = strings.ReplaceAll(e.Text, s, "••••")
		}
		line, err := json.Marshal(e) // escapes <, > and &: the script cannot be left
		if err != nil {
			return err
		}
		fmt.Fprintf(&out, "<script>add(%s)</script>\n", line)
	}
	f, err := os.OpenFile(r.page, os.O_WRONLY|os.O_APPEND, 0) // gone: the owner does not want it
	if err != nil {
		return err
	}
	_, err = f.WriteString(out.String())
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

// acts are the methods that change what the page shows.
var acts = []string{"Input.", "Page.navigate", "Page.reload", "Page.handleJavaScriptDialog", "DOM.setFileInputFiles"}

// watched is do, with pictures around it if it acts and a recording is on.
func (b *browser) watched(req M, do func() (M, error)) (M, error) {
	method, _ := req["method"].(string)
	if !b.recording.on() || !slices.ContainsFunc(acts, func(a string) bool { return strings.HasPrefix(method, a) }) {
		return do()
	}
	params, _ := req["params"].(M)
	kind, _ := params["type"].(string)
	if kind == "mouseMoved" { // as many as a drag has steps
		return do()
	}
	e := entry{Kind: "action", Text: strings.TrimSpace(method + " " + kind), Before: b.picture()}
	if url, ok := params["url"].(string); ok {
		e.Text += " " + url
	}
	answer, err := do()
	e.After = b.picture()
	b.recording.add(e)
	return answer, err
}

// passwords are the values of the password fields that can be reached.
const passwords = `(function all(root) {
	const out = []
	for (const e of root.querySelectorAll('*')) {
		if (e.localName === 'input' && e.type === 'password' && e.value) out.push(e.value)
		if (e.shadowRoot) out.push(...all(e.shadowRoot))
		if (e.localName === 'iframe' && e.contentDocument) out.push(...all(e.contentDocument))
	}
	return out
})(document)`

// picture is the page as it looks now, as a data: URL, and "" if it cannot be had
// soon or is the one before. It notes what is in password fields.
func (b *browser) picture() string {
	at := func(req M) M {
		req["timeout_ms"] = 1500
		conn, err := b.dial(false)
		if err != nil {
			return nil
		}
		answer, _ := b.exchange(conn, req)
		result, _ := answer["result"].(M)
		return result
	}
	r := b.recording
	found := at(M{"method": "Runtime.evaluate", "params": M{"expression": passwords, "returnByValue": true}})
	shot := at(M{"method": "Page.captureScreenshot", "params": M{"format": "jpeg", "quality": 60, "optimizeForSpeed": true}})
	r.mu.Lock()
	defer r.mu.Unlock()
	value, _ := found["result"].(M)
	list, _ := value["value"].([]any)
	for _, v := range list {
		if s, ok := v.(string); ok && len(s) > 2 && !slices.Contains(r.secrets, s) {
			r.secrets = append(r.secrets, s)
		}
	}
	data, _ := shot["data"].(string)
	if data == "" || data == r.last {
		return ""
	}
	r.last = data
	return "data:image/jpeg;base64," + data
}
