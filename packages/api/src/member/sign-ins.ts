import { ONE_ENDED, OTHERS_ENDED, OWN_SIGN_INS } from '../sign-ins.ts';
import { endpoint, write } from './face.ts';

/** The phones on which a member is signed in. */

export const MEMBER_LIST_SESSIONS = endpoint(
  'GET /sessions',
  'Session',
  'List one’s own sign-ins',
  OWN_SIGN_INS,
);
export const MEMBER_END_SESSION = write(
  'DELETE /sessions/:sessionId',
  'Session',
  'End one of one’s own sign-ins',
  { ...ONE_ENDED, description: 'What is pushed to that phone stops with it.' },
);
export const MEMBER_END_OTHER_SESSIONS = write(
  'DELETE /sessions',
  'Session',
  'End all of one’s other sign-ins',
  OTHERS_ENDED,
);
