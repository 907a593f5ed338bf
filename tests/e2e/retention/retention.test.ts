import { randomUUID } from 'node:crypto';
import type { RetentionPolicy } from '@munshi/core';
import { afterAll, beforeEach, describe, expect, vi } from 'vitest';
import { claimLate } from '../../../apps/server/src/late-claims/service.ts';
import type { PageOrder } from '../../../apps/server/src/orders/page.store.ts';
import type { DatabaseTarget } from '../../../apps/server/src/platform/config/database-url.ts';
import { takenBack } from '../../../apps/server/src/platform/database/db.ts';
import { createRetention } from '../../../apps/server/src/retention/service.ts';
import { deleteAttempts, deleteHistories } from '../../../apps/server/src/retention/store.ts';
import {
  advance,
  type CreatedOrder,
  createMember,
  createMerchant,
  createOrder,
  OPERATOR,
  signedOrder,
} from '../../support/fixtures.ts';
import { operatorClient } from '../../support/operator-client.ts';
import {
  cancelOrder,
  completeOrder,
  confirmLate,
  deliveriesOf,
  deliveryWhen,
  failedOrder,
} from '../../support/outcomes.ts';
import { openPage } from '../../support/page-client.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import { startReceiver } from '../../support/receiver.ts';
import { scrape } from '../../support/scrape.ts';
import { serviceTest } from '../../support/service-test.ts';
import { expectSound, rulesBroken } from '../../support/verify.ts';

const DAY_S = 86_400;
const { test, service } = await serviceTest({
  RETENTION_HISTORY_DAYS: '36',
  RETENTION_ATTEMPTS_DAYS: '41',
  RETENTION_BODIES_DAYS: '38',
  RETENTION_LATE_CLAIMS_DAYS: '39',
  RETENTION_PERSONAL_DATA_DAYS: '40',
  RETENTION_SESSIONS_DAYS: '35',
});
const { pool } = service.database;
const operator = operatorClient(service);
const receiver = await startReceiver();
beforeEach(() => receiver.behave(200));
afterAll(() => receiver.close());
const merchant = await createMerchant(service, {
  balance: '1000000',
  defaultCallbackUrl: `${receiver.url}/hook`,
});
const member = await createMember(service, {
  methods: ['ProviderA'],
  float: '10000000',
  maxOpenOrders: 10_000,
});
const now = () => service.app.deps.clock.now();

const count = async (table: string, { orderId }: { readonly orderId: string }) =>
  (await pool.query(`select from ${table} where order_id = $1`, [orderId])).rowCount;
const attemptsOf = async (order: CreatedOrder) => (await deliveriesOf(service, order))[0]?.made;
const rowOf = async ({ orderId }: { readonly orderId: string }) =>
  (await pool.query('select * from orders where order_id = $1', [orderId])).rows[0];
const detailOf = async ({ orderId }: { readonly orderId: string }) =>
  (await operator.get(`/orders/${orderId}`)).data;

async function completed(body: object = {}): Promise<CreatedOrder> {
  const order = await createOrder(merchant, { ...body });
  await completeOrder(service, order, member);
  return order;
}

/** A deposit whose customer says after its end that they paid. */
async function claimed(): Promise<CreatedOrder> {
  const order = await createOrder(merchant);
  await openPage(order).data('open');
  await advance(service, 900);
  const page = (await service.app.deps.readers.pageOrder(order.orderId)) as PageOrder;
  const said = claimLate(service.app.deps, page, { isOpen: true }, '4711', now());
  expect(await said).toBe('recorded');
  return order;
}

const closeClaims = ({ orderId }: CreatedOrder) =>
  pool.query(
    `update late_claims set status = 'closed', closed_by = 'test', note = 'looked into', closed_at = $2
     where order_id = $1`,
    [orderId, new Date(now()).toISOString()],
  );

/** Removes by two of everything that is over, as another process would. */
const smallSteps = (
  policy: RetentionPolicy = {
    history: 36,
    attempts: 36,
    bodies: 36,
    'late-claims': 36,
    'personal-data': 36,
  },
) =>
  createRetention({
    clock: service.app.deps.clock,
    policy,
    target: service.retention as DatabaseTarget,
    keyedDigest: (digest) => digest.padEnd(64, '0'),
    onRemoved: () => {},
    slice: 2,
  });

