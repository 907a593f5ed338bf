import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const SOAK = path.join(import.meta.dirname, '..', 'soak', 'main.ts');

test('a soak of ten seconds: orders complete, the checker finds nothing, and samples are written', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'munshi-soak-'));
  const out = path.join(folder, 'soak');
  const options = [
    '--minutes',
    String(10 / 60),
    '--every',
    '1',
    '--rate',
    '60',
    '--members',
    '3',
    '--out',
    out,
  ];
  await promisify(execFile)(process.execPath, [SOAK, ...options], {
    env: { PATH: process.env['PATH'] ?? '' },
  });
  const { samples, orders, webhooks, violations, wrong } = JSON.parse(
    await readFile(`${out}.json`, 'utf8'),
  );
  expect({ violations, wrong }).toEqual({ violations: [], wrong: [] });
  expect(orders.Completed).toBeGreaterThan(0);
  expect(webhooks).toBeGreaterThan(0);
  expect(samples.length).toBeGreaterThan(1);
  for (const value of Object.values(samples.at(-1))) expect(value).toEqual(expect.any(Number));
  await rm(folder, { recursive: true });
});
