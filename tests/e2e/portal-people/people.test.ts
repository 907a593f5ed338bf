import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import {
  deleteInvited,
  lockPortalUser,
} from '../../../apps/server/src/people/portal-users.store.ts';
import { deleteUnusedLinks } from '../../../apps/server/src/people/recovery-links.store.ts';
import { nextCode, withPortalCodes } from '../../support/authenticator.ts';
import { advance, createMerchant, createOrder } from '../../support/fixtures.ts';
import type { MemberClient } from '../../support/member-client.ts';
import { operatorClient, secondOperator } from '../../support/operator-client.ts';
import { createPortalUser, PORTAL_PASSWORD, portalClient } from '../../support/portal.ts';
import { serviceTest } from '../../support/service-test.ts';

/** Invitations, roles, one-time codes and own keys of a merchant's people. */

const { test, service } = await serviceTest();
const operator = operatorClient(service);
const nobody = portalClient(service, '');

/** A merchant with one admin. */
async function shop() {
  const merchant = await createMerchant(service);
  const user = await createPortalUser(service, merchant, 'admin');
  return { merchant, user, admin: portalClient(service, user.token) };
}
const tokenOf = (link: string) => link.slice(link.indexOf('#') + 1);
const signIn = (username: string, more: object = {}) =>
  nobody.call('POST', '/session', { username, password: PORTAL_PASSWORD, ...more });
const invited = async (admin: MemberClient, more: object = { role: 'viewer' }) => {
  const username = `invited-${randomUUID()}`;
  return { username, ...(await admin.data('POST', '/people', { username, ...more })) };
};
const accept = (link: string) =>
  nobody.call('POST', '/recovery', { token: tokenOf(link), newPassword: PORTAL_PASSWORD });

const withCode = (client: MemberClient) => withPortalCodes(service, client);

test('a merchant has two hundred people at most, invited ones too, however many are let in at once', async () => {
  const { merchant, admin } = await shop();
  const { merchantId } = merchant;
  await service.database.pool.query(
    `insert into portal_users (portal_user_id, merchant_id, username, name, role, created_at)
     select gen_random_uuid(), $1, 'many-' || n || '-' || $2, 'Many', 'viewer', now()
     from generate_series(1, 196) n`,
    [merchantId, merchantId],
  );
  const invite = () =>
    admin.call('POST', '/people', { username: `room-${randomUUID()}`, role: 'viewer' });
  const answers = await Promise.all(Array.from({ length: 8 }, invite));
  const full = answers.filter(({ json }) => json.code === 'too-many');
  expect([full.length, answers.filter(({ status }) => status === 200).length]).toEqual([5, 3]);
  const people = `/merchants/${merchantId}/portal-users`;
  const person = { username: `room-${randomUUID()}`, role: 'viewer' };
  const byOperator = [
    await operator.post(people, { ...person, password: PORTAL_PASSWORD }),
    await operator.post(`${people}/invite`, person),
  ];
  for (const { status, error } of byOperator)
    expect([status, error]).toEqual([409, expect.stringContaining('200 people at most')]);
  // Who is suspended leaves room, and does not come back into it.
  const one = answers.find(({ status }) => status === 200)?.json.data.portalUserId;
  await admin.data('PATCH', `/people/${one}`, { status: 'suspended' });
  expect((await invite()).status).toBe(200);
  const back = { status: 'active' };
  expect((await admin.call('PATCH', `/people/${one}`, back)).json.code).toBe('too-many');
  expect((await operator.patch(`/portal-users/${one}`, back)).status).toBe(409);
});

