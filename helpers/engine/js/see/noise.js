// noise.js: what looks as if it could be acted on and is no way of its own: parts, mirrors and ornaments of what is listed already.

const isWay = e => e.matches(WAYS) || ACT.has(role(e));
const CONTROLS = 'a[href],button,input,select,textarea', WITHIN = CONTROLS + ',[tabindex]:not([tabindex="-1"]),[contenteditable=true],[contenteditable=""],[role=button],[role=combobox],[role=spinbutton],[role=option],[role=menuitem],[role=tab],[role=treeitem]';
// flat is every element that is drawn in e, in slots and open roots too, 300 at most.
function flat(e, out = []) {
  for (const k of kids(e)) if (k.nodeType === 1 && out.length < 300) { out.push(k); flat(k, out); }
  return out;
}
const composed = e => e.localName === 'slot' || shadow(e) || e.localName.includes('-');
// holdsControl: what is drawn in e has controls, or ways of their own that say all that e says.
const letters = s => s.replace(/[^\p{L}\p{N}]+/gu, '');
function holdsControl(e) {
  if (e.querySelector(CONTROLS)) return true;
  const some = [...e.getElementsByTagName('*')].slice(0, 300), inside = composed(e) || some.some(composed) ? flat(e) : some, own = letters(e.textContent);
  if (inside.some(k => k.matches(CONTROLS))) return true;
  const ways = inside.filter(k => (k.matches(WITHIN) || refs.heard.has(k) && !refs.guessed.has(k)) && shown(k) && boxed(k)), outer = ways.filter(k => !ways.some(w => w !== k && w.contains(k)));
  return own !== '' && outer.length > 0 && letters(outer.map(k => k.textContent).join('')).length >= own.length;
}

// blank: nothing that is drawn in e is read by itself; a nameless icon only tells what e is.
const blank = e => !texted(e) && !flat(e).some(k => texted(k) || isWay(k) || k.matches(READS) || /^(svg|img)$/.test(k.localName) && (k.clientWidth >= LARGE || !!name(k, role(k))));
const texted = e => [...kids(e)].some(k => k.nodeType === 3 && /\S/.test(k.data)) && !e.ownerSVGElement || !!e.querySelector?.(':scope > text');
const READS = 'canvas,input,select,textarea,iframe,frame,object,embed,video,audio,meter,progress,math,[role=img],[role=progressbar],[role=meter]';

// idle: e is listed only for its cursor, or because something hears its clicks, and a person gains nothing by it.
Walk.prototype.idle = function (e, act, pointer) {
  const pic = e.localName === 'svg' || act === 'image';
  if (!pic && ACT.has(act) || e.hasAttribute('tabindex') && e.tabIndex >= 0 || act === 'label' || handled(e) || attr(e, 'draggable') === 'true') return false;
  const s = cs(e), bare = !/[\p{L}\p{N}\p{S}]/u.test(e.textContent) && !composed(e);
  if (bare && (s.pointerEvents === 'none' || s.cursor.endsWith('-resize'))) return true;
  const outer = this.marked;
  if (outer && outer !== e && within(e, outer) && (bare || norm(e.textContent) === norm(outer.textContent)) && middleIn(outer, e)) return true;
  if (!bare || !pic && name(e, act)) return false;
  const heard = refs.heard.has(e) && !refs.guessed.has(e), hand = s.cursor === 'pointer';
  if (!heard) for (let n = up(e), i = 0; n && i < 5; n = up(n), i++) {
    if (isWay(n) || n.localName === 'label' && n.control) return true;
    const field = i < 3 && n.querySelector('input[type=checkbox],input[type=radio],[role=checkbox],[role=radio],[role=switch]');
    if (field && !within(e, field) && (name(field) || field.closest('label')?.textContent.trim())) return true;
  }
  if (pic && name(e, act)) return false;
  const kind = attr(e, 'class') ?? '';
  return !hand && (ORNAMENT.test(kind) || !heard && ARROW.test(kind) || /^(none|presentation)$/.test(attr(e, 'role')) || !heard && !pic && !draws(e, s));
};
const ORNAMENT = /separator|divider|resiz|ripple|backdrop/i, ARROW = /caret|chevron|arrow/i;
const middleIn = (outer, e) => { const b = outer.getBoundingClientRect(), r = e.getBoundingClientRect(), x = (b.left + b.right) / 2, y = (b.top + b.bottom) / 2; return x >= r.left && x <= r.right && y >= r.top && y <= r.bottom; };
// draws: there is something of it to see.
const clear = c => /^rgba\(.*, 0\)$/.test(c);
const draws = (e, s) => !!e.ownerSVGElement || s.backgroundImage !== 'none' || !clear(s.backgroundColor) || s.boxShadow !== 'none' || ['Top', 'Left'].some(k => parseFloat(s[`border${k}Width`]) > 0 && !clear(s[`border${k}Color`]))
  || ['::before', '::after'].some(p => !/^(none|normal|"")$/.test(cs(e, p).content)) || !!e.querySelector('svg,img,canvas,video,i,[style*=background]');

