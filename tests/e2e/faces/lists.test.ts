import {
  ORDER_SEARCH_KINDS,
  ORDER_TYPES,
  readOrderSearch,
  STATUSES,
  type Stage,
  UTC,
  WALLET_TYPES,
} from '@munshi/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findClosedOrders } from '../../../apps/server/src/members/history.store.ts';
import { listClosedOrders } from '../../../apps/server/src/members/orders.store.ts';
import { readMembersOfLate } from '../../../apps/server/src/members/records.store.ts';
import { listMovements } from '../../../apps/server/src/members/standing.store.ts';
import { findFirstOfNewest, listOrders } from '../../../apps/server/src/orders/list.store.ts';
import type { OrderFilters } from '../../../apps/server/src/orders/search-selects.store.ts';
import type { Queryable } from '../../../apps/server/src/platform/database/queryable.ts';
import { listAudit } from '../../../apps/server/src/writes/audit-log.store.ts';
import { prefillOrders } from '../../../bench/prefill.ts';
import { seedMembers, seedMerchants } from '../../../bench/seed.ts';
import { cloneDatabase } from '../../support/database.ts';

/**
 * Completed and expired orders of one method, of a hundred merchants, and some of every other
 * status.
 */
const ORDERS = 20_000;
const LIMIT = 20;
/** Orders: a page of each status, method and type that there is, and a few more. */
const READ_MAX = 15 * LIMIT;
/** A row is a page of its index, one of its table and some of what is shown beside it. */
const PAGES_MAX = 4 * READ_MAX;

const STAGES: readonly Stage[] = [
  'Awaiting',
  'Assigned',
  'Sent',
  'Approved',
  'Rejected',
  'Completed',
  'Failed',
];

let clone: Awaited<ReturnType<typeof cloneDatabase>>;
beforeAll(async () => {
  clone = await cloneDatabase();
  await seedMerchants(clone.database, 100);
  await seedMembers(clone.database, 10);
  await prefillOrders(clone.database, ORDERS);
  await becomeRare(clone.database.pool);
});
afterAll(() => clone.drop());

/** A few of the newest and the oldest become what else an order can be. */
async function becomeRare(db: Queryable): Promise<void> {
  await db.query(
    `update orders o set status = s.status,
       completed_at = case when s.status = 'Confirmed' then o.created_at end,
       failed_at = case when s.status in ('Rejected', 'CancelledTimeout', 'Cancelled', 'CancelledAuto') then o.created_at end,
       sent_at = case when s.n % 2 = 0 then o.created_at end,
       wallet_type = case when s.n % 5 = 0 then 'TillID' else o.wallet_type end,
       due_at = case when s.status in ('Awaiting', 'Queued', 'AwaitingCustomerPayment', 'AwaitingMemberConfirmation', 'AwaitingMemberPayout') then now() end
     from (select order_id, n, (array['Awaiting', 'Queued', 'AwaitingCustomerPayment', 'AwaitingMemberConfirmation', 'AwaitingMemberPayout', 'ManualReview',
         'Rejected', 'CancelledTimeout', 'Cancelled', 'CancelledAuto', 'Assigned', 'Frozen', 'Confirmed'])[1 + n % 13] as status
       from (select order_id, row_number() over (order by order_id) as n from orders) numbered where n < 130 or n > $1::integer - 130) s
     where o.order_id = s.order_id`,
    [ORDERS],
  );
  await db.query(
    `with numbered as (select order_id, merchant_id, row_number() over (order by order_id) as n from orders),
     foreigners as (update orders o set currency = 'BDT' from numbered n where n.order_id = o.order_id and n.n % 997 = 1),
     paid as (update orders o set member_transaction_reference = 'TX-' || n.n, payer_account = case when order_type = 'Deposit' then '0345-' || n.n end
       from numbered n where n.order_id = o.order_id and n.n % 10 = 2),
     claimed as (insert into late_claims (merchant_id, order_id, number, claim_id, transaction_digits, claimed_at)
       select merchant_id, order_id, 1, gen_random_uuid(), lpad((n % 10000)::text, 6, '7'), now() from numbered where n % 499 = 3),
     given_up as (insert into deliveries (merchant_id, delivery_id, order_id, api_key_id, event_type, url, body, created_at, abandoned)
       select merchant_id, gen_random_uuid(), order_id, gen_random_uuid(), 'order.failed', 'https://shop.example/', '', now(), true from numbered where n % 797 = 4)
     insert into delivery_queue (order_id, merchant_id, delivery_id, host, next_attempt_at, attempts)
       select order_id, merchant_id, gen_random_uuid(), 'shop.example', now(), 1 from numbered where n % 799 = 5`,
  );
  await db.query('vacuum analyze orders, member_accounts, late_claims, deliveries, delivery_queue');
}

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

const nodesOf = (node: PlanNode): readonly PlanNode[] => [
  node,
  ...(node.Plans ?? []).flatMap(nodesOf),
];

