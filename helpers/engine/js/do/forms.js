// forms.js: what is typed into and chosen from.

const EDITABLE = 'input:not([type=hidden]),textarea,select,[contenteditable=""],[contenteditable=true],[contenteditable=plaintext-only]';
const AS_WHOLE = /^(date|datetime-local|month|week|time|color|range)$/;   // not typed: the value is set as one
const FORMAT = { date: '2026-01-31', 'datetime-local': '2026-01-31T13:45', month: '2026-01', week: '2026-W05', time: '13:45', color: '#ff8800' };

// field is the editable element that a target means: itself, a label's, or the only one inside it.
function field(target) {
  let e = find(target);
  if (e.localName === 'label' && e.control) e = e.control;
  if (e.matches(EDITABLE) || e.isContentEditable) return e;
  for (const r of [e, ...shadow(e) ? [shadow(e)] : [], ...innerRoots(shadow(e) || e)]) {
    const inside = [...r.querySelectorAll(EDITABLE)].find(shown);
    if (inside) return inside;
  }
  const r = role(e), way = r === 'slider' || r === 'spinbutton' ? `: clickOn it, then pressKey("ArrowUp") and the like, or drag it` : /^(grid)?cell$/.test(r) ? ': clickOn(it, 2), a double click, then typeText' : r === 'combobox' || r === 'listbox' ? ': clickOn it, then clickOn one of its options' : '; extract() names the fields';
  fail('bad_request', `${brief(e)} is not a field to write in${way}`);
}

function writable(e, target) {
  if (!shown(e)) usable(e, target);
  reached(e);
  if (disabled(e)) fail('element_disabled', `${brief(e)} is disabled; do what enables it first`);
  if (e.readOnly && e.matches('input,textarea')) fail('element_disabled', `${brief(e)} is read-only`);
}

// announce tells the page of a change as a person's would: both events bubble, input crosses shadow roots.
function announce(e, ...types) {
  for (const t of types) e.dispatchEvent(new Event(t, { bubbles: true, composed: t === 'input' }));
}

// key tells pages that listen to keys only that something was typed, as an on-screen keyboard does: no key by name.
const key = (e, type) => e.isConnected && e.dispatchEvent(new KeyboardEvent(type, { key: 'Unidentified', keyCode: 229, which: 229, bubbles: true, cancelable: true, composed: true }));

// fillStart readies a field for text to be inserted in place of all it holds, and gives what is left to insert; done: nothing.
engine.fillStart = async (target, text) => {
  fresh();
  const ed = editorOf(find(target)) || text.includes('\n') && takesLines(target);
  if (ed) return editing(ed);
  const list = chooser(find(target)), slide = sliderOf(find(target));
  if (list) return { choose: uid(list) };
  if (slide) return { slide: uid(slide) };
  const e = field(target), kind = e.localName === 'input' ? e.type : e.localName;
  if (kind === 'select') { choose(e, [text]); return { done: true }; }
  if (kind === 'file') fail('bad_request', `${brief(e)} takes files: uploadFile(${quote(target)}, path)`);
  if (/^(checkbox|radio|button|submit|reset|image)$/.test(kind)) fail('bad_request', `${brief(e)} holds no text: clickOn(${quote(target)})`);
  writable(e, target);
  e.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
  for (const begun = performance.now(); !(kind === 'range' && clipped(e)) && place(e).why === 'covered'; await frame(100)) if (performance.now() > begun + GOING) obstructed(e, place(e));
  const parts = partly(e, text);
  if (parts) return partsStart(parts);
  const rich = e.isContentEditable && e.value === undefined;
  if (rich && !hasFocus(e)) { e.focus({ preventScroll: true }); await frame(50); }   // an editor may draw anew, and put its own caret back
  else e.focus({ preventScroll: true });
  key(e, 'keydown');
  if (AS_WHOLE.test(kind)) { setWhole(e, kind, text); return { done: true }; }
  for (let n = 0; n < 3; n++) {
    selectAll(e);
    if (!rich) break;
    await selectionHeard(e.ownerDocument);
    if (allSelected(e)) break;
  }
  return { insert: long(e, text), erase: !text && rich };
};

