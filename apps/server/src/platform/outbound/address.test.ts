import { describe, expect, test } from 'vitest';
import { isAllowedAddress, readDestination } from './address.ts';

const strict = { allowPrivate: false };
const development = { allowPrivate: true };

/** Where clouds answer their machines, and the ways of writing the IPv4 ones in IPv6. */
const METADATA = [
  '169.254.169.254', // most
  '168.63.129.16', // Azure
  '100.100.100.200', // Alibaba
  '192.0.0.192', // Oracle
  'fd00:ec2::254', // Amazon
  'fd20:ce::254', // Google
  'fd00:42::42', // Scaleway
  ...['a83f:8110', 'a9fe:a9fe', '6464:64c8'].flatMap((hex) => [
    `::ffff:${hex}`,
    `::${hex}`,
    `64:ff9b::${hex}`,
    `2002:${hex}::1`,
    `2001:0:${hex}::1`,
  ]),
];

/** First and last address of every range that is not public, with what it is. */
const REFUSED: readonly (readonly [range: string, ...addresses: string[]])[] = [
  ['this network', '0.0.0.0', '0.0.0.1', '0.255.255.255'],
  ['private 10/8', '10.0.0.0', '10.1.2.3', '10.255.255.255'],
  ['carrier NAT', '100.64.0.0', '100.127.255.255'],
  ['loopback', '127.0.0.1', '127.0.0.0', '127.255.255.255'],
  ['link-local and metadata', '169.254.0.0', '169.254.169.254', '169.254.255.255'],
  ['private 172.16/12', '172.16.0.0', '172.31.255.255'],
  ['protocol assignments', '192.0.0.0', '192.0.0.170', '192.0.0.255'],
  ['documentation', '192.0.2.1', '198.51.100.255', '203.0.113.0'],
  ['AS112', '192.31.196.1', '192.175.48.1'],
  ['AMT', '192.52.193.1'],
  ['6to4 relay', '192.88.99.1'],
  ['private 192.168/16', '192.168.0.0', '192.168.255.255'],
  ['benchmarks', '198.18.0.0', '198.19.255.255'],
  ['multicast', '224.0.0.0', '239.255.255.255'],
  ['reserved', '240.0.0.0', '255.255.255.254'],
  ['broadcast', '255.255.255.255'],
  ['unspecified', '::'],
  ['loopback', '::1', '0:0:0:0:0:0:0:1'],
  ['IPv4-compatible', '::127.0.0.1', '::8.8.8.8'],
  [
    'IPv4-mapped',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.0.0.1',
    '::ffff:169.254.169.254',
    '::ffff:8.8.8.8',
  ],
  ['IPv4-translated', '::ffff:0:127.0.0.1'],
  ['NAT64', '64:ff9b::127.0.0.1', '64:ff9b::7f00:1', '64:ff9b::8.8.8.8', '64:ff9b:1::1'],
  ['discard only', '100::1'],
  ['Teredo', '2001::1', '2001:0:53aa:64c::1'],
  ['benchmarks', '2001:2::1'],
  ['ORCHID', '2001:10::1', '2001:20::1', '2001:2f:ffff::1'],
  ['documentation', '2001:db8::1', '2001:db8:ffff::1', '3fff::1', '3fff:fff::1'],
  ['6to4', '2002:7f00:1::1', '2002:808:808::1'],
  ['AS112', '2620:4f:8000::1'],
  ['6bone', '3ffe::1'],
  ['not assigned', '4000::1', '5f00::1', 'f000::1'],
  ['unique local', 'fc00::1', 'fd12:3456::1', 'fdff:ffff::1'],
  ['link-local', 'fe80::1', 'febf::1', 'fe80::1%eth0'],
  ['site-local', 'fec0::1'],
  ['multicast', 'ff02::1', 'ff0e::1'],
  ...METADATA.map((address) => ['metadata of a cloud', address] as const),
];

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '192.167.255.255',
  '168.63.129.15',
  '168.63.129.17',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2001:200::1',
  '2001:4860:4860::8888',
  '2003::1',
  '2606:4700:4700::1111',
  '2a00:1450::1',
];

