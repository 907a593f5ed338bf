import type { Instant, Order } from '@munshi/core';
import type pg from 'pg';
import type { Queryable } from './db.ts';
import { orderColumns, readOrder } from './order-row.ts';
import { type Row, time } from './rows.ts';

/** A place in the list of deliveries. */
export interface ReplayPosition {
  readonly merchantId: string;
  readonly deliveryId: string;
}

interface ReplayRange {
  readonly since: Instant;
  /** Deliveries that were made later are left out: the replay's own are among them. */
  readonly before: Instant;
  /** Null: of every merchant. */
  readonly merchantId: string | null;
}

/**
 * The least UUIDv7 of a time: ids of deliveries sort by it, so that the primary key finds those
 * since then.
 */
const leastId = (at: Instant) => {
  const hex = Math.max(0, at).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
};

const NIL = '00000000-0000-0000-0000-000000000000';

/** Deliveries that were made in a stretch of time, with their orders, from a position on. */
export async function listDeliveriesSince(
  db: Queryable,
  { since, before, merchantId }: ReplayRange,
  after: ReplayPosition | undefined,
  limit: number,
): Promise<readonly (ReplayPosition & { readonly orderId: string })[]> {
  const text = `select m.merchant_id, d.delivery_id, d.order_id from merchants m
    cross join lateral (
      select delivery_id, order_id from deliveries
      where merchant_id = m.merchant_id and delivery_id >= $3 and created_at >= $4 and created_at < $5
        and (m.merchant_id > $1 or delivery_id > $2) order by delivery_id limit $7) d
    where m.merchant_id >= $1 and ($6::uuid is null or m.merchant_id = $6)
    order by m.merchant_id, d.delivery_id limit $7`;
  const values = [
    after?.merchantId ?? NIL,
    after?.deliveryId ?? NIL,
    leastId(since),
    time(since),
    time(before),
    merchantId,
    limit,
  ];
  const { rows } = await db.query({ text, values });
  return rows.map((row: Row) => ({
    merchantId: row['merchant_id'],
    deliveryId: row['delivery_id'],
    orderId: row['order_id'],
  }));
}

/** Orders, locked in id order: nothing new happens to them before the transaction ends. */
export async function lockOrders(
  client: pg.PoolClient,
  orderIds: readonly string[],
): Promise<readonly Order[]> {
  const text = `select ${orderColumns('o')} from orders o where o.order_id = any($1::uuid[]) order by o.order_id for update`;
  const { rows } = await client.query({ text, values: [orderIds] });
  return rows.map(readOrder);
}
