import type { OperatorRole } from '@munshi/core';
import { describe, expect } from 'vitest';
import { makeOperatorLink } from '../../../apps/server/src/operators/service.ts';
import { createMember } from '../../support/fixtures.ts';
import {
  createOperator,
  operatorClient,
  secondOperator,
  send,
} from '../../support/operator-client.ts';
import { serviceTest } from '../../support/service-test.ts';

const { test, service } = await serviceTest();
const [admin, second] = [operatorClient(service), secondOperator(service)];
const NEW = 'quite another long password';

const tokenOf = (link: string) => new URL(link).hash.slice(1);
const onFace = async (face: 'operator' | 'member', path: string, body: object) => {
  const response = await fetch(`${service.url}/api/${face}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests say what they expect of it
  const json = (await response.json()) as { code?: string; data?: any };
  return { status: response.status, code: json.code, data: json.data };
};
const signIn = (username: string, password: string) =>
  send(service, 'POST', '/session', {}, { username, password });

async function linkFor(operatorId: string) {
  const { data } = await admin.post(`/operators/${operatorId}/recovery-link`);
  return tokenOf(data.link);
}

describe('a recovery link of an operator', () => {
  test('ends the sign-ins, and gives a new password once', async () => {
    const {
      operatorId,
      username,
      password,
      token: script,
    } = await createOperator(service, 'support');
    const { data: session } = await signIn(username, password);
    const { data } = await admin.post(`/operators/${operatorId}/recovery-link`);
    expect(data).toMatchObject({ principalId: operatorId, username });
    expect(new URL(data.link).pathname).toBe('/console/recover');
    expect((await operatorClient(service, session.token).get('/session')).status).toBe(401);
    expect((await signIn(username, password)).status).toBe(200); // still good until it is used

    const token = tokenOf(data.link);
    expect((await onFace('operator', '/recovery/read', { token })).data).toMatchObject({
      username,
      name: username,
    });
    const weak = await onFace('operator', '/recovery', { token, newPassword: 'password1234' });
    expect(weak.status).toBe(400);
    const used = await onFace('operator', '/recovery', { token, newPassword: NEW });
    expect(used.data).toEqual({ username });
    expect((await signIn(username, password)).status).toBe(401);
    expect((await signIn(username, NEW)).status).toBe(200);
    expect((await operatorClient(service, script).get('/session')).status).toBe(401);
    expect(await onFace('operator', '/recovery', { token, newPassword: NEW })).toMatchObject({
      status: 410,
      code: 'link-expired',
    });
    const log = await admin.get(`/audit-log?target=${operatorId}`);
    expect(log.data.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(['operator.recovery-link', 'operator.recover']),
    );
    expect(log.text).not.toContain(token);
  });

  test('is the later one where several are made at the same moment', async () => {
    const { operatorId } = await createOperator(service, 'viewer');
    const tokens = await Promise.all([1, 2, 3, 4].map(() => linkFor(operatorId)));
    const uses = [];
    for (const token of tokens)
      uses.push(await onFace('operator', '/recovery', { token, newPassword: NEW }));
    expect(uses.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403]);
  });

  test('is used once by two at once', async () => {
    const token = await linkFor((await createOperator(service, 'viewer')).operatorId);
    const uses = await Promise.all(
      ['one', 'two', 'three'].map((word) =>
        onFace('operator', '/recovery', { token, newPassword: `${word} ${NEW}` }),
      ),
    );
    const [used, ...others] = uses.toSorted((one, other) => one.status - other.status);
    expect(used?.status).toBe(200);
    // While its password is hashed no other one is; then the link was used.
    for (const { code } of others) expect(['too-many-tries', 'link-expired']).toContain(code);
  });

  test('ends after a day, with a newer one, and with a suspension', async () => {
    const { operatorId } = await createOperator(service, 'viewer');
    const old = await linkFor(operatorId);
    const token = await linkFor(operatorId);
    const read = (of: string) => onFace('operator', '/recovery/read', { token: of });
    expect((await read(old)).code).toBe('link-invalid');
    expect((await read('x'.repeat(43))).code).toBe('link-invalid');
    await admin.patch(`/operators/${operatorId}`, { status: 'suspended' });
    expect((await read(token)).code).toBe('suspended');
    expect((await admin.post(`/operators/${operatorId}/recovery-link`)).status).toBe(409);
    await admin.patch(`/operators/${operatorId}`, { status: 'active' });
    expect((await read(token)).status).toBe(200);
    await admin.post('/clock/advance', { seconds: 24 * 60 * 60 });
    expect((await read(token)).code).toBe('link-expired');
  });

  test('is made for nobody by themselves', async () => {
    const { operatorId, token } = await createOperator(service, 'admin');
    const own = await operatorClient(service, token).post(`/operators/${operatorId}/recovery-link`);
    expect(own.status).toBe(409);
  });

  test('waits for a second operator where one is required, who never sees it', async () => {
    const { operatorId, username, password } = await createOperator(service, 'support');
    await admin.patch('/settings', { requireSecondOperator: true, adjustmentApprovalLimit: 5 });
    const asked = await admin.post(`/operators/${operatorId}/recovery-link`);
    expect(asked.data.status).toBe('pendingApproval');
    const { approvalId } = asked.data;
    const approved = await second.post(`/approvals/${approvalId}/approve`, {});
    expect(approved.data).toMatchObject({ status: 'approved', kind: 'operator-recovery' });
    expect(approved.text).not.toContain('/recover#');
    expect((await second.post(`/approvals/${approvalId}/fetch`)).status).toBe(403);
    const fetched = await admin.post(`/approvals/${approvalId}/fetch`);
    const token = tokenOf(fetched.data.link);
    await onFace('operator', '/recovery', { token, newPassword: NEW });
    expect((await signIn(username, password)).status).toBe(401);
    const off = await admin.patch('/settings', { requireSecondOperator: false });
    await second.post(`/approvals/${off.data.approvalId}/approve`, {});
  });
});

describe('a member’s first password, chosen by the link', () => {
  const account = { walletType: 'TillID', accountNumber: '03001234567', accountTitle: 'Sana' };

  /** A new member with an account, and the link, approved where it waits. */
  async function newcomer(username: string) {
    const member = { name: 'Sana', username, password: 'a password that nobody reads' };
    const { memberId } = (await admin.post('/members', member)).data;
    const { accountId } = (await admin.post(`/members/${memberId}/accounts`, account)).data;
    const made = (await admin.post(`/members/${memberId}/recovery-link`)).data;
    const { approvalId } = made;
    if (approvalId !== undefined) await second.post(`/approvals/${approvalId}/approve`, {});
    const { link } =
      approvalId === undefined ? made : (await admin.post(`/approvals/${approvalId}/fetch`)).data;
    return {
      ...{ memberId, accountId },
      approve: `/member-accounts/${accountId}/approve`,
      choose: () => onFace('member', '/recovery', { token: tokenOf(link), newPassword: NEW }),
      status: async () => (await admin.get(`/members/${memberId}`)).data.accounts[0].status,
    };
  }

  test('leaves their account as it is: approved, or not yet', async () => {
    const before = await newcomer('sana.before');
    await before.choose();
    expect(await before.status()).toBe('pending');
    expect((await admin.post(before.approve)).data.status).toBe('approved');

    const after = await newcomer('sana.after');
    await admin.post(after.approve);
    expect((await after.choose()).status).toBe(200);
    expect(await after.status()).toBe('approved');
  });

  test('leaves the approval that waits for a second operator, too', async () => {
    await admin.patch('/settings', { requireSecondOperator: true, adjustmentApprovalLimit: 5 });
    const { memberId, accountId, approve, choose, status } = await newcomer('sana.of.two');
    const asked = await admin.post(approve);
    expect(asked.data.status).toBe('pendingApproval');
    expect((await choose()).status).toBe(200);
    const waiting = await admin.get(`/approvals?status=pending&target=${accountId}`);
    expect(waiting.data).toMatchObject([
      { approvalId: asked.data.approvalId, about: { memberId } },
    ]);
    expect(await status()).toBe('pending');
    await second.post(`/approvals/${asked.data.approvalId}/approve`, {});
    expect(await status()).toBe('approved');
    const off = await admin.patch('/settings', { requireSecondOperator: false });
    await second.post(`/approvals/${off.data.approvalId}/approve`, {});
  });
});

describe('a link made on the server', () => {
  const { deps } = service.app;
  const make = async (username: string, role: OperatorRole | null = null) =>
    tokenOf((await makeOperatorLink(deps, { username, role }, deps.clock.now())).link);
  const sent = (token: string, newPassword: string) =>
    onFace('operator', '/recovery', { token, newPassword });

  test('makes an operator, who signs in with the password that they choose by it', async () => {
    expect((await sent(await make('amina', 'viewer'), NEW)).data).toEqual({ username: 'amina' });
    const { data } = await signIn('amina', NEW);
    expect(data.operator).toMatchObject({ username: 'amina', name: 'amina', role: 'viewer' });
    const log = await admin.get(`/audit-log?target=${data.operator.operatorId}`);
    const made = log.data.filter(({ actor }: { actor: { id: string } }) => actor.id === 'server');
    expect(made.map(({ action }: { action: string }) => action).sort()).toEqual([
      'operator.create',
      'operator.recovery-link',
    ]);
  });

  test('ends the old password, every sign-in and token at once, and keeps the role', async () => {
    const { username, operatorId, password, token } = await createOperator(service, 'support');
    expect((await signIn(username, password)).status).toBe(200);
    const link = await make(username);
    expect((await signIn(username, password)).status).toBe(401);
    expect((await operatorClient(service, token).get('/session')).status).toBe(401);
    expect((await sent(link, `new ${NEW}`)).status).toBe(200);
    const { data } = await signIn(username, `new ${NEW}`);
    expect(data.operator).toMatchObject({ operatorId, role: 'support' });
  });

  test('lets in again an operator who was suspended, with the role that it names', async () => {
    const { username, operatorId } = await createOperator(service, 'support');
    await admin.patch(`/operators/${operatorId}`, { status: 'suspended' });
    expect((await sent(await make(username, 'admin'), NEW)).status).toBe(200);
    expect((await signIn(username, NEW)).data.operator).toMatchObject({
      operatorId,
      role: 'admin',
    });
  });
});

test('a member has their own links, which are good on no other face', async () => {
  const { memberId } = await createMember(service);
  const { data } = await admin.post(`/members/${memberId}/recovery-link`);
  expect(new URL(data.link).pathname).toBe('/member/recover');
  const token = tokenOf(data.link);
  const use = (face: 'operator' | 'member') =>
    onFace(face, '/recovery', { token, newPassword: NEW });
  expect((await use('operator')).code).toBe('link-invalid');
  const { username } = (await use('member')).data;
  const signedIn = await onFace('member', '/session', { username, password: NEW });
  expect(signedIn.data.member.memberId).toBe(memberId);
  // While one operator is enough; else: credentials.test.ts.
  const { online, accounts } = (await admin.get(`/members/${memberId}`)).data;
  expect(online).toBe(true);
  for (const { status } of accounts) expect(status).toBe('approved');
});
