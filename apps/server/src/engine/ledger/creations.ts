import type { Replay } from '@munshi/core';
import {
  columns,
  from,
  insertions,
  type KindsOf,
  optional,
  orNull,
  type RecordOf,
  t,
  unnested,
} from '../../platform/database/columns.ts';
import { bytesArray, plainArray, textArray } from '../../platform/database/pipeline.ts';
import { statement } from '../../platform/database/statement.ts';
import { ORDER } from '../rows/order-row.ts';
import type { LoadedRows, LoadRequest, ReferenceHolder } from './batch.ts';
import { ask, change, copy, guarded } from './statements.ts';

/**
 * What identifies a creation: its Idempotency-Key, its signed body and the merchant's reference.
 */

const MET = columns('', {
  asked: columns('q', {
    merchantId: t.uuid,
    keyId: t.uuid,
    digest: t.hex,
    reference: orNull(t.text),
  }),
  bound: optional(ORDER, 'orderId'),
  replay: optional(columns('r', { idempotencyKey: t.text, acceptedAt: t.instant }), 'acceptedAt'),
  live: from('l.order_reference', orNull(t.text)),
  confirmedLate: from('c.order_reference', orNull(t.text)),
});

/**
 * What the keys of new orders meet: the order that an Idempotency-Key is bound to, the body's
 * replay record, who has the reference (by the live order, or by one confirmed late beside it,
 * decision 6). Only what meets something comes back. One statement, so that a creation
 * that sees what another of the same key has taken sees the key too, and answers with its order.
 */
export const EXISTING = statement(
  'existing',
  `select ${MET.list}
   from unnest($1::uuid[], $2::uuid[], $3::text[], $4::bytea[], $5::text[])
     as q (merchant_id, key_id, idempotency_key, digest, reference)
   left join orders o
     on o.idempotency_key = q.idempotency_key
     and o.idempotency_key = any($3::text[])
     and o.api_key_id = q.key_id
   left join signature_replays r
     on r.digest = q.digest and r.digest = any($4::bytea[]) and r.key_id = q.key_id
   left join orders l
     on l.live_reference = q.reference
     and l.live_reference = any($5::text[])
     and l.merchant_id = q.merchant_id
   left join lateral (
     select order_reference
     from orders
     where merchant_order_ref = q.reference
       and merchant_id = q.merchant_id
       and live_reference is null
       and completed_at is not null
     limit 1
   ) c on true
   where o.order_id is not null
     or r.accepted_at is not null
     or l.order_reference is not null
     or c.order_reference is not null`,
  MET,
);

export const askExisting = ({ creations }: LoadRequest) =>
  ask(
    creations.length > 0,
    EXISTING,
    plainArray(creations.map(({ merchantId }) => merchantId)),
    plainArray(creations.map(({ keyId }) => keyId)),
    textArray(creations.map(({ idempotencyKey }) => idempotencyKey)),
    bytesArray(creations.map(({ digest }) => digest)),
    textArray(creations.map(({ merchantOrderRef }) => merchantOrderRef)),
  );

/** `liveOfOrders`: who has the references of loaded orders. */
export function readExisting(
  existing: readonly RecordOf<typeof MET>[],
  liveOfOrders: readonly ReferenceHolder[],
): Pick<LoadedRows, 'bound' | 'replays' | 'live' | 'confirmedLate'> {
  const holders = (by: 'live' | 'confirmedLate') =>
    existing.flatMap(({ asked: { merchantId, reference }, [by]: orderReference }) =>
      reference === null || orderReference === null
        ? []
        : [{ merchantId, reference, orderReference }],
    );
  return {
    bound: existing.flatMap(({ bound }) => bound ?? []),
    replays: existing.flatMap(({ asked: { merchantId, keyId, digest }, replay }) =>
      replay === null ? [] : [{ merchantId, keyId, digest, ...replay, replaces: null }],
    ),
    live: [...liveOfOrders, ...holders('live')],
    confirmedLate: holders('confirmedLate'),
  };
}

const REPLAY = {
  merchantId: t.uuid,
  keyId: t.uuid,
  digest: t.hex,
  idempotencyKey: t.text,
  acceptedAt: t.instant,
};
const NEW_REPLAYS = insertions('signature_replays', REPLAY);

const RENEWED = unnested({ ...REPLAY, replaces: orNull(t.instant) } satisfies KindsOf<Replay>);
const RENEW_REPLAYS = guarded(
  'renew-replays',
  `update signature_replays r
     set idempotency_key = row.idempotency_key,
       accepted_at = row.accepted_at
     from ${RENEWED.rows}
     where r.digest = row.digest
       and r.digest = any($3::bytea[])
       and r.key_id = row.key_id
       and r.accepted_at = row.replaces`,
  'cardinality($3::bytea[])',
);

/** New ones are copied in; one that has expired is renewed. */
export function writeReplays(replays: readonly Replay[]) {
  const added = replays.filter(({ replaces }) => replaces === null);
  const renewed = replays.filter(({ replaces }) => replaces !== null);
  return [
    ...copy('copy-replays', NEW_REPLAYS, added),
    ...change(renewed, RENEW_REPLAYS, () => RENEWED.arraysOf(renewed)),
  ];
}
