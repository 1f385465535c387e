// wait.js: waiting in the page: observers for what changes the tree, a timer for what changes without (style sheets, scrolling).

// until resolves with what test gives once that is truthy, or null after ms.
function until(test, ms) {
  return new Promise(done => {
    const seen = new Set(), mo = new MutationObserver(() => soon(0));
    let timer, due = Infinity, pause = 16;
    const see = r => {
      if (seen.has(r)) return;
      seen.add(r);
      mo.observe(r, { subtree: true, childList: true, attributes: true, characterData: true });
      for (const t of EVENTS) r.addEventListener(t, wake, true);
    };
    const wake = () => soon(0), end = performance.now() + ms;
    let last = -Infinity;
    const soon = wait => {                                  // never more than a quarter of the page's time goes into looking
      const at = Math.max(performance.now() + wait, last + pause - 16);
      if (at >= due) return;
      clearTimeout(timer);
      due = at;
      if (at <= performance.now()) look(); else timer = setTimeout(look, at - performance.now());
    };
    const look = () => {
      clearTimeout(timer);
      due = Infinity;
      const t = performance.now(), v = test(see);
      last = performance.now();
      if (v || t >= end) {
        mo.disconnect();
        for (const r of seen) for (const k of EVENTS) r.removeEventListener(k, wake, true);
        return done(v || null);
      }
      pause = Math.max(16, 4 * (last - t));
      soon(Math.min(pause, Math.max(0, end - last)));
    };
    look();
  });
}
const EVENTS = words('load transitionend animationstart animationend input change toggle scroll');
const DRAWN_NEVER = new Set(words('script style meta title link template head base noscript datalist'));
const neverDrawn = e => DRAWN_NEVER.has(e.localName) || e.localName === 'input' && e.type === 'hidden';
const isThere = e => neverDrawn(e) || shown(e.localName === 'option' && e.closest('select') || e);

// wait resolves with {ok} once a target is visible, attached, hidden or gone, or a text is on the page; else with {instead}.
engine.wait = async (target, state, ms) => {
  fresh();
  if (isUid(target) && !byUid(target) && state !== 'hidden' && state !== 'gone') find(target);
  if (!isUid(target) && state !== 'text') query(document, target);
  const matches = see => {
    const out = isUid(target) ? all(target) : [];
    for (const r of roots()) { see(r); if (!isUid(target)) out.push(...query(r, target)); }
    return out;
  };
  const test = {
    visible: see => matches(see).some(isThere),
    attached: see => matches(see).length > 0,
    hidden: see => !matches(see).some(isThere),
    gone: see => matches(see).length === 0,
    text: see => { for (const r of roots()) see(r); return hasText(target); },
  }[state];
  if (!test) fail('bad_request', `waitFor cannot wait for ${quote(state)}: visible, attached, hidden, gone, text or js`);
  if (await until(see => { try { return test(see); } catch { return false; } }, ms)) return { ok: true };
  const hidden = document.visibilityState === 'hidden';                 // Go wakes the tab, and waits on
  return { hidden, instead: state === 'text' ? `the page is ${quote(document.title)} at ${location.href}` : instead(target) };
};

// hasText looks at what can be seen, in shadow roots and frames too.
function hasText(s) {
  const want = norm(s), word = want.split(' ')[0];
  for (const r of roots()) {
    const top = r.body ? [r.body] : r.nodeType === 11 ? [...r.children] : [];
    for (const e of top) if (e.textContent.includes(word) && e.innerText !== undefined && norm(e.innerText).includes(want)) return true;
  }
  return false;
}

// instead tells what was there when a wait ran out.
function instead(target) {
  const page = `the page is ${quote(document.title)} at ${location.href}`, found = all(target);
  if (found.length) {
    const s = found.filter(isThere);
    if (s.length) return `${s.length} of ${found.length} that match can be seen, the first ${brief(s[0])}`;
    return `${found.length} match but cannot be seen, the first ${brief(found[0])} (${whyHidden(found[0])})`;
  }
  if (isUid(target)) return `${target} is not on the page; ${page}`;
  const bare = target.replace(/\[[^\]]*\]|:not\([^)]*\)|:(checked|disabled|enabled|empty|focus)\b/g, '') || '*';
  let near = [];
  if (bare !== target && bare !== '*') try { near = all(bare); } catch { /* not a selector without them */ }
  return near.length ? `without the conditions ${near.length} match, the first ${brief(near[0])}` : `nothing matches; ${page}`;
}
