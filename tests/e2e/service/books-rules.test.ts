import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect } from 'vitest';
import { takenBack } from '../../../apps/server/src/platform/database/db.ts';
import {
  type CreatedOrder,
  createMember,
  createMerchant,
  createOrder,
  everybodyOffline,
  type TestMember,
} from '../../support/fixtures.ts';
import { operatorClient, secondOperator } from '../../support/operator-client.ts';
import {
  completeOrder,
  confirmLate,
  deliveryWhen,
  failedOrder,
  payDeposit,
} from '../../support/outcomes.ts';
import { startReceiver } from '../../support/receiver.ts';
import { serviceTest } from '../../support/service-test.ts';
import { expectSound, rulesBroken } from '../../support/verify.ts';

/**
 * Each test changes sound books as nothing but a bug or a hand would, with every sum corrected, and
 * takes that back: only the rule that compares the rows themselves can find it.
 */
const { test, service } = await serviceTest();
const { pool } = service.database;
const operator = operatorClient(service);
const second = secondOperator(service);
const merchant = await createMerchant(service, { balance: '50000', currencies: ['PKR', 'INR'] });

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
      // The member may come later.
      const known = `update orders set member_id = '${other.memberId}' where ${ofOrder(order)}`;
      expect(await brokenBy(known)).toEqual([]);
    },
  );
});

describe('the amounts of a settlement', () => {
  const SHARE = [
    'I14 a settlement posting moves the float amount of its order, on the float of its member or, without one, the adjustments account',
  ];
  const TERMS = [
    'I14 what an order moves follows from its amount, fee and rate, each product rounded once',
  ];
  const posting = (order: CreatedOrder, change: string) =>
    `update postings set ${change} where ${ofOrder(order)}`;
  const wallet = (by: number) =>
    `update merchant_wallets set balance = balance + ${by}
     where merchant_id = '${merchant.merchantId}'`;

  beforeAll(async () => {
    for (const orderType of ['Deposit', 'Withdrawal'])
      await operator.post('/fee-rules', {
        merchantId: merchant.merchantId,
        orderType,
        walletType: 'ProviderA',
        percent: 1.5,
      });
    await operator.post('/exchange-rates', { currency: 'INR', rate: 3.31415926 });
  });

  test.each([
    ['a deposit', {}],
    ['a withdrawal', WITHDRAWAL],
  ])('are found to move another amount of the float by %s', async (_name, body) => {
    const order = await completed({ currency: 'INR', ...body });
    expect(await brokenBy('select 1')).toEqual([]);
    for (const by of [1, -0.0001]) {
      const elsewhere = ['fees', 'adjustments'].map((account) =>
        posting(order, `member_float = member_float + ${by}, ${account} = ${account} - ${by}`),
      );
      for (const change of elsewhere)
        expect(await brokenBy(change, float(member, by))).toEqual(SHARE);
    }
  });

  test('are found to move the float against its direction', async () => {
    const order = await completed({ currency: 'INR', amount: 10 });
    const back = 2 * 33.1416;
    const turned = posting(order, 'member_float = -member_float, fees = fees + 2 * member_float');
    expect(await brokenBy(turned, float(member, back))).toEqual(SHARE);
  });

  test('are found to move what is frozen', async () => {
    const order = await completed();
    const { merchantId } = merchant;
    expect(
      await brokenBy(
        posting(order, 'frozen = 7, member_float = member_float - 7'),
        float(member, -7),
        `update merchant_wallets set frozen = frozen + 7 where merchant_id = '${merchantId}'`,
      ),
    ).toEqual(SHARE);
  });

  test('are found to lie beside the adjustments account where nobody held the order', async () => {
    await everybodyOffline(service);
    const order = await failedOrder(service, merchant, { amount: 80, currency: 'INR' });
    await act(order, 'confirm');
    const change = posting(order, 'adjustments = adjustments + 1, fees = fees - 1');
    expect(await brokenBy(change)).toEqual(SHARE);
  });

  test('are found to be others than the order’s amount, fee and rate give, in progress too', async () => {
    const settled = await completed({ currency: 'INR' });
    expect(
      await brokenBy(
        `update orders set settlement_amount = settlement_amount + 1 where ${ofOrder(settled)}`,
        posting(settled, 'wallet = wallet + 1, fees = fees - 1'),
        wallet(1),
      ),
    ).toEqual(TERMS);
    expect(
      await brokenBy(
        `update orders set float_amount = float_amount - 0.0001 where ${ofOrder(settled)}`,
        posting(settled, 'member_float = member_float + 0.0001, fees = fees - 0.0001'),
        float(member, 0.0001),
        `update member_accounts set day_amount = day_amount - 0.0001
         where account_id = (select account_id from orders where ${ofOrder(settled)})`,
      ),
    ).toEqual(TERMS);
    const open = await createOrder(merchant, { amount: 100, ...WITHDRAWAL });
    expect(
      await brokenBy(
        `update orders set settlement_amount = 100 where ${ofOrder(open)}`,
        `update merchant_wallets set reserved = reserved - 1.5
         where merchant_id = '${merchant.merchantId}'`,
      ),
    ).toEqual(TERMS);
  });

  test('are those of the order’s rate and fee: a later rate, a later fee, and an amount that is rounded', async () => {
    const before = await createOrder(merchant, { amount: 33.3333, currency: 'INR' });
    await operator.post('/exchange-rates', { currency: 'INR', rate: 3.5 });
    await completeOrder(service, before, member);
    await completed({ amount: 0.0003, currency: 'INR' });
    await completed({ amount: 33.3337, currency: 'INR', ...WITHDRAWAL });
    await expectSound(service);
  });

  test('of an order of an older system are as they came', async () => {
    const order = await createOrder(merchant, { amount: 100 });
    await act(order, 'cancel');
    const changed = (...more: readonly string[]) =>
      `update orders set ${['settlement_amount = 99', 'float_amount = 99.01', ...more].join(', ')}
       where ${ofOrder(order)}`;
    expect(await brokenBy(changed())).toEqual(TERMS);
    expect(await brokenBy(changed('signature_digest = null'))).toEqual([]);
    const older = changed("created_status = 'Frozen'");
    expect(await brokenBy(older)).not.toContain(TERMS[0]);
  });
});

