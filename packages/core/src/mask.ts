import type { Order } from './order.ts';

/** Personal data as lists and screens show it until somebody asks for all of it. */

const MASK = '…';

/**
 * The last four characters of an account number; of a UPI ID the last two of its user, with the
 * bank or app, which is the same for millions.
 */
export function maskAccount(account: string, mask = MASK): string {
  if (account.startsWith(mask)) return account;
  const [, user, at] = /^([^@\s]+)(@[^@\s]+)$/.exec(account) ?? [];
  if (user !== undefined && at !== undefined)
    return `${mask}${[...user].length > 4 ? [...user].slice(-2).join('') : ''}${at}`;
  const characters = [...account];
  return characters.length <= 4 ? account : `${mask}${characters.slice(-4).join('')}`;
}

/** Whether an account number is masked: its end would identify it among few. */
export const isMasked = (account: string): boolean => account.startsWith(MASK);

/** The first letter of each part of a name. */
export const maskName = (name: string): string =>
  name
    .split(/\s+/)
    .filter((part) => part !== '')
    .map((part) => `${[...part][0]}${MASK}`)
    .join(' ');

const LOGIN = /^(https?:\/\/)([^/\\?#]*)@/i;
/** Not the ellipsis: a URL has none, and forms send this one back. */
const LOGIN_MASK = '***';

/**
 * A URL that the service calls, as people see it: without what goes before the host. A user name
 * alone may be a token. Other texts as they are.
 */
export const maskLogin = (text: string): string => text.replace(LOGIN, `$1${LOGIN_MASK}@`);

/** The URL without what goes before the host, shown or not. */
export const withoutLogin = (text: string): string => text.replace(LOGIN, '$1');

/**
 * The URL that is meant by one that a form shows and sends back: with the user name and password
 * that are kept. Undefined where none are kept, or where they are of another host, which would
 * otherwise learn them.
 */
export function withKeptLogin(sent: string, kept: string | null): string | undefined {
  if (LOGIN.exec(sent)?.[2] !== LOGIN_MASK) return sent;
  const login = LOGIN.exec(kept ?? '')?.[2];
  if (kept === null || login === undefined) return undefined;
  const isSameHost = new URL(sent).origin === new URL(kept).origin;
  return isSameHost ? sent.replace(LOGIN, (_, scheme) => `${scheme}${login}@`) : undefined;
}

type PersonalData = Pick<Order, 'customerAccountNumber' | 'customerAccountName' | 'payerAccount'>;

/**
 * What stays of an order's personal data for good (decision 20). A short account number is masked
 * whole; of an IBAN no more than its end was ever asked for.
 */
export const maskForGood = ({
  customerAccountNumber: account,
  customerAccountName: name,
  payerAccount: payer,
}: PersonalData): PersonalData => ({
  customerAccountNumber: account && (account.length <= 4 ? MASK : maskAccount(account)),
  customerAccountName: name && maskName(name),
  payerAccount: payer && maskAccount(payer),
});
