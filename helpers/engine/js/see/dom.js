// The page side of extract and of acting by uid. elements.go evaluates these files, in one
// function scope, in the isolated world "bu" of a document: the page's scripts see nothing of
// it and cannot change it. They share declarations and add what Go calls to `engine`.
//
// dom.js: references to elements, the composed tree, visibility, errors.

const engine = {};

// References outlive a new version of this engine (an edit of these files) but not the document.
// Go lends numbers from the daemon's counter, so that no element of any page has another's uid.
const refs = globalThis.buRefs ||= { byUid: new Map(), uids: new WeakMap(), next: 0, end: 0 };
refs.furniture ||= new WeakSet(); refs.closed ||= new WeakMap(); refs.opened ||= new WeakSet(); refs.heard ||= new WeakSet(); refs.judged ||= new WeakSet(); refs.dims ||= { was: new WeakMap(), now: new WeakMap() }; refs.guessed ||= new WeakSet(); refs.broad ??= 20000;
refs.gone ||= new FinalizationRegistry(u => refs.byUid.delete(u));
const NEED_UIDS = {};

function uid(e) {
  let u = refs.uids.get(e);
  if (u) return u;
  if (refs.next >= refs.end) throw NEED_UIDS;
  u = 'e' + refs.next++;
  refs.uids.set(e, u);
  refs.byUid.set(u, new WeakRef(e));
  refs.gone.register(e, u);
  return u;
}

const inDocument = e => e?.isConnected && e.ownerDocument.defaultView ? e : null;   // a removed frame's document has no view
const byUid = u => inDocument(refs.byUid.get(u)?.deref());

// Fail is an error that Go passes on as *Error{Code, Message, Data}.
class Fail { constructor(code, message, data) { Object.assign(this, { code, message, data }); } }
const fail = (code, message, data) => { throw new Fail(code, message, data); };

// call is the one entry: a function's name and arguments, and numbers for uids, which stay with the document. {need} asks for
// as many numbers as the document may want: the call is then made again with them.
engine.call = (name, args, uids) => {
  if (uids) [refs.next, refs.end] = uids;
  const ok = value => ({ value: value ?? null });
  const bad = x => x === NEED_UIDS ? { need: Math.max(wanted(), refs.asked = 2 * (refs.asked ?? 0) + 100) } : { error: x instanceof Fail ? x : { code: 'javascript_error', message: String(x?.stack || x) } };
  try {
    const v = engine[name](...args);
    return v instanceof Promise ? v.then(ok, bad) : ok(v);
  } catch (x) { return bad(x); }
};

// ---- text
const norm = s => /^\s|\s$|[^\S ]|  |\u200b/.test(s) ? s.replace(/\u200b/g, '').replace(/\s+/g, ' ').trim() : s;
const cut = (s, n) => s.length > n ? s.slice(0, n - 1) + '…' : s;
const quote = s => JSON.stringify(cut(norm(s), 80));

// ---- tree
const cs = (e, pseudo) => getComputedStyle(e, pseudo);
const attr = (e, a) => e.getAttribute(a);
const aria = (e, a) => e.getAttribute('aria-' + a);
const up = e => e.assignedSlot || e.parentElement || e.getRootNode().host || null;               // in the composed tree of one document
const upOut = e => up(e) || e.ownerDocument.defaultView?.frameElement || null;                   // and on through same-origin frames
// inFocus is the element that keys go to, in shadow roots and frames of this origin too; null: none.
function inFocus() {
  let at = document.activeElement;
  for (let next; at && (next = shadow(at)?.activeElement ?? (isFrame(at) && frameDoc(at)?.activeElement));) at = next;
  return at;
}
const within = (n, a) => { for (; n; n = up(n)) if (n === a) return true; return false; };
const withinDeep = (n, a) => { for (; n; n = upOut(n)) if (n === a) return true; return false; };
const frameDoc = f => { try { return f.contentDocument; } catch { return null; } };
const isFrame = e => e.localName === 'iframe' || e.localName === 'frame';

