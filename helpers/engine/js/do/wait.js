// wait.js: waiting in the page: observers for what changes the tree, a timer for what changes without (style sheets, scrolling).

// until resolves with what test(roots) gives once that is truthy, or null after ms.
function until(test, ms) {
  return new Promise(done => {
    const known = new Set(), end = performance.now() + ms, wake = () => soon(0);
    const mo = new MutationObserver(() => { changed = true; wake(); });
    let timer, due = Infinity, last = 0, cost = 0, changed = true, searched;
    const watch = r => {
      if (known.has(r)) return;
      known.add(r);
      mo.observe(r, { subtree: true, childList: true, attributes: true, characterData: true });
      for (const t of EVENTS) r.addEventListener(t, wake, true);
    };
    // At once for a look that costs nothing; never more than a quarter of the page's time for one that does.
    const soon = wait => {
      const now = performance.now(), at = Math.max(now + wait, last + (cost > 1 ? 3 * cost : 0));
      if (at >= due) return;
      clearTimeout(timer);
      due = at;
      if (at <= now) look(); else timer = setTimeout(look, at - now);
    };
    const look = () => {
      clearTimeout(timer);
      due = Infinity;
      const t = performance.now();
      if (changed || t > searched + 100) {                  // a shadow root that is attached later is no mutation
        for (const r of roots()) watch(r);
        searched = t;
        changed = false;
      }
      const found = test([...known].filter(r => r.isConnected && (r.host || r.defaultView)));
      last = performance.now();
      cost = last - t;
      if (!found && t < end) return soon(Math.min(16, end - t));
      mo.disconnect();
      for (const r of known) for (const k of EVENTS) r.removeEventListener(k, wake, true);
      done(found || null);
    };
    look();
  });
}
const EVENTS = words('load transitionend animationstart animationend input change toggle scroll');
const DRAWN_NEVER = new Set(words('script style meta title link template head base noscript datalist'));
const neverDrawn = e => DRAWN_NEVER.has(e.localName) || e.localName === 'input' && e.type === 'hidden';
const isThere = e => neverDrawn(e) || seen(e.localName === 'option' && e.closest('select') || e);
const seen = e => shown(face(e)) && boxed(e);               // an empty box is nothing to see

// wait resolves with {ok} once a target is visible, attached, hidden or gone, or a text is on the page; else with {instead}.
engine.wait = async (target, state, ms) => {
  fresh();
  const text = /text$/.test(state);
  if (!text && isUid(target) && !byUid(target) && state !== 'hidden' && state !== 'gone') find(target);
  if (!text && !isUid(target) && !isSelector(target)) return { ok: false, script: true };
  const matches = roots => isUid(target) ? all(target) : roots.flatMap(r => [...query(r, target)]);
  const test = {
    visible: roots => matches(roots).some(isThere),
    attached: roots => matches(roots).length > 0,
    hidden: roots => !matches(roots).some(isThere),
    gone: roots => matches(roots).length === 0,
    text: roots => roots.some(r => hasText(r, target)),
    'no text': roots => !roots.some(r => hasText(r, target)),
  }[state];
  if (!test) fail('bad_request', `waitFor cannot wait for ${quote(state)}: visible, attached, hidden, gone, text or js`);
  const comes = /^(visible|attached|text)$/.test(state);
  const found = await until(roots => test(roots) || comes && roots.some(newHost) && 'host', ms);
  if (found && found !== 'host' && comes) return { ok: true };
  const where = !text && all(target).length ? { frames: 0, hosts: 0 } : elsewhere();   // the target may be in those
  if (found && found !== 'host') return { ok: true, ...where };
  return { ...where, instead: text ? `${comes ? '' : 'it can still be read; '}the page is ${quote(document.title)} at ${location.href}` : instead(target) };
};

// newHost: a custom element has come that may hold a closed root.
const newHost = r => [...r.querySelectorAll('*')].some(e => e.localName.includes('-') && !shadow(e) && mayHide(e));

// stillFor tells how many ms ago the page last changed: its tree, its texts, what is shown of it; how many frames it has drawn since; and
// whether something moves that comes to an end within 5 s. The watch begins with the first call.
let stirred;
engine.stillFor = () => {
  if (!stirred) {
    stirred = { at: performance.now(), what: '', frames: 0, ticks: false };
    const mo = new MutationObserver(all => { stirred.at = performance.now(); stirred.what = all[0].target; stirred.frames = 0; for (const r of roots()) watchRoot(r); });
    const known = new WeakSet(), watchRoot = r => { if (known.has(r)) return; known.add(r); mo.observe(r, { subtree: true, childList: true, attributes: true, characterData: true }); };
    for (const r of roots()) watchRoot(r);
  }
  const tick = () => { stirred.ticks = ++stirred.frames < 3; if (stirred.ticks) requestAnimationFrame(tick); };
  if (!stirred.ticks && stirred.frames < 3) { stirred.ticks = true; requestAnimationFrame(tick); }
  const e = stirred.what && (stirred.what.nodeType === 1 ? stirred.what : stirred.what.parentElement), move = inMotion();
  return { ms: performance.now() - stirred.at, frames: stirred.frames, moves: !!move, what: move ? brief(move) : e?.isConnected ? brief(e) : '' };
};
// inMotion is an element that an animation moves which ends within 5 s, or that waits for its first frame.
function inMotion() {
  for (const r of roots()) for (const a of r.getAnimations()) {
    const t = a.effect?.getComputedTiming(), rest = t && (t.endTime - (a.currentTime ?? 0)) / (Math.abs(a.playbackRate) || 1);
    if (a.playState === 'running' && rest > 0 && rest < 5000 && a.effect.target && shown(a.effect.target)) return a.effect.target;
  }
  return null;
}

// hasText looks at what can be read in one root; in any case, for style sheets change that.
function hasText(root, text) {
  const want = norm(text).toLowerCase(), word = want.split(' ')[0];
  const has = e => e.textContent.toLowerCase().includes(word) && norm(e.innerText ?? '').toLowerCase().includes(want);
  return (root.body ? [root.body] : [...root.children]).some(has);
}

// instead tells what was there when a wait ran out.
function instead(target) {
  const page = `the page is ${quote(document.title)} at ${location.href}`, found = all(target);
  if (found.length) {
    const s = found.filter(isThere);
    if (s.length) return `${s.length} of ${found.length} that match can be seen, the first ${brief(s[0])}`;
    return `${found.length} match but cannot be seen, the first ${brief(found[0])} (${shown(face(found[0])) ? 'it is empty: a box of no size' : whyHidden(found[0])})`;
  }
  if (isUid(target)) return `${target} is not on the page; ${page}`;
  const bare = target.replace(/\[[^\]]*\]|:not\([^)]*\)|:(checked|disabled|enabled|empty|focus)\b/g, '') || '*';
  let near = [];
  if (bare !== target && bare !== '*') try { near = all(bare); } catch { /* not a selector without them */ }
  if (near.length) return `without the conditions ${near.length} match, the first ${brief(near[0])}`;
  return `nothing matches; ${page}` + (/^[\w$]+(\.[\w$]+)*$/.test(target) ? `; it was taken for a selector, as JavaScript it is waitFor(${quote(target)}, "js")` : '');
}
