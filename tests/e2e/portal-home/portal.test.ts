import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { exportOrders } from '../../../apps/server/src/orders/lists.service.ts';
import { PORTAL_ROLES_OF, PORTAL_ROUTES } from '../../security/capabilities.ts';
import { routesOf } from '../../security/routes.ts';
import { cellsOf } from '../../support/csv.ts';
import { openEventStream } from '../../support/event-stream.ts';
import { createMember, createMerchant, createOrder } from '../../support/fixtures.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { completeOrder } from '../../support/outcomes.ts';
import { openPage } from '../../support/page-client.ts';
import { createPortalUser, PORTAL_PASSWORD, portalClient } from '../../support/portal.ts';
import { OPERATOR_TOKEN } from '../../support/service.ts';
import { serviceTest } from '../../support/service-test.ts';

/** The portal face: a merchant's own people, about their merchant alone. */

// Nobody sends: deliveries stay as they are written.
const { test, service } = await serviceTest({ ROLES: 'http' });
const operator = operatorClient(service);
/** What must never reach a merchant: what operators write for themselves, and */
const INTERNAL_NOTE = 'Planted: checked with somebody by phone';
const MEMBER = {
  name: 'Planted Member',
  username: 'planted-username',
  accountNumber: '03990001122',
  accountTitle: 'Planted Title',
};
const member = await createMember(service, {
  ...{ name: MEMBER.name, float: '1000000', maxOpenOrders: 100, methods: [] },
});
await service.database.pool.query('update members set username = $2 where member_id = $1', [
  member.memberId,
  MEMBER.username,
]);
const { accountNumber, accountTitle } = MEMBER;
const account = await operator.post(`/members/${member.memberId}/accounts`, {
  ...{ walletType: 'ProviderA', accountNumber, accountTitle },
});
await operator.post(`/member-accounts/${account.data.accountId}/approve`);

async function shop(name: string) {
  const merchant = await createMerchant(service, { name, balance: '1000' });
  const [viewer, admin] = [
    await createPortalUser(service, merchant, 'viewer'),
    await createPortalUser(service, merchant, 'admin'),
  ];
  const order = await createOrder(merchant, {
    ...{ amount: 2500, callbackUrl: 'https://shop.example/hook', customerReference: `of ${name}` },
  });
  await completeOrder(service, order, member);
  const explained = { internalNote: INTERNAL_NOTE };
  const cancelled = await createOrder(merchant, { amount: 900, merchantOrderRef: randomUUID() });
  await operator.post(`/orders/${cancelled.orderId}/cancel`, { note: 'n', ...explained });
  await operator.post(`/merchants/${merchant.merchantId}/adjustments`, {
    ...{ kind: 'credit', amount: 5, reason: 'A gift', ...explained },
  });
  const { rows } = await service.database.pool.query(
    'select delivery_id from deliveries where order_id = $1',
    [order.orderId],
  );
  return {
    merchant,
    order,
    /** What paths may name, each of this shop. */
    named: {
      orderId: order.orderId,
      deliveryId: rows[0].delivery_id as string,
      portalUserId: (await createPortalUser(service, merchant, 'viewer')).portalUserId,
      keyId: merchant.keyId,
    } as Readonly<Record<string, string>>,
    users: { viewer, admin },
    viewer: portalClient(service, viewer.token),
    admin: portalClient(service, admin.token),
  };
}
type Shop = Awaited<ReturnType<typeof shop>>;
const own = await shop('Own Shop');
const other = await shop('Other Shop');

const ABSENT = randomUUID();
const THIS_MONTH = (await own.viewer.data('GET', '/statements'))[0].month;
/** What each route is asked, about the things of a shop, or about what is not there. */
const asked = (route: string, { named }: Pick<Shop, 'named'>) => {
  const [method, url] = route.split(' ') as [string, string];
  const path = url.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = { sessionId: ABSENT, approvalId: ABSENT, month: THIS_MONTH, ...named }[name];
    if (value === undefined) throw new Error(`the test has no ${name} for ${route}`);
    return value;
  });
  return { method, path, body: BODIES[route]?.() };
};
const mapValues = <T>(of: Readonly<Record<string, T>>, change: (value: T) => T) =>
  Object.fromEntries(Object.entries(of).map(([name, value]) => [name, change(value)]));
