import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  createMember,
  createMerchant,
  createOrder,
  type TestMember,
  type TestMerchant,
} from '../support/fixtures.ts';
import { operatorClient } from '../support/operator-client.ts';
import { type Service, startService } from '../support/service.ts';
import { expectSound } from '../support/verify.ts';

/**
 * The database lets a wallet or a float below what is reserved or held only where it is marked, and
 * only what happened marks it (states.md#late-confirmations). Here rows are broken on purpose, as a
 * bug would: any later command is refused and writes nothing.
 */
let service: Service;
let merchant: TestMerchant;
let member: TestMember;
beforeEach(async () => {
  service = await startService();
  merchant = await createMerchant(service, { balance: '1000' });
  member = await createMember(service, { methods: ['ProviderA'], float: '1000' });
});
afterEach(() => service.close());

const sql = async (text: string, values: readonly unknown[] = []) =>
  (await service.database.pool.query(text, [...values])).rows;
const payout = () =>
  createOrder(merchant, {
    orderType: 'Withdrawal',
    amount: 100,
    customerAccountNumber: '03001234567',
    customerAccountName: 'Bilal',
  });
const confirm = (orderId: string) =>
  service.app.deps.engine.submit({
    kind: 'member-confirm',
    commandId: randomUUID(),
    orderId,
    memberId: member.memberId,
    receivedAmount: null,
    transactionReference: null,
  });

/** Takes the check away for one write that it would refuse. */
async function breaking(table: string, constraint: string, write: string): Promise<void> {
  const [{ definition }] = (await sql(
    `select pg_get_constraintdef(oid) as definition from pg_constraint where conname = $1`,
    [constraint],
  )) as [{ definition: string }];
  await sql(`alter table ${table} drop constraint ${constraint}`);
  await sql(write);
  await sql(`alter table ${table} add constraint ${constraint} ${definition} not valid`);
}

test('the end of an order does not mark a wallet that has less than is reserved: the database refuses it', async () => {
  const { orderId } = await payout();
  await payout();
  await breaking(
    'merchant_wallets',
    'merchant_wallets_covered',
    'update merchant_wallets set balance = 150',
  );
  await expect(confirm(orderId)).rejects.toThrow(/merchant_wallets_covered/);
  expect(await sql('select status from orders where order_id = $1', [orderId])).toEqual([
    { status: 'AwaitingMemberPayout' },
  ]);
  expect(await sql('select balance, reserved, overdrawn from merchant_wallets')).toEqual([
    { balance: '150.0000', reserved: '200.0000', overdrawn: false },
  ]);
  expect(await sql(`select 1 from postings where kind = 'settlement'`)).toEqual([]);
});

test('the end of an order does not mark a float that has less than is held', async () => {
  const order = await createOrder(merchant, { amount: 100 });
  await createOrder(merchant, { amount: 200 });
  await breaking('members', 'members_float_covered', 'update members set float_balance = 150');
  expect(
    (await operatorClient(service).post(`/orders/${order.orderId}/cancel`, { note: 'over' }))
      .status,
  ).toBe(500);
  expect(await sql('select status from orders where order_id = $1', [order.orderId])).toEqual([
    { status: 'Queued' },
  ]);
  expect(await sql('select float_balance, float_held, float_overdrawn from members')).toEqual([
    { float_balance: '150.0000', float_held: '300.0000', float_overdrawn: false },
  ]);
});

test('what happened marks a float, and the ends of orders take the mark away when all is covered again', async () => {
  const late = await createOrder(merchant, { amount: 900 });
  await operatorClient(service).post(`/orders/${late.orderId}/cancel`, { note: 'not paid' });
  const held = await createOrder(merchant, { amount: 950 });
  const floats = () => sql('select float_balance, float_held, float_overdrawn from members');
  expect(
    (
      await operatorClient(service).post(`/orders/${late.orderId}/confirm`, {
        note: 'paid after all',
      })
    ).status,
  ).toBe(200);
  expect(await floats()).toEqual([
    { float_balance: '100.0000', float_held: '950.0000', float_overdrawn: true },
  ]);
  await expectSound(service);
  await operatorClient(service).post(`/orders/${held.orderId}/cancel`, { note: 'over' });
  expect(await floats()).toEqual([
    { float_balance: '100.0000', float_held: '0.0000', float_overdrawn: false },
  ]);
  await expectSound(service);
});
