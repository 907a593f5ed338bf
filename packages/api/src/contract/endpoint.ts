import {
  type AuditAction,
  type Factor,
  IDEMPOTENCY_KEY_LENGTH_MAX,
  type Instant,
  type Money,
  type OperatorCapability,
  type PortalCapability,
} from '@munshi/core';
import Type, { type Static, type TObject, type TSchema } from 'typebox';
import { CODES, type Code } from './codes.ts';
import type { Decider } from './decider.ts';
import { OWN_FAILURES, OwnProblem, refusalBody } from './errors.ts';

/**
 * One route of the operator, member, portal or page face as data. The server binds, validates and
 * admits by it, the OpenAPI document shows it, tests hold every answer and every entry of the audit
 * log to it, and the typed client calls it.
 */

export const FACES = {
  operator: '/api/operator',
  member: '/api/member',
  portal: '/api/portal',
  page: '/pay',
} as const;
export type FaceName = keyof typeof FACES;

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
type Route = `${Method} /${string}`;

/** What somebody must be allowed; `anyone`: the request carries no session. */
export interface Needs {
  readonly operator: OperatorCapability | 'anyone';
  readonly portal: PortalCapability | 'anyone';
  readonly member: 'member' | 'anyone';
  /** Anyone with the link of the order. */
  readonly page: 'customer';
}

/** What a definition says beyond method and path. */
interface Parts {
  readonly summary: string;
  readonly description?: string;
  /** What it can write into the audit log. A write that succeeds writes one of these, if any. */
  readonly audit?: readonly AuditAction[];
  /** Answers its effect alone with `?preview=true` (decision 25), as all do that may wait. */
  readonly preview?: true;
  readonly querystring?: TSchema;
  readonly body?: TSchema;
  /** The body of 200. Its `description` says what has happened. */
  readonly answer: TSchema;
  /** The codes besides those that follow from the face, the method and the path. */
  readonly refusals?: readonly Code[];
}

/** What a write says besides: who decides it, and what it leaves in the audit log. */
interface Decided {
  readonly decides: Decider;
  readonly audit: readonly AuditAction[];
}

type PartsOf<Face extends FaceName, R extends Route> = Parts &
  (Face extends 'operator' | 'portal' ? { readonly needs: Needs[Face] } : NeedsIfOther<Face>) &
  (R extends `GET ${string}` ? { readonly decides?: never } : Decided);
interface NeedsIfOther<Face extends FaceName> {
  readonly needs?: Needs[Face];
}

export interface Endpoint extends Parts {
  readonly face: FaceName;
  readonly needs: Needs[FaceName];
  /** Undefined of a GET. */
  readonly decides?: Decider | undefined;
  readonly method: Method;
  /** Within the face, with `:name` for each parameter. */
  readonly path: string;
  readonly tags: readonly string[];
  readonly params?: TSchema;
  readonly headers?: TSchema;
  /** Every code that the endpoint can answer. */
  readonly refusals: readonly Code[];
  /** The answers by status, as OpenAPI describes them. */
  readonly response: Readonly<Record<number, object>>;
}

/** Whether an export of this package is an endpoint. */
export const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'face' in value && 'path' in value;

/** The endpoints among the exports of this package, with the names of their constants. */
export const endpointsOf = (exports: object): readonly (readonly [string, Endpoint])[] =>
  Object.entries(exports).filter(([, value]) => isEndpoint(value));

/** Who decides a write that may wait for a second operator. */
export type MayWait = { readonly by: 'two' | 'amount' | 'change' };
const mayWait = ({ decides }: { readonly decides?: Decider }): true | undefined =>
  decides !== undefined && ['two', 'amount', 'change'].includes(decides.by) ? true : undefined;

type Defined<Face extends FaceName, R extends Route, P extends Parts> = Omit<
  P,
  'refusals' | 'audit'
> &
  (P extends { readonly preview: true } | { readonly decides: MayWait }
    ? { readonly preview: true; readonly querystring: typeof PREVIEW }
    : unknown) &
  Endpoint & {
    readonly face: Face;
    readonly needs: Needs[Face];
    readonly method: R extends `${infer M} /${string}` ? M : never;
    readonly path: R extends `${Method} ${infer Path}` ? Path : never;
  };

