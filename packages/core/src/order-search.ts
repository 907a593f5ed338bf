import { accountKey, seenLine } from './account-number.ts';
import { dayAt, type Period, parseDay, periodOfDay, type Zones } from './calendar.ts';
import type { Money } from './money.ts';
import type { Instant } from './order.ts';
import { readPaymentText } from './payment-text.ts';
import { CURRENCY_AROUND } from './payment-words.ts';
import { transactionKey } from './transaction-id.ts';
import { plainDigits, readTypedAmount } from './typed.ts';

/**
 * Everything that one text may find an order by, and among which orders: all, or the newest alone
 * (decision 28). The searches are a record of these, and what a search that found nothing says is
 * made of them.
 */
export const ORDER_SEARCHES = {
  orderId: 'all',
  /** A whole reference in the case that was typed, in capitals or in small letters. */
  reference: 'all',
  shortEnd: 'all',
  merchantReferenceEnd: 'all',
  /** An account number, as accountKey writes it. */
  account: 'all',
  accountEnd: 'all',
  /** A transaction ID, as transactionKey writes it. */
  transaction: 'all',
  digits: 'all',
  amount: 'all',
  /** Of a merchant, a member or who an account of a member belongs to. */
  name: 'all',
  referencePart: 'newest',
  customerName: 'newest',
} as const satisfies Record<string, 'all' | 'newest'>;
export type OrderSearchKind = keyof typeof ORDER_SEARCHES;
export const ORDER_SEARCH_KINDS = Object.keys(ORDER_SEARCHES) as readonly OrderSearchKind[];

/** What merchants know: not accounts of members, nor what customers and members entered. */
export const MERCHANTS_SEARCH_BY: readonly OrderSearchKind[] = [
  'orderId',
  'reference',
  'shortEnd',
  'merchantReferenceEnd',
  'accountEnd',
  'amount',
  'referencePart',
];

/**
 * What a search for an order may mean: its text was read aloud, copied from a chat, or seen on a
 * screenshot. Every kind that is not null is looked for.
 */
export interface OrderSearch {
  readonly orderId: string | null;
  /** As typed and as it is seen, each also in capitals and in small letters. */
  readonly reference: readonly string[];
  /** The six characters at the end of our reference. */
  readonly shortEnd: string | null;
  /** In any case. */
  readonly merchantReferenceEnd: string | null;
  readonly account: string | null;
  /** The last four digits of an account or telephone number. */
  readonly accountEnd: string | null;
  readonly transaction: string | null;
  /** Digits that the customer may have entered. */
  readonly digits: {
    readonly ofAny: readonly string[];
    /** So short that many ended orders have them by chance: looked for among open ones. */
    readonly ofOpen: readonly string[];
  } | null;
  readonly amount: {
    readonly value: Money;
    /** The times of creation that a time behind the amount means. Null: any. */
    readonly created: readonly Period[] | null;
  } | null;
  /** In any case. */
  readonly name: string | null;
  /** In any case. Digits are a whole number of a reference, such as 1001 in INV-1001-A. */
  readonly referencePart: string | null;
  readonly customerName: string | null;
}

/** By which of these kinds a text is looked for. */
export const kindsOfSearch = (
  search: OrderSearch,
  kinds: readonly OrderSearchKind[],
): readonly OrderSearchKind[] => kinds.filter((kind) => search[kind] !== null);

