package engine

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

// world.go: the page side of the engine lives in a world of its own in each document, where
// the page's scripts see nothing of it. A run makes the world once and keeps it.

// sources are the files of the page side, in the order in which they go into one scope.
const sources = "see/dom see/roles see/names see/lines see/one see/window see/walk see/noise see/icon see/hidden see/part see/grid see/editor see/extract see/changes see/passing do/hit do/press do/drag do/text do/forms do/veiled do/choose do/slider do/parts do/editor do/wait do/seek do/keys ui/marks ui/record"

// world is the engine's place in one document. Frames of the page's own origin belong to
// the page's world; others have one of their own.
type world struct {
	frame   string
	session string // "" for the tab's own; a frame of another site has a process, so a session, of its own
	context any    // its number
	unique  any    // not nil: what it is called besides, which no other ever is
	entered bool   // by this run
	parent  *world
	owner   string // the uid, in parent, of the element that holds the frame
}

// token marks the worlds that this run made. Numbers of contexts are given again after a
// navigation, and a script of ours must never run in the page's own world.
var token = sync.OnceValue(rand.Text)

// pageSide are the files of the page side, as this run found them, and their version: after
// an edit of a file a document gets the new ones, and keeps its uids.
var pageSide = sync.OnceValues(func() (files [][]byte, version string) {
	var names []string
	for _, name := range strings.Fields(sources) {
		names = append(names, name+".js")
	}
	sum, size := crc32.NewIEEE(), 0
	files = host.Asset(names...)
	for _, text := range files {
		sum.Write(text)
		size += len(text)
	}
	return files, fmt.Sprintf("%x.%x", sum.Sum32(), size)
})

// readAhead begins to read the page side, while the daemon or the browser answers.
var readAhead = sync.OnceFunc(func() { go Try(func() { pageSide() }) })

// script is all of it with head before it and tail after it, as a JSON string that documents
// are sent. It is made in one piece: fresh memory costs a run more than the work does.
func script(head, tail string) json.RawMessage {
	files, _ := pageSide()
	size := len(head) + len(tail)
	for _, text := range files {
		size += len(text) + len(text)/8
	}
	out := quote(append(make([]byte, 0, size), '"'), []byte(head))
	for _, text := range files {
		out = append(terse(out, text), `\n`...)
	}
	return append(quote(out, []byte(tail)), '"')
}

// terse leaves out comments and indentation, which every document would be sent: a sixth of
// the text. Lines keep their numbers, and a text in backquotes over several lines its spaces.
func terse(out, text []byte) []byte {
	from := len(out)
	for line := range bytes.Lines(text) {
		if bytes.Count(line, []byte("`"))%2 == 1 {
			return quote(out[:from], text)
		}
		if line = bytes.TrimLeft(line, " \t"); bytes.HasPrefix(line, []byte("//")) {
			line = []byte("\n")
		}
		out = quote(out, line)
	}
	return out
}

// quote adds a piece of a script to a JSON string. Characters beyond ASCII become escapes of
// the script: with a single one of them in it, Chrome takes twice as long to pass the whole
// text on to the page.
func quote(out, text []byte) []byte {
	escaped := false
	for _, r := range string(text) {
		switch {
		case r == '\n':
			out = append(out, `\n`...)
		case r == '\t':
			out = append(out, `\t`...)
		case r == '"' || r == '\\':
			out = append(out, '\\', byte(r))
		case r < ' ':
			out = fmt.Appendf(out, `\u%04x`, r)
		case r < utf8.RuneSelf:
			out = append(out, byte(r))
		default:
			if escaped { // by a backslash, which the u has now
				out = out[:len(out)-2]
			}
			for _, unit := range utf16.Encode([]rune{r}) {
				out = fmt.Appendf(out, `\\u%04x`, unit)
			}
		}
		escaped = r == '\\' && !escaped
	}
	return out
}

// put puts the engine into the world and calls a function of it. What differs from one run to
// the next is in the arguments: Chrome compiles the same text only once a process.
func (w *world) put(seconds float64, lent []int, function string, args []any) M {
	_, version := pageSide()
	text := script("function(run, ...call) {globalThis.bu = (() => {'use strict'; const inChrome = /"+inChrome+"/i, wanted = () => "+wanted+";\n",
		"return engine;})(); bu.version = '"+version+"'; buRun = run; return bu.call(...call)}")
	params := M{"functionDeclaration": text, "returnByValue": true, "awaitPromise": true,
		"arguments": []any{M{"value": token()}, M{"value": function}, M{"value": append([]any{}, args...)}, M{"value": lent}}}
	if w.unique != nil {
		params["uniqueContextId"] = w.unique
	} else {
		params["executionContextId"] = w.context
	}
	answer := CDP("Runtime.callFunctionOn", params, M{"timeout": seconds, "session": w.session, "spare": true})
	if bad := answer["exceptionDetails"]; bad != nil {
		w.broken(bad)
	}
	return result(answer)
}

