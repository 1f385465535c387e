// walk.js: one walk over what can be seen, giving the Markdown and the interactive elements.
//
// The order of questions is what keeps it fast: prune on display first, sizes (the dearest) last and only of empty elements.

const ACT = new Set(words(`button checkbox combobox gridcell link listbox menuitem menuitemcheckbox menuitemradio option radio scrollbar
  searchbox slider spinbutton switch tab textbox treeitem Date DateTime InputTime ColorWell DisclosureTriangle DisclosureTriangleGrouped`));
const SKIP = new Set(words('script style noscript template head meta link title base datalist track param object audio desc metadata defs symbol'));
const FIELD = new Set(words('input select textarea'));
const SAYS_NAME = /^(button|tab|switch|option|menuitem.*|DisclosureTriangle.*)$/;           // the name is the text inside: not said twice
const AROUND = /^(listitem|row|cell|gridcell|treeitem|article|group|clickable|focusable|label)$/;   // a marker before the content
const BOX = { row: 'row', listitem: 'item', article: 'article', region: 'region', group: 'group', dialog: 'dialog', radiogroup: 'group', treeitem: 'item' };
const REGION = { navigation: 'nav', contentinfo: 'footer', banner: 'header' };
const PICTURE = { canvas: 'Canvas', video: 'Video', embed: 'EmbeddedObject' };
const CONSENT = /cookie|consent|gdpr|onetrust|didomi|usercentrics|\bcmp\b/i;
const STATES = ['disabled', 'checked', 'expanded', 'pressed', 'selected', 'required', 'readonly', 'invalid'];

