import { ORDER_TYPES, WALLET_TYPES } from '@munshi/core';
import Type, { type TSchema } from 'typebox';
import { FAILURES, ProblemDetails, SingleMessage } from '../errors.ts';

/** What the schemas of the operator face are made of. */

export const STAGES = ['Awaiting', 'Assigned', 'Sent', 'Approved', 'Rejected', 'Completed', 'Failed'] as const;
export const METHODS = Type.Enum([...WALLET_TYPES], { type: 'string', description: 'Payment method.' });
export const ORDER_TYPE = Type.Enum([...ORDER_TYPES], { type: 'string' });
export const ROLE = Type.Enum(['viewer', 'support', 'admin'], {
  type: 'string',
  description: 'viewer reads; support also decides orders; admin does everything.',
});
export const ACTIVE = Type.Enum(['active', 'suspended'], { type: 'string' });
export const NOT_BLANK = '\\S';

export const strict = { additionalProperties: false } as const;
export const id = (description: string) => Type.String({ format: 'uuid', description });
export const text = (maxLength: number, description?: string) =>
  Type.String({ minLength: 1, maxLength, pattern: NOT_BLANK, ...(description === undefined ? {} : { description }) });
export const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
export const optional = Type.Optional;
export const time = Type.String({ format: 'date-time', description: 'ISO 8601 UTC.' });
/** Exact decimals: the server reads and writes the digits themselves. */
export const money = (description?: string) =>
  Type.Number({ description: `${description === undefined ? '' : `${description} `}At most 4 decimal places; exact.` });
export const factor = (description: string) => Type.Number({ description: `${description} At most 8 decimal places; exact.` });
export const note = text(1000, 'Why, for the history and the audit log. A failed order carries it to the merchant as the reason.');

export const USERNAME = Type.String({ minLength: 1, maxLength: 100, pattern: '^\\S+$', description: 'Without spaces; no two alike.' });
/** At least 8 characters; long ones cost no more than short ones. */
export const PASSWORD = Type.String({ minLength: 8, maxLength: 200, description: 'At least 8 characters.' });

type Answers = Readonly<Record<string, object>>;

const message = (description: string) => ({ description, content: { 'application/json': { schema: SingleMessage } } });
const REFUSALS: Readonly<Record<number, object>> = {
  400: { description: 'A field is wrong, missing or not known; `errors` names it.', content: { 'application/problem+json': { schema: ProblemDetails } } },
  401: message('Nobody is signed in: no token, an unknown or an ended one.'),
  403: message('The role does not allow it, the operator is suspended, the anti-forgery token is missing, or another operator must do it.'),
  404: message('There is no such thing.'),
  409: message('The present state does not allow it.'),
  422: message('The amounts do not allow it.'),
  429: message('Too many tries; `Retry-After` tells when to go on.'),
};

/** A success with its body, and the refusals that the route can give besides 401, 403 and failures of the service. */
export function answers(description: string, body: TSchema, ...refusals: readonly (400 | 404 | 409 | 422 | 429)[]): Answers {
  const listed = Object.fromEntries([401, 403, ...refusals].sort().map((status) => [status, REFUSALS[status] as object]));
  return { 200: { description, content: { 'application/json': { schema: body } } }, ...listed, ...FAILURES };
}

export const dataOf = <T extends TSchema>(schema: T) => Type.Object({ data: schema });
export const listOf = <T extends TSchema>(schema: T) =>
  Type.Object({ data: Type.Array(schema), nextCursor: orNull(Type.String({ description: 'Send it as `cursor` for the next page; null: this is the last.' })) });

export const PAGE = {
  limit: optional(Type.Integer({ minimum: 1, maximum: 200, description: 'Rows of a page; 50 by default.' })),
  cursor: optional(Type.String({ maxLength: 200, description: 'The `nextCursor` of the page before.' })),
};

export const params = (...names: readonly string[]) => Type.Object(Object.fromEntries(names.map((name) => [name, id(name)])));
export const route = <T extends object>(tag: string, summary: string, rest: T) => ({ tags: [tag], summary, ...rest });
