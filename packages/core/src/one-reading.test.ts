import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CreationMessage, readCreation } from './creation-message.ts';
import { scanObject } from './json-object.ts';
import { readSignature } from './signature.ts';
import { compareUtf8 } from './utf8.ts';

type Fields = readonly (readonly [key: string, value: string])[];

const TERMS: Fields = [
  ['orderType', 'Withdrawal'],
  ['amount', '1500.50'],
  ['walletType', 'ProviderA'],
];
const NUMBERS = new Set(['amount', 'maxretrycount', 'txnrefdigitsrequired']);

/** Numbers where the API takes numbers: in quotes they would be refused in any case. */
const bodyOf = (fields: Fields): string =>
  `{${fields
    .map(([key, value]) => {
      const isNumber = NUMBERS.has(key.toLowerCase()) && /^-?(0|[1-9]\d*)(\.\d+)?$/.test(value);
      return `${JSON.stringify(key)}:${isNumber ? value : JSON.stringify(value)}`;
    })
    .join()}}`;

const signed = (fields: Fields): Fields => [...fields, ['signature', 'x']];

/** What an accepted body asks for; undefined if it is refused. */
function readOrder(fields: Fields): { canonical: string; message: CreationMessage } | undefined {
  const reading = readSignature(bodyOf(signed(fields)));
  if (!reading.ok) return undefined;
  const creation = readCreation(reading.members, 'key');
  if (creation.kind !== 'valid') return undefined;
  return { canonical: reading.canonical, message: creation.message };
}

/** Every way to split a text at its `&` into fields with different keys, in their signed order. */
function splits(text: string): Fields[] {
  const parts = text.split('&');
  const found: Fields[] = [];
  const go = (at: number, fields: Fields) => {
    if (at === parts.length) {
      found.push(fields);
      return;
    }
    let pair = '';
    for (let end = at; end < parts.length; end += 1) {
      pair = end === at ? (parts[end] as string) : `${pair}&${parts[end]}`;
      // Each `=` may end the key: keys themselves may hold `=` and `&` before the check.
      for (let equals = pair.indexOf('='); equals >= 0; equals = pair.indexOf('=', equals + 1)) {
        const key = pair.slice(0, equals);
        if (compareUtf8(fields.at(-1)?.[0] ?? '', key) >= 0) continue;
        go(end + 1, [...fields, [key, pair.slice(equals + 1)]]);
      }
    }
  };
  go(0, []);
  return found;
}

describe('a key or a value that could be read as another field is malformed', () => {
  const url = 'https://shop.example';
  const rows: [what: string, fields: Fields][] = [
    [
      'a key that swallows the account and the reference',
      [['customeraccountnumber=03001234567&merchantorderref', '1002']],
    ],
    ['a key with =', [['a=b', 'c']]],
    ['a key with &', [['a&b', 'c']]],
    [
      'a callback URL that swallows the account',
      [['callbackUrl', `${url}/&customeraccountnumber=03001234567`]],
    ],
    ['the same in its query', [['callbackUrl', `${url}/?a=1&customeraccountnumber=03001234567`]]],
    [
      'a callback URL that swallows another URL',
      [
        ['callbackUrl', `${url}/?a=1&failureurl=${url}`],
        ['currency', 'PKR'],
      ],
    ],
    ['a URL with a currency, and none is sent', [['callbackUrl', `${url}/?a=1&currency=PKR`]]],
    ['a URL that swallows the retries', [['failureUrl', `${url}/?a=1&maxretrycount=9`]]],
    ['a reference that swallows metadata', [['merchantOrderRef', '1002&metadata=a']]],
    [
      'a name that swallows the number',
      [['customerAccountName', 'Ali&customeraccountnumber=03001234567']],
    ],
    ['an unknown field that swallows the reference', [['memo', 'x&merchantorderref=1002']]],
    ['a reference that swallows an unknown field', [['merchantOrderRef', '1002&note=x']]],
    [
      'an unknown field behind a URL with a query',
      [
        ['successUrl', `${url}/?a=1`],
        ['user', '7'],
      ],
    ],
    [
      'an unknown field behind metadata with pairs',
      [
        ['metadata', 'a=1'],
        ['note', 'x'],
      ],
    ],
  ];
  test.each(rows)('%s', (_what, fields) => {
    expect(readSignature(bodyOf(signed([...TERMS, ...fields])))).toEqual({
      ok: false,
      code: 'SIGNATURE_MALFORMED',
    });
  });
});