// Chrome takes 10 s to insert 1,000 lines into a textarea. Of a long text all but the last character is put there without
// an event; the last one comes as real input, at whose event the page reads the whole.
function long(e, text) {
  if (e.localName !== 'textarea' || text.length < 1000) return text;
  const t = text.slice(0, e.maxLength >= 0 ? e.maxLength : undefined), last = [...t.slice(-2)].pop();
  e.value = t.slice(0, t.length - last.length);
  e.setSelectionRange(e.value.length, e.value.length);
  return last;
}
function setWhole(e, kind, text) {
  const old = e.value;
  e.value = text;
  if (e.value !== text && (kind !== 'range' || +e.value !== +text) && e.value.toLowerCase() !== text.toLowerCase()) {
    const got = e.value;
    e.value = old;
    fail('bad_value', `${brief(e)} does not accept ${quote(text)}` + (FORMAT[kind] ? `: it needs the form ${FORMAT[kind]}` : `: it changed that to ${quote(got)}`)
      + (e.min || e.max ? ` from ${quote(e.min || '…')} to ${quote(e.max || '…')}` : ''));
  }
  asWhole = { e, was: e.value };
  announce(e, 'input', 'change');
}
// kept tells what a field holds that was just set as a whole, when the page has made something else of that.
let asWhole = null;
const heldBy = e => e.localName === 'select' ? [...e.selectedOptions].map(o => norm(o.label)).join(', ') : e.value;
const ticks = async () => { for (let n = 0; n < 2; n++) await new Promise(done => setTimeout(done)); };
engine.kept = async () => {
  if (asWhole) await ticks();
  const { e, was, veil } = asWhole || {};
  asWhole = null;
  if (veil && e.isConnected && heldBy(e) === was) return unveiled(e, veil);
  return e?.isConnected && heldBy(e) !== was ? { value: heldBy(e) } : null;
};
// selectionHeard: editors hear of a selection some time after it is made, and until then put text where theirs was.
const selectionHeard = d => Promise.race([new Promise(done => d.addEventListener('selectionchange', () => setTimeout(done), { once: true })), new Promise(done => setTimeout(done, 150))]);
const allSelected = e => { const s = e.ownerDocument.getSelection(); return !!s.anchorNode && within(s.anchorNode, e) && within(s.focusNode, e) && norm(s.toString()) === norm(e.innerText); };
function selectAll(e) {
  if (e.select) return e.select();
  if (hasFocus(e) && e.ownerDocument.execCommand('selectAll') && allSelected(e)) return;   // as its key does: editors know that selection
  const s = e.ownerDocument.defaultView.getSelection(), range = e.ownerDocument.createRange();
  range.selectNodeContents(e);
  s.removeAllRanges();
  s.addRange(range);
}

// settled gives an editor, which draws what it holds some time later, that time.
async function settled(test) {
  for (const end = performance.now() + 500; performance.now() < end; await frame(30)) if (test() && (await frame(30), test())) return;   // and holds it still when it has drawn
}
// previews: the mouse lies on something small beside the field, which may show itself in it meanwhile, as a day of a calendar does.
function previews(e) {
  const over = [...e.ownerDocument.querySelectorAll(':hover')].at(-1);
  return !!over && !within(over, e.parentElement) && !within(e, over) && over.querySelectorAll('*').length < 20;
}
// fillEnd tells what the field made of the text: nothing when it holds it. {keys}: an input that made little of the inserted text
// may take it key by key; typed: it was given that. {hovered}: the mouse must leave what it lies on first.
engine.fillEnd = async (target, text, typed, looked) => {
  const e = field(target), plain = s => s.replace(/\r\n?/g, '\n').replace(/\u00a0/g, ' ').trim(), words = s => s.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
  if (!typed) key(e, 'keyup');
  if (e.value === undefined) await settled(() => norm(e.innerText) === norm(text));
  const value = e.value ?? e.innerText;
  if (!looked && words(value) !== words(text) && previews(e)) return { hovered: true };
  if (!typed && e.localName === 'input' && text.length <= 200 && words(value) !== words(text) && !(e.maxLength >= 0 && value.length >= e.maxLength)) {
    if (!hasFocus(e)) e.focus();
    selectAll(e);
    return { keys: text };
  }
  if (e.value !== undefined) {
    announce(e, 'change');
    await ticks();
    const after = (e.isConnected ? e : all(target)[0])?.value ?? value;   // what the page makes of it as the field is left, or has put off
    if (after !== value && plain(after) !== plain(text) && spread(e) !== text.replace(/\s+/g, '')) return { value: after };
  }
  if (plain(value) === plain(text) || spread(e) === text.replace(/\s+/g, '') || e.value === undefined && norm(value) === norm(text)) return null;
  if (!value && text) fail('bad_value', `${brief(e)} did not accept ${quote(text)}: it is empty now`);
  return { value };
};

