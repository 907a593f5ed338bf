import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect } from 'vitest';
import { HOLD_TERMS } from '../../apps/server/src/engine/rows/terms.ts';
import {
  type CreatedOrder,
  createMember,
  createMerchant,
  createOrder,
  OPERATOR,
  signedOrder,
  signInMember,
  type TestMerchant,
} from '../support/fixtures.ts';
import { memberClient } from '../support/member-client.ts';
import { operatorClient } from '../support/operator-client.ts';
import { openPage } from '../support/page-client.ts';
import { type Service, startService } from '../support/service.ts';
import { serviceTest } from '../support/service-test.ts';
import { expectSound } from '../support/verify.ts';

/**
 * Commands that are on their way when a key is revoked, or a merchant or member suspended, by
 * another process.
 */
const { test, service: one } = await serviceTest();
const two = await startService({}, one);
afterAll(() => two.close());

const sql = async (text: string, values: readonly unknown[] = []) =>
  (await one.database.pool.query(text, [...values])).rows;
const count = async (text: string, values?: readonly unknown[]) =>
  Number((await sql(`select count(*) as n from ${text}`, values))[0].n);
const lanesWaiting = () =>
  count(
    `pg_stat_activity where datname = current_database() and application_name = 'munshi-engine' and wait_event_type = 'Lock'`,
  );
/** How many wait for the lock of the terms. */
const termsWaitedFor = () =>
  count(
    `pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`,
  );

/**
 * Runs `statement` in a transaction of its own, which ends when `work` has; a statement that needs
 * what it locks waits until then.
 */
async function holding(
  statement: string,
  values: readonly unknown[],
  work: () => Promise<void>,
): Promise<void> {
  const holder = await one.database.pool.connect();
  try {
    await holder.query('begin');
    await holder.query(statement, [...values]);
    await work();
  } finally {
    await holder.query('rollback');
    holder.release();
  }
}

/** What has been answered, in its order. */
function answers() {
  const order: string[] = [];
  return {
    order,
    note: async <T>(name: string, promise: Promise<T>): Promise<T> => {
      const value = await promise;
      order.push(name);
      return value;
    },
  };
}

const payout = (merchant: TestMerchant) =>
  signedOrder(merchant, {
    orderType: 'Withdrawal',
    walletType: 'ProviderA',
    amount: 100,
    customerAccountNumber: '03001234567',
    merchantOrderRef: randomUUID(),
  });
const ending = [
  [
    'a key is revoked',
    401,
    (merchant: TestMerchant) =>
      operatorClient(two).delete(`/merchants/${merchant.merchantId}/api-keys/${merchant.keyId}`),
  ],
  [
    'keys are regenerated',
    401,
    (merchant: TestMerchant) =>
      operatorClient(two).post(`/merchants/${merchant.merchantId}/api-keys/regenerate`),
  ],
  [
    'a merchant is suspended',
    403,
    (merchant: TestMerchant) =>
      operatorClient(two).patch(`/merchants/${merchant.merchantId}`, { status: 'suspended' }),
  ],
] as const;

describe.each(ending)('while an order is on its way, %s', (_name, status, end) => {
  test('which is answered after the order is committed; the next order is refused', async () => {
    const merchant = await createMerchant(one, { balance: '1000' });
    const { order, note } = answers();
    const results: Promise<{ readonly status: number }>[] = [];
    await holding(
      'select from merchant_wallets where merchant_id = $1 for update',
      [merchant.merchantId],
      async () => {
        results.push(note('order', payout(merchant)));
        await expect.poll(lanesWaiting).toBe(1);
        results.push(note('end', end(merchant)));
        await expect.poll(async () => order.length + (await termsWaitedFor())).toBeGreaterThan(0);
        expect(order).toEqual([]);
      },
    );
    expect((await Promise.all(results)).map((result) => result.status)).toEqual([200, 200]);
    expect(await count('orders where merchant_id = $1', [merchant.merchantId])).toBe(1);
    for (const { url } of [one, two])
      expect((await payout({ ...merchant, url })).status).toBe(status);
    await expectSound(one);
  });
});

