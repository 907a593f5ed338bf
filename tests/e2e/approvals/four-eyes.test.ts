import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { createOperatorWithToken } from '../../../apps/server/src/operators/service.ts';
import {
  advance,
  createMember,
  createMerchant,
  createOrder,
  everybodyOffline,
} from '../../support/fixtures.ts';
import {
  createOperator,
  type OperatorClient,
  operatorClient,
  secondOperator,
} from '../../support/operator-client.ts';
import { openPage } from '../../support/page-client.ts';
import { startService } from '../../support/service.ts';
import { serviceTest } from '../../support/service-test.ts';
import { expectSound } from '../../support/verify.ts';

/**
 * With `requireSecondOperator`, no operator takes money or power alone. Every way
 * round that was found is here.
 */

const { test, service } = await serviceTest();
/** The admin who tries alone is in the database; the two of the environment approve. */
const thief = await createOperator(service, 'admin');
const alone = operatorClient(service, thief.token);
const second = operatorClient(service);
const third = secondOperator(service);
const merchant = await createMerchant(service, { balance: '1000' });
beforeEach(() => require(true, 100));
afterEach(async () => {
  await expectSound(service);
  await everybodyOffline(service);
});

/** The settings as they are, from outside: turning them down over HTTP would wait. */
const require = (on: boolean, limit: number | null) =>
  service.database.pool.query(
    'update settings set require_second_operator = $1, adjustment_approval_limit = $2',
    [on, limit],
  );
const adjust = (by: OperatorClient, amount: number) =>
  by.post(`/merchants/${merchant.merchantId}/adjustments`, { kind: 'credit', amount, reason: 'r' });
const balance = async () =>
  (await second.get(`/merchants/${merchant.merchantId}/balance`)).data.walletBalance;
const settle = (by: OperatorClient, approvalId: string, how: 'approve' | 'decline' = 'approve') =>
  by.post(`/approvals/${approvalId}/${how}`, how === 'decline' ? { note: 'no' } : undefined);
/** A day on, so that nobody has moved anything yet. */
const nextDay = () => advance(service, 86_400);
const waits = { status: 200, data: { status: 'pendingApproval', approvalId: expect.any(String) } };

/** An order that failed, of which nobody ever said anything. */
async function failedDeposit(amount: number) {
  const order = await createOrder(merchant, { amount });
  await second.post(`/orders/${order.orderId}/cancel`, { note: 'no' });
  return order.orderId;
}

