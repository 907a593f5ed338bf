import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { canonicalString, scanObject } from '@munshi/core';

/**
 * The signature of an order body: 32 lowercase hex characters. `body` is the JSON text that will be sent, without or with a
 * `signature` field, which is left out. Throws when it is not one JSON object. Source: spec, Order-body signature.
 */
export function signOrderBody(body: string, signingSecret: string): string {
  const scan = scanObject(body);
  if (!scan.ok) throw new TypeError(`an order body must be one JSON object: ${scan.reason}`);
  return createHash('md5')
    .update(canonicalString(scan.members) + signingSecret, 'utf8')
    .digest('hex');
}

/**
 * Whether a webhook came from the service: `signature` is the X-SVC-Signature header, `rawBody` the bytes as received.
 * Compares in constant time. Answer 401 when it is false. Source: spec, Events.
 */
export function isWebhookSignature(rawBody: string | Uint8Array, signature: string | undefined, signingSecret: string): boolean {
  const expected = Buffer.from(`sha256=${createHmac('sha256', signingSecret).update(rawBody).digest('hex')}`);
  const given = Buffer.from(signature ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