const WITHDRAWAL = {
  orderType: 'Withdrawal',
  customerAccountNumber: '03001234567',
  customerAccountName: 'Ayesha Khan',
};

describe('what is removed of an order that is over', () => {
  test('goes after its days, with its name on it, and the books are sound', async () => {
    const order = await completed(WITHDRAWAL);
    const { deliveryId } = await deliveryWhen(service, order, { status: 'delivered' });
    const before = await detailOf(order);
    expect(before).toMatchObject({
      stepsRemovedAt: null,
      maskedAt: null,
      customerAccountNumber: '03001234567',
    });

    await advance(service, 36 * DAY_S);
    expect(await count('order_moves', order)).toBe(1);
    await advance(service, 2 * DAY_S);
    expect(await count('order_moves', order)).toBe(0);
    expect(await attemptsOf(order)).toHaveLength(1);
    await advance(service, 6 * DAY_S);
    expect(await attemptsOf(order)).toEqual([]);

    const { timeline, stepsRemovedAt, ...detail } = await detailOf(order);
    expect(timeline).toHaveLength(1);
    expect(Date.parse(stepsRemovedAt)).toBeGreaterThan(Date.parse(before.completedAt));
    expect(detail).toMatchObject({
      status: 'Completed',
      amount: before.amount,
      postings: before.postings,
      customerAccountNumber: '…4567',
      customerAccountName: 'A… K…',
      maskedAt: expect.any(String),
    });
    expect((await operator.get(`/deliveries/${deliveryId}`)).data).toMatchObject({
      status: 'delivered',
      attemptsMade: 1,
      attemptsRemoved: 1,
      attempts: [],
      body: null,
      bodyRemovedAt: expect.any(String),
      lastAttempt: null,
    });
    expect(
      (await operator.get(`/deliveries?status=delivered&orderId=${order.orderId}`)).data,
    ).toMatchObject([{ deliveryId }]);
    expect(
      (await operator.get(`/deliveries?status=superseded&orderId=${order.orderId}`)).data,
    ).toEqual([]);
    const revealed = await operator.post(`/orders/${order.orderId}/reveal`, {});
    expect(revealed.data).toMatchObject({ customerAccountNumber: '…4567' });
    await expectSound(service);
  });

  test('the payer that a late claim was left with is masked with the order', async () => {
    const order = await claimed();
    for (const table of ['orders', 'late_claims'])
      await pool.query(`update ${table} set payer_account = '03007654321' where order_id = $1`, [
        order.orderId,
      ]);
    await closeClaims(order);
    await advance(service, 38 * DAY_S);
    const retention = smallSteps({ 'personal-data': 36 });
    while (await retention.run());
    retention.stop();
    await retention.close();
    const { rows } = await pool.query(
      `select o.payer_account as of_order, c.payer_account as of_claim
       from orders o left join late_claims c using (order_id) where order_id = $1`,
      [order.orderId],
    );
    expect(rows).toEqual([{ of_order: '…4321', of_claim: '…4321' }]);
  });

  test('a repeat of a masked creation answers its order, and other terms are refused', async () => {
    const key = randomUUID();
    const body = { ...WITHDRAWAL, amount: 700, walletType: 'ProviderA', merchantOrderRef: key };
    const send = async (changed: object = {}) => {
      const answer = await signedOrder(merchant, { ...body, ...changed }, { idempotencyKey: key });
      return { status: answer.status, ...((await answer.json()) as { data?: CreatedOrder }) };
    };
    const first = (await send()).data as CreatedOrder;
    await cancelOrder(service, first);
    await advance(service, 42 * DAY_S);
    expect((await rowOf(first)).customer_account_number).toBe('…4567');
    const { terms_digest: kept } = await rowOf(first);

    expect(await send()).toMatchObject({
      status: 200,
      data: { orderId: first.orderId, orderReference: first.orderReference, status: 'Cancelled' },
    });
    expect(await send({ metadata: 'not compared' })).toMatchObject({ status: 200 });
    for (const changed of [
      { customerAccountNumber: '…4567' },
      { customerAccountNumber: '03009994567' },
      { customerAccountName: 'A… K…' },
      { customerAccountName: null },
      { amount: 701 },
    ])
      expect(await send(changed), JSON.stringify(changed)).toMatchObject({
        status: 422,
        error: 'This Idempotency-Key was already used for a different order request.',
      });
    expect((await rowOf(first)).terms_digest).toEqual(kept);
  });

  test('a customer’s claim that nobody has answered keeps all of it, and is removed once it is closed', async () => {
    const order = await claimed();
    await advance(service, 80 * DAY_S);
    expect(await count('order_moves', order)).toBe(2);
    expect(await count('late_claims', order)).toBe(1);
    expect((await detailOf(order)).stepsRemovedAt).toBeNull();

    await closeClaims(order);
    await advance(service, 1);
    expect(await count('order_moves', order)).toBe(0);
    expect(await count('late_claims', order)).toBe(0);
  });

  test('an order that waits for an operator keeps all of it', async () => {
    const order = await createOrder(merchant);
    await openPage(order).data('open');
    await service.app.deps.engine.submit({
      kind: 'operator-escalate',
      commandId: randomUUID(),
      orderId: order.orderId,
      note: 'look at it',
      actor: OPERATOR,
    });
    const steps = await count('order_moves', order);
    await advance(service, 80 * DAY_S);
    expect(await count('order_moves', order)).toBe(steps);
  });

  test('an order that is confirmed after its steps were removed keeps what happened since', async () => {
    const order = await failedOrder(service, merchant, {});
    await deliveryWhen(service, order, { status: 'delivered' });
    await advance(service, 45 * DAY_S);
    expect(await count('order_moves', order)).toBe(0);
    await confirmLate(service, order);
    await deliveryWhen(service, order, { status: 'delivered', eventType: 'order.completed' });
    const { timeline, stepsRemovedAt } = await detailOf(order);
    expect(timeline.map(({ to }: { to: string }) => to)).toEqual([order.status, 'Completed']);
    expect(stepsRemovedAt).not.toBeNull();
    await expectSound(service);
    await advance(service, 45 * DAY_S);
    expect(await count('order_moves', order)).toBe(1);
    expect((await deliveriesOf(service, order)).map(({ status }) => status)).toEqual([
      'delivered',
      'delivered',
    ]);
  });

  test('goes too where a clock was ahead before, and no metric shows a time to come', async () => {
    const orders = [await completed(), await completed(), await completed()];
    for (const order of orders) await deliveryWhen(service, order, { status: 'delivered' });
    const clock = service.app.deps.clock;
    clock.setOffset(clock.now() - Date.now() + 38 * DAY_S * 1000);
    const ahead = now() + 10 * DAY_S * 1000;
    await pool.query(
      `insert into retention_days (kind, day, through, finished_at)
       select kind, ($1::timestamptz at time zone 'UTC')::date, max(through::text)::uuid, $1
       from retention_days
       where kind = 'history'
       group by kind`,
      [new Date(ahead).toISOString()],
    );
    const retention = smallSteps({ history: 36 });
    let more = true;
    for (let runs = 0; more && runs < 100; runs += 1) more = await retention.run();
    await retention.close();
    expect(more).toBe(false);
    for (const order of orders) expect(await count('order_moves', order)).toBe(0);
    const { value } = await scrape(service);
    expect(
      value('munshi_retention_finished_timestamp_seconds', { kind: 'history' }),
    ).toBeLessThanOrEqual(now() / 1000);
  });

  test('sign-ins that ended long ago are forgotten, and the others are not', async () => {
    const at = (days: number) => new Date(now() + days * DAY_S * 1000).toISOString();
    const insert = (hash: string, expires: string) =>
      pool.query(
        `insert into sessions (token_hash, kind, principal_id, created_at, expires_at)
         values (decode($1, 'hex'), 'member', $2, $3, $4)`,
        [hash, member.memberId, at(0), expires],
      );
    await insert('aa', at(1));
    await insert('bb', at(30));
    await advance(service, 37 * DAY_S);
    const { rows } = await pool.query(
      `select encode(token_hash, 'hex') as hash from sessions where token_hash in ('\\xaa', '\\xbb')`,
    );
    expect(rows).toEqual([{ hash: 'bb' }]);
  });
});

