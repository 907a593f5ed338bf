import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkSignature, checkWebhook, type SignatureSlip } from './signature-check.ts';

const VECTORS = path.join(import.meta.dirname, '../../core/src/testdata/signature-vectors.json');
const { secret, vectors } = JSON.parse(readFileSync(VECTORS, 'utf8')) as {
  readonly secret: string;
  readonly vectors: readonly { name: string; body: string; canonical: string; signature: string }[];
};

const md5 = (text: string) => createHash('md5').update(text, 'utf8').digest('hex');
const signedBy = (fields: string, signature: string) => `{${fields},"signature":"${signature}"}`;
const check = (body: string, others: { secret?: string; idempotencyKey?: string } = {}) =>
  checkSignature({ body, secret, idempotencyKey: '', ...others });

const FIELDS =
  '"walletType":"ProviderA","orderType":"Deposit","amount":1500.50,"merchantOrderRef":""';
const RIGHT = `amount=1500.50&ordertype=Deposit&wallettype=ProviderA${secret}`;

describe('a signed order creation', () => {
  test('is right for every golden vector, with the canonical string of the vector', () => {
    for (const { name, body, canonical, signature } of vectors) {
      const { finding, ...shown } = check(body);
      expect(shown, name).toEqual({ canonical, expected: signature });
      expect(finding.kind, name).toBe('right');
    }
  });

  test('is right in capitals too, and says what the service refuses next', () => {
    expect(check(signedBy(FIELDS, md5(RIGHT).toUpperCase())).finding).toEqual({
      kind: 'right',
      refusals: [],
    });
    const body = signedBy('"amount":0', md5(`amount=0${secret}`));
    expect(check(body, { idempotencyKey: 'k'.repeat(101) }).finding).toEqual({
      kind: 'right',
      refusals: [
        'The Idempotency-Key header must be 100 characters or fewer. You entered 101 characters.',
        '$.orderType: orderType is required; send one of: Deposit, Withdrawal.',
        expect.stringContaining('$.walletType: walletType is required; send one of: '),
      ],
    });
    const zero = '"amount":0,"orderType":"Deposit","walletType":"ProviderA"';
    const signature = md5(`amount=0&ordertype=Deposit&wallettype=ProviderA${secret}`);
    expect(check(signedBy(zero, signature)).finding).toMatchObject({
      refusals: [expect.stringContaining("'Amount' must be greater than '0'")],
    });
  });

  test.each([
    ['SIGNATURE_MALFORMED', 'not JSON', '{"a":1'],
    ['SIGNATURE_MALFORMED', 'not an object', '[1]'],
    ['SIGNATURE_MALFORMED', 'byte-order-mark', '\ufeff{"a":1}'],
    ['SIGNATURE_MALFORMED', 'repeated key', '{"a":1,"A":2}'],
    ['SIGNATURE_MALFORMED', 'lone surrogate', '{"a":"\\ud800"}'],
    ['PAYLOAD_TOO_LARGE', 'too-large', `{"a":"${'ü'.repeat(32_765)}"}`],
    ['SIGNATURE_REQUIRED', 'not-signed', '{"a":1}'],
    ['SIGNATURE_REQUIRED', 'not-signed', '{"a":1,"signature":null}'],
    ['SIGNATURE_MALFORMED', 'other-reading', '{"a":1,"b=c":1}'],
    ['SIGNATURE_MALFORMED', 'not-a-text', '{"a":1,"signature":7}'],
    ['SIGNATURE_INVALID', 'not-md5', signedBy('"a":1', 'abc')],
    ['SIGNATURE_INVALID', 'other-text', signedBy('"a":1', '0'.repeat(32))],
  ])('is refused as %s, %s', (code, fault, body) => {
    expect(check(body).finding).toEqual({ kind: 'wrong', code, fault, slips: [] });
  });

  test('without a signature is shown the one that it should have', () => {
    expect(check(`{${FIELDS}}`)).toMatchObject({
      canonical: RIGHT.slice(0, -secret.length),
      expected: md5(RIGHT),
    });
  });

  test('without a secret is read, and not judged', () => {
    expect(check(signedBy(FIELDS, md5(RIGHT)), { secret: '' })).toEqual({
      finding: { kind: 'no-secret' },
      canonical: RIGHT.slice(0, -secret.length),
      expected: null,
    });
  });
});

const MIXED =
  '"orderType":"Deposit","amount":1500.50,"a":"x/\\u00e9 y&","on":true,"none":null,"list":[1],"b":""';
