import { hash, randomUUID } from 'node:crypto';
import { CREATION_REQUEST_EXAMPLES, EXAMPLE_API_KEY, EXAMPLE_SIGNING_SECRET } from '@munshi/api';
import { SENT_EVENTS } from '@munshi/core';
import { Validator } from '@seriousme/openapi-schema-validator';
import Schema from 'typebox/schema';
import { beforeAll, describe, expect } from 'vitest';
import { ENDPOINTS } from '../../support/contract.ts';
import {
  createMember,
  createMerchant,
  createOrder,
  fundMerchant,
  signedOrder,
  type TestMerchant,
} from '../../support/fixtures.ts';
import { fetchOpenApi, fetchResolved, nameIn } from '../../support/openapi.ts';
import { serviceTest } from '../../support/service-test.ts';

interface Media {
  readonly schema: object;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
interface Operation {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema: object;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<
    Record<
      string,
      { readonly description: string; readonly content?: Readonly<Record<string, Media>> }
    >
  >;
}
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;
interface Document {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly servers: readonly { readonly url: string }[];
  readonly security: readonly object[];
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, object>>;
    readonly schemas: Readonly<Record<string, object>>;
  };
  readonly paths: Paths;
  readonly webhooks?: Paths;
}

let merchant: TestMerchant;
let document: Document;

const { test, service } = await serviceTest();
beforeAll(async () => {
  document = await fetchResolved(service.url, 'merchant');
  merchant = await createMerchant(service, { balance: '100000' });
  await createMember(service);
});

const fetchDocument = (name: string) => fetchOpenApi<Document>(service.url, name);

function operation(path: string): Operation {
  const item = document.paths[path];
  const found = item?.['post'] ?? item?.['get'];
  if (found === undefined) throw new Error(`the document has no ${path}`);
  return found;
}

/** The body of order creation. */
function requestMedia(): Media {
  const media = operation(CREATE).requestBody?.content['application/json'];
  if (media === undefined) throw new Error('order creation has no body');
  return media;
}

const CREATE = '/api/merchant/orders';
const STATUS = '/api/merchant/orders/{id}/status';
const BY_REFERENCE = '/api/merchant/orders/status';
const BALANCE = '/api/merchant/orders/balance';

describe('the documents', () => {
  test.each(['merchant', 'operator', 'member', 'portal'])(
    '/openapi/%s.json is valid OpenAPI 3.1',
    async (name) => {
      const one = await fetchDocument(name);
      expect(await new Validator().validate({ ...one })).toEqual({ valid: true });
      expect(one).toMatchObject({ openapi: '3.1.0', servers: [{ url: service.url }] });
    },
  );

  test('the merchant document is version 1.0.0, of seven endpoints, opened by SVC-API-Key or a bearer token', () => {
    expect(document.info.version).toBe('1.0.0');
    expect(Object.keys(document.paths)).toEqual([
      '/api/merchant/events',
      '/api/merchant/events/resend',
      CREATE,
      BALANCE,
      BY_REFERENCE,
      STATUS,
      '/api/merchant/sandbox/orders/{id}',
    ]);
    expect(document.components.securitySchemes).toMatchObject({
      'SVC-API-Key': { type: 'apiKey', in: 'header', name: 'SVC-API-Key' },
      bearer: { type: 'http', scheme: 'bearer' },
    });
    expect(document.security).toEqual([{ 'SVC-API-Key': [] }, { bearer: [] }]);
  });

  test.each(['operator', 'member', 'portal'])(
    'the %s document is opened by a token or a session, and signing in by nothing',
    async (name) => {
      const one = await fetchDocument(name);
      expect(one.security).toEqual([{ bearer: [] }, { session: [] }]);
      expect(one.paths[`/api/${name}/session`]?.['post']).toMatchObject({ security: [] });
    },
  );

  test.each(['operator', 'member', 'portal'])(
    'the %s document has every endpoint of the contract and no other route',
    async (name) => {
      const { paths } = await fetchDocument(name);
      const served = Object.entries(paths).flatMap(([path, item]) =>
        Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
      );
      const declared = ENDPOINTS.filter(({ face }) => face === name).map(
        ({ method, path }) => `${method} /api/${name}${path.replace(/:(\w+)/g, '{$1}')}`,
      );
      expect(served.toSorted()).toEqual(declared.toSorted());
    },
  );

  test('the merchant document names licence and contact, and describes every tag that is used', async () => {
    const { info, tags, paths } = await fetchDocument('merchant');
    expect(info).toMatchObject({ license: { identifier: 'Apache-2.0' }, contact: {} });
    const used = Object.values(paths).flatMap((item) =>
      Object.values(item).flatMap(({ tags: own = [] }) => own),
    );
    expect(tags.map(({ name }) => name).toSorted()).toEqual([...new Set(used)].toSorted());
    expect(tags.every(({ description }) => description !== '')).toBe(true);
  });

  test('no field of order creation has a default, which generated clients would require', () => {
    const { properties } = requestMedia().schema as { properties: Record<string, object> };
    expect(Object.entries(properties).filter(([, field]) => 'default' in field)).toEqual([]);
    expect(properties['currency']).toMatchObject({ description: expect.stringContaining('PKR') });
  });

  test('the merchant document has a webhook for each event that is sent', () => {
    expect(Object.keys(document.webhooks ?? {}).toSorted()).toEqual(SENT_EVENTS.toSorted());
  });

  test('/apis runs one script, of this service, under a policy without unsafe-inline', async () => {
    const page = await fetch(`${service.url}/apis`);
    const html = await page.text();
    const policy = page.headers.get('content-security-policy') ?? '';
    const nonce = /script-src 'nonce-([^']+)'/.exec(policy)?.[1];
    expect(policy).not.toContain('unsafe');
    expect(html).not.toMatch(/https?:\/\//);
    expect(
      [...html.matchAll(/<script[^>]*>/g)].every(([tag]) => tag.includes(`nonce="${nonce}"`)),
    ).toBe(true);
    const script = await fetch(new URL('js/scalar.js', page.url));
    expect(script.status).toBe(200);
    expect(await script.text()).toContain('createApiReference');
  });
});

