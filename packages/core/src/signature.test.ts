import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scanObject } from './json-object.ts';
import { canonicalString, readSignature, SIGNATURE_CODES, SIGNATURE_ERRORS } from './signature.ts';

interface Vectors {
  secret: string;
  vectors: { name: string; body: string; canonical: string; signature: string }[];
}

const { secret, vectors }: Vectors = JSON.parse(
  readFileSync(new URL('./testdata/signature-vectors.json', import.meta.url), 'utf8'),
);

function md5(text: string): string {
  return createHash('md5').update(text, 'utf8').digest('hex');
}

function canonicalOf(text: string): string {
  const scan = scanObject(text);
  if (!scan.ok) throw new Error(`refused: ${scan.reason}`);
  return canonicalString(scan.members);
}

describe('bodies signed by openssl verify', () => {
  test('there are vectors to check', () => {
    expect(vectors.length).toBeGreaterThanOrEqual(12);
  });

  test.each(vectors)('$name', ({ body, canonical, signature }) => {
    const reading = readSignature(body);
    expect(reading).toMatchObject({ ok: true, canonical, signature });
    expect(md5(canonical + secret)).toBe(signature);
  });
});

describe('a body is refused, malformed before unsigned', () => {
  const rows: [code: 'SIGNATURE_MALFORMED' | 'SIGNATURE_REQUIRED', body: string][] = [
    ['SIGNATURE_MALFORMED', ''],
    ['SIGNATURE_MALFORMED', 'not json'],
    ['SIGNATURE_MALFORMED', '\ufeff{"signature":"x"}'],
    ['SIGNATURE_MALFORMED', '[{"signature":"x"}]'],
    ['SIGNATURE_MALFORMED', '"signature"'],
    ['SIGNATURE_MALFORMED', '{"a":1,"A":2,"signature":"x"}'],
    ['SIGNATURE_MALFORMED', '{"a":1,"a":1,"signature":"x"}'],
    ['SIGNATURE_MALFORMED', '{"a":1,"A":2}'],
    ['SIGNATURE_MALFORMED', '{"signature":"x","Signature":"x"}'],
    ['SIGNATURE_MALFORMED', '{"signature":null,"SIGNATURE":"x"}'],
    ['SIGNATURE_MALFORMED', '{"a":"\\ud800"}'],
    ['SIGNATURE_MALFORMED', '{"a":"\\ud800","signature":"x"}'],
    ['SIGNATURE_MALFORMED', '{"signature":"\\ud800"}'],
    ['SIGNATURE_MALFORMED', '{"signature":1}'],
    ['SIGNATURE_MALFORMED', '{"signature":0}'],
    ['SIGNATURE_MALFORMED', '{"signature":false}'],
    ['SIGNATURE_MALFORMED', '{"Signature":{}}'],
    ['SIGNATURE_MALFORMED', '{"signature":[]}'],
    ['SIGNATURE_REQUIRED', '{}'],
    ['SIGNATURE_REQUIRED', '{"amount":1}'],
    ['SIGNATURE_REQUIRED', '{"signature":null}'],
    ['SIGNATURE_REQUIRED', '{"SIGNATURE":null}'],
    ['SIGNATURE_REQUIRED', '{"signature":""}'],
    ['SIGNATURE_REQUIRED', '{"signature ":"x"}'],
    ['SIGNATURE_REQUIRED', '{"ſignature":"x"}'],
    ['SIGNATURE_REQUIRED', '{"data":{"signature":"x"}}'],
  ];
  test.each(rows)('%s: %j', (code, body) => {
    expect(readSignature(body)).toEqual({ ok: false, code });
  });

  test.each(['signature', 'Signature', 'SIGNATURE', 'sIgNaTuRe'])(
    'but a field named %s is the signature and is not signed',
    (key) => {
      expect(readSignature(`{"b":1,"${key}":"x"}`)).toMatchObject({
        ok: true,
        canonical: 'b=1',
        signature: 'x',
      });
    },
  );

  test.each(['x', ' ', 'zz', '0'.repeat(33), 'null'])(
    'but signature text of any shape is left to the comparison: %j',
    (signature) => {
      expect(readSignature(`{"signature":"${signature}"}`)).toMatchObject({ ok: true, signature });
    },
  );
});

