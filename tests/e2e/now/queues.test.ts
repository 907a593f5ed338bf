import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import {
  advance,
  type CreatedOrder,
  createMember,
  createMerchant,
  createOrder,
  everybodyOffline,
  setPresence,
  signInMember,
} from '../../support/fixtures.ts';
import { memberClient } from '../../support/member-client.ts';
import {
  createControlled,
  createOperator,
  operatorClient,
  secondOperator,
} from '../../support/operator-client.ts';
import { openPage } from '../../support/page-client.ts';
import { serviceTest } from '../../support/service-test.ts';

/** What waits for operators, and who works on it. */

const { test, service } = await serviceTest();
const operator = operatorClient(service);
const merchant = await createMerchant(service, { balance: '100000' });
const password = 'correct horse';

const WITHDRAWAL = {
  orderType: 'Withdrawal',
  customerAccountNumber: '03001234567',
  customerAccountName: 'Ayesha Khan',
};

const idsIn = async (queue: string, query = '') =>
  (await operator.get(`/queues/orders?queue=${queue}${query}`)).data.map(
    ({ orderId }: CreatedOrder) => orderId,
  );
const countsOf = async () => {
  const { data } = await operator.get('/queues');
  return Object.fromEntries(
    data.queues.map(({ queue, count }: { queue: string; count: number }) => [queue, count]),
  );
};
const paid = async (amount: number) => {
  const order = await createOrder(merchant, { amount });
  await openPage(order).data('open');
  await openPage(order).data('confirm', { transactionDigits: '4821' });
  return order;
};

describe('a queue', () => {
  test('has what waits for it, the oldest first, and counts it', async () => {
    const holder = await createMember(service, { password });
    const [first, second, unpaid] = [await paid(500), await paid(501), await createOrder(merchant)];
    await openPage(unpaid).data('open');
    await operator.post(`/orders/${unpaid.orderId}/escalate`, { note: 'n' });
    const [late, reported] = [
      await createOrder(merchant, { ...WITHDRAWAL, amount: 700 }),
      await createOrder(merchant, { ...WITHDRAWAL, amount: 701 }),
    ];
    await operator.post(`/orders/${late.orderId}/escalate`, { note: 'slow' });
    const member = memberClient(service.url, await signInMember(service, holder, password));
    await member.data('POST', `/orders/${reported.orderId}/report`, { reason: 'Refused' });

    expect(await idsIn('payoutsInDoubt')).toEqual([reported.orderId, late.orderId]);
    expect(await idsIn('escalatedUnpaid')).toEqual([unpaid.orderId]);
    expect(await idsIn('aboutToRunOut')).toEqual([]);
    await advance(service, 26 * 60);
    expect(await idsIn('aboutToRunOut')).toEqual([first.orderId, second.orderId]);
    await advance(service, 5 * 60);
    expect(await idsIn('aboutToRunOut')).toEqual([]);

    const { data, nextCursor } = await operator.get(
      '/queues/orders?queue=paidNotConfirmed&limit=1',
    );
    expect(data[0]).toMatchObject({
      orderId: first.orderId,
      lastMove: { trigger: 'confirmation-timed-out', note: null },
      claimedBy: null,
    });
    expect(await idsIn('paidNotConfirmed', `&limit=1&cursor=${nextCursor}`)).toEqual([
      second.orderId,
    ]);
    await expect.poll(countsOf).toEqual({
      paidNotConfirmed: 2,
      payoutsInDoubt: 2,
      escalatedUnpaid: 1,
      aboutToRunOut: 0,
      waitingForMember: 0,
      lateClaims: 0,
      moneySeen: 0,
      toApprove: 0,
      accountsToApprove: 0,
      webhooksFailing: 0,
    });
    const { queues } = (await operator.get('/queues')).data;
    expect(queues[0].oldestAt).toBe(data[0].waitingSince);
  });

  test('of orders without a member has deposits and withdrawals until somebody takes them', async () => {
    await everybodyOffline(service);
    const [deposit, withdrawal] = [
      await createOrder(merchant),
      await createOrder(merchant, { ...WITHDRAWAL, amount: 300 }),
    ];
    await createOrder(merchant, { orderType: 'Withdrawal' }); // it is not known where to pay
    expect(await idsIn('waitingForMember')).toEqual([deposit.orderId, withdrawal.orderId]);
    const { memberId } = await createMember(service, { online: false });
    await setPresence(service, memberId, true);
    await expect.poll(() => idsIn('waitingForMember')).toEqual([deposit.orderId]);
    await everybodyOffline(service);
    await operator.post(`/orders/${deposit.orderId}/cancel`, { note: 'n' });
  });

  test('is without what one has asked a second operator about, and counts what one may approve', async () => {
    await everybodyOffline(service);
    await createMember(service);
    const orders = [await paid(910), await paid(911)];
    for (const { orderId } of orders)
      await operator.post(`/orders/${orderId}/escalate`, { note: 'n' });
    const [asked, left] = orders.map(({ orderId }) => orderId);
    const people = [operator, secondOperator(service)];
    const ofBoth = (read: (who: typeof operator) => Promise<unknown>) =>
      Promise.all(people.map(read));
    const listed = () =>
      ofBoth(async (who) => {
        const { data } = await who.get('/queues/orders?queue=paidNotConfirmed');
        return data
          .map(({ orderId }: CreatedOrder) => orderId)
          .filter((orderId: string) => orderId === asked || orderId === left);
      });
    const counted = () =>
      ofBoth(async (who) => {
        const [queue, toApprove] = await Promise.all([
          who.get('/queues/orders?queue=paidNotConfirmed'),
          who.get('/queues'),
        ]);
        const of = (name: string) =>
          toApprove.data.queues.find(({ queue: named }: { queue: string }) => named === name);
        expect(of('paidNotConfirmed')).toMatchObject({
          count: queue.data.length,
          oldestAt: queue.data[0]?.waitingSince ?? null,
        });
        return of('toApprove').count;
      });
    await service.database.pool.query('update settings set require_second_operator = true');
    try {
      const waits = await operator.post(`/orders/${asked}/resolve`, {
        outcome: 'Completed',
        note: 'seen',
      });
      expect(waits.data.status).toBe('pendingApproval');
      expect(await listed()).toEqual([[left], [asked, left]]);
      expect(await counted()).toEqual([0, 1]);
      await operator.post(`/approvals/${waits.data.approvalId}/decline`, { note: 'not yet' });
      expect(await listed()).toEqual([
        [asked, left],
        [asked, left],
      ]);
      expect(await counted()).toEqual([0, 0]);
    } finally {
      await service.database.pool.query('update settings set require_second_operator = false');
    }
  });

  test('counts no request whose asker one controls', async () => {
    const controlled = await createControlled(service, 'admin');
    const asker = operatorClient(service, controlled.token);
    await service.database.pool.query('update settings set require_second_operator = true');
    try {
      const { merchantId } = await createMerchant(service);
      const { data } = await asker.post(`/merchants/${merchantId}/adjustments`, {
        ...{ kind: 'credit', amount: 10, reason: 'r' },
      });
      expect(data.status).toBe('pendingApproval');
      const toApprove = async (who: typeof operator) =>
        (await who.get('/queues')).data.queues.find(
          ({ queue }: { queue: string }) => queue === 'toApprove',
        );
      const other = await toApprove(secondOperator(service));
      expect(await toApprove(operator)).toMatchObject({ count: 0, oldestAt: null });
      expect(other).toMatchObject({ count: 1, oldestAt: expect.any(String) });
    } finally {
      await service.database.pool.query('update settings set require_second_operator = false');
    }
  });

  test('refuses a place that is none', async () => {
    for (const place of ['x', `0 1 ${randomUUID()} `, `7 1 ${randomUUID()}`]) {
      const cursor = Buffer.from(place).toString('base64url');
      const { status } = await operator.get(
        `/queues/orders?queue=paidNotConfirmed&cursor=${cursor}`,
      );
      expect(status, place).toBe(400);
    }
  });
});

