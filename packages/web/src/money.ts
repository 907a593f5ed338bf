import {
  CURRENCY_SIGNS,
  type Currency,
  divideHalfUp,
  formatMoney,
  groupedMoney,
  type Money,
  moneyText,
  type OrderType,
  parseMoney,
  payableAmount as payableMoney,
  readTypedAmount,
} from '@munshi/core';

/**
 * Amounts as the faces write them: plain decimal text with at most four decimals. Sums go through
 * bigint; no JavaScript number ever holds one.
 */

/** Throws RangeError on text that is no amount. */
function read(amount: string): Money {
  const value = parseMoney(amount);
  if (value === undefined) throw new RangeError(`not an amount of money: ${amount.slice(0, 50)}`);
  return value;
}

/** Plain text of a typed amount, in digits of any script; undefined for what is no amount. */
export function readAmount(typed: string): string | undefined {
  const value = readTypedAmount(typed);
  return value === undefined ? undefined : formatMoney(value);
}

export const addMoney = (...amounts: readonly string[]): string =>
  formatMoney(amounts.reduce((sum, amount) => sum + read(amount), 0n));

export const subtractMoney = (from: string, amount: string): string =>
  formatMoney(read(from) - read(amount));

/** Below zero, zero or above it, as `sort` takes it. */
export function compareMoney(left: string, right: string): number {
  const difference = read(left) - read(right);
  return difference < 0n ? -1 : Number(difference > 0n);
}

/**
 * How large an amount is beside another one, to four decimals: for drawing, and for nothing else.
 */
export const shareOf = (amount: string, whole: string): number =>
  Number((read(amount) * 10_000n) / read(whole)) / 10_000;

/** So many hundredths of a percent of an amount, to two decimals. */
export const basisPointsOf = (amount: string, points: number): string =>
  formatMoney(divideHalfUp(read(amount) * BigInt(points), 1_000_000n) * 100n);

interface OrderAmount {
  readonly orderType: OrderType;
  /** In the shortest form, as answers have it. */
  readonly amount: string;
}

/** What is sent of an order (states.md#what-is-sent). */
export const payableAmount = ({ orderType, amount }: OrderAmount): string =>
  formatMoney(payableMoney({ orderType, amount: read(amount) }));

/** The same where it is not the order's amount; null: it is. */
export function roundedAmount(order: OrderAmount): string | null {
  const payable = payableAmount(order);
  return payable === order.amount ? null : payable;
}

/** Whether this is what is sent of the order, or its exact amount; as `readAmount` answers it. */
export const isSentFor = (order: OrderAmount, sent: string): boolean =>
  sent === order.amount || sent === payableAmount(order);

export const isZero = (amount: string): boolean => read(amount) === 0n;

/** What is copied: the shortest plain digits, `1500.5`. */
export const plainAmount = (amount: string): string => formatMoney(read(amount));

/** What consoles show: `1,500.50`. */
export const groupedAmount = (amount: string): string => groupedMoney(read(amount));

/** `PKR 1,500.50`. */
export const amountText = (amount: string, currency: string): string =>
  moneyText(read(amount), currency);

/** What people of a currency's country write before an amount: `₹`, `৳`, or its code. */
export const signOf = (currency: string): string =>
  CURRENCY_SIGNS[currency as Currency] ?? currency;

/**
 * For the people who pay and are paid, as the payment page has it: `₹1,50,000`, `৳2,500`, `PKR
 * 2,500`. Rupees of India are grouped as India does.
 */
export function localAmountText(amount: string, currency: string): string {
  const sign = CURRENCY_SIGNS[currency as Currency];
  if (sign === undefined) return amountText(amount, currency);
  const text = groupedAmount(amount);
  const [integer = '', decimals] = text.replace('\u2212', '').split('.');
  const grouped =
    currency === 'INR' ? integer.replaceAll(',', '').replace(/\B(?=(\d\d)*\d{3}$)/g, ',') : integer;
  const below = text.startsWith('\u2212') ? '\u2212' : '';
  return `${below}${sign}${grouped}${decimals === undefined ? '' : `.${decimals}`}`;
}

export {
  accountKey,
  PAYMENT_TEXT_MAX,
  type PaymentText,
  piecesOf,
  plainDigits,
  plainLine,
  readPaymentText,
  transactionKey,
} from '@munshi/core';
