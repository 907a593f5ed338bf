import { randomUUID } from 'node:crypto';
import {
  OPERATOR_CAPABILITIES,
  OPERATORS_MAY,
  PORTAL_CAPABILITIES,
  PORTAL_ROLES,
  PORTAL_USERS_MAY,
} from '@munshi/core';
import { beforeAll, describe, expect } from 'vitest';
import { ENDPOINTS } from '../support/contract.ts';
import {
  advance,
  type CreatedOrder,
  createApiKey,
  createMember,
  createMerchant,
  createOrder,
  setPresence,
  signBody,
  signInMember,
  type TestMember,
  type TestMerchant,
} from '../support/fixtures.ts';
import { memberClient } from '../support/member-client.ts';
import { createOperator, operatorClient } from '../support/operator-client.ts';
import { openPage } from '../support/page-client.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { serviceTest } from '../support/service-test.ts';
import { WRITTEN_BY_JOBS } from '../support/written-by-jobs.ts';
import {
  OPERATOR_ROLES_OF,
  OPERATOR_ROUTES,
  PORTAL_ROLES_OF,
  PORTAL_ROUTES,
} from './capabilities.ts';
import { routesOf } from './routes.ts';

/**
 * Every route of every face, called by the owner of the thing, by others and without a sign-in. The
 * routes are read from the router, so that a new one without a row here fails.
 */
const PASSWORD = 'correct horse';
const ROLES = ['viewer', 'support', 'admin', 'approver'] as const;

/** The callers, by the header that they come with. */
type Caller = (typeof CALLERS)[number];
const CALLERS = [
  ...[
    'nobody',
    'an unknown token',
    'merchant',
    'another merchant',
    'a suspended merchant',
    'a revoked key',
  ],
  ...[
    'member',
    'another member',
    'a suspended member',
    'a signed-out member',
    'viewer',
    'support',
    'admin',
    'approver',
    'a suspended operator',
    'a revoked operator token',
  ],
] as const;
const MERCHANTS = ['merchant', 'another merchant', 'a suspended merchant'];
const MEMBERS = ['member', 'another member'];

const header = {} as Record<Caller, Record<string, string>>;
const merchants = {} as Record<string, TestMerchant>;
let holder: TestMember;
let expired: CreatedOrder;
const { test, service } = await serviceTest();
beforeAll(async () => {
  await service.alter(NOTED);
  merchants['merchant'] = await createMerchant(service, { balance: '100000' });
  merchants['another merchant'] = await createMerchant(service, { balance: '100000' });
  merchants['a suspended merchant'] = await createMerchant(service, { status: 'suspended' });
  // Its customer was shown an account, and may claim.
  const shown = await createMember(service, { float: '10000' });
  expired = await createOrder(own());
  await openPage(expired).data('open');
  await setPresence(service, shown.memberId, false);
  await advance(service, 1_000);

  const key = ({ apiKey }: Pick<TestMerchant, 'apiKey'>) => ({ 'SVC-API-Key': apiKey });
  const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
  const revoked = await createApiKey(service, own().merchantId);
  await operatorClient(service).delete(`/merchants/${own().merchantId}/api-keys/${revoked.keyId}`);
  for (const name of MERCHANTS) header[name as Caller] = key(merchants[name] as TestMerchant);
  header['a revoked key'] = key(revoked);
  header.nobody = {};
  header['an unknown token'] = bearer('op_nobody-has-this');

  const signedIn = async (online: boolean) => {
    const member = await createMember(service, {
      password: PASSWORD,
      online,
      float: '10000000',
      maxOpenOrders: 10_000,
    });
    return { member, token: await signInMember(service, member, PASSWORD) };
  };
  const [first, other, suspended, left] = [
    await signedIn(true),
    await signedIn(false),
    await signedIn(false),
    await signedIn(false),
  ];
  holder = first.member;
  await operatorClient(service).patch(`/members/${suspended.member.memberId}`, {
    status: 'suspended',
  });
  await memberClient(service.url, left.token).data('DELETE', '/session');
  header['member'] = bearer(first.token);
  header['another member'] = bearer(other.token);
  header['a suspended member'] = bearer(suspended.token);
  header['a signed-out member'] = bearer(left.token);

  for (const role of ROLES) header[role] = bearer((await createOperator(service, role)).token);
  const [dismissed, without] = [
    await createOperator(service, 'admin'),
    await createOperator(service, 'admin'),
  ];
  await operatorClient(service).patch(`/operators/${dismissed.operatorId}`, {
    status: 'suspended',
  });
  await operatorClient(service).delete(`/operators/${without.operatorId}/tokens`);
  header['a suspended operator'] = bearer(dismissed.token);
  header['a revoked operator token'] = bearer(without.token);
});

