// extract.js: what extract() asks for: the walk's Markdown within a limit, the elements that stand in it, the text.

// extract reads the parts that the selectors match (none: the page, or the modal dialog that is open). first: the row to
// start at in a long group of rows; limit: characters of Markdown.
engine.extract = ({ targets = [], first = 1, limit = 24000, ...told }) => {
  fresh();
  if (document.contentType === 'application/pdf') return pdf();
  const parts = targets.flatMap(t => { const a = all(t); return a.length ? a : [find(t)]; });
  const modal = openModal(), page = document.body || document.documentElement;
  const tops = parts.length ? parts.filter(p => !parts.some(q => q !== p && withinDeep(p, q))) : [modal || page];
  let w = sameAs(told) || readings(tops, parts, first, limit);
  if (!w.main.list.length && w.left.length) w = readings(tops, [...parts, ...w.left.map(l => l.e)], first, limit);    // nothing but regions: then they are the page
  const wants = beyond(w, told);
  if (wants) return wants;
  if (!parts.length) remember(w, modal);
  const { markdown, capped, kept } = fit(w, limit);
  const stays = i => i.line < 0 || kept(i.line), elements = w.items.filter(stays);
  const frames = w.frames.filter(stays).map(f => ({ uid: f.uid, at: w.items.slice(0, f.item).filter(stays).length }));   // where their elements go
  tellApart(elements);
  return {
    markdown, capped: capped.length ? capped : undefined, elements: elements.map(i => i.o), text: text(tops, w.inner, limit), frames,
  };
};
function readings(tops, asked, first, limit, seeks = null) {
  const w = Object.assign(new Walk(asked, first, limit), { seeks });
  if (!seeks) refs.dims = { was: refs.dims.now, now: new WeakMap() };
  for (const e of tops) { w.visit(e, !!up(e) && cs(up(e)).cursor === 'pointer'); w.out.end(true); if (e.localName === 'body' && e.ownerDocument === document) w.partly(document.scrollingElement); }
  w.void.end();
  return w;
}

// beyond says what a reading needs that only Go can get: who is listened to, closed roots, time for what is about to show. It is then made again, told of them.
function beyond(w, { heard, opened }) {
  const hosts = opened ? [] : w.hosts.slice(0, 100);
  for (const e of w.hosts.slice(100)) refs.opened.add(e);          // so many are a framework's own elements
  const suspects = heard ? [] : w.suspects, dim = dims;
  dims = 0;
  if (!hosts.length && !suspects.length && !dim) return null;
  refs.suspects = w.suspects; refs.hosts = hosts;
  refs.distant = suspects.filter(e => e.ownerDocument !== document || window !== window.parent).slice(0, 200);
  refs.held = hosts.length || dim ? null : w;
  return { suspects: suspects.length, hosts: hosts.length, distant: refs.distant.length, dims: dim, ...window === window.parent && suspects.length && numbered(suspects) };
}
// numbered: where they stand among all elements of the document, by which the page's world finds them.
function numbered(suspects) {
  const all = everything(document), its = new Set(suspects.slice(0, 20000)), wanted = [];
  for (let i = 0; i < all.length; i++) if (its.has(all[i])) wanted.push(i);
  return { total: all.length, wanted };
}
// sameAs is the reading before this one, if all that had to be asked since has changed nothing in it.
function sameAs({ heard }) {
  const w = refs.held, news = heard && hear(heard);
  refs.held = null;
  return heard && !news ? w : null;
}

// openModal is the dialog that is open alone, in whatever root or frame of this origin.
function openModal() {
  let last = null;
  for (const r of roots()) for (const d of r.querySelectorAll('dialog:modal')) if (shown(d)) last = d;
  return last;
}

