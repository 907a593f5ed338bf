import {
  type Instant,
  ORDER_TYPES,
  type Order,
  type OrderType,
  STATUS,
  STATUSES,
  type Stage,
  type Status,
  usesCapacity,
  WALLET_TYPES,
  type WalletType,
} from '@munshi/core';
import type { Queryable } from './db.ts';
import { partOfOrder } from './order-row.ts';
import { ENDED_OR_LEGACY, IN_HAND, statusList } from './order-statuses.ts';
import { time } from './rows.ts';
import type { Page } from './statement.ts';

export const LIST_PROPERTIES = [
  'orderId',
  'orderReference',
  'merchantId',
  'orderType',
  'walletType',
  'currency',
  'amount',
  'fee',
  'status',
  'merchantOrderRef',
  'customerReference',
  'memberId',
  'createdAt',
  'assignedAt',
  'sentAt',
  'completedAt',
  'failedAt',
  'cancelledAt',
  'expiresAt',
  'dueAt',
  'failureReason',
] as const satisfies readonly (keyof Order)[];

/** What a list shows of an order. */
export type OrderSummary = Pick<Order, (typeof LIST_PROPERTIES)[number]>;
export interface ListedOrder extends OrderSummary {
  readonly merchantName: string;
  readonly memberName: string | null;
}

/**
 * Which orders; undefined asks nothing. Values of one filter are alternatives, filters are all
 * held.
 */
export interface OrderFilters {
  readonly status?: readonly Status[] | undefined;
  readonly stage?: readonly Stage[] | undefined;
  readonly orderType?: OrderType | undefined;
  readonly walletType?: readonly WalletType[] | undefined;
  readonly merchantId?: string | undefined;
  /** Who holds the order, or held it last. */
  readonly memberId?: string | undefined;
  /** Created at this time or later. */
  readonly from?: Instant | undefined;
  /** Created before this time. */
  readonly to?: Instant | undefined;
  /** A whole order id, order reference, merchant's reference or customer's reference. */
  readonly search?: string | undefined;
}

const part = partOfOrder('o', LIST_PROPERTIES);

/** Adds a parameter to the statement and answers its place in the text. */
type Given = (value: unknown) => string;

/**
 * One of the selects that together find the orders, each by an index of its own: the newest orders
 * under these conditions, for each row of a source of their values where there is one.
 */
interface Search {
  readonly where: readonly string[];
  readonly each?: string;
  readonly order?: string;
}

/**
 * Orders, the newest first, older than `after`. Each search gives its newest, and the newest of all
 * are shown: only those are joined.
 */
export async function listOrders(
  db: Queryable,
  filters: OrderFilters,
  { after, limit }: Page,
): Promise<readonly ListedOrder[]> {
  const values: unknown[] = [];
  const given: Given = (value) => `$${values.push(value)}`;
  const searches = searchesFor(filters, idsOf(filters, after), given);
  if (searches.length === 0) return [];
  const others = otherConditions(filters, given);
  const most = given(limit);
  const found = searches.map(({ each, where, order = 'o.order_id desc' }) => {
    const newest = `
      select o.*
      from orders o
      where ${[...where, ...others].join('\n        and ')}
      order by ${order}
      limit ${most}`;
    return each === undefined
      ? `(${newest}\n)`
      : `select o.* from ${each} cross join lateral (${newest}\n) o`;
  });
  const text = `
    select ${part.list},
      b.name as merchant_name, m.name as member_name
    from (
      select *
      from (
        ${found.join('\nunion all\n')}
      ) as found
      order by order_id desc
      limit ${most}
    ) o
    join merchants b on b.merchant_id = o.merchant_id
    left join members m on m.member_id = o.member_id
    order by o.order_id desc`;
  const { rows } = await db.query({ text, values });
  return rows.map((row) => ({
    ...part.read(row),
    merchantName: row.merchant_name,
    memberName: row.member_name,
  }));
}