describe.each(['merchant', 'operator', 'member', 'portal'])('the names of the %s face', (face) => {
  let one: Document;
  beforeAll(async () => {
    one = await fetchDocument(face);
  });
  const operations = () =>
    [one.paths, one.webhooks ?? {}].flatMap((paths) => Object.values(paths).flatMap(Object.values));

  test('every operation has one of its own, in camelCase', () => {
    const ids = operations().map(({ operationId }) => operationId);
    expect(ids.filter((id) => !/^[a-z]+([A-Z][a-z]*)*$/.test(id))).toEqual([]);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  });

  test('every JSON body is a named schema, and every name leads to one that is used', () => {
    const bodies = operations().flatMap(({ requestBody, responses }) =>
      [requestBody, ...Object.values(responses)].flatMap(
        (part) => part?.content?.['application/json']?.schema ?? [],
      ),
    ) as { $ref?: string; allOf?: { $ref?: string }[] }[];
    expect(bodies.filter(({ $ref, allOf }) => ($ref ?? allOf?.[0]?.$ref) === undefined)).toEqual(
      [],
    );
    const text = JSON.stringify(one);
    const used = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, $ref]) => nameIn($ref as string));
    const names = Object.keys(one.components.schemas);
    expect([...new Set(used)].toSorted()).toEqual(names.toSorted());
    expect(names.filter((name) => !/^[A-Z][A-Za-z]+$/.test(name))).toEqual([]);
  });

  test('no shape is there twice, by two names or without one', () => {
    const shapes = [one.components.schemas, one.paths, one.webhooks].flatMap(shapesIn);
    expect(shapes.filter((shape, at) => shapes.indexOf(shape) !== at)).toEqual([]);
  });
});

/** The objects and choices in a part of a document, without what is said of them. */
function shapesIn(part: unknown): readonly string[] {
  if (typeof part !== 'object' || part === null || 'allOf' in part) return [];
  const { description: _, examples: __, ...rest } = part as Record<string, unknown>;
  const { type, properties, enum: choices } = rest;
  const isShape =
    (type === 'object' && properties !== undefined) ||
    (Array.isArray(choices) && choices.length > 1);
  return [...(isShape ? [JSON.stringify(rest)] : []), ...Object.values(rest).flatMap(shapesIn)];
}

