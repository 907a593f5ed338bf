import { expect } from 'vitest';
import { type Database, openDatabase } from '../../apps/server/src/platform/database/db.ts';
import type { Service } from './service.ts';

/**
 * Expects of an export of three chunks or more that each is read when it is taken, and that none
 * keeps a connection: there is one, and a reader who has stopped leaves it to the others.
 */
export async function expectTakenByChunks(
  { target }: Service,
  open: (database: Database) => Promise<AsyncIterable<readonly unknown[]>>,
): Promise<void> {
  const database = openDatabase(target, { poolSize: 1 });
  try {
    let reads = 0;
    database.pool.on('acquire', () => {
      reads += 1;
    });
    const pages = (await open(database))[Symbol.asyncIterator]();
    await pages.next();
    const before = reads;
    const { rows } = await database.pool.query('select 1 as free');
    expect(rows).toEqual([{ free: 1 }]);
    expect(reads).toBe(before + 1);
    await pages.next();
    await pages.next();
    expect(reads).toBe(before + 3);
    await pages.return?.();
  } finally {
    await database.close();
  }
}
