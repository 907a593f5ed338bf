import { afterEach, expect } from 'vitest';
import { createMerchant, createOrder, orderStatus } from '../../support/fixtures.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { type Service, startService } from '../../support/service.ts';
import { serviceTest } from '../../support/service-test.ts';
import { expectSound } from '../../support/verify.ts';

/** Processes that answer requests, and others that do what time brings. */
const others: Service[] = [];
const { test, service } = await serviceTest({ ROLES: 'http' });
afterEach(async () => {
  await Promise.all(others.splice(0).map((other) => other.close()));
  await expectSound(service);
});

const start = async (roles: string) => {
  const other = await startService({ ROLES: roles }, service);
  others.push(other);
  return other;
};
const advance = (through: Service, seconds: number) =>
  operatorClient(through).post('/clock/advance', { seconds });
const now = () => service.app.deps.clock.now();

test('a clock is advanced through a process that does no background work: what fell due has happened when it answers', async () => {
  await start('worker');
  const merchant = await createMerchant(service);
  const { orderId } = await createOrder(merchant, { walletType: 'TillID' });
  const target = now() + 3_600_000;
  const answer = await advance(service, 3_600);
  expect(answer).toMatchObject({ status: 200 });
  expect(Date.parse(answer.data.now)).toBeGreaterThanOrEqual(target);
  expect((await orderStatus(merchant, orderId)).status).toBe('CancelledTimeout');
});

test('advances through several processes, with several workers, add up', async () => {
  const [front] = await Promise.all([start('http'), start('worker'), start('worker')]);
  const begin = now();
  const answers = await Promise.all([
    advance(service, 600),
    advance(front, 600),
    advance(service, 600),
  ]);
  for (const answer of answers) expect(answer).toMatchObject({ status: 200 });
  await expect.poll(now).toBeGreaterThanOrEqual(begin + 1_800_000);
});

test('without a worker an advance is refused within seconds, and says what to do', async () => {
  expect(await advance(service, 60)).toMatchObject({
    status: 409,
    error: expect.stringContaining('role worker'),
  });
});
