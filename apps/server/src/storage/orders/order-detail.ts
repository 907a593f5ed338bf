import {
  type ActiveOrSuspended,
  type Actor,
  feeRuleFor,
  type Instant,
  type MemberAccount,
  type Money,
  money,
  type NoteKind,
  type Order,
  type Status,
  type Trigger,
} from '@munshi/core';
import type pg from 'pg';
import { type Database, inSnapshot, type Queryable } from '../db.ts';
import { type RemovedOfOrder, readRemoved } from '../maintenance/retention.ts';
import { type MemberOfLate, readMemberOfLate } from '../members/member-records.ts';
import { listAlertsOfOrder, type OrderAlert } from '../members/order-alerts.ts';
import { findRulesAt } from '../merchants/fee-rules.ts';
import { nameOfOperator } from '../people/operator-names.ts';
import { type Row, readAccount, type TimedFeeRule } from '../rows.ts';
import { query, statement } from '../statement.ts';
import { type DeliveryRecord, listDeliveries } from '../webhooks/deliveries.ts';
import { type EvidenceOfOrder, listEvidenceOfOrder } from './evidence.ts';
import { type LateClaim, listLateClaimsOfOrder } from './late-claims.ts';
import { orderColumns, readOrder } from './order-row.ts';
import { findSimilarOrders, likenessOf, type SimilarOrder } from './similar-orders.ts';

/** Who did something, with the name they have now. */
export interface NamedActor {
  readonly kind: Actor['kind'];
  readonly id: string | null;
  readonly name: string | null;
  /** Of an operator: from where. */
  readonly address: string | null;
}

export interface MoveRecord {
  readonly kind: 'moved';
  readonly at: Instant;
  readonly from: Status;
  readonly to: Status;
  readonly trigger: Trigger;
  readonly actor: NamedActor;
  readonly memberId: string | null;
  readonly memberName: string | null;
  readonly note: string | null;
  /** What an operator wrote for operators. */
  readonly internalNote: string | null;
}

export interface NoteRecord {
  readonly kind: 'note';
  readonly at: Instant;
  readonly actor: NamedActor;
  readonly about: NoteKind;
  readonly amount: Money | null;
  readonly note: string;
}

export interface OrderPosting {
  readonly postingId: string;
  readonly kind: 'settlement';
  readonly memberId: string | null;
  readonly wallet: Money;
  readonly frozen: Money;
  readonly memberFloat: Money;
  readonly fees: Money;
  readonly adjustments: Money;
  readonly note: string | null;
  readonly postedAt: Instant;
}

export interface Holder {
  readonly memberId: string;
  readonly name: string;
  readonly username: string;
  readonly status: ActiveOrSuspended;
  readonly online: boolean;
  readonly openOrders: number;
  readonly maxOpenOrders: number;
  readonly floatBalance: Money;
  readonly floatHeld: Money;
  readonly account: MemberAccount | null;
  readonly record: Omit<MemberOfLate, 'completedSince'>;
}

export interface OrderDetail {
  readonly order: Order;
  readonly merchantName: string;
  readonly holder: Holder | null;
  readonly moves: readonly MoveRecord[];
  readonly notes: readonly NoteRecord[];
  readonly alerts: readonly OrderAlert[];
  readonly postings: readonly OrderPosting[];
  readonly deliveries: readonly DeliveryRecord[];
  readonly lateClaims: readonly LateClaim[];
  readonly evidence: readonly EvidenceOfOrder[];
  /** A newer live order that has taken this one's merchantOrderRef (decision 6). */
  readonly referenceTakenBy: Pick<Order, 'orderId' | 'orderReference'> | null;
  /** What its fee came from, by the rules of when it was accepted. */
  readonly feeRule: TimedFeeRule | null;
  readonly similar: readonly SimilarOrder[];
  /** What is kept no longer. */
  readonly removed: RemovedOfOrder;
}