// mirror: a field that nobody sees and no Tab key reaches keeps the value for a form; what stands beside it is the field.
const REAL = '[role=combobox],[role=group],[role=spinbutton],[role=textbox],[role=slider],[role=listbox],[role=checkbox],[role=radio],[role=switch],[role=button],[contenteditable=true],button,input,select,textarea,[tabindex="0"]';
function mirror(e) {
  if (e.tabIndex >= 0 || e.type === 'file' || isHiddenFromReaders(e) === false) return false;
  if (+cs(e).opacity > 0 && cs(e).pointerEvents !== 'none' && e.offsetWidth > 1 && e.offsetHeight > 1 && !unseen(e, cs(e))) return false;
  const same = /^(checkbox|radio)$/.test(e.type) ? `[role=${e.type}],[role=switch]` : REAL;
  for (let n = up(e), i = 0; n && i < 2; n = up(n), i++)
    for (const k of [n, ...(shadow(n) || n).querySelectorAll(same)].slice(0, 20)) if (k !== e && k.matches(same) && !(FIELD.has(k.localName) && k.tabIndex < 0) && shown(k)) return true;
  return false;
}
const isHiddenFromReaders = e => { for (let n = e, i = 0; n && i < 3; n = up(n), i++) if (aria(n, 'hidden') === 'true') return true; return false; };

// groupName names the one thing to act on of a group that has a name: what the fields in it are parts of.
function groupName(e) {
  for (let n = e, i = 0; n && i < 3; n = up(n), i++) if (role(n) === 'group') return n !== e && [...n.querySelectorAll('[tabindex="0"]:not(button,[role=button])')].some(k => !within(k, e)) ? '' : name(n, 'group');
  return '';
}
// hostLabel names a field in a root by the label of its host.
function hostLabel(e) {
  const host = e.getRootNode().host;
  if (!host || shadow(host).querySelectorAll('input:not([type=hidden]),select,textarea,[role=combobox]').length > 1) return '';
  return norm(aria(host, 'label') || labelsOf(host)?.map(l => norm(l.textContent)).join(' ') || '');
}
// shapeName names a shape of a drawing as it or the group it is in is called there.
function shapeName(e) {
  for (let n = e, i = 0; n?.ownerSVGElement && i < 4; n = n.parentElement, i++) {
    const given = aria(n, 'label') || [...n.children].find(k => k.localName === 'title')?.textContent || attr(n, 'data-name') || attr(n, 'data-label');
    if (given) return norm(given);
    const texts = n.querySelectorAll('text');
    if (texts.length === 1 && n.childElementCount < 4) return norm(texts[0].textContent);
    if (texts.length) return '';
  }
  return '';
}
const drawnText = e => e.ownerSVGElement ? norm([...e.querySelectorAll('text')].map(k => k.textContent).join(' ')) : norm(e.textContent);
