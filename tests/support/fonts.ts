import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { inflateSync } from 'node:zlib';

const FONTSOURCE = path.join(import.meta.dirname, '..', '..', 'node_modules', '@fontsource');

/**
 * Lays out the page's three scripts beyond Latin, so that widths and pictures are those of real
 * text on a machine without fonts.
 */
export async function installFonts(into: string): Promise<void> {
  for (const script of ['arabic', 'bengali', 'devanagari']) {
    for (const weight of [400, 700]) {
      const name = `noto-sans-${script}-${script}-${weight}-normal`;
      const font = await readFile(
        path.join(FONTSOURCE, `noto-sans-${script}`, 'files', `${name}.woff`),
      );
      await writeFile(path.join(into, `${name}.ttf`), unpackWoff(font));
    }
  }
}

/**
 * The TrueType file in a WOFF 1.0 file (https://www.w3.org/TR/WOFF): the same tables, each
 * compressed on its own. Chromium reads WOFF from pages, not among the fonts of the system.
 */
function unpackWoff(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12);
  const tables = Array.from({ length: count }, (_, index) => {
    const entry = woff.subarray(44 + index * 20, 64 + index * 20);
    const [offset, length, originalLength] = [
      entry.readUInt32BE(4),
      entry.readUInt32BE(8),
      entry.readUInt32BE(12),
    ];
    const data = woff.subarray(offset, offset + length);
    return {
      tag: entry.subarray(0, 4),
      checksum: entry.subarray(16, 20),
      content: length < originalLength ? inflateSync(data) : data,
    };
  });

  const head = Buffer.alloc(12);
  woff.copy(head, 0, 4, 8);
  const powers = Math.floor(Math.log2(count));
  head.writeUInt16BE(count, 4);
  head.writeUInt16BE(2 ** powers * 16, 6);
  head.writeUInt16BE(powers, 8);
  head.writeUInt16BE(count * 16 - 2 ** powers * 16, 10);

  const directory: Buffer[] = [];
  const contents: Buffer[] = [];
  let offset = 12 + count * 16;
  for (const { tag, checksum, content } of tables) {
    const place = Buffer.alloc(8);
    place.writeUInt32BE(offset, 0);
    place.writeUInt32BE(content.length, 4);
    directory.push(tag, checksum, place);
    const padded = Buffer.concat([content, Buffer.alloc((4 - (content.length % 4)) % 4)]);
    contents.push(padded);
    offset += padded.length;
  }
  return Buffer.concat([head, ...directory, ...contents]);
}
