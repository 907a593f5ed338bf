import { localAmountText, payableAmount } from '@munshi/web';
import { LANGUAGES, language, texts } from './language.ts';
import { now } from './now.ts';
import type { Order } from './work/orders.ts';

const isRightToLeft = () => LANGUAGES[language.value].direction === 'rtl';
/** Keeps an amount, a number or a time in one piece inside a sentence that runs the other way. */
export const leftToRight = (text: string | number): string =>
  isRightToLeft() ? `\u2066${text}\u2069` : String(text);
/** Keeps a name in one piece there, whichever way it is written. */
export const isolated = (text: string): string => (isRightToLeft() ? `\u2068${text}\u2069` : text);

export const moneyText = (amount: string, currency: string) =>
  leftToRight(localAmountText(amount, currency));
/** What comes in or is paid of an order. */
export const payableText = (order: Pick<Order, 'orderType' | 'amount' | 'currency'>): string =>
  moneyText(payableAmount(order), order.currency);

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `41 s`, `14 min`, `3 h`, `2 days`, rounded down. */
export function lengthText(ms: number): string {
  const { seconds, minutes, hours, days } = texts.value;
  const length = Math.max(0, ms);
  if (length < MINUTE) return seconds(Math.floor(length / 1000));
  if (length < HOUR) return minutes(Math.floor(length / MINUTE));
  if (length < DAY) return hours(Math.floor(length / HOUR));
  return days(Math.floor(length / DAY));
}

/** `2 min ago` by the service's clock, updated as time passes. */
export function agoText(at: string | number): string {
  const passed = now.value - (typeof at === 'number' ? at : Date.parse(at));
  return passed < 10_000 ? texts.value.now : texts.value.ago(lengthText(passed));
}

const format = (at: string | number, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(LANGUAGES[language.value].locale, options).format(
    typeof at === 'number' ? at : Date.parse(at),
  );

/** `15:45`, where the reader is. */
export const timeText = (at: string | number) =>
  leftToRight(format(at, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }));
/** `23 Nov`, where the reader is. */
export const dayText = (at: string | number) =>
  isolated(format(at, { day: 'numeric', month: 'short' }));

/** `0310…567`: enough to recognise one's own account by. */
export const shortAccount = (account: string): string =>
  leftToRight(
    account.length <= 8 ? account : `${account.slice(0, 4)}\u2060…\u2060${account.slice(-3)}`,
  );
