import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { createCallerAddress, networkOf } from './caller.ts';

const PROXY = '10.0.0.5';
const callerOf = (
  peer: string,
  forwarded: string | undefined,
  trusted = ['10.0.0.0/8', '2001:db8:ffff::/48'],
) =>
  createCallerAddress(trusted)({
    socket: { remoteAddress: peer },
    headers: { 'x-forwarded-for': forwarded },
  } as unknown as IncomingMessage);

test.each([
  ['a stranger is believed nothing', '203.0.113.9', '1.2.3.4', '203.0.113.9'],
  ['a proxy without the header', PROXY, undefined, PROXY],
  ['one hop', PROXY, '1.2.3.4', '1.2.3.4'],
  ['the right-most that is no proxy', PROXY, '9.9.9.9, 1.2.3.4, 10.1.1.1', '1.2.3.4'],
  ['proxies alone: the first of them', PROXY, '10.2.2.2, 10.1.1.1', '10.2.2.2'],
  ['an IPv6 hop', PROXY, '2001:db8::7', '2001:db8::7'],
  ['with a port', PROXY, '1.2.3.4:5555', '1.2.3.4'],
  ['in brackets', PROXY, '[2001:db8::7]', '2001:db8::7'],
  ['in brackets with a port', PROXY, '[2001:db8::7]:443', '2001:db8::7'],
  ['in quotes', PROXY, '"[2001:db8::7]:443"', '2001:db8::7'],
  ['a proxy with a port', PROXY, '1.2.3.4:1, 10.1.1.1:2', '1.2.3.4'],
  ['an IPv4 proxy as the socket of both families has it', '::ffff:10.0.0.5', '1.2.3.4', '1.2.3.4'],
  ['what is no address is nobody, and no proxy', PROXY, '1.2.3.4, unknown', 'unknown'],
  ['nor is it passed over behind a proxy', PROXY, '1.2.3.4, _hidden, 10.1.1.1', 'unknown'],
  ['nor is a block', PROXY, '1.2.3.0/24', 'unknown'],
  ['nor is nothing', PROXY, '1.2.3.4,', 'unknown'],
])('%s', (_, peer, forwarded, expected) => {
  expect(callerOf(peer, forwarded)).toBe(expected);
});

test('what one subscriber has is one network, in whichever form it is written', () => {
  expect(networkOf('2001:db8:1:2::1')).toBe(networkOf('2001:0DB8:1:2:ffff:ffff:ffff:ffff'));
  expect(networkOf('fe80::1%eth0')).toBe(networkOf('fe80::2'));
  const others = [
    '203.0.113.9',
    '203.0.113.10',
    '::ffff:203.0.113.9',
    '::ffff:203.0.113.10',
    '2001:db8:1:2::',
    '2001:db8:1:3::',
    'unknown',
  ];
  expect(new Set(others.map(networkOf)).size).toBe(others.length);
});