const code = () => ({ oneTimeCode: '000000' });
const BODIES: Readonly<Record<string, () => object>> = {
  'PATCH /settings': () => ({ supportPhone: '+92 300 1234567' }),
  'PATCH /alert-settings': () => ({ lowBalance: 10 }),
  'POST /settings/page-preview': () => ({ language: 'en', view: 'pay' }),
  'POST /settings/address-test': () => ({ address: '203.0.113.7' }),
  'POST /password': () => ({ currentPassword: 'wrong', newPassword: 'another long password' }),
  'POST /one-time-code': () => ({ currentPassword: 'wrong' }),
  'POST /one-time-code/confirm': code,
  'POST /one-time-code/recovery-codes': code,
  'POST /one-time-code/turn-off': code,
  'POST /api-keys': code,
  'POST /api-keys/regenerate': code,
  'POST /api-keys/:keyId/revoke': code,
  'POST /api-key-requests/:approvalId/fetch': code,
  'POST /people': () => ({ username: `invited-${randomUUID()}`, role: 'viewer' }),
  'PATCH /people/:portalUserId': () => ({ name: 'Another Name' }),
  'POST /orders/:orderId/move': () => ({ to: 'Completed' }),
  'POST /webhooks/replay': () => ({ since: new Date().toISOString() }),
};
/** What an admin is answered, where it is not 200: nothing is set up, allowed or left to do. */
const ANSWERS: Readonly<Record<string, number>> = {
  'POST /webhooks/test': 409, // it has no default callback URL
  'POST /alerts/test': 409, // nor an address for alerts
  'GET /webhooks/replay': 400, // no time is given
  'DELETE /sessions/:sessionId': 404,
  'POST /password': 400,
  'POST /one-time-code': 400,
  'POST /one-time-code/confirm': 409,
  'POST /one-time-code/recovery-codes': 409,
  'POST /one-time-code/turn-off': 409,
  'POST /api-keys': 409,
  'POST /api-keys/regenerate': 409,
  'POST /api-keys/:keyId/revoke': 409,
  'POST /api-key-requests/:approvalId/fetch': 404,
  'DELETE /people/:portalUserId/invitation': 409,
};
/** What the admin is answered; of the stream its beginning. */
async function answerOf(method: string, path: string, body: object | undefined) {
  if (path !== '/events') return own.admin.call(method, path, body);
  const url = `${service.url}/api/portal/events`;
  const stream = await openEventStream(url, { Authorization: `Bearer ${own.users.admin.token}` });
  stream.close();
  return { status: stream.status, text: stream.text() };
}
const ROUTES = PORTAL_ROUTES.filter(([, needed]) => needed !== 'anyone');
const includes = (roles: readonly string[], role: string) => roles.includes(role);
const ENDS = new Set(['DELETE /session', 'DELETE /sessions']);

test('every route is asked here', () => {
  const served = routesOf(service.app.http).flatMap((route) => {
    const [, method, path] = /^(\S+) \/api\/portal(\/\S+)$/.exec(route) ?? [];
    return path === undefined ? [] : [`${method} ${path}`];
  });
  expect(served.sort()).toEqual(PORTAL_ROUTES.map(([route]) => route).sort());
});

