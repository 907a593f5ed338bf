import { cleaned, type Instant } from '@munshi/core';
import type { PortalUserRecord } from '../people/portal-users.store.ts';
import { mailTime, sendMail } from '../platform/mail.ts';
import type { ServiceDeps } from '../writes/deps.ts';

/**
 * Mails to the people of a merchant. They hold no text that the maker of a link has chosen, be it
 * their own name or the username: it would be read as the platform's. The merchant's name is the
 * operators'; the username is shown where the password is chosen.
 */

export interface LinkMail {
  /** Without an address where none is known, or nothing more is mailed to it. */
  readonly user: Pick<PortalUserRecord, 'email' | 'invited'>;
  readonly merchantName: string;
  readonly link: string;
  readonly expiresAt: Instant;
}

/** Answers whether it was mailed: never where no address is known or no mail is set up. */
export async function mailLink(
  deps: Pick<ServiceDeps, 'mail' | 'log'>,
  mail: LinkMail,
): Promise<boolean> {
  const { email, invited } = mail.user;
  if (email === null) return false;
  return sendMail(deps, { to: email, ...(invited ? invitation(mail) : recovery(mail)) });
}

function invitation({ merchantName, link, expiresAt }: LinkMail) {
  const portal = `the portal of ${cleaned(merchantName)}`;
  return {
    subject: `Invitation to ${portal}`,
    text: `Hello,

An admin invites you to ${portal}.
Choose your password here; the page shows your username:

${link}

The link works once, until ${mailTime(expiresAt)}.
Keep it to yourself: whoever has it can sign in as you.

If you did not expect this, ignore this mail. Nothing happens then.
`,
  };
}

function recovery({ merchantName, link, expiresAt }: LinkMail) {
  const portal = `the portal of ${cleaned(merchantName)}`;
  return {
    subject: `A new password for ${portal}`,
    text: `Hello,

An admin has made a link for you to choose a new password for
${portal}. The page shows your username.

${link}

The link works once, until ${mailTime(expiresAt)}.
You have been signed out. One-time codes are turned off when you use the link.
Keep it to yourself: whoever has it can sign in as you.

If you did not ask for this, do not use the link, and ask an admin of your company.
`,
  };
}
