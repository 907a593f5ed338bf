import type { Exact } from '@munshi/api';
import {
  AMOUNT_MAX,
  type Factor,
  formatFactor,
  formatMoney,
  type Instant,
  isoTime,
  type JsonMember,
  type Money,
  parseFactor,
  parseMoney,
  scanObject,
} from '@munshi/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Compile } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import type { TSchema } from 'typebox/type';
import { Value } from 'typebox/value';
import { FieldErrors, fieldError, Refused } from '../services/refusals.ts';
import { JSON_TYPE, sendProblem, sendRefusal } from './errors.ts';

export { FieldErrors, fieldError, Refused };

/**
 * JSON in and out for the operator, member and portal faces: bodies are checked against their
 * schemas, with unknown fields refused; money is read from the source text and written as an exact
 * number, so that it never passes through a JavaScript number (D17). The merchant face has rules of
 * its own.
 */

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The body's top-level members by lower-cased key, with their exact source characters; null
     * without a body.
     */
    sourceMembers: ReadonlyMap<string, JsonMember> | null;
  }
}

const BODY_BYTES_MAX = 64 * 1024;
/**
 * Nothing that we take is half as deep; what checks a body further goes down level by level, and a
 * stack has its end.
 */
const LEVELS_MAX = 32;

/**
 * Has a face's scope read JSON by these rules. Only `application/json` is taken: a form of another
 * site cannot send it.
 */
export function useJson(app: FastifyInstance): void {
  app.decorateRequest('sourceMembers', null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: BODY_BYTES_MAX },
    async (request: FastifyRequest, text: string | Buffer) => readJson(request, String(text)),
  );
  // Query parameters are text: `limit=20` becomes a number, one `status` a list of one.
  app.setValidatorCompiler(({ schema, httpPart }) => {
    if (httpPart === 'params' || httpPart === 'headers') return (value: unknown) => ({ value }); // hooks read them
    const check = Compile(schema as TSchema);
    return (sent: unknown) => {
      if (httpPart === 'querystring') refuseNulls(sent as Readonly<Record<string, unknown>>);
      const value =
        httpPart === 'querystring'
          ? converted(schema as TSchema, sent as Readonly<Record<string, unknown>>)
          : sent;
      return check.Check(value)
        ? { value: inLowerCase(value) }
        : { error: new FieldErrors(namedErrors(check.Errors(value), httpPart)) };
    };
  });
  app.setSerializerCompiler(() => (payload) => JSON.stringify(payload));
  app.setErrorHandler((error: Error, _request, reply) => {
    if (error instanceof FieldErrors) return sendProblem(reply, 400, error.message, error.errors);
    if (error instanceof Refused) return sendRefusal(reply, error.refusal);
    throw error;
  });
  // An id of another shape names nothing (D53).
  app.addHook('preValidation', async (request, reply) => {
    const ids = Object.entries((request.params ?? {}) as Record<string, string>).filter(([name]) =>
      name.endsWith('Id'),
    );
    if (ids.some(([, value]) => !isUuid(value)))
      return sendRefusal(reply, { code: 'not-found', message: 'Not found.' });
    request.params = inLowerCase(request.params);
  });
}

/**
 * Ids as the database writes them: a UUID in capitals is the same one, and the engine knows its
 * rows by their text.
 */
function inLowerCase(fields: unknown): unknown {
  if (typeof fields !== 'object' || fields === null) return fields;
  const capitals = Object.entries(fields).filter(
    ([name, value]) => name.endsWith('Id') && typeof value === 'string' && isUuid(value),
  );
  return capitals.length === 0
    ? fields
    : {
        ...fields,
        ...Object.fromEntries(capitals.map(([name, value]) => [name, value.toLowerCase()])),
      };
}

