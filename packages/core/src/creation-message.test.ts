import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CREATION_FIELDS } from './creation-fields.ts';
import {
  type CreationMessage,
  type CreationReading,
  readCreation,
  readIdempotencyKey,
  termsText,
} from './creation-message.ts';
import { type Members, scanObject } from './json-object.ts';
import { ORDER_TYPES, WALLET_TYPES, WITHDRAWAL_METHODS } from './method.ts';

/** JSON text of each field; undefined leaves it out. */
type Fields = Record<string, string | undefined>;

const DEPOSIT: Fields = { orderType: '"Deposit"', amount: '1500', walletType: '"ProviderA"' };
const WITHDRAWAL: Fields = { ...DEPOSIT, orderType: '"Withdrawal"' };

function membersOf(text: string): Members {
  const scan = scanObject(text);
  if (!scan.ok) throw new Error(`refused: ${scan.reason}`);
  return scan.members;
}

function read(
  fields: Fields,
  base: Fields = DEPOSIT,
  key: string | undefined = 'key-1',
): CreationReading {
  const sent = Object.entries({ ...base, ...fields }).filter(([, json]) => json !== undefined);
  return readCreation(
    membersOf(`{${sent.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join()}}`),
    key,
  );
}

function messageOf(fields: Fields, base: Fields = DEPOSIT): CreationMessage {
  const reading = read(fields, base);
  if (reading.kind !== 'valid') throw new Error(JSON.stringify(reading));
  return reading.message;
}

function json(text: string): string {
  return JSON.stringify(text);
}

const AMOUNT_POSITIVE = "'Amount' must be greater than '0'.";
const AMOUNT_SIZE =
  'Amount must have at most 4 decimal places and be less than 100,000,000,000,000.';
const AMOUNT_EXPONENT = 'Amount must be written without an exponent.';
const DIGITS_EXPONENT = 'TxnRefDigitsRequired must be written without an exponent.';
const RETRIES_EXPONENT = 'MaxRetryCount must be written without an exponent.';
const NAME_ALONE = 'CustomerAccountName can only be sent together with CustomerAccountNumber.';

function digitsRange(literal: string): string {
  return `'Txn Ref Digits Required' must be between 4 and 8. You entered ${literal}.`;
}

function retriesRange(literal: string): string {
  return `'Max Retry Count' must be between 0 and 10. You entered ${literal}.`;
}

describe('a valid request', () => {
  test('with nothing optional gets the defaults', () => {
    expect(messageOf({})).toEqual({
      orderType: 'Deposit',
      amount: 15_000_000n,
      walletType: 'ProviderA',
      currency: 'PKR',
      merchantOrderRef: null,
      customerReference: null,
      customerAccountNumber: null,
      customerAccountName: null,
      callbackUrl: null,
      successUrl: null,
      failureUrl: null,
      metadata: null,
      txnRefDigitsRequired: 4,
      maxRetryCount: 3,
    });
  });

  const everything: CreationMessage = {
    orderType: 'Withdrawal',
    amount: 999_999_999_999_999_999n,
    walletType: 'BankAccount',
    currency: 'BDT',
    merchantOrderRef: 'ref',
    customerReference: 'customer',
    customerAccountNumber: '0300',
    customerAccountName: 'محمد علی',
    callbackUrl: 'https://shop.example/hook',
    successUrl: 'http://shop.example/ok?a=1#b',
    failureUrl: 'HTTPS://SHOP.EXAMPLE:8443',
    metadata: '{"a":1}',
    txnRefDigitsRequired: 8,
    maxRetryCount: 0,
  };
  const sent: Fields = {
    orderType: '"Withdrawal"',
    amount: '99999999999999.99990',
    walletType: '"BankAccount"',
    currency: '"BDT"',
    merchantOrderRef: '"ref"',
    customerReference: '"customer"',
    customerAccountNumber: '"0300"',
    customerAccountName: '"\\u0645\\u062d\\u0645\\u062f علی"',
    callbackUrl: '"https:\\/\\/shop.example/hook"',
    successUrl: '"http://shop.example/ok?a=1#b"',
    failureUrl: '"HTTPS://SHOP.EXAMPLE:8443"',
    metadata: '"{\\"a\\":1}"',
    txnRefDigitsRequired: '8',
    maxRetryCount: '0',
  };

  test('with everything is read as sent', () => {
    expect(messageOf(sent, {})).toEqual(everything);
  });

  test('binds property names in any case', () => {
    const shouted = Object.fromEntries(
      Object.entries(sent).map(([name, text]) => [name.toUpperCase(), text]),
    );
    expect(messageOf(shouted, {})).toEqual(everything);
  });

  test('may hold fields the service does not know', () => {
    expect(
      messageOf({ note: '1e5', __proto__x: '{}', constructor: '[]', signature: '"x"' }),
    ).toEqual(messageOf({}));
  });

  test.each(Object.keys(sent).filter((name) => !(name in DEPOSIT)))(
    'null %s is the same as not sent',
    (name) => {
      expect(messageOf({ [name]: 'null' })).toEqual(messageOf({}));
    },
  );

  const strings = Object.values(CREATION_FIELDS).flatMap((field) =>
    field.type === 'string' ? [field.name] : [],
  );
  test.each([...strings, 'currency'])('an empty %s is the same as not sent', (name) => {
    expect(messageOf({ [name]: '""' })).toEqual(messageOf({}));
  });
});