const SLIPS: readonly (readonly [text: string, slips: readonly SignatureSlip[]])[] = [
  ['a=x/é y&&amount=1500.5&on=true&ordertype=Deposit', ['numbers-rewritten']],
  ['a=x%2F%C3%A9%20y%26&amount=1500.50&on=true&ordertype=Deposit', ['strings-encoded']],
  ['a=x%2F%C3%A9+y%26&amount=1500.50&on=true&ordertype=Deposit', ['strings-form-encoded']],
  ['a=x/\\u00e9 y&&amount=1500.50&on=true&ordertype=Deposit', ['strings-escaped']],
  ['a="x/\\u00e9 y&"&amount=1500.50&on=true&ordertype="Deposit"', ['strings-quoted']],
  ['a=x/é y&&amount=1500.50&on=True&ordertype=Deposit', ['booleans-capital']],
  ['a=x/é y&&amount=1500.50&on=1&ordertype=Deposit', ['booleans-as-numbers']],
  ['a=x/é y&&amount=1500.50&on=true&orderType=Deposit', ['keys-not-lowered']],
  ['ordertype=Deposit&amount=1500.50&a=x/é y&&on=true', ['not-sorted']],
  ['a=x/é y&&amount=1500.50&b=&on=true&ordertype=Deposit', ['empty-kept']],
  ['a=x/é y&&amount=1500.50&none=null&on=true&ordertype=Deposit', ['null-kept']],
  ['a=x/é y&&amount=1500.50&list=[1]&on=true&ordertype=Deposit', ['nested-kept']],
  ['orderType=Deposit&amount=1500.50&a=x/é y&&on=true', ['keys-not-lowered', 'not-sorted']],
  ['ordertype=Deposit&amount=1500.5&a=x/é y&&on=true', ['numbers-rewritten', 'not-sorted']],
];
describe('a signature that does not fit is explained', () => {
  test.each(SLIPS)('%s', (text, slips) => {
    const { finding } = check(signedBy(MIXED, md5(text + secret)));
    expect(finding).toMatchObject({ kind: 'wrong', fault: 'other-text', slips });
  });

  const canonical = RIGHT.slice(0, -secret.length);
  test.each([
    [canonical, 'without-secret'],
    [secret + canonical, 'secret-first'],
    [`${canonical}&${secret}`, 'secret-after-ampersand'],
    [`${canonical}${secret}\n`, 'secret-with-line-break'],
    [`${canonical.replace('1500.50', '1500.5')}${secret}`, 'numbers-rewritten'],
  ])('%j: %s', (text, slip) => {
    expect(check(signedBy(FIELDS, md5(text))).finding).toMatchObject({ slips: [slip] });
  });

  test('a secret that was pasted with a blank', () => {
    const { finding } = check(signedBy(FIELDS, md5(RIGHT)), { secret: `${secret} ` });
    expect(finding).toMatchObject({ slips: ['secret-trimmed'] });
  });

  test('a number with two places that was signed, and sent with one', () => {
    const fields = FIELDS.replace('1500.50', '1500.5');
    expect(check(signedBy(fields, md5(RIGHT))).finding).toMatchObject({
      slips: ['numbers-with-two-places'],
    });
  });
});

describe('the signature of a webhook', () => {
  const body = '{"eventType":"order.completed","amount":1500.50,"reason":"a  b"}';
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

  test('is right for the bytes that were sent', () => {
    expect(checkWebhook({ body, signature, secret })).toEqual({ kind: 'right' });
  });

  test.each([
    ['no prefix', { signature: signature.slice(7) }, 'no-prefix', null],
    ['not hex', { signature: 'sha256=abc' }, 'not-hex', null],
    ['another secret', { secret: `${secret}x` }, 'other-bytes', null],
    ['a secret with a blank', { secret: ` ${secret}` }, 'other-bytes', 'secret-trimmed'],
    ['a file with a line break', { body: `${body}\n` }, 'other-bytes', 'line-break'],
    [
      'a body written again',
      { body: body.replaceAll(',"', ', "').replaceAll('":', '": ') },
      'other-bytes',
      'written-again',
    ],
    ['another amount', { body: body.replace('1500.50', '1500.5') }, 'other-bytes', null],
  ])('%s is recognized', (_, other, fault, slip) => {
    const finding = checkWebhook({ body, signature, secret, ...other });
    expect(finding).toEqual({ kind: 'wrong', fault, slip });
  });
});
