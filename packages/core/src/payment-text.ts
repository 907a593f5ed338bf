import { localMobile, plainLine } from './account-number.ts';
import { CURRENCIES } from './method.ts';
import type { Money } from './money.ts';
import {
  AMOUNTS,
  COMES,
  FAILS,
  GOES,
  LABEL,
  LABELS,
  NOT_PAID,
  NOT_PAID_BEHIND,
  VAGUE,
} from './payment-words.ts';
import { transactionId } from './transaction-id.ts';
import { readTypedAmount } from './typed.ts';

/** What a payment message says. Anybody can write one: it proves nothing. */
export interface PaymentText {
  /** Every ID that it may mean, as transactionId writes it. Several: ask, never guess. */
  readonly ids: readonly string[];
  /** Every amount but balances, fees and limits. */
  readonly amounts: readonly Money[];
  /** Whether its reader's money came or went; undefined where it does not say, or it failed. */
  readonly direction: 'in' | 'out' | undefined;
}

/** Two messages at most. Of a longer text nothing is read. */
export const PAYMENT_TEXT_MAX = 1_000;

const NOTHING: PaymentText = { ids: [], amounts: [], direction: undefined };
/** Turns the text behind it around: what is read would not be what is seen. */
const RIGHT_TO_LEFT_OVERRIDE = '\u202e';

/**
 * Reads a text that was pasted: the message of a wallet or bank, a receipt, or an ID alone. An ID is
 * what a label names, or all of a text without other words. Dates, times, amounts, phone numbers and
 * account numbers are none. Words: `payment-words.ts`.
 */
export function readPaymentText(text: string): PaymentText {
  if (text.length > PAYMENT_TEXT_MAX || text.includes(RIGHT_TO_LEFT_OVERRIDE)) return NOTHING;
  const plain = plainLine(text).toUpperCase();
  const alone = idAlone(text);
  return {
    ids: alone === undefined ? idsIn(plain) : [alone].filter((id) => isId(id) && !isMobile(id)),
    amounts: amountsIn(plain),
    direction: directionOf(plain),
  };
}

/**
 * The ID, or the end of one, where a text is nothing else but a label before it: digits, perhaps in
 * groups, and letters. A mobile number or a short number passes; a date, an amount, an IBAN and a
 * masked account do not.
 */
export function idAlone(text: string): string | undefined {
  if (text.includes(RIGHT_TO_LEFT_OVERRIDE)) return undefined;
  const plain = plainLine(text).toUpperCase();
  const label = LABEL.exec(plain);
  const rest = (label?.index === 0 ? plain.slice(label[0].length) : plain).replace(/[.,;:]$/, '');
  const isWhole = rest.split(' ').every((part) => /^[\p{L}\d-]*\d[\p{L}\d-]*$/u.test(part));
  const id = transactionId(rest);
  return isWhole && !isOther(id) ? id : undefined;
}

/** Digits, perhaps in fours; letters and digits, and hyphens inside where digits follow. */
const TOKEN =
  /\d{4}(?: \d{4}){2,3}(?![\p{L}\p{N}])|\d{9,}(?![\p{L}\p{N}])|[\p{L}\p{N}]+(?:-(?=\p{L}*\p{N})[\p{L}\p{N}]+)*/uy;
/** The number goes on: a UPI ID, a masked account, decimals, a date, a time. */
const GOES_ON = /^(?:[@*]|[.,:]\d|\/\d{1,2}(?!\d))/;
const IN_GROUPS = /^\d{1,8}(?: \d{1,8})+\.?$/;
const ID_MIN = 6;
/** Behind a way of payment: shorter are bank codes and phone numbers. */
const ID_OF_WAY_MIN = 12;

function idsIn(plain: string): readonly string[] {
  const ids = new Set<string>();
  LABELS.lastIndex = 0;
  for (let found = LABELS.exec(plain); found !== null; found = LABELS.exec(plain)) {
    const [, label, separator = ''] = found;
    const from = LABELS.lastIndex;
    // What follows may be another label, which is found by the separator before it.
    LABELS.lastIndex = from - 1;
    if (label === 'ID' && !separator.includes('#') && !isOwn(plain.slice(0, found.index))) continue;
    const rest = plain.slice(from);
    TOKEN.lastIndex = from;
    const token = IN_GROUPS.test(rest) ? rest : (TOKEN.exec(plain)?.[0] ?? '');
    const id = transactionId(token);
    const lengthMin = label === undefined ? ID_OF_WAY_MIN : ID_MIN;
    if (!isId(id, lengthMin) || GOES_ON.test(rest.slice(token.length))) continue;
    if ((label === undefined || VAGUE.test(label)) && isMobile(id)) continue;
    ids.add(id);
    LABELS.lastIndex = from + token.length;
  }
  return [...ids];
}

/** Whether `ID` names the payment: at the beginning, or behind one of these words. */
const isOwn = (before: string) => /(?:^|PAYMENT|MY|MERI|MERA)[\s:*]*$/.test(before);

const isId = (id: string, lengthMin = ID_MIN): boolean =>
  /\d/.test(id) && id.replace(/[^\p{L}\p{N}]/gu, '').length >= lengthMin && !isOther(id);

const isMobile = (id: string): boolean =>
  CURRENCIES.some((currency) => localMobile(id, currency) !== undefined);

/** A date, an amount, a masked account or an IBAN. */
const isOther = (text: string): boolean =>
  [
    /^\d{1,4}-?(?:\d{1,2}|[A-Z]{3,9})-\d{2,4}$|^\d{1,2}-?[A-Z]{3}-?\d{2,4}$/,
    /^(?:RS|PKR|INR|BDT|TK)\d+$/,
    /^X+\d{3,6}$|^XX+\d+$|X{4,}/,
    /^(?=.{15})[A-Z]{2}\d{2}[A-Z]{4}[A-Z\d]+$/,
  ].some((other) => other.test(text));

function amountsIn(plain: string): readonly Money[] {
  const amounts = new Set<Money>();
  let end = 0;
  AMOUNTS.lastIndex = 0;
  for (let found = AMOUNTS.exec(plain); found !== null; found = AMOUNTS.exec(plain)) {
    const before = plain.slice(end, found.index + 1);
    end = AMOUNTS.lastIndex;
    const amount = readTypedAmount(found[1] ?? found[2] ?? '');
    if (amount === undefined || amount <= 0n) continue;
    if (!NOT_PAID.test(before) && !NOT_PAID_BEHIND.test(plain.slice(end))) amounts.add(amount);
  }
  return [...amounts];
}

/** The first word decides: who debits an account often says that another one is credited. */
function directionOf(plain: string): PaymentText['direction'] {
  if (FAILS.test(plain)) return undefined;
  const [came, went] = [COMES.exec(plain)?.index, GOES.exec(plain)?.index];
  if (came === undefined) return went === undefined ? undefined : 'out';
  return went === undefined || came <= went ? 'in' : 'out';
}
