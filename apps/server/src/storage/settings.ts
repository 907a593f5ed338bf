import type { Queryable } from './db.ts';

/** What a sandbox clock had been advanced by, in milliseconds. */
export async function readClockOffset(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ offset: string }>(
    'select clock_offset_ms::text as offset from settings',
  );
  return Number(rows[0]?.offset ?? 0);
}

/**
 * Keeps how far a sandbox clock has been advanced; never less than before, whichever process says
 * so.
 */
export async function saveClockOffset(db: Queryable, offsetMs: number): Promise<void> {
  await db.query('update settings set clock_offset_ms = greatest(clock_offset_ms, $1)', [offsetMs]);
}
