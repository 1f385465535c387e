// hidden.js: text that stands in the document and not on the screen, and text that is only on the screen.

// unseen: its text is kept for screen readers, or out of reach at the page's left or top. Its controls are listed all the same:
// the field of a drawn checkbox is hidden in these ways.
function unseen(e, s) {
  if (s.clipPath !== 'none' && /^(inset\((50|100)%|circle\(0|polygon\(0px 0px, 0px 0px, 0px 0px)/.test(s.clipPath) || s.contentVisibility === 'hidden' && s.display !== 'inline') return true;
  if (s.transform.startsWith('matrix(0, 0, 0, 0,') || s.scale === '0') return true;
  if (!OVER.test(s.position)) return false;
  if (s.overflow !== 'visible' && e.offsetWidth <= 1 && e.offsetHeight <= 1 || /^rect\(([01]px,? ?){4}\)$/.test(s.clip)) return true;
  if (parseFloat(s.left) > -500 && parseFloat(s.top) > -500) return false;
  const b = e.getBoundingClientRect();
  return b.right + scrollX <= 0 || b.bottom + scrollY <= 0 || !b.width || !b.height;
}
// twin: the drawn form of a formula that stands beside it as MathML, which is read instead.
const twin = e => e.firstElementChild && e.localName !== 'svg' && (e.previousElementSibling || e.nextElementSibling) && !!e.parentElement.querySelector(':scope > * > math');

// drawn puts what style sheets say before or after an element; bullets, dividers and icons are left out.
const WORDY = /[\p{L}\p{N}\p{Sc}%*✓✔✗✘★☆]/u;
Walk.prototype.drawn = function (e, which) {
  const may = pseudoSet(e.getRootNode());
  if (may ? !may.has(e) && e.localName !== 'q' : !e.hasAttribute('class') || this.asks-- <= 0) return;
  const says = generated(e, which);
  if (!WORDY.test(says) && e.localName !== 'q' || cs(e, which).opacity === '0' || this.veil || !legible(e)) return;
  this.out.text(says);
};

// small reads the elements that change how what they hold is read; false: it is none of them.
Walk.prototype.small = function (e, t, r, pointer) {
  if (t === 'math') { this.out.put(formula(e)); return true; }
  if (t === 'rt' || t === 'sup') {
    const m = this.inline(e, pointer), space = this.out.space;
    this.out.space = space && t !== 'rt';
    if (m) this.out.put(t === 'rt' ? `(${m})` : /^[-+−]?\d+$/.test(m) ? '^' + m : m);
    return true;
  }
  if ((r === 'progressbar' || r === 'meter') && !norm(e.textContent) && hasSize(e)) { this.gauge(e, r); return true; }
  return false;
};

// formula is MathML in a line: as TeX where the page says it, else with / ^ _ √.
function formula(e) {
  const tex = e.querySelector('annotation[encoding*=tex i]');
  if (tex) return `$${norm(tex.textContent)}$`;
  const k = [...e.children].filter(x => !/^annotation/.test(x.localName)), all = k.map(formula), group = s => s.length > 1 ? `(${s})` : s;
  switch (e.localName) {
    case 'mfrac': return `${group(all[0] ?? '')}/${group(all[1] ?? '')}`;
    case 'msup': case 'mover': return `${all[0]}^${group(all[1] ?? '')}`;
    case 'msub': case 'munder': return `${all[0]}_${group(all[1] ?? '')}`;
    case 'msubsup': case 'munderover': return `${all[0]}_${group(all[1] ?? '')}^${group(all[2] ?? '')}`;
    case 'msqrt': return `√(${all.join('')})`;
    case 'mroot': return `${group(all[0] ?? '')}^(1/${all[1]})`;
    case 'mtr': return all.join(', ');
    case 'mtable': return all.join('; ');
  }
  return k.length ? all.join('') : norm(e.textContent);
}
