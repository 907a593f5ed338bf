import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';

/** The SDK as `npm ci` has packed it (bin/web-apps.ts). */
const PACKED = path.join(import.meta.dirname, '../../../../../packages/sdk/packed');
const TYPES: Readonly<Record<string, string>> = { '.tgz': 'application/gzip' };
/** Nothing else is looked up on the disk. */
const NAME = /^[\w-]+(\.[\w-]+)+$/;

/** `/sdk/<file>`: what merchants install, asked for again each time. 404 where it is not packed. */
export function sdkFiles(app: FastifyInstance, folder = PACKED): void {
  app.get('/sdk/:file', { schema: { hide: true } as never }, async (request, reply) => {
    const { file } = request.params as { readonly file: string };
    const type = TYPES[path.extname(file)];
    if (type === undefined || !NAME.test(file)) return reply.callNotFound();
    const content = await readFile(path.join(folder, file)).catch(() => undefined);
    if (content === undefined) return reply.callNotFound();
    return reply.header('cache-control', 'no-cache').type(type).send(content);
  });
}
