import { createHash } from 'node:crypto';
import { canonicalString, fieldWithOtherReading, scanObject } from '@munshi/core';
import { ValidationError } from './errors.ts';

/**
 * The signature of an order body: 32 lowercase hex characters. `body` is the JSON text that will be
 * sent, without or with a `signature` field, which is left out. Throws ValidationError when it is not
 * one JSON object, and when the service would refuse it for a second reading of its signed text.
 */
export function signOrderBody(body: string, signingSecret: string): string {
  const scan = scanObject(body);
  if (!scan.ok) throw new ValidationError(`an order body must be one JSON object: ${scan.reason}`);
  const field = fieldWithOtherReading(scan.members);
  if (field !== undefined) {
    const message = `the signed text of ${field} could be read as another field: write & as %26 there`;
    throw new ValidationError(message, { fields: { [field]: [message] } });
  }
  return createHash('md5')
    .update(canonicalString(scan.members) + signingSecret, 'utf8')
    .digest('hex');
}
