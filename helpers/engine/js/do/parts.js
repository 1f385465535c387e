// parts.js: one field made of several: boxes of a code that take a character each, sections of a date that take digits.

const isBox = e => e.localName === 'input' && e.maxLength === 1 && !AS_WHOLE.test(e.type);
const isSection = e => e.isContentEditable && role(e) === 'spinbutton';
// partsOf gives the parts that e is one of, in their order: those in the nearest element around it that has more than one.
function partsOf(e) {
  const like = isBox(e) ? isBox : isSection(e) ? isSection : null;
  for (let n = like && up(e), i = 0; n && i < 6; n = up(n), i++) {
    const found = [...n.querySelectorAll('input,[contenteditable]')].filter(x => like(x) && shown(x));
    if (found.length > 1) return found;
  }
  return like ? [e] : [];
}
const held = ps => ps.map(p => p.value ?? norm(p.innerText || '').replace(/[\u2066-\u2069\u200e\u200f]/g, '')).join(isBox(ps[0]) ? '' : '/');

// partly tells of a text for a field of parts which of them it is for, and what to type; null of any other field.
function partly(e, text) {
  const all = partsOf(e), from = all.indexOf(e);
  if (from < 0 || isBox(e) && all.length < 2) return null;
  if (isBox(e)) return text.length > 1 ? { parts: all.slice(from), keys: text.replace(/[\s-]/g, '') } : null;
  const words = text.match(/\d+|\p{L}+/gu) || [], one = words.length < 2 && text.length < 5;
  return { parts: one ? [e] : all.slice(from), keys: ordered(all, text) };
}
// ordered is a date as input fields have it (2026-01-31), in the order of the sections that say what they are.
function ordered(sections, text) {
  const iso = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text), says = p => ((aria(p, 'label') || '') + ' ' + (aria(p, 'valuetext') || '') + ' ' + p.innerText).toLowerCase();
  if (!iso) return text;
  const which = sections.map(p => [/year|yyyy/, /month|mm/, /day|dd/].findIndex(w => w.test(says(p))));
  return which.every(i => i >= 0) && new Set(which).size === 3 ? which.map(i => iso[i + 1]).join('') : text;
}
// partsHeld compares what parts hold with what was typed: {value} where they hold something else.
function partsHeld({ parts, keys }) {
  const value = held(parts), split = s => s.toLowerCase().match(/\d+|\p{L}+/gu) || [], a = split(value), b = split(keys);
  const same = a.length === b.length && a.every((w, i) => +w === +b[i] || /\p{L}/u.test(w) && (w.startsWith(b[i]) || b[i].startsWith(w)));
  return same || a.join('') === b.join('') || isBox(parts[0]) && value.includes(keys) ? null : { value };
}
// partsStart readies parts for keys: boxes are emptied, the first has the focus.
function partsStart(p) {
  if (isBox(p.parts[0])) for (const b of p.parts) if (b.value) {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(b, '');
    announce(b, 'input');
  }
  p.parts[0].focus({ preventScroll: true });
  return { keys: p.keys };
}
engine.partsEnd = async (target, text) => {
  const e = field(target);
  for (const end = performance.now() + 300; ; await frame(50)) {
    const wrong = partsHeld(partly(e, text));
    if (!wrong || performance.now() > end) return wrong;
  }
};
// spread is what a field and those after it hold, where the page sends each character to the next one.
function spread(e) {
  for (let n = e.localName === 'input' && e.value.length === 1 && up(e), i = 0; n && i < 3; n = up(n), i++) {
    const all = [...n.querySelectorAll('input')].filter(shown), from = all.indexOf(e);
    if (all.length > 2) return all.slice(from).map(x => x.value.length > 1 ? ' ' : x.value).join('');
  }
  return '';
}
