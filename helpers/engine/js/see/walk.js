// walk.js: one walk over what can be seen, giving the Markdown and the interactive elements.
//
// The order of the checks keeps it fast: prune on display first; sizes, the most expensive, last and only for empty elements.

const ACT = new Set(words(`button checkbox combobox gridcell link listbox menuitem menuitemcheckbox menuitemradio option radio scrollbar
  searchbox slider spinbutton switch tab textbox treeitem Date DateTime InputTime ColorWell DisclosureTriangle DisclosureTriangleGrouped`));
const SKIP = new Set(words('script style noscript template head meta link title base datalist track param desc metadata defs symbol'));
const FIELD = new Set(words('input select textarea'));
const SAYS_NAME = /^(button|tab|switch|option|menuitem.*|DisclosureTriangle.*)$/;           // the name is the text inside: not said twice
const AROUND = /^(listitem|row|cell|gridcell|treeitem|article|group|clickable|focusable|label|heading|paragraph|strong|emphasis|mark|term|definition|caption|columnheader|rowheader)$/;   // a marker before the content
const BOX = { row: 'row', listitem: 'item', article: 'article', region: 'region', group: 'group', dialog: 'dialog', radiogroup: 'group', treeitem: 'item' };
const REGION = { navigation: 'nav', contentinfo: 'footer', banner: 'header' };
const CONSENT = /cookie|consent|gdpr|onetrust|didomi|usercentrics|\bcmp\b/i;
const STATES = ['disabled', 'checked', 'expanded', 'pressed', 'selected', 'current', 'sort', 'required', 'readonly', 'invalid'];

const DEEP = 250, STRUCTURE = /^(table|grid|treegrid|heading|link|list|listitem|image|paragraph)$/;

class Walk {
  out = new Lines('main'); main = this.out;
  void = new Lines('mute');                                 // takes what is left out of the Markdown but listed all the same
  said = new Lines('mute');                                 // takes what a control's name has said already
  items = []; suspects = []; hosts = []; frames = []; groups = []; blocks = []; left = []; inner = []; counts = new WeakMap();
  excused = 0;                                             // characters of groups that were cut short
  box = null; region = ''; table = null; depth = 0;
  veil = 0;                                                // how many elements around hide their text
  asks = 3000;                                             // of style sheets that cannot be read, for text that they make
  constructor(asked, first, limit) { Object.assign(this, { asked: new Set(asked), first, limit }); }