const own = () => merchants['merchant'] as TestMerchant;

async function send(method: string, path: string, headers: Record<string, string>, body?: string) {
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
    redirect: 'manual',
    signal: AbortSignal.timeout(PATIENCE_MS),
    ...(body === undefined ? {} : { body }),
  });
  const stream = (response.headers.get('content-type') ?? '').startsWith('text/event-stream');
  if (stream) await response.body?.cancel();
  return { status: response.status, text: stream ? '' : await response.text() };
}

/**
 * Notes every row that is written, but for when a session was used, which is written beside the
 * request, and what jobs write.
 */
const NOTED = `
  create schema noted;
  create unlogged table noted.writes (what text not null);
  create function noted.note() returns trigger language plpgsql security definer as $$
  begin
    insert into noted.writes values (tg_op || ' ' || tg_table_name);
    return null;
  end $$;
  do $$
  declare
    name text;
  begin
    for name in
      select table_name
      from information_schema.tables
      where table_schema = 'public'
        and table_type = 'BASE TABLE'
        and table_name <> all ('{${WRITTEN_BY_JOBS}}')
    loop
      execute format('create trigger noted_rows after insert or delete on %I for each row
        execute function noted.note()', name);
      execute format('create trigger noted_changes after update on %I for each row
        when (to_jsonb(old) - ''last_used_at'' is distinct from to_jsonb(new) - ''last_used_at'')
        execute function noted.note()', name);
    end loop;
  end $$`;

/** Does this, and expects that it has written nothing. */
async function expectNoWrites(work: () => Promise<void>): Promise<void> {
  await service.database.pool.query('delete from noted.writes');
  await work();
  expect((await service.database.pool.query('select what from noted.writes')).rows).toEqual([]);
}

/** Asks as each of these, each of whom must be refused with this status, and nothing happens. */
async function expectRefused(
  callers: readonly Caller[],
  ask: (caller: Caller) => ReturnType<typeof send>,
  statusOf: (caller: Caller) => number,
) {
  await expectNoWrites(async () => {
    const answers = await Promise.all(
      callers.map(async (caller) => [caller, (await ask(caller)).status] as const),
    );
    expect(answers).toEqual(callers.map((caller) => [caller, statusOf(caller)]));
  });
}
const except = (...named: readonly string[]) => CALLERS.filter((caller) => !named.includes(caller));

// ---- Merchant face

const deposit = (merchant: TestMerchant) =>
  signBody(
    { orderType: 'Deposit', amount: 10, walletType: 'ProviderA', merchantOrderRef: randomUUID() },
    merchant.signingSecret,
  );

/**
 * What each merchant is answered; every other caller gets 401 without a body. `of`: about the order
 * of `merchant`.
 */
const MERCHANT_ROUTES: Readonly<
  Record<
    string,
    {
      readonly path: (order: CreatedOrder) => string;
      readonly answers: readonly [number, number, number];
      /** An order where it is not given. */
      readonly body?: string;
    }
  >
