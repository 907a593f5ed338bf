import { CURRENCY_SIGNS, type Currency, formatMoney, type Money } from '@munshi/core';
import type { Language } from './texts/languages.ts';

/** Where a currency's customers look at the clock. */
const TIME_ZONES: Readonly<Record<Currency, string>> = {
  PKR: 'Asia/Karachi',
  INR: 'Asia/Kolkata',
  BDT: 'Asia/Dhaka',
};
/** Minutes ahead of UTC there, in every season. */
export const ZONE_MINUTES: Readonly<Record<Currency, number>> = { PKR: 300, INR: 330, BDT: 360 };

/**
 * Keeps a number, an amount or a time in one piece inside a sentence of either direction (Unicode
 * isolates).
 */
export const leftToRight = (text: string | number) => `\u2066${text}\u2069`;
/** Keeps a name in one piece, whichever way it is written. */
export const isolated = (text: string) => `\u2068${text}\u2069`;

const ELEMENTS: Readonly<Record<string, string>> = {
  '\u2066': '<bdi dir="ltr" translate="no">',
  '\u2068': '<bdi translate="no">',
  '\u2069': '</bdi>',
};
/**
 * The same by elements, of a page's text: Chromium before 77 writes the words beside such a
 * character backwards. Titles and attributes keep the characters.
 */
export const isolatedByElements = (page: string): string =>
  page.replace(/<title>[^<]*|<[^>]*>|[\u2066\u2068\u2069]/g, (found) => ELEMENTS[found] ?? found);

const amountFormats = new Map<string, Intl.NumberFormat>();
const timeFormats = new Map<string, Intl.DateTimeFormat>();

/**
 * 1500.5 PKR → `PKR 1,500.50`, INR → `₹1,500.50`: whole amounts without decimals, others with two
 * to four. Exact: a decimal text goes in. The code or sign stands first in every language, where
 * people look for it; large text breaks behind the code, not in the number. Rupees of India are
 * grouped as India does: `₹1,50,000`.
 */
export function amountText(amount: Money, currency: string, language: Language): string {
  const locale = currency === 'INR' && language.code === 'en' ? 'en-IN' : language.locale;
  const plain = formatMoney(amount);
  const decimals = plain.includes('.') ? 2 : 0;
  const format = known(
    amountFormats,
    `${locale} ${decimals}`,
    () =>
      new Intl.NumberFormat(locale, { minimumFractionDigits: decimals, maximumFractionDigits: 4 }),
  );
  const number = format.format(plain as Intl.StringNumericLiteral);
  return `${CURRENCY_SIGNS[currency as Currency] ?? `${currency} `}${number}`;
}

/** The time of day where the customer is, by the order's currency: `3:45 PM`. */
export function timeText(at: number, currency: string, { locale }: Language): string {
  const timeZone = TIME_ZONES[currency as Currency];
  const format = known(
    timeFormats,
    `${locale} ${currency}`,
    () => new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit', timeZone }),
  );
  return format.format(at);
}

/**
 * The day and time of day where the customer is: `Nov 23, 3:45 PM`. Each is isolated: a day's
 * month is written in the language's letters, the time from left to right.
 */
export function dateTimeText(at: number, currency: string, language: Language): string {
  const timeZone = TIME_ZONES[currency as Currency];
  const format = known(
    timeFormats,
    `${language.locale} ${currency} day`,
    () => new Intl.DateTimeFormat(language.locale, { day: 'numeric', month: 'short', timeZone }),
  );
  const comma = language.direction === 'rtl' ? '،' : ',';
  return `${isolated(format.format(at))}${comma} ${leftToRight(timeText(at, currency, language))}`;
}

function known<Format>(formats: Map<string, Format>, key: string, make: () => Format): Format {
  const found = formats.get(key) ?? make();
  formats.set(key, found);
  return found;
}
