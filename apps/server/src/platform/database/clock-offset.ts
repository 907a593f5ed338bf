import { answers, t } from './columns.ts';
import type { Queryable } from './queryable.ts';
import { execute, query, statement } from './statement.ts';

const READ = statement(
  'read-clock-offset',
  `select clock_offset_ms::text as offset
   from settings`,
  answers({ offset: t.text }),
);

/** How far a sandbox clock had been advanced, in milliseconds. */
export async function readClockOffset(db: Queryable): Promise<number> {
  const [row] = await query(db, READ);
  return Number(row?.offset ?? 0);
}

const SAVE = statement(
  'save-clock-offset',
  `update settings
   set clock_offset_ms = greatest(clock_offset_ms, $1)`,
);

/** Saves how far a sandbox clock has been advanced. It never goes back. */
export async function saveClockOffset(db: Queryable, offsetMs: number): Promise<void> {
  await execute(db, SAVE, [offsetMs]);
}

const SET_BACK = statement(
  'set-clock-back',
  `update settings
   set clock_offset_ms = -$1::bigint`,
);

/** Has a sandbox clock begin in the past: on a database where nothing has happened yet. */
export async function setClockBack(db: Queryable, ms: number): Promise<void> {
  await execute(db, SET_BACK, [ms]);
}
