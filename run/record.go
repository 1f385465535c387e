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
	last    string // the newest picture
	typing  bool   // the newest entry is of keys, and so may the next be
	mask    mask
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
		if err := os.Remove(r.flag); err != nil && !errors.Is(err, os.ErrNotExist) {
			panic(&Error{Code: "bad_request", Message: "the recording goes on: " + err.Error()})
		}
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
	b.look() // for passwords that were not typed
	r.add(entry{Kind: "output", Text: output, After: b.picture()})
	r.add(entry{Kind: "error", Text: failure})
	entries := slices.Insert(r.entries, 0, entry{Time: start, Kind: "snippet", Text: snippet})
	err := r.write(entries)
	if err != nil {
		os.Remove(r.flag)
		fmt.Fprintf(os.Stderr, "notice: the recording in %s has ended: %v\n", r.page, err)
	}
}

func (r *recording) write(entries []entry) error {
	var out strings.Builder
	for _, e := range entries {
		if e.Kind == "snippet" {
			e.Text = r.mask.snippet(e.Text)
		}
		e.Text = r.mask.text(e.Text)
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

// watched is do, with pictures around it if it acts and a recording is on. The strokes
// of a text are one action, and so are a press and its release.
func (b *browser) watched(req M, do func() (M, error)) (M, error) {
	method, _ := req["method"].(string)
	r := b.recording
	if !r.on() || !slices.ContainsFunc(acts, func(a string) bool { return strings.HasPrefix(method, a) }) {
		return do()
	}
	params, _ := req["params"].(M)
	kind, _ := params["type"].(string)
	text, _ := params["text"].(string)
	if kind == "mouseMoved" { // as many as a drag has steps
		return do()
	}
	secret, keys := b.look(), method == "Input.dispatchKeyEvent" || method == "Input.insertText"
	r.mu.Lock()
	r.mask.key(text, keys && secret)
	more := keys && r.typing
	r.typing = keys
	r.mu.Unlock()
	if more {
		return do()
	}
	e := entry{Kind: "action", Text: strings.TrimSpace(method + " " + kind)}
	if kind != "mouseReleased" {
		e.Before = b.picture()
	}
	if url, ok := params["url"].(string); ok {
		e.Text += " " + url
	}
	answer, err := do()
	if !keys && kind != "mousePressed" { // what keys did is seen before the next action
		e.After = b.picture()
	}
	r.add(e)
	return answer, err
}

// passwords are the values of the password fields that can be reached, and whether keys
// go into one, or to where it cannot be seen: a frame of another site, a closed root.
const passwords = `(() => {
	let hidden = false
	const all = root => [...root.querySelectorAll('*')].flatMap(e => [
		...e.localName === 'input' && e.type === 'password' && e.value ? [e.value] : [],
		...e.shadowRoot ? all(e.shadowRoot) : [], ...inner(e) ? all(inner(e)) : (hidden ||= e.localName === 'iframe', [])])
	const inner = e => { try { return e.contentDocument } catch {} }
	let at = document.activeElement
	for (let next; next = at?.shadowRoot?.activeElement ?? (at && inner(at)?.activeElement);) at = next
	const values = all(document)
	const seen = !at || /^(html|body)$/.test(at.localName) ? !hidden : at.isContentEditable || /^(input|textarea|select|button|a|summary)$/.test(at.localName)
	return {values, secret: !seen || at?.type === 'password'}
})()`

// look notes what is in password fields, and says whether keys go into one.
func (b *browser) look() (secret bool) {
	found := b.ask(M{"method": "Runtime.evaluate", "params": M{"expression": passwords, "returnByValue": true}})
	result, _ := found["result"].(M)
	value, _ := result["value"].(M)
	values, _ := value["values"].([]any)
	b.recording.mu.Lock()
	defer b.recording.mu.Unlock()
	for _, v := range values {
		s, _ := v.(string)
		b.recording.mask.note(s)
	}
	return value["secret"] == true
}

// ask is a command that the recording gives, and not the snippet: nil if it fails.
func (b *browser) ask(req M) M {
	conn, err := b.dial(false)
	if err != nil {
		return nil
	}
	req["timeout_ms"] = 1500
	answer, _ := b.one(conn, req)
	result, _ := answer["result"].(M)
	return result
}

// picture is the page as it looks now, as a data: URL, and "" if it cannot be had soon or
// is the one before. A tab in the background draws one only during a screencast, here of
// no frame.
func (b *browser) picture() string {
	b.ask(M{"method": "Page.startScreencast", "params": M{"format": "jpeg", "quality": 1, "maxWidth": 1, "maxHeight": 1, "everyNthFrame": 1 << 20}})
	shot := b.ask(M{"method": "Page.captureScreenshot", "params": M{"format": "jpeg", "quality": 60, "optimizeForSpeed": true}})
	b.ask(M{"method": "Page.stopScreencast"})
	r := b.recording
	r.mu.Lock()
	defer r.mu.Unlock()
	data, _ := shot["data"].(string)
	if data == "" || data == r.last {
		return ""
	}
	r.last = data
	return "data:image/jpeg;base64," + data
}
