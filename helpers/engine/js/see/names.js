// names.js: the accessible name of an element, after the Accessible Name and Description Computation 1.2 and what Chrome makes of it.

const FROM_CONTENT = new Set(words(`button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio
  option radio row rowheader switch tab tooltip treeitem DisclosureTriangle DisclosureTriangleGrouped`));
const NO_NAME = new Set(words('caption code deletion emphasis insertion mark none paragraph strong subscript superscript'));
// Inside another element's name these stand apart and are not read, unless they have a name of their own …
const APART = new Set(words(`alert alertdialog application article banner blockquote combobox complementary contentinfo dialog document
  feed figure form grid group header hgroup image listbox log main marquee math menu menubar meter navigation note progressbar
  radiogroup row rowgroup scrollbar search separator slider spinbutton status table tablist tabpanel textbox timer toolbar tree treegrid`));
const READ = new Set(words('details footer svg table tbody tfoot thead tr'));       // … but these are, where HTML itself gives them such a role
const apart = (e, r) => (APART.has(r) || APART.has(e.localName)) && (e.hasAttribute('role') || !READ.has(e.localName));
// … and these are read, but do not run together with the text beside them.
const CONTROL = new Set(words(`button checkbox combobox listbox menuitem menuitemcheckbox menuitemradio radio scrollbar searchbox slider
  spinbutton switch tab textbox tree treegrid`));
const HINTED = new Set(words('textbox searchbox spinbutton'));              // the inputs that show a placeholder
const BUTTON_TEXT = { submit: 'Submit', reset: 'Reset', image: 'Submit', file: 'Choose File' };

// Indexes that hold for one call only: the page may change between two.
let labelIndex, pseudoIndex, scripted;
const fresh = () => { labelIndex = new WeakMap(); pseudoIndex = new WeakMap(); scripted = refs.broad > 0 && document.scripts.length > 0 && window === parent; };
fresh();

const SAID = ['aria-label', 'aria-labelledby', 'aria-labeledby', 'aria-owns'];
const name = (e, r = role(e)) => {
  // by far the most common: text inside, and nothing that could say otherwise
  const plain = FROM_CONTENT.has(r) && !e.firstElementChild && !shadow(e) && !/^(input|slot|option|area|img)$/.test(e.localName)
    && !SAID.some(a => e.hasAttribute(a)) && !labelsOf(e)?.length;
  const s = plain && norm(generated(e, '::before') + cased(e.textContent, e) + generated(e, '::after'));
  return s || norm(textOf(e, { seen: new Set() })) || (FROM_CONTENT.has(r) ? norm(textOf(e, { seen: new Set(), all: true })) : '');
};

// textOf computes the text of an accessible name. st says where it is: {seen: the elements read so far; inner: in a descendant of
// the element being named; ref: in what aria-labelledby points at; self: that is the element itself, whose value is no name then; hidden: that is hidden itself, so its hidden parts count;
// veiled: under visibility: hidden; all: blocks are read too (a card in a link, which Chrome gives no name)}.
// It sets st.said when the text came from an attribute or another element.
function textOf(e, st) {
  if (st.seen.has(e)) return '';
  st.seen.add(e);
  if (st.depth > 200) return e.textContent.slice(0, 1000);             // deeper than calls may go
  const r = role(e), t = e.localName, say = s => { st.said = true; return s; };
  if (st.inner && !st.hidden) {
    if (aria(e, 'hidden') === 'true' || !e.checkVisibility() && cs(e).display !== 'contents') return '';
    if (cs(e).visibility !== 'visible') return content(e, { ...st, veiled: true });      // a descendant may be seen all the same
  }
  const by = st.ref ? [] : labelledBy(e);
  if (by.length) {
    const s = norm(by.map(x => {
      if (x === e) st.seen.delete(e);
      return textOf(x, { seen: st.seen, ref: true, self: x === e, hidden: isHidden(x) });
    }).join(' '));
    if (s) return say(s);
  }
  if ((st.inner || st.ref) && !st.self) { const v = embedded(e, r); if (v) return v; }
  const label = norm(aria(e, 'label') || '');
  if (label && (st.inner || st.ref || !NO_NAME.has(r)) && !(st.inner && t === 'slot')) return say(label);
  const own = r === 'none' ? '' : hostName(e, t, st);
  if (own) return say(own);
  const reads = st.ref && !(st.self && t === 'select') || st.all || (st.inner ? !apart(e, r) : FROM_CONTENT.has(r));
  const s = reads ? content(e, st) : '';
  if (norm(s)) return s;
  const tip = norm(attr(e, 'title') || '');
  if (tip && !NO_NAME.has(r) && (r || !st.inner)) return say(tip);
  return (t === 'input' && !HINTED.has(INPUT[e.type]) ? '' : norm(attr(e, 'placeholder') || aria(e, 'placeholder') || '')) || (st.inner ? s : st.self && t === 'input' && r === 'textbox' ? e.value : '');
}