describe('adjustments', () => {
  test('above the limit wait, are shown whole, and are applied as they stand by another operator', async () => {
    await nextDay();
    const before = await balance();
    const { data } = await adjust(alone, 500);
    expect(data).toMatchObject({ status: 'pendingApproval', approvalId: data.adjustmentId });
    const asked = (await second.get(`/approvals/${data.approvalId}`)).data;
    expect(asked).toMatchObject({
      kind: 'adjustment',
      request: { merchantId: merchant.merchantId, kind: 'credit', amount: '500', reason: 'r' },
      requestedBy: thief.operatorId,
      status: 'pending',
      decidedBy: null,
    });
    expect(
      (await second.get('/approvals?status=pending')).data.map(
        ({ approvalId }: { approvalId: string }) => approvalId,
      ),
    ).toContain(data.approvalId);
    expect((await settle(alone, data.approvalId)).status).toBe(403);
    expect(await second.post(`/approvals/${data.approvalId}/approve`, { amount: 5 })).toMatchObject(
      { status: 400 },
    );
    expect(await balance()).toBe(before);
    expect((await settle(second, data.approvalId)).data).toMatchObject({
      status: 'done',
      decidedBy: 'env-1',
    });
    expect((await settle(third, data.approvalId)).status).toBe(409);
    expect(await balance()).toBe(before + 500);
    const log = (await second.get(`/audit-log?target=${merchant.merchantId}`)).data;
    expect(log[0]).toMatchObject({
      action: 'wallet.approve',
      actor: { id: 'env-1' },
      detail: { requestedBy: thief.operatorId },
    });
  });

  test('that split a sum wait from where the day’s sum is above the limit, one after another and at once', async () => {
    await nextDay();
    const before = await balance();
    const statuses = [];
    for (let at = 0; at < 4; at += 1) statuses.push((await adjust(alone, 40)).data.status);
    expect(statuses).toEqual(['applied', 'applied', 'pendingApproval', 'pendingApproval']);
    await nextDay();
    const float = `/members/${(await newMember()).memberId}/float-adjustments`;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        at % 2 === 0 ? adjust(alone, 20) : alone.post(float, { amount: -20, reason: 'r' }),
      ),
    );
    expect(answers.filter(({ data }) => data.status === 'applied')).toHaveLength(5);
    expect(answers.filter(({ data }) => data.status === 'pendingApproval')).toHaveLength(15);
    await nextDay();
    expect((await adjust(alone, 100)).data.status).toBe('applied');
    expect(await balance()).toBeLessThanOrEqual(before + 80 + 100 + 100);
  });

  test('split over two processes at once count as one sum, and are approved by one of two at once', async () => {
    await nextDay();
    const other = await startService({}, service);
    try {
      const before = await balance();
      const [here, there] = [alone, operatorClient(other, thief.token)];
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, at) => adjust(at % 2 === 0 ? here : there, 30)),
      );
      const waiting = answers
        .filter(({ data }) => data.status === 'pendingApproval')
        .map(({ data }) => data.approvalId);
      expect(waiting).toHaveLength(17);
      const approvers = [second, third, operatorClient(other), secondOperator(other)];
      const approved = await Promise.all(approvers.map((by) => settle(by, waiting[0])));
      expect(approved.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
      expect(await balance()).toBe(before + 4 * 30);
    } finally {
      await other.close();
    }
  });

  test('of floats wait alike, and without a limit every one does', async () => {
    await nextDay();
    const { memberId } = await newMember({ float: '50' });
    const path = `/members/${memberId}/float-adjustments`;
    await require(true, null);
    const { data } = await alone.post(path, { amount: 0.0001, reason: 'r' });
    expect(data).toEqual({
      ...waits.data,
      request: { memberId, amount: '0.0001', reason: 'r' },
      approvers: ['OPERATOR_TOKEN', 'OPERATOR_TOKEN_2'],
    });
    expect((await alone.get(`/members/${memberId}`)).data.floatBalance).toBe(50);
    expect((await settle(alone, data.approvalId)).status).toBe(403);
    expect((await settle(second, data.approvalId)).status).toBe(200);
    expect((await alone.get(`/members/${memberId}`)).data.floatBalance).toBe(50.0001);
    const [moved] = (await second.get(`/members/${memberId}/movements?limit=1`)).data;
    expect(moved).toMatchObject({ amount: 0.0001, note: 'r' }); // and neither operator's name
  });

  test('are decided again when they are approved', async () => {
    await nextDay();
    const { data } = await alone.post(`/merchants/${merchant.merchantId}/adjustments`, {
      kind: 'debit',
      amount: await balance(),
      reason: 'r',
    });
    await third.post(`/merchants/${merchant.merchantId}/adjustments`, {
      kind: 'debit',
      amount: 1,
      reason: 'r',
    });
    expect(await settle(second, data.approvalId)).toMatchObject({ status: 422 });
    expect((await second.get(`/approvals/${data.approvalId}`)).data.status).toBe('pending');
  });

  test('that were turned down, withdrawn, waited a day or lost their requester are never applied', async () => {
    await nextDay();
    const before = await balance();
    const ask = async (by = alone) => (await adjust(by, 1000)).data.approvalId;
    const accomplice = await newOperator('admin');
    const [declined, withdrawn, expired] = [await ask(), await ask(), await ask()];
    const fallen = await ask(operatorClient(service, accomplice.token));
    expect((await settle(second, declined, 'decline')).data).toMatchObject({
      status: 'declined',
      note: 'no',
    });
    expect((await settle(alone, withdrawn, 'decline')).data.status).toBe('withdrawn');
    await second.patch(`/operators/${accomplice.operatorId}`, { status: 'suspended' });
    expect((await second.get(`/approvals/${fallen}`)).data.status).toBe('fallen');
    await advance(service, 86_400);
    expect((await second.get(`/approvals/${expired}`)).data.status).toBe('expired');
    for (const approvalId of [declined, withdrawn, expired, fallen]) {
      expect((await settle(third, approvalId)).status).toBe(409);
      expect(
        (await second.get(`/adjustments?status=declined&limit=200`)).data.map(
          ({ adjustmentId }: { adjustmentId: string }) => adjustmentId,
        ),
      ).toContain(approvalId);
    }
    expect(await balance()).toBe(before);
  });

  test('are not approved by another session or token of the asker', async () => {
    await nextDay();
    const { data } = await adjust(alone, 1000);
    const own = await alone.post(`/operators/${thief.operatorId}/tokens`, {
      name: 'another',
      currentPassword: thief.password,
    });
    expect((await settle(operatorClient(service, own.data.token), data.approvalId)).status).toBe(
      403,
    );
    const signedIn = await second.post('/session', {
      username: thief.username,
      password: thief.password,
    });
    expect(
      (await settle(operatorClient(service, signedIn.data.token), data.approvalId)).status,
    ).toBe(403);
  });

  test('that wait cannot be changed, by any role of the database', async () => {
    await nextDay();
    const { data } = await adjust(alone, 1000);
    const change = service.database.pool.query(
      `update approvals set request = request || '{"amount": "1"}' where approval_id = $1`,
      [data.approvalId],
    );
    await expect(change).rejects.toThrow('what was asked for does not change');
  });
});