describe.each(ROUTES)('%s (%s)', (route, needed) => {
  test('answers the people of the merchant, by their role, and nobody else', async () => {
    const { method, path, body } = asked(route, own);
    const tokens = ['', 'unknown', own.merchant.apiKey, OPERATOR_TOKEN];
    for (const token of tokens)
      expect((await portalClient(service, token).call(method, path, body)).status).toBe(401);
    if (needed !== 'anyone' && !includes(PORTAL_ROLES_OF[needed], 'viewer'))
      expect((await own.viewer.call(method, path, body)).json.code).toBe('role-too-low');
    if (ENDS.has(route)) return;
    expect((await answerOf(method, path, body)).status).toBe(ANSWERS[route] ?? 200);
  });

  test('has nothing of another merchant, nor of what is not there', async () => {
    // Of keys nothing is said before the operator has allowed the merchant to change them; months
    // are everybody's.
    if (!route.includes(':') || /\/revoke|:month/.test(route)) return;
    const absent = { named: mapValues(own.named, () => ABSENT) };
    for (const about of [other, absent]) {
      const { method, path, body } = asked(route, about);
      const answer = await own.admin.call(method, path, body);
      expect([answer.status, answer.json.code]).toEqual([404, 'not-found']);
    }
  });

  test('says nothing of members, nor what operators write for themselves', async () => {
    if (ENDS.has(route)) return;
    const { method, path, body } = asked(route, own);
    const { text } = await answerOf(method, path, body);
    const { memberId } = member;
    const ids = [memberId, account.data.accountId];
    for (const planted of [...Object.values(MEMBER), ...ids, INTERNAL_NOTE])
      expect(text).not.toContain(planted);
  });
});

describe('signing in', () => {
  test('an operator lets somebody in, who then changes their own password', async () => {
    const { username, token } = await createPortalUser(service, own.merchant, 'viewer');
    const client = portalClient(service, token);
    const session = await client.data('GET', '/session');
    expect(session).toMatchObject({
      user: { username, name: username, role: 'viewer' },
      merchant: { merchantId: own.merchant.merchantId, name: 'Own Shop' },
      previousSignIn: null,
    });
    const newPassword = 'another long password';
    const renewed = await client.data('POST', '/password', {
      currentPassword: PORTAL_PASSWORD,
      newPassword,
    });
    expect((await client.call('GET', '/session')).status).toBe(401);
    const again = portalClient(service, renewed.token);
    expect((await again.data('GET', '/sessions')).length).toBe(1);
    const entry = await operator.get('/audit-log?action=portal-user.password');
    expect(entry.data[0]).toMatchObject({ actor: { kind: 'portal', name: username } });
  });

  test('a wrong password, an unknown name and a taken one are refused', async () => {
    const nobody = portalClient(service, '');
    for (const username of [own.users.viewer.username, 'nobody'])
      expect(
        (await nobody.call('POST', '/session', { username, password: 'wrong' })).json.code,
      ).toBe('wrong-credentials');
    const taken = { ...own.users.viewer, role: 'admin', password: PORTAL_PASSWORD };
    const { username, role, password } = taken;
    const answer = await operator.post(`/merchants/${own.merchant.merchantId}/portal-users`, {
      ...{ username, role, password },
    });
    expect([answer.status, JSON.parse(answer.text).code]).toEqual([409, 'already-exists']);
  });

  test('a suspension, another role and a new password end the sign-ins at once', async () => {
    for (const change of [
      { status: 'suspended' },
      { role: 'admin' },
      { password: 'quite another' },
    ]) {
      const { portalUserId, token } = await createPortalUser(service, own.merchant, 'viewer');
      await operator.patch(`/portal-users/${portalUserId}`, change);
      expect((await portalClient(service, token).call('GET', '/session')).status).toBe(401);
    }
  });

  test('a name alone is changed without ending anything, and is in the list', async () => {
    const { portalUserId, token } = await createPortalUser(service, own.merchant, 'viewer');
    await operator.patch(`/portal-users/${portalUserId}`, { name: 'Ayesha Khan' });
    expect((await portalClient(service, token).data('GET', '/session')).user.name).toBe(
      'Ayesha Khan',
    );
    const { data } = await operator.get(`/merchants/${own.merchant.merchantId}/portal-users`);
    expect(data[0]).toMatchObject({ portalUserId, name: 'Ayesha Khan', role: 'viewer' });
  });
});

