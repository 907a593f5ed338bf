import { REASON_CODES, WALLET_TYPES } from '@munshi/core';
import Type, { type Static, type TSchema } from 'typebox';
import { EXACT_FORMAT, type Exact } from './endpoint.ts';

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

/** A list as a file; `rows` says which. */
export const csvFile = (rows: string) =>
  Type.String({
    description: `${rows} UTF-8 with a header row (RFC 4180), amounts exact, times UTC. A cell that a spreadsheet would take for a formula begins with an apostrophe. It is read while it is sent, however long it is; if something breaks on the way, the connection is closed before the end of the answer.`,
    contentMediaType: 'text/csv',
  });

export const REASON_CODE = Type.Enum([...REASON_CODES], {
  type: 'string',
  description:
    'Why the member rejected it, as the customer is told in their language: no payment has come, one of another amount, from somebody else, or one that was taken back.',
});

/** Stands in the answer to a repeat, in the place of what was shown once. */
export const SECRET_SHOWN = optional(
  Type.Literal(true, {
    description: 'A repeat with the same Idempotency-Key: the secret was shown already.',
  }),
);

/** What whoever asks may do with a resource. */
export const allowedActions = <Action extends string>(actions: readonly Action[]) =>
  Type.Array(Type.Enum([...actions], { type: 'string' }), {
    description: 'What whoever asks may do with it now, by the last part of the path.',
  });

export const USERNAME = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^\\S+$',
  description: 'Without spaces; no two alike.',
});
export const EMAIL = {
  maxLength: 254,
  pattern: '^[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+$',
} as const;
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