  // visit reads one element. `pointer`: the cursor around it is a hand; `pre`: white space counts.
  visit(e, pointer, pre) {
    if (SKIP.has(e.localName) || e.inert) return;
    const s = cs(e), d = s.display;
    if (d === 'none') return;
    if (d === '') { const host = e.parentElement; if (host && !shadow(host) && !refs.opened.has(host)) this.hosts.push(host); return; }   // not drawn: a closed root is
    const block = !(d === 'contents' || d.startsWith('inline') || d.startsWith('ruby') || d === 'math');
    const clips = block && s.overflow !== 'visible';
    if (clips && !d.startsWith('table') && e.firstChild && (e.offsetHeight === 0 || e.offsetWidth === 0) && !unfolds(e)) return;   // collapsed
    const given = e.hasAttributes(), veil = given && unseen(e, s);
    if (given && (aria(e, 'hidden') === 'true' && (offCanvas(e) || twin(e)) || s.position === 'fixed' && slidOut(e))) return;
    const r = role(e), was = [this.region, this.out, this.box], lead = this.out.lead;
    const news = e.hasAttributes() && isNews(e, r, s);
    if (news && this.region && this.out === this.void) { this.out = this.main; this.region = ''; }   // a menu that opened in the header
    const kind = this.regionOf(e, r, s, block, news), entered = kind && this.enter(e, kind);
    const hand = e.hasAttributes() ? s.cursor === 'pointer' : pointer;      // an element without attributes inherits it
    if (block && !veil) this.out.end();
    this.veil += veil;
    const boxed = BOX[r] || block && repeated(e), from = this.main.list.length;
    if (boxed) this.box = { kind: BOX[r] || 'card', texts: [], head: '', outer: this.box };
    if (++this.depth < DEEP) this.read(e, r, hand, hand && !pointer, pre);
    else this.deep(e, r, hand, hand && !pointer, pre);
    this.depth--; this.veil -= veil;
    if (this.out.lead !== lead) this.out.flush();
    if (given && e.hasAttribute('aria-rowcount') || e.firstElementChild?.hasAttribute('aria-setsize') || clips && scrolls(e)) this.partly(e);
    if (block && !veil) this.out.end(/^(p|table|pre)$/.test(e.localName) || /^[uo]l$/.test(e.localName) && !this.out.prefix);
    if (boxed && this.out === this.main && this.main.list.length - from > 1) this.blocks.push([from, this.main.list.length]);
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
    const kind = REGION[r], p = s.position;
    if (kind) return this.region && !this.out.mute && (kind !== 'nav' || this.region !== 'overlay' || covers(e)) || this.content(e, kind, p) ? '' : kind;
    const dialog = r === 'dialog' || r === 'alertdialog';
    if (!block || !(dialog || p === 'fixed' || p === 'sticky' || p === 'absolute' && CONSENT.test(e.id))) return '';
    const main = e.querySelector('main,h1'), label = e.id + ' ' + attr(e, 'class') + ' ' + aria(e, 'label');
    const asks = () => e.querySelectorAll('button,[role=button],a').length > (/^(alert|status)$/.test(r) ? 1 : 0) && CONSENT.test(e.textContent.slice(0, 300));
    if (!main && (CONSENT.test(label) || asks())) return 'consent';
    if (dialog) return 'dialog';
    if (p !== 'fixed' || main || news || e.querySelector('[role=dialog]')) return '';
    const b = e.getBoundingClientRect();
    return b.width * b.height < innerWidth * innerHeight * 0.9 ? 'overlay' : '';
  }
  // content: a header that holds the page's title, a bar at the window's bottom to act on, a drawer over the page.
  content(e, kind, p) {
    if (kind === 'header') return !!e.querySelector('h1,main');
    if (kind === 'footer') return /^(fixed|sticky)$/.test(p) && !!e.querySelector('button,input,select,textarea,[role=button]');
    const over = fixedOf(e);
    return cs(over).position === 'fixed' && (over.matches(':popover-open') || tallest(over) && covers(over));
  }
  enter(e, kind) {
    const was = this.region;
    this.region = kind;
    if (kind === 'dialog' || this.asked.has(e) || kind === 'consent' && blocks(e)) return null;
    if (kind === 'overlay' && !furniture(e)) { if (this.out.mute) this.region = was; return null; }
    const l = !this.out.mute ? { kind, e, from: this.items.length } : null;
    if (l) this.left.push(l);
    this.out = this.void;
    return l;
  }

  read(e, r, pointer, fresh, pre) {
    if (e.hasAttributes() && drawsText(e)) return this.editor(e);
    const t = e.localName;
    if (FIELD.has(t) && mirror(e)) return;
    const act = actionable(e, r, fresh);
    if (!act && e.hasAttributes()) this.tell(e, r);
    if (act && t !== 'body' && shown(e) && !this.idle(e, act, pointer)) {             // not shown: in a closed <details>, content-visibility, hidden=until-found
      if (hasSize(e)) { if (this.act(e, r, act, pointer)) return; }
      else if (FIELD.has(t)) return;
    }
    if (!act && suspect(e, pointer)) this.suspects.push(e);
    switch (t) {
      case 'br': return this.out.end();
      case 'hr': this.out.end(); return this.out.put(SECRET + '---');
      case 'svg': return this.drawing(e, r, pointer);
      case 'img': this.image(e, r); return areas(e).forEach(a => this.act(a, 'link', 'link', true));
      case 'canvas': case 'video': case 'embed': if (!this.paper(e, t) && !act) this.picture(e, t); return;
      case 'audio': if (e.controls) this.picture(e, t, 20); return;
      case 'object': if (this.paper(e, t)) return; return stoodIn(e) ? this.children(e, pointer) : void this.picture(e, t);
      case 'iframe': case 'frame': return this.paper(e, t) || this.frame(e);
      case 'pre': return this.pre(e, pointer);
      case 'meter': case 'progress': return this.gauge(e, r);
      case 'input': case 'select': case 'textarea': return;
    }
    if (r === 'image') return this.image(e, r);
    if (this.small(e, t, r, pointer)) return;
    if (r === 'heading') return this.heading(e, pointer);
    if (r === 'listitem') return this.listItem(e, pointer);
    if (t === 'table' && isGrid(e, r)) return this.grid(e, pointer);
    if (t !== 'table' && /^(grid|treegrid|table)$/.test(r)) return this.withTable(e, pointer);
    if (r === 'row' && t !== 'tr') return this.boxRow(e, pointer);
    if (r === 'treeitem') return this.treeItem(e, pointer);
    if (r === 'paragraph') this.out.end(true);
    const mark = t === 'b' || t === 'strong' ? '**' : t === 'em' || t === 'i' ? '*' : t === 'code' && !pre ? '`' : t === 's' || t === 'del' ? '~~' : '';
    if (mark) { const m = this.inline(e, pointer); if (m) this.out.put(/[^\s]/.test(m.replace(MARKS, '')) ? mark + m + mark : m); return; }
    this.children(e, pointer, pre);
  }

