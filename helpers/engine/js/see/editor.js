// editor.js: editors that draw what they keep to themselves, of a long text only what is near the view: read as the text that it is.

const EDITORS = '.CodeMirror,.cm-editor,.monaco-editor,.ace_editor', TEXT_OF_EDITOR = '.CodeMirror-code,.cm-content,.view-lines,.ace_text-layer';
const EDITOR_CLASS = /(^| )(CodeMirror|cm-editor|monaco-editor|ace_editor)( |$)/, WIDGETS = '.cm-panels,.cm-tooltip,.overlayWidgets,.contentWidgets,.CodeMirror-dialog,.ace_search';
const drawsText = e => typeof e.className === 'string' && EDITOR_CLASS.test(e.className) && !!e.querySelector(TEXT_OF_EDITOR) && !e.classList.contains('ace_autocomplete');

// rowsOf are the lines that an editor has drawn, from top to bottom: they are not always in order.
const rowsOf = host => {
  const lines = host.querySelector(TEXT_OF_EDITOR), rows = [...lines.querySelectorAll(':scope .CodeMirror-line, :scope > :not(.cm-gap):not(.CodeMirror-line):not(:has(.CodeMirror-line))')];
  return rows.map(row => ({ row, y: row.getBoundingClientRect().top })).sort((a, b) => a.y - b.y).map(r => r.row);
};
const lineOf = row => row.textContent.replace(/\u200b/g, '').replace(/\u00a0/g, ' ');

// restOf is the way to all of the text of an editor that has drawn a part of it, '' if it has drawn all.
function restOf(host, rows) {
  const n = kind => [...document.querySelectorAll(kind)].indexOf(host), h = s => host.querySelector(s)?.offsetHeight ?? 0, low = rows.at(-1)?.offsetHeight ?? 0;
  const lines = host.querySelector(TEXT_OF_EDITOR), px = (row, k) => parseFloat(row?.style[k]) || 0, own = `document.querySelectorAll('${host.matches('.ace_editor') ? '.ace_editor' : '.CodeMirror'}')`;
  if (host.matches('.CodeMirror')) return h('.CodeMirror-sizer') - lines.offsetHeight > 2 * low ? `js("${own}[${n('.CodeMirror')}].CodeMirror.getValue()")` : '';
  if (host.matches('.cm-editor')) return lines.querySelector('.cm-gap') ? `js("const c = document.querySelectorAll('.cm-editor')[${n('.cm-editor')}].querySelector('.cm-content'), t = c.cmTile ?? c.cmView; (t.root ?? t.rootView).view.state.doc + ''")` : '';
  if (host.matches('.ace_editor')) return h('.ace_scrollbar-v .ace_scrollbar-inner') - rows.reduce((sum, r) => sum + r.offsetHeight, 0) > low ? `js("${own}[${n('.ace_editor')}].env.editor.getValue()")` : '';
  const end = px(rows.at(-1), 'top') + px(rows.at(-1), 'height');
  return px(rows[0], 'top') > 0 || end >= host.clientHeight && lines.offsetHeight > end + 1 ? `js("monaco.editor.getEditors()[${n('.monaco-editor')}].getValue()")` : '';
}

Walk.prototype.editor = function (e) {
  const o = this.control(e, 'textbox'), rows = rowsOf(e), text = rows.map(lineOf), rest = restOf(e, rows), before = e.previousElementSibling;
  const input = e.querySelector('[role=textbox],[contenteditable=true],textarea:not([aria-hidden=true])');
  o.name = name(e, 'textbox') || before?.localName === 'textarea' && name(before, 'textbox') || input && !/^Cursor at row/.test(aria(input, 'label')) && cut(name(input, 'textbox'), 500) || o.name;
  o.value = cut(norm(text.join(' ')), 200);
  this.out.flush();
  this.out.put(mark({ ...o, value: '' }));
  this.out.end();
  this.out.fenced(text);
  if (rest) { this.out.put(`${NOTE}rows near the view are drawn: ${rest} gives all)`); this.out.end(); }
  for (const w of e.querySelectorAll(WIDGETS)) if (shown(w)) this.visit(w, false);
};
