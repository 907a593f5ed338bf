import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect } from 'vitest';
import { createMember, createMerchant, createOrder, signInMember } from '../support/fixtures.ts';
import { operatorClient } from '../support/operator-client.ts';
import { openPage } from '../support/page-client.ts';
import { type RawAnswer, rawRequest, sendBytes } from '../support/raw-http.ts';
import { OPERATOR_TOKEN, type Service, startService } from '../support/service.ts';
import { serviceTest } from '../support/service-test.ts';

const { test, service } = await serviceTest();
const overHttps = await startService({ PUBLIC_URL: 'https://pay.example', ROLES: 'http' }, service);
const merchant = await createMerchant(service, { balance: '1000' });
const memberToken = await signInMember(
  service,
  await createMember(service, { password: 'correct horse' }),
  'correct horse',
);
afterAll(async () => {
  await overHttps.close();
});

const operator: [string, string] = ['Authorization', `Bearer ${OPERATOR_TOKEN}`];
const key = (): [string, string] => ['SVC-API-Key', merchant.apiKey];
const member = (): [string, string] => ['Authorization', `Bearer ${memberToken}`];

/** One answer of every family: successes, refusals, what is nowhere. */
const FAMILIES: readonly (readonly [name: string, ask: (url: string) => Promise<RawAnswer>])[] = [
  [
    'merchant: balance',
    (url) => rawRequest(url, { path: '/api/merchant/orders/balance', headers: [key()] }),
  ],
  ['merchant: no key', (url) => rawRequest(url, { path: '/api/merchant/orders/balance' })],
  [
    'merchant: a bad signature',
    (url) =>
      rawRequest(url, {
        method: 'POST',
        path: '/api/merchant/orders',
        headers: [key()],
        body: '{}',
      }),
  ],
  [
    'operator: a list',
    (url) => rawRequest(url, { path: '/api/operator/merchants', headers: [operator] }),
  ],
  ['operator: nobody', (url) => rawRequest(url, { path: '/api/operator/merchants' })],
  [
    'operator: a bad body',
    (url) =>
      rawRequest(url, {
        method: 'POST',
        path: '/api/operator/merchants',
        headers: [operator, ['Content-Type', 'application/json']],
        body: '{',
      }),
  ],
  ['member: me', (url) => rawRequest(url, { path: '/api/member/me', headers: [member()] })],
  ['member: nobody', (url) => rawRequest(url, { path: '/api/member/me' })],
  [
    'member: events',
    (url) => rawRequest(url, { method: 'HEAD', path: '/api/member/events', headers: [member()] }),
  ],
  ['page: a bad link', (url) => rawRequest(url, { path: `/pay/${randomUUID()}` })],
  ['page: an asset', (url) => rawRequest(url, { path: '/pay/assets/checkout.js' })],
  ['documents', (url) => rawRequest(url, { path: '/openapi/merchant.json' })],
  ['viewer', (url) => rawRequest(url, { path: '/apis/' })],
  ['health', (url) => rawRequest(url, { path: '/healthz' })],
  ['metrics', (url) => rawRequest(url, { path: '/metrics' })],
  ['no HTTP', (url) => sendBytes(url, ['noise\r\n\r\n'])],
  ['nowhere', (url) => rawRequest(url, { path: '/nowhere' })],
  [
    'nowhere, for a browser',
    (url) => rawRequest(url, { path: '/nowhere', headers: [['Accept', 'text/html']] }),
  ],
];