describe('the posting of an adjustment', () => {
  const RULE = [
    'I15 an applied adjustment has its posting, with the moves of its kind, and such a posting its adjustment',
  ];
  const FLOAT = ["I15 a change of a member's float moves it against the adjustments account alone"];
  const I2 =
    'I2 a balance is completed deposits less completed withdrawals plus adjustments and unfreezes less freezes';

  /** Answers its id. */
  async function adjust(kind: string, amount: number): Promise<string> {
    const path = `/merchants/${merchant.merchantId}/adjustments`;
    const { status, data } = await operator.post(path, { kind, amount, reason: 'for the test' });
    expect(status).toBe(200);
    return data.adjustmentId;
  }
  const without = (table: string, id: string, ids: readonly string[]) =>
    `delete from ${table} where ${id} in (${ids.map((one) => `'${one}'`).join(', ')})`;

  /** In the database: turning them down over HTTP would wait. */
  const requireTwo = (on: boolean, limit: number | null) =>
    pool.query('update settings set require_second_operator = $1, adjustment_approval_limit = $2', [
      on,
      limit,
    ]);

  test('is found missing, though what is missing comes to nothing', async () => {
    const ids = [await adjust('credit', 70), await adjust('debit', 70)];
    expect(await brokenBy('select 1')).toEqual([]);
    expect(await brokenBy(without('postings', 'posting_id', ids))).toEqual(RULE);
  });

  test('is found without its adjustment, or with one that was not applied', async () => {
    const ids = [await adjust('freeze', 70), await adjust('unfreeze', 70)];
    expect(await brokenBy(without('adjustments', 'adjustment_id', ids))).toEqual(RULE);
    const waiting = `update adjustments set status = 'pendingApproval'
      where adjustment_id in ('${ids.join("', '")}')`;
    expect(await brokenBy(waiting)).toEqual([expect.stringMatching(/^I12 /), ...RULE]);
  });

  test('is found to be of another adjustment, kind or amount', async () => {
    const [one, two] = [await adjust('credit', 70), await adjust('credit', 80)];
    expect(
      await brokenBy(
        `update adjustments set amount = 150 - amount where adjustment_id in ('${one}', '${two}')`,
      ),
    ).toEqual(RULE);
    expect(
      await brokenBy(`update adjustments set kind = 'unfreeze' where adjustment_id = '${one}'`),
    ).toEqual(RULE);
    expect(
      await brokenBy(
        `update postings set posting_id = '${randomUUID()}' where posting_id = '${one}'`,
      ),
    ).toEqual(RULE);
  });

  test('is found to move other accounts than its kind does', async () => {
    const frozen = await adjust('freeze', 70);
    const { merchantId } = merchant;
    expect(
      await brokenBy(
        `update postings set adjustments = frozen, frozen = 0 where posting_id = '${frozen}'`,
        `update merchant_wallets set frozen = frozen - 70 where merchant_id = '${merchantId}'`,
      ),
    ).toEqual(RULE);
    const credited = await adjust('credit', 30);
    for (const [change, ...others] of [
      ['fees = adjustments, adjustments = 0'],
      [
        `member_float = adjustments, adjustments = 0, member_id = '${member.memberId}'`,
        float(member, -30),
      ],
    ])
      expect(
        await brokenBy(`update postings set ${change} where posting_id = '${credited}'`, ...others),
      ).toEqual(RULE);
  });

  test('of a float is found to move another account', async () => {
    const ofFloat = `member_id = '${member.memberId}' and kind = 'float'`;
    const change = 'fees = adjustments, adjustments = 0';
    expect(await brokenBy(`update postings set ${change} where ${ofFloat}`)).toEqual(FLOAT);
  });

  test('is there for every kind, by one operator or two, and for a float', async () => {
    const kinds = ['credit', 'debit', 'freeze', 'unfreeze'];
    for (const kind of kinds) await adjust(kind, 70.0001);
    await requireTwo(true, 1);
    for (const kind of kinds) {
      const approved = await second.post(`/approvals/${await adjust(kind, 30.5)}/approve`);
      expect(approved.status).toBe(200);
    }
    await adjust('credit', 5_000); // goes on waiting
    const path = `/members/${member.memberId}/float-adjustments`;
    const taken = await operator.post(path, { amount: -20.25, reason: 'for the test' });
    expect(taken.data.status).toBe('pendingApproval');
    expect((await second.post(`/approvals/${taken.data.approvalId}/approve`)).status).toBe(200);
    await requireTwo(false, null);
    await expectSound(service);
  });

  test('may stand alone for a merchant with Confirmed orders of an older system', async () => {
    await everybodyOffline(service);
    const older = await createMerchant(service);
    const order = await createOrder(older, { amount: 100 });
    const opening = [
      `insert into postings (merchant_id, posting_id, kind, wallet, adjustments, posted_at)
       values ('${older.merchantId}', '${randomUUID()}', 'credit', 100, -100, now())`,
      `update merchant_wallets set balance = 100 where merchant_id = '${older.merchantId}'`,
    ];
    expect(await brokenBy(...opening)).toEqual([I2, ...RULE]);
    const confirmed = `update orders
      set status = 'Confirmed', created_status = 'Confirmed', due_at = null,
        completed_at = created_at
      where ${ofOrder(order)}`;
    expect(await brokenBy(...opening, confirmed)).toEqual([]);
  });
});