// labelledBy also reads the spelling aria-labeledby, as Chrome does.
function labelledBy(e) {
  if (e.ariaLabelledByElements?.length || !e.hasAttribute('aria-labeledby')) return e.ariaLabelledByElements || [];
  return words(aria(e, 'labeledby')).map(id => e.getRootNode().getElementById?.(id)).filter(Boolean);
}

const isHidden = e => { for (let n = e; n; n = up(n)) if (aria(n, 'hidden') === 'true') return true; return !shown(e); };

function content(e, st) {
  const sub = { ...st, inner: true, veiled: false, depth: (st.depth || 0) + 1 }, tree = !st.inner && role(e) === 'treeitem';
  let s = st.veiled ? '' : generated(e, '::before'), gap = false;    // gap: what follows must not run together with what is there
  const add = k => {
    if (k.nodeType === 3) { if (!st.veiled) put(st.hidden ? k.data : cased(k.data, e), false); return; }
    if (k.nodeType !== 1 || MUTE.test(k.localName)) return;
    if (k.localName === 'br' || k.localName === 'wbr') { s += ' '; return; }
    const r = role(k);
    if (tree && r === 'group') return;                               // its children are items of their own
    sub.said = false;
    const v = textOf(k, sub), d = cs(k).display;
    if (d === 'inline' || d === 'ruby' || d === 'none') put(v, sub.said || CONTROL.has(r));
    else if (d === 'contents') put(v, true);
    else s += ` ${v} `;
  };
  const put = (v, alone) => { if (v) { s += gap || alone && s ? ' ' + v : v; gap = alone; } };
  for (const k of kids(e)) add(k);
  if (e.hasAttribute('aria-owns')) {
    const owned = words(aria(e, 'owns')).map(id => e.getRootNode().getElementById?.(id)).filter(Boolean);
    gap = !!s && (owned[0] !== e.nextSibling || cs(e).display !== 'inline');
    owned.forEach(add);
  }
  return st.veiled ? s : s + generated(e, '::after');
}
const MUTE = /^(script|style|object|rt|rp)$/;

// cased is text in the case that style sheets give it, which is how a person, and Chrome's tree, read it.
function cased(s, e, style = cs(e)) {
  const t = style.textTransform;
  if (t === 'none') return s;
  if (t.includes('uppercase')) return s.toUpperCase();
  if (t.includes('lowercase')) return s.toLowerCase();
  if (!t.includes('capitalize')) return s;
  return s.replace(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’]*/gu, w => w[0].toUpperCase() + w.slice(1));
}

// A control met inside another element's name speaks its value.
function embedded(e, r) {
  if (e.type === 'password') return '•'.repeat(e.value.length);
  if (r === 'textbox' || r === 'searchbox') return e.value ?? norm(e.textContent);
  if (r === 'combobox' || r === 'listbox') {
    if (e.selectedOptions) return [...e.selectedOptions].map(o => norm(o.label)).join(' ');
    if (e.value !== undefined) return e.value;
    const on = [...e.querySelectorAll('[role=option][aria-selected=true]')];
    if (on.length) return on.map(o => norm(o.textContent)).join(' ');
    return e.querySelector('input')?.value ?? (r === 'combobox' ? norm(e.textContent) : '');
  }
  if (RANGE.has(r)) return rangeValue(e);
}