/** Ids from the first on, before the last. */
interface Ids {
  readonly first: string;
  readonly last: string;
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const UPPER_MARGIN_MS = 60_000;

/**
 * Order ids sort by creation (D55), so that a time of creation is a bound of them. An id can be
 * ahead of its order's time within a crowded millisecond: the upper bound has a margin, and the
 * time itself decides.
 */
function idsOf({ from, to }: OrderFilters, after: string | null): Ids {
  const beforeTime = to === undefined ? LAST_ID : firstIdOf(to + UPPER_MARGIN_MS);
  return {
    first: from === undefined ? FIRST_ID : firstIdOf(from),
    last: after === null || after > beforeTime ? beforeTime : after,
  };
}

/** The first UUIDv7 of a millisecond. */
export function firstIdOf(at: Instant): string {
  const hex = Math.min(Math.max(at, 0), 0xffff_ffff_ffff).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/**
 * No two searches find the same order. Few orders have what is looked for by its text, and a
 * merchant's orders of a kind are looked for among the merchant's.
 */
function searchesFor(filters: OrderFilters, ids: Ids, given: Given): readonly Search[] {
  const { memberId, merchantId, search, status, stage, orderType, walletType } = filters;
  const within = () => [
    `o.order_id >= ${given(ids.first)}::uuid`,
    `o.order_id < ${given(ids.last)}::uuid`,
    ...kindConditions(filters, given),
  ];
  if (memberId !== undefined) return searchesForMember(memberId, within(), given);
  const ofAKind = [status, stage, orderType, walletType].some((filter) => filter !== undefined);
  return ofAKind && merchantId === undefined && search === undefined
    ? searchesForKind(filters, ids, within, given)
    : [{ where: within() }];
}

/** What the member has in hand is found by their accounts, the rest by their history. */
function searchesForMember(
  memberId: string,
  within: readonly string[],
  given: Given,
): readonly Search[] {
  const member = given(memberId);
  const theirs = [`o.member_id = ${member}`, ...within];
  const theirAccounts = `o.account_id = any(array(
          select account_id from member_accounts where member_id = ${member}
        ))`;
  return [
    { where: [...theirs, theirAccounts, `o.status in ${IN_HAND}`] },
    { where: [...theirs, `o.status in ${ENDED_OR_LEGACY}`] },
  ];
}

/** Found by the index on their deadline: what is open, but for what an operator has in review. */
const hasDeadline = (status: Status) => usesCapacity(status) && status !== 'ManualReview';

/** Open orders, those in review, and the ended ones. */
function searchesForKind(
  filters: OrderFilters,
  ids: Ids,
  within: () => readonly string[],
  given: Given,
): readonly Search[] {
  const { status = STATUSES, stage } = filters;
  const asked = status.filter(
    (each) => stage === undefined || stage.some((one) => canBe(each, one)),
  );
  const open = asked.filter(hasDeadline);
  const ended = asked.filter((each) => !usesCapacity(each));
  const searches: Search[] = [];
  if (open.length > 0)
    searches.push({
      where: [...within(), 'o.due_at is not null', `o.status in ${statusList(open)}`],
    });
  if (asked.includes('ManualReview'))
    searches.push({ where: [...within(), `o.status = 'ManualReview'`] });
  if (ended.length > 0) searches.push(searchForEnded(ended, filters, ids, given));
  return searches;
}

/** Whether orders of a status can be of a stage. */
const canBe = (status: Status, stage: Stage): boolean => {
  const always = STATUS[status].stage;
  return always === undefined ? stage === 'Sent' || stage === 'Assigned' : always === stage;
};

/**
 * The newest of each status, method and type are next to each other in orders_ended: they are
 * compared as one row, in the order of that index, so that no other can serve. From the newest
 * order on, however few are of the kind, all would be read, and a plan that takes the kinds for
 * equally frequent does so.
 */
function searchForEnded(
  statuses: readonly Status[],
  { orderType, walletType = WALLET_TYPES }: OrderFilters,
  { first, last }: Ids,
  given: Given,
): Search {
  const unnested = (elements: readonly string[], alias: string) =>
    `unnest(${given(elements)}::text[]) as ${alias}`;
  const sources = [
    unnested(statuses, 's (status)'),
    unnested(walletType, 'w (wallet_type)'),
    unnested(orderType === undefined ? ORDER_TYPES : [orderType], 't (order_type)'),
  ];
  const place = '(o.status, o.wallet_type, o.order_type, o.order_id)';
  const bound = (id: string) => `(s.status, w.wallet_type, t.order_type, ${given(id)}::uuid)`;
  return {
    each: sources.join(' cross join '),
    where: [
      `o.status in ${ENDED_OR_LEGACY}`,
      `${place} >= ${bound(first)}`,
      `${place} < ${bound(last)}`,
    ],
    order: 'o.status desc, o.wallet_type desc, o.order_type desc, o.order_id desc',
  };
}

/** Which kinds of orders. */
function kindConditions(
  { status, stage, orderType, walletType }: OrderFilters,
  given: Given,
): string[] {
  const conditions: string[] = [];
  if (status !== undefined) conditions.push(statusCondition(status));
  if (stage !== undefined) conditions.push(stageCondition(stage));
  if (orderType !== undefined) conditions.push(`o.order_type = ${given(orderType)}`);
  if (walletType !== undefined)
    conditions.push(`o.wallet_type = any(${given(walletType)}::text[])`);
  return conditions;
}

/** Statuses are written out, so that partial indexes can be used; the schema has checked them. */
function statusCondition(statuses: readonly Status[]): string {
  const open = statuses.filter(hasDeadline);
  const others = statuses.filter((status) => !hasDeadline(status));
  const alternatives: string[] = [];
  if (open.length > 0)
    alternatives.push(`(o.due_at is not null and o.status in ${statusList(open)})`);
  if (others.length > 0) alternatives.push(`o.status in ${statusList(others)}`);
  return alternatives.length === 0 ? 'false' : `(${alternatives.join(' or ')})`;
}

/** Stage is derived from status and, in manual review, from what the customer did (D40). */
function stageCondition(stages: readonly Stage[]): string {
  const statuses = STATUSES.filter((status) =>
    stages.some((stage) => STATUS[status].stage === stage),
  );
  const alternatives = [statusCondition(statuses)];
  const paid = `(o.order_type = 'Deposit' and o.sent_at is not null)`;
  if (stages.includes('Sent')) alternatives.push(`(o.status = 'ManualReview' and ${paid})`);
  if (stages.includes('Assigned')) alternatives.push(`(o.status = 'ManualReview' and not ${paid})`);
  return `(${alternatives.join(' or ')})`;
}

/** Whose, from when, and which single ones. */
function otherConditions({ merchantId, from, to, search }: OrderFilters, given: Given): string[] {
  const conditions: string[] = [];
  if (merchantId !== undefined) conditions.push(`o.merchant_id = ${given(merchantId)}`);
  if (from !== undefined) conditions.push(`o.created_at >= ${given(time(from))}`);
  if (to !== undefined) conditions.push(`o.created_at < ${given(time(to))}`);
  if (search !== undefined) conditions.push(searchCondition(search, given));
  return conditions;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whole values only: each is one probe of an index. */
function searchCondition(search: string, given: Given): string {
  const asked = given(search);
  const found = [
    `select order_id from orders where order_reference = upper(${asked})`,
    `select order_id from orders where live_reference = ${asked}`,
    `select order_id from orders where merchant_order_ref = ${asked} and live_reference is null`,
    `select order_id from orders where customer_reference = ${asked}`,
  ];
  if (UUID.test(search)) found.push(`select ${given(search)}::uuid`);
  return `o.order_id in (
          ${found.join('\n          union all\n          ')}
        )`;
}
