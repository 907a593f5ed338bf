import { hash, randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { changeIdentity } from '../../apps/server/src/members/service.ts';
import { findMember, lockMember } from '../../apps/server/src/members/store.ts';
import { found } from '../../apps/server/src/platform/refusals.ts';
import { reserveRequestKey } from '../../apps/server/src/writes/request-keys.store.ts';
import {
  AnsweredBefore,
  doWrite,
  type OperatorCaller,
  type Work,
} from '../../apps/server/src/writes/write.ts';
import { standsAlone } from '../../packages/core/src/testing/literals.ts';
import { type DatabaseProxy, startDatabaseProxy } from '../support/database-proxy.ts';
import {
  createMember,
  createMerchant,
  createOrder,
  everybodyOffline,
  type TestMember,
  type TestMerchant,
} from '../support/fixtures.ts';
import { operatorClient } from '../support/operator-client.ts';
import { OPERATOR_TOKEN_2, type Service, startService } from '../support/service.ts';
import { serviceTest } from '../support/service-test.ts';
import { expectSound } from '../support/verify.ts';

/**
 * A write changes rows and decides a command in one commit: with its entries of the audit log and
 * the answer to its Idempotency-Key it is whole or not at all, whenever its connection breaks.
 */
const { test, service } = await serviceTest({ ROLES: 'http' });
const merchant = await createMerchant(service);
afterEach(async () => {
  await requireSecond(false);
  await expectSound(service);
  await everybodyOffline(service);
});

let proxy: DatabaseProxy;
let far: Service;
beforeAll(async () => {
  proxy = await startDatabaseProxy(service.target);
  far = await startService({ ROLES: 'http' }, { ...service, target: proxy.target });
});
afterAll(async () => {
  await far.close();
  await proxy.close();
});

const ACTOR = { kind: 'operator', id: randomUUID(), name: 'test', address: '127.0.0.1' } as const;
const DONE = { name: 'Renamed', available: '101.0000', postings: 1, entries: 1, answered: true };
const NOT_DONE = { name: 'Named', available: '100.0000', postings: 0, entries: 0, answered: false };

interface Case {
  readonly merchant: TestMerchant;
  readonly member: TestMember;
  readonly commandId: string;
  readonly key: string;
}

const sql = async (text: string, values: readonly unknown[] = []) =>
  (await service.database.pool.query(text, [...values])).rows;
const requireSecond = (on: boolean) =>
  sql('update settings set require_second_operator = $1', [on]);

async function newCase(): Promise<Case> {
  const one = {
    merchant: await createMerchant(service, { balance: '100' }),
    member: await createMember(service, { online: false }),
    commandId: randomUUID(),
    key: randomUUID(),
  };
  await sql(`update members set name = 'Named' where member_id = $1`, [one.member.memberId]);
  return one;
}

/** Renames a member and credits a merchant: what a request does, and each of its repeats. */
async function write({ merchant: { merchantId }, member, key, ...one }: Case): Promise<object> {
  const { deps } = far.app;
  const owner = { callerKind: 'operator', callerId: ACTOR.id, key } as const;
  const { commandId, kept } = await reserveRequestKey(deps.database.pool, owner, {
    digests: [hash('sha256', key, 'buffer')],
    commandId: one.commandId,
    at: deps.clock.now(),
  });
  if (kept !== undefined) return JSON.parse(kept.answer);
  const once = { commandId, mayBeDone: true };
  const boundKey = { owner, write: (answer: object) => JSON.stringify(answer), kept: false };
  const { memberId } = member;
  const work: Work<object> = async (client) => {
    const identity = { name: DONE.name };
    const before = found(await findMember(client, memberId), 'Member');
    const renamed = { after: { ...before, ...identity }, identity, passwordHash: null };
    const done = await changeIdentity(client, renamed, deps.clock.now(), ACTOR);
    const { result, after } = await deps.engine.decideIn(
      client,
      {
        kind: 'adjust-wallet',
        commandId,
        merchantId,
        adjustment: 'credit',
        amount: 10_000n,
        reason: 'test',
        ...standsAlone(ACTOR),
      },
      once,
    );
    return { ...done, result: { name: done.result.name, status: result.status }, after };
  };
  return doWrite(deps, { actor: ACTOR, once, boundKey } as OperatorCaller, work);
}

async function stateOf({ merchant: { merchantId }, member: { memberId }, key }: Case) {
  const [state] = await sql(
    `select
       (select name from members where member_id = $2) as name,
       (select balance from merchant_wallets where merchant_id = $1)::text as available,
       (select count(*) from postings where merchant_id = $1)::integer - 1 as postings,
       (select count(*) from audit_log where target in ($1::text, $2::text) and actor_id = $4)::integer as entries,
       exists (select from request_keys where key = $3 and status = 200) as answered`,
    [merchantId, memberId, key, ACTOR.id],
  );
  return state;
}

describe('a write that renames a member and credits a merchant', () => {
  test('whose connection is cut before any of its statements is not done, and its repeat does it once', async () => {
    for (let statement = 1; ; statement += 1) {
      const one = await newCase();
      const wasCut = proxy.cutTransaction(statement);
      const first = await write(one).catch((error: Error) => error);
      if (!wasCut()) {
        expect(first).toMatchObject({ name: 'Renamed', status: 'applied' });
        expect(await stateOf(one)).toEqual(DONE);
        // The transaction has begun, made the changes of both, and ended.
        expect(statement).toBeGreaterThan(20);
        return;
      }
      expect(first).toBeInstanceOf(Error);
      expect(await stateOf(one)).toEqual(NOT_DONE);
      expect(await write(one)).toMatchObject({ name: 'Renamed', status: 'applied' });
      expect(await stateOf(one)).toEqual(DONE);
    }
  });

  test('whose commit is not answered is done, and its repeat does nothing', async () => {
    const one = await newCase();
    // The reservation of the key is a statement of its own, without a transaction.
    proxy.loseCommits(1);
    await expect(write(one)).rejects.toThrow();
    expect(await stateOf(one)).toEqual(DONE);
    expect(await write(one)).toEqual({ data: { name: 'Renamed', status: 'applied' } });
    expect(await stateOf(one)).toEqual(DONE);
  });

  test('that is refused by the rule of its command leaves its rows as they were', async () => {
    const one = await newCase();
    const nobody = { ...one, merchant: { ...one.merchant, merchantId: randomUUID() } };
    await expect(write(nobody)).rejects.toThrow();
    expect(await stateOf(one)).toEqual(NOT_DONE);
  });

  test('twice at once under one key is done once; under keys of their own twice', async () => {
    const one = await newCase();
    const both = await Promise.all([write(one), write(one)].map((each) => each.catch((e) => e)));
    expect(both.filter((each) => each instanceof AnsweredBefore || 'data' in each)).toHaveLength(1);
    expect(await stateOf(one)).toEqual(DONE);
    const others = Array.from({ length: 8 }, () => ({
      ...one,
      commandId: randomUUID(),
      key: randomUUID(),
    }));
    await Promise.all(others.map(write));
    expect(await stateOf(one)).toMatchObject({ available: '109.0000', postings: 9, entries: 9 });
  });

  test('shows in a preview what it would do, and leaves nothing', async () => {
    const one = await newCase();
    const { deps } = far.app;
    const once = { commandId: one.commandId, mayBeDone: false };
    const { memberId } = one.member;
    const preview = { actor: ACTOR, once, boundKey: null, preview: true };
    const shown = await doWrite(deps, preview, async (client) => {
      const command = { kind: 'update-member', memberId, maxOpenOrders: 3, actor: ACTOR } as const;
      const { commandId } = once;
      const { result } = await deps.engine.decideIn(client, { ...command, commandId });
      return { result, action: 'member.update', target: memberId };
    });
    expect(shown).toMatchObject({ memberId, maxOpenOrders: 3 });
    expect(await stateOf(one)).toEqual(NOT_DONE);
    expect(
      await sql('select max_open_orders from members where member_id = $1', [memberId]),
    ).not.toEqual([{ max_open_orders: 3 }]);
  });
});

interface Asked {
  readonly approvalId: string;
  /** The rows that its approval changes. */
  state(): Promise<readonly object[]>;
}

/** What waits for a second operator, and what its approval makes of it. */
const WAITING: Readonly<Record<string, () => Promise<Asked>>> = {
  async 'a password of a member'() {
    const { memberId } = await createMember(service);
    await requireSecond(true);
    const password = 'a new one, and long';
    const { approvalId } = (await asker.patch(`/members/${memberId}`, { password })).data;
    const state = () =>
      sql(
        `select a.status, m.password_hash as changed, m.online,
           array(select status from member_accounts where member_id = m.member_id) as accounts,
           (select count(*) from audit_log where target = m.member_id::text) as entries
         from approvals a, members m
         where approval_id = $1 and member_id = $2`,
        [approvalId, memberId],
      );
    return { approvalId, state };
  },
  async 'money of a merchant'() {
    const { merchantId } = await createMerchant(service);
    await requireSecond(true);
    const body = { kind: 'credit', amount: 10, reason: 'test' };
    const asked = await asker.post(`/merchants/${merchantId}/adjustments`, body);
    const { approvalId } = asked.data;
    const state = () =>
      sql(
        `select a.status, w.balance as changed,
           (select count(*) from adjustments where merchant_id = w.merchant_id) as adjustments,
           (select count(*) from postings where merchant_id = w.merchant_id) as postings,
           (select count(*) from audit_log where target = w.merchant_id::text) as entries
         from approvals a, merchant_wallets w
         where approval_id = $1 and merchant_id = $2`,
        [approvalId, merchantId],
      );
    return { approvalId, state };
  },
};
const asker = operatorClient(service);

describe('an approval that is cut before any of its statements leaves the request waiting, and its repeat does it once', () => {
  test.each(Object.keys(WAITING))('%s', async (what) => {
    const second = operatorClient(far, OPERATOR_TOKEN_2);
    for (let statement = 1, wasCut = true; wasCut; statement += 1) {
      const { approvalId, state } = await (WAITING[what] as () => Promise<Asked>)();
      const [before] = await state();
      const key = randomUUID();
      const approve = () => second.post(`/approvals/${approvalId}/approve`, undefined, key);
      const ended = proxy.cutTransaction(statement);
      const { status } = await approve();
      wasCut = ended();
      expect(status).toBe(wasCut ? 503 : 200);
      if (wasCut) expect(await state()).toEqual([before]);
      expect((await approve()).data.status).toBe('done');
      const [done] = (await state()) as readonly Record<string, unknown>[];
      expect(done).toMatchObject({ status: 'done' });
      expect(done?.['changed']).not.toEqual((before as Record<string, unknown>)['changed']);
      if (!wasCut) expect(statement).toBeGreaterThan(15);
      await requireSecond(false);
    }
  });
});

test('a request about money that is cut before any of its statements is not made, and its repeat asks once', async () => {
  const { merchantId } = await createMerchant(service);
  await requireSecond(true);
  const state = () =>
    sql(
      `select (select count(*) from approvals where request ->> 'merchantId' = $1)::integer as asked,
         (select count(*) from audit_log where target = $1)::integer as entries`,
      [merchantId],
    );
  for (let statement = 1, wasCut = true; wasCut; statement += 1) {
    const [before] = await state();
    const key = randomUUID();
    const body = { kind: 'credit', amount: 10, reason: 'test' };
    const ask = () => operatorClient(far).post(`/merchants/${merchantId}/adjustments`, body, key);
    const ended = proxy.cutTransaction(statement);
    const { status } = await ask();
    wasCut = ended();
    expect(status).toBe(wasCut ? 503 : 200);
    if (wasCut) expect(await state()).toEqual([before]);
    const { data } = await ask();
    expect(data.status).toBe('pendingApproval');
    expect(await state()).toEqual([{ asked: before.asked + 1, entries: before.entries + 1 }]);
    await asker.post(`/approvals/${data.approvalId}/decline`, { note: 'test' });
  }
  await requireSecond(false);
});

describe('beside the batches of the engine', () => {
  const cancel = (orderId: string) => ({
    kind: 'operator-cancel' as const,
    commandId: randomUUID(),
    orderId,
    note: 'test',
    ...standsAlone(ACTOR),
  });
  const waitsForLock = (name: string) =>
    sql(
      `select from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and application_name = $1`,
      [name],
    );

  test('a write that has locked a member before the order that a batch has: both are decided', async () => {
    const { memberId } = await createMember(service);
    const { orderId } = await createOrder(merchant);
    const { deps } = service.app;
    const locked = Promise.withResolvers<void>();
    const inBatch = Promise.withResolvers<void>();
    const once = { commandId: randomUUID(), mayBeDone: false };
    const writing = doWrite(deps, { actor: ACTOR, once, boundKey: null }, async (client) => {
      await lockMember(client, memberId);
      locked.resolve();
      await inBatch.promise;
      const { result, after } = await deps.engine.decideIn(client, cancel(orderId), once);
      return { result, action: 'order.cancel', target: orderId, after };
    });
    await locked.promise;
    const submitted = deps.engine.submit(cancel(orderId));
    try {
      await expect.poll(() => waitsForLock('munshi-engine')).toHaveLength(1);
    } finally {
      inBatch.resolve();
    }
    const outcomes = [
      await writing.then(() => 'done').catch(() => 'refused'),
      await submitted.then(({ ok }) => (ok ? 'done' : 'refused')),
    ];
    expect(outcomes.toSorted()).toEqual(['done', 'refused']);
    expect(await sql('select status from orders where order_id = $1', [orderId])).toEqual([
      { status: 'Cancelled' },
    ]);
  });

  test('a command finds members whom the index of its process does not know yet', async () => {
    const holder = await createMember(service);
    const { orderId } = await createOrder(merchant);
    await sql(`update member_accounts set status = 'suspended' where member_id = $1`, [
      holder.memberId,
    ]);
    const next = await createMember(service);
    const { deps } = far.app;
    const once = { commandId: randomUUID(), mayBeDone: false };
    const [order] = await sql(
      `select amount::text, wallet_type, currency from orders where order_id = $1`,
      [orderId],
    );
    const done = await doWrite(deps, { actor: ACTOR, once, boundKey: null }, async (client) => {
      const { result, after } = await deps.engine.decideIn(client, {
        kind: 'withdraw-member',
        commandId: once.commandId,
        orderId,
        need: {
          orderType: 'Deposit',
          walletType: order.wallet_type,
          currency: 'PKR',
          amount: BigInt(order.amount.replace('.', '')),
          floatAmount: BigInt(order.amount.replace('.', '')),
          heldBy: null,
          heldBefore: [],
        },
      });
      return { result, action: 'order.cancel', target: orderId, after };
    });
    expect(done.memberId).toBe(next.memberId);
  });
});
