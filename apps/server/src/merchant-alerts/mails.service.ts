import {
  ALERT_TEST_TEXT,
  alertText,
  alertTitleOf,
  type Condition,
  cleaned,
  type Instant,
  isEvent,
  nextAttemptAt,
} from '@munshi/core';
import { mailTime, sendMail } from '../platform/mail.ts';
import type { ServiceDeps } from '../writes/deps.ts';
import { claimMails, type DueMail, recordMail } from './store.ts';

/** Mails of alerts to merchants: written with the alert, sent by a job (operate/mail.md). */

interface Deps extends Pick<ServiceDeps, 'database' | 'clock' | 'mail' | 'log'> {
  /** Where the portal is, if that is known. */
  readonly portalUrl: string | undefined;
  /** A mail to this merchant was sent, or was not. */
  readonly onChange: (merchantId: string) => void;
}

const AT_ONCE = 20;
/**
 * Longer than a request can wait, because a server may check a mail before it takes it, and one that
 * is given up is sent again; less than the 15 seconds in which a process ends.
 */
const SEND_MS = 12_000;
/** If the process dies, the next one takes over the mail. */
const CLAIM_MS = 60_000;

/** Sends what is due, and records it; answers whether there may be more. */
export async function sendAlertMails(deps: Deps): Promise<boolean> {
  const { clock, database } = deps;
  const now = clock.now();
  const mails = await claimMails(database.pool, now, now + CLAIM_MS, AT_ONCE);
  await Promise.all(
    mails.map((mail) => sendOne(deps, mail).then(() => deps.onChange(mail.merchantId))),
  );
  return mails.length === AT_ONCE;
}

/** A mail that fails is tried again by the schedule of webhooks. */
async function sendOne(deps: Deps, mail: DueMail): Promise<void> {
  const { clock, database } = deps;
  const none = { sentAt: null, nextAttemptAt: null };
  if (deps.mail === undefined) {
    await recordMail(database.pool, mail, { ...none, error: 'No mail is set up here.' });
    return;
  }
  const sent = await sendMail(deps, {
    to: mail.target,
    withinMs: SEND_MS,
    ...contentOf(mail, deps.portalUrl),
  });
  const at = clock.now();
  const error = 'The mail server did not take it.';
  await recordMail(
    database.pool,
    mail,
    sent
      ? { sentAt: at, nextAttemptAt: null, error: null }
      : { sentAt: null, nextAttemptAt: nextAttemptAt(mail.attempts, at), error },
  );
}

/** Without a receiver's host and answer, which the merchant chose: a mail speaks for the platform. */
const mailedText = (condition: Condition, endedAt: Instant | null): string =>
  condition.kind === 'webhook-failing'
    ? `Webhooks to one of your receivers ${endedAt === null ? 'fail' : 'no longer fail'}. The portal says which, and why.`
    : cleaned(alertText({ condition, endedAt }));

function contentOf(mail: DueMail, portalUrl: string | undefined) {
  const { alertId, condition, beganAt, state } = mail;
  const merchant = cleaned(mail.merchantName);
  const isOver = state === 'over';
  const subject = condition === null ? 'Test alert' : alertTitleOf(condition.kind);
  const endedAt = isOver ? mail.endedAt : null;
  const text = condition === null ? ALERT_TEST_TEXT : mailedText(condition, endedAt);
  const times =
    condition === null
      ? ''
      : isEvent(condition)
        ? `\nAt: ${mailTime(beganAt)}\n`
        : `
Began: ${mailTime(beganAt)}
${endedAt === null ? 'You get another mail when it is over.' : `Over: ${mailTime(endedAt)}`}
`;
  const portal = portalUrl === undefined ? '' : `\nThe portal: ${portalUrl}\n`;
  return {
    name: `alert.${alertId}.${state}`,
    ...(isOver && { follows: `alert.${alertId}.begun` }),
    subject: `${isOver ? 'Over: ' : ''}${subject} (${merchant})`,
    text: `Hello,

${text}
${times}${portal}
An admin of ${merchant} has entered this address for alerts, in the portal
under Settings, Alerts. They can take it out there.
`,
  };
}
