import { html, raw } from 'hono/html';

type Picture = ReturnType<typeof html>;

/** An account's code is shown again and again, and takes some milliseconds to make. */
const made = new Map<string, Picture>();
const MADE_MAX = 500;
/** What fits with level M. */
export const QR_BYTES_MAX = 2_331;

/**
 * A QR code (ISO/IEC 18004) of a text as an SVG picture: byte mode, error correction level M, the smallest version that
 * holds it. Undefined when the text is longer than any code holds.
 */
export function qrSvg(text: string): Picture | undefined {
  const known = made.get(text);
  if (known !== undefined) return known;
  const data = Buffer.from(text, 'utf8');
  if (data.length > QR_BYTES_MAX) return undefined;
  const picture = draw(qrModules(data));
  if (made.size >= MADE_MAX) made.delete(made.keys().next().value as string);
  made.set(text, picture);
  return picture;
}

function draw(modules: readonly (readonly boolean[])[]): Picture {
  const path = modules.flatMap((row, y) => row.flatMap((dark, x) => (dark ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : []))).join('');
  const side = modules.length + 2 * QUIET;
  return html`<svg viewBox="0 0 ${side} ${side}" role="img" aria-label="QR code to pay" shape-rendering="crispEdges"><rect width="${side}" height="${side}" fill="#fff"/><path d="${raw(path)}"/></svg>`;
}

/** Light modules around the code, without which scanners do not find it. */
const QUIET = 4;

/** Error correction codewords of each block, and the number of blocks, by version from 1, for level M. */
const CORRECTION_WORDS = [
  10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
  28,
];
const BLOCKS = [
  1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23, 25, 26, 28, 29, 31, 33, 35, 37, 38, 40, 43, 45, 47, 49,
];
const VERSION_MAX = 40;

/** Modules that are left for codewords once the patterns are drawn, in whole bytes. */
function codewordsOf(version: number): number {
  const alignments = version === 1 ? 0 : Math.floor(version / 7) + 2;
  const patterns = alignments === 0 ? 0 : (25 * alignments - 10) * alignments - 55;
  return Math.floor(((16 * version + 128) * version + 64 - patterns - (version >= 7 ? 36 : 0)) / 8);
}

const correctionOf = (version: number) => ({ words: CORRECTION_WORDS[version - 1] as number, blocks: BLOCKS[version - 1] as number });

/** The dark modules of the code, row by row. Throws beyond QR_BYTES_MAX. */
export function qrModules(data: Uint8Array): boolean[][] {
  let version = 1;
  const room = () => codewordsOf(version) - correctionOf(version).words * correctionOf(version).blocks;
  while (version < VERSION_MAX && room() * 8 < 4 + lengthBits(version) + data.length * 8) version += 1;
  if (room() * 8 < 4 + lengthBits(version) + data.length * 8) throw new Error('the text is too long for a QR code');
  const words = withCorrection(dataWords(data, version, room()), version);

  let best: { readonly modules: boolean[][]; readonly penalty: number } | undefined;
  for (let mask = 0; mask < 8; mask += 1) {
    const modules = fill(version, words, mask);
    const penalty = penaltyOf(modules);
    if (best === undefined || penalty < best.penalty) best = { modules, penalty };
  }
  return (best as { modules: boolean[][] }).modules;
}

const lengthBits = (version: number) => (version < 10 ? 8 : 16);

function dataWords(data: Uint8Array, version: number, room: number): number[] {
  const bits: number[] = [];
  const append = (value: number, length: number) => {
    for (let shift = length - 1; shift >= 0; shift -= 1) bits.push((value >>> shift) & 1);
  };
  append(0b0100, 4);
  append(data.length, lengthBits(version));
  for (const byte of data) append(byte, 8);
  append(0, Math.min(4, room * 8 - bits.length));
  append(0, (8 - (bits.length % 8)) % 8);
  const words = Array.from({ length: bits.length / 8 }, (_, at) => bits.slice(at * 8, at * 8 + 8).reduce((word, bit) => word * 2 + bit, 0));
  for (let pad = 0xec; words.length < room; pad ^= 0xec ^ 0x11) words.push(pad);
  return words;
}

/** Splits the words into blocks, adds each block's Reed-Solomon remainder, and interleaves them. */
function withCorrection(words: readonly number[], version: number): number[] {
  const { words: correction, blocks: count } = correctionOf(version);
  const total = codewordsOf(version);
  const short = count - (total % count);
  const shortLength = Math.floor(total / count) - correction;
  const divisor = generator(correction);
  const blocks: { data: readonly number[]; remainder: readonly number[] }[] = [];
  for (let at = 0, block = 0; block < count; block += 1) {
    const data = words.slice(at, at + shortLength + (block < short ? 0 : 1));
    at += data.length;
    blocks.push({ data, remainder: remainderOf(data, divisor) });
  }
  const interleaved: number[] = [];
  for (let at = 0; at <= shortLength; at += 1) for (const { data } of blocks) if (at < data.length) interleaved.push(data[at] as number);
  for (let at = 0; at < correction; at += 1) for (const { remainder } of blocks) interleaved.push(remainder[at] as number);
  return interleaved;
}

/** Multiplication in GF(2^8) modulo x^8 + x^4 + x^3 + x^2 + 1. */
function times(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) product = (product << 1) ^ ((product >>> 7) * 0x11d) ^ (((b >>> bit) & 1) * a);
  return product;
}

function generator(degree: number): readonly number[] {
  const coefficients = Array.from({ length: degree }, (_, at): number => (at === degree - 1 ? 1 : 0));
  for (let root = 1, step = 0; step < degree; step += 1, root = times(root, 2)) {
    for (let at = 0; at < degree; at += 1) coefficients[at] = times(coefficients[at] as number, root) ^ (coefficients[at + 1] ?? 0);
  }
  return coefficients;
}