// broken tells which file of the page side has an error: the first that does not compile, else
// the line that Chrome names.
func (w *world) broken(bad any) {
	files, _ := pageSide()
	for i, name := range strings.Fields(sources) {
		alone := CDP("Runtime.compileScript", M{"expression": string(files[i]), "sourceURL": "", "persistScript": false, "executionContextId": w.context}, M{"session": w.session, "spare": true})
		if alone = object(alone["exceptionDetails"]); alone != nil {
			Fail("javascript_error", "helpers/engine/js/%s.js:%v: %v", name, number(alone["lineNumber"])+1, at(alone, "exception", "description"))
		}
	}
	Fail("javascript_error", "%s: %v", fileLine(int(number(at(bad, "lineNumber")))), at(bad, "exception", "description"))
}

// fileLine is a line of the text of put, counted from 0, as a line of a file.
func fileLine(line int) string {
	files, _ := pageSide()
	for i, name := range strings.Fields(sources) {
		lines := bytes.Count(files[i], []byte("\n")) + 1
		if line >= 1 && line <= lines { // the first of all is put's
			return fmt.Sprintf("helpers/engine/js/%s.js:%d", name, line)
		}
		line -= lines
	}
	return ""
}

var anonymous = Pattern(`<anonymous>:(\d+):\d+`)

// page is the engine's world in the tab's main frame, made if need be. The frame's id is the
// target's but for a page that was prerendered.
func page() *world {
	readAhead()
	target, _ := Tab()
	if w := kept(target); w != nil {
		return w
	}
	made := &world{frame: target}
	if made.context, made.unique = earlier(); made.unique != nil {
		return keep(target, made)
	}
	err := Try(func() { made.make() })
	if err != nil && err.Code == "cdp_error" {
		made.frame = text(at(CDP("Page.getFrameTree", nil, nil), "frameTree", "frame", "id"))
		err = Try(func() { made.make() })
	}
	if err != nil {
		panic(err)
	}
	return keep(target, made)
}

// earlier is the world that an earlier run made in the document, if no event says that
// another one may have come since the greeting that named it.
func earlier() (context, unique any) {
	run.Lock()
	defer run.Unlock()
	if run.seq > run.greeted {
		return nil, nil
	}
	world := run.world
	run.world = nil // once: it is gone if we come here again
	return at(world, "id"), at(world, "unique")
}

func (w *world) make() {
	made := CDP("Page.createIsolatedWorld", M{"frameId": w.frame, "worldName": "bu"}, M{"session": w.session, "spare": true})
	w.context, w.unique, w.entered = made["executionContextId"], nil, false
}

func kept(key string) *world {
	run.Lock()
	defer run.Unlock()
	return run.worlds[key]
}

func keep(key string, w *world) *world {
	run.Lock()
	defer run.Unlock()
	if run.worlds == nil {
		run.worlds = map[string]*world{}
	}
	run.worlds[key] = w
	return w
}

// forget lets go of a world whose document went away, and of those in it.
func forget(w *world) {
	run.Lock()
	defer run.Unlock()
	for key, k := range run.worlds {
		for p := k; p != nil; p = p.parent {
			if p == w {
				delete(run.worlds, key)
				break
			}
		}
	}
}

// eval runs a script in the world for at most some seconds, and gives CDP's answer.
func (w *world) eval(seconds float64, byValue bool, script string) M {
	return w.do(seconds, "Runtime.evaluate", w.evaluate(script, byValue))
}

func (w *world) do(seconds float64, method string, params M) M {
	return result(CDP(method, params, M{"timeout": seconds, "session": w.session, "spare": true}))
}

func (w *world) evaluate(script string, byValue bool) M {
	params := M{"expression": script, "returnByValue": byValue, "awaitPromise": true}
	if w.unique != nil {
		return with(params, "uniqueContextId", w.unique)
	}
	return with(params, "contextId", w.context)
}

func result(answer M) M {
	if bad := answer["exceptionDetails"]; bad != nil {
		Fail("javascript_error", "page engine: %v %v", at(bad, "text"), at(bad, "exception", "description"))
	}
	return object(answer["result"])
}

