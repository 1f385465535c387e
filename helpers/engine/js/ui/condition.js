// condition.js runs in the page's own world, where the page's variables are: resolves with {ok} once test() is truthy (or a
// promise of it), else with {instead}. Changes of the tree wake it; variables change silently, so it also looks every 10 ms.
async (test, ms) => {
  const end = performance.now() + ms;
  let was = 'it was never true', wake = () => {};
  const mo = new MutationObserver(() => wake());
  mo.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  try {
    for (;;) {
      try {
        const v = await test();
        if (v) return { ok: true };
        was = `it gives ${String(v).slice(0, 80)}`;
      } catch (x) { was = `it throws ${String(x).slice(0, 200)}`; }
      if (performance.now() >= end) return { instead: was };
      await new Promise(done => { const t = setTimeout(done, 10); wake = () => { clearTimeout(t); done(); }; });
    }
  } finally { mo.disconnect(); }
}
