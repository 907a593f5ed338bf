import { HOLDS_UNSEEN, REFUSED_BY_PATTERN } from '@munshi/api';
import { hasUnseenInLines } from '@munshi/core';
import { Compile, type Validator } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import type { TSchema } from 'typebox/type';
import { Value } from 'typebox/value';
import { FieldErrors } from '../refusals.ts';
import { isUuid } from './values.ts';

/** Checks queries and bodies against their schemas. */

type Query = Readonly<Record<string, unknown>>;

/**
 * The check of one part of a route's requests. Its error is FieldErrors. The first request makes
 * it: that takes a millisecond, and there are hundreds.
 */
export function validatorFor(schema: TSchema, httpPart: string | undefined) {
  // Hooks check these.
  if (httpPart === 'params' || httpPart === 'headers') return (value: unknown) => ({ value });
  let check: Validator | undefined;
  return (sent: unknown) => {
    check ??= Compile(schema);
    const value = httpPart === 'querystring' ? readQuery(schema, sent as Query) : sent;
    if (!check.Check(value))
      return { error: new FieldErrors(namedErrors(check.Errors(value), httpPart)) };
    const unseen = httpPart === 'body' ? unseenIn(value, '$') : [];
    return unseen.length === 0
      ? { value: inLowerCase(value) }
      : { error: new FieldErrors(Object.fromEntries(unseen.map((at) => [at, [HOLDS_UNSEEN]]))) };
  };
}

/** Never shown, and what was chosen before has to work. */
const IS_SECRET = /password$/i;

/**
 * The fields of a body with invisible characters, regardless of their schemas, so that no field
 * can miss the check. The body was checked, so it is not deep.
 */
function unseenIn(value: unknown, at: string): string[] {
  if (typeof value === 'string') return hasUnseenInLines(value) ? [at] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, field]) =>
    IS_SECRET.test(name) ? [] : unseenIn(field, `${at}.${name}`),
  );
}

/** Query parameters are text: `limit=20` becomes a number, one `status` a list of one. */
function readQuery(schema: TSchema, sent: Query): unknown {
  refuseNulls(sent);
  return converted(schema, sent);
}

/** `1.5` and `true` stay text where an integer is asked for, though Convert would make one. */
function converted(schema: TSchema, sent: Query): unknown {
  const values = Object.entries(Value.Convert(schema, { ...sent }) as Query);
  return Object.fromEntries(
    values.map(([name, value]) => [
      name,
      typeof value === 'number' && String(value) !== sent[name] ? sent[name] : value,
    ]),
  );
}

/** No text in the database has a null character. */
function refuseNulls(query: Query): void {
  for (const [name, value] of Object.entries(query)) {
    if ([value].flat().some((text) => String(text).includes('\0')))
      throw new FieldErrors({ [name]: ['must not contain a null character.'] });
  }
}

/** UUIDs as the database writes them, because the engine compares ids as text. */
export function inLowerCase(fields: unknown): unknown {
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
    if (keyword === 'boolean') continue; // reported by additionalProperties
    if (keyword === 'additionalProperties')
      for (const name of namesIn(params, 'additionalProperties'))
        add(`${instancePath}/${name}`, 'There is no such field.');
    else if (keyword === 'required')
      for (const name of namesIn(params, 'requiredProperties'))
        add(`${instancePath}/${name}`, 'This field is required.');
    else if (keyword === 'enum')
      add(instancePath, `must be one of ${namesIn(params, 'allowedValues').join(', ')}.`);
    else add(instancePath, hintFor(params) ?? `${message}.`);
  }
  return Object.fromEntries(errors);
}

/** A pattern says nothing to a reader. */
const hintFor = (params: object): string | undefined =>
  REFUSED_BY_PATTERN[String((params as { readonly pattern?: unknown }).pattern)];

const namesIn = (params: object, name: string) =>
  (params as Record<string, readonly string[]>)[name] ?? [];
