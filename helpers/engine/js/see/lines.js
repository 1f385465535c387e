// lines.js: Markdown, line by line, in which what the page says cannot pass for what bu says.

// What the page says must not pass for what bu says. bu's own marks stand as secrets until a line is whole; then the page's
// look-alikes ({e4, ](, a note's beginning) get a backslash, and the secrets become what they stand for.
const SECRET = '\u0001' + Array.from(crypto.getRandomValues(new Uint8Array(5)), b => (b % 36).toString(36)).join('');
const OPEN = SECRET + '{', LINK = SECRET + '](', NOTE = SECRET + '(';
const POSES = new RegExp(`(?<!${SECRET})(?:\\{(?=(?:frame )?e\\d)|\\](?=\\()|\\((?=left out:|this frame |rows? \\d)|…(?= \\d[\\d,]* more ))`, 'g');
const honest = s => s.replace(POSES, '$&\\').replaceAll(SECRET, '');

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
  push(s) { if (this.whole && /[{\](…]/.test(s)) s = honest(s); this.list.push(s); this.size += s.length + 1; }
  end(blank = false) {
    if (this.line.trim()) { this.push(this.prefix + this.line.trimEnd()); this.prefix = this.prefix.replace(/[-\d].*$/, x => ' '.repeat(x.length)); }
    this.line = ''; this.space = false;
    if (blank && this.list.length && this.list.at(-1) !== '') this.push('');
  }
}
