import { globSync, statSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { LANGUAGES } from '../../support/member-app.ts';
import { buildStale, firstLoadOf, sizeOf } from '../../support/web-app.ts';
import { ROOT } from '../../tidy/sources.ts';

/** Brotli, as it is sent. */
const FIRST_LOAD_MAX = 46 * 1024;

beforeAll(() => buildStale());

test.each(LANGUAGES)('the first load of the member app in %s is at most 46 KB', (language) => {
  const assets = path.join(ROOT, 'apps', 'member', 'dist', 'assets');
  const texts = globSync(`${language}-*.js`, { cwd: assets });
  expect(texts).toHaveLength(1);
  const files = new Set([...firstLoadOf('member'), ...texts]);
  expect(files.size).toBeGreaterThan(2);
  const page = statSync(path.join(assets, '..', 'index.html')).size;
  expect(sizeOf('member', files) + page).toBeLessThanOrEqual(FIRST_LOAD_MAX);
});
