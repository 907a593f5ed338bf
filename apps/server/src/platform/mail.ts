import { cleaned, type Instant } from '@munshi/core';
import { createTransport } from 'nodemailer';
import type { MailServer } from './config/mail.ts';
import { whyItFailed } from './outbound/failure.ts';

/** Mail to people, by the server that SMTP_URL names (operate/mail.md). */

export type MailOutcome = 'sent' | 'failed';

/** The way to people's mailboxes. */
export interface Mailing {
  readonly server: MailServer;
  onMail(outcome: MailOutcome): void;
}

const CONNECT_MS = 5_000;
/**
 * For a mail that a request waits for: it is answered within nine seconds, and the answer alone shows
 * the link that was mailed.
 */
const WHOLE_MS = 7_000;

interface Mail {
  /** One address, as EMAIL of the API takes it. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** Names the mail, so that a mail program shows one that is sent twice once. Else it is random. */
  readonly name?: string;
  /** The name of the one that this follows. */
  readonly follows?: string;
  /** By when the server must have taken it; seven seconds by default. */
  readonly withinMs?: number;
}

/**
 * Hands a mail to the server and answers whether it was taken; false where no mail is set up. Takes
 * `withinMs` at most and never throws. Never called in a transaction or under a lock.
 */
export async function sendMail(
  {
    mail,
    log,
  }: {
    /** Undefined where no mail is set up. */
    readonly mail: Mailing | undefined;
    readonly log: { error(detail: object, message: string): void };
  },
  { to, subject, text, name, follows, withinMs = WHOLE_MS }: Mail,
): Promise<boolean> {
  if (mail === undefined) return false;
  const { from } = mail.server;
  const idOf = (named: string) => `<${named}@${from.address.slice(from.address.indexOf('@') + 1)}>`;
  try {
    await transportOf(mail.server, withinMs).sendMail({
      from,
      to: { name: '', address: to },
      envelope: { from: from.address, to: [to] },
      subject: cleaned(subject),
      text,
      ...(name !== undefined && { messageId: idOf(name) }),
      ...(follows !== undefined && { inReplyTo: idOf(follows), references: idOf(follows) }),
      textEncoding: 'quoted-printable',
      headers: { 'Auto-Submitted': 'auto-generated' },
      xMailer: false,
      ...limited(withinMs),
    });
    mail.onMail('sent');
    return true;
  } catch (error) {
    // What the server says may repeat the address.
    const { code, responseCode } = error as { readonly code?: string; responseCode?: number };
    log.error({ code, responseCode }, 'a mail could not be sent');
    mail.onMail('failed');
    return false;
  }
}

/**
 * Connects and signs in as a mail would, and sends none. Answers what the server says against it, or
 * why it was not reached; undefined: all is well.
 */
export async function whyNoMail(server: MailServer): Promise<string | undefined> {
  try {
    await transportOf(server).verify();
    return undefined;
  } catch (error) {
    const { response } = error as { readonly response?: string };
    return response ?? whyItFailed(error as Error, 'The mail server');
  }
}

/** Its published types do not know `signal` yet. */
const limited = (ms: number): object => ({ signal: AbortSignal.timeout(ms) });

function transportOf({ host, port, tls, login }: MailServer, socketTimeout = WHOLE_MS) {
  return createTransport({
    host,
    port,
    secure: tls === 'at-once',
    requireTLS: tls === 'upgraded',
    ignoreTLS: tls === 'none',
    // A server that does not accept a password is probably the wrong one.
    ...(login && { auth: { user: login.user, pass: login.password }, forceAuth: true }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

const TIME = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
});
/** A time as mails say it. */
export const mailTime = (at: Instant): string => `${TIME.format(at)} UTC`;
