import { dataOf, listOf, PAGE_QUERY } from '../schemas.ts';
import { SignInsEnded, SignInView } from '../sign-ins.ts';
import { endpoint, write } from './face.ts';

/** The phones on which a member is signed in. */

export const MEMBER_LIST_SESSIONS = endpoint(
  'GET /sessions',
  'Session',
  'List one’s own sign-ins',
  { querystring: PAGE_QUERY, answer: listOf(SignInView, 'Sign-ins in force, the newest first.') },
);
export const MEMBER_END_SESSION = write(
  'DELETE /sessions/:sessionId',
  'Session',
  'End one of one’s own sign-ins',
  {
    description: 'What is pushed to that phone stops with it.',
    answer: dataOf(SignInsEnded, 'It has ended: 1.'),
  },
);
export const MEMBER_END_OTHER_SESSIONS = write(
  'DELETE /sessions',
  'Session',
  'End all of one’s other sign-ins',
  { answer: dataOf(SignInsEnded, 'How many have ended.') },
);
