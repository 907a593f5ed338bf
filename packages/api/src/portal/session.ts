import Type from 'typebox';
import type { Shown } from '../endpoint.ts';
import { PORTAL_ROLE } from '../operator/portal-users.ts';
import {
  dataOf,
  listOf,
  OWN_PASSWORD,
  orNull,
  PAGE_QUERY,
  RENEWED,
  strict,
  time,
} from '../schemas.ts';
import { SignInsEnded, SignInView } from '../sign-ins.ts';
import { endpoint, write } from './face.ts';

/** Signing in to the portal, and one’s own password and sign-ins. */

const sessionFields = {
  user: Type.Object({
    portalUserId: Type.String(),
    username: Type.String(),
    name: Type.String(),
    role: PORTAL_ROLE,
  }),
  merchant: Type.Object({ merchantId: Type.String(), name: Type.String() }),
  csrfToken: orNull(
    Type.String({ description: 'To be sent as `X-CSRF-Token` with every write by cookie.' }),
  ),
  expiresAt: orNull(time),
  previousSignIn: orNull(Type.Object({ at: time, address: Type.String() })),
};

export const PORTAL_SIGN_IN = endpoint('POST /session', 'Session', 'Sign in', {
  description:
    'Sets the session cookie, and answers the token for scripts that send it as `Authorization: Bearer`.',
  security: [],
  body: Type.Object(
    { username: Type.String({ maxLength: 100 }), password: Type.String({ maxLength: 200 }) },
    strict,
  ),
  answer: dataOf(
    Type.Object({ token: Type.String(), ...sessionFields }),
    'Signed in for 12 hours, or until nobody has asked for anything for 30 minutes.',
  ),
  refusals: ['wrong-credentials', 'suspended', 'too-many-tries'],
});
export type PortalSessionView = Shown<typeof PortalSessionView>;
const PortalSessionView = Type.Object(sessionFields);
export const PORTAL_WHO_AM_I = endpoint('GET /session', 'Session', 'Who is signed in', {
  answer: dataOf(PortalSessionView, 'The user, their merchant, and the anti-forgery token.'),
});
export const PORTAL_SIGN_OUT = endpoint('DELETE /session', 'Session', 'Sign out', {
  answer: dataOf(Type.Object({ signedOut: Type.Boolean() }), 'The session has ended.'),
});
export const PORTAL_CHANGE_PASSWORD = endpoint(
  'POST /password',
  'Session',
  'Change one’s own password',
  {
    description:
      'Ends all sessions of the user; who asks goes on in a new one. A wrong present password counts as a sign-in that failed. Takes no Idempotency-Key: once it is done, a repeat is refused.',
    body: OWN_PASSWORD,
    answer: dataOf(RENEWED, 'The password is changed, and this is the new session.'),
    refusals: ['wrong-state', 'too-many-tries'],
  },
);
export const PORTAL_LIST_SESSIONS = endpoint(
  'GET /sessions',
  'Session',
  'List one’s own sign-ins',
  { querystring: PAGE_QUERY, answer: listOf(SignInView, 'Sign-ins in force, the newest first.') },
);
export const PORTAL_END_SESSION = write(
  'DELETE /sessions/:sessionId',
  'Session',
  'End one of one’s own sign-ins',
  { answer: dataOf(SignInsEnded, 'It has ended: 1.') },
);
export const PORTAL_END_OTHER_SESSIONS = write(
  'DELETE /sessions',
  'Session',
  'End all of one’s other sign-ins',
  { answer: dataOf(SignInsEnded, 'How many have ended.') },
);