/** The contract's tables, by their place in the document. */
const TABLES: readonly [string, () => object, string][] = [
  [
    'order creation request',
    () => requestMedia().schema,
    'orderType amount walletType currency merchantOrderRef customerReference customerAccountNumber customerAccountName callbackUrl successUrl failureUrl metadata txnRefDigitsRequired maxRetryCount signature',
  ],
  [
    'order creation response',
    () => dataSchema(CREATE),
    'orderId orderReference status stage merchantOrderRef paymentPageUrl expiresAt',
  ],
  [
    'order status response',
    () => dataSchema(STATUS),
    'orderId orderReference status amount queuedAt confirmedAt cancelledAt merchantOrderRef orderType currency fee stage lifecycle',
  ],
  [
    'order status response by reference',
    () => dataSchema(BY_REFERENCE),
    'orderId orderReference status amount queuedAt confirmedAt cancelledAt merchantOrderRef orderType currency fee stage lifecycle',
  ],
  [
    'lifecycle',
    () => (dataSchema(STATUS) as { properties: { lifecycle: object } }).properties.lifecycle,
    'stage createdAt awaitingAt assignedAt sentAt approvedAt rejectedAt completedAt failedAt',
  ],
  [
    'balance response',
    () => dataSchema(BALANCE),
    'availableBalance reservedBalance frozenBalance currency',
  ],
];

const responseSchema = (path: string, status: string, mediaType = 'application/json') =>
  operation(path).responses[status]?.content?.[mediaType]?.schema ?? false;
const dataSchema = (path: string) =>
  (responseSchema(path, '200') as { properties: { data: object } }).properties.data;

describe('the fields', () => {
  test.each(TABLES)('of the table %s are all there', (_name, schema, fields) => {
    expect(Object.keys((schema() as { properties: object }).properties)).toEqual(fields.split(' '));
  });

  test('the integer enum values are published with their names', () => {
    const { properties } = requestMedia().schema as {
      properties: Record<
        string,
        { oneOf: { type: string; enum: (string | number)[]; 'x-enum-varnames'?: string[] }[] }
      >;
    };
    const integers = (name: string) => {
      const { oneOf } = properties[name] as (typeof properties)[string];
      const { enum: values, 'x-enum-varnames': names } = oneOf.find(
        ({ type }) => type === 'integer',
      ) as (typeof oneOf)[number];
      return Object.fromEntries(values.map((value, at) => [names?.[at], value]));
    };
    expect(integers('orderType')).toEqual({ Deposit: 0, Withdrawal: 1 });
    expect(integers('walletType')).toEqual({
      ProviderA: 0,
      ProviderATillID: 1,
      ProviderAQR: 2,
      ProviderB: 3,
      TillID: 4,
      ProviderBQR: 5,
      BankAccount: 6,
    });
    expect(integers('currency')).toEqual({ PKR: 0, INR: 1, BDT: 2 });
  });

  test('the headers and query parameters are there with their limits', () => {
    const parameters = (path: string) => operation(path).parameters ?? [];
    expect(parameters(CREATE)).toMatchObject([
      { name: 'Idempotency-Key', in: 'header', required: true, schema: { maxLength: 100 } },
    ]);
    expect(parameters(STATUS)).toMatchObject([{ name: 'id', in: 'path', required: true }]);
    expect(parameters(BY_REFERENCE)).toMatchObject([
      { name: 'merchantOrderRef', in: 'query', schema: { maxLength: 200 } },
      { name: 'orderReference', in: 'query', schema: { maxLength: 100 } },
    ]);
  });
});

