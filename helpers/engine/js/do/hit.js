// hit.js: before a click: where to click so that the target, and nothing else, gets it; and what covers it otherwise.

// brief says which element this is: <button id="save"> "Save" (e12)
function brief(e) {
  const r = role(e), text = norm((r && name(e, r)) || e.innerText || e.textContent || '');
  const tag = e.cloneNode(false).outerHTML?.replace(/><\/.*$/, '>') ?? e.localName;
  return cut(tag, 120) + (text ? ' ' + quote(text) : '') + (refs.uids.has(e) ? ` (${refs.uids.get(e)})` : '');
}

// deepest is elementFromPoint through open shadow roots of one document.
function deepest(x, y, doc) {
  let e = doc.elementFromPoint(x, y);
  while (e && shadow(e)) { const i = shadow(e).elementFromPoint(x, y); if (!i || i === e) break; e = i; }
  return e;
}

// outward takes a point of a frame's document to its parent's. The scale (transforms) is taken from the size as drawn.
// Of a frame that is turned or mirrored the middle stays the middle of its bounding box, and the rest is turned about it.
function outward(f, x, y) {
  const b = f.getBoundingClientRect(), s = cs(f), m = turned(f);
  if (m) {
    const u = f.clientLeft + parseFloat(s.paddingLeft) + x - f.offsetWidth / 2, v = f.clientTop + parseFloat(s.paddingTop) + y - f.offsetHeight / 2;
    return [b.left + b.width / 2 + m.a * u + m.c * v, b.top + b.height / 2 + m.b * u + m.d * v];
  }
  const kx = f.offsetWidth ? b.width / f.offsetWidth : 1, ky = f.offsetHeight ? b.height / f.offsetHeight : 1;
  return [b.left + (f.clientLeft + parseFloat(s.paddingLeft) + x) * kx, b.top + (f.clientTop + parseFloat(s.paddingTop) + y) * ky];
}

// turned is how an element is turned, by itself and all around it; null when it is at most scaled.
function turned(e) {
  let m = new DOMMatrix();
  for (let n = e; n; n = up(n)) {
    const s = cs(n);
    if (s.transform === 'none' && s.rotate === 'none' && s.scale === 'none') continue;
    const own = new DOMMatrix();
    if (s.rotate !== 'none') { const a = s.rotate.split(' '), axis = a.length > 1 ? a[0] : 'z'; own.multiplySelf(new DOMMatrix(axis.length === 1 ? `rotate${axis.toUpperCase()}(${a.at(-1)})` : `rotate3d(${a.slice(0, 3)}, ${a.at(-1)})`)); }
    if (s.scale !== 'none') own.multiplySelf(new DOMMatrix(`scale(${s.scale.split(' ').slice(0, 2)})`));
    if (s.transform !== 'none') own.multiplySelf(new DOMMatrix(s.transform));
    m = own.multiply(m);
  }
  return Math.abs(m.b) + Math.abs(m.c) > 1e-6 || m.a < 0 || m.d < 0 ? m : null;
}

const inLabelOf = (h, t) => { for (let n = h; n; n = up(n)) if (n.localName === 'label' && n.control === t) return true; return false; };

// pinched is a point of this viewport as input wants it: from the corner of the part that is shown, under a pinch zoom.
const pinched = p => ({ x: p.x - (visualViewport?.offsetLeft ?? 0), y: p.y - (visualViewport?.offsetTop ?? 0) });
const outOfPinch = (x, y) => { const v = visualViewport; return v && v.scale > 1 && (x < v.offsetLeft || y < v.offsetTop || x >= v.offsetLeft + v.width || y >= v.offsetTop + v.height); };

// at asks what a click at a point of e's document would meet: {x, y} in this world's viewport, or {why, cover}.
function at(e, x, y) {
  for (let t = e, d = e.ownerDocument; ;) {
    const h = deepest(x, y, d);
    if (!h) return { why: 'outside' };
    if (!within(h, t) && !inLabelOf(h, t)) return { why: 'covered', cover: h, target: t };
    const f = d === document ? null : d.defaultView.frameElement;
    if (!f) return outOfPinch(x, y) ? { why: 'outside' } : { x, y };
    [x, y] = outward(f, x, y);
    t = f;
    d = f.ownerDocument;
  }
}

