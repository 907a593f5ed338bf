import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { claimLate } from '../../../apps/server/src/late-claims/service.ts';
import { insertAlert } from '../../../apps/server/src/merchant-alerts/store.ts';
import type { PageOrder } from '../../../apps/server/src/orders/page.store.ts';
import { noteEndpoints } from '../../../apps/server/src/webhooks/health.store.ts';
import { routesOf } from '../../security/routes.ts';
import {
  advance,
  type CreatedOrder,
  createMember,
  createMerchant,
  createOrder,
  signedOrder,
  signInMember,
  type TestMerchant,
} from '../../support/fixtures.ts';
import { memberClient } from '../../support/member-client.ts';
import { fetchResolved } from '../../support/openapi.ts';
import {
  createOperator,
  operatorClient,
  type TestOperator,
} from '../../support/operator-client.ts';
import { cancelOrder, failedOrder } from '../../support/outcomes.ts';
import { openPage } from '../../support/page-client.ts';
import { createPortalUser, signInPortal } from '../../support/portal.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { OPERATOR_TOKEN } from '../../support/service.ts';
import { serviceTest } from '../../support/service-test.ts';

/**
 * Every list of every face, page by page. The lists are read from the OpenAPI documents, so that a
 * new one without pages fails here, and so does one of which `addRows` makes no rows.
 */
const PASSWORD = 'correct horse';

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly minimum?: number;
  readonly maximum?: number;
}
interface Operation {
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly schema: Schema;
  }[];
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }>
  >;
}
/** A list, by its path in the document, and how it is asked for. */
interface List {
  readonly name: string;
  readonly path: string;
  readonly token: string;
  readonly operation: Operation;
}

let receiver: Receiver;
let merchant: TestMerchant;
let operator: TestOperator;
let memberId: string;
let claimId: string;
let closingId: string;
let failed: CreatedOrder;
let expired: readonly CreatedOrder[];
let lists: readonly List[];
const tokens: Record<string, string> = { operator: OPERATOR_TOKEN };

const { test, service } = await serviceTest();
beforeAll(async () => {
  receiver = await startReceiver();
  merchant = await createMerchant(service, {
    balance: '100000',
    defaultCallbackUrl: `${receiver.url}/hook`,
  });
  operator = await createOperator(service, 'support');
  const member = await createMember(service, {
    methods: ['ProviderA'],
    float: '1000000',
    maxOpenOrders: 1000,
    password: PASSWORD,
  });
  memberId = member.memberId;
  await createMember(service, { float: '5', online: false });
  await createMerchant(service, { balance: '1' });
  for (let phone = 0; phone < 3; phone += 1)
    tokens['member'] = await signInMember(service, member, PASSWORD);
  expired = [await createOrder(merchant), await createOrder(merchant)];
  for (const { orderId } of expired)
    await service.app.deps.engine.submit({
      kind: 'open-page',
      commandId: randomUUID(),
      orderId,
      need: undefined,
    });
  await advance(service, 900);
  failed = await failedOrder(service, merchant, {});
  await operatorClient(service).patch('/settings', { adjustmentApprovalLimit: 10 });
  for (let round = 0; round < 2; round += 1) await addRows();
  // Of last month too, for its statements.
  const before = new Date(service.app.deps.clock.now() - 40 * 86_400_000);
  await service.database.pool.query('update merchants set created_at = $2 where merchant_id = $1', [
    merchant.merchantId,
    before,
  ]);
  const portalUser = await createPortalUser(service, merchant, 'viewer');
  tokens['portal'] = portalUser.token;
  for (let signIn = 0; signIn < 2; signIn += 1) await signInPortal(service, portalUser.username);
  // Script tokens have no sign-ins of their own to list.
  const { username, password } = operator;
  for (let signIn = 0; signIn < 3; signIn += 1) {
    const { data } = await operatorClient(service).post('/session', { username, password });
    tokens['/api/operator/sessions'] = data.token;
  }
  claimId = (await operatorClient(service).get('/late-claims?limit=1')).data[0].claimId;
  lists = await readLists();
});
afterAll(async () => {
  await receiver.close();
});