describe('orders', () => {
  test('are found by what the merchant knows, and by nothing that a member entered', async () => {
    const { orderId, orderReference } = own.order;
    const found = async (search: string) =>
      (await own.viewer.data('GET', `/orders?search=${encodeURIComponent(search)}`)).map(
        (order: { orderId: string }) => order.orderId,
      );
    for (const search of [orderId, orderReference, 'of Own Shop', '2500'])
      expect(await found(search), search).toEqual([orderId]);
    for (const search of [other.order.orderReference, MEMBER.accountNumber, 'of Other Shop'])
      expect(await found(search), search).toEqual([]);
  });

  test('have a story without names', async () => {
    const detail = await own.viewer.data('GET', `/orders/${own.order.orderId}`);
    expect(detail).toMatchObject({ status: 'Completed', amount: 2500, allowedActions: [] });
    expect(detail.steps.map(({ by }: { by: string }) => by)).toEqual(
      expect.arrayContaining(['merchant', 'customer', 'member']),
    );
    const admins = await own.admin.data('GET', `/orders/${own.order.orderId}`);
    expect(admins.allowedActions).toEqual(['resend']);
  });

  test('come as a file, which is in the audit log', async () => {
    const { text } = await own.viewer.call('GET', '/orders.csv');
    const [head = '', ...rows] = text.replace('\uFEFF', '').trimEnd().split('\r\n');
    expect(head).not.toMatch(/member/);
    expect(rows).toHaveLength(2);
    expect(rows.join()).toContain(own.order.orderReference);
    const { data } = await operator.get('/audit-log?action=orders.export');
    expect(data[0]).toMatchObject({ actor: { kind: 'portal', id: own.users.viewer.portalUserId } });
  });

  test('show nobody the link of a withdrawal whose account its customer gives there', async () => {
    const order = await createOrder(own.merchant, { orderType: 'Withdrawal', amount: 10 });
    const path = `/orders/${order.orderId}`;
    expect((await own.admin.data('GET', path)).paymentPageUrl).toBe(null);
    await openPage(order).data('account', { accountNumber: '03001234567', accountName: 'Khan' });
    expect((await own.admin.data('GET', path)).paymentPageUrl).toBe(order.paymentPageUrl);
  });

  test('show what was sent, masked, and their link to admins while it lives', async () => {
    const customerAccountNumber = '03001234567';
    const order = await createOrder(own.merchant, {
      ...{ orderType: 'Withdrawal', amount: 10, customerAccountNumber },
      customerAccountName: 'Customer Khan',
    });
    const path = `/orders/${order.orderId}`;
    const detail = await own.admin.data('GET', path);
    expect(detail).toMatchObject({
      ...{ paymentPageUrl: order.paymentPageUrl, maxRetryCount: 3 },
      customerAccountNumber: expect.stringMatching(/4567$/),
    });
    const { text, json } = await own.viewer.call('GET', path);
    expect(json.data.paymentPageUrl).toBe(null);
    for (const hidden of [customerAccountNumber, 'Customer Khan'])
      expect(text).not.toContain(hidden);
  });
});

test('an outcome is sent again once for each key', async () => {
  const path = `/orders/${own.order.orderId}/deliveries/resend`;
  const send = () =>
    fetch(`${service.url}/api/portal${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${own.users.admin.token}`, 'Idempotency-Key': 'again' },
    }).then(async (response) => JSON.parse(await response.text()));
  const [first, second] = [await send(), await send()];
  expect(second).toEqual(first);
  const list = await own.viewer.data('GET', `/deliveries?orderId=${own.order.orderId}`);
  expect(list[0].deliveryId).toBe(first.data.deliveryId);
});