// typeStart puts the caret at the end of a field that has just been clicked.
engine.focused = (target, text) => { const ed = editorOf(find(target)); if (ed) return editing(ed); const e = field(target); return { focus: hasFocus(e), done: AS_WHOLE.test(e.type), keys: partly(e, text)?.keys, press: e.ownerDocument === find(target).ownerDocument ? null : uid(e) }; };
// hasFocus: the body of a frame's document counts as focused there wherever the focus is.
const hasFocus = e => {
  const a = e.getRootNode().activeElement, f = e.ownerDocument.defaultView?.frameElement;
  if (!a || a !== e && !(within(a, e) && (!e.isContentEditable || a.isContentEditable)) && !(e.isContentEditable && a.isContentEditable && within(e, a))) return false;
  return f ? hasFocus(f) : e.ownerDocument.defaultView === top || a !== e.ownerDocument.body || e.ownerDocument.hasFocus();
};
engine.typeStart = async target => {
  const e = field(target);
  writable(e, target);
  if (!hasFocus(e)) e.focus();
  if (isSection(e)) return null;                             // it has a selection of its own, which it types over
  const free = e.setSelectionRange && /[_\u2007]{2}|^[^\p{L}\d]*_/u.test(e.value) ? e.value.search(/[_\u2007]/) : -1;
  if (free >= 0) e.setSelectionRange(free, free);            // a mask that is drawn in the field
  else if (e.setSelectionRange && /^(text|search|url|tel|password|textarea)$/.test(e.type)) e.setSelectionRange(e.value.length, e.value.length);
  else if (e.isContentEditable) { selectAll(e); e.ownerDocument.defaultView.getSelection().collapseToEnd(); await selectionHeard(e.ownerDocument); }
  else if (e.select) {                                       // email and number tell nothing of their caret
    const s = e.ownerDocument.defaultView.getSelection();
    e.select();
    for (const to of ['documentboundary', 'lineboundary']) s.modify('move', 'forward', to);
  }
  return null;
};

// typeEnd tells what the field holds when that is not what was typed: the page changed
// it, or took the focus away meanwhile. For a field that is gone it gives nothing.
engine.typeEnd = async (target, text) => {
  let e;
  try { e = field(target); } catch { return null; }
  const parts = partly(e, text);
  if (parts) return partsHeld(parts);
  const bare = s => s.replace(/\s+/g, '');
  if (e.value === undefined) await settled(() => bare(e.innerText).includes(bare(text)));
  const value = e.value ?? e.innerText;
  return bare(value).includes(bare(text)) || spread(e).includes(bare(text)) ? null : { value };
};

