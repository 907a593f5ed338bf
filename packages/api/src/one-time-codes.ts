import Type from 'typebox';
import { one } from './decider.ts';
import { dataOf, namedObject, optional, strict } from './schemas.ts';
import { CREDENTIALS, PASSWORD_SIGN_IN, SESSION_STARTED } from './sign-ins.ts';

/** One-time codes (TOTP, RFC 6238) as second factor of operators and of merchants’ people. */

export const ONE_TIME_CODE = Type.String({
  maxLength: 40,
  description: 'Six digits of one’s app, or one of one’s recovery codes.',
});

/** Signing in with a password, and a code where one is asked for. */
export const CODE_SIGN_IN = {
  role: PASSWORD_SIGN_IN.role,
  decides: PASSWORD_SIGN_IN.decides,
  description: `${SESSION_STARTED} Whoever has one-time codes is refused with \`one-time-code-required\` until the code is sent too.`,
  body: Type.Object({ ...CREDENTIALS, oneTimeCode: optional(ONE_TIME_CODE) }, strict),
  refusals: [...PASSWORD_SIGN_IN.refusals, 'one-time-code-required', 'one-time-code-wrong'],
} as const;

const CodeStateView = namedObject('CodeState', {
  on: Type.Boolean({ description: 'Asked for at every sign-in.' }),
  recoveryCodesLeft: Type.Integer(),
});
export const CODE_STATE = { answer: dataOf(CodeStateView, 'The state.') };

export const CODE_SET_UP = {
  decides: one('Their own, by their password.'),
  description:
    'Needs the password, under the limits of sign-ins. The codes are asked for once the first one has confirmed them; until then this may be repeated, and gives another secret.',
  body: Type.Object({ currentPassword: Type.String({ maxLength: 200 }) }, strict),
  answer: dataOf(
    Type.Object({
      secret: Type.String({ description: 'In base32, to be typed in where no camera is.' }),
      uri: Type.String({ description: '`otpauth://…`' }),
      qrSvg: Type.String({ description: 'The same as a QR code, SVG.' }),
    }),
    'What the authenticator app needs.',
  ),
  refusals: ['wrong-state', 'too-many-tries'],
} as const;

const RecoveryCodes = namedObject('RecoveryCodes', {
  recoveryCodes: Type.Array(Type.String(), {
    description: 'Ten codes, each good once in place of the app’s. Shown this once.',
  }),
});
export const BY_CODE = {
  decides: one('Their own, by a code.'),
  body: namedObject('OneTimeCodeRequest', { oneTimeCode: ONE_TIME_CODE }, strict),
  refusals: ['wrong-state'],
} as const;
/** Turns codes on by a first one. */
export const CODE_CONFIRMED = {
  ...BY_CODE,
  description: 'All one’s other sign-ins end.',
  answer: dataOf(RecoveryCodes, 'Codes are on.'),
};
export const RECOVERY_CODES_RENEWED = {
  ...BY_CODE,
  answer: dataOf(RecoveryCodes, 'The codes before are void.'),
};
export const CODE_OFF = { ...BY_CODE, answer: dataOf(CodeStateView, 'Codes are off.') };