// An area is drawn by the image that uses its map, and measured, in Chrome, from the corner of that image's border.
const areas = img => {
  const maps = img.useMap ? [...img.getRootNode().querySelectorAll('map')].filter(m => '#' + m.name === img.useMap) : [];
  return maps.flatMap(m => [...m.querySelectorAll('area[href]')]);
};
const face = e => e.localName === 'area' ? [...e.getRootNode().querySelectorAll('img[usemap]')].find(i => areas(i).includes(e) && shown(i)) || e : e;
const middle = ps => [0, 1].map(k => ps.reduce((sum, p) => sum + p[k], 0) / ps.length);

// shape gives points in an area, the best first, and corners around it, both in its window.
function shape(area) {
  const img = face(area), b = img.getBoundingClientRect(), w = img.offsetWidth || 1, h = img.offsetHeight || 1, kind = area.shape.toLowerCase();
  const n = (attr(area, 'coords') || '').split(/[^-\d.]+/).filter(Boolean).map(Number), corners = [];
  if (kind === 'default') corners.push([0, 0], [w, h]);
  else if (kind.startsWith('circ')) corners.push([n[0] - n[2], n[1] - n[2]], [n[0] + n[2], n[1] + n[2]]);
  else for (let i = 0; i + 1 < n.length; i += 2) corners.push([n[i], n[i + 1]]);
  const ears = corners.map((p, i) => middle([p, corners[(i + 1) % corners.length], corners[(i + 2) % corners.length]]));   // of a polygon bent around its middle
  const out = ps => ps.filter(p => isFinite(p[0] + p[1])).map(([x, y]) => [b.left + x * b.width / w, b.top + y * b.height / h]);
  return { inside: out([middle(corners), ...ears]), corners: out(corners) };
}
// boxOn is the bounding box of an element in its window.
function boxOn(e) {
  if (e.localName !== 'area') return e.getBoundingClientRect();
  const { corners } = shape(e), low = k => Math.min(...corners.map(p => p[k])), high = k => Math.max(...corners.map(p => p[k]));
  return new DOMRect(low(0), low(1), high(0) - low(0), high(1) - low(1));
}

// points are tried in turn: the centre, then other parts of what can be seen of each box.
function points(e) {
  if (e.localName === 'area') return shape(e).inside;
  const w = e.ownerDocument.defaultView, out = [], add = rects => {
    for (const b of rects) {
      const l = Math.max(b.left, 0), r = Math.min(b.right, w.innerWidth), t = Math.max(b.top, 0), d = Math.min(b.bottom, w.innerHeight);
      if (r - l < 1 || d - t < 1 || out.length >= 15) continue;
      for (const [fx, fy] of [[.5, .5], [.5, .2], [.5, .8], [.15, .5], [.85, .5]]) out.push([l + (r - l) * fx, t + (d - t) * fy]);
    }
  };
  add(e.getClientRects());
  if (!sized(e.getClientRects())) add(insides(e));
  return out;
}
const sized = rects => [...rects].some(b => b.width >= 1 && b.height >= 1);
function insides(e) {                                      // the boxes and lines of text in e
  const r = e.ownerDocument.createRange();
  r.selectNodeContents(e);
  return r.getClientRects();
}
// boxed: something of it takes up room, itself or, out of a box of none, what it holds.
const boxed = e => sized(face(e).getClientRects()) || cs(e).overflow === 'visible' && sized(insides(e));
const drawn = e => shown(face(e)) && boxed(e);