// errGone is the error of a call into a world that is not this run's any more.
const errGone = "cdp_error"

// ask calls a function of the page side with JSON arguments and gives what it returns; its
// errors come with their own codes. It takes 30 s at most; askFor says how many.
func (w *world) ask(function string, args ...any) any { return w.askFor(30, function, args...) }

func (w *world) askFor(seconds float64, function string, args ...any) any {
	var lent []int
	for {
		answer := w.enter(seconds, lent, function, args)
		need := int(number(answer["need"]))
		if need == 0 {
			failed(answer)
			return answer["value"]
		}
		lent = lend(need)
	}
}

// naming are the functions that name elements. A document is lent as many numbers for that
// as it may want, which no other element of any page ever had or gets.
var naming = []string{"extract", "frames", "changes", "find", "lines"}

// wanted is how many those are, asked in the page.
const wanted = "Math.ceil(20 + 1.3 * document.querySelectorAll('a,button,input,select,textarea,summary,label,iframe,[role],[tabindex],[onclick]').length)"

func lend(count int) []int {
	base := int(number(Call(M{"meta": "uids", "count": count})["base"]))
	return []int{base, base + count}
}

func failed(answer M) {
	if e := object(answer["error"]); e != nil {
		message := text(e["message"])
		if e["code"] == "javascript_error" { // of ours: an edit of the page side
			message = anonymous().ReplaceAllStringFunc(message, func(at string) string {
				line, _ := strconv.Atoi(anonymous().FindStringSubmatch(at)[1])
				return cmp.Or(fileLine(line-1), at)
			})
		}
		panic(&Error{Code: text(e["code"]), Message: message, Data: object(e["data"])})
	}
}

// enter is one call of the page side, which is put there first if need be: a world that was
// made a moment ago has it when an earlier run was in the document.
func (w *world) enter(seconds float64, lent []int, function string, args []any) M {
	call := calling(lent, function, args)
	if w.entered {
		answer := object(w.eval(seconds, true, "globalThis.buRun !== '"+token()+"' ? {absent: true} : "+call)["value"])
		if answer["absent"] == nil {
			return answer
		}
		panic(&Error{Code: errGone, Message: "the page moved on to another document"})
	}
	_, version := pageSide()
	mark := "globalThis.buRun = '" + token() + "';"
	answer := object(w.eval(seconds, true, "if (globalThis.bu?.version !== '"+version+"') ({absent: true, need: globalThis.buRefs?.end > globalThis.buRefs?.next ? 0 : "+wanted+"}); else {"+mark+call+"}")["value"])
	if answer["absent"] != nil {
		if need := int(number(answer["need"])); need > 0 && slices.Contains(naming, function) {
			lent = lend(need)
		}
		answer = object(w.put(seconds, lent, function, args)["value"])
	}
	w.entered = true
	return answer
}

func calling(lent []int, function string, args []any) string {
	all, err := json.Marshal(append([]any{}, args...))
	if err != nil {
		Fail("bad_value", "%s: %v", function, err)
	}
	numbers, _ := json.Marshal(lent)
	return fmt.Sprintf("bu.call(%q, %s, %s)", function, all, numbers)
}

// again runs f, and runs it again (three times at most) when the document went away meanwhile,
// as it does under a navigation. It panics with f's last error.
func again(f func()) {
	err := Try(f)
	for i := 0; i < 3 && err != nil && err.Code == errGone; i++ {
		forget(kept(target()))
		time.Sleep(20 * time.Millisecond)
		err = Try(f)
	}
	if err != nil {
		panic(err)
	}
}

func target() string { t, _ := Tab(); return t }

// IsUID says whether a target is a uid: e12. Everything else is a CSS selector.
func IsUID(target string) bool { return uid().MatchString(target) }

var uid = Pattern(`^e[1-9][0-9]*$`)

// Ask calls a function of the page side in the page's own document: see js/.
func Ask(function string, args ...any) (value any) {
	again(func() { value = page().ask(function, args...) })
	return value
}

// On calls function(target, args…) of the page side in the document that has the target, the
// page's own or a frame's. Errors: element_not_found, element_stale, and the function's own.
func On(function, target string, args ...any) any {
	value, _ := on(function, target, args...)
	return value
}

func on(function, target string, args ...any) (value any, w *world) {
	args = append([]any{target}, args...)
	again(func() { value, w = page().reach(function, args) })
	return value, w
}