/** With the setting off, as before it was turned on. */
async function freely<T>(make: () => Promise<T>): Promise<T> {
  await require(false, null);
  const made = await make();
  await require(true, 100);
  return made;
}

const newMember = (options: Parameters<typeof createMember>[1] = {}) =>
  freely(() => createMember(service, { online: false, ...options }));
const newOperator = (role: 'support' | 'admin') => freely(() => createOperator(service, role));
const supportOperator = async () => operatorClient(service, (await newOperator('support')).token);

const reviewed = (support: OperatorClient) => async (amount: number, confirmed: boolean) => {
  const order = await createOrder(merchant, { amount });
  if (confirmed) {
    await openPage(order).data('open');
    await openPage(order).data('confirm', { transactionDigits: '5678' });
  }
  await support.post(`/orders/${order.orderId}/escalate`, { note: 'look' });
  return order.orderId;
};

describe('orders', () => {
  test('confirmed late above the limit, or in small ones above it together, wait', async () => {
    await nextDay();
    const support = await supportOperator();
    const small = await Promise.all([60, 60].map(failedDeposit));
    const confirm = (orderId: string) =>
      support.post(`/orders/${orderId}/confirm`, { note: 'it came' });
    expect((await confirm(small[0] as string)).data.status).toBe('Completed');
    expect(await confirm(small[1] as string)).toMatchObject(waits);
    const large = await failedDeposit(5000);
    const { data } = await confirm(large);
    expect(data.status).toBe('pendingApproval');
    const approval = `/approvals/${data.approvalId}/approve`;
    expect((await support.post(approval, { note: 'yes' })).status).toBe(403);
    expect((await second.post(approval, { note: 'yes' })).data.status).toBe('done');
    const { status, timeline, approvals } = (await second.get(`/orders/${large}`)).data;
    expect(status).toBe('Completed');
    expect(timeline.at(-1).note).toMatch(
      /^it came Asked for by .+, approved by OPERATOR_TOKEN\. yes$/,
    );
    expect(approvals).toEqual([]);
  });

  test('of which no member has said that they were paid are completed within the day’s sum, others by two', async () => {
    await nextDay();
    const support = await supportOperator();
    await newMember({ methods: ['ProviderA'], online: true });
    const review = reviewed(support);
    const resolve = (orderId: string, outcome = 'Completed') =>
      support.post(`/orders/${orderId}/resolve`, { outcome, note: 'decided' });
    expect((await resolve(await review(50, true))).data.status).toBe('Completed');
    expect((await resolve(await review(50, false), 'Cancelled')).data.status).toBe('Cancelled');
    expect((await resolve(await review(50, false))).data.status).toBe('Completed');
    for (const orderId of [await review(1, true), await review(101, true)]) {
      const answer = await resolve(orderId);
      expect(answer).toMatchObject(waits);
      expect((await settle(support, answer.data.approvalId)).status).toBe(403);
      expect((await second.get(`/orders/${orderId}`)).data.status).toBe('ManualReview');
      expect((await settle(second, answer.data.approvalId)).data.status).toBe('done');
      expect((await second.get(`/orders/${orderId}`)).data.status).toBe('Completed');
    }
  });
});

