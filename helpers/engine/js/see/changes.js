// changes.js: reading less: what is new since the page was last read, the lines that hold a text, a table's rows.

// remember keeps what a reading of the page said. One of a modal dialog alone adds to what was read of the page behind it.
function remember(w, modal) {
  const cut = new WeakMap(w.groups.filter(g => g.cut).map(g => [g.e, { read: g.lines.length - 1, rows: size(g.e) }]));
  const now = { w: { main: { list: w.main.list }, void: { list: w.void.list } }, title: document.title, href: location.href, cut };
  const old = modal && refs.read;
  if (old) { const has = new Set(said(old)); said(old).push(...spoken(w).filter(l => !has.has(l))); } else refs.read = now;
}

// said is the lines of a reading that was remembered, made out when they are first asked for.
const said = old => { if (old.w) { old.lines = spoken(old.w); old.w = null; } return old.lines; };
// spoken is each line of a reading that says something, those of regions left out of the Markdown too.
const spoken = w => single(w).map(l => l.trim()).filter(l => l && !/^\|[-| ]*$/.test(l));
// single gives the lines as they stand one by one, where no fence says that they are code, and beside words that only changes and find say.
const ALONE = /^(?:(?:address|title): |the order of the lines|…$)/;
function single(w) {
  let fence = '';
  return [...w.main.list, '', ...w.void.list].map(line => {
    const l = line.trim(), inset = line.slice(0, line.length - line.trimStart().length);
    if (l.startsWith('```') && /^`+$/.test(line) && (!fence || l === fence)) { fence = fence ? '' : l; return ''; }
    const s = ALONE.test(l) ? '\\' + l : fence ? begun(l) : l;
    return inset + (s.includes('(was: ') ? s.replaceAll('(was: ', '(\\was: ') : s);
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
  const changed = [], news = [], left = new Map();
  for (const g of gone) { const u = placeOf(g); left.has(u) ? left.get(u).push(g) : left.set(u, [g]); }
  for (const a of added) {
    const was = left.get(placeOf(a))?.shift();
    if (was === undefined) news.push(a.line); else changed.push(`${a.line}  (was: ${differing(was.line, a.line)})`);
  }
  add('new', news); add('changed', changed);
  add('gone', [...left.values()].flat().sort((a, b) => a.i - b.i).map(g => cut(g.line, 200)));
  if (!news.length && !changed.length && !gone.length && moved(said(old), lines)) out.push('the order of the lines changed: extract() reads them', '');
  out.push(...unread.notes);
  refs.read = { lines, title: document.title, href: location.href, cut: new Map() };
  const all = out.join('\n').trim();
  return { markdown: all.length > limit ? all.slice(0, limit - 100) + `\n… ${count(all.length - limit + 100)} more characters: extract() reads the page` : all, frames };
};
// What a line is known by from one reading to the next: its first uid, else the line before it that stayed.
const placeOf = x => FIRST_UID.exec(x.line)?.[1] ?? 'after ' + x.after;

// compared compares two lists of lines, each line as often as it stands there.
function compared(before, now, known) {
  const n = new Map();
  for (const l of before) n.set(l, (n.get(l) || 0) + 1);
  const fresh = [], kept = new Map();
  let after = '';
  now.forEach((line, i) => {
    if (n.get(line) > 0) { n.set(line, n.get(line) - 1); kept.set(line, (kept.get(line) || 0) + 1); after = line; }
    else if (!known.has(line)) fresh.push({ line, i, after });
  });
  const gone = [];
  after = '';
  before.forEach((line, i) => {
    if (kept.get(line) > 0) { kept.set(line, kept.get(line) - 1); after = line; } else gone.push({ line, i, after });
  });
  return { fresh, gone };
}
const moved = (a, b) => a.length === b.length && a.some((l, i) => l !== b[i]);

// differing is the part of a line that is not in the other, from a word's or mark's beginning to its end.
function differing(a, b) {
  if (a.length <= 120) return a;
  let i = 0, j = 0;
  while (i < a.length && a[i] === b[i]) i++;
  while (j < Math.min(a.length, b.length) - i && a.at(-1 - j) === b.at(-1 - j)) j++;
  i = Math.max(a.lastIndexOf('{', i), a.lastIndexOf('| ', i), i - 20, 0);
  const end = a.length - j, to = a.slice(end).search(/[}|]/);
  return cut(a.slice(i, to >= 0 && to < 60 ? end + to + 1 : end).trim(), 200) || 'nothing';
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
  const few = linesIn(sameAs(what) || whole(norm(what.text).toLowerCase().split(' ')), what);
  return few.hits === 0 && !few.partial ? linesIn(whole(), what) : few;
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
  }
  const out = [];
  let last = -1;
  for (const i of [...show].sort((a, b) => a - b)) { if (last >= 0 && i > last + 1 && list.slice(last + 1, i).some(Boolean)) out.push('…'); out.push(cut(list[i], 500)); last = i; }
  if (hits.length > most) out.push(`… ${hits.length - most} more lines have it`);
  return { markdown: out.join('\n'), hits: hits.length, partial: hits.length ? 0 : partial().length, frames: w.frames.map(f => ({ uid: f.uid })) };
}

// table gives the rows of a table, grid or list as lists of what their cells say, uids included; {of} how many there are where some are not drawn.
engine.table = target => {
  fresh();
  const { e, t, rows } = tableOf(target), list = rows();
  if (!list.length) fail('bad_value', `${brief(e)} has no rows; name a table, a grid or a list`);
  const p = partOf(t);
  return { rows: list.map(saysRow), of: p ? ofHowMany(part(p)) : null };
};
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
  return (own ? cells : [row]).flatMap(c => [honest(new Walk([], 1, Infinity).cell(c, false)), ...Array(Math.min(Math.max((c.colSpan || +aria(c, 'colspan') || 1) - 1, 0), 50)).fill('')]);
}
