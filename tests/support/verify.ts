import type { Instant } from '@munshi/core';
import type pg from 'pg';
import { expect } from 'vitest';
import type { Invariant } from '../../apps/server/src/books/invariants/invariant.ts';
import { findViolations, INVARIANTS, queryOf } from '../../apps/server/src/books/invariants.ts';
import type { Service } from './service.ts';

/** Checks the invariants; to be called after everything random or concurrent. */
export async function expectSound({ app, database }: Service): Promise<void> {
  expect(await findViolations(database.pool, app.deps.clock.now())).toEqual([]);
}

/** The rules that the rows break as this transaction has changed them. */
export async function rulesBroken(
  client: pg.ClientBase,
  now: Instant,
): Promise<readonly Invariant[]> {
  const broken: Invariant[] = [];
  for (const invariant of INVARIANTS) {
    const { rows } = await client.query(queryOf(invariant), [new Date(now).toISOString()]);
    if (rows.length > 0) broken.push(invariant);
  }
  return broken;
}
