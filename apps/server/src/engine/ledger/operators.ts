import type { AuditEntry } from '@munshi/core';
import { assignedFrom, insertions, unnested } from '../../platform/database/columns.ts';
import { textArray } from '../../platform/database/pipeline.ts';
import { statement } from '../../platform/database/statement.ts';
import { AUDIT_COLUMNS, auditRecord, publishAudit } from '../rows/audit.ts';
import { CHANGED_SUM, SUM, SUM_COLUMNS } from '../rows/operator-sums.ts';
import { ask, change, foundBy, guarded, locking, making, type Stored } from './statements.ts';

/** What operators do: what each has moved alone, and the audit log. */

/**
 * What operators have moved alone: their rows are made when they first do, and locked in the order
 * of their names.
 */
const MAKE_SUMS = making(
  'make-sums',
  `insert into operator_sums (operator_id, day, amount)
   select id, 0, 0
   from unnest($1::text[]) as id
   order by id
   on conflict do nothing`,
);

const SUMS = locking(
  'sums',
  `select ${SUM.list}
   from operator_sums
   where operator_id = any($1::text[])
   order by operator_id`,
  SUM,
);

const CHANGED_SUMS = unnested(SUM_COLUMNS);
const CHANGE_SUMS = guarded(
  'change-sums',
  `update operator_sums s
     set ${assignedFrom('row', CHANGED_SUM)}
     from ${CHANGED_SUMS.rows}
     where s.operator_id = row.operator_id`,
  'cardinality($1::text[])',
);

export const sums: Stored<'sums'> = {
  ...foundBy('sums', SUMS, (rows) => change(rows, CHANGE_SUMS, () => CHANGED_SUMS.arraysOf(rows))),
  ask({ sums }) {
    const isAsked = sums.length > 0;
    const ids = textArray(sums);
    return [...ask(isAsked, MAKE_SUMS, ids), ...ask(isAsked, SUMS, ids)];
  },
};

const NEW_ENTRIES = insertions('audit_log', AUDIT_COLUMNS);
const INSERT_AUDIT = statement('insert-audit', NEW_ENTRIES.text);

export function insertAudit(audit: readonly AuditEntry[]) {
  audit.forEach(publishAudit);
  return change(audit, INSERT_AUDIT, () => NEW_ENTRIES.arraysOf(audit.map(auditRecord)));
}