// What the page says must not pass for what bu says. bu's own marks stand as secrets until a line is whole; then the page's
// look-alikes ({e4, ](, a note's beginning) get a backslash, and the secrets become what they stand for.
const SECRET = '\u0001' + Array.from(crypto.getRandomValues(new Uint8Array(5)), b => (b % 36).toString(36)).join('');
const OPEN = SECRET + '{', LINK = SECRET + '](', NOTE = SECRET + '(';
const POSES = /\{(?=(?:frame )?e\d)|\](?=\()|\((?=left out:|this frame |rows? \d)|…(?= \d[\d,]* more )/;
const POSES_ALL = new RegExp(POSES, 'g'), OWN = new RegExp(SECRET + '(?:\\{|\\]\\(|\\()', 'g');
function honest(s) {
  if (!s.includes(SECRET)) return POSES.test(s) ? s.replace(POSES_ALL, '$&\\') : s;
  let out = '', at = 0;
  for (const m of s.matchAll(OWN)) { out += s.slice(at, m.index).replace(POSES_ALL, '$&\\') + m[0].slice(SECRET.length); at = m.index + m[0].length; }
  return out + s.slice(at).replace(POSES_ALL, '$&\\');
}

// News is what the page puts before a person's eyes: a toast, an alert, an open menu, a popover. It is read wherever it stands.
const NEWS = /^(alert|alertdialog|dialog|status|tooltip|menu|listbox)$/, OVER = /^(fixed|absolute)$/;
const TELLS = /toast|snack|notif|alert|flash|message|error|warning|success/i, OPENS = /menu(?!bar)|dropdown|popover|popup|tooltip|autocomplete|suggest|listbox|picker/i;
const isNews = (e, r, s) => NEWS.test(r) && (r === 'alert' || OVER.test(s.position)) || OVER.test(s.position) && e.matches('[popover]:popover-open');

// furniture: a fixed part with controls that was there when its document was first read, and is not called what news is.
const WAYS = 'a[href],button,input,select,textarea,[role=button],[role=link],[tabindex],[onclick]';
function furniture(e) {
  if (refs.furniture.has(e)) return true;
  const called = `${e.id} ${attr(e, 'class')}`, b = e.getBoundingClientRect(), bar = b.width > innerWidth * 0.9 || b.height > innerHeight * 0.9;
  if (refs.read || TELLS.test(called) || !bar && OPENS.test(called) || aria(e, 'live') && aria(e, 'live') !== 'off') return false;
  if (e.querySelector('[role=alert],[role=status],[role=menu],[role=listbox],[aria-live=polite],[aria-live=assertive]')) return false;
  if (!e.querySelector(WAYS) && !e.matches(WAYS)) return false;          // it has nothing but something to say
  refs.furniture.add(e);
  return true;
}

const DEEP = 250, STRUCTURE = /^(table|grid|treegrid|heading|link|list|listitem|image|paragraph)$/;

// Lines is Markdown, line by line.
class Lines {
  list = []; line = ''; prefix = ''; lead = '';       // lead: uids that stand before what comes next
  space = false; size = 0;
  constructor(kind) { this.whole = !!kind; this.mute = kind === 'mute'; }     // whole: its lines are no part of others; mute: not in the Markdown
  put(s) {
    if (this.space && this.line) this.line += ' ';
    this.space = false;
    this.line += this.lead + s;
    this.lead = '';
  }
  flush() { if (this.lead) { const l = this.lead.trimEnd(); this.lead = ''; this.put(l); this.space = true; } }
  text(s) {
    s = s.replace(/[ \t\n\r\f\u200b]+/g, ' ');
    if (s[0] === ' ') { this.space = true; s = s.slice(1); }
    if (!s) return;
    const more = s.endsWith(' ');
    this.put(more ? s.slice(0, -1) : s);
    this.space = more;
  }
  push(s) { if (this.whole) s = honest(s); this.list.push(s); this.size += s.length + 1; }
  end(blank = false) {
    if (this.line.trim()) { this.push(this.prefix + this.line.trimEnd()); this.prefix = this.prefix.replace(/[-\d].*$/, x => ' '.repeat(x.length)); }
    this.line = ''; this.space = false;
    if (blank && this.list.length && this.list.at(-1) !== '') this.push('');
  }
}

class Walk {
  out = new Lines('main'); main = this.out;
  void = new Lines('mute');                                 // takes what is left out of the Markdown but listed all the same
  said = new Lines('mute');                                 // takes what a control's name has said already
  items = []; frames = []; groups = []; left = []; inner = []; counts = new WeakMap();
  excused = 0;                                             // characters of groups that were cut short
  box = null; region = ''; table = null; depth = 0;
  constructor(asked, first, limit) { Object.assign(this, { asked: new Set(asked), first, limit }); }

  // visit reads one element. `pointer`: the cursor around it is a hand; `pre`: white space counts.
  visit(e, pointer, pre) {
    if (SKIP.has(e.localName) || e.inert) return;
    const s = cs(e), d = s.display;
    if (d === 'none') return;
    const block = !(d === 'contents' || d.startsWith('inline') || d.startsWith('ruby'));
    if (block && s.overflow !== 'visible' && !d.startsWith('table') && e.firstElementChild && (e.offsetHeight === 0 || e.offsetWidth === 0)) return;   // collapsed
    if (aria(e, 'hidden') === 'true' && offCanvas(e)) return;
    const r = role(e), was = [this.region, this.out, this.box], lead = this.out.lead;
    const news = d !== 'contents' && isNews(e, r, s);
    if (news && this.region && this.out === this.void) { this.out = this.main; this.region = ''; }   // a menu that opened in the header
    const kind = this.regionOf(e, r, s, block, news), entered = kind && this.enter(e, kind);
    const hand = e.hasAttributes() ? s.cursor === 'pointer' : pointer;      // an element without attributes inherits it
    if (block) this.out.end();
    if (BOX[r] || block && repeated(e)) this.box = { kind: BOX[r] || 'card', texts: [], head: '', outer: this.box };
    if (++this.depth < DEEP) this.read(e, r, hand, hand && !pointer, pre);
    else this.deep(e, r, hand, hand && !pointer, pre);
    this.depth--;
    if (this.out.lead !== lead) this.out.flush();
    if (e.hasAttribute('aria-rowcount') || e.firstElementChild?.hasAttribute('aria-setsize')) this.partly(e);
    if (block) this.out.end(/^(p|table|ul|ol|pre)$/.test(e.localName));
    if (entered) entered.count = this.items.slice(entered.from).filter(i => i.line < 0).length;
    [this.region, this.out, this.box] = was;
  }

  // deep reads what lies deeper than calls may: one call for all of it, as text and controls without the structure around them.
  deep(top, r, pointer, fresh, pre) {
    if (this.depth < DEEP + 30 && STRUCTURE.test(r)) { this.read(top, r, pointer, fresh, pre); return; }
    const stack = [[top, null]];
    while (stack.length) {
      const [n, parent, close] = stack.pop();
      if (close) { this.out.end(); continue; }
      if (n.nodeType === 3) { this.chars(n.data, parent, pre); continue; }
      if (n.nodeType !== 1 || SKIP.has(n.localName) || n.inert) continue;
      const s = cs(n), block = !(s.display === 'contents' || s.display.startsWith('inline') || s.display.startsWith('ruby'));
      if (s.display === 'none') continue;
      if (n !== top && this.depth < DEEP + 30 && (STRUCTURE.test(role(n)) || n.localName === 'pre' || isFrame(n))) { this.visit(n, pointer, pre); continue; }
      const act = n !== top || fresh ? actionable(n, role(n), s.cursor === 'pointer' && !(parent && cs(parent).cursor === 'pointer')) : '';
      if (block) { this.out.end(); stack.push([n, parent, true]); }
      if (act && shown(n) && hasSize(n)) {
        const o = this.control(n, act);
        if (FIELD.has(n.localName) || r === 'button') { this.out.put(mark(o)); this.out.space = true; continue; }
        this.out.put(`${OPEN}${o.uid}}`); this.out.space = true;
      }
      if (shadow(n)) this.inner.push(shadow(n));
      const k = [...kids(n)];
      for (let i = k.length; i--;) stack.push([k[i], n]);
    }
  }

  // regionOf names the part of the page that e is when that is not the page's own content.
  regionOf(e, r, s, block, news) {
    const kind = REGION[r];
    if (kind) return kind === 'header' && e.querySelector('h1,main') ? '' : kind;
    const dialog = r === 'dialog' || r === 'alertdialog', p = s.position;
    if (!block || !(dialog || p === 'fixed' || p === 'sticky' || p === 'absolute' && CONSENT.test(e.id))) return '';
    const main = e.querySelector('main,h1'), label = e.id + ' ' + attr(e, 'class') + ' ' + aria(e, 'label');
    const asks = () => e.querySelectorAll('button,[role=button],a').length > (/^(alert|status)$/.test(r) ? 1 : 0) && CONSENT.test(e.textContent.slice(0, 300));
    if (!main && (CONSENT.test(label) || asks())) return 'consent';
    if (dialog) return 'dialog';
    if (p !== 'fixed' || main || news || e.querySelector('[role=dialog]')) return '';
    const b = e.getBoundingClientRect();
    return b.width * b.height < innerWidth * innerHeight * 0.9 && furniture(e) ? 'overlay' : '';
  }
  enter(e, kind) {
    this.region = kind;
    if (kind === 'dialog' || this.asked.has(e)) return null;
    const l = !this.out.mute ? { kind, e, from: this.items.length } : null;
    if (l) this.left.push(l);
    this.out = this.void;
    return l;
  }

  read(e, r, pointer, fresh, pre) {
    const t = e.localName, act = actionable(e, r, fresh);
    if (act && t !== 'body' && shown(e)) {             // not shown: in a closed <details>, content-visibility, hidden=until-found
      if (hasSize(e)) { if (this.act(e, r, act, pointer)) return; }
      else if (FIELD.has(t)) return;
    }
    switch (t) {
      case 'br': return this.out.end();
      case 'hr': this.out.end(); return this.out.put('---');
      case 'svg': return this.drawing(e, r, pointer);
      case 'img': this.image(e, r); return areas(e).forEach(a => this.act(a, 'link', 'link', true));
      case 'canvas': case 'video': case 'embed': return act ? undefined : this.picture(e, t);
      case 'iframe': case 'frame': return this.frame(e);
      case 'pre': return this.pre(e, pointer);
      case 'meter': case 'progress': return this.gauge(e, r);
      case 'input': case 'select': case 'textarea': return;
    }
    if (r === 'image') return this.image(e, r);
    if (r === 'heading') return this.heading(e, pointer);
    if (r === 'listitem') return this.listItem(e, pointer);
    if (t === 'table' && isGrid(e, r)) return this.grid(e, pointer);
    if (r === 'paragraph') this.out.end(true);
    const mark = t === 'b' || t === 'strong' ? '**' : t === 'em' || t === 'i' ? '*' : t === 'code' && !pre ? '`' : t === 's' || t === 'del' ? '~~' : '';
    if (mark) { const m = this.inline(e, pointer); if (m) this.out.put(mark + m + mark); return; }
    this.children(e, pointer, pre);
    if (/^(cell|gridcell|columnheader|rowheader)$/.test(r) && t !== 'td' && t !== 'th') { this.out.put(' |'); this.out.space = true; }
  }

  // act lists an element and marks it in the Markdown; true: nothing of its inside is left to read.
  act(e, r, act, pointer) {
    const o = this.control(e, act), t = e.localName, out = this.out;
    if (r === 'link') { out.put(`[${this.inline(e, pointer) || o.name}${LINK}${inLink(o.href ?? '')})${OPEN}${o.uid}}`); return true; }
    if (act === 'textbox' && e.isContentEditable && longer(e)) { out.put(mark({ ...o, value: '' })); out.end(); return false; }   // a document of its own
    if (AROUND.test(o.role)) return this.around(e, o, out);
    if (SAYS_NAME.test(r)) this.say(o.name);
    out.put(mark(o)); out.space = true;
    if (FIELD.has(t) || r === 'button' && !e.querySelector('a,button,input,[tabindex]')) return true;
    if (!SAYS_NAME.test(r) && act !== 'textbox') return false;         // an editor's text is its value
    this.out = this.said; this.children(e, pointer); this.out = out;
    return true;
  }
  // around marks what has content of its own: the uid holds a short text, else stands before the first of what there is.
  around(e, o, out) {
    const own = norm(e.textContent), alone = !e.firstElementChild || ![...e.querySelectorAll('*')].some(k => k.localName !== 'span' && k.localName !== 'b' && k.localName !== 'i' || k.hasAttributes());
    if (!own && !e.querySelector('img,svg,canvas,input,select,textarea,slot') && !shadow(e)) { out.put(mark({ uid: o.uid, name: o.name, hint: o.hint, role: '' })); out.space = true; return true; }
    if (own && alone && own.length <= 80 && cs(e).display === 'inline' && !shadow(e) && legible(e)) {
      this.say(own);
      out.put(`${OPEN}${o.uid} ${JSON.stringify(own)}}`);
      return true;
    }
    out.lead += `${OPEN}${o.uid}} `;
    return false;
  }
  // partly says so when a list, grid or feed has drawn only some of its rows.
  partly(e) {
    const p = this.out.mute ? null : part(e);
    if (!p) return;
    this.out.end();
    this.out.put(`${NOTE}rows ${p.from} to ${p.to} of ${p.all < 0 ? 'an unknown number' : count(p.all)} are drawn: scrollTo("${uid(p.last)}") draws the next ones)`);
    this.out.end();
  }
  control(e, r) {
    r = PLAIN[r] ?? (r || 'clickable');
    const o = { uid: uid(e), role: r, name: cut(name(e, r), 500) };
    if (e.localName === 'label' && e.control) { o.name ||= cut(norm(e.textContent), 120); o.for = uid(e.control); o.checked = e.control.checked; }
    else if (!o.name && AROUND.test(r)) o.name = cut(norm(e.innerText ?? e.textContent), 80);
    if (!o.name && this.table?.head) o.name = this.table.head[this.table.column] || '';       // unnamed in a table: its column
    if (!o.name) { const h = hint(e); if (h) o.hint = h; }
    states(e, r, o);
    if (r === 'link') { const h = address(e); if (h) o.href = h; }
    if (this.region) o.region = this.region;
    this.items.push({ o, box: this.box, line: this.place() });
    return o;
  }
  place() { return this.out.mute ? -1 : this.main.list.length; }    // the line that what is read now will stand in

  children(e, pointer, pre) {
    const inside = shadow(e);
    if (inside) this.inner.push(inside);
    if (e.localName === 'details' && !e.open) return [...e.children].filter(opens).forEach(k => this.visit(k, pointer));
    if (e.localName === 'slot' || inside) { for (const k of kids(e)) this.node(k, e, pointer, pre); return; }
    if (!e.firstElementChild) { if (e.firstChild) this.chars(e.textContent, e, pre); return; }   // no wrapper per text node
    if (this.out === this.main && e.childElementCount > 5) return this.rows(e, pointer, pre);
    for (let k = e.firstChild; k; k = k.nextSibling) this.node(k, e, pointer, pre);
  }
  node(k, e, pointer, pre) {
    if (k.nodeType === 1) this.visit(k, pointer, pre);
    else if (k.nodeType === 3) this.chars(k.data, e, pre);
  }
  chars(s, e, pre) {
    if (pre) { this.out.line += s; return; }
    if (!/\S/.test(s)) { this.out.space = true; return; }
    if (e.localName === 'label' && echoes(e)) { this.say(norm(s)); return; }
    if (!legible(e)) return;
    this.out.text(s);
    this.say(norm(s));
  }
  say(s) { for (let b = this.box; b && b.texts.length < 3; b = b.outer) b.texts.push(s); }
  inline(e, pointer) {                                     // the children as one line
    const was = this.out;
    if (was.mute) { this.children(e, pointer); return ''; }
    this.out = new Lines();
    this.children(e, pointer);
    this.out.flush(); this.out.end();
    const s = this.out.list.filter(Boolean).map(x => x.trim()).join(' ');
    this.out = was;
    return s;
  }

  // rows reads many children.
  rows(e, pointer, pre) {
    const g = this.group(e, e.childElementCount);
    let i = 0;
    for (let k = e.firstChild; k && !this.full(g); k = k.nextSibling) {
      if (k.nodeType === 1 && ++i < g.first) continue;
      if (k.nodeType === 1) g.lines.push(this.main.list.length);
      this.node(k, e, pointer, pre);
    }
    g.lines.push(this.main.list.length);
  }
  group(e, rows) {
    const g = { e, rows, first: this.first <= rows ? this.first : 1, lines: [], start: this.main.size - this.excused };
    if (g.first > 1) this.first = 1;                       // the first group that has so many rows, no other
    this.groups.push(g);
    return g;
  }
  // full: a group as long as the whole result may be is long enough. What follows in it is counted, not read.
  full(g) {
    const size = this.main.size - this.excused - g.start;
    if (size > this.limit) { this.excused += size; g.start -= size; g.cut = true; }
    return g.cut;
  }

  image(e, r) {
    const n = r === 'image' ? name(e, r) : '';
    if (!n || !shown(e)) return;
    this.out.put(e.localName === 'img' ? `![${cut(n, 120)}]` : n);
    this.say(n);
  }
  drawing(e, r, pointer) {                                 // an icon says its name; a chart may hold text and links
    this.image(e, r);
    if (e.querySelector('a,text,[role=button],[tabindex]')) this.children(e, pointer);
  }
  gauge(e, r) {
    const n = name(e, r), v = e.position === -1 ? '' : `${e.value}/${e.max}`;              // -1: a progress that says how much of nothing
    if (shown(e)) this.out.put([n, r, v].filter(Boolean).join(' '));
    this.out.space = true;
  }
  picture(e, t) {                                          // what only a screenshot can read
    const b = e.getBoundingClientRect();
    if (b.width < 40 || b.height < 40 || !shown(e)) return;
    const o = this.control(e, PICTURE[t]);
    this.out.put(`${OPEN}${o.uid} ${o.role} ${o.name ? quote(o.name) + ' ' : ''}${Math.round(b.width)}×${Math.round(b.height)}}`);
  }
  frame(e) {
    const doc = frameDoc(e), b = doc?.body ? null : e.getBoundingClientRect();
    if (b && (b.width < 6 || b.height < 6 || !shown(e))) return;
    this.out.end();
    if (doc?.body) { this.inner.push(doc); this.visit(doc.body, false); }
    else {
      this.frames.push({ uid: uid(e), line: this.place(), item: this.items.length });
      this.out.put(`${OPEN}frame ${uid(e)}}`);
    }
    this.out.end();
  }
  pre(e, pointer) {
    this.out.flush();
    this.out.end(true);
    const was = this.out;
    this.out = new Lines();
    this.children(e, pointer, true);
    const text = this.out.list.concat(this.out.line).join('\n');
    this.out = was;
    for (const l of ['```', ...text.replace(/\n$/, '').split('\n'), '```']) this.out.push(l);
  }
  heading(e, pointer) {
    const level = +(aria(e, 'level') || (/^h[1-6]$/.test(e.localName) ? e.localName[1] : 2));
    const m = this.inline(e, pointer);
    if (this.box) this.box.head ||= norm(e.textContent);
    if (!m) return;
    const lead = this.out.lead;
    this.out.lead = '';
    if (this.out !== this.main) { this.out.put(lead + m); this.out.end(); return; }                 // inside a link or a cell
    this.out.end(true);
    this.out.put('#'.repeat(Math.min(level, 6)) + ' ' + lead + m);
    this.out.end(true);
  }
  listItem(e, pointer) {
    const was = this.out.prefix;
    this.out.end();
    this.out.prefix = was.replace(/\S/g, ' ') + (e.parentElement?.localName === 'ol' ? `${this.ordinal(e)}. ` : '- ');
    this.children(e, pointer);
    this.out.end();
    this.out.prefix = was;
  }
  ordinal(li) {
    const ol = li.parentElement, by = ol.reversed ? -1 : 1;
    const first = ol.reversed && !ol.hasAttribute('start') ? [...ol.children].filter(k => k.localName === 'li').length : ol.start;
    const n = li.hasAttribute('value') ? li.value : (this.counts.get(ol) ?? first - by) + by;
    this.counts.set(ol, n);
    return n;
  }
}

// ---- questions about one element
// actionable gives the role under which an element is listed, or ''. Handlers set by scripts cannot be seen from here; a hand
// for a cursor that the surroundings do not have (`fresh`) gives most of them away.
function actionable(e, r, fresh) {
  const t = e.localName;
  if (t === 'option' || t === 'optgroup') return '';
  if (ACT.has(r) && (r !== 'gridcell' || daylike(e))) return r;
  if (e.hasAttribute('tabindex') && e.tabIndex >= 0 && t !== 'iframe') return r || 'focusable';
  if (e.hasAttribute('onclick')) return r || 'clickable';
  if (t === 'label') return e.control && !shown(e.control) && !e.querySelector('a[href],button,[role]') ? 'label' : '';   // a custom checkbox's
  return fresh && !e.querySelector('a[href],button,input,select,textarea') ? r || 'clickable' : '';
}
// Of the cells of a grid those that are chosen one by one, as the days of a calendar are: not every cell of a table of data.
const daylike = e => e.tabIndex >= 0 || e.hasAttribute('tabindex') && ['aria-label', 'aria-selected', 'aria-disabled'].some(a => e.hasAttribute(a));
const hasSize = e => FIELD.has(e.localName) || !!shadow(e) || boxed(e);    // a field of no size may have a label in its place
const offCanvas = e => {
  const b = e.getBoundingClientRect();
  return b.right + scrollX <= 0 || b.bottom + scrollY <= 0 || b.left >= innerWidth;
};
const repeated = e => {
  const c = e.className, same = x => x && x.localName === e.localName && x.className === c;
  return c && typeof c === 'string' && e.firstElementChild && (same(e.previousElementSibling) || same(e.nextElementSibling));
};
// A label around its own visible checkbox: the text is already the checkbox's name.
const echoes = l => l.control && within(l.control, l) && shown(l.control) && /^(checkbox|radio)$/.test(l.control.type);
// hint tells apart what has no name: by what its page calls it, or by its icon.
const hint = e => {
  const icon = e.querySelector('use,img,svg,i');
  const s = norm(attr(e, 'data-testid') || e.id || attr(e, 'name') || attr(icon || e, 'href') || attr(icon || e, 'xlink:href')
    || attr(e, 'class') || attr(icon || e, 'src')?.replace(/^data:.*|[?#].*$/g, '').split('/').pop() || attr(icon || e, 'class') || '');
  return s.length > 40 ? '…' + s.slice(-39) : s;            // names of classes differ at their ends
};
const PLAIN = { Date: 'date', DateTime: 'datetime', InputTime: 'time', ColorWell: 'color', none: 'clickable', generic: 'clickable' };
// longer: an editor that holds more than a line.
const longer = e => e.textContent.length > 200 || e.querySelectorAll('p,li,div,br,h1,h2,h3,h4,blockquote,pre,tr').length > 1;
// part is which rows of how many a list, grid or feed has drawn, null if all.
function part(e) {
  const grid = e.hasAttribute('aria-rowcount'), ask = grid ? 'aria-rowindex' : 'aria-posinset';
  const rows = (grid ? [...e.querySelectorAll('[role=row],tr')] : [...e.children].filter(k => k.hasAttribute('aria-setsize'))).filter(shown);
  const all = grid ? +aria(e, 'rowcount') : Math.max(...rows.map(k => +aria(k, 'setsize')));
  if (!rows.length || !all || all > 0 && rows.length >= all || !grid && rows.some(k => k.hasAttribute('aria-level'))) return null;
  const at = rows.map(k => +(attr(k, ask) || k.querySelector(`[${ask}]`)?.getAttribute(ask))).filter(Boolean);
  return { all, from: at.length ? Math.min(...at) : 1, to: at.length ? Math.max(...at) : rows.length, last: rows.at(-1) };
}

// inLink is an address as it stands in a link: nothing in it ends the link.
const inLink = h => { const s = h.replace(/[\s{}<>]/g, encodeURIComponent); let n = 0; for (const c of s) if (c === '(') n++; else if (c === ')' && --n < 0) return s.replace(/\)/g, '%29'); return s; };
const address = e => {
  const h = attr(e, 'href') ?? '';
  if (/^[/#?]/.test(h)) return cut(h, 150);
  const full = String(e.href?.baseVal ?? e.href), here = location.origin + '/';
  return full.startsWith(here) ? cut(full.slice(here.length - 1), 150) : /^(https?|file|mailto|tel):/.test(full) ? cut(full, 150) : '';
};

// mark is how a control stands in the Markdown: {e4 textbox "Name"="Jane" required}
function mark(o) {
  const on = STATES.filter(k => o[k] !== undefined && (o[k] || k === 'expanded')).map(k => o[k] === 'mixed' ? 'mixed' : o[k] ? k : 'collapsed');
  const value = o.value ? '=' + JSON.stringify(o.value) : '';
  if (o.role === 'listbox' && o.options) on.push('of ' + o.options.map(x => JSON.stringify(x)).join(', ') + (o.moreOptions ? ` and ${o.moreOptions} more` : ''));
  return `${OPEN}${[o.uid, o.type === 'file' ? 'file' : o.role, (o.name || !o.hint ? JSON.stringify(cut(o.name, 120)) : `(${o.hint})`) + value, ...on].filter(Boolean).join(' ')}}`;
}
