import type { EvidenceKind, Instant, Order } from '@munshi/core';
import type pg from 'pg';
import type { Queryable } from '../db.ts';
import { time } from '../rows.ts';
import { execute, lockFor, query, statement } from '../statement.ts';

/** What is known of a picture that a member handed in about an order; it outlives the picture. */
export interface Evidence {
  readonly evidenceId: string;
  readonly orderId: string;
  readonly memberId: string;
  readonly kind: EvidenceKind;
  readonly bytes: number;
  readonly width: number;
  readonly height: number;
  /** Of the picture as it is kept, in hex. */
  readonly sha256: string;
  /** Of what was uploaded; null: nobody knows any more. */
  readonly uploadSha256: string | null;
  readonly sentAt: Instant;
  readonly deletedAt: Instant | null;
}

/** The same as operators see it. */
export interface EvidenceOfOrder extends Evidence {
  readonly memberName: string;
  /** Other orders that the very same picture was handed in for, at most 5. */
  readonly alsoFor: readonly Pick<Order, 'orderId' | 'orderReference'>[];
}

interface EvidenceRow {
  readonly evidence_id: string;
  readonly order_id: string;
  readonly member_id: string;
  readonly kind: EvidenceKind;
  readonly bytes: number;
  readonly width: number;
  readonly height: number;
  readonly sha256: Buffer;
  readonly upload_sha256: Buffer | null;
  readonly sent_at: Instant;
  readonly deleted_at: Instant | null;
}

const COLUMNS = `e.evidence_id, e.order_id, e.member_id, e.kind, e.bytes, e.width, e.height,
     e.sha256, e.upload_sha256, e.sent_at, e.deleted_at`;

const readEvidence = (row: EvidenceRow): Evidence => ({
  evidenceId: row.evidence_id,
  orderId: row.order_id,
  memberId: row.member_id,
  kind: row.kind,
  bytes: row.bytes,
  width: row.width,
  height: row.height,
  sha256: row.sha256.toString('hex'),
  uploadSha256: row.upload_sha256?.toString('hex') ?? null,
  sentAt: row.sent_at,
  deletedAt: row.deleted_at,
});

const LOCK = lockFor('lock-evidence-of-member', '$1');

/** Until the transaction ends, the member hands in nothing else: of many at once, each is counted. */
export async function lockEvidenceOf(client: pg.PoolClient, memberId: string): Promise<void> {
  await query(client, LOCK, [`evidence of ${memberId}`]);
}

const OF_MEMBER = statement<EvidenceRow>(
  'evidence-of-member',
  `select ${COLUMNS}
   from evidence e
   where e.order_id = $1 and e.member_id = $2
   order by e.number`,
);

/** What a member has handed in about an order, the oldest first. */
export async function listEvidenceOfMember(
  db: Queryable,
  { orderId, memberId }: Pick<Evidence, 'orderId' | 'memberId'>,
): Promise<readonly Evidence[]> {
  return (await query(db, OF_MEMBER, [orderId, memberId])).map(readEvidence);
}

const INSERT = statement(
  'insert-evidence',
  `insert into evidence
     (evidence_id, order_id, member_id, number, kind, picture, bytes, width, height, sha256,
      upload_sha256, sent_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
);

/** `number` counts what the member has handed in about the order, from 1. */
export async function insertEvidence(
  db: Queryable,
  evidence: Evidence,
  { picture, number }: { readonly picture: Buffer; readonly number: number },
): Promise<void> {
  await execute(db, INSERT, [
    evidence.evidenceId,
    evidence.orderId,
    evidence.memberId,
    number,
    evidence.kind,
    picture,
    evidence.bytes,
    evidence.width,
    evidence.height,
    Buffer.from(evidence.sha256, 'hex'),
    evidence.uploadSha256 === null ? null : Buffer.from(evidence.uploadSha256, 'hex'),
    time(evidence.sentAt),
  ]);
}

type OtherOrders = readonly { readonly order_id: string; readonly order_reference: string }[];

const OF_ORDER = statement<EvidenceRow & { readonly name: string; readonly also: OtherOrders }>(
  'evidence-of-order',
  `select ${COLUMNS}, m.name,
     (
       select coalesce(json_agg(other), '[]')
       from (
         select distinct o.order_id, o.order_reference
         from evidence same
         join orders o on o.order_id = same.order_id
         where same.sha256 = e.sha256 and same.order_id <> e.order_id
         order by o.order_id desc
         limit 5
       ) other
     ) as also
   from evidence e
   join members m on m.member_id = e.member_id
   where e.order_id = $1
   order by e.sent_at, e.evidence_id
   limit 100`,
);

/** What was handed in about an order, the oldest first. */
export async function listEvidenceOfOrder(
  db: Queryable,
  orderId: string,
): Promise<readonly EvidenceOfOrder[]> {
  return (await query(db, OF_ORDER, [orderId])).map((row) => ({
    ...readEvidence(row),
    memberName: row.name,
    alsoFor: row.also.map((other) => ({
      orderId: other.order_id,
      orderReference: other.order_reference,
    })),
  }));
}

const FIND = statement<EvidenceRow & { readonly picture: Buffer | null }>(
  'find-evidence',
  `select ${COLUMNS}, e.picture
   from evidence e
   where e.evidence_id = $1`,
);

/** One with its picture; null: it is deleted. */
export async function findEvidence(
  db: Queryable,
  evidenceId: string,
): Promise<(Evidence & { readonly picture: Buffer | null }) | undefined> {
  const [row] = await query(db, FIND, [evidenceId]);
  return row && { ...readEvidence(row), picture: row.picture };
}

const DELETE_OLD = statement(
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
);

/** Deletes pictures that were handed in before, the oldest first; answers how many. */
export function deletePicturesBefore(
  db: Queryable,
  before: Instant,
  { now, limit }: { readonly now: Instant; readonly limit: number },
): Promise<number> {
  return execute(db, DELETE_OLD, [time(before), time(now), limit]);
}