describe('amounts', () => {
  const accepted: [literal: string, amount: bigint][] = [
    ['0.0001', 1n],
    ['1500.50', 15_005_000n],
    ['1.50000', 15_000n],
    ['99999999999999.9999', 999_999_999_999_999_999n],
    ['1.00000000000000000000000000', 10_000n],
  ];
  test.each(accepted)('%s is read exactly', (literal, amount) => {
    expect(messageOf({ amount: literal }).amount).toBe(amount);
  });

  const refused: [literal: string | undefined, messages: string[]][] = [
    [undefined, [AMOUNT_POSITIVE]],
    ['null', [AMOUNT_POSITIVE]],
    ['0', [AMOUNT_POSITIVE]],
    ['-0', [AMOUNT_POSITIVE]],
    ['0.0000000', [AMOUNT_POSITIVE]],
    ['-1', [AMOUNT_POSITIVE]],
    ['-1.00005', [AMOUNT_POSITIVE, AMOUNT_SIZE]],
    ['-100000000000000', [AMOUNT_POSITIVE]],
    ['1.00005', [AMOUNT_SIZE]],
    ['0.00001', [AMOUNT_SIZE]],
    ['100000000000000', [AMOUNT_SIZE]],
    ['100000000000000.00001', [AMOUNT_SIZE]],
    ['99999999999999.99999', [AMOUNT_SIZE]],
    ['1e3', [AMOUNT_EXPONENT]],
    ['1E+3', [AMOUNT_EXPONENT]],
    ['15.5e-3', [AMOUNT_EXPONENT]],
    ['1e13', [AMOUNT_EXPONENT]],
    ['1e14', [AMOUNT_EXPONENT, AMOUNT_SIZE]],
    ['1e20', [AMOUNT_EXPONENT, AMOUNT_SIZE]],
    ['1e-4', [AMOUNT_EXPONENT]],
    ['1e-5', [AMOUNT_EXPONENT, AMOUNT_SIZE]],
    ['0e5', [AMOUNT_EXPONENT, AMOUNT_POSITIVE]],
    ['-1e3', [AMOUNT_EXPONENT, AMOUNT_POSITIVE]],
    ['-1e-9', [AMOUNT_EXPONENT, AMOUNT_POSITIVE, AMOUNT_SIZE]],
    ['1e999999999', [AMOUNT_EXPONENT, AMOUNT_SIZE]],
    ['1e-999999999', [AMOUNT_EXPONENT, AMOUNT_SIZE]],
    [`1e${'9'.repeat(60_000)}`, [AMOUNT_EXPONENT, AMOUNT_SIZE]],
    ['9'.repeat(60_000), [AMOUNT_SIZE]],
    [`1.${'0'.repeat(60_000)}1`, [AMOUNT_SIZE]],
  ];
  test.each(
    refused.map(([literal, messages]) => [literal?.slice(0, 30), messages, literal] as const),
  )('%s is refused with %j', (_shown, messages, literal) => {
    expect(read({ amount: literal })).toEqual({ kind: 'invalid', messages, fields: ['amount'] });
  });

  test.each(['"1500"', '""', 'true', '{}', '[]', '[1500]'])('%s does not bind', (literal) => {
    expect(read({ amount: literal })).toEqual({
      kind: 'unbound',
      errors: { '$.amount': ['amount must be a JSON number, without quotes.'] },
    });
  });

  test('any decimal is accepted exactly when it lies within the limits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 22n), max: 10n ** 22n }), (millionths) => {
        const digits = (millionths < 0n ? -millionths : millionths).toString().padStart(7, '0');
        const reading = read({
          amount: `${millionths < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`,
        });
        const fits = millionths > 0n && millionths < 10n ** 20n && millionths % 100n === 0n;
        expect(reading.kind).toBe(fits ? 'valid' : 'invalid');
        if (reading.kind === 'valid') expect(reading.message.amount).toBe(millionths / 100n);
      }),
    );
  });
});

