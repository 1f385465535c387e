// veiled.js: a <select> that nobody sees, behind a widget which the page draws in its place. What counts is what the widget shows.

// clipped: e is out of sight though it has a box: nothing of it is left by a style of its own or of what is around it.
const clipped = e => {
  for (let n = e; n; n = up(n)) {
    const s = cs(n);
    if (unseen(n, s) || s.overflow !== 'visible' && s.display !== 'contents' && s.display !== 'inline' && n !== n.ownerDocument.documentElement && (n.offsetWidth < 2 || n.offsetHeight < 2)) return true;
  }
  return false;
};
const faint = e => !drawn(e) || !legible(e) || clipped(e) || Math.min(e.offsetWidth, e.offsetHeight) < 2;
// veiled: a person neither sees this select nor meets it with the mouse, as they do one that lies transparent upon a picture of it.
const veiled = e => faint(e) && !(drawn(e) && !clipped(e) && cs(e).pointerEvents !== 'none' && !place(e).why);

const PRESSED = '[role=combobox],[role=button],[role=listbox],button,[aria-haspopup],input:not([type=hidden]),[tabindex]:not([tabindex="-1"])';
// standsFor gives what is drawn in place of a veiled select, {press: what to click, region: all of it}: around it, else next to it.
function standsFor(e) {
  for (let n = e.parentElement, i = 0; n && i < 3; n = n.parentElement, i++) {
    if (n.querySelectorAll('select').length > 1) break;
    if (n.matches('[role=combobox],[aria-haspopup],[tabindex]:not([tabindex="-1"])') && !faint(n)) return { press: n, region: n };
  }
  for (let at = e, i = 0; at && i < 3; at = at.parentElement, i++) {
    for (const n of [...siblings(at, 'nextElementSibling'), ...siblings(at, 'previousElementSibling')]) {
      const press = n.matches('label') ? null : [n, ...n.querySelectorAll(PRESSED)].find(x => x.matches(PRESSED) && drawn(x) && !clipped(x));
      if (press) return { press, region: n };
    }
    if (at.parentElement?.matches('form,fieldset,body,label,td,li,section')) break;
  }
  return null;
}
function* siblings(e, which) { for (let n = e[which]; n && n.localName !== 'select' && !n.querySelector('select'); n = n[which]) yield n; }

// says is what can be read in a region, but for the select in it.
function says(region) {
  const out = [], walk = region.ownerDocument.createTreeWalker(region, NodeFilter.SHOW_TEXT);
  for (let t; t = walk.nextNode();) { const p = t.parentElement; if (!p.closest('select,script,style') && /\S/.test(t.data) && legible(p)) out.push(t.data); }
  for (const i of region.querySelectorAll('input:not([type=hidden])')) if (legible(i)) out.push(i.value);
  return norm(out.join(' '));
}
const stateIn = (region, e) => says(region) + [...region.querySelectorAll('*')].filter(x => !within(x, e)).map(x => `${x.className} ${aria(x, 'selected')} ${aria(x, 'checked')}`).join();

// veilOf remembers, before a select is set, what stands for it; null of one that a person uses itself.
function veilOf(e) {
  if (!veiled(e)) return null;
  const stand = standsFor(e);
  if (stand) stand.uid = uid(stand.press);                   // before anything is set: a call that lacks numbers is made again
  return { stand, before: stand && stateIn(stand.region, e), said: stand && says(stand.region), chosen: [...e.options].map(o => o.selected) };
}
// unveiled waits until the widget shows what was chosen. One that does not follow gets the select back as it was: the page sends
// what it knows, and a person would have seen nothing chosen.
async function unveiled(e, veil) {
  const { stand, before, chosen } = veil, same = [...e.options].every((o, i) => o.selected === chosen[i]);
  if (!stand) return { note: `no person sees ${brief(e)}, and nothing stands in its place: it is set; whether the page took it, changes() shows` };
  const has = () => { const s = says(stand.region).toLowerCase(); return [...e.selectedOptions].every(o => s.includes(norm(o.label).toLowerCase())); };
  for (const end = performance.now() + 600; ; await frame(50)) {
    if (!stand.region.isConnected || !e.isConnected) return { note: `the page drew ${brief(e)} anew: read with extract() what is chosen now` };
    const moved = stateIn(stand.region, e) !== before;
    if (has() && (moved || same)) return null;
    if (performance.now() < end) continue;
    if (moved) return { note: `what stands for ${brief(e)} shows ${quote(says(stand.region))} now` };
    break;
  }
  const label = norm(e.selectedOptions[0]?.label || '');
  [...e.options].forEach((o, i) => { o.selected = chosen[i]; });
  if (!same) announce(e, 'input', 'change');
  fail('element_hidden', `${brief(e)} is hidden, and ${brief(stand.press)}, which stands in its place, does not follow it: nothing is chosen. clickOn("${stand.uid}"), extract(), then clickOn the option`, { stands: stand.uid, choose: e.multiple ? null : label });
}
