package helpers_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
)

// Field case 70: editors that keep their text to themselves.
func TestFillEditContext(t *testing.T) {
	open(t, html(`<div id=ed tabindex=0 style="height:80px;border:1px solid;white-space:pre"></div><script>
const ec = new EditContext({ text: 'old text' }); ed.editContext = ec; const draw = () => ed.textContent = ec.text; draw();
ec.addEventListener('textupdate', draw);
ed.onkeydown = e => { if (e.key === 'a' && e.ctrlKey) { ec.updateSelection(0, ec.text.length); e.preventDefault() }
 if (e.key === 'Backspace') { ec.updateText(ec.selectionStart, ec.selectionEnd, ''); ec.updateSelection(0, 0); draw() } }</script>`))
	want(t, `fmt.Println(fill("#ed", "new words") == nil, js("ed.textContent"))`, "true new words")
	want(t, `fmt.Println(fill("#ed", "") == nil, js("ed.textContent == ''"))`, "true true")
}

// A canvas that draws an EditContext and knows no key for all of it.
func TestFillCanvasEditor(t *testing.T) {
	open(t, html(`<canvas id=ed width=300 height=60 tabindex=0></canvas><p id=says></p><script>const ec = new EditContext(); ed.editContext = ec; let model = '';
ec.addEventListener('textupdate', e => { model = model.slice(0, e.updateRangeStart) + e.text + model.slice(e.updateRangeEnd); says.textContent = model })</script>`))
	want(t, `fmt.Println(typeInto("#ed", "hey") == nil, fill("#ed", "second") == nil, js("model + '/' + ec.text"), fill("#ed", "") == nil, js("model + ec.text === String()"), fill("#ed", "a (b)") == nil, js("model"))`, "true true second/second true true true a (b)")
}

// An editor with a selection of its own hears of the page's some time after, and puts its own back as it draws on the focus (Draft.js does).
func TestFillLateSelection(t *testing.T) {
	page := html(`<div id=ed contenteditable>old text</div><script>let text = 'old text', from = 8, to = 8;
const draw = () => { ed.textContent = text; getSelection().collapse(ed.firstChild || ed, ed.firstChild ? to : 0) };
ed.onfocus = () => requestAnimationFrame(draw);
document.onselectionchange = () => { const s = getSelection(), r = s.rangeCount && s.getRangeAt(0); if (!r || !ed.contains(r.startContainer)) return;
 const before = document.createRange(); before.setStart(ed, 0); before.setEnd(r.startContainer, r.startOffset); from = before.toString().length; to = from + r.toString().length };
ed.onbeforeinput = e => { e.preventDefault(); text = text.slice(0, from) + (e.data ?? '') + text.slice(to); from = to = from + (e.data ?? '').length; draw() }</script>`)
	open(t, page)
	want(t, `fmt.Println(fill("#ed", "new words") == nil, js("text"), fill("#ed", "short") == nil, js("text"))`, "true new words true short")
	open(t, page)
	want(t, `fmt.Println(typeInto("#ed", " (x)") == nil, js("text"), fill("#ed", "") == nil, js("text === ''"))`, "true old text (x) true true")
}

// editorPages make an editor in #place that holds some lines, and lines(), which is what its own model says.
var editorPages = map[string]string{
	"CodeMirror 5": `<link rel=stylesheet href="NPM/node_modules/codemirror/lib/codemirror.css"><script src="NPM/node_modules/codemirror/lib/codemirror.js"></script>
<script src="NPM/node_modules/codemirror/mode/javascript/javascript.js"></script><script src="NPM/node_modules/codemirror/addon/edit/closebrackets.js"></script><script>
const cm = CodeMirror(place, { value: START.join('\n'), mode: 'javascript', autoCloseBrackets: true }); lines = () => cm.getValue().split('\n')</script>`,
	"Ace": `<script src="NPM/node_modules/ace-builds/src-noconflict/ace.js"></script><script>
ace.config.set('basePath', 'NPM/node_modules/ace-builds/src-noconflict'); const ed = ace.edit(place, { mode: 'ace/mode/javascript' }); ed.setValue(START.join('\n'), 1); lines = () => ed.getValue().split('\n')</script>`,
	"Monaco": `<script src="NPM/node_modules/monaco-editor/min/vs/loader.js"></script><script>require.config({ paths: { vs: 'NPM/node_modules/monaco-editor/min/vs' } });
require(['vs/editor/editor.main'], () => { const ed = monaco.editor.create(place, { value: START.join('\n'), language: 'javascript', minimap: { enabled: false } }); lines = () => ed.getValue().split('\n') })</script>`,
	"CodeMirror 6": `<script src="NPM/bundle.js"></script><script>lines = editors.codemirror6(place, START)</script>`,
	"ProseMirror":  `<link rel=stylesheet href="NPM/node_modules/prosemirror-view/style/prosemirror.css"><script src="NPM/bundle.js"></script><script>lines = editors.prosemirror(place, START)</script>`,
	"Lexical":      `<script src="NPM/bundle.js"></script><script>lines = editors.lexical(place, START)</script>`,
	"Quill":        `<link rel=stylesheet href="NPM/node_modules/quill/dist/quill.snow.css"><script src="NPM/bundle.js"></script><script>lines = editors.quill(place, START)</script>`,
}

