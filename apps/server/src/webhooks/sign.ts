import { createHmac } from 'node:crypto';
import type { Instant } from '@munshi/core';
import type { Attemptable, SigningKey } from '../storage/delivery-queue.ts';
import type { Vault } from '../vault.ts';

type Signed =
  | { readonly ok: true; readonly headers: Readonly<Record<string, string>>; readonly keyId: string }
  | { readonly ok: false; readonly error: string };

/**
 * The headers of one attempt, signed with the secret that is current now (spec: Request headers, Signing secret used). A
 * legacy key has none: the platform's signs, without a key prefix (D49). Without any active key nothing is to be sent.
 */
export function signAttempt({ deliveryId, eventType, body, key }: Attemptable, startedAt: Instant, vault: Pick<Vault, 'open' | 'platformSecret'>): Signed {
  if (key === undefined) return { ok: false, error: 'The merchant has no active API key to sign with.' };
  const secret = secretOf(key, vault);
  if (secret === undefined) return { ok: false, error: 'The signing secret cannot be opened with this MASTER_KEY.' };
  return {
    ok: true,
    keyId: key.keyId,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Munshi-Webhooks/1',
      'x-svc-event': eventType,
      'x-svc-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
      ...(key.sealedSecret !== null && { 'x-svc-key-prefix': key.prefix }),
      'x-svc-delivery-id': deliveryId,
      'x-svc-timestamp': String(Math.floor(startedAt / 1000)),
    },
  };
}

function secretOf({ sealedSecret, sealKeyId }: SigningKey, vault: Pick<Vault, 'open' | 'platformSecret'>): string | undefined {
  if (sealedSecret === null) return vault.platformSecret;
  try {
    return vault.open({ sealed: sealedSecret, sealKeyId: sealKeyId ?? '' });
  } catch {
    return undefined;
  }
}
