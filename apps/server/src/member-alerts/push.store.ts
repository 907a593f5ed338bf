import type { Instant } from '@munshi/core';
import {
  answers,
  assignedFrom,
  columns,
  from,
  insertion,
  orNull,
  type RecordOf,
  t,
} from '../platform/database/columns.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { time } from '../platform/database/rows.ts';
import {
  query,
  readsAll,
  readsOne,
  readsRow,
  statement,
  writes,
  writesOne,
} from '../platform/database/statement.ts';
import type { SealedSecret } from '../platform/vault.ts';

/** Web Push: the installation's key pair, and where members are reached. */

const KEYS = columns('', {
  /** base64url, as browsers subscribe with it. */
  publicKey: t.text,
  sealed: from('sealed_private_key', t.bytes),
  sealKeyId: t.text,
});
export type SealedPushKeys = RecordOf<typeof KEYS>;

export const readPushKeys = readsOne(
  'read-push-keys',
  `select ${KEYS.list}
   from push_keys`,
  KEYS,
);

/** The first pair stays: browsers are subscribed with it. */
export const keepPushKeys = writes(
  'keep-push-keys',
  `insert into push_keys (public_key, sealed_private_key, seal_key_id, created_at)
   values ($1, $2, $3, $4)
   on conflict do nothing`,
  ({ publicKey, sealed, sealKeyId }: SealedPushKeys, now: Instant) => [
    publicKey,
    sealed,
    sealKeyId,
    time(now),
  ],
);

export const resealPushKeys = writes(
  'reseal-push-keys',
  `update push_keys
   set sealed_private_key = $1,
     seal_key_id = $2`,
  ({ sealed, sealKeyId }: SealedSecret) => [sealed, sealKeyId],
);

/**
 * Forgets a pair that none of these seals has sealed, and with it every phone, which belong to it.
 * Answers how many there were.
 */
export const forgetPushKeysSealedOtherwise = writes(
  'forget-push-keys-sealed-otherwise',
  `with forgotten as (
     delete from push_keys
     where seal_key_id <> all($1::text[])
     returning 1
   )
   delete from push_subscriptions
   where exists (select from forgotten)`,
  (sealKeyIds: readonly string[]) => [sealKeyIds],
);

const HELD = {
  memberId: t.uuid,
  sessionId: t.uuid,
  p256dh: t.text,
  auth: t.text,
  userAgent: orNull(t.text),
};
const NEW_PHONE = { subscriptionId: t.uuid, endpoint: t.text, createdAt: t.instant, ...HELD };
const PHONE = columns('p', {
  ...NEW_PHONE,
  lastSentAt: orNull(t.instant),
  lastError: orNull(t.text),
  testSentAt: orNull(t.instant),
  testSeenAt: orNull(t.instant),
});
/** A phone, by what its browser gave it out as. */
export type PushSubscription = RecordOf<typeof PHONE>;

const NEW = insertion('push_subscriptions as p', NEW_PHONE);

/** Adds a phone. A known endpoint then belongs to the person signed in on it now. */
export const putSubscription = readsRow(
  'put-push-subscription',
  `${NEW.into}
   on conflict (endpoint) do update
   set ${assignedFrom('excluded', HELD)}
   returning ${PHONE.list}`,
  PHONE,
  NEW.valuesOf,
);

/** Forgets phones that are signed out, and all but the newest of the others. */
export const forgetOldPhones = writes(
  'delete-oldest-push-subscriptions',
  `delete from push_subscriptions p
   where p.member_id = $1
     and (
       not exists (
         select
         from sessions s
         where s.principal_id = p.member_id
           and s.session_id = p.session_id
           and s.expires_at > $2
       )
       or p.subscription_id in (
         select subscription_id
         from push_subscriptions
         where member_id = $1
         order by created_at desc, subscription_id
         offset $3
       )
     )`,
  (memberId: string, now: Instant, keep: number) => [memberId, time(now), keep],
);

/** The phones of these members on which they are signed in, the newest first. */
export const listSubscriptions = readsAll(
  'push-subscriptions-of',
  `select ${PHONE.list}
   from push_subscriptions p
   join sessions s on s.principal_id = p.member_id and s.session_id = p.session_id
   where p.member_id = any($1::uuid[]) and s.expires_at > $2
   order by p.created_at desc, p.subscription_id`,
  PHONE,
  (memberIds: readonly string[], now: Instant) => [memberIds, time(now)],
);

/** Forgets a phone, of this member where one is named; answers whether there was such a one. */
export const deleteSubscription = writesOne(
  'delete-push-subscription',
  `delete from push_subscriptions
   where subscription_id = $1 and ($2::uuid is null or member_id = $2)`,
  (subscriptionId: string, memberId: string | null) => [subscriptionId, memberId],
);

/** What became of the last push; null: the push service took it. */
export const notePushSent = writes(
  'note-push-sent',
  `update push_subscriptions
   set last_sent_at = $2,
     last_error = $3
   where subscription_id = $1`,
  (subscriptionId: string, now: Instant, error: string | null) => [
    subscriptionId,
    time(now),
    error,
  ],
);

export const beginPushTest = writes(
  'begin-push-test',
  `update push_subscriptions
   set test_id = $2,
     test_sent_at = $3,
     test_seen_at = null
   where subscription_id = $1`,
  (subscriptionId: string, testId: string, now: Instant) => [subscriptionId, testId, time(now)],
);

const END_TEST = statement(
  'end-push-test',
  `update push_subscriptions
   set test_seen_at = coalesce(test_seen_at, $3)
   where member_id = $1 and test_id = $2
   returning test_sent_at, test_seen_at`,
  answers({ testSentAt: t.instant, testSeenAt: t.instant }),
);

/** A test has come to its phone; answers how long it took, undefined where there is no such test. */
export async function endPushTest(
  db: Queryable,
  memberId: string,
  testId: string,
  now: Instant,
): Promise<number | undefined> {
  const [row] = await query(db, END_TEST, [memberId, testId, time(now)]);
  return row && row.testSeenAt - row.testSentAt;
}