test('a float below what is held is found, unless a late confirmation could take it there', async () => {
  const RULE =
    'I6 a float falls below what is held by late confirmations, orders that another member held, and legacy orders, alone';
  const by = 1_000_000_000;
  const posted = `update postings
    set member_float = member_float - ${by}, adjustments = adjustments + ${by}
    where member_id = '${member.memberId}' and kind = 'float'`;
  const marked = `update members set float_overdrawn = true where member_id = '${member.memberId}'`;
  await completed();
  expect(await brokenBy(marked)).toEqual([RULE]);
  expect(await brokenBy(marked, posted, float(member, -by))).toEqual([RULE]);
  const late = await createOrder(merchant, { amount: 100 });
  await act(late, 'cancel');
  expect((await act(late, 'confirm')).status).toBe(200);
  expect(await brokenBy(marked, posted, float(member, -by))).toEqual([]);
});

describe('the webhooks of an order', async () => {
  const receiver = await startReceiver();
  afterAll(() => receiver.close());
  const callbackUrl = `${receiver.url}/hook`;

  const OUTCOME =
    'W1 each outcome was written with exactly one delivery, or before the feed without a URL with none';
  const TOLD =
    'W1 a delivery tells an outcome that its order has had, or is a test or an alert of its merchant';
  const IN_TURN = 'W3 no attempt of an older event starts after one of a newer event of its order';
  const ONCE = 'W4 no attempt of a delivery comes after one that was acknowledged';
  const STANDS =
    'W5 a delivery is waiting, acknowledged, abandoned after its attempts, or superseded by a newer one';
  const WAITS =
    'W5 what waits is the newest delivery of its order, which nobody has acknowledged, with as many attempts as it has had';

  /** An order that failed and was confirmed late, and both of its deliveries, acknowledged. */
  async function toldTwice() {
    const order = await failedOrder(service, merchant, { callbackUrl });
    const failed = await deliveryWhen(service, order, { status: 'delivered' });
    await confirmLate(service, order);
    const fits = { status: 'delivered', eventType: 'order.completed' };
    const completed = await deliveryWhen(service, order, fits);
    expect(await brokenBy('select 1')).toEqual([]);
    return { order, failed: ofDelivery(failed), completed: ofDelivery(completed) };
  }
  const ofDelivery = ({ deliveryId }: { readonly deliveryId: string }) =>
    `delivery_id = '${deliveryId}'`;
  const again = (which: string, createdAt = 'created_at') =>
    `insert into deliveries
       (merchant_id, delivery_id, order_id, api_key_id, event_type, url, body, created_at)
     select merchant_id, gen_random_uuid(), order_id, api_key_id, event_type, url, body, ${createdAt}
     from deliveries
     where ${which}`;
  const queued = (which: string, attempts = 1) =>
    `insert into delivery_queue
       (order_id, merchant_id, delivery_id, host, next_attempt_at, attempts)
     select order_id, merchant_id, delivery_id, host, now() + interval '1 day', ${attempts}
     from deliveries
     where ${which}`;
  const unsuccessful = (which: string) =>
    `update delivery_attempts set succeeded = false where ${which}`;

  test('are found missing, doubled, or of another time or event', async () => {
    const { failed, completed } = await toldTwice();
    for (const one of [failed, completed]) {
      expect(await brokenBy(`delete from deliveries where ${one}`)).toContain(OUTCOME);
      expect(await brokenBy(again(one))).toContain(OUTCOME);
      const later = `update deliveries set created_at = created_at + interval '1 s' where ${one}`;
      expect(await brokenBy(later)).toEqual([OUTCOME]);
    }
    // One that was sent again has a time of its own.
    expect(await brokenBy(again(completed, `created_at + interval '1 s'`))).toEqual([STANDS]);
  });

  test('may be missing without a callback URL, and are not doubled there either', async () => {
    const order = await failedOrder(service, merchant, {});
    expect(await brokenBy(`delete from deliveries where ${ofOrder(order)}`)).toEqual([]);
    expect(await brokenBy(again(ofOrder(order)))).toEqual([OUTCOME]);
  });

  test('are found to tell what never was', async () => {
    const order = await failedOrder(service, merchant, {});
    const change = `update deliveries set event_type = 'order.completed' where ${ofOrder(order)}`;
    expect(await brokenBy(change)).toEqual([TOLD]);
  });

  test('are found to have been tried out of turn, or after they were acknowledged', async () => {
    const { failed, completed } = await toldTwice();
    const later = `update delivery_attempts set started_at = started_at + interval '1 day'`;
    expect(await brokenBy(`${later} where ${failed}`)).toEqual([IN_TURN]);
    expect(await brokenBy(`${later} where ${completed}`)).toEqual([]);
    const oneMore = (which: string) =>
      `insert into delivery_attempts
         (merchant_id, delivery_id, number, started_at, duration_ms, succeeded, requested)
       select merchant_id, delivery_id, 2, started_at + interval '1 hour', 1, false, true
       from delivery_attempts
       where ${which}`;
    expect(await brokenBy(oneMore(completed))).toEqual([ONCE]);
    expect(await brokenBy(oneMore(failed))).toEqual([IN_TURN, ONCE]);
  });

  test('are found to be given up too soon, or without anything that says so', async () => {
    const { failed, completed } = await toldTwice();
    expect(await brokenBy(unsuccessful(completed))).toEqual([STANDS]);
    const abandoned = `update deliveries set abandoned = true where ${completed}`;
    expect(await brokenBy(unsuccessful(completed), abandoned)).toEqual([STANDS]);
    const removed = `update deliveries set attempts_removed = 9 where ${completed}`;
    const numbered = `update delivery_attempts set number = 10 where ${completed}`;
    expect(await brokenBy(unsuccessful(completed), abandoned, removed, numbered)).toEqual([]);
    expect(await brokenBy(unsuccessful(failed))).toEqual([]); // superseded
  });

  test('are found to wait as they should not', async () => {
    const { failed, completed } = await toldTwice();
    const open = unsuccessful(completed);
    expect(await brokenBy(open, queued(completed))).toEqual([]);
    expect(await brokenBy(open, queued(completed, 0))).toEqual([WAITS]);
    expect(await brokenBy(queued(completed))).toEqual([WAITS]);
    expect(await brokenBy(unsuccessful(failed), queued(failed))).toEqual([WAITS]);
    for (const change of ['url = null', 'body = null', 'abandoned = true'])
      expect(
        await brokenBy(
          open,
          queued(completed),
          `update deliveries set ${change} where ${completed}`,
        ),
      ).toContain(WAITS);
    const elsewhere = `update delivery_queue set host = 'elsewhere' where ${completed}`;
    expect(await brokenBy(open, queued(completed), elsewhere)).toEqual([WAITS]);
  });
});
