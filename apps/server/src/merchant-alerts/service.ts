import { CHANGE_MERCHANT_ALERT_SETTINGS } from '@munshi/api';
import {
  type AlertId,
  type AlertSettings,
  type AlertState,
  type Condition,
  type Instant,
  NO_ALERTS,
  subjectOf,
} from '@munshi/core';
import type { Ids } from '../engine/ids.ts';
import { requireOwnDecision } from '../merchants/service.ts';
import { findMerchant, lockMerchant } from '../merchants/store.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { found, Refused } from '../platform/refusals.ts';
import { MAILS_OF_MERCHANT, MAILS_TO_MAILBOX, mayMail } from '../writes/counted-sends.ts';
import type { ServiceDeps } from '../writes/deps.ts';
import type { Explained } from '../writes/waiting-writes.ts';
import type { Work, Written } from '../writes/write.ts';
import { changesOf } from '../writes/write.ts';
import {
  type AlertMessage,
  countBegunUntil,
  findAlertSettings,
  insertAlert,
  insertMessages,
  lockAlertSettings,
  type OngoingAlert,
  putAlertSettings,
} from './store.ts';

/** Alerts of a merchant: its settings, and how alerts are sent (portal.md#figures-and-alerts). */

type Deps = Pick<ServiceDeps, 'database' | 'clock' | 'ids'>;

/** Throws `not-found`. */
export async function readAlertSettings(
  { database: { pool } }: Pick<Deps, 'database'>,
  merchantId: string,
): Promise<AlertSettings> {
  found(await findMerchant(pool, merchantId), 'Merchant');
  return (await findAlertSettings(pool, merchantId)) ?? NO_ALERTS;
}

/** A change of a merchant's settings. */
export interface AlertChange {
  readonly merchantId: string;
  readonly change: Partial<AlertSettings>;
}

/** The settings before and after a change, locked. Throws `not-found`. */
async function lockChanged(db: Queryable, { merchantId, change }: AlertChange) {
  const merchant = found(await lockMerchant(db, merchantId), 'Merchant');
  const before = (await lockAlertSettings(db, merchantId)) ?? NO_ALERTS;
  const after = { ...before, ...change };
  return { merchant, before, after, changes: changesOf(before, after, change) };
}

/** Whether a change waits while a second one is required. */
export const alertChangeWaits = async (db: Queryable, asked: AlertChange): Promise<boolean> => {
  const { before, after } = await lockChanged(db, asked);
  return CHANGE_MERCHANT_ALERT_SETTINGS.decides.needsTwo(before, after);
};

/** What a change changes. Throws as above. */
export async function explainAlertChange(db: Queryable, asked: AlertChange): Promise<Explained> {
  const { merchantId } = asked;
  const { merchant, changes } = await lockChanged(db, asked);
  return { target: merchantId, shown: { merchantId, merchant: merchant.name, ...changes } };
}

/** Changes the fields that are given. Throws as above. */
export async function changeAlertSettings(
  db: Queryable,
  asked: AlertChange,
  now: Instant,
): Promise<Written<AlertSettings>> {
  const { merchantId } = asked;
  const { after, changes } = await lockChanged(db, asked);
  await putAlertSettings(db, merchantId, after, now);
  return {
    result: after,
    action: 'merchant-alerts.change',
    target: merchantId,
    detail: changes,
  };
}

/** The same by the merchant's own admin. Throws as above, and `second-operator`. */
export async function changeOwnAlertSettings(
  db: Queryable,
  asked: AlertChange,
  now: Instant,
): Promise<Written<AlertSettings>> {
  await requireOwnDecision(db, asked.merchantId, await alertChangeWaits(db, asked));
  return changeAlertSettings(db, asked, now);
}

/**
 * Sends a test to every address. Throws `wrong-state` where there is none, and where no more mails
 * may go to them: test mails count as mails to people do.
 */
