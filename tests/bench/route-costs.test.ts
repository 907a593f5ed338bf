import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const SCRIPT = path.join(import.meta.dirname, '..', '..', 'bench', 'route-costs.ts');

test('the bench of routes runs, and every request is answered as meant', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT, '--times', '20'], {
    env: { PATH: process.env['PATH'] },
  });
  const rows = stdout.trim().split('\n').slice(2);
  expect(rows.length).toBeGreaterThan(30);
  for (const row of rows)
    expect(row).toMatch(/^\| (stranger|customer|member|merchant) \| .+ \| [\d,]+ \|$/);
}, 300_000);
