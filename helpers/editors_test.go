package helpers_test

import (
	"net/http"
	"net/http/httptest"
	"os"
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

// NPM names a folder with node_modules in it: codemirror@5, ace-builds, monaco-editor.
func TestFillEditorsOfNPM(t *testing.T) {
	folder := os.Getenv("NPM")
	if folder == "" {
		t.Skip("NPM names no folder with node_modules of codemirror@5, ace-builds and monaco-editor")
	}
	served := httptest.NewServer(http.FileServer(http.Dir(folder + "/node_modules")))
	defer served.Close()
	open(t, html(`<link rel=stylesheet href="`+served.URL+`/codemirror/lib/codemirror.css"><script src="`+served.URL+`/codemirror/lib/codemirror.js"></script>
<script src="`+served.URL+`/ace-builds/src-noconflict/ace.js"></script><textarea id=ta>old one</textarea><div id=ace style="height:120px">old two
more</div><div id=mon style="height:120px"></div><script src="`+served.URL+`/monaco-editor/min/vs/loader.js"></script><script>var cm = CodeMirror.fromTextArea(ta), ac = ace.edit('ace'), mo;
require.config({ paths: { vs: '`+served.URL+`/monaco-editor/min/vs' } }); require(['vs/editor/editor.main'], () => mo = monaco.editor.create(mon, { value: 'old three' }))</script>`))
	for _, c := range [][2]string{{".CodeMirror", "cm.getValue()"}, {"#ace", "ac.getValue()"}, {"#mon", "mo.getValue()"}} {
		want(t, `waitForLoad(); waitFor(".monaco-editor .view-line", 20); r := fill("`+c[0]+`", "one line\nand two"); if r != nil { fmt.Println(r) }; fmt.Println(r == nil, js("`+c[1]+`.replace('\\n', '|')"))`, "true one line|and two")
		want(t, `fmt.Println(fill("`+c[0]+`", "") == nil, js("`+c[1]+` === ''"))`, "true true")
	}
}
