import type { Status } from '@munshi/core';
import { describe, expect } from 'vitest';
import { makeMembers } from '../../../apps/server/src/sandbox/members.service.ts';
import { createMerchant, createOrder, orderStatus } from '../../support/fixtures.ts';
import { get } from '../../support/merchant-client.ts';
import { openPage } from '../../support/page-client.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import { startReceiver } from '../../support/receiver.ts';
import { startService } from '../../support/service.ts';
import { serviceTest } from '../../support/service-test.ts';

/** A sandbox: members who play themselves, and webhooks in seconds (testing.md). */
const { test, service } = await serviceTest({ SANDBOX: '1', CLOCK: 'real' });
const merchant = await createMerchant(service, { balance: '1000000' });

const becomes = (orderId: string, status: Status) =>
  expect
    .poll(async () => (await orderStatus(merchant, orderId)).status, { timeout: PATIENCE_MS })
    .toBe(status);

async function pay(digits: string): Promise<string> {
  const order = await createOrder(merchant);
  const page = openPage(order);
  await page.data('open');
  await page.data('confirm', { transactionDigits: digits });
  return order.orderId;
}
const payout = (customerAccountNumber: string, more: object = {}) =>
  createOrder(merchant, {
    ...{ orderType: 'Withdrawal', customerAccountNumber, customerAccountName: 'Ayesha Khan' },
    ...more,
  });

await makeMembers(service.app.deps);
await makeMembers(service.app.deps); // another process comes too

// They act after seconds: one order waits beside the other.
describe.concurrent('members of a sandbox', () => {
  test.for<[string, Status]>([
    ['1234', 'Completed'],
    ['0002', 'Rejected'],
    ['0003', 'Rejected'],
    ['0005', 'Completed'],
    ['0006', 'Cancelled'],
    ['0007', 'Completed'],
  ])('end a deposit paid with %s as %s', async ([digits, status]) => {
    await becomes(await pay(digits), status);
  });

  test.for<[string, Status]>([
    ['03001234567', 'Completed'],
    ['03000000002', 'Rejected'],
    ['03000000008', 'Completed'],
  ])('end a payout to %s as %s', async ([account, status]) => {
    const { orderId } = await payout(account, { maxRetryCount: 2 });
    await becomes(orderId, status);
  });

  test('find nobody for a payout to 0009', async () => {
    expect((await payout('03000000009')).status).toBe('Awaiting');
  });
});

test('every answer says that it is a sandbox', async () => {
  const answers = ['/api/merchant/orders/balance', '/console', '/pay/x', '/nothing', '/readyz'];
  for (const path of answers)
    expect((await fetch(service.url + path)).headers.get('svc-sandbox')).toBe('1');
  expect((await get(merchant, '/orders/balance')).status).toBe(200);
});

test('ten attempts at a webhook take seconds for minutes', async () => {
  const receiver = await startReceiver(500);
  const { orderId } = await payout('03001234567', { callbackUrl: receiver.url });
  await expect
    .poll(() => receiver.received.length, { timeout: PATIENCE_MS })
    .toBeGreaterThanOrEqual(4);
  const times = receiver.received.slice(0, 4).map(({ at }) => at);
  expect((times[3] as number) - (times[0] as number)).toBeLessThan(30_000);
  expect(String(receiver.received[0]?.body)).toContain(orderId);
  await receiver.close();
});

test('a sandbox is never a live service', async () => {
  await expect(startService({ CLOCK: 'real' }, service)).rejects.toThrow(
    'This database is of a sandbox',
  );
});
