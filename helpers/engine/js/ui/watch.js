// watch.js: what a person does while they have the tab, told act by act through the binding buDid: how a snippet would say it.
// It stands in a world of its own in each document, with the engine's names and targets in scope.

function watchPerson() {
  const tell = act => buDid(JSON.stringify(act)), seen = new WeakSet();
  const bar = e => e.popover === 'manual' && e.parentNode === document.documentElement;
  const path = ev => ev.composedPath().filter(n => n.nodeType === 1);
  const ACTS = 'a[href],button,input,select,textarea,summary,label,option,[role=button],[role=link],[role=menuitem],[role=option],[role=tab],[role=checkbox],[role=radio],[role=switch],[onclick],[tabindex]';
  const TEXT = e => e.localName === 'textarea' || e.localName === 'input' && !/^(checkbox|radio|button|submit|reset|image|file)$/.test(e.type) || e.isContentEditable;
  let enter = 0;

  // stable is a target that means this element, now and on a fresh copy of the page.
  function stable(e) {
    const q = v => JSON.stringify(v), tag = e.localName, by = a => attr(e, a) ? `${tag}[${a}=${q(attr(e, a))}]` : '';
    const made = /\d{4}|^[:_]|[0-9a-f]{8}|^radix|^react|^ember|^mui/i, text = norm(name(e, role(e)) || '');
    const ways = [e.id && !made.test(e.id) && '#' + CSS.escape(e.id), by('data-testid'), by('data-test'), /^(radio|checkbox)$/.test(e.type) && by('name') && by('value') && by('name') + `[value=${q(attr(e, 'value'))}]`,
      by('name'), by('aria-label'), text && text.length <= 60 && 'text=' + text, by('placeholder'), tag === 'a' && by('href'), by('title')];
    for (const w of ways) if (w) try { const found = all(w).filter(shown); if (found.length === 1 && found[0] === e || !found.length && all(w).length === 1 && all(w)[0] === e) return w; } catch { /* the next */ }
    const steps = [];
    for (let n = e; n; n = n.parentElement) {
      if (n.id && !made.test(n.id)) { steps.unshift('#' + CSS.escape(n.id)); break; }
      const same = n.parentElement ? [...n.parentElement.children].filter(k => k.localName === n.localName) : [n];
      steps.unshift(same.length > 1 ? `${n.localName}:nth-of-type(${same.indexOf(n) + 1})` : n.localName);
    }
    return steps.join(' > ');
  }
  const on = (type, f) => addEventListener(type, ev => { if (ev.isTrusted && !path(ev).some(bar)) try { f(ev, path(ev)); } catch { /* an act that cannot be named is not told */ } }, true);

  // A page that goes back by itself, as its own button may, asks for that.
  globalThis.navigation?.addEventListener('navigate', ev => { if (ev.navigationType === 'traverse' && !ev.userInitiated && window === top) tell({ do: 'asked', text: ev.destination.url }); });

  on('click', (ev, way) => {
    const e = way.find(n => n.matches(ACTS)) || way[0];
    if (!e || ev.detail === 0 && performance.now() - enter < 300) return;             // a form that Enter sent
    const c = e.localName === 'label' ? e.control : e;
    if (c && (/^(select|option)$/.test(c.localName) || /^(checkbox|radio|file)$/.test(c.type) || TEXT(c) && !c.readOnly)) return;   // its change is told
    tell({ do: 'clickOn', target: stable(e), count: ev.detail });
  });
  on('contextmenu', (ev, way) => ev.button === 2 && tell({ do: 'clickOn', target: stable(way.find(n => n.matches(ACTS)) || way[0]), how: 'right' }));
  on('auxclick', (ev, way) => ev.button === 1 && tell({ do: 'clickOn', target: stable(way.find(n => n.matches(ACTS)) || way[0]), how: 'middle' }));
  const filled = e => {
    const secret = isPrivate(e) ? e.type === 'password' ? 'PASSWORD' : card(e.value) || /card|cc-/i.test([e.id, e.name, e.autocomplete]) ? 'CARD' : 'CODE' : '';
    tell({ do: 'fill', target: stable(e), secret, text: secret ? '' : e.isContentEditable ? e.innerText : e.value });
  };
  on('input', (ev, way) => {
    const e = way[0].isContentEditable ? way.findLast(n => n.isContentEditable) : way[0];
    if (TEXT(e)) filled(e);
  });
  on('change', (ev, [e]) => {
    if (e.localName === 'select') tell({ do: 'selectOption', target: stable(e), texts: [...e.selectedOptions].map(o => norm(o.label) || o.value) });
    else if (/^(checkbox|radio)$/.test(e.type)) tell({ do: 'setChecked', target: stable(e), on: e.checked });
    else if (e.type === 'file') tell({ do: 'uploadFile', target: stable(e), texts: [...e.files].map(f => f.name) });
  });
  on('keydown', (ev, [e]) => {
    if (ev.ctrlKey || ev.metaKey || ev.altKey || ev.isComposing) return;
    const line = TEXT(e) && (e.localName === 'textarea' || e.isContentEditable);
    if (ev.key === 'Enter' && TEXT(e)) {
      enter = performance.now();
      if (!line) tell({ do: 'pressKey', target: stable(e), text: 'Enter' });
      else setTimeout(() => ev.defaultPrevented && tell({ do: 'pressKey', target: stable(e), text: 'Enter' }));
    } else if (/^(Escape|F\d+)$/.test(ev.key) || /^Arrow(Up|Down)$/.test(ev.key) && TEXT(e) && !line && !/^(number|range|date)$/.test(e.type)) tell({ do: 'pressKey', target: '', text: ev.key });
  });
  let dragged = '';
  on('dragstart', (ev, way) => { dragged = stable(way.find(n => n.draggable) || way[0]); });
  on('drop', (ev, way) => { if (dragged) tell({ do: 'dragTo', target: dragged, texts: [stable(way[0])] }); dragged = ''; });
}