// checked tells whether a checkbox, radio or switch is on, whoever made it.
const SWITCH = /^(checkbox|radio|switch|menuitemcheckbox|menuitemradio|option|treeitem)$/;
const TICK = 'input[type=checkbox],input[type=radio]', CHOICES = TICK + ',[aria-checked],[aria-pressed]', native = e => e.indeterminate ? 'mixed' : e.checked;
// choiceIn is what is checked of a target: itself, a label's control, or the one inside, in shadow roots too.
function choiceIn(e) {
  if (e.localName === 'label' && e.control) e = e.control;
  if (e.matches(CHOICES)) return e;
  for (const r of [e, ...shadow(e) ? [shadow(e)] : [], ...innerRoots(shadow(e) || e)]) { const inside = r.querySelector(CHOICES); if (inside) return inside; }
  return e;
}
// cameTo: one of the two states of a choice, its own and what its role says, is as meant now and was not before.
const bothStates = e => { const c = choiceIn(e); return [c.matches(TICK) ? native(c) : null, aria(c, 'checked') ?? aria(c, 'pressed')].map(String); };
const cameTo = (e, on) => bothStates(e).some((s, i) => s === String(on) && choice.states[i] === String(!on));
function isChecked(e) {
  e = choiceIn(e);
  const said = aria(e, 'checked') ?? aria(e, 'pressed');
  if (e.matches(TICK) && !(said && attr(e, 'role'))) return native(e);   // a switch that a script keeps may never set what the box under it says
  if (said === null && !SWITCH.test(role(e))) fail('bad_request', `${brief(e)} is neither a checkbox, nor a radio button, nor a switch`);
  return said === 'mixed' ? said : said === 'true';
}
let choice;                                               // what is being set, in this document
engine.checked = target => { fresh(); const e = find(target); choice = { type: e.type, role: role(e), called: name(e, role(e)), states: bothStates(e) }; return { checked: isChecked(e) }; };
// checkedNow waits until a choice is as it was meant; one that is drawn anew is known by its name.
engine.checkedNow = async (target, on) => {
  if (!choice) return null;                                // the page that had it is gone
  const like = e => e.type === choice.type && role(e) === choice.role && choice.called && name(e, role(e)) === choice.called && shown(face(e));
  for (const begun = performance.now(), left = () => performance.now() - begun; ; await frame(50), fresh()) {
    const anew = () => { const found = [...roots()].flatMap(r => [...r.querySelectorAll(EDITABLE + ',[role]')]).filter(like); return found.length === 1 ? found[0] : null; };
    const e = all(target)[0] || anew();
    if (e && (isChecked(e) === on || cameTo(e, on))) return null;
    if (!e && left() > 500) return { note: `${target} is no longer on the page: call changes() to see whether it is ${on ? '' : 'un'}checked now` };
    if (left() > (e && e.matches('input') ? 500 : 2000)) fail('bad_value', `${brief(e)} was clicked and is still ${on ? 'not checked' : 'checked'}` + (on ? '' : '; a radio button is cleared only by choosing another'));
  }
};

// fieldName is what a field is called: of one in a shadow root, that says nothing itself, what its host is called.
function fieldName(e) {
  let said = name(e, role(e)) || '';
  for (let h = e.getRootNode().host; h && !said; h = h.getRootNode().host) {
    const around = h.closest('label'), labels = labelsOf(h)?.length ? labelsOf(h) : around && !around.control ? [around] : [];
    said = norm(labels.map(l => textOf(l, { seen: new Set([h]), inner: true })).join(' ') || aria(h, 'label') || '');
  }
  return said;
}
// mirrors: an input that only copies what is drawn in its place, for the form that is sent; front is the first section of that.
const mirrors = e => aria(e, 'hidden') === 'true' && e.tabIndex < 0;
const front = e => mirrors(e) && !legible(e) && [...(e.closest('[role=group]') || e.parentElement).querySelectorAll('[role=spinbutton]')].find(isSection) || e;
// formField tells which field a key of fillForm means, and the target that names it from then on: "field=" and the key, which
// finds it again when the page draws it anew. A choice in a group is "field=", the group's key, and its own name on a second line.
engine.formField = key => {
  fresh();
  const { e, choices, fields } = fieldOf(key), target = isUid(key) ? uid(e) : 'field=' + key, place = fields.indexOf(e.localName === 'label' && e.control || e);
  for (const t of keyed.keys()) if (t.startsWith(target + '\n')) keyed.delete(t);
  keep(target, e);
  return { key, target, kind: choices ? 'group' : e.localName === 'input' ? e.type : e.localName, place: place < 0 ? fields.length : place };
};
const ALL_FIELDS = EDITABLE + ',[role=switch],[role=checkbox],[role=radio],[role=textbox],[role=combobox],[role=slider],[role=spinbutton]';
const plainKey = s => norm(s || '').toLowerCase().replace(/\s*[*:]$/, '');
// fieldOf finds what a key means: by uid or selector, else by its label, name or placeholder. choices: of a group of radio buttons or checkboxes.
function fieldOf(key) {
  const fields = [...roots()].flatMap(r => [...r.querySelectorAll(ALL_FIELDS)]);
  const low = norm(key).toLowerCase(), called = e => plainKey(fieldName(e)), bare = plainKey(key);
  const isWord = /^[A-Za-z][a-z]*$/.test(key) && !isUid(key);          // Body and Address are labels before they are elements
  const looks = [
    () => !isWord && (isUid(key) || key.startsWith('text=') || isSelector(key)) ? all(key) : [],
    () => fields.filter(e => called(e) === bare), () => groupsCalled(bare).filter(g => choicesOf([g], fields)), () => fields.filter(e => e.name === key || e.id === key),
    () => fields.filter(e => norm(e.placeholder || '').toLowerCase() === low), () => fields.filter(e => called(e).includes(bare)), () => isWord ? all(key) : []];
  for (const look of looks) {
    let found = look();
    const choices = choicesOf(found, fields);
    if (choices) return { e: choices[0], choices, fields };
    for (const real of [shown, e => isUid(key) || !mirrors(e)]) if (found.some(real)) found = found.filter(real);
    if (found.length > 1 && !isUid(key)) ambiguous(key, found);
    if (found.length) return { e: front(found[0]), fields };
  }
  fail('element_not_found', `no field is called ${quote(key)}; there are ${fields.filter(shown).slice(0, 20).map(e => quote(fieldName(e) || e.name || e.id)).join(', ') || 'none'}`, elsewhere());
}
// groupsCalled are the boxes that are called so, by their legend, their label, or a label for their id.
const groupsCalled = bare => [...new Set([...roots()].flatMap(r => [
  ...[...r.querySelectorAll('fieldset,[role=radiogroup],[role=group]')].filter(g => plainKey(name(g, role(g))) === bare),
  ...[...r.querySelectorAll('label[for]')].filter(l => !l.control && l.htmlFor && plainKey(l.textContent) === bare).flatMap(l => r.getElementById?.(l.htmlFor) || [])]))];
