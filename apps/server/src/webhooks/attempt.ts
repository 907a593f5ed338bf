import { type Instant, nextAttemptAt, type RetrySchedule } from '@munshi/core';
import { createSigner } from '../api-keys/sign-webhook.ts';
import type { Sender, SendResult } from '../platform/outbound/send.ts';
import type { Vault } from '../platform/vault.ts';
import type { AttemptResult } from './attempts.store.ts';
import type { Ready } from './claim.ts';

/**
 * How an attempt ended: as the sender says, or `unsigned` when there was no key to sign with and
 * nothing was sent.
 */
export type Outcome = SendResult['outcome'] | 'unsigned';

/** What came of an attempt; with the key that signed, null when nothing was sent. */
interface Attempt extends Omit<SendResult, 'outcome'> {
  readonly outcome: Outcome;
  readonly keyId: string | null;
}

/** Signs a delivery with the secret that is current, and sends it. */
export function createAttempt(vault: Pick<Vault, 'open' | 'platformSecret'>, sender: Sender) {
  const sign = createSigner(vault);
  return async (claim: Ready, startedAt: Instant): Promise<Attempt> => {
    const signed = sign(claim, claim.key, startedAt);
    if (!signed.ok)
      return {
        outcome: 'unsigned',
        responseStatus: null,
        error: signed.error,
        answer: null,
        durationMs: 0,
        keyId: null,
      };
    const { url, body } = claim;
    return { ...(await sender.send({ url, headers: signed.headers, body })), keyId: signed.keyId };
  };
}

/** What is recorded of an attempt: delivered, or when it is made again. */
export function resultOf(
  claim: Ready,
  { outcome, ...attempt }: Attempt,
  startedAt: Instant,
  schedule: RetrySchedule,
): AttemptResult {
  const { merchantId, deliveryId, subjectId, place, token, dueAt, requested } = claim;
  const number = claim.attemptsMade + 1;
  const succeeded = outcome === 'acknowledged';
  const retryAt = succeeded ? null : nextAttemptAt(number, startedAt, schedule);
  return {
    ...attempt,
    merchantId,
    deliveryId,
    subjectId,
    place,
    token,
    dueAt,
    number,
    startedAt,
    succeeded,
    requested,
    retryAt,
  };
}