describe.each(FAMILIES)('%s', (name, ask) => {
  test('cannot be framed, sniffed or run', async () => {
    const answer = await ask(service.url);
    expect(answer.header('x-content-type-options')).toBe('nosniff');
    const policy = answer.header('content-security-policy') ?? '';
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toMatch(/^default-src 'none'/);
    expect(policy).not.toContain('unsafe');
    expect(answer.header('strict-transport-security')).toBeUndefined();
  });

  test('is kept by nobody, unless it is the same for all', async () => {
    const caching = (await ask(service.url)).header('cache-control');
    const lasting: Readonly<Record<string, string>> = {
      'page: an asset': 'public, max-age=31536000, immutable',
      documents: 'public, max-age=300',
    };
    expect(caching).toBe(lasting[name] ?? 'no-store');
  });

  test('says where PUBLIC_URL is https that browsers come by nothing else', async () => {
    expect((await ask(overHttps.url)).header('strict-transport-security')).toBe('max-age=31536000');
  });

  test('does not show which software it is, and lets no other site read it', async () => {
    const answer = await rawRequest(service.url, {
      path: '/api/merchant/orders/balance',
      headers: [key(), ['Origin', 'https://evil.example']],
    });
    for (const header of [
      'server',
      'x-powered-by',
      'access-control-allow-origin',
      'access-control-allow-credentials',
    ])
      expect(answer.header(header)).toBeUndefined();
  });
});

describe('methods that no route has', () => {
  test.each(['PUT', 'TRACE', 'OPTIONS', 'PROPFIND', 'PURGE'])(
    '%s is 404 on every face, and no preflight is granted',
    async (method) => {
      for (const path of [
        '/api/merchant/orders',
        '/api/operator/merchants',
        '/api/member/me',
        `/pay/${randomUUID()}`,
        '/healthz',
      ]) {
        const headers: [string, string][] = [
          key(),
          ['Origin', 'https://evil.example'],
          ['Access-Control-Request-Method', 'POST'],
          ['X-Echo', 'reflect-me'],
        ];
        const answer = await rawRequest(service.url, { method, path, headers });
        const refusal = /^\/(api\/(operator|member)|pay)\//.test(path)
          ? { error: 'Not found.', code: 'not-found' }
          : { error: 'Not found.' };
        expect([answer.status, answer.text]).toEqual([404, JSON.stringify(refusal)]);
        expect(answer.header('access-control-allow-methods')).toBeUndefined();
      }
    },
  );

  test('a method in a header is not looked at', async () => {
    const before = await operatorClient(service).get('/audit-log');
    for (const name of ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override']) {
      const headers: [string, string][] = [operator, [name, 'DELETE']];
      expect(
        (await rawRequest(service.url, { path: '/api/operator/session', headers })).status,
      ).toBe(200);
    }
    expect((await operatorClient(service).get('/audit-log')).data).toEqual(before.data);
  });
});

describe('forwarded headers from strangers', () => {
  const FORGED: [string, string][] = [
    ['X-Forwarded-For', '203.0.113.9'],
    ['X-Forwarded-Host', 'evil.example'],
    ['X-Forwarded-Proto', 'https'],
    ['X-Forwarded-Port', '1'],
    ['X-Real-IP', '203.0.113.9'],
    ['Forwarded', 'for=203.0.113.9;host=evil.example;proto=https'],
    ['True-Client-IP', '203.0.113.9'],
  ];
  const addressesAudited = async (one: Service) => {
    const name = randomUUID();
    await rawRequest(one.url, {
      method: 'POST',
      path: '/api/operator/merchants',
      headers: [operator, ['Content-Type', 'application/json'], ...FORGED],
      body: JSON.stringify({ name }),
    });
    const { rows } = await service.database.pool.query(
      `select a.address from audit_log a join merchants m on m.merchant_id::text = a.target where m.name = $1`,
      [name],
    );
    return rows.map(({ address }) => address);
  };

  test('do not change who is recorded as the caller; a trusted proxy does', async () => {
    expect(await addressesAudited(service)).toEqual(['127.0.0.1']);
    const behind = await startService({ TRUSTED_PROXIES: '127.0.0.0/8', ROLES: 'http' }, service);
    expect(await addressesAudited(behind)).toEqual(['203.0.113.9']);
    await behind.close();
  });

  test('do not lead links, documents or redirects elsewhere, nor does the Host header', async () => {
    const headers: [string, string][] = [...FORGED, ['Host', 'evil.example']];
    for (const path of [
      '/apis',
      '/docs',
      '/docs/',
      '/openapi/merchant.json',
      '/openapi/operator.json',
    ]) {
      const answer = await rawRequest(service.url, { path, headers: FORGED });
      expect(JSON.stringify(answer.headers) + answer.text).not.toContain('evil.example');
    }
    expect((await rawRequest(service.url, { path: '/docs', headers })).status).toBe(400); // two hosts
    const { paymentPageUrl } = await createOrder(merchant);
    expect(paymentPageUrl.startsWith(`${service.url}/pay/`)).toBe(true);
  });

  test('do not get past an address list, and cannot be used to try more passwords', async () => {
    const listed = await createMerchant(service, {
      ipWhitelist: { enabled: true, entries: [{ address: '203.0.113.9', scope: 'Both' }] },
    });
    await expect(createOrder(listed)).rejects.toThrow('403');
    const tryOnce = (address: string) =>
      rawRequest(service.url, {
        method: 'POST',
        path: '/api/member/session',
        headers: [
          ['Content-Type', 'application/json'],
          ['X-Forwarded-For', address],
        ],
        body: JSON.stringify({ username: 'somebody', password: 'guess' }),
      });
    const answers: number[] = [];
    for (let at = 0; at < 11; at += 1) answers.push((await tryOnce(`203.0.113.${at}`)).status);
    expect(answers).toEqual([...Array(10).fill(401), 429]);
  });
});