describe('enums', () => {
  test.each(ORDER_TYPES.map((name, position) => [name, position] as const))(
    'orderType %s is also %i',
    (name, position) => {
      expect(messageOf({ orderType: `"${name}"` }).orderType).toBe(name);
      expect(messageOf({ orderType: `${position}` }).orderType).toBe(name);
    },
  );

  const positions: [position: number, name: string][] = [
    [0, 'ProviderA'],
    [1, 'ProviderATillID'],
    [2, 'ProviderAQR'],
    [3, 'ProviderB'],
    [4, 'TillID'],
    [5, 'ProviderBQR'],
    [6, 'BankAccount'],
  ];
  test.each(positions)('walletType %i is %s', (position, name) => {
    expect(messageOf({ walletType: `${position}` }).walletType).toBe(name);
    expect(messageOf({ walletType: `"${name}"` }).walletType).toBe(name);
  });

  test.each([
    [0, 'PKR'],
    [1, 'INR'],
    [2, 'BDT'],
  ])('currency %i is %s', (position, name) => {
    expect(messageOf({ currency: `${position}` }).currency).toBe(name);
    expect(messageOf({ currency: `"${name}"` }).currency).toBe(name);
  });

  const ANY_TYPE = ['1.0', '-0.0', '1.5', '0e0', '1e0', 'true', '{}', '[]', '["Deposit"]'];
  const UNKNOWN = [
    '"deposit"',
    '"DEPOSIT"',
    '"Deposit "',
    '"Refund"',
    '""',
    '"0"',
    '"__proto__"',
    '"length"',
    '-1',
    '9',
    '9'.repeat(400),
  ];
  test.each([...ANY_TYPE, ...UNKNOWN, '2'])('orderType %s does not bind', (text) => {
    expect(read({ orderType: text })).toEqual({
      kind: 'unbound',
      errors: { '$.orderType': ['orderType is unknown; send one of: Deposit, Withdrawal.'] },
    });
  });

  test.each([...ANY_TYPE, ...UNKNOWN, '"providera"', '"BANKACCOUNT"', '7'])(
    'walletType %s does not bind',
    (text) => {
      expect(read({ walletType: text })).toMatchObject({
        kind: 'unbound',
        errors: { '$.walletType': [expect.stringContaining('TillID')] },
      });
    },
  );

  test.each(['null', undefined])(
    'orderType and walletType %s do not bind and are never the first of their values',
    (text) => {
      expect(read({ orderType: text, walletType: text })).toEqual({
        kind: 'unbound',
        errors: {
          '$.orderType': ['orderType is required; send one of: Deposit, Withdrawal.'],
          '$.walletType': [`walletType is required; send one of: ${WALLET_TYPES.join(', ')}.`],
        },
      });
    },
  );

  test.each(['"USD"', '"pkr"', '"PKR "', '"\\u0000"', '3', '-1', '9'.repeat(400)])(
    'currency %s gets the currency message',
    (text) => {
      expect(read({ currency: text })).toEqual({
        kind: 'invalid',
        messages: ['Currency must be one of: PKR, INR, BDT.'],
        fields: ['currency'],
      });
    },
  );

  test.each(ANY_TYPE)('currency %s does not bind', (text) => {
    expect(read({ currency: text })).toEqual({
      kind: 'unbound',
      errors: { '$.currency': ['currency has the wrong JSON type; send one of: PKR, INR, BDT.'] },
    });
  });

  test.each(WALLET_TYPES)(
    'a withdrawal by %s is accepted only if the method pays out',
    (walletType) => {
      const payable = ['ProviderA', 'ProviderB', 'TillID', 'BankAccount'].includes(walletType);
      const refusal = `${walletType} is a deposit-only payment method. A withdrawal's walletType must be one of: ProviderA, ProviderB, TillID, BankAccount.`;
      for (const text of [`"${walletType}"`, `${WALLET_TYPES.indexOf(walletType)}`]) {
        const reading = read({ walletType: text }, WITHDRAWAL);
        if (payable) expect(reading.kind).toBe('valid');
        else
          expect(reading).toEqual({ kind: 'invalid', messages: [refusal], fields: ['walletType'] });
      }
      expect(WITHDRAWAL_METHODS.includes(walletType)).toBe(payable);
    },
  );
});

