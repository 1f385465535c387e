// grid.js: a data table as a Markdown table.

// A table that lays out a page rather than data has one column, one row, or a table inside.
const isGrid = (e, r) => r === 'table' && e.rows.length > 1 && e.rows[0].cells.length > 1 && !e.querySelector('table')
  || /^(grid|treegrid)$/.test(r) && e.rows.length > 0;

Walk.prototype.grid = function (e, pointer) {
  const was = this.table, out = this.out, top = out === this.main;
  this.table = { head: null, column: 0, down: [], few: e.rows.length < 20 };        // down[column]: a cell that reaches down from an earlier row
  out.flush(); out.end(true);
  if (e.caption && shown(e.caption)) { this.visit(e.caption, pointer); out.end(true); }
  const total = e.rows.length, g = top ? this.group(e, total) : { first: 1, lines: [] };
  let head = 0, hidden = 0, n = 0;
  for (const row of e.rows) {
    if (cs(row).display === 'none') { hidden++; continue; }
    const isHead = !head && !n && total > 1 && row.cells.length > 0 && !row.querySelector('td');
    if (isHead) head = 1;
    else if (++n < g.first) continue;                      // rows of data count from 1
    else if (top && this.full(g)) break;
    else g.lines.push(this.main.list.length);
    this.gridRow(row, pointer, isHead);
  }
  g.lines.push(this.main.list.length);
  g.rows = g.cut ? total - hidden - head : n;
  this.table = was;
};

Walk.prototype.gridRow = function (row, pointer, isHead) {
  const box = this.box, t = this.table;
  this.box = { kind: 'row', texts: [], head: '', outer: box };
  const hand = row.hasAttributes() ? cs(row).cursor === 'pointer' : pointer;
  const act = actionable(row, 'row', hand && !pointer), cells = [];
  if (!act && suspect(row, hand)) this.suspects.push(row);
  const told = act ? '' : this.told(row, 'row');
  let line = act && shown(row) ? `| ${this.bare(row, 'row')}` : told ? `| ${told}` : '|';
  t.column = 0;
  for (const c of row.cells) {
    const plain = !c.firstElementChild && !c.hasAttributes() && !refs.heard.has(c) && c.checkVisibility(VISIBLE);   // text that shows, by far the most common
    if (!plain && cs(c).display === 'none') continue;
    for (; t.down[t.column]?.rows > 0; t.column++) {       // its text is this row's context too
      t.down[t.column].rows--;
      line += ' |';
      cells.push('');
      if (t.down[t.column].text) this.say(t.down[t.column].text);
    }
    const m = plain ? this.plain(c) : this.cell(c, hand), down = plain ? 1 : c.rowSpan, across = plain ? 1 : c.colSpan;
    line += ` ${m.replace(/\\(?=\\*\|)|\|/g, '\\$&')} |`;
    if (isHead || down > 1) cells.push(norm(c.textContent)); else cells.push('');
    if (down > 1) t.down[t.column] = { rows: down - 1, text: cells.at(-1) };
    for (let n = 1; n < across; n++) { line += ' |'; cells.push(''); }
    t.column += across;
  }
  this.box = box;
  if (!cells.length) return;
  this.out.push(line);
  if (t.head) return;
  t.head = isHead ? cells : [];
  this.out.push('|' + ' --- |'.repeat(cells.length));
};

Walk.prototype.plain = function (c) {
  const s = norm(c.textContent);
  if (this.table.few && suspect(c)) this.suspects.push(c);
  if (s) this.say(s);
  return s;
};

Walk.prototype.cell = function (c, pointer) {
  if (!c.firstElementChild && !c.hasAttributes() && !refs.heard.has(c)) {
    const s = norm(c.textContent);
    if (!s || !shown(c)) return '';
    this.say(s);
    return s;
  }
  const hand = c.hasAttributes() ? cs(c).cursor === 'pointer' : pointer;
  const r = role(c), act = actionable(c, r, hand && !pointer);
  if (!act && suspect(c, hand)) this.suspects.push(c);
  const mark = act && shown(c) && !c.querySelector('a,button,input') ? this.bare(c, r) + ' ' : this.told(c, r) + ' ';
  if (act && mark) this.marked = c;
  return (mark + this.inline(c, hand)).trim();
};

// bare marks a row or a cell: its uid, and what is true of it. told: of one that cannot be acted on, where something is.
Walk.prototype.bare = function (e, r) { const o = this.control(e, r); return `${OPEN}${[o.uid, ...truths(o)].join(' ')}}`; };
Walk.prototype.told = function (e, r) {
  if (!e.hasAttributes()) return '';
  const was = this.out, out = this.out = new Lines();
  this.tell(e, r);
  this.out = was;
  return out.lead.trimEnd();
};
