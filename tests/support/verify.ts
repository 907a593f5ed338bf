import { expect } from 'vitest';
import { findViolations } from '../../apps/server/src/books/invariants.ts';
import type { Service } from './service.ts';

/** Checks the invariants; to be called after everything random or concurrent. */
export async function expectSound({ app, database }: Service): Promise<void> {
  expect(await findViolations(database.pool, app.deps.clock.now())).toEqual([]);
}