describe('integers, on deposits and withdrawals alike', () => {
  const accepted: [name: string, literal: string, value: number][] = [
    ['txnRefDigitsRequired', '4', 4],
    ['txnRefDigitsRequired', '8', 8],
    ['maxRetryCount', '0', 0],
    ['maxRetryCount', '-0', 0],
    ['maxRetryCount', '10', 10],
  ];
  test.each(accepted)('%s %s is accepted', (name, literal, value) => {
    expect(messageOf({ [name]: literal })).toMatchObject({ [name]: value });
    expect(messageOf({ [name]: literal }, WITHDRAWAL)).toMatchObject({ [name]: value });
  });

  const huge = '9'.repeat(60_000);
  const refused: [name: string, literal: string, messages: string[]][] = [
    ['txnRefDigitsRequired', '3', [digitsRange('3')]],
    ['txnRefDigitsRequired', '9', [digitsRange('9')]],
    ['txnRefDigitsRequired', '-4', [digitsRange('-4')]],
    ['txnRefDigitsRequired', '4e0', [DIGITS_EXPONENT]],
    ['txnRefDigitsRequired', '4.5e0', [DIGITS_EXPONENT]],
    ['txnRefDigitsRequired', '0.1e1', [DIGITS_EXPONENT, digitsRange('0.1e1')]],
    ['maxRetryCount', '11', [retriesRange('11')]],
    ['maxRetryCount', '-1', [retriesRange('-1')]],
    ['maxRetryCount', '99999999999999999999', [retriesRange('99999999999999999999')]],
    ['maxRetryCount', huge, [retriesRange(huge)]],
    ['maxRetryCount', '1e1', [RETRIES_EXPONENT]],
    ['maxRetryCount', '1E2', [RETRIES_EXPONENT, retriesRange('1E2')]],
    ['maxRetryCount', '1e999999999', [RETRIES_EXPONENT, retriesRange('1e999999999')]],
    ['maxRetryCount', '-1e-999999999', [RETRIES_EXPONENT, retriesRange('-1e-999999999')]],
  ];
  test.each(
    refused.map(
      ([name, literal, messages]) => [name, literal.slice(0, 30), literal, messages] as const,
    ),
  )('%s %s is refused', (name, _shown, literal, messages) => {
    const reading = { kind: 'invalid', messages, fields: [name] };
    expect(read({ [name]: literal })).toEqual(reading);
    expect(read({ [name]: literal }, WITHDRAWAL)).toEqual(reading);
  });

  test.each(['4.0', '4.5', '"4"', '""', 'true', '{}', '[4]'])('%s does not bind', (literal) => {
    expect(read({ txnRefDigitsRequired: literal, maxRetryCount: literal })).toEqual({
      kind: 'unbound',
      errors: {
        '$.txnRefDigitsRequired': [
          'txnRefDigitsRequired must be a JSON integer, without quotes and without a decimal point.',
        ],
        '$.maxRetryCount': [
          'maxRetryCount must be a JSON integer, without quotes and without a decimal point.',
        ],
      },
    });
  });
});

