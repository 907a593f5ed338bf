import { html, raw } from 'hono/html';
import QRCode from 'qrcode';
import { BoundedMap } from '../../bounded-map.ts';

type Picture = ReturnType<typeof html>;

interface Code {
  /** Modules, with the quiet zone. */
  readonly side: number;
  readonly path: string;
}

/** An account's code is shown again and again, and takes some milliseconds to make. */
const made = new BoundedMap<string, Code>(500);
/** What fits a code with error correction level M. */
const BYTES_MAX = 2_331;
/** Modules of white around the code, which scanners need. */
const QUIET = 4;

/** A QR code of a text as an SVG picture, error correction level M. Undefined when the text is longer than any code holds. */
export function qrSvg(text: string, label: string): Picture | undefined {
  const code = made.get(text) ?? make(text);
  if (code === undefined) return undefined;
  const { side, path } = code;
  return html`<svg viewBox="0 0 ${side} ${side}" role="img" aria-label="${label}" shape-rendering="crispEdges"><rect width="${side}" height="${side}" fill="#fff"/><path d="${raw(path)}"/></svg>`;
}

/** The same code as a picture that every phone can save and open in another app; undefined when it is too long for one. */
export async function qrPng(text: string): Promise<Buffer | undefined> {
  if (Buffer.byteLength(text) > BYTES_MAX) return undefined;
  return QRCode.toBuffer(text, { errorCorrectionLevel: 'M', margin: QUIET, scale: 8 });
}

function make(text: string): Code | undefined {
  if (Buffer.byteLength(text) > BYTES_MAX) return undefined;
  const { modules } = QRCode.create(text, { errorCorrectionLevel: 'M' });
  const code = { side: modules.size + 2 * QUIET, path: draw(modules.size, (x, y) => modules.get(y, x) === 1) };
  made.set(text, code);
  return code;
}

/** One path of horizontal runs: a few hundred bytes on the wire. */
function draw(size: number, isDark: (x: number, y: number) => boolean): string {
  let path = '';
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      const start = x;
      while (x < size && isDark(x, y)) x += 1;
      if (x > start) path += `M${start + QUIET} ${y + QUIET}h${x - start}v1h-${x - start}z`;
    }
  }
  return path;
}
