import { hash, randomUUID } from 'node:crypto';
import { ORDER_SEARCH_KINDS, readOrderSearch, UTC } from '@munshi/core';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { INVARIANTS, queryOf, WHOLE_TABLES } from '../../../apps/server/src/books/invariants.ts';
import { listOrders } from '../../../apps/server/src/orders/list.store.ts';
import { FIRST_ID } from '../../../apps/server/src/platform/database/first-id.ts';
import type { Queryable } from '../../../apps/server/src/platform/database/queryable.ts';
import { statements } from '../../../apps/server/src/platform/database/statement.ts';
import '../../../apps/server/src/order-desk/detail.store.ts';
import '../../../apps/server/src/now/queues.store.ts';
import { readOutcomes } from '../../../apps/server/src/deliveries/feed.store.ts';
import {
  type DeliveryFilters,
  listAllDeliveries,
} from '../../../apps/server/src/deliveries/lists.store.ts';
import { prefillOrders } from '../../../bench/prefill.ts';
import { seedMembers, seedMerchants } from '../../../bench/seed.ts';
import { type Clone, cloneDatabase } from '../../support/database.ts';
import {
  type CreatedOrder,
  createMember,
  createMerchant,
  createOrder,
  setPresence,
  signInMember,
  type TestMerchant,
} from '../../support/fixtures.ts';
import { type MemberClient, memberClient } from '../../support/member-client.ts';
import { get } from '../../support/merchant-client.ts';
import { openPage } from '../../support/page-client.ts';
import { explainGenerically, ordersRead, rowsRead } from '../../support/plans.ts';
import { startReceiver } from '../../support/receiver.ts';
import { startService } from '../../support/service.ts';
import { size } from '../../support/size.ts';
import { expectSound } from '../../support/verify.ts';

// ---- Plans that are made while the tables are empty

/**
 * The plans of prepared statements are made while the tables are empty, as after every first start,
 * and kept. Each must go on reading what it needs and nothing else when the tables are full. All
 * orders here are of one merchant, one member and one receiver, so that a statement that finds an
 * order by these alone reads very many.
 */
const WAVES = 12;
const WAVE = 25;
/**
 * What one scan of an index or a table reads in the mean, at most: the accounts of a member, what
 * is due, the versions of a row that changes.
 */
const READ_MAX = 40;
/**
 * Before 17 Postgres takes one list of values to an index, not two: all that an account has in hand
 * is read, and what it had until that is vacuumed.
 */
const IN_HAND_MAX = { before17: 150, since17: READ_MAX };

const WITHDRAWAL = {
  orderType: 'Withdrawal',
  customerAccountNumber: '03001234567',
  customerAccountName: 'Ayesha Khan',
};

async function look(
  merchant: TestMerchant,
  { orderId, orderReference, merchantOrderRef }: CreatedOrder,
): Promise<void> {
  const paths = [
    `/${orderId}/status`,
    `/status?orderReference=${orderReference}`,
    `/status?merchantOrderRef=${merchantOrderRef}`,
    '/balance',
  ];
  const replies = await Promise.all(paths.map((path) => get(merchant, `/orders${path}`)));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
}

/** A deposit, or a withdrawal, from its creation to its webhook; its merchant may look at it. */
async function live(
  merchant: TestMerchant,
  member: MemberClient,
  { isLookedAt, ...body }: { orderType?: string; amount: number; isLookedAt: boolean },
): Promise<void> {
  const order = await createOrder(merchant, body);
  if (isLookedAt) await look(merchant, order);
  if (body.orderType === undefined) {
    await openPage(order).data('open');
    await openPage(order).data('confirm', { transactionDigits: '1234' });
  }
  expect(await member.data('POST', `/orders/${order.orderId}/confirm`, {})).toMatchObject({
    status: 'Completed',
  });
  if (isLookedAt) await look(merchant, order);
}

async function giveUp(merchant: TestMerchant, amount: number): Promise<void> {
  const order = await createOrder(merchant, { amount });
  await openPage(order).data('open');
  expect(await openPage(order).data('cancel')).toMatchObject({ status: 'CancelledAuto' });
}

