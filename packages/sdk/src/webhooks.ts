import { createHmac, timingSafeEqual } from 'node:crypto';
import { WebhookSignatureError } from './errors.ts';
import { parseExact } from './exact-json.ts';
import type { WebhookEvent } from './types.ts';

/** Headers as Node's http, Express, Fastify or fetch give them. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export const webhooks = { verify, sign } as const;

/**
 * The event of a webhook, once its signature matches one of the secrets; during a rotation pass the
 * old and the new one. `rawBody` is the body as received, before any parsing. Throws
 * WebhookSignatureError when no secret matches, SyntaxError when the body is not JSON.
 */
function verify(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  signingSecrets: string | readonly string[],
): WebhookEvent {
  const signature = headerOf(headers, 'x-svc-signature');
  if (signature === undefined)
    throw new WebhookSignatureError('the webhook has no X-SVC-Signature header');
  if (![signingSecrets].flat().some((secret) => isSignature(rawBody, signature, secret))) {
    throw new WebhookSignatureError(
      'the signature matches none of the signing secrets: compare the raw body, as received, and the secret of the key in X-SVC-Key-Prefix',
    );
  }
  return parseExact(
    typeof rawBody === 'string' ? rawBody : Buffer.from(rawBody).toString('utf8'),
  ) as WebhookEvent;
}

/** The value of `X-SVC-Signature` for a body: to sign webhooks in tests of your own. */
function sign(rawBody: string | Uint8Array, signingSecret: string): string {
  return `sha256=${createHmac('sha256', signingSecret).update(rawBody).digest('hex')}`;
}

function isSignature(rawBody: string | Uint8Array, signature: string, secret: string): boolean {
  const expected = Buffer.from(sign(rawBody, secret));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (typeof headers['get'] === 'function') return headers['get'](name) ?? undefined;
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof value === 'string' ? value : value?.[0];
}
