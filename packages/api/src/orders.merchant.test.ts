import { hash } from 'node:crypto';
import { CREATION_FIELDS, readCreation, readSignature } from '@munshi/core';
import Schema from 'typebox/schema';
import { describe, expect, test } from 'vitest';
import type { Example, ResponseDescription } from './contract/errors.ts';
import {
  BALANCE_RESPONSES,
  CREATION_REQUEST_EXAMPLES,
  CREATION_RESPONSES,
  CreationRequest,
  EXAMPLE_SIGNING_SECRET,
  STATUS_BY_ID_RESPONSES,
  STATUS_BY_REFERENCE_RESPONSES,
} from './orders.merchant.ts';

const DEPOSIT = { orderType: 'Deposit', amount: 1, walletType: 'ProviderA' };

/** What core's reader says of an unsigned body. */
function read(body: string | object, idempotencyKey: string | undefined = 'key') {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const reading = readSignature(text.replace('{', '{"signature":"x",'));
  if (!reading.ok) throw new Error(reading.code);
  return readCreation(reading.members, idempotencyKey);
}

const examplesOf = (response: ResponseDescription | undefined, mediaType = 'application/json') =>
  Object.entries(response?.content?.[mediaType]?.examples ?? {}) as [string, Example][];

describe('the creation request', () => {
  test('has every row of the documented request table, with its required fields', () => {
    const { properties, required } = CreationRequest as unknown as {
      properties: object;
      required: string[];
    };
    expect(Object.keys(properties)).toEqual(Object.keys(CREATION_FIELDS));
    expect(required).toEqual(['orderType', 'amount', 'walletType', 'signature']);
  });

  test.each(Object.entries(CREATION_REQUEST_EXAMPLES))(
    'example %s matches the schema, is signed and is read',
    (_name, { value }) => {
      expect(Schema.Check(CreationRequest, value)).toBe(true);
      const reading = readSignature(JSON.stringify(value));
      if (!reading.ok) throw new Error(reading.code);
      expect(hash('md5', reading.canonical + EXAMPLE_SIGNING_SECRET)).toBe(value.signature);
      expect(readCreation(reading.members, 'a key').kind).toBe('valid');
    },
  );

  test.each([
    ['an unknown walletType', { ...DEPOSIT, walletType: 'Cash' }],
    ['an integer out of range', { ...DEPOSIT, walletType: 7 }],
    ['an amount in quotes', { ...DEPOSIT, amount: '1500' }],
    ['amount 0', { ...DEPOSIT, amount: 0 }],
    ['amount 100,000,000,000,000', { ...DEPOSIT, amount: 1e14 }],
    ['9 digits', { ...DEPOSIT, txnRefDigitsRequired: 9 }],
    ['a reference of 201 characters', { ...DEPOSIT, merchantOrderRef: 'x'.repeat(201) }],
    ['no orderType', { amount: 1, walletType: 0 }],
  ])('refuses %s as the service does', (_name, body) => {
    expect(Schema.Check(CreationRequest, { ...body, signature: '0'.repeat(32) })).toBe(false);
    expect(read(body).kind).not.toBe('valid');
  });
});

/** A body that gets each validation message. */
const INVALID: Record<string, string | object> = {
  amountNotPositive: { ...DEPOSIT, amount: 0 },
  amountPrecision: '{"orderType":"Deposit","amount":1.00005,"walletType":"ProviderA"}',
  exponent: '{"orderType":"Deposit","amount":1e3,"walletType":"ProviderA"}',
  depositOnlyMethod: { ...DEPOSIT, orderType: 'Withdrawal', walletType: 'ProviderAQR' },
  currency: { ...DEPOSIT, currency: 'USD' },
  tooLong: { ...DEPOSIT, customerAccountNumber: 'x'.repeat(51) },
  nullCharacter: { ...DEPOSIT, customerReference: 'a\0b' },
  nameWithoutNumber: { ...DEPOSIT, customerAccountName: 'Ayesha Khan' },
  callbackUrl: { ...DEPOSIT, callbackUrl: 'shop.example' },
  successUrl: { ...DEPOSIT, successUrl: 'ftp://shop.example' },
  failureUrl: { ...DEPOSIT, failureUrl: '/sorry' },
  txnRefDigitsRequired: { ...DEPOSIT, txnRefDigitsRequired: 9 },
  maxRetryCount: { ...DEPOSIT, maxRetryCount: 11 },
  several: { ...DEPOSIT, amount: -1, currency: 'USD' },
};

describe('the refusals', () => {
  test.each(examplesOf(CREATION_RESPONSES['400']))(
    'validation message %s is what the service says',
    (name, { value }) => {
      const reading = read(INVALID[name] ?? {});
      expect(reading.kind).toBe('invalid');
      expect({ error: reading.kind === 'invalid' && reading.messages.join('; ') }).toEqual(value);
    },
  );

  test('binding errors are what the service says', () => {
    const [missingKey, unknownValues] = examplesOf(
      CREATION_RESPONSES['400'],
      'application/problem+json',
    ).map(([, { value }]) => value as { errors: object });
    expect(read(DEPOSIT, '')).toEqual({ kind: 'unbound', errors: missingKey?.errors });
    expect(read({ amount: '1500', walletType: 'Cash' })).toEqual({
      kind: 'unbound',
      errors: unknownValues?.errors,
    });
  });
});

test('every example of an answer matches its schema', () => {
  let checked = 0;
  for (const responses of [
    CREATION_RESPONSES,
    STATUS_BY_ID_RESPONSES,
    STATUS_BY_REFERENCE_RESPONSES,
    BALANCE_RESPONSES,
  ]) {
    for (const [status, response] of Object.entries(responses)) {
      for (const [mediaType, { schema }] of Object.entries(response.content ?? {})) {
        for (const [name, { value }] of examplesOf(response, mediaType)) {
          expect(Schema.Check(schema, value), `${status} ${mediaType} ${name}`).toBe(true);
          checked += 1;
        }
      }
    }
  }
  expect(checked).toBeGreaterThan(30);
});