const BEGINNINGS = [
  ['as the migrations leave them', undefined, undefined],
  ['known to be empty', 'analyze', undefined],
  // As Postgres does by itself: what has been vacuumed is planned again, by the size of the tables
  // alone until they have been analysed.
  ['vacuumed when they are half full', undefined, 'vacuum'],
  ['analysed when they are half full', undefined, 'vacuum analyze'],
] as const;

test.each(BEGINNINGS.slice(0, size('PLANS', { short: 1, deep: 4, full: 4 })))(
  'a service that began with empty tables, %s, reads no more for an order when they are full',
  async (_how, atFirst, halfway) => {
    const clone = await cloneDatabase();
    const { pool } = clone.database;
    await seedMerchants(clone.database, 2_000); // whose wallets no batch here needs
    if (atFirst !== undefined) await pool.query(atFirst);
    const service = await startService({}, clone);
    const receiver = await startReceiver();
    const merchant = await createMerchant(service, {
      balance: '100000000',
      defaultCallbackUrl: `${receiver.url}/hook`,
    });
    const password = randomUUID();
    const holder = await createMember(service, {
      methods: ['ProviderA', 'ProviderB'],
      maxOpenOrders: 1_000,
      float: '10000000',
      password,
    });
    const member = memberClient(service.url, await signInMember(service, holder, password));
    // Webhooks have been looked for, and there were none.
    const claiming = `select from pg_stat_activity where datname = current_database() and application_name = 'munshi-webhooks' and state = 'idle' and query ~ 'terms_version'`;
    await expect.poll(async () => (await pool.query(claiming)).rows.length).toBeGreaterThan(0);

    for (let wave = 0; wave < WAVES; wave += 1) {
      if (halfway !== undefined && wave === WAVES / 2) await pool.query(halfway);
      await Promise.all(
        Array.from({ length: WAVE }, (_, n) =>
          live(merchant, member, {
            amount: 500 + wave * WAVE + n,
            isLookedAt: n % 5 === 0,
            ...(n % 3 === 0 && WITHDRAWAL),
          }),
        ),
      );
      // Some end without money: their references are theirs no longer.
      await Promise.all(
        Array.from({ length: 10 }, (_, n) => giveUp(merchant, 3_000 + wave * 10 + n)),
      );
      // Some that nobody takes: they wait, and are assigned when somebody comes.
      await setPresence(service, holder.memberId, false);
      await Promise.all(
        Array.from({ length: 5 }, (_, n) =>
          createOrder(merchant, { ...WITHDRAWAL, amount: 900 + n }),
        ),
      );
      await setPresence(service, holder.memberId, true);
    }
    await receiver.arrived(WAVES * WAVE);
    await service.close(); // sessions report what they have read when they end

    const { rows } = await pool.query<{ name: string; scans: number; each: number }>(
      `select name, scans::integer, round(read / scans, 1)::float8 as each from (
       select indexrelname as name, idx_scan as scans, idx_tup_read as read from pg_stat_user_indexes
       union all select relname, seq_scan, seq_tup_read from pg_stat_user_tables) s
     where scans > 0 order by each desc`,
    );
    expect(rows.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['orders_pkey', 'delivery_queue_ready']),
    );
    const version = await pool.query('show server_version_num');
    const inHand =
      IN_HAND_MAX[version.rows[0].server_version_num < 170_000 ? 'before17' : 'since17'];
    const most = (name: string) => (name === 'orders_in_hand' ? inHand : READ_MAX);
    expect(rows.filter(({ name, each }) => each > most(name))).toEqual([]);

    const checked = await startService({}, clone);
    await expectSound(checked);
    await checked.close();
    await receiver.close();
    await clone.drop();
  },
);

// ---- Lists and counts over very many orders

/** Orders of two weeks, one a minute, and their deliveries. */
const MANY = 20_000;
const NOW = Date.parse('2026-06-01T12:00:00Z');
const HOUR_MS = 3_600_000;
const PAGE = 51;
/** Before it lies the first day of the orders. */
const OLDEST = NOW - (MANY - 24 * 60) * 60_000;
const [LARGE, SMALL] = [randomUUID(), randomUUID()];
const iso = (at: number) => new Date(at).toISOString();
/** As `firstIdOf` makes the first id of an instant. */
const idAt = (at: number) => {
  const hex = at.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
};

interface Asked {
  readonly text: string;
  readonly values: unknown[];
}

