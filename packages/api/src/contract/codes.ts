/**
 * Why every face but the merchant's refuses a request or fails: `code` beside `error`. The text of
 * `error` may change, the codes do not. `docs/errors.md` is made from this table.
 */
export const CODES = {
  invalid: {
    status: 400,
    meaning: 'The request cannot be read, or a field is wrong, missing or unknown.',
  },
  'not-signed-in': {
    status: 401,
    meaning: 'The session or token is missing, unknown or has ended. Sign in.',
  },
  'wrong-credentials': { status: 401, meaning: 'The username or password is wrong.' },
  'one-time-code-required': {
    status: 401,
    meaning: 'The password is right. Send the one-time code from the authenticator app too.',
  },
  'one-time-code-wrong': {
    status: 401,
    meaning: 'The one-time code is wrong or was used before.',
  },
  suspended: { status: 403, meaning: 'The signed-in account is suspended.' },
  'csrf-token-invalid': {
    status: 403,
    meaning:
      'A write with a session cookie lacks `X-CSRF-Token`, or it is not the `csrfToken` of the sign-in.',
  },
  'role-too-low': { status: 403, meaning: 'The role of the signed-in person does not allow it.' },
  'one-time-code-set-up': {
    status: 403,
    meaning:
      'One-time codes are required and not set up. Operators who are admins must set them up before anything else.',
  },
  'second-operator': {
    status: 403,
    meaning: 'This person may not do it. Another one must.',
  },
  'link-invalid': { status: 403, meaning: 'The payment page link has been changed.' },
  'not-found': {
    status: 404,
    meaning: 'It does not exist, or the signed-in person may not see it.',
  },
  'wrong-state': { status: 409, meaning: 'The current state does not allow it. Read it again.' },
  claimed: { status: 409, meaning: 'Another operator is working on it; `error` says who.' },
  'already-exists': { status: 409, meaning: 'This name or number is already taken.' },
  'transaction-used': {
    status: 409,
    meaning: 'The transaction has completed another order of the account; `error` says which.',
  },
  'no-member': {
    status: 409,
    meaning: 'No member can take the order by this method now. Choose another, or try later.',
  },
  'too-many': { status: 409, meaning: 'A limit on number or frequency is reached.' },
  'link-expired': { status: 410, meaning: 'The payment page link has expired.' },
  'body-too-large': { status: 413, meaning: 'The body is too large.' },
  'unsupported-media-type': {
    status: 415,
    meaning:
      'The Content-Type of the body is not JSON (on the payment page: neither JSON nor a form).',
  },
  unprocessable: { status: 422, meaning: 'The amounts do not allow it.' },
  'too-slow': {
    status: 422,
    meaning: 'The search takes too long, or others have to end first. `error` says what to narrow.',
  },
  'key-reused': {
    status: 422,
    meaning: 'The Idempotency-Key was used for a different request.',
  },
  'too-many-tries': {
    status: 429,
    meaning:
      'Too many attempts to sign in, or too many pictures at once. `Retry-After` says when to try again.',
  },
  unexpected: {
    status: 500,
    meaning: 'An unexpected error. Try again with the same Idempotency-Key.',
  },
  unavailable: {
    status: 503,
    meaning: 'The service is briefly unavailable. Try again with the same Idempotency-Key.',
  },
} as const satisfies Readonly<
  Record<string, { readonly status: number; readonly meaning: string }>
>;

export type Code = keyof typeof CODES;
