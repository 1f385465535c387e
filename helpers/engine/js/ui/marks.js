// marks.js: uids drawn on a picture of the page. The picture is drawn on, never the page.

// boxes gives where the elements are that can be seen and hit right now, in CSS pixels of the viewport.
engine.boxes = ({ uids }) => {
  const out = [];
  for (const u of uids) {
    const e = byUid(u);
    if (!e || !drawn(e)) continue;
    for (const [x, y] of points(e).slice(0, 5)) {
      const p = at(e, x, y);
      if (p.why) continue;
      const b = boxOn(e), dx = p.x - x, dy = p.y - y;
      out.push({ uid: u, x: b.left + dx, y: b.top + dy, w: b.width, h: b.height });
      break;
    }
  }
  return out;
};
// boxesOut takes the boxes that a frame of another origin gave to this viewport, those that can be seen in it.
engine.boxesOut = ({ owner, boxes }) => {
  const f = byUid(owner), out = [];
  for (const b of f ? boxes : []) {
    const [x, y] = outward(f, b.x, b.y), [r, d] = outward(f, b.x + b.w, b.y + b.h);
    if (!at(f, (x + r) / 2, (y + d) / 2).why) out.push({ uid: b.uid, x, y, w: r - x, h: d - y });
  }
  return out;
};

// boxOf is where one element is, in CSS pixels of the viewport.
engine.boxOf = target => {
  const e = find(target);
  if (!drawn(e)) fail('element_hidden', `${brief(e)} is not displayed or has no size: there is nothing to take a picture of`);
  face(e).scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
  const b = boxOn(e);
  let x = b.left, y = b.top;
  for (let d = e.ownerDocument; d !== document; d = d.defaultView.frameElement.ownerDocument) [x, y] = outward(d.defaultView.frameElement, x, y);
  return { x, y, width: b.width, height: b.height };
};
// boxOut takes such a box of a frame of another origin to this viewport.
engine.boxOut = (owner, box) => {
  const f = find(owner);
  f.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
  const [x, y] = outward(f, box.x, box.y), [r, d] = outward(f, box.x + box.width, box.y + box.height);
  return { x, y, width: r - x, height: d - y };
};

const COLOURS = ['#d7263d', '#1b5fc1', '#0a7d38', '#8a3ffc', '#b54708', '#0e7490'];
engine.draw = async ({ png, boxes }) => {
  const bytes = Uint8Array.from(atob(png), c => c.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' })), k = picture.width / innerWidth;
  const canvas = new OffscreenCanvas(picture.width, picture.height), c = canvas.getContext('2d');
  c.drawImage(picture, 0, 0);
  c.scale(k, k);
  c.font = 'bold 11px sans-serif';
  c.textBaseline = 'top';
  boxes.forEach((b, i) => {
    const w = c.measureText(b.uid).width + 4, x = Math.max(0, Math.min(b.x, innerWidth - w)), y = Math.max(0, b.y > 13 && b.h < 30 ? b.y - 13 : b.y);
    c.strokeStyle = c.fillStyle = COLOURS[i % COLOURS.length];
    c.strokeRect(b.x + .5, b.y + .5, b.w - 1, b.h - 1);
    c.fillRect(x, y, w, 13);
    c.fillStyle = '#fff';
    c.fillText(b.uid, x + 2, y + 1);
  });
  return base64(await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer());
};
function base64(buffer) {
  const bytes = new Uint8Array(buffer);
  let s = '';
  for (let i = 0; i < bytes.length; i += 0x8000) s += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(s);
}
engine.scrolled = () => ({ x: scrollX, y: scrollY });