/** How many rows of a table a plan reads. */
const readBy = (node: PlanNode, table: string): number =>
  (node['Relation Name'] === table
    ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
    : 0) + (node.Plans ?? []).reduce((sum, plan) => sum + readBy(plan, table), 0);

/** The plan of a list, undefined where it asks nothing. */
async function planOf(list: (db: Queryable) => Promise<unknown>): Promise<PlanNode | undefined> {
  let plan: PlanNode | undefined;
  const explaining = {
    async query({ text, values }: { text: string; values: unknown[] }) {
      const { rows } = await clone.database.pool.query(
        `explain (analyze, buffers, format json) ${text}`,
        values,
      );
      plan = rows[0]['QUERY PLAN'][0].Plan;
      return { rows: [] };
    },
  };
  await list(explaining as unknown as Queryable);
  return plan;
}

/** How many rows of a table a list reads to find its own. */
async function rowsRead(table: string, list: (db: Queryable) => Promise<unknown>): Promise<number> {
  const plan = await planOf(list);
  return plan === undefined ? 0 : readBy(plan, table);
}

/** What is searched for, and what it finds. */
const SEARCHES: readonly (readonly [text: string, condition: string])[] = [
  ['00002A', `order_reference like '%-00002A'`],
  ['CUSTOMER-77', `customer_reference like '%customer-77%'`],
  ['fill-1234', `merchant_order_ref like '%fill-1234%'`],
  ['0300 0055-433', `customer_account_number = '03000055433'`],
  ['TX 10002', `member_transaction_reference = 'TX-10002'`],
  ['0345-42', `payer_account = '0345-42'`],
  [
    '7919',
    `transaction_digits = '7919' or amount = 7919 or merchant_order_ref like '%7919' or customer_reference = 'customer-7919'
       or coalesce(customer_account_number, payer_account) like '%7919'`,
  ],

  [
    '770499',
    `transaction_digits = '770499' or order_id in (select order_id from late_claims where transaction_digits = '770499')`,
  ],
  ['2,500', 'amount = 2500'],
  ['PKR 777', 'amount = 777'],
];

const FILTERS: readonly (readonly [name: string, filters: OrderFilters, condition: string])[] = [
  ['none', {}, 'true'],
  ...STATUSES.map(
    (status) => [`status ${status}`, { status: [status] }, `status = '${status}'`] as const,
  ),
  ...STAGES.map((stage) => [`stage ${stage}`, { stage: [stage] }, stageIs(stage)] as const),
  ...WALLET_TYPES.map(
    (walletType) =>
      [
        `method ${walletType}`,
        { walletType: [walletType] },
        `wallet_type = '${walletType}'`,
      ] as const,
  ),
  ...ORDER_TYPES.map(
    (orderType) => [`type ${orderType}`, { orderType }, `order_type = '${orderType}'`] as const,
  ),
  [
    'two stages of a method',
    { stage: ['Failed', 'Sent'], walletType: ['TillID'] },
    `(${stageIs('Failed')} or ${stageIs('Sent')}) and wallet_type = 'TillID'`,
  ],
  [
    'withdrawals in review',
    { status: ['ManualReview'], orderType: 'Withdrawal' },
    `status = 'ManualReview' and order_type = 'Withdrawal'`,
  ],
  ['a rare currency', { currency: ['BDT'] }, `currency = 'BDT'`],
  ['an amount', { amountFrom: 7_770_000n, amountTo: 7_770_000n }, 'amount = 777'],
  ['amounts', { amountFrom: 7_770_000n, amountTo: 7_790_000n }, 'amount between 777 and 779'],
  ['a deadline', { dueTo: Date.now() + 60_000 }, 'due_at is not null'],
  ['late claims', { hasLateClaim: true }, `order_id in (select order_id from late_claims)`],
  [
    'failing webhooks',
    { hasFailingWebhook: true },
    `order_id in (select order_id from delivery_queue where attempts > 0 union all select order_id from deliveries where abandoned)`,
  ],
  ...SEARCHES.map(
    ([text, condition]) =>
      [
        `search of ${text}`,
        {
          search: {
            what: readOrderSearch(text, { now: Date.now(), zones: UTC }),
            by: ORDER_SEARCH_KINDS,
          },
        },
        condition,
      ] as const,
  ),
];

function stageIs(stage: Stage): string {
  const statuses = {
    Awaiting: ['Awaiting'],
    Assigned: ['Queued', 'AwaitingCustomerPayment', 'AwaitingMemberPayout', 'Assigned', 'Frozen'],
    Sent: ['AwaitingMemberConfirmation'],
    Approved: [],
    Rejected: [],
    Completed: ['Completed', 'Confirmed'],
    Failed: ['Rejected', 'Expired', 'CancelledTimeout', 'Cancelled', 'CancelledAuto'],
  }[stage];
  const paid = `order_type = 'Deposit' and sent_at is not null`;
  const inReview = {
    Sent: ` or status = 'ManualReview' and ${paid}`,
    Assigned: ` or status = 'ManualReview' and not (${paid})`,
  };
  return `(status = any('{${statuses.join()}}')${stage === 'Sent' || stage === 'Assigned' ? inReview[stage] : ''})`;
}

