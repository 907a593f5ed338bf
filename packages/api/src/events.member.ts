import { NOTICE_EVENTS } from '@munshi/core';
import Type from 'typebox';
import { member } from './contract/member.ts';
import { inWords } from './contract/schemas.ts';

/** What a member’s open app is notified of. */

const { endpoint } = member('Events');

export const MEMBER_FOLLOW_EVENTS = endpoint('GET /events', {
  summary: 'Follow one’s own orders',
  description: `Server-sent events ${inWords(NOTICE_EVENTS)}, each with \`{"orderId": "…"}\`. They say when to look again; what was missed while not connected shows in the lists. Ends with the session. A member has 8 at once: one more ends the oldest with the event \`replaced\`.`,
  answer: Type.String({ description: 'The stream.', contentMediaType: 'text/event-stream' }),
});