// hostName is what HTML and SVG themselves say: labels, alt, legend, caption, title.
function hostName(e, t, st) {
  const labels = st.ref ? null : labelsOf(e);
  if (labels?.length) {
    const s = norm(labels.map(l => textOf(l, { seen: st.inner ? st.seen : new Set([e]), inner: true, hidden: isHidden(l) })).join(' '));
    if (s) return s;
  }
  switch (t) {
    case 'input':
      if (e.type === 'image') return norm(attr(e, 'alt') || attr(e, 'value') || attr(e, 'title') || BUTTON_TEXT.image);
      if (e.type === 'file') return norm(attr(e, 'title') || BUTTON_TEXT.file);
      return INPUT[e.type] === 'button' ? norm(attr(e, 'value') ?? BUTTON_TEXT[e.type] ?? '') : '';
    case 'img': case 'area': return norm(attr(e, 'alt') || '');
    case 'option': case 'optgroup': return norm(attr(e, 'label') || '');
  }
  if (e.ownerSVGElement !== undefined) { for (const k of e.children) if (k.localName === 'title') return norm(k.textContent); return ''; }
  const by = { fieldset: 'legend', figure: 'figcaption', table: 'caption' }[t];
  if (by) for (const k of e.children) if (k.localName === by) return norm(textOf(k, { ...st, inner: true }));
  return '';
}

// e.labels looks through the whole tree once an element, which is quadratic: one index a root and call instead.
const LABELABLE = new Set(words('button input meter output progress select textarea'));
function labelsOf(e) {
  if (!LABELABLE.has(e.localName) && !e.localName.includes('-')) return;
  const root = e.getRootNode();
  let m = labelIndex.get(root);
  if (!m) {
    labelIndex.set(root, m = new Map());
    for (const l of root.querySelectorAll('label')) if (l.control) m.has(l.control) ? m.get(l.control).push(l) : m.set(l.control, [l]);
  }
  return m.get(e);
}

// generated is the text of ::before or ::after.
function generated(e, which) {
  const may = pseudoSet(e.getRootNode());
  if (may && !may.has(e) && e.localName !== 'q') return '';
  const s = cs(e, which), c = s.content;
  if (c === 'none' || c === 'normal' || s.display === 'none' || s.visibility !== 'visible') return '';
  const alt = c.lastIndexOf(' / ');                                  // content: "★" / "starred"
  let out = '';
  for (const m of (alt > 0 ? c.slice(alt + 3) : c).matchAll(/url\("[^"]*"\)|"((?:[^"\\]|\\.)*)"|attr\(([\w-]+)\)|(open|close)-quote/g))
    out += m[3] ? QUOTES[m[3] + !!e.parentElement?.closest('q')] : m[2] ? attr(e, m[2]) ?? '' : m[1]?.replace(/\\(.)/g, '$1') ?? '';
  out = cased(out.replace(/[\ue000-\uf8ff]/g, ''), e, s);
  return s.display.startsWith('inline') && alt < 0 ? out : ` ${out} `;
}

const QUOTES = { openfalse: '“', closefalse: '”', opentrue: '‘', closetrue: '’' };

// pseudoSet is the elements that may have such text, found from the style sheets; null (too many rules, or a sheet that may not be
// read): ask every element. Rules whose text is empty or an icon font's character (private use area) say nothing.
function pseudoSet(root) {
  let set = pseudoIndex.get(root);
  if (set !== undefined) return set;
  try {
    const rules = [...root.styleSheets, ...root.adoptedStyleSheets].flatMap(pseudoRules);
    if (rules.length > 25 || rules.some(x => /:(host|slotted)|&/.test(x))) set = null;
    else {
      const parts = rules.flatMap(x => x.split(/,(?![^(]*\))/)).filter(x => PSEUDO.test(x))
        .map(x => x.replace(/::?(before|after).*$/, '').trim().replace(/[>+~\s]$/, '$& *') || '*');
      set = new Set(parts.length ? root.querySelectorAll(parts.join(',')) : []);
    }
  } catch { set = null; }
  pseudoIndex.set(root, set);
  return set;
}

const PSEUDO = /:(before|after)/, SAYS = /["'][^"'\ue000-\uf8ff]*[^\s"'\ue000-\uf8ff]|attr\(|counter|quote/;
const sheets = new WeakMap();                                        // sheet → [number of rules, selectors]
function pseudoRules(sheet) {
  const rules = sheet.cssRules, old = sheets.get(sheet);
  if (old?.[0] === rules.length) return old[1];
  const found = [], read = list => {
    for (const r of list) {
      if (r.selectorText && PSEUDO.test(r.selectorText) && SAYS.test(r.style.content)) found.push(r.selectorText);
      if (r.cssRules?.length) read(r.cssRules);
      if (r.styleSheet) read(r.styleSheet.cssRules);
    }
  };
  read(rules);
  sheets.set(sheet, [rules.length, found]);
  return found;
}

engine.identify = elements => { fresh(); return elements.map(e => { const r = role(e); return [r, name(e, r)]; }); };