// place scrolls e into view and finds a point where a click hits it, preferably none that lies on a link or button inside of it.
// Where there is none it gives the first reason: {why}.
function place(e) {
  let worst, second;
  const acts = e.localName === 'label' || actionable(e, role(e), false);
  for (const to of ['', 'center nearest', 'end nearest', 'start nearest', 'center center', 'start start', 'end end']) {   // some snap back from one or the other
    const [block, inline] = to.split(' ');
    if (to) scrolling(e, () => face(e).scrollIntoView({ block, inline, behavior: 'instant' }));
    for (const [x, y] of points(e)) {
      const r = at(e, x, y);
      if (!r.why && !(acts && anothers(deepest(x, y, e.ownerDocument), e))) return r;
      if (!r.why) second ??= r;
      else if (!worst || worst.why === 'outside') worst = r;
    }
    if (second) return second;
  }
  return worst || { why: 'outside' };
}
// A page hears of a scroll with its next frame, and many then close what is open or draw their rows anew: unheard is what to wait
// for before anything is pressed, until the page has heard of a scroll of ours.
let unheard = null;
function scrolling(e, f) {
  const b = face(e).getBoundingClientRect();
  f();
  const a = face(e).getBoundingClientRect();
  if (unheard || a.left === b.left && a.top === b.top) return;
  const off = new AbortController(), mine = unheard = new Promise(done => {
    const heard = ev => { if (ev.type === 'scrollend') done(); else setTimeout(done, 200); };   // Chrome before 114 says no scrollend
    for (let v = e.ownerDocument.defaultView; v; v = v === window ? null : v.frameElement?.ownerDocument.defaultView)
      for (const t of ['scroll', 'scrollend']) v.addEventListener(t, heard, { capture: true, signal: off.signal });
    setTimeout(done, 2000);
  }).then(() => frame(100)).then(() => { off.abort(); if (unheard === mine) unheard = null; });
}
// anothers: h lies in something within e that a click there is for.
const anothers = (h, e) => {
  for (; h && h !== e; h = up(h)) if (h.matches('a[href],button,input,select,textarea,[role=button],[onclick]') && h !== e.control) return within(h, e);
  return false;
};

// moving counts the animations with an end that run on e or around it.
const moving = e => e.ownerDocument.getAnimations().filter(a => a.playState === 'running' && a.effect?.target
  && a.effect.getComputedTiming().endTime !== Infinity && (withinDeep(face(e), a.effect.target) || a.effect.target.contains(e))).length;
const busy = e => e.ownerDocument.getAnimations().some(a => a.playState === 'running' && a.effect?.getComputedTiming().endTime < 10000);
const frame = ms => new Promise(done => { const t = setTimeout(done, ms); requestAnimationFrame(() => { clearTimeout(t); done(); }); });

// Chrome gives input to the process whose frame it drew at the point last. lay: where the frames of other sites lie, and where
// they were drawn before a scroll or a move that may not have been drawn yet.
const lay = globalThis.buLay ||= { now: [], old: [], moved: false };
function lie() {
  const now = closedFrames().map(f => f.getBoundingClientRect()).filter(b => b.width && b.height), was = lay.now;
  lay.now = now;
  if (JSON.stringify(was) === JSON.stringify(now)) return;
  const old = lay.old = lay.moved ? [...lay.old, ...was] : was;
  lay.moved = true;
  const after = (frames, f) => requestAnimationFrame(() => frames > 1 ? after(frames - 1, f) : f());
  after(4, () => { if (lay.old === old) lay.moved = false; });   // two are drawn, and by the fourth the browser has heard of it
}
const astray = p => lay.moved && [...lay.old, ...lay.now].some(b => p.x >= b.left && p.x <= b.right && p.y >= b.top && p.y <= b.bottom);
lay.off?.abort();
lay.off = new AbortController();
addEventListener('scroll', lie, { capture: true, passive: true, signal: lay.off.signal });

engine.threeFrames = () => frame(100).then(() => frame(100)).then(() => frame(100));
engine.drawnAnew = async () => { for (let n = 0; n < 4; n++) await frame(1000); };   // and the browser knows of it

// usable fails with the code of whatever keeps e from taking input.
function usable(e, target) {
  if (!shown(face(e))) fail('element_hidden', `${brief(e)} is not displayed (${whyHidden(e)}); open what holds it, or waitFor(${quote(target)})`);
  if (!drawn(e)) fail('element_hidden', `${brief(e)} has no size on the page; act on what the page shows in its place`);
  if (disabled(e)) fail('element_disabled', `${brief(e)} is disabled; do what enables it first`);
  notInert(e);
}
function notInert(e) {
  for (let n = e; n; n = upOut(n)) if (n.inert) fail('element_disabled', `${brief(e)} is in an inert part of the page; close what is open on top of it`);
}
// reached fails for what takes no input although a script could set it: it may be drawn nowhere, so nothing covers it.
function reached(e) {
  notInert(e);
  const modals = [...roots()].flatMap(r => [...r.querySelectorAll('dialog:modal')]).filter(m => m.ownerDocument === e.ownerDocument && shown(m)), last = modals.at(-1);
  if (last && !modals.some(m => within(e, m))) fail('element_covered', `${brief(e)} is behind ${brief(last)}, which is modal; close that first`, { cover: brief(last) });
}
function whyHidden(e) {
  for (let n = e; n; n = up(n)) if (cs(n).display === 'none') return `display: none${n === e ? '' : ' on ' + cut(n.cloneNode(false).outerHTML, 80)}`;
  return cs(e).visibility !== 'visible' ? 'visibility: ' + cs(e).visibility : 'in something closed';
}

