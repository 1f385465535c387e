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
let sought = null;                                         // the field in which a list is searched, and what it held
engine.choosing = (target, text) => {
  fresh();
  const e = find(target);
  if (disabled(e) || aria(e, 'readonly') === 'true') fail('element_disabled', `${brief(e)} is ${disabled(e) ? 'disabled; do what enables it first' : 'read-only'}`);
  const open = aria(e, 'expanded') === 'true';
  before = new Set(open ? [] : [...fitting(norm(text).toLowerCase()), ...drawnOptions()]);
  sought = null;
  return { open };
};
// searchField is where typing narrows a list down: what has the focus since the click that opened it, if it takes text.
const searchField = e => { const f = inFocus(); return f && f.matches('input,textarea') && f.select && !f.readOnly && !disabled(f) && !AS_WHOLE.test(f.type) && drawn(f) ? f : null; };
// already says that an option of a list that takes several is chosen already: a click would take it back.
const several = o => !!o.closest('[aria-multiselectable=true]') || o.matches('[role=menuitemcheckbox],[aria-checked]');
const already = o => several(o) && (aria(o, 'checked') ?? aria(o, 'selected')) === 'true';

// option waits until one option of that text has come, and gives its uid; taken: it needs no click. A list that has drawn only some
// of its options is scrolled for it. {search}: its text is to be typed into the field in focus, which narrows the list down.
engine.option = async (target, text, typed) => {
  fresh();
  const e = find(target), low = norm(text).toLowerCase(), came = all => all.filter(x => !before.has(x) && !within(x, e)), begun = performance.now();
  let end = begun + 3000, box = null, first = true;
  for (let last = ''; ; await frame(100)) {
    const found = came(fitting(low)), where = found.length === 1 ? JSON.stringify(found[0].getBoundingClientRect()) : '', rests = where === last, some = came(drawnOptions());
    const late = performance.now() > end;
    last = where;
    if (found.length === 1 && (rests || late)) {
      const at = found[0].closest(OPTION) || found[0];
      if (aria(at, 'disabled') === 'true' || disabled(found[0])) fail('element_disabled', `the option ${quote(text)} of ${brief(e)} is disabled`);
      return { uid: uid(at.contains(found[0]) && reads(at) === low ? at : found[0]), taken: already(at) };
    }
    if (!found.length && performance.now() > begun + 800) {
      const field = searchField(e);
      if (field && !typed) {
        sought = { field: new WeakRef(field), was: field.value };
        field.select();
        return { search: true };
      }
      if (!box && some.length && (box = scroller(some[0])) && !isRoot(box)) end = begun + 10000;
      if (box && !isRoot(box) && performance.now() < end) {
        const was = box.scrollTop;
        moveTo(box, first ? 0 : was + Math.max(box.clientHeight - 40, 20));
        if (!first && box.scrollTop === was && !(await grown(box, was))) end = 0;
        first = false;
        continue;
      }
    }
    if (!late) continue;
    if (found.length) fail('bad_value', `${found.length} options of ${brief(e)} are called ${quote(text)}; clickOn one of them by its uid: open it and extract()`);
    const names = [...new Set(some.map(x => quote(x.innerText)))];
    fail('bad_value', `${brief(e)} has no option ${quote(text)}` + (names.length ? `; there are ${names.slice(0, 30).join(', ')}` : `: no options came with a click on it${typed ? ' and with its text' : ''}; clickOn it, extract(), then clickOn the option`));
  }
};
// unsearch readies the field in which a list was searched to get back what it held, and gives that.
engine.unsearch = () => {
  const f = sought?.field.deref();
  if (!f?.isConnected || f.value === sought.was) return null;
  f.focus({ preventScroll: true });
  f.select();
  return { was: sought.was };
};
// optionTaken says what stands there if the text that was chosen does not, and whether the list is still open.
engine.optionTaken = async (target, text, was) => {
  await ticks();                                           // what the page makes of it
  for (const end = performance.now() + 1000; ; await frame(50)) {
    const e = all(target)[0];
    if (!e) return null;
    const open = aria(e, 'expanded') === 'true', region = e.parentElement?.parentElement || e;
    const option = open && all(was)[0];
    if (option && several(option) ? already(option) : says(region).toLowerCase().includes(norm(text).toLowerCase()) || reads(e).includes(norm(text).toLowerCase())) return { open };
    if (performance.now() > end) return { open, note: `the option ${quote(text)} was clicked, and ${brief(e)} shows ${quote(says(e))}` };
  }
};