const ORDER_COLUMNS = `merchant_id, order_id, order_reference, api_key_id, idempotency_key, order_type,
  wallet_type, currency, amount, rate, settlement_amount, float_amount, txn_ref_digits_required,
  max_retry_count, page_origin, created_status, status, member_id, account_id, created_at, sent_at,
  completed_at, expires_at`;
/** The n-th order was created n minutes before now. */
const AT = `to_timestamp(${NOW / 1000} - n * 60)`;

/** Deposits of two merchants on 50 accounts, nearly all of the same amount. */
const DEPOSITS = `insert into orders (${ORDER_COLUMNS}, transaction_digits, payer_account, merchant_order_ref)
  select case when n % 500 = 0 then $2 else $3 end::uuid,
    overlay(gen_random_uuid()::text placing
      overlay(lpad(to_hex((extract(epoch from ${AT}) * 1000)::bigint), 12, '0') placing '-' from 9 for 0)
      from 1 for 13)::uuid,
    $4::text || n, gen_random_uuid(), $4 || n, 'Deposit', 'ProviderA', 'PKR',
    case when n % 20 = 0 then n else 1000 end, 1, 1000, 1000, 4, 3, '', 'Awaiting', $4,
    account, account, ${AT}, ${AT}, case $4 when 'Completed' then ${AT} end, ${AT}, lpad((n % 10000)::text, 4, '0'),
    'payer ' || n % 1000, 'reference ' || n
  from generate_series(1, $1::integer) n
  cross join lateral (
    select ('00000000-0000-0000-0000-' || lpad((n % 50)::text, 12, '0'))::uuid as account
  ) accounts`;

interface Open {
  readonly count: number;
  readonly type: 'Deposit' | 'Withdrawal';
  readonly status: string;
  readonly isHeld?: boolean;
  readonly isSent?: boolean;
  readonly account?: string;
  /** Nothing is due without it. */
  readonly dueAt?: number;
}

const LATER = NOW + HOUR_MS / 3;
/** Many that nobody has to look at, and the few of each queue. */
const OPEN: readonly Open[] = [
  { count: MANY / 4, type: 'Deposit', status: 'Queued', isHeld: true, dueAt: LATER },
  { count: MANY / 4, type: 'Withdrawal', status: 'Awaiting', dueAt: LATER },
  { count: 30, type: 'Deposit', status: 'ManualReview', isHeld: true, isSent: true },
  { count: 20, type: 'Withdrawal', status: 'ManualReview', isHeld: true, account: '0300' },
  { count: 25, type: 'Deposit', status: 'Awaiting', dueAt: LATER },
  {
    ...{ count: 15, type: 'Deposit', status: 'AwaitingMemberConfirmation' },
    ...{ isHeld: true, isSent: true, dueAt: NOW },
  },
];

async function insertOpen(client: pg.PoolClient, open: Open): Promise<void> {
  const holder = open.isHeld ? 'gen_random_uuid(), gen_random_uuid()' : 'null, null';
  await client.query(
    `insert into orders (${ORDER_COLUMNS}, customer_account_number, due_at)
     select gen_random_uuid(), gen_random_uuid(), gen_random_uuid()::text, gen_random_uuid(),
       gen_random_uuid()::text, $2, 'ProviderA', 'PKR', 100, 1, 100, 100, 4, 3, '', 'Awaiting', $3,
       ${holder}, ${AT}, $4, null, $5, $6, $7
     from generate_series(1, $1::integer) n`,
    [
      open.count,
      open.type,
      open.status,
      open.isSent ? iso(NOW) : null,
      iso(NOW),
      open.account ?? null,
      open.dueAt === undefined ? null : iso(open.dueAt),
    ],
  );
}

/** A delivery of each completed order: some abandoned, some with a second attempt. */
const DELIVERED = [
  `insert into deliveries (merchant_id, delivery_id, order_id, api_key_id, event_type, url, body,
     created_at, recorded_at, abandoned)
   select merchant_id, order_id, order_id, api_key_id, 'order.completed',
     'https://shop.example/hook', ''::bytea, created_at, created_at, order_reference like '%777'
   from orders
   where status = 'Completed'`,
  `insert into delivery_attempts (merchant_id, delivery_id, number, started_at, duration_ms,
     succeeded, response_status)
   select merchant_id, delivery_id, 1, created_at, 80, not abandoned,
     case when abandoned then 503 else 200 end
   from deliveries`,
  `insert into delivery_attempts (merchant_id, delivery_id, number, started_at, duration_ms,
     succeeded, response_status)
   select d.merchant_id, delivery_id, 2, d.created_at, 80, false, 500
   from deliveries d
   join orders using (order_id)
   where order_reference like '%3'`,
];