describe('an invitation', () => {
  test('gives the first password once, and is in the audit log without its link', async () => {
    const { admin } = await shop();
    const { username, link, invitedUntil, portalUserId } = await invited(admin);
    expect(link).toContain('/portal/invitation#');
    expect(Date.parse(invitedUntil) - service.app.deps.clock.now()).toBeGreaterThan(6 * 86_400_000);
    expect((await signIn(username)).json.code).toBe('wrong-credentials');
    const read = await nobody.data('POST', '/recovery/read', { token: tokenOf(link) });
    expect(read).toMatchObject({ username, invitation: true });

    expect((await accept(link)).json).toEqual({ data: { username } });
    expect((await accept(link)).json.code).toBe('link-expired');
    expect((await signIn(username)).json.data.user).toMatchObject({ username, role: 'viewer' });
    const [person] = await admin.data('GET', '/people');
    expect(person).toMatchObject({ portalUserId, invitedUntil: null, you: false });

    const entries = await operator.get(`/audit-log?target=${portalUserId}`);
    const actions = entries.data.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(expect.arrayContaining(['portal-user.invite', 'portal-user.accept']));
    expect(entries.text).not.toContain(tokenOf(link));
  });

  test('ends after a week, with a newer one, and when it is taken back', async () => {
    const { admin } = await shop();
    const old = await invited(admin);
    const newer = await admin.data('POST', `/people/${old.portalUserId}/recovery-link`);
    expect((await accept(old.link)).json.code).toBe('link-invalid');
    expect(newer.link).toContain('/portal/invitation#');
    await advance(service, 7 * 86_400);
    expect((await accept(newer.link)).json.code).toBe('link-expired');

    const again = await signInAgain(admin);
    const taken = await invited(again);
    await again.data('DELETE', `/people/${taken.portalUserId}/invitation`);
    expect((await accept(taken.link)).json.code).toBe('link-invalid');
    const names = (await again.data('GET', '/people')).map((one: typeof taken) => one.username);
    expect(names).not.toContain(taken.username);
    expect(names).toContain(old.username);
  });

  test('that is taken back while it is accepted is void', async () => {
    const { admin } = await shop();
    const { pool } = service.database;
    const { portalUserId, link } = await invited(admin);
    const taking = await pool.connect();
    await taking.query('begin');
    await lockPortalUser(taking, portalUserId);
    const accepted = accept(link);
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await pool.query(waiting)).rowCount, { interval: 20 }).toBe(1);
    await deleteUnusedLinks(taking, portalUserId);
    await deleteInvited(taking, portalUserId);
    await taking.query('commit');
    taking.release();
    expect((await accepted).status).toBe(403);
  });

  test('is shown once: a repeat says so, and a taken name is refused', async () => {
    const { admin } = await shop();
    const body = { username: `once-${randomUUID()}`, role: 'viewer' };
    const first = await admin.call('POST', '/people', body, 'key');
    const second = await admin.call('POST', '/people', body, 'key');
    const { link, mailed, ...shown } = first.json.data;
    expect(link).toBeDefined();
    expect(mailed).toBe(false);
    expect(second.json.data).toEqual({ ...shown, secretShown: true });
    expect((await admin.call('POST', '/people', body)).json.code).toBe('already-exists');
  });

  test('is not made at a merchant that was closed', async () => {
    const { merchant, admin } = await shop();
    await operator.patch(`/merchants/${merchant.merchantId}`, { status: 'closed' });
    const { status, json } = await admin.call('POST', '/people', {
      username: 'late',
      role: 'admin',
    });
    expect({ status, error: json.error }).toEqual({
      status: 409,
      error: 'This merchant is closed, so nobody new is invited.',
    });
  });

  test('of an operator is of the same kind', async () => {
    const { merchant } = await shop();
    const username = `by-operator-${randomUUID()}`;
    const path = `/merchants/${merchant.merchantId}/portal-users/invite`;
    const { data } = await operator.post(path, {
      ...{ username, name: 'Ayesha Khan', email: 'ayesha@shop.example', role: 'admin' },
    });
    expect(data).toMatchObject({ username, email: 'ayesha@shop.example', role: 'admin' });
    await accept(data.link);
    const session = (await signIn(username)).json.data;
    expect(session.merchant.merchantId).toBe(merchant.merchantId);
    const end = await operator.delete(`/portal-users/${data.portalUserId}/invitation`);
    expect(end.status).toBe(409);
    expect((await operator.delete(`/portal-users/${data.portalUserId}/sessions`)).data).toEqual({
      ended: 1,
    });
    expect((await portalClient(service, session.token).call('GET', '/session')).status).toBe(401);
  });
});

/** With the clock a week on, a sign-in has ended. */
async function signInAgain(before: MemberClient): Promise<MemberClient> {
  const { rows } = await service.database.pool.query(
    `select username from portal_users where role = 'admin' order by portal_user_id desc limit 1`,
  );
  expect((await before.call('GET', '/session')).status).toBe(401);
  return portalClient(service, (await signIn(rows[0].username)).json.data.token);
}

