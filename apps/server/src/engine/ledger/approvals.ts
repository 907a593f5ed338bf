import { type Approval, type AuditEntry, type MovedAlone, money } from '@munshi/core';
import { textArray } from '../../platform/database/pipeline.ts';
import { auditRow, numeric, type Row } from '../../platform/database/rows.ts';
import { statement } from '../../platform/database/statement.ts';
import { APPROVAL, approvalRow, PUT_APPROVALS } from '../rows/approvals.ts';
import { publishAudit } from '../rows/audit-channel.ts';
import type { LoadRequest } from './batch.ts';
import { type Asked, ask, change, guarded, locking, put } from './statements.ts';

/** What operators do: requests for a second one, what each has moved alone, and the audit log. */

const APPROVALS = locking(
  'approvals',
  `select ${APPROVAL.list}
   from approvals
   where target = any($1::text[]) and status = 'pending'
   order by approval_id`,
);

export const askApprovals = ({ approvalTargets }: LoadRequest) =>
  ask(approvalTargets.length > 0, 'approvals', APPROVALS, textArray(approvalTargets));

export const putApprovals = (approvals: readonly Approval[]) =>
  put(
    PUT_APPROVALS,
    approvals.map((approval) => approvalRow(approval)),
  );

/**
 * What operators have moved alone: their rows are made when they first do, and locked in the order
 * of their names.
 */
const MAKE_SUMS = statement(
  'make-sums',
  `insert into operator_sums (operator_id, day, amount)
   select id, 0, 0
   from unnest($1::text[]) as id
   order by id
   on conflict do nothing`,
);

const SUMS = locking(
  'sums',
  `select operator_id, day, amount
   from operator_sums
   where operator_id = any($1::text[])
   order by operator_id`,
);

export function askSums({ summedOperatorIds }: LoadRequest): readonly Asked[] {
  if (summedOperatorIds.length === 0) return [];
  const values = [textArray(summedOperatorIds)];
  return [
    { ...MAKE_SUMS, values },
    { as: 'sums', ...SUMS, values },
  ];
}

/** A preview makes no rows. */
export const makesRows = ({ name }: Asked) => name === MAKE_SUMS.name;

export const readSum = (row: Row): MovedAlone => ({
  operatorId: row['operator_id'],
  day: row['day'],
  amount: money(row['amount']),
});

const CHANGE_SUMS = guarded(
  'change-sums',
  `update operator_sums s
     set day = row.day,
       amount = row.amount
     from json_to_recordset($1) as row (operator_id text, day integer, amount numeric)
     where s.operator_id = row.operator_id`,
);

export const changeSums = (sums: readonly MovedAlone[]) =>
  change(sums, CHANGE_SUMS, () => [JSON.stringify(sums.map(sumRow)), String(sums.length)]);

const sumRow = ({ operatorId, day, amount }: MovedAlone) => ({
  operator_id: operatorId,
  day,
  amount: numeric(amount),
});

const INSERT_AUDIT = statement(
  'insert-audit',
  `insert into audit_log (
     audit_id, actor_kind, actor_id, actor_name, address, action, target, detail, at, command_id
   )
   select *
   from json_to_recordset($1) as row (
     audit_id uuid, actor_kind text, actor_id text, actor_name text, address text, action text,
     target text, detail jsonb, at timestamptz, command_id uuid
   )`,
);

export function insertAudit(audit: readonly AuditEntry[]) {
  audit.forEach(publishAudit);
  return put(INSERT_AUDIT, audit.map(auditRow));
}
