import { PORTAL_CAPABILITIES } from '@munshi/core';
import Type from 'typebox';
import type { AnswerOf } from './contract/endpoint.ts';
import { COMMON } from './contract/portal.ts';
import { namedEnum, namedObject, orNull } from './contract/schemas.ts';
import { TIME_ZONE } from './merchants.operator.ts';
import {
  BY_PASSWORD_AND_CODE,
  capabilities,
  ownCodes,
  ownSignIn,
  SIGNED_IN_FOR,
  SignInPlace,
} from './people.ts';
import { PORTAL_ROLE } from './portal-people.ts';

/** Signing in to the portal, and one’s own password, sign-ins and codes. */

export const {
  signIn: PORTAL_SIGN_IN,
  whoAmI: PORTAL_WHO_AM_I,
  signOut: PORTAL_SIGN_OUT,
  changePassword: PORTAL_CHANGE_PASSWORD,
  listSessions: PORTAL_LIST_SESSIONS,
  endSession: PORTAL_END_SESSION,
  endOtherSessions: PORTAL_END_OTHER_SESSIONS,
  readRecovery: PORTAL_READ_RECOVERY,
  recover: PORTAL_RECOVER,
} = ownSignIn('portal', COMMON, {
  needs: 'read',
  credentials: BY_PASSWORD_AND_CODE,
  fields: {
    user: namedObject('SignedInUser', {
      portalUserId: Type.String(),
      username: Type.String(),
      name: Type.String(),
      role: PORTAL_ROLE,
      capabilities: capabilities('PortalCapability', PORTAL_CAPABILITIES),
    }),
    merchant: namedObject('OwnMerchant', {
      merchantId: Type.String(),
      name: Type.String(),
      timeZone: TIME_ZONE,
    }),
    previousSignIn: orNull(SignInPlace),
    oneTimeCode: namedEnum(
      'OneTimeCodeState',
      ['on', 'off'],
      'Keys are issued and revoked with a code alone.',
    ),
  },
  shows: 'The user, their merchant, and the anti-forgery token.',
  signedInFor: SIGNED_IN_FOR,
  ends: 'all sessions of the user',
  recovery: {
    read: 'Whose link it is: an invitation or a recovery link',
    use: 'Choose a password by an invitation or a recovery link',
  },
  audit: {
    signIn: ['session.create'],
    password: 'portal-user.password',
    recover: ['portal-user.recover', 'portal-user.accept'],
  },
});
export type PortalSessionView = AnswerOf<typeof PORTAL_WHO_AM_I>['data'];

export const {
  readCodeState: PORTAL_READ_CODE_STATE,
  setUpCode: PORTAL_SET_UP_CODE,
  confirmCode: PORTAL_CONFIRM_CODE,
  renewRecoveryCodes: PORTAL_RENEW_RECOVERY_CODES,
  turnCodeOff: PORTAL_TURN_CODE_OFF,
} = ownCodes('portal', COMMON, 'portal-user');