// choicesOf gives the radio buttons, or the checkboxes, that are all of what was found, or all that is in it; null: it is something else.
const KIND_OF_CHOICE = e => e.matches('input') ? /^(radio|checkbox)$/.test(e.type) && e.type : /^(radio|checkbox)$/.test(role(e)) && role(e);
function choicesOf(found, fields) {
  const inner = found.length === 1 && !fields.includes(found[0]) ? fields.filter(e => within(e, found[0])) : found;
  const choices = inner.filter((e, i) => KIND_OF_CHOICE(e) && !inner.some((o, k) => k !== i && within(e, o)));
  if (choices.length < 2 || choices.length < inner.length - 1 || choices.some(e => KIND_OF_CHOICE(e) !== KIND_OF_CHOICE(choices[0]))) return null;
  return found.length === 1 || choices.every(e => e.name && e.name === choices[0].name) ? choices : null;
}
const choiceName = e => norm(fieldName(e)) || e.value || '';
// byField gives the element of a target "field=…". What was found before is taken while it is there and called as it was: a page
// may draw a field anew, or make another field of the element.
const keyed = new Map();
const keep = (target, e) => { keyed.set(target, { seen: new WeakRef(e), called: fieldName(e) }); return e; };
function byField(target) {
  const { seen, called } = keyed.get(target) || {}, had = inDocument(seen?.deref());
  if (had && shown(face(had)) && fieldName(had) === called) return had;
  const [key, own] = target.slice(6).split('\n'), { e, choices } = fieldOf(key);
  const one = own === undefined ? e : choices?.find(c => choiceName(c) === own);
  if (!one) fail('element_not_found', `${quote(key)} has no choice ${quote(own)} any more: there are ${(choices || [e]).map(c => quote(choiceName(c))).join(', ')}`);
  return keep(target, one);
}
// choicesFor tells which choices of a group are to be on and which off: {target, on}.
engine.choicesFor = (target, wanted) => {
  fresh();
  const { choices } = fieldOf(target.slice(6)), names = choices.map(choiceName), kind = KIND_OF_CHOICE(choices[0]);
  const picks = wanted.map(v => {
    const low = norm(v).toLowerCase(), fits = [c => choiceName(c) === norm(v), c => choiceName(c).toLowerCase() === low, c => (c.value ?? attr(c, 'value')) === v];
    for (const f of fits) { const found = choices.filter(f); if (found.length > 1) ambiguous(v, found); if (found.length) return found[0]; }
    fail('bad_value', `${quote(target.slice(6))} has no choice ${quote(v)}; it has ${names.slice(0, 40).map(quote).join(', ')}`);
  });
  if (kind === 'radio' && picks.length !== 1) fail('bad_value', `${quote(target.slice(6))} takes one choice, not ${picks.length}`);
  return choices.filter(c => kind === 'checkbox' || picks.includes(c)).map(c => ({ target: `${target}\n${choiceName(c)}`, on: picks.includes(c) }));
};