// fit leaves rows out of the longest groups until the Markdown fits, and says in their place how many and how to get them.
function fit(w, limit) {
  const lines = w.main.list, gone = new Uint8Array(lines.length + 1), notes = new Map(), capped = [];
  const footer = leftOut(w), room = limit - footer.length;
  shorten(w, gone, room);
  for (const g of w.groups) {
    const at = g.lines[g.kept], last = g.first - 1 + g.kept, out = g.rows - last;
    if (out <= 0 || !g.kept || gone[g.lines[0]]) continue;
    const what = `${out} more rows (${last + 1} to ${g.rows}): extract("${uid(g.e)}", ${last + 1})`;
    capped.push(what);
    notes.set(at, '… ' + what);
  }
  const kept = [];
  let end = lines.length, n = 0;
  const add = s => { kept.push(s); n += s.length + 1; };
  for (let i = 0; i <= lines.length; i++) {
    if (notes.has(i)) add(notes.get(i));
    if (i === lines.length || gone[i]) continue;
    if (n + lines[i].length > room - 150) {                // no rows to leave out: cut
      const part = lines[i].slice(0, Math.max(0, room - 150 - n));
      const what = `${count(w.main.size - n - part.length)} more characters: js("document.body.innerText") is all of the text`;
      kept.push(part, '… ' + what);
      capped.push(what);
      end = i + 1;
      break;
    }
    add(lines[i]);
  }
  const markdown = kept.join('\n').replace(/\n{3,}/g, '\n\n').trim() + footer;
  return { markdown, capped, kept: i => i < end && !gone[i] };
}
const count = n => String(n).replace(/\B(?=(\d{3})+$)/g, ',');      // toLocaleString costs 40 ms the first time

// shorten marks as gone the last rows of groups: of the longest first, and of a group inside it if that holds most of it.
function shorten(w, gone, room) {
  const lines = w.main.list, KEEP = 3;
  const cost = (a, b) => { let n = 0; for (let i = a; i < b; i++) if (!gone[i]) n += lines[i].length + 1; return n; };
  const spare = g => g.lines.length > KEEP + 1 ? cost(g.lines[KEEP], g.lines.at(-1)) : 0;
  const span = g => g.lines.at(-1) - g.lines[0];
  for (const g of w.groups) g.kept = g.lines.length - 1;
  const rest = new Set(w.groups);
  let size = w.main.size + 150;
  while (size > room && rest.size) {
    const sizes = [...rest].map(g => [spare(g), g]), most = Math.max(...sizes.map(s => s[0]));
    if (most < 200) return;
    const g = sizes.filter(s => s[0] * 2 >= most).map(s => s[1]).reduce((a, b) => span(b) <= span(a) ? b : a);
    rest.delete(g);
    size += 100;                                           // its note
    for (; g.kept > KEEP && size > room; g.kept--) {
      const a = g.lines[g.kept - 1], b = g.lines[g.kept];
      size -= cost(a, b);
      gone.fill(1, a, b);
    }
  }
}

// leftOut names the regions that the Markdown leaves out, so that a model knows of the banner in its way.
function leftOut(w) {
  const l = w.left.filter(x => x.count || /overlay|consent/.test(x.kind) && norm(x.e.textContent));
  if (!l.length) return '';
  const names = l.slice(0, 6).map(x => `${x.kind} ${uid(x.e)} (${x.count ? `${x.count} elements` : 'text'})`).join(', ');
  return `\n\n(left out: ${names}${l.length > 6 ? ` and ${l.length - 6} more` : ''}; extract("${uid(l[0].e)}") reads one)`;
}

// tellApart adds the context (row, item, card …) to elements that share a role and a name.
function tellApart(items) {
  const same = new Map();
  for (const i of items) { const k = i.o.role + '\0' + i.o.name; same.has(k) ? same.get(k).push(i) : same.set(k, [i]); }
  for (const list of same.values()) {
    if (list.length < 2) continue;
    const says = list.map(({ o, box }) => {
      for (; box; box = box.outer) { const t = [box.head, ...box.texts].filter(x => x && x !== o.name); if (t.length) return { kind: box.kind, t }; }
    });
    const distinct = n => new Set(says.map(s => s?.t[n])).size;
    const best = [0, 1, 2].reduce((a, n) => distinct(n) > distinct(a) ? n : a, 0);
    list.forEach((i, n) => { const s = says[n]; if (s) i.o.context = `${s.kind}: ${cut(s.t[best] || s.t[0], 80)}`; });
  }
}

// text is the raw innerText, then that of the open shadow roots and frames inside, which innerText leaves out.
function text(tops, inner, limit) {
  const blocks = [...tops, ...inner.flatMap(r => r.body ? [r.body] : [...r.children].filter(e => !SKIP.has(e.localName)))];
  const s = blocks.map(e => e.innerText ?? e.textContent).filter(x => x.trim()).join('\n');
  return s.length <= limit ? s : `${s.slice(0, limit)}\n… ${count(s.length - limit)} more characters`;
}

