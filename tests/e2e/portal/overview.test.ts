import { expect } from 'vitest';
import { advance, createMember, createMerchant, createOrder } from '../../support/fixtures.ts';
import { cancelOrder, completeOrder } from '../../support/outcomes.ts';
import { createPortalUser, portalClient, signInPortal } from '../../support/portal.ts';
import { serviceTest } from '../../support/service-test.ts';

const { test, service } = await serviceTest();
const DAY_SECONDS = 86_400;

/** A merchant with a user of its own, as it asks. */
async function shop() {
  const merchant = await createMerchant(service, { name: 'Bazaar', balance: '10000' });
  const { username } = await createPortalUser(service, merchant, 'viewer');
  /** Signed in anew: sessions end with the day. */
  const overview = async () => {
    const token = await signInPortal(service, username);
    return portalClient(service, token).data('GET', '/overview');
  };
  return { merchant, overview };
}

test('orders count on the day of their creation, in the merchant’s time zone', async () => {
  const member = await createMember(service, { float: '100000', maxOpenOrders: 100 });
  const { merchant, overview } = await shop();
  const first = await createOrder(merchant, { amount: 2500 });
  await completeOrder(service, first, member);
  await cancelOrder(service, await createOrder(merchant, { amount: 900 }));
  await createOrder(merchant, { amount: 700 });
  const { today, yesterday, timeZone, concerns } = await overview();
  expect(timeZone).toBe('Asia/Karachi');
  expect(today.deposits).toMatchObject({
    ...{ created: 3, completed: 1, failed: 1, completedAmount: 2500 },
    medianSeconds: expect.any(Number),
  });
  expect([today.withdrawals.created, yesterday.deposits.created]).toEqual([0, 0]);
  expect(concerns).toEqual([]);

  await advance(service, DAY_SECONDS);
  const next = await overview();
  expect(next.yesterday.day).toBe(today.day);
  expect(next.yesterday.deposits).toMatchObject({ created: 3, completed: 1 });
  expect(next.today.deposits.created).toBe(0);
});

test('what needs somebody is said: failures, a balance that may not last, keys, receivers', async () => {
  const { merchant, overview } = await shop();
  const { merchantId } = merchant;
  for (let made = 0; made < 10; made += 1)
    await cancelOrder(service, await createOrder(merchant, { amount: 100 + made }));
  expect((await overview()).concerns).toEqual([{ kind: 'many-failures', failed: 10, ended: 10 }]);

  await service.database.pool.query(
    `insert into webhook_endpoints (merchant_id, host, consecutive_failures, failing_since, last_error)
     values ($1, 'deaf.example', 3, now(), 'Refused.')`,
    [merchantId],
  );
  const { concerns } = await overview();
  expect(concerns[0]).toMatchObject({
    ...{ kind: 'webhooks-failing', host: 'deaf.example', lastError: 'Refused.' },
  });
  const other = await shop();
  expect((await other.overview()).concerns).toEqual([]);
  await advance(service, 366 * DAY_SECONDS);
  expect((await other.overview()).concerns).toMatchObject([{ kind: 'key-unused' }]);
});