func TestEditors(t *testing.T) {
	files := httptest.NewServer(http.FileServer(http.Dir(editorsOfNPM(t))))
	t.Cleanup(files.Close)
	for name, page := range editorPages {
		t.Run(name, func(t *testing.T) { tryEditor(t, files.URL, page) })
	}
}

// moreEditors make an editor in #place, as editorPages do; what a person points at is its selector.
var moreEditors = map[string][2]string{
	"Slate":    {`#place`, `<script src="NPM/bundle.js"></script><script>lines = editors.slate(place, START)</script>`},
	"Draft.js": {`#place`, `<link rel=stylesheet href="NPM/node_modules/draft-js/dist/Draft.css"><script src="NPM/bundle.js"></script><script>lines = editors.draft(place, START)</script>`},
	"TipTap":   {`#place`, `<script src="NPM/bundle.js"></script><script>lines = editors.tiptap(place, START)</script>`},
	"CKEditor": {`.ck-editor`, `<link rel=stylesheet href="NPM/node_modules/ckeditor5/dist/browser/ckeditor5.css"><script src="NPM/node_modules/ckeditor5/dist/browser/ckeditor5.umd.js"></script><script>const C = CKEDITOR;
C.ClassicEditor.create(place, { licenseKey: 'GPL', plugins: [C.Essentials, C.Paragraph, C.Bold, C.List], toolbar: ['bold', 'bulletedList'], initialData: START.map(l => '<p>' + (l || '&nbsp;') + '</p>').join('') })
 .then(e => lines = () => [...e.model.document.getRoot().getChildren()].map(p => [...p.getChildren()].map(t => t.data ?? '\n').join('')).flatMap(l => l.split('\n')))</script>`},
	"TinyMCE": {`.tox-tinymce`, `<script src="NPM/node_modules/tinymce/tinymce.min.js"></script><script>
tinymce.init({ target: place, license_key: 'gpl', height: 300, init_instance_callback: e => { e.setContent(START.map(l => '<p>' + (l || '<br>') + '</p>').join('')); lines = () => [...e.getBody().children].map(p => p.textContent.replace(/\u00a0/g, ' ')) } })</script>`},
}

func TestMoreEditors(t *testing.T) {
	files := httptest.NewServer(http.FileServer(http.Dir(fromNPM(t, moreFiles))))
	t.Cleanup(files.Close)
	for name, e := range moreEditors {
		t.Run(name, func(t *testing.T) {
			open(t, html(editorPage(files.URL, e[1])))
			out(t, `waitFor("window.lines && lines()", 20); waitForQuiet()`)
			for _, step := range [][3]string{{"typeInto", " word", "first line\nsecond \"line\"\n\nlast word"}, {"fill", "one line\nand two", "one line\nand two"}, {"fill", "if (a) {\n    say(\"it's\", [1, 2]);\n}", "if (a) {\n    say(\"it's\", [1, 2]);\n}"},
				{"fill", "", ""}, {"fill", "short", "short"}, {"typeInto", " (more) [x] {y}", "short (more) [x] {y}"}, {"typeInto", "\n  for (;;) {\n    x()\n  }\nz", "short (more) [x] {y}\n  for (;;) {\n    x()\n  }\nz"}} {
				got := out(t, fmt.Sprintf("fmt.Println(len(%s(`%s`, %s)), js(`JSON.stringify(lines())`))", step[0], e[0], strconv.Quote(step[1])))
				if want := "0 " + as(strings.Split(step[2], "\n")); got != want {
					t.Errorf("%s(%q)\ngave %s\nwant %s", step[0], step[1], got, want)
				}
			}
		})
	}
}

