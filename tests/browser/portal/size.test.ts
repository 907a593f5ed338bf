import { readdirSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { assetsOf, buildStale, firstLoadOf, sizeOf, withImports } from '../../support/web-app.ts';

/** Brotli, as they are sent. */
const FIRST_LOAD_MAX = 260 * 1024;
const PAGE_MAX = 60 * 1024;

beforeAll(() => buildStale());

test('the portal’s first load is at most 260 KB', () => {
  const files = firstLoadOf('portal');
  expect(files.size).toBeGreaterThan(2);
  expect(sizeOf('portal', files)).toBeLessThanOrEqual(FIRST_LOAD_MAX);
});

test('any page after it is at most 60 KB', () => {
  const loaded = firstLoadOf('portal');
  const pages = readdirSync(assetsOf('portal')).filter((file) => /^page-.*\.js$/.test(file));
  expect(pages.length).toBeGreaterThan(1);
  const sizes = pages.map((file) => {
    const own = [...withImports('portal', file)].filter((each) => !loaded.has(each));
    return { file, bytes: sizeOf('portal', own) };
  });
  expect(sizes.filter(({ bytes }) => bytes > PAGE_MAX)).toEqual([]);
});