describe('text', () => {
  const limits: [name: string, displayName: string, maxLength: number][] = [
    ['merchantOrderRef', 'Merchant Order Ref', 200],
    ['customerReference', 'Customer Reference', 200],
    ['customerAccountNumber', 'Customer Account Number', 50],
    ['customerAccountName', 'Customer Account Name', 200],
    ['callbackUrl', 'Callback Url', 500],
    ['successUrl', 'Success Url', 500],
    ['failureUrl', 'Failure Url', 500],
    ['metadata', 'Metadata', 1000],
  ];
  const withNumber: Fields = { ...WITHDRAWAL, customerAccountNumber: '"1"' };

  test.each(limits)(
    '%s counts code points up to its limit, on both order types',
    (name, displayName, maxLength) => {
      const prefix = name.endsWith('Url') ? 'https://a.example/' : '';
      const of = (length: number, unit: string) => prefix + unit.repeat(length - prefix.length);
      for (const base of [withNumber, { ...withNumber, ...DEPOSIT }]) {
        for (const unit of ['x', '😀', 'ا']) {
          expect(messageOf({ [name]: json(of(maxLength, unit)) }, base)).toMatchObject({
            [name]: of(maxLength, unit),
          });
          expect(read({ [name]: json(of(maxLength + 1, unit)) }, base)).toEqual({
            kind: 'invalid',
            messages: [
              `The length of '${displayName}' must be ${maxLength} characters or fewer. You entered ${maxLength + 1} characters.`,
            ],
            fields: [name],
          });
        }
      }
    },
  );

  test.each(limits)('%s must not contain a null character', (name, displayName) => {
    const reading = read({ [name]: '"https://a.example/\\u0000"' }, withNumber);
    const notNull = `'${displayName}' must not contain a null character.`;
    const notUrl = `${displayName.replace(' ', '')} must be a valid absolute http(s) URL.`;
    expect(reading).toEqual({
      kind: 'invalid',
      messages: name.endsWith('Url') ? [notNull, notUrl] : [notNull],
      fields: [name],
    });
  });

  test.each(limits)('%s must be a JSON string', (name) => {
    for (const text of ['1', 'true', 'false', '0', '{}', '[]', '["x"]']) {
      expect(read({ [name]: text }, withNumber)).toEqual({
        kind: 'unbound',
        errors: { [`$.${name}`]: [`${name} must be a JSON string.`] },
      });
    }
  });

  test('all messages that apply to a field are given', () => {
    expect(read({ customerAccountName: json(`${'x'.repeat(200)}\0`) })).toEqual({
      kind: 'invalid',
      messages: [
        "The length of 'Customer Account Name' must be 200 characters or fewer. You entered 201 characters.",
        "'Customer Account Name' must not contain a null character.",
        NAME_ALONE,
      ],
      fields: ['customerAccountName'],
    });
  });

  test.each([DEPOSIT, WITHDRAWAL])('a name needs a number on both order types', (base) => {
    expect(read({ customerAccountName: '"Ali"' }, base)).toEqual({
      kind: 'invalid',
      messages: [NAME_ALONE],
      fields: ['customerAccountName'],
    });
    expect(read({ customerAccountName: '"Ali"', customerAccountNumber: '""' }, base)).toEqual({
      kind: 'invalid',
      messages: [NAME_ALONE],
      fields: ['customerAccountName'],
    });
    expect(read({ customerAccountName: '"Ali"', customerAccountNumber: 'null' }, base)).toEqual({
      kind: 'invalid',
      messages: [NAME_ALONE],
      fields: ['customerAccountName'],
    });
    expect(read({ customerAccountName: '"Ali"', customerAccountNumber: '"1"' }, base).kind).toBe(
      'valid',
    );
    expect(read({ customerAccountName: '""' }, base).kind).toBe('valid');
  });
});