/** Of a face whose endpoints do not name one. */
const ONLY_NEED = { member: 'member', page: 'customer' } as const;

/**
 * The definitions of one face, by the tag under which the OpenAPI document lists them; `common` are
 * the codes that any of its routes can answer.
 */
export function face<Face extends FaceName>(name: Face, common: readonly Code[]) {
  const define =
    (tag: string, headers?: TSchema) =>
    <const R extends Route, P extends PartsOf<Face, R>>(
      route: R,
      parts: P,
    ): Defined<Face, R, P> => {
      const [method, path] = route.split(' ') as [Method, string];
      const params = [...path.matchAll(/:(\w+)/g)].map(([, param]) => param as string);
      const { needs = ONLY_NEED[name as keyof typeof ONLY_NEED], preview = mayWait(parts) } = parts;
      const querystring = preview ? PREVIEW : queryOf(parts);
      const given: readonly Code[] = [
        ...(needs === 'anyone' ? [] : common),
        ...(params.length > 0 ? (['not-found'] as const) : []),
        ...(method === 'GET' && querystring === undefined ? [] : (['invalid'] as const)),
        ...(method === 'GET' ? [] : (['body-too-large', 'unsupported-media-type'] as const)),
        ...(headers === undefined ? [] : (['key-reused'] as const)),
        ...(parts.refusals ?? []),
      ];
      const refusals = (Object.keys(CODES) as Code[]).filter(
        (code) => given.includes(code) || CODES[code].status >= 500,
      );
      return {
        ...parts,
        face: name,
        needs,
        method,
        path,
        tags: [tag],
        ...(needs === 'anyone' && { security: [] }),
        ...(preview && { preview }),
        ...(querystring && { querystring }),
        ...(params.length > 0 && {
          params: Type.Object(Object.fromEntries(params.map((param) => [param, paramOf(param)]))),
        }),
        ...(headers && { headers }),
        refusals,
        response: { 200: success(parts.answer), ...refused(name, refusals) },
      } as unknown as Defined<Face, R, P>;
    };
  return (tag: string) => ({
    endpoint: define(tag),
    /** A write that takes an `Idempotency-Key`, and acts once for each (apis.md#repeats). */
    write: define(tag, KEY_OPTIONAL),
    /** One that is refused without a key. */
    moneyWrite: define(tag, KEY_REQUIRED),
  });
}

/** The query of a write that can be previewed. */
const PREVIEW = Type.Object(
  {
    preview: Type.Optional(
      Type.Boolean({
        description:
          'true: it is decided as always and nothing is written. The answer is the effect, or the refusal that the real call would get. No Idempotency-Key is needed or used.',
      }),
    ),
  },
  { additionalProperties: false },
);

const FILE_FORMS = ['spreadsheet', 'plain'] as const;
/** How a file is written: for spreadsheets, by default, or for programs. */
export type FileForm = (typeof FILE_FORMS)[number];
const FILE_FORM = Type.Optional(
  Type.Enum([...FILE_FORMS], {
    type: 'string',
    title: 'FileForm',
    description:
      '`spreadsheet`, the default: texts keep their characters in Excel, LibreOffice and Gnumeric. `plain`, for programs: each cell is its bare value.',
  }),
);
export const FILE_TYPE = 'text/csv';

/** The query of an endpoint; each that answers a file takes its form. */
function queryOf({ querystring, answer }: Parts): TSchema | undefined {
  if ((answer as { readonly contentMediaType?: string }).contentMediaType !== FILE_TYPE)
    return querystring;
  const { properties = {} } = (querystring ?? {}) as Partial<TObject>;
  return Type.Object({ ...properties, format: FILE_FORM }, { additionalProperties: false });
}

const ID = Type.String({ format: 'uuid' });
const MONTH = Type.String({
  pattern: '^\\d{4}-(0[1-9]|1[0-2])$',
  description: 'Such as `2026-10`.',
});
const paramOf = (param: string) => (param === 'month' ? MONTH : ID);

const requestKey = (description: string) =>
  Type.String({ minLength: 1, maxLength: IDEMPOTENCY_KEY_LENGTH_MAX, description });
