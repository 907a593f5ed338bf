import { OPERATOR_CAPABILITIES } from '@munshi/core';
import Type from 'typebox';
import type { AnswerOf } from './contract/endpoint.ts';
import { COMMON, namedEnum, namedObject, orNull } from './contract/operator.ts';
import { operatorFields } from './operators.ts';
import {
  BY_PASSWORD_AND_CODE,
  capabilities,
  ownCodes,
  ownSignIn,
  SIGNED_IN_FOR,
  SignInPlace,
} from './people.ts';

/** Signing in to the console, and one’s own password, sign-ins and codes. */

/** Parts of the console. */
export const SECTIONS = [
  'now',
  'queues',
  'orders',
  'late-claims',
  'approvals',
  'webhooks',
  'merchants',
  'members',
  'fees',
  'audit',
  'operators',
  'settings',
] as const;
export type Section = (typeof SECTIONS)[number];

const OWN = ownSignIn('operator', COMMON, {
  needs: 'read',
  credentials: BY_PASSWORD_AND_CODE,
  fields: {
    operator: namedObject('SignedInOperator', {
      ...operatorFields,
      capabilities: capabilities('OperatorCapability', OPERATOR_CAPABILITIES),
    }),
    previousSignIn: orNull(SignInPlace),
    oneTimeCode: namedEnum(
      'OneTimeCodeState',
      ['on', 'off', 'to-set-up'],
      'to-set-up: admins need one here; until it is set up nothing else is allowed.',
    ),
    approversMissing: Type.Integer({
      description:
        'Of the two approvers that are needed, how many cannot sign in while a second operator is required.',
    }),
    sections: Type.Array(namedEnum('ConsoleSection', SECTIONS), {
      description: 'The parts of the console that the role may open.',
    }),
  },
  shows: 'The operator, and the anti-forgery token.',
  signedInFor: SIGNED_IN_FOR,
  ends: 'all sessions and script tokens of the operator',
  recovery: {
    read: 'Whose recovery link it is',
    use: 'Choose a new password by a recovery link',
  },
  signOut: { refusals: ['wrong-state'] },
  audit: {
    signIn: ['session.create'],
    password: 'operator.password',
    recover: ['operator.recover'],
  },
});
export const {
  signIn: SIGN_IN,
  whoAmI: WHO_AM_I,
  signOut: SIGN_OUT,
  changePassword: CHANGE_OWN_PASSWORD,
  listSessions: LIST_SESSIONS,
  endSession: END_SESSION,
  endOtherSessions: END_OTHER_SESSIONS,
  readRecovery: OPERATOR_READ_RECOVERY,
  recover: OPERATOR_RECOVER,
} = OWN;
export type OperatorSessionView = AnswerOf<typeof WHO_AM_I>['data'];

export const {
  readCodeState: READ_CODE_STATE,
  setUpCode: SET_UP_CODE,
  confirmCode: CONFIRM_CODE,
  renewRecoveryCodes: RENEW_RECOVERY_CODES,
  turnCodeOff: TURN_CODE_OFF,
} = ownCodes('operator', COMMON, 'operator');