> = {
  'GET /api/merchant/events': { path: () => '/api/merchant/events', answers: [200, 200, 200] },
  'POST /api/merchant/events/resend': {
    path: () => '/api/merchant/events/resend',
    answers: [200, 200, 200],
    body: JSON.stringify({ since: new Date().toISOString() }),
  },
  'POST /api/merchant/sandbox/orders/:id': {
    path: ({ orderId }) => `/api/merchant/sandbox/orders/${orderId}`,
    answers: [200, 404, 404],
    body: JSON.stringify({ to: 'Cancelled' }),
  },
  'GET /api/merchant/orders/:id/status': {
    path: ({ orderId }) => `/api/merchant/orders/${orderId}/status`,
    answers: [200, 404, 404],
  },
  'GET /api/merchant/orders/balance': {
    path: () => '/api/merchant/orders/balance',
    answers: [200, 200, 200],
  },
  'GET /api/merchant/orders/status': {
    path: ({ orderReference }) => `/api/merchant/orders/status?orderReference=${orderReference}`,
    answers: [200, 404, 404],
  },
  'POST /api/merchant/orders': { path: () => '/api/merchant/orders', answers: [200, 200, 403] },
};

describe.each(Object.entries(MERCHANT_ROUTES))('%s', (route, { path, answers, body: asked }) => {
  const method = route.split(' ')[0] as string;
  const ask = (caller: Caller, order: CreatedOrder) => {
    const body = asked ?? (method === 'POST' ? deposit(merchants[caller] ?? own()) : undefined);
    return send(method, path(order), { ...header[caller], 'Idempotency-Key': randomUUID() }, body);
  };

  test('answers its merchants what is theirs', async () => {
    const order = await createOrder(own());
    for (const [at, caller] of MERCHANTS.entries())
      expect((await ask(caller as Caller, order)).status, caller).toBe(answers[at]);
  });

  test('is 401 without a word to everybody else', async () => {
    const order = await createOrder(own());
    await expectRefused(
      except(...MERCHANTS),
      async (caller) => {
        const answer = await ask(caller, order);
        expect(answer.text).toBe('');
        return answer;
      },
      () => 401,
    );
  });

  test('does not take the signature of one merchant with the key of another', async () => {
    if (method === 'GET' || asked !== undefined) return; // nothing is signed
    const answer = await send(
      'POST',
      path(expired),
      { ...header['another merchant'], 'Idempotency-Key': randomUUID() },
      deposit(own()),
    );
    expect([answer.status, JSON.parse(answer.text).code]).toEqual([401, 'SIGNATURE_INVALID']);
  });
});

// ---- Member face

/**
 * About the member alone (`self`), or about an order that `member` holds: what its holder is
 * answered.
 */
const MEMBER_ROUTES: Readonly<
  Record<
    string,
    { readonly about: 'self' | 'order'; readonly answer: number; readonly body?: object }
  >
