import { crc32, inflateSync } from 'node:zlib';
import QRCode from 'qrcode';
import { describe, expect, test } from 'vitest';
import { qrPng, qrSvg } from './qr.ts';

/**
 * The rows of a PNG of one bit for each pixel, dark as 1, by the format's rules: checked sums,
 * filters undone.
 */
function pixelsOf(png: Buffer): number[][] {
  const chunks: [string, Buffer][] = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const body = png.subarray(at + 4, at + 8 + length);
    expect(png.readUInt32BE(at + 8 + length)).toBe(crc32(body));
    chunks.push([body.subarray(0, 4).toString('latin1'), body.subarray(4)]);
    at += 12 + length;
  }
  expect(chunks.map(([type]) => type)).toEqual(['IHDR', 'IDAT', 'IEND']);
  const [[, header] = ['', png], [, data] = ['', png]] = chunks;
  expect([...header.subarray(8)]).toEqual([1, 0, 0, 0, 0]);
  const width = header.readUInt32BE(0);
  const bytes = inflateSync(data);
  const rowBytes = Math.ceil(width / 8) + 1;
  expect(bytes.length).toBe(rowBytes * header.readUInt32BE(4));
  let above = new Uint8Array(rowBytes - 1);
  return Array.from({ length: header.readUInt32BE(4) }, (_, y) => {
    const filter = bytes[y * rowBytes];
    expect([0, 2]).toContain(filter);
    const row = bytes
      .subarray(y * rowBytes + 1, (y + 1) * rowBytes)
      .map((byte, at) => (filter === 2 ? (byte + (above[at] as number)) & 255 : byte));
    above = new Uint8Array(row);
    return Array.from(
      { length: width },
      (_, x) => (((row[x >> 3] as number) >> (7 - (x & 7))) & 1) ^ 1,
    );
  });
}

/** The dark modules of an SVG picture, as `column row`, by its path of moves and horizontal lines. */
function darkOf(svg: string): string[] {
  const [, path = ''] = /<path d="([^"]*)" stroke="#000"/.exec(svg) ?? [];
  let [x, y] = [0, 0];
  return [...path.matchAll(/M(\d+) (\d+)|m(\d+) 0|h(\d+)/g)].flatMap(([, toX, toY, gap, run]) => {
    if (toX !== undefined) [x, y] = [Number(toX), Number(toY)];
    const from = x + Number(gap ?? 0);
    x = from + Number(run ?? 0);
    return Array.from({ length: x - from }, (_, at) => `${from + at} ${y}`);
  });
}

describe('a QR code', () => {
  test.each([1, 200, 512])('of %d bytes has the same modules on the page', (length) => {
    const text = 'a'.repeat(length);
    const pixels = pixelsOf(qrPng(text)?.content as Buffer);
    const dark = pixels.flatMap((row, y) =>
      row.flatMap((pixel, x) =>
        pixel === 1 && x % 8 === 0 && y % 8 === 0 ? [`${x / 8} ${y / 8}`] : [],
      ),
    );
    expect(darkOf(String(qrSvg(text, 'code')))).toEqual(dark);
  });

  test.each([1, 24, 100, 200, 201, 512])(
    'of %d bytes is the code of these bytes, four modules of white around it, eight pixels to each',
    (length) => {
      const text = 'ٹ'.repeat(length >> 1) + '7'.repeat(length & 1);
      const pixels = pixelsOf(qrPng(text)?.content as Buffer);
      const mask = length > 200 ? { maskPattern: 3 as const } : {};
      const { size, data } = QRCode.create([{ data: Buffer.from(text), mode: 'byte' }], {
        errorCorrectionLevel: 'M',
        ...mask,
      }).modules;
      expect(pixels.length).toBe((size + 8) * 8);
      const wrong = pixels.flatMap((row, y) =>
        row.flatMap((pixel, x) => {
          const [column, line] = [(x >> 3) - 4, (y >> 3) - 4];
          const dark =
            column >= 0 && line >= 0 && column < size && line < size
              ? data[line * size + column]
              : 0;
          return pixel === dark ? [] : [`${x} ${y}`];
        }),
      );
      expect(wrong).toEqual([]);
    },
  );

  test('is made once', () => {
    expect(qrPng('qr:once')?.content).toBe(qrPng('qr:once')?.content);
  });

  test('of more than 512 bytes is not drawn', () => {
    expect(qrPng('7'.repeat(513))).toBeUndefined();
    expect(qrSvg(`7${'ٹ'.repeat(256)}`, 'code')).toBeUndefined();
  });
});
