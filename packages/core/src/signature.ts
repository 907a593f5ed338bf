import { type Members, scanObject } from './json-object.ts';
import { fieldWithOtherReading, signedKeys } from './one-reading.ts';

/** Codes of the signature check (signing.md#when-it-is-refused). */
export const SIGNATURE_CODES = [
  'SIGNATURE_REQUIRED',
  'SIGNATURE_MALFORMED',
  'SIGNATURE_INVALID',
  'SIGNATURE_REPLAYED',
  'PAYLOAD_TOO_LARGE',
] as const;
export type SignatureCode = (typeof SIGNATURE_CODES)[number];

/** The largest body of an order creation, in bytes; this many are still accepted. */
export const BODY_BYTES_MAX = 65_536;

/**
 * Status and text per code. The text is for humans and never names the expected signature or any
 * part of the secret.
 */
export const SIGNATURE_ERRORS: Readonly<
  Record<SignatureCode, { readonly status: 401 | 413; readonly error: string }>
> = {
  SIGNATURE_REQUIRED: {
    status: 401,
    error:
      'The body is not signed. Add a top-level string field signature with the MD5 of the canonical string and your signing secret, in 32 lowercase hex characters.',
  },
  SIGNATURE_MALFORMED: {
    status: 401,
    error:
      'The body cannot be checked. Send one JSON object in UTF-8 without a byte order mark, with signature as a string, no top-level key repeated (in whatever case), no lone surrogate in a string, no = or & in a key, and no value whose &name= could be another field: encode & as %26.',
  },
  SIGNATURE_INVALID: {
    status: 401,
    error:
      'The signature does not match the body. Sign the numbers and strings exactly as they are sent, with the signing secret issued together with this API key; a key that has no secret must be regenerated.',
  },
  SIGNATURE_REPLAYED: {
    status: 401,
    error:
      'This signed body was already accepted with a different Idempotency-Key within the past 24 hours. Retry with the original Idempotency-Key, or change the body (for example merchantOrderRef) for a new order.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    error: 'The body is larger than 65,536 bytes (64 KB). Shorten it and sign it again.',
  },
};

export type SignatureReading =
  | {
      readonly ok: true;
      readonly members: Members;
      readonly canonical: string;
      readonly signature: string;
    }
  | { readonly ok: false; readonly code: 'SIGNATURE_MALFORMED' | 'SIGNATURE_REQUIRED' };

/**
 * What the signature check needs from the text of a body. The caller computes MD5 of the UTF-8 of
 * `canonical` followed by the secret and compares it in constant time, for any length and
 * letters of `signature` (merchant-api.md#how-a-body-is-read). A body that is malformed anywhere is
 * malformed even if it also lacks a signature (merchant-api.md#how-a-body-is-read). `Signature` and
 * `SIGNATURE` are the same field (merchant-api.md#conventions).
 */
export function readSignature(text: string): SignatureReading {
  const scan = scanObject(text);
  if (!scan.ok) return { ok: false, code: 'SIGNATURE_MALFORMED' };
  const keys = signedKeys(scan.members);
  if (fieldWithOtherReading(scan.members, keys) !== undefined)
    return { ok: false, code: 'SIGNATURE_MALFORMED' };
  const sent = scan.members.get('signature');
  if (sent === undefined || sent.kind === 'null') return { ok: false, code: 'SIGNATURE_REQUIRED' };
  if (sent.kind !== 'string') return { ok: false, code: 'SIGNATURE_MALFORMED' };
  if (sent.value === '') return { ok: false, code: 'SIGNATURE_REQUIRED' };
  return {
    ok: true,
    members: scan.members,
    canonical: signedText(scan.members, keys),
    signature: sent.value,
  };
}

/**
 * The text that is signed, without the secret (signing.md#the-algorithm, steps 1 to 4; decision 4):
 * `key=value` joined with `&`, keys lower-cased and in the order of their UTF-8 bytes, strings
 * decoded, numbers as written. Nothing is quoted: of several bodies with one text
 * `fieldWithOtherReading` refuses all but one.
 */
export const canonicalString = (members: Members): string =>
  signedText(members, signedKeys(members));

const signedText = (members: Members, keys: readonly string[]): string =>
  keys.map((key) => `${key}=${members.get(key)?.value}`).join('&');