test('a batch that does not end lets the others pass while a revocation waits for it', async () => {
  const merchant = await createMerchant(one);
  const other = await createMerchant(one);
  const { order, note } = answers();
  let revoked: Promise<{ readonly status: number }> | undefined;
  await holding(HOLD_TERMS.text, [], async () => {
    revoked = note('end', ending[0][2](merchant));
    for (let n = 0; n < 20; n += 1)
      await createOrder({ ...other, url: [one, two][n % 2]?.url as string });
    expect(order).toEqual([]);
  });
  expect((await revoked)?.status).toBe(200);
});

test('a revocation gets its turn among orders that never cease, and nothing accepted after it is', async () => {
  const merchant = await createMerchant(one, { balance: '1000000' });
  let done = false;
  const late: number[] = [];
  const stream = async ({ url }: Service) => {
    while (!done) expect([200, 401]).toContain((await payout({ ...merchant, url })).status);
    late.push((await payout({ ...merchant, url })).status);
  };
  const streams = [one, two, one, two, one, two, one, two].map(stream);
  expect((await ending[0][2](merchant)).status).toBe(200);
  done = true;
  const accepted = await count('orders where merchant_id = $1', [merchant.merchantId]);
  await Promise.all(streams);
  expect(late).toEqual(late.map(() => 401));
  expect(await count('orders where merchant_id = $1', [merchant.merchantId])).toBe(accepted);
  await expectSound(one);
});

const pricesOf = async (orderId: string) =>
  (
    await sql('select created_at, fee::float, rate::float from orders where order_id = $1', [
      orderId,
    ])
  )[0];
const operator = operatorClient(two);
const ruleOf = (merchantId: string, fixed: number) => ({
  merchantId,
  orderType: 'Deposit',
  walletType: 'ProviderA',
  fixed,
});
/** What is changed, and how: it resolves to the time of the change. */
const repriced = [
  [
    'a fee rule begins',
    { fee: 7 },
    async (merchantId: string) =>
      Date.parse((await operator.post('/fee-rules', ruleOf(merchantId, 8))).data.validFrom),
  ],
  [
    'a fee rule ends',
    { fee: 7 },
    async (_merchantId: string, feeRuleId: string) =>
      Date.parse((await operator.delete(`/fee-rules/${feeRuleId}`)).data.validUntil),
  ],
  [
    'an exchange rate begins',
    { rate: 3 },
    async () =>
      Date.parse(
        (await operator.post('/exchange-rates', { currency: 'INR', rate: 4 })).data.validFrom,
      ),
  ],
] as const;

test.each(repriced)(
  'while batches price orders, %s: after those that go without it',
  async (_name, before, change) => {
    const merchant = await createMerchant(one, { currencies: ['INR'] });
    await operator.post('/exchange-rates', { currency: 'INR', rate: 3 });
    const { data: rule } = await operator.post('/fee-rules', ruleOf(merchant.merchantId, 7));
    let changed: Promise<number> | undefined;
    let orderId = '';
    await holding(HOLD_TERMS.text, [], async () => {
      changed = change(merchant.merchantId, rule.feeRuleId);
      await expect.poll(termsWaitedFor).toBeGreaterThan(0);
      orderId = (await createOrder(merchant, { currency: 'INR' })).orderId;
    });
    const at = (await changed) as number;
    const priced = await pricesOf(orderId);
    expect(priced).toMatchObject(before);
    expect(priced.created_at).toBeLessThan(at);
    const next = await pricesOf((await createOrder(merchant, { currency: 'INR' })).orderId);
    expect(next).not.toMatchObject(before);
    expect(next.created_at).toBeGreaterThanOrEqual(at);
  },
);

