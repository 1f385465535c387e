// changes.js: reading less: what is new since the page was last read, the lines that hold a text, a table's rows.

// remember keeps what a reading of the page said. One of a modal dialog alone adds to what was read of the page behind it.
function remember(w, modal) {
  const cut = new WeakMap(w.groups.filter(g => g.cut).map(g => [g.e, { read: g.lines.length - 1, rows: size(g.e) }]));
  const now = { w: { main: { list: w.main.list, who: w.main.who }, void: { list: w.void.list, who: w.void.who } }, title: document.title, href: location.href, cut };
  attend();
  refs.passing.clear();
  const old = modal && refs.read;
  if (old) { const has = new Set(said(old)); said(old).push(...spoken(w).filter(l => !has.has(l))); } else refs.read = now;
}

// said is the lines of a reading that was remembered, made out when they are first asked for.
const said = old => { if (old.w) { old.lines = spoken(old.w); old.w = null; } return old.lines; };
// spoken is each line of a reading that says something, those of regions left out of the Markdown too.
// who of them are the elements that say them first.
function spoken(w) {
  const by = [...w.main.who, null, ...w.void.who], out = Object.assign([], { who: [] });
  single(w).forEach((line, i) => { const l = line.trim(); if (l && !/^\|[-| ]*$/.test(l)) { out.push(l); out.who[out.length - 1] = by[i]; } });
  return out;
}
// single gives the lines as they stand one by one, where no fence says that they are code, and beside words that only changes and find say.
const ALONE = /^(?:(?:address|title): |moved:$|shown and gone:$|\d[\d,]* lines(?: of|:)|the order of the lines|…$)/;
function single(w) {
  let fence = '';
  return [...w.main.list, '', ...w.void.list].map(line => {
    const l = line.trim(), inset = line.slice(0, line.length - line.trimStart().length);
    if (l.startsWith('```') && /^`+$/.test(line) && (!fence || l === fence)) { fence = fence ? '' : l; return ''; }
    const s = ALONE.test(l) ? '\\' + l : fence ? begun(l) : l;
    return inset + (/\((was|now): /.test(s) ? s.replace(/\((?=(?:was|now): )/g, '(\\') : s);
  });
}
const FIRST_UID = /(?<!\\)\{(?:frame )?(e\d+)/;
const whole = seeks => readings([document.body || document.documentElement], [], 1, Infinity, seeks);

// changes says what the reading has now that it had not at the last one of this document, and what it has no more.
// {fresh} means that the document had not been read.
engine.changes = ({ limit, ...told }) => {
  const old = refs.read;
  if (!old) return { fresh: true, href: honest(location.href) };
  fresh();
  const w = sameAs(told) || whole(), wants = beyond(w, told);
  if (wants) return wants;
  const lines = spoken(w), frames = w.frames.map(f => ({ uid: f.uid }));
  const out = [], add = (title, list) => { if (list.length) out.push(title + ':', ...list, ''); };
  if (location.href !== old.href) out.push('address: ' + honest(location.href), '');
  if (document.title !== old.title) out.push('title: ' + honest(norm(document.title)), '');
  const unread = tails(w, old);
  const { fresh: added, gone } = compared(said(old), lines, unread.known);
  const changed = [], news = [], left = new Map(), key = x => FIRST_UID.exec(x.line)?.[1] ?? x.who?.deref() ?? 'after ' + x.after;
  for (const g of gone) for (const k of new Set([key(g), 'after ' + g.after])) left.has(k) ? left.get(k).push(g) : left.set(k, [g]);
  const lost = new Set(gone), taken = a => {
    const same = left.get(key(a))?.find(g => lost.has(g));
    const was = same && (typeof key(a) === 'object' || key(a) === FIRST_UID.exec(same.line)?.[1]) ? same : left.get('after ' + a.after)?.find(g => lost.has(g) && alike(g.line, a.line));
    lost.delete(was);
    return was;
  };
  for (const a of added) { const was = taken(a); if (was) changed.push(`${a.line}  (was: ${differing(was.line, a.line)})`); else news.push(a.line); }
  add('new', news); add('changed', changed);
  add('moved', moves(said(old), lines));
  add('gone', summed(gone.filter(g => lost.has(g))));
  add('shown and gone', passed([...said(old), ...lines]));
  attend();
  out.push(...unread.notes);
  refs.read = { lines, title: document.title, href: location.href, cut: new Map() };
  const all = out.join('\n').trim();
  return { markdown: all.length > limit ? all.slice(0, limit - 100) + `\n… ${count(all.length - limit + 100)} more characters: extract() reads the page` : all, frames };
};
// alike: two lines may be one before and after: they share half of their words; where both are but numbers, those may be any.
function alike(a, b) {
  if (FIRST_UID.test(a) && FIRST_UID.test(b)) return false;         // each names what it is of
  const split = s => { const bare = s.toLowerCase().replace(/\{[^}]*\}/g, ' '), words = bare.match(/\p{L}[\p{L}\p{N}]*/gu) ?? []; return words.length || !/\p{N}/u.test(bare) ? words : ['0']; };
  const x = split(a), y = new Set(split(b));
  return x.filter(w => y.has(w)).length * 2 >= Math.min(x.length, y.size) && (x.length > 0) === (y.size > 0);
}

// summed gives the lines that are gone, of many in a row, a popup that closed, the first and the last.
function summed(gone) {
  const out = [];
  for (let i = 0, j; i < gone.length; i = j) {
    for (j = i + 1; j < gone.length && gone[j].i === gone[j - 1].i + 1;) j++;
    const run = gone.slice(i, j).map(g => cut(g.line, 200));
    if (run.length < 7) { out.push(...run); continue; }
    const what = /\{e\d+ (listbox|menu|dialog|alertdialog|grid|tree|radiogroup|tablist|list) "(?:[^"\\]|\\.)*"/.exec(run[0])?.[0].replace(/^\{e\d+ /, '');
    out.push(`${count(run.length)} lines${what ? ` of ${what}` : ''}: first ${cut(run[what ? 1 : 0], 80)}, last ${cut(run.at(-1), 80)}`);
  }
  return out;
}

// moves tells which lines stand elsewhere among those that stayed: all but the longest row of them that kept its order.
function moves(before, now) {
  const once = list => { const m = new Map(); list.forEach((l, i) => m.set(l, m.has(l) ? -1 : i)); return m; }, was = once(before), is = once(now);
  const stay = [...is].filter(([l, i]) => i >= 0 && was.get(l) >= 0), at = stay.map(([l]) => was.get(l)), ends = [], back = [];
  at.forEach((n, i) => {
    let low = 0, high = ends.length;
    while (low < high) { const m = low + high >> 1; if (at[ends[m]] < n) low = m + 1; else high = m; }
    back[i] = ends[low - 1]; ends[low] = i;
  });
  const kept = new Set();
  for (let i = ends.at(-1); i !== undefined; i = back[i]) kept.add(i);
  const list = stay.filter((_, i) => !kept.has(i));
  const head = (all, i) => { for (i--; i >= 0; i--) if (/^#+ /.test(all[i])) return all[i].replace(/^#+ /, ''); return ''; };
  const tell = ([l, i]) => {
    const under = head(now, i);
    return `${cut(l, 200)}  (now: ${under && under !== head(before, was.get(l)) ? `under ${cut(under, 80)}` : i ? `after ${cut(now[i - 1], 80)}` : 'first'})`;
  };
  return list.length <= 10 ? list.map(tell) : [`the order of ${count(list.length)} lines changed: extract() reads them`];
}

// compared compares two lists of lines, each line as often as it stands there.
function compared(before, now, known) {
  const n = new Map();
  for (const l of before) n.set(l, (n.get(l) || 0) + 1);
  const fresh = [], kept = new Map();
  let after = '';
  now.forEach((line, i) => {
    if (n.get(line) > 0) { n.set(line, n.get(line) - 1); kept.set(line, (kept.get(line) || 0) + 1); after = line; }
    else if (!known.has(line)) fresh.push({ line, i, after, who: now.who?.[i] });
  });
  const gone = [];
  after = '';
  before.forEach((line, i) => {
    if (kept.get(line) > 0) { kept.set(line, kept.get(line) - 1); after = line; } else gone.push({ line, i, after, who: before.who?.[i] });
  });
  return { fresh, gone };
}

// differing is the part of a line that is not in the other, in whole marks and words; … where something is left out.
function differing(a, b) {
  if (a.length <= 120) return a;
  const parts = s => s.match(/\{e\d(?:"(?:[^"\\]|\\.)*"|[^}"])*\}|\s+|[^\s{]+|\{/g) ?? [], x = parts(a), y = parts(b);
  let i = 0, j = 0;
  while (i < x.length && x[i] === y[i]) i++;
  while (j < Math.min(x.length, y.length) - i && x.at(-1 - j) === y.at(-1 - j)) j++;
  const some = x.slice(i, x.length - j).join('').trim();
  return some ? `${i ? '… ' : ''}${shortened(some)}${j ? ' …' : ''}` : 'nothing';
}
// shortened cuts a text between marks and words.
function shortened(s, most = 200) {
  if (s.length <= most) return s;
  let end = s.lastIndexOf(' ', most);
  const open = s.lastIndexOf('{e', end);
  if (open > 0 && s.indexOf('}', open) >= end) end = open;
  return s.slice(0, end > 0 ? end : most).trimEnd() + ' …';
}

// tails: the rows that the reading before had cut off its groups are not news, only not compared; how many there are now is.
function tails(w, old) {
  const known = new Set(), notes = [];
  let all;
  for (const g of w.groups) {
    const had = old.cut.get(g.e), has = size(g.e);
    if (!had) continue;
    all ||= single(w);
    for (const l of all.slice(g.lines[had.read], g.lines.at(-1))) known.add(l.trim());
    notes.push(`(rows from ${had.read + 1} on of ${uid(g.e)} had not been read, so are not compared${has !== had.rows ? `; it had ${had.rows} rows, now ${has}` : ''})`);
  }
  return { known, notes };
}
const size = e => e.rows?.length ?? e.childElementCount;

// lines finds a text in the reading: each line that has it, with the heading above, the head of its table and its neighbours.
// Of long lists only rows that may have it are read, and all of them if none had it there.
engine.lines = what => {
  fresh();
  const w = sameAs(what) || whole(norm(what.text).toLowerCase().split(' ')), few = linesIn(w, what);
  return w.skipped && few.hits === 0 && !few.partial ? linesIn(whole(), what) : few;
};
// opener tells of a text that is in none of the lines what would show it: the summary, the tab or the button of what it stands in.
engine.opener = text => {
  fresh();
  const want = norm(text).toLowerCase(), has = e => norm(e.textContent).toLowerCase().includes(want);
  for (const r of roots()) for (const e of want ? r.querySelectorAll('details:not([open]),[aria-controls]') : []) {
    const by = e.localName === 'details' ? [...e.children].find(opens) : e;
    const closed = e === by ? words(aria(e, 'controls')).map(id => r.getElementById?.(id)).filter(p => p && !shown(p)) : [e];
    if (by && shown(by) && closed.some(has)) return { uid: uid(by), what: brief(by) };
  }
  return null;
};
function linesIn(w, { text, most = 20, ...told }) {
  const wants = beyond(w, told);
  if (wants) return wants;
  const list = single(w), want = plainly(norm(text).toLowerCase());
  const hits = [], show = new Set(), has = l => norm(plainly(l)).toLowerCase().includes(want);
  list.forEach((l, i) => { if (want && has(l)) hits.push(i); });
  for (const i of hits.slice(0, most)) {
    let h = i;
    while (h >= 0 && !/^#+ /.test(list[h])) h--;
    if (h >= 0) show.add(h);
    let t = i;
    if (list[i][0] === '|') { while (t > 0 && list[t - 1][0] === '|') t--; if (/^\|( --- \|)+$/.test(list[t + 1])) show.add(t).add(t + 1); }
    for (const d of [-1, 0, 1]) if (list[i + d]) show.add(i + d);
    for (const n of cardOf(w, list, i)) show.add(n);
  }
  const out = [];
  let last = -1;
  for (const i of [...show].sort((a, b) => a - b)) { if (last >= 0 && i > last + 1 && list.slice(last + 1, i).some(Boolean)) out.push('…'); out.push(cut(list[i], 500)); last = i; }
  if (hits.length > most) out.push(`… ${hits.length - most} more lines have it`);
  return { markdown: out.join('\n'), hits: hits.length, partial: hits.length ? 0 : partial().length, frames: w.frames.map(f => ({ uid: f.uid })) };
}

// cardOf gives the lines of the card, item or section that a line heads: eight of them.
function cardOf(w, list, i) {
  const block = w.blocks.filter(([a, b]) => a <= i && i < b).sort((x, y) => (x[1] - x[0]) - (y[1] - y[0]))[0], level = /^#+/.exec(list[i])?.[0].length;
  const first = block?.[0] ?? i, out = [];
  if (block && list.slice(first, i).filter(Boolean).length > 3 || !block && !level) return out;
  for (let n = first; n < (block?.[1] ?? list.length) && out.length < 8; n++) {
    if (n > i && level && /^#+/.exec(list[n])?.[0].length <= level) break;
    if (list[n]) out.push(n);
  }
  return out;
}

// table gives the rows of a table, grid or list as lists of what their cells say, uids included; {of} how many there are where some are not drawn.
engine.table = target => {
  fresh();
  const { e, t, rows } = tableOf(target), list = rows();
  if (!list.length) fail('bad_value', `${brief(e)} has no rows; name a table, a grid or a list`);
  const p = partOf(t);
  return { rows: list.map(saysRow), of: p ? ofHowMany(part(p)) : null };
};
// cellText: a bare uid, of what has a cell's text inside, says nothing of that.
const BARE = new RegExp(`${SECRET}\\{e\\d+(?: (?:${STATES.join('|')}|mixed|collapsed|ascending|descending))*\\} ?`, 'g');
const cellText = c => { const s = new Walk([], 1, Infinity).cell(c, false), plain = s.replace(BARE, '').trim(); return honest(plain || s); };
function tableOf(target) {
  const TABLE = 'table,[role=table],[role=grid],[role=treegrid]', e = find(target), t = e.matches(TABLE) ? e : e.querySelector(TABLE) || e.closest('table,[role=table],[role=grid]') || e;
  const rows = () => {
    const all = t.rows?.length ? [...t.rows] : [...t.querySelectorAll('[role=row]')].filter(x => (x.closest(TABLE) ?? t) === t || !t.matches(TABLE));
    const p = all.length ? null : partOf(t), list = all.length ? all : p ? part(p).rows : [...t.querySelectorAll(':scope > li, :scope > [role=listitem], :scope > option, :scope > [role=option]')];
    return list.filter(x => t.localName === 'select' || shown(x));
  };
  return { e, t, rows };
}
// partOf is the list of which only a part is drawn that is a table's: itself, what it scrolls in, what it holds.
const partOf = t => part(t) ? t : partial().find(e => within(t, e) && !isRoot(e) || within(e, t)) ?? null;
function saysRow(row) {
  const cells = row.cells ? [...row.cells] : cellsOf(row).filter(c => shown(c)), own = row.cells || cells.some(c => c.matches(CELL));
  return (own ? cells : [row]).flatMap(c => [cellText(c), ...Array(Math.min(Math.max((c.colSpan || +aria(c, 'colspan') || 1) - 1, 0), 50)).fill('')]);
}