function pick(e, options, v) {
  const text = norm(v), low = text.toLowerCase();
  for (const fits of [o => o.value === v, o => norm(o.label) === text, o => norm(o.label).toLowerCase() === low]) {
    const found = options.filter(fits), values = [...new Set(found.filter(o => !o.matches(':disabled')).map(o => o.value))];
    if (values.length > 1) fail('bad_value', `${found.length} options of ${brief(e)} are called ${quote(v)}; choose by value: ${values.map(quote).join(', ')}`);
    if (found.length) return found.find(o => !o.matches(':disabled')) || found[0];
  }
  const some = options.slice(0, 40).map(o => quote(o.label)).join(', '), more = options.length > 40 ? ` and ${options.length - 40} more` : '';
  fail('bad_value', `${brief(e)} has no option ${quote(v)}; it has ${some}${more}`);
}

// choose selects exactly these options, by value or by the text shown.
function choose(e, wanted) {
  if (e.localName !== 'select') fail('bad_request', `${brief(e)} is not a <select>: clickOn it, extract(), then clickOn the option`);
  if (disabled(e)) fail('element_disabled', `${brief(e)} is disabled; do what enables it first`);
  reached(e);
  if (wanted.length > 1 && !e.multiple) fail('bad_value', `${brief(e)} accepts one option, not ${wanted.length}`);
  const options = [...e.options];
  const picks = wanted.map(v => pick(e, options, v));
  const off = picks.find(o => o.matches(':disabled'));
  if (off) fail('element_disabled', `the option ${quote(off.label)} of ${brief(e)} is disabled`);
  const before = options.map(o => o.selected).join(), veil = veilOf(e);
  e.focus({ preventScroll: true });
  if (e.multiple) for (const o of options) o.selected = picks.includes(o); else if (picks[0]) picks[0].selected = true;
  asWhole = { e, was: heldBy(e), veil };
  if (options.map(o => o.selected).join() !== before) announce(e, 'input', 'change');
}
engine.select = (target, wanted) => {
  fresh();
  let e = find(target);
  if (e.localName === 'label' && e.control) e = e.control;
  if (e.localName === 'option') e = e.closest('select') || e;
  if (e.localName !== 'select') e = e.querySelector('select') || shadow(e)?.querySelector('select') || e;
  if (e.localName !== 'select' && isChooser(e)) return { choose: uid(e) };
  choose(e, wanted);
  return null;
};

// fileInput is the file input that a target means: itself, its label's, or one inside (they are often hidden).
engine.fileInput = target => {
  fresh();
  let e = find(target);
  if (e.localName === 'label' && e.control) e = e.control;
  const of = r => r?.querySelector('input[type=file]');
  if (!(e.localName === 'input' && e.type === 'file')) e = of(e) || of(shadow(e)) || e.closest('label')?.control || e;
  if (!(e.localName === 'input' && e.type === 'file')) choosing = performance.now() + 10000;
  if (!(e.localName === 'input' && e.type === 'file')) return { chooser: true, drops: !e.matches('input,textarea,select') };
  if (disabled(e)) fail('element_disabled', `${brief(e)} is disabled; do what enables it first`);
  reached(e);
  picked = new WeakRef(e);
  pickedAnew = new Promise(done => e.addEventListener('change', () => done(true), { once: true, capture: true }));
  return { multiple: e.multiple, directory: e.webkitdirectory };
};
engine.chosen = () => { choosing = 0; };
let picked, pickedAnew;
engine.picked = () => picked?.deref();
// folderTaken: Chrome reads a folder some time after it was given.
engine.folderTaken = () => Promise.race([pickedAnew, new Promise(done => setTimeout(done, 10000))]);
