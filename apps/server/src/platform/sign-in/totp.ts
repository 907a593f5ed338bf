import { Secret, TOTP } from 'otpauth';

/**
 * One-time codes (TOTP, RFC 6238) as every authenticator app makes them: SHA-1, six digits, a new
 * one every 30 seconds.
 */

const RULES = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** Clocks of phones are off by seconds; RFC 6238 advises one period. */
const WINDOW = 1;
/** As long as the hash, as RFC 4226 recommends. */
const SECRET_BYTES = 20;

/** A secret for somebody's authenticator app, in base32. */
export const newCodeSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** What an authenticator app reads from a QR code. */
export const codeUri = (
  secret: string,
  { issuer, label }: { readonly issuer: string; readonly label: string },
): string => new TOTP({ ...RULES, issuer, label, secret: Secret.fromBase32(secret) }).toString();

/**
 * The step of time whose code this is, at most one from `now` (milliseconds since the epoch);
 * undefined for a wrong code. The caller that accepts it remembers the step: a code is good once.
 */
export function stepOfCode(secret: string, code: string, now: number): number | undefined {
  // The library throws on six characters that are more bytes.
  if (!/^[0-9]{6}$/.test(code)) return undefined;
  const totp = new TOTP({ ...RULES, secret: Secret.fromBase32(secret) });
  const delta = totp.validate({ token: code, timestamp: now, window: WINDOW });
  return delta === null ? undefined : totp.counter({ timestamp: now }) + delta;
}
