// press.js: watching over a press, for the page may have moved since its point was found. A press that would meet anything else
// is kept from the page; and one that met the element and came to no click there, as the page replaced, moved or covered it
// meanwhile, is told.

const PRESS = words('pointerdown mousedown touchstart pointerup mouseup touchend click dblclick auxclick contextmenu dragstart drop');
const MOVES = new Set(['mousemove', 'pointermove']);
// pressed is where an event is, in closed roots too, whose insides it does not tell.
function pressed(ev) {
  let h = ev.composedPath()[0];
  for (let s, i; (s = refs.closed.get(h)) && (i = s.elementFromPoint(ev.clientX, ev.clientY)) && i !== h;) h = i;
  return h;
}
const IN_FRAME = /^(iframe|frame|object|embed)$/;         // what is pressed in these is seen in there only
const places = new WeakMap();
let placed = 0;
const uidOf = n => places.get(n) ?? (places.set(n, ++placed), placed);
// elsewhereTo: an address that Chrome would open in another program, which it asks its user about in a window of its own.
const elsewhereTo = url => !inChrome.test(url);
// refusals listens for fields that keep a form around e from being sent. The event leaves no shadow root.
function refusals(e) {
  const said = [], roots = [], note = ev => said.length < 10 && said.push(`${name(ev.target) || brief(ev.target)}: ${ev.target.validationMessage}`);
  for (let r = e.getRootNode(); r; r = r.host?.getRootNode()) roots.push(r);
  for (let v = e.ownerDocument.defaultView; v && v !== window;) if (v = v.frameElement?.ownerDocument.defaultView) roots.push(v);
  for (const r of roots) r.addEventListener('invalid', note, true);
  return { said, end: () => { for (const r of roots) r.removeEventListener('invalid', note, true); } };
}
// awaitRefusals does so around what has the focus, for a key that may send its form; refused ends that, and tells.
let awaited;
engine.awaitRefusals = () => {
  awaited?.end();
  awaited = refusals(inFocus() || document.body);
};
engine.refused = () => { awaited?.end(); return awaited?.said.length ? awaited.said : null; };
let watched, choosing = 0;                                // until then a file chooser may open: uploadFile answers it
function watch(found, target) {
  unwatch();
  let e = found;
  const g = watched = { verdict: IN_FRAME.test(e.localName) ? {} : null, until: performance.now() + 5000, views: [], refusals: refusals(e), came: {}, now: () => e };
  g.on = ev => {
    if (ev.type === 'click' && ev.composedPath().some(n => n.localName === 'a' && n.href && n.hasAttribute('download'))) g.save = ev;
    const files = ev.type === 'click' && performance.now() > choosing && ev.composedPath().find(n => n.localName === 'input' && n.type === 'file' && !n.disabled);
    if (files && !ev.defaultPrevented && performance.now() < g.until) {   // no window of the system's opens that nobody here can close
      ev.preventDefault();
      g.files = { multiple: files.multiple, accept: files.accept, note: 'the file chooser was kept from opening: give it files with uploadFile(target, path)' };
    }
    const link = ev.type === 'click' && ev.button === 0 && ev.composedPath().find(n => n.localName === 'a' && n.href);
    if (link && !ev.defaultPrevented && elsewhereTo(link.href) && performance.now() < g.until) { ev.preventDefault(); g.external = link.href; }
    if (!ev.isTrusted) return;
    if (performance.now() > g.until) { g.verdict ??= {}; return; }
    if (!e.isConnected) { g.anew = true; if (!isUid(target)) e = all(target).find(shown) || e; }   // drawn afresh as the mouse came: still what the selector names
    const h = pressed(ev), met = h.nodeType !== 1 || within(h, e) || inLabelOf(h, e);
    if (MOVES.has(ev.type)) { g.over ||= met; g.under = h; return; }
    if (ev.type === 'dragstart' && g.verdict?.hit && !met && !within(e, h)) g.verdict = { missed: brief(h) };   // Chrome looks again what lies there
    g.verdict ??= met ? { hit: true } : { missed: brief(h) };
    if (met) g.came[ev.type] = Math.max(g.came[ev.type] || 0, ev.detail || 1);
    if (/up$/.test(ev.type)) g.last = h;
    if (g.verdict.missed) { ev.preventDefault(); ev.stopImmediatePropagation(); }
  };
  g.stands = () => standing(e);
  g.stood = g.stands();
  const radio = e.localName === 'label' && e.control || e;
  if (radio.localName === 'input' ? radio.type === 'radio' && radio.checked : role(radio) === 'radio' && aria(radio, 'checked') === 'true') g.chosen = brief(radio);
  if (e.isContentEditable) {                                 // what listens for the caret hears of it some time after the press
    const s = e.ownerDocument.getSelection();
    g.caret = () => [s.anchorOffset, s.focusOffset, s.rangeCount && s.anchorNode ? uidOf(s.anchorNode) : ''].join();
    g.was = g.caret();
    e.ownerDocument.addEventListener('selectionchange', () => { g.told = true; g.hear?.(); }, { once: true });
  }
  for (let v = e.ownerDocument.defaultView; v; v = v === window ? null : v.frameElement?.ownerDocument.defaultView) g.views.push(v);
  g.leaves = ev => { if (performance.now() < g.until && ev.cancelable && elsewhereTo(ev.destination.url)) { ev.preventDefault(); g.external = ev.destination.url; } };
  for (const v of g.views) {
    v.navigation?.addEventListener('navigate', g.leaves);
    for (const t of [...PRESS, ...MOVES]) v.addEventListener(t, g.on, { capture: true, passive: false });
  }
}
// standing is what a press may change at once: what e, its control and its widget say of themselves, and what is open on the page.
const TOGGLED = words('expanded pressed checked selected'), POPUPS = '[role=listbox],[role=menu],[role=dialog],[role=tree],[role=grid],[role=alertdialog],dialog[open]';
function standing(e) {
  const about = [e, e.control, ...e.querySelectorAll('[aria-expanded]'), e.closest('[aria-expanded],[aria-pressed],[aria-checked],[aria-selected]')].filter(Boolean);
  const says = about.map(x => TOGGLED.map(s => aria(x, s)) + [x.open, x.checked].join());
  return says.join(';') + [...e.getRootNode().querySelectorAll(POPUPS), ...document.querySelectorAll(POPUPS)].filter(shown).length;
}
function unwatch() {
  for (const v of watched?.views ?? []) {
    v.navigation?.removeEventListener('navigate', watched.leaves);
    for (const t of [...PRESS, ...MOVES]) v.removeEventListener(t, watched.on, { capture: true });
  }
  watched?.refusals.end();
  watched = null;
}
// CLICKS: which event a press of a button is for. A list that is no part of the page, as a select's, takes the release to itself.
const CLICKS = { left: 'click', middle: 'auxclick', right: 'contextmenu' }, OWN_LIST = 'select,input[list],input[type=date],input[type=datetime-local],input[type=month],input[type=week],input[type=time],input[type=color]';
// unclicked says why an element that was pressed got no click, or fewer than were meant; '' if it got them.
function unclicked(g, { button, count }) {
  const e = g.now(), want = CLICKS[button], got = g.came[want] || 0;
  if (want === 'click' && !got && g.stands() !== g.stood) return '';   // it came to what it was for at the press: a list that opens with it
  if (!want || got && (want !== 'click' || got >= count) || (e.control || e).matches(OWN_LIST) || e.ownerDocument.pointerLockElement) return '';
  const at = g.last && !within(g.last, e) && !inLabelOf(g.last, e) ? brief(g.last) : '';
  const why = g.anew || !e.isConnected ? 'the page replaced or removed it' : disabled(e) ? 'the page disabled it' : at ? `${at} came under the mouse` : 'a script of the page prevented it';
  return `${brief(e)} was pressed, but it got ${got ? `only ${got} of ${count} clicks` : want === 'click' ? 'no click' : 'no ' + want}: meanwhile ${why}. If changes() shows no effect, look again and repeat it`;
}
// verdict is {hit}, {missed: what was pressed instead}, or {lost}: no press came to any document of this world; with {invalid: […]},
// what fields of a form said that kept it from being sent, and {note}. meant: {button, count}, or {hover}.
engine.verdict = async meant => {
  if (watched?.caret && !watched.told && watched.caret() !== watched.was) await Promise.race([new Promise(r => watched.hear = r), new Promise(r => setTimeout(r, 150))]);
  const v = { ...(watched?.verdict ?? { lost: !!watched }) };
  if (watched?.files) v.fileChooser = watched.files;
  if (watched?.external) v.external = { url: watched.external, note: 'the page was kept from opening this address, which is for another program: handoff(message) if the person should open it' };
  if (meant?.hover && watched && !watched.over && !watched.verdict && !watched.now().matches(':hover')) { if (watched.under) v.missed = brief(watched.under); }
  if (v.hit && meant?.button) { const note = unclicked(watched, meant); if (note) v.note = note; }
  if (v.hit && !v.note && watched.chosen) v.note = `${watched.chosen} was already chosen`;
  if (watched?.save && !watched.save.defaultPrevented) v.download = true;
  if (watched?.refusals.said.length) v.invalid = watched.refusals.said;
  unwatch();
  return v;
};
