import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { type Kept, keep, sendKept } from '../platform/http/kept.ts';

const FOLDER = path.join(import.meta.dirname, '../../../../packages/sdk/files');
const FILES = ['munshi.php', 'munshi.py'];

/** `/sdk/<file>`: clients of one file, which a merchant copies beside their code. */
export function clientFiles(app: FastifyInstance): void {
  for (const file of FILES) {
    let kept: Kept | undefined;
    app.get(`/sdk/${file}`, { schema: { hide: true } as never }, (request, reply) => {
      kept ??= keep(readFileSync(path.join(FOLDER, file)));
      return sendKept(request, reply.type('text/plain; charset=utf-8'), kept);
    });
  }
}