describe('where the page leads', () => {
  test('only to the addresses that the merchant has stored with the order', async () => {
    const order = await createOrder(merchant, {
      successUrl: 'https://shop.example/thanks',
      failureUrl: 'https://shop.example/sorry',
    });
    const { search, pathname } = new URL(order.paymentPageUrl);
    const extras =
      '&successUrl=https://evil.example&failureUrl=https://evil.example&returnUrl=//evil.example&next=https://evil.example&svc_status=Completed&lang=//evil.example';
    const answers = [
      await rawRequest(service.url, { path: `${pathname}${search}${extras}` }),
      await rawRequest(service.url, { path: `${pathname}/state${search}${extras}` }),
      await rawRequest(service.url, {
        method: 'POST',
        path: `${pathname}/open${search}${extras}`,
        headers: [['Referer', 'https://evil.example']],
      }),
      await rawRequest(service.url, {
        method: 'POST',
        path: `${pathname}/cancel${search}${extras}`,
      }),
      await rawRequest(service.url, { path: `${pathname}${search}${extras}` }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 303, 303, 200]);
    for (const { headers, text } of answers)
      expect(JSON.stringify(headers) + text).not.toContain('evil.example');
    expect(answers[4]?.text).toContain('https://shop.example/sorry?');
    expect((await openPage(order).state()).redirectUrl ?? 'https://shop.example/sorry').toMatch(
      /^https:\/\/shop\.example\/sorry/,
    );
  });

  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    '//evil.example',
    '/local',
    'ftp://a.example',
    'https://',
    'java\nscript:alert(1)',
  ])('an address like %j is not stored', async (url) => {
    await expect(createOrder(merchant, { successUrl: url })).rejects.toThrow('400');
    await expect(createOrder(merchant, { failureUrl: url })).rejects.toThrow('400');
  });
});

describe('401 says how to sign in', () => {
  test.each([
    ['GET', '/api/operator/merchants'],
    ['GET', '/api/member/me'],
    ['GET', '/api/portal/orders'],
    ['POST', '/api/operator/session'],
  ])('%s %s', async (method, path) => {
    const answer = await rawRequest(service.url, {
      method,
      path,
      headers: [['Content-Type', 'application/json']],
      ...(method === 'POST' && { body: '{"username":"nobody","password":"nothing at all"}' }),
    });
    expect([answer.status, answer.header('www-authenticate')]).toEqual([401, 'Bearer realm="api"']);
  });

  test('but for merchants, whose contract has no such header', async () => {
    for (const headers of [[], [key()]] as [string, string][][]) {
      const answer = await rawRequest(service.url, {
        method: 'POST',
        path: '/api/merchant/orders',
        headers,
        body: '{}',
      });
      expect([answer.status, answer.header('www-authenticate')]).toEqual([401, undefined]);
    }
  });
});