// tryEditor fills an editor, types into it and reads it; what its model says decides.
func tryEditor(t *testing.T, files, page string) {
	open(t, html(editorPage(files, page)))
	out(t, `waitFor("window.lines && lines()", 20); waitForQuiet()`)
	rich := !strings.Contains(out(t, `fmt.Println(extract()["markdown"])`), "```")
	reads := func(text string) {
		t.Helper()
		got := out(t, `fmt.Println(extract()["markdown"])`)
		if !rich && !strings.Contains(got, "\n```\n"+strings.ReplaceAll(text, "\t", "    ")+"\n```\n") && !strings.Contains(got, "\n```\n"+text+"\n```\n") {
			t.Errorf("no %q as a block in\n%s", text, got)
		}
		for _, line := range strings.Split(text, "\n") {
			if !strings.Contains(got, strings.TrimSpace(line)) {
				t.Errorf("no %q in\n%s", line, got)
			}
		}
	}
	acts := func(call, text, holds string) {
		t.Helper()
		want := "nil " + as(strings.Split(holds, "\n"))
		script := fmt.Sprintf("got := %s(`#place`, %s)\nif got == nil { fmt.Print(`nil `) } else { fmt.Print(got, ` `) }\nfmt.Println(js(`JSON.stringify(lines())`))", call, strconv.Quote(text))
		if got := out(t, script); got != want {
			t.Errorf("%s(%q)\ngave %s\nwant %s", call, text, got, want)
		}
	}
	reads("first line\nsecond \"line\"\n\nlast")
	acts("typeInto", " word", "first line\nsecond \"line\"\n\nlast word") // not focused yet: at the end
	code := "if (a) {\n    say(\"it's\", [1, 2]); // 👩‍👩‍👧 🎉\n}\n\n\tend"
	for _, text := range []string{"one line\nand two", code, "", "short"} {
		acts("fill", text, text)
		if text != "" {
			reads(text)
		}
	}
	acts("typeInto", " (more) [x] {y}", "short (more) [x] {y}")
	acts("typeInto", "\n  for (;;) {\n    x()\n  }\nz", "short (more) [x] {y}\n  for (;;) {\n    x()\n  }\nz")
	acts("typeInto", "👩‍👩‍👧 doc", "short (more) [x] {y}\n  for (;;) {\n    x()\n  }\nz👩‍👩‍👧 doc")
	acts("typeInto", "ument", "short (more) [x] {y}\n  for (;;) {\n    x()\n  }\nz👩‍👩‍👧 document")
	long := ""
	for i := range 300 {
		long += fmt.Sprintf("\tline %d of many\n", i)
	}
	acts("fill", long+"end", long+"end")
	markdown := out(t, `fmt.Println(extract()["markdown"])`)
	if rich {
		if !strings.Contains(markdown, "line 299 of many") {
			t.Errorf("the last lines are not read:\n%s", markdown)
		}
		return
	}
	_, way, _ := strings.Cut(markdown, "(rows near the view are drawn: ")
	way, _, _ = strings.Cut(way, " gives all)")
	if got := out(t, "fmt.Println("+way+")"); got != long+"end" {
		t.Errorf("the way to all of the text is %q and gives %.300q", way, got)
	}
}

func as(v any) string {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.Encode(v)
	return strings.TrimSpace(text.String())
}

// CodeMirror 5 stands in the place of a textarea, which its label names; a text that an editor refuses is told.
func TestEditorOfTextarea(t *testing.T) {
	files := httptest.NewServer(http.FileServer(http.Dir(editorsOfNPM(t))))
	t.Cleanup(files.Close)
	page := strings.Replace(editorPages["CodeMirror 5"], "CodeMirror(place, {", "CodeMirror.fromTextArea(ta, {", 1)
	open(t, html(editorPage(files.URL, "<label for=ta>Body</label><textarea id=ta></textarea>"+page)))
	want(t, "fillForm(M{`Body`: `a (b\nc`}); fmt.Println(js(`JSON.stringify(lines())`), strings.Contains(as[string](extract()[`markdown`]), `textbox \"Body\"`))", `["a (b","c"] true`)
	want(t, "fmt.Println(typeInto(`#ta`, `!`) == nil, js(`lines()[1]`))", "true c!")
	want(t, "js(`cm.setOption('readOnly', true)`); fmt.Println(fill(`#ta`, `other`)[`value`])", "a (b\nc!")
}

func editorPage(files, page string) string {
	return strings.NewReplacer("NPM", files, "START", `['first line', 'second "line"', '', 'last']`).Replace(`<title>editor</title><button>Above</button><div id=place style="height:200px;width:600px"></div><p>Below</p><script>var lines</script>` + page)
}
