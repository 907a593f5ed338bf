import { beforeAll, describe, expect, test } from 'vitest';
import { type Workload, withDatabase } from '../../bench/bench.ts';
import { SHORT } from '../../bench/options.ts';
import { startServer } from '../../bench/processes.ts';
import { reportOf } from '../../bench/report.ts';
import { runWorkloads } from '../../bench/run.ts';
import type { Results } from '../../bench/samples.ts';
import { WORKLOADS } from '../../bench/workloads/index.ts';

/** `npm start` is tested elsewhere. */
const workloads = WORKLOADS.filter(({ name }) => name !== 'start-up');

describe('the benchmark in its short form', () => {
  let results: Results;
  beforeAll(async () => {
    results = await runWorkloads({
      workloads,
      options: SHORT,
      command: 'short',
      ephemeral: true,
      say: () => {},
    });
  }, 1_800_000); // for a machine that has much else to do: it ends a run that hangs, and says nothing of speed

  test.each(workloads.map(({ name }) => name))(
    '%s runs, its answers are right and the database agrees',
    (name) => {
      expect(results.checks.filter(({ workload, ok }) => workload === name && !ok)).toEqual([]);
      expect(results.checks.some(({ workload }) => workload === name)).toBe(true);
      const own = results.samples.filter(
        ({ workload, contender }) => workload === name && contender === 'munshi',
      );
      expect(own.length).toBeGreaterThan(0);
      for (const { figures } of own)
        for (const [figure, value] of Object.entries(figures))
          expect([figure, Number.isFinite(value)]).toEqual([figure, true]);
    },
  );

  test('a report comes of its results', () => {
    const report = reportOf(results);
    for (const { name } of workloads) expect(report).toContain(`### ${name}`);
    expect(report).toContain('Every answer was right');
    expect(report).toContain('creations / bare-store');
    expect(report).not.toMatch(/NaN|undefined/);
  });
});

test('a workload that fails says what its server said', async () => {
  const broken: Workload = {
    name: 'broken',
    about: 'a server that does not start',
    run: (bench) =>
      withDatabase(bench, 'broken', async (environment) => {
        await startServer(environment, { env: { MASTER_KEY: 'none' } });
      }),
  };
  const { checks } = await runWorkloads({
    workloads: [broken],
    options: SHORT,
    command: 'broken',
    ephemeral: true,
    say: () => {},
  });
  expect(checks).toMatchObject([
    { ok: false, detail: expect.stringContaining('MASTER_KEY must be 64 hex characters') },
  ]);
});
