import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import {
  type CreatedOrder,
  createMember,
  createMerchant,
  createOrder,
  orderStatus,
  signInMember,
} from '../../support/fixtures.ts';
import { memberClient } from '../../support/member-client.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { openPage } from '../../support/page-client.ts';
import { serviceTest } from '../../support/service-test.ts';

/** One transaction completes one order of an account (states.md#one-transaction-one-order). */

const { test, service } = await serviceTest();
const operator = operatorClient(service);
const merchant = await createMerchant(service, { balance: '1000000' });
const password = randomUUID();
const member = await createMember(service, { password, float: '1000000', maxOpenOrders: 100 });
const client = memberClient(service.url, await signInMember(service, member, password));

const payout = () =>
  createOrder(merchant, {
    orderType: 'Withdrawal',
    amount: 250,
    customerAccountNumber: '03009998887',
    customerAccountName: 'Bilal',
  });
async function paidDeposit() {
  const order = await createOrder(merchant, { amount: 100 });
  await openPage(order).data('open');
  await openPage(order).data('confirm', { transactionDigits: '4321' });
  return order;
}
const confirm = ({ orderId }: CreatedOrder, transactionReference: string) =>
  client.call('POST', `/orders/${orderId}/confirm`, { transactionReference });
const used = (order: CreatedOrder) => ({
  status: 409,
  json: { code: 'transaction-used', error: expect.stringContaining(order.orderReference) },
});

describe('a transaction that has completed an order', () => {
  test.each([
    ['payout', payout],
    ['deposit', paidDeposit],
  ])('completes no other %s, however it is written', async (_what, make) => {
    const [first, second] = [await make(), await make()];
    const id = String(Math.floor(Math.random() * 1e11)).padStart(11, '1');
    expect(await confirm(first, `TID: ${id}`)).toMatchObject({
      status: 200,
      json: { data: { status: 'Completed', transactionReference: id } },
    });
    for (const text of [id, `tid ${id.slice(0, 4)} ${id.slice(4)}`, `Trx ID: ${id}`])
      expect(await confirm(second, text)).toMatchObject(used(first));
    expect((await client.call('GET', `/orders/${second.orderId}`)).json.data).toMatchObject({
      allowedActions: expect.arrayContaining(['confirm']),
    });
    expect(await confirm(first, id)).toMatchObject({ status: 200 });
    expect(await confirm(second, `${id}7`)).toMatchObject({ status: 200 });
  });

  test('is found by its ID and by the text that was pasted, by the member and by operators', async () => {
    const order = await payout();
    await confirm(order, 'Sent to Bilal. TID: 90417553318 on 29 Nov');
    for (const text of ['90417553318', 'TID: 90417553318', '9041-7553318']) {
      const query = new URLSearchParams({ search: text });
      const { json } = await client.call('GET', `/orders?state=closed&${query}`);
      expect(json.data.map(({ orderId }: CreatedOrder) => orderId)).toEqual([order.orderId]);
      const found = (await operator.get(`/orders?${query}`)).data;
      expect(found.map(({ orderId }: CreatedOrder) => orderId)).toEqual([order.orderId]);
    }
  });

  test('completes another order if an operator says so with a note', async () => {
    const [first, second] = [await payout(), await payout()];
    await confirm(first, '55510000001');
    expect(await confirm(second, '55510000001')).toMatchObject(used(first));
    const note = 'One transfer of 500 for both';
    await operator.post(`/orders/${second.orderId}/escalate`, { note });
    await operator.post(`/orders/${second.orderId}/resolve`, { outcome: 'Completed', note });
    expect((await orderStatus(merchant, second.orderId)).status).toBe('Completed');
  });

  test('completes one of many that are confirmed with it at once', async () => {
    const orders = await Promise.all(Array.from({ length: 8 }, payout));
    const answers = await Promise.all(orders.map((order) => confirm(order, 'FT77001122')));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(409)]);
  });
});

test('a deposit whose digits end a transaction that the member has noted is reported', async () => {
  const [done, later] = [await payout(), await paidDeposit()];
  await confirm(done, '77788884321');
  const seen = (await client.call('GET', `/orders/${later.orderId}`)).json.data.duplicates;
  expect(seen.own.map(({ orderId }: CreatedOrder) => orderId)).toContain(done.orderId);
  const { similar } = (await operator.get(`/orders/${later.orderId}`)).data;
  const found = similar.find(({ orderId }: CreatedOrder) => orderId === done.orderId);
  expect(found.likenesses).toEqual(['member-reference']);
});
