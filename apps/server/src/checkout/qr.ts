import { hash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { QR_PAYLOAD_BYTES_MAX } from '@munshi/core';
import { html, raw } from 'hono/html';
import QRCode from 'qrcode';
import { BoundedMap } from '../platform/bounded-map.ts';

type Picture = ReturnType<typeof html>;

interface Code {
  /** Modules, with the quiet zone. */
  readonly side: number;
  /** One row of modules after the other; 1 is dark. */
  readonly modules: Uint8Array;
  svgPath?: string;
  png?: Png;
}

interface Png {
  readonly content: Buffer;
  /** Of the picture's content, quoted as `ETag` has it. */
  readonly etag: string;
}

/**
 * An account's code is shown again and again, and takes some milliseconds to make. At most 20 MB.
 */
const made = new BoundedMap<string, Code>(500);
/** Modules of white around the code, which scanners need. */
const QUIET = 4;
/** Modules of a code that cameras read well beside what belongs to it; a larger one gets a row. */
const SMALL_SIDE_MAX = 70;

/**
 * Of the eight masks a code can have, the one that leaves the fewest large patches is looked for,
 * which is most of the work: 0.9 ms for 200 bytes, 2.3 for 512. Scanners read every mask, and a
 * long text leaves no large patches under any.
 */
const WEIGHED_BYTES_MAX = 200;

/**
 * A QR code of a text as an SVG picture, error correction level M. Undefined when the text is
 * longer than an account's may be.
 */
export function qrSvg(text: string, label: string): Picture | undefined {
  const code = codeOf(text);
  if (code === undefined) return undefined;
  code.svgPath ??= draw(code);
  const { side, svgPath } = code;
  const dense = side > SMALL_SIDE_MAX ? html` class="dense"` : null;
  return html`<svg${dense} viewBox="0 -.5 ${side} ${side}" role="img" aria-label="${label}" shape-rendering="crispEdges"><rect y="-.5" width="${side}" height="${side}" fill="#fff"/><path d="${raw(svgPath)}" stroke="#000"/></svg>`;
}

/**
 * The same code as a picture that every phone can save and open in another app; undefined when it
 * is too long for one.
 */
export function qrPng(text: string): Png | undefined {
  const code = codeOf(text);
  if (code === undefined) return undefined;
  if (code.png === undefined) {
    const content = pngOf(code);
    code.png = { content, etag: `"${hash('sha256', content, 'base64url').slice(0, 22)}"` };
  }
  return code.png;
}

function codeOf(text: string): Code | undefined {
  const kept = made.get(text);
  if (kept !== undefined) return kept;
  const bytes = Buffer.from(text);
  if (bytes.length > QR_PAYLOAD_BYTES_MAX) return undefined;
  // As bytes: looking for stretches of digits and capitals to pack more tightly takes most of two
  // milliseconds, and smaller codes are not needed.
  const mask = bytes.length > WEIGHED_BYTES_MAX ? ({ maskPattern: 3 } as const) : {};
  const { size, data } = QRCode.create([{ data: bytes, mode: 'byte' }], {
    errorCorrectionLevel: 'M',
    ...mask,
  }).modules;
  const side = size + 2 * QUIET;
  const modules = new Uint8Array(side * side);
  for (let row = 0; row < size; row += 1)
    modules.set(data.subarray(row * size, (row + 1) * size), (row + QUIET) * side + QUIET);
  const code: Code = { side, modules };
  made.set(text, code);
  return code;
}

/**
 * A line of one module's width along the middle of each row, its gaps as relative moves: a few
 * hundred bytes on the wire.
 */
function draw({ side, modules }: Code): string {
  let path = '';
  for (let y = 0; y < side; y += 1) {
    let end: number | undefined;
    for (let x = 0; x < side; x += 1) {
      const start = x;
      while (modules[y * side + x] === 1) x += 1;
      if (x === start) continue;
      path += `${end === undefined ? `M${start} ${y}` : `m${start - end} 0`}h${x - start}`;
      end = x;
    }
  }
  return path;
}

/** Pixels of a module's side. With one bit for each pixel, a row of modules is a byte for each. */
const SCALE = 8;
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * One bit grey (PNG, third edition). Of a module's eight rows of pixels, the first is written;
 * seven say "as above".
 */
function pngOf({ side, modules }: Code): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side * SCALE, 0);
  header.writeUInt32BE(side * SCALE, 4);
  header[8] = 1; // bits for each pixel; colour type, compression, filter and interlacing stay 0
  const pixels = Buffer.alloc((side + 1) * side * SCALE);
  for (let row = 0; row < side; row += 1) {
    const first = (side + 1) * row * SCALE;
    for (let x = 0; x < side; x += 1)
      pixels[first + 1 + x] = modules[row * side + x] === 1 ? 0x00 : 0xff;
    for (let copy = 1; copy < SCALE; copy += 1) pixels[first + (side + 1) * copy] = 2; // filter "Up"
  }
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels, { level: 3 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
