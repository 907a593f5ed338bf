import { afterEach, beforeEach, expect } from 'vitest';
import {
  advance,
  createMember,
  createMerchant,
  createOrder,
  everybodyOffline,
} from '../../support/fixtures.ts';
import { memberClient } from '../../support/member-client.ts';
import { createOperator, operatorClient, secondOperator } from '../../support/operator-client.ts';
import { openPage } from '../../support/page-client.ts';
import { serviceTest } from '../../support/service-test.ts';
import { expectSound } from '../../support/verify.ts';

/**
 * Who uses a member's recovery link completes none of the orders that the member took on
 * (security.md#two-operators).
 */

const { test, service } = await serviceTest();
const OLD = 'what the member chose';
const NEW = 'what the thief has chosen';
const asker = operatorClient(service, (await createOperator(service, 'admin')).token);
const second = operatorClient(service);
const third = secondOperator(service);
const merchant = await createMerchant(service, { balance: '1000' });
beforeEach(() => require(true));
afterEach(async () => {
  await expectSound(service);
  await everybodyOffline(service);
});

const require = (on: boolean) =>
  service.database.pool.query(
    'update settings set require_second_operator = $1, adjustment_approval_limit = 100',
    [on],
  );

/** A member with float from before the rule was turned on. */
async function established() {
  await require(false);
  const made = await createMember(service, { methods: ['ProviderA'], password: OLD });
  await require(true);
  return made;
}

/** The sign-in of the person who uses a link that one operator asked for and another approved. */
async function recovered({ memberId, username }: Awaited<ReturnType<typeof established>>) {
  const { approvalId } = (await asker.post(`/members/${memberId}/recovery-link`)).data;
  expect((await second.post(`/approvals/${approvalId}/approve`)).data.status).toBe('approved');
  const { link } = (await asker.post(`/approvals/${approvalId}/fetch`)).data;
  const nobody = memberClient(service.url, '');
  await nobody.data('POST', '/recovery', { token: link.split('#')[1], newPassword: NEW });
  const { token } = await nobody.data('POST', '/session', { username, password: NEW });
  return memberClient(service.url, token);
}

const paid = async () => {
  const order = await createOrder(merchant, { amount: 50, walletType: 'ProviderA' });
  await openPage(order).data('open');
  await openPage(order).data('confirm', { transactionDigits: '5678' });
  return order.orderId;
};
const orderOf = async (orderId: string) => (await second.get(`/orders/${orderId}`)).data;

test('orders that a member held before go into review where they are confirmed, later ones do not', async () => {
  const member = await established();
  const held = await paid();
  const { orderId: payout } = await createOrder(merchant, {
    ...{ orderType: 'Withdrawal', amount: 20, walletType: 'ProviderA' },
    ...{ customerAccountNumber: '03001234567', customerAccountName: 'C' },
  });
  expect((await orderOf(payout)).member.memberId).toBe(member.memberId);
  await advance(service, 1);
  const client = await recovered(member);
  await advance(service, 1);
  const balance = async () =>
    (await second.get(`/merchants/${merchant.merchantId}/balance`)).data.walletBalance;
  const before = await balance();
  for (const orderId of [held, payout]) {
    const confirmed = await client.data('POST', `/orders/${orderId}/confirm`, {
      transactionReference: 'TX-4711',
    });
    expect(confirmed.status).toBe('ManualReview');
    expect((await orderOf(orderId)).timeline.at(-1).note).toMatch(/^Confirmed with transaction/);
  }
  expect(await balance()).toBe(before);
  const resolved = await asker.post(`/orders/${held}/resolve`, { outcome: 'Completed', note: 'n' });
  expect(resolved.data.status).toBe('Completed');
  const later = await paid();
  const done = await client.data('POST', `/orders/${later}/confirm`, {
    transactionReference: 'T2',
  });
  expect(done.status).toBe('Completed');
});

test('a link leaves the member’s accounts as they are, and is used once', async () => {
  const member = await established();
  await recovered(member);
  expect((await second.get(`/members/${member.memberId}`)).data).toMatchObject({
    online: true,
    accounts: [{ status: 'approved' }],
  });
  const signIn = (password: string) =>
    memberClient(service.url, '').call('POST', '/session', {
      ...{ username: member.username, password },
    });
  expect([(await signIn(OLD)).status, (await signIn(NEW)).status]).toEqual([401, 200]);
  expect((await third.get(`/members/${member.memberId}`)).data.credentialByYou).toBe(false);
});
