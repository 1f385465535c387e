package record

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"bu/helpers/engine"
)

// Step is what the engine reports its acts to, nil while nothing is recorded.
func (r *Recording) Step() engine.Recorder {
	if !r.On() {
		return nil
	}
	return (*steps)(r)
}

// steps is a Recording as the engine sees it.
type steps Recording

// Begin takes a picture of the page as it is before the act.
func (s *steps) Begin(act *engine.Act) {
	r := (*Recording)(s)
	e := &entry{Kind: "step", Name: act.Name, Time: time.Now(), secret: act.Secret}
	if act.Secret {
		r.hide(act.Values)
	}
	e.Before, e.W, e.H = r.picture()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.now, r.raw = e, ""
	r.place(e, act)
}

// Aimed takes it again where the page had to be scrolled for the act.
func (s *steps) Aimed(act *engine.Act) {
	r := (*Recording)(s)
	picture, w, h := r.picture()
	r.mu.Lock()
	defer r.mu.Unlock()
	if e := r.now; e != nil {
		if picture != "" {
			e.Before, e.W, e.H = picture, w, h
		}
		r.place(e, act)
	}
}

func (r *Recording) place(e *entry, act *engine.Act) {
	e.Box, e.Points, e.What = act.Box, act.Points, act.What
	if act.Target != "" && !strings.HasPrefix(act.What, act.Target+" ") && (act.What == "" || !strings.HasPrefix(act.Target, "field=")) { // fillForm's own
		e.What = strings.TrimSpace(act.Target + " " + act.What)
	}
}

// End keeps the act and a picture of what came of it.
func (s *steps) End(act *engine.Act) {
	r := (*Recording)(s)
	r.mu.Lock()
	e := r.now
	r.now = nil
	r.mu.Unlock()
	if e == nil {
		return
	}
	e.Values = values(act)
	if e.secret {
		e.Values = slices.Repeat([]string{masked}, len(e.Values))
	} else if len(act.Got) > 0 {
		e.Got = plain(act.Got)
	}
	if act.Failed != nil {
		e.Error = act.Failed.Error()
	}
	e.After, _, _ = r.picture()
	r.add(*e)
}

// values are what an act was given, as a person reads it.
func values(act *engine.Act) (all []string) {
	for _, v := range act.Values {
		text, isText := v.(string)
		switch {
		case v == nil || v == "" && act.Target == "":
		case act.Name == "uploadFile" && isText:
			all = append(all, filepath.Base(text))
		case isText:
			all = append(all, text)
		default:
			all = append(all, plain(v))
		}
	}
	return all
}

func plain(v any) string {
	var text strings.Builder
	out := json.NewEncoder(&text)
	out.SetEscapeHTML(false) // it is read, and the page's script escapes it again
	if err := out.Encode(v); err != nil {
		return fmt.Sprint(v)
	}
	return strings.TrimSpace(text.String())
}

// Hide keeps a text out of the recording.
func (s *steps) Hide(text string) { (*Recording)(s).hide([]any{text}) }

// hide keeps what was given to a private field out of the recording.
func (r *Recording) hide(given []any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, v := range given {
		if text, is := v.(string); is {
			r.mask.note(text)
		}
	}
	r.mend()
}

// acts are the methods that change what the page shows: a snippet that calls one itself
// makes a step of it.
var acts = []string{"Input.", "Page.navigate", "Page.reload", "Page.handleJavaScriptDialog", "DOM.setFileInputFiles", "Emulation.set"}

// Watch does what is asked of the daemon, and puts it into the step that it is part of.
func (r *Recording) Watch(requests []M, do func() error) error {
	r.mu.Lock()
	off := r.page == "" || r.own
	r.mu.Unlock()
	if off {
		return do()
	}
	secret := slices.ContainsFunc(requests, isKey) && r.look()["secret"] == true
	var calls []string
	r.mu.Lock()
	inside := r.now != nil
	for _, req := range requests {
		if isKey(req) {
			params, _ := req["params"].(M)
			text, _ := params["text"].(string)
			r.mask.key(text, secret)
		}
		if method, _ := req["method"].(string); method != "" {
			calls = append(calls, described(method, req))
		}
	}
	if inside {
		r.now.secret = r.now.secret || secret
		r.now.Calls = append(r.now.Calls, calls...)
	}
	r.mu.Unlock()
	method, _ := requests[0]["method"].(string)
	if inside || !slices.ContainsFunc(acts, func(a string) bool { return strings.HasPrefix(method, a) }) {
		return do()
	}
	return r.command(method, requests[0], calls, do)
}

