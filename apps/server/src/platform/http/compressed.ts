import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { encodingFor } from './encode.ts';

/** Shorter answers fit into one packet as they are. */
const LENGTH_MIN = 1_000;
const ENCODERS = {
  br: (content: string) =>
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (content: string) => promisify(gzip)(content),
};

/**
 * As `onSend`: the answer as the phone takes it, in a fifth of the bytes. Only for answers without
 * a secret of the sign-in, whose length would reveal it to anyone who can place a text next to it.
 */
export async function compressed(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  if (reply.statusCode !== 200 || typeof payload !== 'string') return payload;
  reply.header('vary', 'Accept-Encoding');
  const encoding = encodingFor(request.headers['accept-encoding']);
  if (encoding === undefined || payload.length < LENGTH_MIN) return payload;
  reply.header('content-encoding', encoding);
  return ENCODERS[encoding](payload);
}
