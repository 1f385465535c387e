// lines.js: Markdown, line by line, in which what the page says cannot pass for what bu says.

// What the page says must not pass for what bu says. bu's own marks stand as secrets until a line is whole; then the page's
// look-alikes ({e4, ](, a note's beginning, at a line's beginning a heading's #, an item's -, a row's |, a fence) get a backslash,
// the secrets become what they stand for, and what a screen takes for a new line becomes a space.
const SECRET = '\u0001' + Array.from(crypto.getRandomValues(new Uint8Array(5)), b => (b % 36).toString(36)).join('');
const MARKS = new RegExp(SECRET + '\\{[^}]*\\}', 'g');
const OPEN = SECRET + '{', LINK = SECRET + '](', NOTE = SECRET + '(';
const SEEMS = /[{\](…\0-\x08\n-\x1f\x85\u2028\u2029]/, BREAKS = /[\0-\x08\n-\x1f\x85\u2028\u2029]/g;
const UNSEEN = '[\\s\\u00ad\\u200b-\\u200f\\u2060-\\u2064\\ufeff]*';
const POSES = new RegExp(`(?<!${SECRET})(?:\\{(?=${UNSEEN}(?:frame\\s+)?e\\d)|\\](?=\\()|\\((?=left out:|this (?:frame|document) |this is a PDF|the list was |rows? (?:from )?\\d|[\\d,]+ more )|…(?= \\d[\\d,]* more ))`, 'g');
const BEGINS = new RegExp(`^(${UNSEEN})(?=(?:#{1,6}|-)(?:\\s|$)|\\||\`\`\`|~~~|[-=]{3,}$|(?:new|changed|gone):$|in frame e\\d|e\\d+ (?:${[...ARIA].join('|')}|clickable)\\b)`);
const honest = s => s.replace(POSES, '$&\\').replaceAll(SECRET, '').replace(BREAKS, ' ');
const begun = s => /^[^\p{L}\p{N}\u0001]|^(?:e\d|new:|changed:|gone:|shown and gone:|in frame e)/u.test(s) ? s.replace(BEGINS, '$1\\') : s;
const plainly = s => s.includes('\\') ? s.replaceAll('\\', '') : s;                       // as the page has it

// Lines is Markdown, line by line.
class Lines {
  list = []; line = ''; prefix = ''; lead = '';       // lead: uids that stand before what comes next
  space = false; size = 0;
  constructor(kind) { this.whole = !!kind; this.mute = kind === 'mute'; }     // whole: its lines are no part of others; mute: not in the Markdown
  put(s) {
    if (this.space && this.line) this.line += ' ';
    this.space = false;
    this.line += this.lead + s;
    this.lead = '';
  }
  flush() { if (this.lead) { const l = this.lead.trimEnd(); this.lead = ''; this.put(l); this.space = true; } }
  text(s) {
    s = s.replace(/[ \t\n\r\f\u200b]+/g, ' ');
    if (s[0] === ' ') { this.space = true; s = s.slice(1); }
    if (!s) return;
    const more = s.endsWith(' ');
    this.put(more ? s.slice(0, -1) : s);
    this.space = more;
  }
  by = null; who = [];                                // who says each line first
  push(s) { if (this.whole && SEEMS.test(s)) s = honest(s); this.who.push(this.by && new WeakRef(this.by)); this.by = null; this.list.push(s); this.size += s.length + 1; }
  // fenced is a text whose own fences do not end it.
  fenced(list) {
    const fence = SECRET + '`'.repeat(Math.max(3, ...list.map(l => 1 + (/^\s*(`{3,})/.exec(l)?.[1].length ?? 0))));
    for (const l of [fence, ...list, fence]) this.push(l);
  }
  end(blank = false) {
    if (this.line.trim()) { this.push(this.prefix + (this.whole ? begun(this.line.trimEnd()) : this.line.trimEnd())); this.prefix = this.prefix.replace(/[-\d].*$/, x => ' '.repeat(x.length)); }
    this.line = ''; this.space = false;
    if (blank && this.list.length && this.list.at(-1) !== '') this.push('');
  }
}