describe('ordinary bodies pass', () => {
  const url = 'https://shop.example';
  const rows: [what: string, fields: Fields][] = [
    ['a URL with an amount', [['callbackUrl', `${url}/cb?a=1&amount=5`]]],
    [
      'every URL with pairs',
      [
        ['callbackUrl', `${url}/cb?order=7&user=9`],
        ['failureUrl', `${url}/no?order=7&user=9`],
        ['successUrl', `${url}/ok?order=7&user=9`],
      ],
    ],
    [
      'a URL with the currency that is sent too',
      [
        ['callbackUrl', `${url}/cb?amount=5&currency=PKR`],
        ['currency', 'PKR'],
      ],
    ],
    [
      'fields of the API in a URL, as the API writes them',
      [['successUrl', `${url}/?a=1&walletType=ProviderA`]],
    ],
    ['metadata with pairs', [['metadata', 'user=7&plan=gold&note=a=b']]],
    ['metadata that are JSON', [['metadata', '{"a":"b&c=d"}']]],
    [
      'a name with &',
      [
        ['customerAccountName', 'Ali & Sons'],
        ['customerAccountNumber', '0300'],
      ],
    ],
    ['a reference with & and =', [['merchantOrderRef', 'A&b=1']]],
    [
      'unknown fields',
      [
        ['zebra', '1'],
        ['apple', 'x'],
        ['note', 'y'],
        ['user', 'z'],
      ],
    ],
    [
      'unknown fields beside plain URLs and metadata',
      [
        ['metadata', 'x'],
        ['note', 'y'],
        ['successUrl', url],
        ['user', 'z'],
      ],
    ],
    ['an unknown URL', [['returnUrl', `${url}/?a=1&b=2`]]],
  ];
  test.each(rows)('%s', (_what, fields) => {
    expect(readOrder([...TERMS, ...fields])).toBeDefined();
  });
});

test('a long value is read in linear time', () => {
  const body = bodyOf(signed([...TERMS, ['metadata', '&a='.repeat(20_000)]]));
  expect(scanObject(body).ok).toBe(true);
  expect(readSignature(body).ok).toBe(true);
});

test('no split of an accepted body’s signed text is another order', () => {
  const name = fc.constantFrom(
    'callbackurl',
    'currency',
    'customeraccountname',
    'customeraccountnumber',
    'customerreference',
    'failureurl',
    'maxretrycount',
    'merchantorderref',
    'metadata',
    'successurl',
    'a',
    'cz',
    'd',
    'g',
    'mf',
    'n',
    'o',
    't',
    'u',
    'A',
    'successUrl',
  );
  const plain = fc.constantFrom('1', 'x', 'PKR', 'Deposit', '5', 'https://x.example', '');
  const tail = fc.array(
    fc.tuple(name, plain).map(([key, value]) => `&${key}=${value}`),
    { maxLength: 2 },
  );
  const start = fc.constantFrom(
    'x',
    'a=1',
    'https://x.example',
    'https://x.example/?a=1',
    'PKR',
    '2',
  );
  const value = fc.tuple(start, tail).map(([first, rest]) => first + rest.join(''));
  const fields = fc.uniqueArray(fc.tuple(name, value), {
    selector: ([key]) => key.toLowerCase(),
    maxLength: 5,
  });
  let accepted = 0;
  let split = 0;
  fc.assert(
    fc.property(fields, (extra) => {
      const order = readOrder([...TERMS, ...extra]);
      if (order === undefined) return;
      accepted += 1;
      for (const other of splits(order.canonical)) {
        const found = readOrder(other);
        if (found?.canonical !== order.canonical) continue;
        split += 1;
        expect(found.message).toEqual(order.message);
      }
    }),
    { numRuns: 3_000 },
  );
  expect(accepted).toBeGreaterThan(200);
  expect(split).toBeGreaterThanOrEqual(accepted);
});
