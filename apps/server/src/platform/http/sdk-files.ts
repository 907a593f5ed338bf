import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';

const SDK = path.join(import.meta.dirname, '../../../../../packages/sdk');
/** Where each kind of file is: the SDK as `npm ci` has packed it, and clients of one file. */
const KINDS: Readonly<Record<string, { readonly folder: string; readonly type: string }>> = {
  '.tgz': { folder: 'packed', type: 'application/gzip' },
  '.php': { folder: 'files', type: 'text/plain; charset=utf-8' },
  '.py': { folder: 'files', type: 'text/plain; charset=utf-8' },
};
/** Nothing else is looked up on the disk. */
const NAME = /^[\w-]+(\.[\w-]+)+$/;

/** `/sdk/<file>`: what merchants install, asked for again each time. 404 where it is not there. */
export function sdkFiles(app: FastifyInstance, root = SDK): void {
  app.get('/sdk/:file', { schema: { hide: true } as never }, async (request, reply) => {
    const { file } = request.params as { readonly file: string };
    const kind = KINDS[path.extname(file)];
    if (kind === undefined || !NAME.test(file)) return reply.callNotFound();
    const content = await readFile(path.join(root, kind.folder, file)).catch(() => undefined);
    if (content === undefined) return reply.callNotFound();
    return reply.header('cache-control', 'no-cache').type(kind.type).send(content);
  });
}
