import type { ListedDeliveryView } from '@munshi/api';
import { createSigner } from '../sign-webhook.ts';
import type {
  DeliveryDetail,
  ListedDelivery,
  SentAttempt,
} from '../storage/webhooks/delivery-list.ts';
import type { Deps } from './deps.ts';
import { jsonTime } from './values.ts';

/** Webhook deliveries, as operators and the merchant's own people look at them. */

/** Shows what was sent: its body, and every attempt with the headers that it carried. */
export function createSentView(vault: Deps['vault']) {
  const sign = createSigner(vault);

  /** As its receiver got it: signed with the same key at the same time, it is the same. */
  function headersOf({ deliveryId, eventType, body }: DeliveryDetail, attempt: SentAttempt) {
    if (attempt.key === null || body === null) return null;
    const signed = sign({ deliveryId, eventType, body }, attempt.key, attempt.startedAt);
    return signed.ok
      ? Object.entries(signed.headers).map(([name, value]) => ({ name, value }))
      : null;
  }

  return (detail: DeliveryDetail) => ({
    body: detail.body?.toString('utf8') ?? null,
    bodyRemovedAt: jsonTime(detail.bodyRemovedAt),
    attemptsRemoved: detail.attemptsRemoved,
    attempts: detail.attempts.map((attempt) => {
      const { key: _, startedAt, ...shown } = attempt;
      return { ...shown, startedAt: jsonTime(startedAt), headers: headersOf(detail, attempt) };
    }),
  });
}

export const showListedDelivery = (delivery: ListedDelivery): ListedDeliveryView => ({
  deliveryId: delivery.deliveryId,
  orderId: delivery.orderId,
  orderReference: delivery.orderReference,
  merchantId: delivery.merchantId,
  merchantName: delivery.merchantName,
  eventType: delivery.eventType,
  url: delivery.url,
  host: delivery.host,
  status: delivery.status,
  createdAt: jsonTime(delivery.createdAt),
  nextAttemptAt: jsonTime(delivery.nextAttemptAt),
  attemptsMade: delivery.attemptsMade,
  lastAttempt: delivery.lastAttempt && {
    ...delivery.lastAttempt,
    startedAt: jsonTime(delivery.lastAttempt.startedAt),
  },
});