describe('the canonical string', () => {
  const rows: [rule: string, text: string, canonical: string][] = [
    ['omitted and null fields are the same', '{"a":1,"b":null}', 'a=1'],
    ['an empty string is dropped, a blank is not', '{"a":"","b":" "}', 'b= '],
    ['zero and false are kept', '{"a":0,"b":false,"c":-0}', 'a=0&b=false&c=-0'],
    [
      'numbers keep their characters',
      '{"a":1500.50,"b":1e3,"c":1.0,"d":10000000000000000000001}',
      'a=1500.50&b=1e3&c=1.0&d=10000000000000000000001',
    ],
    ['values keep line breaks and NUL', '{"a":"x\\n\\u0000y"}', 'a=x\n\0y'],
    ['values are not encoded', '{"a":"ا &=%20+"}', 'a=ا &=%20+'],
    ['fields can hide in a value', '{"a":"1&b=2"}', 'a=1&b=2'],
    ['the order is of the lower-cased keys', '{"B":1,"a":2,"_":3,"C":4}', '_=3&a=2&b=1&c=4'],
  ];
  test.each(rows)('%s', (_rule, text, canonical) => {
    expect(canonicalOf(text)).toBe(canonical);
  });

  test('equals a naive model for any flat object', () => {
    const key = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 4 }),
      fc.constantFrom(
        'a',
        'A',
        'ab',
        'a-b',
        'a_b',
        '\ue000',
        '\uffff',
        '😀',
        '𐐨',
        '\ud7ff',
        'ſ',
        'signature',
        'Signature',
      ),
    );
    const number = fc.stringMatching(
      /^-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,6})?([eE][+-]?[0-9]{1,3})?$/,
    );
    const value = fc.oneof(
      number.map((text) => ({ json: text, signed: text })),
      fc
        .string({ unit: 'binary' })
        .map((text) => ({ json: JSON.stringify(text), signed: text === '' ? null : text })),
      fc.boolean().map((flag) => ({ json: String(flag), signed: String(flag) })),
      fc
        .constantFrom('null', '{}', '[]', '{"a":1}', '["a"]')
        .map((json) => ({ json, signed: null })),
    );
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(key, value), {
          selector: ([name]) => name.toLowerCase(),
          maxLength: 12,
        }),
        (fields) => {
          const text = `{${fields.map(([name, { json }]) => `${JSON.stringify(name)}:${json}`).join()}}`;
          const model = fields
            .map(([name, { signed }]) => ({ name: name.toLowerCase(), signed }))
            .filter(({ name, signed }) => signed !== null && name !== 'signature')
            .map(({ name, signed }) => ({
              bytes: Buffer.from(name, 'utf8'),
              pair: `${name}=${signed}`,
            }))
            .sort((left, right) => Buffer.compare(left.bytes, right.bytes))
            .map(({ pair }) => pair)
            .join('&');
          expect(canonicalOf(text)).toBe(model);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test('is the same in any order of the fields', () => {
    const fields = fc.uniqueArray(fc.string({ unit: 'binary', minLength: 1, maxLength: 5 }), {
      selector: (key) => key.toLowerCase(),
      minLength: 2,
      maxLength: 10,
    });
    fc.assert(
      fc.property(
        fields.chain((keys) =>
          fc.tuple(fc.constant(keys), fc.shuffledSubarray(keys, { minLength: keys.length })),
        ),
        ([keys, shuffled]) => {
          const body = (order: string[]) =>
            `{${order.map((key) => `${JSON.stringify(key)}:1`).join()}}`;
          expect(canonicalOf(body(shuffled))).toBe(canonicalOf(body(keys)));
        },
      ),
    );
  });
});

test('every code has its documented status', () => {
  expect(SIGNATURE_CODES.map((code) => [code, SIGNATURE_ERRORS[code].status])).toEqual([
    ['SIGNATURE_REQUIRED', 401],
    ['SIGNATURE_MALFORMED', 401],
    ['SIGNATURE_INVALID', 401],
    ['SIGNATURE_REPLAYED', 401],
    ['PAYLOAD_TOO_LARGE', 413],
  ]);
});