function remainderOf(data: readonly number[], divisor: readonly number[]): readonly number[] {
  let remainder: readonly number[] = divisor.map(() => 0);
  for (const word of data) {
    const factor = word ^ (remainder[0] as number);
    remainder = [...remainder.slice(1), 0].map((value, at) => value ^ times(divisor[at] as number, factor));
  }
  return remainder;
}

const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_x, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

function fill(version: number, words: readonly number[], mask: number): boolean[][] {
  const size = version * 4 + 17;
  const modules = Array.from({ length: size }, () => new Array<boolean>(size).fill(false));
  const taken = Array.from({ length: size }, () => new Array<boolean>(size).fill(false));
  const set = (x: number, y: number, dark: boolean) => {
    if (x < 0 || y < 0 || x >= size || y >= size) return;
    (modules[y] as boolean[])[x] = dark;
    (taken[y] as boolean[])[x] = true;
  };
  drawPatterns(version, size, set);
  drawFormat(size, mask, set);

  let bit = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    const upward = ((right + 1) & 2) === 0;
    for (let step = 0; step < size; step += 1) {
      const y = upward ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (taken[y]?.[x]) continue;
        const dark = bit < words.length * 8 && (((words[bit >>> 3] as number) >>> (7 - (bit & 7))) & 1) === 1;
        (modules[y] as boolean[])[x] = dark !== (MASKS[mask] as (x: number, y: number) => boolean)(x, y);
        bit += 1;
      }
    }
  }
  return modules;
}

type SetModule = (x: number, y: number, dark: boolean) => void;

/** Timing, finder and alignment patterns, and from version 7 the version itself. */
function drawPatterns(version: number, size: number, set: SetModule): void {
  for (let at = 0; at < size; at += 1) {
    set(6, at, at % 2 === 0);
    set(at, 6, at % 2 === 0);
  }
  for (const [centerX, centerY] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const) {
    for (let dy = -4; dy <= 4; dy += 1) {
      for (let dx = -4; dx <= 4; dx += 1) {
        const distance = Math.max(Math.abs(dx), Math.abs(dy));
        set(centerX + dx, centerY + dy, distance !== 2 && distance !== 4);
      }
    }
  }
  const centers = alignmentCenters(version, size);
  const last = centers.length - 1;
  centers.forEach((y, row) => {
    centers.forEach((x, column) => {
      if ((row === 0 && column === 0) || (row === 0 && column === last) || (row === last && column === 0)) return;
      for (let dy = -2; dy <= 2; dy += 1) for (let dx = -2; dx <= 2; dx += 1) set(x + dx, y + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1);
    });
  });
  if (version < 7) return;
  const bits = (version << 12) | divide(version << 12, 0x1f25, 12);
  for (let at = 0; at < 18; at += 1) {
    const dark = ((bits >>> at) & 1) === 1;
    const far = size - 11 + (at % 3);
    const near = Math.floor(at / 3);
    set(far, near, dark);
    set(near, far, dark);
  }
}

function alignmentCenters(version: number, size: number): readonly number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.floor((version * 8 + count * 3 + 5) / (count * 4 - 4)) * 2;
  return [6, ...Array.from({ length: count - 1 }, (_, at) => size - 7 - (count - 2 - at) * step)];
}

/** The level and mask, twice, and the one module that is always dark. Level M is 00. */
function drawFormat(size: number, mask: number, set: SetModule): void {
  const bits = ((mask << 10) | divide(mask << 10, 0x537, 10)) ^ 0x5412;
  const dark = (at: number) => ((bits >>> at) & 1) === 1;
  for (let at = 0; at <= 5; at += 1) set(8, at, dark(at));
  set(8, 7, dark(6));
  set(8, 8, dark(7));
  set(7, 8, dark(8));
  for (let at = 9; at < 15; at += 1) set(14 - at, 8, dark(at));
  for (let at = 0; at < 8; at += 1) set(size - 1 - at, 8, dark(at));
  for (let at = 8; at < 15; at += 1) set(8, size - 15 + at, dark(at));
  set(8, size - 8, true);
}

/** The remainder of a binary polynomial division. */
function divide(value: number, divisor: number, degree: number): number {
  let rest = value;
  for (let bit = 31 - Math.clz32(rest); rest !== 0 && bit >= degree; bit = 31 - Math.clz32(rest)) rest ^= divisor << (bit - degree);
  return rest;
}

/** How hard a code is to scan: long runs, blocks of one colour, patterns that look like finders, imbalance. */
function penaltyOf(modules: readonly (readonly boolean[])[]): number {
  const size = modules.length;
  const columns = Array.from({ length: size }, (_, x) => modules.map((row) => row[x] as boolean));
  let penalty = 0;
  let darkCount = 0;
  for (const line of [...modules, ...columns]) {
    const text = line.map(Number).join('');
    for (const run of text.match(/0{5,}|1{5,}/g) ?? []) penalty += run.length - 2;
    for (let at = 0; at + 11 <= size; at += 1) {
      const part = text.slice(at, at + 11);
      if (part === '10111010000' || part === '00001011101') penalty += 40;
    }
  }
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      const dark = modules[y]?.[x];
      if (dark) darkCount += 1;
      if (y > 0 && x > 0 && dark === modules[y]?.[x - 1] && dark === modules[y - 1]?.[x] && dark === modules[y - 1]?.[x - 1]) penalty += 3;
    }
  }
  return penalty + Math.floor(Math.abs(darkCount * 20 - size * size * 10) / (size * size)) * 10;
}
