import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { type Encoding, encode, encodingFor } from '../encode.ts';

/** First-party style and script, read once. Their address changes with their content. */
const ASSETS = ['checkout.css', 'checkout.js'].map((name) => ({
  name,
  type: name.endsWith('.js') ? 'text/javascript; charset=utf-8' : 'text/css; charset=utf-8',
  content: readFileSync(path.join(import.meta.dirname, 'assets', name)),
  encoded: new Map<Encoding, Buffer>(),
}));

export const ASSETS_VERSION = createHash('sha256')
  .update(Buffer.concat(ASSETS.map(({ content }) => content)))
  .digest('hex')
  .slice(0, 12);

export function assetRoutes(app: FastifyInstance) {
  for (const { name, type, content, encoded } of ASSETS) {
    app.get(`/assets/${name}`, { schema: { hide: true } as never }, (request, reply) => {
      reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('vary', 'Accept-Encoding')
        .type(type);
      const encoding = encodingFor(request.headers['accept-encoding']);
      if (encoding === undefined) return reply.send(content);
      const smaller = encoded.get(encoding) ?? encode(content, encoding, true);
      encoded.set(encoding, smaller);
      return reply.header('content-encoding', encoding).send(smaller);
    });
  }
}