/** An empty body counts as not sent, so that a POST without fields may carry the content type. */
function readJson(request: FastifyRequest, text: string): unknown {
  if (text.trim() === '') return undefined;
  const scan = scanObject(text);
  if (!scan.ok) throw new FieldErrors({ $: [NOT_READ[scan.reason]] });
  if (levelsOf(text) > LEVELS_MAX)
    throw new FieldErrors({ $: [`The body is nested more than ${LEVELS_MAX} levels deep.`] });
  const body: unknown = JSON.parse(text);
  if (text.includes('\\u0000') && holdsNull(body))
    throw new FieldErrors({ $: ['Texts must not contain a null character.'] });
  request.sourceMembers = scan.members;
  return body;
}

const NOT_READ = {
  'not JSON': 'The body is not JSON.',
  'not an object': 'The body must be one JSON object.',
  'lone surrogate': 'The body holds a text that is not well-formed Unicode.',
  'repeated key': 'A field is given twice.',
} as const;

/** How deep a JSON text goes. */
function levelsOf(text: string): number {
  let [levels, most] = [0, 0];
  for (const [mark] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[{\]}]/g)) {
    if (mark === '{' || mark === '[') levels += 1;
    else if (mark === '}' || mark === ']') levels -= 1;
    most = Math.max(most, levels);
  }
  return most;
}

/**
 * A query's values as its schema has them. `1.5` and `true` are no integers, though a conversion
 * makes some of them: they stay text.
 */
function converted(schema: TSchema, sent: Readonly<Record<string, unknown>>): unknown {
  const values = Object.entries(
    Value.Convert(schema, { ...sent }) as Readonly<Record<string, unknown>>,
  );
  return Object.fromEntries(
    values.map(([name, value]) => [
      name,
      typeof value === 'number' && String(value) !== sent[name] ? sent[name] : value,
    ]),
  );
}

/** The database has no text with a null character, and nobody has one to look for. */
function refuseNulls(query: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(query)) {
    if ([value].flat().some((text) => String(text).includes('\0')))
      throw new FieldErrors({ [name]: ['must not contain a null character.'] });
  }
}

function holdsNull(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]) => key.includes('\0') || holdsNull(inner));
}

/** Messages by field; in a body `$.name`, elsewhere the parameter's name. */
function namedErrors(
  list: readonly TLocalizedValidationError[],
  httpPart: string | undefined,
): Record<string, string[]> {
  // A Map: a field may be called `__proto__` or `constructor`.
  const errors = new Map<string, string[]>();
  const root = httpPart === 'body' ? '$' : '';
  const add = (path: string, message: string) => {
    const field = `${root}${path.replaceAll('/', '.')}`.replace(/^\./, '') || '$';
    errors.set(field, [...new Set([...(errors.get(field) ?? []), message])]);
  };
  for (const { keyword, instancePath, params, message } of list) {
    if (keyword === 'boolean') continue; // told by additionalProperties
    if (keyword === 'additionalProperties')
      for (const name of namesIn(params, 'additionalProperties'))
        add(`${instancePath}/${name}`, 'There is no such field.');
    else if (keyword === 'required')
      for (const name of namesIn(params, 'requiredProperties'))
        add(`${instancePath}/${name}`, 'This field is required.');
    else if (keyword === 'enum')
      add(instancePath, `must be one of ${namesIn(params, 'allowedValues').join(', ')}.`);
    else add(instancePath, `${message}.`);
  }
  return Object.fromEntries(errors);
}

const namesIn = (params: object, name: string) =>
  (params as Record<string, readonly string[]>)[name] ?? [];

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

/** Twelve digits before the point are what the columns of percentages and rates hold. */
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

type Readers = Readonly<Record<string, NumberReader<bigint>>>;

/**
 * The exact numbers of a body whose schema has been checked: undefined where the field was not
 * sent, null where it was sent as null. Throws FieldErrors naming every field that is wrong.
 */