/** Every message and code of merchant-api.md#errors, by endpoint and status. */
const ERRORS: readonly [string, string, string][] = [
  [CREATE, '400', "'Amount' must be greater than '0'."],
  [
    CREATE,
    '400',
    'Amount must have at most 4 decimal places and be less than 100,000,000,000,000.',
  ],
  [CREATE, '400', 'Currency must be one of: PKR, INR, BDT.'],
  [CREATE, '400', 'CustomerAccountName can only be sent together with CustomerAccountNumber.'],
  [CREATE, '400', 'CallbackUrl must be a valid absolute http(s) URL.'],
  [CREATE, '400', 'SuccessUrl must be a valid absolute http(s) URL.'],
  [CREATE, '400', 'FailureUrl must be a valid absolute http(s) URL.'],
  [CREATE, '400', "'Txn Ref Digits Required' must be between 4 and 8. You entered 9."],
  [
    CREATE,
    '400',
    "is a deposit-only payment method. A withdrawal's walletType must be one of: ProviderA, ProviderB, TillID, BankAccount.",
  ],
  [CREATE, '400', "The length of 'Customer Account Number' must be 50 characters or fewer."],
  [CREATE, '400', 'Idempotency-Key'],
  [CREATE, '400', '$.walletType'],
  [CREATE, '401', 'SIGNATURE_REQUIRED'],
  [CREATE, '401', 'SIGNATURE_MALFORMED'],
  [CREATE, '401', 'SIGNATURE_INVALID'],
  [CREATE, '401', 'SIGNATURE_REPLAYED'],
  [CREATE, '403', 'Merchant account is suspended; new orders are not accepted.'],
  [CREATE, '403', 'IP not in whitelist.'],
  [
    CREATE,
    '409',
    'Reuse the same Idempotency-Key to retry a request, or use a new reference for a new payment.',
  ],
  [CREATE, '413', 'PAYLOAD_TOO_LARGE'],
  [CREATE, '422', 'required for this withdrawal (amount + fee).'],
  [CREATE, '422', 'deposits are disabled for this merchant.'],
  [CREATE, '422', 'withdrawals are disabled for this merchant.'],
  [CREATE, '422', 'This Idempotency-Key was already used for a different order request.'],
  [CREATE, '500', 'traceId'],
  [STATUS, '404', 'Order not found.'],
  [STATUS, '500', 'traceId'],
  [BY_REFERENCE, '400', 'Provide an orderId, an orderReference or a merchantOrderRef.'],
  [BY_REFERENCE, '400', 'Provide either an orderReference or a merchantOrderRef, not both.'],
  [BY_REFERENCE, '404', 'Order not found.'],
  [BALANCE, '404', 'API key not found or inactive.'],
];

describe('the errors', () => {
  test.each(ERRORS)('%s %s has an example with: %s', (path, status, text) => {
    const examples = Object.values(operation(path).responses[status]?.content ?? {}).flatMap(
      (media) => Object.values(media.examples ?? {}),
    );
    const texts = examples.flatMap(({ value }) => leaves(value));
    expect(texts.some((found) => found.includes(text))).toBe(true);
  });

  test.each([STATUS, BY_REFERENCE, BALANCE])('%s answers 401 with an empty body', (path) => {
    expect(operation(path).responses['401']).toEqual({
      description: expect.stringContaining('empty'),
    });
  });
});

/** Keys and texts, at any depth. */
function leaves(value: unknown): readonly string[] {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => [key, ...leaves(inner)])
    : [String(value)];
}

test('every example in the document matches its schema', () => {
  const media = Object.values(document.paths)
    .flatMap((item) => Object.values(item))
    .flatMap(({ requestBody, responses }) => [
      requestBody?.content,
      ...Object.values(responses).map(({ content }) => content),
    ])
    .flatMap((content) => Object.values(content ?? {}));
  const examples = media.flatMap(({ schema, examples }) =>
    Object.entries(examples ?? {}).map(([name, { value }]) => ({ name, schema, value })),
  );
  expect(examples.length).toBeGreaterThan(40);
  for (const { name, schema, value } of examples)
    expect(Schema.Check(schema, value), name).toBe(true);
});

/** A real answer has a documented status, media type and shape. */
async function expectDocumented(path: string, response: Response): Promise<unknown> {
  const text = await response.text();
  const documented = operation(path).responses[String(response.status)];
  expect(documented, `${path} ${response.status}`).toBeDefined();
  if (text === '') return undefined;
  const mediaType = (response.headers.get('content-type') ?? '').split(';')[0] as string;
  const body = JSON.parse(text);
  expect(Schema.Check(responseSchema(path, String(response.status), mediaType), body), text).toBe(
    true,
  );
  return body;
}

