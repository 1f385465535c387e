package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"bu/daemon/wire"
	"bu/helpers"
	"bu/helpers/engine"
	"bu/run/script"
)

// bind gives the page engine what it stands on.
func (b *browser) bind(dir string) {
	b.dir = dir
	engine.Bind(engine.Host{
		Send: b.send, Hello: b.hello, Other: b.other,
		Asset:   func(names ...string) [][]byte { return asset(dir, names) },
		Untimed: b.untimed, Progress: b.progress.set, Record: b.recording.Set, Recorder: b.recording.Step,
		Forget: func() { forget(b.name) }, Picture: tellPicture, Within: b.within, Sites: filepath.Join(dir, "sites"),
	})
}

// outdated is a file of the engine's Go side that is newer than this executable, and not
// what was built into it; "" if there is none.
func outdated(dir string) string {
	exe, err := os.Executable()
	if err != nil {
		return ""
	}
	built, err := os.Stat(exe)
	files, _ := os.ReadDir(filepath.Join(dir, "engine"))
	for _, f := range files {
		info, e := f.Info()
		if err != nil || e != nil || !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") || info.ModTime().Before(built.ModTime()) {
			continue
		}
		path := filepath.Join(dir, "engine", f.Name())
		if text, e := os.ReadFile(path); e == nil && !bytes.HasPrefix(text, []byte("// Code generated")) && !bytes.Equal(text, engine.Built(f.Name())) {
			return path
		}
	}
	return ""
}

// stale says, at the run's end, that the engine was edited and not built.
func (b *browser) stale() {
	if b.greeted() {
		if file := <-b.outdated; file != "" {
			b.progress.say("notice: " + file + " was edited after this program was built; the engine's Go code is compiled, so run make build")
		}
	}
}

// tellPicture writes the path of a picture into the file that BU_PICTURES names: whoever
// called run shows it, as run/mcp does.
func tellPicture(path string) {
	if list, err := os.OpenFile(os.Getenv("BU_PICTURES"), os.O_APPEND|os.O_WRONLY, 0); err == nil {
		fmt.Fprintln(list, path)
		list.Close()
	}
}

// built are the helpers that were compiled in.
var built = &script.Built{
	Path: "bu/helpers", Files: helpers.Files, Text: helpers.Text, Uses: helpers.Uses, Value: helpers.Compiled,
	Packages: map[string]func(string) any{"bu/helpers/engine": engine.Symbol},
}

// asset reads files of the page side, afresh in every run as all of the helpers: into one
// piece of memory, as fresh pages are most of the cost.
func asset(dir string, names []string) (texts [][]byte) {
	room := make([]byte, 256<<10) // more than all of them: what is not written costs nothing
	for _, name := range names {
		path := filepath.Join(dir, "engine", "js", filepath.FromSlash(name))
		n, err := script.Slurp(path, room)
		text := room[:n:n]
		room = room[n:]
		if err == io.ErrShortBuffer {
			text, err = os.ReadFile(path)
		}
		if err != nil {
			panic(&Error{Code: "not_found", Message: "a helper's file is missing: " + err.Error()})
		}
		texts = append(texts, text)
	}
	return texts
}

// forget does what a daemon that lives does itself when it is killed: of what the state file
// remembers only the element numbers live on.
func forget(name string) {
	paths, err := wire.PathsOf(name)
	if err != nil {
		return
	}
	var was struct {
		UID int64 `json:"uid"`
	}
	text, _ := wire.ReadFile(paths.State)
	json.Unmarshal(text, &was)
	os.Remove(paths.State)
	if was.UID > 1 {
		wire.WriteFile(paths.State, fmt.Appendf(nil, `{"uid":%d}`, was.UID))
	}
}

// ask is a command that the recording gives, and not the snippet: nil if it fails.
func (b *browser) ask(method string, params M) M {
	conn, err := b.dial(false)
	if err != nil {
		return nil
	}
	answer, _ := b.one(conn, M{"method": method, "params": params, "timeout_ms": 1500})
	result, _ := answer["result"].(M)
	return result
}

// record ends the run's part of the recording.
func (b *browser) record(snippet, output, failure string) {
	if b.recording.On() {
		b.setEnd(5 * time.Second) // for the last picture, also past BU_TIMEOUT
		b.recording.End(snippet, output, failure, b.greeted())
	}
}
