import { createHmac } from 'node:crypto';
import type { EventType, Instant } from '@munshi/core';
import type { Vault } from '../platform/vault.ts';

/** The API key whose secret signs an attempt. `sealedSecret` is null on legacy keys. */
export interface SigningKey {
  readonly merchantId: string;
  readonly keyId: string;
  readonly prefix: string;
  readonly sealedSecret: Buffer | null;
  readonly sealKeyId: string | null;
}

/** What is signed: the bytes of the body, which are sent as they are. */
interface Signable {
  readonly deliveryId: string;
  readonly eventType: EventType;
  readonly body: Buffer;
}

type Signed =
  | {
      readonly ok: true;
      readonly headers: Readonly<Record<string, string>>;
      readonly keyId: string;
    }
  | { readonly ok: false; readonly error: string };

/** The headers of an event that nothing has signed. */
export const unsignedHeaders = (
  { deliveryId, eventType }: Omit<Signable, 'body'>,
  at: Instant,
): Readonly<Record<string, string>> => ({
  'content-type': 'application/json; charset=utf-8',
  accept: '*/*',
  'user-agent': 'Munshi-Webhooks/1',
  'x-svc-event': eventType,
  'x-svc-delivery-id': deliveryId,
  'x-svc-timestamp': String(Math.floor(at / 1000)),
});

/**
 * Makes the headers of attempts, each signed with the secret that is current then
 * (webhooks.md#headers, webhooks.md#which-secret). A legacy key has none: the platform's signs,
 * without a key prefix (webhooks.md#which-secret). Without any active key nothing is to be sent.
 */
export function createSigner(vault: Pick<Vault, 'open' | 'platformSecret'>) {
  /** Opened once for each key that was read: it goes with the key, which a rotation reads again. */
  const opened = new WeakMap<SigningKey, string>();

  /** Undefined where it was sealed under another master key, or for another API key. */
  function secretOf(key: SigningKey) {
    const { merchantId, keyId, sealedSecret, sealKeyId } = key;
    if (sealedSecret === null) return vault.platformSecret;
    const known = opened.get(key);
    if (known !== undefined) return known;
    try {
      const sealed = { merchantId, keyId, sealed: sealedSecret, sealKeyId: sealKeyId ?? '' };
      const secret = vault.open(sealed);
      opened.set(key, secret);
      return secret;
    } catch {
      return undefined;
    }
  }

  return (
    { deliveryId, eventType, body }: Signable,
    key: SigningKey | undefined,
    startedAt: Instant,
  ): Signed => {
    if (key === undefined)
      return { ok: false, error: 'The merchant has no active API key to sign with.' };
    const secret = secretOf(key);
    if (secret === undefined)
      return {
        ok: false,
        error:
          'The signing secret cannot be opened: it was sealed under another MASTER_KEY, or for another API key.',
      };
    return {
      ok: true,
      keyId: key.keyId,
      headers: {
        ...unsignedHeaders({ deliveryId, eventType }, startedAt),
        'x-svc-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
        ...(key.sealedSecret !== null && { 'x-svc-key-prefix': key.prefix }),
      },
    };
  };
}
