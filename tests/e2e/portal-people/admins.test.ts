import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import {
  lockPortalUser,
  updatePortalUser,
} from '../../../apps/server/src/people/portal-users.store.ts';
import { nextCode, withPortalCodes } from '../../support/authenticator.ts';
import { createMerchant } from '../../support/fixtures.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { createPortalUser, portalClient } from '../../support/portal.ts';
import { serviceTest } from '../../support/service-test.ts';

/** Who lets an admin of a merchant in: another one, with the phone that shows their code. */

const { test, service } = await serviceTest();
const operator = operatorClient(service);
const { pool } = service.database;

/** A merchant with the admin who asks, and people in every state. */
async function shop() {
  const merchant = await createMerchant(service);
  const { token } = await createPortalUser(service, merchant, 'admin');
  const viewer = await createPortalUser(service, merchant, 'viewer');
  const colleague = await createPortalUser(service, merchant, 'admin');
  const left = await createPortalUser(service, merchant, 'admin');
  const people = `/merchants/${merchant.merchantId}/portal-users`;
  await operator.patch(`/portal-users/${left.portalUserId}`, { status: 'suspended' });
  const { data: newcomer } = await operator.post(`${people}/invite`, {
    ...{ username: `invited-${randomUUID()}`, role: 'admin' },
  });
  return {
    ...{ merchant, admin: portalClient(service, token) },
    people: { viewer, colleague, left, newcomer } as Record<string, { portalUserId: string }>,
  };
}

/** All that could have been changed of the people of a merchant. */
async function stateOf(
  { merchantId }: { readonly merchantId: string },
  db: Pick<typeof pool, 'query'> = pool,
) {
  const { rows } = await db.query(
    `select u.portal_user_id, u.role, u.status, u.email,
       (select array_agg(l.token_hash) from recovery_links l
        where l.principal_id = u.portal_user_id) as links,
       (select count(*) from sessions s where s.principal_id = u.portal_user_id) as sessions
     from portal_users u
     where u.merchant_id = $1
     order by u.portal_user_id`,
    [merchantId],
  );
  return rows;
}

const newAdmin = () => ({ username: `invited-${randomUUID()}`, role: 'admin' });
interface Way {
  readonly name: string;
  readonly method: 'POST' | 'PATCH';
  readonly who?: string;
  readonly link?: true;
  readonly body?: () => object;
}
const WAYS: readonly Way[] = [
  { name: 'inviting an admin', method: 'POST', body: newAdmin },
  {
    ...{ name: 'making a viewer an admin', method: 'PATCH', who: 'viewer' },
    body: () => ({ role: 'admin' }),
  },
  {
    ...{ name: 'letting a suspended admin in again', method: 'PATCH', who: 'left' },
    body: () => ({ status: 'active' }),
  },
  {
    ...{ name: 'another address for the links of an admin', method: 'PATCH', who: 'colleague' },
    body: () => ({ email: 'mine@example.com' }),
  },
  { name: 'a recovery link for an admin', method: 'POST', who: 'colleague', link: true },
  { name: 'another invitation of an admin', method: 'POST', who: 'newcomer', link: true },
];

test.for(WAYS)('$name takes a one-time code of who asks', async (way) => {
  const { merchant, admin, people } = await shop();
  const id = people[way.who ?? '']?.portalUserId;
  const path = id === undefined ? '/people' : `/people/${id}${way.link ? '/recovery-link' : ''}`;
  const body = way.body?.();
  const call = (oneTimeCode?: string) => {
    const code = oneTimeCode === undefined ? {} : { oneTimeCode };
    return admin.call(
      way.method,
      path,
      body === undefined && oneTimeCode === undefined ? undefined : { ...body, ...code },
    );
  };
  const before = await stateOf(merchant);
  const without = await call();
  expect([without.status, without.json.code]).toEqual([403, 'one-time-code-set-up']);
  expect(without.json.error).toBe('Admins are let in with a one-time code. Set yours up first.');
  expect((await call('000000')).json.code).toBe('one-time-code-set-up');

  const { code } = await withPortalCodes(service, admin);
  const missing = await call();
  expect([missing.status, missing.json.errors]).toEqual([
    400,
    { '$.oneTimeCode': ['is missing. Enter the code of your authenticator app.'] },
  ]);
  const wrong = await call('000000');
  expect([wrong.status, Object.keys(wrong.json.errors)]).toEqual([400, ['$.oneTimeCode']]);
  expect(await stateOf(merchant)).toEqual(before);

  const oneTimeCode = code();
  expect((await call(oneTimeCode)).status).toBe(200);
  expect(await stateOf(merchant)).not.toEqual(before);
  const again = await admin.call('POST', '/people', { ...newAdmin(), oneTimeCode });
  expect(Object.keys(again.json.errors)).toEqual(['$.oneTimeCode']);
});