describe('a delivery whose body is removed', () => {
  test('is not retried, says why, and its outcome can be sent again', async () => {
    receiver.behave(500);
    const order = await completed();
    await advance(service, 2 * DAY_S);
    await deliveryWhen(service, order, { status: 'abandoned', attempts: 10 });
    expect((await detailOf(order)).allowedActions).toContain('retry-now');
    await advance(service, 45 * DAY_S);
    expect(await deliveriesOf(service, order)).toMatchObject([
      { status: 'abandoned', attempts: 10, made: [] },
    ]);

    const path = `/orders/${order.orderId}/deliveries`;
    const { deliveries } = await detailOf(order);
    expect(deliveries[0].allowedActions).toEqual([]);
    expect(await operator.post(`${path}/retry-now`, {})).toMatchObject({
      status: 409,
      error: expect.stringContaining('The body of this delivery has been removed'),
    });
    receiver.behave(200);
    const resent = await operator.post(`${path}/resend`, {});
    expect(resent.status).toBe(200);
    await deliveryWhen(service, order, { status: 'delivered', eventType: 'order.completed' });
    await expectSound(service);
  });
});

describe('the books', () => {
  /** The rules that a change breaks, which is taken back. */
  async function brokenBy(...changes: readonly string[]): Promise<readonly string[]> {
    const client = await pool.connect();
    try {
      await client.query('begin');
      await client.query(`set local munshi.removes = 'order_moves'`);
      for (const change of changes)
        expect((await client.query(change)).rowCount).toBeGreaterThan(0);
      return [...new Set((await rulesBroken(client, now())).map(({ id }) => id))];
    } finally {
      await client.query('rollback');
      client.release();
    }
  }

  test('are not sound when anything else was deleted by hand', async () => {
    const trimmed = await failedOrder(service, merchant, {});
    await deliveryWhen(service, trimmed, { status: 'delivered' });
    await advance(service, 45 * DAY_S);
    const kept = await completed();
    await deliveryWhen(service, kept, { status: 'delivered' });
    const waiting = await claimed();
    await advance(service, 45 * DAY_S);
    expect(await count('order_moves', trimmed)).toBe(0);
    const young = await completed();
    const { deliveryId } = await deliveryWhen(service, young, { status: 'delivered' });
    const moves = (order: CreatedOrder, which = 'true') =>
      `delete from order_moves where order_id = '${order.orderId}' and ${which}`;

    expect(await brokenBy('select 1')).toEqual([]);
    expect(await brokenBy(moves(young))).toEqual(['S1']);
    expect(await brokenBy(moves(young, 'number = 1'))).toEqual(['S1']);
    expect(await brokenBy(moves(young, 'number = 2'))).toEqual(['S1']);
    // Passed over because its customer waits: nothing of it is removed in order.
    expect(await brokenBy(moves(waiting))).toEqual(['S1']);
    expect(
      await brokenBy(`delete from delivery_attempts where delivery_id = '${deliveryId}'`),
    ).toEqual(['W5']);
    expect(
      await brokenBy(
        `update deliveries set attempts_removed = 1 where delivery_id = '${deliveryId}'`,
      ),
    ).toEqual(['W2']);
    await closeClaims(waiting);
  });

  test('steps of an order that is not over are deleted by nobody', async () => {
    const order = await createOrder(merchant);
    await openPage(order).data('open');
    const { orderId } = order;
    await expect(brokenBy(`delete from order_moves where order_id = '${orderId}'`)).rejects.toThrow(
      `the order ${orderId} is not over`,
    );
  });
});

