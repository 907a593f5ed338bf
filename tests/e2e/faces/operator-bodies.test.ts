import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { createMember, createMerchant } from '../../support/fixtures.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { serviceTest } from '../../support/service-test.ts';

const { test, service } = await serviceTest();
const operator = operatorClient(service);
const merchant = await createMerchant(service);
const member = await createMember(service);

const PLACES = 'must be written without an exponent and have at most 4 decimal places.';
const UNSEEN =
  'must not contain control characters, direction marks or other invisible characters. Type it instead of pasting it.';
const adjustment = (amount: string) =>
  [
    'POST',
    '/merchants/M/adjustments',
    `{"kind": "credit", "reason": "r", "amount": ${amount}}`,
  ] as const;
const feeRule = (fields: string) =>
  ['POST', '/fee-rules', `{"orderType": "Deposit", "walletType": "ProviderA", ${fields}}`] as const;

/** Every row: what is sent, and the one field that is named with its message. */
const ROWS: readonly (readonly [
  method: string,
  path: string,
  body: string | object,
  field: string,
  message: string | RegExp,
])[] = [
  // money
  [...adjustment('1.00001'), '$.amount', PLACES],
  [...adjustment('1e2'), '$.amount', PLACES],
  [...adjustment('1E400'), '$.amount', 'must be number.'],
  [...adjustment('0'), '$.amount', 'must be greater than 0.'],
  [...adjustment('-5'), '$.amount', 'must be greater than 0.'],
  [...adjustment('100000000000000'), '$.amount', 'must be less than 100,000,000,000,000.'],
  [...adjustment('"5"'), '$.amount', 'must be number.'],
  [...adjustment('null'), '$.amount', 'must be number.'],
  [
    'POST',
    '/members/N/float-adjustments',
    '{"amount": 0, "reason": "r"}',
    '$.amount',
    'must not be 0.',
  ],
  [
    'POST',
    '/members/N/float-adjustments',
    '{"amount": -0.00001, "reason": "r"}',
    '$.amount',
    PLACES,
  ],
  [
    'POST',
    '/members/N/float-adjustments',
    '{"amount": -100000000000000, "reason": "r"}',
    '$.amount',
    'must be less than 100,000,000,000,000.',
  ],
  [
    'PATCH',
    '/settings',
    '{"adjustmentApprovalLimit": -1}',
    '$.adjustmentApprovalLimit',
    'must not be negative.',
  ],
  [
    'POST',
    '/members/N/accounts',
    { walletType: 'ProviderA', accountNumber: '1', accountTitle: 't', maximumPerDay: 0 },
    '$.maximumPerDay',
    'must be greater than 0.',
  ],
  [
    'POST',
    '/members/N/accounts',
    {
      walletType: 'ProviderA',
      accountNumber: '1',
      accountTitle: 't',
      minimumPerOrder: 5,
      maximumPerOrder: 4,
    },
    '$.maximumPerOrder',
    'must not be less than minimumPerOrder.',
  ],
  // factors
  [...feeRule('"percent": -1'), '$.percent', 'must not be negative.'],
  [
    ...feeRule('"percent": 0.000000001'),
    '$.percent',
    'must be written without an exponent and have at most 8 decimal places.',
  ],
  [...feeRule('"percent": 1000000000000'), '$.percent', 'must be less than 1,000,000,000,000.'],
  [
    'POST',
    '/exchange-rates',
    '{"currency": "INR", "rate": 0}',
    '$.rate',
    'must be greater than 0.',
  ],
  [
    'POST',
    '/exchange-rates',
    '{"currency": "PKR", "rate": 1}',
    '$.currency',
    'must be one of INR, BDT.',
  ],
  // fee rules
  [...feeRule('"minimum": 5, "maximum": 4'), '$.maximum', 'must not be less than minimum.'],
  [...feeRule('"fromAmount": 5, "toAmount": 5'), '$.toAmount', 'must be greater than fromAmount.'],
  [
    'POST',
    '/fee-rules',
    { orderType: 'Withdrawal', walletType: 'ProviderAQR' },
    '$.walletType',
    'is a deposit-only payment method.',
  ],
  // unknown and missing fields, in depth too
  ['POST', '/merchants', { name: 'x', colour: 'red' }, '$.colour', 'There is no such field.'],
  ['POST', '/merchants', { name: 'x', Name: 'y' }, '$', 'A field is given twice.'],
  ['POST', '/merchants', {}, '$.name', 'This field is required.'],
  ['PATCH', '/merchants/M', {}, '$', /./],
  [
    'PATCH',
    '/merchants/M',
    { merchantId: randomUUID() },
    '$.merchantId',
    'There is no such field.',
  ],
  [
    'PATCH',
    '/merchants/M',
    { ipWhitelist: { enabled: true, entries: [{ address: '::1', scope: 'Both', note: 'x' }] } },
    '$.ipWhitelist.entries.0.note',
    'There is no such field.',
  ],
  [
    'POST',
    '/operators',
    { username: 'u', name: 'n', role: 'owner' },
    '$.role',
    'must be one of viewer, support, admin.',
  ],
  // merchants
  ['POST', '/merchants', { name: '  ' }, '$.name', /./],
  [
    'POST',
    '/merchants',
    { name: 'x', defaultCallbackUrl: 'shop.example/hook' },
    '$.defaultCallbackUrl',
    'must be an absolute http(s) URL.',
  ],
  [
    'POST',
    '/merchants',
    { name: 'x', withdrawalMethods: ['ProviderAQR'] },
    '$.withdrawalMethods.0',
    'must be one of ProviderA, ProviderB, TillID, BankAccount.',
  ],
  [
    'POST',
    '/merchants',
    { name: 'x', depositMethods: ['ProviderA', 'ProviderA'] },
    '$.depositMethods',
    /./,
  ],
  ['POST', '/merchants', { name: 'x', displayName: '' }, '$.displayName', /./],
  ['POST', '/merchants', { name: 'x', displayName: 'x'.repeat(61) }, '$.displayName', /./],
  ['PATCH', '/merchants/M', { displayName: `e${'\u0301'.repeat(60)}` }, '$.displayName', /./],
  [
    'PATCH',
    '/merchants/M',
    { displayName: ' — ' },
    '$.displayName',
    'must contain a letter or a digit.',
  ],
  ['PATCH', '/merchants/M', { displayName: 7 }, '$.displayName', /./],
  ...[
    '\n',
    '\u0007',
    '\u0085',
    '\u2028',
    '\u202e',
    '\u2066',
    '\u2069',
    '\u200b',
    '\u200f',
    '\u061c',
    '\ufeff',
    '\u00ad',
    '\ue000',
    '\u3164',
    '\u{e0041}',
  ].map(
    (unseen) =>
      [
        'PATCH',
        '/merchants/M',
        { displayName: `Shop${unseen}x` },
        '$.displayName',
        UNSEEN,
      ] as const,
  ),
  ...['teal', '#fff', '#12345', '#1234567', '#12345g', 'url(x)', '#123456;', ''].map(
    (brandColour) => ['PATCH', '/merchants/M', { brandColour }, '$.brandColour', /./] as const,
  ),
  ...['', 'help', 'a@b', 'a@b..c', 'a b@c.de', 'a@c.de\nBcc: x@y.zz', '<a@c.de>', 'ä@c.de'].map(
    (supportEmail) => ['PATCH', '/merchants/M', { supportEmail }, '$.supportEmail', /./] as const,
  ),
  ...['', '7', 'call us', '0300 12345x', '1;ext=2', `+${'1'.repeat(40)}`].map(
    (supportPhone) => ['PATCH', '/merchants/M', { supportPhone }, '$.supportPhone', /./] as const,
  ),
  ...[
    '',
    'http://shop.example',
    'HTTP://shop.example',
    'javascript:alert(1)',
    'shop.example/help',
    'https://user@shop.example/',
    'https://shop.example\n/',
    `https://shop.example/${'x'.repeat(500)}`,
  ].map((supportUrl) => ['PATCH', '/merchants/M', { supportUrl }, '$.supportUrl', /./] as const),
  ...['Asia/Nowhere', '+05:00', 'PKT', '', null].map(
    (timeZone) => ['PATCH', '/merchants/M', { timeZone }, '$.timeZone', /./] as const,
  ),
  ...['', 'x y', 'https://shop.example/logo.png', 'data:image/png;base64,', 'data:,x'].map(
    (logo) => ['PATCH', '/merchants/M', { logo }, '$.logo', /./] as const,
  ),
  [
    'POST',
    '/merchants',
    {
      name: 'x',
      logo: `data:image/png;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg"/>')}`,
    },
    '$.logo',
    'must be a PNG, JPEG or WebP picture.',
  ],
  [
    'PATCH',
    '/merchants/M',
    { status: 'frozen' },
    '$.status',
    'must be one of active, suspended, closed.',
  ],
  [
    'PATCH',
    '/merchants/M',
    {
      ipWhitelist: {
        enabled: true,
        entries: [
          { address: '::1', scope: 'Both' },
          { address: '10.0.0.0/33', scope: 'Both' },
        ],
      },
    },
    '$.ipWhitelist.entries.1.address',
    'must be an IPv4 or IPv6 address or a CIDR block.',
  ],
  // members, orders, settings, clock
  ['POST', '/members', { name: 'n', username: 'u', password: 'short' }, '$.password', /./],
  [
    'POST',
    '/members',
    { name: 'n', username: 'with space', password: 'long enough' },
    '$.username',
    /./,
  ],
  [
    'POST',
    '/orders/O/resolve',
    { outcome: 'Rejected', note: 'n' },
    '$.outcome',
    'must be one of Completed, Cancelled.',
  ],
  ['POST', '/orders/O/cancel', {}, '$.note', 'This field is required.'],
  ['POST', '/orders/O/confirm', { note: 'n', memberId: 'nobody' }, '$.memberId', /./],
  ['POST', '/late-claims/C/close', {}, '$.note', 'This field is required.'],
  ['POST', '/late-claims/C/close', { note: ' ' }, '$.note', /./],
  ...(
    [
      ['paymentPageTtlSeconds', 60],
      ['awaitingWithdrawalTimeoutSeconds', 60],
      ['payoutWindowSeconds', 1],
      ['memberConfirmationWindowSeconds', 1],
    ] as const
  ).map(
    ([name, least]) =>
      ['PATCH', '/settings', { [name]: least - 1 }, `$.${name}`, `must be >= ${least}.`] as const,
  ),
  [
    'PATCH',
    '/settings',
    { displayNames: { methods: { Cash: 'x' } } },
    '$.displayNames.methods.Cash',
    /must name one of/,
  ],
  [
    'PATCH',
    '/settings',
    { displayNames: { currencies: { BDT: { providers: { Cash: 'x' } } } } },
    '$.displayNames.currencies.BDT.providers.Cash',
    /must name one of/,
  ],
  ['POST', '/clock/advance', { seconds: -1 }, '$.seconds', /./],
  ['POST', '/clock/advance', { seconds: 1.5 }, '$.seconds', /./],
  // the text itself
  ['POST', '/merchants', '{"name": "x"', '$', 'The body is not JSON.'],
  ['POST', '/merchants', '[]', '$', 'The body must be one JSON object.'],
  ['POST', '/merchants', '{"name": "x", "name": "y"}', '$', 'A field is given twice.'],
  ['POST', '/merchants', '{"name": "a\\u0000b"}', '$', 'Texts must not contain a null character.'],
  [
    'POST',
    '/merchants',
    '{"name": "\\ud800"}',
    '$',
    'The body holds a text that is not well-formed Unicode.',
  ],
  [
    'POST',
    '/merchants',
    '{"name": "x", "__proto__": {"name": "y"}}',
    '$.__proto__',
    'There is no such field.',
  ],
  // query parameters
  ['GET', '/orders?limit=0', '', 'limit', /./],
  ['GET', '/orders?limit=201', '', 'limit', /./],
  ['GET', '/orders?limit=many', '', 'limit', /./],
  ['GET', '/orders?colour=red', '', 'colour', 'There is no such field.'],
  ['GET', '/orders?status=Lost', '', 'status.0', /must be one of/],
  ['GET', '/orders?from=yesterday', '', 'from', /ISO 8601/],
  ['GET', '/orders?merchantId=1', '', 'merchantId', /./],
  ['GET', '/late-claims?status=waiting', '', 'status', 'must be one of open, closed.'],
  [
    'GET',
    '/late-claims?cursor=bm90IGFuIGlk',
    '',
    'cursor',
    'must be the nextCursor of an earlier answer.',
  ],
  [
    'GET',
    '/orders?cursor=bm90IGFuIGlk',
    '',
    'cursor',
    'must be the nextCursor of an earlier answer.',
  ],
];

