import type { Instant } from '@munshi/core';
import {
  assignedFrom,
  columns,
  insertion,
  type RecordOf,
  t,
} from '../platform/database/columns.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { time } from '../platform/database/rows.ts';
import { query, readsOne, statement, writes } from '../platform/database/statement.ts';

const HELD = { operatorId: t.text, operatorName: t.text, claimedUntil: t.instant };
const CLAIM_COLUMNS = { orderId: t.uuid, ...HELD };
const ORDER_CLAIM = columns('', CLAIM_COLUMNS);
/** That an operator works on an order, until when. */
export type OrderClaim = RecordOf<typeof ORDER_CLAIM>;

const NEW = insertion('order_claims as c', CLAIM_COLUMNS);

/** Claims an order, or renews the claim; undefined while another operator has it. */
export const claimOrder = readsOne(
  'claim-order',
  `${NEW.into}
   on conflict (order_id) do update
   set ${assignedFrom('excluded', HELD)}
   where c.operator_id = excluded.operator_id or c.claimed_until <= $5
   returning ${ORDER_CLAIM.list}`,
  ORDER_CLAIM,
  (claim: OrderClaim, now: Instant) => [...NEW.valuesOf(claim), time(now)],
);

/** Ends an operator's own claim, if there is one. */
export const unclaimOrder = writes(
  'unclaim-order',
  `delete from order_claims
   where order_id = $1 and operator_id = $2`,
  ({ orderId, operatorId }: Pick<OrderClaim, 'orderId' | 'operatorId'>) => [orderId, operatorId],
);

const OF_ORDERS = statement(
  'claims-of-orders',
  `select ${ORDER_CLAIM.list}
   from order_claims
   where order_id = any($1::uuid[]) and claimed_until > $2`,
  ORDER_CLAIM,
);

/** Who works on these orders now, by the order's id. */
export async function readOrderClaims(
  db: Queryable,
  orderIds: readonly string[],
  now: Instant,
): Promise<ReadonlyMap<string, OrderClaim>> {
  const rows = await query(db, OF_ORDERS, [orderIds, time(now)]);
  return new Map(rows.map((claim) => [claim.orderId, claim]));
}

/** Forgets claims that have ended; answers how many. */
export const deleteOrderClaimsEndedBy = writes(
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
  (at: Instant, limit: number) => [time(at), limit],
);
