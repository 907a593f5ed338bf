import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect } from 'vitest';
import { takenBack } from '../../../apps/server/src/platform/database/db.ts';
import {
  type CreatedOrder,
  createMember,
  createMerchant,
  createOrder,
  everybodyOffline,
  type TestMember,
} from '../../support/fixtures.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { completeOrder, failedOrder, payDeposit } from '../../support/outcomes.ts';
import { serviceTest } from '../../support/service-test.ts';
import { expectSound, rulesBroken } from '../../support/verify.ts';

/**
 * Each test changes sound books as nothing but a bug or a hand would, with every sum corrected, and
 * takes that back: only the rule that compares the rows themselves can find it.
 */
const { test, service } = await serviceTest();
const { pool } = service.database;
const operator = operatorClient(service);
const merchant = await createMerchant(service, { balance: '50000' });

/** The rules that the books break after these changes, past the triggers. */
const brokenBy = (...changes: readonly string[]) =>
  takenBack(pool, async (client) => {
    await client.query('set local session_replication_role = replica');
    for (const change of changes) expect((await client.query(change)).rowCount).toBeGreaterThan(0);
    return (await rulesBroken(client, service.app.deps.clock.now())).map(
      ({ id, rule }) => `${id} ${rule}`,
    );
  });

const WITHDRAWAL = {
  orderType: 'Withdrawal',
  customerAccountNumber: '03001234567',
  customerAccountName: 'Ayesha Khan',
};
const orderNow = async ({ orderId }: CreatedOrder) =>
  (await operator.get(`/orders/${orderId}`)).data;
const act = (order: CreatedOrder, action: string, body: object = {}) =>
  operator.post(`/orders/${order.orderId}/${action}`, { note: 'for the test', ...body });
const ofOrder = ({ orderId }: CreatedOrder) => `order_id = '${orderId}'`;
const float = ({ memberId }: TestMember, by: number) =>
  `update members set float_balance = float_balance + ${by} where member_id = '${memberId}'`;

let member: TestMember;
let other: TestMember;
beforeEach(async () => {
  await everybodyOffline(service);
  member = await createMember(service);
  other = await createMember(service, { online: false });
});

async function completed(body: Readonly<Record<string, unknown>> = {}): Promise<CreatedOrder> {
  const order = await createOrder(merchant, { amount: 100, ...body });
  await completeOrder(service, order, member);
  return order;
}

describe('the member of a settlement', () => {
  const RULE = ["I13 a settlement posting's member is its order's"];

  test('is found to be another one than the order’s, on either side', async () => {
    const order = await completed();
    const { memberId } = other;
    expect(await brokenBy('select 1')).toEqual([]);
    expect(
      await brokenBy(
        `update postings set member_id = '${memberId}' where ${ofOrder(order)}`,
        float(member, 100),
        float(other, -100),
      ),
    ).toEqual(RULE);
    expect(
      await brokenBy(`update orders set member_id = '${memberId}' where ${ofOrder(order)}`),
    ).toEqual(RULE);
  });

  test('is found missing where the order has one, and present where it has none', async () => {
    const order = await completed();
    expect(
      await brokenBy(
        `update postings set member_id = null, adjustments = member_float, member_float = 0
         where ${ofOrder(order)}`,
        float(member, 100),
      ),
    ).toEqual(RULE);
    expect(await brokenBy(`update orders set member_id = null where ${ofOrder(order)}`)).toEqual(
      RULE,
    );
  });

  test('may be one that operators name for an order of another’s, or of nobody’s', async () => {
    const paid = await createOrder(merchant, { amount: 100 });
    await payDeposit(service, paid);
    await act(paid, 'escalate');
    const resolution = { outcome: 'Completed', memberId: other.memberId };
    expect((await act(paid, 'resolve', resolution)).status).toBe(200);
    expect(await orderNow(paid)).toMatchObject({ memberId: other.memberId });

    await everybodyOffline(service);
    for (const memberId of [other.memberId, null]) {
      const failed = await failedOrder(service, merchant, { ...WITHDRAWAL, amount: 50 });
      const named = memberId === null ? {} : { memberId };
      expect((await act(failed, 'confirm', named)).status).toBe(200);
      expect(await orderNow(failed)).toMatchObject({ status: 'Completed', memberId });
    }
    await expectSound(service);
  });

  test('is the last holder of an order that is confirmed late', async () => {
    const order = await createOrder(merchant, { amount: 100 });
    await act(order, 'cancel');
    expect((await act(order, 'confirm')).status).toBe(200);
    expect(await orderNow(order)).toMatchObject({ memberId: member.memberId });
    await expectSound(service);
  });

  test.each(['resolve', 'confirm'])(
    'is nobody where an order of an older system names a member whom this one does not know: /%s',
    async (action) => {
      await everybodyOffline(service);
      const order = await createOrder(merchant, { amount: 100 });
      const unknown = randomUUID();
      await pool.query(
        `update orders set status = 'Frozen', created_status = 'Frozen', due_at = null,
           member_id = '${unknown}'
         where ${ofOrder(order)}`,
      );
      if (action === 'confirm') await act(order, 'cancel');
      const done = await act(order, action, action === 'resolve' ? { outcome: 'Completed' } : {});
      expect(done.status).toBe(200);
      const { postings } = await orderNow(order);
      expect(postings).toMatchObject([{ memberFloat: 0, adjustments: -100 }]);
      await expectSound(service);
    },
  );
});