const addRows = (() => {
  let round = 0;
  /** A row or more of every list, by the faces themselves where a single call makes one. */
  return async () => {
    round += 1;
    const admin = operatorClient(service);
    const made = async (path: string, body?: object) => {
      const { status, text, data } = await admin.post(path, body);
      if (status !== 200) throw new Error(`POST ${path} answered ${status}: ${text}`);
      return data;
    };
    const other = await made('/merchants', { name: `Merchant ${round}` });
    await made('/operators', {
      username: `operator-${round}`,
      name: `Another ${round}`,
      role: 'viewer',
      password: PASSWORD,
    });
    await made('/members', { name: 'Another', username: `member-${round}`, password: PASSWORD });
    await made(`/operators/${operator.operatorId}/tokens`, { name: `script ${round}` });
    await made(`/merchants/${merchant.merchantId}/api-keys`);
    await made(`/merchants/${merchant.merchantId}/portal-users`, {
      username: `portal-${round}`,
      role: 'viewer',
      password: PASSWORD,
    });
    for (const amount of [1, 20])
      await made(`/merchants/${merchant.merchantId}/adjustments`, {
        kind: 'credit',
        amount,
        reason: 'rows',
      });
    await made(`/members/${memberId}/float-adjustments`, { amount: round, reason: 'rows' });
    await made('/fee-rules', {
      merchantId: other.merchantId,
      orderType: 'Deposit',
      walletType: 'ProviderA',
      fixed: round,
    });
    await made('/fee-rules', { orderType: 'Deposit', walletType: 'ProviderA', fixed: round });
    for (const currency of ['INR', 'BDT']) await made('/exchange-rates', { currency, rate: round });
    await made('/views', { name: `View ${round}`, query: '', shared: true });
    await made(`/orders/${failed.orderId}/deliveries/resend`);
    closingId = (await made('/closings', {})).closingId;
    await made(`/closings/${closingId}/discard`, { note: 'rows' });
    const account = {
      walletType: 'ProviderB',
      accountNumber: `0300000000${round}`,
      accountTitle: 'Member',
    };
    await memberClient(service.url, tokens['member'] as string).data('POST', '/accounts', account);
    await createOrder(merchant);
    const paid = await createOrder(merchant);
    await openPage(paid).data('open');
    await openPage(paid).data('confirm', { transactionDigits: '4821' });
    await made(`/orders/${paid.orderId}/escalate`, { note: 'n' });
    await cancelOrder(service, await createOrder(merchant));
    await createOrder(merchant, { orderType: 'Withdrawal' });
    for (const amount of [0, -1]) await signedOrder(merchant, { amount });
    await service.app.deps.traffic.write();
    const now = service.app.deps.clock.now();
    for (const { orderId } of expired) {
      const order = (await service.app.deps.readers.pageOrder(orderId)) as PageOrder;
      const said = claimLate(service.app.deps, order, { isOpen: true }, `471${round}`, now);
      expect(await said).toBe('recorded');
    }
    const alert = { kind: 'test', subject: '', condition: null, at: now } as const;
    for (let made = 0; made < 2; made += 1)
      await insertAlert(service.database.pool, {
        ...{ ...alert, alertId: service.app.deps.ids.uuid(now), merchantId: merchant.merchantId },
      });
    const news = { merchantId: merchant.merchantId, successAt: null, failureAt: null, error: null };
    await noteEndpoints(service.database.pool, [
      {
        ...news,
        host: `failing-${round}.example:443`,
        alertId: service.app.deps.ids.uuid(now),
        failures: 3,
        failureAt: now,
      },
      {
        ...news,
        host: `failing-too-${round}.example:443`,
        alertId: service.app.deps.ids.uuid(now),
        failures: 3,
        failureAt: now,
      },
      {
        ...news,
        host: `healthy-${round}.example:443`,
        alertId: service.app.deps.ids.uuid(now),
        failures: 0,
        successAt: now,
      },
    ]);
  };
})();

