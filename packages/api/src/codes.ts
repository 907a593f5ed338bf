/**
 * Why the operator, member and page faces refuse a request or fail: `code` beside `error`. The
 * words of `error` may change, the codes do not (D65). `docs/errors.md` is made from this table.
 */
export const CODES = {
  invalid: {
    status: 400,
    meaning: 'The request cannot be read, or a field is wrong, missing or unknown.',
  },
  'not-signed-in': {
    status: 401,
    meaning: 'There is no session or token, or it is unknown or has ended. Sign in.',
  },
  'wrong-credentials': { status: 401, meaning: 'The username or password is wrong.' },
  'one-time-code-required': {
    status: 401,
    meaning: 'The password is right; the one-time code of the app is needed too.',
  },
  'one-time-code-wrong': {
    status: 401,
    meaning: 'The one-time code is wrong, or was used before.',
  },
  suspended: { status: 403, meaning: 'Whoever asks is suspended.' },
  'csrf-token-invalid': {
    status: 403,
    meaning: 'A write by cookie without the `csrfToken` of the sign-in in `X-CSRF-Token`.',
  },
  'role-too-low': { status: 403, meaning: 'The role of whoever asks does not allow it.' },
  'one-time-code-set-up': {
    status: 403,
    meaning:
      'A one-time code is needed, and is not set up. Operators who are admins can do nothing else first.',
  },
  'second-operator': { status: 403, meaning: 'This operator may not do it; another one must.' },
  'link-invalid': { status: 403, meaning: 'The payment page link has been changed.' },
  'not-found': { status: 404, meaning: 'There is no such thing, or not for whoever asks.' },
  'wrong-state': { status: 409, meaning: 'The present state does not allow it.' },
  claimed: { status: 409, meaning: 'Another operator works on it; `error` says who.' },
  'already-exists': { status: 409, meaning: 'There is one with this name or number already.' },
  'no-member': {
    status: 409,
    meaning: 'No member can take the order by this method now. Choose another, or try later.',
  },
  'too-many': { status: 409, meaning: 'The limit on how many or how often is reached.' },
  'link-expired': { status: 410, meaning: 'The payment page link has expired.' },
  'body-too-large': { status: 413, meaning: 'The body is larger than the face takes.' },
  'unsupported-media-type': {
    status: 415,
    meaning: 'The body’s Content-Type is not JSON; on the page, neither JSON nor a form.',
  },
  unprocessable: { status: 422, meaning: 'The amounts do not allow it.' },
  'too-slow': {
    status: 422,
    meaning: 'The search takes too long. `error` says which filter to narrow.',
  },
  'key-reused': {
    status: 422,
    meaning: 'The Idempotency-Key has come with another request before.',
  },
  'too-many-tries': {
    status: 429,
    meaning: 'Too many tries to sign in. `Retry-After` says when to go on.',
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
