import { READ_BOOKS } from '@munshi/api';
import type { FastifyInstance } from 'fastify';
import { readBooksState } from '../../services/books-check.ts';
import { bind } from '../bind.ts';
import type { Deps } from '../deps.ts';

/** What the nightly check of the books has found. */
export function bookRoutes(app: FastifyInstance, deps: Deps): void {
  bind(app, READ_BOOKS, async () => ({ data: await readBooksState(deps) }));
}