/** Everything about an order, of one moment. */
export function readOrderDetail(
  database: Database,
  orderId: string,
): Promise<OrderDetail | undefined> {
  return inSnapshot(database.pool, async (client) => {
    const found = await findOrder(client, orderId);
    if (found === undefined) return undefined;
    const { order } = found;
    const lateClaims = await listLateClaimsOfOrder(client, order);
    const rules = order.fee === null ? [] : await findRulesAt(client, order, order.createdAt);
    return {
      ...found,
      holder: await findHolder(client, order),
      moves: await listMoves(client, order),
      notes: await listNotes(client, order),
      alerts: await listAlertsOfOrder(client, orderId),
      postings: await listPostings(client, order),
      deliveries: await listDeliveries(client, order),
      lateClaims,
      evidence: await listEvidenceOfOrder(client, orderId),
      referenceTakenBy: await findTakerOfReference(client, order),
      feeRule: feeRuleFor(order, rules) ?? null,
      similar: await findSimilarOrders(client, likenessOf(order, lateClaims)),
      removed: await readRemoved(client, orderId),
    };
  });
}

const FIND = statement(
  'find-order',
  `select ${orderColumns('o')},
     b.name as merchant_name
   from orders o
   join merchants b on b.merchant_id = o.merchant_id
   where o.order_id = $1`,
);

export async function findOrder(
  db: Queryable,
  orderId: string,
): Promise<{ readonly order: Order; readonly merchantName: string } | undefined> {
  const [row] = await query(db, FIND, [orderId]);
  return row && { order: readOrder(row), merchantName: row['merchant_name'] };
}

const MEMBERS = statement<{ readonly order_id: string; readonly member_id: string | null }>(
  'order-members',
  `select order_id, member_id
   from orders
   where order_id = any($1::uuid[])`,
);

/** Who holds these orders. */
export async function readOrderMembers(
  db: Queryable,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  const rows = orderIds.length === 0 ? [] : await query(db, MEMBERS, [orderIds]);
  return new Map(rows.map((row) => [row.order_id, row.member_id]));
}

const LOCK = statement(
  'lock-orders',
  `select ${orderColumns('o')}
   from orders o
   where o.order_id = any($1::uuid[])
   order by o.order_id
   for no key update`,
);

/** Orders, locked in id order: nothing new happens to them before the transaction ends. */
export async function lockOrders(
  client: pg.PoolClient,
  orderIds: readonly string[],
): Promise<readonly Order[]> {
  return (await query(client, LOCK, [orderIds])).map(readOrder);
}

const HOLDER = statement(
  'holder-of-order',
  `select m.name as member_name, m.username, m.status as member_status, m.online, m.open_orders,
     m.max_open_orders, m.float_balance, m.float_held, a.*
   from members m
   left join member_accounts a on a.account_id = $2
   where m.member_id = $1`,
);

async function findHolder(db: Queryable, { memberId, accountId }: Order): Promise<Holder | null> {
  if (memberId === null) return null;
  const [row] = await query(db, HOLDER, [memberId, accountId]);
  if (row === undefined) return null;
  return {
    memberId,
    name: row['member_name'],
    username: row['username'],
    status: row['member_status'],
    online: row['online'],
    openOrders: row['open_orders'],
    maxOpenOrders: row['max_open_orders'],
    floatBalance: money(row['float_balance']),
    floatHeld: money(row['float_held']),
    account: row['account_id'] === null ? null : readAccount(row),
    record: await readMemberOfLate(db, memberId),
  };
}

type Key = Pick<Order, 'merchantId' | 'orderId'>;

/**
 * The name of whoever is named by actor_kind and actor_id of the row `x`; of operators of the
 * environment, the audit log knows it.
 */
const ACTOR_NAME = `case x.actor_kind
       when 'member' then (select name from members where member_id = x.actor_id::uuid)
       when 'operator' then ${nameOfOperator('x.actor_id')}
     end`;