> = {
  'GET /api/member/session': { about: 'self', answer: 200 },
  'GET /api/member/sessions': { about: 'self', answer: 200 },
  // Of a sign-in that is nobody's; another member's: tests/e2e/members/history.test.ts.
  'DELETE /api/member/sessions/:sessionId': { about: 'self', answer: 404 },
  'GET /api/member/push': { about: 'self', answer: 200 },
  'POST /api/member/push/subscriptions': { about: 'self', answer: 400, body: {} },
  // Of a phone and a test that are nobody's; another member's:
  // tests/e2e/member-alerts/alerts.test.ts.
  'DELETE /api/member/push/subscriptions/:subscriptionId': { about: 'self', answer: 404 },
  'POST /api/member/push/subscriptions/:subscriptionId/test': { about: 'self', answer: 404 },
  'POST /api/member/push/tests/:testId/seen': { about: 'self', answer: 404 },
  'GET /api/member/movements': { about: 'self', answer: 200 },
  'GET /api/member/days': { about: 'self', answer: 200 },
  'GET /api/member/orders.csv': { about: 'self', answer: 400 },
  'GET /api/member/orders/:orderId/timeline': { about: 'order', answer: 200 },
  'GET /api/member/me': { about: 'self', answer: 200 },
  'GET /api/member/events': { about: 'self', answer: 200 },
  'GET /api/member/accounts': { about: 'self', answer: 200 },
  'POST /api/member/accounts': { about: 'self', answer: 400, body: {} },
  // Of an account that is nobody's; another member's: tests/e2e/checkout/qr-amount.test.ts.
  'PATCH /api/member/accounts/:accountId': { about: 'self', answer: 404, body: { qrAmount: true } },
  'POST /api/member/accounts/:accountId/pause': {
    about: 'self',
    answer: 404,
    body: { paused: true },
  },
  'POST /api/member/accounts/:accountId/stop': { about: 'self', answer: 404 },
  'POST /api/member/password': { about: 'self', answer: 400, body: {} },
  'POST /api/member/presence': { about: 'self', answer: 400, body: {} },
  'GET /api/member/orders': { about: 'self', answer: 200 },
  'GET /api/member/orders/:orderId': { about: 'order', answer: 200 },
  'GET /api/member/orders/:orderId/evidence': { about: 'order', answer: 200 },
  'POST /api/member/orders/:orderId/evidence': {
    about: 'order',
    answer: 400,
    body: { kind: 'report', picture: 'x' },
  },
  // Of a picture that is not there; another member's: tests/e2e/evidence/evidence.test.ts.
  'GET /api/member/orders/:orderId/evidence/:evidenceId': { about: 'order', answer: 404 },
  'POST /api/member/orders/:orderId/confirm': { about: 'order', answer: 409, body: {} },
  'POST /api/member/orders/:orderId/reject': { about: 'order', answer: 409, body: { reason: 'r' } },
  'POST /api/member/orders/:orderId/report': { about: 'order', answer: 409, body: { reason: 'r' } },
  'POST /api/member/orders/:orderId/note': {
    about: 'order',
    answer: 409,
    body: { receivedAmount: 1 },
  },
  'POST /api/member/orders/:orderId/money-seen': { about: 'order', answer: 200, body: {} },
  'POST /api/member/orders/:orderId/sending': { about: 'order', answer: 409 },
  'POST /api/member/orders/:orderId/seen': { about: 'order', answer: 200 },
  'POST /api/member/orders/:orderId/release': {
    about: 'order',
    answer: 200,
    body: { reason: 'r' },
  },
};
/** End sessions of who asks: held to in the tests of sessions, here for strangers alone. */
const MEMBER_SIGN_OUTS = ['DELETE /api/member/session', 'DELETE /api/member/sessions'];

describe.each([
  ...Object.entries(MEMBER_ROUTES),
  ...MEMBER_SIGN_OUTS.map((route) => [route, { about: 'self', answer: 200 }] as const),
])('%s', (route, { about, answer, body }: { about: string; answer: number; body?: object }) => {
  const [method, url] = route.split(' ') as [string, string];
  const ask = (caller: Caller, orderId: string) =>
    send(
      method,
      url.replace(':orderId', orderId).replace(':evidenceId', randomUUID()),
      header[caller],
      body && JSON.stringify(body),
    );

  test('answers its member, and another member nothing of theirs', async () => {
    if (MEMBER_SIGN_OUTS.includes(route)) return;
    const order = await createOrder(own());
    await expectRefused(
      ['another member'],
      (caller) => ask(caller, order.orderId),
      () => (about === 'order' ? 404 : answer),
    );
    if (about === 'order')
      await expectRefused(
        MEMBERS as Caller[],
        (caller) => ask(caller, randomUUID()),
        () => 404,
      );
    expect((await ask('member', order.orderId)).status).toBe(answer);
  });

  test('is 401 to everybody else, 403 to who is suspended', async () => {
    const order = await createOrder(own());
    await expectRefused(
      except(...MEMBERS),
      (caller) => ask(caller, order.orderId),
      (caller) => (caller === 'a suspended member' ? 403 : 401),
    );
  });
});

// ---- Operator face

