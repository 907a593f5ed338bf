import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { assetsOf, buildStale, firstLoadOf, sizeOf, withImports } from '../support/web-app.ts';

/** Brotli, as they are sent. The member app has a budget of its own. */
const FIRST_LOAD_MAX = 260 * 1024;
const PAGE_MAX = 60 * 1024;

beforeAll(() => buildStale());

describe.each(['console', 'portal'] as const)('the %s', (app) => {
  test('first loads at most 260 KB', () => {
    const files = firstLoadOf(app);
    expect(files.size).toBeGreaterThan(2);
    expect(sizeOf(app, files)).toBeLessThanOrEqual(FIRST_LOAD_MAX);
  });

  test('loads at most 60 KB for any page after it', () => {
    const loaded = firstLoadOf(app);
    const pages = readdirSync(assetsOf(app)).filter((file) => /^page-.*\.js$/.test(file));
    expect(pages.length).toBeGreaterThan(1);
    const sizes = pages.map((file) => {
      const own = [...withImports(app, file)].filter((each) => !loaded.has(each));
      return { file, bytes: sizeOf(app, own) };
    });
    expect(sizes.filter(({ bytes }) => bytes > PAGE_MAX)).toEqual([]);
  });
});

/** Safari before 16.4 (March 2023) loads no file with one, even if it is never run. */
const LOOKBEHIND = /\(\?<[=!]/;

test.each(['console', 'portal', 'member'] as const)('no file of the %s has a lookbehind', (app) => {
  const files = readdirSync(assetsOf(app)).filter((file) => file.endsWith('.js'));
  expect(files.length).toBeGreaterThan(2);
  const textOf = (file: string) => readFileSync(path.join(assetsOf(app), file), 'utf8');
  expect(files.filter((file) => LOOKBEHIND.test(textOf(file)))).toEqual([]);
});
