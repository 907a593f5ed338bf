import {
  type Currency,
  formatMoney,
  type Instant,
  type Money,
  type OrderSearch,
  type OrderSearchKind,
  type OrderType,
  STATUSES,
  type Stage,
  type Status,
  usesCapacity,
  type WalletType,
} from '@munshi/core';
import { ENDED_OR_LEGACY, statusList } from '../engine/rows/order-statuses.ts';

/** What the selects that find orders are made of, and which index each part is for. */

/**
 * Which orders; undefined asks nothing. Values of one filter are alternatives, filters are all
 * held.
 */
export interface OrderFilters {
  readonly status?: readonly Status[] | undefined;
  readonly stage?: readonly Stage[] | undefined;
  readonly orderType?: OrderType | undefined;
  readonly walletType?: readonly WalletType[] | undefined;
  readonly currency?: readonly Currency[] | undefined;
  readonly merchantId?: string | undefined;
  /** Who holds the order, or held it last. */
  readonly memberId?: string | undefined;
  /** Created at this time or later. */
  readonly from?: Instant | undefined;
  /** Created before this time. */
  readonly to?: Instant | undefined;
  /** In the order's currency, both included. */
  readonly amountFrom?: Money | undefined;
  readonly amountTo?: Money | undefined;
  /** Open orders whose deadline is at this time or later. */
  readonly dueFrom?: Instant | undefined;
  /** Open orders whose deadline is before this time. */
  readonly dueTo?: Instant | undefined;
  /** Whether the customer says that they paid late. */
  readonly hasLateClaim?: boolean | undefined;
  /** Whether a webhook of it has failed and is retried or abandoned. */
  readonly hasFailingWebhook?: boolean | undefined;
  readonly search?: TextSearch | undefined;
}

/** A text that is looked for, and how. */
export interface TextSearch {
  readonly what: OrderSearch;
  /** What the asker may search by. */
  readonly by: readonly OrderSearchKind[];
  /** The first of the newest orders, where some kinds are looked for; undefined: all are. */
  readonly newestFrom?: string | undefined;
}

/** Adds a parameter to the statement and answers its place in the text. */
export type Given = (value: unknown) => string;

/**
 * One of the selects that together find the orders, each by an index of its own: the newest orders
 * under these conditions, for each row of a source of their values where there is one.
 */
export interface Search {
  readonly where: readonly string[];
  readonly each?: string;
  /** In place of the table. */
  readonly from?: string;
  readonly order?: string;
  /**
   * Its conditions bound the ids, or say the kind. They are not said twice: planned by those, it
   * would go through all orders from the newest on.
   */
  readonly says?: readonly ('ids' | 'kind')[];
}

/** What every search of a list is held to, as SQL. */
export interface Asked {
  readonly filters: OrderFilters;
  readonly given: Given;
  /** The first id, and the one behind the last. */
  readonly first: string;
  readonly last: string;
}

/** Found by the index on their deadline: what is open, but for what an operator has in review. */
export const hasDeadline = (status: Status) => usesCapacity(status) && status !== 'ManualReview';

/**
 * Open orders are few, and are looked through whole: `offset 0` keeps the planner from going
 * through all orders instead, from the newest on.
 */
export const WITH_DEADLINE = `(
      select *
      from orders
      where due_at is not null and status in ${statusList(STATUSES.filter(hasDeadline))}
      offset 0
    )`;
export const OPEN_ORDERS = `(
      select *
      from orders
      where due_at is not null and status in ${statusList(STATUSES.filter(hasDeadline))}
      union all
      select *
      from orders
      where status = 'ManualReview'
      offset 0
    )`;

/**
 * The newest of each key are next to each other in an index that begins with it. The first column
 * is one of a list of one and stands in the order, so that no other index can serve: with `=`
 * Postgres would go back from the newest order on, through all of them however few have the key.
 * The others are equal: compared as one row, Postgres 15 to 17 read on to the end of the index
 * where a key has no order (decision 28).
 */
export function inOrderOf(
  columns: readonly [string, ...string[]],
  keys: readonly [string, ...string[]],
  { first, last }: Asked,
): Search {
  const [column, ...others] = columns;
  const [key, ...otherKeys] = keys;
  return {
    says: ['ids'],
    where: [
      `${column} = any(array[${key}])`,
      ...others.map((other, at) => `${other} = ${otherKeys[at]}`),
      `o.order_id >= ${first}`,
      `o.order_id < ${last}`,
    ],
    order: `${column} desc, o.order_id desc`,
  };
}

/** Ended orders by a key of theirs (migration 0006). */
export function endedBy(
  column: string,
  each: string,
  asked: Asked,
  conditions: readonly string[] = [],
): Search {
  const ordered = inOrderOf([column], ['k.key'], asked);
  return {
    ...ordered,
    each,
    where: [`o.status in ${ENDED_OR_LEGACY}`, ...conditions, ...ordered.where],
  };
}

export const keysOf = (values: readonly string[], type: string, given: Given) =>
  `unnest(${given(values)}::${type}[]) as k (key)`;

export const searchForAmount = (amount: Money, asked: Asked): Search =>
  endedBy('o.amount', keysOf([formatMoney(amount)], 'numeric', asked.given), asked);
