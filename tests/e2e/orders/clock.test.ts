import { afterAll, expect } from 'vitest';
import { startProcess } from '../../support/process.ts';
import { OPERATOR_TOKEN } from '../../support/service.ts';
import { serviceTest } from '../../support/service-test.ts';

/** One sandbox clock, however many processes advance it (decision 1). */
const { test, service } = await serviceTest();
const other = await startProcess(service, { OPERATOR_TOKEN });
afterAll(async () => {
  await other.stop();
});

const HOUR = 3600;
async function advance(url: string, seconds: number): Promise<number> {
  const response = await fetch(`${url}/api/operator/clock/advance`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${OPERATOR_TOKEN}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ seconds }),
  });
  const { data } = (await response.json()) as { data: { now: string } };
  return Date.parse(data.now);
}

test('advances by several processes, one right after another, add up', async () => {
  const before = service.app.deps.clock.now();
  await advance(service.url, HOUR);
  await advance(other.url, HOUR);
  expect(await advance(service.url, HOUR)).toBeGreaterThanOrEqual(before + 3 * HOUR * 1000);
});