describe('SSRF: addresses', () => {
  test.each(REFUSED)('%s is refused', (_range, ...addresses) => {
    for (const address of addresses)
      expect([address, isAllowedAddress(address, strict)]).toEqual([address, false]);
  });

  test('what lies beside the ranges is public', () => {
    for (const address of PUBLIC)
      expect([address, isAllowedAddress(address, strict)]).toEqual([address, true]);
  });

  test('what is no address is refused', () => {
    for (const text of [
      '',
      'localhost',
      '127.1',
      '0x7f.0.0.1',
      '1.2.3',
      '1.2.3.4.5',
      '[::1]',
      '::1/128',
      ' 8.8.8.8',
    ])
      expect(isAllowedAddress(text, strict)).toBe(false);
  });

  test('the development switch allows private and loopback addresses, and nothing else', () => {
    for (const address of [
      '127.0.0.1',
      '10.0.0.1',
      '172.20.0.1',
      '192.168.1.1',
      '100.64.0.1',
      '::1',
      'fd00::1',
    ]) {
      expect([address, isAllowedAddress(address, development)]).toEqual([address, true]);
    }
    for (const address of [
      ...METADATA,
      '0.0.0.0',
      '224.0.0.1',
      'fe80::1',
      '64:ff9b::1',
      '2002:7f00:1::1',
      '::ffff:127.0.0.1',
    ]) {
      expect([address, isAllowedAddress(address, development)]).toEqual([address, false]);
    }
  });
});

/** Ways to write a refused address that a check of the text alone would let through. */
const DISGUISES = [
  'http://127.0.0.1/',
  'http://127.1/',
  'http://127.0.0.1./',
  'http://0x7f.1/',
  'http://0x7f000001/',
  'http://2130706433/',
  'http://017700000001/',
  'http://0177.0.0.1/',
  'http://127.0.0.1:8080/',
  'http://%31%32%37.0.0.1/',
  'http://１２７.０.０.１/',
  'http://127。0。0。1/',
  'http:\\\\127.0.0.1\\',
  'http:127.0.0.1',
  'http://[::1]/',
  'http://[0:0::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::127.0.0.1]/',
  'http://[64:ff9b::127.0.0.1]/',
  'http://[2002:7f00:1::]/',
  'http://0/',
  'http://0.0.0.0/',
  'http://[::]/',
  'https://192.168.0.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://[fd00:ec2::254]/latest/meta-data/',
];

describe('SSRF: URLs', () => {
  test.each(DISGUISES)('%s is refused before anything is looked up', (url) => {
    expect(readDestination(url, strict)).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/^Refused: .* is not a public address\.$/),
    });
  });

  test('other schemes and ports of other protocols are refused', () => {
    for (const url of [
      'ftp://example.com/',
      'file:///etc/passwd',
      'gopher://example.com/',
      'data:text/plain,x',
      'javascript:1',
      'unix:/run/x',
      'ws://example.com/',
    ]) {
      expect(readDestination(url, strict)).toMatchObject({
        ok: false,
        reason: expect.stringMatching(/neither http: nor https:/),
      });
    }
    for (const port of [0, 22, 25, 53, 110, 143, 465, 587, 993, 2049, 6000, 6667]) {
      expect(readDestination(`http://example.com:${port}/`, strict)).toMatchObject({
        ok: false,
        reason: `Refused: port ${port} belongs to another protocol.`,
      });
    }
    expect(readDestination('https://', strict)).toMatchObject({ ok: false });
    expect(readDestination('https://1.2.3.4.5/', strict)).toMatchObject({ ok: false });
  });

  test('a public URL passes, by name and by address, on any port of its own', () => {
    expect(readDestination('https://merchant.example/hook?a=b', strict)).toMatchObject({
      ok: true,
      address: undefined,
    });
    expect(readDestination('https://merchant.example:8443/hook', strict)).toMatchObject({
      ok: true,
    });
    expect(readDestination('http://8.8.8.8/hook', strict)).toMatchObject({
      ok: true,
      address: '8.8.8.8',
    });
    expect(readDestination('http://[2606:4700::1]/hook', strict)).toMatchObject({
      ok: true,
      address: '2606:4700::1',
    });
  });
});