describe('among very many orders', () => {
  let clone: Clone;
  let client: pg.PoolClient;
  beforeAll(async () => {
    clone = await cloneDatabase();
    client = await clone.database.pool.connect();
    await client.query('set enable_seqscan = off');
    await client.query(DEPOSITS, [MANY, SMALL, LARGE, 'Completed']);
    await client.query(DEPOSITS, [MANY / 40, SMALL, LARGE, 'Queued']);
    for (const statement of DELIVERED) await client.query(statement);
    await client.query('vacuum analyze');
  });
  afterAll(async () => {
    client.release(true);
    await clone.drop();
  });
  const textOf = (name: string) => statements.get(name) as string;
  /** What a list asks of the database. */
  async function askedBy(list: (db: Queryable) => Promise<unknown>): Promise<Asked> {
    const asked: Asked[] = [];
    const query = async (config: Asked) => {
      asked.push(config);
      return { rows: [] };
    };
    await list({ query } as unknown as Queryable);
    return asked[0] as Asked;
  }

  test('orders like one are found among those of its time', async () => {
    const middle = NOW - (MANY / 2) * 60_000;
    const read = await ordersRead(client, textOf('similar-orders'), [
      randomUUID(),
      ['0007', '10007'],
      iso(middle - 24 * HOUR_MS),
      iso(middle + 24 * HOUR_MS),
      '00000000-0000-0000-0000-000000000007',
      '1000',
      'payer 7',
      idAt(middle - 2 * HOUR_MS),
      idAt(middle + 2 * HOUR_MS),
      'reference 7',
      randomUUID(),
      'PKR',
      Array.from({ length: 100 }, (_, n) => `${10_000_000 - n}e-4`),
      'TX7',
      '00000000-0000-0000-0000-000000000007',
    ]);
    // The orders of 4 hours, and what has the digits, the payer, the reference and the transaction.
    expect(read).toBeLessThan(400);
    expect(read).toBeGreaterThan(0);
  });

  test('what a member did of late is read of the newest 200', async () => {
    // Each of these members has ended 400.
    const members = [7, 8].map((n) => `00000000-0000-0000-0000-${String(n).padStart(12, '0')}`);
    const values = [members, iso(NOW - 24 * HOUR_MS)];
    expect(await ordersRead(client, textOf('members-of-late'), values)).toBe(400);
  });

  test.each<readonly [name: string, filters: DeliveryFilters, after: string | null]>([
    ['the first page', {}, null],
    ['of the large merchant', { merchantId: LARGE }, null],
    ['of the small one', { merchantId: SMALL }, null],
    ['abandoned', { status: 'abandoned' }, null],
    ['pending, of which there are none', { status: 'pending' }, null],
    ['delivered', { status: 'delivered' }, null],
    ['answered 503', { responseStatus: 503 }, null],
    ['answered 500, as many were', { responseStatus: 500 }, null],
    ['of the oldest day', { to: OLDEST }, null],
    ['of the oldest day, answered 500', { to: OLDEST, responseStatus: 500 }, null],
    ['a late page of those answered 500', { responseStatus: 500 }, idAt(OLDEST)],
  ])('a list of deliveries reads a page: %s', async (_name, filters, after) => {
    const { text, values } = await askedBy((db) =>
      listAllDeliveries(db, filters, { after, limit: PAGE }),
    );
    // Each is read once to be found and once to be shown.
    expect(await rowsRead(client, 'deliveries', text, values)).toBeLessThanOrEqual(4 * PAGE);
  });

  test.each([
    ['the large merchant', LARGE, 'force_custom_plan'],
    ['the small one', SMALL, 'force_custom_plan'],
    ['the large merchant, by a kept plan', LARGE, 'force_generic_plan'],
    ['the small one, by a kept plan', SMALL, 'force_generic_plan'],
  ])('the feed of %s reads what is behind its place', async (_name, merchantId, mode) => {
    const key = { apiKeyHash: hash('sha256', `${merchantId} ${mode}`), keyId: randomUUID() };
    await client.query(
      `insert into merchants (merchant_id, name, status, deposit_methods, withdrawal_methods, currencies, ip_whitelist, created_at)
       values ($1, 'Shop', 'active', '{}', '{}', '{}', '{}', now())
       on conflict do nothing`,
      [merchantId],
    );
    await client.query(
      `insert into api_keys (merchant_id, key_id, key_hash, prefix, created_at)
       values ($1, $2, decode($3, 'hex'), 'prefix', now())`,
      [merchantId, key.keyId, key.apiKeyHash],
    );
    await client.query('analyze api_keys');
    const middle = NOW - (MANY / 2) * 60_000;
    const { text, values } = await askedBy((db) =>
      readOutcomes(db, {
        apiKeyHash: key.apiKeyHash,
        ...{ from: middle * 1_000, to: NOW * 1_000, after: FIRST_ID, limit: PAGE },
      }),
    );
    await client.query(`set plan_cache_mode = ${mode}`);
    const read = await rowsRead(client, 'deliveries', text, values);
    await client.query('reset plan_cache_mode');
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThanOrEqual(2 * PAGE);
  });

  test('a merchant’s search by a reference reads none of the orders that others gave the same one', async () => {
    await client.query(
      `update orders set merchant_order_ref = 'shared'
       where status = 'Completed' and order_reference like '%0'`,
    );
    await client.query('vacuum analyze orders');
    const { rows } = await client.query(
      `select count(*) from orders where merchant_id = $1 and merchant_order_ref = 'shared'`,
      [SMALL],
    );
    const what = readOrderSearch('shared', { now: NOW, zones: UTC });
    const search = { what, by: ORDER_SEARCH_KINDS, newestFrom: idAt(NOW) };
    const page = { after: null, limit: PAGE };
    const { text, values } = await askedBy((db) =>
      listOrders(db, { merchantId: SMALL, search }, page),
    );
    const read = await ordersRead(client, text, values);
    expect(read).toBeGreaterThan(Number(rows[0].count));
    expect(read).toBeLessThan(400);
  });

  test.each<readonly [text: string, most: number]>([
    ['ence 7777', 400],
    ['7777', 1_000],
    ['nobody has this', 400],
    ['NO-SUCH-REF', 400],
  ])('a search for %j looks through the newest alone', async (text, most) => {
    const { rows } = await client.query(
      'select order_id from orders order by order_id desc offset 100 limit 1',
    );
    const search = {
      what: readOrderSearch(text, { now: NOW, zones: UTC }),
      by: ORDER_SEARCH_KINDS,
      newestFrom: rows[0].order_id,
    };
    for (const filters of [{ search }, { merchantId: LARGE, search }]) {
      const page = { after: null, limit: PAGE };
      const asked = await askedBy((db) => listOrders(db, filters, page));
      expect(await ordersRead(client, asked.text, asked.values)).toBeLessThan(most);
    }
  });

  test('a webhook is found by its order and URL without going through the others', async () => {
    const found = { deliveryId: null, orderIds: [idAt(NOW)], url: 'hook', urlsFrom: idAt(NOW) };
    const { text, values } = await askedBy((db) =>
      listAllDeliveries(db, {}, { after: null, limit: PAGE }, found),
    );
    expect(await rowsRead(client, 'deliveries', text, values)).toBeLessThanOrEqual(4 * PAGE);
  });

  // Last: more open orders change the plans of the lists above.
  test('queues read what is in them', async () => {
    for (const open of OPEN) await insertOpen(client, open);
    await client.query('vacuum analyze');
    expect(await ordersRead(client, textOf('count-queues'), [iso(NOW)])).toBeLessThan(400);
    const first = [-1, '1970-01-01T00:00:00Z', '00000000-0000-0000-0000-000000000000', PAGE];
    const lists = [...statements].filter(([name]) => name.startsWith('list-queue-'));
    expect(lists.length).toBeGreaterThan(0);
    for (const [name, text] of lists)
      expect(await ordersRead(client, text, [iso(NOW), ...first, 'env-1']), name).toBeLessThan(100);
  });
});