describe('URLs', () => {
  const accepted = [
    'http://a',
    'https://shop.example',
    'HTTPS://Shop.Example/Path?q=1&r=%20#f',
    'http://localhost:3000/hook',
    'http://127.0.0.1/',
    'http://[::1]:80/',
    'https://دکان.example/راستہ',
  ];
  test.each(accepted)('%s is kept as sent', (url) => {
    expect(
      messageOf({ callbackUrl: json(url), successUrl: json(url), failureUrl: json(url) }),
    ).toMatchObject({
      callbackUrl: url,
      successUrl: url,
      failureUrl: url,
    });
  });

  const refused = [
    'x',
    'shop.example',
    '/hook',
    '//shop.example/hook',
    'http:foo',
    'http:/foo',
    'http:///foo',
    'http:\\\\foo',
    'http://\\foo',
    'http://',
    'http://?q',
    'http://#f',
    'http://:80',
    'http://a:99999',
    'http://a:b',
    'http://a b',
    'http://a/b c',
    'http://a/b\tc',
    'http://a/b\nc',
    ' http://a',
    'http://a ',
    'http://a\n',
    'http://a/\u00a0b',
    'http://a/\u0001',
    'http://a/\u007f',
    'http://[::1',
    'http://a%zz/',
    'http://256.256.256.256/',
    'ftp://a',
    'ws://a',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/html,x',
    'https',
    'https//a',
  ];
  test.each(refused)('%j is refused', (url) => {
    expect(read({ callbackUrl: json(url), successUrl: json(url), failureUrl: json(url) })).toEqual({
      kind: 'invalid',
      messages: [
        'CallbackUrl must be a valid absolute http(s) URL.',
        'SuccessUrl must be a valid absolute http(s) URL.',
        'FailureUrl must be a valid absolute http(s) URL.',
      ],
      fields: ['callbackUrl', 'successUrl', 'failureUrl'],
    });
  });
});

describe('several faults', () => {
  test('that keep the request from binding are listed at once, without validation messages', () => {
    const reading = read(
      {
        orderType: undefined,
        amount: '"1"',
        walletType: '"X"',
        currency: 'true',
        merchantOrderRef: '1',
        maxRetryCount: '1.0',
        txnRefDigitsRequired: '99',
      },
      DEPOSIT,
      '',
    );
    expect(reading.kind === 'unbound' && Object.keys(reading.errors)).toEqual([
      'Idempotency-Key',
      '$.orderType',
      '$.amount',
      '$.walletType',
      '$.currency',
      '$.merchantOrderRef',
      '$.maxRetryCount',
    ]);
  });

  test('of validation come in the order of the request table, regardless of the order of the body', () => {
    const long = json('x'.repeat(1001));
    const reversed: Fields = {
      maxRetryCount: '11',
      txnRefDigitsRequired: '3',
      metadata: long,
      failureUrl: '"x"',
      successUrl: '"x"',
      callbackUrl: '"x"',
      customerAccountName: '"Ali"',
      customerReference: long,
      merchantOrderRef: long,
      currency: '"USD"',
      walletType: '"ProviderAQR"',
      amount: '-1e-5',
      orderType: '"Withdrawal"',
    };
    expect(read(reversed, {})).toEqual({
      kind: 'invalid',
      messages: [
        AMOUNT_EXPONENT,
        AMOUNT_POSITIVE,
        AMOUNT_SIZE,
        "ProviderAQR is a deposit-only payment method. A withdrawal's walletType must be one of: ProviderA, ProviderB, TillID, BankAccount.",
        'Currency must be one of: PKR, INR, BDT.',
        "The length of 'Merchant Order Ref' must be 200 characters or fewer. You entered 1001 characters.",
        "The length of 'Customer Reference' must be 200 characters or fewer. You entered 1001 characters.",
        NAME_ALONE,
        'CallbackUrl must be a valid absolute http(s) URL.',
        'SuccessUrl must be a valid absolute http(s) URL.',
        'FailureUrl must be a valid absolute http(s) URL.',
        "The length of 'Metadata' must be 1000 characters or fewer. You entered 1001 characters.",
        digitsRange('3'),
        retriesRange('11'),
      ],
      fields: [
        'amount',
        'walletType',
        'currency',
        'merchantOrderRef',
        'customerReference',
        'customerAccountName',
        'callbackUrl',
        'successUrl',
        'failureUrl',
        'metadata',
        'txnRefDigitsRequired',
        'maxRetryCount',
      ],
    });
  });
});