interface Here {
  readonly now: Instant;
  /** Of the asker's clock. */
  readonly zones: Zones;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** A time of day without a date is meant of one of these days. */
const DAYS_BACK = 7;
/** An order is created some time before its customer pays, which is the time that people know. */
const BEFORE_MS = 60 * MINUTE_MS;
const AFTER_MS = 10 * MINUTE_MS;

/** An order's id anywhere in a text, such as the address of its page. */
const UUID = /(?:^|[^0-9a-z])([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![0-9a-z])/i;
/** Our reference anywhere in a text, such as a chat's message. */
const WHOLE = /(?:^|[^0-9A-Z])ORD[- ]?\d{14}[- ]?([0-9A-Z]{6})(?![0-9A-Z])/i;
/** The end of a reference in Crockford's letters, or what is easily mistaken for them. */
const SHORT_END = /^#?(?:ORD[- ]?)?(?:\d{14}[- ]?|-)?([0-9A-Z]{6})$/i;
const KEY_LENGTH_MIN = 4;
const KEY_LENGTH_MAX = 50;
/** Customers enter the last 4 to 8 digits, or all of a transaction ID. */
const WHOLE_OR_END = /^\d{4,20}$/;
const ENDS = [4, 5, 6, 7, 8];
/** Fewer digits than this are those of a thousand orders in five million. */
const TELLING_END = 6;

/** Shorter parts are of too many. */
const PART_MIN = 3;
const MERCHANT_END_MIN = 4;
const LETTER = /\p{L}/u;

/**
 * Reads what was typed or pasted into the search box, trimmed. Digits may be of any script; a whole
 * payment message is its transaction.
 */
export function readOrderSearch(typed: string, here: Here): OrderSearch {
  const seen = seenLine(typed);
  const text = plainDigits(seen);
  const timed = readAmountAndTime(text, here);
  const amount = timed?.amount ?? readAmount(text);
  const { ids } = readPaymentText(typed);
  const transaction = keyOf(transactionKey(ids.length === 1 ? (ids[0] as string) : text));
  const account = keyOf(accountKey(typed));
  const name = LETTER.test(seen) && seen.length >= PART_MIN ? seen : null;
  return {
    orderId: UUID.exec(text)?.[1]?.toLowerCase() ?? null,
    reference: casesOf([typed, seen]), // merchants may use digits of any script
    shortEnd: readShortEnd(text),
    merchantReferenceEnd: seen.length >= MERCHANT_END_MIN ? seen : null,
    account,
    accountEnd: readLastFour(typed),
    transaction,
    digits: readDigits(transaction),
    amount: amount === null ? null : { value: amount, created: timed?.created ?? null },
    name,
    referencePart: seen.length >= PART_MIN ? seen : null,
    customerName: name,
  };
}

const casesOf = (texts: readonly string[]): readonly string[] => [
  ...new Set(texts.flatMap((text) => [text, text.toUpperCase(), text.toLowerCase()])),
];

/**
 * Four digits, by which the end of an account or telephone number is read aloud, perhaps behind a
 * mask: `…4567`, `****4567`, `XXXX4567`.
 */
export const readLastFour = (typed: string): string | null =>
  /^(?:[…*•]+|X{2,})?(\d{4})$/.exec(accountKey(typed))?.[1] ?? null;

function readDigits(transaction: string | null): OrderSearch['digits'] {
  const digits = WHOLE_OR_END.exec(transaction ?? '')?.[0];
  if (digits === undefined) return null;
  const isWholeId = digits.length > Math.max(...ENDS);
  const ends = isWholeId ? ENDS.map((length) => digits.slice(-length)) : [];
  return {
    ofAny: [digits, ...ends.filter((end) => end.length >= TELLING_END)],
    ofOpen: ends.filter((end) => end.length < TELLING_END),
  };
}

const keyOf = (key: string): string | null =>
  key.length >= KEY_LENGTH_MIN && key.length <= KEY_LENGTH_MAX ? key : null;

/** Crockford has no I, L, O: they are one and zero. */
function readShortEnd(text: string): string | null {
  const end = (WHOLE.exec(text) ?? SHORT_END.exec(text))?.[1];
  return end === undefined ? null : end.toUpperCase().replaceAll(/[IL]/g, '1').replaceAll('O', '0');
}

/** `2500`, `2,500.00`, `1,00,000`, `PKR 2 500`, `Rs. 2,500/-`, `₹2500`, `2500 taka`. */
function readAmount(text: string): Money | null {
  const amount = readTypedAmount(CURRENCY_AROUND.exec(text)?.[1] ?? '');
  return amount === undefined || amount <= 0n ? null : amount;
}

const TIMED =
  /^(?<amount>.+?)\s+(?:(?<date>\d{4}-\d{2}-\d{2})(?:[ T](?<at>\d{1,2}:\d{2}))?|(?<time>\d{1,2}:\d{2}))$/;

/** `2500 10:40`, `2500 2026-01-31`, `2500 2026-01-31 10:40`. */
function readAmountAndTime(
  text: string,
  { now, zones }: Here,
): { readonly amount: Money; readonly created: readonly Period[] } | undefined {
  const { amount: written, date, at, time } = TIMED.exec(text)?.groups ?? {};
  const amount = written === undefined ? null : readAmount(written);
  if (amount === null) return undefined;
  const day = date === undefined ? dayAt(now, zones) : parseDay(date);
  const minutes = minutesOf(at ?? time ?? '0:00');
  if (day === undefined || minutes === undefined) return undefined;
  const period = periodOfDay(day, zones);
  if (date !== undefined && at === undefined) return { amount, created: [period] };
  const around = (midnight: Instant) => {
    const then = midnight + minutes * MINUTE_MS;
    return { from: then - BEFORE_MS, to: then + AFTER_MS };
  };
  const days = date === undefined ? DAYS_BACK : 1;
  const created = Array.from({ length: days }, (_, back) => around(period.from - back * DAY_MS));
  return { amount, created };
}

/** Minutes since midnight. */
function minutesOf(time: string): number | undefined {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours < 24 && minutes < 60 ? hours * 60 + minutes : undefined;
}
