import { SIGNATURE_CODES, SIGNATURE_ERRORS, type SignatureCode } from '@munshi/core';
import Type, { type Static } from 'typebox';
import type { Code } from './codes.ts';

/**
 * The bodies of refusals and failures (merchant-api.md#errors). The fourth format is an empty body.
 */

const traceId = Type.String({
  format: 'uuid',
  description: 'Names the request in the logs of the service. Quote it when you report a problem.',
});

/** 400 validation, 403, 404, 409, 422. */
export type SingleMessage = Static<typeof SingleMessage>;
export const SingleMessage = Type.Object(
  {
    error: Type.String({
      description: 'What is wrong, for humans. Several validation messages are joined with "; ".',
    }),
  },
  { title: 'SingleMessage' },
);

/** 401 for a signature that does not hold, 413 for a body that is too large. */
export type SignatureError = Static<typeof SignatureError>;
export const SignatureError = Type.Object(
  {
    success: Type.Literal(false),
    error: Type.String({
      description: 'What is wrong, for humans. It never holds the expected signature.',
    }),
    code: Type.Enum([...SIGNATURE_CODES], { description: 'What to branch on.' }),
    traceId,
  },
  { title: 'SignatureError' },
);

/** 400 for a request that cannot be bound, 500 and 503 (RFC 9110, application/problem+json). */
export type ProblemDetails = Static<typeof ProblemDetails>;
export const ProblemDetails = Type.Object(
  {
    type: Type.String({ format: 'uri', description: 'The section of RFC 9110 on this status.' }),
    title: Type.String(),
    status: Type.Integer(),
    errors: Type.Record(Type.String(), Type.Array(Type.String()), {
      description:
        'Messages by field: `Idempotency-Key` for the header, `$.walletType` for a field of the body. Empty for 500 and 503.',
    }),
    traceId,
  },
  { title: 'ProblemDetails' },
);

/** The same on the faces whose refusals carry a code (errors.md). */
export const OwnProblem = Type.Object(
  {
    ...ProblemDetails.properties,
    code: Type.Enum(['invalid', 'unexpected', 'unavailable'], { type: 'string' }),
  },
  { title: 'ProblemDetails' },
);

/** A refusal with its code; the codes that the endpoint answers with this status. */
export const refusalBody = (codes: readonly Code[]) =>
  Type.Object(
    {
      error: Type.String({ description: 'What is wrong, for humans.' }),
      code: Type.Enum([...codes], { type: 'string', description: 'What to branch on.' }),
    },
    { title: 'Refusal' },
  );

/** Stands in examples where a real answer has an id of its own. */
const EXAMPLE_TRACE_ID = '6f0c9d2e-58b1-4d0c-9a35-1f2f0c8e7d41';

/** The `type` of problem details by status. */
export const PROBLEM_TYPES = {
  400: 'https://tools.ietf.org/html/rfc9110#section-15.5.1',
  500: 'https://tools.ietf.org/html/rfc9110#section-15.6.1',
  503: 'https://tools.ietf.org/html/rfc9110#section-15.6.4',
} as const;

export const signatureErrorExample = (code: SignatureCode): SignatureError => ({
  success: false,
  error: SIGNATURE_ERRORS[code].error,
  code,
  traceId: EXAMPLE_TRACE_ID,
});

export const problemExample = (
  status: keyof typeof PROBLEM_TYPES,
  title: string,
  errors: ProblemDetails['errors'] = {},
): ProblemDetails => ({
  type: PROBLEM_TYPES[status],
  title,
  status,
  errors,
  traceId: EXAMPLE_TRACE_ID,
});

/** A named example of a body, as OpenAPI writes it. */
export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

/** A response as the routes' schemas describe it. Nothing is serialised by it. */
export interface ResponseDescription {
  readonly description: string;
  readonly headers?: Readonly<Record<string, object>>;
  /** For a body that is always empty. */
  readonly type?: 'null';
  readonly content?: Readonly<
    Record<
      string,
      { readonly schema: object; readonly examples: Readonly<Record<string, Example>> }
    >
  >;
}

/**
 * What any endpoint may answer when the service itself is in trouble (merchant-api.md#errors,
 * decision 15).
 */
export const FAILURES: Readonly<Record<'500' | '503', ResponseDescription>> = {
  500: {
    description:
      'An unexpected error. Nothing has happened: try again with back-off and the same Idempotency-Key.',
    content: {
      'application/problem+json': {
        schema: ProblemDetails,
        examples: {
          unexpected: {
            summary: 'Unexpected error',
            value: problemExample(
              500,
              'An unexpected error occurred. Try again with the same Idempotency-Key; quote the traceId when you report it.',
            ),
          },
        },
      },
    },
  },
  503: {
    description:
      'The service cannot reach its database, or is about to stop. Try again with the same Idempotency-Key.',
    headers: { 'Retry-After': { type: 'integer', description: 'Seconds to wait.' } },
    content: {
      'application/problem+json': {
        schema: ProblemDetails,
        examples: {
          unavailable: {
            summary: 'Briefly unavailable',
            value: problemExample(
              503,
              'The service is briefly unavailable. Try again with the same Idempotency-Key.',
            ),
          },
        },
      },
    },
  },
};

/** The same with the code that the other faces carry. */
export const OWN_FAILURES: typeof FAILURES = {
  500: withCode(FAILURES[500], 'unexpected'),
  503: withCode(FAILURES[503], 'unavailable'),
};

function withCode(failure: ResponseDescription, code: Code): ResponseDescription {
  const { examples = {} } = failure.content?.['application/problem+json'] ?? {};
  const coded = Object.entries(examples).map(([name, { summary, value }]) => [
    name,
    { summary, value: { ...(value as ProblemDetails), code } },
  ]);
  return {
    ...failure,
    content: {
      'application/problem+json': { schema: OwnProblem, examples: Object.fromEntries(coded) },
    },
  };
}
