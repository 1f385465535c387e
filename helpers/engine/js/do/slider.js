// slider.js: sliders that are no <input>: they take arrow keys. See engine/slider.go.

// sliderOf is the slider that a target means: itself, a label's, or the only one inside what holds no field.
function sliderOf(e) {
  if (e.localName === 'label' && e.control) e = e.control;
  const is = x => x.localName !== 'input' && role(x) === 'slider';
  if (is(e)) return e;
  if (e.matches(EDITABLE) || e.querySelector(EDITABLE) || shadow(e)?.querySelector(EDITABLE)) return null;
  const inside = [...e.querySelectorAll('[role=slider]'), ...shadow(e)?.querySelectorAll('[role=slider]') || []].filter(shown);
  return inside.length === 1 ? inside[0] : null;
}
const figure = s => { const m = /-?\d+(\.\d+)?/.exec(String(s ?? '').replace(/(\d)[,\s\u00a0](?=\d{3})/g, '$1')); return m ? +m[0] : null; };
const sliderState = e => ({ now: figure(aria(e, 'valuenow')), min: figure(aria(e, 'valuemin')) ?? 0, max: figure(aria(e, 'valuemax')) ?? 100, upright: aria(e, 'orientation') === 'vertical' });
engine.slideStart = (target, text) => {
  const e = find(target), s = sliderState(e), want = figure(text);
  writable(e, target);
  if (aria(e, 'readonly') === 'true') fail('element_disabled', `${brief(e)} is read-only`);
  if (s.now === null) fail('bad_request', `${brief(e)} is a slider that does not say where it stands: clickOn it, then pressKey("ArrowRight") and the like, or drag it`);
  if (want === null || want < s.min || want > s.max) fail('bad_value', `${brief(e)} does not take ${quote(text)}: it takes a number from ${s.min} to ${s.max}`);
  scrolling(e, () => e.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' }));
  (e.tabIndex >= 0 ? e : e.closest('[tabindex]') || e).focus({ preventScroll: true });
  return { ...s, want };
};
// slid waits until a slider has moved from where it was, and rests.
engine.slid = async (target, was) => {
  const e = find(target);
  for (const end = performance.now() + 300; ;) {
    const { now } = sliderState(e);
    if (now !== was) { await frame(30); if (sliderState(e).now === now) return now; } else await frame(30);
    if (performance.now() > end) return sliderState(e).now;
  }
};
engine.slideFailed = (target, text, step) => {
  const e = find(target), s = sliderState(e);
  fail('bad_value', `${brief(e)} does not take ${quote(text)}: ` + (step ? `it goes from ${s.min} to ${s.max} in steps of ${step}` : `it does not move with the arrow keys: drag it, from ${s.min} to ${s.max}`) + `; it stands at ${s.now}`);
};
