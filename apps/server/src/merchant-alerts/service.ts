import { CHANGE_MERCHANT_ALERT_SETTINGS } from '@munshi/api';
import {
  ALERT_TESTS_PER_MINUTE,
  type AlertSettings,
  type AlertState,
  alertTestBody,
  type EventType,
  type Instant,
  isHttpUrl,
  NO_ALERTS,
} from '@munshi/core';
import { findActiveKey } from '../api-keys/store.ts';
import { insertDeliveries } from '../deliveries/store.ts';
import type { Ids } from '../engine/ids.ts';
import { meantUrl, requireOwnDecision } from '../merchants/service.ts';
import { findMerchant, lockMerchant } from '../merchants/store.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { fieldError, found, Refused } from '../platform/refusals.ts';
import { MAILS_OF_MERCHANT, MAILS_TO_MAILBOX, mayMail } from '../writes/counted-sends.ts';
import type { ServiceDeps } from '../writes/deps.ts';
import type { Explained } from '../writes/waiting-writes.ts';
import type { Work, Written } from '../writes/write.ts';
import { changesOf } from '../writes/write.ts';
import {
  type AlertMessage,
  countAlertTests,
  countBegunUntil,
  findAlertSettings,
  insertAlert,
  insertMessages,
  lockAlertSettings,
  type OngoingAlert,
  putAlertSettings,
} from './store.ts';

/** Alerts of a merchant: its settings, and how alerts are sent (webhooks.md#alerts). */

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

/** Throws FieldErrors. */
export function checkAlertChange({ alertUrl }: Partial<AlertSettings>): void {
  if (typeof alertUrl === 'string' && !isHttpUrl(alertUrl))
    throw fieldError('alertUrl', 'must be an absolute http(s) URL.');
}

/** The settings before and after a change, locked. Throws `not-found` and FieldErrors. */
async function lockChanged(db: Queryable, { merchantId, change }: AlertChange) {
  const merchant = found(await lockMerchant(db, merchantId), 'Merchant');
  const before = (await lockAlertSettings(db, merchantId)) ?? NO_ALERTS;
  const after = { ...before, ...change, ...meantUrl('alertUrl', change, before) };
  const names = Object.keys(change) as (keyof AlertSettings)[];
  return { merchant, before, after, changes: changesOf(before, after, names) };
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
 * Sends a test to the alert URL and to every address. Throws `wrong-state` where there is neither,
 * and when it was asked for too often. Test mails count as mails to people do.
 */
export const sendTestAlert =
  (
    { wake }: { readonly wake: (job: 'webhooks' | 'alert-mails') => void },
    merchantId: string,
  ): Work<{ readonly alertId: string }> =>
  async (client, now, ids) => {
    found(await lockMerchant(client, merchantId), 'Merchant');
    const settings = (await lockAlertSettings(client, merchantId)) ?? NO_ALERTS;
    if (settings.alertUrl === null && settings.alertEmails.length === 0)
      throw new Refused('wrong-state', 'Set an alert URL or an e-mail address first.');
    if ((await countAlertTests(client, merchantId, now - 60_000)) >= ALERT_TESTS_PER_MINUTE)
      throw new Refused('wrong-state', `Wait: ${ALERT_TESTS_PER_MINUTE} tests a minute at most.`);
    const alertEmails = await mailable(client, merchantId, settings.alertEmails, { now, ids });
    if (settings.alertUrl === null && alertEmails.length === 0) throw mailsUsedUp();
    const alertId = ids.uuid(now);
    const test = { alertId, merchantId, kind: 'test', subject: '', condition: null } as const;
    await insertAlert(client, { ...test, at: now });
    const event = { eventType: 'alert.test', body: alertTestBody(alertId, now) } as const;
    await sendAlert(client, ids, {
      merchantId,
      alertId,
      state: 'begun',
      isMailed: true,
      now,
      ...event,
      settings: { ...settings, alertEmails },
    });
    const result = { alertId };
    const after = () => {
      wake('webhooks');
      wake('alert-mails');
    };
    return { result, action: 'merchant-alerts.test', target: merchantId, detail: result, after };
  };

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
 * The alert URL and the portal have every alert.
 */
const ALERTS_MAILED = 10;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Whether mails go out about an alert: the same when it begins and when it is over. */
export const isAlertMailed = async (
  db: Queryable,
  alert: Pick<OngoingAlert, 'merchantId' | 'kind' | 'alertId' | 'beganAt'>,
): Promise<boolean> => (await countBegunUntil(db, alert, alert.beganAt - DAY_MS)) <= ALERTS_MAILED;

interface AlertToSend {
  readonly merchantId: string;
  readonly alertId: string;
  readonly state: AlertState;
  /** Whether its mails go out; their places in the list say so where they do not. */
  readonly isMailed: boolean;
  /** To whom. */
  readonly settings: Pick<AlertSettings, 'alertUrl' | 'alertEmails'>;
  readonly eventType: EventType;
  readonly body: string;
  readonly now: Instant;
}

/**
 * Writes the messages of an alert: a delivery to the alert URL, in the place of whose order it
 * stands, so that its end supersedes a beginning that is still tried, and a mail to every address.
 */
export async function sendAlert(
  client: Queryable,
  ids: Ids,
  { merchantId, alertId, state, isMailed, settings, eventType, body, now }: AlertToSend,
): Promise<void> {
  const { alertUrl: url, alertEmails } = settings;
  const due = isMailed
    ? { nextAttemptAt: now, error: null }
    : {
        nextAttemptAt: null,
        error: `Not mailed: ${ALERTS_MAILED} of this kind were within 24 hours.`,
      };
  const messages: AlertMessage[] = alertEmails.map((target) => ({
    ...{ alertId, state, channel: 'email', target, deliveryId: null },
    ...due,
  }));
  if (url !== null) {
    const key = await findActiveKey(client, merchantId);
    const deliveryId = key === undefined ? null : ids.uuid(now);
    const about = { merchantId, subjectId: alertId, createdAt: now };
    if (key !== undefined && deliveryId !== null)
      await insertDeliveries(
        client,
        [{ ...about, deliveryId, apiKeyId: key.keyId, eventType, url, body }],
        now,
      );
    const error = key === undefined ? 'The merchant has no active API key to sign with.' : null;
    const message = { alertId, state, channel: 'url', target: url } as const;
    messages.push({ ...message, deliveryId, nextAttemptAt: null, error });
  }
  await insertMessages(client, messages);
}