// ---- The checker

/**
 * The checker reads whole tables. One that looks each row of a table up in another, or merges two
 * by their merchants alone, takes minutes.
 */
const FEW = { merchants: 3, members: 3, orders: 20 };
const MANY_OF_ALL = { merchants: 200, members: 1_000, orders: 10_000 };
const NEVER_ANALYSED = `delete from pg_statistic; update pg_class set relpages = 0, reltuples = -1 where relnamespace = 'public'::regnamespace`;
const ANALYSED_WHILE_EMPTY = `delete from pg_statistic; update pg_class set relpages = 0, reltuples = 0 where relnamespace = 'public'::regnamespace`;
const VACUUMED_ALONE = 'delete from pg_statistic';

/** The tables that grow with use. */
const TABLES = [
  'orders',
  'order_moves',
  'signature_replays',
  'postings',
  'deliveries',
  'delivery_attempts',
  'delivery_queue',
];

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Parent Relationship'?: string;
  readonly Plans?: readonly PlanNode[];
}
const nodesOf = (node: PlanNode): readonly PlanNode[] => [
  node,
  ...(node.Plans ?? []).flatMap(nodesOf),
];

async function fill(
  { database }: Clone,
  { merchants, members, orders }: typeof FEW,
): Promise<void> {
  await seedMerchants(database, merchants);
  await seedMembers(database, members);
  await prefillOrders(database, orders);
  await database.pool.query(DELIVERIES);
}

