import {
  type Concluded,
  type Instant,
  type Order,
  RETENTION_KINDS,
  type RetentionKind,
} from '@munshi/core';
import type pg from 'pg';
import { ofOrder } from '../engine/rows/order-row.ts';
import {
  answers,
  columns,
  from,
  only,
  orNull,
  parameters,
  type RecordOf,
  t,
} from '../platform/database/columns.ts';
import { FIRST_ID } from '../platform/database/first-id.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { time } from '../platform/database/rows.ts';
import {
  execute,
  query,
  queryOne,
  readsAll,
  readsRow,
  statement,
  writes,
} from '../platform/database/statement.ts';

/**
 * What is removed of orders that are over (decision 20). Each kind goes through its table by id,
 * once; what it passes over is left for later. All of this runs as the role of retention, which
 * alone may.
 */

/** Sign-ins belong to no order. */
export type OrderKind = Exclude<RetentionKind, 'sessions'>;

const CONSIDERED = answers({ id: t.uuid, orderId: t.uuid });
/** What a kind goes through, with the order that it is of. */
export type Considered = RecordOf<typeof CONSIDERED>;

const nextOf = (kind: string, table: string, id: string) =>
  readsAll(
    `retention-next-${kind}`,
    `select ${id} as id, order_id
     from ${table}
     where ${id} > $1 and ${id} < $2
     order by ${id}
     limit $3`,
    CONSIDERED,
    parameters({ after: t.uuid, until: t.uuid, limit: t.integer }),
  );

const NEXT_ORDERS = nextOf('orders', 'orders', 'order_id');
const NEXT_DELIVERIES = nextOf('deliveries', 'deliveries', 'delivery_id');
/** What comes behind an id and before another one. */
export const READ_NEXT: Readonly<Record<OrderKind, ReturnType<typeof nextOf>>> = {
  history: NEXT_ORDERS,
  attempts: NEXT_DELIVERIES,
  bodies: NEXT_DELIVERIES,
  'late-claims': nextOf('claims', 'late_claims', 'claim_id'),
  'personal-data': NEXT_ORDERS,
};

const leftOf = (kind: string, table: string, id: string) =>
  readsAll(
    `retention-left-${kind}`,
    `select l.id, t.order_id
     from retention_left l
     join ${table} t on t.${id} = l.id
     where l.kind = $1 and l.id > $2
     order by l.id
     limit $3`,
    CONSIDERED,
    (kind: OrderKind, { after, limit }: { readonly after: string; readonly limit: number }) => [
      kind,
      after,
      limit,
    ],
  );

const LEFT_ORDERS = leftOf('orders', 'orders', 'order_id');
const LEFT_DELIVERIES = leftOf('deliveries', 'deliveries', 'delivery_id');
/** What was passed over, behind an id. */
export const READ_LEFT: Readonly<Record<OrderKind, ReturnType<typeof leftOf>>> = {
  history: LEFT_ORDERS,
  attempts: LEFT_DELIVERIES,
  bodies: LEFT_DELIVERIES,
  'late-claims': leftOf('claims', 'late_claims', 'claim_id'),
  'personal-data': LEFT_ORDERS,
};

const PASS_OVER = statement(
  'retention-pass-over',
  `insert into retention_left (kind, id)
   select $1, unnest($2::uuid[])
   on conflict do nothing`,
);

export async function passOver(
  db: Queryable,
  kind: OrderKind,
  ids: readonly string[],
): Promise<void> {
  if (ids.length > 0) await execute(db, PASS_OVER, [kind, ids]);
}

const TAKE_UP = statement(
  'retention-take-up',
  `delete from retention_left
   where kind = $1 and id = any($2::uuid[])`,
);

export async function takeUp(
  db: Queryable,
  kind: OrderKind,
  ids: readonly string[],
): Promise<void> {
  if (ids.length > 0) await execute(db, TAKE_UP, [kind, ids]);
}

const THROUGH = statement(
  'retention-through',
  `select through
   from retention_days
   where kind = $1 and day <= ($2::timestamptz at time zone 'UTC')::date
   order by day desc
   limit 1`,
  answers({ through: t.uuid }),
);

/**
 * How far a kind has come: behind every id that it has considered. What a clock that was ahead has
 * written is left out: it would be the latest until that date, and each slice the same one.
 */
export async function readThrough(
  db: Queryable,
  kind: RetentionKind,
  now: Instant,
): Promise<string> {
  return (await query(db, THROUGH, [kind, time(now)]))[0]?.through ?? FIRST_ID;
}

