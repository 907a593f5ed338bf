import { html, raw } from 'hono/html';
import QRCode from 'qrcode';

type Picture = ReturnType<typeof html>;

/** An account's code is shown again and again, and takes some milliseconds to make. */
const made = new Map<string, Picture>();
const MADE_MAX = 500;
/** What fits a code with error correction level M. */
const BYTES_MAX = 2_331;
/** Modules of white around the code, which scanners need. */
const QUIET = 4;

/** A QR code of a text as an SVG picture, error correction level M. Undefined when the text is longer than any code holds. */
export function qrSvg(text: string): Picture | undefined {
  const known = made.get(text);
  if (known !== undefined) return known;
  if (Buffer.byteLength(text) > BYTES_MAX) return undefined;
  const { modules } = QRCode.create(text, { errorCorrectionLevel: 'M' });
  const picture = draw(modules.size, (x, y) => modules.get(y, x) === 1);
  if (made.size >= MADE_MAX) made.delete(made.keys().next().value as string);
  made.set(text, picture);
  return picture;
}

/** One path of horizontal runs: a few hundred bytes on the wire. */
function draw(size: number, isDark: (x: number, y: number) => boolean): Picture {
  let path = '';
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      const start = x;
      while (x < size && isDark(x, y)) x += 1;
      if (x > start) path += `M${start + QUIET} ${y + QUIET}h${x - start}v1h-${x - start}z`;
    }
  }
  const side = size + 2 * QUIET;
  return html`<svg viewBox="0 0 ${side} ${side}" role="img" aria-label="QR code to pay" shape-rendering="crispEdges"><rect width="${side}" height="${side}" fill="#fff"/><path d="${raw(path)}"/></svg>`;
}
