import { describe, expect } from 'vitest';
import { createMember, createMerchant } from '../../support/fixtures.ts';
import { createOperator, operatorClient, secondOperator } from '../../support/operator-client.ts';
import { serviceTest } from '../../support/service-test.ts';

/** What is said of a write before it waits, and of a request before it is approved (decision 25). */

const { test, service } = await serviceTest();
const asma = await createOperator(service, 'approver', 'Asma Naz');
const bilal = await createOperator(service, 'approver', 'Bilal Raza');
const admin = await createOperator(service, 'admin', 'Hina Malik');
const as = ({ token }: { readonly token: string }) => operatorClient(service, token);
const OWN = ['OPERATOR_TOKEN', 'OPERATOR_TOKEN_2'];
const ALL = ['Asma Naz', 'Bilal Raza', ...OWN];

const rule = (on: boolean, limit: number | null) =>
  service.database.pool.query(
    'update settings set require_second_operator = $1, adjustment_approval_limit = $2',
    [on, limit],
  );
const merchant = await createMerchant(service, { name: 'Corner Shop', balance: '1000' });
const adjustments = `/merchants/${merchant.merchantId}/adjustments`;
const credit = (amount: number) => ({ kind: 'credit', amount, reason: 'Slip 4471' });

describe('a write that waits says so before it is sent', () => {
  test('of money: which limit it is above, what of it is left, and who can approve it', async () => {
    await rule(true, 100);
    const preview = async (amount: number, by = as(admin)) =>
      (await by.post(`${adjustments}?preview=true`, credit(amount))).data;
    const limit = { amount: 100, left: 100, shared: true };
    expect(await preview(100)).toMatchObject({ status: 'done', wait: null, limit });
    expect(await preview(101)).toMatchObject({
      status: 'pendingApproval',
      wait: { why: 'amount', rule: null, approvers: ALL },
      limit,
    });
    await as(admin).post(adjustments, credit(70));
    expect(await preview(31)).toMatchObject({
      wait: { why: 'day-sum' },
      limit: { amount: 100, left: 30, shared: true },
    });
    // An approver has a sum of their own, and does not approve what they ask for.
    expect(await preview(101, as(asma))).toMatchObject({
      wait: { why: 'amount', approvers: ['Bilal Raza', ...OWN] },
      limit: { amount: 100, left: 100, shared: false },
    });
    await rule(true, null);
    expect(await preview(1)).toMatchObject({ wait: { why: 'no-limit' }, limit: null });
    await rule(false, 100);
    expect(await preview(101)).toMatchObject({
      wait: { why: 'amount' },
      limit: { amount: 100, left: null, shared: false },
    });
  });

  test('of anything else: by what it declares, and it leaves nothing behind', async () => {
    await rule(true, 100);
    const by = as(admin);
    const preview = (body: object) => by.patch('/settings?preview=true', body);
    expect((await preview({ adjustmentApprovalLimit: 50 })).data).toEqual({
      ...{ preview: true, status: 'done', wait: null, limit: null },
    });
    const { data } = await preview({ adjustmentApprovalLimit: 500 });
    expect(data).toMatchObject({ status: 'pendingApproval', wait: { why: 'declared' } });
    expect(data.wait.rule).toContain('A higher limit');
    expect(data.wait.approvers).toEqual(ALL);
    const rate = { currency: 'INR', rate: 3.2 };
    expect((await by.post('/exchange-rates?preview=true', rate)).data.wait).toEqual({
      ...{ why: 'declared', rule: null, approvers: ALL },
    });
    expect((await by.post('/exchange-rates?preview=true', { ...rate, rate: 0 })).status).toBe(400);
    expect((await by.get('/approvals?status=pending')).data).toEqual([]);
    expect((await by.get('/settings')).data.adjustmentApprovalLimit).toBe(100);
  });

  test('whom the asker or a member in it has from an approver, that one does not approve', async () => {
    await rule(false, 100);
    const { memberId } = await createMember(service, { online: false });
    await as(bilal).post(`/members/${memberId}/recovery-link`);
    await rule(true, 100);
    const float = await as(admin).post(`/members/${memberId}/float-adjustments?preview=true`, {
      amount: 500,
      reason: 'r',
    });
    expect(float.data.wait.approvers).toEqual(['Asma Naz', ...OWN]);
  });

  test('its answer names them too', async () => {
    await rule(true, 100);
    const asked = await as(asma).post(adjustments, credit(500));
    expect(asked.data).toMatchObject({
      ...{ status: 'pendingApproval', approvers: ['Bilal Raza', ...OWN] },
    });
    await as(asma).post(`/approvals/${asked.data.approvalId}/decline`, { note: 'n' });
  });
});

describe('a request says, in the list and by itself,', () => {
  const read = async (approvalId: string) => {
    const by = secondOperator(service);
    const { data } = await by.get(`/approvals/${approvalId}`);
    const list = (await by.get('/approvals?status=pending')).data;
    expect(list.find((one: typeof data) => one.approvalId === approvalId)).toEqual(data);
    await as(admin).post(`/approvals/${approvalId}/decline`, { note: 'n' });
    return data;
  };

  test('whom it is about by name, the amount, the reason, and who can approve it', async () => {
    await rule(true, 100);
    const money = await as(admin).post(adjustments, credit(500));
    expect(await read(money.data.approvalId)).toMatchObject({
      about: { merchantId: merchant.merchantId, merchantName: 'Corner Shop', memberName: null },
      ...{ amount: 500, currency: 'PKR', reason: 'Slip 4471', approvers: ALL },
    });

    const { memberId, accounts } = await createMember(service, { name: 'Bushra Aslam' });
    const limits = await as(admin).patch(`/member-accounts/${accounts[0]?.accountId}`, {
      maximumPerDay: 500_000,
    });
    if (limits.data.approvalId !== undefined)
      expect((await read(limits.data.approvalId)).about).toMatchObject({
        ...{ memberId, memberName: 'Bushra Aslam' },
      });

    const role = await as(admin).patch(`/operators/${bilal.operatorId}`, { name: 'Bilal R.' });
    expect(role.status).toBe(200);
    const { operatorId } = await createOperator(service, 'viewer', 'Sana Iqbal');
    const higher = await as(admin).patch(`/operators/${operatorId}`, { role: 'admin' });
    expect((await read(higher.data.approvalId)).about).toMatchObject({ name: 'Sana Iqbal' });
  });
});

test('the rule is read as the endpoints declare it, with what holds now', async () => {
  await rule(true, 100);
  const { data } = await as(asma).get('/approvals/rule');
  expect(data).toMatchObject({ requireSecondOperator: true, limit: 100, left: 100, shared: false });
  expect(data.approvers).toHaveLength(4);
  const writes = data.rules.flatMap((one: { writes: object[] }) => one.writes);
  expect(writes).toContainEqual({
    summary: "Adjust a merchant's wallet",
    by: 'amount',
    waits: null,
  });
  expect(writes).toContainEqual({ summary: 'Set an exchange rate', by: 'two', waits: null });
  expect(data.rules.length).toBeLessThanOrEqual(10);
});
