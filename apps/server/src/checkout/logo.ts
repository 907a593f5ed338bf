import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findLogo } from '../merchants/logos.store.ts';
import type { Deps } from '../people/deps.ts';
import { remember } from '../platform/database/connection/remember.ts';
import { sendRefusal } from '../platform/http/errors.ts';
import { sendPicture } from '../platform/http/pictures.ts';

/** Of at most 8 KB each. */
const LOGOS_KEPT = 500;

/**
 * Merchants' logos, each under the hash of its content, so that browsers keep them. They were drawn
 * by the service itself; a page that shows one has no other picture from outside.
 */
export function logoRoute(app: FastifyInstance, { database }: Pick<Deps, 'database'>): void {
  const logo = remember((hash: string) => findLogo(database.pool, hash), LOGOS_KEPT);
  app.get(
    '/logo/:name',
    { schema: { hide: true } as never },
    async (request: FastifyRequest<{ Params: { name: string } }>, reply: FastifyReply) => {
      const [, hash] = /^([0-9a-f]{64})\.webp$/.exec(request.params.name) ?? [];
      const webp = hash === undefined ? undefined : await logo(hash);
      if (webp === undefined)
        return sendRefusal(reply, { code: 'not-found', message: 'Not found.' });
      reply.removeHeader('vary').header('cache-control', 'public, max-age=31536000, immutable');
      return sendPicture(reply, webp);
    },
  );
}