const KEY_WORDS =
  'A text of your own for this request. Repeated with the same request, it answers the first result and does nothing; with another one, 422.';
const KEY_OPTIONAL = Type.Object({
  'Idempotency-Key': Type.Optional(requestKey(KEY_WORDS)),
});
const KEY_REQUIRED = Type.Object({
  'Idempotency-Key': requestKey(`${KEY_WORDS} Required: the request moves money.`),
});

/** Whether a route's schema takes an `Idempotency-Key`; undefined: it does not. */
export function keyRuleOf(
  schema: { readonly headers?: unknown } | undefined,
): 'optional' | 'required' | undefined {
  if (schema?.headers === KEY_REQUIRED) return 'required';
  return schema?.headers === KEY_OPTIONAL ? 'optional' : undefined;
}

const success = (
  schema: TSchema & { readonly description?: string; readonly contentMediaType?: string },
) => ({
  description: schema.description ?? 'Done.',
  content: { [schema.contentMediaType ?? 'application/json']: { schema } },
});

/** The refusals by status: what each code means, and the shape of the body. */
function refused(face: FaceName, codes: readonly Code[]): Readonly<Record<number, object>> {
  const statuses = [...new Set(codes.map((code) => CODES[code].status))];
  return Object.fromEntries(
    statuses.map((status) => {
      if (status === 500 || status === 503) return [status, OWN_FAILURES[status]];
      const own = codes.filter((code) => CODES[code].status === status);
      const description = own.map((code) => `\`${code}\`: ${CODES[code].meaning}`).join(' ');
      const content = isProblem(face, status)
        ? { 'application/problem+json': { schema: OwnProblem } }
        : { 'application/json': { schema: refusalBody(own) } };
      return [status, { description, content }];
    }),
  );
}

/** Whether a face answers this status with problem details. The page shows people one sentence. */
export const isProblem = (face: FaceName, status: number): boolean =>
  status >= 500 || (status === 400 && face !== 'page');

// ---- Types of requests and answers

type ParamNames<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | ParamNames<More>
    : Rest
  : never;
export type ParamsOf<E extends Pick<Endpoint, 'path'>> = {
  readonly [Name in ParamNames<E['path']>]: string;
};
export type QueryOf<E> = E extends { readonly querystring: infer Q extends TSchema }
  ? Static<Q>
  : unknown;
export type BodyOf<E> = E extends { readonly body: infer B extends TSchema } ? Static<B> : unknown;
/** The body of 200. */
export type AnswerOf<E extends Pick<Endpoint, 'answer'>> = Shown<E['answer']>;

/** The `format` of amounts, percentages and rates in schemas. */
export const EXACT_FORMAT = 'decimal';
/** The `format` of URLs that the service calls: answers have no user name and password. */
export const CALLED_URL_FORMAT = 'called-url';
/** How many decimal places an exact number has at most: 4 of money, 8 of percentages and rates. */
export const PLACES = 'x-decimal-places';
declare const exact: unique symbol;
declare const timestamp: unique symbol;
/** An exact decimal: raw digits in JSON, which no JavaScript number holds. */
export interface Exact<Places extends 4 | 8 = 4 | 8> {
  readonly [exact]: Places;
}
/** A time: ISO 8601 UTC in JSON. */
export type Timestamp = string & { readonly [timestamp]: true };

/** What an answer says, by its schema. */
export type Shown<S extends TSchema> = ReadonlyDeep<Static<S>>;
type ReadonlyDeep<T> = T extends Exact | Timestamp
  ? T
  : T extends readonly (infer Item)[]
    ? readonly ReadonlyDeep<Item>[]
    : T extends object
      ? { readonly [Name in keyof T]: ReadonlyDeep<T[Name]> }
      : T;

/**
 * What the server gives for it to be written: money, percentages and times as they are calculated.
 */
export type Given<T> =
  T extends Exact<4>
    ? Money
    : T extends Exact<8>
      ? Factor
      : T extends Timestamp
        ? Instant
        : T extends readonly (infer Item)[]
          ? readonly Given<Item>[]
          : T extends object
            ? { readonly [Name in keyof T]: Given<T[Name]> }
            : T;
