import { hash } from 'node:crypto';
import type { Instant } from '@munshi/core';
import type { Ids } from '../engine/ids.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { countSendsOf, countSendsTo, insertSend, lockSends } from './counted-sends.store.ts';

/**
 * Limits on what people have the service send to others: it speaks in the name of the platform.
 * Counted in the database, over all processes; called in the transaction of what is sent after it.
 */

const DAY_MS = 24 * 60 * 60 * 1000;
const MINUTE_MS = 60_000;
/** Mails to the people of one merchant, and to one mailbox, within 24 hours. */
export const MAILS_OF_MERCHANT = 20;
export const MAILS_TO_MAILBOX = 3;
/** Test pushes of one member within a minute. */
export const PUSH_TESTS_PER_MINUTE = 5;

interface Moment {
  readonly now: Instant;
  readonly ids: Ids;
}

/** Counts a mail to an address, and answers whether it may be sent. */
export async function mayMail(
  db: Queryable,
  { merchantId, email }: { readonly merchantId: string; readonly email: string },
  { now, ids }: Moment,
): Promise<boolean> {
  const sender = { kind: 'mail', senderId: merchantId } as const;
  const mailbox = mailboxOf(email);
  const since = now - DAY_MS;
  await lockSends(db, { ...sender, mailbox });
  if ((await countSendsOf(db, sender, since)) >= MAILS_OF_MERCHANT) return false;
  if ((await countSendsTo(db, mailbox, since)) >= MAILS_TO_MAILBOX) return false;
  await insertSend(db, { ...sender, sendId: ids.uuid(now), mailbox, sentAt: now }, since);
  return true;
}

/** Most servers put `name+anything@` into the mailbox of `name@`. */
const mailboxOf = (email: string): Buffer =>
  hash('sha256', email.toLowerCase().replace(/\+[^@]*/, ''), 'buffer');

/** Counts a test push, and answers whether it may be sent. */
export async function mayTestPush(
  db: Queryable,
  memberId: string,
  { now, ids }: Moment,
): Promise<boolean> {
  const sender = { kind: 'push-test', senderId: memberId } as const;
  const since = now - MINUTE_MS;
  await lockSends(db, { ...sender, mailbox: null });
  if ((await countSendsOf(db, sender, since)) >= PUSH_TESTS_PER_MINUTE) return false;
  await insertSend(db, { ...sender, sendId: ids.uuid(now), mailbox: null, sentAt: now }, since);
  return true;
}
