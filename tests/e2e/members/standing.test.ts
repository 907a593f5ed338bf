import { money } from '@munshi/core';
import { describe, expect } from 'vitest';
import { changeAccount } from '../../../apps/server/src/members/accounts.service.ts';
import { inTransaction } from '../../../apps/server/src/platform/database/db.ts';
import {
  advance,
  createMember,
  createMerchant,
  createOrder,
  everybodyOffline,
  signInMember,
} from '../../support/fixtures.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { completeOrder } from '../../support/outcomes.ts';
import { openPage } from '../../support/page-client.ts';
import { serviceTest } from '../../support/service-test.ts';
import { expectSound } from '../../support/verify.ts';

const { test, service } = await serviceTest();
const operator = operatorClient(service);
const merchant = await createMerchant(service, { balance: '100000' });
const statusOfMe = async (token: string) => {
  const headers = { Authorization: `Bearer ${token}` };
  return (await fetch(`${service.url}/api/member/me`, { headers })).status;
};

describe('how a member stands', () => {
  test('says what suspending would do to each order in hand, which is what it does', async () => {
    const password = 'correct horse';
    await everybodyOffline(service);
    const member = await createMember(service, { methods: ['ProviderA'], password });
    const [queued, seen, paid] = [
      await createOrder(merchant, { amount: 610 }),
      await createOrder(merchant, { amount: 620 }),
      await createOrder(merchant, { amount: 630 }),
    ];
    for (const order of [seen, paid]) await openPage(order).data('open');
    await openPage(paid).data('confirm', { transactionDigits: '1234' });
    await signInMember(service, member, password);

    const standing = `/members/${member.memberId}/standing`;
    const { data } = await operator.get(standing);
    expect(data).toMatchObject({
      noOrdersBecause: [],
      record: { ended: 0, rejected: 0, medianConfirmSeconds: null },
      sameNumbers: [],
    });
    expect(data.sessions).toHaveLength(1);
    const fates = data.ordersInHand.map((order: { orderId: string; ifSuspended: string }) => [
      order.orderId,
      order.ifSuspended,
    ]);
    expect(fates).toEqual([
      [queued.orderId, 'matched-again'],
      [seen.orderId, 'cancelled'],
      [paid.orderId, 'stays'],
    ]);
    await operator.patch(`/members/${member.memberId}`, { status: 'suspended' });
    const statuses = [];
    for (const { orderId } of [queued, seen, paid])
      statuses.push((await operator.get(`/orders/${orderId}`)).data);
    expect(statuses.map(({ status, memberId }) => [status, memberId])).toEqual([
      ['Queued', null],
      ['CancelledAuto', member.memberId],
      ['AwaitingMemberConfirmation', member.memberId],
    ]);
    const after = (await operator.get(standing)).data;
    expect(after.noOrdersBecause).toEqual(expect.arrayContaining(['suspended']));
    expect(after.ordersInHand).toHaveLength(1);
  });

  test('lists what moved the float, and ends sign-ins on every phone', async () => {
    const password = 'correct horse';
    await everybodyOffline(service);
    const member = await createMember(service, { methods: ['ProviderA'], float: '5000', password });
    const order = await createOrder(merchant, { amount: 640 });
    await completeOrder(service, order, member);
    const { data } = await operator.get(`/members/${member.memberId}/movements`);
    expect(data).toMatchObject([
      { kind: 'settlement', amount: -640, orderReference: order.orderReference },
      { kind: 'float', amount: 5000, orderId: null, note: 'test float' },
    ]);
    const token = await signInMember(service, member, password);
    await signInMember(service, member, password);
    const ended = await operator.delete(`/members/${member.memberId}/sessions`);
    expect(ended.data).toEqual({ ended: 2 });
    expect(await statusOfMe(token)).toBe(401);
  });

  test('lets an operator end one sign-in of a member, and no other one’s', async () => {
    const password = 'correct horse';
    const member = await createMember(service, { online: false, password });
    const lost = await signInMember(service, member, password);
    const sessions = `/members/${member.memberId}/sessions`;
    const listed = async () =>
      (await operator.get(`/members/${member.memberId}/standing`)).data.sessions;
    const [{ sessionId, userAgent }] = await listed();
    expect(userAgent).toEqual(expect.any(String));
    const kept = await signInMember(service, member, password);
    const other = await createMember(service, { online: false });
    expect(await operator.delete(`/members/${other.memberId}/sessions/${sessionId}`)).toMatchObject(
      { status: 404, error: 'Session not found.' },
    );
    expect((await operator.delete(`${sessions}/${sessionId}`)).data).toEqual({ ended: 1 });
    expect([await statusOfMe(lost), await statusOfMe(kept)]).toEqual([401, 200]);
    expect(await listed()).toHaveLength(1);
    const [entry] = (await operator.get(`/audit-log?target=${member.memberId}`)).data;
    expect(entry).toMatchObject({
      action: 'member.sessions-end',
      detail: { ended: 1, sessionId },
    });
  });

  test('shows when a member last saw an alert, and how many they have missed since', async () => {
    await everybodyOffline(service);
    const member = await createMember(service, { methods: ['ProviderA'], name: 'Zubair Ansari' });
    const never = await createMember(service, { name: 'Zubair Without', online: false });
    const [one, two, three] = [
      await createOrder(merchant, { amount: 651 }),
      await createOrder(merchant, { amount: 652 }),
      await createOrder(merchant, { amount: 653 }),
    ];
    const now = service.app.deps.clock.now();
    const at = (secondsAgo: number) => new Date(now - secondsAgo * 1000);
    for (const [order, alertedAt, seenAt, missedAt] of [
      [one, at(900), null, at(800)],
      [two, at(600), at(590), null],
      [three, at(300), null, at(200)],
    ] as const)
      await service.database.pool.query(
        `insert into order_alerts (order_id, member_id, kind, alerted_at, seen_at, missed_at)
         values ($1, $2, 'customer-confirmed', $3, $4, $5)`,
        [order.orderId, member.memberId, alertedAt, seenAt, missedAt],
      );
    const { data } = await operator.get('/members?search=zubair');
    const of = (memberId: string) =>
      data.find((one: { memberId: string }) => one.memberId === memberId);
    expect(of(member.memberId)).toMatchObject({
      lastAlertSeenAt: at(590).toISOString(),
      alertsMissed: 1,
    });
    expect(of(never.memberId)).toMatchObject({ lastAlertSeenAt: null, alertsMissed: 0 });
  });

  test('lists what moved their float page by page, past orders of the older service that moved nothing', async () => {
    await everybodyOffline(service);
    const member = await createMember(service, { methods: ['ProviderA'], float: '5000' });
    const order = await createOrder(merchant, { amount: 640 });
    await completeOrder(service, order, member);
    await everybodyOffline(service);
    for (let n = 0; n < 3; n += 1) {
      const { orderId } = await createOrder(merchant, { amount: 10 });
      await service.database.pool.query(
        `update orders
         set status = 'Confirmed', created_status = 'Confirmed', due_at = null,
           completed_at = created_at, member_id = $2, account_id = $3
         where order_id = $1`,
        [orderId, member.memberId, member.accounts[0]?.accountId],
      );
    }
    const kinds: string[] = [];
    let after = '';
    do {
      const path = `/members/${member.memberId}/movements?limit=1${after}`;
      const { data, nextCursor } = JSON.parse((await operator.get(path)).text);
      kinds.push(...data.map(({ kind }: { kind: string }) => kind));
      after = nextCursor === null ? '' : `&cursor=${encodeURIComponent(nextCursor)}`;
    } while (after !== '');
    expect(kinds).toEqual(['settlement', 'float']);
    // They become again what this service made: it posts what it completes.
    await service.database.pool.query(
      `update orders
       set status = 'Awaiting', created_status = 'Awaiting', due_at = expires_at,
         completed_at = null, member_id = null, account_id = null
       where status = 'Confirmed'`,
    );
  });

  test('names the others who have the number of an account', async () => {
    const [one, other] = [
      await createMember(service),
      await createMember(service, { name: 'Bilal' }),
    ];
    const [account] = other.accounts;
    const number = account?.accountNumber as string;
    const { data: added } = await operator.post(`/members/${one.memberId}/accounts`, {
      walletType: 'ProviderA',
      accountNumber: `${number.slice(0, 4)} ${number.slice(4)}`,
      accountTitle: 'T',
    });
    const { data } = await operator.get(`/members/${one.memberId}/standing`);
    expect(data.sameNumbers).toEqual([
      {
        accountId: added.accountId,
        otherAccountId: account?.accountId,
        memberId: other.memberId,
        memberName: 'Bilal',
      },
    ]);
  });
});

