import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { buildStale } from '../../support/web-app.ts';
import { ROOT } from '../../tidy/sources.ts';

/** Brotli, as they are sent. */
const FIRST_LOAD_MAX = 260 * 1024;
const PAGE_MAX = 60 * 1024;

const DIST = path.join(ROOT, 'apps', 'console', 'dist');
const ASSETS = path.join(DIST, 'assets');

beforeAll(() => buildStale());

const sent = (file: string) => {
  const stored = path.join(ASSETS, `${file}.br`);
  return (
    statSync(stored, { throwIfNoEntry: false })?.size ?? statSync(path.join(ASSETS, file)).size
  );
};
const sizeOf = (files: Iterable<string>) => [...files].reduce((sum, file) => sum + sent(file), 0);

/** What a chunk imports at once, and what those do. */
function withImports(file: string, known = new Set<string>()): Set<string> {
  if (known.has(file)) return known;
  known.add(file);
  if (!file.endsWith('.js')) return known;
  const code = readFileSync(path.join(ASSETS, file), 'utf8');
  for (const [, name] of code.matchAll(/(?:from|import)\s*["']\.\/([^"']+)["']/g))
    withImports(name as string, known);
  return known;
}

const first = () => {
  const index = readFileSync(path.join(DIST, 'index.html'), 'utf8');
  const named = [...index.matchAll(/\.\/assets\/([\w.-]+)/g)].map(([, file]) => file as string);
  return new Set(named.flatMap((file) => [...withImports(file)]));
};

test('the console’s first load is at most 260 KB', () => {
  const files = first();
  expect(files.size).toBeGreaterThan(2);
  expect(sizeOf(files)).toBeLessThanOrEqual(FIRST_LOAD_MAX);
});

test('any page after it is at most 60 KB', () => {
  const loaded = first();
  const pages = readdirSync(ASSETS).filter((file) => /^page-.*\.js$/.test(file));
  expect(pages.length).toBeGreaterThan(1);
  const sizes = pages.map((file) => {
    const own = [...withImports(file)].filter((each) => !loaded.has(each));
    return { file, bytes: sizeOf(own) };
  });
  expect(sizes.filter(({ bytes }) => bytes > PAGE_MAX)).toEqual([]);
});
