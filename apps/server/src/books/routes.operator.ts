import { READ_BOOKS } from '@munshi/api';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../people/deps.ts';
import { bind } from '../platform/http/bind.ts';
import { readBooksState } from './service.ts';

/** What the nightly check of the books has found. */
export function bookRoutes(app: FastifyInstance, deps: Deps): void {
  bind(app, READ_BOOKS, async () => ({ data: await readBooksState(deps) }));
}
