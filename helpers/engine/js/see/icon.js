// icon.js: what is seen and has no words: icons, colours, pictures.

// hint gives elements without a name something to tell them apart: what the page's code calls them, their icon, their colour.
function hint(e) {
  const icon = e.querySelector('use') || e.querySelector('[data-testid],[data-icon]') || e.querySelector('img,svg,i') || e.querySelector('span[class]');
  const file = s => s?.replace(/^data:.*|[?#].*$/g, '').split('/').pop(), own = attr(e, 'class'), its = icon && attr(icon, 'class');
  const s = norm(attr(e, 'data-testid') || e.id || called(e) || icon && icon.localName !== 'span' && (attr(icon, 'data-testid') || attr(icon, 'data-icon')
    || attr(icon, 'href') || attr(icon, 'xlink:href') || file(attr(icon, 'src'))) || attr(e, 'href') || file(backdrop(e)) || telling(its) || telling(own) || own || its || '');
  const c = e.localName === 'input' ? '' : colour(e, icon);
  return [s.length > 40 ? '…' + s.slice(-39) : s, c].filter(Boolean).join(' ');       // names of classes differ at their ends
}
// called: radios of one group share a name, and differ by their values.
const called = e => { const n = attr(e, 'name'), v = /^(radio|checkbox)$/.test(e.type) && attr(e, 'value'); return n && v ? `${n}=${v}` : n; };
// telling drops from a class name what icon libraries and CSS frameworks add.
const telling = c => c ? c.split(/\s+/).filter(x => !/^(btn|button|icons?|ic|fa|fas|far|fab|fal|bi|mdi|glyphicon|svg|img|ng-\S*|(css|sc|jss|svelte|makeStyles)-?[\w-]*|\w*\d\w*)$/i.test(x)).join(' ') : '';
const backdrop = e => /^url\("(.*)"\)/.exec(cs(e).backgroundImage)?.[1];

// colour is what a swatch shows: a small box with a colour of its own, and neither words nor an icon.
function colour(e, icon) {
  const b = e.getBoundingClientRect();
  if (b.width > 80 || b.height > 80 || /[\p{L}\p{N}]/u.test(e.textContent) || icon && !/^(span|i)$/.test(icon.localName)) return '';
  for (const x of [e, ...e.querySelectorAll('*')].slice(0, 4)) {
    const m = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/.exec(cs(x).backgroundColor);
    if (m && m[4] !== '0' && !(isButton(x) && /^(239, 239, 239|240, 240, 240)$/.test(m.slice(1, 4).join(', ')))) return '#' + m.slice(1, 4).map(n => (+n).toString(16).padStart(2, '0')).join('');
  }
  return '';
}
const isButton = e => e.localName === 'button' || e.localName === 'input';           // grey unless it is told otherwise

// LARGE is the size in CSS pixels from which a picture without a name is content and not decoration.
const LARGE = 100, PICTURE = { canvas: 'Canvas', video: 'Video', audio: 'Audio', embed: 'EmbeddedObject', object: 'EmbeddedObject', img: 'image', svg: 'image' };

// picture is what only a screenshot can read; true where there is one to see.
Walk.prototype.picture = function (e, t, least = 40) {
  const b = e.getBoundingClientRect();
  if (b.width < least || b.height < least || !shown(e)) return false;
  const size = `${Math.round(b.width)}×${Math.round(b.height)}`;
  if (least === LARGE && e.closest('a[href],button,[role=button],[role=link]')) { this.out.put(`(image ${size})`); this.out.space = true; return true; }   // its uid is that of what it stands in
  const o = this.control(e, PICTURE[t]);
  this.out.put(`${OPEN}${o.uid} ${o.role} ${o.name ? quote(o.name) + ' ' : ''}${size}}`);
  return true;
};
// embedded documents that have failed show what stands inside of them instead.
const stoodIn = e => [...e.children].some(k => k.localName !== 'param' && k.getClientRects().length);