/** With parts looked for in as many orders as a page has. */
async function withPartsOfAPage(filters: OrderFilters): Promise<OrderFilters> {
  const first = await findFirstOfNewest(clone.database.pool, filters, LIMIT);
  return filters.search === undefined
    ? filters
    : { ...filters, search: { ...filters.search, newestFrom: first?.orderId } };
}

describe.each(FILTERS)('a list by %s', (_name, filters, condition) => {
  test('shows the newest of them, and page after page all the others', async () => {
    const { rows } = await clone.database.pool.query<{ id: string }>(
      `select order_id as id from orders where ${condition} order by order_id desc limit 100`,
    );
    const shown: string[] = [];
    for (let page = await next(); page.length > 0 && shown.length < 100; page = await next())
      shown.push(...page);
    expect(shown).toEqual(rows.map(({ id }) => id));

    async function next() {
      const orders = await listOrders(clone.database.pool, filters, {
        after: shown.at(-1) ?? null,
        limit: LIMIT,
      });
      return orders.map(({ orderId }) => orderId);
    }
  });

  test('reads little more than it shows, however many there are of others', async () => {
    const asked = await withPartsOfAPage(filters);
    expect(
      await rowsRead('orders', (db) => listOrders(db, asked, { after: null, limit: LIMIT })),
    ).toBeLessThanOrEqual(READ_MAX);
  });

  // What a scan of an index passes over is no row of any plan, but it is pages.
  test('goes to its place in each index, on each version of Postgres', async () => {
    const asked = await withPartsOfAPage(filters);
    const plan = await planOf((db) => listOrders(db, asked, { after: null, limit: LIMIT }));
    const scans = plan === undefined ? [] : nodesOf(plan);
    const compared = scans.filter((scan) => scan['Index Cond']?.includes('ROW('));
    expect(compared.map((scan) => scan['Index Name'])).toEqual([]);
    const pages = plan === undefined ? 0 : plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
    expect(pages).toBeLessThanOrEqual(PAGES_MAX);
  });
});

test.each(['actor', 'actorId', 'action', 'target', 'address'] as const)(
  'the audit log by %s reads what it shows, however many entries there are of others',
  async (filter) => {
    await clone.database.pool.query(
      `insert into audit_log (audit_id, actor_kind, actor_id, address, action, target, detail, at)
     select gen_random_uuid(), 'operator', v, v, v, v, '{}', now() from (select case when n % 1000 = 0 then $1 else 'others' end as v
       from generate_series(1, 10000) as n) given`,
      [filter],
    );
    await clone.database.pool.query('vacuum analyze audit_log');
    const question = {
      actor: null,
      actorId: null,
      action: null,
      target: null,
      address: null,
      from: null,
      to: null,
      [filter]: filter,
      after: null,
      limit: LIMIT,
    };
    expect(await listAudit(clone.database.pool, question)).toHaveLength(10);
    expect(await rowsRead('audit_log', (db) => listAudit(db, question))).toBe(10);
  },
);

describe('of a member whose orders are long over, while those of the others go on', () => {
  let left: string;
  beforeAll(async () => {
    const { pool } = clone.database;
    const { rows } = await pool.query(
      'select member_id, account_id from member_accounts order by member_id limit 2',
    );
    left = rows[0].member_id;
    await pool.query(
      `update orders set member_id = $2, account_id = $3
       where member_id = $1 and order_id > (select order_id from orders order by order_id offset $4::integer limit 1)`,
      [left, rows[1].member_id, rows[1].account_id, ORDERS / 4],
    );
    await pool.query('vacuum analyze orders');
  });
  const page = () => ({ memberId: left, after: null, limit: LIMIT });
  const anything = { from: null, to: null, accountId: null, search: null };

  test.each<[what: string, most: number, (db: Queryable) => Promise<unknown>]>([
    ['how they did of late', 200, (db) => readMembersOfLate(db, [left], 0)],
    ['what they ended', 3 * LIMIT, (db) => listClosedOrders(db, page())],
    ['what they look for', 3 * LIMIT, (db) => findClosedOrders(db, page(), anything)],
    ['what moved their float', 2 * LIMIT, (db) => listMovements(db, left, page())],
    [
      'the list of operators',
      2 * LIMIT,
      (db) => listOrders(db, { memberId: left }, { after: null, limit: LIMIT }),
    ],
  ])('%s is found without going through these', async (_what, most, list) => {
    const read = await rowsRead('orders', list);
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThanOrEqual(most);
  });
});
