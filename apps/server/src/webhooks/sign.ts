import { hash } from 'node:crypto';
import type { Instant } from '@munshi/core';
import type { Claimed } from '../storage/delivery-queue.ts';
import type { SigningKey } from '../storage/signing-keys.ts';
import type { Vault } from '../vault.ts';

type Signed =
  | {
      readonly ok: true;
      readonly headers: Readonly<Record<string, string>>;
      readonly keyId: string;
    }
  | { readonly ok: false; readonly error: string };

/**
 * Opened secrets that are kept ready: opening one and setting up its HMAC costs more than the rest
 * of an attempt.
 */
const READY_MAX = 1_000;
const BLOCK_BYTES = 64;

/**
 * Makes the headers of attempts, each signed with the secret that is current then (spec: Request
 * headers, Signing secret used). A legacy key has none: the platform's signs, without a key prefix
 * (D49). Without any active key nothing is to be sent.
 */
export function createSigner(vault: Pick<Vault, 'open' | 'platformSecret'>) {
  /**
   * By the key and its sealed bytes, so that one that is sealed anew is opened anew, and another
   * key's does not pass for it.
   */
  const ready = new Map<string, (message: Buffer) => string>();
  const platform = createHmacSha256(vault.platformSecret);

  function hmacOf({
    merchantId,
    keyId,
    sealedSecret,
    sealKeyId,
  }: SigningKey): ((message: Buffer) => string) | undefined {
    if (sealedSecret === null) return platform;
    const name = `${merchantId} ${keyId} ${sealKeyId} ${sealedSecret.toString('latin1')}`;
    const known = ready.get(name);
    if (known !== undefined) return known;
    try {
      const hmac = createHmacSha256(
        vault.open({ merchantId, keyId, sealed: sealedSecret, sealKeyId: sealKeyId ?? '' }),
      );
      if (ready.size >= READY_MAX) ready.clear();
      ready.set(name, hmac);
      return hmac;
    } catch {
      return undefined;
    }
  }

  return (
    { deliveryId, eventType, body }: Pick<Claimed, 'deliveryId' | 'eventType' | 'body'>,
    key: SigningKey | undefined,
    startedAt: Instant,
  ): Signed => {
    if (key === undefined)
      return { ok: false, error: 'The merchant has no active API key to sign with.' };
    const hmac = hmacOf(key);
    if (hmac === undefined)
      return {
        ok: false,
        error:
          'The signing secret cannot be opened: it was sealed under another MASTER_KEY, or for another API key.',
      };
    return {
      ok: true,
      keyId: key.keyId,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Munshi-Webhooks/1',
        'x-svc-event': eventType,
        'x-svc-signature': `sha256=${hmac(body)}`,
        ...(key.sealedSecret !== null && { 'x-svc-key-prefix': key.prefix }),
        'x-svc-delivery-id': deliveryId,
        'x-svc-timestamp': String(Math.floor(startedAt / 1000)),
      },
    };
  };
}

/**
 * HMAC-SHA256 in hex by two one-shot hashes (RFC 2104); measured, a fifth of the time of
 * createHmac.
 */
function createHmacSha256(secret: string): (message: Buffer) => string {
  const bytes = Buffer.from(secret);
  const key = Buffer.alloc(BLOCK_BYTES);
  (bytes.length > BLOCK_BYTES ? hash('sha256', bytes, 'buffer') : bytes).copy(key);
  const inner = Buffer.from(key.map((byte) => byte ^ 0x36));
  const outer = Buffer.from(key.map((byte) => byte ^ 0x5c));
  return (message) =>
    hash(
      'sha256',
      Buffer.concat([outer, hash('sha256', Buffer.concat([inner, message]), 'buffer')]),
    );
}