export function exactNumbers<Fields extends Readers>(
  request: FastifyRequest,
  fields: Fields,
): { readonly [Name in keyof Fields]: bigint | null | undefined } {
  const errors: Record<string, string[]> = {};
  const values: Record<string, bigint | null | undefined> = {};
  for (const [name, read] of Object.entries(fields)) {
    const member = request.sourceMembers?.get(name.toLowerCase());
    if (member === undefined || member.kind === 'null') {
      values[name] = member === undefined ? undefined : null;
      continue;
    }
    const reading = read(member.source);
    if ('wrong' in reading) errors[`$.${name}`] = [reading.wrong];
    else values[name] = reading.value;
  }
  if (Object.keys(errors).length > 0) throw new FieldErrors(errors);
  return values as { [Name in keyof Fields]: bigint | null | undefined };
}

/** ES2026's JSON.rawJSON, which the TypeScript library does not know yet. */
const rawJSON = (JSON as unknown as { rawJSON(text: string): Exact }).rawJSON;

/** A number in an answer, by its exact digits. */
export const jsonNumber = (digits: string): Exact => rawJSON(digits);
export const jsonMoney = (value: Money) => jsonNumber(formatMoney(value));
export const jsonMoneyOrNull = (value: Money | null) => (value === null ? null : jsonMoney(value));
export const jsonFactor = (value: Factor) => rawJSON(formatFactor(value));
/** A timestamp in an answer: ISO 8601 UTC, or null. */
export function jsonTime(at: Instant): string;
export function jsonTime(at: Instant | null): string | null;
export function jsonTime(at: Instant | null): string | null {
  return isoTime(at);
}

const TIME_MIN = Date.parse('0001-01-01T00:00:00Z');
const TIME_MAX = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * A time that a request names; undefined for what is none (a leap second too), and for years that
 * our texts cannot write.
 */
export function parseTime(text: string): Instant | undefined {
  const at = Date.parse(text);
  return at >= TIME_MIN && at <= TIME_MAX ? at : undefined;
}

/** `{data}`. */
export const sendData = (reply: FastifyReply, data: unknown): FastifyReply =>
  reply.type(JSON_TYPE).send({ data });

/** Rows of a page that asks for no number; schemas hold the most, 200. */
const PAGE_LIMIT_DEFAULT = 50;

/** `?limit=&cursor=`: how many, and after which row. */
export interface PageRequest {
  readonly limit: number;
  /** The key of the last row of the page before; null for the first page. */
  readonly after: string | null;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
export const isUuid = (text: string): boolean => UUID.test(text);

/**
 * The page asked for, of a list ordered by what `isKey` tells. Throws FieldErrors on a cursor that
 * no answer gave.
 */
export function pageOf(
  { limit = PAGE_LIMIT_DEFAULT, cursor }: { readonly limit?: number; readonly cursor?: string },
  isKey: (text: string) => boolean = isUuid,
): PageRequest {
  if (cursor === undefined || cursor === '') return { limit, after: null };
  const after = Buffer.from(cursor, 'base64url').toString('utf8');
  if (!isKey(after))
    throw new FieldErrors({ cursor: ['must be the nextCursor of an earlier answer.'] });
  return { limit, after };
}

/**
 * The rows of a page, and what begins the next. They were read with a limit one higher than the
 * page's, so that the end is known.
 */
export function cutPage<Row>(page: PageRequest, rows: readonly Row[], keyOf: (row: Row) => string) {
  const shown = rows.slice(0, page.limit);
  const last = shown.at(-1);
  const nextCursor =
    rows.length > page.limit && last !== undefined
      ? Buffer.from(keyOf(last)).toString('base64url')
      : null;
  return { shown, nextCursor };
}

/** `{data: [...], nextCursor}`. */
export function pageAnswer<Row, Shown>(
  page: PageRequest,
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  show: (row: Row) => Shown,
) {
  const { shown, nextCursor } = cutPage(page, rows, keyOf);
  return { data: shown.map(show), nextCursor };
}

export function sendList<Row>(
  reply: FastifyReply,
  page: PageRequest,
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  show: (row: Row) => unknown,
) {
  return reply.type(JSON_TYPE).send(pageAnswer(page, rows, keyOf, show));
}