  // act lists an element and marks it in the Markdown; true: nothing of its inside is left to read.
  act(e, r, act, pointer) {
    const o = this.control(e, act), t = e.localName, out = this.out;
    if (r === 'link') { out.put(`[${this.inline(e, pointer) || o.name || (o.hint && o.hint !== o.href ? `(${o.hint})` : '')}${LINK}${inLink(o.href ?? '')})${bare(o)}`); return true; }
    if (act === 'textbox' && e.isContentEditable && longer(e)) { out.put(mark({ ...o, value: '' })); out.end(); return false; }   // a document of its own
    if (t === 'textarea' && e.value.length > 200) { out.put(mark({ ...o, value: '' })); out.end(); this.longText(e.value); return true; }
    if (AROUND.test(o.role)) return this.around(e, o, out);
    if (SAYS_NAME.test(r)) this.say(o.name);
    out.put(mark(o)); out.space = true;
    if ((r === 'checkbox' || r === 'radio') && o.name === norm(e.textContent) && !e.querySelector(WAYS)) return true;
    if (FIELD.has(t) || r === 'button' && !e.querySelector('a,button,input,[tabindex]')) return true;
    if (r === 'image' && !e.querySelector('a,text,area,[tabindex],[onclick]') && !e.useMap) return true;    // its name is said
    if (!SAYS_NAME.test(r) && act !== 'textbox') return false;         // an editor's text is its value
    this.out = this.said; this.children(e, pointer); this.out = out;
    return true;
  }
  // longText is what a long field holds, line by line.
  longText(value) {
    for (const l of value.slice(0, 8000).split('\n')) { this.out.text(l); this.out.end(); }
    if (value.length > 8000) { this.out.put(`${NOTE}${count(value.length - 8000)} more characters are in that field)`); this.out.end(); }
  }
  // around marks an element that has content of its own: its uid, with what is true of it, encloses a short text, or else stands before the content.
  around(e, o, out) {
    const own = drawnText(e), alone = !e.firstElementChild || ![...e.querySelectorAll('*')].some(k => k.localName !== 'span' && k.localName !== 'b' && k.localName !== 'i' || k.hasAttributes());
    const dark = own && !legible(e) && !fadesIn(e) && !flat(e).some(isWay);
    if (dark && fading(e)) { this.items.pop(); return true; }                                 // about to come or to go: nothing of it can be read yet
    if (dark || !own && blank(e)) { this.marked = e; out.put(mark({ ...o, role: '', value: '' })); out.space = true; return true; }
    if (own && alone && own.length <= 80 && cs(e).display === 'inline' && !shadow(e) && legible(e)) {
      this.say(own);
      out.put(`${OPEN}${[o.uid, JSON.stringify(own), ...markStates(o)].join(' ')}}`);
      return true;
    }
    const group = !o.name || o.role === 'focusable' ? groupName(e) : '';
    if (group) o.name = group;
    out.lead += `${OPEN}${[o.uid, group && JSON.stringify(group), ...markStates(o)].filter(Boolean).join(' ')}} `;
    this.marked = e;
    return false;
  }
  // tell marks what cannot be acted on and is chosen, current or sorted.
  tell(e, r) {
    const o = {};
    if (!TELLING.some(a => e.hasAttribute(a))) return;
    marks(e, r, o);
    const all = markStates(o);
    if (all.length && shown(e) && !this.out.mute) this.out.lead += `${OPEN}${[uid(e), ...all].join(' ')}} `;
  }
  control(e, r) {
    r = PLAIN[r] ?? (r || 'clickable');
    const o = { uid: uid(e), role: r, name: cut(name(e, r), 500) };
    if (e.localName === 'label' && e.control) { o.name ||= cut(norm(e.textContent), 120); o.for = uid(e.control); o.checked = e.control.checked; }
    else if (!o.name && AROUND.test(r)) o.name = cut(norm(e.innerText ?? e.textContent), 80);
    if (!o.name && e.ownerSVGElement) o.name = cut(shapeName(e), 120);
    if (!o.name && FIELD.has(e.localName)) o.name = cut(hostLabel(e), 120);
    if (!o.name && this.table?.head) o.name = this.table.head[this.table.column] || '';       // without a name in a table: named by its column
    if (!o.name) { const h = hint(e); if (h) o.hint = h; }
    states(e, r, o);
    if (r === 'link') { const h = address(e); if (h) o.href = h; }
    if (this.region) o.region = this.region;
    this.items.push({ o, box: this.box, line: this.place() });
    return o;
  }
  place() { return this.out.mute ? -1 : this.main.list.length; }    // the line that what is read now will stand in