const shadow = e => e.shadowRoot || refs.closed.get(e) || null;

function* kids(e) {
  if (e.localName === 'slot') { const a = e.assignedNodes(); if (a.length) { yield* a; return; } }
  for (let k = (shadow(e) || e).firstChild; k; k = k.nextSibling) yield k;
}

// The roots that a document's own querySelector does not look into: open shadow roots and same-origin frames. The commonest
// elements that can have neither (https://dom.spec.whatwg.org/#dom-element-attachshadow) are left out by the browser, ten times faster.
const MAY_HOLD = '*:not(td,tr,a,li,button,i,b,th,img,path,option,input,label,strong,br)';
function* innerRoots(root) {
  for (const e of root.querySelectorAll(MAY_HOLD)) {
    const s = shadow(e);
    if (s) { yield s; yield* innerRoots(s); }
    const d = isFrame(e) && frameDoc(e);
    if (d) { yield d; yield* innerRoots(d); }
  }
}
const roots = function* () { yield document; yield* innerRoots(document); };

// ---- visibility
// An element of display: contents (every <slot>) has no box, so checkVisibility() says false: ask its parent.
const visible = options => function f(e) {
  return e.checkVisibility(options) || cs(e).display === 'contents' && !!up(e) && f(up(e));
};
const VISIBLE = { visibilityProperty: true };
const shown = visible(VISIBLE);
const legible = visible({ visibilityProperty: true, opacityProperty: true });

// ---- targets: a uid, else a CSS selector
const isUid = t => /^e[1-9]\d*$/.test(t);

const isSelector = s => { try { return !!document.createDocumentFragment().querySelectorAll(s); } catch { return false; } };
function query(root, selector) {
  try { return root.querySelectorAll(selector); } catch { /* said below */ }
  const ways = named(selector);
  if (ways) fail('element_not_found', `${quote(selector)} is not a CSS selector${ways}`);
  fail('bad_request', `${quote(selector)} is neither a uid such as "e12", nor "text=…", nor a CSS selector`);
}

// all gives every element that a target names: the document's own first, else those of the first inner root that has one.
function all(target) {
  if (isUid(target)) { const e = byUid(target); return e ? [e] : []; }
  if (/^(text|field)=/.test(target)) fresh();               // in a wait the page may have drawn other labels since
  if (target.startsWith('text=')) return byText(target.slice(5));
  if (target.startsWith('field=')) return [byField(target)];
  for (const r of roots()) { const found = query(r, target); if (found.length) return [...found]; }
  return [];
}

// find gives the one element to act on: of several matches the first that can be seen.
function find(target) {
  const found = all(target);
  if (found.length > 1 && target.startsWith('text=')) ambiguous(target, found);
  if (found.length) return found.find(shown) || found[0];
  if (isUid(target)) fail('element_stale', refs.byUid.has(target)
    ? `${target} has left the page (re-rendered or removed); extract() again${lasting(target)}`
    : `${target} is not on this page (it belongs to an earlier page, or to none); extract() again`, { frames: closedFrames().length });
  fail('element_not_found', `nothing on the page matches ${quote(target)}${named(target) || '; extract() lists what there is'}`, elsewhere());
}

// elsewhere counts what this world has not looked into, which Go asks next: frames of other origins, and elements that may hold a closed shadow root.
const elsewhere = () => ({ frames: closedFrames().length, hosts: (refs.hosts = mayHold()).length });
const mayHold = () => [...roots()].flatMap(r => [...r.querySelectorAll('*')].filter(e => !shadow(e) && mayHide(e))).slice(0, 200);
function closedFrames() {
  const out = [];
  for (const r of roots()) for (const f of r.querySelectorAll('iframe, frame')) if (!frameDoc(f)) out.push(f);
  return out;
}
engine.has = (target, state) => /text$/.test(state) ? roots().some(r => hasText(r, target)) : all(target).length > 0;
engine.frames = () => closedFrames().filter(f => f.getClientRects().length).map(uid);
engine.element = byUid;