interface State {
  readonly rows: string;
  readonly size: typeof FEW;
  /** What is known of the tables, one after the other. */
  readonly known: readonly (readonly [what: string, preparation: string])[];
}
const STATES: readonly State[] = [
  {
    rows: 'few rows',
    size: FEW,
    known: [
      ['never analysed', NEVER_ANALYSED],
      ['analysed while there were none', ANALYSED_WHILE_EMPTY],
      ['analysed', 'analyze'],
    ],
  },
  {
    rows: 'many rows',
    size: MANY_OF_ALL,
    known: [
      ['vacuumed but not analysed', VACUUMED_ALONE],
      ['analysed', 'analyze'],
    ],
  },
];

/** Which check joins tables otherwise than by hashing, and why. */
const LOOPS: Readonly<Record<string, string>> = {
  'W5 Nested Loop': 'looks the attempts of each delivery up by its id',
  'W5 SubPlan': 'looks the newer deliveries of an order up by its id',
};

/**
 * Joins of the checker that go through one table for each row of another, or for each of its
 * merchants.
 */
async function slowJoins(client: pg.ClientBase): Promise<readonly string[]> {
  const found: string[] = [];
  for (const invariant of INVARIANTS) {
    const rows = await explainGenerically(client, queryOf(invariant), 'json');
    for (const { 'Node Type': type, Plans: sides = [] } of nodesOf(rows[0]['QUERY PLAN'][0].Plan)) {
      const tables = sides.filter((side) =>
        nodesOf(side).some((part) => TABLES.includes(part['Relation Name'] ?? '')),
      );
      if (tables.length > 1 && ['Nested Loop', 'Merge Join'].includes(type))
        found.push(`${invariant.id} ${type}`);
      // A question about each row of what it stands in.
      if (tables.some((side) => side['Parent Relationship'] === 'SubPlan'))
        found.push(`${invariant.id} SubPlan`);
    }
  }
  return found.filter((each) => LOOPS[each] === undefined);
}

/** A webhook for each settled order. */
const DELIVERIES = `insert into deliveries (merchant_id, delivery_id, order_id, api_key_id, event_type, url, body, created_at)
  select merchant_id, gen_random_uuid(), order_id, api_key_id, 'order.completed', 'https://merchant.example/', '{}', now() from orders where status = 'Completed'`;

describe.each(STATES)('$rows', ({ size, known }) => {
  let clone: Clone;
  let client: pg.PoolClient;
  beforeAll(async () => {
    clone = await cloneDatabase();
    await fill(clone, size);
    client = await clone.database.pool.connect();
    for (const setting of WHOLE_TABLES) await client.query(`set ${setting}`);
  });
  afterAll(async () => {
    client.release(true);
    await clone.drop();
  });

  test.each(known)('%s: the checker joins its tables by hashing', async (_state, preparation) => {
    await clone.database.pool.query(preparation);
    expect(await slowJoins(client)).toEqual([]);
  });
});
