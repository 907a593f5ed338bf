import type { Currency } from './method.ts';
import type { Money } from './money.ts';
import { codeAmount } from './payable.ts';

/** A UPI ID: who is paid, and at which bank or app (NPCI, UPI Linking Specifications 1.6). */
const UPI_ID = /^[\w.-]{2,256}@[A-Za-z][A-Za-z0-9.-]{1,63}$/;
export const isUpiId = (text: string): boolean => UPI_ID.test(text);

/** Characters of a note that apps show. */
const NOTE_MAX = 50;

/**
 * The link that opens a UPI app with everything filled in, for an account whose number is a UPI ID
 * or whose QR code is such a link. Null for every other account and currency. A code that its bank
 * has signed would not be valid with an amount: null too. `payable` is in `currency`; `note` is
 * what the payer finds in their statement.
 */
export function upiLink(
  account: {
    readonly accountNumber: string;
    readonly accountTitle: string;
    readonly qrPayload: string | null;
  },
  {
    payable,
    currency,
    note,
  }: { readonly payable: Money; readonly currency: Currency; readonly note: string },
): string | null {
  if (currency !== 'INR') return null;
  const payee = payeeOf(account.qrPayload) ?? { pa: account.accountNumber };
  if (payee === 'signed' || !isUpiId(payee.pa)) return null;
  const { pa, pn = account.accountTitle, mc } = payee;
  const fields = { pa, pn, ...(mc !== undefined && { mc }), am: codeAmount(payable), cu: 'INR' };
  const query = Object.entries({ ...fields, tn: note.slice(0, NOTE_MAX) })
    .map(([name, value]) => `${name}=${encoded(value)}`)
    .join('&');
  return `upi://pay?${query}`;
}

interface Payee {
  readonly pa: string;
  readonly pn?: string;
  /** What kind of merchant it is. */
  readonly mc?: string;
}

/** Whom the link of a QR code names; undefined where it is no such link. */
function payeeOf(qrPayload: string | null): Payee | 'signed' | undefined {
  const [, query] = /^upi:\/\/pay\?(.+)$/i.exec(qrPayload ?? '') ?? [];
  const given = new URLSearchParams(query ?? '');
  const [pa, pn, mc] = ['pa', 'pn', 'mc'].map((name) => given.get(name) || undefined);
  if (pa === undefined) return undefined;
  if (given.has('sign')) return 'signed';
  return { pa, ...(pn !== undefined && { pn }), ...(mc !== undefined && { mc }) };
}

/** For a query; the `@` of an ID stays, which some apps look for. */
const encoded = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replaceAll('%40', '@');
