// drag.js: where a drag goes to, and whether anything came of it.

let dragged;
// aim is the middle of what can be seen of a target, where it is now.
engine.aim = target => {
  const e = face(find(target)), b = e.getBoundingClientRect(), w = e.ownerDocument.defaultView;
  let x = (Math.max(b.left, 0) + Math.min(b.right, w.innerWidth)) / 2, y = (Math.max(b.top, 0) + Math.min(b.bottom, w.innerHeight)) / 2;
  for (let f = w.frameElement; f && w !== window; f = f.ownerDocument.defaultView === window ? null : f.ownerDocument.defaultView.frameElement) [x, y] = outward(f, x, y);
  const was = dragged?.sorts && dragged.b === e && dragged.at;   // a sortable list goes by where its items were when the drag began
  if (was && Math.abs(was.x - x) <= b.width && Math.abs(was.y - y) <= b.height) return pinched(was);
  return pinched({ x, y });
};

// What a drag may change: the tree and its texts, where source and target are, the title, what fields hold.
let dropTaken;
const stateOf = (a, b) => {
  const at = e => { const r = e.isConnected ? e.getBoundingClientRect() : {}; return [r.left, r.top, r.width, r.height].map(Math.round).join(); };
  const fields = [...document.querySelectorAll('input,select,textarea')].map(e => e.value).join('\n');
  return [document.title, location.href, at(a), at(b), fields, document.body?.innerText, [...roots()].map(r => (r.body || r).innerHTML.replace(/ style=""/g, '')).join('')].join('\n');
};
const taken = ev => { if (ev.defaultPrevented || ev.type === 'drop') dropTaken = true; };
// dragStart remembers the page. Among siblings, which a page sorts, a person goes a little past the middle: dx, dy.
engine.dragStart = (source, target) => {
  const a = find(source), b = find(target), r = a.getBoundingClientRect(), t = b.getBoundingClientRect();
  const siblings = a.parentElement === b.parentElement && a !== b, past = (d, size) => siblings && Math.abs(d) > size / 2 ? Math.sign(d) * Math.min(8, size / 3) : 0;
  dragged = { a, b, before: stateOf(a, b) };
  const at = engine.aim(target);
  if (siblings && attr(a, 'draggable') !== 'true') Object.assign(dragged, { sorts: true, at: { x: at.x + (visualViewport?.offsetLeft ?? 0), y: at.y + (visualViewport?.offsetTop ?? 0) } });
  dropTaken = false;
  addEventListener('drop', taken, { once: true });
  watch(a, source);                                          // what has come in its place by now is not dragged
  watched.until = Infinity;
  const dx = past(t.left - r.left, t.width), dy = past(t.top - r.top, t.height), forth = a.compareDocumentPosition(b) & 4 ? 1 : -1;
  return { siblings, dx: dy ? Math.abs(dx) * forth * (cs(a.parentElement).direction === 'rtl' ? -1 : 1) : dx, dy };   // from row to row of a grid: on in its order
};
// dragEnd gives a page that animates what it drops a moment.
engine.dragEnd = async () => {
  removeEventListener('drop', taken);
  const { a, b, before } = dragged, missed = watched?.verdict?.missed;
  unwatch();
  if (missed) return { missed };
  for (const end = performance.now() + 300; ; await frame(50)) {
    if (dropTaken || stateOf(a, b) !== before) return {};
    if (performance.now() > end) return { same: true };
  }
};
