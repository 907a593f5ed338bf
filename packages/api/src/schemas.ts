import { WALLET_TYPES } from '@munshi/core';
import Type, { type Static, type TSchema } from 'typebox';
import { EXACT_FORMAT, type Exact, KEY_OPTIONAL } from './endpoint.ts';
import { FAILURES, ProblemDetails, SingleMessage } from './errors.ts';

/** What the schemas of the member and operator faces are made of. */

export const METHODS = Type.Enum([...WALLET_TYPES], {
  type: 'string',
  description: 'Payment method.',
});
export const ACTIVE = Type.Enum(['active', 'suspended'], { type: 'string' });
export const NOT_BLANK = '\\S';

export const strict = { additionalProperties: false } as const;
export const text = (maxLength: number, description?: string) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: NOT_BLANK,
    ...(description === undefined ? {} : { description }),
  });
export const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
export const optional = Type.Optional;
export const time = Type.String({ format: 'date-time', description: 'ISO 8601 UTC.' });
/** An exact decimal: the server reads and writes the digits themselves. */
export const exactNumber = (description: string) =>
  Type.Unsafe<Exact>(Type.Number({ format: EXACT_FORMAT, description }));
export const money = (description?: string) =>
  exactNumber(
    `${description === undefined ? '' : `${description} `}At most 4 decimal places; exact.`,
  );

/** Long ones cost no more than short ones. */
export const PASSWORD = Type.String({
  minLength: 8,
  maxLength: 200,
  description:
    'At least 8 characters, and none of the passwords that are guessed first: common ones, a short text again and again, a row of keys, a number.',
});
export const OWN_PASSWORD = Type.Object(
  { currentPassword: Type.String({ maxLength: 200 }), newPassword: PASSWORD },
  strict,
);
/** What somebody goes on with who has changed their password. */
export const RENEWED = Type.Object({
  token: Type.String({
    description: 'The new session, for scripts; a browser has it in its cookie.',
  }),
  csrfToken: Type.String({
    description: 'To be sent as `X-CSRF-Token` with every write by cookie.',
  }),
  expiresAt: time,
});

export const dataOf = <T extends TSchema>(schema: T, description?: string) =>
  Type.Object({ data: schema }, described(description));
/** A page of a list that stands in `data` beside other things. */
export const pageIn = <T extends TSchema>(schema: T, description?: string) =>
  Type.Object(
    {
      data: schema,
      nextCursor: orNull(
        Type.String({
          description: 'Send it as `cursor` for the next page; null: this is the last.',
        }),
      ),
    },
    described(description),
  );
export const listOf = <T extends TSchema>(schema: T, description?: string) =>
  pageIn(Type.Array(schema), description);
const described = (description: string | undefined) =>
  description === undefined ? {} : { description };

export const PAGE = {
  limit: optional(
    Type.Integer({ minimum: 1, maximum: 200, description: 'Rows of a page; 50 by default.' }),
  ),
  cursor: optional(
    Type.String({ maxLength: 4_000, description: 'The `nextCursor` of the page before.' }),
  ),
};
/** The query of a list that has nothing to choose from. */
export type Page = Static<typeof PAGE_QUERY>;
export const PAGE_QUERY = Type.Object(PAGE, strict);

type Refusal = 400 | 404 | 409 | 422 | 429;

const message = (description: string) => ({
  description,
  content: { 'application/json': { schema: SingleMessage } },
});

const BODY_REFUSALS = {
  413: message('The body is larger than 64 KiB.'),
  415: message('The body is not JSON by its Content-Type.'),
};

/**
 * A route's schema with its place in the documentation. Those with a body refuse what they cannot
 * take for one.
 */
export const route = <T extends { readonly response: object }>(
  tag: string,
  summary: string,
  rest: T,
) => ({
  tags: [tag],
  summary,
  ...rest,
  response: { ...rest.response, ...('body' in rest && BODY_REFUSALS) },
});

const withKey = <T extends { readonly response: object }, H extends TSchema>(
  schema: T,
  headers: H,
) => ({
  ...schema,
  headers,
  response: {
    400: NOT_VALID,
    422: message('The Idempotency-Key has come with another request.'),
    ...schema.response,
  },
});

/** The route of a write that takes an `Idempotency-Key`, and acts once for each (D64). */
export const writeRoute = <T extends { readonly response: object }>(
  tag: string,
  summary: string,
  rest: T,
) => withKey(route(tag, summary, rest), KEY_OPTIONAL);
const NOT_VALID = {
  description: 'A field is wrong, missing or not known; `errors` names it.',
  content: { 'application/problem+json': { schema: ProblemDetails } },
};

/** The refusals of a face, as documentation; the words for what differs from face to face. */
export const refusalsOf = (
  words: Readonly<Record<403 | 404 | 422, string>>,
): Readonly<Record<Refusal | 401 | 403, object>> => ({
  400: NOT_VALID,
  401: message('Nobody is signed in: no token, an unknown or an ended one.'),
  403: message(words[403]),
  404: message(words[404]),
  409: message('The present state does not allow it.'),
  422: message(words[422]),
  429: message('Too many tries; `Retry-After` tells when to go on.'),
});

/**
 * For the routes of a face: a success with its body, and the refusals that the route can give
 * besides 401, 403 and failures of the service.
 */
export const answersOf =
  (refusals: ReturnType<typeof refusalsOf>) =>
  (description: string, body: TSchema, ...own: readonly Refusal[]) => {
    const listed = Object.fromEntries(
      ([401, 403, ...own] as const).toSorted().map((status) => [status, refusals[status]]),
    );
    return {
      200: { description, content: { 'application/json': { schema: body } } },
      ...listed,
      ...FAILURES,
    };
  };
