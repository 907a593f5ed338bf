import { expect, test } from 'vitest';
import { saveClockOffset } from '../../../apps/server/src/settings/clock-offset.store.ts';
import {
  advance,
  createMember,
  createMerchant,
  createOrder,
  signInMember,
} from '../../support/fixtures.ts';
import { memberClient } from '../../support/member-client.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { startPushService } from '../../support/push-service.ts';
import { startService } from '../../support/service.ts';

/** The process that sends alerts was away while orders went on being assigned. */

const PASSWORD = 'correct horse';
const AWAY_MS = 15 * 60_000;

test('who could not be alerted for a quarter of an hour is alerted then, and has missed nothing', async () => {
  const requests = await startService({ ROLES: 'http', ALLOW_PRIVATE_CALLBACKS: '1' });
  const operator = operatorClient(requests);
  await operator.patch('/settings', { missedAlertsMax: 2 });
  const created = await createMember(requests, { password: PASSWORD, float: '100000' });
  const token = await signInMember(requests, created, PASSWORD);
  const member = memberClient(requests.url, token);
  const { publicKey } = await member.data('GET', '/push');
  const phones = await startPushService(publicKey);
  await member.data('POST', '/push/subscriptions', phones.phone().subscription);
  const merchant = await createMerchant(requests, { balance: '100000' });
  const orders = await Promise.all(
    [700, 800].map((amount) =>
      createOrder(merchant, {
        orderType: 'Withdrawal',
        amount,
        customerAccountNumber: '03001112223',
      }),
    ),
  );
  await saveClockOffset(requests.database.pool, AWAY_MS);

  const worker = await startService({ ROLES: 'worker', ALLOW_PRIVATE_CALLBACKS: '1' }, requests);
  try {
    const pushed = () => new Set(phones.pushed.map(({ payload }) => payload.orderId));
    await expect.poll(pushed).toEqual(new Set(orders.map(({ orderId }) => orderId)));
    await advance(worker, 60);
    expect(await member.data('GET', '/me')).toMatchObject({ online: true, takenOffline: null });
    await advance(worker, 70);
    expect(await member.data('GET', '/me')).toMatchObject({ takenOffline: { missed: 2 } });
  } finally {
    await worker.close();
    await phones.close();
    await requests.close();
  }
});
