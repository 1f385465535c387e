// one.js: questions about one element: can it be acted on, what is it called, how is it marked.

// mayHide: it may hold a closed shadow root, which only the browser can hand out (see engine/closed.go): a custom element, or an
// empty one that has a height though no style gives it one. Asked of each element once.
const HOST = /^(div|span|section|article|aside|main|nav|header|footer|p|h[1-6]|blockquote|body)$/;
const mayHide = e => (e.localName.includes('-') || HOST.test(e.localName) && !e.firstElementChild && (!/\S/.test(e.textContent) ? e.offsetHeight > 0 && tall(e) : e.offsetHeight > 0 && !sized(insides(e))) || HOST.test(e.localName) && e.childElementCount > 0 && e.childElementCount < 5 && roomier(e)) && !refs.opened.has(e);
// roomier: its height comes from its content, and is more than what can be seen of its children.
function roomier(e) {
  const b = e.getBoundingClientRect(), first = e.firstElementChild, last = e.lastElementChild;
  if (b.height < 20 || b.height > 2000) return b.height > 0 && cs(first).display === '';
  const a = first.getBoundingClientRect(), z = last.getBoundingClientRect();
  if (a.top - b.top < 12 && b.bottom - z.bottom < 12 || !a.height && cs(first).display !== '' || /\S/.test(first.previousSibling?.data ?? '') || /\S/.test(last.nextSibling?.data ?? '')) return false;
  if (cs(first).display === '') return true;                // not drawn at all
  const s = cs(e), n = (x, k) => parseFloat(x[k]) || 0, f = cs(first), l = cs(last);
  if (s.display !== 'block' && s.display !== 'inline-block' || n(s, 'minHeight') || f.position !== 'static' || l.position !== 'static') return false;
  const top = a.top - b.top - n(s, 'paddingTop') - n(s, 'borderTopWidth') - n(f, 'marginTop'), end = b.bottom - z.bottom - n(s, 'paddingBottom') - n(s, 'borderBottomWidth') - n(l, 'marginBottom');
  return (top > 12 || end > 12) && e.computedStyleMap().get('height')?.value === 'auto' && cs(e, '::before').content === 'none' && cs(e, '::after').content === 'none';
}
function tall(e) {
  const s = cs(e), n = k => parseFloat(s[k]) || 0;
  if (s.display.startsWith('inline')) return e.localName === 'span' && sized(e.getClientRects());
  return e.computedStyleMap().get('height')?.value === 'auto' && e.clientHeight > n('paddingTop') + n('paddingBottom') + n('minHeight') && cs(e, '::before').content === 'none';
}

// dims counts what a script keeps unseen, and was not so in the reading before: it may be about to show it, and is looked at again.
let dims = 0;
function dim(e) {
  const style = e.style.cssText, { was, now } = refs.dims;
  if (was.get(e) !== style && now.get(e) !== style) dims++;
  now.set(e, style);
}
// ends are the last values of a property that running animations of an element come to.
const ends = (e, ...names) => e.getAnimations().filter(a => a.playState === 'running').flatMap(a => names.map(n => a.effect.getKeyframes().at(-1)?.[n])).filter(v => v !== undefined);

// unfolds: it has no height or no width yet, but is about to get it.
function unfolds(e) {
  if (e.style?.height || e.style?.width || e.style?.maxHeight) dim(e);
  return ends(e, 'height', 'width', 'maxHeight', 'maxWidth').some(v => v !== '0px') || !!e.parentElement && ends(e.parentElement, 'gridTemplateRows', 'gridTemplateColumns').length > 0;   // which are told as 0px both ways
}
// fadesIn: not to be seen yet, but about to be.
function fadesIn(e) {
  if (!shown(e)) return false;
  for (let n = e; n; n = up(n)) if (+cs(n).opacity === 0) {
    if (n.style?.opacity || n.style && n.getAnimations().some(a => a.playState === 'paused')) dim(n);
    return ends(n, 'opacity').some(o => +o > 0);
  }
  return false;
}

const fading = e => { for (let n = e; n; n = up(n)) if (+cs(n).opacity === 0 && n.getAnimations().length) return true; return false; };

// suspect: a script may listen to it, which only the page's own world can tell (see engine/listen.go). looks: and it looks like that,
// so that it is meant too where a box around it listens.
const suspect = (e, pointer) => (e.childElementCount <= 1 || e.localName === 'tr') && !refs.judged.has(e) && !/^(label|option|iframe|img|br)$/.test(e.localName)
  && (scripted && e.ownerDocument === document || looks(e, pointer)) && (e.localName === 'tr' || e.textContent.length <= 60) && boxed(e);
const looks = (e, pointer) => !/^(td|th|tr|p|h\d)$/.test(e.localName) && e.hasAttributes() && (e.localName === 'a' || pointer || e.hasAttribute('title') || !/[\p{L}\p{N}]{2}/u.test(e.textContent) || e.ownerSVGElement)
  || Object.keys(e.dataset ?? {}).some(k => DOES.test(k));
const DOES = /^(id|act|action|cmd|command|key|value|index|idx|tab|nav|href|url|link|page|target|toggle|item|row|date|day|option|click|do|go|route|view|step|name)$/i;
const HANDLER = '[onclick],[onmousedown],[onmouseup],[onpointerdown],[onpointerup],[ondblclick],[ontouchstart],[ontouchend],[jsaction]', GOOGLES = /(?:^|;)\s*(?:(?:click|clickonly|mousedown|mouseup|pointerdown|touchend):|[^:;\s]+\s*(?:;|$))/;
const handled = e => e.matches(HANDLER) && (!e.hasAttribute('jsaction') || GOOGLES.test(attr(e, 'jsaction')));

