import type { Exact, Given } from '@munshi/api';
import {
  AMOUNT_MAX,
  type Factor,
  formatMoney,
  type Instant,
  type JsonMember,
  type Money,
  parseDay,
  parseFactor,
  parseMoney,
  startOfDay,
  type Zones,
} from '@munshi/core';
import { FieldErrors } from '../refusals.ts';

/**
 * Numbers, times and ids in requests and answers of the operator and member faces. Exact numbers
 * are read from the source text and written as digits, never as a JavaScript number
 * (merchant-api.md#conventions).
 */

/** Reads one exact number from its source, or says what is wrong with it. */
export type NumberReader<T> = (
  source: string,
) => { readonly value: T } | { readonly wrong: string };

const decimals = (places: number) =>
  `must be written without an exponent and have at most ${places} decimal places.`;

const readMoney =
  (isAllowed: (value: Money) => boolean, wrong: string): NumberReader<Money> =>
  (source) => {
    const value = parseMoney(source);
    if (value === undefined) return { wrong: decimals(4) };
    if (value > AMOUNT_MAX || value < -AMOUNT_MAX)
      return { wrong: 'must be less than 100,000,000,000,000.' };
    return isAllowed(value) ? { value } : { wrong };
  };

/** An amount above zero. */
export const positiveMoney = readMoney((value) => value > 0n, 'must be greater than 0.');
/** An amount of zero or more. */
export const moneyOrZero = readMoney((value) => value >= 0n, 'must not be negative.');
/** An amount that adds or, below zero, takes. */
export const signedMoney = readMoney((value) => value !== 0n, 'must not be 0.');

/** The columns of percentages and rates hold twelve digits before the point. */
const FACTOR_MAX: Factor = 10n ** 20n - 1n;

const readFactor =
  (isAllowed: (value: Factor) => boolean, wrong: string): NumberReader<Factor> =>
  (source) => {
    const value = parseFactor(source);
    if (value === undefined) return { wrong: source.startsWith('-') ? wrong : decimals(8) };
    if (value > FACTOR_MAX) return { wrong: 'must be less than 1,000,000,000,000.' };
    return isAllowed(value) ? { value } : { wrong };
  };

export const positiveFactor = readFactor((value) => value > 0n, 'must be greater than 0.');
export const factorOrZero = readFactor(() => true, 'must not be negative.');

/** A reader for each exact number of a body, and for nothing else. */
type ReadersOf<Body> = {
  readonly [Name in keyof Body as Extract<Body[Name], Exact> extends never
    ? never
    : Name]-?: NumberReader<bigint>;
};

/** The body's fields by lower-cased name with their source text; null without a body. */
export interface Sources {
  readonly sourceMembers: ReadonlyMap<string, JsonMember> | null;
}

/**
 * The whole of a validated body, with its exact numbers: a new field of the contract is in it, and a
 * new number asks for its reader. Throws FieldErrors naming every wrong number.
 */
export function readBody<Body extends object>(
  { body, sourceMembers }: Sources & { readonly body: Body },
  readers: ReadersOf<Body>,
): Given<Body> {
  const errors: Record<string, string[]> = {};
  const values: Record<string, bigint> = {};
  for (const [name, read] of Object.entries<NumberReader<bigint>>(readers)) {
    const member = sourceMembers?.get(name.toLowerCase());
    if (member === undefined || member.kind === 'null') continue;
    const reading = read(member.source);
    if ('wrong' in reading) errors[`$.${name}`] = [reading.wrong];
    else values[name] = reading.value;
  }
  if (Object.keys(errors).length > 0) throw new FieldErrors(errors);
  return { ...body, ...values } as Given<Body>;
}

/** ES2026's JSON.rawJSON, which the TypeScript library does not know yet. */
const rawJSON = (JSON as unknown as { rawJSON(text: string): Exact }).rawJSON;

/** A number in an answer that follows no schema, by its exact digits. */
export const jsonNumber = (digits: string): Exact => rawJSON(digits);
export const jsonMoney = (value: Money) => jsonNumber(formatMoney(value));
const TIME_MIN = Date.parse('0001-01-01T00:00:00Z');
const TIME_MAX = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Undefined for what is no time (a leap second too), and outside the years 1 to 9999. `Date.parse`
 * takes 30 February for a day of March.
 */
export function parseTime(text: string): Instant | undefined {
  const at = Date.parse(text);
  const date = text.slice(0, 'YYYY-MM-DD'.length);
  const isDay = new Date(Date.parse(`${date}T00:00Z`)).toJSON()?.startsWith(date) === true;
  return isDay && at >= TIME_MIN && at <= TIME_MAX ? at : undefined;
}

const ISO_TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/**
 * A date, which is its start by these clocks, or a time with its zone. Each face has one reading of
 * days (apis.md#merchants-members-and-money). Throws FieldErrors.
 */
export function readTime(
  name: string,
  sent: string | undefined,
  zones: Zones,
): Instant | undefined {
  if (sent === undefined || sent === '') return undefined;
  const day = parseDay(sent);
  if (day !== undefined) return startOfDay(day, zones);
  const text = sent.replace(' ', '+'); // a plus sign that was not encoded arrives as a space
  const at = ISO_TIME.test(text) ? parseTime(text) : undefined;
  if (at === undefined)
    throw new FieldErrors({
      [name]: ['must be an ISO 8601 date or time with its zone, such as 2026-01-31T12:00:00Z.'],
    });
  return at;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
export const isUuid = (text: string): boolean => UUID.test(text);
