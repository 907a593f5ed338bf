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
