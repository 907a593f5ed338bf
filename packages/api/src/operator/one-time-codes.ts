import Type from 'typebox';
import type { Shown } from '../endpoint.ts';
import { dataOf, endpoint, orWaiting, strict, write } from './schemas.ts';

/** One-time codes (TOTP, RFC 6238) as second factor of operators. */

export const ONE_TIME_CODE = Type.String({
  maxLength: 40,
  description: 'Six digits of the operator’s app, or one of their recovery codes.',
});

export type CodeStateView = Shown<typeof CodeStateView>;
const CodeStateView = Type.Object({
  on: Type.Boolean({ description: 'Asked for at every sign-in.' }),
  recoveryCodesLeft: Type.Integer(),
});
export const READ_CODE_STATE = endpoint(
  'GET /one-time-code',
  'One-time codes',
  'Whether one’s own sign-in needs a code',
  { answer: dataOf(CodeStateView, 'The state.') },
);

export const SET_UP_CODE = endpoint('POST /one-time-code', 'One-time codes', 'Set codes up', {
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
});

const RecoveryCodes = Type.Object({
  recoveryCodes: Type.Array(Type.String(), {
    description: 'Ten codes, each good once in place of the app’s. Shown this once.',
  }),
});
export const CONFIRM_CODE = endpoint(
  'POST /one-time-code/confirm',
  'One-time codes',
  'Turn codes on by a first one',
  {
    description: 'All other sign-ins of the operator end.',
    body: Type.Object({ oneTimeCode: ONE_TIME_CODE }, strict),
    answer: dataOf(RecoveryCodes, 'Codes are on.'),
    refusals: ['wrong-state'],
  },
);
export const RENEW_RECOVERY_CODES = endpoint(
  'POST /one-time-code/recovery-codes',
  'One-time codes',
  'Make recovery codes anew',
  {
    body: Type.Object({ oneTimeCode: ONE_TIME_CODE }, strict),
    answer: dataOf(RecoveryCodes, 'The codes before are void.'),
    refusals: ['wrong-state'],
  },
);
export const TURN_CODE_OFF = endpoint(
  'POST /one-time-code/turn-off',
  'One-time codes',
  'Turn one’s own codes off',
  {
    body: Type.Object({ oneTimeCode: ONE_TIME_CODE }, strict),
    answer: dataOf(CodeStateView, 'Codes are off.'),
    refusals: ['wrong-state'],
  },
);

export const REMOVE_CODE = write(
  'DELETE /operators/:operatorId/one-time-code',
  'Operators',
  'Turn somebody else’s codes off',
  {
    description:
      'For who has lost app and recovery codes. Their sign-ins end. While a second operator is required, another one approves it.',
    answer: orWaiting(Type.Object({ removed: Type.Literal(true) }), 'Codes are off.'),
    refusals: ['wrong-state'],
  },
);
