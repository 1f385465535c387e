// editor.js: text into editors that keep it to themselves: see engine/editor.go.

// TAKES_LINES: these editors make one line, with line breaks they do not know of, from inserted text, and lines from pasted text.
const TAKES_LINES = '[data-lexical-editor]', takesLines = target => { const e = find(target); return e.closest(TAKES_LINES) || e.querySelector(TAKES_LINES); };

// editorOf is where to press in an editor that keeps its text to itself and draws some of it: what a key types goes there.
function editorOf(e) {
  if (e.editContext && !e.closest(EDITORS)) return e;
  const next = e.nextElementSibling;
  if (e.localName === 'textarea' && next?.matches('.CodeMirror') && !shown(e)) e = next;      // which stands in its place
  const host = e.closest(EDITORS) || !e.matches(EDITABLE) && !e.querySelector(`:is(${EDITABLE}):not([readonly]):not(:is(${EDITORS}) *)`) && e.querySelector(EDITORS);
  return host ? host.querySelector('.CodeMirror-lines,.cm-content,.view-lines,.ace_content') || host : null;
}
const editing = ed => ({ editor: uid(ed), context: !!ed.editContext, focus: hasFocus(ed) || ed.closest(EDITORS)?.contains(ed.getRootNode().activeElement), mac: /^Mac/.test(navigator.platform) });

// selectContext selects all that an EditContext holds where the page's own keys did not: new text comes in its place.
engine.selectContext = target => { const c = editorOf(find(target))?.editContext; if (c && (c.selectionStart > 0 || c.selectionEnd < c.text.length)) c.updateSelection(0, c.text.length); return null; };

// paste gives what has the focus a text as Control+V would, and says whether it took it.
engine.paste = text => {
  const at = inFocus() || document.body;
  const data = new DataTransfer();
  data.setData('text/plain', text);
  return !at.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true, composed: true }));
};

// editorEnd compares what an editor shows with what it was given: of a long text it draws a part.
engine.editorEnd = async (target, text, part) => {
  const bare = s => s.replace(/[\s\u200b\u00a0]+/g, ''), want = bare(text);
  for (const end = performance.now() + 500; ; await frame(50)) {
    const e = editorOf(find(target)) || takesLines(target), host = e?.closest(EDITORS);
    const rows = host && rowsOf(host), value = host ? rows.map(lineOf).join('\n') : e.editContext?.text ?? e.innerText, shows = bare(value);
    if (shows === want || part && shows.includes(want.slice(-60)) || shows && host && restOf(host, rows) && (want.startsWith(shows) || want.endsWith(shows))) return null;
    if (performance.now() > end) return { value: cut(value, 2000) };
  }
};
