// text.js: targets by what a person reads: "text=Save", and what to say when a target names nothing.

const CAN_ACT = 'a[href],button,input:not([type=hidden]),select,textarea,summary,label,[role],[onclick],[tabindex],[contenteditable]';

// byText gives what can be acted on and is called so; else what holds just that text; else, in this order, what has it in it.
function byText(text) {
  const want = norm(text).toLowerCase();
  if (!want) return [];
  const known = new Map(), called = e => {
    if (!known.has(e)) known.set(e, norm(name(e, role(e)) || e.innerText || e.value || '').toLowerCase());
    return known.get(e);
  };
  const acts = [...roots()].flatMap(r => [...r.querySelectorAll(CAN_ACT)]).filter(e => !/^(presentation|none|group|radiogroup|region|main|navigation|list|table|row|rowgroup|dialog|form)$/.test(attr(e, 'role')) && shown(face(e)));
  const texts = () => [...roots()].flatMap(r => [...r.querySelectorAll('*')]).filter(e => e.textContent.length < 20 * want.length + 200 && e.textContent.toLowerCase().includes(want.split(' ')[0]) && shown(e));
  const said = e => norm(e.innerText ?? e.textContent).toLowerCase();
  // What is only there for screen readers has its turn when nothing that can be seen fits as well; fields are used through their labels.
  const seenOnly = all => all.filter(e => e.matches('input,select,textarea') || !away(e));
  for (const [act, text] of [[s => s === want, s => s === want], [s => s.includes(want), s => s.includes(want)]]) {
    const looks = [() => acts.filter(e => act(called(e))), () => texts().filter(e => text(said(e)))];
    for (const only of [seenOnly, all => all]) for (const look of looks) {
      const found = innermost(only(look()));
      if (found.length) return found;
    }
  }
  return [];
}
const away = e => !boxed(face(e)) || clipped(face(e));
// innermost leaves one of what is one thing: of a control and its label the control (unless that is a part of it), of a group and what it is named by that.
const names = (l, e) => l.localName === 'label' && (l.control === e || l.htmlFor && l.htmlFor === e.id) || !!e.ariaLabelledByElements?.includes(l) || l.localName === 'legend' && l.parentElement === e;
const innermost = all => {
  const named = (i, e) => isGroup(e) ? names(i, e) : !isGroup(i) && !within(e, i) && names(e, i);
  return all.filter(e => !all.some(i => i !== e && (within(i, e) || named(i, e))));
};
const isGroup = e => /^(radiogroup|group|listbox|grid|tree|tablist|toolbar)$/.test(role(e)) && !LABELABLE.has(e.localName);

function ambiguous(target, found) {
  const some = found.slice(0, 8).map(e => `${uid(e)} ${brief(e).replace(/ \(e\d+\)$/, '')}${around(e)}`).join(', '), more = found.length > 8 ? ` and ${found.length - 8} more` : '';
  fail('bad_request', `${quote(target)} matches ${found.length} elements: ${some}${more}; name one by its uid`);
}
// around is the row, item or card that tells one button from its like.
function around(e) {
  let row = up(e);
  while (row && !row.matches('tr,li,[role=row],[role=listitem],[role=option],article,fieldset') && !repeated(row)) row = up(row);
  return row ? ` in ${quote(cut(row.innerText || '', 60))}` : '';
}

// named tells of what a target that is no selector of anything may have meant: the name of something.
function named(target) {
  if (target.startsWith('text=') || target.length > 200) return '';
  const found = byText(target).filter(e => norm(name(e, role(e)) || e.innerText || '').toLowerCase() === norm(target).toLowerCase());
  if (!found.length) return '';
  const one = found[0];
  return `, but ${brief(one)} is called so: name it ${quote('text=' + target)} or "${uid(one)}"`;
}

// lasting says how to act on what is drawn anew all the time.
function lasting(target) {
  const e = refs.byUid.get(target)?.deref(), own = e && (name(e, role(e)) || norm(e.textContent || ''));
  const ways = e?.id ? `, or by what stays the same: ${quote('#' + CSS.escape(e.id))}` : own ? `, or by what stays the same, such as ${quote('text=' + cut(own, 40))} or a selector` : ', or by a selector';
  return `. If the page draws it anew again and again, look and act in one run${ways}`;
}
