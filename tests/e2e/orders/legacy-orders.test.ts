import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, expect } from 'vitest';
import { inTransaction } from '../../../apps/server/src/platform/database/db.ts';
import { statementsIn } from '../../../apps/server/src/platform/database/migrate.ts';
import {
  createMember,
  createMerchant,
  createOrder,
  setPresence,
  signInMember,
  type TestMerchant,
} from '../../support/fixtures.ts';
import { memberClient } from '../../support/member-client.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { startReceiver } from '../../support/receiver.ts';
import { serviceTest } from '../../support/service-test.ts';
import { expectSound } from '../../support/verify.ts';

/** Orders of before this service that are still open. */
const { test, service } = await serviceTest();
const member = await createMember(service, {
  methods: ['ProviderA'],
  password: 'a long enough password',
  float: '10000',
});

const sql = async (text: string, values: readonly unknown[] = []) =>
  (await service.database.pool.query(text, [...values])).rows;
const STATUSES = ['Assigned', 'Frozen'] as const;
const TYPES = ['Deposit', 'Withdrawal'] as const;
type OrderType = (typeof TYPES)[number];

/**
 * An order as it was stored before: of a status that nothing writes any more, which takes no slot
 * and holds no float of its member.
 */
async function legacyOrder(
  merchant: TestMerchant,
  orderType: OrderType,
  status: string,
  more = '',
): Promise<string> {
  await setPresence(service, member.memberId, false);
  const account =
    orderType === 'Withdrawal'
      ? { customerAccountNumber: '03001234567', customerAccountName: 'Bilal' }
      : {};
  const { orderId } = await createOrder(merchant, { orderType, amount: 100, ...account });
  const aDayAgo = new Date(service.app.deps.clock.now() - 86_400_000);
  await sql(
    `update orders set status = $2, created_status = $2, due_at = $5, member_id = $3, account_id = $4 ${more} where order_id = $1`,
    [orderId, status, member.memberId, member.accounts[0]?.accountId, aDayAgo],
  );
  await setPresence(service, member.memberId, true);
  return orderId;
}
const walletOf = async ({ merchantId }: TestMerchant) =>
  (await operatorClient(service).get(`/merchants/${merchantId}/balance`)).data;
const memberNow = async () =>
  (
    await sql('select open_orders, float_balance, float_held from members where member_id = $1', [
      member.memberId,
    ])
  )[0];

const ENDS = [
  ['cancel', { note: 'of the old service' }, 'Cancelled', 'order.failed'],
  ['resolve', { outcome: 'Cancelled', note: 'of the old service' }, 'Cancelled', 'order.failed'],
  ['resolve', { outcome: 'Completed', note: 'of the old service' }, 'Completed', 'order.completed'],
] as const;

describe.each(TYPES)('a %s', (orderType) => {
  describe.each(STATUSES)('that is %s', (status) => {
    test.each(ENDS)('is ended by /%s %j: %s, sent as %s', async (action, body, end, event) => {
      const receiver = await startReceiver();
      const merchant = await createMerchant(service, {
        balance: '500',
        defaultCallbackUrl: `${receiver.url}/hook`,
      });
      const orderId = await legacyOrder(merchant, orderType, status);
      const before = await memberNow();
      expect((await walletOf(merchant)).reservedBalance).toBe(orderType === 'Withdrawal' ? 100 : 0);
      await expectSound(service);
      const { data } = await operatorClient(service).get(`/orders/${orderId}`);
      expect(data.allowedActions).toEqual(['resolve', 'cancel']);

      expect(
        (await operatorClient(service).post(`/orders/${orderId}/${action}`, body)).status,
      ).toBe(200);
      expect(
        (await sql('select status from orders where order_id = $1', [orderId]))[0].status,
      ).toBe(end);
      const settled = end === 'Completed' ? (orderType === 'Deposit' ? 100 : -100) : 0;
      expect(await walletOf(merchant)).toMatchObject({
        walletBalance: 500 + settled,
        reservedBalance: 0,
      });
      expect(Number((await memberNow()).float_balance) + settled).toBe(
        Number(before.float_balance),
      );
      expect(await memberNow()).toMatchObject({
        open_orders: before.open_orders,
        float_held: before.float_held,
      });
      const [webhook] = await receiver.arrived(1);
      expect(webhook?.json.event ?? webhook?.headers['x-svc-event']).toBe(event);
      await receiver.close();
      await expectSound(service);
    });
  });
});

