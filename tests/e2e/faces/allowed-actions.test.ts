import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { createMember, createMerchant } from '../../support/fixtures.ts';
import {
  createOperator,
  type OperatorClient,
  operatorClient,
  secondOperator,
} from '../../support/operator-client.ts';
import { serviceTest } from '../../support/service-test.ts';

/**
 * What merchants, keys, members, accounts and operators list as allowed is what a console shows as
 * buttons (apis.md#what-may-be-done): each does something, and what is not listed would be refused
 * or change nothing.
 */

const { test, service } = await serviceTest();
const admin = operatorClient(service);

/** What a resource lists. */
const listed = async (path: string, by = admin) =>
  (await by.get(path)).data.allowedActions as readonly string[];

describe('a merchant', () => {
  const KEYS = ['adjustments', 'api-keys', 'api-keys/regenerate'];

  test.each([
    ['active', ['change', 'suspend', 'close', ...KEYS]],
    ['suspended', ['change', 'activate', 'close', ...KEYS]],
    ['closed', ['change', 'activate', 'suspend', ...KEYS]],
  ])('that is %s may be given any other status', async (status, actions) => {
    const { merchantId } = await createMerchant(service);
    const { data } = await admin.patch(`/merchants/${merchantId}`, { status });
    expect(data.allowedActions).toEqual(actions);
    expect(await listed(`/merchants/${merchantId}`)).toEqual(actions);
    for (const path of KEYS) {
      const body = path === 'adjustments' ? { kind: 'credit', amount: 1, reason: 'r' } : undefined;
      expect((await admin.post(`/merchants/${merchantId}/${path}`, body)).status, path).toBe(200);
    }
  });

  test('has keys that are revoked once', async () => {
    const { merchantId, keyId } = await createMerchant(service);
    const path = `/merchants/${merchantId}/api-keys`;
    expect((await admin.get(path)).data[0].allowedActions).toEqual(['revoke']);
    const revoked = (await admin.delete(`${path}/${keyId}`)).data;
    expect(revoked.allowedActions).toEqual([]);
    expect((await admin.delete(`${path}/${keyId}`)).data).toEqual(revoked);
  });
});

describe('a member', () => {
  test('may be suspended while active, and made active while suspended', async () => {
    const { memberId } = await createMember(service);
    const path = `/members/${memberId}`;
    const rest = ['accounts', 'float-adjustments', 'sessions'];
    expect(await listed(path)).toEqual(['change', 'suspend', ...rest, 'recovery-link']);
    await admin.patch(path, { status: 'suspended' });
    expect(await listed(path)).toEqual(['change', 'activate', ...rest]);
  });

  test('has accounts that may be given the status that they do not have', async () => {
    const { memberId } = await createMember(service, { methods: [] });
    const body = { walletType: 'TillID', accountNumber: '1', accountTitle: 'A' };
    const { data: account } = await admin.post(`/members/${memberId}/accounts`, body);
    expect(account.allowedActions).toEqual(['approve', 'suspend', 'change-limits']);
    const path = `/member-accounts/${account.accountId}`;
    const after = async (action: string) =>
      (await admin.post(`${path}/${action}`)).data.allowedActions;
    expect(await after('approve')).toEqual(['suspend', 'change-limits']);
    expect(await after('suspend')).toEqual(['approve', 'change-limits']);
  });

  test('has accounts that another operator approves while a second one is required', async () => {
    const { memberId } = await createMember(service, { methods: [] });
    const body = { walletType: 'TillID', accountNumber: '1', accountTitle: 'A' };
    const { data: account } = await admin.post(`/members/${memberId}/accounts`, body);
    const second = secondOperator(service);
    const actions = async (by: OperatorClient) =>
      (await by.get(`/members/${memberId}`)).data.accounts[0].allowedActions;
    await admin.patch('/settings', { requireSecondOperator: true });
    const may = ['approve', 'suspend', 'change-limits'];
    expect([await actions(admin), await actions(second)]).toEqual([may, may]);
    const path = `/member-accounts/${account.accountId}/approve`;
    const answers = [await admin.post(path), await second.post(path)];
    expect(answers.map(({ data }) => data.status)).toEqual(['pendingApproval', 'approved']);
    const { data } = await admin.patch('/settings', { requireSecondOperator: false });
    await second.post(`/approvals/${data.approvalId}/approve`);
  });
});

describe('an operator', () => {
  const ALL = ['change', 'change-role', 'suspend', 'set-password', 'tokens'];
  const rowOf = async (operatorId: string, by = admin) =>
    (await by.get('/operators?limit=200')).data.find(
      (row: { operatorId: string }) => row.operatorId === operatorId,
    );

  test('may be changed by others, given tokens while active, and lose those they have', async () => {
    const { operatorId } = await createOperator(service, 'viewer');
    expect((await rowOf(operatorId)).allowedActions).toEqual([
      ...ALL,
      'revoke-tokens',
      'end-sign-ins',
      'recovery-link',
    ]);
    await admin.delete(`/operators/${operatorId}/tokens`);
    expect((await rowOf(operatorId)).allowedActions).toEqual([
      ...ALL,
      'end-sign-ins',
      'recovery-link',
    ]);
    const suspended = await admin.patch(`/operators/${operatorId}`, { status: 'suspended' });
    const without = ['change', 'change-role', 'activate', 'set-password', 'end-sign-ins'];
    expect(suspended.data.allowedActions).toEqual(without);
    const token = await admin.post(`/operators/${operatorId}/tokens`, { name: 'x' });
    expect([token.status, token.error]).toEqual([409, 'This operator is suspended.']);
  });

  test('changes neither role, status nor password of their own here', async () => {
    const { operatorId, token } = await createOperator(service, 'admin');
    const self = operatorClient(service, token);
    const { allowedActions } = await rowOf(operatorId, self);
    expect(allowedActions).toEqual(['change', 'tokens', 'revoke-tokens', 'end-sign-ins']);
    for (const body of [
      { role: 'viewer' },
      { status: 'suspended' },
      { password: 'another long password' },
    ])
      expect((await self.patch(`/operators/${operatorId}`, body)).status).toBe(409);
    expect((await self.patch(`/operators/${operatorId}`, { name: 'New' })).status).toBe(200);
  });

  test('who has no password yet may set a first one', async () => {
    const body = { username: randomUUID(), name: 'Scripts', role: 'admin' };
    const { data } = await admin.post('/operators', body);
    expect(data.hasPassword).toBe(false);
    const { token } = (await admin.post(`/operators/${data.operatorId}/tokens`, { name: 'x' }))
      .data;
    const self = operatorClient(service, token);
    expect((await rowOf(data.operatorId, self)).allowedActions).toContain('set-password');
  });
});

test('viewers and support are listed nothing that needs an admin', async () => {
  const { merchantId } = await createMerchant(service);
  const { memberId } = await createMember(service);
  for (const role of ['viewer', 'support'] as const) {
    const by = operatorClient(service, (await createOperator(service, role)).token);
    expect(await listed(`/merchants/${merchantId}`, by)).toEqual([]);
    expect(await listed(`/members/${memberId}`, by)).toEqual([]);
    const { accounts } = (await by.get(`/members/${memberId}`)).data;
    const keys = (await by.get(`/merchants/${merchantId}/api-keys`)).data;
    for (const { allowedActions } of [...accounts, ...keys]) expect(allowedActions).toEqual([]);
  }
});