test('an order that waits for a change of terms is dated after it', async () => {
  const merchant = await createMerchant(one);
  let created: ReturnType<typeof createOrder> | undefined;
  let waitedUntil = 0;
  await holding(HOLD_TERMS.text.replace('_shared', ''), [], async () => {
    created = createOrder(merchant);
    await expect.poll(lanesWaiting).toBe(1);
    waitedUntil = one.app.deps.clock.now();
  });
  const { orderId } = (await created) as CreatedOrder;
  expect((await pricesOf(orderId)).created_at).toBeGreaterThanOrEqual(waitedUntil);
});

test('a member who is suspended before the rows of what they do are locked is refused, and nothing happens', async () => {
  const merchant = await createMerchant(one);
  const member = await createMember(one, {
    methods: ['ProviderB'],
    password: 'a long enough password',
  });
  const client = memberClient(one.url, await signInMember(one, member, 'a long enough password'));
  const order = await createOrder(merchant, { walletType: 'ProviderB' });
  expect(order.status).toBe('Queued');
  const page = openPage(order);
  await page.data('open');
  await page.data('confirm', { transactionDigits: '1234' });
  const doings: Promise<{ readonly status: number; readonly json: { error?: string } }>[] = [];
  await holding('select from orders where order_id = $1 for update', [order.orderId], async () => {
    doings.push(client.call('POST', `/orders/${order.orderId}/confirm`));
    await expect.poll(lanesWaiting).toBe(1);
    doings.push(client.call('POST', `/orders/${order.orderId}/reject`, { reason: 'not there' }));
    const suspended = await two.app.deps.engine.submit({
      kind: 'update-member',
      commandId: randomUUID(),
      memberId: member.memberId,
      status: 'suspended',
      actor: OPERATOR,
    });
    expect(suspended.ok).toBe(true);
  });
  for (const { status, json } of await Promise.all(doings))
    expect([status, json.error]).toEqual([403, expect.stringContaining('suspended')]);
  expect(await sql('select status from orders where order_id = $1', [order.orderId])).toEqual([
    { status: 'AwaitingMemberConfirmation' },
  ]);
  expect(await count('postings where order_id = $1', [order.orderId])).toBe(0);

  // Accepted orders go on to their end, by an operator here.
  const operator = operatorClient(two);
  expect(
    (await operator.post(`/orders/${order.orderId}/escalate`, { note: 'the member is suspended' }))
      .status,
  ).toBe(200);
  expect(
    (
      await operator.post(`/orders/${order.orderId}/resolve`, {
        outcome: 'Completed',
        note: 'seen on the statement',
      })
    ).status,
  ).toBe(200);
  expect(
    (await sql('select float_balance from members where member_id = $1', [member.memberId]))[0]
      .float_balance,
  ).toBe('98500.0000');
  await expectSound(one);
});

test('an account that a member adds while they are suspended is not added', async () => {
  const member = await createMember(one, {
    methods: [],
    online: false,
    password: 'a long enough password',
  });
  const client = memberClient(one.url, await signInMember(one, member, 'a long enough password'));
  const waiting = () =>
    count(`pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
  let added: ReturnType<typeof client.call> | undefined;
  await holding(
    'select pg_advisory_xact_lock(hashtext($1), hashtext(current_schema()))',
    [`member accounts of ${member.memberId}`],
    async () => {
      added = client.call('POST', '/accounts', {
        walletType: 'ProviderA',
        accountNumber: '03001234567',
        accountTitle: 'A. Member',
      });
      await expect.poll(waiting).toBe(1);
      expect(
        (await operatorClient(two).patch(`/members/${member.memberId}`, { status: 'suspended' }))
          .status,
      ).toBe(200);
    },
  );
  expect(await added).toMatchObject({ status: 403, json: { error: 'This account is suspended.' } });
  expect(await count('member_accounts where member_id = $1', [member.memberId])).toBe(0);
});
