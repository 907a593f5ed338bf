import type { Instant } from '@munshi/core';
import type { Queryable } from '../db.ts';
import { type Row, time } from '../rows.ts';
import { execute, query, statement } from '../statement.ts';

/** That an operator works on an order, until when. */
export interface OrderClaim {
  readonly orderId: string;
  readonly operatorId: string;
  readonly operatorName: string;
  readonly claimedUntil: Instant;
}

const COLUMNS = 'order_id, operator_id, operator_name, claimed_until';

const readClaim = (row: Row): OrderClaim => ({
  orderId: row['order_id'],
  operatorId: row['operator_id'],
  operatorName: row['operator_name'],
  claimedUntil: row['claimed_until'],
});

const CLAIM = statement(
  'claim-order',
  `insert into order_claims as c (${COLUMNS})
   values ($1, $2, $3, $4)
   on conflict (order_id) do update
   set operator_id = excluded.operator_id,
     operator_name = excluded.operator_name,
     claimed_until = excluded.claimed_until
   where c.operator_id = excluded.operator_id or c.claimed_until <= $5
   returning ${COLUMNS}`,
);

/** Claims an order, or renews the claim; undefined while somebody else has it. */
export async function claimOrder(
  db: Queryable,
  { orderId, operatorId, operatorName, claimedUntil }: OrderClaim,
  now: Instant,
): Promise<OrderClaim | undefined> {
  const values = [orderId, operatorId, operatorName, time(claimedUntil), time(now)];
  const [row] = await query(db, CLAIM, values);
  return row && readClaim(row);
}

const UNCLAIM = statement(
  'unclaim-order',
  `delete from order_claims
   where order_id = $1 and operator_id = $2`,
);

/** Ends an operator's own claim, if there is one. */
export async function unclaimOrder(
  db: Queryable,
  { orderId, operatorId }: Pick<OrderClaim, 'orderId' | 'operatorId'>,
): Promise<void> {
  await execute(db, UNCLAIM, [orderId, operatorId]);
}

const OF_ORDERS = statement(
  'claims-of-orders',
  `select ${COLUMNS}
   from order_claims
   where order_id = any($1::uuid[]) and claimed_until > $2`,
);

/** Who works on these orders now, by the order's id. */
export async function readOrderClaims(
  db: Queryable,
  orderIds: readonly string[],
  now: Instant,
): Promise<ReadonlyMap<string, OrderClaim>> {
  const rows = await query(db, OF_ORDERS, [orderIds, time(now)]);
  return new Map(rows.map((row) => [row['order_id'], readClaim(row)]));
}

const DELETE_ENDED = statement(
  'delete-ended-order-claims',
  `delete from order_claims
   where order_id in (
     select order_id
     from order_claims
     where claimed_until <= $1
     order by claimed_until
     limit $2
   )
     and claimed_until <= $1`,
);

/** Forgets claims that have ended; answers how many. */
export function deleteOrderClaimsEndedBy(
  db: Queryable,
  at: Instant,
  limit: number,
): Promise<number> {
  return execute(db, DELETE_ENDED, [time(at), limit]);
}