describe.each(OPERATOR_ROUTES.filter(([, needed]) => needed !== 'anyone'))(
  'operator: %s (%s)',
  (route, needed) => {
    const [method, url] = route.split(' ') as [string, string];
    const path = `/api/operator${url.replaceAll(/:\w+/g, () => randomUUID())}`;
    const ask = (caller: Caller) =>
      send(
        method,
        path,
        header[caller],
        method === 'GET' || method === 'DELETE' ? undefined : '{}',
      );

    test('is refused to everybody but operators whose role allows it', async () => {
      const allowed = needed === 'anyone' ? [] : OPERATOR_ROLES_OF[needed];
      const refused = except(...allowed);
      await expectRefused(
        refused,
        async (caller) => {
          const answer = await ask(caller);
          if ((ROLES as readonly string[]).includes(caller))
            expect(answer.text).toContain(`This needs the role ${allowed[0]}; you have ${caller}.`);
          return answer;
        },
        (caller) =>
          caller === 'a suspended operator' || (ROLES as readonly string[]).includes(caller)
            ? 403
            : 401,
      );
      // At once: figures that are read every few seconds at most are read for all of them.
      const answers = await Promise.all(allowed.map(ask));
      for (const [at, { status }] of answers.entries())
        expect([200, 400, 404, 409], allowed[at]).toContain(status);
    });
  },
);

test('every endpoint declares what is written out in capabilities.ts', () => {
  const declared = (face: string) =>
    ENDPOINTS.filter((endpoint) => endpoint.face === face)
      .map(({ method, path, needs }) => `${method} ${path} ${needs}`)
      .sort();
  const written = (routes: readonly (readonly string[])[]) =>
    routes.map((each) => each.join(' ')).sort();
  expect(declared('operator')).toEqual(written(OPERATOR_ROUTES));
  expect(declared('portal')).toEqual(written(PORTAL_ROUTES));
});

const keysOf = <Name extends string>(all: Readonly<Record<Name, string>>) =>
  Object.keys(all) as Name[];

test('each capability is had by the roles that are written out', () => {
  const operators = keysOf(OPERATOR_CAPABILITIES).map((needed) => [
    needed,
    ROLES.filter((role) => OPERATORS_MAY.of(role).has(needed)),
  ]);
  expect(Object.fromEntries(operators)).toEqual(OPERATOR_ROLES_OF);
  const portalUsers = keysOf(PORTAL_CAPABILITIES).map((needed) => [
    needed,
    PORTAL_ROLES.filter((role) => PORTAL_USERS_MAY.of(role).has(needed)),
  ]);
  expect(Object.fromEntries(portalUsers)).toEqual(PORTAL_ROLES_OF);
});

// ---- Portal face: its own people in tests/e2e/portal-home/portal.test.ts

describe.each(PORTAL_ROUTES.filter(([, needed]) => needed !== 'anyone'))('portal: %s', (route) => {
  test('is 401 to everybody of the other faces', async () => {
    const [method, url] = route.split(' ') as [string, string];
    const path = `/api/portal${url.replaceAll(/:\w+/g, () => randomUUID())}`;
    const body = method === 'POST' || method === 'PATCH' ? '{}' : undefined;
    await expectRefused(
      CALLERS,
      (caller) => send(method, path, header[caller], body),
      () => 401,
    );
  });
});

// ---- Hosted page

/**
 * What a customer with the right link is answered, as a script, for a deposit that was just
 * created.
 */
const PAGE_ROUTES: Readonly<
  Record<string, { readonly answer: number; readonly expired: number; readonly body?: object }>