/** What is found, a bounded number of rows without pages. */
const BOUNDED = [
  '/api/portal/api-key-requests',
  '/api/operator/late-claims/{claimId}/candidates',
  '/api/member/orders/{orderId}/evidence',
];
/** It is followed, by a cursor of its own: tests/e2e/deliveries/feed.test.ts. */
const FEED = '/api/merchant/events';

/** Every documented GET that answers rows, or a page of something. */
async function readLists(): Promise<readonly List[]> {
  const faces = routesOf(service.app.http).flatMap(
    (route) => /^GET \/openapi\/(\w+)\.json$/.exec(route)?.[1] ?? [],
  );
  expect(faces).toEqual(expect.arrayContaining(['merchant', 'operator', 'member', 'portal']));
  const found = await Promise.all(
    faces.map(async (face) => {
      const { paths } = await fetchResolved<{
        readonly paths: Record<string, Record<string, Operation>>;
      }>(service.url, face);
      return Object.entries(paths).flatMap(([path, { get: operation }]) => {
        const { data, nextCursor } =
          operation?.responses['200']?.content?.['application/json']?.schema?.properties ?? {};
        if (operation === undefined || (data?.type !== 'array' && nextCursor === undefined))
          return [];
        if (BOUNDED.includes(path) || path === FEED) return [];
        return [
          {
            name: `GET ${path}`,
            path: filled(path),
            token: tokens[path] ?? tokens[face] ?? `none of the face ${face} in this test`,
            operation,
          },
        ];
      });
    }),
  );
  return found.flat();
}

function filled(path: string): string {
  const ids: Readonly<Record<string, string>> = {
    claimId,
    closingId,
    memberId,
    merchantId: merchant.merchantId,
    operatorId: operator.operatorId,
    orderId: failed.orderId,
  };
  return path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const id = ids[name];
    if (id === undefined) throw new Error(`say in this test which ${name} ${path} is asked for`);
    return id;
  });
}

type Row = Readonly<Record<string, string>>;
/** The rows are `data`, or the list in it. */
interface ListAnswer {
  readonly data: readonly Row[] | Readonly<Record<string, unknown>>;
  readonly nextCursor: string | null;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
}

async function ask({ path, token }: List, query: Readonly<Record<string, string>>) {
  const response = await fetch(`${service.url}${path}?${new URLSearchParams(query)}`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    json: (await response.json()) as ListAnswer,
  };
}

/**
 * A page as the names of its rows: the first field of each, the host where that is the merchant,
 * and in a history the time.
 */
async function page(list: List, query: Readonly<Record<string, string>>) {
  const isHistory = list.path.endsWith('/history');
  const { status, json } = await ask(list, query);
  expect(status, `${list.name} ${JSON.stringify({ query, json })}`).toBe(200);
  const rows = [json.data, ...Object.values(json.data)].find(Array.isArray) as readonly Row[];
  return {
    rows: rows.map((row) =>
      [Object.values(row)[0], row['host'] ?? '', isHistory ? row['validFrom'] : ''].join(' '),
    ),
    nextCursor: json.nextCursor,
  };
}

/** From a cursor on, or from the start, one row at a time. */
async function walk(
  list: List,
  query: Readonly<Record<string, string>>,
  from?: string | null,
): Promise<readonly string[]> {
  const shown: string[] = [];
  for (let cursor = from; cursor !== null && shown.length < 300; ) {
    const { rows, nextCursor } = await page(list, {
      ...query,
      limit: '1',
      ...(cursor !== undefined && { cursor }),
    });
    if (rows.length !== 1 && (nextCursor !== null || shown.length > 0))
      throw new Error(`${list.name} has a page of ${rows.length} rows amid others`);
    shown.push(...rows);
    cursor = nextCursor;
  }
  return shown;
}

/** Nothing chosen, and each choice of a list by itself. */
function choicesOf({ operation }: List): readonly Readonly<Record<string, string>>[] {
  const queries = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
  const values = ({ type, items, ...schema }: Schema) =>
    type === 'boolean' ? ['true', 'false'] : (schema.enum ?? items?.enum ?? []);
  return [
    {},
    ...queries.flatMap(({ name, schema }) => values(schema).map((value) => ({ [name]: value }))),
  ];
}

