import { accountKey } from './account-number.ts';
import { dayAt, type Period, parseDay, periodOfDay, type Zones } from './calendar.ts';
import type { Money } from './money.ts';
import type { Instant } from './order.ts';
import { transactionKey } from './transaction-id.ts';
import { plainDigits, readTypedAmount } from './typed.ts';

/**
 * What a search for an order may mean: its text was read aloud, copied from a chat, or seen on a
 * screenshot (decision 28). Every part that is not empty is looked for.
 */
export interface OrderSearch {
  /** A whole reference: ours, the merchant's or the customer's. */
  readonly text: string;
  readonly orderId: string | null;
  /** The six characters at the end of our reference. */
  readonly shortEnd: string | null;
  /** An account number, as accountKey writes it. */
  readonly account: string | null;
  /** A transaction ID, as transactionKey writes it. */
  readonly transaction: string | null;
  /** Digits that the customer may have entered, of any order. */
  readonly digits: readonly string[];
  /** The same so short that many ended orders have them by chance: looked for among open ones. */
  readonly openDigits: readonly string[];
  readonly amount: Money | null;
  /** With a time behind the amount: the times of creation that it stands for. Null: any. */
  readonly created: readonly Period[] | null;
}

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

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** The end of a reference in Crockford's letters, or what is easily mistaken for them. */
const SHORT_END = /^(?:ORD-)?(?:\d{14}-|-)?([0-9A-Z]{6})$/i;
const KEY_LENGTH_MIN = 4;
const KEY_LENGTH_MAX = 50;
/** Customers enter the last 4 to 8 digits, or all of a transaction ID. */
const WHOLE_OR_END = /^\d{4,20}$/;
const ENDS = [4, 5, 6, 7, 8];
/** Fewer digits than this are those of a thousand orders in five million. */
const TELLING_END = 6;

/** Reads what was typed into the search box, trimmed. Digits may be of any script. */
export function readOrderSearch(typed: string, here: Here): OrderSearch {
  const text = plainDigits(typed);
  const timed = readAmountAndTime(text, here);
  const transaction = keyOf(transactionKey(text));
  const digits = WHOLE_OR_END.exec(transaction ?? '')?.[0];
  const ends = ENDS.filter((length) => digits !== undefined && length < digits.length);
  const endOf = (length: number) => (digits as string).slice(-length);
  const isWholeId = digits !== undefined && digits.length > Math.max(...ENDS);
  return {
    text: typed, // references of merchants may have digits of any script
    orderId: UUID.test(text) ? text.toLowerCase() : null,
    shortEnd: readShortEnd(text),
    account: keyOf(accountKey(typed)),
    transaction,
    digits:
      digits !== undefined
        ? [digits, ...(isWholeId ? ends.filter((length) => length >= TELLING_END).map(endOf) : [])]
        : [],
    openDigits: isWholeId ? ends.filter((length) => length < TELLING_END).map(endOf) : [],
    amount: timed?.amount ?? readAmount(text),
    created: timed?.created ?? null,
  };
}

const keyOf = (key: string): string | null =>
  key.length >= KEY_LENGTH_MIN && key.length <= KEY_LENGTH_MAX ? key : null;

/** Crockford has no I, L, O: they are one and zero. */
function readShortEnd(text: string): string | null {
  const end = SHORT_END.exec(text)?.[1];
  return end === undefined ? null : end.toUpperCase().replaceAll(/[IL]/g, '1').replaceAll('O', '0');
}

const AMOUNT = /^(?:[A-Z]{3} ?)?(\S+)$/i;

/** `2500`, `2,500.00`, `1,00,000`, `PKR 2500`. */
function readAmount(text: string): Money | null {
  const amount = readTypedAmount(AMOUNT.exec(text)?.[1] ?? '');
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