describe('a running service', () => {
  test('takes the example requests as they stand, and answers as documented', async () => {
    const { keyId, merchantId } = await createMerchant(service, { balance: '100000' });
    const { sealed, sealKeyId } = service.app.deps.vault.seal(EXAMPLE_SIGNING_SECRET, {
      merchantId,
      keyId,
    });
    const update =
      'update api_keys set key_hash = $2, sealed_secret = $3, seal_key_id = $4 where key_id = $1 and merchant_id = $5';
    await service.database.pool.query(update, [
      keyId,
      Buffer.from(hash('sha256', EXAMPLE_API_KEY), 'hex'),
      sealed,
      sealKeyId,
      merchantId,
    ]);
    const { examples = {} } = requestMedia();
    expect(Object.keys(examples)).toEqual(Object.keys(CREATION_REQUEST_EXAMPLES));
    for (const [name, { value }] of Object.entries(examples)) {
      const headers = { 'SVC-API-Key': EXAMPLE_API_KEY, 'Idempotency-Key': name };
      const response = await fetch(`${service.url}${CREATE}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(value),
      });
      expect(response.status, name).toBe(200);
      await expectDocumented(CREATE, response);
    }
  });

  test('answers status and balance as documented', async () => {
    const { orderId } = await createOrder(merchant, { merchantOrderRef: 'documented' });
    const headers = { 'SVC-API-Key': merchant.apiKey };
    const get = (path: string) => fetch(`${service.url}${path}`, { headers });
    await expectDocumented(STATUS, await get(`/api/merchant/orders/${orderId}/status`));
    await expectDocumented(
      BY_REFERENCE,
      await get('/api/merchant/orders/status?merchantOrderRef=documented'),
    );
    await expectDocumented(BALANCE, await get(BALANCE));
  });

  test('refuses as documented', async () => {
    const poor = await createMerchant(service, { depositMethods: ['ProviderA'] });
    const suspended = await createMerchant(service, { status: 'suspended' });
    const elsewhere = await createMerchant(service, {
      ipWhitelist: { enabled: true, entries: [{ address: '192.0.2.1', scope: 'Both' }] },
    });
    const deposit = (extra: object = {}) => ({
      orderType: 'Deposit',
      amount: 100,
      walletType: 'ProviderA',
      customerReference: randomUUID(),
      ...extra,
    });
    await createOrder(merchant, { merchantOrderRef: 'taken' });
    const raw = (headers: Record<string, string>, body: string) =>
      fetch(`${service.url}${CREATE}`, { method: 'POST', headers, body });
    const key = { 'SVC-API-Key': merchant.apiKey, 'Idempotency-Key': 'any' };

    const refusals: readonly [number, Promise<Response>][] = [
      [401, raw({}, '{}')],
      [401, raw(key, '{}')],
      [401, raw(key, 'not JSON')],
      [413, raw(key, ' '.repeat(65_537))],
      [400, signedOrder(merchant, deposit({ amount: 0, currency: 'USD' }))],
      [400, signedOrder(merchant, deposit({ walletType: 'Cash', amount: '1' }))],
      [403, signedOrder(suspended, deposit())],
      [403, signedOrder(elsewhere, deposit())],
      [409, signedOrder(merchant, deposit({ merchantOrderRef: 'taken' }))],
      [422, signedOrder(poor, deposit({ walletType: 'ProviderB' }))],
      [422, signedOrder(poor, deposit({ orderType: 'Withdrawal' }))],
    ];
    for (const [status, sent] of refusals) {
      const response = await sent;
      expect(response.status).toBe(status);
      await expectDocumented(CREATE, response);
    }
    const headers = { 'SVC-API-Key': merchant.apiKey };
    await expectDocumented(
      STATUS,
      await fetch(`${service.url}/api/merchant/orders/..%2F/status`, { headers }),
    );
    await expectDocumented(BY_REFERENCE, await fetch(`${service.url}${BY_REFERENCE}`, { headers }));
    await expectDocumented(BALANCE, await fetch(`${service.url}${BALANCE}`));
  });

  test('money in replies is not altered by the schemas', async () => {
    await fundMerchant(service, merchant, '99999999999999.9999');
    const text = await (
      await fetch(`${service.url}${BALANCE}`, { headers: { 'SVC-API-Key': merchant.apiKey } })
    ).text();
    expect(text).toContain('"availableBalance":100000000099999.9999');
  });
});
