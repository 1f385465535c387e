// part.js: lists, grids and feeds of which only some rows are drawn.

// part is which rows of how many such a list has drawn, null if all. It says so itself (ARIA), or its scroll bar does.
const part = e => (e.hasAttribute('aria-rowcount') || e.firstElementChild?.hasAttribute('aria-setsize') ? told(e) : null) || drawnIn(e);
function told(e) {
  const grid = e.hasAttribute('aria-rowcount'), ask = grid ? 'aria-rowindex' : 'aria-posinset';
  const rows = (grid ? [...e.querySelectorAll('[role=row],tr')] : [...e.children].filter(k => k.hasAttribute('aria-setsize'))).filter(shown);
  const all = grid ? +aria(e, 'rowcount') : Math.max(...rows.map(k => +aria(k, 'setsize')));
  if (!rows.length || !all || all > 0 && rows.length >= all || !grid && rows.some(k => k.hasAttribute('aria-level'))) return null;
  const at = rows.map(k => +(attr(k, ask) || k.querySelector(`[${ask}]`)?.getAttribute(ask))).filter(Boolean);
  return { all, from: at.length ? Math.min(...at) : 1, to: at.length ? Math.max(...at) : rows.length, first: rows[0], last: rows.at(-1), rows };
}

// scrolls: more can be scrolled in it than it shows.
const isRoot = e => e === e.ownerDocument.scrollingElement;
const scrolls = e => e.scrollHeight > e.clientHeight * 1.5 && e.clientHeight > 30 && (isRoot(e) || /auto|scroll|overlay/.test(cs(e).overflowY));
const speaks = e => {                                       // words or a picture
  if (/^(img|svg|canvas|input|video)$/.test(e.localName)) return true;
  const w = document.createTreeWalker(e, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let n; (n = w.nextNode());) if (n.nodeType === 3 ? /\S/.test(n.data) : shadow(n) || /^(img|svg|canvas|input|video)$/.test(n.localName)) return true;
  return false;
};

const roomy = e => { const s = e.style ?? {}; return !!(s.height || s.minHeight || s.paddingTop || s.paddingBottom || s.transform || s.marginTop || s.top) || e.localName === 'tr' && /height/.test(e.innerHTML); };

// drawnIn: the rows in a scrolled box leave room above or below them, which is for those that are not drawn. How many they are is
// told where all are of one height.
function drawnIn(s) {
  if (!scrolls(s)) return null;
  let box = s, c = s, rows;
  const sized = [];                                        // what a script gave a height, as the room for all rows
  for (let depth = 0; depth < 12; depth++) {
    if (c.childElementCount > 500) return null;
    const kids = [...(shadow(c) || c).children].filter(k => k.offsetHeight > 0);
    rows = kids.filter(speaks);
    sized.push(c, ...isRoot(s) ? [] : kids.filter(k => !rows.includes(k)));
    if (rows.length > 2 && rows.every(k => k.localName === rows[0].localName && k.offsetHeight < s.clientHeight)) break;
    if (!rows.length) return null;
    if (rows.length > 1) box = rows.reduce((a, k) => k.offsetHeight > a.offsetHeight ? k : a);
    c = rows.length > 1 ? box : rows[0];
    rows = null;
  }
  if (!rows || !sized.some(roomy) && !rows.every(r => r.style.transform || r.style.top) || c.querySelector('[aria-rowcount],[aria-setsize]') || c.closest('[aria-rowcount]')) return null;
  const placed = rows.map(row => ({ row, b: row.getBoundingClientRect() })).sort((a, b) => a.b.top - b.b.top), out = box.getBoundingClientRect(), first = placed[0], last = placed.at(-1);
  const top = box === s ? (isRoot(s) ? 0 : out.top + s.clientTop) - s.scrollTop : out.top, height = box === s ? s.scrollHeight : out.height;
  const above = first.b.top - top, below = top + height - last.b.bottom, h = (last.b.bottom - first.b.top) / rows.length, least = Math.max(3 * h, s.clientHeight * 0.5);
  const seen = isRoot(s) ? null : s.getBoundingClientRect(), full = !seen || first.b.top <= seen.top + h + 60 && last.b.bottom >= seen.bottom - h;
  if (h < 4 || !full || above < least && below < least || last.b.bottom - first.b.top > 6 * Math.max(s.clientHeight, 300)) return null;
  const even = placed.every(p => Math.abs(p.b.height - first.b.height) < 2) && placed.slice(1).every((p, i) => Math.abs(p.b.top - placed[i].b.bottom) < 40);
  const all = even ? Math.round(height / h) : -1, from = even ? Math.max(1, Math.round(above / h) + 1) : 1;
  return { all, from, to: even ? Math.min(all, from + rows.length - 1) : rows.length, first: first.row, last: last.row, rows: placed.map(p => p.row), about: true, end: below < least };
}

const ofHowMany = p => p.all < 0 ? 'an unknown number' : (p.about ? 'about ' : '') + count(p.all);
// partly says so in the reading.
Walk.prototype.partly = function (e) {
  const p = this.out.mute ? null : part(e);
  if (!p) return;
  const over = p.end ?? p.to === p.all, which = p.about && p.all < 0 ? `${p.rows.length} of more rows are drawn` : `rows ${p.from} to ${p.to} of ${ofHowMany(p)} are drawn`;
  this.out.end();
  this.out.put(`${NOTE}${which}: scrollTo("${uid(over ? p.first : p.last)}") draws the ${over ? 'ones before' : 'next ones'})`);
  this.out.end();
};