> = {
  'GET /pay/:orderId': { answer: 200, expired: 410 },
  'GET /pay/:orderId/state': { answer: 200, expired: 410 },
  'GET /pay/:orderId/qr.png': { answer: 404, expired: 410 },
  'GET /pay/:orderId/receipt.txt': { answer: 404, expired: 410 },
  'POST /pay/:orderId/open': { answer: 200, expired: 410, body: {} },
  'POST /pay/:orderId/method': { answer: 200, expired: 410, body: { walletType: 'TillID' } },
  'POST /pay/:orderId/payer': { answer: 409, expired: 410, body: { accountNumber: '03001234567' } },
  'POST /pay/:orderId/confirm': { answer: 409, expired: 410, body: { transactionDigits: '1234' } },
  'POST /pay/:orderId/account': {
    answer: 409,
    expired: 410,
    body: { accountNumber: '1', accountName: 'A' },
  },
  'POST /pay/:orderId/add': { answer: 409, expired: 410, body: { paidBy: 'Ayesha' } },
  'POST /pay/:orderId/picture': { answer: 409, expired: 410, body: { picture: 'AAAA' } },
  'POST /pay/:orderId/check': { answer: 200, expired: 410, body: {} },
  'POST /pay/:orderId/cancel': { answer: 200, expired: 410, body: {} },
  // What is left to a customer whose link has run out.
  'POST /pay/:orderId/claim': { answer: 409, expired: 200, body: { transactionDigits: '4321' } },
  // For people they lead back to the page; a script finds nothing there.
  ...Object.fromEntries(
    'open method payer confirm add picture account check cancel claim'
      .split(' ')
      .map((form) => [`GET /pay/:orderId/${form}`, { answer: 404, expired: 404 }]),
  ),
};

describe.each(Object.entries(PAGE_ROUTES))('%s', (route, { answer, expired: ifExpired, body }) => {
  const [method, url] = route.split(' ') as [string, string];
  const ask = (orderId: string, query: string, caller: Caller = 'nobody') =>
    send(
      method,
      `${url.replace(':orderId', orderId)}${query}`,
      { ...header[caller], Accept: 'application/json' },
      body && JSON.stringify(body),
    );
  const queryOf = ({ paymentPageUrl }: CreatedOrder) => new URL(paymentPageUrl).search;

  test('is 403 without the link of exactly this order, for every caller', async () => {
    const [order, other] = [await createOrder(own()), await createOrder(own())];
    const later = queryOf(order).replace(
      /expires=(\d+)/,
      (_all, seconds: string) => `expires=${Number(seconds) + 60}`,
    );
    const wrong = [
      '',
      queryOf(other),
      later,
      queryOf(order).replace(/token=[^&]+/, 'token='),
      `${queryOf(order)}&token=x`,
      queryOf(order).slice(0, -1),
    ];
    await expectNoWrites(async () => {
      for (const query of wrong) expect((await ask(order.orderId, query)).status, query).toBe(403);
      expect((await ask(randomUUID(), queryOf(order))).status).toBe(403);
      for (const caller of CALLERS)
        expect((await ask(order.orderId, '', caller)).status, caller).toBe(403);
    });
  });

  test('answers every caller with the link, until it expires', async () => {
    const order = await createOrder(own());
    expect((await ask(order.orderId, queryOf(order))).status).toBe(answer);
    expect((await ask(expired.orderId, queryOf(expired))).status).toBe(ifExpired);
  });
});

// ---- What is open

/**
 * Without any order, name or number of anybody. `/metrics` asks for its token where one is set, and
 * is off in production without.
 */
const OPEN_ROUTES = [
  ...['/', '/healthz', '/readyz', '/metrics', '/apis', '/apis/', '/apis/js/scalar.js'],
  ...[
    '/openapi/merchant.json',
    '/openapi/operator.json',
    '/openapi/member.json',
    '/openapi/portal.json',
    '/pay/assets/checkout.css',
    '/pay/assets/checkout.js',
  ],
].map((path) => `GET ${path}`);
/** Under the hash of the picture, which does not show whose it is. */
const LOGO = 'GET /pay/logo/:name';
/** Code that is the same for everybody, if it is built: tests/e2e/service/web.test.ts. */
const WEB_APPS = ['console', 'member', 'portal']
  .flatMap((app) => [`GET /${app}`, `GET /${app}*`, `GET /${app}/assets/:file`])
  .concat('GET /docs', 'GET /docs/', 'GET /docs/assets/:file');
