import type { EventType } from '@munshi/core';
import { ALERT_WEBHOOKS } from './merchant-alerts.webhooks.ts';
import { ORDER_WEBHOOKS } from './webhooks.ts';

/** Every event that is sent to a merchant: the `webhooks` of its OpenAPI document. */
export const WEBHOOKS = { ...ORDER_WEBHOOKS, ...ALERT_WEBHOOKS } satisfies Record<
  EventType,
  object
>;