export const sendTestAlert =
  (
    { wake }: { readonly wake: (job: 'alert-mails') => void },
    merchantId: string,
  ): Work<{ readonly alertId: string }> =>
  async (client, now, ids) => {
    found(await lockMerchant(client, merchantId), 'Merchant');
    const settings = (await lockAlertSettings(client, merchantId)) ?? NO_ALERTS;
    if (settings.alertEmails.length === 0)
      throw new Refused('wrong-state', 'Set an e-mail address first.');
    const alertEmails = await mailable(client, merchantId, settings.alertEmails, { now, ids });
    if (alertEmails.length === 0) throw mailsUsedUp();
    const alertId = ids.uuid<AlertId>(now);
    const test = { alertId, merchantId, kind: 'test', subject: '', condition: null } as const;
    await insertAlert(client, { ...test, at: now });
    await sendAlert(client, { alertId, state: 'begun', isMailed: true, now, alertEmails });
    const result = { alertId };
    const after = () => wake('alert-mails');
    return { result, action: 'merchant-alerts.test', target: merchantId, detail: result, after };
  };

/** Begins an alert, and mails it to these addresses; not where one like it goes on. */
export async function beginAlert(
  client: Queryable,
  { merchantId, condition }: { readonly merchantId: string; readonly condition: Condition },
  { alertEmails }: Pick<AlertSettings, 'alertEmails'>,
  { now, ids }: { readonly now: Instant; readonly ids: Ids },
): Promise<void> {
  const { kind } = condition;
  const about = { alertId: ids.uuid<AlertId>(now), merchantId, kind };
  const alert = { ...about, subject: subjectOf(condition), condition, at: now };
  if (!(await insertAlert(client, alert))) return;
  const isMailed = await isAlertMailed(client, { ...about, beganAt: now });
  await sendAlert(client, { alertId: about.alertId, state: 'begun', isMailed, alertEmails, now });
}

/** Alerts a merchant, whose row is locked, to a new key. */
export async function alertToKey(
  client: Queryable,
  { merchantId, prefix }: { readonly merchantId: string; readonly prefix: string },
  moment: { readonly now: Instant; readonly ids: Ids },
): Promise<void> {
  const settings = (await lockAlertSettings(client, merchantId)) ?? NO_ALERTS;
  const alert = { merchantId, condition: { kind: 'key-made', prefix } } as const;
  await beginAlert(client, alert, settings, moment);
}

/** Those to whom another mail that somebody asked for may go. */
async function mailable(
  client: Queryable,
  merchantId: string,
  emails: readonly string[],
  moment: { readonly now: Instant; readonly ids: Ids },
): Promise<string[]> {
  const may: string[] = [];
  // In one order, so that two at once do not wait for each other.
  for (const email of emails.toSorted())
    if (await mayMail(client, { merchantId, email }, moment)) may.push(email);
  return may;
}

const mailsUsedUp = () =>
  new Refused(
    'wrong-state',
    `These addresses got ${MAILS_TO_MAILBOX} mails, or your merchant's ${MAILS_OF_MERCHANT}, within 24 hours. Try again tomorrow.`,
  );

/**
 * Alerts of one kind of which mails go out, within 24 hours: nobody has confirmed the addresses.
 * The portal has every alert.
 */
const ALERTS_MAILED = 10;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Whether mails go out about an alert: the same when it begins and when it is over. */
export const isAlertMailed = async (
  db: Queryable,
  alert: Pick<OngoingAlert, 'merchantId' | 'kind' | 'alertId' | 'beganAt'>,
): Promise<boolean> => (await countBegunUntil(db, alert, alert.beganAt - DAY_MS)) <= ALERTS_MAILED;

interface AlertToSend {
  readonly alertId: AlertId;
  readonly state: AlertState;
  /** Whether its mails go out; their places in the list say so where they do not. */
  readonly isMailed: boolean;
  /** To whom. */
  readonly alertEmails: AlertSettings['alertEmails'];
  readonly now: Instant;
}

/** Writes the messages of an alert: a mail to every address. */
export async function sendAlert(
  client: Queryable,
  { alertId, state, isMailed, alertEmails, now }: AlertToSend,
): Promise<void> {
  const due = isMailed
    ? { nextAttemptAt: now, error: null }
    : {
        nextAttemptAt: null,
        error: `Not mailed: ${ALERTS_MAILED} of this kind were within 24 hours.`,
      };
  const messages: AlertMessage[] = alertEmails.map((target) => ({
    ...{ alertId, state, channel: 'email', target },
    ...due,
  }));
  await insertMessages(client, messages);
}
