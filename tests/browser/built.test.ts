import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { assetsOf, buildStale, firstLoadOf, sizeOf, withImports } from '../support/web-app.ts';

/** Brotli, as they are sent. The member app has a budget of its own. */
const FIRST_LOAD_MAX = 240 * 1024;
/** What comes once the first screen is drawn. */
const AFTER = /^(notifications|uPlot)\b.*\.(js|css)$/;
const PAGE_MAX = 60 * 1024;

beforeAll(() => buildStale());

describe.each(['console', 'portal'] as const)('the %s', (app) => {
  test('loads its first screen in at most 240 KB, of which nothing is asked for by the app', () => {
    const files = firstLoadOf(app);
    const after = readdirSync(assetsOf(app)).filter((file) => AFTER.test(file));
    expect(after).not.toEqual([]);
    const all = new Set([...files, ...after.flatMap((file) => [...withImports(app, file)])]);
    expect(sizeOf(app, all)).toBeLessThanOrEqual(FIRST_LOAD_MAX);
    const named = readFileSync(path.join(assetsOf(app), '..', 'index.html'), 'utf8');
    expect([...files].filter((file) => !named.includes(file))).toEqual([]);
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