/** Writes down what was removed, how far that came, and whether it was all. */
export const noteRemoved = writes(
  'retention-note',
  `insert into retention_days as d (kind, day, through, removed, finished_at)
   values ($1, ($2::timestamptz at time zone 'UTC')::date, $3, $4, $5)
   on conflict (kind, day) do update
   set through = greatest(d.through, excluded.through),
     removed = d.removed + excluded.removed,
     finished_at = coalesce(excluded.finished_at, d.finished_at)`,
  (
    kind: RetentionKind,
    {
      now,
      through,
      removed,
      finished,
    }: {
      readonly now: Instant;
      readonly through: string;
      readonly removed: number;
      readonly finished: boolean;
    },
  ) => [kind, time(now), through, removed, finished ? time(now) : null],
);

const LOCK_DELIVERIES = statement(
  'retention-lock-deliveries',
  `select delivery_id
   from deliveries
   where delivery_id = any($1::uuid[])
   order by delivery_id
   for no key update skip locked`,
  answers({ deliveryId: t.uuid }),
);

/**
 * Locks deliveries: nobody has them sent again before the transaction ends, and what is read from
 * now on shows whether somebody has. Answers those that nobody else holds.
 */
export async function lockDeliveries(
  client: pg.PoolClient,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await query(client, LOCK_DELIVERIES, [ids]);
  return new Set(rows.map(({ deliveryId }) => deliveryId));
}

const CONCLUDED = columns('o', {
  ...ofOrder([
    'orderId',
    'status',
    'createdAt',
    'awaitingAt',
    'assignedAt',
    'holderSince',
    'sentAt',
    'completedAt',
    'failedAt',
  ]),
  hasOpenClaim: from(
    `exists (
       select
       from late_claims c
       where c.order_id = o.order_id and c.status = 'open'
     )`,
    t.boolean,
  ),
  hasDeliveryDue: from(
    `exists (
       select
       from delivery_queue q
       where q.order_id = o.order_id
     )`,
    t.boolean,
  ),
});

const ORDERS = statement(
  'retention-orders',
  `select ${CONCLUDED.list}
   from orders o
   where o.order_id = any($1::uuid[])`,
  CONCLUDED,
);