// command is Watch for a command that the snippet gives itself. Keys that follow on one another
// are one step, and so are a press, the moves after it and its release.
func (r *Recording) command(method string, req M, calls []string, do func() error) error {
	params, _ := req["params"].(M)
	kind, _ := params["type"].(string)
	r.mu.Lock()
	more := r.raw == method && (isKey(req) || kind == "mouseReleased" || kind == "mouseMoved") && len(r.entries) > 0
	r.mu.Unlock()
	if more || kind == "mouseMoved" {
		return do() // what it did is in the next picture
	}
	e := entry{Kind: "step", Name: "cdp", Time: time.Now(), Calls: calls, Values: []string{strings.TrimSpace(method + " " + kind)}}
	if url, is := params["url"].(string); is {
		e.Values = append(e.Values, url)
	}
	if x, is := params["x"]; is {
		e.Points = [][2]float64{{number(x), number(params["y"])}}
	}
	e.Before, e.W, e.H = r.picture()
	err := do()
	if err != nil {
		e.Error = err.Error()
	}
	if !isKey(req) && kind != "mousePressed" {
		e.After, _, _ = r.picture()
	}
	r.add(e)
	r.mu.Lock()
	r.raw = method
	r.mu.Unlock()
	return err
}

func isKey(req M) bool {
	return req["method"] == "Input.dispatchKeyEvent" || req["method"] == "Input.insertText"
}

// described is a command as the folded part shows it: never what was typed or evaluated.
func described(method string, req M) string {
	params, _ := req["params"].(M)
	for _, k := range []string{"type", "x", "y", "button", "clickCount"} {
		if v := params[k]; v != nil && strings.HasPrefix(method, "Input.") {
			method += fmt.Sprintf(" %s=%v", k, v)
		}
	}
	return method
}

func number(v any) float64 {
	switch n := v.(type) {
	case float64:
		return n
	case int:
		return float64(n)
	}
	return 0
}

// quietly does what the recording itself asks of the browser.
func (r *Recording) quietly(f func()) {
	r.mu.Lock()
	was := r.own
	r.own = true
	r.mu.Unlock()
	engine.Try(f)
	r.mu.Lock()
	r.own = was
	r.mu.Unlock()
}

// look notes what is in private fields. Where nobody can look, what is typed is secret.
func (r *Recording) look() (p M) {
	r.mu.Lock()
	known := r.mask.whole()
	r.mu.Unlock()
	p = M{"secret": true}
	r.quietly(func() { p = engine.Private(known) })
	values, _ := p["values"].([]any)
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, v := range values {
		text, _ := v.(string)
		r.mask.note(text)
	}
	r.mend()
	return p
}

// picture is the page as it looks now, as a data: URL, with private fields covered, and "" if
// it cannot be had soon or is the one before; and the window's size. A tab in the background
// draws one only during a screencast, here of no frame.
func (r *Recording) picture() (picture string, w, h float64) {
	private := r.look()
	w, h = number(private["w"]), number(private["h"])
	if w == 0 { // it is not known what must be covered
		return "", 0, 0
	}
	var data string
	r.quietly(func() {
		r.ask("Page.startScreencast", M{"format": "jpeg", "quality": 1, "maxWidth": 1, "maxHeight": 1, "everyNthFrame": 1 << 20})
		data, _ = r.ask("Page.captureScreenshot", M{"format": "jpeg", "quality": 60, "optimizeForSpeed": true})["data"].(string)
		r.ask("Page.stopScreencast", nil)
	})
	if boxes, _ := private["boxes"].([]any); len(boxes) > 0 && data != "" {
		bare := data
		data = ""
		r.quietly(func() { data = engine.Paint(bare, boxes) })
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if data == "" || data == r.last {
		return "", w, h
	}
	r.last = data
	return "data:image/jpeg;base64," + data, w, h
}
