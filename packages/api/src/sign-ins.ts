import Type from 'typebox';
import { one, TAKES_AWAY } from './decider.ts';
import type { Shown } from './endpoint.ts';
import {
  dataOf,
  listOf,
  namedObject,
  OWN_PASSWORD,
  orNull,
  PAGE_QUERY,
  RENEWED,
  strict,
  time,
} from './schemas.ts';

/** Signing in and out, one’s own password and sign-ins: what the faces with sessions share. */

export const CREDENTIALS = {
  username: Type.String({ maxLength: 100 }),
  password: Type.String({ maxLength: 200 }),
};

/** What a signed-in person sees of their session. */
export const SESSION_FIELDS = {
  csrfToken: orNull(
    Type.String({ description: 'To be sent as `X-CSRF-Token` with every write by cookie.' }),
  ),
  expiresAt: orNull(time),
};
export const SignInPlace = namedObject('TimeAndAddress', { at: time, address: Type.String() });

export const SESSION_STARTED =
  'Sets the session cookie, and answers the token for scripts that send it as `Authorization: Bearer`.';
/** Of the console and the portal. */
export const SIGNED_IN_FOR =
  'Signed in for 12 hours, or until nobody has asked for anything for 30 minutes.';

/** Signing in with a password alone. */
export const PASSWORD_SIGN_IN = {
  role: 'anyone',
  decides: one('Their own sign-in: the password decides, and a code where one is set up.'),
  description: SESSION_STARTED,
  body: Type.Object(CREDENTIALS, strict),
  refusals: ['wrong-credentials', 'suspended', 'too-many-tries'],
} as const;

export const SIGNED_OUT = {
  decides: TAKES_AWAY,
  audit: [],
  answer: dataOf(Type.Object({ signedOut: Type.Boolean() }), 'The session has ended.'),
} as const;

/** `ends`: what does. */
export const passwordChange = (ends: string) =>
  ({
    decides: one('Their own, by the present one.'),
    description: `Ends ${ends}; who asks goes on in a new one. A wrong present password counts as a sign-in that failed. Takes no Idempotency-Key: once it is done, a repeat is refused.`,
    body: OWN_PASSWORD,
    answer: dataOf(RENEWED, 'The password is changed, and this is the new session.'),
    refusals: ['wrong-state', 'too-many-tries'],
  }) as const;

export type SignInView = Shown<typeof SignInView>;
export const SignInView = namedObject('SignIn', {
  sessionId: Type.String(),
  current: Type.Boolean({ description: 'This request has come by it.' }),
  createdAt: time,
  lastUsedAt: time,
  expiresAt: time,
  address: orNull(Type.String()),
  userAgent: orNull(Type.String()),
});
export const SignInsEnded = namedObject('SignInsEnded', { ended: Type.Integer() });

/** Lists one’s own. */
export const OWN_SIGN_INS = {
  querystring: PAGE_QUERY,
  answer: listOf(SignInView, 'Sign-ins in force, the newest first. Script tokens are not listed.'),
};
/** Ends one of them. */
export const ONE_ENDED = {
  decides: TAKES_AWAY,
  audit: ['session.end'],
  answer: dataOf(SignInsEnded, 'It has ended: 1.'),
} as const;
/** Ends all but the one that asks. */
export const OTHERS_ENDED = {
  decides: TAKES_AWAY,
  audit: ['session.end'],
  answer: dataOf(SignInsEnded, 'How many have ended.'),
} as const;
