// drag.js: where a drag goes to, and whether anything came of it.

let dragged;
// sight is the part of an element that its window and what scrolls around it show: [left, top, right, bottom], empty if none.
function sight(e) {
  const w = e.ownerDocument.defaultView, cut = ([l, t, r, d], b) => [Math.max(l, b.left), Math.max(t, b.top), Math.min(r, b.right), Math.min(d, b.bottom)], b = e.getBoundingClientRect();
  let s = cut([b.left, b.top, b.right, b.bottom], { left: 0, top: 0, right: w.innerWidth, bottom: w.innerHeight });
  for (let n = up(e); n && n !== e.ownerDocument.documentElement && n !== e.ownerDocument.body; n = up(n)) if (cs(n).overflow !== 'visible' && cs(n).display !== 'contents') s = cut(s, n.getBoundingClientRect());
  return s;
}
// aim is the middle of what can be seen of a target, where it is now; scroll: it is brought into sight if need be.
engine.aim = (target, scroll) => {
  const e = face(find(target)), b = e.getBoundingClientRect(), w = e.ownerDocument.defaultView, hidden = s => s[2] - s[0] < 1 || s[3] - s[1] < 1;
  let s = sight(e);
  if (scroll && hidden(s)) { e.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' }); s = sight(e); }
  let x = (s[0] + s[2]) / 2, y = (s[1] + s[3]) / 2;
  for (let f = w.frameElement; f && w !== window; f = f.ownerDocument.defaultView === window ? null : f.ownerDocument.defaultView.frameElement) [x, y] = outward(f, x, y);
  const was = dragged?.sorts && dragged.b === e && dragged.at;   // a sortable list goes by where its items were when the drag began
  if (was && Math.abs(was.x - x) <= b.width && Math.abs(was.y - y) <= b.height) return pinched(was);
  return pinched({ x, y });
};
// aimOut takes such a point of a frame's document to the one around it.
engine.aimOut = (owner, p) => { const [x, y] = outward(find(owner), p.x, p.y); return pinched({ x, y }); };

// What a drag may change: the tree and its texts, where source and target are, the title, what fields hold.
let dropTaken;
const stateOf = (a, b) => {
  const at = e => {                                          // wherever that is scrolled to
    const r = e.isConnected ? e.getBoundingClientRect() : {};
    let { left, top } = r;
    for (let n = up(e); n; n = up(n)) { left += n.scrollLeft; top += n.scrollTop; }
    return [left, top, r.width, r.height].map(Math.round).join();
  };
  const fields = [...document.querySelectorAll('input,select,textarea')].map(e => e.value).join('\n');
  return [document.title, location.href, at(a), at(b), fields, document.body?.innerText, [...roots()].map(r => (r.body || r).innerHTML.replace(/ style=""/g, '')).join('')].join('\n');
};
// takes says whether the page takes what is over the target now: it says so to each dragover, and of text a field takes it by itself.
let lastOver;
const overs = ev => { lastOver = ev; };
const watchOver = (b, on) => { for (const v of new Set([window, b.ownerDocument.defaultView])) v?.[on ? 'addEventListener' : 'removeEventListener']('dragover', overs, true); if (on) lastOver = null; };
engine.takes = () => {
  const into = lastOver?.composedPath()[0];
  return lastOver && (lastOver.defaultPrevented || !lastOver.dataTransfer.types.includes('Files') && !!into?.closest?.(EDITABLE));
};
const taken = ev => { if (ev.defaultPrevented || ev.type === 'drop') dropTaken = true; };
// dropStart remembers the page of a target in another document than the source.
engine.dropStart = target => {
  unwatch();
  const b = find(target);
  dragged = { a: b, b, before: stateOf(b, b) };
  watchOver(b, true);
  dropTaken = false;
  addEventListener('drop', taken, { once: true });
};
engine.dropEnd = () => {
  removeEventListener('drop', taken);
  watchOver(dragged.b, false);
  return dropTaken || stateOf(dragged.a, dragged.b) !== dragged.before;
};
// dragStart remembers the page. Among siblings, which a page sorts, a person goes a little past the middle: dx, dy.
engine.dragStart = (source, target) => {
  const a = find(source), b = target ? find(target) : a, r = a.getBoundingClientRect(), t = b.getBoundingClientRect();
  const siblings = a.parentElement === b.parentElement && a !== b, past = (d, size) => siblings && Math.abs(d) > size / 2 ? Math.sign(d) * Math.min(8, size / 3) : 0;
  dragged = { a, b, before: stateOf(a, b) };
  watchOver(b, true);
  const at = target ? engine.aim(target) : {};
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
  watchOver(b, false);
  unwatch();
  if (missed) return { missed };
  for (const end = performance.now() + 300; ; await frame(50)) {
    if (dropTaken || stateOf(a, b) !== before) return {};
    if (performance.now() > end) return { same: true };
  }
};