describe('the Idempotency-Key', () => {
  const required =
    'The Idempotency-Key header is required. Send a unique text of at most 100 characters per order.';
  const rows: [what: string, value: string | undefined, error: string | null][] = [
    ['missing', undefined, required],
    ['empty', '', required],
    ['of one character', 'k', null],
    ['of 100 characters', 'k'.repeat(100), null],
    ['of 100 emoji', '😀'.repeat(100), null],
    [
      'of 101 characters',
      'k'.repeat(101),
      'The Idempotency-Key header must be 100 characters or fewer. You entered 101 characters.',
    ],
    [
      'of 101 emoji',
      '😀'.repeat(101),
      'The Idempotency-Key header must be 100 characters or fewer. You entered 101 characters.',
    ],
    [
      'with a null character',
      'a\0',
      'The Idempotency-Key header must not contain a null character.',
    ],
    ['not in ASCII', 'چابی', null],
  ];
  test.each(rows)('%s', (_what, value, error) => {
    expect(readIdempotencyKey(value)).toEqual(
      error === null ? { ok: true, key: value } : { ok: false, error },
    );
    const reading = readCreation(membersOf('{"orderType":0,"amount":1,"walletType":0}'), value);
    if (error === null) expect(reading.kind).toBe('valid');
    else expect(reading).toEqual({ kind: 'unbound', errors: { 'Idempotency-Key': [error] } });
  });
});

