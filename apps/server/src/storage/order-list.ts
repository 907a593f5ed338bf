import { type Instant, isFinal, type Order, type OrderType, STATUS, STATUSES, type Stage, type Status, type WalletType } from '@munshi/core';
import type { Queryable } from './db.ts';
import { partOfOrder } from './order-row.ts';
import { time } from './rows.ts';

const LIST_PROPERTIES = [
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

/** Which orders; undefined asks nothing. Values of one filter are alternatives, filters are all held. */
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
const quoted = (statuses: readonly Status[]) => statuses.map((status) => `'${status}'`).join(', ');

/** The statuses of the indexes orders_in_hand and orders_of_member, written as there so that they are used. */
const IN_HAND = quoted(['Queued', 'AwaitingCustomerPayment', 'AwaitingMemberConfirmation', 'AwaitingMemberPayout', 'ManualReview']);
const HISTORY = quoted(['Completed', 'Rejected', 'Expired', 'CancelledTimeout', 'Cancelled', 'CancelledAuto', 'Assigned', 'Frozen', 'Confirmed']);

/** Takes a statement's parameter and answers its place in the text. */
type Given = (value: unknown) => string;

/**
 * Orders, the newest first, older than `after`. Order ids sort by creation (D55): that is the keyset, and a time of creation
 * is a bound of it. An id can run ahead of its order's time within a crowded millisecond, so the upper bound has a margin and
 * the time itself decides.
 */
export async function listOrders(
  db: Queryable,
  filters: OrderFilters,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<readonly ListedOrder[]> {
  const values: unknown[] = [];
  const given: Given = (value) => `$${values.push(value)}`;
  const conditions = [...conditionsOf(filters, given), ...(after === null ? [] : [`o.order_id < ${given(after)}`])];
  const most = given(limit);
  // Each way to find them gives its newest, and the newest of all are shown: only those are joined.
  const ways = filters.memberId === undefined ? [[]] : waysToMember(given(filters.memberId));
  const pages = ways.map((way) => `(select o.* from orders o ${whereAll([...way, ...conditions])} order by o.order_id desc limit ${most})`);
  const text = `select ${part.list}, b.name as merchant_name, m.name as member_name
    from (select * from (${pages.join(' union all ')}) as found order by order_id desc limit ${most}) o
    join merchants b on b.merchant_id = o.merchant_id left join members m on m.member_id = o.member_id
    order by o.order_id desc`;
  const { rows } = await db.query({ text, values });
  return rows.map((row) => ({ ...part.read(row), merchantName: row.merchant_name, memberName: row.member_name }));
}

const whereAll = (conditions: readonly string[]) => (conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`);

const UPPER_MARGIN_MS = 60_000;

function conditionsOf({ status, stage, orderType, walletType, merchantId, from, to, search }: OrderFilters, given: Given): string[] {
  const conditions: string[] = [];
  if (status !== undefined) conditions.push(statusCondition(status));
  if (stage !== undefined) conditions.push(stageCondition(stage));
  if (orderType !== undefined) conditions.push(`o.order_type = ${given(orderType)}`);
  if (walletType !== undefined) conditions.push(`o.wallet_type = any(${given(walletType)}::text[])`);
  if (merchantId !== undefined) conditions.push(`o.merchant_id = ${given(merchantId)}`);
  if (from !== undefined) conditions.push(`o.created_at >= ${given(time(from))}`, `o.order_id >= ${given(firstIdOf(from))}::uuid`);
  if (to !== undefined) conditions.push(`o.created_at < ${given(time(to))}`, `o.order_id < ${given(firstIdOf(to + UPPER_MARGIN_MS))}::uuid`);
  if (search !== undefined) conditions.push(searchCondition(search, given));
  return conditions;
}

/** Open orders have a deadline, except in review and in the legacy statuses: the few of them are found by the index on it. */
const hasDeadline = (status: Status) => status !== 'ManualReview' && !isFinal(status) && !('legacy' in STATUS[status]);

/** Statuses are written out, so that partial indexes can be used; the schema has checked them. */
function statusCondition(statuses: readonly Status[]): string {
  const open = statuses.filter(hasDeadline);
  const others = statuses.filter((status) => !hasDeadline(status));
  const alternatives = [
    ...(open.length === 0 ? [] : [`(o.due_at is not null and o.status in (${quoted(open)}))`]),
    ...(others.length === 0 ? [] : [`o.status in (${quoted(others)})`]),
  ];
  return alternatives.length === 0 ? 'false' : `(${alternatives.join(' or ')})`;
}

/** Stage is derived from status and, in manual review, from what the customer did (D40). */
function stageCondition(stages: readonly Stage[]): string {
  const statuses = STATUSES.filter((status) => stages.some((stage) => STATUS[status].stage === stage));
  const alternatives = [statusCondition(statuses)];
  const paid = `(o.order_type = 'Deposit' and o.sent_at is not null)`;
  if (stages.includes('Sent')) alternatives.push(`(o.status = 'ManualReview' and ${paid})`);
  if (stages.includes('Assigned')) alternatives.push(`(o.status = 'ManualReview' and not ${paid})`);
  return `(${alternatives.join(' or ')})`;
}

/** What the member has in hand is found by their accounts, the rest by their history: one index each, no order twice. */
const waysToMember = (memberId: string): readonly (readonly string[])[] => [
  [`o.member_id = ${memberId}`, `o.account_id = any(array(select account_id from member_accounts where member_id = ${memberId}))`, `o.status in (${IN_HAND})`],
  [`o.member_id = ${memberId}`, `o.status in (${HISTORY})`],
];

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
  return `o.order_id in (${found.join(' union all ')})`;
}

/** The first UUIDv7 of a millisecond. */
function firstIdOf(at: Instant): string {
  const hex = Math.min(Math.max(at, 0), 0xffff_ffff_ffff).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
