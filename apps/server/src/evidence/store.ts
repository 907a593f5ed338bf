import type { EvidenceKind, Instant, Order } from '@munshi/core';
import type pg from 'pg';
import { ofOrder } from '../engine/rows/order-row.ts';
import {
  columns,
  from,
  insertion,
  orNull,
  type RecordOf,
  t,
} from '../platform/database/columns.ts';
import { time } from '../platform/database/rows.ts';
import { lockFor, query, readsAll, readsOne, writes } from '../platform/database/statement.ts';

const EVIDENCE_COLUMNS = {
  evidenceId: t.uuid,
  orderId: t.uuid,
  /** Null: the customer handed it in. */
  memberId: orNull(t.uuid),
  kind: t.oneOf<EvidenceKind>(),
  bytes: t.integer,
  width: t.integer,
  height: t.integer,
  /** Of the picture as it is kept, in hex. */
  sha256: t.hex,
  /** Of what was uploaded; null: nobody knows any more. */
  uploadSha256: from('upload_sha256', orNull(t.hex)),
  sentAt: t.instant,
};
const KEPT = { ...EVIDENCE_COLUMNS, deletedAt: orNull(t.instant) };
const EVIDENCE = columns('e', KEPT);
/** What is known of a picture that was handed in about an order; it outlives the picture. */
export type Evidence = RecordOf<typeof EVIDENCE>;

const OF_ORDERS = columns('e', {
  ...KEPT,
  memberName: from('m.name', orNull(t.text)),
  /** Other orders that the very same picture was handed in for, at most 5. */
  alsoFor: from(
    `(
       select coalesce(json_agg(other), '[]')
       from (
         select distinct o.order_id as "orderId", o.order_reference as "orderReference"
         from evidence same
         join orders o on o.order_id = same.order_id
         where same.sha256 = e.sha256 and same.order_id <> e.order_id
         order by o.order_id desc
         limit 5
       ) other
     )`,
    t.json<readonly Pick<Order, 'orderId' | 'orderReference'>[]>(),
  ),
});
/** The same as operators see it. */
export type EvidenceOfOrder = RecordOf<typeof OF_ORDERS>;

const WITH_PICTURE = columns('e', { ...KEPT, picture: orNull(t.bytes) });

const LOCK = lockFor('lock-evidence-of-sender', '$1');

/** Until the transaction ends, they hand in nothing else: of many at once, each is counted. */
export async function lockEvidenceOf(client: pg.PoolClient, sender: string): Promise<void> {
  await query(client, LOCK, [`evidence of ${sender}`]);
}

const PAID = columns('o', ofOrder(['orderType', 'status', 'sentAt']));

/** The order that a customer's picture is about, locked until the transaction ends. */
export const lockPaid = readsOne(
  'lock-paid-order',
  `select ${PAID.list}
   from orders o
   where o.order_id = $1
   for no key update`,
  PAID,
  (orderId: string) => [orderId],
);

/** What a member, or the customer, has handed in about an order, the oldest first. */
export const listEvidenceOf = readsAll(
  'evidence-of-sender',
  `select ${EVIDENCE.list}
   from evidence e
   where e.order_id = $1 and e.member_id is not distinct from $2::uuid
   order by e.number`,
  EVIDENCE,
  ({ orderId, memberId }: Pick<Evidence, 'orderId' | 'memberId'>) => [orderId, memberId],
);

const NEW = insertion('evidence', { ...EVIDENCE_COLUMNS, number: t.integer, picture: t.bytes });

/** `number` counts what its sender has handed in about the order, from 1. */
export const insertEvidence = writes(
  'insert-evidence',
  NEW.into,
  (evidence: Evidence, content: { readonly picture: Buffer; readonly number: number }) =>
    NEW.valuesOf({ ...evidence, ...content }),
);

/** What was handed in about an order, the oldest first. */
export const listEvidenceOfOrder = readsAll(
  'evidence-of-order',
  `select ${OF_ORDERS.list}
   from evidence e
   left join members m on m.member_id = e.member_id
   where e.order_id = $1
   order by e.sent_at, e.evidence_id
   limit 100`,
  OF_ORDERS,
  (orderId: string) => [orderId],
);

/** One with its picture; null: it is deleted. */
export const findEvidence = readsOne(
  'find-evidence',
  `select ${WITH_PICTURE.list}
   from evidence e
   where e.evidence_id = $1`,
  WITH_PICTURE,
  (evidenceId: string) => [evidenceId],
);

/** Deletes pictures that were handed in before, the oldest first; answers how many. */
export const deletePicturesBefore = writes(
  'delete-old-pictures',
  `update evidence
   set picture = null,
     deleted_at = $2
   where evidence_id in (
     select evidence_id
     from evidence
     where picture is not null and sent_at < $1
     order by sent_at
     limit $3
   )`,
  (before: Instant, { now, limit }: { readonly now: Instant; readonly limit: number }) => [
    time(before),
    time(now),
    limit,
  ],
);
