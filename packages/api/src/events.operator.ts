import type { ApprovalId, ClaimId, DeliveryId, MemberId, OrderId } from '@munshi/core';
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

/** What `id` is, by kind. */
interface Named extends Record<ChangeKind, string> {
  order: OrderId;
  claim: ClaimId;
  approval: ApprovalId;
  delivery: DeliveryId;
  member: MemberId;
}

/** A hint to read again; `id` is null where none is known, or too many have changed. */
export type Change = {
  readonly [Kind in ChangeKind]: { readonly kind: Kind; readonly id: Named[Kind] | null };
}[ChangeKind];

export const OPERATOR_FOLLOW_EVENTS = endpoint('GET /events', {
  summary: 'Follow what changes',
  needs: 'read',
  description: `Server-sent events ${inWords(CHANGE_KINDS)}, each with \`{"kind": "…", "id": "…"}\`; \`id\` is null where none is known, or many have changed at once. They say what to read again, gathered for a quarter of a second; what was missed while not connected shows in the lists. \`heartbeat\` comes every 10 seconds. Ends with the session. An operator has 8 at once: one more ends the oldest with the event \`replaced\`.`,
  answer: Type.String({ description: 'The stream.', contentMediaType: 'text/event-stream' }),
});
