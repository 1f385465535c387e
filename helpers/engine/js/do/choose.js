// choose.js: lists that a page draws itself: a combobox that opens, and options that come with it. See engine/choose.go.

const isChooser = e => role(e) === 'combobox' && e.localName !== 'select' || /^(listbox|true)$/.test(aria(e, 'haspopup')) && role(e) === 'button';
// chooser is the combobox that a target means, if it takes no text: there is nothing to do but to choose.
function chooser(e) {
  if (e.localName === 'label' && e.control) e = e.control;
  if (role(e) !== 'combobox' || e.localName === 'select' || e.isContentEditable) return null;
  if (e.localName === 'input') return e.readOnly && aria(e, 'readonly') !== 'true' ? e : null;
  return [...e.querySelectorAll(EDITABLE)].some(x => shown(x) && legible(x) && !x.readOnly) ? null : e;
}
const OPTION = '[role=option],[role=menuitem],[role=menuitemradio],[role=menuitemcheckbox],[role=treeitem],[role=radio],li';
const reads = e => norm(e.innerText ?? e.textContent).toLowerCase();
const drawnOptions = () => [...roots()].flatMap(r => [...r.querySelectorAll(OPTION)]).filter(e => drawn(e) && !away(e));
const fitting = low => innermost([...roots()].flatMap(r => [...r.querySelectorAll('*')]).filter(e => e.textContent.length < 400 && e.textContent.toLowerCase().includes(low.split(' ')[0]) && reads(e) === low && drawn(e) && !away(e)));
let before = null;                                         // what was there before the list opened
engine.choosing = (target, text) => {
  fresh();
  const e = find(target);
  if (disabled(e) || aria(e, 'readonly') === 'true') fail('element_disabled', `${brief(e)} is ${disabled(e) ? 'disabled; do what enables it first' : 'read-only'}`);
  const open = aria(e, 'expanded') === 'true';
  before = new Set(open ? [] : [...fitting(norm(text).toLowerCase()), ...drawnOptions()]);
  return { open };
};
// option waits until one option of that text has come, and gives its uid.
engine.option = async (target, text) => {
  fresh();
  const e = find(target), low = norm(text).toLowerCase(), came = all => all.filter(x => !before.has(x) && !within(x, e));
  for (let end = performance.now() + 3000, last = ''; ; await frame(100)) {
    const found = came(fitting(low)), where = found.length === 1 ? JSON.stringify(found[0].getBoundingClientRect()) : '', rests = where === last, some = came(drawnOptions());
    const late = performance.now() > end;
    last = where;
    if (found.length === 1 && (rests || late)) {
      const at = found[0].closest(OPTION) || found[0];
      if (aria(at, 'disabled') === 'true' || disabled(found[0])) fail('element_disabled', `the option ${quote(text)} of ${brief(e)} is disabled`);
      return uid(at.contains(found[0]) && reads(at) === low ? at : found[0]);
    }
    if (!late) continue;
    if (found.length) fail('bad_value', `${found.length} options of ${brief(e)} are called ${quote(text)}; clickOn one of them by its uid: open it and extract()`);
    const names = [...new Set(some.map(x => quote(x.innerText)))];
    fail('bad_value', `${brief(e)} has no option ${quote(text)} that is drawn` + (names.length ? `; there are ${names.slice(0, 30).join(', ')}` : `: no options came with a click on it; ${e.matches(EDITABLE) ? 'typeInto it what the option begins with' : 'clickOn it'}, extract(), then clickOn the option`));
  }
};
// optionTaken says what stands there if the text that was chosen does not, and whether the list is still open.
engine.optionTaken = async (target, text) => {
  for (const end = performance.now() + 1000; ; await frame(50)) {
    const e = all(target)[0];
    if (!e) return null;
    const open = aria(e, 'expanded') === 'true', region = e.parentElement?.parentElement || e;
    if (says(region).toLowerCase().includes(norm(text).toLowerCase()) || reads(e).includes(norm(text).toLowerCase())) return { open };
    if (performance.now() > end) return { open, note: `the option ${quote(text)} was clicked, and ${brief(e)} shows ${quote(says(e))}` };
  }
};