test('a recovery link gives a new password, ends the sign-ins and turns codes off', async () => {
  const { admin } = await shop();
  const { link: invitation, username, portalUserId } = await invited(admin);
  await accept(invitation);
  const own = portalClient(service, (await signIn(username)).json.data.token);
  await withCode(own);
  expect((await signIn(username)).json.code).toBe('one-time-code-required');
  const { link } = await admin.data('POST', `/people/${portalUserId}/recovery-link`);
  expect(link).toContain('/portal/recover#');
  expect((await own.call('GET', '/session')).status).toBe(401);
  await accept(link);
  expect((await signIn(username)).status).toBe(200);
});

describe('admins', () => {
  test('give roles, suspend and let in again; what they see says what they may do', async () => {
    const { admin, user } = await shop();
    const { portalUserId, link, username } = await invited(admin);
    await accept(link);
    const viewer = portalClient(service, (await signIn(username)).json.data.token);
    const path = `/people/${portalUserId}`;
    const { code } = await withCode(admin);
    const changed = await admin.data('PATCH', path, {
      ...{ role: 'admin', email: 'a@shop.example', oneTimeCode: code() },
    });
    expect(changed).toMatchObject({ role: 'admin', email: 'a@shop.example' });
    expect((await viewer.call('GET', '/session')).status).toBe(401);
    await admin.data('PATCH', path, { status: 'suspended' });
    expect((await signIn(username)).json.code).toBe('suspended');
    const seen = await admin.data('GET', '/people');
    expect(seen.map((one: { allowedActions: string[] }) => one.allowedActions)).toEqual([
      ['change', 'change-role', 'activate', 'sessions'],
      ['change', 'sessions'],
    ]);
    expect(seen[1]).toMatchObject({ portalUserId: user.portalUserId, you: true });
    await nextCode(service);
    await admin.data('PATCH', path, { status: 'active', oneTimeCode: code() });
    expect((await signIn(username)).status).toBe(200);
  });

  test('leave an admin in, by requests at once', async () => {
    const { admin, user } = await shop();
    const { code } = await withCode(admin);
    const { portalUserId, link, username } = await invited(admin, {
      ...{ role: 'admin', oneTimeCode: code() },
    });
    const self = await admin.call('PATCH', `/people/${user.portalUserId}`, { role: 'viewer' });
    expect(self.json.code).toBe('wrong-state');
    await accept(link);
    const other = portalClient(service, (await signIn(username)).json.data.token);
    const answers = await Promise.all([
      admin.call('PATCH', `/people/${portalUserId}`, { role: 'viewer' }),
      other.call('PATCH', `/people/${user.portalUserId}`, { status: 'suspended' }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).not.toEqual([200, 200]);
    const { rows } = await service.database.pool.query(
      `select count(*)::integer as admins from portal_users
       where portal_user_id = any($1) and role = 'admin' and status = 'active'`,
      [[portalUserId, user.portalUserId]],
    );
    expect(rows[0].admins).toBe(1);
  });
});

describe('one-time codes', () => {
  test('are asked for at sign-in, each once, and turned off by one', async () => {
    const { admin, user } = await shop();
    expect((await admin.data('GET', '/session')).oneTimeCode).toBe('off');
    const { code, recoveryCodes } = await withCode(admin);
    expect((await admin.data('GET', '/session')).oneTimeCode).toBe('on');
    expect((await signIn(user.username)).json.code).toBe('one-time-code-required');
    const oneTimeCode = code();
    expect((await signIn(user.username, { oneTimeCode })).status).toBe(200);
    expect((await signIn(user.username, { oneTimeCode })).json.code).toBe('one-time-code-wrong');
    expect((await signIn(user.username, { oneTimeCode: recoveryCodes[0] })).status).toBe(200);
    expect(await admin.data('GET', '/one-time-code')).toEqual({ on: true, recoveryCodesLeft: 9 });
    await nextCode(service);
    await admin.data('POST', '/one-time-code/turn-off', { oneTimeCode: code() });
    expect((await signIn(user.username)).status).toBe(200);
  });
});

describe('own keys', () => {
  const allow = (merchantId: string, allowed = true) =>
    operator.post(`/merchants/${merchantId}/own-keys`, { allowed });
  const works = async (apiKey: string) => {
    const headers = { 'SVC-API-Key': apiKey };
    return (await fetch(`${service.url}/api/merchant/orders/balance`, { headers })).status === 200;
  };

  test('are issued where the operator allows it, with a code', async () => {
    const { admin, merchant } = await shop();
    const wrong = { oneTimeCode: '000000' };
    expect((await admin.data('GET', '/merchant')).allowedActions).toEqual([]);
    expect((await admin.call('POST', '/api-keys', wrong)).json.code).toBe('wrong-state');
    expect((await allow(merchant.merchantId)).data.ownKeysAllowed).toBe(true);
    const own = await admin.data('GET', '/merchant');
    expect(own.allowedActions).toEqual(['api-keys', 'regenerate']);
    const without = await admin.call('POST', '/api-keys', wrong);
    expect([without.status, without.json.code]).toEqual([403, 'one-time-code-set-up']);
    const { code } = await withCode(admin);
    const refused = await admin.call('POST', '/api-keys', wrong);
    expect(Object.keys(refused.json.errors)).toEqual(['$.oneTimeCode']);
    const made = await admin.data('POST', '/api-keys', { oneTimeCode: code() });
    expect(await works(made.apiKey)).toBe(true);
    expect(await works(merchant.apiKey)).toBe(true);
    const { data } = await operator.get('/audit-log?action=api-key.create');
    expect(data[0]).toMatchObject({ actor: { kind: 'portal' }, target: merchant.merchantId });
    await allow(merchant.merchantId, false);
    expect((await admin.call('POST', '/api-keys', wrong)).json.code).toBe('wrong-state');
  });

  test('are regenerated and revoked: the others stop, or this one alone', async () => {
    const { admin, merchant } = await shop();
    await allow(merchant.merchantId);
    const { code } = await withCode(admin);
    const body = { oneTimeCode: code() };
    const first = await admin.call('POST', '/api-keys/regenerate', body, 'once');
    const repeat = await admin.call('POST', '/api-keys/regenerate', body, 'once');
    const { apiKey, signingSecret, ...shown } = first.json.data;
    expect(repeat.json.data).toEqual({ ...shown, secretShown: true });
    expect([await works(merchant.apiKey), await works(apiKey)]).toEqual([false, true]);
    await createOrder({ ...merchant, apiKey, signingSecret });
    await nextCode(service);
    const path = `/api-keys/${shown.keyId}/revoke`;
    const revoked = await admin.data('POST', path, { oneTimeCode: code() });
    expect(revoked.allowedActions).toEqual([]);
    expect(await works(apiKey)).toBe(false);
    const other = await shop();
    await nextCode(service);
    const stranger = `/api-keys/${other.merchant.keyId}/revoke`;
    expect((await admin.call('POST', stranger, { oneTimeCode: code() })).json.code).toBe(
      'not-found',
    );
  });

  test('wait for a second operator where one is required, and so does power over them', async () => {
    const { merchant, user } = await shop();
    const { merchantId } = merchant;
    const require = (required: boolean) =>
      service.database.pool.query('update settings set require_second_operator = $1', [required]);
    await require(true);
    const waiting = (await allow(merchantId)).data;
    expect(waiting.status).toBe('pendingApproval');
    await secondOperator(service).post(`/approvals/${waiting.approvalId}/approve`);
    expect((await operator.get(`/merchants/${merchantId}`)).data.ownKeysAllowed).toBe(true);
    const username = `alone-${randomUUID()}`;
    const people = `/merchants/${merchantId}/portal-users`;
    const [as, own] = [{ username, role: 'admin' }, `/portal-users/${user.portalUserId}`];
    const asked = [
      await operator.post(people, { ...as, password: PORTAL_PASSWORD }),
      await operator.post(`${people}/invite`, as),
      await operator.post(`${own}/recovery-link`),
      await operator.patch(own, { password: 'quite another one' }),
      await operator.patch(own, { email: 'operator@elsewhere.example' }),
    ];
    for (const { data } of asked) expect(data.status).toBe('pendingApproval');
    expect((await operator.patch(own, { name: 'Only a name' })).status).toBe(200);
    expect((await allow(merchantId, false)).data.ownKeysAllowed).toBe(false);
    await require(false);
  });
});