describe('settings', () => {
  const read = (who: Shop) => who.viewer.data('GET', '/settings');

  test('are changed by admins, in the audit log with their name', async () => {
    const ipWhitelist = {
      enabled: true,
      entries: [{ address: '203.0.113.0/24', scope: 'Withdrawal' }],
    };
    const change = { defaultCallbackUrl: 'https://shop.example/all', ipWhitelist };
    await own.admin.data('PATCH', '/settings', change);
    expect(await read(own)).toMatchObject({ ...change, yourAddress: '127.0.0.1' });
    expect((await read(other)).defaultCallbackUrl).toBe(null);
    const { data } = await operator.get('/audit-log?action=merchant.update');
    expect(data[0]).toMatchObject({ actor: { kind: 'portal', id: own.users.admin.portalUserId } });
  });

  test.each([
    [{ defaultCallbackUrl: 'ftp://shop' }, '$.defaultCallbackUrl'],
    [
      { ipWhitelist: { enabled: true, entries: [{ address: 'x', scope: 'Both' }] } },
      '$.ipWhitelist.entries.0.address',
    ],
    [{ status: 'closed' }, '$.status'],
    [{ depositMethods: [] }, '$.depositMethods'],
  ])('%j is refused', async (change, field) => {
    const { status, json } = await own.admin.call('PATCH', '/settings', change);
    expect([status, Object.keys(json.errors)]).toEqual([400, [field]]);
  });
});

describe('before settings are saved', () => {
  test('the payment page is drawn as it would be, and nothing is kept', async () => {
    const change = { displayName: 'Bazaar & Sons', language: 'en', view: 'pay' };
    const { html } = await own.viewer.data('POST', '/settings/page-preview', change);
    expect(html).toContain('Bazaar &amp; Sons');
    expect((await own.viewer.data('GET', '/settings')).displayName).toBe(null);
  });

  test('an address is tested against the list that is typed', async () => {
    const entries = [{ address: '203.0.113.0/24', scope: 'Deposit' }];
    const asked = { address: '203.0.113.7', ipWhitelist: { enabled: true, entries } };
    expect(await own.viewer.data('POST', '/settings/address-test', asked)).toEqual({
      restricted: true,
      deposits: { accepted: true, entry: '203.0.113.0/24' },
      withdrawals: { accepted: false, entry: null },
    });
  });
});

test('receivers are those of the merchant, with their figures and without its name', async () => {
  const [receiver, ...others] = await own.viewer.data('GET', '/webhooks/receivers');
  expect(others).toEqual([]);
  expect(receiver).toMatchObject({ host: 'shop.example' });
  expect(Object.keys(receiver)).not.toContain('merchantName');
});

test('the wallet adds up, in the list and in the file', async () => {
  const balance = await own.viewer.data('GET', '/balance');
  const [newest] = await own.viewer.data('GET', '/movements');
  expect(newest.walletBalance).toBe(balance.walletBalance);
  const { text } = await own.viewer.call('GET', '/movements.csv');
  expect(cellsOf(text).at(-1)).toContain(String(balance.walletBalance));
});

test('files that one person fetches again and again are in the audit log once in ten minutes', async () => {
  const path = `/audit-log?action=orders.export&actorId=${other.users.viewer.portalUserId}`;
  const noted = async () =>
    (await operator.get(path)).data.map(
      ({ detail }: { detail: { filters: string } }) => detail.filters,
    );
  const exported = async (query: string) =>
    expect((await other.viewer.call('GET', `/orders.csv?${query}`)).status).toBe(200);
  for (let at = 0; at < 5; at += 1) await exported('orderType=Deposit');
  await exported('orderType=Deposit&currency=PKR');
  await exported('currency=PKR&orderType=Deposit');
  const twice = ['currency, orderType', 'orderType'];
  expect((await noted()).slice(0, 2)).toEqual(twice);
  const { deps } = service.app;
  const later = deps.clock.now() + 11 * 60_000;
  const { portalUserId: id } = other.users.viewer;
  await exportOrders(
    { ...deps, clock: { ...deps.clock, now: () => later } },
    { actor: { kind: 'portal', id, name: 'Viewer', address: '127.0.0.1' } },
    { merchantId: other.merchant.merchantId },
    { filters: 'orderType' },
  );
  expect((await noted()).slice(0, 3)).toEqual(['orderType', ...twice]);
});
