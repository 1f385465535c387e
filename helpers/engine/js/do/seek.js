// seek.js: looking for a text in lists of which only some rows are drawn, by scrolling them as a person would.

const partial = () => {
  const lists = new Set([...roots()].flatMap(r => [...r.querySelectorAll('[aria-rowcount],[aria-setsize]')].map(e => e.hasAttribute('aria-rowcount') ? e : e.parentElement)));
  return [...lists].filter(e => e && shown(e) && part(e));
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
    const s = scroller(part(e).last), was = s.scrollTop, told = p => `${p.from} to ${p.to} of ${p.all < 0 ? 'an unknown number' : count(p.all)}`;
    let p = part(e), from = Infinity;
    for (moveTo(s, 0); ;) {
      p = await redrawn(e, s, p);
      from = Math.min(from, p.from);
      if (has(e)) return { rows: told(p) };
      const at = s.scrollTop;
      if (performance.now() > end || p.to === p.all) break;
      moveTo(s, at + Math.max(s.clientHeight - 40, below(s, p.last) - 40, 20));
      if (s.scrollTop === at && !(await grown(s, at))) break;      // more rows may come once the end is reached
    }
    looked.push({ uid: uid(e), rows: told({ ...p, from }), over: performance.now() > end });
    s.scrollTop = was;
    if (performance.now() > end) break;
  }
  return { looked };
};

// moveTo scrolls, and tells the page at once, which hears of it a frame later otherwise.
function moveTo(s, top) {
  s.scrollTop = top;
  (s === s.ownerDocument.scrollingElement ? s.ownerDocument : s).dispatchEvent(new Event('scroll'));
}
const below = (s, row) => row.getBoundingClientRect().bottom - (s === s.ownerDocument.scrollingElement ? 0 : s.getBoundingClientRect().top);

// redrawn waits until a list shows other rows than before, and something in them: some are drawn empty, or all alike, until they are loaded.
async function redrawn(e, s, before) {
  const key = p => `${p.from} ${p.to} ${p.last.textContent}`, old = key(before), blank = p => !/\S/.test(p.last.textContent) || p.to > p.from && p.last.textContent === p.first.textContent;
  let p, n = 0;
  for (const start = performance.now(), most = () => p && key(p) !== old ? 1500 : 300; ; await (n++ ? frame(50) : null)) {
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
