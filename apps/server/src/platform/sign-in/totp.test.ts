import { describe, expect, test } from 'vitest';
import { codeUri, newCodeSecret, stepOfCode } from './totp.ts';

/** `12345678901234567890` of RFC 6238, appendix B, in base32. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const at = (seconds: number) => seconds * 1_000;

describe('one-time codes', () => {
  test.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('are those of RFC 6238 at %i seconds', (seconds, code) => {
    expect(stepOfCode(SECRET, code, at(seconds))).toBe(Math.floor(seconds / 30));
  });

  test('are good one step early and late, and name their own step', () => {
    expect(stepOfCode(SECRET, '287082', at(59 + 30))).toBe(1);
    expect(stepOfCode(SECRET, '287082', at(29))).toBe(1);
    expect(stepOfCode(SECRET, '287082', at(59 + 61))).toBeUndefined();
  });

  test.each(['', '28708', '2870820', 'abcdef', '２８７０８２'])('are no other text: %j', (code) => {
    expect(stepOfCode(SECRET, code, at(59))).toBeUndefined();
  });

  test('have secrets of 160 bits, no two alike, which apps read with their owner', () => {
    const secret = newCodeSecret();
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(newCodeSecret()).not.toBe(secret);
    const uri = new URL(codeUri(secret, { issuer: 'Munshi', label: 'ann@example' }));
    expect(uri.protocol).toBe('otpauth:');
    expect(uri.searchParams.get('secret')).toBe(secret);
    expect(uri.searchParams.get('issuer')).toBe('Munshi');
  });
});