  children(e, pointer, pre) {
    this.drawn(e, '::before'); this.inside(e, pointer, pre); this.drawn(e, '::after');
  }
  inside(e, pointer, pre) {
    const inside = shadow(e);
    if (!inside && mayHide(e)) this.hosts.push(e);
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
    if (this.veil || cs(e).fontSize === '0px' || !legible(e) && !fadesIn(e)) return;
    this.out.by ||= e;
    this.out.text(s);
    this.say(norm(s));
  }
  say(s) { for (let b = this.box; b && b.texts.length < 3; b = b.outer) b.texts.push(s); }
  inline(e, pointer, itself) {                             // the children as one line
    const was = this.out, read = itself ? 'visit' : 'children';
    if (was.mute) { this[read](e, pointer); return ''; }
    this.out = new Lines();
    this[read](e, pointer);
    this.out.flush(); this.out.end();
    const s = this.out.list.filter(Boolean).map(x => x.trim()).join(' ');
    this.out = was;
    return s;
  }

  // rows reads many children.
  // maySay: the row may hold the words that are sought, in its text or in a name, a field or a root of its own.
  seeks = null; skipped = false;
  maySay(row) {
    const text = row.textContent.toLowerCase();
    return this.seeks.every(word => text.includes(word)) || row.localName.includes('-') || row.matches(NAMED) || !!row.firstElementChild && (row.querySelector(NAMED) || [...row.getElementsByTagName('*')].some(k => k.localName.includes('-')));
  }
  rows(e, pointer, pre) {
    const g = this.group(e, e.childElementCount);
    let i = 0;
    for (let k = e.firstChild; k && !this.full(g); k = k.nextSibling) {
      if (k.nodeType === 1 && ++i < g.first) continue;
      if (k.nodeType === 1 && this.seeks && g.rows > 1000 && i > 2 && e.localName !== 'ol' && ![k, k.previousElementSibling, k.nextElementSibling].some(r => r && this.maySay(r))) { this.skipped = true; continue; }
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
  // full: a group of rows that has reached the limit of the whole result gets no more rows; the others are only counted.
  full(g) {
    const size = this.main.size + this.main.line.length - this.excused - g.start;
    if (size > this.limit) { this.excused += size; g.start -= size; g.cut = true; }
    return g.cut;
  }

  image(e, r) {
    const n = r === 'image' ? name(e, r) : '';
    if (this.veil || n && e.localName !== 'img' && e.clientWidth < 40 && e.closest('[aria-hidden=true]')) return;
    if (!n) return (e.localName === 'img' || e.localName === 'svg' && !e.querySelector('text')) && this.picture(e, e.localName, LARGE);
    if (!shown(e)) return;
    this.out.put(e.localName === 'img' ? `![${cut(n, 120)}]` : n);
    this.say(n);
  }
  drawing(e, r, pointer) {                                 // an icon says its name; a chart may hold text and links
    this.image(e, r);
    if (e.querySelector('a,text,[role=button],[tabindex],[onclick]') || e.clientWidth >= 40 && e.querySelector('[class],[id]')) this.children(e, pointer);
  }
  gauge(e, r) {
    const n = e.closest('label') ? '' : name(e, r), given = rangeValue(e), most = e.max ?? aria(e, 'valuemax') ?? 100;
    const v = e.position === -1 || !given || e.hasAttribute('aria-valuetext') ? given && aria(e, 'valuetext') : `${given}/${most}`;     // -1: it does not say how much
    if (shown(e)) this.out.put([n, r, v].filter(Boolean).join(' '));
    this.out.space = true;
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
    this.out.fenced(text.replace(/\n$/, '').split('\n'));
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
    this.out.put(SECRET + '#'.repeat(Math.min(level, 6)) + ' ' + lead + m);
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

const NAMED = '[aria-label],[aria-labelledby],[title],[alt],[placeholder],[slot],input,select,textarea,iframe,frame,object,embed,svg,slot';
