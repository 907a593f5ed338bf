import {
  CODE_CONFIRMED,
  CODE_OFF,
  CODE_SET_UP,
  CODE_STATE,
  RECOVERY_CODES_RENEWED,
} from '../one-time-codes.ts';
import { endpoint } from './face.ts';

/** One’s own one-time codes in the portal. */

export const PORTAL_READ_CODE_STATE = endpoint(
  'GET /one-time-code',
  'One-time codes',
  'Whether one’s own sign-in needs a code',
  { ...CODE_STATE, role: 'viewer' },
);
export const PORTAL_SET_UP_CODE = endpoint(
  'POST /one-time-code',
  'One-time codes',
  'Set codes up',
  { ...CODE_SET_UP, role: 'viewer', audit: ['portal-user.one-time-code-set-up'] },
);
export const PORTAL_CONFIRM_CODE = endpoint(
  'POST /one-time-code/confirm',
  'One-time codes',
  'Turn codes on by a first one',
  { ...CODE_CONFIRMED, role: 'viewer', audit: ['portal-user.one-time-code-on'] },
);
export const PORTAL_RENEW_RECOVERY_CODES = endpoint(
  'POST /one-time-code/recovery-codes',
  'One-time codes',
  'Make recovery codes anew',
  { ...RECOVERY_CODES_RENEWED, role: 'viewer', audit: ['portal-user.recovery-codes'] },
);
export const PORTAL_TURN_CODE_OFF = endpoint(
  'POST /one-time-code/turn-off',
  'One-time codes',
  'Turn one’s own codes off',
  { ...CODE_OFF, role: 'viewer', audit: ['portal-user.one-time-code-off'] },
);
