import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { inBlock, parseBlock } from '@munshi/core';

/**
 * The caller's address: the socket's, or, when the peer is a trusted proxy, the right-most hop of
 * X-Forwarded-For that is not one (merchant-api.md#addresses). Headers of other peers are ignored.
 * If that hop cannot be read, the caller is unknown and on no whitelist.
 */
export function createCallerAddress(
  trustedProxies: readonly string[],
): (request: IncomingMessage) => string {
  const blocks = trustedProxies.flatMap((text) => parseBlock(text) ?? []);
  const isTrusted = (address: string) => blocks.some((block) => inBlock(address, block));
  return (request) => {
    const peer = (request.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
    const forwarded = request.headers['x-forwarded-for'];
    if (blocks.length === 0 || forwarded === undefined || !isTrusted(peer)) return peer;
    const hops = (Array.isArray(forwarded) ? forwarded.join(',') : forwarded).split(',');
    let caller = peer;
    while (isTrusted(caller)) {
      const hop = hops.pop();
      if (hop === undefined) break;
      caller = readHop(hop) ?? 'unknown';
    }
    return caller;
  };
}

/** One subscriber's network: an IPv4 address, or the /64 of an IPv6 address. */
export function networkOf(address: string): string {
  const bits = isIP(address) === 6 ? parseBlock(address)?.bits : undefined;
  if (bits === undefined) return address;
  return bits >> 32n === 0xffffn
    ? `v4 ${bits & 0xffffffffn}`
    : `${(bits >> 64n).toString(16)}::/64`;
}

/** A hop's address. Some proxies add its port, brackets or quotes. */
function readHop(text: string): string | undefined {
  const bare = text.trim().replace(/^"(.*)"$/, '$1');
  const [, address = bare] =
    /^\[([^\]]*)\](?::\d+)?$/.exec(bare) ?? /^([\d.]+):\d+$/.exec(bare) ?? [];
  return isIP(address) === 0 ? undefined : address;
}
