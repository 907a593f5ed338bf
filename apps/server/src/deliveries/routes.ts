import { type DeliverySearch, type Instant, maskLogin, readDeliverySearch } from '@munshi/core';
import { createSigner } from '../api-keys/sign-webhook.ts';
import type { Deps } from '../people/deps.ts';
import type { DeliveryDetail, SentAttempt } from './lists.store.ts';

/** Webhook deliveries, as operators and the merchant's own people look at them. */

/** What was typed into the search box. */
export function readSearch(typed: string | undefined, now: Instant): DeliverySearch | undefined {
  const text = typed?.trim() || undefined;
  return text === undefined ? undefined : readDeliverySearch(text, now);
}

/** Shows what was sent: its body, and every attempt with the headers that it carried. */
export function createSentView(vault: Deps['vault']) {
  const sign = createSigner(vault);

  /** As its receiver got it: signed with the same key at the same time, it is the same. */
  function headersOf({ deliveryId, eventType, url, body }: DeliveryDetail, attempt: SentAttempt) {
    if (attempt.key === null || body === null) return null;
    const signed = sign({ deliveryId, eventType, body }, attempt.key, attempt.startedAt);
    if (!signed.ok) return null;
    const headers = Object.entries(signed.headers).map(([name, value]) => ({ name, value }));
    const login = { name: 'authorization', value: 'Basic ***' };
    return maskLogin(url) === url ? headers : [...headers, login];
  }

  return (detail: DeliveryDetail) => ({
    body: detail.body?.toString('utf8') ?? null,
    bodyRemovedAt: detail.bodyRemovedAt,
    attemptsRemoved: detail.attemptsRemoved,
    attempts: detail.attempts.map((attempt) => {
      return { ...attempt, headers: headersOf(detail, attempt) };
    }),
  });
}