test('an action that lets no admin in takes no one-time code', async () => {
  const { admin, people } = await shop();
  const path = (who: string) => `/people/${people[who]?.portalUserId}`;
  await withPortalCodes(service, admin);
  const username = `invited-${randomUUID()}`;
  const invited = await admin.data('POST', '/people', { username, role: 'viewer' });
  await admin.data('POST', `/people/${invited.portalUserId}/recovery-link`);
  await admin.data('POST', `${path('viewer')}/recovery-link`);
  await admin.data('PATCH', path('viewer'), { status: 'suspended' });
  await admin.data('PATCH', path('viewer'), { status: 'active', role: 'viewer' });
  await admin.data('PATCH', path('colleague'), { name: 'Another Name', role: 'admin' });
  await admin.data('PATCH', path('colleague'), { role: 'viewer' });
  await admin.data('PATCH', path('left'), { status: 'active', role: 'viewer' });
});

test('after ten wrong codes a right one is not taken either', async () => {
  const { admin, merchant } = await shop();
  const { code } = await withPortalCodes(service, admin);
  const before = await stateOf(merchant);
  for (let tries = 0; tries < 10; tries += 1)
    await admin.call('POST', '/people', { ...newAdmin(), oneTimeCode: '000000' });
  const { status, json } = await admin.call('POST', '/people', {
    ...{ ...newAdmin(), oneTimeCode: code() },
  });
  expect(status).toBe(400);
  expect(json.errors['$.oneTimeCode'][0]).toContain('there were too many wrong ones');
  expect(await stateOf(merchant)).toEqual(before);
});

test('a repeat with its key answers the first result, and takes no other code', async () => {
  const { admin } = await shop();
  const { code } = await withPortalCodes(service, admin);
  const body = { ...newAdmin(), oneTimeCode: code() };
  const first = await admin.call('POST', '/people', body, 'once');
  await nextCode(service);
  const repeat = await admin.call('POST', '/people', body, 'once');
  const { link, mailed, ...shown } = first.json.data;
  expect(link).toBeDefined();
  expect(repeat.json.data).toEqual({ ...shown, secretShown: true });
  expect(repeat.text).not.toContain(body.oneTimeCode);
});

test('what a rule refuses uses up no code', async () => {
  const { admin, people, merchant } = await shop();
  const { code } = await withPortalCodes(service, admin);
  const oneTimeCode = code();
  const me = (await admin.data('GET', '/session')).user.portalUserId;
  const refused = [
    await admin.call('PATCH', `/people/${me}`, { role: 'admin', oneTimeCode }),
    await admin.call('POST', `/people/${me}/recovery-link`, { oneTimeCode }),
    await admin.call('POST', `/people/${people['left']?.portalUserId}/recovery-link`, {
      oneTimeCode,
    }),
  ];
  expect(refused.map(({ json }) => json.code)).toEqual(Array(3).fill('wrong-state'));
  await operator.patch(`/merchants/${merchant.merchantId}`, { status: 'closed' });
  const late = await admin.call('POST', '/people', { ...newAdmin(), oneTimeCode });
  expect(late.json.code).toBe('wrong-state');
  const viewer = `/people/${people['viewer']?.portalUserId}`;
  await admin.data('PATCH', viewer, { role: 'admin', oneTimeCode });
});

describe('a person who becomes an admin while it is asked', () => {
  test.for([
    { name: 'gets no link', path: '/recovery-link', method: 'POST', body: {} },
    { name: 'is not let in again', path: '', method: 'PATCH', body: { status: 'active' } },
  ])('$name without a code', async ({ path, method, body }) => {
    const { admin, merchant, people } = await shop();
    await withPortalCodes(service, admin);
    const { portalUserId } = people['viewer'] as { portalUserId: string };
    const raising = await pool.connect();
    await raising.query('begin');
    const user = await lockPortalUser(raising, portalUserId);
    if (user === undefined) throw new Error('there is no viewer');
    const status = method === 'PATCH' ? 'suspended' : 'active';
    await updatePortalUser(raising, { ...user, status, role: 'admin' }, null);
    const before = await stateOf(merchant, raising);
    const answer = admin.call(method, `/people/${portalUserId}${path}`, body);
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await pool.query(waiting)).rowCount, { interval: 20 }).toBe(1);
    await raising.query('commit');
    raising.release();
    const { json } = await answer;
    expect([json.code, json.error]).toEqual([
      'wrong-state',
      'This person was changed meanwhile. Try again, with your one-time code.',
    ]);
    expect(await stateOf(merchant)).toEqual(before);
  });
});
