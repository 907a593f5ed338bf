import { READ_BOOKS } from '@munshi/api';
import type { OperatorFace } from '../people/access.operator.ts';
import type { Deps } from '../people/deps.ts';
import { bind } from '../platform/http/bind.ts';
import { readBooksState } from './service.ts';

/** What the nightly check of the books has found. */
export function bookRoutes(face: OperatorFace, deps: Deps): void {
  bind(face, READ_BOOKS, async () => ({ data: await readBooksState(deps) }));
}
