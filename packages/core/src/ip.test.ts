import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  areCovered,
  areEverybody,
  inBlock,
  isListed,
  parseBlock,
  type WhitelistEntry,
} from './ip.ts';

const within = (address: string, text: string) => {
  const block = parseBlock(text);
  return block !== undefined && inBlock(address, block);
};

describe('addresses and CIDR blocks of both families', () => {
  const rows: [address: string, block: string, inside: boolean][] = [
    ['203.0.113.7', '203.0.113.7', true],
    ['203.0.113.8', '203.0.113.7', false],
    ['203.0.113.7', '203.0.113.7/32', true],
    ['203.0.113.255', '203.0.113.0/24', true],
    ['203.0.114.0', '203.0.113.0/24', false],
    ['203.0.113.9', '203.0.113.7/24', true],
    ['10.255.255.255', '10.0.0.0/8', true],
    ['11.0.0.0', '10.0.0.0/8', false],
    ['8.8.8.8', '0.0.0.0/0', true],
    ['2001:db8::1', '0.0.0.0/0', false],
    ['127.0.0.1', '::1', false],
    ['203.0.113.7', '2000::/3', false],
    ['2001:db8::1', '2001:DB8:0:0:0:0:0:1', true],
    ['2001:db8:0:1::5', '2001:db8::/32', true],
    ['2001:db9::', '2001:db8::/32', false],
    ['2001:db8::ffff', '2001:db8::fff0/124', true],
    ['2001:db8::ffef', '2001:db8::fff0/124', false],
    ['::1', '::1', true],
    ['::2', '::1', false],
    ['::1', '::/0', true],
    ['fe80::1%eth0', 'fe80::/10', true],
    // An IPv4 caller on a dual-stack socket shows as IPv4-mapped IPv6.
    ['::ffff:203.0.113.7', '203.0.113.0/24', true],
    ['::ffff:cb00:7107', '203.0.113.7', true],
    ['203.0.113.7', '::ffff:203.0.113.0/120', true],
    ['::203.0.113.7', '203.0.113.7', false],
  ];
  test.each(rows)('%s in %s: %s', (address, block, inside) =>
    expect(within(address, block)).toBe(inside),
  );

  test('spaces around an entry are ignored', () =>
    expect(within('203.0.113.7', ' 203.0.113.7 ')).toBe(true));
});

describe('an entry that is no address or block matches nobody', () => {
  const texts = [
    '',
    ' ',
    'localhost',
    '1.2.3',
    '1.2.3.4.5',
    '256.1.1.1',
    '01.2.3.4',
    '0x1.2.3.4',
    '1.2.3.-4',
    '1.2.3.4/33',
    '1.2.3.4/-1',
    '1.2.3.4/',
    '1.2.3.4/8/8',
  ];
  const more = [
    '1.2.3.4/٨',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1::2::3',
    ':::',
    ':1:2:3:4:5:6:7',
    '12345::',
    'g::',
    '::/129',
    '::1.2.3',
    '::256.0.0.1',
    '1:2:3:4:5:6:7:8::',
  ];
  test.each([...texts, ...more])('%j', (text) => {
    expect(parseBlock(text)).toBeUndefined();
    expect(isListed([{ address: text, scope: 'Both' }], '203.0.113.7', 'Deposit')).toBe(false);
    expect(within(text, '0.0.0.0/0') || within(text, '::/0')).toBe(false);
  });
});

test('an entry counts for its own scope', () => {
  const entries = [
    { address: '203.0.113.7', scope: 'Deposit' },
    { address: '203.0.113.8', scope: 'Withdrawal' },
    { address: '203.0.113.9', scope: 'Both' },
  ] as const;
  const listed = (address: string) => [
    isListed(entries, address, 'Deposit'),
    isListed(entries, address, 'Withdrawal'),
  ];
  expect(['203.0.113.7', '203.0.113.8', '203.0.113.9', '203.0.113.10'].map(listed)).toEqual([
    [true, false],
    [false, true],
    [true, true],
    [false, false],
  ]);
  expect(isListed([], '203.0.113.7', 'Deposit')).toBe(false);
});

describe('a whitelist of 500 entries', () => {
  /** Counts how often an address of it is read. */
  function longList() {
    const list = { read: 0, entries: [] as WhitelistEntry[] };
    list.entries = Array.from({ length: 500 }, (_, at) => ({
      scope: 'Both',
      get address() {
        list.read += 1;
        return `10.0.${at >> 8}.${at & 255}`;
      },
    }));
    return list;
  }

  test('is read once, however many orders it is asked about', () => {
    const list = longList();
    for (const last of [0, 99, 200, 255])
      expect(isListed(list.entries, `10.0.0.${last}`, 'Deposit')).toBe(true);
    expect(isListed(list.entries, '10.0.2.0', 'Deposit')).toBe(false);
    expect(list.read).toBe(500);
  });

  test('is read once where it is compared with another one', () => {
    const [before, after] = [longList(), longList()];
    expect(areCovered(after.entries, before.entries)).toBe(true);
    expect([before.read, after.read]).toEqual([500, 500]);
  });
});

test('an address lies in a block of n bits exactly when its first n bits are the block’s', () => {
  const octets = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));
  const bits = (parts: readonly number[]) =>
    parts.map((part) => part.toString(2).padStart(8, '0')).join('');
  fc.assert(
    fc.property(octets, octets, fc.nat(32), fc.nat(32), (a, b, keep, prefix) => {
      const mixed = bits(a).slice(0, keep) + bits(b).slice(keep);
      const near = [0, 8, 16, 24].map((at) => Number.parseInt(mixed.slice(at, at + 8), 2));
      expect(within(near.join('.'), `${a.join('.')}/${prefix}`)).toBe(
        bits(near).slice(0, prefix) === bits(a).slice(0, prefix),
      );
    }),
  );
});

describe('blocks that count as everybody', () => {
  test.each([
    [['0.0.0.0/0']],
    [['::/0']],
    [['2000::/3']],
    [['0.0.0.0/1', '128.0.0.0/1']],
    [['10.0.0.1', '128.0.0.0/2']],
    [Array.from({ length: 17 }, (_, at) => `${at + 1}.0.0.0/8`)],
    [Array.from({ length: 17 }, (_, at) => `${17 - at}.0.0.0/8`)],
    [['2000::/4', '3000::/120']],
  ])('%j are', (blocks) => {
    expect(areEverybody(blocks)).toBe(true);
  });
  test.each([
    [[]],
    [
      [
        '10.0.0.0/8',
        '172.16.0.0/12',
        '192.168.0.0/16',
        '100.64.0.0/10',
        '127.0.0.0/8',
        'fc00::/7',
        'fe80::/10',
        '::1',
      ],
    ],
    [Array.from({ length: 40 }, () => '10.0.0.0/8')],
    [Array.from({ length: 16 }, (_, at) => `${16 - at}.0.0.0/8`)],
    [['2000::/4']],
  ])('%j are not', (blocks) => {
    expect(areEverybody(blocks)).toBe(false);
  });
});
