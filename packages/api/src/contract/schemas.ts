import {
  ACTIVE_OR_SUSPENDED,
  CURRENCIES,
  LINES,
  ONE_LINE,
  ONE_WORD,
  ORDER_TYPES,
  PAYMENT_TEXT_MAX,
  PLAIN_NAME,
  REASON_CODES,
  STAGES,
  STATUSES,
  WALLET_TYPES,
} from '@munshi/core';
import Type, { type Static, type TObjectOptions, type TProperties, type TSchema } from 'typebox';
import {
  CALLED_URL_FORMAT,
  EXACT_FORMAT,
  type Exact,
  FILE_TYPE,
  PLACES,
  type Timestamp,
} from './endpoint.ts';

/** What the schemas of the member and operator faces are made of. */

/** An object that the OpenAPI document, and so a generated client, has under this name. */
export const namedObject = <P extends TProperties>(
  title: string,
  properties: P,
  options: TObjectOptions = {},
) => Type.Object(properties, { ...options, title });
/** A choice of texts. */
export const enumOf = <const Value extends string>(
  values: readonly Value[],
  description?: string,
) => Type.Enum([...values], { type: 'string', ...describedAs(description) });
/** One with such a name. */
export const namedEnum = <const Value extends string>(
  title: string,
  values: readonly Value[],
  description?: string,
) => Type.Enum([...values], { type: 'string', title, ...describedAs(description) });
const describedAs = (description: string | undefined) =>
  description === undefined ? {} : { description };

/** `a`, `b` and `c`. */
export const inWords = (values: readonly string[]): string => {
  const names = values.map((value) => `\`${value}\``);
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
};

export const METHODS = namedEnum('WalletType', WALLET_TYPES, 'Payment method.');
export const ORDER_TYPE = namedEnum('OrderType', ORDER_TYPES);
export const STATUS = namedEnum('OrderStatus', STATUSES);
export const STAGE = namedEnum('OrderStage', STAGES);
export const CURRENCY = namedEnum('Currency', CURRENCIES);
export const ACTIVE = namedEnum('ActiveOrSuspended', ACTIVE_OR_SUSPENDED);

/** What to do about a text that is refused, behind the name of its field; by pattern. */
export const HOLDS_UNSEEN =
  'must not contain control characters, direction marks or other invisible characters. Type it instead of pasting it.';
export const REFUSED_BY_PATTERN: Readonly<Record<string, string>> = {
  [ONE_LINE]: `must have one line and not be blank, and ${HOLDS_UNSEEN}`,
  [LINES]: `must not be blank, and ${HOLDS_UNSEEN}`,
  [ONE_WORD]: `must have no spaces, and ${HOLDS_UNSEEN}`,
  [PLAIN_NAME]:
    'must not be blank, nor contain a web or e-mail address, control characters, direction marks or other invisible characters.',
};

/** The fields of a request: another one is refused. */
export const strictObject = <P extends TProperties>(properties: P, options: TObjectOptions = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });
/** The fields of a change, of which a request has at least one. */
export const changeOf = <P extends TProperties>(properties: P) =>
  Type.Partial(Type.Object(properties), { additionalProperties: false, minProperties: 1 });
const written = (pattern: string) => (maxLength: number, description?: string) =>
  Type.String({ minLength: 1, maxLength, pattern, ...describedAs(description) });
/**
 * A name, title, number or reference, in which every character is seen: others are shown it. Where
 * a field does without, the check of a body looks for unseen characters all the same.
 */
export const text = written(ONE_LINE);
/** The same where line breaks may be written: notes and reasons. */
export const lines = written(LINES);
/** What was typed or pasted into a search box: a whole payment message at most. */
export const searched = (description: string) =>
  Type.String({ maxLength: PAYMENT_TEXT_MAX, description });
/** The name of a person. Others see it, in a place that speaks for the platform. */
export const personName = (description = '') =>
  Type.String({
    minLength: 1,
    maxLength: 60,
    pattern: PLAIN_NAME,
    description:
      `${description} Without web and e-mail addresses, control and direction characters.`.trim(),
  });
export const PERSON_NAME = personName();
export const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
export const optional = Type.Optional;
export const timeOf = (description: string) =>
  Type.Unsafe<Timestamp>(Type.String({ format: 'date-time', description }));
export const time = timeOf('ISO 8601 UTC.');
/** An exact decimal: the server reads and writes the digits themselves. */
const exactNumber = <Places extends 4 | 8>(places: Places, description = '') =>
  Type.Unsafe<Exact<Places>>(
    Type.Number({
      format: EXACT_FORMAT,
      [PLACES]: places,
      description: `${description} At most ${places} decimal places; exact.`.trimStart(),
    }),
  );
export const money = (description?: string) => exactNumber(4, description);
/** A percentage or a rate. */
export const factor = (description: string) => exactNumber(8, description);

/** A URL that the service calls, as answers show it. */
export const calledUrl = (description = 'Where it goes.') =>
  Type.String({
    format: CALLED_URL_FORMAT,
    description: `${description} User name and password, if any, are shown as \`***\`.`,
  });

/** A list as a file; `rows` says which. */
export const csvFile = (rows: string) =>
  Type.String({
    description: `${rows} UTF-8 with a header row (RFC 4180), amounts exact. Every cell is quoted. For spreadsheets, a text with a digit is a formula (\`="0300…"\`), and one that they would take for a formula, or that has one behind a semicolon, tab or line break, has an apostrophe before it. It is read while it is sent, however long it is; if something breaks on the way, the connection is closed before the end of the answer.`,
    contentMediaType: FILE_TYPE,
  });

export const REASON_CODE = namedEnum(
  'ReasonCode',
  REASON_CODES,
  'Why the member rejected it, as the customer reads it in their language: no payment has come, one of another amount, one from another person, or one that was taken back.',
);

/** Stands in the answer to a repeat, in the place of what was shown once. */
export const SECRET_SHOWN = optional(
  Type.Literal(true, {
    description: 'A repeat with the same Idempotency-Key: the secret was shown already.',
  }),
);

/** What the caller may do with a resource; `name` where several answers have the same actions. */
export const allowedActions = <const Action extends string>(
  actions: readonly Action[],
  name?: string,
) =>
  Type.Array(Type.Enum([...actions], { type: 'string', ...(name && { title: name }) }), {
    description: 'What the caller may do with it now, by the last part of the path.',
  });

export const USERNAME = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: ONE_WORD,
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
/** One of the two; named after both if both have a name. */
export const either = <A extends TSchema, B extends TSchema>(one: A, other: B) => {
  const [first, second] = [nameOf(one), nameOf(other)];
  const title = first && second && `${first}Or${second}`;
  return Type.Union([one, other], { ...(title && { title }) });
};
const nameOf = ({ title }: TSchema & { readonly title?: string }) => title;

export const dataOf = <T extends TSchema>(schema: T, description?: string) =>
  Type.Object({ data: schema }, bodyOf(schema, 'Answer', description));
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
    bodyOf(schema, 'Page', description),
  );
export const listOf = <T extends TSchema>(schema: T, description?: string) =>
  pageIn(Type.Array(schema), description);
/** A body is named after what is in it. */
function bodyOf(
  schema: TSchema & { readonly items?: TSchema },
  suffix: string,
  description?: string,
) {
  const [name, listed] = [nameOf(schema), schema.items && nameOf(schema.items)];
  const title = name ? `${name}${suffix}` : listed && `${listed}List`;
  return { ...(title && { title }), ...describedAs(description) };
}

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
export const PAGE_QUERY = strictObject(PAGE);
