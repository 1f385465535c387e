// roles.js: the role of an element, in the words of Chrome's accessibility tree (which tests hold this to),
// and the states that go with it.

const words = s => s.trim().split(/\s+/);
const ARIA = new Set(words(`alert alertdialog application article banner blockquote button caption cell checkbox code columnheader
  combobox complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid gridcell
  group heading image img insertion link list listbox listitem log main mark marquee math menu menubar menuitem menuitemcheckbox
  menuitemradio meter navigation none note option paragraph presentation progressbar radio radiogroup region row rowgroup rowheader
  scrollbar search searchbox separator slider spinbutton status strong subscript superscript switch tab table tablist tabpanel term
  textbox time timer toolbar tooltip tree treegrid treeitem`));
const ALIAS = { img: 'image', presentation: 'none', directory: 'list' };
const TAG = {
  article: 'article', aside: 'complementary', blockquote: 'blockquote', button: 'button', caption: 'caption', code: 'code',
  dd: 'definition', del: 'deletion', details: 'group', dfn: 'term', dialog: 'dialog', dt: 'term', em: 'emphasis', fieldset: 'group',
  figure: 'figure', form: 'form', h1: 'heading', h2: 'heading', h3: 'heading', h4: 'heading', h5: 'heading', h6: 'heading',
  hr: 'separator', html: 'document', ins: 'insertion', li: 'listitem', main: 'main', mark: 'mark', math: 'math', menu: 'list',
  meter: 'meter', nav: 'navigation', ol: 'list', optgroup: 'group', option: 'option', output: 'status', p: 'paragraph',
  progress: 'progressbar', search: 'search', strong: 'strong', sub: 'subscript', sup: 'superscript', svg: 'image', table: 'table',
  tbody: 'rowgroup', td: 'cell', textarea: 'textbox', tfoot: 'rowgroup', thead: 'rowgroup', time: 'time', tr: 'row', ul: 'list',
};
const INPUT = {
  button: 'button', submit: 'button', reset: 'button', image: 'button', file: 'button', checkbox: 'checkbox', radio: 'radio',
  range: 'slider', number: 'spinbutton', search: 'searchbox', email: 'textbox', tel: 'textbox', text: 'textbox', url: 'textbox',
  password: 'textbox', color: 'ColorWell', date: 'Date', 'datetime-local': 'DateTime', month: 'DateTime', week: 'DateTime',
  time: 'InputTime', hidden: '',
};
const SECTIONING = 'article,aside,main,nav,section,[role=article],[role=complementary],[role=main],[role=navigation],[role=region]';
const labelled = e => e.hasAttribute('aria-label') || e.hasAttribute('aria-labelledby') || e.hasAttribute('title');

function role(e) {
  const given = attr(e, 'role');
  if (given) for (const word of words(given.toLowerCase())) if (ARIA.has(word)) {
    const r = ALIAS[word] || word;
    if (r === 'none' && keepsRole(e)) break;
    if (r === 'option' && !ownedBy(e, 'listbox') || r === 'treeitem' && !ownedBy(e, 'tree')) return nativeRole(e) || 'generic';
    return r;
  }
  return nativeRole(e) || (isEditor(e) ? 'textbox' : '');
}

// What can be focused or is named keeps its own role, whatever role="none" says.
const keepsRole = e => e.tabIndex >= 0 && !e.matches(':disabled') || e.hasAttribute('aria-label') || e.hasAttribute('aria-labelledby');
// The outermost editable element; Chrome calls it generic, but it is typed into.
const isEditor = e => e.isContentEditable && !e.parentElement?.isContentEditable;

function ownedBy(e, owner) {
  for (let p = up(e); p; p = up(p)) {
    const r = attr(p, 'role') || nativeRole(p);
    if (r === owner || attr(p, 'role') === 'group' || owner === 'tree' && r === 'treegrid' || r === 'treeitem') return true;
    if (r && !/^(none|presentation|generic)$/.test(r)) break;
  }
  return !!e.id && !!e.getRootNode().querySelector(`[aria-owns~="${CSS.escape(e.id)}"]`);
}

function nativeRole(e) {
  const t = e.localName;
  switch (t) {
    case 'a': return e.hasAttribute('href') || e.href?.baseVal ? 'link' : '';
    case 'area': return e.hasAttribute('href') ? 'link' : '';
    case 'input': return e.list && !/^(range|color)$/.test(e.type) ? 'combobox' : INPUT[e.type] ?? 'textbox';
    case 'select': return e.size > 1 || e.multiple && e.size !== 1 ? 'listbox' : 'combobox';
    case 'img': return attr(e, 'alt') === '' && !labelled(e) ? 'none' : 'image';
    case 'th': return header(e);
    case 'td': return /^(grid|treegrid)$/.test(attr(e.closest('table') || e, 'role')) ? 'gridcell' : 'cell';
    case 'header': return e.parentElement?.closest(SECTIONING) ? '' : 'banner';
    case 'footer': return e.parentElement?.closest(SECTIONING) ? '' : 'contentinfo';
    case 'section': return labelled(e) ? 'region' : '';
    case 'summary': return opens(e) ? e.parentElement.name ? 'DisclosureTriangleGrouped' : 'DisclosureTriangle' : '';
  }
  return TAG[t] || '';
}