describe('beside other work', () => {
  test('a step that comes while the steps before it are removed stays', async () => {
    const order = await failedOrder(service, merchant, {});
    await advance(service, 2 * DAY_S);
    const over = now() - DAY_S * 1000;
    await confirmLate(service, order);
    const steps = await takenBack(pool, async (client) => {
      await deleteHistories(client, [order.orderId], over);
      return client.query('select to_status from order_moves where order_id = $1', [order.orderId]);
    });
    expect(steps.rows).toEqual([{ to_status: 'Completed' }]);
  });

  test('a delivery that is retried while its attempts are removed goes on counting them', async () => {
    receiver.behave(500);
    const order = await completed();
    await advance(service, 2 * DAY_S);
    await deliveryWhen(service, order, { status: 'abandoned', attempts: 10 });
    const [delivery] = (await detailOf(order)).deliveries;
    receiver.behave(200);
    const remover = await pool.connect();
    await remover.query('begin');
    expect(await deleteAttempts(remover, [delivery.deliveryId])).toBe(10);
    const retried = operator.post(`/orders/${order.orderId}/deliveries/retry-now`, {});
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await pool.query(waiting)).rowCount, { interval: 20 }).toBe(1);
    await remover.query('commit');
    remover.release();
    expect((await retried).status).toBe(200);
    await deliveryWhen(service, order, { status: 'delivered', attempts: 11 });
    await expectSound(service);
  });

  test('a process that dies in the middle of a slice leaves it whole, and the next one goes on', async () => {
    const orders = await Promise.all([1, 2, 3, 4, 5].map(() => completed(WITHDRAWAL)));
    for (const order of orders) await deliveryWhen(service, order, { status: 'delivered' });
    const clock = service.app.deps.clock;
    clock.setOffset(clock.now() - Date.now() + 38 * DAY_S * 1000);
    const states = async () =>
      Promise.all(
        orders.map(async (order) => [
          await count('order_moves', order),
          (await attemptsOf(order))?.length,
          (await rowOf(order)).customer_account_number,
        ]),
      );

    const dying = smallSteps();
    const holder = await pool.connect();
    await holder.query('begin');
    await holder.query('select from orders where order_id = $1 for update', [orders[2]?.orderId]);
    const died = (async () => {
      while (await dying.run());
    })();
    const outcome = expect(died).rejects.toThrow();
    // The slice that masks these orders waits for the one that is held.
    await vi.waitFor(
      async () => {
        const { rowCount } = await pool.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and application_name = 'munshi-retention' and wait_event_type = 'Lock'`,
        );
        expect(rowCount).toBe(1);
      },
      { timeout: PATIENCE_MS, interval: 20 },
    );
    await outcome;
    await holder.query('rollback');
    holder.release();
    dying.stop();
    await dying.close();
    const halfway = await states();
    expect(halfway.filter(([, , account]) => account === '03001234567')).not.toEqual([]);
    await expectSound(service);

    const next = smallSteps();
    while (await next.run());
    await next.close();
    expect(await states()).toEqual(orders.map(() => [0, 0, '…4567']));
    await expectSound(service);
  });

  test('orders are created, paid, confirmed late and sent again while others are removed', async () => {
    const old = await Promise.all([
      ...Array.from({ length: 12 }, () => completed()),
      ...Array.from({ length: 12 }, () => failedOrder(service, merchant, WITHDRAWAL)),
    ]);
    for (const order of old) await deliveryWhen(service, order, { status: 'delivered' });
    const clock = service.app.deps.clock;
    clock.setOffset(clock.now() - Date.now() + 38 * DAY_S * 1000);

    const retention = smallSteps();
    let working = true;
    const removing = (async () => {
      while (working) while (await retention.run());
    })();
    const live = async (order: CreatedOrder, at: number) => {
      await completed();
      if (at >= 12) await confirmLate(service, order);
      await operator.post(`/orders/${order.orderId}/deliveries/resend`, {});
      await failedOrder(service, merchant, WITHDRAWAL);
    };
    try {
      await Promise.all(old.map(live));
    } finally {
      working = false;
      await removing;
      await retention.close();
    }
    for (const order of old) await deliveryWhen(service, order, { status: 'delivered' });
    await expectSound(service);
    // What was passed over, because its webhook was just sent again, goes now.
    const next = smallSteps();
    while (await next.run());
    await next.close();
    await expectSound(service);
    for (const order of old.slice(0, 12)) expect(await count('order_moves', order)).toBe(0);
  });
});