test('they are listed with what is in hand, for operators and for the member, and nobody else ends them', async () => {
  const merchant = await createMerchant(service, { balance: '500' });
  const ids = [
    await legacyOrder(merchant, 'Deposit', 'Assigned'),
    await legacyOrder(merchant, 'Withdrawal', 'Frozen'),
  ];
  const listed = async (query: string) =>
    (await operatorClient(service).get(`/orders?${query}`)).data.map(
      ({ orderId }: { orderId: string }) => orderId,
    );
  expect((await listed(`merchantId=${merchant.merchantId}&stage=Assigned`)).toSorted()).toEqual(
    ids.toSorted(),
  );
  expect(await listed(`memberId=${member.memberId}&stage=Assigned`)).toEqual(
    expect.arrayContaining(ids),
  );
  const client = memberClient(
    service.url,
    await signInMember(service, member, 'a long enough password'),
  );
  const open = (await client.call('GET', '/orders?state=open')).json.data;
  expect(open.map(({ orderId }: { orderId: string }) => orderId)).toEqual(ids.toSorted());
  expect(open.map(({ allowedActions }: { allowedActions: string[] }) => allowedActions)).toEqual([
    [],
    [],
  ]);
  for (const orderId of ids) {
    for (const action of ['confirm', 'reject', 'report', 'release']) {
      expect(
        (
          await client.call(
            'POST',
            `/orders/${orderId}/${action}`,
            action === 'confirm' ? {} : { reason: 'no' },
          )
        ).status,
      ).toBe(409);
    }
    for (const [action, body] of [
      ['escalate', { note: 'n' }],
      ['confirm', { note: 'n' }],
    ] as const) {
      expect(
        (await operatorClient(service).post(`/orders/${orderId}/${action}`, body)).status,
      ).toBe(409);
    }
  }
  await expectSound(service);
});

/** A withdrawal in progress that was stored without a reservation, of a member who is unknown here. */
async function unreserved(merchant: TestMerchant): Promise<string> {
  const orderId = await legacyOrder(
    merchant,
    'Deposit',
    'Assigned',
    `, order_type = 'Withdrawal', wallet_type = 'ProviderA'`,
  );
  await sql('update orders set member_id = $2, account_id = null where order_id = $1', [
    orderId,
    randomUUID(),
  ]);
  return orderId;
}

/** Runs the migration's statements, in one transaction as at an upgrade. */
async function reserveOlder() {
  const folder = '../../../apps/server/src/platform/database/migrations/';
  const file = new URL(`${folder}0034_older_withdrawals_reserved.sql`, import.meta.url);
  await inTransaction(service.database.pool, async (client) => {
    for (const statement of statementsIn(await readFile(file, 'utf8')))
      await client.query(statement);
  });
}

describe('withdrawals that were stored without a reservation', () => {
  test.each([
    [500, 'cancel', { note: 'gone' }, 500],
    [50, 'cancel', { note: 'gone' }, 50],
    [50, 'resolve', { outcome: 'Completed', note: 'paid before' }, -50],
  ] as const)(
    'are reserved by the migration, once, and then end as others do: of %i, by /%s %j, %i are left',
    async (had, action, body, left) => {
      const merchant = await createMerchant(service, { balance: String(had) });
      const orderId = await unreserved(merchant);
      expect(await walletOf(merchant)).toMatchObject({ reservedBalance: 0 });
      for (const _again of [1, 2]) {
        await reserveOlder();
        expect(await walletOf(merchant)).toMatchObject({
          walletBalance: had,
          reservedBalance: 100,
          availableBalance: had - 100,
          overdrawn: had < 100,
        });
      }
      await expectSound(service);
      expect(
        (await operatorClient(service).post(`/orders/${orderId}/${action}`, body)).status,
      ).toBe(200);
      expect(await walletOf(merchant)).toMatchObject({
        walletBalance: left,
        reservedBalance: 0,
        availableBalance: left,
        overdrawn: left < 0,
      });
      await expectSound(service);
    },
  );

  test('are reserved beside what the merchant’s other withdrawals reserve, while these begin and end', async () => {
    const merchant = await createMerchant(service, { balance: '100000' });
    const other = await createMerchant(service, { balance: '500' });
    const created = () =>
      createOrder(merchant, {
        orderType: 'Withdrawal',
        walletType: 'ProviderB',
        amount: 30,
        customerAccountNumber: '03001234567',
      });
    await unreserved(merchant);
    const first = await Promise.all(Array.from({ length: 20 }, created));
    await Promise.all([
      ...first.map(({ orderId }) =>
        operatorClient(service).post(`/orders/${orderId}/cancel`, { note: 'not needed' }),
      ),
      reserveOlder(),
      ...Array.from({ length: 20 }, created),
    ]);
    expect(await walletOf(merchant)).toMatchObject({ reservedBalance: 700, overdrawn: false });
    expect(await walletOf(other)).toMatchObject({ walletBalance: 500, reservedBalance: 0 });
    await expectSound(service);
  });
});
