import { randomUUID } from 'node:crypto';
import { money, needOf } from '@munshi/core';
import { afterAll, expect } from 'vitest';
import { followMembers } from '../../apps/server/src/engine/follow-members.ts';
import { createMemberIndex } from '../../apps/server/src/engine/member-index.ts';
import { openDatabase } from '../../apps/server/src/platform/database/db.ts';
import { seedMembers } from '../../bench/seed.ts';
import {
  createMember,
  createMerchant,
  createOrder,
  everybodyOffline,
  setPresence,
  type TestMerchant,
} from '../support/fixtures.ts';
import { operatorClient } from '../support/operator-client.ts';
import { startService } from '../support/service.ts';
import { serviceTest } from '../support/service-test.ts';
import { expectSound } from '../support/verify.ts';

/**
 * Two processes on one database give the orders of one pool of members: equal
 * deposits are distinguished by locked rows; whose turn it is may be two seconds late (decision 7).
 */
const { test, service: one } = await serviceTest();
const two = await startService({}, one);
afterAll(() => two.close());
const merchant = await createMerchant(one);
const callers: readonly TestMerchant[] = [merchant, { ...merchant, url: two.url }];

const accountsOf = async (orderIds: readonly string[]): Promise<readonly string[]> => {
  const { rows } = await one.database.pool.query(
    'select account_id from orders where order_id = any($1)',
    [orderIds],
  );
  return rows.map(({ account_id }) => account_id);
};

test('equal deposits at two processes at once go to different accounts as long as one is without', async () => {
  const members = await Promise.all(
    Array.from({ length: 10 }, () => createMember(one, { methods: ['TillID'] })),
  );
  for (let round = 0; round < 8; round += 1) {
    // Half of them come and go at one process; the other may not have been notified yet.
    for (const { memberId } of members.slice(0, 5)) await setPresence(one, memberId, false);
    for (const { memberId } of members.slice(0, 5)) await setPresence(one, memberId, true);
    const orders = await Promise.all(
      members.map((_, n) =>
        createOrder(callers[n % 2] as TestMerchant, { walletType: 'TillID', amount: 700 }),
      ),
    );
    const accounts = await accountsOf(orders.map(({ orderId }) => orderId));
    expect(new Set(accounts).size).toBe(10);
    // With an equal deposit on every account, the next is taken all the same.
    expect(
      (await createOrder(callers[round % 2] as TestMerchant, { walletType: 'TillID', amount: 700 }))
        .status,
    ).toBe('Queued');
    const { rows } = await one.database.pool.query(
      `select order_id from orders where status = 'Queued'`,
    );
    await Promise.all(
      rows.map(({ order_id }) =>
        operatorClient(two).post(`/orders/${order_id}/cancel`, { note: 'next round' }),
      ),
    );
  }
  await everybodyOffline(one);
  await expectSound(one);
});

test('the only member without an equal deposit is found at once, regardless of what a process knows', async () => {
  const members = await Promise.all(
    Array.from({ length: 3 }, () => createMember(one, { methods: ['ProviderBQR'] })),
  );
  const last = await createMember(one, { methods: ['ProviderBQR'], online: false });
  for (const _ of members)
    await createOrder(callers[1] as TestMerchant, { walletType: 'ProviderBQR', amount: 900 });
  await setPresence(one, last.memberId, true);
  const order = await createOrder(callers[1] as TestMerchant, {
    walletType: 'ProviderBQR',
    amount: 900,
  });
  expect(await accountsOf([order.orderId])).toEqual([last.accounts[0]?.accountId]);
  await everybodyOffline(one);
  await expectSound(one);
});

test('payouts that pass their window at two processes are handed on once each, to who has not held them first', async () => {
  await everybodyOffline(one);
  const methods = ['BankAccount'] as const;
  const members = await Promise.all(
    Array.from({ length: 3 }, () =>
      createMember(one, { methods: [...methods], maxOpenOrders: 100 }),
    ),
  );
  const rich = await createMerchant(one, { balance: '1000000' });
  const orders = await Promise.all(
    Array.from({ length: 30 }, (_, n) =>
      createOrder(n % 2 === 0 ? rich : { ...rich, url: two.url }, {
        orderType: 'Withdrawal',
        walletType: 'BankAccount',
        amount: 100,
        customerAccountNumber: 'PK36SCBL0000001123456702',
        maxRetryCount: 5,
      }),
    ),
  );
  const ids = orders.map(({ orderId }) => orderId);
  const held = async () =>
    (
      await one.database.pool.query<{ all: readonly string[]; reassignments: number }>(
        `select array_append(former_member_ids, member_id) as all, reassignments
         from orders where order_id = any($1)`,
        [ids],
      )
    ).rows;
  for (let time = 1; time <= 5; time += 1) {
    await one.database.pool.query(
      `update orders set due_at = now() - interval '1 second' where order_id = any($1)`,
      [ids],
    );
    const commands = ids.map((orderId) => ({
      kind: 'pass-deadline' as const,
      commandId: randomUUID(),
      orderId,
      need: needOf({
        orderType: 'Withdrawal',
        walletType: 'BankAccount',
        currency: 'PKR',
        amount: money('100'),
        floatAmount: money('100'),
      }),
    }));
    await Promise.all(
      [one, two].flatMap(({ app }) => commands.map((each) => app.deps.engine.submit(each))),
    );
    await expect
      .poll(async () => (await held()).every(({ reassignments }) => reassignments === time))
      .toBe(true);
  }
  for (const { all } of await held()) {
    expect(new Set(all.slice(0, 3)).size).toBe(members.length);
    expect(all.every((memberId, at) => memberId !== all[at - 1])).toBe(true);
  }
  await everybodyOffline(one);
  await expectSound(one);
});

test('a change of one of very many members comes to another process by itself, without reading all', async () => {
  await seedMembers(one.database, 5_000);
  const free = await createMember(one, { methods: ['ProviderAQR'], online: false });
  await one.database.pool.query('update members set online = false');
  const database = openDatabase(one.target, { poolSize: 2 });
  const asked: (string | undefined)[] = [];
  const query = database.pool.query.bind(database.pool) as (question: {
    readonly name?: string;
  }) => unknown;
  Object.assign(database.pool, {
    query(question: { readonly name?: string }) {
      asked.push(question.name);
      return query(question);
    },
  });
  const index = createMemberIndex();
  const follower = followMembers({
    database,
    index,
    log: one.app.deps.log,
    lane: { processId: null, losses: 0 },
  });
  await follower.firstReading;
  expect(follower.loaded).toBe(true);
  expect(asked.filter((name) => name === 'hints-after')).toHaveLength(3);

  const need = needOf({
    orderType: 'Deposit',
    walletType: 'ProviderAQR',
    currency: 'PKR',
    amount: money('10'),
    floatAmount: money('10'),
  });
  const candidates = () => index.candidates([need], one.app.deps.clock.now());
  expect(candidates()).toEqual([]);
  await setPresence(one, free.memberId, true);
  await expect.poll(candidates).toEqual([free.memberId]);
  expect(asked.filter((name) => name === 'hints-after')).toHaveLength(3);
  // One member was read, not those that are alike.
  expect(asked.filter((name) => name === 'hints-of').length).toBeGreaterThan(0);
  follower.stop();
  await database.close();
  await everybodyOffline(one);
  await expectSound(one);
});
