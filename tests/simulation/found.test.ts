import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, expect } from 'vitest';
import {
  advance,
  createMember,
  createMerchant,
  createOrder,
  setPresence,
  type TestMerchant,
} from '../support/fixtures.ts';
import { postOrder } from '../support/merchant-client.ts';
import { operatorClient, secondOperator } from '../support/operator-client.ts';
import { type Service, startService } from '../support/service.ts';
import { serviceTest } from '../support/service-test.ts';

/** What the simulation has found, each as the smallest case. */

const { test, service: one } = await serviceTest();
const two = await startService({}, one);
const { hosts, user, password, database } = one.target;
const admin = new pg.Client({ host: hosts[0]?.host, user, password, database });
await admin.connect();
afterAll(async () => {
  await admin.end();
  await two.close();
});

const payout = {
  orderType: 'Withdrawal',
  walletType: 'ProviderA',
  customerAccountNumber: '03001234567',
};

/**
 * Both requests have read everything but the merchant's wallet, one on each server, before either
 * gets it.
 */
async function atTheWallet(
  merchant: TestMerchant,
  first: Parameters<typeof postOrder>,
  second: Parameters<typeof postOrder>,
) {
  await admin.query('begin');
  await admin.query('select from merchant_wallets where merchant_id = $1 for update', [
    merchant.merchantId,
  ]);
  const answers = [postOrder(...first), postOrder(...second)];
  await expect.poll(waitingForLocks, { interval: 10 }).toBe(2);
  await admin.query('commit');
  return Promise.all(answers);
}

async function waitingForLocks(): Promise<number> {
  const text = `select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return (await one.database.pool.query(text)).rows[0].waiting;
}

test('of withdrawals that wait with different providers the oldest gets the member who can pay both', async () => {
  const merchant = await createMerchant(one, { balance: '1000' });
  const bank = await createOrder(merchant, { ...payout, walletType: 'BankAccount', amount: 100 });
  const wallet = await createOrder(merchant, { ...payout, amount: 100 });
  const member = await createMember(one, {
    methods: ['ProviderA', 'BankAccount'],
    maxOpenOrders: 1,
    online: false,
  });
  await setPresence(one, member.memberId, true);
  await advance(one, 0);
  const { rows } = await one.database.pool.query(
    'select order_id, member_id from orders where merchant_id = $1 order by order_id',
    [merchant.merchantId],
  );
  expect(rows).toEqual([
    { order_id: bank.orderId, member_id: member.memberId },
    { order_id: wallet.orderId, member_id: null },
  ]);
  await setPresence(one, member.memberId, false);
});

test('a withdrawal that is retried on another server is answered with its order, though it has taken the money that the retry would need', async () => {
  const merchant = await createMerchant(one, { balance: '150' });
  const idempotencyKey = randomUUID();
  const body = { ...payout, amount: 100 };
  const at = (service: Service) => ({ ...merchant, url: service.url });
  // Not the same bytes: those are recognised as a replay in any case.
  const answers = await atTheWallet(
    merchant,
    [at(one), body, { idempotencyKey }],
    [at(two), { ...body, customerReference: 'a retry' }, { idempotencyKey }],
  );
  expect(answers.map(({ status, text }) => (status === 200 ? status : text))).toEqual([200, 200]);
  expect(new Set(answers.map(({ json }) => json.data.orderId)).size).toBe(1);
});

test('of two withdrawals with one reference at once the second is refused for the reference, not for the money that the first has taken', async () => {
  const merchant = await createMerchant(one, { balance: '150' });
  const body = { ...payout, amount: 100, merchantOrderRef: randomUUID() };
  const at = (service: Service) => ({ ...merchant, url: service.url });
  const answers = await atTheWallet(
    merchant,
    [at(one), body],
    [at(two), { ...body, customerReference: 'another' }],
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
});

test.each(['confirm', 'resolve'] as const)(
  'approving a request to %s whose place a newer one has taken approves neither',
  async (action) => {
    const [first, second] = [operatorClient(one), secondOperator(one)];
    const merchant = await createMerchant(one);
    const member = await createMember(one, { methods: ['ProviderA'] });
    const { orderId } = await createOrder(merchant, { amount: 100 });
    await first.post(`/orders/${orderId}/${action === 'confirm' ? 'cancel' : 'escalate'}`, {
      note: 'no',
    });
    const { status } = (await first.get(`/orders/${orderId}`)).data;
    await one.database.pool.query('update settings set require_second_operator = true');
    const body = { note: 'it came', ...(action === 'resolve' && { outcome: 'Completed' }) };
    const { approvalId } = (await first.post(`/orders/${orderId}/${action}`, body)).data;
    const later = (await first.post(`/orders/${orderId}/${action}`, { ...body, note: 'read this' }))
      .data;
    expect(await second.post(`/approvals/${approvalId}/approve`)).toMatchObject({ status: 409 });
    expect((await first.get(`/approvals/${later.approvalId}`)).data.status).toBe('pending');
    expect((await first.get(`/orders/${orderId}`)).data.status).toBe(status);
    expect((await second.post(`/approvals/${later.approvalId}/approve`)).data.status).toBe('done');
    await one.database.pool.query('update settings set require_second_operator = false');
    await setPresence(one, member.memberId, false);
  },
);