// actionable gives the role under which an element is listed, or ''. Handlers set by scripts cannot be seen from here; a hand
// for a cursor that the surroundings do not have (`fresh`) gives most of them away.
function actionable(e, r, fresh) {
  const t = e.localName;
  if (refs.heard.has(e) && e.textContent.length < 200 && !holdsControl(e)) return r || 'clickable';
  if (attr(e, 'draggable') === 'true' && t !== 'a') return r || 'clickable';
  if (t === 'option' || t === 'optgroup') return '';
  if (ACT.has(r) && (r !== 'gridcell' || daylike(e))) return r;
  if (e.hasAttribute('tabindex') && e.tabIndex >= 0 && t !== 'iframe') return r || 'focusable';
  if (e.hasAttributes() && handled(e)) return r || 'clickable';
  if (t === 'label') return e.control && !shown(e.control) && !e.querySelector('a[href],button,[role]') ? 'label' : '';   // a custom checkbox's
  return fresh && !holdsControl(e) ? r || 'clickable' : '';
}
// In a grid, cells that are chosen one by one (the days of a calendar) are listed, and not every cell of a data table.
const daylike = e => e.tabIndex >= 0 || e.hasAttribute('tabindex') && ['aria-label', 'aria-selected', 'aria-disabled'].some(a => e.hasAttribute(a));
const hasSize = e => FIELD.has(e.localName) || !!shadow(e) || boxed(e);    // a field of no size may have a label in its place
const offCanvas = e => {
  const b = e.getBoundingClientRect();
  return b.right + scrollX <= 0 || b.bottom + scrollY <= 0 || b.left >= innerWidth;
};
// slidOut: what stands fixed to the window and wholly outside of it, all it holds too, and is not on its way in: a drawer that is shut.
const slidOut = e => {
  const d = e.ownerDocument, { clientWidth: w, clientHeight: h } = d.scrollingElement ?? d.documentElement, inside = d.createRange();
  const out = b => b.width > 0 && b.height > 0 && (b.right <= 0 || b.bottom <= 0 || b.left >= w || b.top >= h);
  inside.selectNodeContents(e);
  return w > 0 && h > 0 && !e.offsetParent && out(e.getBoundingClientRect()) && out(inside.getBoundingClientRect()) && !e.getAnimations().length;
};
const repeated = e => {
  const c = e.className, same = x => x && x.localName === e.localName && x.className === c;
  return c && typeof c === 'string' && e.firstElementChild && (same(e.previousElementSibling) || same(e.nextElementSibling));
};
// A label around its own visible checkbox: the text is already the checkbox's name.
const echoes = l => l.control && within(l.control, l) && shown(l.control) && /^(checkbox|radio)$/.test(l.control.type);
const PLAIN = { DisclosureTriangle: 'summary', DisclosureTriangleGrouped: 'summary', Date: 'date', DateTime: 'datetime', InputTime: 'time', ColorWell: 'color', none: 'clickable', generic: 'clickable' };
// longer: an editor that holds more than a line.
const longer = e => e.textContent.length > 200 || e.querySelectorAll('p,li,div,br,h1,h2,h3,h4,blockquote,pre,tr').length > 1;
// inLink is an address as it stands in a link: nothing in it ends the link.
const inLink = h => { const s = h.replace(/[\s{}<>]/g, encodeURIComponent); let n = 0; for (const c of s) if (c === '(') n++; else if (c === ')' && --n < 0) return s.replace(/\)/g, '%29'); return s; };
const address = e => {
  const h = attr(e, 'href') ?? '';
  if (/^[/#?]/.test(h)) return cut(h, 150);
  const full = String(e.href?.baseVal ?? e.href), here = location.origin + '/';
  return full.startsWith(here) ? cut(full.slice(here.length - 1), 150) : /^(https?|file|mailto|tel):/.test(full) ? cut(full, 150) : '';
};

// markStates are the words for what is true of a control now.
const markStates = o => STATES.filter(k => o[k] !== undefined && (o[k] || k === 'expanded')).map(k => o[k] === 'mixed' ? 'mixed' : k === 'sort' ? o[k] : k === 'current' && o[k] !== 'true' ? `current ${o[k]}` : o[k] ? k : 'collapsed');
// bare is a mark beside words that stand on the page: {e4}, {e4 selected}
const bare = o => `${OPEN}${[o.uid, ...markStates(o)].join(' ')}}`;
// mark is how a control stands in the Markdown: {e4 textbox "Name"="Jane" required}
function mark(o) {
  const on = markStates(o), value = o.value ? '=' + JSON.stringify(o.value) : '';
  if (o.role === 'listbox' && o.options) on.push('of ' + o.options.map(x => JSON.stringify(x)).join(', ') + (o.moreOptions ? ` and ${o.moreOptions} more` : ''));
  const called = o.name || !o.hint && o.role ? JSON.stringify(cut(o.name, 120)) : o.hint ? `(${o.hint})` : '';
  return `${OPEN}${[o.uid, o.type === 'file' ? 'file' : o.role, called + value, ...on].filter(Boolean).join(' ')}}`;
}