describe('every list', () => {
  test('is found, and says that it takes limit and cursor', () => {
    expect(lists.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'GET /api/operator/operators',
        'GET /api/operator/operators/{operatorId}/tokens',
        'GET /api/operator/merchants/{merchantId}/api-keys',
        'GET /api/operator/orders/{orderId}/deliveries',
        'GET /api/operator/webhooks/health',
        'GET /api/member/orders',
        'GET /api/member/accounts',
      ]),
    );
    for (const { name, operation } of lists) {
      const schemaOf = (parameter: string) =>
        operation.parameters?.find((one) => one.in === 'query' && one.name === parameter)?.schema;
      expect(schemaOf('limit'), name).toMatchObject({ type: 'integer', minimum: 1, maximum: 200 });
      expect(schemaOf('cursor'), name).toMatchObject({ type: 'string' });
      expect(
        operation.responses['200']?.content?.['application/json']?.schema?.properties,
        name,
      ).toHaveProperty('nextCursor');
      expect(operation.responses, name).toHaveProperty('400');
    }
  });

  test('shows the same rows page by page as at once, in the same order, with every filter', async () => {
    for (const list of lists) {
      for (const choice of choicesOf(list)) {
        const { rows, nextCursor } = await page(list, { ...choice, limit: '200' });
        expect(nextCursor, list.name).toBeNull();
        expect(new Set(rows).size, `distinguishable rows of ${list.name}`).toBe(rows.length);
        if (Object.keys(choice).length === 0)
          expect(rows.length, `rows of ${list.name}; have addRows make some`).toBeGreaterThan(1);
        expect(await walk(list, choice), `${list.name} ${JSON.stringify(choice)}`).toEqual(rows);
      }
    }
  });

  test('shows every row that was there, once and in order, while rows are added', async () => {
    const begun = [];
    for (const list of lists) {
      const { rows } = await page(list, { limit: '200' });
      begun.push({ list, rows, first: await page(list, { limit: '1' }) });
    }
    await addRows();
    for (const { list, rows, first } of begun) {
      const shown = [...first.rows, ...(await walk(list, {}, first.nextCursor))];
      expect(
        shown.filter((row) => rows.includes(row)),
        list.name,
      ).toEqual(rows);
    }
  });

  test('refuses a cursor that no answer gave, and a limit that is none, by the name of the field', async () => {
    const encoded = (text: string) => Buffer.from(text).toString('base64url');
    const cursors = [
      'nonsense',
      '!',
      encoded('not a key'),
      encoded('\0'),
      encoded(`healthy ${randomUUID()} \0`),
      encoded(`2026-13-01 ${randomUUID()} a`),
    ];
    for (const list of lists) {
      for (const cursor of cursors) {
        const { status, type, json } = await ask(list, { cursor });
        expect([list.name, cursor, status, json.errors]).toEqual([
          list.name,
          cursor,
          400,
          { cursor: ['must be the nextCursor of an earlier answer.'] },
        ]);
        expect(type).toContain('application/problem+json');
      }
      for (const limit of ['0', '201', '1.5', 'true', 'many']) {
        const { status, json } = await ask(list, { limit });
        expect([list.name, limit, status, Object.keys(json.errors ?? {})]).toEqual([
          list.name,
          limit,
          400,
          ['limit'],
        ]);
      }
    }
  });
});

test('endpoints stand by how long they have failed, the healthy ones after them', async () => {
  const { data } = await operatorClient(service).get('/webhooks/health');
  const since: readonly (string | null)[] = data.endpoints.map(
    ({ failingSince }: { failingSince: string | null }) => failingSince,
  );
  const failing = since.filter((time) => time !== null);
  expect(new Set(failing).size).toBeGreaterThan(1);
  expect(since).toEqual([...failing.toSorted(), ...since.filter((time) => time === null)]);
});
