import { expect } from 'vitest';
import {
  advance,
  type CreatedOrder,
  createMember,
  createMerchant,
  createOrder,
  orderStatus,
} from '../../support/fixtures.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { openPage } from '../../support/page-client.ts';
import { serviceTest } from '../../support/service-test.ts';
import { expectSound } from '../../support/verify.ts';

/**
 * An order that does not move when it should keeps no other from moving, and nobody from their
 * answer.
 */
const { test, service } = await serviceTest();
const merchant = await createMerchant(service);

const sql = (text: string, values: unknown[] = []) => service.database.pool.query(text, values);
const status = async ({ orderId }: CreatedOrder) => (await orderStatus(merchant, orderId)).status;

/** Every command that changes this order breaks while `work` runs. */
async function poisoning({ orderId }: CreatedOrder, work: () => Promise<void>): Promise<void> {
  await service.alter(`create function poison() returns trigger language plpgsql as $$ begin
    if new.order_id = '${orderId}' then raise exception 'injected fault'; end if; return new; end $$`);
  await service.alter(
    'create trigger poison before update on orders for each row execute function poison()',
  );
  await work();
  await service.alter('drop trigger poison on orders');
  await service.alter('drop function poison()');
}

test('an advance does not wait for an order in a legacy status, whose deadline nobody keeps', async () => {
  const legacy = await createOrder(merchant, { walletType: 'TillID' });
  const other = await createOrder(merchant, { walletType: 'TillID' });
  await sql(`update orders set status = 'Frozen' where order_id = $1`, [legacy.orderId]);
  await advance(service, 3_600);
  expect([await status(legacy), await status(other)]).toEqual(['Frozen', 'CancelledTimeout']);
  await sql(`update orders set status = 'Awaiting' where order_id = $1`, [legacy.orderId]);
  await advance(service, 1);
  await expectSound(service);
});

test('an order whose commands break keeps no other from its end, and no advance from its answer', async () => {
  const [poison, other] = [
    await createOrder(merchant, { walletType: 'TillID' }),
    await createOrder(merchant, { walletType: 'TillID' }),
  ];
  await poisoning(poison, async () => {
    await advance(service, 3_600);
    expect([await status(poison), await status(other)]).toEqual(['Awaiting', 'CancelledTimeout']);
  });
  // It is left alone for a minute; an operator need not wait.
  expect(
    await operatorClient(service).post(`/orders/${poison.orderId}/cancel`, { note: 'stuck' }),
  ).toMatchObject({ status: 200 });
  await expectSound(service);
});

test('an order whose commands break keeps no member from being suspended, and none of their other deposits', async () => {
  const member = await createMember(service, { methods: ['ProviderA'], float: '100000' });
  const [poison, other] = [
    await createOrder(merchant, { amount: 100 }),
    await createOrder(merchant, { amount: 200 }),
  ];
  for (const order of [poison, other])
    expect(await openPage(order).data('open')).toMatchObject({ status: 'AwaitingCustomerPayment' });
  await poisoning(poison, async () => {
    const answer = await operatorClient(service).patch(`/members/${member.memberId}`, {
      status: 'suspended',
    });
    expect(answer).toMatchObject({ status: 200, data: { status: 'suspended' } });
    expect([await status(poison), await status(other)]).toEqual([
      'AwaitingCustomerPayment',
      'CancelledAuto',
    ]);
  });
  // What an operator does again brings it to its end.
  expect(
    await operatorClient(service).patch(`/members/${member.memberId}`, { status: 'suspended' }),
  ).toMatchObject({ status: 200 });
  expect(await status(poison)).toBe('CancelledAuto');
  await expectSound(service);
});
