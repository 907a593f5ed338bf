import { withoutGroups } from './account-number.ts';
import { lastDigits } from './customer-input.ts';
import { latestTimeIn } from './message-time.ts';
import type { Money } from './money.ts';
import type { Instant, Order } from './order.ts';
import { isSentFor } from './payable.ts';
import { readPaymentText } from './payment-text.ts';
import { plainDigits } from './typed.ts';

/**
 * Which order a message of a wallet or bank is about. A message can be forged: what fits leads to an
 * order, and to nothing else (decision 34).
 */

/** A message as it was read. */
export interface PaymentMessage extends ReturnType<typeof readPaymentText> {
  readonly text: string;
  /** The latest time that it can mean; null: it says none. */
  readonly at: Instant | null;
}

/** `utcOffset`: minutes that the reader's clock is ahead of UTC. */
export const readPaymentMessage = (text: string, utcOffset: number): PaymentMessage => ({
  ...readPaymentText(text),
  text,
  at: latestTimeIn(text, utcOffset),
});

/** What makes a message doubtful, even where all else of it fits. */
const WARNINGS = ['before', 'twoAmounts', 'twoIds'] as const;
export type FitWarning = (typeof WARNINGS)[number];

export interface PaymentFit {
  /** Null: the message has no amount. */
  readonly amount: 'fits' | 'differs' | null;
  /** Null: the order has no digits. */
  readonly digits: 'fits' | 'differs' | 'noId' | null;
  /** The customer's account or name. Null: the order knows neither. */
  readonly payer: 'fits' | 'absent' | null;
  /** Money comes in for a deposit, and goes out for a withdrawal. Null: the message does not say. */
  readonly way: 'fits' | 'differs' | null;
  readonly warnings: readonly FitWarning[];
}

/** What of an order is compared. */
export interface ComparedOrder extends Pick<Order, 'orderType' | 'amount' | 'transactionDigits'> {
  readonly createdAt: Instant;
  /** Accounts of its customer, whole or their last digits. */
  readonly accounts: readonly string[];
  readonly names: readonly string[];
}

export function paymentFit(order: ComparedOrder, message: PaymentMessage): PaymentFit {
  const { ids, amounts, direction, at } = message;
  const due = order.orderType === 'Deposit' ? 'in' : 'out';
  const doubts: Readonly<Record<FitWarning, boolean>> = {
    before: at !== null && at < order.createdAt,
    twoAmounts: new Set(amounts).size > 1,
    twoIds: new Set(ids).size > 1,
  };
  return {
    amount: fitOfAmount(order, amounts),
    digits: fitOfDigits(order, ids),
    payer: fitOfPayer(order, message),
    way: direction === undefined ? null : direction === due ? 'fits' : 'differs',
    warnings: WARNINGS.filter((warning) => doubts[warning]),
  };
}

function fitOfAmount(order: ComparedOrder, amounts: readonly Money[]): PaymentFit['amount'] {
  if (amounts.length === 0) return null;
  return amounts.some((amount) => isSentFor(order, amount)) ? 'fits' : 'differs';
}

function fitOfDigits(
  { transactionDigits }: ComparedOrder,
  ids: readonly string[],
): PaymentFit['digits'] {
  if (transactionDigits === null) return null;
  if (ids.length === 0) return 'noId';
  const ends = (id: string) => lastDigits(id, transactionDigits.length) === transactionDigits;
  return ids.some(ends) ? 'fits' : 'differs';
}

/** Messages mask accounts from the left, and write names in capitals. */
function fitOfPayer(
  { accounts, names }: ComparedOrder,
  { text, ids }: PaymentMessage,
): PaymentFit['payer'] {
  if (accounts.length === 0 && names.length === 0) return null;
  const numbers = (plainDigits(text).match(/\d[\d ()+-]{2,}\d/g) ?? [])
    .map(withoutGroups)
    .filter((number) => !ids.includes(number));
  const isWritten = (account: string) =>
    account.includes('@')
      ? text.includes(account)
      : numbers.some((number) => number.endsWith(account.slice(-4)));
  const words = wordsOf(text);
  const isNamed = (name: string) => {
    const parts = wordsOf(name).filter(({ length }) => length > 2);
    return parts.length > 0 && parts.every((part) => words.includes(part));
  };
  return accounts.some(isWritten) || names.some(isNamed) ? 'fits' : 'absent';
}

const wordsOf = (text: string): readonly string[] =>
  text.toUpperCase().match(/[\p{L}\p{M}]+/gu) ?? [];

/** Whether there is a reason to show the order as one that the message may be about. */
export const mayBeAbout = ({ amount, digits, payer }: PaymentFit): boolean =>
  [amount, digits, payer].includes('fits');

const POINTS = { fits: 4, differs: -2, noId: 0, absent: 0 };

/** The larger, the better a message fits. A name or the end of an account is the weakest sign. */
export const fitRank = ({ amount, digits, payer, way, warnings }: PaymentFit): number =>
  POINTS[amount ?? 'absent'] +
  POINTS[digits ?? 'absent'] +
  POINTS[payer ?? 'absent'] / 4 -
  (way === 'differs' ? 2 : 0) -
  warnings.length;

/** The transaction's ID, where the message can mean but one. */
export const onlyIdOf = ({ ids }: PaymentMessage): string | null =>
  ids.length === 1 ? (ids[0] as string) : null;