describe('the limits of an account', () => {
  /** A member with one account, the only one who takes orders by its method. */
  async function alone() {
    await everybodyOffline(service);
    const member = await createMember(service, { methods: ['TillID'], float: '100000' });
    const path = `/member-accounts/${member.accounts[0]?.accountId}`;
    const change = (body: string | object) => operator.patch(path, body);
    const take = async (amount: number) =>
      (await createOrder(merchant, { amount, walletType: 'TillID' })).status;
    return { ...member, change, take };
  }

  test('hold for the next order, and the audit log says what they were', async () => {
    const { change, take, accounts } = await alone();
    expect(await take(5000)).toBe('Queued');
    const { text, status } = await change(
      '{"minimumPerOrder": 100.5, "maximumPerOrder": 900, "maximumPerDay": 6000}',
    );
    expect(status).toBe(200);
    expect(text).toContain('"minimumPerOrder":100.5,"maximumPerOrder":900,"maximumPerDay":6000,');
    expect(await take(901)).toBe('Awaiting');
    expect(await take(100)).toBe('Awaiting');
    expect(await take(900)).toBe('Queued');
    // 5,900 of 6,000 are taken on.
    expect(await take(300)).toBe('Awaiting');
    expect((await change({ maximumPerDay: null })).status).toBe(200);
    expect(await take(300)).toBe('Queued');
    const { data } = await operator.get(`/audit-log?target=${accounts[0]?.accountId}`);
    expect(data[0].detail).toMatchObject({ maximumPerDay: null, maximumPerDayBefore: '6000' });
    expect(data[1].detail).toMatchObject({ maximumPerOrder: '900', maximumPerOrderBefore: null });
  });

  test('of the day are never below what was taken on today, but any the day after', async () => {
    const { change, take } = await alone();
    expect(await take(5000)).toBe('Queued');
    const refused = await change({ maximumPerDay: 4999 });
    expect([refused.status, refused.error]).toEqual([
      422,
      expect.stringContaining('PKR\u00a05,000 was taken on today already'),
    ]);
    expect((await change({ maximumPerDay: 5000 })).status).toBe(200);
    await advance(service, 86_400);
    expect((await change({ maximumPerDay: 10 })).data).toMatchObject({ usedToday: 0 });
    await expectSound(service);
  });

  test('keep what was taken on after midnight, while a change of the day before waited for the member', async () => {
    const { change, take, accounts } = await alone();
    await change({ maximumPerDay: 6000 });
    const { database, clock } = service.app.deps;
    const dayBefore = clock.now();
    await advance(service, 86_400);
    expect(await take(5000)).toBe('Queued');
    const changeLate = (maximumPerDay: string) =>
      inTransaction(database.pool, (client) => {
        const accountId = accounts[0]?.accountId as string;
        const limit = { maximumPerDay: money(maximumPerDay) };
        return changeAccount(client, { accountId, change: limit }, dayBefore);
      });
    await expect(changeLate('4999')).rejects.toThrow('PKR\u00a05,000 was taken on today already');
    await changeLate('5500');
    expect(await take(600)).toBe('Awaiting');
    expect(await take(500)).toBe('Queued');
    await expectSound(service);
  });

  test('count by the day that another process has begun, whose clock is a little ahead', async () => {
    const { change, take, accounts } = await alone();
    await change({ maximumPerDay: 6000 });
    const { clock } = service.app.deps;
    const today = Math.floor(clock.now() / 86_400_000);
    await advance(service, ((today + 1) * 86_400_000 - clock.now()) / 1_000 - 5);
    const about = [accounts[0]?.accountId];
    await service.database.pool.query(
      `update member_accounts set day = ${today + 1}, day_amount = 0 where account_id = $1`,
      about,
    );
    expect(await take(500)).toBe('Queued');
    const { rows } = await service.database.pool.query(
      'select day, day_amount::text from member_accounts where account_id = $1',
      about,
    );
    expect(rows).toEqual([{ day: today + 1, day_amount: '500.0000' }]);
    await expectSound(service);
  });

  test('are refused where they contradict each other, beside what is there already', async () => {
    const { change } = await alone();
    await change({ maximumPerOrder: 500 });
    expect(await change({ minimumPerOrder: 501 })).toMatchObject({
      status: 400,
      errors: { '$.maximumPerOrder': ['must not be less than minimumPerOrder.'] },
    });
    expect((await change({ maximumPerDay: 0 })).status).toBe(400);
    expect((await change({})).status).toBe(400);
  });

  test('are changed while orders come, and no order passes the limit that was there', async () => {
    const { change, take } = await alone();
    await change({ maximumPerDay: 20_000 });
    const [statuses] = await Promise.all([
      Promise.all(Array.from({ length: 30 }, () => take(1000))),
      ...[25_000, 22_000, 24_000].map((maximumPerDay) => change({ maximumPerDay })),
    ]);
    expect(statuses).toContain('Queued');
    await expectSound(service);
  });
});

test('an account shows what its QR code holds, and what of it does not fit', async () => {
  const member = await createMember(service, { methods: [] });
  const { data } = await operator.post(`/members/${member.memberId}/accounts`, {
    walletType: 'ProviderAQR',
    accountNumber: 'sana@okbank',
    accountTitle: 'Sana Iqbal',
    qrPayload: 'upi://pay?pa=bilal@okbank&pn=Bilal%20Khan&am=10.00',
  });
  expect(data).toMatchObject({
    qrContent: { form: 'UPI', name: 'Bilal Khan', numbers: ['bilal@okbank'], amount: '10.00' },
    qrWarnings: ['number-differs', 'title-differs', 'has-amount'],
  });
});
