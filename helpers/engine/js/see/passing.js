// passing.js: what is shown and goes again between two readings, as a toast does.

const ANNOUNCES = '[role=alert],[role=status],[aria-live=polite],[aria-live=assertive],output';
refs.watched ||= new WeakSet(); refs.passing ||= new Map();

// attend begins to note such texts, from the first reading of a document on.
function attend() {
  restless = new WeakMap();
  for (const r of roots()) {
    if (refs.watched.has(r)) continue;
    refs.watched.add(r);
    new MutationObserver(noted).observe(r, { childList: true, characterData: true, subtree: true, attributes: true, attributeFilter: ['class', 'style', 'hidden', 'open'] });
  }
}

// The page is looked at some time after, so that nothing is laid out in between what its script does.
const touched = new Set();
let restless = new WeakMap();                              // how often an element's attributes did: one that moves all the time is no news
function noted(list) {
  const idle = !touched.size;
  for (const m of list) {
    if (m.type === 'attributes') {
      const times = (restless.get(m.target) ?? 0) + 1;
      restless.set(m.target, times);
      if (times > 20) continue;
    }
    for (const n of m.type === 'childList' ? m.addedNodes : [m.target]) if (touched.size < 300) touched.add(n.nodeType === 1 ? n : n.parentElement);
  }
  if (idle && touched.size) setTimeout(look, 30);
}
function look() {
  const found = new Set([...touched].filter(e => e?.isConnected).flatMap(e => [...e.querySelectorAll(ANNOUNCES), e.closest(ANNOUNCES) ?? over(e)]));
  touched.clear();
  for (const e of found) {
    if (!e || !shown(e) || !boxed(e) || unseen(e, cs(e))) continue;
    const text = norm(e.innerText || '');
    if (!text || text.length > 300) continue;
    refs.passing.delete(e);
    refs.passing.set(e, text);
    if (refs.passing.size > 20) refs.passing.delete(refs.passing.keys().next().value);
  }
}
// over is the box, fixed to the window, that an element is or stands in.
function over(e) {
  for (let n = e, i = 0; n && i < 4; n = up(n), i++) if (cs(n).position === 'fixed') return n;
  return null;
}

// passed gives what was noted since the reading before and is not there any more, and forgets it. lines: what the two readings say.
function passed(lines) {
  const gone = [...refs.passing].filter(([e, text]) => (!e.isConnected || !shown(e) || !norm(e.innerText || '')) && !lines.some(l => l.includes(text.slice(0, 30))));
  refs.passing.clear();
  return [...new Set(gone.map(([, text]) => begun(honest(text))))].slice(-5);
}
