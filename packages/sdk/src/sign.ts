import { createHash } from 'node:crypto';
import { canonicalString, scanObject } from '@munshi/core';

/**
 * The signature of an order body: 32 lowercase hex characters. `body` is the JSON text that will be
 * sent, without or with a `signature` field, which is left out. Throws when it is not one JSON
 * object.
 */
export function signOrderBody(body: string, signingSecret: string): string {
  const scan = scanObject(body);
  if (!scan.ok) throw new TypeError(`an order body must be one JSON object: ${scan.reason}`);
  return createHash('md5')
    .update(canonicalString(scan.members) + signingSecret, 'utf8')
    .digest('hex');
}
