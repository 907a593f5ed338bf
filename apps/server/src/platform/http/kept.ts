import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Encoding, encode, encodingFor, etagOf } from './encode.ts';

/** Content that stays the same while the process lives, and is the same for all. */
export interface Kept {
  readonly content: Buffer;
  readonly etag: string;
  readonly encoded: Map<Encoding, Buffer>;
}

export const keep = (content: Buffer): Kept => ({
  content,
  etag: etagOf(content),
  encoded: new Map(),
});

export function sendKept({ headers }: FastifyRequest, reply: FastifyReply, kept: Kept) {
  reply
    .header('cache-control', 'public, max-age=300')
    .header('vary', 'Accept-Encoding')
    .header('etag', kept.etag);
  if (headers['if-none-match'] === kept.etag) return reply.code(304).send();
  const encoding = encodingFor(headers['accept-encoding']);
  if (encoding === undefined) return reply.send(kept.content);
  const smaller = kept.encoded.get(encoding) ?? encode(kept.content, encoding);
  kept.encoded.set(encoding, smaller);
  return reply.header('content-encoding', encoding).send(smaller);
}
