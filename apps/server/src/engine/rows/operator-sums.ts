import type { MovedAlone } from '@munshi/core';
import { columns, type KindsOf, t } from '../../platform/database/columns.ts';
import { readsOne } from '../../platform/database/statement.ts';

/** What operators have moved alone. */

export const CHANGED_SUM = { day: t.integer, amount: t.amount };
export const SUM_COLUMNS = { operatorId: t.text, ...CHANGED_SUM } satisfies KindsOf<MovedAlone>;
export const SUM = columns('', SUM_COLUMNS);

/** Undefined where nothing has counted in this sum yet. */
export const findMovedAlone = readsOne(
  'find-sum',
  `select ${SUM.list}
   from operator_sums
   where operator_id = $1`,
  SUM,
  (sumOf: string) => [sumOf],
);