test('orders completed with another member than the holder count together: that member pays', async () => {
  await nextDay();
  const support = await supportOperator();
  await newMember({ methods: ['ProviderA'], online: true });
  const { memberId } = await newMember({ float: '500' });
  const review = reviewed(support);
  const resolve = async (orderId: string) =>
    support.post(`/orders/${orderId}/resolve`, { outcome: 'Completed', note: 'theirs', memberId });
  expect((await resolve(await review(60, true))).data.status).toBe('Completed');
  expect(await resolve(await review(60, true))).toMatchObject(waits);
  expect((await second.get(`/members/${memberId}`)).data.floatBalance).toBe(440);
});

describe('a request about money is done as it was asked for', () => {
  const ask = async (path: string, body: object) => {
    const asked = await alone.post(path, body);
    expect(asked).toMatchObject(waits);
    const preview = await second.post(`/approvals/${asked.data.approvalId}/approve?preview=true`);
    expect(preview).toMatchObject({ status: 200, data: { status: 'done' } });
    expect((await settle(second, asked.data.approvalId)).data.status).toBe('done');
  };

  test('a wallet', async () => {
    await nextDay();
    const before = await balance();
    const change = { kind: 'credit', amount: 500.25, reason: 'by "two"', internalNote: 'ours' };
    await ask(`/merchants/${merchant.merchantId}/adjustments`, change);
    expect(await balance()).toBe(before + 500.25);
  });

  test('a float', async () => {
    await nextDay();
    const { memberId } = await newMember();
    await ask(`/members/${memberId}/float-adjustments`, { amount: -500.25, reason: 'by two' });
    expect((await second.get(`/members/${memberId}`)).data.floatBalance).toBe(99_499.75);
  });

  test.each(['a member', 'nobody'])('a late confirmation that names %s', async (whom) => {
    await nextDay();
    const { memberId } = await newMember();
    const orderId = await failedDeposit(500);
    const named = whom === 'nobody' ? {} : { memberId };
    await ask(`/orders/${orderId}/confirm`, { note: 'it came', ...named });
    const order = (await second.get(`/orders/${orderId}`)).data;
    expect([order.status, order.memberId]).toEqual(['Completed', named.memberId ?? null]);
  });

  test('a decision of the review', async () => {
    await nextDay();
    await newMember({ methods: ['ProviderA'], online: true });
    const { orderId } = await createOrder(merchant, { amount: 500 });
    await second.post(`/orders/${orderId}/escalate`, { note: 'look' });
    await ask(`/orders/${orderId}/resolve`, { outcome: 'Completed', note: 'decided' });
    expect((await second.get(`/orders/${orderId}`)).data.status).toBe('Completed');
  });
});

