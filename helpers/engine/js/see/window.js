// window.js: what stands before the page: news, overlays, drawers, what keeps a person from the page behind it.

// News is what the page shows a person without being asked: a toast, an alert, an open menu, a popover. It is read wherever it stands.
const NEWS = /^(alert|alertdialog|dialog|status|tooltip|menu|listbox)$/, OVER = /^(fixed|absolute)$/;
const TELLS = /toast|snack|notif|alert|flash|message|error|warning|success/i, OPENS = /menu(?!bar)|dropdown|popover|popup|tooltip|autocomplete|suggest|listbox|picker/i;
const isNews = (e, r, s) => (NEWS.test(r) || e.hasAttribute('popover')) && (r === 'alert' || OVER.test(s.position) && (NEWS.test(r) || e.matches(':popover-open')))
  || s.position === 'fixed' && (TELLS.test(calledIn(e)) || tallest(e) && covers(e));
const calledIn = e => `${e.id} ${attr(e, 'class')}`;

// furniture: a launcher of the site's own (chat, help, cookies), or links that have their place beside the page. It is left out and named.
const WAYS = 'a[href],button,input,select,textarea,[role=button],[role=link],[tabindex],[onclick]';
const LAUNCHES = /chat|help|support|feedback|messenger|intercom|back ?to ?top|scroll ?to ?top|^\s*(↑|top)\s*$|share|cookie|consent|privacy|accessib|skip ?(to|link)/i;
function furniture(e) {
  if (refs.furniture.has(e)) return true;
  if (refs.read || TELLS.test(calledIn(e)) || aria(e, 'live') && aria(e, 'live') !== 'off') return false;
  if (e.querySelector('[role=alert],[role=status],[role=menu],[role=listbox],[aria-live=polite],[aria-live=assertive]')) return false;
  const ways = e.matches(WAYS) ? [e] : [...e.querySelectorAll(WAYS)], text = norm(e.textContent), links = ways.filter(k => k.localName === 'a');
  const launcher = ways.length === 1 && text.length <= 40 && LAUNCHES.test([calledIn(e), calledIn(ways[0]), aria(ways[0], 'label'), text].join('\n'));
  const beside = links.length > 3 && links.length === ways.length && !OPENS.test(calledIn(e)) && links.reduce((n, k) => n + k.textContent.trim().length, 0) > text.length * 0.8 && !covers(e);
  if (!launcher && !beside) return false;
  refs.furniture.add(e);
  return true;
}
const tallest = e => e.offsetHeight > e.ownerDocument.defaultView.innerHeight / 2;
const fixedOf = e => { for (let n = e; n; n = up(n)) if (cs(n).position === 'fixed') return n; return e; };
const fills = (e, v = e.ownerDocument.defaultView) => e.offsetWidth >= v.innerWidth * 0.9 && e.offsetHeight >= v.innerHeight * 0.9;

// covers: what is fixed to the window has words of the page, or a veil over them, behind it.
function covers(e) {
  const own = fixedOf(e), d = e.ownerDocument, v = d.defaultView, b = e.getBoundingClientRect(), says = n => /^(img|video|canvas|input|button|svg)$/.test(n.localName) || [...n.childNodes].some(k => k.nodeType === 3 && /\S/.test(k.data));
  const left = Math.max(b.left, 0), top = Math.max(b.top, 0), w = Math.min(b.right, v.innerWidth) - left, h = Math.min(b.bottom, v.innerHeight) - top;
  if (w <= 0 || h <= 0) return false;
  for (const x of [0.1, 0.5, 0.9]) for (const y of [0.02, 0.2, 0.4, 0.6, 0.8])
    for (const n of d.elementsFromPoint(left + w * x, top + h * y)) if (!within(n, own) && !within(own, n) && (says(n) || fills(n) && cs(n).position === 'fixed')) return true;
  return false;
}

// blocks: it takes the middle of the window, or a veil does that lets nobody through to the page.
function blocks(e) {
  const d = e.ownerDocument, v = d.defaultView;
  if (aria(e, 'modal') === 'true' || e.querySelector('[aria-modal=true]')) return true;
  let n = d.elementFromPoint(v.innerWidth / 2, v.innerHeight / 2);
  for (let r; (r = n && shadow(n)?.elementFromPoint(v.innerWidth / 2, v.innerHeight / 2)) && r !== n;) n = r;
  if (!n || within(n, e)) return !!n;
  const over = fixedOf(n);
  return fills(over) && cs(over).position === 'fixed' && !over.querySelector('main,h1');
}
