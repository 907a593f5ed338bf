import Type from 'typebox';
import { TWO } from '../decider.ts';
import {
  CODE_CONFIRMED,
  CODE_OFF,
  CODE_SET_UP,
  CODE_STATE,
  RECOVERY_CODES_RENEWED,
} from '../one-time-codes.ts';
import { endpoint, orWaiting, write } from './schemas.ts';

/** One-time codes of operators. */

export const READ_CODE_STATE = endpoint(
  'GET /one-time-code',
  'One-time codes',
  'Whether one’s own sign-in needs a code',
  { ...CODE_STATE, role: 'viewer' },
);
export const SET_UP_CODE = endpoint('POST /one-time-code', 'One-time codes', 'Set codes up', {
  ...CODE_SET_UP,
  role: 'viewer',
  audit: ['operator.one-time-code-set-up'],
});
export const CONFIRM_CODE = endpoint(
  'POST /one-time-code/confirm',
  'One-time codes',
  'Turn codes on by a first one',
  { ...CODE_CONFIRMED, role: 'viewer', audit: ['operator.one-time-code-on'] },
);
export const RENEW_RECOVERY_CODES = endpoint(
  'POST /one-time-code/recovery-codes',
  'One-time codes',
  'Make recovery codes anew',
  { ...RECOVERY_CODES_RENEWED, role: 'viewer', audit: ['operator.recovery-codes'] },
);
export const TURN_CODE_OFF = endpoint(
  'POST /one-time-code/turn-off',
  'One-time codes',
  'Turn one’s own codes off',
  { ...CODE_OFF, role: 'viewer', audit: ['operator.one-time-code-off'] },
);

export const REMOVE_CODE = write(
  'DELETE /operators/:operatorId/one-time-code',
  'Operators',
  'Turn somebody else’s codes off',
  {
    role: 'admin',
    decides: TWO,
    audit: ['one-time-code-removal.request', 'operator.one-time-code-remove'],
    description:
      'For who has lost app and recovery codes. Their sign-ins end. While a second operator is required, another one approves it.',
    answer: orWaiting(Type.Object({ removed: Type.Literal(true) }), 'Codes are off.'),
    refusals: ['wrong-state'],
  },
);
