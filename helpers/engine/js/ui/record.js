// record.js: what a recording asks of a page: what an act is about, and what must not be seen.

// frameBox is where an element is in this world's viewport, out through frames of the page's own origin.
function frameBox(e) {
  const b = boxOn(e);
  let [x, y] = [b.left, b.top], [r, d] = [b.right, b.bottom];
  for (let v = e.ownerDocument; v !== document; v = v.defaultView.frameElement.ownerDocument) {
    const f = v.defaultView.frameElement;
    [x, y] = outward(f, x, y);
    [r, d] = outward(f, r, d);
  }
  return { x, y, width: r - x, height: d - y };
}

// about is a target as extract names it, and where it is; scroll brings it into view first.
engine.about = (target, scroll) => {
  const e = standIn(find(target)), r = role(e), told = { what: `${PLAIN[r] ?? (r || e.localName)} ${quote(name(e, r) || attr(e, 'placeholder') || hint(e))}`, secret: isPrivate(e) };
  if (refs.uids.has(e)) told.uid = refs.uids.get(e);
  if (!drawn(e)) return told;
  if (scroll) face(e).scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
  return { ...told, box: frameBox(e) };
};

// A field is private if its attributes or name say that it holds a password, a one-time code or a card number, or if its value looks like a card's.
const WORDS_OF_SECRETS = /pass(word|wort|code|phrase|wd|key)|\b(otp|totp|tan|pin|cvc2?|cvv2?|csc|2fa|mfa|iban)\b|one[-_ ]?time|card[-_ ]?(num|no\b)|kartennummer|(security|verification|auth\w*|confirmation|sms|recovery)[-_ ]?code/i;
const FILLS = /\b((current|new)-password|one-time-code|cc-(number|csc|exp\S*))\b/;
const TEXTUAL = /^(text|search|tel|number|url|email|password)$/;
function isPrivate(e) {
  if (e.localName !== 'textarea' && !(e.localName === 'input' && TEXTUAL.test(e.type))) return false;
  if (e.type === 'password' || FILLS.test(attr(e, 'autocomplete') || '') || card(e.value)) return true;
  const words = s => (s || '').replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/[_-]+/g, ' ');
  return WORDS_OF_SECRETS.test([e.id, e.name, attr(e, 'placeholder'), attr(e, 'data-testid')].map(words).join(' | ')) || WORDS_OF_SECRETS.test(name(e));
}
// card says whether a text is the number of a payment card, by its check digit (Luhn).
function card(s) {
  const d = s.replace(/[ -]/g, '');
  return /^\d{13,19}$/.test(d) && [...d].reverse().reduce((sum, c, i) => sum + (i % 2 ? (2 * c > 9 ? 2 * c - 9 : 2 * c) : +c), 0) % 10 === 0;
}

// private gives what private fields hold, where those are whose text can be seen, whether keys go to one or to where this world
// cannot look, and the frames that it cannot look into. known are texts that other fields must not show either.
engine.private = known => {
  const values = [], boxes = [];
  for (const root of roots()) for (const e of root.querySelectorAll('input,textarea')) {
    const mine = isPrivate(e);
    if (!e.value || !mine && !known.includes(e.value)) continue;
    if (mine) values.push(e.value);
    if (e.type !== 'password' && drawn(e)) boxes.push(frameBox(e));
  }
  const at = inFocus();
  const away = at && isFrame(at) && !frameDoc(at), nowhere = !at || /^(html|body)$/.test(at.localName);
  const seen = nowhere ? !closedFrames().length : at.isContentEditable || /^(input|textarea|select|button|a|summary)$/.test(at.localName) || !mayHide(at) && !at.localName.includes('-') && !away;
  return { values, boxes, secret: !seen || !nowhere && isPrivate(at), focus: away ? uid(at) : '', frames: engine.frames(), w: innerWidth, h: innerHeight };
};

// paint covers places of a picture, in CSS pixels of this viewport.
engine.paint = async (jpeg, boxes) => {
  const bytes = Uint8Array.from(atob(jpeg), c => c.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' })), k = picture.width / innerWidth;
  const canvas = new OffscreenCanvas(picture.width, picture.height), c = canvas.getContext('2d');
  c.drawImage(picture, 0, 0);
  c.scale(k, k);
  c.fillStyle = '#5b6472';
  for (const b of boxes) c.fillRect(b.x, b.y, b.width, b.height);
  return base64(await (await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.6 })).arrayBuffer());
};

// boxOfFrame takes a box of a frame of another origin to this viewport.
engine.boxOfFrame = (owner, box) => {
  const f = find(owner), [x, y] = outward(f, box.x, box.y), [r, d] = outward(f, box.x + box.width, box.y + box.height);
  return { x, y, width: r - x, height: d - y };
};
