import { randomUUID } from 'node:crypto';
import { isSentFor, money, ORDER_TYPES, payableAmount } from '@munshi/core';
import { afterEach, describe, expect } from 'vitest';
import {
  isSentFor as isSentForSql,
  payableOf,
} from '../../../apps/server/src/engine/rows/payable.ts';
import {
  type CreatedOrder,
  createMember,
  createMerchant,
  createOrder,
  everybodyOffline,
  orderStatus,
  signInMember,
} from '../../support/fixtures.ts';
import { memberClient } from '../../support/member-client.ts';
import { get } from '../../support/merchant-client.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { openPage } from '../../support/page-client.ts';
import { serviceTest } from '../../support/service-test.ts';

/** Orders with more decimals than anybody can send (states.md#what-is-sent). */

const { test, service } = await serviceTest();
const operator = operatorClient(service);
await operator.post('/fee-rules', { orderType: 'Deposit', walletType: 'ProviderA', percent: 1 });
const merchant = await createMerchant(service, { balance: '1000' });
afterEach(() => everybodyOffline(service));

async function join() {
  const password = randomUUID();
  const member = await createMember(service, { methods: ['ProviderA'], password });
  const client = memberClient(service.url, await signInMember(service, member, password));
  return { ...member, client };
}

async function paid(amount: number, digits = '4321'): Promise<CreatedOrder> {
  const order = await createOrder(merchant, { amount });
  await openPage(order).data('open');
  await openPage(order).data('confirm', { transactionDigits: digits });
  return order;
}
const withdraw = (amount: number) =>
  createOrder(merchant, {
    orderType: 'Withdrawal',
    amount,
    customerAccountNumber: '03001112223',
    customerAccountName: 'Bilal',
  });
const balance = async () => (await get(merchant, '/orders/balance')).json.data.availableBalance;

describe('a deposit of 200.7647', () => {
  test('shows 200.77, is completed with it, and credits the order less its fee', async () => {
    const { client } = await join();
    const before = await balance();
    const order = await createOrder(merchant, { amount: 200.7647 });
    expect(await openPage(order).data('open')).toMatchObject({
      amount: 200.7647,
      payableAmount: 200.77,
    });
    await openPage(order).data('confirm', { transactionDigits: '4321' });
    const path = `/orders/${order.orderId}/confirm`;
    for (const receivedAmount of [200.76, 200.7646, 200.78, 201])
      expect(await client.call('POST', path, { receivedAmount })).toMatchObject({
        status: 422,
        json: { error: expect.stringContaining("is not the order's PKR\u00a0200.77") },
      });
    expect(await client.data('POST', path, { receivedAmount: 200.77 })).toMatchObject({
      status: 'Completed',
      amount: 200.7647,
      floatAmount: 200.7647,
    });
    expect(await orderStatus(merchant, order.orderId)).toMatchObject({
      amount: 200.7647,
      fee: 2.0076,
    });
    expect(await balance()).toBe(Number((before + 200.7647 - 2.0076).toFixed(4)));
  });

  test('is completed with its exact amount too, and neither is another amount to tell of', async () => {
    const { client } = await join();
    const { orderId } = await paid(200.7647);
    for (const receivedAmount of [200.77, 200.7647])
      expect(
        await client.call('POST', `/orders/${orderId}/note`, { receivedAmount }),
      ).toMatchObject({ status: 422 });
    const confirm = { receivedAmount: 200.7647 };
    expect(await client.data('POST', `/orders/${orderId}/confirm`, confirm)).toMatchObject({
      status: 'Completed',
    });
  });
});

test('a withdrawal of 200.7647 is paid with 200.76 and debits the order', async () => {
  const { client } = await join();
  const before = await balance();
  const order = await withdraw(200.7647);
  expect(await openPage(order).state()).toMatchObject({ payableAmount: 200.76 });
  const path = `/orders/${order.orderId}/confirm`;
  expect(await client.call('POST', path, { receivedAmount: 200.77 })).toMatchObject({
    status: 422,
    json: { error: expect.stringContaining("is not the order's PKR\u00a0200.76") },
  });
  expect(await client.data('POST', path, { receivedAmount: 200.76 })).toMatchObject({
    status: 'Completed',
  });
  expect(await balance()).toBe(Number((before - 200.7647).toFixed(4)));
});