const opens = summary => summary.parentElement?.localName === 'details' && summary.parentElement.querySelector(':scope > summary') === summary;

function header(th) {
  const scope = attr(th, 'scope');
  if (scope) return scope.startsWith('row') ? 'rowheader' : 'columnheader';
  const tr = th.parentElement;
  return tr?.parentElement?.localName === 'tbody' && tr.querySelector('td') ? 'rowheader' : 'columnheader';
}

// ---- states
const CHECKABLE = new Set(['checkbox', 'radio', 'switch', 'menuitemcheckbox', 'menuitemradio']);
const RANGE = new Set(['slider', 'spinbutton', 'scrollbar', 'progressbar', 'meter']);
const rangeValue = e => aria(e, 'valuetext') ?? aria(e, 'valuenow') ?? (e.value === undefined ? '' : String(e.value));
const tristate = v => v === 'mixed' ? 'mixed' : v === 'true';

// disabled says why an element takes no input: itself, its fieldset, an aria-disabled ancestor, the control of a label.
function disabled(e) {
  const c = e.localName === 'label' ? e.control || e : e.closest('button,input,select,textarea,option,optgroup') || e;
  if (c.matches(':disabled')) return true;
  for (let n = e; n; n = up(n)) if (aria(n, 'disabled') === 'true') return true;
  return false;
}

// marks adds to o what an element may say of itself though it cannot be acted on.
const TELLING = ['aria-selected', 'aria-current', 'aria-sort', 'aria-checked', 'aria-pressed'];
function marks(e, r, o) {
  const current = aria(e, 'current'), sort = aria(e, 'sort');
  if (aria(e, 'pressed')) o.pressed = tristate(aria(e, 'pressed'));
  if (aria(e, 'selected')) o.selected = aria(e, 'selected') === 'true';
  if (current && current !== 'false') o.current = current;
  if (/^(ascending|descending)$/.test(sort)) o.sort = sort;
  if (aria(e, 'checked') && !CHECKABLE.has(r)) o.checked = tristate(aria(e, 'checked'));
}

// states adds to o what is true of e now.
function states(e, r, o) {
  const t = e.localName;
  if (e.disabled || aria(e, 'disabled') === 'true' || e.matches(':disabled')) o.disabled = true;
  marks(e, r, o);
  if (CHECKABLE.has(r)) o.checked = t === 'input' ? (e.indeterminate ? 'mixed' : e.checked) : tristate(aria(e, 'checked'));
  if (aria(e, 'expanded')) o.expanded = aria(e, 'expanded') === 'true';
  else if (e.localName === 'summary' && opens(e)) o.expanded = e.parentElement.open;
  const popup = aria(e, 'haspopup');
  if (popup && popup !== 'false') o.haspopup = popup;
  if (e.required || aria(e, 'required') === 'true') o.required = true;
  if (e.readOnly && (t === 'input' || t === 'textarea') || aria(e, 'readonly') === 'true') o.readonly = true;
  if (aria(e, 'invalid') && aria(e, 'invalid') !== 'false') o.invalid = true;
  if (t === 'input' && (/^(file|password|email|url|tel|datetime-local|month|week)$/.test(e.type) || r === 'combobox' && AS_WHOLE.test(e.type))) o.type = e.type;
  if (t === 'select') {
    o.options = [...e.options].slice(0, 30).map(x => cut(norm(x.label), 60));
    if (e.options.length > 30) o.moreOptions = e.options.length - 30;
  }
  const v = valueOf(e, r);
  if (v) o.value = v;
}

function valueOf(e, r) {
  const t = e.localName;
  if (t === 'select') return [...e.selectedOptions].map(x => norm(x.label)).join(', ');
  if (t === 'textarea') return cut(e.value, 2000);
  if (t === 'input') switch (e.type) {
    case 'password': return e.value && '•'.repeat(8);
    case 'file': return [...e.files].map(f => f.name).join(', ');
    case 'checkbox': case 'radio': case 'button': case 'submit': case 'reset': case 'image': return '';
    default: return cut(e.value, 2000);
  }
  if (e.isContentEditable && (r === 'textbox' || r === 'searchbox' || r === 'combobox')) return cut(norm(e.innerText), 200);
  return RANGE.has(r) ? rangeValue(e) : '';
}
