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
  let line = act && shown(row) ? `| ${bare(this.control(row, 'row'))}` : told ? `| ${told}` : '|';
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
    line += ` ${inCell(m)} |`;
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
  const mark = act && shown(c) && !c.querySelector('a,button,input') ? bare(this.control(c, r)) + ' ' : this.told(c, r) + ' ';
  if (act && mark) this.marked = c;
  return (mark + this.inline(c, hand)).trim();
};

// told is what is true of a row or cell that cannot be acted on, where something is.
Walk.prototype.told = function (e, r) {
  if (!e.hasAttributes()) return '';
  const was = this.out, out = this.out = new Lines();
  this.tell(e, r);
  this.out = was;
  return out.lead.trimEnd();
};

const inCell = m => m.replace(/\\(?=\\*\|)|\|/g, '\\$&');

// Grids made of other elements than <table>: each row a line.
const CELL = '[role=cell],[role=gridcell],[role=columnheader],[role=rowheader]';
const cellsOf = e => [...kids(e)].filter(k => k.nodeType === 1).flatMap(k => k.matches(CELL) ? k : k.querySelector(CELL) ? cellsOf(k) : speaks(k) || k.querySelector(WAYS) || k.matches(WAYS) ? k : []);
Walk.prototype.withTable = function (e, pointer) {
  const was = this.table;
  this.table = { head: null, column: 0, down: [] };
  this.out.end(true);
  this.children(e, pointer);
  this.out.end(true);
  this.table = was;
};
Walk.prototype.boxRow = function (row, pointer) {
  const cells = cellsOf(row).filter(c => shown(c)), out = this.out, t = this.table || { column: 0 }, lead = out.lead;
  if (!cells.some(c => c.matches(CELL))) return row.textContent.length < 300 && !row.querySelector('[role=row],h1,h2,h3,p,ul,pre,table') ? void out.put(this.inline(row, pointer)) : this.children(row, pointer);
  const heads = cells.every(c => /^columnheader$/.test(role(c)));
  t.column = 0;
  let line = '|';
  out.lead = '';
  for (const c of cells) {
    line += ` ${t.column ? '' : lead + level(row)}${inCell(c.matches(CELL) ? this.cell(c, pointer) : this.inline(c, pointer, true))} |`;
    const across = Math.min(+aria(c, 'colspan') || 1, 50);
    line += ' |'.repeat(across - 1);
    t.column += across;
  }
  out.end();
  out.push(line.replace(/ {2,}/g, ' '));
  if (heads && !t.head) out.push('|' + ' --- |'.repeat(t.column));
  if (!t.head) t.head = heads ? cells.map(c => norm(c.textContent)) : [];
};
// level insets a row of a tree.
const level = row => '› '.repeat(Math.min(Math.max((+aria(row, 'level') || 1) - 1, 0), 20));

// treeItem is an item of a list, inset by its level in the tree.
Walk.prototype.treeItem = function (e, pointer) {
  const was = this.out.prefix;
  let deep = +aria(e, 'level');
  if (!deep) for (let n = e; n && role(n) !== 'tree'; n = up(n)) deep += role(n) === 'treeitem';
  this.out.end();
  this.out.prefix = was.replace(/\S.*|\s/g, '') + '  '.repeat(Math.min(Math.max(deep - 1, 0), 20)) + '- ';
  this.children(e, pointer);
  this.out.end();
  this.out.prefix = was;
};
