import Type from 'typebox';
import { inWords, operator } from './contract/operator.ts';

/** Live events for operators' screens. */

const { endpoint } = operator('Events');

/**
 * What has changed: an order, a late claim, a request that waits for a second operator, a delivery
 * of a webhook, a member or one of their accounts, or what the platform is set to (settings,
 * merchants, keys, fees, rates, operators).
 */
export const CHANGE_KINDS = [
  'order',
  'claim',
  'approval',
  'delivery',
  'member',
  'setting',
] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** A hint to read again; `id` is null where too many have changed to name them. */
export interface Change {
  readonly kind: ChangeKind;
  readonly id: string | null;
}

export const OPERATOR_FOLLOW_EVENTS = endpoint('GET /events', {
  summary: 'Follow what changes',
  needs: 'read',
  description: `Server-sent events ${inWords(CHANGE_KINDS)}, each with \`{"kind": "…", "id": "…"}\`; \`id\` is null where many have changed at once. They say what to read again, gathered for a quarter of a second; what was missed while not connected shows in the lists. \`heartbeat\` comes every 10 seconds. Ends with the session. An operator has 8 at once: one more ends the oldest with the event \`replaced\`.`,
  answer: Type.String({ description: 'The stream.', contentMediaType: 'text/event-stream' }),
});
