import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { encode, encodingFor } from './encode.ts';

test.each([
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['BR', 'br'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0.0, gzip;q=0.5', 'gzip'],
  ['br ; q=0.3', 'br'],
  ['brotli, x-gzip', undefined],
] as const)('a browser that accepts %j is sent %s', (accepts, encoding) => {
  expect(encodingFor(accepts)).toBe(encoding);
});

test.each([false, true])('what was encoded is the same once decoded (lasting: %s)', (lasting) => {
  const content = Buffer.from('ادائیگی '.repeat(300));
  expect(brotliDecompressSync(encode(content, 'br', lasting))).toEqual(content);
  expect(gunzipSync(encode(content, 'gzip', lasting))).toEqual(content);
});