describe('the text of the compared terms', () => {
  const full: Fields = {
    ...WITHDRAWAL,
    currency: '"PKR"',
    merchantOrderRef: '"r"',
    customerAccountNumber: '"1"',
    customerAccountName: '"n"',
  };
  const terms = (fields: Fields, base: Fields) => termsText(messageOf(fields, base));

  const equal: [what: string, fields: Fields, base: Fields][] = [
    ['amount written with more zeros', { amount: '1500.00' }, DEPOSIT],
    ['currency sent as the default', { currency: '"PKR"' }, DEPOSIT],
    ['currency sent as null', { currency: 'null' }, DEPOSIT],
    ['currency sent empty', { currency: '""' }, DEPOSIT],
    ['currency sent as an integer', { currency: '0' }, DEPOSIT],
    ['a reference sent as null', { merchantOrderRef: 'null' }, DEPOSIT],
    ['a reference sent empty', { merchantOrderRef: '""' }, DEPOSIT],
    [
      'an account sent as null',
      { customerAccountNumber: 'null', customerAccountName: 'null' },
      DEPOSIT,
    ],
    ['an account sent empty', { customerAccountNumber: '""', customerAccountName: '""' }, DEPOSIT],
    ['orderType sent as an integer', { orderType: '0' }, DEPOSIT],
    ['walletType sent as an integer', { walletType: '0' }, DEPOSIT],
    [
      'fields that are not compared',
      {
        customerReference: '"c"',
        callbackUrl: '"http://a"',
        successUrl: '"http://a"',
        failureUrl: '"http://a"',
        metadata: '"m"',
        txnRefDigitsRequired: '5',
        maxRetryCount: '5',
      },
      DEPOSIT,
    ],
  ];
  test.each(equal)('is unchanged by %s', (_what, fields, base) => {
    expect(terms(fields, base)).toBe(terms({}, base));
  });

  const different: [what: string, fields: Fields][] = [
    ['orderType', { orderType: '"Deposit"' }],
    ['amount', { amount: '1500.0001' }],
    ['walletType', { walletType: '"ProviderB"' }],
    ['currency', { currency: '"INR"' }],
    ['merchantOrderRef', { merchantOrderRef: '"R"' }],
    ['customerAccountNumber', { customerAccountNumber: '"2"' }],
    ['customerAccountName', { customerAccountName: '"N"' }],
    ['customerAccountName left out', { customerAccountName: undefined }],
    ['customerAccountName with a space more', { customerAccountName: '"n "' }],
  ];
  test.each(different)('is changed by %s', (_what, fields) => {
    expect(terms(fields, full)).not.toBe(terms({}, full));
  });

  test('keeps neighbouring fields apart regardless of what they hold', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', '"', ',', '\\', '|', 'null', '\n'),
      maxLength: 4,
    });
    const triple = fc.tuple(text, text, text);
    fc.assert(
      fc.property(triple, triple, (left, right) => {
        const of = ([ref, number, name]: readonly [string, string, string]) =>
          terms(
            {
              merchantOrderRef: json(ref),
              customerAccountNumber: json(`1${number}`),
              customerAccountName: json(name),
            },
            WITHDRAWAL,
          );
        expect(of(left) === of(right)).toBe(left.every((part, index) => part === right[index]));
      }),
      { numRuns: 1_000 },
    );
  });
});

test('the field table is the documented request table', () => {
  expect(
    Object.entries(CREATION_FIELDS).map(([key, field]) => [
      key,
      field.name,
      field.type,
      field.required,
    ]),
  ).toEqual([
    ['orderType', 'orderType', 'enum', true],
    ['amount', 'amount', 'number', true],
    ['walletType', 'walletType', 'enum', true],
    ['currency', 'currency', 'enum', false],
    ['merchantOrderRef', 'merchantOrderRef', 'string', false],
    ['customerReference', 'customerReference', 'string', false],
    ['customerAccountNumber', 'customerAccountNumber', 'string', false],
    ['customerAccountName', 'customerAccountName', 'string', false],
    ['callbackUrl', 'callbackUrl', 'string', false],
    ['successUrl', 'successUrl', 'string', false],
    ['failureUrl', 'failureUrl', 'string', false],
    ['metadata', 'metadata', 'string', false],
    ['txnRefDigitsRequired', 'txnRefDigitsRequired', 'integer', false],
    ['maxRetryCount', 'maxRetryCount', 'integer', false],
    ['signature', 'signature', 'signature', true],
  ]);
});

test('any JSON value in any field gets an answer and no exception', () => {
  const name = fc.constantFrom(...Object.keys(CREATION_FIELDS));
  const value = fc.oneof(
    fc.json(),
    fc.stringMatching(/^-?(0|[1-9][0-9]{0,30})(\.[0-9]{1,9})?([eE][+-]?[0-9]{1,12})?$/),
    fc.webUrl().map(json),
  );
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(name, value), { selector: ([key]) => key, maxLength: 6 }),
      (fields) => {
        const reading = read(Object.fromEntries(fields));
        if (reading.kind === 'unbound')
          expect(Object.keys(reading.errors).length).toBeGreaterThan(0);
        if (reading.kind === 'invalid') expect(reading.messages.length).toBeGreaterThan(0);
      },
    ),
    { numRuns: 2_000 },
  );
});
