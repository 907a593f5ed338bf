import {
  type ActiveOrSuspended,
  type Actor,
  feeRuleFor,
  type NoteKind,
  type Order,
  type Status,
  type Trigger,
} from '@munshi/core';
import { type DeliveryRecord, listDeliveries } from '../deliveries/store.ts';
import { ACCOUNT } from '../engine/rows/account.ts';
import type { TimedFeeRule } from '../engine/rows/fee-rule.ts';
import { type EvidenceOfOrder, listEvidenceOfOrder } from '../evidence/store.ts';
import { findRulesAt } from '../fees/store.ts';
import { type LateClaim, listLateClaimsOfOrder } from '../late-claims/store.ts';
import { listAlertsOfOrder, type OrderAlert } from '../member-alerts/store.ts';
import { type MemberOfLate, readMemberOfLate } from '../members/records.store.ts';
import { findSimilarOrders, likenessOf, type SimilarOrder } from '../orders/similar.store.ts';
import { findOrder, findTakerOfReference } from '../orders/store.ts';
import { nameOfOperator } from '../people/operator-names.ts';
import { columns, from, optional, orNull, type RecordOf, t } from '../platform/database/columns.ts';
import { type Database, inSnapshot } from '../platform/database/db.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { query, queryOne, readsAll, statement } from '../platform/database/statement.ts';
import { type RemovedOfOrder, readRemoved } from '../retention/store.ts';

/**
 * Who did something, named by actor_kind and actor_id of the row `x`, with the name they have now;
 * of operators of the environment, the audit log knows it. `address`: of an operator, from where.
 */
const actorOf = (name: string, address: string) =>
  columns('x', {
    kind: from('actor_kind', t.oneOf<Actor['kind']>()),
    id: from('actor_id', orNull(t.text)),
    name: from(name, orNull(t.text)),
    address: from(address, orNull(t.text)),
  });
const ACTOR_NAME = `case x.actor_kind
       when 'member' then (select name from members where member_id = x.actor_id::uuid)
       when 'operator' then ${nameOfOperator('x.actor_id')}
     end`;

const MOVE = columns('x', {
  at: t.instant,
  from: from('from_status', t.oneOf<Status>()),
  to: from('to_status', t.oneOf<Status>()),
  trigger: t.oneOf<Trigger>(),
  actor: actorOf(`coalesce(${ACTOR_NAME}, l.actor_name)`, 'l.address'),
  memberId: orNull(t.uuid),
  memberName: from('m.name', orNull(t.text)),
  note: orNull(t.text),
  /** What an operator wrote for operators. */
  internalNote: from(
    `nullif(
       concat_ws(E'\\n', l.detail ->> 'askedInternalNote', l.detail ->> 'internalNote'),
       ''
     )`,
    orNull(t.text),
  ),
});
export interface MoveRecord extends RecordOf<typeof MOVE> {
  readonly kind: 'moved';
}

const NOTE = columns('x', {
  at: t.instant,
  actor: actorOf(ACTOR_NAME, 'null::text'),
  about: from('kind', t.oneOf<NoteKind>()),
  amount: orNull(t.amount),
  note: t.text,
});
export interface NoteRecord extends RecordOf<typeof NOTE> {
  readonly kind: 'note';
}

const POSTING = columns('', {
  postingId: t.uuid,
  kind: t.oneOf<'settlement'>(),
  memberId: orNull(t.uuid),
  wallet: t.amount,
  frozen: t.amount,
  memberFloat: t.amount,
  fees: t.amount,
  adjustments: t.amount,
  note: orNull(t.text),
  postedAt: t.instant,
});
export type OrderPosting = RecordOf<typeof POSTING>;

const HOLDER = columns('m', {
  memberId: t.uuid,
  name: t.text,
  username: t.text,
  status: t.oneOf<ActiveOrSuspended>(),
  online: t.boolean,
  openOrders: t.integer,
  maxOpenOrders: t.integer,
  floatBalance: t.amount,
  floatHeld: t.amount,
  account: optional(columns('a', ACCOUNT), 'accountId'),
});
export interface Holder extends RecordOf<typeof HOLDER> {
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
      removed: await readRemoved(client, order.orderId),
    };
  });
}

const FIND_HOLDER = statement(
  'holder-of-order',
  `select ${HOLDER.list}
   from members m
   left join member_accounts a on a.account_id = $2
   where m.member_id = $1`,
  HOLDER,
);

async function findHolder(db: Queryable, { memberId, accountId }: Order): Promise<Holder | null> {
  if (memberId === null) return null;
  const holder = await queryOne(db, FIND_HOLDER, [memberId, accountId]);
  return holder ? { ...holder, record: await readMemberOfLate(db, memberId) } : null;
}

type Key = Pick<Order, 'merchantId' | 'orderId'>;

const MOVES = statement(
  'moves-of-order',
  `select ${MOVE.list}
   from order_moves x
   left join members m on m.member_id = x.member_id
   left join audit_log l on l.command_id = x.command_id and x.actor_kind = 'operator'
   where x.merchant_id = $1 and x.order_id = $2
   order by x.number
   limit 1000`,
  MOVE,
);

async function listMoves(
  db: Queryable,
  { merchantId, orderId }: Key,
): Promise<readonly MoveRecord[]> {
  const moves = await query(db, MOVES, [merchantId, orderId]);
  return moves.map((move) => ({ kind: 'moved', ...move }));
}

const NOTES = statement(
  'notes-of-order',
  `select ${NOTE.list}
   from order_notes x
   where x.merchant_id = $1 and x.order_id = $2
   order by x.at, x.note_id
   limit 1000`,
  NOTE,
);

async function listNotes(
  db: Queryable,
  { merchantId, orderId }: Key,
): Promise<readonly NoteRecord[]> {
  const notes = await query(db, NOTES, [merchantId, orderId]);
  return notes.map((note) => ({ kind: 'note', ...note }));
}

const listPostings = readsAll(
  'postings-of-order',
  `select ${POSTING.list}
   from postings
   where merchant_id = $1 and order_id = $2
   order by posted_at, posting_id
   limit 100`,
  POSTING,
  ({ merchantId, orderId }: Key) => [merchantId, orderId],
);
