import type { IncomingMessage } from 'node:http';
import { inBlock, parseBlock } from '@munshi/core';

/**
 * The caller's address: the socket's, or, when the peer is a trusted proxy, the right-most hop of X-Forwarded-For that is
 * not one (D24). Strangers' headers are never believed.
 */
export function createCallerAddress(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const blocks = trustedProxies.flatMap((text) => parseBlock(text) ?? []);
  const isTrusted = (address: string) => blocks.some((block) => inBlock(address, block));
  return (request) => {
    const peer = (request.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
    const forwarded = request.headers['x-forwarded-for'];
    if (blocks.length === 0 || forwarded === undefined || !isTrusted(peer)) return peer;
    const hops = (Array.isArray(forwarded) ? forwarded.join(',') : forwarded).split(',').map((hop) => hop.trim());
    let caller = peer;
    while (isTrusted(caller)) {
      const hop = hops.pop();
      if (hop === undefined || parseBlock(hop) === undefined) break;
      caller = hop;
    }
    return caller;
  };
}