test.each(ROWS)('%s %s %j: 400 naming %s', async (method, path, body, field, message) => {
  const before = await countWrites();
  const filled = path
    .replace('/M', `/${merchant.merchantId}`)
    .replace('/N', `/${member.memberId}`)
    .replace(/\/[OC]\b/, `/${randomUUID()}`);
  const answer = await (method === 'GET'
    ? operator.get(filled)
    : method === 'PATCH'
      ? operator.patch(filled, body)
      : operator.post(filled, body));
  expect(answer.status).toBe(400);
  expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  expect(Object.keys(answer.errors ?? {})).toEqual([field]);
  if (typeof message === 'string') expect(answer.errors?.[field]).toEqual([message]);
  else expect(answer.errors?.[field]?.join(' ')).toMatch(message);
  expect(await countWrites()).toBe(before);
});

async function countWrites() {
  const { rows } = await service.database.pool.query(
    'select count(*)::integer as count from audit_log',
  );
  return rows[0].count;
}

test('several wrong fields are named at once', async () => {
  const answer = await operator.post(
    '/fee-rules',
    '{"orderType": "Deposit", "walletType": "ProviderA", "fixed": -1, "percent": 1e3, "minimum": 0.00001}',
  );
  expect(Object.keys(answer.errors ?? {}).sort()).toEqual(['$.fixed', '$.minimum', '$.percent']);
});

test('a body over 64 KB, or 768 KB where a logo is in it, is refused before it is read', async () => {
  expect((await operator.post('/members', { name: 'x'.repeat(70_000) })).status).toBe(413);
  expect((await operator.post('/merchants', { name: 'x'.repeat(790_000) })).status).toBe(413);
});

test('a POST without fields takes an empty body, an empty object, or none', async () => {
  for (const body of [undefined, '', {}]) {
    expect((await operator.post(`/merchants/${merchant.merchantId}/api-keys`, body)).status).toBe(
      200,
    );
  }
});