// pdf: what Chrome shows of a PDF is out of reach of any script; its file is not.
function pdf() {
  return { markdown: `(this is a PDF, ${wayTo(location.href)}, screenshot() shows the pages)`, elements: [], text: '', frames: [] };
}
const wayTo = url => `which no page script can read: ${/^(blob|data):/.test(url) ? `js("fetch(${quoted(url)}).then(r => r.blob()).then(…)")` : `httpGet(${JSON.stringify(url)})`} gives the file${/^(blob|data):/.test(url) ? '' : ' if it needs no login'}`;
const quoted = url => `'${cut(url, 200).replaceAll("'", '%27')}'`;

// paper says that a PDF stands in the page, in a frame, an embed or an object; true where one does.
Walk.prototype.paper = function (e, t) {
  const given = attr(e, t === 'object' ? 'data' : 'src') ?? '', doc = t === 'embed' ? null : frameDoc(e), inner = doc?.querySelector('body > embed[type="application/pdf"]');
  const is = /^application\/pdf/i.test(attr(e, 'type') ?? '') || doc?.contentType === 'application/pdf' || inner || /^[^?#]*\.pdf($|[?#])/i.test(given) && !doc?.body?.childElementCount || /^data:application\/pdf/i.test(given);
  const b = is && e.getBoundingClientRect();
  if (!is || t === 'object' && stoodIn(e) || b.width < 6 || b.height < 6 || !shown(e)) return false;
  const url = /^(about:blank)?$/.test(inner?.src ?? 'about:blank') ? e.src || e.data || '' : inner.src, o = this.control(e, 'PDF');
  this.out.end();
  this.out.put(`${OPEN}${o.uid} PDF ${o.name ? quote(o.name) + ' ' : ''}${Math.round(b.width)}×${Math.round(b.height)}} ${NOTE}this is a PDF, ${wayTo(url)}, ${/^(blob|data):/.test(url) ? '' : `newTab(${JSON.stringify(url)}) opens it alone, `}screenshotOf("${o.uid}") shows what is seen of it)`);
  this.out.end();
  return true;
};

// hear is told which elements the page's scripts listen to for the mouse: their numbers in document order, and the count of all elements.
function hear({ total, at, around, far }) {
  const suspects = refs.suspects || [], add = e => { if (e) refs.guessed.delete(e); if (e && !refs.heard.has(e)) { refs.heard.add(e); news = true; } };
  let news = false;
  for (const i of far || []) add(refs.distant[i]);
  if (at.length || around.length) {
    const all = everything(document);
    if (all.length === total) {
      const boxes = new Set(around.filter(i => delegates(all[i], suspects, e => { add(e); refs.guessed.add(e); })));
      for (const i of at) if (!boxes.has(i)) add(all[i]);
    }
  }
  for (const e of suspects) refs.judged.add(e);
  refs.broad -= suspects.length;                           // so many are asked for in a document, then only those that look like it
  refs.suspects = null;
  return news;
}
// everything is each element of a document, of open roots and of frames of this origin; listen.go counts in the same order.
function everything(root) {
  const all = [...root.querySelectorAll('*')];
  return all.concat(all.flatMap(e => { const inner = e.shadowRoot || isFrame(e) && frameDoc(e); return inner ? everything(inner) : []; }));
}
// delegates: an element that listens on behalf of those inside it: several that look alike, or one beside other controls.
function delegates(box, suspects, add) {
  const items = e => e.parentElement === box && /^(li|tr)$/.test(e.localName) && box.childElementCount > 1;
  const inside = suspects.filter(e => e !== box && box.contains(e) && !refs.heard.has(e) && (items(e) || looks(e, cs(e).cursor === 'pointer')));
  const itself = box.textContent.length < 200 && !box.querySelector('a[href],button,input,select,textarea');
  if (!inside.length || inside.length === 1 && itself) return false;
  for (const e of inside) add(e);
  return true;
}

// distant are the suspects in frames, which the page's own world tells nothing of.
engine.distant = () => refs.distant || [];

// hosts are the elements to be asked for closed roots; adopt takes one that was found.
engine.hosts = () => { const h = refs.hosts || []; refs.hosts = null; for (const e of h) refs.opened.add(e); return h; };
engine.adopt = root => { refs.closed.set(root.host, root); };
