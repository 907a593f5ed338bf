import { readFileSync } from 'node:fs';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { TEST_MS } from '../support/patience.ts';
import { listenTo } from '../support/spoken.ts';
import { DEEP, type DeepStep, filesOf, type Ring } from './rings.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');
const filesIn = (ring: Ring | undefined) => Object.values(filesOf(ring)).flat();

test('every test file is in the everyday ring or in one step of the deep ring', () => {
  const steps = Object.keys(DEEP) as DeepStep[];
  const everyday = filesIn('everyday');
  const own = steps.flatMap((step) => filesIn(step).filter((file) => !everyday.includes(file)));
  expect([...everyday, ...own].toSorted()).toEqual(filesIn(undefined).toSorted());
});

test('the everyday ring has a flow through each app, and a kill of each kind', () => {
  expect(filesIn('everyday')).toEqual(
    expect.arrayContaining([
      'tests/browser/checkout/flow.test.ts',
      'tests/browser/console/flow.test.ts',
      'tests/browser/member/flow.test.ts',
      'tests/browser/portal/flow.test.ts',
      'tests/faults/failover-load.test.ts',
      'tests/faults/postgres-kills.test.ts',
      'tests/faults/server-kills.test.ts',
      'tests/simulation/server.test.ts',
    ]),
  );
});

test('no test has a limit that a busy machine could reach', () => {
  const limits = filesIn(undefined).flatMap((file) =>
    Array.from(
      readFileSync(path.join(ROOT, file), 'utf8').matchAll(/^\}, ([\d_]+)\);/gm),
      ([, limit = '']) => ({ file, ms: Number(limit.replaceAll('_', '')) }),
    ),
  );
  expect(limits.filter(({ ms }) => ms < TEST_MS)).toEqual([]);
});

const SAMPLE = `
  import { describe, expect, test } from 'vitest';
  describe('money', () => {
    test("isn't lost (ever)", () => expect(['a complaint']).toEqual([]));
  });
  test('random', () => expect.fail('wrong\\n  again: OWN_SEED=5 a command of its own'));
  test('cannot', ({ skip }) => skip('no such device'));
  test('can', () => {});
`;

test('a run that fails ends with what failed and the commands that run it alone', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'munshi-rings-'));
  try {
    await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
    await writeFile(path.join(folder, 'sample.test.ts'), SAMPLE);
    await writeFile(
      path.join(folder, 'vitest.config.ts'),
      `import { RingReporter } from '${path.join(ROOT, 'tests/rings/reporter.ts')}';
       export default { test: { reporters: [new RingReporter()] } };`,
    );
    // Both outputs by one pipe: of two, the order in which they arrive says nothing.
    const command = `exec sh "${path.join(ROOT, 'bin/run')}" vitest run 2>&1`;
    const run = listenTo('sh', ['-c', command], {
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '', TEST_SEED: '7', NO_COLOR: '1' },
    });
    expect(await run.exited).toBe(1);
    expect(run.said()).toContain('1/1 ❯ sample.test.ts');
    expect(run.said().trimEnd().split('\n').slice(-11)).toEqual([
      'What failed, and how to run it alone:',
      "  sample.test.ts > money > isn't lost (ever)",
      "      expected [ 'a complaint' ] to deeply equal []",
      '      - []',
      '      + [',
      '      +   "a complaint",',
      '      + ]',
      `    TEST_SEED=7 npm run vitest -- run sample.test.ts -t 'money isn'\\''t lost \\(ever\\)$'`,
      '  sample.test.ts > random',
      '      wrong',
      '    OWN_SEED=5 a command of its own',
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
