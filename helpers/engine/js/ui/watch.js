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
  // What cannot be named is told as well, as a comment.
  const on = (type, f) => addEventListener(type, ev => {
    if (ev.isTrusted && !path(ev).some(bar)) try { f(ev, path(ev)); } catch (x) { tell({ do: 'lost', text: type, why: String(x?.message || x) }); }
  }, true);
  const acted = way => way.find(n => n.matches(ACTS)) || way[0];
  const held = ev => ev.ctrlKey ? 'Control' : ev.metaKey ? 'Meta' : ev.shiftKey ? 'Shift' : ev.altKey ? 'Alt' : '';
  const closed = e => mayHide(e) && !shadow(e);                                        // it may have a closed shadow root, which hides what was meant

  // A page that goes back by itself, as its own button may, asks for that.
  globalThis.navigation?.addEventListener('navigate', ev => { if (ev.navigationType === 'traverse' && !ev.userInitiated && window === top) tell({ do: 'asked', text: ev.destination.url }); });

  on('click', (ev, way) => {
    const e = acted(way);
    if (!e || pulled || ev.detail === 0 && performance.now() - enter < 300) return;             // a drag, or a form that Enter sent
    const c = e.localName === 'label' ? e.control : e;
    if (c && (/^(select|option)$/.test(c.localName) || /^(checkbox|radio|file)$/.test(c.type) || TEXT(c) && !c.readOnly)) return;   // its change is told
    tell({ do: 'clickOn', target: stable(e), count: ev.detail, how: held(ev), closed: closed(e) });
  });
  on('contextmenu', (ev, way) => ev.button === 2 && tell({ do: 'clickOn', target: stable(acted(way)), how: 'right', closed: closed(acted(way)) }));
  on('auxclick', (ev, way) => ev.button === 1 && tell({ do: 'clickOn', target: stable(acted(way)), how: 'middle', closed: closed(acted(way)) }));
  const filled = e => {
    const secret = isPrivate(e) ? e.type === 'password' ? 'PASSWORD' : card(e.value) || /card|cc-/i.test([e.id, e.name, e.autocomplete]) ? 'CARD' : 'CODE' : '';
    tell({ do: 'fill', target: stable(e), secret, text: secret ? '' : e.isContentEditable ? e.innerText : e.value });
  };
  // Not change, which does not leave a shadow root.
  on('input', (ev, way) => {
    const e = way[0].isContentEditable ? way.findLast(n => n.isContentEditable) : way[0];
    if (e.localName === 'select') tell({ do: 'selectOption', target: stable(e), texts: [...e.selectedOptions].map(o => norm(o.label) || o.value) });
    else if (/^(checkbox|radio)$/.test(e.type)) tell({ do: 'setChecked', target: stable(e), on: e.checked });
    else if (e.type === 'file') tell({ do: 'uploadFile', target: stable(e), texts: [...e.files].map(f => f.name) });
    else if (TEXT(e)) filled(e);
    else tell({ do: 'lost', text: 'input', why: stable(e) + ' has a closed shadow root' });
  });
  on('keydown', (ev, [e]) => {
    if (ev.isComposing || /^(Shift|Control|Alt|AltGraph|Meta|Tab|CapsLock|Dead|Process|Unidentified)$/.test(ev.key)) return;
    const text = TEXT(e), line = text && (e.localName === 'textarea' || e.isContentEditable), key = ['ctrlKey', 'altKey', 'metaKey'].map((k, i) => ev[k] ? ['Control+', 'Alt+', 'Meta+'][i] : '').join('') + ev.key;
    const press = () => tell({ do: 'pressKey', target: text ? stable(e) : '', text: key });
    const heard = () => setTimeout(() => ev.defaultPrevented && press());                // what the page did with it is an act, what the browser did is not
    if (key !== ev.key) return text && /^[acvxzy]$/i.test(ev.key) ? 0 : heard();
    if (ev.key === 'Enter' && text) {
      enter = performance.now();
      line ? heard() : press();
    } else if (/^(Escape|F\d+)$/.test(ev.key) || /^Arrow(Up|Down)$/.test(ev.key) && text && !line && !/^(number|range|date)$/.test(e.type)) tell({ do: 'pressKey', target: '', text: ev.key });
    else if (!text && !/^(select|option)$/.test(e.localName) && !e.matches(ACTS) && !closed(e)) ev.key.length === 1 && ev.key !== ' ' ? press() : heard();
  });

  // Dragging: the browser's own, or what a page makes of a pointer that is pressed and moved.
  let dragged = '', pulled = false, down = null;
  on('dragstart', (ev, way) => { down = null; dragged = stable(way.find(n => n.draggable) || way[0]); });
  on('drop', (ev, way) => { if (dragged) tell({ do: 'dragTo', target: dragged, texts: [stable(way[0])] }); dragged = ''; });
  on('pointerdown', (ev, [e]) => { dragged = ''; down = ev.button || TEXT(e) || e.localName === 'select' ? null : { e, x: ev.clientX, y: ev.clientY }; });
  on('pointerup', ev => {
    const d = down;
    down = null;
    if (!d || Math.hypot(ev.clientX - d.x, ev.clientY - d.y) < 8 || String(getSelection())) return;
    pulled = true;
    setTimeout(() => { pulled = false; });
    const over = document.elementsFromPoint(ev.clientX, ev.clientY).find(n => !within(n, d.e));
    if (d.e.isConnected && over && !within(d.e, over)) tell({ do: 'dragTo', target: stable(d.e), texts: [stable(over)] });
    else tell({ do: 'drag', at: [d.x, d.y, ev.clientX, ev.clientY], frame: window !== top });
  });
}
