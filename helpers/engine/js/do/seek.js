// seek.js: looking for a text in lists of which only some rows are drawn, by scrolling them as a person would.

const partial = () => {
  const lists = new Set([...roots()].flatMap(r => [...r.querySelectorAll('[aria-rowcount],[aria-setsize]')].map(e => e.hasAttribute('aria-rowcount') ? e : e.parentElement)));
  for (const r of roots()) for (const e of r.querySelectorAll(MAY_HOLD)) if (scrolls(e)) lists.add(e);
  if (document.scrollingElement) lists.add(document.scrollingElement);
  const found = [...lists].filter(e => e && shown(e) && part(e));
  return found.filter(e => !found.some(f => f !== e && withinDeep(f, e)));            // of a list and the box that it scrolls in, the list
};

// scroller is what a row scrolls in: a box around it, else the window.
function scroller(row) {
  for (let n = upOut(row); n; n = upOut(n)) if (/auto|scroll|overlay/.test(cs(n).overflowY) && n.scrollHeight > n.clientHeight + 1 && n.localName !== 'body' && n.localName !== 'html') return n;
  return row.ownerDocument.scrollingElement;
}

// seek scrolls each such list from its top until one of its rows has the text, and leaves it there: its rows are gone otherwise.
// {rows} says which are drawn then, of how many; {looked} what was looked through in vain, where each list is as it was.
engine.seek = async (text, ms) => {
  fresh();
  const want = norm(text).toLowerCase(), end = performance.now() + ms, looked = [];
  const has = e => e.textContent.toLowerCase().includes(want.split(' ')[0]) && norm(e.innerText).toLowerCase().includes(want);
  for (const e of partial()) {
    let p, s, was, from = Infinity;
    for await ({ p, s, was } of steps(e, end)) {
      from = Math.min(from, p.from);
      if (has(e)) return { rows: `${p.from} to ${p.to} of ${ofHowMany(p)}` };
    }
    looked.push({ uid: uid(e), rows: `${from} to ${p.to} of ${ofHowMany(p)}`, over: performance.now() > end });
    s.scrollTop = was;
    if (performance.now() > end) break;
  }
  return { looked };
};

// steps scrolls a list from its top to its end, with a stop wherever other rows are drawn.
async function* steps(e, end) {
  let p = part(e);
  const s = scroller(p.last), was = s.scrollTop;
  for (moveTo(s, 0); ;) {
    p = await redrawn(e, s, p);
    yield { p, s, was };
    const at = s.scrollTop;
    if (performance.now() > end || p.to === p.all && !p.about) return;
    moveTo(s, at + Math.max(s.clientHeight - 40, below(s, p.last) - 40, 20));
    if (s.scrollTop === at && !(await grown(s, at))) return;      // more rows may come once the end is reached
  }
}

// gather reads all rows of a table of which only some are drawn, and leaves it where it was.
engine.gather = async (target, ms) => {
  fresh();
  const list = partOf(tableOf(target).t), rows = () => tableOf(target).rows(), end = performance.now() + ms, found = [];
  let p, s, was;
  for await ({ p, s, was } of steps(list, end)) {
    const drawn = rows().filter(speaks).map(row => ({ row, y: row.getBoundingClientRect().top, at: +(aria(row, 'rowindex') || aria(row, 'posinset') || attr(row, 'data-index') || NaN) }));
    const body = drawn.filter(d => !heads(d.row, s)).sort((a, b) => a.y - b.y);
    if (!found.length) found.push(...drawn.filter(d => !body.includes(d)).map(d => ({ says: saysRow(d.row) })));
    const now = body.map(d => ({ says: saysRow(d.row), text: d.row.textContent, at: d.at }));
    found.push(...now.slice(had(found, now)));
    if (found.length > 20000) break;
  }
  s.scrollTop = was;
  return { rows: found.map(f => f.says), of: ofHowMany(p), over: performance.now() > end || found.length > 20000 };
};
const heads = (row, s) => !s.contains(row) || row.closest('thead') || /^(sticky|fixed)$/.test(cs(row).position) || cellsOf(row).some(c => attr(c, 'role') === 'columnheader');
// had: how many of the rows that are drawn now were drawn before, by their numbers, else by the longest run of texts that both have.
function had(found, now) {
  const last = found.at(-1)?.at;
  if (last >= 0 && now.every(n => n.at >= 0)) return now.filter(n => n.at <= last).length;
  for (let k = Math.min(found.length, now.length); k > 0; k--) if (now.slice(0, k).every((n, i) => n.text === found[found.length - k + i].text)) return k;
  return 0;
}

// moveTo scrolls, and tells the page at once, which hears of it a frame later otherwise.
function moveTo(s, top) {
  s.scrollTop = top;
  (isRoot(s) ? s.ownerDocument : s).dispatchEvent(new Event('scroll', { bubbles: isRoot(s) }));
}
const below = (s, row) => row.getBoundingClientRect().bottom - (isRoot(s) ? 0 : s.getBoundingClientRect().top);

// redrawn waits until a list shows other rows than before, and something in them: some are drawn empty, or all alike, until they are loaded.
async function redrawn(e, s, before) {
  const key = p => `${p.from} ${p.to} ${p.last.textContent}`, old = key(before), blank = p => !/\S/.test(p.last.textContent) || p.to > p.from && p.last.textContent === p.first.textContent;
  let p, n = 0;
  for (const start = performance.now(), most = () => !p ? 4000 : key(p) !== old ? 1500 : 300; ; await (n++ ? frame(50) : null)) {
    p = part(e);
    if (p && (key(p) !== old || s.scrollTop === 0 && n > 1) && !blank(p) || performance.now() > start + most()) return p || before;
  }
}
async function grown(s, at) {
  for (const end = performance.now() + 1000; performance.now() < end; await frame(50)) { s.scrollTop = at + s.clientHeight; if (s.scrollTop > at) return true; }
  return false;
}

// scrolls tells of what a wheel would scroll: that of a target, else what lies in the middle of the window, else the largest box in
// sight that scrolls. {x, y}: where to turn it; {what, at, end}: how far it is, and whether that is its end.
const canScroll = e => e && e.scrollHeight > e.clientHeight + 1 && (e === e.ownerDocument.scrollingElement ? cs(e).overflowY !== 'hidden' : /auto|scroll|overlay/.test(cs(e).overflowY)) ? e : null;
engine.scrolls = target => {
  fresh();
  let s;
  if (target) {
    const e = find(target);
    s = canScroll(e) || [...e.querySelectorAll('*')].find(x => canScroll(x) && drawn(x)) || canScroll(scroller(e));
    if (!s) fail('bad_request', `nothing scrolls in ${brief(e)} or around it`);
  } else {
    const h = deepest(innerWidth / 2, innerHeight / 2, document), area = x => { const [l, t, r, b] = sight(x); return Math.max(0, r - l) * Math.max(0, b - t); };
    s = h && canScroll(scroller(h)) || [...roots()].flatMap(r => [...r.querySelectorAll('*')]).filter(canScroll).sort((a, b) => area(b) - area(a))[0] || document.scrollingElement;
  }
  const root = s === s.ownerDocument.scrollingElement, mid = root && s.ownerDocument === document ? { x: innerWidth / 2, y: innerHeight / 2 } : engine.aim(uid(s), true);
  return { ...mid, by: 0.8 * (root ? s.ownerDocument.defaultView.innerHeight : s.clientHeight), what: root ? 'the page' : `${brief(s)}`, at: s.scrollTop, end: s.scrollTop + s.clientHeight >= s.scrollHeight - 2 };
};