/** What decides about orders, each by its id. */
export async function readConcluded(
  db: Queryable,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, Concluded>> {
  const orders = await query(db, ORDERS, [orderIds]);
  return new Map(orders.map((order) => [order.orderId, order]));
}

const ANNOUNCE = statement('retention-announce', `select set_config('munshi.removes', $1, true)`);

const DELETE_MOVES = statement(
  'retention-moves',
  `delete from order_moves
   where order_id = any($1::uuid[]) and at < $2`,
);
const DELETE_NOTES = statement(
  'retention-notes',
  `delete from order_notes
   where order_id = any($1::uuid[])`,
);
const DELETE_ALERTS = statement(
  'retention-alerts',
  `delete from order_alerts
   where order_id = any($1::uuid[])`,
);

/**
 * Deletes the steps, notes and alerts of orders that were over by `before`; answers how many rows.
 * The orders are not locked: a step of one that is confirmed meanwhile is later, and stays.
 */
export async function deleteHistories(
  client: pg.PoolClient,
  orderIds: readonly string[],
  before: Instant,
): Promise<number> {
  await query(client, ANNOUNCE, ['order_moves']);
  let removed = await execute(client, DELETE_MOVES, [orderIds, time(before)]);
  for (const sql of [DELETE_NOTES, DELETE_ALERTS])
    removed += await execute(client, sql, [orderIds]);
  return removed;
}

/**
 * Deletes the attempts of locked deliveries, which keep their number and how they ended. Answers
 * how many.
 */
export const deleteAttempts = readsRow(
  'retention-attempts',
  `with removed as (
     delete from delivery_attempts
     where delivery_id = any($1::uuid[])
     returning delivery_id, succeeded
   ), counted as (
     select delivery_id, count(*) as attempts, bool_or(succeeded) as acknowledged
     from removed
     group by delivery_id
   ), kept as (
     update deliveries d
     set attempts_removed = d.attempts_removed + c.attempts,
       was_acknowledged = d.was_acknowledged or c.acknowledged
     from counted c
     where d.delivery_id = c.delivery_id and d.delivery_id = any($1::uuid[])
     returning c.attempts
   )
   select coalesce(sum(attempts), 0)::integer as attempts
   from kept`,
  only('attempts', t.integer),
  (deliveryIds: readonly string[]) => [deliveryIds],
);

/** Deletes the bodies of locked deliveries. */
export const deleteBodies = writes(
  'retention-bodies',
  `update deliveries
   set body = null,
     body_removed_at = $2
   where delivery_id = any($1::uuid[]) and body is not null`,
  (deliveryIds: readonly string[], now: Instant) => [deliveryIds, time(now)],
);

export const deleteClaims = writes(
  'retention-claims',
  `delete from late_claims
   where claim_id = any($1::uuid[]) and status = 'closed'`,
  (claimIds: readonly string[]) => [claimIds],
);

/** Deletes sign-ins and script tokens that ended before, at most `limit`. */
export const deleteSessionsEndedBefore = writes(
  'retention-sessions',
  `delete from sessions
   where token_hash in (
     select token_hash
     from sessions
     where expires_at < $1
     limit $2
   )`,
  (before: Instant, limit: number) => [time(before), limit],
);

const PERSONAL = columns(
  'o',
  ofOrder([
    'orderId',
    'customerAccountNumber',
    'customerAccountName',
    'payerAccount',
    'termsDigest',
  ]),
);
export type PersonalOrder = RecordOf<typeof PERSONAL>;

/** Those of these orders whose personal data is not masked, locked in id order. */
export const lockPersonalData = readsAll(
  'retention-personal',
  `select ${PERSONAL.list}
   from orders o
   where o.order_id = any($1::uuid[])
     and o.masked_at is null
     and coalesce(o.customer_account_number, o.customer_account_name, o.payer_account) is not null
   order by o.order_id
   for no key update`,
  PERSONAL,
  (orderIds: readonly string[]) => [orderIds],
);

const MASK = statement(
  'retention-mask',
  `update orders o
   set customer_account_number = m.customer_account_number,
     customer_account_name = m.customer_account_name,
     payer_account = m.payer_account,
     terms_digest = decode(m.terms_digest, 'hex'),
     masked_at = $6
   from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[]) as m (
       order_id, customer_account_number, customer_account_name, payer_account, terms_digest
     )
   where o.order_id = m.order_id and o.order_id = any($1::uuid[])`,
);

const MASK_CLAIMS = statement(
  'retention-mask-claims',
  `update late_claims c
   set payer_account = m.payer_account
   from unnest($1::uuid[], $2::text[]) as m (order_id, payer_account)
   where c.order_id = m.order_id
     and c.order_id = any($1::uuid[])
     and c.payer_account is not null
     and m.payer_account is not null`,
);

/** Replaces personal data by what is given, in late claims of the orders too. */
export async function replacePersonalData(
  db: Queryable,
  orders: readonly PersonalOrder[],
  now: Instant,
): Promise<number> {
  const orderIds = orders.map(({ orderId }) => orderId);
  const payers = orders.map(({ payerAccount }) => payerAccount);
  await execute(db, MASK_CLAIMS, [orderIds, payers]);
  return execute(db, MASK, [
    orderIds,
    orders.map(({ customerAccountNumber }) => customerAccountNumber),
    orders.map(({ customerAccountName }) => customerAccountName),
    payers,
    orders.map(({ termsDigest }) => termsDigest),
    time(now),
  ]);
}

const REMOVED_OF_ORDER = answers({
  stepsRemovedAt: orNull(t.instant),
  maskedAt: orNull(t.instant),
});
/** What is gone of an order, and since when; null: it is all there. */
export type RemovedOfOrder = RecordOf<typeof REMOVED_OF_ORDER>;

const REMOVED = statement(
  'removed-of-order',
  `select o.masked_at,
     (
       select d.day::timestamp at time zone 'UTC'
       from retention_days d
       where d.kind = 'history'
         and d.through >= o.order_id
         and o.moves > 0
         and not exists (
           select
           from order_moves m
           where m.order_id = o.order_id and m.number = 1
         )
       order by d.day
       limit 1
     ) as steps_removed_at
   from orders o
   where o.order_id = $1`,
  REMOVED_OF_ORDER,
);

/** The day by which the steps were removed is exact but for orders that were passed over first. */
export async function readRemoved(
  db: Queryable,
  orderId: Order['orderId'],
): Promise<RemovedOfOrder> {
  return (await queryOne(db, REMOVED, [orderId])) ?? { stepsRemovedAt: null, maskedAt: null };
}

/** When a round of each kind last came to its end, by a clock that was not ahead. */
export const readRounds = readsAll(
  'rounds-of-retention',
  `select k.kind, d.finished_at
   from unnest($1::text[]) as k (kind)
   cross join lateral (
     select finished_at
     from retention_days d
     where d.kind = k.kind and finished_at <= $2
     order by day desc
     limit 1
   ) d`,
  answers({ kind: t.oneOf<RetentionKind>(), finishedAt: t.instant }),
  (now: Instant) => [RETENTION_KINDS, time(now)],
);
