import { answers, t } from '../platform/database/columns.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { query, statement, writes } from '../platform/database/statement.ts';

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

/** Saves how far a sandbox clock has been advanced. It never goes back. */
export const saveClockOffset = writes(
  'save-clock-offset',
  `update settings
   set clock_offset_ms = greatest(clock_offset_ms, $1)`,
  (offsetMs: number) => [offsetMs],
);

/** Has a sandbox clock begin in the past: on a database where nothing has happened yet. */
export const setClockBack = writes(
  'set-clock-back',
  `update settings
   set clock_offset_ms = -$1::bigint`,
  (ms: number) => [ms],
);
