import type { Instant } from '@munshi/core';
import { only, t } from '../platform/database/columns.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { time } from '../platform/database/rows.ts';
import { execute, lockFor, query, readsRow, statement } from '../platform/database/statement.ts';

/** What people have the service send to others, as far back as its limits look. */

export const COUNTED_SENDS = ['mail', 'push-test'] as const;

export interface CountedSend {
  readonly sendId: string;
  readonly kind: (typeof COUNTED_SENDS)[number];
  /** The merchant or member whose doing it is. */
  readonly senderId: string;
  /** SHA-256; null for a push. */
  readonly mailbox: Buffer | null;
  readonly sentAt: Instant;
}

const LOCK = lockFor('lock-sends', '$1');

/**
 * Until the transaction ends, nothing else is counted for the sender and to the mailbox: of many at
 * once, each is counted. Always in this order.
 */
export async function lockSends(
  db: Queryable,
  { senderId, mailbox }: Pick<CountedSend, 'senderId' | 'mailbox'>,
): Promise<void> {
  await query(db, LOCK, [`sends of ${senderId}`]);
  if (mailbox !== null) await query(db, LOCK, [`sends to ${mailbox.toString('hex')}`]);
}

/** Since then, of one sender. */
export const countSendsOf = readsRow(
  'count-sends-of',
  `select count(*)::integer as sends
   from counted_sends
   where sender_id = $1 and kind = $2 and sent_at > $3`,
  only('sends', t.integer),
  ({ senderId, kind }: Pick<CountedSend, 'senderId' | 'kind'>, since: Instant) => [
    senderId,
    kind,
    time(since),
  ],
);

/** Since then, to one mailbox, from all senders. */
export const countSendsTo = readsRow(
  'count-sends-to',
  `select count(*)::integer as sends
   from counted_sends
   where mailbox = $1 and sent_at > $2`,
  only('sends', t.integer),
  (mailbox: Buffer, since: Instant) => [mailbox, time(since)],
);

const FORGET = statement(
  'forget-sends-of',
  `delete from counted_sends
   where sender_id = $1 and kind = $2 and sent_at <= $3`,
);
const INSERT = statement(
  'insert-send',
  `insert into counted_sends (send_id, kind, sender_id, mailbox, sent_at)
   values ($1, $2, $3, $4, $5)`,
);

/** Counts one, and forgets those of the sender before `since`. */
export async function insertSend(
  db: Queryable,
  { sendId, kind, senderId, mailbox, sentAt }: CountedSend,
  since: Instant,
): Promise<void> {
  await execute(db, FORGET, [senderId, kind, time(since)]);
  await execute(db, INSERT, [sendId, kind, senderId, mailbox, time(sentAt)]);
}
