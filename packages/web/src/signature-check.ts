import {
  BODY_BYTES_MAX,
  canonicalString,
  compareUtf8,
  fieldWithOtherReading,
  type JsonMember,
  readCreation,
  readSignature,
  type SignatureCode,
  scanObject,
} from '@munshi/core';
import { hmac } from '@noble/hashes/hmac.js';
import { md5 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/**
 * Says why a signature is refused, where the secret is: in the browser. Whether it is right is
 * decided by the rules of core that the service goes by (signing.md#the-algorithm); what went wrong
 * is found by repeating what people do instead. Web Crypto has no MD5, hence the library.
 */

/** Why no canonical string can be made, or what stands in the place of a signature. */
export type SignatureFault =
  | 'too-large'
  | 'byte-order-mark'
  | 'not JSON'
  | 'not an object'
  | 'lone surrogate'
  | 'repeated key'
  | 'other-reading'
  | 'not-signed'
  | 'not-a-text'
  | 'not-md5'
  | 'other-text';

export type SignatureFinding =
  /** The service takes it. `refusals`: what it then says about the fields; the first blocks. */
  | { readonly kind: 'right'; readonly refusals: readonly string[] }
  | {
      readonly kind: 'wrong';
      readonly code: SignatureCode;
      readonly fault: SignatureFault;
      /** With `other-text`: what explains the signature that was sent; empty: nothing known. */
      readonly slips: readonly SignatureSlip[];
    }
  /** The body is in order; without a secret nothing can be compared. */
  | { readonly kind: 'no-secret' };

export interface SignatureCheck {
  readonly finding: SignatureFinding;
  /** What is signed, without the secret; null where the body cannot be read. */
  readonly canonical: string | null;
  /** The signature that the body should have; null without a secret. */
  readonly expected: string | null;
}

export interface SignedRequest {
  /** As it is sent, to the character. */
  readonly body: string;
  readonly secret: string;
  /** The header `Idempotency-Key`; empty: not looked at. */
  readonly idempotencyKey: string;
}

/** Checks an order creation in the order of merchant-api.md#order-of-checks. */
export function checkSignature({ body, secret, idempotencyKey }: SignedRequest): SignatureCheck {
  const unreadable = (code: SignatureCode, fault: SignatureFault): SignatureCheck => ({
    finding: { kind: 'wrong', code, fault, slips: [] },
    canonical: null,
    expected: null,
  });
  if (utf8ToBytes(body).length > BODY_BYTES_MAX)
    return unreadable('PAYLOAD_TOO_LARGE', 'too-large');
  if (body.startsWith('\ufeff')) return unreadable('SIGNATURE_MALFORMED', 'byte-order-mark');
  const scan = scanObject(body);
  if (!scan.ok) return unreadable('SIGNATURE_MALFORMED', scan.reason);

  const canonical = canonicalString(scan.members);
  const expected = secret === '' ? null : md5Hex(canonical + secret);
  const found = (finding: SignatureFinding): SignatureCheck => ({ finding, canonical, expected });
  const reading = readSignature(body);
  if (!reading.ok) {
    const fault =
      reading.code === 'SIGNATURE_REQUIRED'
        ? 'not-signed'
        : fieldWithOtherReading(scan.members) === undefined
          ? 'not-a-text'
          : 'other-reading';
    return found({ kind: 'wrong', code: reading.code, fault, slips: [] });
  }
  const given = reading.signature.toLowerCase();
  if (!/^[0-9a-f]{32}$/.test(given))
    return found({ kind: 'wrong', code: 'SIGNATURE_INVALID', fault: 'not-md5', slips: [] });
  if (expected === null) return found({ kind: 'no-secret' });
  if (given !== expected) {
    const slips = slipsOf([...scan.members.values()], secret, given);
    return found({ kind: 'wrong', code: 'SIGNATURE_INVALID', fault: 'other-text', slips });
  }
  return found({ kind: 'right', refusals: refusalsOf(scan.members, idempotencyKey) });
}

/** What binding and validation would say next (merchant-api.md#messages-of-order-creation). */
function refusalsOf(members: ReadonlyMap<string, JsonMember>, key: string): readonly string[] {
  const reading = readCreation(members, key === '' ? 'not looked at' : key);
  if (reading.kind === 'valid') return [];
  if (reading.kind === 'invalid') return reading.messages;
  return Object.entries(reading.errors).flatMap(([field, messages]) =>
    messages.map((message) => (field === 'Idempotency-Key' ? message : `${field}: ${message}`)),
  );
}

/** How a client writes what it signs. */
interface Writing {
  keeps(member: JsonMember): boolean;
  key(key: string): string;
  readonly sorts: boolean;
  value(member: JsonMember): string;
  join(pairs: string, secret: string): string;
}

const asDocumented: Writing = {
  keeps: ({ kind, value }) => value !== '' && !['null', 'object', 'array'].includes(kind),
  key: (key) => key.toLowerCase(),
  sorts: true,
  value: ({ value }) => value,
  join: (pairs, secret) => pairs + secret,
};

const only =
  (kind: JsonMember['kind'], write: (member: JsonMember) => string): Writing['value'] =>
  (member) =>
    member.kind === kind ? write(member) : member.value;

/** What people do instead, each in one respect. */
const SLIPS = {
  'numbers-rewritten': { value: only('number', ({ value }) => String(Number(value))) },
  'numbers-with-two-places': { value: only('number', ({ value }) => Number(value).toFixed(2)) },
  'strings-encoded': { value: only('string', ({ value }) => encodeURIComponent(value)) },
  'strings-form-encoded': {
    value: only('string', ({ value }) => `${new URLSearchParams({ '': value })}`.slice(1)),
  },
  'strings-escaped': { value: only('string', ({ source }) => source.slice(1, -1)) },
  'strings-quoted': { value: only('string', ({ source }) => source) },
  'booleans-capital': {
    value: only('boolean', ({ value }) => (value === 'true' ? 'True' : 'False')),
  },
  'booleans-as-numbers': {
    value: only('boolean', ({ value }) => (value === 'true' ? '1' : '')),
  },
  'keys-not-lowered': { key: (key) => key },
  'not-sorted': { sorts: false },
  'empty-kept': { keeps: ({ kind }) => !['null', 'object', 'array'].includes(kind) },
  'null-kept': { keeps: ({ kind, value }) => value !== '' && !['object', 'array'].includes(kind) },
  'nested-kept': { keeps: ({ kind, value }) => value !== '' && kind !== 'null' },
  'without-secret': { join: (pairs) => pairs },
  'secret-first': { join: (pairs, secret) => secret + pairs },
  'secret-after-ampersand': { join: (pairs, secret) => `${pairs}&${secret}` },
  'secret-trimmed': { join: (pairs, secret) => pairs + secret.trim() },
  'secret-with-line-break': { join: (pairs, secret) => `${pairs}${secret}\n` },
} as const satisfies Readonly<Record<string, Partial<Writing>>>;
export type SignatureSlip = keyof typeof SLIPS;
const SLIP_NAMES = Object.keys(SLIPS) as SignatureSlip[];

/** The one slip, or the two at once, that give the signature that was sent. */
function slipsOf(
  members: readonly JsonMember[],
  secret: string,
  given: string,
): readonly SignatureSlip[] {
  const signed = members.filter(({ key }) => key.toLowerCase() !== 'signature');
  const explains = (slips: readonly SignatureSlip[]) =>
    md5Hex(signedText(signed, secret, Object.assign({}, asDocumented, ...slips.map(slipOf)))) ===
    given;
  const pairs = SLIP_NAMES.flatMap((first, at) =>
    SLIP_NAMES.slice(at + 1)
      .filter((second) => inDifferentRespects(first, second))
      .map((second) => [first, second] as const),
  );
  return [...SLIP_NAMES.map((slip) => [slip]), ...pairs].find(explains) ?? [];
}

const slipOf = (slip: SignatureSlip): Partial<Writing> => SLIPS[slip];
const inDifferentRespects = (first: SignatureSlip, second: SignatureSlip): boolean =>
  Object.keys(SLIPS[first]).every((respect) => !(respect in SLIPS[second]));

function signedText(members: readonly JsonMember[], secret: string, writing: Writing): string {
  const pairs = members
    .filter(writing.keeps)
    .map((member) => [writing.key(member.key), writing.value(member)] as const);
  if (writing.sorts) pairs.sort(([left], [right]) => compareUtf8(left, right));
  return writing.join(pairs.map(([key, value]) => `${key}=${value}`).join('&'), secret);
}

const md5Hex = (text: string): string => bytesToHex(md5(utf8ToBytes(text)));

export type WebhookFault = 'no-prefix' | 'not-hex' | 'other-bytes';
export type WebhookSlip = 'line-break' | 'written-again' | 'secret-trimmed';
export type WebhookFinding =
  | { readonly kind: 'right' }
  | {
      readonly kind: 'wrong';
      readonly fault: WebhookFault;
      /** With `other-bytes`: what explains it, if it is known. */
      readonly slip: WebhookSlip | null;
    };

/** Checks `X-SVC-Signature` of a webhook (webhooks.md#verify-the-signature). */
export function checkWebhook({
  body,
  signature,
  secret,
}: {
  readonly body: string;
  readonly signature: string;
  readonly secret: string;
}): WebhookFinding {
  const wrong = (fault: WebhookFault, slip: WebhookSlip | null = null): WebhookFinding => ({
    kind: 'wrong',
    fault,
    slip,
  });
  const given = signature.trim();
  if (!given.startsWith('sha256=')) return wrong('no-prefix');
  if (!/^sha256=[0-9a-f]{64}$/.test(given)) return wrong('not-hex');
  const fits = (bytes: string, key = secret) => webhookSignature(bytes, key) === given;
  if (fits(body)) return { kind: 'right' };
  if (fits(body, secret.trim())) return wrong('other-bytes', 'secret-trimmed');
  if (fits(body.trimEnd())) return wrong('other-bytes', 'line-break');
  return wrong('other-bytes', fits(inOneLine(body)) ? 'written-again' : null);
}

/** The value of `X-SVC-Signature` for these bytes. */
export const webhookSignature = (body: string, secret: string): string =>
  `sha256=${bytesToHex(hmac(sha256, utf8ToBytes(secret), utf8ToBytes(body)))}`;

/** JSON without the white space between its tokens, numbers as they are. */
const inOneLine = (text: string): string =>
  text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, (_, string: string | undefined) => string ?? '');