describe('power', () => {
  test('a second operator is not made, promoted, reinstated or taken over alone', async () => {
    const [victim, other] = [await newOperator('support'), await newOperator('support')];
    const admins = async () =>
      (await second.get('/operators?limit=200')).data.filter(
        ({ role, status }: { role: string; status: string }) =>
          role === 'admin' && status === 'active',
      ).length;
    const before = await admins();
    const body = {
      username: `u-${randomUUID()}`,
      name: 'Mine',
      role: 'admin',
      password: 'a long enough password',
    };
    const asked = [
      await alone.post('/operators', body),
      await alone.patch(`/operators/${other.operatorId}`, { role: 'admin' }),
      await alone.patch(`/operators/${victim.operatorId}`, { password: 'mine from now on' }),
      await alone.post(`/operators/${victim.operatorId}/tokens`, { name: 'mine' }),
    ];
    for (const answer of asked) {
      expect(answer).toMatchObject(waits);
      expect(answer.data.token).toBeUndefined();
      expect((await settle(alone, answer.data.approvalId)).status).toBe(403);
      expect((await second.get(`/approvals/${answer.data.approvalId}`)).text).not.toMatch(
        /argon2|a long enough password|mine from now on/,
      );
    }
    expect(await admins()).toBe(before);
    expect(
      (await second.post('/session', { username: victim.username, password: 'mine from now on' }))
        .status,
    ).toBe(401);
    expect((await settle(second, asked[0]?.data.approvalId)).data.status).toBe('done');
    expect(await admins()).toBe(before + 1);
    expect(
      (await second.post('/session', { username: body.username, password: body.password })).status,
    ).toBe(200);
  });

  test('a token is fetched by who asked and a key by an approver, once and within a day', async () => {
    const victim = await newOperator('support');
    const token = (await alone.post(`/operators/${victim.operatorId}/tokens`, { name: 'for them' }))
      .data.approvalId;
    const key = (await alone.post(`/merchants/${merchant.merchantId}/api-keys`)).data.approvalId;
    const late = (await alone.post(`/merchants/${merchant.merchantId}/api-keys/regenerate`)).data
      .approvalId;
    expect((await third.post(`/approvals/${key}/fetch`)).status).toBe(409);
    for (const approvalId of [token, key, late]) {
      const approved = await settle(second, approvalId);
      expect(approved.data.status).toBe('approved');
      expect(approved.text).not.toMatch(/op_|mk_live_|sksec_/);
      const wrong = approvalId === token ? second : alone;
      expect((await wrong.post(`/approvals/${approvalId}/fetch`)).status).toBe(403);
    }
    const retried = randomUUID();
    const fetched = (await third.post(`/approvals/${key}/fetch`, undefined, retried)).data;
    expect(fetched.apiKey).toMatch(/^mk_live_/);
    expect((await third.post(`/approvals/${key}/fetch`, undefined, retried)).data).toEqual({
      keyId: fetched.keyId,
      prefix: fetched.prefix,
      secretShown: true,
    });
    expect((await third.post(`/approvals/${key}/fetch`)).status).toBe(409);
    expect((await alone.post(`/approvals/${token}/fetch`)).data.token).toMatch(/^op_/);
    await advance(service, 86_400);
    expect((await third.post(`/approvals/${late}/fetch`)).status).toBe(409);
  });

  test('the limit is not lifted, nor the setting turned off, alone; both may be tightened', async () => {
    await nextDay();
    for (const change of [
      { adjustmentApprovalLimit: 1_000_000 },
      { adjustmentApprovalLimit: null },
      { requireSecondOperator: false },
    ]) {
      const answer = await alone.patch('/settings', change);
      expect(answer).toMatchObject(waits);
      expect((await settle(alone, answer.data.approvalId)).status).toBe(403);
      expect((await second.get('/settings')).data).toMatchObject({
        adjustmentApprovalLimit: 100,
        requireSecondOperator: true,
      });
      expect((await adjust(alone, 1000)).data.status).toBe('pendingApproval');
    }
    expect(
      (await alone.patch('/settings', { adjustmentApprovalLimit: 50 })).data
        .adjustmentApprovalLimit,
    ).toBe(50);
    const asked = (await alone.patch('/settings', { adjustmentApprovalLimit: 200 })).data
      .approvalId;
    expect((await second.get(`/approvals/${asked}`)).data.request).toEqual({
      adjustmentApprovalLimit: '200',
      adjustmentApprovalLimitBefore: '50',
    });
    await settle(second, asked);
    expect((await second.get('/settings')).data.adjustmentApprovalLimit).toBe(200);
  });

  test('a member is not taken over, nor an account approved by the operator who added it', async () => {
    const member = await newMember();
    expect(
      await alone.patch(`/members/${member.memberId}`, { password: 'mine from now on' }),
    ).toMatchObject(waits);
    const account = { walletType: 'TillID', accountNumber: '03001234567', accountTitle: 'Mine' };
    const limits = { minimumPerOrder: 0, maximumPerDay: 2000 };
    const added = await alone.post(`/members/${member.memberId}/accounts`, {
      ...account,
      ...limits,
    });
    const { accountId } = added.data;
    const asked = await alone.post(`/member-accounts/${accountId}/approve`);
    expect(asked).toMatchObject(waits);
    expect(asked.data.request).toMatchObject({
      ...account,
      memberId: member.memberId,
      memberName: 'Test Member',
      accountId,
      currencies: null,
      minimumPerOrder: '0',
      maximumPerOrder: null,
      maximumPerDay: '2000',
      qrPayload: null,
      qrAmount: true,
      status: 'approved',
      statusBefore: 'pending',
    });
    expect((await second.post(`/member-accounts/${accountId}/approve`)).data.status).toBe(
      'approved',
    );
    expect((await alone.post(`/member-accounts/${accountId}/suspend`)).status).toBe(200);
  });

  test('what is about a member is not approved by who last let them in', async () => {
    const member = await newMember({ methods: ['ProviderA'] });
    const own = await createOperator(service, 'approver');
    const giver = operatorClient(service, own.token);
    const { memberId } = member;
    const accountId = member.accounts[0]?.accountId;
    await freely(() =>
      giver.patch(`/members/${memberId}`, { password: 'of the one who let me in' }),
    );
    const shownTo = async (by: OperatorClient) =>
      (await by.get(`/members/${memberId}`)).data.credentialByYou;
    expect([await shownTo(giver), await shownTo(second)]).toEqual([true, false]);
    for (const asked of [
      await alone.post(`/members/${memberId}/float-adjustments`, { amount: 5000, reason: 'r' }),
      await alone.patch(`/member-accounts/${accountId}`, { maximumPerOrder: 10 }),
      await alone.patch(`/member-accounts/${accountId}`, { maximumPerOrder: null }),
      await alone.post(`/members/${memberId}/recovery-link`),
    ].filter(({ data }) => 'approvalId' in data)) {
      expect(await settle(giver, asked.data.approvalId)).toMatchObject({
        status: 403,
        error:
          'You gave the asker, or a person whom this is about, a password or link: another approver decides.',
      });
      expect((await settle(second, asked.data.approvalId)).status).toBe(200);
    }
  });

  test('an account takes more only after two operators; less holds at once', async () => {
    const { memberId } = await newMember({ methods: [] });
    const account = { walletType: 'TillID', accountNumber: '7', accountTitle: 'T' };
    const limits = { minimumPerOrder: 100, maximumPerOrder: 500, maximumPerDay: 1000 };
    const added = await second.post(`/members/${memberId}/accounts`, { ...account, ...limits });
    const { accountId } = added.data;
    const path = `/member-accounts/${accountId}`;
    const read = async () => (await second.get(`/members/${memberId}`)).data.accounts[0];
    for (const wider of [
      { minimumPerOrder: 99 },
      { minimumPerOrder: null },
      { maximumPerOrder: 500.01 },
      { maximumPerDay: null, maximumPerOrder: 400 },
    ])
      expect(await alone.patch(path, wider)).toMatchObject(waits);
    expect(await alone.patch(path, { maximumPerOrder: 50 })).toMatchObject({ status: 400 });
    expect(await read()).toMatchObject(limits);

    const narrower = { minimumPerOrder: 110, maximumPerOrder: 450, qrAmount: false };
    expect((await alone.patch(path, narrower)).data).toMatchObject(narrower);

    // What was asked for before is about limits that are not there any more.
    const { data: asked } = await alone.patch(path, { maximumPerDay: 2000, qrAmount: true });
    const request = (await second.get(`/approvals/${asked.approvalId}`)).data;
    expect(request).toMatchObject({
      kind: 'account-change',
      target: accountId,
      request: {
        accountNumber: '7',
        maximumPerDay: '2000',
        maximumPerDayBefore: '1000',
        qrAmount: true,
        qrAmountBefore: false,
      },
      requestedBy: thief.operatorId,
      allowedActions: ['approve', 'decline'],
    });
    expect(request.request).not.toHaveProperty('maximumPerOrder');
    expect((await settle(alone, asked.approvalId)).status).toBe(403);
    expect((await settle(second, asked.approvalId)).data).toMatchObject({ status: 'done' });
    expect(await read()).toMatchObject({
      ...limits,
      ...narrower,
      maximumPerDay: 2000,
      qrAmount: true,
    });
    const { data: stale } = await alone.patch(path, { maximumPerDay: 3000 });
    await freely(() => second.patch(path, { maximumPerDay: 1500 }));
    expect((await settle(second, stale.approvalId)).status).toBe(409);
    expect((await second.get(`/approvals/${stale.approvalId}`)).data.status).toBe('pending');
    const [, entry] = (await second.get(`/audit-log?target=${accountId}&action=account.update`))
      .data;
    expect(entry).toMatchObject({
      actor: { id: 'env-1' },
      detail: { maximumPerDay: '2000', maximumPerDayBefore: '1000', requestedBy: thief.operatorId },
    });
  });

  test('a change of an account that nobody approved in a day is never made', async () => {
    const { memberId } = await newMember({ methods: [] });
    const account = { walletType: 'TillID', accountNumber: '8', accountTitle: 'T' };
    const added = await second.post(`/members/${memberId}/accounts`, {
      ...account,
      maximumPerDay: 1000,
    });
    const path = `/member-accounts/${added.data.accountId}`;
    const { data: asked } = await alone.patch(path, { maximumPerDay: null });
    await nextDay();
    expect((await settle(second, asked.approvalId)).status).toBe(409);
    expect((await second.get(`/approvals/${asked.approvalId}`)).data.status).toBe('expired');
    expect((await second.get(`/members/${memberId}`)).data.accounts[0].maximumPerDay).toBe(1000);
  });

  test('revoking and suspending never wait', async () => {
    const victim = await newOperator('admin');
    const [{ keyId }] = (await alone.get(`/merchants/${merchant.merchantId}/api-keys`)).data;
    expect(
      (await alone.delete(`/merchants/${merchant.merchantId}/api-keys/${keyId}`)).data.revokedAt,
    ).not.toBeNull();
    expect((await alone.delete(`/operators/${victim.operatorId}/tokens`)).status).toBe(200);
    expect(
      (await alone.patch(`/operators/${victim.operatorId}`, { status: 'suspended' })).data.status,
    ).toBe('suspended');
    expect(
      await alone.patch(`/operators/${victim.operatorId}`, { status: 'active' }),
    ).toMatchObject(waits);
  });

  test('an operator made on the server is in the audit log', async () => {
    const username = `server-${randomUUID()}`;
    await createOperatorWithToken(
      service.app.deps,
      { username, name: 'Made', role: 'admin' },
      service.app.deps.clock.now(),
    );
    const [entry] = (await second.get('/audit-log?actorId=server')).data;
    expect(entry).toMatchObject({
      action: 'operator.create',
      actor: { name: 'the command line' },
      detail: { username, role: 'admin', token: true, systemUser: userInfo().username },
    });
  });
});
