import Type from 'typebox';
import { portal } from './contract/portal.ts';
import { inWords } from './contract/schemas.ts';

/** Live events for the screens of a merchant’s people. */

const { endpoint } = portal('Events');

/** Orders, deliveries of webhooks, the wallet, settings with keys and people, refused requests. */
export const OWN_CHANGE_KINDS = ['order', 'delivery', 'wallet', 'setting', 'refused'] as const;
export type OwnChangeKind = (typeof OWN_CHANGE_KINDS)[number];

/** A hint to read again. */
export interface OwnChange {
  readonly merchantId: string;
  readonly kind: OwnChangeKind;
}

export const PORTAL_FOLLOW_EVENTS = endpoint('GET /events', {
  summary: 'Follow what changes',
  needs: 'read',
  description: `Server-sent events ${inWords(OWN_CHANGE_KINDS)}, each with \`{"kind": "…"}\`: what to read again, gathered for a quarter of a second. What was missed while not connected shows in the lists. \`heartbeat\` comes every 10 seconds. Ends with the session. Somebody has 8 at once: one more ends the oldest with the event \`replaced\`.`,
  answer: Type.String({ description: 'The stream.', contentMediaType: 'text/event-stream' }),
});
