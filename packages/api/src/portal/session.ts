import Type from 'typebox';
import type { Shown } from '../endpoint.ts';
import { CODE_SIGN_IN } from '../one-time-codes.ts';
import { TIME_ZONE } from '../operator/merchants.ts';
import { PORTAL_ROLE } from '../portal-people.ts';
import { READ_RECOVERY, RECOVER } from '../recovery.ts';
import { dataOf, namedEnum, namedObject, orNull } from '../schemas.ts';
import {
  ONE_ENDED,
  OTHERS_ENDED,
  OWN_SIGN_INS,
  passwordChange,
  SESSION_FIELDS,
  SIGNED_IN_FOR,
  SIGNED_OUT,
  SignInPlace,
} from '../sign-ins.ts';
import { endpoint, write } from './face.ts';

/** Signing in to the portal, and one’s own password and sign-ins. */

const sessionFields = {
  user: namedObject('SignedInUser', {
    portalUserId: Type.String(),
    username: Type.String(),
    name: Type.String(),
    role: PORTAL_ROLE,
  }),
  merchant: namedObject('OwnMerchant', {
    merchantId: Type.String(),
    name: Type.String(),
    timeZone: TIME_ZONE,
  }),
  ...SESSION_FIELDS,
  previousSignIn: orNull(SignInPlace),
  oneTimeCode: namedEnum(
    'OneTimeCodeState',
    ['on', 'off'],
    'Keys are issued and revoked with a code alone.',
  ),
};

export const PORTAL_SIGN_IN = endpoint('POST /session', 'Session', 'Sign in', {
  audit: ['session.create'],
  ...CODE_SIGN_IN,
  answer: dataOf(
    namedObject('NewSession', { token: Type.String(), ...sessionFields }),
    SIGNED_IN_FOR,
  ),
});
export type PortalSessionView = Shown<typeof PortalSessionView>;
const PortalSessionView = namedObject('Session', sessionFields);
export const PORTAL_WHO_AM_I = endpoint('GET /session', 'Session', 'Who is signed in', {
  role: 'viewer',
  answer: dataOf(PortalSessionView, 'The user, their merchant, and the anti-forgery token.'),
});
export const PORTAL_SIGN_OUT = endpoint('DELETE /session', 'Session', 'Sign out', {
  role: 'viewer',
  ...SIGNED_OUT,
});
export const PORTAL_CHANGE_PASSWORD = endpoint(
  'POST /password',
  'Session',
  'Change one’s own password',
  {
    ...passwordChange('all sessions of the user'),
    role: 'viewer',
    audit: ['portal-user.password'],
  },
);
export const PORTAL_LIST_SESSIONS = endpoint(
  'GET /sessions',
  'Session',
  'List one’s own sign-ins',
  { ...OWN_SIGN_INS, role: 'viewer' },
);
export const PORTAL_END_SESSION = write(
  'DELETE /sessions/:sessionId',
  'Session',
  'End one of one’s own sign-ins',
  { ...ONE_ENDED, role: 'viewer' },
);
export const PORTAL_END_OTHER_SESSIONS = write(
  'DELETE /sessions',
  'Session',
  'End all of one’s other sign-ins',
  { ...OTHERS_ENDED, role: 'viewer' },
);

export const PORTAL_READ_RECOVERY = endpoint(
  'POST /recovery/read',
  'Session',
  'Whose link it is: an invitation or a recovery link',
  READ_RECOVERY,
);
export const PORTAL_RECOVER = endpoint(
  'POST /recovery',
  'Session',
  'Choose a password by an invitation or a recovery link',
  { ...RECOVER, audit: ['portal-user.recover', 'portal-user.accept'] },
);