describe('deposits of which the same is payable', () => {
  const holderOf = async ({ orderId }: CreatedOrder) =>
    (await operator.get(`/orders/${orderId}`)).data.memberId;

  test.each([
    ['the rounded one first', [200.7647, 200.77]],
    ['the rounded one last', [200.77, 200.7647]],
    ['both rounded', [200.7647, 200.7601]],
  ])('get different accounts while there is a choice: %s', async (_name, amounts) => {
    const busy = await join();
    for (const amount of [501, 502, 503]) await createOrder(merchant, { amount });
    const idle = await join();
    const holders = [];
    for (const amount of amounts)
      holders.push(await holderOf(await createOrder(merchant, { amount })));
    expect(holders).toEqual([idle.memberId, busy.memberId]);
    // Of another payable amount: by turn.
    const other = await createOrder(merchant, { amount: 200.76 });
    expect(await holderOf(other)).toBe(idle.memberId);
  });

  test('are found in the database where nobody loaded is without one', async () => {
    for (let n = 0; n < 8; n += 1) await join();
    const amounts = [300.001, 300.002, 300.01, 300.003, 300.0099, 300.0042, 300.0011, 300.0012];
    const orders = [];
    for (const amount of amounts) orders.push(await createOrder(merchant, { amount }));
    expect(new Set(await Promise.all(orders.map(holderOf))).size).toBe(8);
  });

  test('are duplicates and similar when the same digits are given', async () => {
    const { client } = await join();
    const rounded = await paid(410.001, '7777');
    const exact = await paid(410.01, '7777');
    const other = await paid(410, '7778');
    const { duplicates } = await client.data('GET', `/orders/${exact.orderId}`);
    expect(duplicates.own).toMatchObject([{ orderId: rounded.orderId }]);
    const similarTo = async ({ orderId }: CreatedOrder) => {
      const { similar } = (await operator.get(`/orders/${orderId}`)).data;
      return similar.map((one: { orderId: string; likenesses: string[] }) => [
        one.orderId,
        one.likenesses,
      ]);
    };
    expect(await similarTo(exact)).toEqual([[rounded.orderId, ['digits', 'amount']]]);
    expect(await similarTo(rounded)).toEqual([[exact.orderId, ['digits', 'amount']]]);
    expect(await similarTo(other)).toEqual([]);
    await client.data('POST', `/orders/${rounded.orderId}/confirm`, { receivedAmount: 410.01 });
    expect(await similarTo(exact)).toEqual([[rounded.orderId, ['digits', 'amount']]]);
  });
});

describe('a search for an amount', () => {
  test('finds the orders of which it is payable, open and ended, of each kind', async () => {
    const { client } = await join();
    const deposit = await paid(620.7647);
    const [exact, more] = [await paid(620.77), await paid(620.7701)];
    const payout = await withdraw(620.7781);
    const all = [deposit, exact, more, payout];
    const foundBy = async (read: () => Promise<readonly CreatedOrder[]>) => {
      const rows = await read();
      return all.filter(({ orderId }) => rows.some((row) => row.orderId === orderId));
    };
    const byOperator = (text: string) =>
      foundBy(async () => (await operator.get(`/orders?search=${text}`)).data);
    const expectFound = async (by: (text: string) => Promise<readonly CreatedOrder[]>) => {
      expect(await by('620.77')).toEqual([deposit, exact, payout]);
      expect(await by('620.7647')).toEqual([deposit]);
      expect(await by('620.78')).toEqual([more]);
    };
    await expectFound(byOperator);
    for (const { orderId } of all) await client.data('POST', `/orders/${orderId}/confirm`, {});
    await expectFound(byOperator);
    await expectFound((text) =>
      foundBy(() => client.data('GET', `/orders?state=closed&search=${text}`)),
    );
  });
});

test('the database rounds as core does', async () => {
  const amounts = ['0.0001', '0.0099', '0.01', '0.0199', '200.7647', '200.77', '200', '199.9999'];
  const sent = ['0.01', '0.02', '200', '199.99', '200.76', '200.77', '200.7647'];
  for (const orderType of ORDER_TYPES)
    for (const amount of [...amounts, '99999999999999.9999']) {
      const order = { orderType, amount: money(amount) };
      const row = `(select $1::text as order_type, $2::numeric as amount) o`;
      const { rows } = await service.database.pool.query(
        `select (${payableOf('o')})::numeric(19, 4)::text as payable,
           (select array_agg(${isSentForSql('o', 's')} order by n)
            from unnest($3::numeric[]) with ordinality as s (s, n)) as fits
         from ${row}`,
        [orderType, amount, sent],
      );
      expect(money(rows[0].payable)).toBe(payableAmount(order));
      expect(rows[0].fits).toEqual(sent.map((each) => isSentFor(order, money(each))));
    }
});