const readActor = (row: Row): NamedActor => ({
  kind: row['actor_kind'],
  id: row['actor_id'],
  name: row['actor_name'],
  address: row['address'] ?? null,
});

const MOVES = statement(
  'moves-of-order',
  `select x.from_status, x.to_status, x.trigger, x.actor_kind, x.actor_id,
     coalesce(
       ${ACTOR_NAME},
       l.actor_name
     ) as actor_name,
     l.address,
     nullif(
       concat_ws(E'\\n', l.detail ->> 'askedInternalNote', l.detail ->> 'internalNote'),
       ''
     ) as internal_note,
     x.member_id, m.name as member_name, x.note, x.at
   from order_moves x
   left join members m on m.member_id = x.member_id
   left join audit_log l on l.command_id = x.command_id and x.actor_kind = 'operator'
   where x.merchant_id = $1 and x.order_id = $2
   order by x.number
   limit 1000`,
);

async function listMoves(
  db: Queryable,
  { merchantId, orderId }: Key,
): Promise<readonly MoveRecord[]> {
  const rows = await query(db, MOVES, [merchantId, orderId]);
  return rows.map((row) => ({
    kind: 'moved',
    at: row['at'],
    from: row['from_status'],
    to: row['to_status'],
    trigger: row['trigger'],
    actor: readActor(row),
    memberId: row['member_id'],
    memberName: row['member_name'],
    note: row['note'],
    internalNote: row['internal_note'],
  }));
}

const NOTES = statement(
  'notes-of-order',
  `select x.actor_kind, x.actor_id,
     ${ACTOR_NAME} as actor_name,
     x.kind, x.amount, x.note, x.at
   from order_notes x
   where x.merchant_id = $1 and x.order_id = $2
   order by x.at, x.note_id
   limit 1000`,
);

async function listNotes(
  db: Queryable,
  { merchantId, orderId }: Key,
): Promise<readonly NoteRecord[]> {
  const rows = await query(db, NOTES, [merchantId, orderId]);
  return rows.map((row) => ({
    kind: 'note',
    at: row['at'],
    actor: readActor(row),
    about: row['kind'],
    amount: row['amount'] === null ? null : money(row['amount']),
    note: row['note'],
  }));
}

const POSTINGS = statement(
  'postings-of-order',
  `select posting_id, kind, member_id, wallet, frozen, member_float, fees, adjustments, note,
     posted_at
   from postings
   where merchant_id = $1 and order_id = $2
   order by posted_at, posting_id
   limit 100`,
);

async function listPostings(
  db: Queryable,
  { merchantId, orderId }: Key,
): Promise<readonly OrderPosting[]> {
  const rows = await query(db, POSTINGS, [merchantId, orderId]);
  return rows.map((row) => ({
    postingId: row['posting_id'],
    kind: row['kind'],
    memberId: row['member_id'],
    wallet: money(row['wallet']),
    frozen: money(row['frozen']),
    memberFloat: money(row['member_float']),
    fees: money(row['fees']),
    adjustments: money(row['adjustments']),
    note: row['note'],
    postedAt: row['posted_at'],
  }));
}

const TAKER = statement<{ readonly order_id: string; readonly order_reference: string }>(
  'taker-of-reference',
  `select order_id, order_reference
   from orders
   where merchant_id = $1 and live_reference = $2 and order_id <> $3`,
);

/** The live order that has this one's merchantOrderRef. */
export async function findTakerOfReference(
  db: Queryable,
  { merchantId, orderId, merchantOrderRef }: Order,
): Promise<OrderDetail['referenceTakenBy']> {
  if (merchantOrderRef === null) return null;
  const [row] = await query(db, TAKER, [merchantId, merchantOrderRef, orderId]);
  return row === undefined ? null : { orderId: row.order_id, orderReference: row.order_reference };
}