// A checkbox, radio or file input that is not drawn is used through its label; an option through its select.
function standIn(e) {
  if (e.localName === 'input' && !drawn(e)) for (const l of e.labels || []) if (drawn(l)) return l;
  if (e.localName === 'option' && e.closest('select')) fail('bad_request', `${brief(e)} is an option: selectOption(its select, ${quote(e.label)})`);
  return e;
}

// ready finds the point at which to use a target, and watches over it. Whatever moves is waited for, 3 s at most; {wait} says that
// there is something to wait for when the tab may not be drawing frames (draws). slow: look twice even if nothing seems to move.
// A point where a frame of another site was drawn a moment ago waits until that is drawn elsewhere, see lay.
const GOING = 600;    // ms in which what covers a target may go by itself, animated or not
engine.ready = async (target, slow, draws) => {
  fresh();
  lie();
  const begun = performance.now(), end = begun + 3000, pos = x => { const b = boxOn(x); return [b.left, b.top, b.width, b.height].join(); };
  for (let last = slow ? '' : null, found, rested; ; await frame(found ? 1000 : 100)) {
    const e = standIn(find(target)), late = performance.now() > end;
    const moves = !late && (moving(e) || last !== null && last !== pos(e));
    last = moves ? pos(e) : null;
    if (!moves) {
      usable(e, target);
      let p = place(e), got = e;
      if (p.why) for (const l of e.labels || []) if (drawn(l) && !place(l).why) { p = place(got = l); break; }   // a checkbox out of sight
      found = !p.why;
      lie();
      if (found && unheard && draws && !rested) { await unheard; rested = true; continue; }   // once: a place that is found by a scroll each time is none the better
      if (found && (!unheard || rested) && !astray(p)) { watch(got, target); return pinched(p); }
      if (found && draws) { await engine.drawnAnew(); lay.moved = false; }
      if (p.why && (late || !busy(e) && (p.why !== 'covered' || performance.now() > begun + GOING))) obstructed(e, p);   // else what covers it may be on its way out
    }
    if (!draws) return { wait: true };
  }
};

function obstructed(e, p) {
  if (p.why === 'outside') fail('element_hidden', `${brief(e)} cannot be scrolled into view`);
  const { cover, target } = p;
  if (cs(target).pointerEvents === 'none')
    fail('element_covered', `${brief(e)} ignores clicks (pointer-events: none); ${brief(cover)} would get them`);
  if (within(target, cover)) fail('element_covered', `${brief(e)} is clipped or covered by its own ancestor ${brief(cover)}`);
  let top = cover;                        // the outermost that does not also hold the target: the overlay, not a span inside it
  for (let n = up(cover); n && !within(target, n); n = up(n)) top = n;
  const ways = [...top.querySelectorAll('button,[role=button],a[href]')].filter(shown).slice(0, 6).map(b => [quote(name(b)), refs.uids.get(b)].join(' ').trim());
  const next = ways.length ? `close that first (in it: ${ways.join(', ')})` : 'move or close that first';
  fail('element_covered', `${brief(e)} is covered by ${brief(top)}; ${next}`, { cover: brief(top) });
}

// For a frame of another process that found its own point: is that free up here, and where is it?
engine.frameHit = (frameUid, x, y) => {
  const f = byUid(frameUid);
  if (!f) fail('element_stale', 'the frame has left the page; extract() again');
  usable(f, frameUid);
  let p = at(f, ...outward(f, x, y));
  if (p.why === 'outside') {
    f.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
    const [px, py] = outward(f, x, y);
    if (px < 0 || py < 0 || px >= innerWidth || py >= innerHeight)
      scrollBy({ left: px - innerWidth / 2, top: py - innerHeight / 2, behavior: 'instant' });
    for (const side of ['start', 'center', 'end']) if (outOfPinch(...outward(f, x, y))) f.scrollIntoView({ block: side, inline: side, behavior: 'instant' });
    p = at(f, ...outward(f, x, y));
  }
  if (p.why) obstructed(f, p);
  return { ...pinched(p), pinch: visualViewport?.scale > 1 };
};

engine.scrollTo = target => { const e = find(target); scrolling(e, () => face(e).scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })); };