describe('a claim of an order', () => {
  const claimant = { operatorId: 'env-1', name: 'OPERATOR_TOKEN' };

  test('is seen in the order and the lists, names who has it, and ends by itself', async () => {
    const { orderId } = await createOrder(merchant);
    const until = () => new Date(service.app.deps.clock.now() + 600_000).toISOString();
    const { data } = await operator.post(`/orders/${orderId}/claim`);
    expect(data).toEqual({ orderId, claimedBy: claimant, claimedUntil: data.claimedUntil });
    expect(Date.parse(data.claimedUntil)).toBeLessThanOrEqual(Date.parse(until()));
    expect((await operator.get(`/orders/${orderId}`)).data.claimedBy).toEqual(claimant);
    expect((await operator.get(`/orders?search=${orderId}`)).data[0].claimedBy).toEqual(claimant);

    const theirs = await secondOperator(service).post(`/orders/${orderId}/claim`);
    expect([theirs.status, theirs.error]).toEqual([
      409,
      expect.stringContaining('OPERATOR_TOKEN works on this order until'),
    ]);
    expect(JSON.parse(theirs.text).code).toBe('claimed');
    await advance(service, 9 * 60);
    expect((await operator.post(`/orders/${orderId}/claim`)).status).toBe(200);
    await advance(service, 9 * 60);
    expect((await operator.get(`/orders/${orderId}`)).data.claimedBy).toEqual(claimant);
    await advance(service, 60);
    expect((await operator.get(`/orders/${orderId}`)).data.claimedBy).toBeNull();
    expect((await secondOperator(service).post(`/orders/${orderId}/claim`)).status).toBe(200);
  });

  test('is left by its owner alone, and binds nobody', async () => {
    const { orderId } = await createOrder(merchant);
    await operator.post(`/orders/${orderId}/claim`);
    const { data } = await secondOperator(service).post(`/orders/${orderId}/unclaim`);
    expect(data.claimedBy).toEqual(claimant);
    const cancel = await secondOperator(service).post(`/orders/${orderId}/cancel`, { note: 'n' });
    expect(cancel.data.status).toBe('Cancelled');
    expect((await operator.post(`/orders/${orderId}/unclaim`)).data.claimedBy).toBeNull();
  });

  test('of two at once goes to one of them', async () => {
    const { orderId } = await createOrder(merchant);
    const people = [operator, secondOperator(service)];
    const answers = await Promise.all(
      [0, 1, 0, 1, 0, 1].map((at) => people[at]?.post(`/orders/${orderId}/claim`)),
    );
    const won = new Set(answers.filter((one) => one?.status === 200).map((one) => one?.text));
    const names = answers.flatMap((one) => (one?.status === 200 ? [one.data.claimedBy.name] : []));
    expect([new Set(names).size, won.size > 0]).toEqual([1, true]);
    expect(answers.filter((one) => one?.status === 409)).toHaveLength(3);
  });

  test('is not for viewers, and needs an order', async () => {
    const { token } = await createOperator(service, 'viewer');
    const { orderId } = await createOrder(merchant);
    expect((await operatorClient(service, token).post(`/orders/${orderId}/claim`)).status).toBe(
      403,
    );
    for (const action of ['claim', 'unclaim'])
      expect((await operator.post(`/orders/${randomUUID()}/${action}`)).status).toBe(404);
  });
});