/** Likewise. */
const SDK = 'GET /sdk/:file';
/** What installs the member app on a phone: the same for everybody. */
const BESIDE = ['sw.js', 'manifest.webmanifest', 'icon-192.png', 'icon-512.png']
  .concat('icon-maskable.png', 'icon-apple.png')
  .map((file) => `GET /member/${file}`);
/** Answers callers with the master key, and nobody else: tests/e2e/service/doctor.test.ts. */
const REACH = 'GET /reach';
/** Lets in the person at the machine of a demo: tests/e2e/service/first-start.test.ts. */
const DEMO = ['POST /demo', 'POST /demo/member', 'POST /demo/portal'];
/** A name and a password are asked for instead. */
const SIGN_INS = ['operator', 'member', 'portal'].map((face) => `POST /api/${face}/session`);

test.each(OPEN_ROUTES)('%s is open, and the same to everybody', async (route) => {
  const path = route.split(' ')[1] as string;
  for (const caller of ['nobody', 'an unknown token', 'admin', 'merchant'] as const)
    expect([200, 301]).toContain((await send('GET', path, header[caller])).status);
});

test.each(SIGN_INS)('%s is 401 without the password, for every caller', async (route) => {
  const path = route.split(' ')[1] as string;
  for (const caller of ['nobody', 'admin', 'member', 'merchant'] as const) {
    expect(
      (
        await send(
          'POST',
          path,
          header[caller],
          JSON.stringify({ username: holder.username, password: 'guess' }),
        )
      ).status,
    ).toBe(401);
  }
});

/** A link is asked for instead. */
const RECOVERIES = ['operator', 'member'].flatMap((face) => [
  `POST /api/${face}/recovery`,
  `POST /api/${face}/recovery/read`,
]);

test.each(RECOVERIES)('%s is 403 without a link, for every caller', async (route) => {
  const path = route.split(' ')[1] as string;
  const newPassword = path.endsWith('/read') ? {} : { newPassword: 'a long enough password' };
  const body = JSON.stringify({ token: 'x'.repeat(43), ...newPassword });
  for (const caller of ['nobody', 'admin', 'member', 'merchant'] as const)
    expect((await send('POST', path, header[caller], body)).status).toBe(403);
});

test('the tables above and capabilities.ts name every route of the service, and no other', () => {
  const operator = OPERATOR_ROUTES.map(([route]) => route.replace(' ', ' /api/operator'));
  const portal = PORTAL_ROUTES.map(([route]) => route.replace(' ', ' /api/portal'));
  const named = [MERCHANT_ROUTES, MEMBER_ROUTES, PAGE_ROUTES].flatMap((table) =>
    Object.keys(table),
  );
  expect(routesOf(service.app.http)).toEqual(
    [
      ...new Set([
        ...named,
        ...MEMBER_SIGN_OUTS,
        ...operator,
        ...portal,
        ...OPEN_ROUTES,
        LOGO,
        REACH,
        ...WEB_APPS,
        SDK,
        ...BESIDE,
        ...DEMO,
        ...SIGN_INS,
        ...RECOVERIES,
      ]),
    ].sort(),
  );
});

test('a stranger gets the same answer for another’s order as for none', async () => {
  const order = await createOrder(own());
  await openPage(order).data('open');
  const pairs = [
    [
      `/api/merchant/orders/${order.orderId}/status`,
      `/api/merchant/orders/${randomUUID()}/status`,
      header['another merchant'],
    ],
    [
      `/api/merchant/orders/status?merchantOrderRef=${order.merchantOrderRef}`,
      `/api/merchant/orders/status?merchantOrderRef=${randomUUID()}`,
      header['another merchant'],
    ],
    [
      `/api/member/orders/${order.orderId}`,
      `/api/member/orders/${randomUUID()}`,
      header['another member'],
    ],
    [`/pay/${order.orderId}?expires=1&token=x`, `/pay/${randomUUID()}?expires=1&token=x`, {}],
  ] as const;
  for (const [existing, absent, headers] of pairs)
    expect(await send('GET', existing, headers)).toEqual(await send('GET', absent, headers));
});
